// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_APPLY_ROTARY_POS_EMB_H_
#define ANYACL_ACLNNOP_ACLNN_APPLY_ROTARY_POS_EMB_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnApplyRotaryPosEmb: queryRef and keyRef: (a, b) -> (a cos - b sin, b cos + a sin) for the
// pairs (a, b) of each row.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   queryRef  FLOAT, FLOAT16, BF16; [Q.. D]; changed in place; in the order of layout; D is even
//   keyRef    type of queryRef; [K.. D]; changed in place; queryRef's shape but for heads
//   cos       type of queryRef; [C.. D]; queryRef's shape with one head; of one batch for all, too
//   sin       type of queryRef; [C.. D]; as cos
//   layout    1 to 4; 1: BSND, 2: SBND, 3: BNSD, 4: TND
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// posembedding/apply_rotary_pos_emb/docs/aclnnApplyRotaryPosEmb.md
ACLNN_API aclnnStatus aclnnApplyRotaryPosEmbGetWorkspaceSize(
    aclTensor* queryRef, aclTensor* keyRef, const aclTensor* cos, const aclTensor* sin,
    int64_t layout, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnApplyRotaryPosEmb(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_APPLY_ROTARY_POS_EMB_H_
