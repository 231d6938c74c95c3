// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MULTILABEL_MARGIN_LOSS_H_
#define ANYACL_ACLNNOP_ACLNN_MULTILABEL_MARGIN_LOSS_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMultilabelMarginLoss: out = the sum over a row's own classes i and all others k of max(0, 1
// - self[i] + self[k]), divided by C.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self       FLOAT, FLOAT16, BF16; any shape; [N, C] or [C]; [] is a single class
//   target     INT32, INT64; any shape; self's shape; the classes before the first -1 of a row are
//              its own
//   reduction  0 to 2; 0: none, 1: mean, 2: sum
//   out        type of self; any shape; output; [N], or one number where rows are reduced
//   isTarget   type of self; any shape; output; self's shape: 1 where a class is a row's own, else
//              0
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: loss/multilabel_margin_loss/docs/aclnnMultilabelMarginLoss.md
ACLNN_API aclnnStatus aclnnMultilabelMarginLossGetWorkspaceSize(
    const aclTensor* self, const aclTensor* target, int64_t reduction, aclTensor* out,
    aclTensor* isTarget, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMultilabelMarginLoss(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MULTILABEL_MARGIN_LOSS_H_
