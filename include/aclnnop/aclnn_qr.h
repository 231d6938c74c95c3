// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QR_H_
#define ANYACL_ACLNNOP_ACLNN_QR_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQr: self = Q @ R, Q with orthonormal columns, R upper triangular, for each matrix of a
// batch.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self  FLOAT, FLOAT16, DOUBLE, COMPLEX64, COMPLEX128; [B* M N]
//   some  Q is [M, K] and R [K, N] with K = min(M, N), else [M, M] and [M, N]
//   Q     FLOAT, FLOAT16, DOUBLE, COMPLEX64, COMPLEX128; [Q*]; output
//   R     FLOAT, FLOAT16, DOUBLE, COMPLEX64, COMPLEX128; [R*]; output
//   561103  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/qr/docs/aclnnQr.md
ACLNN_API aclnnStatus aclnnQrGetWorkspaceSize(const aclTensor* self, bool some, aclTensor* Q,
                                              aclTensor* R, uint64_t* workspaceSize,
                                              aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQr(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QR_H_
