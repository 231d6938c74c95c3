// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FFN_H_
#define ANYACL_ACLNNOP_ACLNN_FFN_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFFN: y = activation(x @ weight1 + bias1) @ weight2 + bias2, of experts or of none, in
// integers or with quantised weights.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   x                 FLOAT16, INT8, BF16; [M.. K1]
//   weight1           FLOAT16, INT8, BF16, INT4; [K1 N1] or [E K1 N1]
//   weight2           FLOAT16, INT8, BF16, INT4; [K2 K1] or [E K2 K1]; of weight1's type; K2 is N1,
//                     of activations with a gate N1 / 2
//   expertTokens      may be null; rows of x of each expert, up to 256; null or empty: no experts
//   bias1             FLOAT, FLOAT16, INT32; [N1] or [E N1]; may be null
//   bias2             FLOAT, FLOAT16, INT32; [K1] or [E K1]; may be null
//   scale             FLOAT; [S] or [E N1]; may be null; of INT8: [1] or [N1], of experts [E] or
//                     [E, N1]
//   offset            FLOAT; [O]; may be null; of INT8: [1], of experts [E]
//   deqScale1         FLOAT, INT64, UINT64, BF16; [N1] or [E N1]; may be null; of INT8; of 64 bits
//                     the lower half is fp32
//   deqScale2         FLOAT, INT64, UINT64, BF16; [K1] or [E K1]; may be null; of INT8; of 64 bits
//                     the lower half is fp32
//   antiquantScale1   FLOAT16, BF16; [N1] or [A1 N1] or [E G1 N1]; may be null; of weights of INT8
//                     or INT4, of x's type
//   antiquantScale2   FLOAT16, BF16; [K1] or [A2 K1] or [E G2 K1]; may be null; of weights of INT8
//                     or INT4, of x's type
//   antiquantOffset1  FLOAT16, BF16; [N1] or [A1 N1] or [E G1 N1]; may be null; of weights of INT8
//                     or INT4, of x's type
//   antiquantOffset2  FLOAT16, BF16; [K1] or [A2 K1] or [E G2 K1]; may be null; of weights of INT8
//                     or INT4, of x's type
//   activation        fastgelu, gelu, relu or silu; geglu, swiglu or reglu, with a gate, of FLOAT16
//                     without experts
//   innerPrecise      0 to 1; without effect; 0 with BF16 weights, 1 with a gate
//   y                 FLOAT16, BF16; [M.. K1]; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: ffn/ffn/docs/aclnnFFN.md
ACLNN_API aclnnStatus aclnnFFNGetWorkspaceSize(const aclTensor* x, const aclTensor* weight1,
                                               const aclTensor* weight2,
                                               const aclIntArray* expertTokens,
                                               const aclTensor* bias1, const aclTensor* bias2,
                                               const aclTensor* scale, const aclTensor* offset,
                                               const aclTensor* deqScale1,
                                               const aclTensor* deqScale2,
                                               const aclTensor* antiquantScale1,
                                               const aclTensor* antiquantScale2,
                                               const aclTensor* antiquantOffset1,
                                               const aclTensor* antiquantOffset2,
                                               const char* activation, int64_t innerPrecise,
                                               const aclTensor* y, uint64_t* workspaceSize,
                                               aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFFN(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FFN_H_
