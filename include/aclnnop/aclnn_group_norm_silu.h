// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SILU_H_
#define ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SILU_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupNormSilu: out = y / (1 + e^-y) of the group norm y.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self     FLOAT, FLOAT16, BF16; [N C S*]
//   gamma    FLOAT, FLOAT16, BF16; [C]; of the data's type, or FLOAT
//   beta     FLOAT, FLOAT16, BF16; [C]; of the data's type, or FLOAT
//   group    divides C
//   eps      added to the variance; more than 0
//   out      type of self; [N C S*]; contiguous; output
//   meanOut  type of self; [N group]; contiguous; output
//   rstdOut  type of self; [N group]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/group_norm_silu/docs/aclnnGroupNormSilu.md
ACLNN_API aclnnStatus aclnnGroupNormSiluGetWorkspaceSize(
    const aclTensor* self, const aclTensor* gamma, const aclTensor* beta, int64_t group, double eps,
    aclTensor* out, aclTensor* meanOut, aclTensor* rstdOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupNormSilu(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

// aclnnGroupNormSiluV2: aclnnGroupNormSilu, or the group norm alone.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self          FLOAT, FLOAT16, BF16; [N C S*]
//   gamma         FLOAT, FLOAT16, BF16; [C]; of the data's type, or FLOAT
//   beta          FLOAT, FLOAT16, BF16; [C]; of the data's type, or FLOAT
//   group         divides C
//   eps           added to the variance; more than 0
//   activateSilu  if not, out is the norm
//   out           type of self; [N C S*]; contiguous; output
//   meanOut       type of self; [N group]; contiguous; output
//   rstdOut       type of self; [N group]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/group_norm_silu/docs/aclnnGroupNormSiluV2.md
ACLNN_API aclnnStatus aclnnGroupNormSiluV2GetWorkspaceSize(
    const aclTensor* self, const aclTensor* gamma, const aclTensor* beta, int64_t group, double eps,
    bool activateSilu, aclTensor* out, aclTensor* meanOut, aclTensor* rstdOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupNormSiluV2(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SILU_H_
