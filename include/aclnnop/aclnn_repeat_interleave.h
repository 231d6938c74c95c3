// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_REPEAT_INTERLEAVE_H_
#define ANYACL_ACLNNOP_ACLNN_REPEAT_INTERLEAVE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRepeatInterleaveIntWithDim: each slice of one dimension, several times.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BOOL, BF16; [..]
//   repeats     0 or more
//   dim         counts from the end if negative
//   outputSize  repeats times the size of the dimension
//   out         type of self; [..]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleaveIntWithDim.md
ACLNN_API aclnnStatus aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(
    const aclTensor* self, int64_t repeats, int64_t dim, int64_t outputSize, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRepeatInterleaveIntWithDim(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnRepeatInterleaveInt: each element, in row-major order, several times.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BOOL, BF16; any shape
//   repeats     0 or more
//   outputSize  repeats times the number of self's elements
//   out         type of self; [L]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleaveInt.md
ACLNN_API aclnnStatus aclnnRepeatInterleaveIntGetWorkspaceSize(
    const aclTensor* self, int64_t repeats, int64_t outputSize, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRepeatInterleaveInt(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

// aclnnRepeatInterleave: each element, in row-major order, as often as repeats says.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BOOL, BF16; any shape
//   repeats     INT32, INT64; [| R]; one number, or one for each element of self
//   outputSize  0 or more; the sum of all repeats
//   out         type of self; [L]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleave.md
ACLNN_API aclnnStatus aclnnRepeatInterleaveGetWorkspaceSize(
    const aclTensor* self, const aclTensor* repeats, int64_t outputSize, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRepeatInterleave(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

// aclnnRepeatInterleaveWithDim: each slice of one dimension, as often as repeats says.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self        FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, BOOL, BF16; [..]
//   repeats     INT32, INT64; [| R]; one number, or one for each slice of dim
//   dim         counts from the end if negative
//   outputSize  0 or more; the sum of all repeats: the size of dim in out
//   out         type of self; [..]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleaveWithDim.md
ACLNN_API aclnnStatus aclnnRepeatInterleaveWithDimGetWorkspaceSize(
    const aclTensor* self, const aclTensor* repeats, int64_t dim, int64_t outputSize,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRepeatInterleaveWithDim(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

// aclnnRepeatInterleaveTensor: each place of repeats, as often as the number there says.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   repeats     INT32, INT64; [R]
//   outputSize  0 or more; the sum of all repeats
//   out         type of repeats; [L]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/repeat_interleave/docs/aclnnRepeatInterleaveTensor.md
ACLNN_API aclnnStatus aclnnRepeatInterleaveTensorGetWorkspaceSize(
    const aclTensor* repeats, int64_t outputSize, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRepeatInterleaveTensor(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_REPEAT_INTERLEAVE_H_
