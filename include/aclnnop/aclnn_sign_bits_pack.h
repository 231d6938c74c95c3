// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SIGN_BITS_PACK_H_
#define ANYACL_ACLNNOP_ACLNN_SIGN_BITS_PACK_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSignBitsPack: bit i % 8 of element i / 8 of out = self[i] >= 0.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self  FLOAT, FLOAT16; [N]
//   size  1 or more; how many rows out has
//   out   UINT8; [size R]; output; size * R = N / 8, rounded up
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/sign_bits_pack/docs/aclnnSignBitsPack.md
ACLNN_API aclnnStatus aclnnSignBitsPackGetWorkspaceSize(
    const aclTensor* self, int64_t size, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSignBitsPack(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SIGN_BITS_PACK_H_
