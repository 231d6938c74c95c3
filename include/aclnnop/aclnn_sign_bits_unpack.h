// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SIGN_BITS_UNPACK_H_
#define ANYACL_ACLNNOP_ACLNN_SIGN_BITS_UNPACK_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSignBitsUnpack: element i of out = 1 where bit i % 8 of self[i / 8] is 1, else -1.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self   UINT8; [N]
//   size   1 or more; how many rows out has
//   dtype  the type of out
//   out    FLOAT, FLOAT16; [size R]; output; size * R = 8 * N
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/sign_bits_unpack/docs/aclnnSignBitsUnpack.md
ACLNN_API aclnnStatus aclnnSignBitsUnpackGetWorkspaceSize(
    const aclTensor* self, int64_t size, aclDataType dtype, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSignBitsUnpack(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SIGN_BITS_UNPACK_H_
