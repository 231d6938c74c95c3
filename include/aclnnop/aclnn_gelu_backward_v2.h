// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GELU_BACKWARD_V2_H_
#define ANYACL_ACLNNOP_ACLNN_GELU_BACKWARD_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGeluBackwardV2: gradInput = gradOutput times the derivative of GeluV2; approximate is none
// or tanh.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput   FLOAT, FLOAT16, BF16; any shape; broadcast and promoted with the other input
//   self         FLOAT, FLOAT16, BF16; any shape; broadcast and promoted with the other input
//   approximate  none or tanh
//   gradInput    FLOAT, FLOAT16, BF16; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/gelu_grad_v2/docs/aclnnGeluBackwardV2.md
ACLNN_API aclnnStatus aclnnGeluBackwardV2GetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, char* approximate, aclTensor* gradInput,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGeluBackwardV2(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GELU_BACKWARD_V2_H_
