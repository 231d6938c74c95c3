// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V2_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V2_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeFinalizeRoutingV2Grad: gradExpandedXOut = for each row scales * its token's gradY;
// gradScalesOut = sum of gradY * (the row of expandedX + its expert's bias).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradY              FLOAT, FLOAT16, BF16; [N H]
//   expandedRowIdx     INT32; [L]; [N*K]: the row of each token and expert, which no other one has
//   expandedXOptional  type of gradY; [R H] or [E C H]; may be null; needed beside scalesOptional,
//                      else without effect
//   scalesOptional     type of gradY; [N K]; may be null; null: factors are 1 and K is 1
//   expertIdxOptional  INT32; [N K]; may be null; needed beside biasOptional, else without effect
//   biasOptional       type of gradY; [B H]; may be null; without effect where scalesOptional is
//                      null
//   dropPadMode        0 to 1; 1: experts have rows of their own, -1 stands for none
//   activeNum          R, if above 0 and below L; without effect with dropPadMode 1
//   expertNum          E, with dropPadMode 1 alone
//   expertCapacity     C, with dropPadMode 1 alone
//   gradExpandedXOut   type of gradY; [R H] or [E C H]; output; [L, H], [activeNum, H] or
//                      [expertNum, expertCapacity, H]
//   gradScalesOut      type of scalesOptional; [N K]; output; may be null; needed beside
//                      scalesOptional, else not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// moe/moe_finalize_routing_v2_grad/docs/aclnnMoeFinalizeRoutingV2Grad.md
ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV2GradGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* expandedRowIdx, const aclTensor* expandedXOptional,
    const aclTensor* scalesOptional, const aclTensor* expertIdxOptional,
    const aclTensor* biasOptional, int64_t dropPadMode, int64_t activeNum, int64_t expertNum,
    int64_t expertCapacity, const aclTensor* gradExpandedXOut, const aclTensor* gradScalesOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV2Grad(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V2_GRAD_H_
