// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MAX_UNPOOL3D_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_MAX_UNPOOL3D_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMaxUnpool3dBackward: out = gradOutput[index].
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   gradOutput  FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, INT64, DOUBLE; [A* C D H W]
//   self        type of gradOutput; [A* C OD OH OW]
//   indices     INT64; [A* C OD OH OW]
//   outputSize  spatial sizes of gradOutput
//   stride      three numbers above 0, not used
//   padding     three numbers, not used
//   out         type of gradOutput; [A* C OD OH OW]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: index/gather_elements/docs/aclnnMaxUnpool3dBackward.md
ACLNN_API aclnnStatus aclnnMaxUnpool3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* indices,
    const aclIntArray* outputSize, const aclIntArray* stride, const aclIntArray* padding,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMaxUnpool3dBackward(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MAX_UNPOOL3D_BACKWARD_H_
