// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADDMM_H_
#define ANYACL_ACLNNOP_ACLNN_ADDMM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddmm: out = beta * self + alpha * (mat1 @ mat2).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, BF16; [~MN*]
//   mat1          FLOAT, FLOAT16, BF16; [M K]
//   mat2          FLOAT, FLOAT16, BF16; [K N]; ND or FRACTAL_NZ
//   beta          a real number or an integer
//   alpha         a real number or an integer
//   out           FLOAT, FLOAT16, BF16; [M N]; output
//   cubeMathType  0 to 4; 1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has
//                 matrix registers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/mat_mul_v3/docs/aclnnAddmm&aclnnInplaceAddmm.md
ACLNN_API aclnnStatus aclnnAddmmGetWorkspaceSize(const aclTensor* self, const aclTensor* mat1,
                                                 const aclTensor* mat2, const aclScalar* beta,
                                                 const aclScalar* alpha, aclTensor* out,
                                                 int8_t cubeMathType, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddmm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

// aclnnInplaceAddmm: selfRef = beta * selfRef + alpha * (mat1 @ mat2).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef       FLOAT, FLOAT16, BF16; [M N]; changed in place
//   mat1          FLOAT, FLOAT16, BF16; [M K]
//   mat2          FLOAT, FLOAT16, BF16; [K N]; ND or FRACTAL_NZ
//   beta          a real number or an integer
//   alpha         a real number or an integer
//   cubeMathType  0 to 4; 1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has
//                 matrix registers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/mat_mul_v3/docs/aclnnAddmm&aclnnInplaceAddmm.md
ACLNN_API aclnnStatus aclnnInplaceAddmmGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* mat1, const aclTensor* mat2, const aclScalar* beta,
    const aclScalar* alpha, int8_t cubeMathType, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceAddmm(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

// aclnnAddmmWeightNz: out = beta * self + alpha * (mat1 @ mat2), mat2 in panels or as it is.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, BF16; [~MN*]
//   mat1          FLOAT16, BF16; [M K]
//   mat2          type of mat1; [K N]; ND or FRACTAL_NZ
//   beta          a real number or an integer
//   alpha         a real number or an integer
//   out           FLOAT, FLOAT16, BF16; [M N]; output
//   cubeMathType  0 to 4; 1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has
//                 matrix registers
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/mat_mul_v3/docs/aclnnAddmmWeightNz.md
ACLNN_API aclnnStatus aclnnAddmmWeightNzGetWorkspaceSize(
    const aclTensor* self, const aclTensor* mat1, const aclTensor* mat2, const aclScalar* beta,
    const aclScalar* alpha, aclTensor* out, int8_t cubeMathType, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddmmWeightNz(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADDMM_H_
