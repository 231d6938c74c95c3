// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ROI_ALIGN_V2_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_ROI_ALIGN_V2_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRoiAlignV2Backward: the gradient of aclnnRoiAlignV2 by self.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput     FLOAT; [K C pooledHeight pooledWidth]
//   boxes          FLOAT; [K 5]; the image, rounded down, and x1, y1, x2, y2
//   inputShape     the shape of gradInput
//   pooledHeight   0 or more
//   pooledWidth    0 or more
//   spatialScale   elements of the image for each unit of the coordinates, above 0
//   samplingRatio  0 to 2147483647; samples of a bin along each axis; 0: as many as it has elements
//   aligned        coordinates are of edges, half an element before
//   gradInput      FLOAT; [B C H W]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: objdetect/roi_align_grad/docs/aclnnRoiAlignV2Backward.md
ACLNN_API aclnnStatus aclnnRoiAlignV2BackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* boxes, const aclIntArray* inputShape,
    int64_t pooledHeight, int64_t pooledWidth, float spatialScale, int64_t samplingRatio,
    bool aligned, aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRoiAlignV2Backward(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ROI_ALIGN_V2_BACKWARD_H_
