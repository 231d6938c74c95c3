// SPDX-License-Identifier: Apache-2.0
// The declarations of aclnnGroupedMatmulSwigluQuant and aclnnGroupedMatmulSwigluQuantWeightNZ. The
// type of the weight decides between two tables.
#pragma once

#include "nnop/operator.h"

namespace anyacl::grouped_matmul {

// In the order of the rows of both tables.
enum : int {
  kX,
  kWeight,
  kBias,
  kOffset,
  kWeightScale,
  kXScale,
  kGroupList,
  kOutput,
  kOutputScale,
  kOutputOffset
};

Status PreparePlain(Operands& operands, PreparedCall* call);
Status PrepareWeightNz(Operands& operands, PreparedCall* call);

constexpr ParamSpec Reserved(int id, const char* name, Direction direction) {
  return {.name = name, .id = id, .direction = direction, .need = Need::kReserved};
}

inline constexpr ParamSpec kParamsInt8[] = {
    In(kX, "x", {ACL_INT8}, "M K"),
    {.name = "weight",
     .id = kWeight,
     .dtypes = {ACL_INT8},
     .dims = "E N/32 K/16 16 32",
     .formats = Formats::kFractalNz},
    Reserved(kBias, "bias", Direction::kInput),
    Reserved(kOffset, "offset", Direction::kInput),
    In(kWeightScale, "weightScale", {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, "E N"),
    In(kXScale, "xScale", {ACL_FLOAT}, "M"),
    In(kGroupList, "groupList", {ACL_INT64}, "L"),
    Out(kOutput, "output", {ACL_INT8}, "M N/2"),
    Out(kOutputScale, "outputScale", {ACL_FLOAT}, "M"),
    Reserved(kOutputOffset, "outputOffset", Direction::kOutput),
};

inline constexpr ParamSpec kParamsInt4[] = {
    In(kX, "x", {ACL_INT8}, "M K"),
    {.name = "weight",
     .id = kWeight,
     .dtypes = {ACL_INT4, ACL_INT32},
     .dims = "E K N | E N/64 K/16 16 64",
     .packed_dims = "E K N/8 | E N/64 K/16 16 8",
     .formats = Formats::kPlainOrFractalNz},
    In(kBias, "bias", {ACL_FLOAT}, "E N"),
    Reserved(kOffset, "offset", Direction::kInput),
    In(kWeightScale, "weightScale", {ACL_UINT64, ACL_INT64}, "E N | E G N"),
    In(kXScale, "xScale", {ACL_FLOAT}, "M"),
    In(kGroupList, "groupList", {ACL_INT64}, "L"),
    Out(kOutput, "output", {ACL_INT8}, "M N/2"),
    Out(kOutputScale, "outputScale", {ACL_FLOAT}, "M"),
    Reserved(kOutputOffset, "outputOffset", Direction::kOutput),
};

inline constexpr TableVariant kVariants[] = {{"INT8 weights", kParamsInt8},
                                             {"INT4 weights", kParamsInt4}};
// Of a call with this weight.
size_t VariantOf(std::span<const Argument> arguments);

inline constexpr OpSpec kOperators[] = {
    {.op = {kNames<"GroupedMatmulSwigluQuant">.phase_one,
            kNames<"GroupedMatmulSwigluQuant">.phase_two, ACLNN_ERR_INNER},
     .params = kParamsInt8,
     .prepare = PreparePlain,
     .header = "aclnn_grouped_matmul_swiglu_quant.h",
     .summary = "rows times the matrix of their expert, SwiGLU, quantisation",
     .document = "ops-transformer: "
                 "gmm/grouped_matmul_swiglu_quant/docs/aclnnGroupedMatmulSwigluQuant.md",
     .variants = kVariants,
     .variant_of = VariantOf},
    {.op = {kNames<"GroupedMatmulSwigluQuantWeightNZ">.phase_one,
            kNames<"GroupedMatmulSwigluQuantWeightNZ">.phase_two, ACLNN_ERR_INNER},
     .params = kParamsInt8,
     .prepare = PrepareWeightNz,
     .header = "aclnn_grouped_matmul_swiglu_quant_weight_nz.h",
     .summary = "the same with every weight taken for FRACTAL_NZ",
     .document = "ops-transformer: "
                 "gmm/grouped_matmul_swiglu_quant/docs/aclnnGroupedMatmulSwigluQuantWeightNZ.md",
     .variants = kVariants,
     .variant_of = VariantOf},
};

}  // namespace anyacl::grouped_matmul
