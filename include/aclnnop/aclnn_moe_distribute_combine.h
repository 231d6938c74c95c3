// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeDistributeCombine: sends rows back to the ranks of their tokens and adds up those of its
// own: x[t] = sum of expertScales[t][k] * row[t][k].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   expandX              FLOAT16, BF16; [A H]
//   expertIds            INT32; [Bs K]
//   expandIdx            INT32; [I]; of dispatch; Bs * K elements or more
//   epSendCounts         INT32; [C]
//   expertScales         FLOAT; [Bs K]
//   tpSendCounts         INT32; any shape; may be null; not used
//   xActiveMask          BOOL; any shape; may be null; null
//   activationScale      reserved: ignored; not used
//   weightScale          reserved: ignored; not used
//   groupList            reserved: ignored; not used
//   expandScales         FLOAT; any shape; may be null; not used: expertScales has them
//   groupEp              the communicator's name, 1 to 127 bytes
//   epWorldSize          2 to 768; ranks of the communicator
//   epRankId             0 to 767; this rank in the communicator
//   moeExpertNum         1 to 512; as many on each rank that has no shared expert
//   groupTp              may be null; not used: there is no communication of tensor parallelism
//   tpWorldSize          0 to 1
//   tpRankId             0
//   expertShardType      0; 0: ranks with shared experts come first
//   sharedExpertNum      0 to 1
//   sharedExpertRankNum  0 to 767; how many ranks have the shared expert, a divisor of epWorldSize,
//                        below it
//   globalBS             0 to 393216; epWorldSize times the most tokens that a rank has; 0: all
//                        have as many as this one
//   outDtype             0
//   commQuantMode        0 to 2; 0: rows travel as they are, 2: as INT8 with a scale for 8 elements
//                        each
//   groupListType        0 to 1; reserved, no effect; public examples pass both
//   x                    type of expandX; [Bs H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   561002  any other wrong argument
// CANN's document: ops-transformer: mc2/moe_distribute_combine/docs/aclnnMoeDistributeCombine.md
ACLNN_API aclnnStatus aclnnMoeDistributeCombineGetWorkspaceSize(
    const aclTensor* expandX, const aclTensor* expertIds, const aclTensor* expandIdx,
    const aclTensor* epSendCounts, const aclTensor* expertScales, const aclTensor* tpSendCounts,
    const aclTensor* xActiveMask, const aclTensor* activationScale, const aclTensor* weightScale,
    const aclTensor* groupList, const aclTensor* expandScales, const char* groupEp,
    int64_t epWorldSize, int64_t epRankId, int64_t moeExpertNum, const char* groupTp,
    int64_t tpWorldSize, int64_t tpRankId, int64_t expertShardType, int64_t sharedExpertNum,
    int64_t sharedExpertRankNum, int64_t globalBS, int64_t outDtype, int64_t commQuantMode,
    int64_t groupListType, aclTensor* x, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeDistributeCombine(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_DISTRIBUTE_COMBINE_H_
