// SPDX-License-Identifier: Apache-2.0
// The declarations of older products of quantised matrices and of quantised products.
#pragma once

#include "ops/matmul/quant_params.h"

namespace anyacl::matmul {

Status PrepareOlderQuant(Operands& operands, PreparedCall* call);
Status PrepareEinsum(Operands& operands, PreparedCall* call);
Status PrepareBatchQuant(Operands& operands, PreparedCall* call);

inline constexpr ParamSpec kOlderOut = Noted(Out(kOut, "out", {ACL_FLOAT16}, "O*"), "[.., M, N]");
inline constexpr ParamSpec kOlderBias = Optional(In(kSummand, "bias", {ACL_INT32}, "N"));
inline constexpr ParamSpec kQuantV1Params[] = {
    Noted(In(kLeft, "x1", {ACL_INT8}, "L*"), "[M, K] or [B, M, K]"),
    Noted(In(kRight, "x2", {ACL_INT8}, "R*"), "[K, N] or [B, K, N], as x1"), kOlderBias,
    Value(kFactor, "deqScale", Kind::kFloat, "of which the highest 19 bits count"), kOlderOut};
inline constexpr ParamSpec kQuantV2Params[] = {
    Noted(In(kLeft, "x1", {ACL_INT8}, "L*"), "[M, K] or [B, M, K]"),
    Noted(In(kRight, "x2", {ACL_INT8}, "R*"), "[K, N] or [B, K, N]"),
    kOlderBias,
    Noted(In(kScale, "deqScale", {ACL_UINT64}, "S"),
          "N rounded up to a multiple of 16; the lower half is fp32"),
    Value(kTransposeLeft, "adjX1", Kind::kBool, "x1 is [.., K, M]"),
    Value(kTransposeRight, "adjX2", Kind::kBool, "x2 is [.., N, K]"),
    kOlderOut};
inline constexpr ParamSpec kBatchQuantParams[] = {
    Noted(In(kLeft, "x1", {ACL_FLOAT16}, "L*"), "[.., M, K]"),
    Noted(In(kRight, "x2", {ACL_FLOAT16}, "R*"), "[.., K, N], with x1's leading sizes"),
    Noted(In(kQuantScale, "quantParam", {ACL_UINT64}, "Q"),
          "[1], or N rounded up to a multiple of 16; fp32 in the lower half, an offset in bits 37 "
          "to 45"),
    Optional(In(kSummand, "bias", {ACL_FLOAT16}, "N")),
    kTurnLeft,
    kTurnRight,
    Noted(Out(kOut, "out", {ACL_INT8}, "O*"), "[.., M, N]")};

inline constexpr DTypeSet kEinsumTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_INT16, ACL_UINT16,
                                          ACL_INT32, ACL_UINT32,  ACL_INT64, ACL_UINT64};
inline constexpr ParamSpec kEinsumParams[] = {
    {.name = "tensors",
     .id = kLeft,
     .kind = Kind::kTensorList,
     .dtypes = kEinsumTypes,
     .note = "two of one type, [a, b, c, d] and [a, b, c, e, d], or [a] and [b]"},
    Value(kActType, "equation", Kind::kText, "abcd,abced->abce or a,b->ab"),
    Noted(Like(kLeft, Out(kOut, "output", kEinsumTypes)), "[a, b, c, e] or [a, b]")};

inline constexpr OpSpec kOlderOperators[] = {
    {.op = kNames<"Einsum">,
     .params = kEinsumParams,
     .prepare = PrepareEinsum,
     .header = "aclnn_einsum.h",
     .summary =
         "output[a, b, c, e] = sum over d of tensors[0][a, b, c, d] * tensors[1][a, b, c, e, d], "
         "or output[a, b] = tensors[0][a] * tensors[1][b]",
     .document = "ops-nn: matmul/batch_mat_mul_v3/docs/aclnnEinsum.md",
     .max_rank = 5},
    {.op = kNames<"QuantMatmul">,
     .params = kQuantV1Params,
     .prepare = PrepareOlderQuant,
     .header = "aclnn_quant_matmul.h",
     .summary = "out = (x1 @ x2 + bias) * deqScale of integers",
     .document = "ops-nn: matmul/quant_matmul/docs/aclnnQuantMatmul.md",
     .max_rank = 3},
    {.op = kNames<"QuantMatmulV2">,
     .params = kQuantV2Params,
     .prepare = PrepareOlderQuant,
     .header = "aclnn_quant_matmul.h",
     .summary = "out = (x1 @ x2 + bias) * deqScale of integers",
     .document = "ops-nn: matmul/quant_matmul/docs/aclnnQuantMatmulV2.md",
     .max_rank = 3},
    {.op = kNames<"BatchMatmulQuant">,
     .params = kBatchQuantParams,
     .prepare = PrepareBatchQuant,
     .header = "aclnn_batchmatmul_quant.h",
     .summary = "out = rint((x1 @ x2 + bias) * scale + offset) of the scales and offsets in "
                "quantParam, held within INT8",
     .document = "ops-nn: matmul/batch_matmul_quant/docs/aclnnBatchMatmulQuant.md",
     .max_rank = 6},
};

}  // namespace anyacl::matmul
