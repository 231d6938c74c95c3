// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_DISPATCH_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_DISPATCH_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeDistributeDispatch: sends tokens to the ranks of their experts and receives those of its
// own.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                    FLOAT16, BF16; [Bs H]
//   expertIds            INT32; [Bs K]
//   scales               FLOAT; [E H]; may be null; with quantMode 2 only: factors of the rows of
//                        each expert, the shared one first if ranks have it
//   xActiveMask          BOOL; any shape; may be null; null
//   expertScales         FLOAT; [Bs K]; may be null; become expandScales, row by row
//   groupEp              the communicator's name, 1 to 127 bytes
//   epWorldSize          2 to 768; ranks of the communicator
//   epRankId             0 to 767; this rank in the communicator
//   moeExpertNum         1 to 512; as many on each rank that has no shared expert
//   groupTp              may be null; not used: there is no communication of tensor parallelism
//   tpWorldSize          0 to 1
//   tpRankId             0
//   expertShardType      0; 0: ranks with shared experts come first
//   sharedExpertNum      0 to 1
//   sharedExpertRankNum  0 to 767; how many ranks have the shared expert, a divisor of epWorldSize,
//                        below it
//   quantMode            0 to 2; 0: rows as they are, 2: INT8 with a scale each
//   globalBS             0 to 393216; epWorldSize times the most tokens that a rank has; 0: all
//                        have as many as this one
//   expertTokenNumsType  0 to 1; 0: prefix sums, 1: counts
//   expandX              FLOAT16, INT8, BF16; [A H]; output; rows by expert, by rank, by token;
//                        those that nobody sends are left as they are
//   dynamicScales        FLOAT; any shape; output; may be null; with quantMode 2: [A], what takes a
//                        row back; else not written
//   expandIdx            INT32; [I]; output; how many rows of this rank the expert of a token gets
//                        before; Bs * K elements or more
//   expertTokenNums      INT64; [L]; output
//   epRecvCounts         INT32; [C]; output; how many rows come up to each expert and rank;
//                        epWorldSize for each expert, or more
//   tpRecvCounts         INT32; any shape; output; may be null; not written
//   expandScales         FLOAT; any shape; output; may be null; [A] with expertScales; else not
//                        written
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   561002  any other wrong argument
// CANN's document: ops-transformer: mc2/moe_distribute_dispatch/docs/aclnnMoeDistributeDispatch.md
ACLNN_API aclnnStatus aclnnMoeDistributeDispatchGetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIds, const aclTensor* scales,
    const aclTensor* xActiveMask, const aclTensor* expertScales, const char* groupEp,
    int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum, const char* groupTp,
    int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType, int64_t sharedExpertNum,
    int64_t sharedExpertRankNum, int64_t quantMode, int64_t globalBS, int64_t expertTokenNumsType,
    aclTensor* expandX, aclTensor* dynamicScales, aclTensor* expandIdx, aclTensor* expertTokenNums,
    aclTensor* epRecvCounts, aclTensor* tpRecvCounts, aclTensor* expandScales,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeDistributeDispatch(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_DISPATCH_H_
