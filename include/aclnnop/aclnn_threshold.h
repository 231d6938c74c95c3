// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_THRESHOLD_H_
#define ANYACL_ACLNNOP_ACLNN_THRESHOLD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnThreshold: out = self <= threshold ? value : self.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape
//   out        FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/threshold/docs/aclnnThreshold&aclnnInplaceThreshold.md
ACLNN_API aclnnStatus aclnnThresholdGetWorkspaceSize(
    const aclTensor* self, const aclScalar* threshold, const aclScalar* value, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnThreshold(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceThreshold: selfRef = selfRef <= threshold ? value : selfRef.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BF16; any shape; changed in place
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/threshold/docs/aclnnThreshold&aclnnInplaceThreshold.md
ACLNN_API aclnnStatus aclnnInplaceThresholdGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* threshold, const aclScalar* value, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceThreshold(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_THRESHOLD_H_
