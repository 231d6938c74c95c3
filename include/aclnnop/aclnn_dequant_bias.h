// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DEQUANT_BIAS_H_
#define ANYACL_ACLNNOP_ACLNN_DEQUANT_BIAS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDequantBias: out = x * weightScale * activateScaleOptional + biasOptional; an INT32 bias is
// added to x first.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                      INT32; [M N]; M at most 25000
//   weightScale            FLOAT, BF16; [N]
//   activateScaleOptional  FLOAT; [M]; may be null
//   biasOptional           FLOAT, FLOAT16, INT32, BF16; [N]; may be null; INT32 is added before the
//                          scales, others after them
//   outputDtype            number of the type of out: FLOAT16 for a weightScale of FLOAT, BF16 for
//                          one of BF16
//   out                    FLOAT16, BF16; [M N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: quant/dequant_bias/docs/aclnnDequantBias.md
ACLNN_API aclnnStatus aclnnDequantBiasGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weightScale, const aclTensor* activateScaleOptional,
    const aclTensor* biasOptional, int64_t outputDtype, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDequantBias(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DEQUANT_BIAS_H_
