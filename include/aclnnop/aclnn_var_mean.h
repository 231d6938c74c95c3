// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_VAR_MEAN_H_
#define ANYACL_ACLNNOP_ACLNN_VAR_MEAN_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnVarMean: varOut = sum over dim of (self - mean)^2 / max(0, n - correction), meanOut = mean.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, BF16; any shape
//   dim         may be null; null or empty: all dimensions
//   correction  taken from the number of elements
//   keepdim     keep the reduced dimensions, with size 1
//   varOut      FLOAT, FLOAT16, BF16; [R*]; output; self's shape without the reduced dimensions
//   meanOut     FLOAT, FLOAT16, BF16; [R*]; output; the mean
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/reduce_var/docs/aclnnVarMean.md
ACLNN_API aclnnStatus aclnnVarMeanGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* dim, int64_t correction, bool keepdim,
    aclTensor* varOut, aclTensor* meanOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnVarMean(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_VAR_MEAN_H_
