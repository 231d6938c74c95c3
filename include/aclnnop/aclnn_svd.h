// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SVD_H_
#define ANYACL_ACLNNOP_ACLNN_SVD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSvd: input = u @ diag(sigma) @ transpose(v), sigma falling, for each matrix of a batch.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input         FLOAT, DOUBLE, COMPLEX64, COMPLEX128; [B* M N]
//   fullMatrices  whether u and v are square
//   computeUV     else u and v are left alone
//   sigma         FLOAT, DOUBLE, COMPLEX64, COMPLEX128; [S*]; output; of input's type, or the real
//                 one that it is made of
//   u             type of input; [U*]; output
//   v             type of input; [V*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/svd/docs/aclnnSvd.md
ACLNN_API aclnnStatus aclnnSvdGetWorkspaceSize(const aclTensor* input, bool fullMatrices,
                                               bool computeUV, aclTensor* sigma, aclTensor* u,
                                               aclTensor* v, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSvd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SVD_H_
