// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_QUANT_V2_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_QUANT_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeInitRoutingQuantV2: the rows of x, one for each of a token's experts, in the order of the
// experts, or so many for each expert, quantised to INT8 or INT4.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                                      FLOAT, FLOAT16, BF16; [N H]
//   expertIdx                              INT32; [N K]
//   scaleOptional                          FLOAT; any shape; may be null; quantMode 0: [1]; 1:
//                                          [expertNum, H], [1, H] or null
//   offsetOptional                         FLOAT; any shape; may be null; quantMode 0: [1]
//   activeNum                              0 or more; at most so many rows are written; 0: all
//   expertCapacity                         0 or more; rows of each expert if padded
//   expertNum                              0 or more; experts; needed if they are counted or padded
//   dropPadMode                            0 to 1; 1: experts have expertCapacity rows each, cut or
//                                          filled with zeros
//   expertTokensCountOrCumsumFlag          0 to 2; 1: where each expert's rows end, 2: how many
//                                          they are; counts if not padded
//   expertTokensBeforeCapacityFlag         counts if padded
//   quantMode                              0 to 1; 0: static, 1: dynamic
//   expandedXOut                           INT8, INT4; [A H] or [E C H]; output; [N*K H], [min(N*K,
//                                          activeNum) H] or [expertNum expertCapacity H]; INT4
//                                          where quantMode is 1 and nothing is padded
//   expandedRowIdxOut                      INT32; [P]; output; [N*K]: where the row of a token and
//                                          an expert went
//   expertTokensCountOrCumsumOutOptional   INT32; any shape; output; may be null; [expertNum];
//                                          needed if the flag asks for it
//   expertTokensBeforeCapacityOutOptional  INT32; any shape; output; may be null; [expertNum];
//                                          needed if the flag asks for it
//   dynamicQuantScaleOutOptional           FLOAT; any shape; output; may be null; a number for each
//                                          row; needed where quantMode is 1
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_init_routing_quant_v2/docs/aclnnMoeInitRoutingQuantV2.md
ACLNN_API aclnnStatus aclnnMoeInitRoutingQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* expertIdx, const aclTensor* scaleOptional,
    const aclTensor* offsetOptional, int64_t activeNum, int64_t expertCapacity, int64_t expertNum,
    int64_t dropPadMode, int64_t expertTokensCountOrCumsumFlag, bool expertTokensBeforeCapacityFlag,
    int64_t quantMode, const aclTensor* expandedXOut, const aclTensor* expandedRowIdxOut,
    const aclTensor* expertTokensCountOrCumsumOutOptional,
    const aclTensor* expertTokensBeforeCapacityOutOptional,
    const aclTensor* dynamicQuantScaleOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeInitRoutingQuantV2(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_QUANT_V2_H_
