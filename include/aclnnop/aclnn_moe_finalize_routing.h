// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeFinalizeRouting: out = x1 + x2 + for each token the sum of scales * (its expert's row +
// bias).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   expandedX          FLOAT, FLOAT16, BF16; [R H]
//   x1                 type of expandedX; [N H]
//   x2Optional         type of expandedX; [N H]; may be null
//   bias               type of expandedX; [E H]
//   scales             type of expandedX; [N K]
//   expandedRowIdx     INT32; [P]; [N*K]: rows of expandedX
//   expandedExpertIdx  INT32; [N K]
//   out                type of expandedX; [N H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_finalize_routing/docs/aclnnMoeFinalizeRouting.md
ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingGetWorkspaceSize(
    const aclTensor* expandedX, const aclTensor* x1, const aclTensor* x2Optional,
    const aclTensor* bias, const aclTensor* scales, const aclTensor* expandedRowIdx,
    const aclTensor* expandedExpertIdx, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeFinalizeRouting(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_H_
