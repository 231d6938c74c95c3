// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCATTER_REDUCE_H_
#define ANYACL_ACLNNOP_ACLNN_SCATTER_REDUCE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnScatterReduce: out = self, and then out[i, index[i, j, k], k] += src[i, j, k].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self         FLOAT; [A*]
//   dim          counts from the end if negative
//   index        INT32, INT64; [I*]
//   src          type of self; any shape
//   reduce       1; 1 adds
//   includeSelf  true
//   out          type of self; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// index/scatter_elements_v2/docs/aclnnScatterReduce&aclnnInplaceScatterReduce.md
ACLNN_API aclnnStatus aclnnScatterReduceGetWorkspaceSize(
    const aclTensor* self, int64_t dim, const aclTensor* index, const aclTensor* src,
    int64_t reduce, bool includeSelf, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScatterReduce(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceScatterReduce: selfRef[i, index[i, j, k], k] += src[i, j, k].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef      FLOAT; any shape; changed in place
//   dim          counts from the end if negative
//   index        INT32, INT64; [I*]
//   src          type of selfRef; any shape
//   reduce       1; 1 adds
//   includeSelf  true
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// index/scatter_elements_v2/docs/aclnnScatterReduce&aclnnInplaceScatterReduce.md
ACLNN_API aclnnStatus aclnnInplaceScatterReduceGetWorkspaceSize(
    aclTensor* selfRef, int64_t dim, const aclTensor* index, const aclTensor* src, int64_t reduce,
    bool includeSelf, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceScatterReduce(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCATTER_REDUCE_H_
