// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LAYER_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_LAYER_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLayerNorm: out = (input - mean) * rstd * weight + bias, rstd = 1 / sqrt(variance + eps).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input            FLOAT, FLOAT16, BF16; [X*]
//   normalizedShape  input's last dimensions: a row
//   weightOptional   FLOAT, FLOAT16, BF16; [W*]; may be null; null stands for ones
//   biasOptional     type of weightOptional; [W*]; may be null; null stands for zeros
//   eps              added to the variance
//   out              type of input; [X*]; output
//   meanOutOptional  FLOAT, FLOAT16, BF16; [R*]; output; may be null; as rstdOutOptional
//   rstdOutOptional  FLOAT, FLOAT16, BF16; [R*]; output; may be null; one for each row: input's
//                    shape with 1 for normalizedShape, or without it
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/layer_norm_v4/docs/aclnnLayerNorm&aclnnLayerNormWithImplMode.md
ACLNN_API aclnnStatus aclnnLayerNormGetWorkspaceSize(
    const aclTensor* input, const aclIntArray* normalizedShape, const aclTensor* weightOptional,
    const aclTensor* biasOptional, double eps, aclTensor* out, aclTensor* meanOutOptional,
    aclTensor* rstdOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLayerNorm(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

// aclnnLayerNormWithImplMode: out = (input - mean) * rstd * weight + bias, rstd = 1 / sqrt(variance
// + eps).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input            FLOAT, FLOAT16, BF16; [X*]
//   normalizedShape  input's last dimensions: a row
//   weightOptional   FLOAT, FLOAT16, BF16; [W*]; may be null; null stands for ones
//   biasOptional     type of weightOptional; [W*]; may be null; null stands for zeros
//   eps              added to the variance
//   out              type of input; [X*]; output
//   meanOutOptional  FLOAT, FLOAT16, BF16; [R*]; output; may be null; as rstdOutOptional
//   rstdOutOptional  FLOAT, FLOAT16, BF16; [R*]; output; may be null; one for each row: input's
//                    shape with 1 for normalizedShape, or without it
//   implMode         0 to 2; 0, 1 (faster) or 2 (in FLOAT16: of FLOAT16 alone); the result is that
//                    of 0
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/layer_norm_v4/docs/aclnnLayerNorm&aclnnLayerNormWithImplMode.md
ACLNN_API aclnnStatus aclnnLayerNormWithImplModeGetWorkspaceSize(
    const aclTensor* input, const aclIntArray* normalizedShape, const aclTensor* weightOptional,
    const aclTensor* biasOptional, double eps, aclTensor* out, aclTensor* meanOutOptional,
    aclTensor* rstdOutOptional, int32_t implMode, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLayerNormWithImplMode(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

// aclnnFastLayerNorm: out = (input - mean) * rstd * weight + bias, rstd = 1 / sqrt(variance + eps).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input            FLOAT, FLOAT16, BF16; [X*]
//   normalizedShape  input's last dimensions: a row
//   weightOptional   FLOAT, FLOAT16, BF16; [W*]; may be null; null stands for ones
//   biasOptional     type of weightOptional; [W*]; may be null; null stands for zeros
//   eps              added to the variance
//   out              type of input; [X*]; output
//   meanOutOptional  FLOAT, FLOAT16, BF16; [R*]; output; may be null; as rstdOutOptional
//   rstdOutOptional  FLOAT, FLOAT16, BF16; [R*]; output; may be null; one for each row: input's
//                    shape with 1 for normalizedShape, or without it
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/layer_norm_v4/docs/aclnnFastLayerNorm.md
ACLNN_API aclnnStatus aclnnFastLayerNormGetWorkspaceSize(
    const aclTensor* input, const aclIntArray* normalizedShape, const aclTensor* weightOptional,
    const aclTensor* biasOptional, double eps, aclTensor* out, aclTensor* meanOutOptional,
    aclTensor* rstdOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFastLayerNorm(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LAYER_NORM_H_
