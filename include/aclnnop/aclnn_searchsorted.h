// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SEARCHSORTED_H_
#define ANYACL_ACLNNOP_ACLNN_SEARCHSORTED_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSearchSorted: the first place j with sortedSequence[j] >= self[i], or > if right.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   sortedSequence  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BF16; any shape
//   self            FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BF16; [A*]
//   outInt32        out is INT32, else INT64
//   right           behind equal elements, else before them
//   sorter          INT64; any shape; may be null
//   out             INT32, INT64; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/search_sorted/docs/aclnnSearchSorted.md
ACLNN_API aclnnStatus aclnnSearchSortedGetWorkspaceSize(
    const aclTensor* sortedSequence, const aclTensor* self, bool outInt32, bool right,
    const aclTensor* sorter, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSearchSorted(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

// aclnnSearchSorteds: the first place j with sortedSequence[j] >= self, or > if right.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   sortedSequence  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BF16; [N]
//   outInt32        out is INT32, else INT64
//   right           behind equal elements, else before them
//   sorter          INT64; [N]; may be null
//   out             INT32, INT64; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/search_sorted/docs/aclnnSearchSorteds.md
ACLNN_API aclnnStatus aclnnSearchSortedsGetWorkspaceSize(
    const aclTensor* sortedSequence, const aclScalar* self, bool outInt32, bool right,
    const aclTensor* sorter, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSearchSorteds(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SEARCHSORTED_H_
