// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_H_
#define ANYACL_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnScaledMaskedSoftmax: y = softmax along the last dimension of scale * x, -10000 where mask is
// true.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x            FLOAT, FLOAT16, BF16; [B N S T]; T up to 4096
//   mask         BOOL; any shape; x's shape, or with 1 for any of the first two sizes
//   fixTriuMask  false
//   y            type of x; [B N S T]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: vfusion/scaled_masked_softmax_v2/docs/aclnnScaledMaskedSoftmax.md
ACLNN_API aclnnStatus aclnnScaledMaskedSoftmaxGetWorkspaceSize(
    const aclTensor* x, const aclTensor* mask, double scale, bool fixTriuMask, aclTensor* y,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScaledMaskedSoftmax(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCALED_MASKED_SOFTMAX_H_
