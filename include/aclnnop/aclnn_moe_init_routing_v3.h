// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_V3_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeInitRoutingV3: the rows of x, one for each of a token's experts within a range, in the
// order of the experts, as they are or quantised to INT8.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                             FLOAT, FLOAT16, INT8, BF16; [N H]; INT8 only where quantMode is
//                                 -1
//   expertIdx                     INT32; [N K]
//   scaleOptional                 FLOAT; any shape; may be null; quantMode -1: [N], sorted as x; 0:
//                                 [1]; 1: [expertEnd - expertStart, H] or [1, H]
//   offsetOptional                FLOAT; [1]; may be null; needed where quantMode is 0
//   activeNum                     -1 or more; at most so many rows are written; 0, -1: all
//   expertCapacity                rows of each expert if padded: 1 to N
//   expertNum                     1 to 10240
//   dropPadMode                   0 to 1; 1: experts have expertCapacity rows each, cut or filled
//                                 with zeros
//   expertTokensNumType           0 to 2; 0: where each expert's rows end, 1: how many they are, 2:
//                                 pairs of an expert that has rows and their number
//   expertTokensNumFlag           whether experts' rows are counted
//   quantMode                     -1 to 1; -1: none, 0: static, 1: dynamic
//   activeExpertRangeOptional     may be null; [expertStart, expertEnd): those whose rows are
//                                 wanted; null or empty: all
//   rowIdxType                    0 to 1; 0: where the row of a token and an expert went, 1: which
//                                 it was
//   expandedXOut                  FLOAT, FLOAT16, INT8, BF16; [A H] or [E C H]; output; of x's
//                                 type, INT8 where it is quantised; [N*K H], [min(N*K, activeNum)
//                                 H] or [expertNum expertCapacity H]
//   expandedRowIdxOut             INT32; [P]; output; [N*K]
//   expertTokensCountOrCumsumOut  INT64; any shape; output; [expertEnd - expertStart], or
//                                 [expertNum, 2] of pairs; any shape if not written
//   expandedScaleOut              FLOAT; any shape; output; a number for each row, of any rank; any
//                                 shape if not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_init_routing_v3/docs/aclnnMoeInitRoutingV3.md
ACLNN_API aclnnStatus aclnnMoeInitRoutingV3GetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIdx, const aclTensor* scaleOptional,
    const aclTensor* offsetOptional, int64_t activeNum, int64_t expertCapacity, int64_t expertNum,
    int64_t dropPadMode, int64_t expertTokensNumType, bool expertTokensNumFlag, int64_t quantMode,
    const aclIntArray* activeExpertRangeOptional, int64_t rowIdxType, const aclTensor* expandedXOut,
    const aclTensor* expandedRowIdxOut, const aclTensor* expertTokensCountOrCumsumOut,
    const aclTensor* expandedScaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeInitRoutingV3(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_V3_H_
