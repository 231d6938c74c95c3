// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CDIST_H_
#define ANYACL_ACLNNOP_ACLNN_CDIST_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCdist: out[i, j] = (sum over m of |x1[i, m] - x2[j, m]|^p)^(1 / p), for each of a batch.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1            FLOAT, FLOAT16, BF16; [X* P M]
//   x2            type of x1; [Y* R M]; leading sizes broadcast
//   p             0 or more, infinite too
//   compute_mode  2 where p is; without effect
//   out           type of x1; [O* P R]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/cdist/docs/aclnnCdist.md
ACLNN_API aclnnStatus aclnnCdistGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2, float p,
                                                 int64_t compute_mode, aclTensor* out,
                                                 uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCdist(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CDIST_H_
