// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_V2_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_V2_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeInitRoutingV2Grad: out = for each token the sum of its rows of gradExpandedX.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradExpandedX   FLOAT, FLOAT16, BF16; [R H] or [E C H]; rank 3 with dropPadMode 1, else
//                   activeNum or L rows
//   expandedRowIdx  INT32; [L]; the row of each token and expert
//   topK            1 or more; experts of a token
//   dropPadMode     0 to 1; 1: experts have rows of their own, -1 stands for none
//   activeNum       0 or more; rows that were not cut off; 0: all; without effect with dropPadMode
//                   1
//   out             type of gradExpandedX; [N H]; output; N * topK is L
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_init_routing_v2_grad/docs/aclnnMoeInitRoutingV2Grad.md
ACLNN_API aclnnStatus aclnnMoeInitRoutingV2GradGetWorkspaceSize(
    const aclTensor* gradExpandedX, const aclTensor* expandedRowIdx, int64_t topK,
    int64_t dropPadMode, int64_t activeNum, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeInitRoutingV2Grad(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_INIT_ROUTING_V2_GRAD_H_
