// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_WEIGHT_NZ_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_WEIGHT_NZ_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnGroupedMatmulWeightNz: out[i] = x[i] @ weight[i] + bias[i] of groups i, weights in panels or
// as they are.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                              FLOAT, FLOAT16, INT8, INT32, BF16, INT4; any shape; one tensor
//                                  for all groups, or one for each; INT32 packs eight INT4
//   weight                         FLOAT, FLOAT16, INT8, INT32, BF16, INT4; any shape; ND or
//                                  FRACTAL_NZ; [groups, K, N], or [K, N] for each; groups of K: [K,
//                                  N]; INT32 packs eight INT4
//   biasOptional                   FLOAT, FLOAT16, INT32, BF16; any shape; may be null; as weight:
//                                  [groups, N], or [N] for each
//   scaleOptional                  FLOAT, INT64, UINT64, BF16; any shape; may be null; [groups, N],
//                                  or [N] for each; beside INT4 also [.., groups of K, N]; of 64
//                                  bits the lower half is fp32
//   offsetOptional                 FLOAT; any shape; may be null; of INT8 by INT4: [groups, 1, N],
//                                  or [1, N] for each; else null
//   antiquantScaleOptional         FLOAT16, BF16; any shape; may be null; of x's type: [groups, N]
//                                  or [groups, groups of K, N], or [N] or [groups of K, N] for each
//   antiquantOffsetOptional        FLOAT16, BF16; any shape; may be null; shaped as
//                                  antiquantScaleOptional
//   perTokenScaleOptional          FLOAT; any shape; may be null; one tensor, [M] or [M, 1]
//   groupListOptional              INT64; [L] or [L 2]; may be null; as groupListType says; null
//                                  where the tensors' sizes say it
//   activationInputOptional        FLOAT, FLOAT16, INT8, BF16; any shape; may be null; null, or an
//                                  empty list
//   activationQuantScaleOptional   FLOAT, FLOAT16, INT8, BF16; any shape; may be null; null, or an
//                                  empty list
//   activationQuantOffsetOptional  FLOAT, FLOAT16, INT8, BF16; any shape; may be null; null, or an
//                                  empty list
//   splitItem                      0 to 3; 0 and 1: the result has a tensor for each group, 2 and
//                                  3: one
//   groupType                      -1 to 2; -1: every tensor is a group, 0: groups are rows, 2:
//                                  parts of K
//   groupListType                  0 to 2; groupListOptional has: 0: where groups end, 1: their
//                                  sizes, 2: [group, size] of each
//   actType                        0 to 5; of INT8 by INT8 with 16-bit results: 0 none, 1 relu, 2
//                                  gelu with tanh, 4 fast gelu, 5 silu
//   tuningConfigOptional           may be null; {rows that are expected of a group, 1 for INT4
//                                  weights [groups, N, K], bytes}
//   quantGroupSize                 0 or more; 0, or how many k have a factor, of INT8 by INT4
//   out                            FLOAT, FLOAT16, INT8, INT32, BF16; any shape; output; as
//                                  splitItem says
//   activationFeatureOutOptional   FLOAT, FLOAT16, INT8, BF16; any shape; output; may be null;
//                                  null, or an empty list
//   dynQuantScaleOutOptional       FLOAT, FLOAT16, INT8, BF16; any shape; output; may be null;
//                                  null, or an empty list
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: gmm/grouped_matmul/docs/aclnnGroupedMatmulWeightNz.md
ACLNN_API aclnnStatus aclnnGroupedMatmulWeightNzGetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* weight, const aclTensorList* biasOptional,
    const aclTensorList* scaleOptional, const aclTensorList* offsetOptional,
    const aclTensorList* antiquantScaleOptional, const aclTensorList* antiquantOffsetOptional,
    const aclTensorList* perTokenScaleOptional, const aclTensor* groupListOptional,
    const aclTensorList* activationInputOptional, const aclTensorList* activationQuantScaleOptional,
    const aclTensorList* activationQuantOffsetOptional, int64_t splitItem, int64_t groupType,
    int64_t groupListType, int64_t actType, const aclIntArray* tuningConfigOptional,
    int64_t quantGroupSize, aclTensorList* out, aclTensorList* activationFeatureOutOptional,
    aclTensorList* dynQuantScaleOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnGroupedMatmulWeightNz(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_WEIGHT_NZ_H_
