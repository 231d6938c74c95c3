// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RRELU_WITH_NOISE_H_
#define ANYACL_ACLNNOP_ACLNN_RRELU_WITH_NOISE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRReluWithNoise: out = self > 0 ? self : a * self, of random slopes a from lower to upper.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self      FLOAT, FLOAT16, BF16; any shape
//   noise     type of self; any shape; changed in place; of self's shape; the slopes, 1 where self
//             is above 0; unchanged without training
//   training  if not, the slope is (lower + upper) / 2
//   offset    chooses another sequence of the seed
//   out       type of self; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// activation/leaky_relu/docs/aclnnRReluWithNoise&aclnnInplaceRReluWithNoise.md
ACLNN_API aclnnStatus aclnnRReluWithNoiseGetWorkspaceSize(
    const aclTensor* self, const aclTensor* noise, const aclScalar* lower, const aclScalar* upper,
    bool training, int64_t seed, int64_t offset, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRReluWithNoise(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceRReluWithNoise: self = self > 0 ? self : a * self, of random slopes a from lower to
// upper.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self      FLOAT, FLOAT16, BF16; any shape; changed in place
//   noise     type of self; any shape; changed in place; of self's shape; the slopes, 1 where self
//             is above 0; unchanged without training
//   training  if not, the slope is (lower + upper) / 2
//   offset    chooses another sequence of the seed
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// activation/leaky_relu/docs/aclnnRReluWithNoise&aclnnInplaceRReluWithNoise.md
ACLNN_API aclnnStatus aclnnInplaceRReluWithNoiseGetWorkspaceSize(
    const aclTensor* self, const aclTensor* noise, const aclScalar* lower, const aclScalar* upper,
    bool training, int64_t seed, int64_t offset, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceRReluWithNoise(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RRELU_WITH_NOISE_H_
