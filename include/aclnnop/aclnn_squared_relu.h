// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SQUARED_RELU_H_
#define ANYACL_ACLNNOP_ACLNN_SQUARED_RELU_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSquaredRelu: out = max(input, 0)^2.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input  FLOAT, FLOAT16, BF16; any shape
//   out    type of input; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/squared_relu/docs/aclnnSquaredRelu.md
ACLNN_API aclnnStatus aclnnSquaredReluGetWorkspaceSize(
    const aclTensor* input, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSquaredRelu(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SQUARED_RELU_H_
