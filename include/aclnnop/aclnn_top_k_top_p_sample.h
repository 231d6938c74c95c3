// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_H_
#define ANYACL_ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnTopKTopPSample: of the topK largest logits of a row, of those up to a sum of topP of their
// softmax, the place of the one with the largest share of the softmax divided by q + eps; q is
// counted from the largest logit on where a row is filtered.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   logits             FLOAT16, BF16; [B V]; B 1 or more, V 1 to 2^20
//   topK               INT32; [B]; 1 to the least of 1024 and V; any other number: no filter of the
//                      row by it
//   topP               type of logits; [B]; between 0 and 1; any other number: no filter of the row
//                      by it
//   q                  FLOAT; [B V]; may be null; null: the largest is chosen
//   eps                added to q
//   isNeedLogits       whether logitsTopKPSelect is written
//   topKGuess          1 or more; without effect on results
//   logitsSelectIdx    INT64; [B]; output
//   logitsTopKPSelect  FLOAT; [B V]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/top_k_top_p_sample/docs/aclnnTopKTopPSample.md
ACLNN_API aclnnStatus aclnnTopKTopPSampleGetWorkspaceSize(
    const aclTensor* logits, const aclTensor* topK, const aclTensor* topP, const aclTensor* q,
    double eps, bool isNeedLogits, int64_t topKGuess, const aclTensor* logitsSelectIdx,
    const aclTensor* logitsTopKPSelect, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnTopKTopPSample(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_TOP_K_TOP_P_SAMPLE_H_
