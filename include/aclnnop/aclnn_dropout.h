// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DROPOUT_H_
#define ANYACL_ACLNNOP_ACLNN_DROPOUT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDropout: input / (1 - p) where the mask that it makes has ones, else 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input    FLOAT, FLOAT16, BF16; [A*]
//   p        probability of 0: 0 to 1
//   train    else out is input
//   offset   chooses another sequence of the seed
//   out      FLOAT, FLOAT16, BF16; [A*]; output
//   maskOut  UINT8; [M*]; output; a bit for each element, the lowest first, in units of 128 bits
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_gen_bit_mask/docs/aclnnDropout.md
ACLNN_API aclnnStatus aclnnDropoutGetWorkspaceSize(
    const aclTensor* input, double p, bool train, int64_t seed, int64_t offset, aclTensor* out,
    aclTensor* maskOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDropout(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DROPOUT_H_
