// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_V2_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedMatmulSwigluQuantWeightNzV2: the same with every weight taken for FRACTAL_NZ.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
// INT8 weights:
//   x                     INT8; [M K]
//   weight                INT8; [E N/32 K/16 16 32]; FRACTAL_NZ
//   weightScale           FLOAT, FLOAT16, BF16; [E N]
//   weightAssistMatrix    FLOAT; any shape; may be null; null
//   bias                  FLOAT; any shape; may be null; null
//   xScale                FLOAT; [M]
//   smoothScale           FLOAT; any shape; may be null; null
//   groupList             INT64; [L]
//   dequantMode           0; 0: weightScale is [E, N]
//   dequantDtype          not used
//   quantMode             0; 0: a scale for each row
//   groupListType         0 to 1; groupList has: 0: where groups end, 1: how many rows they have
//   tuningConfigOptional  may be null; not used
//   output                INT8; [M N/2]; output
//   outputScale           FLOAT; [M]; output
// INT4 weights:
//   x                     INT8; [M K]
//   weight                INT32, INT4; [E K N] or [E N/64 K/16 16 64]; INT32: [E K N/8 | E N/64
//                         K/16 16 8]; ND or FRACTAL_NZ; INT32 packs eight INT4
//   weightScale           INT64, UINT64; [E N] or [E G N]
//   weightAssistMatrix    FLOAT; [E N]; 8 times the scaled sums of weight's columns
//   bias                  FLOAT; any shape; may be null; null
//   xScale                FLOAT; [M]
//   smoothScale           FLOAT; any shape; may be null; null
//   groupList             INT64; [L]
//   dequantMode           0 to 1; 0: weightScale is [E, N], 1: of groups of k, [E, G, N]
//   dequantDtype          not used
//   quantMode             0; 0: a scale for each row
//   groupListType         0 to 1; groupList has: 0: where groups end, 1: how many rows they have
//   tuningConfigOptional  may be null; not used
//   output                INT8; [M N/2]; output
//   outputScale           FLOAT; [M]; output
// INT4 x:
//   x                     INT32, INT4; [M K]; INT32: [M K/8]; INT32 packs eight INT4
//   weight                INT32, INT4; [E K N] or [E N/64 K/16 16 64]; INT32: [E K N/8 | E N/64
//                         K/16 16 8]; ND or FRACTAL_NZ; INT32 packs eight INT4
//   weightScale           INT64, UINT64; [E N] or [E G N]
//   weightAssistMatrix    FLOAT; any shape; may be null; null
//   bias                  FLOAT; any shape; may be null; null
//   xScale                FLOAT; [M]
//   smoothScale           FLOAT; [E] or [E N/2]; may be null
//   groupList             INT64; [L]
//   dequantMode           0 to 1; 0: weightScale is [E, N], 1: of groups of k, [E, G, N]
//   dequantDtype          not used
//   quantMode             0; 0: a scale for each row
//   groupListType         0 to 1; groupList has: 0: where groups end, 1: how many rows they have
//   tuningConfigOptional  may be null; not used
//   output                INT8; [M N/2]; output
//   outputScale           FLOAT; [M]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// gmm/grouped_matmul_swiglu_quant_v2/docs/aclnnGroupedMatmulSwigluQuantWeightNzV2.md
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNzV2GetWorkspaceSize(
    const aclTensor* x, const aclTensorList* weight, const aclTensorList* weightScale,
    const aclTensorList* weightAssistMatrix, const aclTensor* bias, const aclTensor* xScale,
    const aclTensor* smoothScale, const aclTensor* groupList, int64_t dequantMode,
    int64_t dequantDtype, int64_t quantMode, int64_t groupListType,
    const aclIntArray* tuningConfigOptional, aclTensor* output, aclTensor* outputScale,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
// 561000: whatever else is wrong with the call.
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNzV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_V2_H_
