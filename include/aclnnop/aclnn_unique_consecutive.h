// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_UNIQUE_CONSECUTIVE_H_
#define ANYACL_ACLNNOP_ACLNN_UNIQUE_CONSECUTIVE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnUniqueConsecutive: self without what repeats the element, or slice, before it.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self           FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64,
//                  DOUBLE, BOOL, COMPLEX64, COMPLEX128, BF16; [A*]
//   dim            1000: of all elements
//   valueOut       type of self; [V*]; contiguous; output; as if all elements differed; its shape
//                  is set when the task runs
//   inverseOut     INT32, INT64; [I*]; output
//   countsOut      type of inverseOut; [C*]; contiguous; output; as if all elements differed; its
//                  shape is set when the task runs
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/unique_consecutive/docs/aclnnUniqueConsecutive.md
ACLNN_API aclnnStatus aclnnUniqueConsecutiveGetWorkspaceSize(
    const aclTensor* self, bool returnInverse, bool returnCounts, int64_t dim, aclTensor* valueOut,
    aclTensor* inverseOut, aclTensor* countsOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnUniqueConsecutive(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UNIQUE_CONSECUTIVE_H_
