// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ISIN_TENSOR_SCALAR_H_
#define ANYACL_ACLNNOP_ACLNN_ISIN_TENSOR_SCALAR_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnIsInTensorScalar: out = whether element equals testElement, or does not if invert.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   element       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, INT64, DOUBLE, BOOL,
//                 COMPLEX64, COMPLEX128, BF16; [A*]
//   assumeUnique  changes nothing
//   invert        the opposite
//   out           BOOL; [A*]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-math: math/equal/docs/aclnnIsInTensorScalar.md
ACLNN_API aclnnStatus aclnnIsInTensorScalarGetWorkspaceSize(
    const aclTensor* element, const aclScalar* testElement, bool assumeUnique, bool invert,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnIsInTensorScalar(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ISIN_TENSOR_SCALAR_H_
