// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FAKE_QUANT_PER_TENSOR_AFFINE_CACHEMASK_H_
#define ANYACL_ACLNNOP_ACLNN_FAKE_QUANT_PER_TENSOR_AFFINE_CACHEMASK_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFakeQuantPerTensorAffineCachemask: q = round(self / scale) + zeroPoint, mask = quantMin <= q
// <= quantMax, out = (q held there - zeroPoint) scale.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   self              FLOAT, FLOAT16; [X*]
//   scale             FLOAT, FLOAT16; any shape; one element
//   zeroPoint         INT32; any shape; one element
//   fakeQuantEnabled  below 1: out is self, mask is true
//   quantMin          at most quantMax
//   out               FLOAT, FLOAT16; [X*]; output
//   mask              BOOL; [X*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn:
// quant/fake_quant_affine_cachemask/docs/aclnnFakeQuantPerTensorAffineCachemask.md
ACLNN_API aclnnStatus aclnnFakeQuantPerTensorAffineCachemaskGetWorkspaceSize(
    const aclTensor* self, const aclTensor* scale, const aclTensor* zeroPoint,
    float fakeQuantEnabled, int64_t quantMin, int64_t quantMax, aclTensor* out, aclTensor* mask,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFakeQuantPerTensorAffineCachemask(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FAKE_QUANT_PER_TENSOR_AFFINE_CACHEMASK_H_
