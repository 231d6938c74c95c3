// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_SWI_GLU_H_
#define ANYACL_ACLNNOP_ACLNN_SWI_GLU_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnSwiGlu: out = a / (1 + e^-a) * b, a and b being the halves of x along dim.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x    FLOAT, FLOAT16, BF16; any shape; of even size in dim
//   dim  counts from the end if negative
//   out  type of x; [Y*]; output; x's shape with half the size in dim
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: activation/swi_glu/docs/aclnnSwiGlu.md
ACLNN_API aclnnStatus aclnnSwiGluGetWorkspaceSize(const aclTensor* x, int64_t dim,
                                                  const aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnSwiGlu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_SWI_GLU_H_
