// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CLIPPED_SWIGLU_H_
#define ANYACL_ACLNNOP_ACLNN_CLIPPED_SWIGLU_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnClippedSwiglu: out = a sigmoid(alpha a) (b + bias), of the parts of x along dim a = min(x_a,
// limit) and b = min(max(x_b, -limit), limit).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                   FLOAT, FLOAT16, BF16; any shape; of even size in dim
//   groupIndexOptional  INT64; [G]; may be null; rows, of the dimensions before dim, in each group;
//                       null: all
//   dim                 counts from the end if negative
//   limit               above 0
//   interleaved         every other element, of the last dimension
//   out                 type of x; [Y*]; output; x's shape with half the size
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/clipped_swiglu/docs/aclnnClippedSwiglu.md
ACLNN_API aclnnStatus aclnnClippedSwigluGetWorkspaceSize(
    const aclTensor* x, const aclTensor* groupIndexOptional, int64_t dim, double alpha,
    double limit, double bias, bool interleaved, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnClippedSwiglu(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CLIPPED_SWIGLU_H_
