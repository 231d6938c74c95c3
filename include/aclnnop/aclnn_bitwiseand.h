// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_BITWISEAND_H_
#define ANYACL_ACLNNOP_ACLNN_BITWISEAND_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnBitwiseAndTensorOut: out = self and other, bit by bit.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self   INT8, INT32, UINT8, INT16, UINT16, INT64, BOOL; any shape; broadcast and promoted with
//          the other input
//   other  INT8, INT32, UINT8, INT16, UINT16, INT64, BOOL; any shape; broadcast and promoted with
//          the other input
//   out    INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, BOOL; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math:
// math/bitwise_and/docs/aclnnBitwiseAndTensorOut&aclnnInplaceBitwiseAndTensorOut.md
ACLNN_API aclnnStatus aclnnBitwiseAndTensorOutGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnBitwiseAndTensorOut(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceBitwiseAndTensorOut: self = self and other, bit by bit, in place.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self   INT8, INT32, UINT8, INT16, UINT16, INT64, BOOL; any shape; changed in place
//   other  INT8, INT32, UINT8, INT16, UINT16, INT64, BOOL; any shape; broadcast and promoted with
//          the other input
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math:
// math/bitwise_and/docs/aclnnBitwiseAndTensorOut&aclnnInplaceBitwiseAndTensorOut.md
ACLNN_API aclnnStatus aclnnInplaceBitwiseAndTensorOutGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceBitwiseAndTensorOut(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_BITWISEAND_H_
