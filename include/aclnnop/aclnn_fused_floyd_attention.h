// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedFloydAttention: out[n, m] = sum over k of p[k] * (value1[n, k] + value2[k, m]), p =
// softmax over k of scale * query[n, m] . (key1[n, k] + key2[k, m]).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   query               FLOAT16, BF16; [B H N M D]
//   key1                type of query; [B H N K D]
//   value1              type of query; [B H N K D]
//   key2                type of query; [B H K M D]
//   value2              type of query; [B H K M D]
//   attenMaskOptional   UINT8, BOOL; [B 1 N 1 K]; may be null; not 0: masked
//   softmaxMaxOut       FLOAT; [B H N M 8]; output; the largest score, eight times
//   softmaxSumOut       FLOAT; [B H N M 8]; output; the sum of exp(score - largest), eight times
//   attentionOutOut     type of query; [B H N M D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// attention/fused_floyd_attention/docs/aclnnFusedFloydAttention.md
ACLNN_API aclnnStatus aclnnFusedFloydAttentionGetWorkspaceSize(
    const aclTensor* query, const aclTensor* key1, const aclTensor* value1, const aclTensor* key2,
    const aclTensor* value2, const aclTensor* attenMaskOptional, double scaleValueOptional,
    const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut,
    const aclTensor* attentionOutOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedFloydAttention(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_FLOYD_ATTENTION_H_
