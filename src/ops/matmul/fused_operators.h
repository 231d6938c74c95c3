// SPDX-License-Identifier: Apache-2.0
// The declarations of products that are added to something else, or up.
#pragma once

#include "ops/matmul/routed_params.h"

namespace anyacl::matmul {

Status PrepareRouted(Operands& operands, PreparedCall* call);
Status PrepareGroupedAdd(Operands& operands, PreparedCall* call);
Status PrepareReduceSum(Operands& operands, PreparedCall* call);
Status PrepareAddLora(Operands& operands, PreparedCall* call);
Status PrepareFused(Operands& operands, PreparedCall* call);

inline constexpr ParamSpec kGroupedAddParams[] = {
    In(kLeft, "x", kHalves, "K M"),
    Like(kLeft, In(kRight, "weight", kHalves, "K N")),
    Noted(In(kGroupList, "groupList", {ACL_INT64}, "G"), "where each group of K ends"),
    Noted(InOut(kOut, "yRef", {ACL_FLOAT}, "R N | G M N"), "R is G * M"),
    Value(kTransposeLeft, "transposeX", Kind::kBool, "true"),
    Value(kTransposeRight, "transposeWeight", Kind::kBool, "false"),
    Choice(kGroupType, "groupType", 2, 2, "2: groups are parts of K"),
};
inline constexpr ParamSpec kGroupedAddParamsV2[] = {
    kGroupedAddParams[0],
    kGroupedAddParams[1],
    In(kGroupList, "groupList", {ACL_INT64}, "G"),
    kGroupedAddParams[3],
    kGroupedAddParams[4],
    kGroupedAddParams[5],
    kGroupedAddParams[6],
    Choice(kGroupListType, "groupListType", 0, 1,
           "groups are told by 0: where they end, 1: their sizes"),
};

// Reserved, and no type of theirs is told.
constexpr ParamSpec Null(int id, const char* name) {
  return Noted(Optional(In(id, name, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_UINT64})),
               "null");
}
inline constexpr ParamSpec kReduceSumParams[] = {
    In(kLeft, "x1", {ACL_INT8}, "B M K"),
    Weight("x2", {ACL_INT8}, "B K N"),
    In(kRowScale, "x1Scale", {ACL_FLOAT}, "B M"),
    In(kScale, "x2Scale", {ACL_BF16}, "N"),
    Null(kQuantScale, "yScale"),
    Null(kLeftOffset, "x1Offset"),
    Null(kOffset, "x2Offset"),
    Null(kQuantOffset, "yOffset"),
    Null(kSummand, "bias"),
    Value(kTransposeLeft, "transposeX1", Kind::kBool, "false"),
    Value(kTransposeRight, "transposeX2", Kind::kBool, "false"),
    Choice(kGroupSize, "groupSize", -1, 0, "without effect"),
    Value(kDims, "dims", Kind::kIntArray, "[0]"),
    Value(kKeepDims, "keepDims", Kind::kBool, "false"),
    Out(kOut, "out", {ACL_BF16}, "M N"),
};

constexpr ParamSpec AddedTo() {
  return Noted(ConstHandle(InOut(kSummand, "y", {ACL_FLOAT16}, "B H3")),
               "out is written here, too");
}
inline constexpr ParamSpec kAddLoraParams[] = {
    AddedTo(),
    In(kLeft, "x", {ACL_FLOAT16}, "B H1"),
    In(kRight, "weightB", {ACL_FLOAT16}, "W L H2 R"),
    Noted(In(kIndices, "indices", {ACL_INT32}, "B"), "0 to W - 1; -1 and W: nothing is added"),
    Noted(Optional(In(kFirstWeight, "weightAOptional", {ACL_FLOAT16}, "W L R H1")),
          "null: x has R columns"),
    Choice(kLayer, "layerIdx", 0, INT64_MAX, "below L"),
    Value(kFactor, "scale", Kind::kDouble),
    Choice(kFirstColumn, "yOffset", 0, INT64_MAX, "the first column that is added to"),
    Choice(kColumns, "ySliceSize", 0, INT64_MAX, "H2"),
    ConstHandle(Out(kOut, "out", {ACL_FLOAT16}, "B H3")),
};

// What a product is combined with, in the place of rows that only experts have.
inline constexpr int kCombined = kShared;
inline constexpr ParamSpec kFusedParams[] = {
    In(kLeft, "x1", kFloats, "L.."),
    In(kRight, "x2", kFloats, "R.."),
    Noted(In(kSummand, "bias", kFloats, "N | 1 N", Need::kOptional),
          "not of gelu_erf and gelu_tanh"),
    Noted(Like(kLeft, In(kCombined, "x3", kFloats, "X..", Need::kOptional)),
          "[M, N], or y's shape, or with one matrix for all of it; of add and mul alone"),
    {.name = "fusedOpType",
     .id = kActType,
     .kind = Kind::kText,
     .null_code = ACLNN_ERR_PARAM_INVALID,
     .note = "empty, add, mul, relu, gelu_erf, gelu_tanh or 16cast32"},
    {.name = "cubeMathType",
     .id = kCubeMathType,
     .kind = Kind::kInt8,
     .min = 0,
     .max = 4,
     .note = "2 not with BF16, 3 with FLOAT alone; 4: sums and products with x3 are rounded once"},
    Noted(ConstHandle(Out(kOut, "y", kFloats, "Y..")),
          "of the type that x1 and x2 promote to; 16cast32: FLOAT")};

inline constexpr const char* kRoutedSummary =
    "rows of products of groups, times their factors, added up by token to the shared expert's";

inline constexpr OpSpec kFusedOperators[] = {
    {.op = kNames<"GroupedMatmulFinalizeRouting">,
     .params = kRoutedParams,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing.h",
     .summary = kRoutedSummary,
     .document = "ops-transformer: "
                 "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRouting.md",
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulFinalizeRoutingV2">,
     .params = kRoutedV2Params,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing_v2.h",
     .summary = kRoutedSummary,
     .document = "ops-transformer: "
                 "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRoutingV2.md",
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulFinalizeRoutingV3">,
     .params = kRoutedV3Params,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing_v3.h",
     .summary = kRoutedSummary,
     .document = "ops-transformer: "
                 "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRoutingV3.md",
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulFinalizeRoutingWeightNz">,
     .params = kRoutedNzParams,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing_weight_nz.h",
     .summary = kRoutedSummary,
     .document =
         "ops-transformer: "
         "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRoutingWeightNz.md",
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulFinalizeRoutingWeightNzV2">,
     .params = kRoutedNzV2Params,
     .prepare = PrepareRouted,
     .header = "aclnn_grouped_matmul_finalize_routing_weight_nz_v2.h",
     .summary = kRoutedSummary,
     .document =
         "ops-transformer: "
         "gmm/grouped_matmul_finalize_routing/docs/aclnnGroupedMatmulFinalizeRoutingWeightNzV2.md",
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulAdd">,
     .params = kGroupedAddParams,
     .prepare = PrepareGroupedAdd,
     .header = "aclnn_grouped_matmul_add.h",
     .summary = "yRef[g] = x[k of g].T @ weight[k of g] + yRef[g] of groups g of k",
     .document = "ops-transformer: gmm/grouped_matmul_add/docs/aclnnGroupedMatmulAdd.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR},
     .max_rank = 3},
    {.op = kNames<"GroupedMatmulAddV2">,
     .params = kGroupedAddParamsV2,
     .prepare = PrepareGroupedAdd,
     .header = "aclnn_grouped_matmul_add_v2.h",
     .summary = "yRef[g] = x[k of g].T @ weight[k of g] + yRef[g] of groups g of k",
     .document = "ops-transformer: gmm/grouped_matmul_add/docs/aclnnGroupedMatmulAddV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR},
     .max_rank = 3},
    {.op = kNames<"QuantMatmulReduceSumWeightNz">,
     .params = kReduceSumParams,
     .prepare = PrepareReduceSum,
     .header = "aclnn_quant_matmul_reduce_sum.h",
     .summary = "out = the sum over b of (x1[b] @ x2[b]) * x1Scale[b] * x2Scale",
     .document = "ops-nn: matmul/quant_matmul_reduce_sum/docs/aclnnQuantMatmulReduceSumWeightNz.md",
     .max_rank = 3},
    {.op = kNames<"AddLora">,
     .params = kAddLoraParams,
     .prepare = PrepareAddLora,
     .header = "aclnn_add_lora.h",
     .summary =
         "out = y, and in ySliceSize columns y + (x @ weightA.T) @ weightB.T * scale, of the "
         "weights that indices name",
     .document = "ops-math: math/add_lora/docs/aclnnAddLora.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR},
     .max_rank = 4},
    {.op = kNames<"FusedMatmul">,
     .params = kFusedParams,
     .prepare = PrepareFused,
     .header = "aclnn_fused_matmul.h",
     .summary = "y = (x1 @ x2 + bias) + x3, times x3, or relu of it, or gelu(x1 @ x2), by "
                "fusedOpType",
     .document = "ops-nn: matmul/fused_mat_mul/docs/aclnnFusedMatmul.md",
     .max_rank = 6},
};

}  // namespace anyacl::matmul
