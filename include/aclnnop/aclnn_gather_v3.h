// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GATHER_V3_H_
#define ANYACL_ACLNNOP_ACLNN_GATHER_V3_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGatherV3: out[i, b] = self[index[i], b].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, COMPLEX64,
//              COMPLEX128, BF16; any shape
//   dim        the first
//   index      INT32, INT64; [I*]
//   batchDims  0
//   mode       0 to 1; which indices a device would be fast for: changes nothing
//   out        type of self; any shape; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/gather_v2/docs/aclnnGatherV3.md
ACLNN_API aclnnStatus aclnnGatherV3GetWorkspaceSize(
    const aclTensor* self, int64_t dim, const aclTensor* index, int64_t batchDims, int64_t mode,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGatherV3(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GATHER_V3_H_
