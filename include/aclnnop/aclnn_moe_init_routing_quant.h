// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeInitRoutingQuant: the rows of rint(x * scale + offset), one for each of a token's
// experts, in the order of the experts.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT, FLOAT16, BF16; [N H]
//   rowIdx                INT32; [N K]; the number of each token and expert
//   expertIdx             INT32; [N K]
//   activeNum             0 or more; so many tokens' worth of rows is written
//   scale                 numbers are multiplied by it
//   offset                added to them
//   expandedXOut          INT8; [A H]; output; [min(N, activeNum)*K H]
//   expandedRowIdxOut     INT32; [P]; output; [N*K]: where the row of a token and an expert went
//   expandedExpertIdxOut  INT32; [P]; output; [N*K]: expertIdx in order
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_init_routing_quant/docs/aclnnMoeInitRoutingQuant.md
ACLNN_API aclnnStatus aclnnMoeInitRoutingQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* rowIdx, const aclTensor* expertIdx, int64_t activeNum,
    double scale, double offset, const aclTensor* expandedXOut, const aclTensor* expandedRowIdxOut,
    const aclTensor* expandedExpertIdxOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeInitRoutingQuant(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_QUANT_H_
