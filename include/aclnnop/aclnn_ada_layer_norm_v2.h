// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADA_LAYER_NORM_V2_H_
#define ANYACL_ACLNNOP_ACLNN_ADA_LAYER_NORM_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAdaLayerNormV2: aclnnAdaLayerNorm, and the mean and the rstd of each row.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                FLOAT, FLOAT16, BF16; [B* S H]; without elements refused, as all tensors
//   scale            type of x; [C*]; [B.., H] or [B.., 1, H]
//   shift            type of x; [D*]; [B.., H] or [B.., 1, H]
//   weightOptional   FLOAT, FLOAT16, BF16; [H]; may be null; x's type or FLOAT; null stands for
//                    ones
//   biasOptional     type of weightOptional; [H]; may be null; x's type or FLOAT; null stands for
//                    zeros
//   epsilon          added to the variance; 0 or more
//   out              type of x; [B* S H]; output
//   meanOutOptional  type of x; [B* S 1]; output; may be null
//   rstdOutOptional  type of x; [B* S 1]; output; may be null
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/ada_layer_norm_v2/docs/aclnnAdaLayerNormV2.md
ACLNN_API aclnnStatus aclnnAdaLayerNormV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* shift,
    const aclTensor* weightOptional, const aclTensor* biasOptional, double epsilon, aclTensor* out,
    aclTensor* meanOutOptional, aclTensor* rstdOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAdaLayerNormV2(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADA_LAYER_NORM_V2_H_
