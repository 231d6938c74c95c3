// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_CAUSAL_CONV1D_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_CAUSAL_CONV1D_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedCausalConv1d: y[i] = sum over k of weight[k] * x[i - W + 1 + k] in each sequence,
// behind the tokens that convStates keeps.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                            FLOAT16, BF16; [T H] or [B L H]
//   weight                       type of x; [W H]
//   convStates                   type of x; [N C H]; changed in place; the last tokens before each
//                                sequence, and then behind it: lines of W - 1 or more
//   queryStartLoc                INT32; [P]; may be null; where sequences begin and the last one
//                                ends; null: rows of x, which then has three dimensions
//   cacheIndices                 INT32; [B] or [B M]; may be null; the line of each sequence, or
//                                the lines of its blocks; null: its number
//   initialStateMode             reserved: ignored; not used
//   bias                         reserved: ignored; not used
//   numAcceptedTokens            INT32; [B]; may be null; the tokens before end behind token
//                                numAcceptedTokens + W - 2 of the line; null: at its end
//   numComputedTokens            INT32; [B]; may be null; 0: zeros stand for the line
//   blockIdxFirstScheduledToken  INT32; [B]; may be null; given with lines of blocks
//   blockIdxLastScheduledToken   INT32; [B]; may be null; given with lines of blocks
//   initialStateIdx              INT32; [B]; may be null; given with lines of blocks
//   activationMode               not used
//   padSlotId                    sequences whose line it is are passed over
//   runMode                      not used
//   maxQueryLen                  of the longest sequence: a hint
//   residualConnection           0 to 1; 1: y has x added to it
//   blockSize                    0 to 2147483647; tokens of a block, 2 or more
//   convMode                     0 to 1; 1: tokens that fewer than W - 1 come before have zeros for
//                                a sum
//   y                            type of x; [T H] or [B L H]; output
//   161001  a required argument, workspaceSize or executor is null
//   561002  any other wrong argument
// CANN's document: ops-transformer: attention/fused_causal_conv1d/docs/aclnnFusedCausalConv1d.md
ACLNN_API aclnnStatus aclnnFusedCausalConv1dGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, aclTensor* convStates,
    const aclTensor* queryStartLoc, const aclTensor* cacheIndices,
    const aclTensor* initialStateMode, const aclTensor* bias, const aclTensor* numAcceptedTokens,
    const aclTensor* numComputedTokens, const aclTensor* blockIdxFirstScheduledToken,
    const aclTensor* blockIdxLastScheduledToken, const aclTensor* initialStateIdx,
    int64_t activationMode, int64_t padSlotId, int64_t runMode, int64_t maxQueryLen,
    int64_t residualConnection, int64_t blockSize, int64_t convMode, aclTensor* y,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedCausalConv1d(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_CAUSAL_CONV1D_H_
