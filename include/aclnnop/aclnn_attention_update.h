// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ATTENTION_UPDATE_H_
#define ANYACL_ACLNNOP_ACLNN_ATTENTION_UPDATE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAttentionUpdate: lseOut = ln(sum over i of exp(lse[i])), out = sum over i of localOut[i] *
// exp(lse[i] - lseOut).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   lse         FLOAT; [R]; 1 to 128 parts: the logarithm of a row's sum of exponentials; infinite:
//               no keys
//   localOut    FLOAT, FLOAT16, BF16; [R D]; as many parts, all of one type; D a multiple of 8, at
//               most 512
//   updateType  0 to 1; 1: lseOut is written, too
//   out         type of localOut; [R D]; output
//   lseOut      FLOAT; [R]; output; may be null; given if updateType is 1, and only then
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: attention/attention_update/docs/aclnnAttentionUpdate.md
ACLNN_API aclnnStatus aclnnAttentionUpdateGetWorkspaceSize(
    const aclTensorList* lse, const aclTensorList* localOut, int64_t updateType, aclTensor* out,
    aclTensor* lseOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAttentionUpdate(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ATTENTION_UPDATE_H_
