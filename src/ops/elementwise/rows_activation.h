// SPDX-License-Identifier: Apache-2.0
// Activations and gradients beyond those of operators.h: the declarations.
#pragma once

#include "ops/elementwise/rows.h"

namespace anyacl::elementwise {

inline constexpr DTypeSet kHardsigmoids = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32};
inline constexpr DTypeSet kSelus = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8};
inline constexpr DTypeSet kThresholds = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT8,
                                         ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
inline constexpr DTypeSet kThresholdSlopes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                              ACL_INT8,  ACL_INT32,   ACL_UINT8};
// UINT8 beyond the document, as devices take it.
inline constexpr DTypeSet kRelus = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8,
                                    ACL_INT32, ACL_INT64,   ACL_UINT8};

template <const DTypeSet& kTypes>
inline constexpr ParamSpec kActivation[] = {In(kSelf, "self", kTypes),
                                            Like(kSelf, Out(kOut, "out", kTypes))};

// In place, with CANN's names and handles.
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kInplaceSelf[] = {ConstHandle(InOut(kSelf, "self", kTypes))};
inline constexpr ParamSpec kBetaRow = ScalarRow(kP, "beta"),
                           kThresholdRow = ScalarRow(kQ, "threshold");
inline constexpr ParamSpec kSoftplus[] = {In(kSelf, "self", kSingles), kBetaRow, kThresholdRow,
                                          Out(kOut, "out", kFloats)};
inline constexpr ParamSpec kLogSigmoid[] = {In(kSelf, "self", kSingles),
                                            Like(kSelf, Out(kOut, "out", kSingles)),
                                            Out(kBuffer, "buffer", kEvery)};
inline constexpr ParamSpec kAlphaRow = ScalarRow(kP, "alpha"), kScaleRow = ScalarRow(kQ, "scale"),
                           kInputScaleRow = ScalarRow(kR, "inputScale");
inline constexpr ParamSpec kElu[] = {In(kSelf, "self", kFloats), kAlphaRow, kScaleRow,
                                     kInputScaleRow, Out(kOut, "out", kFloats)};
inline constexpr ParamSpec kInplaceElu[] = {InOut(kSelf, "selfRef", kFloats), kAlphaRow, kScaleRow,
                                            kInputScaleRow};
inline constexpr ParamSpec kCelu[] = {In(kSelf, "self", kSingles), ScalarRow(kP, "alpha", "not 0"),
                                      Out(kOut, "out", kFloats)};
inline constexpr ParamSpec kInplaceCelu[] = {InOut(kSelf, "selfRef", kSingles),
                                             ScalarRow(kP, "alpha", "not 0")};
inline constexpr char kLambd[] = "lambd", kLambda[] = "lambda";
inline constexpr ParamSpec kShrink[] = {In(kSelf, "self", kSingles), ScalarRow(kP, kLambd),
                                        Out(kOut, "out", kSingles)};
inline constexpr DTypeSet kShrunk = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr ParamSpec kShrinkBy[] = {In(kSelf, "self", kShrunk),
                                          ScalarRow(kP, kLambd, "0 or more"), ScalarRow(kQ, "bias"),
                                          Out(kOut, "out", kShrunk)};
inline constexpr ParamSpec kSquaredRelu[] = {In(kSelf, "input", kSingles),
                                             ConstHandle(Like(kSelf, Out(kOut, "out", kSingles)))};
inline constexpr ParamSpec kThreshold[] = {In(kSelf, "self", kThresholds),
                                           ScalarRow(kP, "threshold"), ScalarRow(kQ, "value"),
                                           Out(kOut, "out", kThresholds)};
inline constexpr ParamSpec kInplaceThreshold[] = {
    InOut(kSelf, "selfRef", kThresholds), ScalarRow(kP, "threshold"), ScalarRow(kQ, "value")};
inline constexpr ParamSpec kSwishBeta = Optional(ScalarRow(kP, "betaOptional", "1 if absent"));
inline constexpr ParamSpec kSwish[] = {In(kSelf, "self", kSingles), kSwishBeta,
                                       Like(kSelf, Out(kOut, "out", kSingles))};
inline constexpr ParamSpec kGeluV2[] = {In(kSelf, "x", kSingles),
                                        {.name = "approximate",
                                         .id = kMode,
                                         .kind = Kind::kInt64,
                                         .min = 0,
                                         .max = 1,
                                         .note = "1: as Gelu, by tanh"},
                                        Like(kSelf, Out(kOut, "y", kSingles))};
inline constexpr ParamSpec kPrelu[] = {In(kSelf, "self", kSingles),
                                       {.name = "weight",
                                        .id = kOther,
                                        .dtypes = kSingles,
                                        .dims = "W*",
                                        .note = "one element, or one for each of self.shape[1]"},
                                       Out(kOut, "out", kSingles)};
inline constexpr ParamSpec kPreluBackward[] = {
    In(kSelf, "gradOutput", kSingles), Like(kSelf, In(kOther, "self", kSingles)),
    Like(kSelf, In(kThird, "weight", kSingles, "W*")),
    Like(kSelf, Out(kOut, "gradInput", kSingles)),
    Like(kSelf, Out(kWeightOut, "gradWeight", kSingles, "W*"))};
inline constexpr ParamSpec kHeaviside[] = {Promoted(kSelf, "input", kSingles),
                                           Promoted(kOther, "values", kSingles),
                                           Out(kOut, "out", kSingles)};

template <const DTypeSet& kTypes>
inline constexpr ParamSpec kGradient[] = {Promoted(kSelf, "gradOutput", kTypes),
                                          Promoted(kOther, "self", kTypes),
                                          Out(kOut, "gradInput", kTypes)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kGradientConst[] = {Promoted(kSelf, "gradOutput", kTypes),
                                               Promoted(kOther, "self", kTypes),
                                               ConstHandle(Out(kOut, "gradInput", kTypes))};
// Inputs of one shape, of which kSelf's is the first.
constexpr ParamSpec Alike(int id, const char* name, DTypeSet dtypes) {
  return In(id, name, dtypes, "S*");
}
inline constexpr char kGradInput[] = "gradInput", kOutName[] = "out";
// All of one type and shape.
template <const char* kResult>
inline constexpr ParamSpec kAlikeGradient[] = {Alike(kSelf, "gradOutput", kSingles),
                                               Like(kSelf, Alike(kOther, "self", kSingles)),
                                               Like(kSelf, Out(kOut, kResult, kSingles))};
inline constexpr ParamSpec kHardsigmoidBackward[] = {Alike(kSelf, "gradOutput", kSingles),
                                                     Alike(kOther, "self", kSingles),
                                                     Out(kOut, "out", kSingles)};
template <const DTypeSet& kTypes>
inline constexpr ParamSpec kGradientOfOutput[] = {Promoted(kSelf, "gradOutput", kTypes),
                                                  Promoted(kOther, "output", kTypes),
                                                  Out(kOut, "gradInput", kTypes)};
inline constexpr ParamSpec kTanhBackward[] = {In(kSelf, "gradOutput", kFloats),
                                              Like(kSelf, In(kOther, "output", kFloats)),
                                              Like(kSelf, Out(kOut, "gradInput", kFloats))};
inline constexpr ParamSpec kThresholdBackward[] = {
    In(kSelf, "gradOutput", kThresholdSlopes), Like(kSelf, In(kOther, "self", kThresholdSlopes)),
    ScalarRow(kP, "threshold"), Like(kSelf, Out(kOut, "out", kThresholdSlopes))};
inline constexpr ParamSpec kGeluBackwardV2[] = {
    Promoted(kSelf, "gradOutput", kSingles), Promoted(kOther, "self", kSingles),
    Value(kMode, "approximate", Kind::kMutableText, "none or tanh"),
    Out(kOut, "gradInput", kSingles)};
inline constexpr ParamSpec kSwishBackward[] = {
    Alike(kSelf, "gradOutput", kSingles), Like(kSelf, Alike(kOther, "self", kSingles)), kSwishBeta,
    Like(kSelf, Out(kOut, "gradInput", kSingles))};
inline constexpr ParamSpec kSoftplusBackward[] = {Alike(kSelf, "gradOutput", kFloats),
                                                  Alike(kOther, "self", kReals), kBetaRow,
                                                  kThresholdRow, Out(kOut, "gradInput", kFloats)};
inline constexpr ParamSpec kLogSigmoidBackward[] = {
    Alike(kSelf, "gradOutput", kSingles), Like(kSelf, Alike(kOther, "self", kSingles)),
    In(kBuffer, "buffer", kEvery), Like(kSelf, Out(kOut, "gradInput", kSingles))};
inline constexpr ParamSpec kLeakyReluBackward[] = {
    Promoted(kSelf, "gradOutput", kFloats), Promoted(kOther, "self", kFloats),
    ScalarRow(kP, "negativeSlope"),
    Value(kMode, "selfIsResult", Kind::kBool, "negativeSlope is then 0 or more"),
    Out(kOut, "out", kFloatsToo)};
inline constexpr ParamSpec kHardtanhBackward[] = {
    Alike(kSelf, "gradOutput", kSingles), Like(kSelf, Alike(kOther, "self", kSingles)),
    ScalarRow(kP, "min"), ScalarRow(kQ, "max"), Out(kOut, "out", kSingles)};
inline constexpr ParamSpec kEluBackward[] = {
    Alike(kSelf, "gradOutput", kSingles),
    kAlphaRow,
    kScaleRow,
    kInputScaleRow,
    Value(kMode, "isResult", Kind::kBool, "alpha is then 0 or more"),
    Like(kSelf, Alike(kOther, "selfOrResult", kSingles)),
    Out(kOut, "gradInput", kFloats)};
inline constexpr ParamSpec kSeluBackward[] = {Alike(kSelf, "gradOutput", kSelus),
                                              Like(kSelf, Alike(kOther, "result", kSelus)),
                                              Like(kSelf, Out(kOut, "gradInput", kSelus))};
template <const char* kName>
inline constexpr ParamSpec kShrinkBackward[] = {
    Promoted(kSelf, "gradOutput", kSingles), Promoted(kOther, "self", kSingles),
    ScalarRow(kP, kName), Out(kOut, "gradInput", kSingles)};

inline constexpr DTypeSet kAddRelus = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT8,
                                       ACL_UINT8, ACL_INT16,   ACL_INT32, ACL_INT64};
inline constexpr ParamSpec kAddRelu[] = {
    Promoted(kSelf, "self", kAddRelus), Promoted(kOther, "other", kAddRelus),
    ScalarRow(kAlpha, "alpha", kAlphaNote), Out(kOut, "out", kAddRelus)};
inline constexpr ParamSpec kInplaceAddRelu[] = {InOut(kSelf, "selfRef", kAddRelus),
                                                Promoted(kOther, "other", kAddRelus),
                                                ScalarRow(kAlpha, "alpha", kAlphaNote)};

// clang-format off
inline constexpr OpSpec kActivationOperators[] = {
    Row(kNames<"Hardsigmoid">, kUnary<kHardsigmoids, kHardsigmoids>, WithParameters<Op::kHardsigmoid>, "aclnn_hardsigmoid.h",
        "out = min(max(self / 6 + 0.5, 0), 1)", "ops-nn: activation/hard_sigmoid/docs/aclnnHardsigmoid&aclnnInplaceHardsigmoid.md"),
    Row(kNames<"InplaceHardsigmoid">, kInplaceSelf<kHardsigmoids>, WithParameters<Op::kHardsigmoid>, "aclnn_hardsigmoid.h",
        "self = min(max(self / 6 + 0.5, 0), 1), in place", "ops-nn: activation/hard_sigmoid/docs/aclnnHardsigmoid&aclnnInplaceHardsigmoid.md"),
    Row(kNames<"Hardswish">, kUnaryConst<kSingles, kSingles>, WithParameters<Op::kHardswish>, "aclnn_hardswish.h",
        "out = self min(max(self + 3, 0), 6) / 6", "ops-nn: activation/hard_swish/docs/aclnnHardswish&aclnnInplaceHardswish.md"),
    Row(kNames<"InplaceHardswish">, kInplaceSelf<kSingles>, WithParameters<Op::kHardswish>, "aclnn_hardswish.h",
        "self = self min(max(self + 3, 0), 6) / 6, in place", "ops-nn: activation/hard_swish/docs/aclnnHardswish&aclnnInplaceHardswish.md"),
    Row(kNames<"Softplus">, kSoftplus, WithParameters<Op::kSoftplus>, "aclnn_softplus.h",
        "out = beta self > threshold ? self : log(1 + e^(beta self)) / beta", "ops-nn: activation/softplus_v2/docs/aclnnSoftplus.md"),
    Row(kNames<"LogSigmoid">, kActivation<kSingles>, Map<Op::kLogSigmoid>, "aclnn_logsigmoid.h",
        "out = log(1 / (1 + e^-self))", "ops-nn: activation/log_sigmoid/docs/aclnnLogSigmoid.md"),
    Row(kNames<"LogSigmoidForward">, kLogSigmoid, WithParameters<Op::kLogSigmoid>, "aclnn_logsigmoid.h",
        "out = log(1 / (1 + e^-self))", "ops-nn: activation/log_sigmoid/docs/aclnnLogSigmoidForward.md"),
    Row(kNames<"FastGelu">, kActivation<kSingles>, FastGelu<Op::kSwish>, "aclnn_fast_gelu.h",
        "out = self / (1 + e^(-1.702 self))", "ops-nn: activation/fast_gelu/docs/aclnnFastGelu.md"),
    Row(kNames<"FastGeluBackward">, kAlikeGradient<kGradInput>, FastGelu<Op::kSwishGrad>, "aclnn_fast_gelu_backward.h",
        "gradInput = gradOutput s (1 + 1.702 self (1 - s)) with s = 1 / (1 + e^(-1.702 self))", "ops-nn: activation/fast_gelu_grad/docs/aclnnFastGeluBackward.md"),
    Row(kNames<"AddRelu">, kAddRelu, PrepareAddRelu, "aclnn_add_relu.h",
        "out = max(self + alpha * other, 0)", "ops-nn: activation/relu/docs/aclnnAddRelu&aclnnInplaceAddRelu.md"),
    Row(kNames<"InplaceAddRelu">, kInplaceAddRelu, PrepareAddRelu, "aclnn_add_relu.h",
        "selfRef = max(selfRef + alpha * other, 0)", "ops-nn: activation/relu/docs/aclnnAddRelu&aclnnInplaceAddRelu.md"),
    Row(kNames<"Mish">, kActivation<kSingles>, WithParameters<Op::kMish>, "aclnn_mish.h",
        "out = self tanh(log(1 + e^self))", "ops-nn: activation/mish/docs/aclnnMish&aclnnInplaceMish.md"),
    Row(kNames<"InplaceMish">, kInplace<kSingles>, WithParameters<Op::kMish>, "aclnn_mish.h",
        "selfRef = selfRef tanh(log(1 + e^selfRef))", "ops-nn: activation/mish/docs/aclnnMish&aclnnInplaceMish.md"),
    Row(kNames<"Elu">, kElu, PrepareElu, "aclnn_elu.h",
        "out = self > 0 ? scale self : scale alpha (e^(inputScale self) - 1)", "ops-nn: activation/elu/docs/aclnnElu&aclnnInplaceElu.md"),
    Row(kNames<"InplaceElu">, kInplaceElu, PrepareElu, "aclnn_elu.h",
        "selfRef = selfRef > 0 ? scale selfRef : scale alpha (e^(inputScale selfRef) - 1)", "ops-nn: activation/elu/docs/aclnnElu&aclnnInplaceElu.md"),
    Row(kNames<"Celu">, kCelu, PrepareElu, "aclnn_celu.h",
        "out = self > 0 ? self : alpha (e^(self / alpha) - 1)", "ops-nn: activation/celu_v2/docs/aclnnCelu&aclnnInplaceCelu.md"),
    Row(kNames<"InplaceCelu">, kInplaceCelu, PrepareElu, "aclnn_celu.h",
        "selfRef = selfRef > 0 ? selfRef : alpha (e^(selfRef / alpha) - 1)", "ops-nn: activation/celu_v2/docs/aclnnCelu&aclnnInplaceCelu.md"),
    Row(kNames<"Selu">, kUnary<kSelus, kSelus>, PrepareElu, "aclnn_selu.h",
        "out = 1.0507 (self > 0 ? self : 1.6733 (e^self - 1))", "ops-nn: activation/selu/docs/aclnnSelu&aclnnInplaceSelu.md"),
    Row(kNames<"InplaceSelu">, kInplace<kSelus>, PrepareElu, "aclnn_selu.h",
        "selfRef = 1.0507 (selfRef > 0 ? selfRef : 1.6733 (e^selfRef - 1))", "ops-nn: activation/selu/docs/aclnnSelu&aclnnInplaceSelu.md"),
    Row(kNames<"Hardshrink">, kShrink, PrepareShrink<Op::kHardshrink>, "aclnn_hardshrink.h",
        "out = |self| <= lambd ? 0 : self", "ops-nn: activation/hard_shrink/docs/aclnnHardshrink.md"),
    Row(kNames<"Softshrink">, kShrink, PrepareShrink<Op::kSoftshrink>, "aclnn_softshrink.h",
        "out = |self| <= lambd ? 0 : self - lambd sign(self)", "ops-nn: activation/softshrink/docs/aclnnSoftshrink.md"),
    Row(kNames<"Shrink">, kShrinkBy, PrepareShrink<Op::kShrink>, "aclnn_shrink.h",
        "out = self > lambd ? self - bias : self < -lambd ? self + bias : 0", "ops-nn: activation/shrink/docs/aclnnShrink.md"),
    Row(kNames<"SquaredRelu">, kSquaredRelu, PrepareSquaredRelu, "aclnn_squared_relu.h",
        "out = max(input, 0)^2", "ops-nn: activation/squared_relu/docs/aclnnSquaredRelu.md"),
    Row(kNames<"Threshold">, kThreshold, WithParameters<Op::kThreshold>, "aclnn_threshold.h",
        "out = self <= threshold ? value : self", "ops-nn: activation/threshold/docs/aclnnThreshold&aclnnInplaceThreshold.md"),
    Row(kNames<"InplaceThreshold">, kInplaceThreshold, WithParameters<Op::kThreshold>, "aclnn_threshold.h",
        "selfRef = selfRef <= threshold ? value : selfRef", "ops-nn: activation/threshold/docs/aclnnThreshold&aclnnInplaceThreshold.md"),
    Row(kNames<"Swish">, kSwish, WithParameters<Op::kSwish>, "aclnn_swish.h",
        "out = self / (1 + e^(-beta self)), beta 1 if absent", "ops-nn: activation/swish/docs/aclnnSwish.md"),
    Row(kNames<"GeluV2">, kGeluV2, PrepareGeluV2, "aclnn_gelu_v2.h",
        "y = x times the normal distribution function of x, or as Gelu if approximate is 1", "ops-nn: activation/gelu_v2/docs/aclnnGeluV2.md"),
    Row(kNames<"Prelu">, kPrelu, PreparePrelu, "aclnn_prelu.h",
        "out = self > 0 ? self : weight self", "ops-nn: activation/p_relu/docs/aclnnPrelu.md"),
    Row(kNames<"Heaviside">, kHeaviside, Map<Op::kHeaviside>, "aclnn_heaviside.h",
        "out = input == 0 ? values : input > 0", "ops-nn: activation/heaviside/docs/aclnnHeaviside.md"),
    Row(kNames<"ThresholdBackward">, kThresholdBackward, WithParameters<Op::kThresholdGrad>, "aclnn_threshold_backward.h",
        "out = gradOutput where self > threshold or is NaN, 0 elsewhere", "ops-nn: activation/threshold_grad_v2_d/docs/aclnnThresholdBackward.md"),
    Row(kNames<"GeluBackward">, kGradientConst<kSingles>, Map<Op::kGeluGrad>, "aclnn_gelu_backward.h",
        "gradInput = gradOutput times the derivative of Gelu", "ops-nn: activation/gelu_grad/docs/aclnnGeluBackward.md"),
    Row(kNames<"GeluBackwardV2">, kGeluBackwardV2, PrepareGeluV2, "aclnn_gelu_backward_v2.h",
        "gradInput = gradOutput times the derivative of GeluV2; approximate is none or tanh", "ops-nn: activation/gelu_grad_v2/docs/aclnnGeluBackwardV2.md"),
    Row(kNames<"SiluBackward">, kAlikeGradient<kGradInput>, Map<Op::kSiluGrad>, "aclnn_silu_backward.h",
        "gradInput = gradOutput s (1 + self (1 - s)) with s = sigmoid self", "ops-nn: activation/silu_grad/docs/aclnnSiluBackward.md"),
    Row(kNames<"SwishBackward">, kSwishBackward, WithParameters<Op::kSwishGrad>, "aclnn_swish_backward.h",
        "gradInput = gradOutput s (1 + beta self (1 - s)) with s = sigmoid(beta self)", "ops-nn: activation/swish_grad/docs/aclnnSwishBackward.md"),
    Row(kNames<"TanhBackward">, kTanhBackward, Map<Op::kTanhGrad>, "aclnn_tanh_backward.h",
        "gradInput = gradOutput (1 - output^2)", "ops-math: math/tanh_grad/docs/aclnnTanhBackward.md"),
    Row(kNames<"SigmoidBackward">, kGradientOfOutput<kFloatsToo>, Map<Op::kSigmoidGrad>, "aclnn_sigmoid_backward.h",
        "gradInput = gradOutput output (1 - output)", "ops-nn: activation/sigmoid_grad/docs/aclnnSigmoidBackward.md"),
    Row(kNames<"SoftplusBackward">, kSoftplusBackward, WithParameters<Op::kSoftplusGrad>, "aclnn_softplus_backward.h",
        "gradInput = gradOutput (beta self > threshold ? 1 : sigmoid(beta self))", "ops-nn: activation/softplus_v2_grad/docs/aclnnSoftplusBackward.md"),
    Row(kNames<"LogSigmoidBackward">, kLogSigmoidBackward, Map<Op::kLogSigmoidGrad>, "aclnn_logsigmoid_backward.h",
        "gradInput = gradOutput / (1 + e^self)", "ops-nn: activation/logsigmoid_grad/docs/aclnnLogSigmoidBackward.md"),
    Row(kNames<"LeakyReluBackward">, kLeakyReluBackward, PrepareLeakyReluBackward, "aclnn_leaky_relu_backward.h",
        "out = gradOutput (self > 0 ? 1 : negativeSlope)", "ops-nn: activation/leaky_relu_grad/docs/aclnnLeakyReluBackward.md"),
    Row(kNames<"HardswishBackward">, kAlikeGradient<kOutName>, Map<Op::kHardswishGrad>, "aclnn_hardswish_backward.h",
        "out = gradOutput (self < -3 ? 0 : self > 3 ? 1 : self / 3 + 0.5)", "ops-nn: activation/hard_swish_grad/docs/aclnnHardswishBackward.md"),
    Row(kNames<"HardswishBackwardV2">, kAlikeGradient<kOutName>, Map<Op::kHardswishGradOpen>, "aclnn_hardswish_backward_v2.h",
        "out = gradOutput (self <= -3 ? 0 : self >= 3 ? 1 : self / 3 + 0.5)", "ops-nn: activation/hard_swish_grad_v2/docs/aclnnHardswishBackwardV2.md"),
    Row(kNames<"HardsigmoidBackward">, kHardsigmoidBackward, Map<Op::kHardsigmoidGrad>, "aclnn_hardsigmoid_backward.h",
        "out = gradOutput (-3 < self < 3 ? 1 / 6 : 0)", "ops-nn: activation/hard_sigmoid_grad/docs/aclnnHardsigmoidBackward.md"),
    Row(kNames<"HardtanhBackward">, kHardtanhBackward, WithParameters<Op::kHardtanhGrad>, "aclnn_hardtanh_backward.h",
        "out = gradOutput (min < self < max ? 1 : 0)", "ops-nn: activation/hardtanh_grad/docs/aclnnHardtanhBackward.md"),
    Row(kNames<"EluBackward">, kEluBackward, PrepareElu, "aclnn_elu_backward.h",
        "gradInput = gradOutput times the derivative of Elu, of its input or its result", "ops-nn: activation/elu_grad_v2/docs/aclnnEluBackward.md"),
    Row(kNames<"SeluBackward">, kSeluBackward, PrepareElu, "aclnn_selu_backward.h",
        "gradInput = gradOutput times the derivative of Selu, of its result", "ops-nn: activation/selu_grad/docs/aclnnSeluBackward.md"),
    Row(kNames<"HardshrinkBackward">, kShrinkBackward<kLambd>, PrepareShrink<Op::kHardshrinkGrad>, "aclnn_hardshrink_backward.h",
        "gradInput = gradOutput (|self| <= lambd ? 0 : 1)", "ops-nn: activation/hard_shrink_grad/docs/aclnnHardshrinkBackward.md"),
    Row(kNames<"SoftshrinkBackward">, kShrinkBackward<kLambda>, PrepareShrink<Op::kHardshrinkGrad>, "aclnn_softshrink_backward.h",
        "gradInput = gradOutput (|self| <= lambda ? 0 : 1)", "ops-nn: activation/soft_shrink_grad/docs/aclnnSoftshrinkBackward.md"),
    Row(kNames<"PreluBackward">, kPreluBackward, PreparePreluBackward, "aclnn_prelu_backward.h",
        "gradInput = gradOutput (self > 0 ? 1 : weight), gradWeight = the sums of gradOutput min(self, 0)", "ops-nn: activation/p_relu_grad_update/docs/aclnnPreluBackward.md"),
    Row(kNames<"MishBackward">, kGradient<kSingles>, Map<Op::kMishGrad>, "aclnn_mish_backward.h",
        "gradInput = gradOutput times the derivative of Mish", "ops-nn: activation/mish_grad/docs/aclnnMishBackward.md"),
};
// clang-format on

}  // namespace anyacl::elementwise
