// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_VAR_H_
#define ANYACL_ACLNNOP_ACLNN_VAR_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnVar: out = variance of self over dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self      FLOAT, FLOAT16, BF16; any shape
//   dim       may be null; null or empty: all dimensions
//   unbiased  divide by the number of elements less 1
//   keepdim   keep the reduced dimensions, with size 1
//   out       FLOAT, FLOAT16, BF16; [R*]; output; self's shape without the reduced dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/reduce_var/docs/aclnnVar.md
ACLNN_API aclnnStatus aclnnVarGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                               bool unbiased, bool keepdim, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnVar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

// aclnnVarCorrection: out = sum over dim of (self - mean)^2 / max(0, n - correction).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, BF16; any shape
//   dim         may be null; null or empty: all dimensions
//   correction  taken from the number of elements
//   keepdim     keep the reduced dimensions, with size 1
//   out         FLOAT, FLOAT16, BF16; [R*]; output; self's shape without the reduced dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/reduce_var/docs/aclnnVarCorrection.md
ACLNN_API aclnnStatus aclnnVarCorrectionGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* dim, int64_t correction, bool keepdim, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnVarCorrection(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_VAR_H_
