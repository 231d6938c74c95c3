// SPDX-License-Identifier: Apache-2.0
// The declarations of what is called by the names of graphs' nodes alone: how much boxes overlap
// and its gradients, boxes as differences from others, which boxes are responsible, suppression,
// regions and samples of images.
#pragma once

#include <numbers>

#include "nnop/single_op.h"
#include "ops/detection/operators.h"

namespace anyacl::detection {

enum : int {
  kMeans = kSampled + 1,
  kDeviations,
  kMaxShape,
  kRatioClip,
  kCentred,
  kCrossed,
  kAngles,
  kGradTruth,
  kScores,
  kCount,
  kThreshold,
  kScoreThreshold,
  kMost,
  kMask,
  kRoiEnd,
  kNumber,
};

Status PrepareIouNode(Operands& operands, PreparedCall* call);
Status PrepareGeneralIou(Operands& operands, PreparedCall* call);
Status PrepareDistanceIou(Operands& operands, PreparedCall* call);
Status PrepareCompleteIou(Operands& operands, PreparedCall* call);
Status PrepareGeneralIouGrad(Operands& operands, PreparedCall* call);
Status PrepareDistanceIouGrad(Operands& operands, PreparedCall* call);
Status PrepareCompleteIouGrad(Operands& operands, PreparedCall* call);
Status PrepareBoxEncode(Operands& operands, PreparedCall* call);
Status PrepareBoxDecode(Operands& operands, PreparedCall* call);
Status PrepareYoloEncode(Operands& operands, PreparedCall* call);
Status PrepareResponsible(Operands& operands, PreparedCall* call);
Status PrepareGridAssign(Operands& operands, PreparedCall* call);
Status PrepareSuppression(Operands& operands, PreparedCall* call);
Status PrepareSuppressionMask(Operands& operands, PreparedCall* call);
Status PrepareClassSuppression(Operands& operands, PreparedCall* call);
Status PrepareRotatedOverlaps(Operands& operands, PreparedCall* call);
Status PrepareRotatedIou(Operands& operands, PreparedCall* call);
Status PrepareRotatedEncode(Operands& operands, PreparedCall* call);
Status PrepareRotatedDecode(Operands& operands, PreparedCall* call);
Status PrepareOffsets(Operands& operands, PreparedCall* call);
Status PrepareOffsetsGrad(Operands& operands, PreparedCall* call);

inline constexpr double kDegree = std::numbers::pi / 180;
inline constexpr DTypeSet kInt32 = {ACL_INT32};
inline constexpr DTypeSet kBytes = {ACL_UINT8};

// Overlaps. Columns are boxes.
inline constexpr ParamSpec kIouNodeParams[] = {
    Noted(In(kBoxes, "bboxes", kTwoFloats, "N 4"), "x0, y0, x1, y1"),
    Like(kBoxes, In(kTruth, "gtboxes", kTwoFloats, "M 4")),
    Like(kBoxes, Out(kOut, "overlap", kTwoFloats, "M N")), Text("\"iou\" or \"iof\""),
    Value(kEps, "eps", Kind::kDouble, "added to widths and heights of boxes, 0 or more")};
inline constexpr ParamSpec kCentredRow =
    Value(kCentred, "trans", Kind::kBool, "centre, width and height; else two corners");
inline constexpr ParamSpec kCrossedRow =
    Value(kCrossed, "is_cross", Kind::kBool, "all pairs: [M, N]; else box i with box i");
inline constexpr ParamSpec kPairParams[] = {In(kBoxes, "bboxes", kTwoFloats, "4 N"),
                                            Like(kBoxes, In(kTruth, "gtboxes", kTwoFloats, "4 M")),
                                            Like(kBoxes, Out(kOut, "overlap", kTwoFloats, "P N")),
                                            kCentredRow,
                                            kCrossedRow,
                                            Text("\"iou\"")};
inline constexpr ParamSpec kCompleteParams[] = {
    kPairParams[0], kPairParams[1],
    kPairParams[2], Like(kBoxes, Out(kAngles, "atan_sub", kTwoFloats, "P N")),
    kCentredRow,    kCrossedRow,
    kPairParams[5]};
inline constexpr ParamSpec kPairGradParams[] = {
    Noted(Like(kBoxes, In(kGradOutput, "dy", kTwoFloats)), "N numbers"),
    In(kBoxes, "bboxes", kTwoFloats, "4 N"),
    Like(kBoxes, In(kTruth, "gtboxes", kTwoFloats, "4 N")),
    Like(kBoxes, Out(kOut, "dbboxes", kTwoFloats, "4 N")),
    Like(kBoxes, Out(kGradTruth, "dgtboxes", kTwoFloats, "4 N")),
    kCentredRow,
    Text("\"iou\"")};
inline constexpr ParamSpec kCompleteGradParams[] = {
    kPairGradParams[0], kPairGradParams[1],
    kPairGradParams[2], Noted(In(kAngles, "atan_sub", kTwoFloats), "computed again"),
    kPairGradParams[3], kPairGradParams[4],
    kCentredRow,        kPairGradParams[6]};

// Boxes as differences from others.
inline constexpr ParamSpec kMeansRow = Value(kMeans, "means", Kind::kFloatArray, "4");
inline constexpr ParamSpec kDeviationsRow = Value(kDeviations, "stds", Kind::kFloatArray, "4");
inline constexpr ParamSpec kEncodeParams[] = {
    In(kBoxes, "anchor_box", kTwoFloats, "N 4"),
    Like(kBoxes, In(kTruth, "ground_truth_box", kTwoFloats, "N 4")),
    Like(kBoxes, Out(kOut, "delats", kTwoFloats, "N 4")), kMeansRow, kDeviationsRow};
inline constexpr ParamSpec kDecodeParams[] = {
    In(kBoxes, "rois", kTwoFloats, "N 4"),
    Like(kBoxes, In(kTruth, "deltas", kTwoFloats, "N 4")),
    Like(kBoxes, Out(kOut, "bboxes", kTwoFloats, "N 4")),
    kMeansRow,
    kDeviationsRow,
    Value(kMaxShape, "max_shape", Kind::kIntArray, "height and width, above the largest corners"),
    Value(kRatioClip, "wh_ratio_clip", Kind::kDouble, "above 0")};
inline constexpr ParamSpec kYoloParams[] = {
    In(kBoxes, "anchor_boxes", kTwoFloats, "N 4"),
    Like(kBoxes, In(kTruth, "gt_bboxes", kTwoFloats, "N 4")), In(kStride, "stride", kInt32, "N"),
    Like(kBoxes, Out(kOut, "encoded_bboxes", kTwoFloats, "N 4"))};
inline constexpr ParamSpec kRotatedCodeParams[] = {
    Noted(In(kBoxes, "anchor_box", kTwoFloats, "B 5 N"), "x0, y0, x1, y1, degrees"),
    Like(kBoxes, In(kTruth, "gt_box", kTwoFloats, "B 5 N")),
    Like(kBoxes, Out(kOut, "y", kTwoFloats, "B 5 N")),
    Value(kWeight, "weight", Kind::kFloatArray, "5 times 1")};

// Which boxes are responsible for objects.
inline constexpr ParamSpec kResponsibleParams[] = {
    In(kBoxes, "gt_bboxes", kTwoFloats, "N 4"),
    Noted(Out(kOut, "flags", kBytes, "F"), "F = height * width * num_base_anchors"),
    Value(kMaxShape, "featmap_size", Kind::kIntArray, "height and width"),
    Value(kStride, "strides", Kind::kIntArray, "of x and y, 1 or more"),
    Ranged(Value(kCount, "num_base_anchors", Kind::kInt64), 0, INT64_MAX)};
inline constexpr ParamSpec kGridAssignParams[] = {
    In(kSelf, "assigned_gt_inds", kTwoFloats, "N"),
    Like(kSelf, In(kBoxes, "overlaps", kTwoFloats, "K N")),
    In(kMask, "box_responsible_flags", kBytes, "N"),
    Like(kSelf, In(kScores, "max_overlaps", kTwoFloats, "N")),
    In(kImages, "argmax_overlaps", kInt32, "N"),
    Like(kSelf, In(kTruth, "gt_max_overlaps", kTwoFloats, "K")),
    In(kNumber, "gt_argmax_overlaps", kInt32, "K"),
    Noted(In(kCount, "num_gts", kInt32), "one number; K if it is more"),
    Like(kSelf, Out(kOut, "assigned_gt_inds_pos", kTwoFloats, "N")),
    Value(kThreshold, "pos_iou_thr", Kind::kDouble),
    Value(kScoreThreshold, "min_pos_iou", Kind::kDouble),
    Value(kMost, "gt_max_assign_all", Kind::kBool)};

// Suppression of boxes that overlap better ones.
inline constexpr ParamSpec kSuppressionParams[] = {
    Noted(In(kBoxes, "boxes", kTwoFloats, "N 4"), "two opposite corners"),
    Like(kBoxes, In(kScores, "scores", kTwoFloats, "N")),
    Noted(In(kMost, "max_output_size", kInt32), "one number"),
    Noted(In(kThreshold, "iou_threshold", kTwoFloats), "one number"),
    Noted(In(kScoreThreshold, "score_threshold", kTwoFloats), "one number"),
    Noted(Out(kOut, "selected_indices", kInt32, "M"), "0 behind the valid ones"),
    Noted(Out(kNumber, "valid_outputs", kInt32), "one number")};
inline constexpr ParamSpec kSuppressionMaskParams[] = {
    Noted(In(kBoxes, "box_scores", kFloats, "N 5"), "two corners and a score; the best ones first"),
    Like(kBoxes, Out(kOut, "selected_boxes", kFloats, "N 5")),
    Out(kNumber, "selected_idx", kInt32, "N"), Out(kMask, "selected_mask", kBytes, "N"),
    Value(kThreshold, "iou_threshold", Kind::kDouble)};
inline constexpr ParamSpec kClassSuppressionParams[] = {
    Noted(In(kBoxes, "boxes", kTwoFloats, "B P Q R"),
          "[B, N, Q, 4], or [B, Q, 4, N] if transpose_box; Q is 1 or C"),
    Like(kBoxes, In(kScores, "scores", kTwoFloats, "B N C")),
    Like(kBoxes, Out(kOut, "nmsed_boxes", kTwoFloats, "B M 4")),
    Like(kBoxes, Out(kSampled, "nmsed_scores", kTwoFloats, "B M")),
    Like(kBoxes, Out(kMask, "nmsed_classes", kTwoFloats, "B M")),
    Out(kNumber, "nmsed_num", kInt32, "B"),
    Value(kScoreThreshold, "score_threshold", Kind::kDouble),
    Value(kThreshold, "iou_threshold", Kind::kDouble, "0 to 1"),
    Value(kCount, "max_size_per_class", Kind::kInt64, "1 to 1000"),
    Value(kMost, "max_total_size", Kind::kInt64, "M, 1 to 1000"),
    Value(kCentred, "transpose_box", Kind::kBool)};

inline constexpr ParamSpec kRotatedParams[] = {
    Noted(In(kBoxes, "boxes", kFloat, "B 5 N"), "and degrees"),
    In(kTruth, "query_boxes", kFloat, "B 5 K"), Out(kOut, "overlaps", kFloat, "B N K"),
    Value(kCentred, "trans", Kind::kBool, "two corners; else centre, width and height")};
inline constexpr ParamSpec kRotatedIouParams[] = {kRotatedParams[0], kRotatedParams[1],
                                                  Out(kOut, "iou", kFloat, "B N K"),
                                                  kRotatedParams[3], Text("\"iou\"")};

// Regions of images.
inline constexpr ParamSpec kRoiEndRow = {
    .name = "roi_end_mode",
    .id = kRoiEnd,
    .kind = Kind::kInt64,
    .min = 0,
    .max = 3,
    .note =
        "0: as torchvision's, not aligned; 1: corners reach one element further; 2, 3: aligned"};
inline constexpr ParamSpec kSampleNumRow = {
    .name = "sample_num", .id = kSamplingRatio, .kind = Kind::kInt64, .min = 0, .max = INT32_MAX};
inline constexpr ParamSpec kNodeScaleRow = Value(kSpatialScale, "spatial_scale", Kind::kDouble);
inline constexpr ParamSpec kRoiNodeParams[] = {
    In(kSelf, "features", kTwoFloats, "B C H W"),
    Noted(In(kBoxes, "rois", kTwoFloats, "K 5"), "the image, and x1, y1, x2, y2"),
    Like(kSelf, Out(kOut, "y", kTwoFloats, "K C pooled_height pooled_width")),
    kNodeScaleRow,
    Pooled(kPooledHeight, "pooled_height", Kind::kInt64),
    Pooled(kPooledWidth, "pooled_width", Kind::kInt64),
    kSampleNumRow,
    kRoiEndRow};
inline constexpr ParamSpec kRoiGradNodeParams[] = {
    In(kGradOutput, "ydiff", kTwoFloats, "K C pooled_height pooled_width"),
    In(kBoxes, "rois", kTwoFloats, "K 5"),
    Out(kOut, "xdiff", kTwoFloats, "B C H W"),
    Value(kInputShape, "xdiff_shape", Kind::kIntArray),
    kNodeScaleRow,
    Pooled(kPooledHeight, "pooled_height", Kind::kInt64),
    Pooled(kPooledWidth, "pooled_width", Kind::kInt64),
    kSampleNumRow,
    kRoiEndRow};

// Samples for a convolution, channels last.
inline constexpr ParamSpec kChannelsLast = {.name = "data_format",
                                            .id = kMode,
                                            .kind = Kind::kText,
                                            .null_code = ACLNN_ERR_PARAM_INVALID,
                                            .note = "\"NHWC\""};
inline constexpr ParamSpec kOffsetsParams[] = {
    In(kSelf, "x", kFloats, "N H W C"),
    Noted(Like(kSelf, In(kOffset, "offsets", kFloats, "N Y X T")),
          "x, then y, then factors, of each deformable group and tap"),
    Like(kSelf, Out(kOut, "y", kFloats, "N V U C")),
    Value(kKernelSize, "ksize", Kind::kIntArray),
    Value(kStride, "strides", Kind::kIntArray, "1, of rows and columns, 1"),
    Value(kPadding, "pads", Kind::kIntArray, "above, below, left, right"),
    Value(kDilation, "dilations", Kind::kIntArray, "1, of rows and columns, 1"),
    Counted(kDeformableGroups, "deformable_groups"),
    kChannelsLast};
inline constexpr ParamSpec kOffsetsGradParams[] = {
    Like(kSelf, In(kGradOutput, "grad", kFloats, "N V U C")),
    In(kSelf, "x", kFloats, "N H W C"),
    Like(kSelf, In(kOffset, "offsets", kFloats, "N Y X T")),
    Like(kSelf, Out(kOut, "grad_x", kFloats, "N H W C")),
    Like(kSelf, Out(kSampled, "grad_offsets", kFloats, "N Y X T")),
    kOffsetsParams[3],
    kOffsetsParams[4],
    kOffsetsParams[5],
    kOffsetsParams[6],
    kOffsetsParams[7],
    kOffsetsParams[8]};

constexpr OpSpec Node(const char* name, std::span<const ParamSpec> params,
                      PrepareFunction prepare) {
  return {.op = {name, name}, .params = params, .prepare = prepare, .codes = kNodeCodes};
}
inline constexpr OpSpec kNodes[] = {
    Node("Iou", kIouNodeParams, PrepareIouNode),
    Node("GIoU", kPairParams, PrepareGeneralIou),
    Node("DIoU", kPairParams, PrepareDistanceIou),
    Node("CIoU", kCompleteParams, PrepareCompleteIou),
    Node("GIoUGrad", kPairGradParams, PrepareGeneralIouGrad),
    Node("DIoUGrad", kPairGradParams, PrepareDistanceIouGrad),
    Node("CIoUGrad", kCompleteGradParams, PrepareCompleteIouGrad),
    Node("BoundingBoxEncode", kEncodeParams, PrepareBoxEncode),
    Node("BoundingBoxDecode", kDecodeParams, PrepareBoxDecode),
    Node("YoloBoxesEncode", kYoloParams, PrepareYoloEncode),
    Node("RotatedBoxEncode", kRotatedCodeParams, PrepareRotatedEncode),
    Node("RotatedBoxDecode", kRotatedCodeParams, PrepareRotatedDecode),
    Node("AnchorResponseFlags", kResponsibleParams, PrepareResponsible),
    Node("GridAssignPositive", kGridAssignParams, PrepareGridAssign),
    Node("NonMaxSuppressionV4", kSuppressionParams, PrepareSuppression),
    Node("NMSWithMask", kSuppressionMaskParams, PrepareSuppressionMask),
    Node("BatchMultiClassNonMaxSuppression", kClassSuppressionParams, PrepareClassSuppression),
    Node("RotatedOverlaps", kRotatedParams, PrepareRotatedOverlaps),
    Node("RotatedIou", kRotatedIouParams, PrepareRotatedIou),
    Node("ROIAlign", kRoiNodeParams, PrepareRoiAlignV2),
    Node("ROIAlignGrad", kRoiGradNodeParams, PrepareRoiAlignV2Backward),
    Node("DeformableOffsets", kOffsetsParams, PrepareOffsets),
    Node("DeformableOffsetsGrad", kOffsetsGradParams, PrepareOffsetsGrad),
};

inline constexpr TextAttribute kModeAttribute = {"mode", "iou"};
inline constexpr auto kIouNodeSources = InOrderOf<2, 1>({kModeAttribute, RealAttribute{"eps", 1}});
inline constexpr auto kPairSources =
    InOrderOf<2, 1>({IntAttribute{"trans", 0}, IntAttribute{"is_cross", 1}, kModeAttribute});
inline constexpr auto kCompleteSources =
    InOrderOf<2, 2>({IntAttribute{"trans", 0}, IntAttribute{"is_cross", 1}, kModeAttribute});
inline constexpr auto kPairGradSources =
    InOrderOf<3, 2>({IntAttribute{"trans", 0}, kModeAttribute});
inline constexpr auto kCompleteGradSources =
    InOrderOf<4, 2>({IntAttribute{"trans", 0}, kModeAttribute});
inline constexpr auto kEncodeSources =
    InOrderOf<2, 1>({RealListAttribute{"means"}, RealListAttribute{"stds"}});
inline constexpr auto kDecodeSources =
    InOrderOf<2, 1>({RealListAttribute{"means"}, RealListAttribute{"stds"},
                     ListAttribute{"max_shape"}, RealAttribute{"wh_ratio_clip", 0.016}});
inline constexpr Source kYoloSources[] = {Input{0}, Input{1}, Input{2}, Output{0}};
inline constexpr auto kRotatedCodeSources = InOrderOf<2, 1>({RealListAttribute{"weight"}});
inline constexpr auto kResponsibleSources = InOrderOf<1, 1>(
    {ListAttribute{"featmap_size"}, ListAttribute{"strides"}, IntAttribute{"num_base_anchors", 0}});
inline constexpr auto kGridAssignSources =
    InOrderOf<8, 1>({RealAttribute{"pos_iou_thr", 0}, RealAttribute{"min_pos_iou", 0},
                     IntAttribute{"gt_max_assign_all", 0}});
inline constexpr Source kSuppressionSources[] = {Input{0}, Input{1},  Input{2}, Input{3},
                                                 Input{4}, Output{0}, Output{1}};
inline constexpr auto kSuppressionMaskSources =
    InOrderOf<1, 3>({RealAttribute{"iou_threshold", 0.5}});
inline constexpr auto kClassSuppressionSources =
    InOrderOf<2, 4>({RealAttribute{"score_threshold", 0}, RealAttribute{"iou_threshold", 0},
                     IntAttribute{"max_size_per_class", 0}, IntAttribute{"max_total_size", 0},
                     IntAttribute{"transpose_box", 0}});
inline constexpr auto kRotatedSources = InOrderOf<2, 1>({IntAttribute{"trans", 0}});
inline constexpr auto kRotatedIouSources =
    InOrderOf<2, 1>({IntAttribute{"trans", 0}, kModeAttribute});
inline constexpr auto kRoiNodeSources =
    InOrderOf<2, 1>({RealAttribute{"spatial_scale", 0}, IntAttribute{"pooled_height", 0},
                     IntAttribute{"pooled_width", 0}, IntAttribute{"sample_num", 2},
                     IntAttribute{"roi_end_mode", 1}});
inline constexpr auto kRoiGradNodeSources =
    InOrderOf<2, 1>({ListAttribute{"xdiff_shape"}, RealAttribute{"spatial_scale", 0},
                     IntAttribute{"pooled_height", 0}, IntAttribute{"pooled_width", 0},
                     IntAttribute{"sample_num", 2}, IntAttribute{"roi_end_mode", 1}});
inline constexpr Source kOffsetsAttributes[] = {ListAttribute{"ksize"},
                                                ListAttribute{"strides"},
                                                ListAttribute{"pads"},
                                                ListAttribute{"dilations"},
                                                IntAttribute{"deformable_groups", 1},
                                                TextAttribute{"data_format", "NHWC"}};
inline constexpr auto kOffsetsSources = InOrderOf<2, 1>(kOffsetsAttributes);
inline constexpr auto kOffsetsGradSources = InOrderOf<3, 2>(kOffsetsAttributes);
inline constexpr const char* kAnglesIgnored[] = {"atan_sub_flag"};  // they are always written
inline constexpr const char* kPerformanceIgnored[] = {"performance_mode"};
inline constexpr const char* kPadIgnored[] = {"pad_to_max_output_size"};
// The name by which torch_npu passes thresholds that the operator has by others.
inline constexpr const char* kValueIgnored[] = {"value"};
inline constexpr FixedAttribute kOneToOne[] = {{"is_cross", 0}};
inline constexpr FixedAttribute kAllPairs[] = {{"is_cross", 1}};
inline constexpr FixedAttribute kAbsolute[] = {{"change_coordinate_frame", 0}};
inline constexpr FixedAttribute kModulatedOnly[] = {{"modulated", 1}};
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"Iou", &Find(kNodes, "Iou"), kIouNodeSources},
    {"GIoU", &Find(kNodes, "GIoU"), kPairSources},
    {"DIoU", &Find(kNodes, "DIoU"), kPairSources},
    {"CIoU", &Find(kNodes, "CIoU"), kCompleteSources, kAnglesIgnored},
    {"GIoUGrad", &Find(kNodes, "GIoUGrad"), kPairGradSources, {}, kOneToOne},
    {"DIoUGrad", &Find(kNodes, "DIoUGrad"), kPairGradSources, {}, kOneToOne},
    {"CIoUGrad", &Find(kNodes, "CIoUGrad"), kCompleteGradSources, {}, kOneToOne},
    {"BoundingBoxEncode", &Find(kNodes, "BoundingBoxEncode"), kEncodeSources},
    {"BoundingBoxDecode", &Find(kNodes, "BoundingBoxDecode"), kDecodeSources},
    {"YoloBoxesEncode", &Find(kNodes, "YoloBoxesEncode"), kYoloSources, kPerformanceIgnored},
    {"RotatedBoxEncode", &Find(kNodes, "RotatedBoxEncode"), kRotatedCodeSources},
    {"RotatedBoxDecode", &Find(kNodes, "RotatedBoxDecode"), kRotatedCodeSources},
    {"AnchorResponseFlags", &Find(kNodes, "AnchorResponseFlags"), kResponsibleSources},
    {"GridAssignPositive", &Find(kNodes, "GridAssignPositive"), kGridAssignSources},
    {"NonMaxSuppressionV4", &Find(kNodes, "NonMaxSuppressionV4"), kSuppressionSources, kPadIgnored},
    {"NMSWithMask", &Find(kNodes, "NMSWithMask"), kSuppressionMaskSources},
    {"BatchMultiClassNonMaxSuppression",
     &Find(kNodes, "BatchMultiClassNonMaxSuppression"),
     kClassSuppressionSources,
     {},
     kAbsolute},
    {"RotatedOverlaps", &Find(kNodes, "RotatedOverlaps"), kRotatedSources},
    {"RotatedIou", &Find(kNodes, "RotatedIou"), kRotatedIouSources, kValueIgnored, kAllPairs},
    {"ROIAlign", &Find(kNodes, "ROIAlign"), kRoiNodeSources},
    {"ROIAlignGrad", &Find(kNodes, "ROIAlignGrad"), kRoiGradNodeSources},
    {"DeformableOffsets", &Find(kNodes, "DeformableOffsets"), kOffsetsSources, {}, kModulatedOnly},
    {"DeformableOffsetsGrad",
     &Find(kNodes, "DeformableOffsetsGrad"),
     kOffsetsGradSources,
     {},
     kModulatedOnly},
};

// Tensors of one number each.
Status CheckOne(const Operands& operands, std::initializer_list<int> ids);

}  // namespace anyacl::detection
