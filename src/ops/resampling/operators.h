// SPDX-License-Identifier: Apache-2.0
// The declarations of interpolation and average pooling, and of their gradients (README.md).
#pragma once

#include <array>

#include "nnop/dtype_sets.h"

namespace anyacl::resampling {

enum : int {
  kSelf,  // or gradOutput
  kOut,
  kOutputSize,
  kInputSize,
  kAlignCorners,
  kScaleD,
  kScaleH,
  kScaleW,
  kForward,  // a gradient's forward input: its shape alone counts
  kKernelSize,
  kStride,
  kPadding,
  kCeilMode,
  kCountIncludePad,
  kDivisorOverride,
  kCubeMathType,
  kScales,
  kInterpolation,
};

enum class Mode { kNearest, kNearestExact, kLinear, kCubic, kLinearAntialias, kCubicAntialias };

template <Mode kMode, int kDims>
Status PrepareUpsample(Operands& operands, PreparedCall* call);
template <Mode kMode, int kDims>
Status PrepareUpsampleBackward(Operands& operands, PreparedCall* call);
Status PrepareResize(Operands& operands, PreparedCall* call);
template <int kDims>
Status PrepareAveragePool(Operands& operands, PreparedCall* call);
template <int kDims>
Status PrepareAdaptivePool(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kWithDouble = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
inline constexpr DTypeSet kWithByte = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_UINT8};

inline constexpr const char* kImages[] = {"", "N C L", "N C H W", "N C D H W"};
inline constexpr const char* kOutImages[] = {"", "N C OL", "N C OH OW", "N C OD OH OW"};

constexpr ParamSpec Image(const char* name, DTypeSet dtypes, int dims) {
  return In(kSelf, name, dtypes, kImages[dims]);
}
constexpr ParamSpec Result(const char* name, DTypeSet dtypes, const char* dims) {
  return Like(kSelf, Out(kOut, name, dtypes, dims));
}
constexpr ParamSpec Sizes(int id, const char* name, const char* note) {
  return Value(id, name, Kind::kIntArray, note);
}
constexpr ParamSpec Scale(int id, const char* name, Kind kind = Kind::kDouble) {
  return Value(id, name, kind, "of the output to the input; 0 or less: as the sizes are");
}
inline constexpr ParamSpec kAlignRow =
    Value(kAlignCorners, "alignCorners", Kind::kBool, "corner elements meet, not their edges");

inline constexpr ParamSpec kScaleDRow = Scale(kScaleD, "scalesD");
inline constexpr ParamSpec kScaleHRow = Scale(kScaleH, "scalesH");
inline constexpr ParamSpec kScaleWRow = Scale(kScaleW, "scalesW");
inline constexpr ParamSpec kScaleRow = Scale(kScaleW, "scales");

// What the operators differ in stands between the sizes and the result.
constexpr auto Upsampling(const char* name, DTypeSet dtypes, int dims, auto... between) {
  return std::array{Image(name, dtypes, dims),
                    Sizes(kOutputSize, "outputSize", "spatial sizes of out"), between...,
                    Result("out", dtypes, kOutImages[dims])};
}
constexpr auto UpsamplingBack(const char* name, const char* result, DTypeSet dtypes, int dims,
                              auto... between) {
  return std::array{Image(name, dtypes, dims),
                    Sizes(kOutputSize, "outputSize", "spatial sizes of the gradient"),
                    Sizes(kInputSize, "inputSize", "the shape of the result"), between...,
                    Result(result, dtypes, kOutImages[dims])};
}

inline constexpr auto kUpsampleNearest1dParams = Upsampling("self", kWithByte, 1);
inline constexpr auto kUpsampleNearest1dV2Params =
    Upsampling("self", kWithByte, 1, Scale(kScaleW, "scaleL", Kind::kFloat));
inline constexpr auto kUpsampleNearest1dBackwardParams =
    UpsamplingBack("gradOut", "out", kWithDouble, 1, kScaleRow);
inline constexpr auto kUpsampleNearest2dParams = Upsampling("self", kWithByte, 2);
inline constexpr auto kUpsampleNearest2dV2Params =
    Upsampling("self", kWithByte, 2, Scale(kScaleH, "scalesH", Kind::kFloat),
               Scale(kScaleW, "scalesW", Kind::kFloat));
inline constexpr auto kUpsampleNearest2dBackwardParams =
    UpsamplingBack("gradOut", "gradInput", kWithDouble, 2, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleNearest3dParams =
    Upsampling("self", kWithDouble, 3, kScaleDRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleNearest3dBackwardParams =
    UpsamplingBack("gradOut", "gradInput", kWithDouble, 3, kScaleDRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleNearestExact1dParams = Upsampling("self", kWithByte, 1, kScaleRow);
inline constexpr auto kUpsampleNearestExact1dBackwardParams =
    UpsamplingBack("gradOutput", "out", kWithDouble, 1, kScaleRow);
inline constexpr auto kUpsampleNearestExact2dParams =
    Upsampling("self", kWithByte, 2, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleNearestExact2dBackwardParams =
    UpsamplingBack("gradOutput", "out", kWithDouble, 2, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleNearestExact3dParams =
    Upsampling("self", kFloats, 3, kScaleDRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleNearestExact3dBackwardParams =
    UpsamplingBack("gradOut", "gradInput", kFloats, 3, kScaleDRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleLinear1dParams =
    Upsampling("self", kFloats, 1, kAlignRow, kScaleRow);
inline constexpr auto kUpsampleLinear1dBackwardParams =
    UpsamplingBack("gradOut", "out", kFloats, 1, kAlignRow, kScaleRow);
inline constexpr auto kUpsampleBilinear2dParams =
    Upsampling("self", kWithDouble, 2, kAlignRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleBilinear2dBackwardParams = UpsamplingBack(
    "gradOut", "out", {ACL_FLOAT, ACL_FLOAT16}, 2, kAlignRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleBilinear2dBackwardV2Params =
    UpsamplingBack("gradOut", "out", kFloats, 2, kAlignRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleTrilinear3dParams =
    Upsampling("self", kWithDouble, 3, kAlignRow, kScaleDRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleTrilinear3dBackwardParams = UpsamplingBack(
    "gradOut", "gradInput", kWithDouble, 3, kAlignRow, kScaleDRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleBicubic2dParams =
    Upsampling("self", kFloats, 2, kAlignRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleBicubic2dBackwardParams =
    UpsamplingBack("gradOut", "gradInput", kFloats, 2, kAlignRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleBilinear2dAAParams =
    Upsampling("input", kFloats, 2, kAlignRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleBilinear2dAABackwardParams =
    UpsamplingBack("gradOutput", "out", kFloats, 2, kAlignRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleBicubic2dAAParams =
    Upsampling("x", kFloats, 2, kAlignRow, kScaleHRow, kScaleWRow);
inline constexpr auto kUpsampleBicubic2dAAGradParams =
    UpsamplingBack("gradOutput", "out", kFloats, 2, kAlignRow, kScaleHRow, kScaleWRow);

inline constexpr DTypeSet kResized = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr ParamSpec kResizeParams[] = {
    Image("self", kResized, 2),
    Value(kScales, "scales", Kind::kFloatArray, "of each dimension; those of N and C count not"),
    Value(kInterpolation, "mode", Kind::kText, "nearest or bilinear"),
    Result("out", kResized, kOutImages[2])};

// Pooling: of the last two or three dimensions.
inline constexpr ParamSpec kKernelRow =
    Sizes(kKernelSize, "kernelSize", "of each spatial dimension, or one for all");
constexpr ParamSpec Stride(const char* name) {
  return Sizes(kStride, name, "as kernelSize, or empty: kernelSize");
}
constexpr ParamSpec Padding(const char* name) {
  return Sizes(kPadding, name, "as kernelSize; at most half of it");
}
inline constexpr ParamSpec kCeilRow =
    Value(kCeilMode, "ceilMode", Kind::kBool, "a last window may be cut off");
inline constexpr ParamSpec kIncludeRow =
    Value(kCountIncludePad, "countIncludePad", Kind::kBool, "padding counts as elements");
inline constexpr ParamSpec kDivisorRow =
    Value(kDivisorOverride, "divisorOverride", Kind::kInt64, "instead of the count, unless 0");
inline constexpr ParamSpec kCubeMathTypeRow = {
    .name = "cubeMathType",
    .id = kCubeMathType,
    .kind = Kind::kInt8,
    .min = 0,
    .max = 3,
    .note = "the precision that a device may give up; sums are fp32 here whatever it says"};
inline constexpr const char* kPlanes = "A* C H W";
inline constexpr const char* kOutPlanes = "A* C OH OW";
inline constexpr const char* kVolumes = "A* C D H W";
inline constexpr const char* kOutVolumes = "A* C OD OH OW";
constexpr ParamSpec Pooled(const char* name, const char* dims) {
  return In(kSelf, name, kFloats, dims);
}
constexpr ParamSpec Forward(const char* dims) {
  return Like(kSelf, In(kForward, "self", kFloats, dims));
}

inline constexpr ParamSpec kAvgPool2dParams[] = {Pooled("self", kPlanes),
                                                 kKernelRow,
                                                 Stride("strides"),
                                                 Padding("paddings"),
                                                 kCeilRow,
                                                 kIncludeRow,
                                                 kDivisorRow,
                                                 kCubeMathTypeRow,
                                                 Result("out", kFloats, kOutPlanes)};
inline constexpr ParamSpec kAvgPool2dBackwardParams[] = {Pooled("gradOutput", kOutPlanes),
                                                         Forward(kPlanes),
                                                         kKernelRow,
                                                         Stride("stride"),
                                                         Padding("padding"),
                                                         kCeilRow,
                                                         kIncludeRow,
                                                         kDivisorRow,
                                                         kCubeMathTypeRow,
                                                         Result("gradInput", kFloats, kPlanes)};
inline constexpr ParamSpec kAvgPool3dParams[] = {Pooled("self", kVolumes),
                                                 kKernelRow,
                                                 Stride("stride"),
                                                 Padding("padding"),
                                                 kCeilRow,
                                                 kIncludeRow,
                                                 kDivisorRow,
                                                 Result("out", kFloats, kOutVolumes)};
inline constexpr ParamSpec kAvgPool3dBackwardParams[] = {Pooled("gradOutput", kOutVolumes),
                                                         Forward(kVolumes),
                                                         kKernelRow,
                                                         Stride("stride"),
                                                         Padding("padding"),
                                                         kCeilRow,
                                                         kIncludeRow,
                                                         kDivisorRow,
                                                         Result("output", kFloats, kVolumes)};
inline constexpr ParamSpec kAdaptivePool2dParams[] = {
    Pooled("self", kPlanes), Sizes(kOutputSize, "outputSize", "spatial sizes of out"),
    Result("out", kFloats, kOutPlanes)};
inline constexpr ParamSpec kAdaptivePool2dBackwardParams[] = {
    Pooled("gradOutput", kOutPlanes), Forward(kPlanes), Result("out", kFloats, kPlanes)};
inline constexpr ParamSpec kAdaptivePool3dParams[] = {
    Pooled("self", kVolumes), Sizes(kOutputSize, "outputSize", "spatial sizes of out"),
    Result("out", kFloats, kOutVolumes)};
inline constexpr ParamSpec kAdaptivePool3dBackwardParams[] = {
    Pooled("gradOutput", kOutVolumes), Forward(kVolumes), Result("out", kFloats, kVolumes)};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"UpsampleNearest1d">,
     .params = kUpsampleNearest1dParams,
     .prepare = PrepareUpsample<Mode::kNearest, 1>,
     .header = "aclnn_upsample_nearest_1d.h",
     .summary = "each element is the nearest one of self",
     .document = "ops-cv: image/resize_nearest_neighbor_v2/docs/aclnnUpsampleNearest1d.md"},
    {.op = kNames<"UpsampleNearest1dV2">,
     .params = kUpsampleNearest1dV2Params,
     .prepare = PrepareUpsample<Mode::kNearest, 1>,
     .header = "aclnn_upsample_nearest_1d_v2.h",
     .summary = "each element is the nearest one of self",
     .document = "ops-cv: image/upsample_nearest3d/docs/aclnnUpsampleNearest1dV2.md"},
    {.op = kNames<"UpsampleNearest1dBackward">,
     .params = kUpsampleNearest1dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kNearest, 1>,
     .header = "aclnn_upsample_nearest_1d_backward.h",
     .summary = "the gradient of aclnnUpsampleNearest1dV2",
     .document = "ops-cv: image/upsample_nearest2d_grad/docs/aclnnUpsampleNearest1dBackward.md"},
    {.op = kNames<"Resize">,
     .params = kResizeParams,
     .prepare = PrepareResize,
     .header = "aclnn_resize.h",
     .summary = "each element is the nearest one of self, or interpolated from four",
     .document = "ops-cv: image/resize_bilinear_v2/docs/aclnnResize.md"},
    {.op = kNames<"UpsampleNearest2d">,
     .params = kUpsampleNearest2dParams,
     .prepare = PrepareUpsample<Mode::kNearest, 2>,
     .header = "aclnn_upsample_nearest_2d.h",
     .summary = "each element is the nearest one of self",
     .document = "ops-cv: image/resize_nearest_neighbor_v2/docs/aclnnUpsampleNearest2d.md"},
    {.op = kNames<"UpsampleNearest2dV2">,
     .params = kUpsampleNearest2dV2Params,
     .prepare = PrepareUpsample<Mode::kNearest, 2>,
     .header = "aclnn_upsample_nearest_2d_v2.h",
     .summary = "each element is the nearest one of self",
     .document = "ops-cv: image/upsample_nearest3d/docs/aclnnUpsampleNearest2dV2.md"},
    {.op = kNames<"UpsampleNearest2dBackward">,
     .params = kUpsampleNearest2dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kNearest, 2>,
     .header = "aclnn_upsample_nearest_2d_backward.h",
     .summary = "the gradient of aclnnUpsampleNearest2dV2",
     .document = "ops-cv: image/upsample_nearest2d_grad/docs/aclnnUpsampleNearest2dBackward.md"},
    {.op = kNames<"UpsampleNearest3d">,
     .params = kUpsampleNearest3dParams,
     .prepare = PrepareUpsample<Mode::kNearest, 3>,
     .header = "aclnn_upsample_nearest_3d.h",
     .summary = "each element is the nearest one of self",
     .document = "ops-cv: image/upsample_nearest3d/docs/aclnnUpsampleNearest3d.md"},
    {.op = kNames<"UpsampleNearest3dBackward">,
     .params = kUpsampleNearest3dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kNearest, 3>,
     .header = "aclnn_upsample_nearest_3d_backward.h",
     .summary = "the gradient of aclnnUpsampleNearest3d",
     .document = "ops-cv: image/upsample_nearest3d_grad/docs/aclnnUpsampleNearest3dBackward.md"},
    {.op = kNames<"UpsampleNearestExact1d">,
     .params = kUpsampleNearestExact1dParams,
     .prepare = PrepareUpsample<Mode::kNearestExact, 1>,
     .header = "aclnn_upsample_nearest_exact1d.h",
     .summary = "each element is the one of self whose cell holds its centre",
     .document = "ops-cv: image/upsample_nearest/docs/aclnnUpsampleNearestExact1d.md"},
    {.op = kNames<"UpsampleNearestExact1dBackward">,
     .params = kUpsampleNearestExact1dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kNearestExact, 1>,
     .header = "aclnn_upsample_nearest_exact1d_backward.h",
     .summary = "the gradient of aclnnUpsampleNearestExact1d",
     .document =
         "ops-cv: image/upsample_nearest_exact2d_grad/docs/aclnnUpsampleNearestExact1dBackward.md"},
    {.op = kNames<"UpsampleNearestExact2d">,
     .params = kUpsampleNearestExact2dParams,
     .prepare = PrepareUpsample<Mode::kNearestExact, 2>,
     .header = "aclnn_upsample_nearest_exact2d.h",
     .summary = "each element is the one of self whose cell holds its centre",
     .document = "ops-cv: image/upsample_nearest/docs/aclnnUpsampleNearestExact2d.md"},
    {.op = kNames<"UpsampleNearestExact2dBackward">,
     .params = kUpsampleNearestExact2dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kNearestExact, 2>,
     .header = "aclnn_upsample_nearest_exact2d_backward.h",
     .summary = "the gradient of aclnnUpsampleNearestExact2d",
     .document =
         "ops-cv: image/upsample_nearest_exact2d_grad/docs/aclnnUpsampleNearestExact2dBackward.md"},
    {.op = kNames<"UpsampleNearestExact3d">,
     .params = kUpsampleNearestExact3dParams,
     .prepare = PrepareUpsample<Mode::kNearestExact, 3>,
     .header = "aclnn_upsample_nearest_exact3d.h",
     .summary = "each element is the one of self whose cell holds its centre",
     .document = "ops-cv: image/upsample_nearest_exact3d/docs/aclnnUpsampleNearestExact3d.md"},
    {.op = kNames<"UpsampleNearestExact3dBackward">,
     .params = kUpsampleNearestExact3dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kNearestExact, 3>,
     .header = "aclnn_upsample_nearest_exact3d_backward.h",
     .summary = "the gradient of aclnnUpsampleNearestExact3d",
     .document =
         "ops-cv: image/upsample_nearest_exact3d_grad/docs/aclnnUpsampleNearestExact3dBackward.md"},
    {.op = kNames<"UpsampleLinear1d">,
     .params = kUpsampleLinear1dParams,
     .prepare = PrepareUpsample<Mode::kLinear, 1>,
     .header = "aclnn_upsample_linear_1d.h",
     .summary = "linear interpolation",
     .document = "ops-cv: image/upsample_linear1d/docs/aclnnUpsampleLinear1d.md"},
    {.op = kNames<"UpsampleLinear1dBackward">,
     .params = kUpsampleLinear1dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kLinear, 1>,
     .header = "aclnn_upsample_linear_1d_backward.h",
     .summary = "the gradient of aclnnUpsampleLinear1d",
     .document = "ops-cv: image/upsample_bilinear2d_grad/docs/aclnnUpsampleLinear1dBackward.md"},
    {.op = kNames<"UpsampleBilinear2d">,
     .params = kUpsampleBilinear2dParams,
     .prepare = PrepareUpsample<Mode::kLinear, 2>,
     .header = "aclnn_upsample_bilinear_2d.h",
     .summary = "bilinear interpolation",
     .document = "ops-cv: image/upsample_bilinear2d/docs/aclnnUpsampleBilinear2d.md"},
    {.op = kNames<"UpsampleBilinear2dBackward">,
     .params = kUpsampleBilinear2dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kLinear, 2>,
     .header = "aclnn_upsample_bilinear_2d_backward.h",
     .summary = "the gradient of aclnnUpsampleBilinear2d",
     .document = "ops-cv: image/resize_bilinear_v2_grad/docs/aclnnUpsampleBilinear2dBackward.md"},
    {.op = kNames<"UpsampleBilinear2dBackwardV2">,
     .params = kUpsampleBilinear2dBackwardV2Params,
     .prepare = PrepareUpsampleBackward<Mode::kLinear, 2>,
     .header = "aclnn_upsample_bilinear_2d_backward_v2.h",
     .summary = "the gradient of aclnnUpsampleBilinear2d",
     .document =
         "ops-cv: image/upsample_bilinear2d_grad/docs/aclnnUpsampleBilinear2dBackwardV2.md"},
    {.op = kNames<"UpsampleTrilinear3d">,
     .params = kUpsampleTrilinear3dParams,
     .prepare = PrepareUpsample<Mode::kLinear, 3>,
     .header = "aclnn_upsample_trilinear_3d.h",
     .summary = "trilinear interpolation",
     .document = "ops-cv: image/resize_upsample_trilinear/docs/aclnnUpsampleTrilinear3d.md"},
    {.op = kNames<"UpsampleTrilinear3dBackward">,
     .params = kUpsampleTrilinear3dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kLinear, 3>,
     .header = "aclnn_upsample_trilinear_3d_backward.h",
     .summary = "the gradient of aclnnUpsampleTrilinear3d",
     .document =
         "ops-cv: image/upsample_trilinear3d_backward/docs/aclnnUpsampleTrilinear3dBackward.md"},
    {.op = kNames<"UpsampleBicubic2d">,
     .params = kUpsampleBicubic2dParams,
     .prepare = PrepareUpsample<Mode::kCubic, 2>,
     .header = "aclnn_upsample_bicubic_2d.h",
     .summary = "bicubic interpolation, A = -0.75",
     .document = "ops-cv: image/upsample_bicubic2d/docs/aclnnUpsampleBicubic2d.md"},
    {.op = kNames<"UpsampleBicubic2dBackward">,
     .params = kUpsampleBicubic2dBackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kCubic, 2>,
     .header = "aclnn_upsample_bicubic_2d_backward.h",
     .summary = "the gradient of aclnnUpsampleBicubic2d",
     .document = "ops-cv: image/upsample_bicubic2d_grad/docs/aclnnUpsampleBicubic2dBackward.md"},
    {.op = kNames<"UpsampleBilinear2dAA">,
     .params = kUpsampleBilinear2dAAParams,
     .prepare = PrepareUpsample<Mode::kLinearAntialias, 2>,
     .header = "aclnn_upsample_bilinear2d_aa.h",
     .summary = "bilinear interpolation with antialiasing",
     .document = "ops-cv: image/upsample_bilinear2d_aa/docs/aclnnUpsampleBilinear2dAA.md"},
    {.op = kNames<"UpsampleBilinear2dAABackward">,
     .params = kUpsampleBilinear2dAABackwardParams,
     .prepare = PrepareUpsampleBackward<Mode::kLinearAntialias, 2>,
     .header = "aclnn_upsample_bilinear2d_aa_backward.h",
     .summary = "the gradient of aclnnUpsampleBilinear2dAA",
     .document =
         "ops-cv: image/upsample_bilinear2d_aa_backward/docs/aclnnUpsampleBilinear2dAABackward.md"},
    {.op = kNames<"UpsampleBicubic2dAA">,
     .params = kUpsampleBicubic2dAAParams,
     .prepare = PrepareUpsample<Mode::kCubicAntialias, 2>,
     .header = "aclnn_upsample_bicubic2d_aa.h",
     .summary = "bicubic interpolation with antialiasing, A = -0.5",
     .document = "ops-cv: image/upsample_bicubic2d_aa/docs/aclnnUpsampleBicubic2dAA.md"},
    {.op = kNames<"UpsampleBicubic2dAAGrad">,
     .params = kUpsampleBicubic2dAAGradParams,
     .prepare = PrepareUpsampleBackward<Mode::kCubicAntialias, 2>,
     .header = "aclnn_upsample_bicubic2d_aa_grad.h",
     .summary = "the gradient of aclnnUpsampleBicubic2dAA",
     .document = "ops-cv: image/upsample_bicubic2d_aa_grad/docs/aclnnUpsampleBicubic2dAAGrad.md"},
    {.op = kNames<"AvgPool2d">,
     .params = kAvgPool2dParams,
     .prepare = PrepareAveragePool<2>,
     .header = "aclnn_avgpool2d.h",
     .summary = "the means of windows",
     .document = "ops-nn: pooling/avg_pool3_d/docs/aclnnAvgPool2d.md",
     .max_rank = 4},
    {.op = kNames<"AvgPool2dBackward">,
     .params = kAvgPool2dBackwardParams,
     .prepare = PrepareAveragePool<2>,
     .header = "aclnn_avgpool2d_backward.h",
     .summary = "the gradient of aclnnAvgPool2d",
     .document = "ops-nn: pooling/avg_pool3_d_grad/docs/aclnnAvgPool2dBackward.md",
     .max_rank = 4},
    {.op = kNames<"AvgPool3d">,
     .params = kAvgPool3dParams,
     .prepare = PrepareAveragePool<3>,
     .header = "aclnn_avgpool3d.h",
     .summary = "the means of windows",
     .document = "ops-nn: pooling/avg_pool3_d/docs/aclnnAvgPool3d.md",
     .max_rank = 5},
    {.op = kNames<"AvgPool3dBackward">,
     .params = kAvgPool3dBackwardParams,
     .prepare = PrepareAveragePool<3>,
     .header = "aclnn_avgpool3d_backward.h",
     .summary = "the gradient of aclnnAvgPool3d",
     .document = "ops-nn: pooling/avg_pool3_d_grad/docs/aclnnAvgPool3dBackward.md",
     .max_rank = 5},
    {.op = kNames<"AdaptiveAvgPool2d">,
     .params = kAdaptivePool2dParams,
     .prepare = PrepareAdaptivePool<2>,
     .header = "aclnn_adaptive_avg_pool2d.h",
     .summary = "the means of windows of nearly equal sizes",
     .document = "ops-nn: pooling/adaptive_avg_pool2d/docs/aclnnAdaptiveAvgPool2d.md",
     .max_rank = 4},
    {.op = kNames<"AdaptiveAvgPool2dBackward">,
     .params = kAdaptivePool2dBackwardParams,
     .prepare = PrepareAdaptivePool<2>,
     .header = "aclnn_adaptive_avg_pool2d_backward.h",
     .summary = "the gradient of aclnnAdaptiveAvgPool2d",
     .document = "ops-nn: pooling/adaptive_avg_pool2d_grad/docs/aclnnAdaptiveAvgPool2dBackward.md",
     .max_rank = 4},
    {.op = kNames<"AdaptiveAvgPool3d">,
     .params = kAdaptivePool3dParams,
     .prepare = PrepareAdaptivePool<3>,
     .header = "aclnn_adaptive_avg_pool3d.h",
     .summary = "the means of windows of nearly equal sizes",
     .document = "ops-nn: pooling/adaptive_avg_pool3d/docs/aclnnAdaptiveAvgPool3d.md",
     .max_rank = 5},
    {.op = kNames<"AdaptiveAvgPool3dBackward">,
     .params = kAdaptivePool3dBackwardParams,
     .prepare = PrepareAdaptivePool<3>,
     .header = "aclnn_adaptive_avg_pool3d_backward.h",
     .summary = "the gradient of aclnnAdaptiveAvgPool3d",
     .document = "ops-nn: pooling/adaptive_avg_pool3d_grad/docs/aclnnAdaptiveAvgPool3dBackward.md",
     .max_rank = 5},
};

}  // namespace anyacl::resampling
