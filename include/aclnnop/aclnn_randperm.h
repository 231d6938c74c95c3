// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RANDPERM_H_
#define ANYACL_ACLNNOP_ACLNN_RANDPERM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRandperm: the integers from 0 to n - 1 in a random order.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   n       0 or more
//   offset  chooses another sequence of the seed
//   out     FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BF16; [n]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/stateless_randperm/docs/aclnnRandperm.md
ACLNN_API aclnnStatus aclnnRandpermGetWorkspaceSize(
    int64_t n, int64_t seed, int64_t offset, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRandperm(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RANDPERM_H_
