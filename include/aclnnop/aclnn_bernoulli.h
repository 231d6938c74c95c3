// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BERNOULLI_H_
#define ANYACL_ACLNNOP_ACLNN_BERNOULLI_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBernoulli: out is 1 with probability prob, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; [A*]
//   prob    probability of 1: FLOAT, FLOAT16, BF16 or DOUBLE, 0 to 1
//   offset  a multiple of 4; chooses another sequence of the seed
//   out     type of self; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math:
// random/stateless_bernoulli/docs/aclnnBernoulli&aclnnInplaceBernoulli.md
ACLNN_API aclnnStatus aclnnBernoulliGetWorkspaceSize(
    const aclTensor* self, const aclScalar* prob, int64_t seed, int64_t offset, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBernoulli(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceBernoulli: selfRef becomes 1 with probability prob, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape;
//            changed in place
//   prob     probability of 1: FLOAT, FLOAT16, BF16 or DOUBLE, 0 to 1
//   offset   a multiple of 4; chooses another sequence of the seed
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math:
// random/stateless_bernoulli/docs/aclnnBernoulli&aclnnInplaceBernoulli.md
ACLNN_API aclnnStatus aclnnInplaceBernoulliGetWorkspaceSize(
    const aclTensor* selfRef, const aclScalar* prob, int64_t seed, int64_t offset,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceBernoulli(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

// aclnnBernoulliTensor: out is 1 with probability prob, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; [A*]
//   prob    FLOAT, FLOAT16, DOUBLE, BF16; any shape; probabilities of 1 in row-major order, or one
//           for all; beyond their end the result is 0
//   offset  a multiple of 4; chooses another sequence of the seed
//   out     type of self; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math:
// random/stateless_bernoulli/docs/aclnnBernoulliTensor&aclnnInplaceBernoulliTensor.md
ACLNN_API aclnnStatus aclnnBernoulliTensorGetWorkspaceSize(
    const aclTensor* self, const aclTensor* prob, int64_t seed, int64_t offset, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBernoulliTensor(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceBernoulliTensor: selfRef becomes 1 with probability prob, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape;
//            changed in place
//   prob     FLOAT, FLOAT16, DOUBLE, BF16; any shape; probabilities of 1 in row-major order, or one
//            for all; beyond their end the result is 0
//   offset   a multiple of 4; chooses another sequence of the seed
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math:
// random/stateless_bernoulli/docs/aclnnBernoulliTensor&aclnnInplaceBernoulliTensor.md
ACLNN_API aclnnStatus aclnnInplaceBernoulliTensorGetWorkspaceSize(
    const aclTensor* selfRef, const aclTensor* prob, int64_t seed, int64_t offset,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceBernoulliTensor(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BERNOULLI_H_
