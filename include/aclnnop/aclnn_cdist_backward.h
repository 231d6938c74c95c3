// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CDIST_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_CDIST_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCdistBackward: out[i, m] = the sum over j of grad[i, j] * d * |d|^(p - 2) / cdist[i, j]^(p -
// 1), d = x1[i, m] - x2[j, m].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   grad   FLOAT, FLOAT16, BF16; [B* P R]
//   x1     type of grad; [B* P M]
//   x2     type of grad; [~B* R M]
//   cdist  type of grad; [B* P R]
//   p      0 or more, infinite too, for which -1 stands as well
//   out    type of grad; [B* P M]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/cdist_grad/docs/aclnnCdistBackward.md
ACLNN_API aclnnStatus aclnnCdistBackwardGetWorkspaceSize(
    const aclTensor* grad, const aclTensor* x1, const aclTensor* x2, const aclTensor* cdist,
    float p, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCdistBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CDIST_BACKWARD_H_
