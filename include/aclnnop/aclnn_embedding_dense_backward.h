// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_EMBEDDING_DENSE_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_EMBEDDING_DENSE_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnEmbeddingDenseBackward: out[v] = sum, or mean, of grad[i] with indices[i] = v.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   grad             FLOAT, FLOAT16, BF16; any shape
//   indices          FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL; [I*]
//   numWeights       0 or more
//   paddingIdx       this index adds nothing; -1: none
//   scaleGradByFreq  means instead of sums
//   out              type of grad; [numWeights H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/embedding_dense_grad_v2/docs/aclnnEmbeddingDenseBackward.md
ACLNN_API aclnnStatus aclnnEmbeddingDenseBackwardGetWorkspaceSize(
    const aclTensor* grad, const aclTensor* indices, uint64_t numWeights, uint64_t paddingIdx,
    bool scaleGradByFreq, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnEmbeddingDenseBackward(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_EMBEDDING_DENSE_BACKWARD_H_
