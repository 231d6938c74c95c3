// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FLAT_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_FLAT_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFlatQuant: z = kroneckerP1 @ (x @ kroneckerP2) of each of M matrices, quantScale = max |z| /
// (7 / clipRatio), out = rint(z / quantScale), held within INT4.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x            FLOAT16, BF16; [M N1 N2]; M 1 to 262144, N1 and N2 1 to 256
//   kroneckerP1  type of x; [N1 N1]
//   kroneckerP2  type of x; [N2 N2]
//   clipRatio    above 0, at most 1
//   out          INT32, INT4; [M N1 N2]; INT32: [M N1 N2/8]; output; INT32 packs eight INT4
//   quantScale   FLOAT; [M]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: quant/flat_quant/docs/aclnnFlatQuant.md
ACLNN_API aclnnStatus aclnnFlatQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* kroneckerP1, const aclTensor* kroneckerP2,
    double clipRatio, aclTensor* out, aclTensor* quantScale, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFlatQuant(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FLAT_QUANT_H_
