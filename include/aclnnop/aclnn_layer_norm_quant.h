// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LAYER_NORM_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_LAYER_NORM_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLayerNormQuant: res = rint(((x - mean) * rstd * gamma + beta) / scale + zeroPointsOptional),
// held within INT8.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                   FLOAT16, BF16; [B* D]
//   gamma               type of x; [D] or [1 D]
//   beta                type of x; [D] or [1 D]
//   scale               type of x; [1]; not 0
//   zeroPointsOptional  INT8; [1]
//   quantMode           0
//   epsilon             added to the variance; 0 or more
//   res                 INT8; [B* D]; output
//   scaleOut            FLOAT; any shape; output; may be null; of quantMode 1: of any shape, and
//                       not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/layer_norm_quant/docs/aclnnLayerNormQuant.md
ACLNN_API aclnnStatus aclnnLayerNormQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, const aclTensor* beta, const aclTensor* scale,
    const aclTensor* zeroPointsOptional, int32_t quantMode, double epsilon, aclTensor* res,
    aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLayerNormQuant(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LAYER_NORM_QUANT_H_
