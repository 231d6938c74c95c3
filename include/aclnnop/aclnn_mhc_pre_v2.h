// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MHC_PRE_V2_H_
#define ANYACL_ACLNNOP_ACLNN_MHC_PRE_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMhcPreV2: aclnnMhcPre with a choice of how phi is multiplied.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x               FLOAT16, BF16; [B S N D] or [T N D]
//   phi             FLOAT; [K W]; W = N * D; K = N * N + 2 * N, or 2 * N without hRes
//   alpha           FLOAT; [A]; A = 3, or 2 without hRes
//   bias            FLOAT; [K]
//   gammaOptional   FLOAT; [N D]; may be null; null: ones
//   normEps         joins the mean of squares
//   hcEps           joins hPre, and hPost where alpha has two numbers
//   opImplMode      0 to 1; of the product: 0: FLOAT, 1: HF32, which is computed as FLOAT, too
//   hIn             type of x; [B S D] or [T D]; output
//   hPost           FLOAT; [B S N] or [T N]; output
//   hRes            FLOAT; [B S N N] or [T N N]; output; may be null; needed where alpha has three
//                   numbers; 0 where it has two
//   invRmsOptional  FLOAT; [B S] or [T]; output; may be null; given with the next two, or none of
//                   them
//   hMixOptional    FLOAT; [B S K] or [T K]; output; may be null
//   hPreOptional    FLOAT; [B S N] or [T N]; output; may be null
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mhc/mhc_pre/docs/aclnnMhcPreV2.md
ACLNN_API aclnnStatus aclnnMhcPreV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* phi, const aclTensor* alpha, const aclTensor* bias,
    const aclTensor* gammaOptional, double normEps, double hcEps, int64_t opImplMode,
    aclTensor* hIn, aclTensor* hPost, aclTensor* hRes, aclTensor* invRmsOptional,
    aclTensor* hMixOptional, aclTensor* hPreOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMhcPreV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MHC_PRE_V2_H_
