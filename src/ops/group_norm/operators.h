// SPDX-License-Identifier: Apache-2.0
// The declarations of group norms, activated or not, and of their gradients.
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::group_norm {

enum : int {
  // Forward
  kSelf,
  kBeta,
  kEps,
  kOut,
  kMeanOut,
  kRstdOut,
  // Backward
  kGradOut,
  kInput,
  kMean,
  kRstd,
  kOutputMask,
  kGradInput,
  kGradGamma,
  kGradBeta,
  // Both
  kGamma,
  kN,
  kC,
  kHxW,
  kGroup,
  // Activated
  kActivates,
  kSwishScale,
  kFormat,
  kWantsGamma,
  kWantsBeta,
  kQuantScale,
};

Status PrepareForward(Operands& operands, PreparedCall* call);
Status PrepareBackward(Operands& operands, PreparedCall* call);
Status PrepareSilu(Operands& operands, PreparedCall* call);
Status PrepareSiluV2(Operands& operands, PreparedCall* call);
Status PrepareSiluQuant(Operands& operands, PreparedCall* call);
Status PrepareSwish(Operands& operands, PreparedCall* call);
Status PrepareSwishGrad(Operands& operands, PreparedCall* call);

constexpr ParamSpec Size(int id, const char* name, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .names_size = true, .note = note};
}

inline constexpr ParamSpec kBackwardParams[] = {
    {.name = "gradOut", .id = kGradOut, .dtypes = kFloats, .dims = "*", .elements = "N*C*HxW"},
    {.name = "input",
     .id = kInput,
     .dtypes = kFloats,
     .dims = "X*",
     .same_dtype_as = kGradOut,
     .elements = "N*C*HxW"},
    {.name = "mean",
     .id = kMean,
     .dtypes = kFloats,
     .dims = "*",
     .elements = "N*group",
     .note = "of the type of gradOut, or FLOAT"},
    {.name = "rstd",
     .id = kRstd,
     .dtypes = kFloats,
     .dims = "*",
     .same_dtype_as = kMean,
     .elements = "N*group"},
    {.name = "gamma",
     .id = kGamma,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "G*",
     .same_dtype_as = kMean,
     .elements = "C",
     .note = "null stands for ones"},
    Size(kN, "N", nullptr),
    Size(kC, "C", nullptr),
    Size(kHxW, "HxW", nullptr),
    Size(kGroup, "group", "divides C"),
    {.name = "outputMask",
     .id = kOutputMask,
     .kind = Kind::kBoolArray,
     .null_code = ACLNN_ERR_PARAM_INVALID,
     .note = "3 values: which of the gradients are wanted; the others are not looked at"},
    {.name = "gradInput",
     .id = kGradInput,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "X*",
     .same_dtype_as = kGradOut,
     .needed_if = "outputMask[0]"},
    {.name = "gradGammaOut",
     .id = kGradGamma,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "G*",
     .same_dtype_as = kMean,
     .elements = "C",
     .needed_if = "outputMask[1]"},
    {.name = "gradBetaOut",
     .id = kGradBeta,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "G*",
     .same_dtype_as = kMean,
     .elements = "C",
     .needed_if = "outputMask[2]"},
};

inline constexpr ParamSpec kForwardParams[] = {
    {.name = "self", .id = kSelf, .dtypes = kFloats, .dims = "N C S*", .elements = "N*C*HxW"},
    {.name = "gamma",
     .id = kGamma,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "C",
     .same_dtype_as = kSelf,
     .note = "null stands for ones"},
    {.name = "beta",
     .id = kBeta,
     .need = Need::kOptional,
     .dtypes = kFloats,
     .dims = "C",
     .same_dtype_as = kSelf,
     .note = "null stands for zeros"},
    Size(kN, "N", nullptr),
    Size(kC, "C", nullptr),
    Size(kHxW, "HxW", nullptr),
    Size(kGroup, "group", "divides C"),
    Value(kEps, "eps", Kind::kDouble, "added to the variance; more than 0"),
    {.name = "out",
     .id = kOut,
     .direction = Direction::kOutput,
     .dtypes = kFloats,
     .dims = "N C S*",
     .same_dtype_as = kSelf},
    {.name = "meanOut",
     .id = kMeanOut,
     .direction = Direction::kOutput,
     .dtypes = kFloats,
     .dims = "N group",
     .same_dtype_as = kSelf},
    {.name = "rstdOut",
     .id = kRstdOut,
     .direction = Direction::kOutput,
     .dtypes = kFloats,
     .dims = "N group",
     .same_dtype_as = kSelf},
};

constexpr ParamSpec Handle(ParamSpec row) { return ConstHandle(Dense(row)); }
inline constexpr char kTypeNote[] = "of the data's type, or FLOAT";
inline constexpr auto kSiluInputs = std::array{
    In(kSelf, "self", kFloats, "N C S*"),
    Noted(In(kGamma, "gamma", kFloats, "C"), kTypeNote),
    Noted(In(kBeta, "beta", kFloats, "C"), kTypeNote),
    Size(kGroup, "group", "divides C"),
    Value(kEps, "eps", Kind::kDouble, "added to the variance; more than 0"),
};
inline constexpr auto kSiluResults = std::array{
    Dense(Like(kSelf, Out(kOut, "out", kFloats, "N C S*"))),
    Dense(Like(kSelf, Out(kMeanOut, "meanOut", kFloats, "N group"))),
    Dense(Like(kSelf, Out(kRstdOut, "rstdOut", kFloats, "N group"))),
};
inline constexpr auto kSiluParams = JoinRows(kSiluInputs, kSiluResults);
inline constexpr auto kSiluParamsV2 =
    JoinRows(kSiluInputs,
             std::array{Value(kActivates, "activateSilu", Kind::kBool, "if not, out is the norm")},
             kSiluResults);

inline constexpr ParamSpec kSiluQuantParams[] = {
    In(kSelf, "self", kHalves, "N C S*"),
    Noted(Like(kSelf, In(kGamma, "gammaOptional", kHalves, "C", Need::kOptional)),
          "null stands for ones"),
    Noted(Like(kSelf, In(kBeta, "betaOptional", kHalves, "C", Need::kOptional)),
          "null stands for zeros"),
    Noted(In(kQuantScale, "quantScale", {ACL_FLOAT}, "Q"), "[1] or [C]; not 0"),
    Size(kGroup, "group", "divides C"),
    Value(kEps, "eps", Kind::kDouble, "added to the variance; more than 0"),
    Value(kActivates, "activateSilu", Kind::kBool, "true"),
    Out(kOut, "out", {ACL_INT8}, "N C S*"),
    Like(kSelf, Out(kMeanOut, "meanOut", kHalves, "N group")),
    Like(kSelf, Out(kRstdOut, "rstdOut", kHalves, "N group")),
};

inline constexpr ParamSpec kFormatParam = {.name = "dataFormatOptional",
                                           .id = kFormat,
                                           .kind = Kind::kMutableText,
                                           .need = Need::kOptional,
                                           .note = "\"NCHW\", as null"};
inline constexpr ParamSpec kSwishParams[] = {
    Noted(In(kSelf, "x", kFloats, "N C S*"), "without elements refused"),
    Noted(In(kGamma, "gamma", kFloats, "C"), kTypeNote),
    Like(kGamma, In(kBeta, "beta", kFloats, "C")),
    Size(kGroup, "numGroups", "divides C"),
    kFormatParam,
    Value(kEps, "eps", Kind::kDouble, "added to the variance; 0 or more"),
    Value(kActivates, "activateSwish", Kind::kBool, "if not, yOut is the norm"),
    Value(kSwishScale, "swishScale", Kind::kDouble),
    Handle(Like(kSelf, Out(kOut, "yOut", kFloats, "N C S*"))),
    Handle(Like(kGamma, Out(kMeanOut, "meanOut", kFloats, "N numGroups"))),
    Handle(Like(kGamma, Out(kRstdOut, "rstdOut", kFloats, "N numGroups"))),
};
inline constexpr ParamSpec kSwishGradParams[] = {
    Noted(In(kGradOut, "dy", kFloats, "N C S*"), "without elements refused"),
    Like(kGradOut, In(kMean, "mean", kFloats, "N numGroups")),
    Like(kGradOut, In(kRstd, "rstd", kFloats, "N numGroups")),
    Like(kGradOut, In(kInput, "x", kFloats, "N C S*")),
    Like(kGradOut, In(kGamma, "gamma", kFloats, "C")),
    Like(kGradOut, In(kBeta, "beta", kFloats, "C")),
    Size(kGroup, "numGroups", "divides C, which has at most 4000 times as many channels"),
    kFormatParam,
    Value(kSwishScale, "swishScale", Kind::kDouble),
    Value(kWantsGamma, "dgammaIsRequire", Kind::kBool, "if not, dgammaOut is not written"),
    Value(kWantsBeta, "dbetaIsRequire", Kind::kBool, "if not, dbetaOut is not written"),
    Handle(Like(kGradOut, Out(kGradInput, "dxOut", kFloats, "N C S*"))),
    Handle(Like(kGradOut, Out(kGradGamma, "dgammaOut", kFloats, "C"))),
    Handle(Like(kGradOut, Out(kGradBeta, "dbetaOut", kFloats, "C"))),
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"GroupNorm">,
     .params = kForwardParams,
     .prepare = PrepareForward,
     .header = "aclnn_group_norm.h",
     .summary = "group normalisation, with the statistics that its gradients need",
     .document = "ops-nn: norm/group_norm/docs/aclnnGroupNorm.md"},
    {.op = kNames<"GroupNormBackward">,
     .params = kBackwardParams,
     .prepare = PrepareBackward,
     .header = "aclnn_group_norm_backward.h",
     .summary = "the gradients of group normalisation",
     .document = "ops-nn: norm/group_norm_grad/docs/aclnnGroupNormBackward.md"},
    {.op = kNames<"GroupNormSilu">,
     .params = kSiluParams,
     .prepare = PrepareSilu,
     .header = "aclnn_group_norm_silu.h",
     .summary = "out = y / (1 + e^-y) of the group norm y",
     .document = "ops-nn: norm/group_norm_silu/docs/aclnnGroupNormSilu.md"},
    {.op = kNames<"GroupNormSiluV2">,
     .params = kSiluParamsV2,
     .prepare = PrepareSiluV2,
     .header = "aclnn_group_norm_silu.h",
     .summary = "aclnnGroupNormSilu, or the group norm alone",
     .document = "ops-nn: norm/group_norm_silu/docs/aclnnGroupNormSiluV2.md"},
    {.op = kNames<"GroupNormSiluQuant">,
     .params = kSiluQuantParams,
     .prepare = PrepareSiluQuant,
     .header = "aclnn_group_norm_silu_quant.h",
     .summary = "out = rint(y / (1 + e^-y) / quantScale) of the group norm y, held within INT8",
     .document = "ops-nn: norm/group_norm_silu_quant/docs/aclnnGroupNormSiluQuant.md"},
    {.op = kNames<"GroupNormSwish">,
     .params = kSwishParams,
     .prepare = PrepareSwish,
     .header = "aclnn_group_norm_swish.h",
     .summary = "yOut = y / (1 + e^(-swishScale * y)) of the group norm y, or the norm alone",
     .document = "ops-nn: norm/group_norm_swish/docs/aclnnGroupNormSwish.md"},
    {.op = kNames<"GroupNormSwishGrad">,
     .params = kSwishGradParams,
     .prepare = PrepareSwishGrad,
     .header = "aclnn_group_norm_swish_grad.h",
     .summary = "the gradients of aclnnGroupNormSwish",
     .document = "ops-nn: norm/group_norm_swish_grad/docs/aclnnGroupNormSwishGrad.md"},
};

}  // namespace anyacl::group_norm
