// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MAXN_H_
#define ANYACL_ACLNNOP_ACLNN_MAXN_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaxN: out = the largest of the tensors' elements; NaN if one is.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   tensors  FLOAT, FLOAT16, INT8, INT32, INT64, BF16; any shape; one or more, of the type of out
//   out      FLOAT, FLOAT16, INT8, INT32, INT64, BF16; any shape; output; of the shape that the
//            tensors broadcast to; may be one of them
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/maximum/docs/aclnnMaxN.md
ACLNN_API aclnnStatus aclnnMaxNGetWorkspaceSize(const aclTensorList* tensors, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaxN(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MAXN_H_
