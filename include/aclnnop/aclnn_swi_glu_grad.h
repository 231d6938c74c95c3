// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SWI_GLU_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_SWI_GLU_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSwiGluGrad: out = yGrad b (s + s (1 - s) a) and yGrad s a, s = 1 / (1 + e^-a), a and b being
// the halves of x along dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   yGrad  FLOAT, FLOAT16, BF16; [Y*]; x's shape with half the size in dim
//   x      type of yGrad; [X*]
//   dim    counts from the end if negative
//   out    type of yGrad; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/swi_glu_grad/docs/aclnnSwiGluGrad.md
ACLNN_API aclnnStatus aclnnSwiGluGradGetWorkspaceSize(
    const aclTensor* yGrad, const aclTensor* x, int64_t dim, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSwiGluGrad(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SWI_GLU_GRAD_H_
