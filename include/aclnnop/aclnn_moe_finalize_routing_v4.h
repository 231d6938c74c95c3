// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V4_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V4_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeFinalizeRoutingV4: out = x1 + x2 + for each token the sum of scales * (its expert's row +
// bias); experts in ranges have no row: they add nothing, the token, or alpha1 * x + alpha2 * v.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   expandedX            FLOAT, FLOAT16, BF16; [R H] or [E C H]; rank 3 in modes 1 and 3
//   expandedRowIdx       INT32; [P]; [N*K]: rows of expandedX
//   x1Optional           type of expandedX; [N H]; may be null
//   x2Optional           type of expandedX; [N H]; may be null; only beside x1Optional
//   biasOptional         type of expandedX; [E H]; may be null; only beside expertIdxOptional
//   scalesOptional       FLOAT, FLOAT16, BF16; [N K]; may be null; of expandedX's type, or FLOAT
//                        beside BF16; null: factors are 1, and K is 1 or k
//   expertIdxOptional    INT32; [N K]; may be null
//   xOptional            type of expandedX; [N H]; may be null; the tokens; copyExpertRange and the
//                        next need it
//   alpha1Optional       type of expandedX; [S H]; may be null; a row for each expert of
//                        constantExpertRange
//   alpha2Optional       type of expandedX; [S H]; may be null
//   vOptional            type of expandedX; [S H]; may be null
//   dropPadMode          0 to 3; 1, 3: -1 stands for a dropped row; 0, 1: expandedRowIdx is [K N],
//                        else [N K]
//   zeroExpertRange      may be null; the first and the last but one expert that adds nothing;
//                        null, empty and {-1, -1}: there is none
//   copyExpertRange      may be null; of experts that return the token itself
//   constantExpertRange  may be null; of experts that return alpha1 * x + alpha2 * v
//   k                    K without scalesOptional; beside it K, or at most 1
//   out                  type of expandedX; [N H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_finalize_routing_v2/docs/aclnnMoeFinalizeRoutingV4.md
ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV4GetWorkspaceSize(
    const aclTensor* expandedX, const aclTensor* expandedRowIdx, const aclTensor* x1Optional,
    const aclTensor* x2Optional, const aclTensor* biasOptional, const aclTensor* scalesOptional,
    const aclTensor* expertIdxOptional, const aclTensor* xOptional, const aclTensor* alpha1Optional,
    const aclTensor* alpha2Optional, const aclTensor* vOptional, int64_t dropPadMode,
    const aclIntArray* zeroExpertRange, const aclIntArray* copyExpertRange,
    const aclIntArray* constantExpertRange, int64_t k, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeFinalizeRoutingV4(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_FINALIZE_ROUTING_V4_H_
