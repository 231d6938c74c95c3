// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ROTATE_QUANT_H_
#define ANYACL_ACLNNOP_ACLNN_ROTATE_QUANT_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnRotateQuant: z = each K columns of x @ rotation, scaleOut = max |z| / 127 of a row, of INT32
// max |z| / 7, yOut = rint(z / scaleOut).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x           FLOAT16, BF16; [M N]; N is a multiple of 8 and of K
//   rotation    type of x; [K K]; K 16 to 1024
//   alpha       BF16; [1]; may be null; null
//   axis        -1 to 1; -1 or 1
//   roundMode   may be null; rint, round, floor or null: without effect, as on Atlas A2
//   scaleAlg    0
//   dstTypeMax  0
//   trans       false
//   yOut        INT8, INT32; [M N]; INT32: [M N/8]; output; INT32 packs eight INT4
//   scaleOut    FLOAT; [M]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/rotate_quant/docs/aclnnRotateQuant.md
ACLNN_API aclnnStatus aclnnRotateQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* rotation, const aclTensor* alpha, int64_t axis,
    char* roundMode, int64_t scaleAlg, double dstTypeMax, bool trans, aclTensor* yOut,
    aclTensor* scaleOut, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnRotateQuant(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ROTATE_QUANT_H_
