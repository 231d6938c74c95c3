// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_CONVERT_WEIGHT_TO_INT4_PACK_H_
#define ANYACL_ACLNNOP_ACLNN_CONVERT_WEIGHT_TO_INT4_PACK_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnConvertWeightToINT4Pack: numbers of an INT32 each as INT4, two to a byte, as rows or in
// panels.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   weight          INT32; [K N] or [B K N]; contiguous; a number from -8 to 7 each, of others the
//                   lowest four bits; N is even
//   weightInt4Pack  INT32, INT4; [K N] or [B K N]; INT32: [K N/8 | B K N/8]; contiguous; output; ND
//                   or FRACTAL_NZ; INT32 holds eight; FRACTAL_NZ has a storage [.., N/64, K/16, 16,
//                   64], 8 of INT32
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: matmul/convert_weight_to_int4_pack/docs/aclnnConvertWeightToINT4Pack.md
ACLNN_API aclnnStatus aclnnConvertWeightToINT4PackGetWorkspaceSize(
    const aclTensor* weight, aclTensor* weightInt4Pack, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnConvertWeightToINT4Pack(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_CONVERT_WEIGHT_TO_INT4_PACK_H_
