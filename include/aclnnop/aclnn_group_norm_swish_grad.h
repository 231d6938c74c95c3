// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SWISH_GRAD_H_
#define ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SWISH_GRAD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupNormSwishGrad: the gradients of aclnnGroupNormSwish.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   dy                  FLOAT, FLOAT16, BF16; [N C S*]; without elements refused
//   mean                type of dy; [N numGroups]
//   rstd                type of dy; [N numGroups]
//   x                   type of dy; [N C S*]
//   gamma               type of dy; [C]
//   beta                type of dy; [C]
//   numGroups           divides C, which has at most 4000 times as many channels
//   dataFormatOptional  may be null; "NCHW", as null
//   dgammaIsRequire     if not, dgammaOut is not written
//   dbetaIsRequire      if not, dbetaOut is not written
//   dxOut               type of dy; [N C S*]; contiguous; output
//   dgammaOut           type of dy; [C]; contiguous; output
//   dbetaOut            type of dy; [C]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: norm/group_norm_swish_grad/docs/aclnnGroupNormSwishGrad.md
ACLNN_API aclnnStatus aclnnGroupNormSwishGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* mean, const aclTensor* rstd, const aclTensor* x,
    const aclTensor* gamma, const aclTensor* beta, int64_t numGroups, char* dataFormatOptional,
    double swishScale, bool dgammaIsRequire, bool dbetaIsRequire, const aclTensor* dxOut,
    const aclTensor* dgammaOut, const aclTensor* dbetaOut, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupNormSwishGrad(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUP_NORM_SWISH_GRAD_H_
