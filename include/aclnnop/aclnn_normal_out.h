// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NORMAL_OUT_H_
#define ANYACL_ACLNNOP_ACLNN_NORMAL_OUT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNormalFloatFloat: numbers of a normal distribution.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   std     0 or more
//   offset  chooses another sequence of the seed
//   out     FLOAT, FLOAT16, DOUBLE, BF16; [O*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/stateless_random_normal_v2/docs/aclnnNormalFloatFloat.md
ACLNN_API aclnnStatus aclnnNormalFloatFloatGetWorkspaceSize(
    float mean, float std, int64_t seed, int64_t offset, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNormalFloatFloat(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

// aclnnNormalFloatTensor: numbers of normal distributions.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   std     type of out; any shape
//   offset  chooses another sequence of the seed
//   out     FLOAT, FLOAT16, DOUBLE, BF16; [O*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/stateless_random_normal_v2/docs/aclnnNormalFloatTensor.md
ACLNN_API aclnnStatus aclnnNormalFloatTensorGetWorkspaceSize(
    float mean, const aclTensor* std, int64_t seed, int64_t offset, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNormalFloatTensor(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

// aclnnNormalTensorFloat: numbers of normal distributions.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   mean    type of out; any shape
//   std     0 or more
//   offset  chooses another sequence of the seed
//   out     FLOAT, FLOAT16, DOUBLE, BF16; [O*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/stateless_random_normal_v2/docs/aclnnNormalTensorFloat.md
ACLNN_API aclnnStatus aclnnNormalTensorFloatGetWorkspaceSize(
    const aclTensor* mean, float std, int64_t seed, int64_t offset, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNormalTensorFloat(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

// aclnnNormalTensorTensor: numbers of normal distributions.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   mean    type of out; any shape
//   std     type of out; any shape
//   offset  chooses another sequence of the seed
//   out     FLOAT, FLOAT16, DOUBLE, BF16; [O*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/stateless_random_normal_v2/docs/aclnnNormalTensorTensor.md
ACLNN_API aclnnStatus aclnnNormalTensorTensorGetWorkspaceSize(
    const aclTensor* mean, const aclTensor* std, int64_t seed, int64_t offset, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNormalTensorTensor(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NORMAL_OUT_H_
