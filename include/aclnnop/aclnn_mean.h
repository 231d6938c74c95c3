// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MEAN_H_
#define ANYACL_ACLNNOP_ACLNN_MEAN_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMean: out = sum of self over dim, divided by the number of summands.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self     FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, COMPLEX64, COMPLEX128, BF16;
//            any shape
//   dim      empty: all dimensions
//   keepDim  keep the reduced dimensions, with size 1
//   dtype    the type that elements become before the sum
//   out      FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, COMPLEX64, COMPLEX128, BF16;
//            [R*]; output; self's shape without the reduced dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/reduce_mean/docs/aclnnMean.md
ACLNN_API aclnnStatus aclnnMeanGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                                bool keepDim, aclDataType dtype, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMean(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream);

// aclnnMeanV2: out = sum of self over dim, divided by the number of summands.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self               FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE, COMPLEX64,
//                      COMPLEX128, BF16; any shape
//   dim                empty: all dimensions
//   keepDim            keep the reduced dimensions, with size 1
//   noopWithEmptyAxes  without dimensions: out is self, and nothing is reduced
//   out                type of self; [R*]; output; self's shape without the reduced dimensions
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/reduce_mean/docs/aclnnMeanV2.md
ACLNN_API aclnnStatus aclnnMeanV2GetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                                  bool keepDim, bool noopWithEmptyAxes,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMeanV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MEAN_H_
