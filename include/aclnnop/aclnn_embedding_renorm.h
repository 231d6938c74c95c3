// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_EMBEDDING_RENORM_H_
#define ANYACL_ACLNNOP_ACLNN_EMBEDDING_RENORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnEmbeddingRenorm: selfRef[indices[i]] *= maxNorm / norm where the norm of the row is larger.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef   FLOAT, FLOAT16, BF16; [V H]; changed in place
//   indices   INT32, INT64; [I*]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/renorm/docs/aclnnEmbeddingRenorm.md
ACLNN_API aclnnStatus aclnnEmbeddingRenormGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* indices, double maxNorm, double normType,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnEmbeddingRenorm(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_EMBEDDING_RENORM_H_
