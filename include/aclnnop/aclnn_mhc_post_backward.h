// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MHC_POST_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_MHC_POST_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMhcPostBackward: the gradients of aclnnMhcPost for x, hRes, hOut and hPost.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT16, BF16; [B S N D] or [T N D]
//   x           type of gradOutput; [B S N D] or [T N D]
//   hRes        FLOAT; [B S N N] or [T N N]; may be null; null: the unit matrix
//   hOut        type of gradOutput; [B S D] or [T D]
//   hPost       FLOAT; [B S N] or [T N]
//   gradX       type of gradOutput; [B S N D] or [T N D]; output
//   gradHRes    FLOAT; [B S N N] or [T N N]; output
//   gradHOut    type of gradOutput; [B S D] or [T D]; output
//   gradHPost   FLOAT; [B S N] or [T N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mhc/mhc_post_backward/docs/aclnnMhcPostBackward.md
ACLNN_API aclnnStatus aclnnMhcPostBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* x, const aclTensor* hRes, const aclTensor* hOut,
    const aclTensor* hPost, aclTensor* gradX, aclTensor* gradHRes, aclTensor* gradHOut,
    aclTensor* gradHPost, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMhcPostBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MHC_POST_BACKWARD_H_
