// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H_
#define ANYACL_ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnChamferDistanceBackward: gradXyz1[i] = 2 gradDist1[i] (xyz1[i] - xyz2[idx1[i]]) + the sum
// over j with idx2[j] = i of 2 gradDist2[j] (xyz1[i] - xyz2[j]); gradXyz2 the same the other way
// round.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   xyz1       FLOAT, FLOAT16; [B N 2]
//   xyz2       type of xyz1; [B M 2]
//   idx1       INT32; [B N]; the place of the nearest point among the other ones
//   idx2       INT32; [B M]; the place of the nearest point among the other ones
//   gradDist1  type of xyz1; [B N]
//   gradDist2  type of xyz1; [B M]
//   gradXyz1   type of xyz1; [B N 2]; output
//   gradXyz2   type of xyz1; [B M 2]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: loss/chamfer_distance_grad/docs/aclnnChamferDistanceBackward.md
ACLNN_API aclnnStatus aclnnChamferDistanceBackwardGetWorkspaceSize(
    const aclTensor* xyz1, const aclTensor* xyz2, const aclTensor* idx1, const aclTensor* idx2,
    const aclTensor* gradDist1, const aclTensor* gradDist2, aclTensor* gradXyz1,
    aclTensor* gradXyz2, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnChamferDistanceBackward(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CHAMFER_DISTANCE_BACKWARD_H_
