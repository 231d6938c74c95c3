// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CUMSUM_H_
#define ANYACL_ACLNNOP_ACLNN_CUMSUM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnCumsum: out[i] = self[0] + ... + self[i] along dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self   FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, COMPLEX64, COMPLEX128,
//          BF16; [A*]
//   dim    counts from the end if negative
//   dtype  the type of out: elements become it before the sum
//   out    FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, COMPLEX64, COMPLEX128, BF16;
//          [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/cumsum/docs/aclnnCumsum.md
ACLNN_API aclnnStatus aclnnCumsumGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                  aclDataType dtype, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCumsum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

// aclnnCumsumV2: out[i] = self[0] + ... + self[i] along dim, or up to self[i - 1].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, COMPLEX64, COMPLEX128,
//              BF16; [A*]
//   dim        counts from the end if negative
//   exclusive  without the element itself
//   reverse    from the last element on
//   out        type of self; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/cumsum/docs/aclnnCumsumV2.md
ACLNN_API aclnnStatus aclnnCumsumV2GetWorkspaceSize(
    const aclTensor* self, int64_t dim, bool exclusive, bool reverse, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnCumsumV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CUMSUM_H_
