// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RANDOM_H_
#define ANYACL_ACLNNOP_ACLNN_RANDOM_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceRandom: selfRef becomes integers distributed evenly over from to to - 1.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, COMPLEX64, COMPLEX128,
//            BF16; any shape; changed in place
//   from     a number of the type's range, below to
//   to       to - 1 is of the type's range
//   offset   chooses another sequence of the seed
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_random_uniform/docs/aclnnInplaceRandom.md
ACLNN_API aclnnStatus aclnnInplaceRandomGetWorkspaceSize(
    const aclTensor* selfRef, int64_t from, int64_t to, int64_t seed, int64_t offset,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceRandom(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

// aclnnInplaceRandomTensor: selfRef becomes integers distributed evenly over from to to - 1.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   selfRef       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, BOOL, COMPLEX64,
//                 COMPLEX128, BF16; any shape; changed in place
//   from          a number of the type's range, below to
//   to            to - 1 is of the type's range
//   seedTensor    INT64; [1]
//   offsetTensor  INT64; [1]
//   offset        is added to offsetTensor's element
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_random_uniform/docs/aclnnInplaceRandomTensor.md
ACLNN_API aclnnStatus aclnnInplaceRandomTensorGetWorkspaceSize(
    const aclTensor* selfRef, int64_t from, int64_t to, const aclTensor* seedTensor,
    const aclTensor* offsetTensor, int64_t offset, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceRandomTensor(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RANDOM_H_
