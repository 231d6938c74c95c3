// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantizedBatchNorm: y = ((input - inputZeroPoint) * inputScale - mean) / sqrt(var + epsilon)
// * weight + bias of each channel, output = rint(y / outputScale + outputZeroPoint), held within
// its type.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input            INT8, INT32, UINT8; [N C H W]; without elements refused
//   mean             FLOAT; [C]
//   var              FLOAT; [C]
//   inputZeroPoint   within input's type
//   outputScale      not 0
//   outputZeroPoint  within input's type
//   weight           FLOAT; [C]; may be null; null stands for ones
//   bias             FLOAT; [C]; may be null; null stands for zeros
//   epsilon          added to the variance
//   output           type of input; [N C H W]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/quantized_batch_norm/docs/aclnnQuantizedBatchNorm.md
ACLNN_API aclnnStatus aclnnQuantizedBatchNormGetWorkspaceSize(
    const aclTensor* input, const aclTensor* mean, const aclTensor* var,
    const aclScalar* inputScale, const aclScalar* inputZeroPoint, const aclScalar* outputScale,
    const aclScalar* outputZeroPoint, const aclTensor* weight, const aclTensor* bias, float epsilon,
    aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantizedBatchNorm(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANTIZED_BATCH_NORM_H_
