// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MASKED_SOFTMAX_WITH_REL_POS_BIAS_H_
#define ANYACL_ACLNNOP_ACLNN_MASKED_SOFTMAX_WITH_REL_POS_BIAS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaskedSoftmaxWithRelPosBias: out = softmax of scaleValue * x + attenMaskOptional +
// relativePosBias along the last dimension.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                   FLOAT, FLOAT16, BF16; [X*]; [B*W, N, S1, S2] or [B, W, N, S1, S2]
//   attenMaskOptional   type of x; [M*]; may be null; [W, S1, S2], [W, 1, S1, S2] or [1, W, 1, S1,
//                       S2]; null stands for zeros
//   relativePosBias     type of x; [P*]; [N, S1, S2], [1, N, S1, S2] or [1, 1, N, S1, S2]
//   innerPrecisionMode  without effect: in FLOAT
//   out                 type of x; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  any other wrong argument
// CANN's document: ops-nn:
// norm/masked_softmax_with_rel_pos_bias/docs/aclnnMaskedSoftmaxWithRelPosBias.md
ACLNN_API aclnnStatus aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(
    const aclTensor* x, const aclTensor* attenMaskOptional, const aclTensor* relativePosBias,
    double scaleValue, int64_t innerPrecisionMode, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaskedSoftmaxWithRelPosBias(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MASKED_SOFTMAX_WITH_REL_POS_BIAS_H_
