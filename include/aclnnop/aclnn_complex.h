// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_COMPLEX_H_
#define ANYACL_ACLNNOP_ACLNN_COMPLEX_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnComplex: out = real + i imag.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   real  FLOAT, FLOAT16, DOUBLE; any shape
//   imag  FLOAT, FLOAT16, DOUBLE; any shape
//   out   COMPLEX64, COMPLEX128, COMPLEX32; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/complex/docs/aclnnComplex.md
ACLNN_API aclnnStatus aclnnComplexGetWorkspaceSize(
    const aclTensor* real, const aclTensor* imag, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnComplex(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_COMPLEX_H_
