// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DROPOUT_GEN_MASK_H_
#define ANYACL_ACLNNOP_ACLNN_DROPOUT_GEN_MASK_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDropoutGenMask: bits that are 0 with probability prob.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   shape   sizes of the tensor that the mask is for
//   prob    probability of 0: 0 to 1
//   offset  chooses another sequence of the seed
//   out     UINT8; [M*]; output; a bit for each element, the lowest first, in units of 128 bits
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_gen_bit_mask/docs/aclnnDropoutGenMask.md
ACLNN_API aclnnStatus aclnnDropoutGenMaskGetWorkspaceSize(
    const aclIntArray* shape, double prob, int64_t seed, int64_t offset, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDropoutGenMask(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream);

// aclnnDropoutGenMaskV2: bits that are 0 with probability prob.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   shape         sizes of the tensor that the mask is for
//   prob          probability of 0: 0 to 1
//   offset        chooses another sequence of the seed
//   probDataType  FLOAT, FLOAT16 or BF16
//   out           UINT8; [M*]; output; a bit for each element, the lowest first, in units of 128
//                 bits
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_gen_bit_mask/docs/aclnnDropoutGenMaskV2.md
ACLNN_API aclnnStatus aclnnDropoutGenMaskV2GetWorkspaceSize(
    const aclIntArray* shape, double prob, int64_t seed, int64_t offset, aclDataType probDataType,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDropoutGenMaskV2(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

// aclnnDropoutGenMaskV2Tensor: bits that are 0 with probability prob.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   shape         sizes of the tensor that the mask is for
//   prob          probability of 0: 0 to 1
//   seedTensor    INT64; [1]
//   offsetTensor  INT64; [1]
//   offset        is added to offsetTensor's element
//   probDataType  FLOAT, FLOAT16 or BF16
//   out           UINT8; [M*]; output; a bit for each element, the lowest first, in units of 128
//                 bits
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: random/dsa_gen_bit_mask/docs/aclnnDropoutGenMaskV2Tensor.md
ACLNN_API aclnnStatus aclnnDropoutGenMaskV2TensorGetWorkspaceSize(
    const aclIntArray* shape, double prob, const aclTensor* seedTensor,
    const aclTensor* offsetTensor, int64_t offset, aclDataType probDataType, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDropoutGenMaskV2Tensor(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DROPOUT_GEN_MASK_H_
