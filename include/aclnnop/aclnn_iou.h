// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_IOU_H_
#define ANYACL_ACLNNOP_ACLNN_IOU_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnIou: overlap[i, j] = what boxes i and j share, as a part of their union (iou) or of box j
// (iof).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   bBoxes   FLOAT, FLOAT16, BF16; [M 4]; x0, y0, x1, y1
//   gtBoxes  type of bBoxes; [N 4]
//   mode     161002 if null; "iou" or "iof"
//   eps      added to all widths and heights, 0 or more
//   aligned  box i with box i alone: overlap is [M, 1]
//   overlap  type of bBoxes; [M P]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: objdetect/iou_v2/docs/aclnnIou.md
ACLNN_API aclnnStatus aclnnIouGetWorkspaceSize(const aclTensor* bBoxes, const aclTensor* gtBoxes,
                                               const char* mode, float eps, bool aligned,
                                               aclTensor* overlap, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnIou(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_IOU_H_
