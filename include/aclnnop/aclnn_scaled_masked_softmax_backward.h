// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnScaledMaskedSoftmaxBackward: out = scale * (gradOutput - sum of gradOutput * y) * y, 0 where
// mask is true.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput   FLOAT, FLOAT16, BF16; [B N S T]; T up to 4096
//   y            type of gradOutput; [B N S T]
//   mask         BOOL; any shape; x's shape, or with 1 for any of the first two sizes
//   fixTriuMask  false
//   out          type of gradOutput; [B N S T]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// vfusion/scaled_masked_softmax_grad_v2/docs/aclnnScaledMaskedSoftmaxBackward.md
ACLNN_API aclnnStatus aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* y, const aclTensor* mask, double scale,
    bool fixTriuMask, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScaledMaskedSoftmaxBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_BACKWARD_H_
