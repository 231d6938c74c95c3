// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_EMBEDDING_BAG_H_
#define ANYACL_ACLNNOP_ACLNN_EMBEDDING_BAG_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnEmbeddingBag: output[b] = sum, mean or largest of weight[indices[i]], i from offsets[b] on.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   weight             FLOAT, FLOAT16, BF16; [V H]
//   indices            INT32, INT64; [I*]
//   offsets            INT32, INT64; [O*]
//   scaleGradByFreq    false
//   mode               0: sum, 1: mean, others: largest
//   sparse             false
//   perSampleWeights   type of weight; any shape; may be null
//   includeLastOffset  the last offset is the end
//   paddingIdx         this index is left out; negative: none
//   output             type of weight; [B H]; output
//   offset2bag         INT32, INT64; [P*]; output
//   bagSize            INT32, INT64; [Q*]; output
//   maxIndices         INT32, INT64; [R*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/embedding_bag/docs/aclnnEmbeddingBag.md
ACLNN_API aclnnStatus aclnnEmbeddingBagGetWorkspaceSize(
    const aclTensor* weight, const aclTensor* indices, const aclTensor* offsets,
    bool scaleGradByFreq, int64_t mode, bool sparse, const aclTensor* perSampleWeights,
    bool includeLastOffset, int64_t paddingIdx, aclTensor* output, aclTensor* offset2bag,
    aclTensor* bagSize, aclTensor* maxIndices, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnEmbeddingBag(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_EMBEDDING_BAG_H_
