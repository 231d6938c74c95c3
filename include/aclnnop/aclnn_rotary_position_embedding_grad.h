// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRotaryPositionEmbeddingGrad: dxOut = (a cos + b sin, b cos - a sin) for the pairs (a, b) of
// dy, each with its own angle's; dcosOut and dsinOut are the sums of dy by x and by x's pairs (-b,
// a).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   dy         FLOAT, FLOAT16, BF16; [X.. D]
//   cos        type of dy; [A.. D]; sizes of 1 or x's
//   sin        type of dy; [A.. D]; sizes of 1 or x's
//   xOptional  type of dy; [X.. D]; may be null; null: dcosOut and dsinOut are not written, and may
//              have any shape
//   mode       0 to 3; as forward
//   dxOut      type of dy; [X.. D]; output
//   dcosOut    type of dy; [A.. D]; output
//   dsinOut    type of dy; [A.. D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// posembedding/rotary_position_embedding_grad/docs/aclnnRotaryPositionEmbeddingGrad.md
ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* cos, const aclTensor* sin, const aclTensor* xOptional,
    int64_t mode, const aclTensor* dxOut, const aclTensor* dcosOut, const aclTensor* dsinOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingGrad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_GRAD_H_
