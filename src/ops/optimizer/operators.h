// SPDX-License-Identifier: Apache-2.0
// The declarations of optimisers and of what scales their losses.
#pragma once

#include "nnop/operator.h"

namespace anyacl::optimizer {

enum : int {
  kVar,
  kM,
  kV,
  kMost,
  kGrad,
  kStep,
  kLr,
  kBeta1,
  kBeta2,
  kWeightDecay,
  kEps,
  kAmsgrad,
  kMaximize,
  kScaledGrads,
  kFoundInf,
  kInvScale,
  kScale,
  kTracker,
  kGrowthFactor,
  kBackoffFactor,
  kGrowthInterval,
  kNewScale,
  kNewTracker,
};

Status PrepareAdamW(Operands& operands, PreparedCall* call);
Status PrepareUnscale(Operands& operands, PreparedCall* call);
Status PrepareUpdateScale(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

constexpr ParamSpec Noted(ParamSpec row, const char* note) {
  row.note = note;
  return row;
}
constexpr ParamSpec Handle(ParamSpec row) {
  row.const_handle = true;
  return row;
}
constexpr ParamSpec Same(ParamSpec row, int as) {
  row.same_dtype_as = as;
  return row;
}
constexpr ParamSpec Most() {
  ParamSpec row = InOut(kMost, "maxGradNormOptionalRef", kFloats, "P*");
  row.need = Need::kOptional;
  row.same_dtype_as = kVar;
  row.needed_if = "amsgrad";
  row.note = "the largest vRef so far";
  return row;
}

inline constexpr ParamSpec kAdamWParams[] = {
    InOut(kVar, "varRef", kFloats, "P*"),
    Same(InOut(kM, "mRef", kFloats, "P*"), kVar),
    Same(InOut(kV, "vRef", kFloats, "P*"), kVar),
    Most(),
    In(kGrad, "grad", kFloats, "P*"),
    Noted(In(kStep, "step", {ACL_FLOAT, ACL_INT64}, "S*"),
          "one number, how many steps were taken before"),
    Value(kLr, "lr", Kind::kFloat),
    Value(kBeta1, "beta1", Kind::kFloat),
    Value(kBeta2, "beta2", Kind::kFloat),
    Value(kWeightDecay, "weightDecay", Kind::kFloat),
    Value(kEps, "eps", Kind::kFloat),
    Value(kAmsgrad, "amsgrad", Kind::kBool, "divide by the root of the largest vRef so far"),
    Value(kMaximize, "maximize", Kind::kBool, "go along the gradient")};

inline constexpr ParamSpec kUnscaleParams[] = {
    {.name = "scaledGrads",
     .id = kScaledGrads,
     .kind = Kind::kTensorList,
     .direction = Direction::kInOut,
     .dtypes = kFloats,
     .note = "up to 256 tensors of one type",
     .const_handle = true},
    Handle(Noted(InOut(kFoundInf, "foundInf", {ACL_FLOAT}, "F*"),
                 "one number, which becomes 1 if an element is infinite or NaN")),
    Noted(In(kInvScale, "invScale", {ACL_FLOAT}, "I*"), "one number")};

inline constexpr ParamSpec kUpdateScaleParams[] = {
    Noted(In(kScale, "currentScale", kFloats, "S*"), "one number"),
    Noted(In(kTracker, "growthTracker", {ACL_INT32}, "T*"),
          "one number, how many steps without infinite gradients there were"),
    Noted(Same(In(kFoundInf, "foundInf", kFloats, "F*"), kScale),
          "one number, not 0 if there were any"),
    Value(kGrowthFactor, "growthFactor", Kind::kDouble),
    Value(kBackoffFactor, "backoffFactor", Kind::kDouble),
    Value(kGrowthInterval, "growthInterval", Kind::kInt64, "1 to 2^31 - 1"),
    Handle(Noted(Same(Out(kNewScale, "updatedScale", kFloats, "U*"), kScale),
                 "one number; may be currentScale")),
    Handle(Noted(Out(kNewTracker, "updatedGrowthTracker", {ACL_INT32}, "V*"),
                 "one number; may be growthTracker"))};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"ApplyAdamWV2">,
     .params = kAdamWParams,
     .prepare = PrepareAdamW,
     .header = "aclnn_apply_adam_w_v2.h",
     .summary =
         "mRef, vRef = averages of grad and grad^2; varRef = (1 - lr * weightDecay) * varRef "
         "- lr * mh / (sqrt(vh) + eps), mh = mRef / (1 - beta1^t), vh = vRef / (1 - "
         "beta2^t), t = step + 1",
     .document = "ops-nn: optim/apply_adam_w_v2/docs/aclnnApplyAdamWV2.md"},
    {.op = kNames<"ForeachNonFiniteCheckAndUnscale">,
     .params = kUnscaleParams,
     .prepare = PrepareUnscale,
     .header = "aclnn_foreach_non_finite_check_and_unscale.h",
     .summary = "scaledGrads = scaledGrads * invScale; foundInf = 1 if an element was infinite or "
                "NaN",
     .document = "ops-nn: foreach/foreach_non_finite_check_and_unscale/docs/"
                 "aclnnForeachNonFiniteCheckAndUnscale.md"},
    {.op = kNames<"AmpUpdateScale">,
     .params = kUpdateScaleParams,
     .prepare = PrepareUpdateScale,
     .header = "aclnn_amp_update_scale.h",
     .summary = "updatedScale = currentScale * backoffFactor where foundInf is not 0, currentScale "
                "* growthFactor after growthInterval steps without",
     .document = "ops-math: math/amp_update_scale/docs/aclnnAmpUpdateScale.md"},
};

}  // namespace anyacl::optimizer
