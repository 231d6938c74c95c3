// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCATTER_LIST_H_
#define ANYACL_ACLNNOP_ACLNN_SCATTER_LIST_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnScatterList: varRef[b] from indice[b] along axis on = updates[b].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   varRef          FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, BF16; [V..]; changed
//                   in place; B tensors of one shape and of updates' type
//   indice          INT32, INT64; [B] or [B 2]; where each slice begins along axis; rank 2: that,
//                   and how much of it is taken
//   updates         FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, BF16; [B U..]; a
//                   slice for each tensor: its shape but for axis, where it is at most as long
//   maskOptional    UINT8; [B]; may be null; 1: the tensor is updated; without it all are
//   reduceOptional  may be null; null or update
//   axis            of updates, not 0; counts from the end if negative
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   161002  what breaks a rule about values or what goes together
//   561002  any other wrong argument
// CANN's document: ops-nn: index/scatter_list/docs/aclnnScatterList.md
ACLNN_API aclnnStatus aclnnScatterListGetWorkspaceSize(
    aclTensorList* varRef, const aclTensor* indice, const aclTensor* updates,
    const aclTensor* maskOptional, char* reduceOptional, int64_t axis, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScatterList(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCATTER_LIST_H_
