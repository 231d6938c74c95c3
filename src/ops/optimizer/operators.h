// SPDX-License-Identifier: Apache-2.0
// The declarations of optimisers and of what scales their losses.
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/single_op.h"

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
  kBeta1Power,
  kBeta2Power,
  kMaxGradNorm,
  kGlobalGradNorm,
  kStepSize,
  kMode,
  kNewVar,
  kNewM,
  kNewV,
  kMomentum,
  kDampening,
  kNesterov,
  kFirstStep,
  kGradScale,
  kEma,
  kEmaDecay,
  kBiasCorrection,
  kSelf,
  kSize,
  kType,
  kOut,
};

Status CheckOneNumber(const Operands& operands, int id);
// A list as long as paramsRef, of its shapes and its first member's type.
Status CheckLike(const Operands& operands, int id);
Status PrepareAdamW(Operands& operands, PreparedCall* call);
Status PrepareAdamWList(Operands& operands, PreparedCall* call);
Status PrepareEmaAdam(Operands& operands, PreparedCall* call);
Status PrepareAdamNode(Operands& operands, PreparedCall* call);
Status PrepareAdamWNode(Operands& operands, PreparedCall* call);
Status PrepareBertAdam(Operands& operands, PreparedCall* call);
Status PrepareSgd(Operands& operands, PreparedCall* call);
Status PrepareUnscale(Operands& operands, PreparedCall* call);
Status PrepareUpdateScale(Operands& operands, PreparedCall* call);
Status PrepareSignBitsPack(Operands& operands, PreparedCall* call);
Status PrepareSignBitsUnpack(Operands& operands, PreparedCall* call);

constexpr ParamSpec Most() {
  return Noted(
      NeededIf(Like(kVar, InOut(kMost, "maxGradNormOptionalRef", kFloats, "P*")), "amsgrad"),
      "the largest vRef so far");
}

inline constexpr ParamSpec kAdamWParams[] = {
    InOut(kVar, "varRef", kFloats, "P*"),
    Like(kVar, InOut(kM, "mRef", kFloats, "P*")),
    Like(kVar, InOut(kV, "vRef", kFloats, "P*")),
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

inline constexpr ParamSpec kEmaAdamParams[] = {
    In(kGrad, "grad", kFloats, "P*"),
    Like(kGrad, InOut(kVar, "varRef", kFloats, "P*")),
    Like(kGrad, InOut(kM, "mRef", kFloats, "P*")),
    Like(kGrad, InOut(kV, "vRef", kFloats, "P*")),
    Like(kGrad, InOut(kEma, "sRef", kFloats, "P*")),
    Noted(In(kStep, "step", {ACL_INT64}, "S*"), "one number, the steps with this one"),
    Value(kLr, "lr", Kind::kDouble),
    Value(kEmaDecay, "emaDecay", Kind::kDouble),
    Value(kBeta1, "beta1", Kind::kDouble),
    Value(kBeta2, "beta2", Kind::kDouble),
    Value(kEps, "eps", Kind::kDouble),
    {.name = "mode",
     .id = kMode,
     .kind = Kind::kInt64,
     .min = 0,
     .max = 1,
     .note = "where weightDecay * varRef is added: 0: to grad, 1: to the change"},
    Value(kBiasCorrection, "biasCorrection", Kind::kBool, "or c1 = c2 = 1"),
    Value(kWeightDecay, "weightDecay", Kind::kDouble)};

constexpr ParamSpec ListRow(int id, const char* name, const char* note,
                            Need need = Need::kRequired) {
  return {.name = name,
          .id = id,
          .kind = Kind::kTensorList,
          .direction = Direction::kInOut,
          .need = need,
          .dtypes = kFloats,
          .note = note,
          .const_handle = true};
}
inline constexpr ParamSpec kSgdParams[] = {
    ListRow(kVar, "paramsRef", "tensors of one type"),
    ListRow(kGrad, "gradsRef", "of paramsRef's shapes and type; divided by gradScaleOptional"),
    ListRow(kM, "momentumBufferListOptionalRef",
            "of paramsRef's shapes and type; none or null: no momentum", Need::kOptional),
    Noted(In(kGradScale, "gradScaleOptional", kFloats, "S*", Need::kOptional),
          "one number, not 0; without elements as null"),
    Value(kWeightDecay, "weightDecay", Kind::kFloat, "0 or more"),
    Value(kMomentum, "momentum", Kind::kFloat, "0 or more; 0 without buffers"),
    Value(kLr, "lr", Kind::kFloat, "0 or more"),
    Value(kDampening, "dampening", Kind::kFloat, "0 or more"),
    Value(kNesterov, "nesterov", Kind::kBool, "needs momentum, and no dampening"),
    Value(kMaximize, "maximize", Kind::kBool, "go along the gradient"),
    Value(kFirstStep, "isFirstStep", Kind::kBool, "buffers are written, not read")};

constexpr ParamSpec Given(ParamSpec row) {
  row.direction = Direction::kInput;
  row.const_handle = false;
  return row;
}
constexpr ParamSpec OneOrNone(int id, const char* name, const char* note, DTypeSet dtypes) {
  return Noted(In(id, name, dtypes, "*", Need::kOptional), note);
}
constexpr ParamSpec StepList() {
  ParamSpec row =
      Given(ListRow(kStep, "stateSteps", "one number each, how many steps were taken before"));
  row.dtypes = {ACL_FLOAT, ACL_INT64};
  return row;
}
inline constexpr ParamSpec kAdamWListParams[] = {
    ListRow(kVar, "paramsRef", "tensors of one type"),
    Given(ListRow(kGrad, "grads", "of paramsRef's shapes and type")),
    ListRow(kM, "expAvgsRef", "of paramsRef's shapes and type"),
    ListRow(kV, "expAvgSqsRef", "of paramsRef's shapes and type"),
    ListRow(kMost, "maxExpAvgSqsRef",
            "of paramsRef's shapes and type, of amsgrad: the largest expAvgSqsRef so far",
            Need::kOptional),
    StepList(),
    OneOrNone(kGradScale, "gradScaleOptional",
              "one number, which grads are divided by; without elements as null", {ACL_FLOAT}),
    OneOrNone(kFoundInf, "foundInfOptional",
              "one number, 1: nothing is changed; without elements as null", {ACL_FLOAT}),
    Value(kLr, "lr", Kind::kDouble, "0 or more"),
    Value(kBeta1, "beta1", Kind::kDouble, "0 or more"),
    Value(kBeta2, "beta2", Kind::kDouble, "0 or more"),
    Value(kWeightDecay, "weightDecay", Kind::kDouble, "0 or more"),
    Value(kEps, "eps", Kind::kDouble),
    Value(kAmsgrad, "amsgrad", Kind::kBool,
          "divide by the root of the largest expAvgSqsRef so far"),
    Value(kMaximize, "maximize", Kind::kBool, "go along the gradient")};

inline constexpr ParamSpec kUnscaleParams[] = {
    {.name = "scaledGrads",
     .id = kScaledGrads,
     .kind = Kind::kTensorList,
     .direction = Direction::kInOut,
     .dtypes = kFloats,
     .note = "up to 256 tensors of one type",
     .const_handle = true},
    ConstHandle(Noted(InOut(kFoundInf, "foundInf", {ACL_FLOAT}, "F*"),
                      "one number, which becomes 1 if an element is infinite or NaN")),
    Noted(In(kInvScale, "invScale", {ACL_FLOAT}, "I*"), "one number")};

inline constexpr ParamSpec kUpdateScaleParams[] = {
    Noted(In(kScale, "currentScale", kFloats, "S*"), "one number"),
    Noted(In(kTracker, "growthTracker", {ACL_INT32}, "T*"),
          "one number, how many steps without infinite gradients there were"),
    Noted(Like(kScale, In(kFoundInf, "foundInf", kFloats, "F*")),
          "one number, not 0 if there were any"),
    Value(kGrowthFactor, "growthFactor", Kind::kDouble),
    Value(kBackoffFactor, "backoffFactor", Kind::kDouble),
    Value(kGrowthInterval, "growthInterval", Kind::kInt64, "1 to 2^31 - 1"),
    ConstHandle(Noted(Like(kScale, Out(kNewScale, "updatedScale", kFloats, "U*")),
                      "one number; may be currentScale")),
    ConstHandle(Noted(Out(kNewTracker, "updatedGrowthTracker", {ACL_INT32}, "V*"),
                      "one number; may be growthTracker"))};

inline constexpr DTypeSet kSigned = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr ParamSpec kSizeRow = {.name = "size",
                                       .id = kSize,
                                       .kind = Kind::kInt64,
                                       .min = 1,
                                       .names_size = true,
                                       .note = "how many rows out has"};
inline constexpr ParamSpec kSignBitsPackParams[] = {
    In(kSelf, "self", kSigned, "N"), kSizeRow,
    Noted(Out(kOut, "out", {ACL_UINT8}, "size R"), "size * R = N / 8, rounded up")};
inline constexpr ParamSpec kSignBitsUnpackParams[] = {
    In(kSelf, "self", {ACL_UINT8}, "N"), kSizeRow,
    Value(kType, "dtype", Kind::kDataType, "the type of out"),
    Noted(Out(kOut, "out", kSigned, "size R"), "size * R = 8 * N")};

// The documents' code for a list that is too long, and for numbers that are several.
inline constexpr int kTilingError = ACLNN_ERR_INNER_TILING_ERROR;

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
    {.op = kNames<"ApplyFusedEmaAdam">,
     .params = kEmaAdamParams,
     .prepare = PrepareEmaAdam,
     .header = "aclnn_apply_fused_ema_adam.h",
     .summary =
         "mRef, vRef = averages of g and g^2, g = grad or grad + weightDecay * varRef; varRef "
         "= varRef - lr * (mh / (sqrt(vh) + eps), or that + weightDecay * varRef), mh = mRef "
         "/ c1, vh = vRef / c2, c = 1 - beta^step; sRef = emaDecay * sRef + (1 - emaDecay) * "
         "varRef",
     .document = "ops-nn: optim/apply_fused_ema_adam/docs/aclnnApplyFusedEmaAdam.md"},
    {.op = kNames<"FusedAdamw">,
     .params = kAdamWListParams,
     .prepare = PrepareAdamWList,
     .header = "aclnn_fused_adamw.h",
     .summary =
         "of each tensor of a list: expAvgsRef, expAvgSqsRef = averages of g and g^2, g = grads / "
         "gradScale; paramsRef = (1 - lr * weightDecay) * paramsRef - lr * mh / (sqrt(vh) + eps), "
         "mh = expAvgsRef / (1 - beta1^t), vh = expAvgSqsRef / (1 - beta2^t), t = stateSteps + 1",
     .document = "ops-nn: optim/fused_adamw/docs/aclnnFusedAdamw.md"},
    {.op = kNames<"FusedSgd">,
     .params = kSgdParams,
     .prepare = PrepareSgd,
     .header = "aclnn_fused_sgd.h",
     .summary =
         "gradsRef = gradsRef / gradScale; d = gradsRef + weightDecay * paramsRef; momentumRef = "
         "momentum * momentumRef + (1 - dampening) * d, or d at first; paramsRef = paramsRef - lr "
         "* momentumRef, nesterov: - lr * (d + momentum * momentumRef)",
     .document = "ops-nn: optim/fused_sgd/docs/aclnnFusedSgd.md"},
    {.op = kNames<"ForeachNonFiniteCheckAndUnscale">,
     .params = kUnscaleParams,
     .prepare = PrepareUnscale,
     .header = "aclnn_foreach_non_finite_check_and_unscale.h",
     .summary = "scaledGrads = scaledGrads * invScale; foundInf = 1 if an element was infinite or "
                "NaN",
     .document = "ops-nn: foreach/foreach_non_finite_check_and_unscale/docs/"
                 "aclnnForeachNonFiniteCheckAndUnscale.md",
     .constraint_code = kTilingError},
    {.op = kNames<"AmpUpdateScale">,
     .params = kUpdateScaleParams,
     .prepare = PrepareUpdateScale,
     .header = "aclnn_amp_update_scale.h",
     .summary = "updatedScale = currentScale * backoffFactor where foundInf is not 0, currentScale "
                "* growthFactor after growthInterval steps without",
     .document = "ops-math: math/amp_update_scale/docs/aclnnAmpUpdateScale.md",
     .constraint_code = kTilingError},
    {.op = kNames<"SignBitsPack">,
     .params = kSignBitsPackParams,
     .prepare = PrepareSignBitsPack,
     .header = "aclnn_sign_bits_pack.h",
     .summary = "bit i % 8 of element i / 8 of out = self[i] >= 0",
     .document = "ops-math: math/sign_bits_pack/docs/aclnnSignBitsPack.md"},
    {.op = kNames<"SignBitsUnpack">,
     .params = kSignBitsUnpackParams,
     .prepare = PrepareSignBitsUnpack,
     .header = "aclnn_sign_bits_unpack.h",
     .summary = "element i of out = 1 where bit i % 8 of self[i / 8] is 1, else -1",
     .document = "ops-math: math/sign_bits_unpack/docs/aclnnSignBitsUnpack.md"},
};

// Called by name. The outputs may be var, m and v.
constexpr ParamSpec AsVar(ParamSpec row) { return Like(kVar, row); }
constexpr ParamSpec Number(int id, const char* name, const char* note = nullptr) {
  return Value(id, name, Kind::kScalar, note);
}
inline constexpr ParamSpec kVarRow = In(kVar, "var", kFloats, "P*");
inline constexpr ParamSpec kMRow = AsVar(In(kM, "m", kFloats, "P*"));
inline constexpr ParamSpec kVRow = AsVar(In(kV, "v", kFloats, "P*"));
inline constexpr ParamSpec kGradRow = AsVar(In(kGrad, "grad", kFloats, "P*"));
inline constexpr ParamSpec kNewVarRow = AsVar(Out(kNewVar, "var_out", kFloats, "P*"));
inline constexpr ParamSpec kNewMRow = AsVar(Out(kNewM, "m_out", kFloats, "P*"));
inline constexpr ParamSpec kNewVRow = AsVar(Out(kNewV, "v_out", kFloats, "P*"));

inline constexpr ParamSpec kAdamNodeParams[] = {kVarRow,
                                                kMRow,
                                                kVRow,
                                                Number(kBeta1Power, "beta1_power", "beta1^t"),
                                                Number(kBeta2Power, "beta2_power", "beta2^t"),
                                                Number(kLr, "lr"),
                                                Number(kBeta1, "beta1"),
                                                Number(kBeta2, "beta2"),
                                                Number(kEps, "epsilon"),
                                                kGradRow,
                                                kNewVarRow,
                                                kNewMRow,
                                                kNewVRow};
inline constexpr ParamSpec kAdamWNodeParams[] = {
    kVarRow,
    kMRow,
    kVRow,
    Number(kBeta1Power, "beta1_power", "beta1^(t - 1)"),
    Number(kBeta2Power, "beta2_power", "beta2^(t - 1)"),
    Number(kLr, "lr"),
    Number(kWeightDecay, "weight_decay"),
    Number(kBeta1, "beta1"),
    Number(kBeta2, "beta2"),
    Number(kEps, "epsilon"),
    kGradRow,
    kNewVarRow,
    kNewMRow,
    kNewVRow,
    Value(kMaximize, "maximize", Kind::kBool, "go along the gradient")};
inline constexpr ParamSpec kBertAdamParams[] = {
    kVarRow,
    kMRow,
    kVRow,
    Number(kLr, "lr"),
    Number(kBeta1, "beta1"),
    Number(kBeta2, "beta2"),
    Number(kEps, "epsilon"),
    kGradRow,
    Number(kMaxGradNorm, "max_grad_norm", "above 0: the gradient is divided by a norm beyond 1"),
    Number(kGlobalGradNorm, "global_grad_norm"),
    Number(kWeightDecay, "weight_decay"),
    Number(kStepSize, "step_size", "of mbart_adam, instead of lr"),
    kNewVarRow,
    kNewMRow,
    kNewVRow,
    Value(kMode, "adam_mode", Kind::kText, "\"adam\" or \"mbart_adam\"")};

inline constexpr OpSpec kNodes[] = {
    {.op = {"ApplyAdamD", "ApplyAdamD"},
     .params = kAdamNodeParams,
     .prepare = PrepareAdamNode,
     .codes = kNodeCodes},
    {.op = {"ApplyAdamW", "ApplyAdamW"},
     .params = kAdamWNodeParams,
     .prepare = PrepareAdamWNode,
     .codes = kNodeCodes},
    {.op = {"ApplyAdamV2", "ApplyAdamV2"},
     .params = kBertAdamParams,
     .prepare = PrepareBertAdam,
     .codes = kNodeCodes},
};
inline constexpr Source kAdamNodeSources[] = {
    Input{0},       Input{1},       Input{2},       InputScalar{3}, InputScalar{4},
    InputScalar{5}, InputScalar{6}, InputScalar{7}, InputScalar{8}, Input{9},
    Output{0},      Output{1},      Output{2}};
inline constexpr Source kAdamWNodeSources[] = {
    Input{0},       Input{1},       Input{2},       InputScalar{3}, InputScalar{4},
    InputScalar{5}, InputScalar{6}, InputScalar{7}, InputScalar{8}, InputScalar{9},
    Input{10},      Output{0},      Output{1},      Output{2},      IntAttribute{"maximize", 0}};
inline constexpr Source kBertAdamSources[] = {
    Input{0},       Input{1},       Input{2},        InputScalar{3},
    InputScalar{4}, InputScalar{5}, InputScalar{6},  Input{7},
    InputScalar{8}, InputScalar{9}, InputScalar{10}, Constant{0},
    Output{0},      Output{1},      Output{2},       TextAttribute{"adam_mode", "adam"}};
inline constexpr Source kBertAdamStepSources[] = {
    Input{0},       Input{1},       Input{2},        InputScalar{3},
    InputScalar{4}, InputScalar{5}, InputScalar{6},  Input{7},
    InputScalar{8}, InputScalar{9}, InputScalar{10}, InputScalar{11},
    Output{0},      Output{1},      Output{2},       TextAttribute{"adam_mode", "adam"}};
inline constexpr const char* kLockIgnored[] = {"use_locking"};
inline constexpr FixedAttribute kPlainMomentum[] = {{"use_nesterov", 0}};
inline constexpr FixedAttribute kNoLargest[] = {{"amsgrad", 0}};
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"ApplyAdamD", &kNodes[0], kAdamNodeSources, kLockIgnored, kPlainMomentum},
    {"ApplyAdamW", &kNodes[1], kAdamWNodeSources, {}, kNoLargest, 12},
    {"ApplyAdamV2", &kNodes[2], kBertAdamSources},
    {"ApplyAdamV2", &kNodes[2], kBertAdamStepSources},
};

}  // namespace anyacl::optimizer
