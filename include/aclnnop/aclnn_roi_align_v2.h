// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ROI_ALIGN_V2_H_
#define ANYACL_ACLNNOP_ACLNN_ROI_ALIGN_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRoiAlignV2: out[k, c, i, j] = the mean of the samples in bin (i, j) of region k in its
// image.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self           FLOAT, FLOAT16; [B C H W]
//   boxes          type of self; [K 5]; the image, rounded down, and x1, y1, x2, y2
//   pooledHeight   0 or more
//   pooledWidth    0 or more
//   spatialScale   elements of the image for each unit of the coordinates, above 0
//   samplingRatio  0 to 2147483647; samples of a bin along each axis; 0: as many as it has elements
//   aligned        coordinates are of edges, half an element before
//   out            type of self; [K C pooledHeight pooledWidth]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: objdetect/roi_align/docs/aclnnRoiAlignV2.md
ACLNN_API aclnnStatus aclnnRoiAlignV2GetWorkspaceSize(
    const aclTensor* self, const aclTensor* boxes, int64_t pooledHeight, int64_t pooledWidth,
    float spatialScale, int64_t samplingRatio, bool aligned, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRoiAlignV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ROI_ALIGN_V2_H_
