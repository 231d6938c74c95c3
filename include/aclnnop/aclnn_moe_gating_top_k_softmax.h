// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MOE_GATING_TOP_K_SOFTMAX_H_
#define ANYACL_ACLNNOP_ACLNN_MOE_GATING_TOP_K_SOFTMAX_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMoeGatingTopKSoftmax: the k largest of each row of softmax(x), in order, and which they are.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                 FLOAT, FLOAT16, BF16; [N E] or [M N E]
//   finishedOptional  BOOL; [N] or [M N]; may be null; the row's experts are E, which is none
//   k                 0 to 1024; at most E
//   yOut              type of x; [N k] or [M N k]; output
//   expertIdxOut      INT32; [N k] or [M N k]; output
//   rowIdxOut         INT32; [N k] or [M N k]; output; column times rows plus row, as InitRouting
//                     wants it
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: moe/moe_gating_top_k_softmax/docs/aclnnMoeGatingTopKSoftmax.md
ACLNN_API aclnnStatus aclnnMoeGatingTopKSoftmaxGetWorkspaceSize(
    const aclTensor* x, const aclTensor* finishedOptional, int64_t k, const aclTensor* yOut,
    const aclTensor* expertIdxOut, const aclTensor* rowIdxOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMoeGatingTopKSoftmax(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MOE_GATING_TOP_K_SOFTMAX_H_
