// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuant: quantises every row of x symmetrically with a scale of its own.
#ifndef ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_H_

#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT16 or BFLOAT16, rank 2 to 8; a row is the last dimension
//   smoothScalesOptional  type of x, shape [H]: multiplies the columns; may be null
//   yOut                  INT8 or INT4 in the shape of x, or INT32 that packs eight INT4
//   scaleOut              FLOAT, shape of x without the last dimension
//   161001  x, yOut, scaleOut, workspaceSize or executor null
//   161002  any other wrong argument
ACLNN_API aclnnStatus aclnnDynamicQuantGetWorkspaceSize(const aclTensor *x,
                                                        const aclTensor *smoothScalesOptional,
                                                        const aclTensor *yOut,
                                                        const aclTensor *scaleOut,
                                                        uint64_t *workspaceSize,
                                                        aclOpExecutor **executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDynamicQuant(void *workspace, uint64_t workspaceSize,
                                        aclOpExecutor *executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_H_
