// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_1D_V2_H_
#define ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_1D_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnUpsampleNearest1dV2: each element is the nearest one of self.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, UINT8, DOUBLE, BF16; [N C L]
//   outputSize  spatial sizes of out
//   scaleL      of the output to the input; 0 or less: as the sizes are
//   out         type of self; [N C OL]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: image/upsample_nearest3d/docs/aclnnUpsampleNearest1dV2.md
ACLNN_API aclnnStatus aclnnUpsampleNearest1dV2GetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, float scaleL, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnUpsampleNearest1dV2(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_1D_V2_H_
