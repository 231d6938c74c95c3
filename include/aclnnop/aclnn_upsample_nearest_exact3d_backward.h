// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_EXACT3D_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_EXACT3D_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnUpsampleNearestExact3dBackward: the gradient of aclnnUpsampleNearestExact3d.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOut     FLOAT, FLOAT16, BF16; [N C D H W]
//   outputSize  spatial sizes of the gradient
//   inputSize   the shape of the result
//   scalesD     of the output to the input; 0 or less: as the sizes are
//   scalesH     of the output to the input; 0 or less: as the sizes are
//   scalesW     of the output to the input; 0 or less: as the sizes are
//   gradInput   type of gradOut; [N C OD OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv:
// image/upsample_nearest_exact3d_grad/docs/aclnnUpsampleNearestExact3dBackward.md
ACLNN_API aclnnStatus aclnnUpsampleNearestExact3dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    double scalesD, double scalesH, double scalesW, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnUpsampleNearestExact3dBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_EXACT3D_BACKWARD_H_
