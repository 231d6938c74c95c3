// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_INDEX_ADD_V2_H_
#define ANYACL_ACLNNOP_ACLNN_INDEX_ADD_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnIndexAddV2: out = self, and then out[a, index[i], b] += alpha * source[a, i, b], alpha 1 if
// mode is 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE, BOOL,
//           COMPLEX64, COMPLEX128, BF16; [A*]
//   dim     counts from the end if negative
//   index   INT32, INT64; [I*]
//   source  type of self; any shape
//   alpha   counts unless mode is 0
//   mode    0: self is a matrix of FLOAT, FLOAT16, BF16, INT32 or INT16, dim its first
//   out     type of self; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/inplace_scatter_add/docs/aclnnIndexAddV2.md
ACLNN_API aclnnStatus aclnnIndexAddV2GetWorkspaceSize(
    const aclTensor* self, int64_t dim, const aclTensor* index, const aclTensor* source,
    const aclScalar* alpha, int64_t mode, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnIndexAddV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_INDEX_ADD_V2_H_
