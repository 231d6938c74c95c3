// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_H_
#define ANYACL_ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnThnnFusedLstmCell: storageOut = i, f, g, o, sigmoids (of g tanh) of the sum of gates and
// biases; cyOut = f cx + i g, hyOut = o tanh(cyOut).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   inputGates          FLOAT, FLOAT16; [B G]; G is 4H: i, f, g, o
//   hiddenGates         type of inputGates; [B G]
//   cx                  type of inputGates; [B H]
//   inputBiasOptional   type of inputGates; [G]; may be null; given if hiddenBiasOptional is
//   hiddenBiasOptional  type of inputGates; [G]; may be null
//   hyOut               type of inputGates; [B H]; output
//   cyOut               type of inputGates; [B H]; output
//   storageOut          type of inputGates; [B G]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: rnn/thnn_fused_lstm_cell/docs/aclnnThnnFusedLstmCell.md
ACLNN_API aclnnStatus aclnnThnnFusedLstmCellGetWorkspaceSize(
    const aclTensor* inputGates, const aclTensor* hiddenGates, const aclTensor* cx,
    const aclTensor* inputBiasOptional, const aclTensor* hiddenBiasOptional, aclTensor* hyOut,
    aclTensor* cyOut, aclTensor* storageOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnThnnFusedLstmCell(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_THNN_FUSED_LSTM_CELL_H_
