// SPDX-License-Identifier: Apache-2.0
// aclnnGroupNorm: group normalisation, with the statistics that its gradients need.
#ifndef ANYACL_ACLNNOP_ACLNN_GROUP_NORM_H_
#define ANYACL_ACLNNOP_ACLNN_GROUP_NORM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments, tells the workspace in bytes and creates the executor. All
// tensors have the type of self.
//   self             FLOAT, FLOAT16 or BFLOAT16, rank 2 to 8: N, C, and the rest, HxW elements
//   gamma, beta      [C]; null stands for ones and zeros
//   N, C, HxW, group sizes; group divides C
//   eps              added to the variance; more than 0
//   out              shape of self
//   meanOut, rstdOut [N, group]
//   161001  a required pointer is null
//   161002  any other wrong argument
ACLNN_API aclnnStatus aclnnGroupNormGetWorkspaceSize(const aclTensor* self, const aclTensor* gamma,
                                                     const aclTensor* beta, int64_t N, int64_t C,
                                                     int64_t HxW, int64_t group, double eps,
                                                     aclTensor* out, aclTensor* meanOut,
                                                     aclTensor* rstdOut, uint64_t* workspaceSize,
                                                     aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupNorm(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUP_NORM_H_
