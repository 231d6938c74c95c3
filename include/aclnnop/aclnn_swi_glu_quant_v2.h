// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SWI_GLU_QUANT_V2_H_
#define ANYACL_ACLNNOP_ACLNN_SWI_GLU_QUANT_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSwiGluQuantV2: w = (a / (1 + e^-a) * b of x's halves) * smoothScales; static: yOut = rint(w
// + offsets); dynamic: scaleOut = 127 / max|w|, of INT4 7 / max|w|, yOut = rint(w * scaleOut).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT, FLOAT16, BF16; [B.. W]; W is 2H
//   smoothScalesOptional  FLOAT; [S] or [G H]; may be null; [G], or [G, H], or [H] of one group;
//                         needed if static
//   offsetsOptional       FLOAT; [S] or [G H]; may be null; as smoothScalesOptional; needed if
//                         static, else without effect
//   groupIndexOptional    INT32; [G]; may be null; null: one group has all rows
//   activateLeft          which half is activated
//   quantModeOptional     may be null; static or dynamic
//   groupListType         0 to 1; 0: where each group's rows end, 1: how many they are
//   dstType               2: INT8, 29: INT4
//   yOut                  INT8, INT4; [B.. Y]; output; Y is H; an INT8 tensor of H/2 holds two INT4
//                         in each byte
//   scaleOut              FLOAT; any shape; output; may be null; x's shape without W; if dynamic
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/swi_glu_quant/docs/aclnnSwiGluQuantV2.md
ACLNN_API aclnnStatus aclnnSwiGluQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* offsetsOptional,
    const aclTensor* groupIndexOptional, bool activateLeft, char* quantModeOptional,
    int64_t groupListType, int64_t dstType, const aclTensor* yOut, const aclTensor* scaleOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSwiGluQuantV2(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SWI_GLU_QUANT_V2_H_
