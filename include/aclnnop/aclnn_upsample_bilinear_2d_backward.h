// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnUpsampleBilinear2dBackward: the gradient of aclnnUpsampleBilinear2d.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut       FLOAT, FLOAT16; [N C H W]
//   outputSize    spatial sizes of the gradient
//   inputSize     the shape of the result
//   alignCorners  corner elements meet, not their edges
//   scalesH       of the output to the input; 0 or less: as the sizes are
//   scalesW       of the output to the input; 0 or less: as the sizes are
//   out           type of gradOut; [N C OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: image/resize_bilinear_v2_grad/docs/aclnnUpsampleBilinear2dBackward.md
ACLNN_API aclnnStatus aclnnUpsampleBilinear2dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnUpsampleBilinear2dBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UPSAMPLE_BILINEAR_2D_BACKWARD_H_
