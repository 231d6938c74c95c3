// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LOGDET_H_
#define ANYACL_ACLNNOP_ACLNN_LOGDET_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLogdet: out = the natural logarithm of the determinant of self, for each matrix of a batch.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self  FLOAT, DOUBLE, COMPLEX64, COMPLEX128; [B* N N]
//   out   FLOAT, DOUBLE, COMPLEX64, COMPLEX128; [B*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/logdet/docs/aclnnLogdet.md
ACLNN_API aclnnStatus aclnnLogdetGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLogdet(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LOGDET_H_
