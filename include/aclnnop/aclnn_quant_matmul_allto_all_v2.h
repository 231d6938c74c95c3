// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_ALLTO_ALL_V2_H_
#define ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_ALLTO_ALL_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnQuantMatmulAlltoAllV2: output = this rank's columns of (x1 @ x2) * x1Scale * x2Scale + bias
// of all ranks, one behind the other.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x1                    INT8; [M K]
//   x2                    INT8; [X Y]; [K, N], or [N, K] with transposeX2
//   biasOptional          FLOAT, FLOAT16, BF16; [N]; may be null; x1's type or FLOAT
//   x1Scale               FLOAT; [M]
//   x2Scale               FLOAT; [N]
//   commScaleOptional     reserved: ignored; not used
//   x1OffsetOptional      reserved: ignored; not used
//   x2OffsetOptional      reserved: ignored; not used
//   alltoAllAxesOptional  may be null; null, empty or [-1, -2]
//   group                 the communicator's name, 1 to 127 bytes
//   commMode              "aiv" or "ai_cpu"; has no effect
//   x1QuantMode           3
//   x2QuantMode           2
//   commQuantMode         0
//   commQuantDtype        -1
//   groupSize             0
//   transposeX1           false
//   transposeX2           x2 is [N, K]
//   output                FLOAT16, BF16; [G C]; output; [M times the ranks, N divided by them]
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: mc2/matmul_allto_all/docs/aclnnQuantMatmulAlltoAllV2.md
ACLNN_API aclnnStatus aclnnQuantMatmulAlltoAllV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x1Scale, const aclTensor* x2Scale, const aclTensor* commScaleOptional,
    const aclTensor* x1OffsetOptional, const aclTensor* x2OffsetOptional,
    const aclIntArray* alltoAllAxesOptional, const char* group, const char* commMode,
    int64_t x1QuantMode, int64_t x2QuantMode, int64_t commQuantMode, int64_t commQuantDtype,
    int64_t groupSize, bool transposeX1, bool transposeX2, const aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnQuantMatmulAlltoAllV2(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_QUANT_MATMUL_ALLTO_ALL_V2_H_
