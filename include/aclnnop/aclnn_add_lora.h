// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADD_LORA_H_
#define ANYACL_ACLNNOP_ACLNN_ADD_LORA_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddLora: out = y, and in ySliceSize columns y + (x @ weightA.T) @ weightB.T * scale, of the
// weights that indices name.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   y                FLOAT16; [B H3]; changed in place; out is written here, too
//   x                FLOAT16; [B H1]
//   weightB          FLOAT16; [W L H2 R]
//   indices          INT32; [B]; 0 to W - 1; -1 and W: nothing is added
//   weightAOptional  FLOAT16; [W L R H1]; may be null; null: x has R columns
//   layerIdx         0 or more; below L
//   yOffset          0 or more; the first column that is added to
//   ySliceSize       0 or more; H2
//   out              FLOAT16; [B H3]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-math: math/add_lora/docs/aclnnAddLora.md
ACLNN_API aclnnStatus aclnnAddLoraGetWorkspaceSize(
    const aclTensor* y, const aclTensor* x, const aclTensor* weightB, const aclTensor* indices,
    const aclTensor* weightAOptional, int64_t layerIdx, double scale, int64_t yOffset,
    int64_t ySliceSize, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddLora(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADD_LORA_H_
