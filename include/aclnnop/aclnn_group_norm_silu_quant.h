// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupNormSiluQuant: out = rint(y / (1 + e^-y) / quantScale) of the group norm y, held within
// INT8.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self           FLOAT16, BF16; [N C S*]
//   gammaOptional  type of self; [C]; may be null; null stands for ones
//   betaOptional   type of self; [C]; may be null; null stands for zeros
//   quantScale     FLOAT; [Q]; [1] or [C]; not 0
//   group          divides C
//   eps            added to the variance; more than 0
//   activateSilu   true
//   out            INT8; [N C S*]; output
//   meanOut        type of self; [N group]; output
//   rstdOut        type of self; [N group]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/group_norm_silu_quant/docs/aclnnGroupNormSiluQuant.md
ACLNN_API aclnnStatus aclnnGroupNormSiluQuantGetWorkspaceSize(
    const aclTensor* self, const aclTensor* gammaOptional, const aclTensor* betaOptional,
    const aclTensor* quantScale, int64_t group, double eps, bool activateSilu, aclTensor* out,
    aclTensor* meanOut, aclTensor* rstdOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupNormSiluQuant(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SILU_QUANT_H_
