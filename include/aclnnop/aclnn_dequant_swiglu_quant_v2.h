// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DEQUANT_SWIGLU_QUANT_V2_H_
#define ANYACL_ACLNNOP_ACLNN_DEQUANT_SWIGLU_QUANT_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDequantSwigluQuantV2: aclnnDequantSwigluQuant with further forms of SwiGlu.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                        FLOAT16, INT32, BF16; [B.. W]; W is 2H
//   weightScaleOptional      FLOAT; [W] or [P W]; may be null; of each group; needed with an INT32
//                            x, and only there, as the next two
//   activationScaleOptional  FLOAT; any shape; may be null; of each row: x's shape without W, or
//                            with 1 for it
//   biasOptional             FLOAT, FLOAT16, INT32, BF16; [W] or [P W]; may be null; of each group;
//                            INT32 is added before the scales, others after them
//   quantScaleOptional       FLOAT; [S] or [G H]; may be null; [G], or [G, H], or [H] of one group;
//                            needed if static
//   quantOffsetOptional      FLOAT; [S] or [G H]; may be null; as quantScaleOptional; needed if
//                            static, else without effect
//   groupIndexOptional       INT64; [G]; may be null; how many rows each group has; null: one has
//                            all
//   activateLeft             which half is activated
//   quantModeOptional        may be null; static (or null) or dynamic
//   dstType                  2; INT8
//   roundModeOptional        may be null; rint, or null
//   activateDim              the last dimension
//   swigluMode               0 to 3; 0: a / (1 + e^-a) * b of halves; 1: a / (1 + e^-(gluAlpha a))
//                            * (b + gluBias) of neighbours, 2: of halves, a and b held within
//                            clampLimit; 3: as 0, both factors held there
//   clampLimit               above 0 and finite
//   yOut                     INT8; [B.. H]; output
//   scaleOut                 FLOAT; any shape; output; x's shape without W; if dynamic
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/dequant_swiglu_quant/docs/aclnnDequantSwigluQuantV2.md
ACLNN_API aclnnStatus aclnnDequantSwigluQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* weightScaleOptional,
    const aclTensor* activationScaleOptional, const aclTensor* biasOptional,
    const aclTensor* quantScaleOptional, const aclTensor* quantOffsetOptional,
    const aclTensor* groupIndexOptional, bool activateLeft, char* quantModeOptional,
    int64_t dstType, char* roundModeOptional, int64_t activateDim, int64_t swigluMode,
    double clampLimit, double gluAlpha, double gluBias, const aclTensor* yOut,
    const aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDequantSwigluQuantV2(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DEQUANT_SWIGLU_QUANT_V2_H_
