// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADDCDIV_H_
#define ANYACL_ACLNNOP_ACLNN_ADDCDIV_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAddcdiv: out = self + value tensor1 / tensor2.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self     FLOAT, FLOAT16, INT64, DOUBLE, BF16; any shape; broadcast and promoted with the other
//            input
//   tensor1  FLOAT, FLOAT16, INT64, DOUBLE, BF16; any shape; broadcast and promoted with the other
//            input
//   tensor2  FLOAT, FLOAT16, INT64, DOUBLE, BF16; any shape; broadcast and promoted with the other
//            input
//   out      FLOAT, FLOAT16, INT64, DOUBLE, BF16; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/addcdiv/docs/aclnnAddcdiv&aclnnInplaceAddcdiv.md
ACLNN_API aclnnStatus aclnnAddcdivGetWorkspaceSize(
    const aclTensor* self, const aclTensor* tensor1, const aclTensor* tensor2,
    const aclScalar* value, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAddcdiv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

// aclnnInplaceAddcdiv: selfRef = selfRef + value tensor1 / tensor2.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT64, DOUBLE, BF16; any shape; changed in place
//   tensor1  FLOAT, FLOAT16, INT64, DOUBLE, BF16; any shape; broadcast and promoted with the other
//            input
//   tensor2  FLOAT, FLOAT16, INT64, DOUBLE, BF16; any shape; broadcast and promoted with the other
//            input
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/addcdiv/docs/aclnnAddcdiv&aclnnInplaceAddcdiv.md
ACLNN_API aclnnStatus aclnnInplaceAddcdivGetWorkspaceSize(
    const aclTensor* selfRef, const aclTensor* tensor1, const aclTensor* tensor2,
    const aclScalar* value, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceAddcdiv(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADDCDIV_H_
