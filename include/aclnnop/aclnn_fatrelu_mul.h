// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FATRELU_MUL_H_
#define ANYACL_ACLNNOP_ACLNN_FATRELU_MUL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFatreluMul: out = (a > threshold ? a : 0) b, of the halves a and b of input along the last
// dimension.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input      FLOAT, FLOAT16, BF16; [X*]; of even size in the last dimension
//   threshold  type of input; [T*]; one element
//   out        type of input; [Y*]; output; input's shape with half the size
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/fatrelu_mul/docs/aclnnFatreluMul.md
ACLNN_API aclnnStatus aclnnFatreluMulGetWorkspaceSize(
    const aclTensor* input, const aclTensor* threshold, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFatreluMul(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FATRELU_MUL_H_
