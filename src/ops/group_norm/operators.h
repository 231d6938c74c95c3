// SPDX-License-Identifier: Apache-2.0
// The declarations of aclnnGroupNorm and aclnnGroupNormBackward.
#pragma once

#include "nnop/operator.h"

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
};

Status PrepareForward(Operands& operands, PreparedCall* call);
Status PrepareBackward(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

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
};

}  // namespace anyacl::group_norm
