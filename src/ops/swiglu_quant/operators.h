// SPDX-License-Identifier: Apache-2.0
// The declarations of SwiGlu followed by quantisation (README.md): rows of 2H numbers, G groups of
// rows.
#pragma once

#include <array>

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::swiglu_quant {

enum : int {
  kX,
  kWeightScale,
  kActivationScale,
  kBias,
  kQuantScale,
  kQuantOffset,
  kGroups,
  kActivateLeft,
  kQuantMode,
  kDstType,
  kRoundMode,
  kActivateDim,
  kSwigluMode,
  kClampLimit,
  kAlpha,
  kGluBias,
  kGroupListType,
  kY,
  kScale,
};

Status PrepareDequant(Operands& operands, PreparedCall* call);
Status PrepareSwiglu(Operands& operands, PreparedCall* call);

constexpr ParamSpec Maybe(int id, const char* name, DTypeSet dtypes, const char* dims,
                          const char* note) {
  return Noted(In(id, name, dtypes, dims, Need::kOptional), note);
}
constexpr ParamSpec Text(int id, const char* name, const char* note) {
  return {
      .name = name, .id = id, .kind = Kind::kMutableText, .need = Need::kOptional, .note = note};
}

inline constexpr DTypeSet kDequantised = {ACL_INT32, ACL_BF16, ACL_FLOAT16};
inline constexpr DTypeSet kBiases = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32};
inline constexpr ParamSpec kLeft =
    Value(kActivateLeft, "activateLeft", Kind::kBool, "which half is activated");
inline constexpr ParamSpec kModeText =
    Text(kQuantMode, "quantModeOptional", "static (or null) or dynamic");
constexpr std::array<ParamSpec, 6> DequantInputs() {
  return {Noted(In(kX, "x", kDequantised, "B.. W"), "W is 2H"),
          Maybe(kWeightScale, "weightScaleOptional", {ACL_FLOAT}, "W | P W",
                "of each group; needed with an INT32 x, and only there, as the next two"),
          Maybe(kActivationScale, "activationScaleOptional", {ACL_FLOAT}, "*",
                "of each row: x's shape without W, or with 1 for it"),
          Maybe(kBias, "biasOptional", kBiases, "W | P W",
                "of each group; INT32 is added before the scales, others after them"),
          Maybe(kQuantScale, "quantScaleOptional", {ACL_FLOAT}, "S | G H",
                "[G], or [G, H], or [H] of one group; needed if static"),
          Maybe(kQuantOffset, "quantOffsetOptional", {ACL_FLOAT}, "S | G H",
                "as quantScaleOptional; needed if static, else without effect")};
}
inline constexpr ParamSpec kDequantY = ConstHandle(Out(kY, "yOut", {ACL_INT8}, "B.. H"));
inline constexpr ParamSpec kDequantScale =
    Noted(ConstHandle(Out(kScale, "scaleOut", {ACL_FLOAT})), "x's shape without W; if dynamic");

inline constexpr auto kDequantParams = JoinRows(
    DequantInputs(), std::array{Maybe(kGroups, "groupIndexOptional", {ACL_INT32, ACL_INT64}, "G",
                                      "how many rows each group has; null: one has all"),
                                kLeft, kModeText, kDequantY, kDequantScale});
inline constexpr auto kDequantParamsV2 = JoinRows(
    DequantInputs(),
    std::array{
        Maybe(kGroups, "groupIndexOptional", {ACL_INT64}, "G",
              "how many rows each group has; null: one has all"),
        kLeft, kModeText,
        ParamSpec{.name = "dstType",
                  .id = kDstType,
                  .kind = Kind::kInt64,
                  .min = 2,
                  .max = 2,
                  .note = "INT8"},
        Text(kRoundMode, "roundModeOptional", "rint, or null"),
        Value(kActivateDim, "activateDim", Kind::kInt64, "the last dimension"),
        ParamSpec{.name = "swigluMode",
                  .id = kSwigluMode,
                  .kind = Kind::kInt64,
                  .min = 0,
                  .max = 3,
                  .note = "0: a / (1 + e^-a) * b of halves; 1: a / (1 + e^-(gluAlpha a)) * (b + "
                          "gluBias) of neighbours, 2: of halves, a and b held within clampLimit; "
                          "3: as 0, both factors held there"},
        Value(kClampLimit, "clampLimit", Kind::kDouble, "above 0 and finite"),
        Value(kAlpha, "gluAlpha", Kind::kDouble), Value(kGluBias, "gluBias", Kind::kDouble),
        kDequantY, kDequantScale});

inline constexpr std::array kSwigluInputs = {
    Noted(In(kX, "x", kFloats, "B.. W"), "W is 2H"),
    Maybe(kQuantScale, "smoothScalesOptional", {ACL_FLOAT}, "S | G H",
          "[G], or [G, H], or [H] of one group; needed if static"),
    Maybe(kQuantOffset, "offsetsOptional", {ACL_FLOAT}, "S | G H",
          "as smoothScalesOptional; needed if static, else without effect"),
    Maybe(kGroups, "groupIndexOptional", {ACL_INT32}, "G", "null: one group has all rows"),
    kLeft,
};
inline constexpr ParamSpec kSwigluScale =
    Noted(ConstHandle(Out(kScale, "scaleOut", {ACL_FLOAT}, "*", Need::kOptional)),
          "x's shape without W; if dynamic");
inline constexpr auto kSwigluParams =
    JoinRows(kSwigluInputs,
             std::array{Text(kQuantMode, "quantModeOptional", "static or dynamic, which null is"),
                        kDequantY, kSwigluScale});
inline constexpr auto kSwigluParamsV2 =
    JoinRows(kSwigluInputs,
             std::array{Text(kQuantMode, "quantModeOptional", "static or dynamic"),
                        ParamSpec{.name = "groupListType",
                                  .id = kGroupListType,
                                  .kind = Kind::kInt64,
                                  .min = 0,
                                  .max = 1,
                                  .note = "0: where each group's rows end, 1: how many they are"},
                        Value(kDstType, "dstType", Kind::kInt64, "2: INT8, 29: INT4"),
                        Noted(ConstHandle(Out(kY, "yOut", {ACL_INT8, ACL_INT4}, "B.. Y")),
                              "Y is H; an INT8 tensor of H/2 holds two INT4 in each byte"),
                        kSwigluScale});

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"DequantSwigluQuant">,
     .params = kDequantParams,
     .prepare = PrepareDequant,
     .header = "aclnn_dequant_swiglu_quant.h",
     .summary = "v = x * weightScale * activationScale + bias, w = a / (1 + e^-a) * b of v's "
                "halves; static: yOut = rint(w / quantScale + quantOffset); dynamic: scaleOut = "
                "max|w * quantScale| / 127, yOut = rint(w * quantScale / scaleOut)",
     .document = "ops-nn: quant/dequant_swiglu_quant/docs/aclnnDequantSwigluQuant.md"},
    {.op = kNames<"DequantSwigluQuantV2">,
     .params = kDequantParamsV2,
     .prepare = PrepareDequant,
     .header = "aclnn_dequant_swiglu_quant_v2.h",
     .summary = "aclnnDequantSwigluQuant with further forms of SwiGlu",
     .document = "ops-nn: quant/dequant_swiglu_quant/docs/aclnnDequantSwigluQuantV2.md"},
    {.op = kNames<"SwiGluQuant">,
     .params = kSwigluParams,
     .prepare = PrepareSwiglu,
     .header = "aclnn_swi_glu_quant.h",
     .summary = "aclnnSwiGluQuantV2 to INT8, of groups that groupIndexOptional tells the ends of",
     .document = "ops-nn: quant/swi_glu_quant/docs/aclnnSwiGluQuant.md"},
    {.op = kNames<"SwiGluQuantV2">,
     .params = kSwigluParamsV2,
     .prepare = PrepareSwiglu,
     .header = "aclnn_swi_glu_quant_v2.h",
     .summary = "w = (a / (1 + e^-a) * b of x's halves) * smoothScales; static: yOut = rint(w + "
                "offsets); dynamic: scaleOut = 127 / max|w|, of INT4 7 / max|w|, yOut = rint(w * "
                "scaleOut)",
     .document = "ops-nn: quant/swi_glu_quant/docs/aclnnSwiGluQuantV2.md"},
};

}  // namespace anyacl::swiglu_quant
