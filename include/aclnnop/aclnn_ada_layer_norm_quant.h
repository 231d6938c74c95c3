// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAdaLayerNormQuant: y = (((x - mean) * rstd * weight + bias) * (1 + scale) + shift) *
// smoothScalesOptional, quantScale = max|y| / 127 of a row, out = rint(y / quantScale).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT16, BF16; [B* S H]; without elements refused, as all tensors
//   scale                 type of x; [C*]; [B.., H] or [B.., 1, H]
//   shift                 type of x; [D*]; [B.., H] or [B.., 1, H]
//   weightOptional        type of x; [H]; may be null; null stands for ones
//   biasOptional          type of x; [H]; may be null; null stands for zeros
//   smoothScalesOptional  type of x; [H]; may be null; null stands for ones
//   epsilon               added to the variance; 0 or more
//   quantMode             dynamic
//   out                   INT8; [B* S H]; output
//   quantScale            FLOAT; [B* S]; output
//   quantOffsetOptional   FLOAT16, BF16; [B* S]; output; may be null; null
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/ada_layer_norm_quant/docs/aclnnAdaLayerNormQuant.md
ACLNN_API aclnnStatus aclnnAdaLayerNormQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* scale, const aclTensor* shift,
    const aclTensor* weightOptional, const aclTensor* biasOptional,
    const aclTensor* smoothScalesOptional, double epsilon, const char* quantMode, aclTensor* out,
    aclTensor* quantScale, aclTensor* quantOffsetOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAdaLayerNormQuant(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADA_LAYER_NORM_QUANT_H_
