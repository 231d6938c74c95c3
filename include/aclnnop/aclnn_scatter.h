// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SCATTER_H_
#define ANYACL_ACLNNOP_ACLNN_SCATTER_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnScatter: out = self, and then out[i, index[i, j, k], k] = src[i, j, k], or += or *=.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE, BOOL,
//           COMPLEX64, COMPLEX128, BF16; [A*]
//   dim     counts from the end if negative
//   index   INT32, INT64; [I*]
//   src     type of self; any shape
//   reduce  0 to 2; 0 replaces, 1 adds, 2 multiplies
//   out     type of self; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/scatter_elements_v2/docs/aclnnScatter&aclnnInplaceScatter.md
ACLNN_API aclnnStatus aclnnScatterGetWorkspaceSize(
    const aclTensor* self, int64_t dim, const aclTensor* index, const aclTensor* src,
    int64_t reduce, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScatter(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

// aclnnInplaceScatter: selfRef[i, index[i, j, k], k] = src[i, j, k], or += or *=.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE,
//            BOOL, COMPLEX64, COMPLEX128, BF16; any shape; changed in place
//   dim      counts from the end if negative
//   index    INT32, INT64; [I*]
//   src      type of selfRef; any shape
//   reduce   0 to 2; 0 replaces, 1 adds, 2 multiplies
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/scatter_elements_v2/docs/aclnnScatter&aclnnInplaceScatter.md
ACLNN_API aclnnStatus aclnnInplaceScatterGetWorkspaceSize(
    aclTensor* selfRef, int64_t dim, const aclTensor* index, const aclTensor* src, int64_t reduce,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceScatter(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

// aclnnScatterValue: out = self, and then out[i, index[i, j, k], k] = value, or += or *=.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE, BOOL,
//           COMPLEX64, COMPLEX128, BF16; [A*]
//   dim     counts from the end if negative
//   index   INT32, INT64; [I*]
//   reduce  0 to 2; 0 replaces, 1 adds, 2 multiplies
//   out     type of self; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// index/scatter_elements_v2/docs/aclnnScatterValue&aclnnInplaceScatterValue.md
ACLNN_API aclnnStatus aclnnScatterValueGetWorkspaceSize(
    const aclTensor* self, int64_t dim, const aclTensor* index, const aclScalar* value,
    int64_t reduce, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnScatterValue(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceScatterValue: selfRef[i, index[i, j, k], k] = value, or += or *=.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE,
//            BOOL, COMPLEX64, COMPLEX128, BF16; any shape; changed in place
//   dim      counts from the end if negative
//   index    INT32, INT64; [I*]
//   reduce   0 to 2; 0 replaces, 1 adds, 2 multiplies
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// index/scatter_elements_v2/docs/aclnnScatterValue&aclnnInplaceScatterValue.md
ACLNN_API aclnnStatus aclnnInplaceScatterValueGetWorkspaceSize(
    aclTensor* selfRef, int64_t dim, const aclTensor* index, const aclScalar* value, int64_t reduce,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceScatterValue(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SCATTER_H_
