// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_DISPATCH_V2_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_DISPATCH_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeDistributeDispatchV2: sends tokens to the ranks of their experts and receives those of
// its own.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                        FLOAT16, BF16; [Bs H]
//   expertIds                INT32; [Bs K]
//   scalesOptional           FLOAT; [E H]; may be null; with quantMode 2 only: factors of the rows
//                            of each expert, shared ones first if ranks have them
//   xActiveMaskOptional      BOOL; [Bs] or [Bs K]; may be null; which tokens, all true ones first,
//                            or which of their experts take part
//   expertScalesOptional     FLOAT; [Bs K]; may be null; become expandScalesOut, row by row
//   groupEp                  the communicator's name, 1 to 127 bytes
//   epWorldSize              2 to 768; ranks of the communicator
//   epRankId                 0 to 767; this rank in the communicator
//   moeExpertNum             1 to 1024; as many on each rank that has no shared expert
//   groupTp                  may be null; not used: there is no communication of tensor parallelism
//   tpWorldSize              0 to 1
//   tpRankId                 0
//   expertShardType          0; 0: ranks with shared experts come first
//   sharedExpertNum          0 to 4; at most 1 without ranks that have them
//   sharedExpertRankNum      0 to 767; how many ranks have a shared expert, a multiple of
//                            sharedExpertNum, below epWorldSize
//   quantMode                0 to 2; 0: rows as they are, 2: INT8 with a scale each
//   globalBs                 0 to 393216; epWorldSize times the most tokens that a rank has; 0: all
//                            have as many as this one
//   expertTokenNumsType      0 to 1; 0: prefix sums, 1: counts
//   commAlg                  may be null; null, "", "fullmesh" or "hierarchy"; has no effect
//   expandXOut               FLOAT16, INT8, BF16; [A H]; output; rows by expert, by rank, by token;
//                            those that nobody sends are left as they are
//   dynamicScalesOut         FLOAT; any shape; output; may be null; with quantMode 2: [A], what
//                            takes a row back; else not written
//   assistInfoForCombineOut  INT32; [I]; output; rank, token and place of each row; A * 128
//                            elements or more
//   expertTokenNumsOut       INT64; [L]; output
//   epRecvCountsOut          INT32; [C]; output; how many rows come up to each expert and rank;
//                            epWorldSize for each expert, or more
//   tpRecvCountsOut          INT32; any shape; output; may be null; not written
//   expandScalesOut          FLOAT; any shape; output; may be null; [A] with expertScalesOptional;
//                            else not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// mc2/moe_distribute_dispatch_v2/docs/aclnnMoeDistributeDispatchV2.md
ACLNN_API aclnnStatus aclnnMoeDistributeDispatchV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIds, const aclTensor* scalesOptional,
    const aclTensor* xActiveMaskOptional, const aclTensor* expertScalesOptional,
    const char* groupEp, int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum,
    const char* groupTp, int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType,
    int64_t sharedExpertNum, int64_t sharedExpertRankNum, int64_t quantMode, int64_t globalBs,
    int64_t expertTokenNumsType, const char* commAlg, aclTensor* expandXOut,
    aclTensor* dynamicScalesOut, aclTensor* assistInfoForCombineOut, aclTensor* expertTokenNumsOut,
    aclTensor* epRecvCountsOut, aclTensor* tpRecvCountsOut, aclTensor* expandScalesOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeDistributeDispatchV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_DISPATCH_V2_H_
