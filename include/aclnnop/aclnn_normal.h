// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_NORMAL_H_
#define ANYACL_ACLNNOP_ACLNN_NORMAL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceNormal: selfRef becomes numbers of a normal distribution.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape;
//            changed in place
//   std      0 or more
//   offset   chooses another sequence of the seed
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_random_normal/docs/aclnnInplaceNormal.md
ACLNN_API aclnnStatus aclnnInplaceNormalGetWorkspaceSize(
    const aclTensor* selfRef, float mean, float std, int64_t seed, int64_t offset,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceNormal(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceNormalTensor: selfRef becomes numbers of a normal distribution.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, BF16; any shape;
//                 changed in place
//   std           0 or more
//   seedTensor    INT64; [1]
//   offsetTensor  INT64; [1]
//   offset        is added to offsetTensor's element
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_random_normal/docs/aclnnInplaceNormalTensor.md
ACLNN_API aclnnStatus aclnnInplaceNormalTensorGetWorkspaceSize(
    const aclTensor* selfRef, float mean, float std, const aclTensor* seedTensor,
    const aclTensor* offsetTensor, int64_t offset, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceNormalTensor(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_NORMAL_H_
