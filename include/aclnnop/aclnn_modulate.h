// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MODULATE_H_
#define ANYACL_ACLNNOP_ACLNN_MODULATE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnModulate: out = self (1 + scaleOptional) + shiftOptional, alike for all rows of a batch.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self           FLOAT, FLOAT16, BF16; [B L D]
//   scaleOptional  type of self; [B D] or [B 1 D]; may be null
//   shiftOptional  type of self; [B D] or [B 1 D]; may be null
//   out            type of self; [B L D]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: vfusion/modulate/docs/aclnnModulate.md
ACLNN_API aclnnStatus aclnnModulateGetWorkspaceSize(
    const aclTensor* self, const aclTensor* scaleOptional, const aclTensor* shiftOptional,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnModulate(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MODULATE_H_
