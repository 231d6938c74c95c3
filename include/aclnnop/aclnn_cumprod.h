// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CUMPROD_H_
#define ANYACL_ACLNNOP_ACLNN_CUMPROD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCumprod: out[i] = input[0] * ... * input[i] along dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE, BOOL,
//          BF16; [A*]
//   dim    counts from the end if negative
//   dtype  the type of out, or ACL_DT_UNDEFINED; elements become it before the product
//   out    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE, BOOL,
//          BF16; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/cumprod/docs/aclnnCumprod&aclnnInplaceCumprod.md
ACLNN_API aclnnStatus aclnnCumprodGetWorkspaceSize(
    const aclTensor* input, const aclScalar* dim, aclDataType dtype, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCumprod(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

// aclnnInplaceCumprod: input[i] = input[0] * ... * input[i] along dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   input  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE, BOOL,
//          BF16; [A*]; changed in place
//   dim    counts from the end if negative
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/cumprod/docs/aclnnCumprod&aclnnInplaceCumprod.md
ACLNN_API aclnnStatus aclnnInplaceCumprodGetWorkspaceSize(
    aclTensor* input, const aclScalar* dim, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceCumprod(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CUMPROD_H_
