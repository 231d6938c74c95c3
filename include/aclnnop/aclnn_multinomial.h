// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MULTINOMIAL_H_
#define ANYACL_ACLNNOP_ACLNN_MULTINOMIAL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMultinomial: random indices of a row, as likely as its elements are large.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self         FLOAT, FLOAT16, DOUBLE, BF16; [C] or [N C]
//   numsamples   1 or more
//   out          INT64; [S] or [N S]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/stateless_sample_multinomial/docs/aclnnMultinomial.md
ACLNN_API aclnnStatus aclnnMultinomialGetWorkspaceSize(
    const aclTensor* self, int64_t numsamples, bool replacement, int64_t seed, int64_t offset,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMultinomial(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

// aclnnMultinomialTensor: aclnnMultinomial with a seed and an offset that tensors hold.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, DOUBLE, BF16; [C] or [N C]
//   numsamples    1 or more
//   seedTensor    INT64; [1]
//   offsetTensor  INT64; [1]
//   offset        is added to offsetTensor's element
//   out           INT64; [S] or [N S]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/stateless_sample_multinomial/docs/aclnnMultinomialTensor.md
ACLNN_API aclnnStatus aclnnMultinomialTensorGetWorkspaceSize(
    const aclTensor* self, int64_t numsamples, bool replacement, const aclTensor* seedTensor,
    const aclTensor* offsetTensor, int64_t offset, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMultinomialTensor(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MULTINOMIAL_H_
