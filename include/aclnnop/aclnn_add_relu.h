// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_RELU_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_RELU_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddRelu: out = max(self + alpha * other, 0).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self   FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape; broadcast and
//          promoted with the other input
//   other  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape; broadcast and
//          promoted with the other input
//   alpha  an integer where integers are computed
//   out    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/relu/docs/aclnnAddRelu&aclnnInplaceAddRelu.md
ACLNN_API aclnnStatus aclnnAddReluGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, const aclScalar* alpha, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

// aclnnInplaceAddRelu: selfRef = max(selfRef + alpha * other, 0).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape; changed in place
//   other    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape; broadcast and
//            promoted with the other input
//   alpha    an integer where integers are computed
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/relu/docs/aclnnAddRelu&aclnnInplaceAddRelu.md
ACLNN_API aclnnStatus aclnnInplaceAddReluGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, const aclScalar* alpha, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceAddRelu(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_RELU_H_
