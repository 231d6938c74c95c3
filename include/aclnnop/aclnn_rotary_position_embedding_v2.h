// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_V2_H_
#define ANYACL_ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRotaryPositionEmbeddingV2: (a, b) -> (a cos - b sin, b cos + a sin) for the pairs (a, b) of
// each row of x, or what a matrix makes of the row in their place.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x       FLOAT, FLOAT16, BF16; [X.. D]
//   cos     type of x; [A.. D]; sizes of 1 or x's
//   sin     type of x; [A.. D]; sizes of 1 or x's
//   mode    0 to 3; 0: pairs are half a row apart; 1: neighbours; 2: a quarter apart; 3:
//           neighbours, to halves of out
//   rotate  type of x; [D D]; may be null; what pairs become, whatever mode is: out = x cos + (x @
//           rotate) sin
//   out     type of x; [X.. D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// posembedding/rotary_position_embedding/docs/aclnnRotaryPositionEmbeddingV2.md
ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* cos, const aclTensor* sin, int64_t mode,
    const aclTensor* rotate, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRotaryPositionEmbeddingV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ROTARY_POSITION_EMBEDDING_V2_H_
