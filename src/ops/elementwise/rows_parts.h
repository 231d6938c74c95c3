// SPDX-License-Identifier: Apache-2.0
// Operators on parts of tensors, quantisation, and what is called by name: the declarations.
#pragma once

#include "nnop/single_op.h"
#include "ops/elementwise/rows.h"

namespace anyacl::elementwise {

inline constexpr DTypeSet kDiagonals = {ACL_FLOAT, ACL_FLOAT16,   ACL_DOUBLE, ACL_INT32,
                                        ACL_INT64, ACL_INT16,     ACL_INT8,   ACL_UINT8,
                                        ACL_BOOL,  ACL_COMPLEX64, ACL_BF16};
inline constexpr ParamSpec kHalvedDim =
    Value(kDim, "dim", Kind::kInt64, "counts from the end if negative");
inline constexpr ParamSpec kGlu[] = {
    Noted(In(kSelf, "self", kFloats), "of even size in dim"), kHalvedDim,
    ConstHandle(Noted(Out(kOut, "out", kFloats, "Y*"), "self's shape with half the size"))};
inline constexpr ParamSpec kGluBackward[] = {
    Noted(In(kSelf, "gradOut", kFloats, "Y*"), "self's shape with half the size in dim"),
    Like(kSelf, In(kOther, "self", kFloats, "X*")), kHalvedDim,
    ConstHandle(Like(kSelf, Out(kOut, "out", kFloats, "X*")))};
inline constexpr ParamSpec kSwiGluGrad[] = {
    Noted(In(kSelf, "yGrad", kSingles, "Y*"), "x's shape with half the size in dim"),
    Like(kSelf, In(kOther, "x", kSingles, "X*")), kHalvedDim,
    ConstHandle(Like(kSelf, Out(kOut, "out", kSingles, "X*")))};
constexpr ParamSpec HalfOf(int id, const char* name, const char* note) {
  return Noted(Like(kSelf, Out(id, name, kSingles, "Y*")), note);
}
inline constexpr ParamSpec kGeGlu[] = {
    Noted(In(kSelf, "self", kSingles), "of even size in dim"),
    kHalvedDim,
    {.name = "approximate",
     .id = kMode,
     .kind = Kind::kInt64,
     .min = 0,
     .max = 1,
     .note = "1: by tanh"},
    Value(kActivateLeft, "activateLeft", Kind::kBool, "whose half is activated"),
    HalfOf(kOut, "out", "self's shape with half the size"),
    HalfOf(kActivated, "outGelu", "the activated half")};
inline constexpr ParamSpec kGeGluBackward[] = {
    Like(kOther,
         Noted(In(kSelf, "gradOutput", kSingles, "Y*"), "self's shape with half the size in dim")),
    In(kOther, "self", kSingles, "X*"),
    Like(kOther, Noted(In(kThird, "gelu", kSingles, "Y*"), "the activated half")),
    kGeGlu[1],
    kGeGlu[2],
    kGeGlu[3],
    Like(kOther, Out(kOut, "gradInput", kSingles, "X*"))};
inline constexpr ParamSpec kScaleAlong[] = {
    In(kSelf, "x", kSingles, "X*"),
    Noted(Like(kSelf, In(kOther, "scale", kSingles, "S*")),
          "sizes of x from axis on, or one element"),
    Like(kSelf, Optional(In(kThird, "bias", kSingles, "S*"))),
    Value(kDim, "axis", Kind::kInt64, "counts from the end if negative"),
    {.name = "numAxes",
     .id = kSize,
     .kind = Kind::kInt64,
     .min = -1,
     .note = "how many dimensions scale has; -1: all, 0: one element"},
    Value(kMode, "scaleFromBlob", Kind::kBool, "false: numAxes does not count"),
    Like(kSelf, Out(kOut, "y", kSingles, "X*"))};
// The second half is the activated one.
inline constexpr ParamSpec kGeGluFirst[] = {kGeGlu[0], kGeGlu[1], kGeGlu[2], kGeGlu[4], kGeGlu[5]};
inline constexpr ParamSpec kGeGluFirstBackward[] = {kGeGluBackward[0], kGeGluBackward[1],
                                                    kGeGluBackward[2], kGeGluBackward[3],
                                                    kGeGluBackward[4], kGeGluBackward[6]};
inline constexpr ParamSpec kGeluMul[] = {
    Noted(In(kSelf, "input", kSingles, "X*"), "of even size in the last dimension"),
    {.name = "approximateOptional",
     .id = kMode,
     .kind = Kind::kMutableText,
     .need = Need::kOptional,
     .note = "none or tanh; null: none"},
    ConstHandle(HalfOf(kOut, "out", "input's shape with half the size"))};
inline constexpr ParamSpec kFatreluMul[] = {
    kGeluMul[0], Like(kSelf, Noted(In(kOther, "threshold", kSingles, "T*"), "one element")),
    kGeluMul[2]};
inline constexpr ParamSpec kPrecisionCompare[] = {
    In(kSelf, "golden", kSingles, "S*"), Like(kSelf, In(kOther, "realdata", kSingles, "S*")),
    Noted(Out(kOut, "out", {ACL_UINT32}, "O*"), "one number, of shape []")};
inline constexpr ParamSpec kModulate[] = {
    In(kSelf, "self", kSingles, "B L D"),
    Like(kSelf, Optional(In(kScale, "scaleOptional", kSingles, "B D | B 1 D"))),
    Like(kSelf, Optional(In(kShiftBy, "shiftOptional", kSingles, "B D | B 1 D"))),
    Like(kSelf, Out(kOut, "out", kSingles, "B L D"))};
inline constexpr ParamSpec kModulateBackward[] = {
    In(kSelf, "grad_output", kSingles, "B L D"),
    Like(kSelf, In(kOther, "input", kSingles, "B L D")),
    Like(kSelf, Optional(In(kScale, "scale", kSingles, "B D"))),
    Like(kSelf, Optional(In(kShiftBy, "shift", kSingles, "B D"))),
    ConstHandle(Like(kSelf, Out(kOut, "grad_input", kSingles, "B L D"))),
    Optional(ConstHandle(Like(kSelf, Out(kDScale, "grad_scale", kSingles, "B D")))),
    Optional(ConstHandle(Like(kSelf, Out(kDShift, "grad_shift", kSingles, "B D"))))};
inline constexpr DTypeSet kHalvesAndSingles = {ACL_FLOAT, ACL_FLOAT16};
constexpr ParamSpec OfCell(int id, const char* name, const char* dims) {
  return Like(kSelf, In(id, name, kHalvesAndSingles, dims));
}
constexpr ParamSpec ToCell(int id, const char* name, const char* dims) {
  return Like(kSelf, Out(id, name, kHalvesAndSingles, dims));
}
inline constexpr ParamSpec kLstmCell[] = {
    Noted(In(kSelf, "inputGates", kHalvesAndSingles, "B G"), "G is 4H: i, f, g, o"),
    OfCell(kOther, "hiddenGates", "B G"),
    OfCell(kCell, "cx", "B H"),
    Noted(Optional(OfCell(kThird, "inputBiasOptional", "G")), "given if hiddenBiasOptional is"),
    Optional(OfCell(kX, "hiddenBiasOptional", "G")),
    ToCell(kOut, "hyOut", "B H"),
    ToCell(kActivated, "cyOut", "B H"),
    ToCell(kBuffer, "storageOut", "B G")};
inline constexpr ParamSpec kLstmCellBackward[] = {
    Noted(Optional(OfCell(kOther, "gradHyOptional", "B H")), "null: zeros"),
    Noted(Optional(OfCell(kThird, "gradCOptional", "B H")), "null: zeros"),
    In(kSelf, "cx", kHalvesAndSingles, "B H"),
    OfCell(kX, "cy", "B H"),
    Noted(OfCell(kActivated, "storage", "B G"), "G is 4H: i, f, g, o"),
    Value(kMode, "hasBias", Kind::kBool, "whether gradBiasOut is written"),
    ToCell(kOut, "gradGatesOut", "B G"),
    ToCell(kCell, "gradCxOut", "B H"),
    Noted(ToCell(kDShift, "gradBiasOut", "G"), "any tensor where hasBias is false")};
inline constexpr ParamSpec kClippedSwiglu[] = {
    Noted(In(kSelf, "x", kSingles), "of even size in dim"),
    Noted(Optional(In(kThird, "groupIndexOptional", {ACL_INT64}, "G")),
          "rows, of the dimensions before dim, in each group; null: all"),
    kHalvedDim,
    Value(kP, "alpha", Kind::kDouble),
    Value(kMax, "limit", Kind::kDouble, "above 0"),
    Value(kQ, "bias", Kind::kDouble),
    Value(kLayout, "interleaved", Kind::kBool, "every other element, of the last dimension"),
    ConstHandle(HalfOf(kOut, "out", "x's shape with half the size"))};
inline constexpr ParamSpec kClippedSwigluGrad[] = {
    Noted(In(kOther, "gradY", kSingles, "Y*"), "x's shape with half the size in dim"),
    Noted(Like(kOther, In(kSelf, "x", kSingles, "X*")), "of even size in dim"),
    kClippedSwiglu[1],
    kHalvedDim,
    kClippedSwiglu[3],
    kClippedSwiglu[4],
    kClippedSwiglu[5],
    kClippedSwiglu[6],
    ConstHandle(Like(kOther, Out(kOut, "gradXOut", kSingles, "X*")))};
constexpr ParamSpec Angle(int id, const char* name) {
  return Noted(Like(kSelf, In(id, name, kSingles, "A.. D")), "sizes of 1 or x's");
}
inline constexpr ParamSpec kRotary[] = {
    In(kSelf, "x", kSingles, "X.. D"),
    Angle(kOther, "cos"),
    Angle(kThird, "sin"),
    {.name = "mode",
     .id = kMode,
     .kind = Kind::kInt64,
     .min = 0,
     .max = 3,
     .note = "0: pairs are half a row apart; 1: neighbours; 2: "
             "a quarter apart; 3: neighbours, to halves of out"},
    Like(kSelf, Out(kOut, "out", kSingles, "X.. D"))};
inline constexpr ParamSpec kRotaryV2[] = {
    kRotary[0],
    kRotary[1],
    kRotary[2],
    kRotary[3],
    Noted(Like(kSelf, In(kX, "rotate", kSingles, "D D", Need::kOptional)),
          "what pairs become, whatever mode is: out = x cos + (x @ rotate) sin"),
    kRotary[4]};
constexpr ParamSpec Gradient(int id, const char* name, const char* dims) {
  return ConstHandle(Like(kSelf, Out(id, name, kSingles, dims)));
}
inline constexpr ParamSpec kRotaryGrad[] = {
    In(kSelf, "dy", kSingles, "X.. D"),
    Angle(kOther, "cos"),
    Angle(kThird, "sin"),
    Noted(Like(kSelf, In(kX, "xOptional", kSingles, "X.. D", Need::kOptional)),
          "null: dcosOut and dsinOut are not written, and may have any shape"),
    {.name = "mode", .id = kMode, .kind = Kind::kInt64, .min = 0, .max = 3, .note = "as forward"},
    Gradient(kOut, "dxOut", "X.. D"),
    Gradient(kDCos, "dcosOut", "A.. D"),
    Gradient(kDSin, "dsinOut", "A.. D")};
inline constexpr char kHeadsNote[] = "in the order of layout; D is even";
inline constexpr char kAnglesNote[] = "queryRef's shape with one head; of one batch for all, too";
inline constexpr ParamSpec kLayoutRow = {.name = "layout",
                                         .id = kLayout,
                                         .kind = Kind::kInt64,
                                         .min = 1,
                                         .max = 4,
                                         .note = "1: BSND, 2: SBND, 3: BNSD, 4: TND"};
inline constexpr ParamSpec kRotaryApply[] = {
    Noted(InOut(kSelf, "queryRef", kSingles, "Q.. D"), kHeadsNote),
    Noted(Like(kSelf, InOut(kKey, "keyRef", kSingles, "K.. D")), "queryRef's shape but for heads"),
    Noted(Like(kSelf, In(kOther, "cos", kSingles, "C.. D")), kAnglesNote),
    Noted(Like(kSelf, In(kThird, "sin", kSingles, "C.. D")), "as cos"),
    kLayoutRow,
};
inline constexpr ParamSpec kRotaryApplyV2[] = {
    kRotaryApply[0],
    kRotaryApply[1],
    kRotaryApply[2],
    kRotaryApply[3],
    kRotaryApply[4],
    {.name = "rotaryMode",
     .id = kMode,
     .kind = Kind::kMutableText,
     .note = "pairs are half: half a row apart, interleave: neighbours, quarter: a quarter apart "
             "(D is a multiple of 4)"},
};
inline constexpr ParamSpec kRotaryInterleave[] = {
    Noted(In(kSelf, "x", kSingles, "B N S D"), "D is even"),
    Noted(Like(kSelf, In(kOther, "cos", kSingles, "C.. D")), "[B or 1, 1, S or 1, D]"),
    Noted(Like(kSelf, In(kThird, "sin", kSingles, "C.. D")), "as cos"),
    Like(kSelf, Out(kOut, "out", kSingles, "B N S D")),
};
constexpr ParamSpec Heads(int id, const char* name) {
  return ConstHandle(Like(kSelf, Out(id, name, kSingles, "B numHeads T D")));
}
inline constexpr ParamSpec kProjection[] = {
    Noted(In(kSelf, "qkv", kSingles, "B T W"), "W = 3 * numHeads * D"),
    Like(kSelf, In(kOther, "qkvBias", kSingles, "W")),
    {.name = "numHeads", .id = kSize, .kind = Kind::kInt64, .min = 1, .names_size = true},
    Heads(kOut, "qOut"),
    Heads(kKey, "kOut"),
    Heads(kValueOut, "vOut")};
inline constexpr ParamSpec kFillDiagonal[] = {
    Noted(InOut(kSelf, "selfRef", kDiagonals), "a matrix, or more dimensions of one size"),
    ScalarRow(kScalar, "fillValue", "a number that selfRef's type holds"),
    Value(kWrap, "wrap", Kind::kBool,
          "of a tall matrix: again below each diagonal and a free row")};

inline constexpr DTypeSet kQuantized = {ACL_INT8, ACL_UINT8, ACL_INT32};
inline constexpr DTypeSet kZeroPoints = {ACL_INT32, ACL_INT8, ACL_UINT8, ACL_BF16};
inline constexpr ParamSpec kQuantize[] = {
    In(kSelf, "x", kSingles, "X*"),
    Noted(In(kOther, "scales", kSingles, "S"), "one, or one for each index of axis"),
    Noted(In(kThird, "zeroPoints", kZeroPoints, "S", Need::kOptional), "null stands for zeros"),
    Value(kDType, "dtype", Kind::kDataType, "out.dtype"),
    Value(kDim, "axis", Kind::kInt32, "counts from the end if negative"),
    Out(kOut, "out", kQuantized, "X*")};
// By name scales have as many dimensions as x.
inline constexpr ParamSpec kQuantizeNode[] = {
    In(kSelf, "x", kSingles, "X.."), In(kOther, "scales", kSingles, "S.."),
    In(kThird, "zeroPoints", kZeroPoints, "S..", Need::kOptional),
    Value(kDim, "axis", Kind::kInt32, "counts from the end if negative"),
    Out(kOut, "out", kQuantized, "X..")};
inline constexpr DTypeSet kFaked = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr DTypeSet kFakedZeros = {ACL_INT32, ACL_FLOAT, ACL_FLOAT16};
inline constexpr ParamSpec kFakedMin = Value(kMin, "quantMin", Kind::kInt64, "at most quantMax");
inline constexpr ParamSpec kFakedMax = Value(kMax, "quantMax", Kind::kInt64);
inline constexpr ParamSpec kFakeQuant[] = {
    In(kSelf, "self", kFaked, "X*"),
    Noted(In(kOther, "scale", kFaked), "one element"),
    Noted(In(kThird, "zeroPoint", {ACL_INT32}), "one element"),
    Value(kScalar, "fakeQuantEnabled", Kind::kFloat, "below 1: out is self, mask is true"),
    kFakedMin,
    kFakedMax,
    Out(kOut, "out", kFaked, "X*"),
    Out(kMask, "mask", {ACL_BOOL}, "X*")};
inline constexpr ParamSpec kFakeQuantChannels[] = {
    In(kSelf, "self", kFaked, "X*"),
    Noted(In(kOther, "scale", kFaked, "C"), "one for each index of axis"),
    Noted(In(kThird, "zeroPoint", kFakedZeros, "C"),
          "FLOAT and FLOAT16 are added before the quotient is rounded"),
    Value(kDim, "axis", Kind::kInt64, "counts from the end if negative"),
    kFakedMin,
    kFakedMax,
    Out(kOut, "out", kFaked, "X*"),
    Out(kMask, "mask", {ACL_BOOL}, "X*")};
inline constexpr DTypeSet kQuants = {ACL_INT8, ACL_INT32, ACL_INT4};
inline constexpr ParamSpec kAscendX = In(kSelf, "x", kSingles, "X..");
inline constexpr ParamSpec kAscendScale =
    Noted(In(kOther, "scale", kSingles, "S.."),
          "[1], one for each index of axis (the last one), or as many dimensions as x");
inline constexpr ParamSpec kAscendOffset =
    Like(kOther, In(kThird, "offset", kSingles, "S..", Need::kOptional));
inline constexpr ParamSpec kAscendTwice = Value(kScalar, "sqrtMode", Kind::kBool, "scale twice");
inline constexpr ParamSpec kAscendRounding = {.name = "roundMode",
                                              .id = kMode,
                                              .kind = Kind::kText,
                                              .null_code = ACLNN_ERR_PARAM_INVALID,
                                              .note = "round (half to even), ceil, floor or trunc"};
inline constexpr ParamSpec kAscendType = Value(kDType, "dstType", Kind::kInt32, "y.dtype");
inline constexpr ParamSpec kAscendY = ConstHandle(Noted(
    Out(kOut, "y", kQuants, "Y.."), "x's shape; INT32 packs eight INT4 of the last dimension"));
inline constexpr ParamSpec kAscendQuant[] = {
    kAscendX, kAscendScale, kAscendOffset, kAscendTwice, kAscendRounding, kAscendType, kAscendY};
inline constexpr ParamSpec kAscendQuantV3[] = {
    kAscendX,
    kAscendScale,
    kAscendOffset,
    kAscendTwice,
    kAscendRounding,
    kAscendType,
    Value(kDim, "axis", Kind::kInt32,
          "one of the last two dimensions, counts from the end if negative"),
    kAscendY};
inline constexpr ParamSpec kFillTensor[] = {
    Filled(InOut(kSelf, "selfRef", kEvery)),
    Noted(In(kOther, "value", kEvery, "| V"), "one element")};

// clang-format off
inline constexpr OpSpec kPartOperators[] = {
    Row(kNames<"InplaceFillTensor">, kFillTensor, PrepareFillTensor, "aclnn_fill_tensor.h",
        "selfRef = value, as another type", "ops-math: conversion/fill/docs/aclnnInplaceFillTensor.md"),
    Row(kNames<"Quantize">, kQuantize, PrepareQuantize, "aclnn_quantize.h",
        "out = x / scales + zeroPoints, rounded to nearest even and held within its type", "ops-nn: quant/quantize/docs/aclnnQuantize.md"),
    Row(kNames<"AscendQuant">, kAscendQuant, PrepareAscendQuant, "aclnn_ascend_quant.h",
        "y = round(x * scale + offset), held within y's type", "ops-nn: quant/ascend_quant_v2/docs/aclnnAscendQuant.md"),
    Row(kNames<"AscendQuantV3">, kAscendQuantV3, PrepareAscendQuant, "aclnn_ascend_quant_v3.h",
        "y = round(x * scale + offset), held within y's type", "ops-nn: quant/ascend_quant_v2/docs/aclnnAscendQuantV3.md"),
    Row(kNames<"FakeQuantPerTensorAffineCachemask">, kFakeQuant, PrepareFakeQuant, "aclnn_fake_quant_per_tensor_affine_cachemask.h",
        "q = round(self / scale) + zeroPoint, mask = quantMin <= q <= quantMax, out = (q held there - zeroPoint) scale", "ops-nn: quant/fake_quant_affine_cachemask/docs/aclnnFakeQuantPerTensorAffineCachemask.md"),
    Row(kNames<"FakeQuantPerChannelAffineCachemask">, kFakeQuantChannels, PrepareFakeQuantChannels, "aclnn_fake_quant_per_channel_affine_cachemask.h",
        "the same with a scale and a zeroPoint for each index along axis", "ops-nn: quant/fake_quant_affine_cachemask/docs/aclnnFakeQuantPerChannelAffineCachemask.md"),
    Row(kNames<"Glu">, kGlu, PrepareGlu, "aclnn_glu.h",
        "out = a / (1 + e^-b), a and b being the halves of self along dim", "ops-nn: activation/glu/docs/aclnnGlu.md"),
    Row(kNames<"GluBackward">, kGluBackward, PrepareGluBackward, "aclnn_glu_backward.h",
        "out = gradOut s and gradOut s (1 - s) a, s = 1 / (1 + e^-b), a and b being the halves of self along dim", "ops-nn: activation/glu_grad/docs/aclnnGluBackward.md"),
    Row(kNames<"SwiGluGrad">, kSwiGluGrad, PrepareSwiGluGrad, "aclnn_swi_glu_grad.h",
        "out = yGrad b (s + s (1 - s) a) and yGrad s a, s = 1 / (1 + e^-a), a and b being the halves of x along dim", "ops-nn: activation/swi_glu_grad/docs/aclnnSwiGluGrad.md"),
    Row(kNames<"Scale">, kScaleAlong, PrepareScale, "aclnn_scale.h",
        "y = x scale + bias, scale and bias repeated along all dimensions of x but those from axis on", "ops-math: math/scale/docs/aclnnScale.md"),
    Row(kNames<"GeluMul">, kGeluMul, PrepareGeluMul, "aclnn_gelu_mul.h",
        "out = gelu(a) b, of the halves a and b of input along the last dimension", "ops-nn: activation/gelu_mul/docs/aclnnGeluMul.md"),
    Row(kNames<"FatreluMul">, kFatreluMul, PrepareFatreluMul, "aclnn_fatrelu_mul.h",
        "out = (a > threshold ? a : 0) b, of the halves a and b of input along the last dimension", "ops-nn: activation/fatrelu_mul/docs/aclnnFatreluMul.md"),
    Row(kNames<"PrecisionCompare">, kPrecisionCompare, PreparePrecisionCompare, "aclnn_precision_compare.h",
        "out = 0 if all elements of golden and realdata are equal, else 503", "ops-math: math/precision_compare/docs/aclnnPrecisionCompare.md"),
    Row(kNames<"Modulate">, kModulate, PrepareModulate, "aclnn_modulate.h",
        "out = self (1 + scaleOptional) + shiftOptional, alike for all rows of a batch", "ops-nn: vfusion/modulate/docs/aclnnModulate.md"),
    Row(kNames<"ModulateBackward">, kModulateBackward, PrepareModulateBackward, "aclnn_modulate_backward.h",
        "grad_input = grad_output scale, grad_scale and grad_shift = the sums of grad_output input and of grad_output over L", "ops-nn: vfusion/modulate_grad/docs/aclnnModulateBackward.md"),
    Row(kNames<"ThnnFusedLstmCell">, kLstmCell, PrepareLstmCell, "aclnn_thnn_fused_lstm_cell.h",
        "storageOut = i, f, g, o, sigmoids (of g tanh) of the sum of gates and biases; cyOut = f cx + i g, hyOut = o tanh(cyOut)", "ops-nn: rnn/thnn_fused_lstm_cell/docs/aclnnThnnFusedLstmCell.md"),
    Row(kNames<"ThnnFusedLstmCellBackward">, kLstmCellBackward, PrepareLstmCellBackward, "aclnn_thnn_fused_lstm_cell_backward.h",
        "c = gradHy o (1 - tanh(cy)^2) + gradC; gradCxOut = c f; gradGatesOut = c g i (1 - i), c cx f (1 - f), c i (1 - g^2), gradHy tanh(cy) o (1 - o); gradBiasOut = their sums over B", "ops-nn: rnn/thnn_fused_lstm_cell_grad/docs/aclnnThnnFusedLstmCellBackward.md"),
    Row(kNames<"ClippedSwiglu">, kClippedSwiglu, PrepareClippedSwiglu, "aclnn_clipped_swiglu.h",
        "out = a sigmoid(alpha a) (b + bias), of the parts of x along dim a = min(x_a, limit) and b = min(max(x_b, -limit), limit)", "ops-nn: activation/clipped_swiglu/docs/aclnnClippedSwiglu.md"),
    {.op = kNames<"ClippedSwigluGrad">,
     .params = kClippedSwigluGrad,
     .prepare = PrepareClippedSwigluGrad,
     .header = "aclnn_clipped_swiglu_grad.h",
     .summary = "of the parts of gradXOut along dim one is gradY (b + bias) s (1 + alpha a (1 - s)) where x_a <= limit, the other gradY a s where -limit <= x_b <= limit, else 0: s = sigmoid(alpha a), a = min(x_a, limit), b = min(max(x_b, -limit), limit)",
     .document = "ops-nn: activation/clipped_swiglu_grad/docs/aclnnClippedSwigluGrad.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    Row(kNames<"GeGlu">, kGeGluFirst, PrepareGeGlu, "aclnn_geglu.h",
        "outGelu = gelu(b), out = a outGelu, a and b being the halves of self along dim", "ops-nn: activation/ge_glu_v2/docs/aclnnGeGlu.md"),
    Row(kNames<"GeGluBackward">, kGeGluFirstBackward, PrepareGeGluBackward, "aclnn_geglu_backward.h",
        "gradInput = gradOutput gelu and gradOutput a gelu'(b), a and b being the halves of self along dim", "ops-nn: activation/ge_glu_grad_v2/docs/aclnnGeGluBackward.md"),
    Row(kNames<"GeGluV3">, kGeGlu, PrepareGeGlu, "aclnn_geglu.h",
        "outGelu = gelu(a), out = outGelu b, a being the activated half of self along dim and b the other", "ops-nn: activation/ge_glu_v2/docs/aclnnGeGluV3.md"),
    Row(kNames<"GeGluV3Backward">, kGeGluBackward, PrepareGeGluBackward, "aclnn_geglu_backward.h",
        "of the halves a and b of gradInput, a the activated one: a = gradOutput b gelu'(a), b = gradOutput gelu", "ops-nn: activation/ge_glu_grad_v2/docs/aclnnGeGluV3Backward.md"),
    Row(kNames<"RotaryPositionEmbedding">, kRotary, PrepareRotary, "aclnn_rotary_position_embedding.h",
        "(a, b) -> (a cos - b sin, b cos + a sin) for the pairs (a, b) of each row of x", "ops-transformer: posembedding/rotary_position_embedding/docs/aclnnRotaryPositionEmbedding.md"),
    {.op = kNames<"RotaryPositionEmbeddingV2">,
     .params = kRotaryV2,
     .prepare = PrepareRotaryV2,
     .header = "aclnn_rotary_position_embedding_v2.h",
     .summary = "(a, b) -> (a cos - b sin, b cos + a sin) for the pairs (a, b) of each row of x, or what a matrix makes of the row in their place",
     .document = "ops-transformer: posembedding/rotary_position_embedding/docs/aclnnRotaryPositionEmbeddingV2.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    Row(kNames<"RotaryPositionEmbeddingGrad">, kRotaryGrad, PrepareRotaryGrad, "aclnn_rotary_position_embedding_grad.h",
        "dxOut = (a cos + b sin, b cos - a sin) for the pairs (a, b) of dy, each with its own angle's; dcosOut and dsinOut are the sums of dy by x and by x's pairs (-b, a)", "ops-transformer: posembedding/rotary_position_embedding_grad/docs/aclnnRotaryPositionEmbeddingGrad.md"),
    Row(kNames<"ApplyRotaryPosEmb">, kRotaryApply, RotaryApply<false>, "aclnn_apply_rotary_pos_emb.h",
        "queryRef and keyRef: (a, b) -> (a cos - b sin, b cos + a sin) for the pairs (a, b) of each row", "ops-transformer: posembedding/apply_rotary_pos_emb/docs/aclnnApplyRotaryPosEmb.md"),
    Row(kNames<"ApplyRotaryPosEmbV2">, kRotaryApplyV2, RotaryApply<true>, "aclnn_apply_rotary_pos_emb_v2.h",
        "queryRef and keyRef: (a, b) -> (a cos - b sin, b cos + a sin) for the pairs (a, b) of each row", "ops-transformer: posembedding/apply_rotary_pos_emb/docs/aclnnApplyRotaryPosEmbV2.md"),
    {.op = kNames<"InterleaveRope">,
     .params = kRotaryInterleave,
     .prepare = PrepareRotaryInterleave,
     .header = "aclnn_interleave_rope.h",
     .summary = "(a, b) -> (a cos - b sin, b cos + a sin) for neighbours (a, b) of each row, which go to the halves of out's row",
     .document = "ops-transformer: posembedding/interleave_rope/docs/aclnnInterleaveRope.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    Row(kNames<"TransformBiasRescaleQkv">, kProjection, PrepareTransformBiasRescaleQkv, "aclnn_transform_bias_rescale_qkv.h",
        "qOut = (q + qBias) / sqrt(D), kOut = k + kBias, vOut = v + vBias, the thirds of qkv's columns, head by head", "ops-math: math/transform_bias_rescale_qkv/docs/aclnnTransformBiasRescaleQkv.md"),
    Row(kNames<"InplaceFillDiagonal">, kFillDiagonal, PrepareFillDiagonal, "aclnn_fill_diagonal.h",
        "selfRef[i, i, ..] = fillValue", "ops-math: conversion/fill_diagonal_v2/docs/aclnnInplaceFillDiagonal.md"),
};
// clang-format on

inline constexpr ParamSpec kShift[] = {In(kSelf, "x", kShifted),
                                       Like(kSelf, In(kOther, "y", kShifted)),
                                       Like(kSelf, Out(kOut, "z", kShifted))};
inline constexpr DTypeSet kSingle = {ACL_FLOAT};
inline constexpr ParamSpec kLpNormUpdate[] = {
    In(kSelf, "x", kSingle, "X*"), Out(kOut, "y", kSingle, "X*"),
    Value(kP, "p", Kind::kDouble, "2147483648 and above, or -2147483648, are infinite"),
    Value(kQ, "epsilon", Kind::kDouble, "0")};
inline constexpr OpSpec kNodes[] = {
    {.op = {"LeftShift", "LeftShift"},
     .params = kShift,
     .prepare = Shift<ShiftKind::kLeft>,
     .codes = kNodeCodes},
    {.op = {"RightShift", "RightShift"},
     .params = kShift,
     .prepare = Shift<ShiftKind::kRight>,
     .codes = kNodeCodes},
    {.op = {"LpNormUpdateV2", "LpNormUpdateV2"},
     .params = kLpNormUpdate,
     .prepare = PrepareLpNormUpdate,
     .codes = kNodeCodes},
    {.op = {"Quantize", "Quantize"},
     .params = kQuantizeNode,
     .prepare = PrepareQuantize,
     .codes = kNodeCodes},
};

}  // namespace anyacl::elementwise
