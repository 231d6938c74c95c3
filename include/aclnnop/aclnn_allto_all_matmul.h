// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ALLTO_ALL_MATMUL_H_
#define ANYACL_ACLNNOP_ACLNN_ALLTO_ALL_MATMUL_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAlltoAllMatmul: output = left @ x2 + bias, left: this rank's rows of x1 of all ranks, side
// by side.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                    FLOAT16, BF16; [M H]
//   x2                    type of x1; [X Y]; [K, N], or [N, K] with transposeX2
//   biasOptional          FLOAT, FLOAT16, BF16; [N]; may be null; x1's type or FLOAT
//   alltoAllAxesOptional  may be null; null, empty or [-2, -1]
//   group                 the communicator's name, 1 to 127 bytes
//   transposeX1           false
//   transposeX2           x2 is [N, K]
//   output                type of x1; [P N]; output; P: M divided by the ranks
//   alltoAllOutOptional   type of x1; [P K]; output; may be null; the left of the product, K: H
//                         times the ranks; null: not written
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mc2/allto_all_matmul/docs/aclnnAlltoAllMatmul.md
ACLNN_API aclnnStatus aclnnAlltoAllMatmulGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclIntArray* alltoAllAxesOptional, const char* group, bool transposeX1, bool transposeX2,
    const aclTensor* output, const aclTensor* alltoAllOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAlltoAllMatmul(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ALLTO_ALL_MATMUL_H_
