// SPDX-License-Identifier: Apache-2.0
// The declarations of what detectors of objects compute: overlaps of boxes, regions of images,
// attention and convolution at positions that data gives (README.md).
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::detection {

enum : int {
  kBoxes,
  kTruth,
  kMode,
  kEps,
  kAligned,
  kSelf,
  kImages,
  kInputShape,
  kPooledHeight,
  kPooledWidth,
  kSpatialScale,
  kSamplingRatio,
  kValue,
  kSpatialShape,
  kLevelStart,
  kLocation,
  kWeight,
  kGradOutput,
  kOut,
  kGradValue,
  kGradLocation,
  kGradWeight,
  kOffset,
  kBias,
  kKernelSize,
  kStride,
  kPadding,
  kDilation,
  kGroups,
  kDeformableGroups,
  kModulated,
  kSampled,
};

Status PrepareIou(Operands& operands, PreparedCall* call);
Status PrepareRoiAlign(Operands& operands, PreparedCall* call);
Status PrepareRoiAlignV2(Operands& operands, PreparedCall* call);
Status PrepareRoiAlignV2Backward(Operands& operands, PreparedCall* call);
Status PrepareAttention(Operands& operands, PreparedCall* call);
Status PrepareAttentionGrad(Operands& operands, PreparedCall* call);
Status PrepareConvolution(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kTwoFloats = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr DTypeSet kFloat = {ACL_FLOAT};
inline constexpr DTypeSet kIndices = {ACL_INT32, ACL_INT64};

// A text whose absence is no missing tensor.
constexpr ParamSpec Text(const char* note) {
  return {.name = "mode",
          .id = kMode,
          .kind = Kind::kText,
          .null_code = ACLNN_ERR_PARAM_INVALID,
          .note = note};
}
constexpr ParamSpec Pooled(int id, const char* name, Kind kind) {
  return {.name = name, .id = id, .kind = kind, .min = 0, .names_size = true};
}
constexpr ParamSpec SamplingRatio(Kind kind) {
  return {.name = "samplingRatio",
          .id = kSamplingRatio,
          .kind = kind,
          .min = 0,
          .max = INT32_MAX,
          .note = "samples of a bin along each axis; 0: as many as it has elements"};
}
inline constexpr ParamSpec kScaleRow =
    Value(kSpatialScale, "spatialScale", Kind::kFloat,
          "elements of the image for each unit of the coordinates, above 0");
inline constexpr ParamSpec kAlignedRow =
    Value(kAligned, "aligned", Kind::kBool, "coordinates are of edges, half an element before");

inline constexpr ParamSpec kIouParams[] = {
    Noted(In(kBoxes, "bBoxes", kFloats, "M 4"), "x0, y0, x1, y1"),
    Like(kBoxes, In(kTruth, "gtBoxes", kFloats, "N 4")),
    Text("\"iou\" or \"iof\""),
    Value(kEps, "eps", Kind::kFloat, "added to all widths and heights, 0 or more"),
    Value(kAligned, "aligned", Kind::kBool, "box i with box i alone: overlap is [M, 1]"),
    Like(kBoxes, Out(kOut, "overlap", kFloats, "M P"))};
inline constexpr ParamSpec kRoiAlignParams[] = {
    In(kSelf, "self", kTwoFloats, "N C H W"),
    Noted(Like(kSelf, In(kBoxes, "rois", kTwoFloats, "R 4")), "x1, y1, x2, y2"),
    In(kImages, "batchIndices", {ACL_INT32}, "R"),
    Text("\"avg\" or \"max\" of the samples of a bin"),
    Pooled(kPooledHeight, "outputHeight", Kind::kInt32),
    Pooled(kPooledWidth, "outputWidth", Kind::kInt32),
    SamplingRatio(Kind::kInt32),
    kScaleRow,
    Like(kSelf, Out(kOut, "out", kTwoFloats, "R C outputHeight outputWidth"))};
inline constexpr ParamSpec kRoiAlignV2Params[] = {
    In(kSelf, "self", kTwoFloats, "B C H W"),
    Noted(Like(kSelf, In(kBoxes, "boxes", kTwoFloats, "K 5")),
          "the image, rounded down, and x1, y1, x2, y2"),
    Pooled(kPooledHeight, "pooledHeight", Kind::kInt64),
    Pooled(kPooledWidth, "pooledWidth", Kind::kInt64),
    kScaleRow,
    SamplingRatio(Kind::kInt64),
    kAlignedRow,
    Like(kSelf, Out(kOut, "out", kTwoFloats, "K C pooledHeight pooledWidth"))};
inline constexpr ParamSpec kRoiAlignV2BackwardParams[] = {
    In(kGradOutput, "gradOutput", kFloat, "K C pooledHeight pooledWidth"),
    Noted(In(kBoxes, "boxes", kFloat, "K 5"), "the image, rounded down, and x1, y1, x2, y2"),
    Value(kInputShape, "inputShape", Kind::kIntArray, "the shape of gradInput"),
    Pooled(kPooledHeight, "pooledHeight", Kind::kInt64),
    Pooled(kPooledWidth, "pooledWidth", Kind::kInt64),
    kScaleRow,
    SamplingRatio(Kind::kInt64),
    kAlignedRow,
    Out(kOut, "gradInput", kFloat, "B C H W")};

// L levels of a pyramid of images, whose elements are S keys; P points of each for Q queries and M
// heads of D channels.
inline constexpr ParamSpec kSpatialShapeRow =
    Noted(In(kSpatialShape, "spatialShape", kIndices, "L 2"), "height and width of each level");
inline constexpr ParamSpec kLevelStartRow =
    Noted(In(kLevelStart, "levelStartIndex", kIndices, "L"), "the first key of each level");
inline constexpr const char* kLocationNote = "x and y as parts of width and height";
inline constexpr ParamSpec kAttentionParams[] = {
    In(kValue, "value", kFloats, "B S M D"),
    kSpatialShapeRow,
    Noted(In(kLevelStart, "levelStartIndex", kIndices, "L+"),
          "the first key of each level; what follows is not looked at"),
    Noted(Like(kValue, In(kLocation, "location", kFloats, "B Q M L P 2")), kLocationNote),
    Like(kValue, In(kWeight, "attnWeight", kFloats, "B Q M L P")),
    Noted(Like(kValue, Out(kOut, "output", kFloats, "B Q E")), "E = M * D")};
inline constexpr ParamSpec kAttentionGradParams[] = {
    In(kValue, "value", kFloats, "B S M D"),
    kSpatialShapeRow,
    kLevelStartRow,
    Noted(In(kLocation, "location", kFloats, "B Q M L P 2"), kLocationNote),
    In(kWeight, "attnWeight", kFloats, "B Q M L P"),
    Noted(In(kGradOutput, "gradOutput", kFloats, "B Q E"), "E = M * D"),
    Out(kGradValue, "gradValue", kFloats, "B S M D"),
    Out(kGradLocation, "gradLocation", kFloats, "B Q M L P 2"),
    Out(kGradWeight, "gradAttnWeight", kFloats, "B Q M L P")};

constexpr ParamSpec Counted(int id, const char* name) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = 1, .max = 65535};
}
inline constexpr ParamSpec kConvolutionParams[] = {
    In(kSelf, "x", kFloats, "N C H W"),
    Like(kSelf, In(kWeight, "weight", kFloats, "O I K L")),
    Noted(Like(kSelf, In(kOffset, "offset", kFloats, "N T Y X")),
          "x, then y, then factors, of each deformable group and tap"),
    Like(kSelf, In(kBias, "biasOptional", kFloats, "O", Need::kOptional)),
    Value(kKernelSize, "kernelSize", Kind::kIntArray, "[K, L]"),
    Value(kStride, "stride", Kind::kIntArray, "1, 1, and of rows and columns"),
    Value(kPadding, "padding", Kind::kIntArray, "above, below, left, right"),
    Value(kDilation, "dilation", Kind::kIntArray, "1, 1, and of rows and columns"),
    Counted(kGroups, "groups"),
    Counted(kDeformableGroups, "deformableGroups"),
    Value(kModulated, "modulated", Kind::kBool, "true"),
    Like(kSelf, Out(kOut, "out", kFloats, "N O Y X")),
    Noted(Like(kSelf, Out(kSampled, "deformOutOptional", kFloats, "N C V U", Need::kOptional)),
          "the samples; V = Y * K, U = X * L")};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Iou">,
     .params = kIouParams,
     .prepare = PrepareIou,
     .header = "aclnn_iou.h",
     .summary =
         "overlap[i, j] = what boxes i and j share, as a part of their union (iou) or of box "
         "j (iof)",
     .document = "ops-cv: objdetect/iou_v2/docs/aclnnIou.md"},
    {.op = kNames<"RoiAlign">,
     .params = kRoiAlignParams,
     .prepare = PrepareRoiAlign,
     .header = "aclnn_roi_align.h",
     .summary =
         "out[r, c, i, j] = the mean or the largest of the samples in bin (i, j) of region r "
         "in image batchIndices[r]",
     .document = "ops-cv: objdetect/roi_align/docs/aclnnRoiAlign.md"},
    {.op = kNames<"RoiAlignV2">,
     .params = kRoiAlignV2Params,
     .prepare = PrepareRoiAlignV2,
     .header = "aclnn_roi_align_v2.h",
     .summary = "out[k, c, i, j] = the mean of the samples in bin (i, j) of region k in its image",
     .document = "ops-cv: objdetect/roi_align/docs/aclnnRoiAlignV2.md"},
    {.op = kNames<"RoiAlignV2Backward">,
     .params = kRoiAlignV2BackwardParams,
     .prepare = PrepareRoiAlignV2Backward,
     .header = "aclnn_roi_align_v2_backward.h",
     .summary = "the gradient of aclnnRoiAlignV2 by self",
     .document = "ops-cv: objdetect/roi_align_grad/docs/aclnnRoiAlignV2Backward.md"},
    {.op = kNames<"MultiScaleDeformableAttnFunction">,
     .params = kAttentionParams,
     .prepare = PrepareAttention,
     .header = "aclnn_multi_scale_deformable_attn_function.h",
     .summary = "output[b, q, m] = sum over levels l and points p of attnWeight[b, q, m, l, p] * "
                "value of head m at location[b, q, m, l, p] of level l",
     .document = "ops-nn: vfusion/multi_scale_deformable_attn_function/docs/"
                 "aclnnMultiScaleDeformableAttnFunction.md"},
    {.op = kNames<"MultiScaleDeformableAttentionGrad">,
     .params = kAttentionGradParams,
     .prepare = PrepareAttentionGrad,
     .header = "aclnn_multi_scale_deformable_attention_grad.h",
     .summary = "the gradients of aclnnMultiScaleDeformableAttnFunction by value, location and "
                "attnWeight",
     .document = "ops-nn: vfusion/multi_scale_deformable_attention_grad/docs/"
                 "aclnnMultiScaleDeformableAttentionGrad.md"},
    {.op = kNames<"DeformableConv2d">,
     .params = kConvolutionParams,
     .prepare = PrepareConvolution,
     .header = "aclnn_deformable_conv2d.h",
     .summary = "aclnnConvolution of samples of x: each tap of each position is moved by (x, y) of "
                "offset and multiplied by a factor",
     .document = "ops-nn: conv/deformable_conv2d/docs/aclnnDeformableConv2d.md"},
};

// All these tensors that are given have this format.
Status CheckFormatIs(const Operands& operands, std::initializer_list<int> ids, aclFormat format);

}  // namespace anyacl::detection
