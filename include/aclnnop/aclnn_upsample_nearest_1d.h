// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_1D_H_
#define ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_1D_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnUpsampleNearest1d: each element is the nearest one of self.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, UINT8, DOUBLE, BF16; [N C L]
//   outputSize  spatial sizes of out
//   out         type of self; [N C OL]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: image/resize_nearest_neighbor_v2/docs/aclnnUpsampleNearest1d.md
ACLNN_API aclnnStatus aclnnUpsampleNearest1dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnUpsampleNearest1d(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UPSAMPLE_NEAREST_1D_H_
