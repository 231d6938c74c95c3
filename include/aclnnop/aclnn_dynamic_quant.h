// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDynamicQuant: quantises every row of x symmetrically.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT16, BF16; [B.. H]; a row is the last dimension; rank 2 to 8
//   smoothScalesOptional  type of x; [H]; may be null; multiplies the columns
//   yOut                  INT8, INT32, INT4; [B.. H]; INT32: [B.. H/8]; output; INT32 packs eight
//                         INT4
//   scaleOut              FLOAT; [B..]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/dynamic_quant/docs/aclnnDynamicQuant.md
ACLNN_API aclnnStatus aclnnDynamicQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* yOut,
    const aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDynamicQuant(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DYNAMIC_QUANT_H_
