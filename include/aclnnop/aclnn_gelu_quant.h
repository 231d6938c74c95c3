// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GELU_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_GELU_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGeluQuant: g = gelu(self); static: y = rint(g * inputScale + inputOffset); dynamic: g times
// inputScale, outScale = max |g| / 127 of each row, y = rint(g / outScale).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self                 FLOAT, FLOAT16, BF16; any shape; not empty; dynamic of rank 2 or more
//   inputScaleOptional   FLOAT, FLOAT16, BF16; [S]; may be null; [1], or a number for each column;
//                        static needs it
//   inputOffsetOptional  FLOAT, FLOAT16, BF16; [S]; may be null; of the scale's type; without
//                        effect on dynamic
//   approximate          none or tanh
//   quantMode            static or dynamic
//   roundMode            rint
//   dstType              number of the type of y: 2
//   y                    INT8; any shape; output
//   outScaleOptional     FLOAT; any shape; output; may be null; dynamic: self's shape without the
//                        last dimension; static: null
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/gelu_quant/docs/aclnnGeluQuant.md
ACLNN_API aclnnStatus aclnnGeluQuantGetWorkspaceSize(
    const aclTensor* self, const aclTensor* inputScaleOptional,
    const aclTensor* inputOffsetOptional, const char* approximate, const char* quantMode,
    const char* roundMode, int64_t dstType, const aclTensor* y, const aclTensor* outScaleOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGeluQuant(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GELU_QUANT_H_
