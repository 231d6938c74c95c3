// SPDX-License-Identifier: Apache-2.0
// The declarations of aclnnGroupedMatmulSwigluQuant and aclnnGroupedMatmulSwigluQuantWeightNZ,
// where the type of the weight decides between two tables, and of their second versions.
#pragma once

#include "nnop/operator.h"
#include "ops/grouped_matmul/list_rows.h"

namespace anyacl::grouped_matmul {

Status PreparePlain(Operands& operands, PreparedCall* call);
Status PrepareWeightNz(Operands& operands, PreparedCall* call);
Status PrepareLists(Operands& operands, PreparedCall* call);
Status PrepareListsNz(Operands& operands, PreparedCall* call);

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
size_t ListVariantOf(std::span<const Argument> arguments);

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
    {.op = {kNames<"GroupedMatmulSwigluQuantV2">.phase_one,
            kNames<"GroupedMatmulSwigluQuantV2">.phase_two, ACLNN_ERR_INNER},
     .params = kListParamsInt8,
     .prepare = PrepareLists,
     .header = "aclnn_grouped_matmul_swiglu_quant_v2.h",
     .summary = "rows times the matrix of their expert, SwiGLU, smooth scales, quantisation",
     .document = "ops-transformer: "
                 "gmm/grouped_matmul_swiglu_quant_v2/docs/aclnnGroupedMatmulSwigluQuantV2.md",
     .variants = kListVariants,
     .variant_of = ListVariantOf},
    {.op = {kNames<"GroupedMatmulSwigluQuantWeightNzV2">.phase_one,
            kNames<"GroupedMatmulSwigluQuantWeightNzV2">.phase_two, ACLNN_ERR_INNER},
     .params = kListParamsInt8,
     .prepare = PrepareListsNz,
     .header = "aclnn_grouped_matmul_swiglu_quant_weight_nz_v2.h",
     .summary = "the same with every weight taken for FRACTAL_NZ",
     .document = "ops-transformer: gmm/grouped_matmul_swiglu_quant_v2/docs/"
                 "aclnnGroupedMatmulSwigluQuantWeightNzV2.md",
     .variants = kListVariants,
     .variant_of = ListVariantOf},
};

}  // namespace anyacl::grouped_matmul
