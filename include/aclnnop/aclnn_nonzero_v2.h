// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NONZERO_V2_H_
#define ANYACL_ACLNNOP_ACLNN_NONZERO_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnNonzeroV2: the indices of elements that are not 0, one in each column.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE, BOOL,
//         BF16; [A*]
//   out   INT64; [D N]; contiguous; output; as if every element were counted; its shape is set when
//         the task runs
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/non_zero/docs/aclnnNonzeroV2.md
ACLNN_API aclnnStatus aclnnNonzeroV2GetWorkspaceSize(
    const aclTensor* self, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnNonzeroV2(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NONZERO_V2_H_
