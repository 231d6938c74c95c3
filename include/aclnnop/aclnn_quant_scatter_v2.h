// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANT_SCATTER_V2_H_
#define ANYACL_ACLNNOP_ACLNN_QUANT_SCATTER_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceQuantScatterV2: selfRef[i] from indices[i] along axis on = rint(updates[i] /
// quantScales + quantZeroPoints), held within INT8.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef          INT8; [S.. D]; changed in place; rank 3 to 8
//   indices          INT32, INT64; [N] or [N 2]; where each slice begins along axis; rank 2: its
//                    place in dimension 0, and that
//   updates          FLOAT16, BF16; [U.. D]; N slices: selfRef's shape but for dimension 0 and
//                    axis, where it is at most as long
//   quantScales      FLOAT, BF16; D; BF16 with BF16 updates, FLOAT with FLOAT16
//   quantZeroPoints  INT32, BF16; D; may be null; BF16 with BF16 updates, INT32 with FLOAT16
//   axis             neither the first nor the last
//   quantAxis        the last
//   reduction        1; update
//   roundMode        rint
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/quant_update_scatter/docs/aclnnInplaceQuantScatterV2.md
ACLNN_API aclnnStatus aclnnInplaceQuantScatterV2GetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* indices, const aclTensor* updates,
    const aclTensor* quantScales, const aclTensor* quantZeroPoints, int64_t axis, int64_t quantAxis,
    int64_t reduction, const char* roundMode, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceQuantScatterV2(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANT_SCATTER_V2_H_
