// SPDX-License-Identifier: Apache-2.0
// aclnnGroupNormBackward: the gradients of group normalisation.
#ifndef ANYACL_ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H_

#ifdef __cplusplus
#include <array>  // Programs rely on this header for std::array.
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut, input   FLOAT, FLOAT16 or BFLOAT16, N * C * HxW elements
//   mean, rstd       N * group elements
//   gamma            C elements; null stands for ones
//   N, C, HxW, group sizes; group divides C
//   outputMask       three values: whether to compute gradInput, gradGammaOut, gradBetaOut
//   gradInput        shape of input; may be null where the mask says false
//   gradGammaOut, gradBetaOut  shape of gamma; may be null where the mask says false
//   161001  a required pointer is null
//   161002  any other wrong argument
ACLNN_API aclnnStatus aclnnGroupNormBackwardGetWorkspaceSize(
    const aclTensor *gradOut, const aclTensor *input, const aclTensor *mean, const aclTensor *rstd,
    const aclTensor *gamma, int64_t N, int64_t C, int64_t HxW, int64_t group,
    const aclBoolArray *outputMask, aclTensor *gradInput, aclTensor *gradGammaOut,
    aclTensor *gradBetaOut, uint64_t *workspaceSize, aclOpExecutor **executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupNormBackward(void *workspace, uint64_t workspaceSize,
                                             aclOpExecutor *executor, const aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUP_NORM_BACKWARD_H_
