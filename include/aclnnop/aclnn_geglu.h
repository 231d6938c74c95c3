// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GEGLU_H_
#define ANYACL_ACLNNOP_ACLNN_GEGLU_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGeGlu: outGelu = gelu(b), out = a outGelu, a and b being the halves of self along dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self         FLOAT, FLOAT16, BF16; any shape; of even size in dim
//   dim          counts from the end if negative
//   approximate  0 to 1; 1: by tanh
//   out          type of self; [Y*]; output; self's shape with half the size
//   outGelu      type of self; [Y*]; output; the activated half
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/ge_glu_v2/docs/aclnnGeGlu.md
ACLNN_API aclnnStatus aclnnGeGluGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                 int64_t approximate, aclTensor* out,
                                                 aclTensor* outGelu, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGeGlu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream);

// aclnnGeGluV3: outGelu = gelu(a), out = outGelu b, a being the activated half of self along dim
// and b the other.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, BF16; any shape; of even size in dim
//   dim           counts from the end if negative
//   approximate   0 to 1; 1: by tanh
//   activateLeft  whose half is activated
//   out           type of self; [Y*]; output; self's shape with half the size
//   outGelu       type of self; [Y*]; output; the activated half
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/ge_glu_v2/docs/aclnnGeGluV3.md
ACLNN_API aclnnStatus aclnnGeGluV3GetWorkspaceSize(
    const aclTensor* self, int64_t dim, int64_t approximate, bool activateLeft, aclTensor* out,
    aclTensor* outGelu, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGeGluV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GEGLU_H_
