// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MHC_SINKHORN_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_MHC_SINKHORN_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMhcSinkhornBackward: the gradient of aclnnMhcSinkhorn for x.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT; [B S N N] or [T N N]; N = 4, 6 or 8
//   normOut     FLOAT; any shape; of aclnnMhcSinkhorn
//   sumOut      FLOAT; any shape; of aclnnMhcSinkhorn
//   out         FLOAT; [B S N N] or [T N N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mhc/mhc_sinkhorn_backward/docs/aclnnMhcSinkhornBackward.md
ACLNN_API aclnnStatus aclnnMhcSinkhornBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* normOut, const aclTensor* sumOut, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMhcSinkhornBackward(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MHC_SINKHORN_BACKWARD_H_
