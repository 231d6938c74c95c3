// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RENORM_H_
#define ANYACL_ACLNNOP_ACLNN_RENORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRenorm: out = self * min(1, maxNorm / norm), norm that of each slice along dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self     FLOAT, FLOAT16, BF16; [S..]
//   p        0 or more
//   dim      counts from the end if negative
//   maxNorm  0 or more
//   out      type of self; [S..]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/renorm/docs/aclnnRenorm&aclnnInplaceRenorm.md
ACLNN_API aclnnStatus aclnnRenormGetWorkspaceSize(const aclTensor* self, const aclScalar* p,
                                                  int64_t dim, const aclScalar* maxNorm,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRenorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

// aclnnInplaceRenorm: selfRef = selfRef * min(1, maxNorm / norm), norm that of each slice along
// dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, BF16; [S..]; changed in place
//   p        0 or more
//   dim      counts from the end if negative
//   maxNorm  0 or more
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/renorm/docs/aclnnRenorm&aclnnInplaceRenorm.md
ACLNN_API aclnnStatus aclnnInplaceRenormGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* p, int64_t dim, const aclScalar* maxNorm,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceRenorm(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RENORM_H_
