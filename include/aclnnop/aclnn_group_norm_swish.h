// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SWISH_H_
#define ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SWISH_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupNormSwish: yOut = y / (1 + e^(-swishScale * y)) of the group norm y, or the norm alone.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                   FLOAT, FLOAT16, BF16; [N C S*]; without elements refused
//   gamma               FLOAT, FLOAT16, BF16; [C]; of the data's type, or FLOAT
//   beta                type of gamma; [C]
//   numGroups           divides C
//   dataFormatOptional  may be null; "NCHW", as null
//   eps                 added to the variance; 0 or more
//   activateSwish       if not, yOut is the norm
//   yOut                type of x; [N C S*]; contiguous; output
//   meanOut             type of gamma; [N numGroups]; contiguous; output
//   rstdOut             type of gamma; [N numGroups]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/group_norm_swish/docs/aclnnGroupNormSwish.md
ACLNN_API aclnnStatus aclnnGroupNormSwishGetWorkspaceSize(
    const aclTensor* x, const aclTensor* gamma, const aclTensor* beta, int64_t numGroups,
    char* dataFormatOptional, double eps, bool activateSwish, double swishScale,
    const aclTensor* yOut, const aclTensor* meanOut, const aclTensor* rstdOut,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupNormSwish(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SWISH_H_
