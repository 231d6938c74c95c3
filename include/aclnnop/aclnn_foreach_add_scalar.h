// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FOREACH_ADD_SCALAR_H_
#define ANYACL_ACLNNOP_ACLNN_FOREACH_ADD_SCALAR_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnForeachAddScalar: out = x + scalar.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, BF16; any shape; tensors of one type
//   scalar  FLOAT, FLOAT16, INT32, BF16; [S*]; one element: FLOAT or the type of floating-point
//           lists, INT32 with others
//   out     FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, BF16; any shape; output; of the types and
//           shapes of the first list; may be one of the inputs
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: foreach/foreach_add_scalar/docs/aclnnForeachAddScalar.md
ACLNN_API aclnnStatus aclnnForeachAddScalarGetWorkspaceSize(
    const aclTensorList* x, const aclTensor* scalar, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnForeachAddScalar(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FOREACH_ADD_SCALAR_H_
