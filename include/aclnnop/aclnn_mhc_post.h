// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MHC_POST_H_
#define ANYACL_ACLNNOP_ACLNN_MHC_POST_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMhcPost: out[j] = (sum over i of hRes[i, j] * x[i]) + hPost[j] * hOut, of each token's
// streams.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x      FLOAT16, BF16; [B S N D] or [T N D]
//   hRes   FLOAT; [B S N N] or [T N N]; may be null; null: the unit matrix
//   hOut   type of x; [B S D] or [T D]
//   hPost  FLOAT; [B S N] or [T N]
//   out    type of x; [B S N D] or [T N D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mhc/mhc_post/docs/aclnnMhcPost.md
ACLNN_API aclnnStatus aclnnMhcPostGetWorkspaceSize(
    const aclTensor* x, const aclTensor* hRes, const aclTensor* hOut, const aclTensor* hPost,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMhcPost(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MHC_POST_H_
