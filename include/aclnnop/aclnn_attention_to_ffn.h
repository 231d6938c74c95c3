// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ATTENTION_TO_FFN_H_
#define ANYACL_ACLNNOP_ACLNN_ATTENTION_TO_FFN_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAttentionToFFN: sends tokens to the FFN workers of their experts.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                        FLOAT16, BF16; [1 Bs H]
//   sessionId                INT32; [1]
//   microBatchId             INT32; [1]
//   layerId                  INT32; [1]
//   expertIds                INT32; [1 Bs K]
//   expertRankTable          INT32; [1 E M]; for each expert the number of its ranks, then rank and
//                            local id of each
//   scalesOptional           FLOAT; [1 E H]; may be null; with quantMode 2 only
//   activeMaskOptional       BOOL; [1 Bs]; may be null; which tokens are sent; all true ones first
//   group                    the communicator's name, 1 to 127 bytes
//   worldSize                2 to 768; ranks of the communicator
//   ffnTokenInfoTableShape   {A, micro batches, 2 + Bs * (K + shared)}
//   ffnTokenDataShape        {A, micro batches, Bs, K + shared, HS}
//   attnTokenInfoTableShape  {micro batches, Bs, K + shared}
//   moeExpertNum             1 to 1024
//   quantMode                0 to 2; 0: rows as they are, 2: INT8 with a scale each
//   syncFlag                 0 to 1; 0: tells all FFN ranks, 1: those that get rows
//   ffnStartRankId           0 to 767
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   561002  any other wrong argument
// CANN's document: ops-transformer: mc2/attention_to_ffn/docs/aclnnAttentionToFFN.md
ACLNN_API aclnnStatus aclnnAttentionToFFNGetWorkspaceSize(
    const aclTensor* x, const aclTensor* sessionId, const aclTensor* microBatchId,
    const aclTensor* layerId, const aclTensor* expertIds, const aclTensor* expertRankTable,
    const aclTensor* scalesOptional, const aclTensor* activeMaskOptional, const char* group,
    int64_t worldSize, const aclIntArray* ffnTokenInfoTableShape,
    const aclIntArray* ffnTokenDataShape, const aclIntArray* attnTokenInfoTableShape,
    int64_t moeExpertNum, int64_t quantMode, int64_t syncFlag, int64_t ffnStartRankId,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAttentionToFFN(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ATTENTION_TO_FFN_H_
