// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LINALG_VECTOR_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_LINALG_VECTOR_NORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLinalgVectorNorm: out = (sum over dims of |self|^ord)^(1 / ord).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self      FLOAT, FLOAT16, BF16; any shape
//   ord       any number, infinite too
//   dims      may be null; null or empty: all dimensions
//   keepDims  keep the reduced dimensions, with size 1
//   dtype     the type of out: self becomes it before the sum
//   out       FLOAT, FLOAT16, BF16; [R*]; output; self's shape without the reduced dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/lp_norm_v2/docs/aclnnLinalgVectorNorm.md
ACLNN_API aclnnStatus aclnnLinalgVectorNormGetWorkspaceSize(
    const aclTensor* self, const aclScalar* ord, const aclIntArray* dims, bool keepDims,
    aclDataType dtype, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLinalgVectorNorm(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LINALG_VECTOR_NORM_H_
