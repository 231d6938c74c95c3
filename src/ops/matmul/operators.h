// SPDX-License-Identifier: Apache-2.0
// The declarations of products of matrices and vectors: aclnnMm, aclnnMatmul, aclnnBatchMatMul,
// aclnnMv, aclnnDot, and with a summand aclnnAddmm, aclnnBaddbmm, aclnnAddbmm, aclnnAddmv and
// aclnnAddr, most of these in place, too.
#pragma once

#include "nnop/operator.h"
#include "ops/matmul/feed_forward_params.h"
#include "ops/matmul/fused_operators.h"
#include "ops/matmul/grouped_params.h"
#include "ops/matmul/older_operators.h"
#include "ops/matmul/params.h"
#include "ops/matmul/prepared_params.h"
#include "ops/matmul/quant_params.h"

namespace anyacl::matmul {

// Two matrices or a vector for one, batches with one leading dimension, anything of rank 1 to 6;
// the sum over a batch; a column times a row, both given as vectors.
enum class Form { kMatrix, kBatch, kAny, kSum, kOuter };

Status PrepareTransposeBatch(Operands& operands, PreparedCall* call);
template <Form kForm>
Status Prepare(Operands& operands, PreparedCall* call);
Status PrepareBatch(Operands& operands, PreparedCall* call);
template <Form kForm>
Status PrepareWeightNz(Operands& operands, PreparedCall* call);
Status PrepareGemm(Operands& operands, PreparedCall* call);
Status PrepareWeight(Operands& operands, PreparedCall* call);
Status PrepareWeightQuant(Operands& operands, PreparedCall* call);
Status PrepareQuant(Operands& operands, PreparedCall* call);
Status PrepareGrouped(Operands& operands, PreparedCall* call);
Status PrepareQuantParameter(Operands& operands, PreparedCall* call);
Status PrepareInt4Pack(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kDotTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                       ACL_INT8,  ACL_INT32,   ACL_UINT8};
inline constexpr DTypeSet kNumbers = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                      ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
inline constexpr DTypeSet kNumbersAndBool = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE,
                                             ACL_INT8,  ACL_INT16,   ACL_INT32, ACL_INT64,
                                             ACL_UINT8, ACL_BOOL};

// What the device may do to fp32 for speed. 4 is taken where documents have 0 to 3, too: Atlas A2
// makes it 0 there.
inline constexpr ParamSpec kCubeMathTypeRow = {
    .name = "cubeMathType",
    .id = kCubeMathType,
    .kind = Kind::kInt8,
    .min = 0,
    .max = 4,
    .note =
        "1, 2, 3: FLOAT may be rounded; here to 16 bits where the machine has matrix registers"};
constexpr ParamSpec Factor(int id, const char* name) {
  return Value(id, name, Kind::kScalar, "a real number or an integer");
}

constexpr ParamSpec OptionalFactor(int id, const char* name) {
  return Noted(Optional(Factor(id, name)), "1 where it is null");
}

inline constexpr ParamSpec kMmParams[] = {In(kLeft, "self", kFloats, "M K"),
                                          Weight("mat2", kFloats, "K N"),
                                          Out(kOut, "out", kFloats, "M N"), kCubeMathTypeRow};
inline constexpr ParamSpec kMatmulParams[] = {In(kLeft, "self", kFloats, "L.."),
                                              Weight("mat2", kFloats, "R.."),
                                              Out(kOut, "out", kFloats, "O*"), kCubeMathTypeRow};
inline constexpr ParamSpec kBatchParams[] = {In(kLeft, "self", kFloats, "B? M K"),
                                             Weight("mat2", kFloats, "B? K N"),
                                             Out(kOut, "out", kFloats, "B M N"), kCubeMathTypeRow};
inline constexpr ParamSpec kBatchNzParams[] = {
    In(kLeft, "self", kHalves, "B? M K"), Like(kLeft, Weight("mat2", kHalves, "B? K N")),
    Noted(Out(kOut, "out", kFloats, "B M N"), "of self's type, or FLOAT"), kCubeMathTypeRow};
inline constexpr ParamSpec kTransposeBatchParams[] = {
    In(kLeft, "x1", kFloats, "X0 X1 X2"),
    In(kRight, "x2", kFloats, "Y0 Y1 Y2"),
    Noted(In(kSummand, "bias", kFloats, "*", Need::kOptional), "reserved: refused if given"),
    Noted(In(kScale, "scale", {ACL_INT64, ACL_UINT64}, "S", Need::kOptional),
          "of INT8 results, which are not offered: refused if given"),
    Value(kPermLeft, "permX1", Kind::kIntArray, "[0, 1, 2] or [1, 0, 2]: x1 becomes [B, M, K]"),
    Value(kPermRight, "permX2", Kind::kIntArray, "[0, 1, 2] or [0, 2, 1]: x2 becomes [B, K, N]"),
    Value(kPermOut, "permY", Kind::kIntArray, "[1, 0, 2]"),
    kCubeMathTypeRow,
    {.name = "batchSplitFactor",
     .id = kBatchSplit,
     .kind = Kind::kInt32,
     .min = 1,
     .note = "f, a divisor of B"},
    Noted(Out(kOut, "out", kFloats, "O0 O1 O2"), "[M, B, N], or [f, M, B * N / f] of f > 1"),
};
inline constexpr ParamSpec kAddmmParams[] = {In(kSummand, "self", kFloats, "~MN*"),
                                             In(kLeft, "mat1", kFloats, "M K"),
                                             Weight("mat2", kFloats, "K N"),
                                             Factor(kBeta, "beta"),
                                             Factor(kAlpha, "alpha"),
                                             Out(kOut, "out", kFloats, "M N"),
                                             kCubeMathTypeRow};
inline constexpr ParamSpec kAddmmNzParams[] = {In(kSummand, "self", kFloats, "~MN*"),
                                               In(kLeft, "mat1", kHalves, "M K"),
                                               Like(kLeft, Weight("mat2", kHalves, "K N")),
                                               Factor(kBeta, "beta"),
                                               Factor(kAlpha, "alpha"),
                                               Out(kOut, "out", kFloats, "M N"),
                                               kCubeMathTypeRow};
inline constexpr ParamSpec kGemmParams[] = {
    In(kLeft, "A", kFloats, "A0 A1"),
    In(kRight, "B", kFloats, "B0 B1"),
    Noted(In(kSummand, "C", kFloats, "C*"), "broadcasts to [M, N]"),
    Value(kAlpha, "alpha", Kind::kFloat),
    Value(kBeta, "beta", Kind::kFloat),
    Value(kTransposeLeft, "transA", Kind::kInt64, "0: A is [M, K], else [K, M]"),
    Value(kTransposeRight, "transB", Kind::kInt64, "0: B is [K, N], else [N, K]"),
    Noted(Out(kOut, "out", kFloats, "O0 O1"), "[M, N]"),
    kCubeMathTypeRow};
inline constexpr ParamSpec kInplaceAddmmParams[] = {InOut(kOut, "selfRef", kFloats, "M N"),
                                                    In(kLeft, "mat1", kFloats, "M K"),
                                                    Weight("mat2", kFloats, "K N"),
                                                    Factor(kBeta, "beta"),
                                                    Factor(kAlpha, "alpha"),
                                                    kCubeMathTypeRow};
inline constexpr ParamSpec kBaddbmmParams[] = {In(kSummand, "self", kFloats, "~BMN*"),
                                               In(kLeft, "batch1", kFloats, "B? M K"),
                                               Weight("batch2", kFloats, "B? K N"),
                                               Factor(kBeta, "beta"),
                                               Factor(kAlpha, "alpha"),
                                               Out(kOut, "out", kFloats, "B M N"),
                                               kCubeMathTypeRow};
inline constexpr ParamSpec kInplaceBaddbmmParams[] = {InOut(kOut, "selfRef", kFloats, "B M N"),
                                                      In(kLeft, "batch1", kFloats, "B M K"),
                                                      Weight("batch2", kFloats, "B K N"),
                                                      Factor(kBeta, "beta"),
                                                      Factor(kAlpha, "alpha"),
                                                      kCubeMathTypeRow};

inline constexpr ParamSpec kMvParams[] = {
    In(kLeft, "self", kFloats, "M K"), Like(kLeft, In(kRight, "vec", kFloats, "K")),
    Like(kLeft, Out(kOut, "out", kFloats, "M")), kCubeMathTypeRow};
inline constexpr ParamSpec kDotParams[] = {In(kLeft, "self", kDotTypes, "K"),
                                           Like(kLeft, In(kRight, "tensor", kDotTypes, "K")),
                                           Like(kLeft, Out(kOut, "out", kDotTypes, "O*"))};
inline constexpr ParamSpec kAddmvParams[] = {In(kSummand, "self", kNumbersAndBool, "~M*"),
                                             In(kLeft, "mat", kNumbersAndBool, "M K"),
                                             In(kRight, "vec", kNumbersAndBool, "K"),
                                             Factor(kAlpha, "alpha"),
                                             Factor(kBeta, "beta"),
                                             Out(kOut, "out", kNumbers, "M"),
                                             kCubeMathTypeRow};
inline constexpr ParamSpec kAddbmmParams[] = {In(kSummand, "self", kFloats, "~MN*"),
                                              In(kLeft, "batch1", kFloats, "~B* M K"),
                                              In(kRight, "batch2", kFloats, "~B* K N"),
                                              Factor(kBeta, "beta"),
                                              Factor(kAlpha, "alpha"),
                                              Out(kOut, "out", kFloats, "M N"),
                                              kCubeMathTypeRow};
inline constexpr ParamSpec kInplaceAddbmmParams[] = {InOut(kOut, "selfRef", kFloats, "M N"),
                                                     In(kLeft, "batch1", kFloats, "~B* M K"),
                                                     In(kRight, "batch2", kFloats, "~B* K N"),
                                                     Factor(kBeta, "beta"),
                                                     Factor(kAlpha, "alpha"),
                                                     kCubeMathTypeRow};
inline constexpr ParamSpec kAddrParams[] = {
    In(kSummand, "self", kNumbersAndBool, "~MN*"), In(kLeft, "vec1", kNumbersAndBool, "M"),
    In(kRight, "vec2", kNumbersAndBool, "N"),      OptionalFactor(kBeta, "betaOptional"),
    OptionalFactor(kAlpha, "alphaOptional"),       Out(kOut, "out", kNumbersAndBool, "M N")};
inline constexpr ParamSpec kInplaceAddrParams[] = {
    InOut(kOut, "selfRef", kNumbersAndBool, "M N"), In(kLeft, "vec1", kNumbersAndBool, "M"),
    In(kRight, "vec2", kNumbersAndBool, "N"), OptionalFactor(kBeta, "betaOptional"),
    OptionalFactor(kAlpha, "alphaOptional")};

inline constexpr DTypeSet kGerTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                       ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                       ACL_UINT8, ACL_BOOL,    ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr ParamSpec kGerParams[] = {In(kLeft, "self", kGerTypes, "M"),
                                           In(kRight, "vec2", kGerTypes, "N"),
                                           Out(kOut, "out", kGerTypes, "M N")};

inline constexpr DTypeSet kWeights = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8};
inline constexpr ParamSpec kTransMatmulWeightParams[] = {
    Noted(InOut(kRight, "mmWeightRef", kWeights, "W.."), "of 2 to 6 dimensions; left as it is")};
inline constexpr OpSpec kProducts[] = {
    {.op = kNames<"Mm">,
     .params = kMmParams,
     .prepare = Prepare<Form::kMatrix>,
     .header = "aclnn_mm.h",
     .summary = "out = self @ mat2",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnMm.md"},
    {.op = kNames<"Matmul">,
     .params = kMatmulParams,
     .prepare = Prepare<Form::kAny>,
     .header = "aclnn_matmul.h",
     .summary =
         "out = self @ mat2, of the last two dimensions; the others broadcast, and a vector is "
         "a row on the left and a column on the right",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnMatmul.md",
     .max_rank = 6},
    {.op = kNames<"BatchMatMul">,
     .params = kBatchParams,
     .prepare = PrepareBatch,
     .header = "aclnn_batch_matmul.h",
     .summary = "out[b] = self[b] @ mat2[b]; a single matrix serves all b",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBatchMatMul.md"},
    {.op = kNames<"TransposeBatchMatMul">,
     .params = kTransposeBatchParams,
     .prepare = PrepareTransposeBatch,
     .header = "aclnn_transpose_batch_mat_mul.h",
     .summary = "out[:, b] = x1[b] @ x2[b] of x1 and x2 with their dimensions in another order",
     .document = "ops-nn: matmul/transpose_batch_mat_mul/docs/aclnnTransposeBatchMatMul.md",
     .max_rank = 3},
    {.op = kNames<"Addmm">,
     .params = kAddmmParams,
     .prepare = Prepare<Form::kMatrix>,
     .header = "aclnn_addmm.h",
     .summary = "out = beta * self + alpha * (mat1 @ mat2)",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnAddmm&aclnnInplaceAddmm.md"},
    {.op = kNames<"Gemm">,
     .params = kGemmParams,
     .prepare = PrepareGemm,
     .header = "aclnn_gemm.h",
     .summary = "out = beta * C + alpha * A @ B, A and B transposed where transA and transB say so",
     .document = "ops-nn: matmul/gemm/docs/aclnnGemm.md"},
    {.op = kNames<"InplaceAddmm">,
     .params = kInplaceAddmmParams,
     .prepare = Prepare<Form::kMatrix>,
     .header = "aclnn_addmm.h",
     .summary = "selfRef = beta * selfRef + alpha * (mat1 @ mat2)",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnAddmm&aclnnInplaceAddmm.md"},
    {.op = kNames<"Baddbmm">,
     .params = kBaddbmmParams,
     .prepare = Prepare<Form::kBatch>,
     .header = "aclnn_baddbmm.h",
     .summary = "out[b] = beta * self[b] + alpha * (batch1[b] @ batch2[b])",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBaddbmm&aclnnInplaceBaddbmm.md"},
    {.op = kNames<"InplaceBaddbmm">,
     .params = kInplaceBaddbmmParams,
     .prepare = Prepare<Form::kBatch>,
     .header = "aclnn_baddbmm.h",
     .summary = "selfRef[b] = beta * selfRef[b] + alpha * (batch1[b] @ batch2[b])",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBaddbmm&aclnnInplaceBaddbmm.md"},
    {.op = kNames<"Mv">,
     .params = kMvParams,
     .prepare = Prepare<Form::kMatrix>,
     .header = "aclnn_mv.h",
     .summary = "out = self @ vec",
     .document = "ops-nn: matmul/mv/docs/aclnnMv.md"},
    {.op = kNames<"Dot">,
     .params = kDotParams,
     .prepare = Prepare<Form::kMatrix>,
     .header = "aclnn_dot.h",
     .summary = "out = sum over k of self[k] * tensor[k]; out has rank 0",
     .document = "ops-math: math/dot/docs/aclnnDot.md"},
    {.op = kNames<"Addmv">,
     .params = kAddmvParams,
     .prepare = Prepare<Form::kMatrix>,
     .header = "aclnn_addmv.h",
     .summary = "out = beta * self + alpha * (mat @ vec)",
     .document = "ops-nn: matmul/addmv/docs/aclnnAddmv.md"},
    {.op = kNames<"Addbmm">,
     .params = kAddbmmParams,
     .prepare = Prepare<Form::kSum>,
     .header = "aclnn_addbmm.h",
     .summary = "out = beta * self + alpha * sum over b of (batch1[b] @ batch2[b])",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnAddbmm&aclnnInplaceAddbmm.md",
     .max_rank = 3},
    {.op = kNames<"InplaceAddbmm">,
     .params = kInplaceAddbmmParams,
     .prepare = Prepare<Form::kSum>,
     .header = "aclnn_addbmm.h",
     .summary = "selfRef = beta * selfRef + alpha * sum over b of (batch1[b] @ batch2[b])",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnAddbmm&aclnnInplaceAddbmm.md",
     .max_rank = 3},
    {.op = kNames<"Addr">,
     .params = kAddrParams,
     .prepare = Prepare<Form::kOuter>,
     .header = "aclnn_addr.h",
     .summary = "out[m, n] = beta * self[m, n] + alpha * vec1[m] * vec2[n]",
     .document = "ops-math: math/addr/docs/aclnnAddr&aclnnInplaceAddr.md"},
    {.op = kNames<"InplaceAddr">,
     .params = kInplaceAddrParams,
     .prepare = Prepare<Form::kOuter>,
     .header = "aclnn_addr.h",
     .summary = "selfRef[m, n] = beta * selfRef[m, n] + alpha * vec1[m] * vec2[n]",
     .document = "ops-math: math/addr/docs/aclnnAddr&aclnnInplaceAddr.md"},
    {.op = kNames<"Ger">,
     .params = kGerParams,
     .prepare = Prepare<Form::kOuter>,
     .header = "aclnn_ger.h",
     .summary = "out[m, n] = self[m] * vec2[n]",
     .document = "ops-math: math/ger/docs/aclnnGer.md"},
    {.op = kNames<"TransMatmulWeight">,
     .params = kTransMatmulWeightParams,
     .prepare = PrepareWeight,
     .header = "aclnn_trans_matmul_weight.h",
     .summary = "puts a weight into the order that products prefer, which is the one it has",
     .document = "ops-math: conversion/trans_data/docs/aclnnTransMatmulWeight.md"},
    {.op = kNames<"MatmulWeightNz">,
     .params = kMmParams,
     .prepare = PrepareWeightNz<Form::kMatrix>,
     .header = "aclnn_matmul.h",
     .summary = "out = self @ mat2, in panels or as it is",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnMatmulWeightNz.md"},
    {.op = kNames<"BatchMatMulWeightNz">,
     .params = kBatchNzParams,
     .prepare = PrepareWeightNz<Form::kBatch>,
     .header = "aclnn_batch_matmul.h",
     .summary = "out[b] = self[b] @ mat2[b], in panels or as it is",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnBatchMatMulWeightNz.md"},
    {.op = kNames<"AddmmWeightNz">,
     .params = kAddmmNzParams,
     .prepare = PrepareWeightNz<Form::kMatrix>,
     .header = "aclnn_addmm.h",
     .summary = "out = beta * self + alpha * (mat1 @ mat2), mat2 in panels or as it is",
     .document = "ops-nn: matmul/mat_mul_v3/docs/aclnnAddmmWeightNz.md"},
    {.op = kNames<"WeightQuantBatchMatmulV2">,
     .params = kWeightQuantParams,
     .prepare = PrepareWeightQuant,
     .header = "aclnn_weight_quant_batch_matmul_v2.h",
     .summary = kWeightQuantSummary,
     .document =
         "ops-nn: matmul/weight_quant_batch_matmul_v2/docs/aclnnWeightQuantBatchMatmulV2.md"},
    {.op = kNames<"WeightQuantBatchMatmulV3">,
     .params = kWeightQuantV3Params,
     .prepare = PrepareWeightQuant,
     .header = "aclnn_weight_quant_batch_matmul_v3.h",
     .summary = kWeightQuantSummary,
     .document =
         "ops-nn: matmul/weight_quant_batch_matmul_v2/docs/aclnnWeightQuantBatchMatmulV3.md"},
    {.op = kNames<"QuantMatmulV3">,
     .params = kQuantV3Params,
     .prepare = PrepareQuant,
     .header = "aclnn_quant_matmul_v3.h",
     .summary = "out = (x1 @ x2 + bias) * scale + offset of integers",
     .document = "ops-nn: matmul/quant_batch_matmul_v3/docs/aclnnQuantMatmulV3.md",
     .max_rank = 6},
    {.op = kNames<"QuantMatmulV4">,
     .params = kQuantV4Params,
     .prepare = PrepareQuant,
     .header = "aclnn_quant_matmul_v4.h",
     .summary = "out = (x1 @ x2 + bias) * scale * pertokenScale + offset of integers",
     .document = "ops-nn: matmul/quant_batch_matmul_v3/docs/aclnnQuantMatmulV4.md",
     .max_rank = 6},
    {.op = kNames<"QuantMatmulV5">,
     .params = kQuantV5Params,
     .prepare = PrepareQuant,
     .header = "aclnn_quant_matmul_v5.h",
     .summary = "out = (x1 @ x2 + bias) * x2Scale * x1Scale + x2Offset of integers",
     .document = "ops-nn: matmul/quant_batch_matmul_v4/docs/aclnnQuantMatmulV5.md",
     .max_rank = 6},
    {.op = kNames<"QuantMatmulWeightNz">,
     .params = kQuantV5Params,
     .prepare = PrepareQuant,
     .header = "aclnn_quant_matmul_weight_nz.h",
     .summary = "out = (x1 @ x2 + bias) * x2Scale * x1Scale + x2Offset of integers, x2 in panels "
                "or as it is",
     .document = "ops-nn: matmul/quant_batch_matmul_v3/docs/aclnnQuantMatmulWeightNz.md",
     .max_rank = 6},
    {.op = kNames<"TransQuantParamV2">,
     .params = kQuantParameterParams,
     .prepare = PrepareQuantParameter,
     .header = "aclnn_trans_quant_param_v2.h",
     .summary = "scales and offsets of INT8 results in the 64 bits in which products take them",
     .document = "ops-nn: quant/trans_quant_param_v2/docs/aclnnTransQuantParamV2.md"},
    {.op = kNames<"TransQuantParamV3">,
     .params = kQuantParameterV3Params,
     .prepare = PrepareQuantParameter,
     .header = "aclnn_trans_quant_param_v3.h",
     .summary = "scales and offsets of INT8 results in the 64 bits in which products take them",
     .document = "ops-nn: quant/trans_quant_param_v2/docs/aclnnTransQuantParamV3.md"},
    {.op = kNames<"ConvertWeightToINT4Pack">,
     .params = kInt4PackParams,
     .prepare = PrepareInt4Pack,
     .header = "aclnn_convert_weight_to_int4_pack.h",
     .summary = "numbers of an INT32 each as INT4, two to a byte, as rows or in panels",
     .document = "ops-nn: matmul/convert_weight_to_int4_pack/docs/aclnnConvertWeightToINT4Pack.md"},
    {.op = kNames<"GroupedMatmul">,
     .params = kGroupedParams,
     .prepare = PrepareGrouped,
     .header = "aclnn_grouped_matmul.h",
     .summary = "y[i] = x[i] @ weight[i] + bias[i] of groups i, with quantised weights or results",
     .document = "ops-transformer: gmm/grouped_matmul/docs/aclnnGroupedMatmul.md",
     .max_rank = 6},
    {.op = kNames<"GroupedMatmulV2">,
     .params = kGroupedV2Params,
     .prepare = PrepareGrouped,
     .header = "aclnn_grouped_matmul_v2.h",
     .summary = "y[i] = x[i] @ weight[i] + bias[i] of groups i, with quantised weights or results",
     .document = "ops-transformer: gmm/grouped_matmul/docs/aclnnGroupedMatmulV2.md",
     .max_rank = 6},
    {.op = kNames<"GroupedMatmulV3">,
     .params = kGroupedV3Params,
     .prepare = PrepareGrouped,
     .header = "aclnn_grouped_matmul_v3.h",
     .summary = "y[i] = x[i] @ weight[i] + bias[i] of groups i, with quantised weights or results",
     .document = "ops-transformer: gmm/grouped_matmul/docs/aclnnGroupedMatmulV3.md",
     .max_rank = 6},
    {.op = kNames<"GroupedMatmulV4">,
     .params = kGroupedV4Params,
     .prepare = PrepareGrouped,
     .header = "aclnn_grouped_matmul_v4.h",
     .summary = "out[i] = x[i] @ weight[i] + bias[i] of groups i, of numbers or of integers with "
                "factors",
     .document = "ops-transformer: gmm/grouped_matmul/docs/aclnnGroupedMatmulV4.md",
     .max_rank = 6},
    {.op = kNames<"GroupedMatmulV5">,
     .params = kGroupedV5Params,
     .prepare = PrepareGrouped,
     .header = "aclnn_grouped_matmul_v5.h",
     .summary = "out[i] = x[i] @ weight[i] + bias[i] of groups i, of numbers or of integers with "
                "factors",
     .document = "ops-transformer: gmm/grouped_matmul/docs/aclnnGroupedMatmulV5.md",
     .max_rank = 6},
    {.op = kNames<"GroupedMatmulWeightNz">,
     .params = kGroupedNzParams,
     .prepare = PrepareGrouped,
     .header = "aclnn_grouped_matmul_weight_nz.h",
     .summary = "out[i] = x[i] @ weight[i] + bias[i] of groups i, weights in panels or as they are",
     .document = "ops-transformer: gmm/grouped_matmul/docs/aclnnGroupedMatmulWeightNz.md",
     .max_rank = 6},
};

inline constexpr auto kOperators =
    JoinOperators(kProducts, kFusedOperators, feed_forward::kOperators, kOlderOperators);

}  // namespace anyacl::matmul
