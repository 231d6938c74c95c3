// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FUSED_SGD_H_
#define ANYACL_ACLNNOP_ACLNN_FUSED_SGD_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFusedSgd: gradsRef = gradsRef / gradScale; d = gradsRef + weightDecay * paramsRef;
// momentumRef = momentum * momentumRef + (1 - dampening) * d, or d at first; paramsRef = paramsRef
// - lr * momentumRef, nesterov: - lr * (d + momentum * momentumRef).
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   paramsRef                      FLOAT, FLOAT16, BF16; any shape; changed in place; tensors of
//                                  one type
//   gradsRef                       FLOAT, FLOAT16, BF16; any shape; changed in place; of
//                                  paramsRef's shapes and type; divided by gradScaleOptional
//   momentumBufferListOptionalRef  FLOAT, FLOAT16, BF16; any shape; changed in place; may be null;
//                                  of paramsRef's shapes and type; none or null: no momentum
//   gradScaleOptional              FLOAT, FLOAT16, BF16; [S*]; may be null; one number, not 0;
//                                  without elements as null
//   weightDecay                    0 or more
//   momentum                       0 or more; 0 without buffers
//   lr                             0 or more
//   dampening                      0 or more
//   nesterov                       needs momentum, and no dampening
//   maximize                       go along the gradient
//   isFirstStep                    buffers are written, not read
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-nn: optim/fused_sgd/docs/aclnnFusedSgd.md
ACLNN_API aclnnStatus aclnnFusedSgdGetWorkspaceSize(
    const aclTensorList* paramsRef, const aclTensorList* gradsRef,
    const aclTensorList* momentumBufferListOptionalRef, const aclTensor* gradScaleOptional,
    float weightDecay, float momentum, float lr, float dampening, bool nesterov, bool maximize,
    bool isFirstStep, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFusedSgd(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FUSED_SGD_H_
