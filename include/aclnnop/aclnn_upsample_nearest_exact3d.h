// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_EXACT3D_H_
#define ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_EXACT3D_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnUpsampleNearestExact3d: each element is the one of self whose cell holds its centre.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, BF16; [N C D H W]
//   outputSize  spatial sizes of out
//   scalesD     of the output to the input; 0 or less: as the sizes are
//   scalesH     of the output to the input; 0 or less: as the sizes are
//   scalesW     of the output to the input; 0 or less: as the sizes are
//   out         type of self; [N C OD OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: image/upsample_nearest_exact3d/docs/aclnnUpsampleNearestExact3d.md
ACLNN_API aclnnStatus aclnnUpsampleNearestExact3dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, double scalesD, double scalesH,
    double scalesW, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnUpsampleNearestExact3d(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_EXACT3D_H_
