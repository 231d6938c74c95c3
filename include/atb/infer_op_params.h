// SPDX-License-Identifier: Apache-2.0
// Parameters of ATB's operations for inference, those that anyacl offers. Layouts are those that
// programs were built with; what of them is not offered, CreateOperation refuses, and says so.
//
// Shapes: T tokens of all sequences, one after the other; B sequences; N heads of queries, Nk of
// keys and values; D and Dv the numbers of a head. [T, N, D] may be [T, N * D]. Lengths are INT32
// in host memory (Tensor::hostData), everything else lies at Tensor::deviceData.
#ifndef ANYACL_ATB_INFER_OP_PARAMS_H_
#define ANYACL_ATB_INFER_OP_PARAMS_H_

#include <cstdint>

#include "acl/acl.h"

namespace atb {
namespace infer {

enum InputLayout : int { TYPE_BSND = 0, TYPE_BNSD };

enum QuantType : int {
  QUANT_UNDEFINED = 0,
  QUANT_INT4,
  QUANT_INT8,
  QUANT_INT16,
  QUANT_FLOAT8,
  QUANT_FLOAT16,
};

enum DynamicQuantType : int {
  DYNAMIC_QUANT_UNDEFINED = 0,
  DYNAMIC_QUANT_SYMMETRIC,
  DYNAMIC_QUANT_ASYMMETRIC,
};

// y = x / sqrt(mean of x^2 + epsilon) * gamma, over the last dimension. In: x, gamma [D]. Out: y.
// With QUANT_INT8: In: x, gamma, beta [D], scale [1], offset [1] of INT8. Out: INT8, what
// (y + beta) / scale + offset is rounded to, from -128 to 127. Offered: RMS_NORM_NORM.
struct RmsNormParam {
  enum RmsNormType : int {
    RMS_NORM_UNDEFINED = 0,
    RMS_NORM_NORM,
    RMS_NORM_PRENORM,
    RMS_NORM_POSTNORM,
  };
  enum PrecisionMode : int { HIGH_PRECISION_MODE = 0, HIGH_PERFORMANCE_MODE };
  enum ModelType : int { LLAMA_MODEL = 0, GEMMA_MODEL };
  struct NormParam {
    QuantType quantType = QUANT_UNDEFINED;
    float epsilon = 1e-5f;
    double layerNormEps = 1e-5;  // of no effect
    bool rstd = false;
    PrecisionMode precisionMode = HIGH_PRECISION_MODE;
    ModelType modelType = LLAMA_MODEL;
    DynamicQuantType dynamicQuantType = DYNAMIC_QUANT_UNDEFINED;
    uint8_t rsv[32] = {0};
  };
  struct PreNormParam {
    QuantType quantType = QUANT_UNDEFINED;
    float epsilon = 1e-5f;
    bool hasBias = false;
    uint8_t rsv[23] = {0};
  };
  struct PostNormParam {
    QuantType quantType = QUANT_UNDEFINED;
    float epsilon = 1e-5f;
    bool hasBias = false;
    uint8_t rsv[23] = {0};
  };
  RmsNormType layerType = RMS_NORM_UNDEFINED;
  NormParam normParam;
  PreNormParam preNormParam;
  PostNormParam postNormParam;
  uint8_t rsv[8] = {0};
};

// out = A @ B + bias, where A is x or, transposed, of shape [k, m], and B is weight [k, n] or,
// transposed, [n, k]. In: x, weight, and bias [n] or [1, n] (hasBias) or, instead, what is added
// (enAccum: FLOAT [m, n], as the output). Out: [m, n]. Offered: FLOAT16, BF16, FLOAT; no quantised
// products.
struct LinearParam {
  bool transposeA = false;
  bool transposeB = true;
  bool hasBias = true;
  aclDataType outDataType = ACL_DT_UNDEFINED;
  bool enAccum = false;
  uint8_t rsv[23] = {0};
};

// c = c + A @ weight of each of G groups, which are parts of k: A is x [m, k] or, transposed,
// [k, m]. In: x, weight [k, n], where each group of k ends (INT64 [G]), c (FLOAT, [G * m, n] or
// [m, G * n]). Out: c. Offered: FLOAT16, BF16; transposeB false.
struct GroupedMatmulInplaceAddParam {
  bool transposeA = false;
  bool transposeB = false;
  uint8_t rsv[22] = {0};
};

// Of each row of x [T, experts], in groupNum groups of neighbours, the k groups with the largest
// maximum (or sum of the n largest) stay, the others become 0. In: x, and numbers 0, 1, ... of
// INT32, which are not needed. Out: [T, experts], which may be x.
struct GroupTopkParam {
  enum GroupMultiFlag : uint16_t { UNDEFINED = 0, SUM_MULTI_MAX };
  int32_t groupNum = 1;
  int32_t k = 0;
  GroupMultiFlag groupMultiFlag = UNDEFINED;
  uint16_t n = 1;
  uint8_t rsv[12] = {0};
};

// Attention over a cache in blocks. In: query [T, N, D]; keyCache [blocks, blockSize, Nk, D];
// valueCache [blocks, blockSize, Nk, Dv], Dv at most D, left out where mlaVHeadSize > 0 says that
// the values are so many first numbers of the keys; blockTable [B, most blocks] of INT32;
// contextLens [B]; the mask (maskType), added to the scores; with CALC_TYPE_SPEC the number of
// queries of each sequence [B], else each has one. Out: [T, N, Dv].
// Masks of the type of query: MASK_TYPE_NORM [B, 1, columns], MASK_TYPE_ALIBI [B, N, 1, columns],
// MASK_TYPE_SPEC [T, columns]. Offered: no quantisation, compression or LogN scales, TYPE_BSND.
struct PagedAttentionParam {
  enum MaskType : int { UNDEFINED = 0, MASK_TYPE_NORM, MASK_TYPE_ALIBI, MASK_TYPE_SPEC };
  enum QuantType : int {
    TYPE_QUANT_UNDEFINED = 0,
    TYPE_DEQUANT_FUSION,
    TYPE_QUANT_QKV_OFFLINE,
    TYPE_QUANT_QKV_ONLINE
  };
  enum CompressType : int {
    COMPRESS_TYPE_UNDEFINED = 0,
    COMPRESS_TYPE_KVHEAD,
    COMPRESS_TYPE_KVHEAD_ROPE,
    COMPRESS_TYPE_MAX
  };
  enum CalcType : int { CALC_TYPE_UNDEFINED = 0, CALC_TYPE_SPEC };
  enum ScaleType : int { SCALE_TYPE_TOR = 0, SCALE_TYPE_LOGN, SCALE_TYPE_MAX };

  int32_t headNum = 0;
  float qkScale = 1.0f;
  int32_t kvHeadNum = 0;  // 0: headNum
  MaskType maskType = UNDEFINED;
  bool batchRunStatusEnable = false;
  QuantType quantType = TYPE_QUANT_UNDEFINED;
  aclDataType outDataType = ACL_DT_UNDEFINED;
  bool hasQuantOffset = false;
  CompressType compressType = COMPRESS_TYPE_UNDEFINED;
  CalcType calcType = CALC_TYPE_UNDEFINED;
  ScaleType scaleType = SCALE_TYPE_TOR;
  InputLayout inputLayout = TYPE_BSND;
  uint32_t mlaVHeadSize = 0;
  uint8_t rsv[68] = {0};
};

// Puts the keys and values of tokens into their slots of a cache. In: key [T, Nk, D], value
// [T, Nk, Dv], keyCache, valueCache, slots [T] of INT32: slot i of a cache is row i % blockSize of
// block i / blockSize, and a token whose slot is negative is left out. Out: the caches again.
// K_CACHE_V_BYPASS: no values. K_CACHE_V_CACHE_NZ: caches [blocks, Nk * D / c, blockSize, c] with c
// numbers in 32 bytes. Offered: FLOAT16, BF16, INT8; no compression.
struct ReshapeAndCacheParam {
  enum CompressType : int {
    COMPRESS_TYPE_UNDEFINED = 0,
    COMPRESS_TYPE_KVHEAD,
    COMPRESS_TYPE_KVHEAD_ROPE
  };
  enum KvCacheCfg : int { K_CACHE_V_CACHE = 0, K_CACHE_V_BYPASS, K_CACHE_V_CACHE_NZ };
  CompressType compressType = COMPRESS_TYPE_UNDEFINED;
  KvCacheCfg kvCacheCfg = K_CACHE_V_CACHE;
  uint8_t rsv[16] = {0};
};

// Rotates queries and keys: each head is cut into rotaryCoeff pieces, and of each pair (a, b) of
// pieces becomes (a cos - b sin, b cos + a sin). In: query [T, N * D], key [T, Nk * D], cos and sin
// [T, D], and the lengths of the sequences, which are not needed. Out: both rotated, which may be
// the inputs. rotaryCoeff: 2, 4, or D, pairs of neighbours (also written D / 2 where that
// is more than 4). cos and sin have the type of query, or FLOAT, and then so has the arithmetic.
struct RopeParam {
  int32_t rotaryCoeff = 4;
  int32_t cosFormat = 0;  // of no effect
  uint8_t rsv[8] = {0};
};

// Attention of sequences. PA_ENCODER, in: query [T, N, D], key [S, Nk, D], value [S, Nk, Dv], the
// mask (maskType), lengths [B]: of queries and of keys. PREFIX_ENCODER, in: query, keyCache,
// valueCache and blockTable as of PagedAttentionParam, the mask, the number of queries [B] and of
// keys [B] of each sequence. Out: [T, N, Dv], Dv at most D.
// Masks of the type of query, added to the scores: MASK_TYPE_NORM [rows, columns] for all sequences
// or [B, rows, columns]; MASK_TYPE_ALIBI [N, rows, columns] or [B, N, rows, columns].
// MASK_TYPE_NORM_COMPRESS: queries see the keys up to their own place, the last query the last key;
// the mask's data are not read. Offered: no clamping, quantisation, windows or LogN scales.
struct SelfAttentionParam {
  enum CalcType : int { UNDEFINED = 0, ENCODER, DECODER, PA_ENCODER, PREFIX_ENCODER };
  enum KernelType : int { KERNELTYPE_DEFAULT = 0, KERNELTYPE_HIGH_PRECISION };
  enum ClampType : int { CLAMP_TYPE_UNDEFINED = 0, CLAMP_TYPE_MIN_MAX };
  enum MaskType : int {
    MASK_TYPE_UNDEFINED = 0,
    MASK_TYPE_NORM,
    MASK_TYPE_ALIBI,
    MASK_TYPE_NORM_COMPRESS,
    MASK_TYPE_ALIBI_COMPRESS,
    MASK_TYPE_ALIBI_COMPRESS_SQRT,
    MASK_TYPE_ALIBI_COMPRESS_LEFT_ALIGN,
    MASK_TYPE_SLIDING_WINDOW_NORM,
    MASK_TYPE_SLIDING_WINDOW_COMPRESS
  };
  enum KvCacheCfg : int { K_CACHE_V_CACHE = 0, K_BYPASS_V_BYPASS };
  enum ScaleType : int { SCALE_TYPE_TOR = 0, SCALE_TYPE_LOGN, SCALE_TYPE_MAX };
  enum QuantType : int {
    TYPE_QUANT_UNDEFINED = 0,
    TYPE_QUANT_UNQUANT = 0,
    TYPE_DEQUANT_FUSION = 1,
    TYPE_QUANT_QKV_OFFLINE = 2,
    TYPE_QUANT_QKV_ONLINE = 3
  };
  enum CacheType : int8_t { CACHE_TYPE_NORM = 0, CACHE_TYPE_SWA = 1 };

  QuantType quantType = TYPE_QUANT_UNQUANT;
  aclDataType outDataType = ACL_DT_UNDEFINED;
  int32_t headNum = 0;
  int32_t kvHeadNum = 0;  // 0: headNum
  float qScale = 1;
  float qkScale = 1;
  bool batchRunStatusEnable = false;
  uint32_t isTriuMask = 0;  // a hint
  CalcType calcType = UNDEFINED;
  KernelType kernelType = KERNELTYPE_DEFAULT;  // both compute in FLOAT
  ClampType clampType = CLAMP_TYPE_UNDEFINED;
  float clampMin = 0;
  float clampMax = 0;
  MaskType maskType = MASK_TYPE_UNDEFINED;
  KvCacheCfg kvcacheCfg = K_CACHE_V_CACHE;
  ScaleType scaleType = SCALE_TYPE_TOR;
  InputLayout inputLayout = TYPE_BSND;
  uint32_t mlaVHeadSize = 0;
  CacheType cacheType = CACHE_TYPE_NORM;
  uint32_t windowSize = 0;
  uint8_t rsv[64] = {0};
};

// Element by element, with broadcasting. Offered: CAST (to outTensorType), MULS (by
// mulsParam.varAttr), COS, SIN, NEG, LOGICAL_NOT, TANH of x; ADD, SUB, MUL, REALDIV, LOGICAL_AND,
// LOGICAL_OR, LESS, GREATER, EQUAL of x and y; QUANT_PER_CHANNEL of x, scale and offset, which may
// have no elements: round(x / scale) + offset, in the type of x, as INT8 from -128 to 127.
struct ElewiseParam {
  enum ElewiseType : int {
    ELEWISE_UNDEFINED = 0,
    ELEWISE_CAST,
    ELEWISE_MULS,
    ELEWISE_COS,
    ELEWISE_SIN,
    ELEWISE_NEG,
    ELEWISE_QUANT,
    ELEWISE_LOGICAL_NOT,
    ELEWISE_ADD,
    ELEWISE_MUL,
    ELEWISE_REALDIV,
    ELEWISE_LOGICAL_AND,
    ELEWISE_LOGICAL_OR,
    ELEWISE_LESS,
    ELEWISE_GREATER,
    ELEWISE_SUB,
    ELEWISE_EQUAL,
    ELEWISE_QUANT_PER_CHANNEL,
    ELEWISE_DEQUANT_PER_CHANNEL,
    ELEWISE_DYNAMIC_QUANT,
    ELEWISE_TANH,
    ELEWISE_TYPE_MAX
  };
  struct QuantParam {
    float inputScale = 1.0f;
    bool asymmetric = false;
    int inputOffset = 0;
    uint8_t rsv[20] = {0};
  };
  struct MulsParam {
    float varAttr = 0.0f;
    uint8_t rsv[12] = {0};
  };
  ElewiseType elewiseType = ELEWISE_UNDEFINED;
  QuantParam quantParam;
  MulsParam mulsParam;
  aclDataType outTensorType = ACL_DT_UNDEFINED;
  uint8_t rsv[8] = {0};
};

}  // namespace infer
}  // namespace atb

#endif  // ANYACL_ATB_INFER_OP_PARAMS_H_
