// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ONE_HOT_H_
#define ANYACL_ACLNNOP_ACLNN_ONE_HOT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnOneHot: out[i, j] = onValue where self[i] = j, else offValue.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        INT32, UINT8, INT64; [A*]
//   numClasses  0 or more
//   onValue     type of out; any shape
//   offValue    type of out; any shape
//   axis        where the classes stand in out; -1: last
//   out         FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; [B*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/one_hot/docs/aclnnOneHot.md
ACLNN_API aclnnStatus aclnnOneHotGetWorkspaceSize(const aclTensor* self, int32_t numClasses,
                                                  const aclTensor* onValue,
                                                  const aclTensor* offValue, int64_t axis,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnOneHot(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ONE_HOT_H_
