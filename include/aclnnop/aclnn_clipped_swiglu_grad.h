// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CLIPPED_SWIGLU_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_CLIPPED_SWIGLU_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnClippedSwigluGrad: of the parts of gradXOut along dim one is gradY (b + bias) s (1 + alpha a
// (1 - s)) where x_a <= limit, the other gradY a s where -limit <= x_b <= limit, else 0: s =
// sigmoid(alpha a), a = min(x_a, limit), b = min(max(x_b, -limit), limit).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradY               FLOAT, FLOAT16, BF16; [Y*]; x's shape with half the size in dim
//   x                   type of gradY; [X*]; of even size in dim
//   groupIndexOptional  INT64; [G]; may be null; rows, of the dimensions before dim, in each group;
//                       null: all
//   dim                 counts from the end if negative
//   limit               above 0
//   interleaved         every other element, of the last dimension
//   gradXOut            type of gradY; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: activation/clipped_swiglu_grad/docs/aclnnClippedSwigluGrad.md
ACLNN_API aclnnStatus aclnnClippedSwigluGradGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* x, const aclTensor* groupIndexOptional, int64_t dim,
    double alpha, double limit, double bias, bool interleaved, const aclTensor* gradXOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnClippedSwigluGrad(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CLIPPED_SWIGLU_GRAD_H_
