// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedFloydAttentionGrad: the gradients of aclnnFusedFloydAttention: ds = p * (dy . (value1 +
// value2) - dy . attentionIn) * scale; dq = ds . (key1 + key2), dk1 and dk2 = ds . query, dv1 and
// dv2 = p . dy, over n, m or k.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query              FLOAT16, BF16; [B H N M D]
//   key1               type of query; [B H N K D]
//   value1             type of query; [B H N K D]
//   key2               type of query; [B H K M D]
//   value2             type of query; [B H K M D]
//   dy                 type of query; [B H N M D]
//   attenMaskOptional  UINT8, BOOL; [B 1 N 1 K]; may be null; not 0: masked
//   softmaxMax         FLOAT; [B H N M 8]
//   softmaxSum         FLOAT; [B H N M 8]
//   attentionIn        type of query; [B H N M D]
//   dqOut              type of query; [B H N M D]; output
//   dk1Out             type of query; [B H N K D]; output
//   dv1Out             type of query; [B H N K D]; output
//   dk2Out             type of query; [B H K M D]; output
//   dv2Out             type of query; [B H K M D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// attention/fused_floyd_attention_grad/docs/aclnnFusedFloydAttentionGrad.md
ACLNN_API aclnnStatus aclnnFusedFloydAttentionGradGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key1, const aclTensor* value1, const aclTensor* key2,
    const aclTensor* value2, const aclTensor* dy, const aclTensor* attenMaskOptional,
    const aclTensor* softmaxMax, const aclTensor* softmaxSum, const aclTensor* attentionIn,
    double scaleValue, const aclTensor* dqOut, const aclTensor* dk1Out, const aclTensor* dv1Out,
    const aclTensor* dk2Out, const aclTensor* dv2Out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedFloydAttentionGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_GRAD_H_
