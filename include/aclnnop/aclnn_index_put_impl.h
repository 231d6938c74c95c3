// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_INDEX_PUT_IMPL_H_
#define ANYACL_ACLNNOP_ACLNN_INDEX_PUT_IMPL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnIndexPutImpl: selfRef[indices] = values, or += values.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef     FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape;
//               changed in place
//   indices     FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE,
//               BOOL, COMPLEX64, COMPLEX128, BF16; any shape; INT64, INT32 or BOOL; one without
//               elements stands for a whole dimension
//   values      type of selfRef; any shape
//   accumulate  add instead of replacing
//   unsafe      changes nothing: indices are always checked
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/index_put_v2/docs/aclnnIndexPutImpl.md
ACLNN_API aclnnStatus aclnnIndexPutImplGetWorkspaceSize(
    aclTensor* selfRef, const aclTensorList* indices, const aclTensor* values, bool accumulate,
    bool unsafe, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnIndexPutImpl(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_INDEX_PUT_IMPL_H_
