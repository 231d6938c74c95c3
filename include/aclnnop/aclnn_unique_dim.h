// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_UNIQUE_DIM_H_
#define ANYACL_ACLNNOP_ACLNN_UNIQUE_DIM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnUniqueDim: the distinct slices of self along dim in order.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self           FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64,
//                  DOUBLE, BOOL, BF16; [A*]
//   sorted         changes nothing: they always are
//   dim            counts from the end if negative
//   valueOut       type of self; [A*]; contiguous; output; as if all elements differed; its shape
//                  is set when the task runs
//   inverseOut     INT64; [I*]; output
//   countsOut      INT64; [C*]; contiguous; output; as if all elements differed; its shape is set
//                  when the task runs
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/unique_with_counts_ext2/docs/aclnnUniqueDim.md
ACLNN_API aclnnStatus aclnnUniqueDimGetWorkspaceSize(
    const aclTensor* self, bool sorted, bool returnInverse, int64_t dim, aclTensor* valueOut,
    aclTensor* inverseOut, aclTensor* countsOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnUniqueDim(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UNIQUE_DIM_H_
