// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LOGSPACE_H_
#define ANYACL_ACLNNOP_ACLNN_LOGSPACE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLogSpace: result[i] = base ^ (start + i * (end - start) / (steps - 1)).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   steps   0 or more; how many numbers
//   result  FLOAT, FLOAT16, BF16; [steps]; output
//   561103  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/logspace/docs/aclnnLogSpace.md
ACLNN_API aclnnStatus aclnnLogSpaceGetWorkspaceSize(
    const aclScalar* start, const aclScalar* end, int64_t steps, double base,
    const aclTensor* result, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLogSpace(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LOGSPACE_H_
