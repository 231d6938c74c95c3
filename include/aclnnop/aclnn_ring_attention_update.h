// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RING_ATTENTION_UPDATE_H_
#define ANYACL_ACLNNOP_ACLNN_RING_ATTENTION_UPDATE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRingAttentionUpdate: max = max(prevMax, curMax), a = prevSum * exp(prevMax - max), b =
// curSum * exp(curMax - max), sum = a + b, attnOutOut = prevAttnOut * a / sum + curAttnOut * b /
// sum.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   prevAttnOut            FLOAT, FLOAT16, BF16; [X Y Z]; [S, B, N D] or [T, N, D]
//   prevSoftmaxMax         FLOAT; [B N S 8] or [T N 8]; each number eight times, of which the first
//                          one is read
//   prevSoftmaxSum         FLOAT; [B N S 8] or [T N 8]
//   curAttnOut             type of prevAttnOut; [X Y Z]
//   curSoftmaxMax          FLOAT; [B N S 8] or [T N 8]
//   curSoftmaxSum          FLOAT; [B N S 8] or [T N 8]
//   actualSeqQlenOptional  INT64; any shape; may be null; [L]: where sequences begin, from 0, and
//                          T: needed for TND, whose sums are [N, length, 8] of each sequence, one
//                          behind the other
//   inputLayoutOptional    may be null; SBH (or null) or TND
//   attnOutOut             type of prevAttnOut; [X Y Z]; output
//   softmaxMaxOut          FLOAT; [B N S 8] or [T N 8]; output
//   softmaxSumOut          FLOAT; [B N S 8] or [T N 8]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  what breaks a rule about values or what goes together
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/ring_attention_update/docs/aclnnRingAttentionUpdate.md
ACLNN_API aclnnStatus aclnnRingAttentionUpdateGetWorkspaceSize(
    const aclTensor* prevAttnOut, const aclTensor* prevSoftmaxMax, const aclTensor* prevSoftmaxSum,
    const aclTensor* curAttnOut, const aclTensor* curSoftmaxMax, const aclTensor* curSoftmaxSum,
    const aclTensor* actualSeqQlenOptional, char* inputLayoutOptional, const aclTensor* attnOutOut,
    const aclTensor* softmaxMaxOut, const aclTensor* softmaxSumOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRingAttentionUpdate(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RING_ATTENTION_UPDATE_H_
