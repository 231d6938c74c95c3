// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LINALG_CHOLESKY_H_
#define ANYACL_ACLNNOP_ACLNN_LINALG_CHOLESKY_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLinalgCholesky: self = out @ transpose(out), out lower triangular, or transpose(out) @ out,
// out upper triangular, for each matrix of a batch.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self   FLOAT, FLOAT16, BF16; [B* N N]; symmetric and positive definite; up to 8192 rows
//   upper  whether out is the upper factor, of self's upper triangle; else the lower one
//   out    type of self; [B* N N]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/cholesky/docs/aclnnLinalgCholesky.md
ACLNN_API aclnnStatus aclnnLinalgCholeskyGetWorkspaceSize(
    const aclTensor* self, bool upper, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLinalgCholesky(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LINALG_CHOLESKY_H_
