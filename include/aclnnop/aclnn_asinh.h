// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ASINH_H_
#define ANYACL_ACLNNOP_ACLNN_ASINH_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAsinh: out = asinh input.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, COMPLEX64, COMPLEX128,
//          BF16; any shape
//   out    FLOAT, FLOAT16, DOUBLE, COMPLEX64, COMPLEX128, BF16; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/asinh/docs/aclnnAsinh&aclnnInplaceAsinh.md
ACLNN_API aclnnStatus aclnnAsinhGetWorkspaceSize(const aclTensor* input, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAsinh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

// aclnnInplaceAsinh: inputRef = asinh inputRef.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   inputRef  FLOAT, FLOAT16, DOUBLE, COMPLEX64, COMPLEX128, BF16; any shape; changed in place
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/asinh/docs/aclnnAsinh&aclnnInplaceAsinh.md
ACLNN_API aclnnStatus aclnnInplaceAsinhGetWorkspaceSize(
    aclTensor* inputRef, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceAsinh(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ASINH_H_
