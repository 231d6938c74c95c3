// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ROI_ALIGN_H_
#define ANYACL_ACLNNOP_ACLNN_ROI_ALIGN_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRoiAlign: out[r, c, i, j] = the mean or the largest of the samples in bin (i, j) of region r
// in image batchIndices[r].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self           FLOAT, FLOAT16; [N C H W]
//   rois           type of self; [R 4]; x1, y1, x2, y2
//   batchIndices   INT32; [R]
//   mode           161002 if null; "avg" or "max" of the samples of a bin
//   outputHeight   0 or more
//   outputWidth    0 or more
//   samplingRatio  0 to 2147483647; samples of a bin along each axis; 0: as many as it has elements
//   spatialScale   elements of the image for each unit of the coordinates, above 0
//   out            type of self; [R C outputHeight outputWidth]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: objdetect/roi_align/docs/aclnnRoiAlign.md
ACLNN_API aclnnStatus aclnnRoiAlignGetWorkspaceSize(
    const aclTensor* self, const aclTensor* rois, const aclTensor* batchIndices, const char* mode,
    int32_t outputHeight, int32_t outputWidth, int32_t samplingRatio, float spatialScale,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRoiAlign(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ROI_ALIGN_H_
