// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_BIAS_ADD_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_BIAS_ADD_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedBiasAddGrad: out = sum of each group's rows of gradY.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradY             FLOAT, FLOAT16, BF16; [G C H] or [N H]; N rows if there are groups
//   groupIdxOptional  INT32, INT64; [G]; may be null; where the groups' rows end; at most 2048
//   out               type of gradY; [G H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/grouped_bias_add_grad/docs/aclnnGroupedBiasAddGrad.md
ACLNN_API aclnnStatus aclnnGroupedBiasAddGradGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* groupIdxOptional, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedBiasAddGrad(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

// aclnnGroupedBiasAddGradV2: out = sum of each group's rows of gradY.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradY             FLOAT, FLOAT16, BF16; [G C H] or [N H]; N rows if there are groups
//   groupIdxOptional  INT32, INT64; [G]; may be null; where the groups' rows end, or how many they
//                     are; at most 2048
//   groupIdxType      0 to 1; 0: where groups end, 1: how many rows they have
//   out               type of gradY; [G H]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/grouped_bias_add_grad/docs/aclnnGroupedBiasAddGradV2.md
ACLNN_API aclnnStatus aclnnGroupedBiasAddGradV2GetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* groupIdxOptional, int64_t groupIdxType, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedBiasAddGradV2(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_BIAS_ADD_GRAD_H_
