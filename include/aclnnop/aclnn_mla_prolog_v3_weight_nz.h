// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_MLA_PROLOG_V3_WEIGHT_NZ_H_
#define ANYACL_ACLNNOP_ACLNN_MLA_PROLOG_V3_WEIGHT_NZ_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnMlaPrologV3WeightNz: as aclnnMlaPrologV2WeightNz, with factors of both norms, caches of more
// orders and the queries' norm as a result.
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
//   kvCacheRef                    INT8, BF16; [blocks places 1 Hckv] or [tokens 1 Hckv]; changed in
//                                 place; BSND: [B, S, 1, Hckv], TND: [T, 1, Hckv]; INT8 only beside
//                                 INT8 weightUqQr
//   krCacheRef                    INT8, BF16; [blocks places 1 Dr] or [tokens 1 Dr]; changed in
//                                 place; as kvCacheRef; INT8 where that is and tokenX is not
//   cacheIndexOptional            INT64; [I] or [J L]; may be null; [T] or [B, S]: places of
//                                 tokens; PA_BLK: [blocks] or [B, blocks of S]: blocks; -1:
//                                 nowhere; null with BSND and TND
//   dequantScaleXOptional         FLOAT; any shape; may be null; [tokens, 1]; of INT8 tokenX, and
//                                 only of that
//   dequantScaleWDqOptional       FLOAT; [1 Hcq]; may be null; as dequantScaleXOptional
//   dequantScaleWUqQrOptional     FLOAT; [1 Q]; may be null; of INT8 weightUqQr, and only of that
//   dequantScaleWDkvKrOptional    FLOAT; [1 K]; may be null; as dequantScaleXOptional
//   quantScaleCkvOptional         FLOAT; [1] or [1 Hckv]; may be null; of INT8 kvCacheRef; of INT8
//                                 tokenX the first one is for all columns
//   quantScaleCkrOptional         FLOAT; [1 Dr]; may be null; of INT8 krCacheRef
//   smoothScalesCqOptional        FLOAT; [1 Hcq]; may be null; null beside BF16 weightUqQr
//   actualSeqLenOptional          INT32; [M]; may be null; where sequences end; needed for PA_BLK
//                                 and [T, He] tokenX, otherwise without effect
//   kNopeClipAlphaOptional        FLOAT; [1]; may be null; without effect: kvCacheQuantMode 3 is
//                                 refused
//   rmsnormEpsilonCq              0 or more
//   rmsnormEpsilonCkv             0 or more
//   cacheModeOptional             may be null; PA_BSND (or null), PA_NZ, PA_BLK_BSND, PA_BLK_NZ,
//                                 BSND, TND
//   weightQuantMode               0 to 2; 0: no INT8, 1: weightUqQr, 2: tokenX and weights
//   kvCacheQuantMode              0 to 2; 0: BF16, 1: one factor, 2: those of columns
//   queryQuantMode                0 to 1; 1: INT8 queryOut
//   ckvkrRepoMode                 0
//   quantScaleRepoMode            0
//   tileSize                      without effect
//   qcQrScale                     times the queries' norm
//   kcScale                       times the keys' norm
//   queryOut                      INT8, BF16; [T N Hckv] or [B S N Hckv]; output; INT8 where tokenX
//                                 and kvCacheRef are
//   queryRopeOut                  BF16; [T N Dr] or [B S N Dr]; output
//   dequantScaleQNopeOutOptional  FLOAT; any shape; output; may be null; [tokens, N, 1], needed for
//                                 INT8 queryOut; otherwise without effect
//   queryNormOutOptional          INT8, BF16; [T Hcq] or [B S Hcq]; output; may be null; what
//                                 weightUqQr is multiplied by, of its type
//   dequantScaleQNormOutOptional  FLOAT; any shape; output; may be null; [tokens, 1], factors of
//                                 INT8 queryNormOutOptional, needed beside it
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-transformer: attention/mla_prolog_v3/docs/aclnnMlaPrologV3WeightNz.md
ACLNN_API aclnnStatus aclnnMlaPrologV3WeightNzGetWorkspaceSize(
    const aclTensor* tokenX, const aclTensor* weightDq, const aclTensor* weightUqQr,
    const aclTensor* weightUk, const aclTensor* weightDkvKr, const aclTensor* rmsnormGammaCq,
    const aclTensor* rmsnormGammaCkv, const aclTensor* ropeSin, const aclTensor* ropeCos,
    aclTensor* kvCacheRef, aclTensor* krCacheRef, const aclTensor* cacheIndexOptional,
    const aclTensor* dequantScaleXOptional, const aclTensor* dequantScaleWDqOptional,
    const aclTensor* dequantScaleWUqQrOptional, const aclTensor* dequantScaleWDkvKrOptional,
    const aclTensor* quantScaleCkvOptional, const aclTensor* quantScaleCkrOptional,
    const aclTensor* smoothScalesCqOptional, const aclTensor* actualSeqLenOptional,
    const aclTensor* kNopeClipAlphaOptional, double rmsnormEpsilonCq, double rmsnormEpsilonCkv,
    char* cacheModeOptional, int64_t weightQuantMode, int64_t kvCacheQuantMode,
    int64_t queryQuantMode, int64_t ckvkrRepoMode, int64_t quantScaleRepoMode, int64_t tileSize,
    double qcQrScale, double kcScale, const aclTensor* queryOut, const aclTensor* queryRopeOut,
    const aclTensor* dequantScaleQNopeOutOptional, const aclTensor* queryNormOutOptional,
    const aclTensor* dequantScaleQNormOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnMlaPrologV3WeightNz(void* workspace, uint64_t workspaceSize,
                                               aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_MLA_PROLOG_V3_WEIGHT_NZ_H_
