// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_TRANSFORM_BIAS_RESCALE_QKV_H_
#define ANYACL_ACLNNOP_ACLNN_TRANSFORM_BIAS_RESCALE_QKV_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnTransformBiasRescaleQkv: qOut = (q + qBias) / sqrt(D), kOut = k + kBias, vOut = v + vBias,
// the thirds of qkv's columns, head by head.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   qkv       FLOAT, FLOAT16, BF16; [B T W]; W = 3 * numHeads * D
//   qkvBias   type of qkv; [W]
//   numHeads  1 or more
//   qOut      type of qkv; [B numHeads T D]; output
//   kOut      type of qkv; [B numHeads T D]; output
//   vOut      type of qkv; [B numHeads T D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/transform_bias_rescale_qkv/docs/aclnnTransformBiasRescaleQkv.md
ACLNN_API aclnnStatus aclnnTransformBiasRescaleQkvGetWorkspaceSize(
    const aclTensor* qkv, const aclTensor* qkvBias, int64_t numHeads, const aclTensor* qOut,
    const aclTensor* kOut, const aclTensor* vOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnTransformBiasRescaleQkv(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_TRANSFORM_BIAS_RESCALE_QKV_H_
