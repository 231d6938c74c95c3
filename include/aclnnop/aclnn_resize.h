// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_RESIZE_H_
#define ANYACL_ACLNNOP_ACLNN_RESIZE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnResize: each element is the nearest one of self, or interpolated from four.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self    FLOAT, FLOAT16; [N C H W]
//   scales  of each dimension; those of N and C count not
//   mode    nearest or bilinear
//   out     type of self; [N C OH OW]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-cv: image/resize_bilinear_v2/docs/aclnnResize.md
ACLNN_API aclnnStatus aclnnResizeGetWorkspaceSize(const aclTensor* self,
                                                  const aclFloatArray* scales, const char* mode,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnResize(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_RESIZE_H_
