// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SWI_GLU_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_SWI_GLU_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSwiGluQuant: aclnnSwiGluQuantV2 to INT8, of groups that groupIndexOptional tells the ends
// of.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                     FLOAT, FLOAT16, BF16; [B.. W]; W is 2H
//   smoothScalesOptional  FLOAT; [S] or [G H]; may be null; [G], or [G, H], or [H] of one group;
//                         needed if static
//   offsetsOptional       FLOAT; [S] or [G H]; may be null; as smoothScalesOptional; needed if
//                         static, else without effect
//   groupIndexOptional    INT32; [G]; may be null; null: one group has all rows
//   activateLeft          which half is activated
//   quantModeOptional     may be null; static or dynamic, which null is
//   yOut                  INT8; [B.. H]; output
//   scaleOut              FLOAT; any shape; output; may be null; x's shape without W; if dynamic
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/swi_glu_quant/docs/aclnnSwiGluQuant.md
ACLNN_API aclnnStatus aclnnSwiGluQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* offsetsOptional,
    const aclTensor* groupIndexOptional, bool activateLeft, char* quantModeOptional,
    const aclTensor* yOut, const aclTensor* scaleOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSwiGluQuant(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SWI_GLU_QUANT_H_
