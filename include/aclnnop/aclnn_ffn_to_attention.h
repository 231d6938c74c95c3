// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FFN_TO_ATTENTION_H_
#define ANYACL_ACLNNOP_ACLNN_FFN_TO_ATTENTION_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFFNToAttention: sends rows back to the attention workers of their tokens.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                      FLOAT16, BF16; [Y H]
//   sessionIds             INT32; [Y]
//   microBatchIds          INT32; [Y]
//   tokenIds               INT32; [Y]
//   expertOffsets          INT32; [Y]
//   actualTokenNum         INT64; [1]; how many rows are sent
//   attnRankTableOptional  INT32; [A]; may be null; the rank of each session; session i is rank i
//                          without it
//   group                  the communicator's name, 1 to 127 bytes
//   worldSize              2 to 768; ranks of the communicator
//   tokenInfoTableShape    {micro batches, Bs, rows of a token}
//   tokenDataShape         {micro batches, Bs, rows of a token, HS}
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mc2/ffn_to_attention/docs/aclnnFFNToAttention.md
ACLNN_API aclnnStatus aclnnFFNToAttentionGetWorkspaceSize(
    const aclTensor* x, const aclTensor* sessionIds, const aclTensor* microBatchIds,
    const aclTensor* tokenIds, const aclTensor* expertOffsets, const aclTensor* actualTokenNum,
    const aclTensor* attnRankTableOptional, const char* group, int64_t worldSize,
    const aclIntArray* tokenInfoTableShape, const aclIntArray* tokenDataShape,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFFNToAttention(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FFN_TO_ATTENTION_H_
