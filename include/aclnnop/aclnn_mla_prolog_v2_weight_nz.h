// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MLA_PROLOG_V2_WEIGHT_NZ_H_
#define ANYACL_ACLNNOP_ACLNN_MLA_PROLOG_V2_WEIGHT_NZ_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMlaPrologV2WeightNz: as aclnnMlaProlog, and INT8 queries with dequantScaleQNopeOutOptional.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   tokenX                        INT8, BF16; [T He] or [B S He]
//   weightDq                      INT8, BF16; [He Hcq] or [p q 16 C0]; ND or FRACTAL_NZ; of
//                                 tokenX's type
//   weightUqQr                    INT8, BF16; [Hcq Q] or [r s 16 C1]; ND or FRACTAL_NZ; Q is N * (D
//                                 + Dr); INT8 beside INT8 tokenX
//   weightUk                      BF16; [N D Hckv]
//   weightDkvKr                   INT8, BF16; [He K] or [t u 16 C2]; ND or FRACTAL_NZ; K is Hckv +
//                                 Dr; of tokenX's type
//   rmsnormGammaCq                BF16; [Hcq]
//   rmsnormGammaCkv               BF16; [Hckv]
//   ropeSin                       BF16; [T Dr] or [B S Dr]; Dr is even
//   ropeCos                       BF16; [T Dr] or [B S Dr]
//   cacheIndex                    INT64; [T] or [B S]; places of tokens, 0 to blocks * places - 1;
//                                 -1: nowhere
//   kvCacheRef                    INT8, BF16; [blocks places 1 Hckv]; changed in place; INT8 only
//                                 beside INT8 weightUqQr
//   krCacheRef                    INT8, BF16; [blocks places 1 Dr]; changed in place; INT8 where
//                                 kvCacheRef is and tokenX is not
//   dequantScaleXOptional         FLOAT; any shape; may be null; [tokens, 1]; of INT8 tokenX, and
//                                 only of that
//   dequantScaleWDqOptional       FLOAT; [1 Hcq]; may be null; as dequantScaleXOptional
//   dequantScaleWUqQrOptional     FLOAT; [1 Q]; may be null; of INT8 weightUqQr, and only of that
//   dequantScaleWDkvKrOptional    FLOAT; [1 K]; may be null; as dequantScaleXOptional
//   quantScaleCkvOptional         FLOAT; [1 Hckv]; may be null; of INT8 kvCacheRef; of INT8 tokenX
//                                 the first one is for all columns
//   quantScaleCkrOptional         FLOAT; [1 Dr]; may be null; of INT8 krCacheRef
//   smoothScalesCqOptional        FLOAT; [1 Hcq]; may be null; null beside BF16 weightUqQr
//   rmsnormEpsilonCq              0 or more
//   rmsnormEpsilonCkv             0 or more
//   cacheModeOptional             may be null; PA_BSND (or null), PA_NZ
//   queryOut                      INT8, BF16; [T N Hckv] or [B S N Hckv]; output; INT8 where tokenX
//                                 and kvCacheRef are
//   queryRopeOut                  BF16; [T N Dr] or [B S N Dr]; output
//   dequantScaleQNopeOutOptional  FLOAT; any shape; output; may be null; [tokens, N, 1], needed for
//                                 INT8 queryOut; otherwise without effect
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: attention/mla_prolog_v2/docs/aclnnMlaPrologV2WeightNz.md
ACLNN_API aclnnStatus aclnnMlaPrologV2WeightNzGetWorkspaceSize(
    const aclTensor* tokenX, const aclTensor* weightDq, const aclTensor* weightUqQr,
    const aclTensor* weightUk, const aclTensor* weightDkvKr, const aclTensor* rmsnormGammaCq,
    const aclTensor* rmsnormGammaCkv, const aclTensor* ropeSin, const aclTensor* ropeCos,
    const aclTensor* cacheIndex, aclTensor* kvCacheRef, aclTensor* krCacheRef,
    const aclTensor* dequantScaleXOptional, const aclTensor* dequantScaleWDqOptional,
    const aclTensor* dequantScaleWUqQrOptional, const aclTensor* dequantScaleWDkvKrOptional,
    const aclTensor* quantScaleCkvOptional, const aclTensor* quantScaleCkrOptional,
    const aclTensor* smoothScalesCqOptional, double rmsnormEpsilonCq, double rmsnormEpsilonCkv,
    char* cacheModeOptional, const aclTensor* queryOut, const aclTensor* queryRopeOut,
    const aclTensor* dequantScaleQNopeOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMlaPrologV2WeightNz(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MLA_PROLOG_V2_WEIGHT_NZ_H_
