// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_UNIFORM_H_
#define ANYACL_ACLNNOP_ACLNN_UNIFORM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceUniform: selfRef becomes numbers distributed evenly over [from, to).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BF16; any shape; changed in
//            place
//   from     a number of the type's range, not above to
//   to       of the type's range; to - from too, in floating point
//   offset   chooses another sequence of the seed
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_random_uniform/docs/aclnnInplaceUniform.md
ACLNN_API aclnnStatus aclnnInplaceUniformGetWorkspaceSize(
    const aclTensor* selfRef, double from, double to, uint64_t seed, uint64_t offset,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceUniform(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceUniformTensor: selfRef becomes numbers distributed evenly over [from, to).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BF16; any shape;
//                 changed in place
//   from          a number of the type's range, not above to
//   to            of the type's range; to - from too, in floating point
//   seedTensor    INT64, UINT64; [1]
//   offsetTensor  INT64, UINT64; [1]
//   offset        is added to offsetTensor's element
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_random_uniform/docs/aclnnInplaceUniformTensor.md
ACLNN_API aclnnStatus aclnnInplaceUniformTensorGetWorkspaceSize(
    const aclTensor* selfRef, double from, double to, const aclTensor* seedTensor,
    const aclTensor* offsetTensor, uint64_t offset, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceUniformTensor(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_UNIFORM_H_
