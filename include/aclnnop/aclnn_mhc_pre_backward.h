// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MHC_PRE_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_MHC_PRE_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMhcPreBackward: the gradients of aclnnMhcPre for x, phi, alpha, bias and gamma.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                  FLOAT16, BF16; [B S N D] or [T N D]
//   phi                FLOAT; [K W]; W = N * D, K = N * N + 2 * N
//   alpha              FLOAT; [3]
//   gradHIn            type of x; [B S D] or [T D]
//   gradHPost          FLOAT; [B S N] or [T N]
//   gradHRes           FLOAT; [B S N N] or [T N N]
//   invRms             FLOAT; [B S] or [T]; this and the next: of aclnnMhcPre
//   hMix               FLOAT; [B S K] or [T K]
//   hPre               FLOAT; [B S N] or [T N]
//   hPost              FLOAT; [B S N] or [T N]
//   gamma              FLOAT; [N D]; may be null; null: ones
//   gradXPostOptional  type of x; [B S N D] or [T N D]; may be null; joins gradX; null: zeros
//   hcEps              that of aclnnMhcPre
//   gradX              type of x; [B S N D] or [T N D]; output
//   gradPhi            FLOAT; [K W]; output
//   gradAlpha          FLOAT; [3]; output
//   gradBias           FLOAT; [K]; output
//   gradGamma          FLOAT; [N D]; output; may be null; 0 where gamma is null
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mhc/mhc_pre_backward/docs/aclnnMhcPreBackward.md
ACLNN_API aclnnStatus aclnnMhcPreBackwardGetWorkspaceSize(
    const aclTensor* x, const aclTensor* phi, const aclTensor* alpha, const aclTensor* gradHIn,
    const aclTensor* gradHPost, const aclTensor* gradHRes, const aclTensor* invRms,
    const aclTensor* hMix, const aclTensor* hPre, const aclTensor* hPost, const aclTensor* gamma,
    const aclTensor* gradXPostOptional, float hcEps, const aclTensor* gradX,
    const aclTensor* gradPhi, const aclTensor* gradAlpha, const aclTensor* gradBias,
    const aclTensor* gradGamma, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMhcPreBackward(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MHC_PRE_BACKWARD_H_
