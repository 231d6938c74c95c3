// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_TRIANGULAR_SOLVE_H_
#define ANYACL_ACLNNOP_ACLNN_TRIANGULAR_SOLVE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnTriangularSolve: A @ xOut = self for each matrix of a batch, A being triangular; mOut is a
// copy of A.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self           FLOAT, DOUBLE, COMPLEX64, COMPLEX128; [~B* M K]
//   A              type of self; [~B* M M]
//   upper          whether A is upper triangular; the rest is not read
//   transpose      solves transpose(A) @ xOut = self
//   unitriangular  takes A's diagonal for ones; FLOAT alone, as the document says
//   xOut           type of self; [X*]; output
//   mOut           type of self; [Y*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/triangular_solve/docs/aclnnTriangularSolve.md
ACLNN_API aclnnStatus aclnnTriangularSolveGetWorkspaceSize(
    const aclTensor* self, const aclTensor* A, bool upper, bool transpose, bool unitriangular,
    aclTensor* xOut, aclTensor* mOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnTriangularSolve(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_TRIANGULAR_SOLVE_H_
