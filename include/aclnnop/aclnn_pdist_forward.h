// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_PDIST_FORWARD_H_
#define ANYACL_ACLNNOP_ACLNN_PDIST_FORWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnPdistForward: aclnnPdist, p being a scalar.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self     FLOAT, FLOAT16; [N M]
//   pScalar  0 or more, infinite too
//   out      type of self; [K]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/pdist/docs/aclnnPdistForward.md
ACLNN_API aclnnStatus aclnnPdistForwardGetWorkspaceSize(
    const aclTensor* self, const aclScalar* pScalar, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnPdistForward(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_PDIST_FORWARD_H_
