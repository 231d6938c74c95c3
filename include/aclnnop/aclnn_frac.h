// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FRAC_H_
#define ANYACL_ACLNNOP_ACLNN_FRAC_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFrac: out = the fraction of input, with its sign.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape
//   out    type of input; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/sub/docs/aclnnFrac&aclnnInplaceFrac.md
ACLNN_API aclnnStatus aclnnFracGetWorkspaceSize(const aclTensor* input, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFrac(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

// aclnnInplaceFrac: inputRef = the fraction of inputRef, with its sign.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   inputRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape; changed in place
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/sub/docs/aclnnFrac&aclnnInplaceFrac.md
ACLNN_API aclnnStatus aclnnInplaceFracGetWorkspaceSize(
    aclTensor* inputRef, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceFrac(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FRAC_H_
