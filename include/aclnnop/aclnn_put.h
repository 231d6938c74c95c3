// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_PUT_H_
#define ANYACL_ACLNNOP_ACLNN_PUT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplacePut: selfRef[index[i]] = source[i], or += source[i], selfRef being taken as a vector.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef     FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, COMPLEX64,
//               COMPLEX128, BF16; any shape; changed in place
//   index       INT32, INT64; [I*]
//   source      type of selfRef; any shape
//   accumulate  add instead of replacing
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/scatter_nd_update/docs/aclnnInplacePut.md
ACLNN_API aclnnStatus aclnnInplacePutGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* index, const aclTensor* source, bool accumulate,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplacePut(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_PUT_H_
