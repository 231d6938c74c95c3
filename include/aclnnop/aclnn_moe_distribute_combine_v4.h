// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_V4_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_V4_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeDistributeCombineV4: aclnnMoeDistributeCombineV3, which tells how long it waited for each
// rank.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   expandX                    FLOAT16, BF16; [A H]
//   expertIds                  INT32; [Bs K]
//   assistInfoForCombine       INT32; [I]
//   epSendCounts               INT32; [C]
//   expertScales               FLOAT; any shape; [Bs, K], or no elements: all weights are 1
//   tpSendCountsOptional       INT32; any shape; may be null; not used
//   xActiveMaskOptional        BOOL; [Bs] or [Bs K]; may be null; which tokens, all true ones
//                              first, or which of their experts take part
//   activationScaleOptional    reserved: ignored; not used
//   weightScaleOptional        reserved: ignored; not used
//   groupListOptional          reserved: ignored; not used
//   expandScalesOptional       FLOAT; any shape; may be null; not used: expertScales has them
//   sharedExpertXOptional      type of expandX; [Bs H] or [P Q H]; may be null; added to the sums,
//                              where no rank has shared experts
//   elasticInfoOptional        INT32; any shape; may be null; null
//   oriXOptional               type of expandX; [Bs H]; may be null; the tokens before the experts;
//                              needed with copyExpertNum or constExpertNum
//   constExpertAlpha1Optional  type of expandX; [Ec H]; may be null; needed with constExpertNum
//   constExpertAlpha2Optional  type of expandX; [Ec H]; may be null; needed with constExpertNum
//   constExpertVOptional       type of expandX; [Ec H]; may be null; needed with constExpertNum
//   performanceInfoOptional    INT64; [W]; changed in place; may be null; of epWorldSize: how many
//                              us this rank waited for each is added
//   groupEp                    the communicator's name, 1 to 127 bytes
//   epWorldSize                2 to 768; ranks of the communicator
//   epRankId                   0 to 767; this rank in the communicator
//   moeExpertNum               1 to 1024; as many on each rank that has no shared expert
//   groupTp                    may be null; not used: there is no communication of tensor
//                              parallelism
//   tpWorldSize                0 to 1
//   tpRankId                   0
//   expertShardType            0; 0: ranks with shared experts come first
//   sharedExpertNum            0 to 4; at most 1 without ranks that have them
//   sharedExpertRankNum        0 to 767; how many ranks have a shared expert, a multiple of
//                              sharedExpertNum, below epWorldSize
//   globalBs                   0 to 393216; epWorldSize times the most tokens that a rank has; 0:
//                              all have as many as this one
//   outDtype                   0
//   commQuantMode              0 to 2; 0: rows travel as they are, 2: as INT8 with a scale for 8
//                              elements each
//   groupListType              0 to 1; reserved, no effect; public examples pass both
//   commAlg                    may be null; null, "", "fullmesh", "fullmesh_v1", "fullmesh_v2" or
//                              "hierarchy"; has no effect
//   zeroExpertNum              0 to 2147483646; experts that return zeros; their ids follow those
//                              of moeExpertNum
//   copyExpertNum              0 to 2147483646; experts that return the token; their ids follow
//   constExpertNum             0 to 2147483646; experts that mix the token with a constant; their
//                              ids follow
//   xOut                       type of expandX; [Bs H]; output; rows of tokens that take no part
//                              are left as they are
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   561002  any other wrong argument
// CANN's document: ops-transformer:
// mc2/moe_distribute_combine_v2/docs/aclnnMoeDistributeCombineV4.md
ACLNN_API aclnnStatus aclnnMoeDistributeCombineV4GetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* assistInfoForCombine,
    const aclTensor* epSendCounts, const aclTensor* expertScales,
    const aclTensor* tpSendCountsOptional, const aclTensor* xActiveMaskOptional,
    const aclTensor* activationScaleOptional, const aclTensor* weightScaleOptional,
    const aclTensor* groupListOptional, const aclTensor* expandScalesOptional,
    const aclTensor* sharedExpertXOptional, const aclTensor* elasticInfoOptional,
    const aclTensor* oriXOptional, const aclTensor* constExpertAlpha1Optional,
    const aclTensor* constExpertAlpha2Optional, const aclTensor* constExpertVOptional,
    const aclTensor* performanceInfoOptional, const char* groupEp, int64_t epWorldSize,
    int64_t epRankId, int64_t moeExpertNum, const char* groupTp, int64_t tpWorldSize,
    int64_t tpRankId, int64_t expertShardType, int64_t sharedExpertNum, int64_t sharedExpertRankNum,
    int64_t globalBs, int64_t outDtype, int64_t commQuantMode, int64_t groupListType,
    const char* commAlg, int64_t zeroExpertNum, int64_t copyExpertNum, int64_t constExpertNum,
    aclTensor* xOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeDistributeCombineV4(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_V4_H_
