// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_GATING_TOP_K_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_GATING_TOP_K_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeGatingTopK: of softmax(x) or sigmoid(x) the numbers of the k experts that are the largest
// with their bias within the best kGroup groups, and which they are.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                    FLOAT, FLOAT16, BF16; [N E]
//   biasOptional         type of x; [E]; may be null; added for the choice, not to the results
//   k                    1 to 2048; at most the experts of kGroup groups
//   kGroup               1 to 2048; groups whose experts are chosen from
//   groupCount           1 to 2048; a divisor of E
//   groupSelectMode      0 to 1; groups by 0: their largest number, 1: the sum of their two largest
//   renorm               0 to 1; 1: results are divided by their sum; normType 1 always does
//   normType             0 to 1; 0: softmax, 1: sigmoid
//   outFlag              whether outOut is written
//   routedScalingFactor  the results are multiplied by it
//   eps                  added to the sum that results are divided by
//   yOut                 type of x; [N k]; output
//   expertIdxOut         INT32; [N k]; output
//   outOut               FLOAT; [N E]; output; softmax or sigmoid of x
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_gating_top_k/docs/aclnnMoeGatingTopK.md
ACLNN_API aclnnStatus aclnnMoeGatingTopKGetWorkspaceSize(
    const aclTensor* x, const aclTensor* biasOptional, int64_t k, int64_t kGroup,
    int64_t groupCount, int64_t groupSelectMode, int64_t renorm, int64_t normType, bool outFlag,
    double routedScalingFactor, double eps, const aclTensor* yOut, const aclTensor* expertIdxOut,
    const aclTensor* outOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeGatingTopK(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_GATING_TOP_K_H_
