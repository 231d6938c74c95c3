// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnThnnFusedLstmCellBackward: c = gradHy o (1 - tanh(cy)^2) + gradC; gradCxOut = c f;
// gradGatesOut = c g i (1 - i), c cx f (1 - f), c i (1 - g^2), gradHy tanh(cy) o (1 - o);
// gradBiasOut = their sums over B.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradHyOptional  type of cx; [B H]; may be null; null: zeros
//   gradCOptional   type of cx; [B H]; may be null; null: zeros
//   cx              FLOAT, FLOAT16; [B H]
//   cy              type of cx; [B H]
//   storage         type of cx; [B G]; G is 4H: i, f, g, o
//   hasBias         whether gradBiasOut is written
//   gradGatesOut    type of cx; [B G]; output
//   gradCxOut       type of cx; [B H]; output
//   gradBiasOut     type of cx; [G]; output; any tensor where hasBias is false
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: rnn/thnn_fused_lstm_cell_grad/docs/aclnnThnnFusedLstmCellBackward.md
ACLNN_API aclnnStatus aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(
    const aclTensor* gradHyOptional, const aclTensor* gradCOptional, const aclTensor* cx,
    const aclTensor* cy, const aclTensor* storage, bool hasBias, aclTensor* gradGatesOut,
    aclTensor* gradCxOut, aclTensor* gradBiasOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnThnnFusedLstmCellBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_BACKWARD_H_
