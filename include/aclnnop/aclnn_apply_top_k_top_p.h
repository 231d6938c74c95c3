// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_APPLY_TOP_K_TOP_P_H_
#define ANYACL_ACLNNOP_ACLNN_APPLY_TOP_K_TOP_P_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnApplyTopKTopP: out = logits, -infinity below the k-th largest of a row, then where the sum
// of the softmax up to an element, from the smallest on, is at most 1 - p.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   logits  FLOAT, FLOAT16, BF16; [B V]
//   p       type of logits; [B]; may be null; null: no row is filtered by it; p or k is given
//   k       INT32; [B]; may be null; null, 0 or less, V or more: no filter of the row by it
//   out     type of logits; [B V]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/apply_top_k_top_p_with_sorted/docs/aclnnApplyTopKTopP.md
ACLNN_API aclnnStatus aclnnApplyTopKTopPGetWorkspaceSize(
    const aclTensor* logits, const aclTensor* p, const aclTensor* k, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnApplyTopKTopP(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_APPLY_TOP_K_TOP_P_H_
