// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FOREACH_ADDCMUL_LIST_H_
#define ANYACL_ACLNNOP_ACLNN_FOREACH_ADDCMUL_LIST_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnForeachAddcmulList: out = x1 + its scalar * x2 * x3.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1       FLOAT, FLOAT16, INT32, BF16; any shape; tensors of one type
//   x2       FLOAT, FLOAT16, INT32, BF16; any shape; of the types and shapes of the first list
//   x3       FLOAT, FLOAT16, INT32, BF16; any shape; of the types and shapes of the first list
//   scalars  FLOAT, FLOAT16, INT32, BF16; [S*]; one number for each tensor
//   out      FLOAT, FLOAT16, INT32, BF16; any shape; output; of the types and shapes of the first
//            list; may be one of the inputs
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: foreach/foreach_addcmul_list/docs/aclnnForeachAddcmulList.md
ACLNN_API aclnnStatus aclnnForeachAddcmulListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* x3,
    const aclTensor* scalars, const aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnForeachAddcmulList(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FOREACH_ADDCMUL_LIST_H_
