// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_EINSUM_H_
#define ANYACL_ACLNNOP_ACLNN_EINSUM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnEinsum: output[a, b, c, e] = sum over d of tensors[0][a, b, c, d] * tensors[1][a, b, c, e,
// d], or output[a, b] = tensors[0][a] * tensors[1][b].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   tensors   FLOAT, FLOAT16, INT32, INT16, UINT16, UINT32, INT64, UINT64; any shape; two of one
//             type, [a, b, c, d] and [a, b, c, e, d], or [a] and [b]
//   equation  abcd,abced->abce or a,b->ab
//   output    type of tensors; any shape; output; [a, b, c, e] or [a, b]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/batch_mat_mul_v3/docs/aclnnEinsum.md
ACLNN_API aclnnStatus aclnnEinsumGetWorkspaceSize(const aclTensorList* tensors,
                                                  const char* equation, aclTensor* output,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnEinsum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_EINSUM_H_
