// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ATAN2_H_
#define ANYACL_ACLNNOP_ACLNN_ATAN2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAtan2: out = the angle of the point (other, self).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self   FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape;
//          broadcast and promoted with the other input
//   other  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape;
//          broadcast and promoted with the other input
//   out    FLOAT, FLOAT16, DOUBLE, BF16; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/atan2/docs/aclnnAtan2&aclnnInplaceAtan2.md
ACLNN_API aclnnStatus aclnnAtan2GetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAtan2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

// aclnnInplaceAtan2: selfRef = the angle of the point (other, selfRef).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape;
//            changed in place
//   other    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape;
//            broadcast and promoted with the other input
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/atan2/docs/aclnnAtan2&aclnnInplaceAtan2.md
ACLNN_API aclnnStatus aclnnInplaceAtan2GetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceAtan2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ATAN2_H_
