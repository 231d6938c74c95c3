// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_LEFT_SHIFT_H_
#define ANYACL_ACLNNOP_ACLNN_LEFT_SHIFT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnLeftShift: out = self 2^shiftBits modulo 2^bits; 0 where shiftBits is negative, or no less
// than the type has bits.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self       INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64; any shape; broadcast and
//              promoted with the other input
//   shiftBits  INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64; any shape; broadcast and
//              promoted with the other input
//   out        INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/left_shift/docs/aclnnLeftShift.md
ACLNN_API aclnnStatus aclnnLeftShiftGetWorkspaceSize(
    const aclTensor* self, const aclTensor* shiftBits, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLeftShift(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

// aclnnLeftShifts: out = self 2^shiftBits modulo 2^bits; 0 where shiftBits is negative, or no less
// than the type has bits.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self       INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64; any shape
//   shiftBits  an integer
//   out        INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/left_shift/docs/aclnnLeftShifts.md
ACLNN_API aclnnStatus aclnnLeftShiftsGetWorkspaceSize(
    const aclTensor* self, const aclScalar* shiftBits, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnLeftShifts(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_LEFT_SHIFT_H_
