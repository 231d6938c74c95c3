// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_ADD_RMS_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_ADD_RMS_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeDistributeCombineAddRmsNorm: aclnnMoeDistributeCombineV2, a sum with residualX and its
// norm: x = residualX[t] + sum of expertScales[t][k] * row[t][k], y = x / RMS(x) * gamma.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   expandX                  BF16; [A H]
//   expertIds                INT32; [Bs K]
//   assistInfoForCombine     INT32; [I]
//   epSendCounts             INT32; [C]
//   expertScales             FLOAT; [Bs K]
//   residualX                BF16; [Bs 1 H]; added to the sums
//   gamma                    BF16; [H]; the norm's weights
//   tpSendCountsOptional     INT32; any shape; may be null; not used
//   xActiveMaskOptional      BOOL; [Bs] or [Bs K]; may be null; which tokens, all true ones first,
//                            or which of their experts take part
//   activationScaleOptional  reserved: ignored; not used
//   weightScaleOptional      reserved: ignored; not used
//   groupListOptional        reserved: ignored; not used
//   expandScalesOptional     FLOAT; any shape; may be null; not used: expertScales has them
//   sharedExpertXOptional    BF16; [Bs H] or [P Q H]; may be null; added to the sums
//   groupEp                  the communicator's name, 1 to 127 bytes
//   epWorldSize              2 to 768; ranks of the communicator
//   epRankId                 0 to 767; this rank in the communicator
//   moeExpertNum             1 to 1024; as many on each rank that has no shared expert
//   groupTp                  may be null; not used: there is no communication of tensor parallelism
//   tpWorldSize              0 to 1
//   tpRankId                 0
//   expertShardType          0; 0: ranks with shared experts come first
//   sharedExpertNum          0 to 1; no effect
//   sharedExpertRankNum      0
//   globalBS                 0 to 393216; epWorldSize times the most tokens that a rank has; 0: all
//                            have as many as this one
//   outDtype                 0
//   commQuantMode            0
//   groupListType            0 to 1; reserved, no effect; public examples pass both
//   commAlg                  may be null; null, "", "fullmesh" or "hierarchy"; has no effect
//   normEps                  added to the mean square; finite
//   yOut                     BF16; [Bs 1 H]; output; rows of tokens that take no part are left as
//                            they are, in all outputs
//   rstdOut                  FLOAT; [Bs 1 1]; output; 1 / RMS(x)
//   xOut                     BF16; [Bs 1 H]; output; the sums
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// mc2/moe_distribute_combine_add_rms_norm/docs/aclnnMoeDistributeCombineAddRmsNorm.md
ACLNN_API aclnnStatus aclnnMoeDistributeCombineAddRmsNormGetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* assistInfoForCombine,
    const aclTensor* epSendCounts, const aclTensor* expertScales, const aclTensor* residualX,
    const aclTensor* gamma, const aclTensor* tpSendCountsOptional,
    const aclTensor* xActiveMaskOptional, const aclTensor* activationScaleOptional,
    const aclTensor* weightScaleOptional, const aclTensor* groupListOptional,
    const aclTensor* expandScalesOptional, const aclTensor* sharedExpertXOptional,
    const char* groupEp, int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum,
    const char* groupTp, int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType,
    int64_t sharedExpertNum, int64_t sharedExpertRankNum, int64_t globalBS, int64_t outDtype,
    int64_t commQuantMode, int64_t groupListType, const char* commAlg, float normEps,
    aclTensor* yOut, aclTensor* rstdOut, aclTensor* xOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeDistributeCombineAddRmsNorm(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_ADD_RMS_NORM_H_
