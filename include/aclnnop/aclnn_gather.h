// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GATHER_H_
#define ANYACL_ACLNNOP_ACLNN_GATHER_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGather: out[i, j, k] = self[i, index[i, j, k], k], where dim is the second one.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self   FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, DOUBLE, BOOL,
//          BF16; any shape
//   dim    counts from the end if negative
//   index  INT32, INT64; [I*]
//   out    type of self; [I*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/gather_elements_v2/docs/aclnnGather.md
ACLNN_API aclnnStatus aclnnGatherGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                                  const aclTensor* index, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGather(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GATHER_H_
