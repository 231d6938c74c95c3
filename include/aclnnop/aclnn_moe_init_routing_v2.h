// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_V2_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeInitRoutingV2: the rows of x, one for each of a token's experts, in the order of the
// experts, or so many for each expert.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                                       FLOAT, FLOAT16, BF16; [N H]
//   expertIdx                               INT32; [N K]
//   activeNumOptional                       0 or more; at most so many rows are written; 0: all
//   expertCapacityOptional                  0 or more; rows of each expert if padded
//   expertNumOptional                       0 or more; experts; needed if they are counted or
//                                           padded
//   dropPadModeOptional                     0 to 1; 1: experts have expertCapacity rows each, cut
//                                           or filled with zeros
//   expertTokensCountOrCumsumFlagOptional   0 to 2; 1: where each expert's rows end, 2: how many
//                                           they are; counts if not padded
//   expertTokensBeforeCapacityFlagOptional  counts if padded
//   expandedXOut                            type of x; [A H] or [E C H]; output; [N*K H], [min(N*K,
//                                           activeNum) H] or [expertNum expertCapacity H]
//   expandedRowIdxOut                       INT32; [P]; output; [N*K]: where the row of a token and
//                                           an expert went
//   expertTokensCountOrCumsumOutOptional    INT32; any shape; output; may be null; [expertNum];
//                                           needed if the flag asks for it
//   expertTokensBeforeCapacityOutOptional   INT32; any shape; output; may be null; [expertNum];
//                                           needed if the flag asks for it
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561103  any other wrong argument
// CANN's document: ops-transformer: moe/moe_init_routing_v2/docs/aclnnMoeInitRoutingV2.md
ACLNN_API aclnnStatus aclnnMoeInitRoutingV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIdx, int64_t activeNumOptional,
    int64_t expertCapacityOptional, int64_t expertNumOptional, int64_t dropPadModeOptional,
    int64_t expertTokensCountOrCumsumFlagOptional, bool expertTokensBeforeCapacityFlagOptional,
    const aclTensor* expandedXOut, const aclTensor* expandedRowIdxOut,
    const aclTensor* expertTokensCountOrCumsumOutOptional,
    const aclTensor* expertTokensBeforeCapacityOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeInitRoutingV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_V2_H_
