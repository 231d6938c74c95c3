// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_INTERLEAVE_ROPE_H_
#define ANYACL_ACLNNOP_ACLNN_INTERLEAVE_ROPE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInterleaveRope: (a, b) -> (a cos - b sin, b cos + a sin) for neighbours (a, b) of each row,
// which go to the halves of out's row.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x    FLOAT, FLOAT16, BF16; [B N S D]; D is even
//   cos  type of x; [C.. D]; [B or 1, 1, S or 1, D]
//   sin  type of x; [C.. D]; as cos
//   out  type of x; [B N S D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: posembedding/interleave_rope/docs/aclnnInterleaveRope.md
ACLNN_API aclnnStatus aclnnInterleaveRopeGetWorkspaceSize(
    const aclTensor* x, const aclTensor* cos, const aclTensor* sin, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInterleaveRope(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_INTERLEAVE_ROPE_H_
