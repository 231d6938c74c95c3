// SPDX-License-Identifier: Apache-2.0
// The declarations of the convolutions: aclnnConvolution and its gradients (README.md).
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/single_op.h"

namespace anyacl::convolution {

enum : int {
  kInput,
  kWeight,
  kBias,
  kStride,
  kPadding,
  kDilation,
  kTransposed,
  kOutputPadding,
  kGroups,
  kOutput,
  kGradOutput,
  kBiasSizes,
  kOutputMask,
  kGradInput,
  kGradWeight,
  kGradBias,
  kCubeMathType,
  kDataFormat,
  kKernelSize,
  kPad,
  kScale,
  kOffset,
  kOffsetX,
  kRoundMode,
};

Status PrepareForward(Operands& operands, PreparedCall* call);
Status PrepareDepthwise(Operands& operands, PreparedCall* call);
Status PrepareQuant(Operands& operands, PreparedCall* call);
Status PrepareTbc(Operands& operands, PreparedCall* call);
Status PrepareTbcBackward(Operands& operands, PreparedCall* call);
Status PrepareNode(Operands& operands, PreparedCall* call);
Status PrepareInputGradNode(Operands& operands, PreparedCall* call);
Status PrepareWeightGradNode(Operands& operands, PreparedCall* call);
Status PrepareBackward(Operands& operands, PreparedCall* call);

inline constexpr ParamSpec kCubeMathTypeRow = {
    .name = "cubeMathType",
    .id = kCubeMathType,
    .kind = Kind::kInt8,
    .min = 0,
    .max = 3,
    .note = "the precision that a device may give up; sums are fp32 here whatever it says"};
inline constexpr ParamSpec kStrideRow =
    Value(kStride, "stride", Kind::kIntArray, "of each spatial dimension, 1 or more");
inline constexpr ParamSpec kPaddingRow =
    Value(kPadding, "padding", Kind::kIntArray,
          "of each spatial dimension, or before and after each; 0 or more");
inline constexpr ParamSpec kDilationRow =
    Value(kDilation, "dilation", Kind::kIntArray, "of each spatial dimension, 1 or more");
inline constexpr ParamSpec kTransposedRow =
    Value(kTransposed, "transposed", Kind::kBool, "weight is [Cin, Cout / groups, ...] then");
inline constexpr ParamSpec kOutputPaddingRow =
    Value(kOutputPadding, "outputPadding", Kind::kIntArray,
          "added to the output's sizes, if transposed; less than stride or dilation");
constexpr ParamSpec Groups(Kind kind) {
  return {.name = "groups", .id = kGroups, .kind = kind, .min = 1, .max = 65535};
}
constexpr ParamSpec Gradient(int id, const char* name, const char* dims, const char* needed_if) {
  return NeededIf(Out(id, name, kFloats, dims), needed_if);
}

inline constexpr ParamSpec kForwardParams[] = {
    In(kInput, "input", kFloats, "N C X.."),
    In(kWeight, "weight", kFloats, "O I K.."),
    In(kBias, "bias", kFloats, "B", Need::kOptional),
    kStrideRow,
    kPaddingRow,
    kDilationRow,
    kTransposedRow,
    kOutputPaddingRow,
    Groups(Kind::kInt64),
    Out(kOutput, "output", kFloats, "N P Y.."),
    kCubeMathTypeRow,
};
inline constexpr ParamSpec kDepthwiseParams[] = {
    Noted(In(kInput, "self", kFloats, "N C H W"), "C 1 to 65535"),
    Noted(Like(kInput, In(kWeight, "weight", kFloats, "O I K L")), "O a multiple of C, I 1"),
    Value(kKernelSize, "kernelSize", Kind::kIntArray, "[K, L]"),
    Like(kInput, In(kBias, "bias", kFloats, "O", Need::kOptional)),
    kStrideRow,
    Value(kPadding, "padding", Kind::kIntArray, "of each spatial dimension, 0 or more"),
    kDilationRow,
    Like(kInput, Out(kOutput, "out", kFloats, "N O Y X")),
    kCubeMathTypeRow,
};
// As Atlas A2 and A3 have it; sizes are those of kForwardParams.
inline constexpr DTypeSet kQuantOutputs = {ACL_FLOAT16, ACL_BF16};
inline constexpr ParamSpec kQuantParams[] = {
    Noted(In(kInput, "input", {ACL_INT8}, "N C D H W"), "NCDHW; without elements refused"),
    Noted(In(kWeight, "weight", {ACL_INT8}, "O C I J K"), "NCDHW"),
    Noted(In(kBias, "bias", kFloats, "O"), "FLOAT or output's type"),
    In(kScale, "scale", {ACL_FLOAT}, "O"),
    Noted(In(kOffset, "offset", kFloats, "*", Need::kOptional), "null"),
    kStrideRow,
    Value(kPadding, "padding", Kind::kIntArray, "of each spatial dimension, 0 or more"),
    kDilationRow,
    Value(kTransposed, "transposed", Kind::kBool, "false"),
    {.name = "outputPadding",
     .id = kOutputPadding,
     .kind = Kind::kIntArray,
     .need = Need::kOptional,
     .note = "without effect"},
    {.name = "groups", .id = kGroups, .kind = Kind::kInt64, .min = 1, .max = 1},
    {.name = "offsetx", .id = kOffsetX, .kind = Kind::kInt32, .min = 0, .max = 0},
    {.name = "roundMode",
     .id = kRoundMode,
     .kind = Kind::kText,
     .need = Need::kOptional,
     .note = "null"},
    Noted(Out(kOutput, "output", kQuantOutputs, "N O X Y Z"), "NCDHW"),
};
inline constexpr ParamSpec kBackwardParams[] = {
    In(kGradOutput, "gradOutput", kFloats, "N P Y.."),
    In(kInput, "input", kFloats, "N C X.."),
    In(kWeight, "weight", kFloats, "O I K.."),
    {.name = "biasSizes",
     .id = kBiasSizes,
     .kind = Kind::kIntArray,
     .need = Need::kOptional,
     .note = "the shape of gradBias"},
    kStrideRow,
    kPaddingRow,
    kDilationRow,
    kTransposedRow,
    kOutputPaddingRow,
    Groups(Kind::kInt32),
    Value(kOutputMask, "outputMask", Kind::kBoolArray, "which of the three gradients to write"),
    kCubeMathTypeRow,
    Gradient(kGradInput, "gradInput", "N C X..", "outputMask[0]"),
    Gradient(kGradWeight, "gradWeight", "O I K..", "outputMask[1]"),
    Gradient(kGradBias, "gradBias", "B", "outputMask[2]"),
};

constexpr ParamSpec Pad(int64_t max) {
  return {.name = "pad",
          .id = kPad,
          .kind = Kind::kInt64,
          .min = 0,
          .max = max,
          .note = "zeros before and after each sequence"};
}
// T steps of N sequences, U of the result.
inline constexpr ParamSpec kTbcParams[] = {
    In(kInput, "self", kFloats, "T N C"),
    Like(kInput, In(kWeight, "weight", kFloats, "K C O")),
    Like(kInput, In(kBias, "bias", kFloats, "O")),
    Pad(255),
    Like(kInput, Out(kOutput, "out", kFloats, "U N O")),
    kCubeMathTypeRow,
};
inline constexpr ParamSpec kTbcBackwardParams[] = {
    Noted(In(kGradOutput, "self", kFloats, "U N O"), "the gradient of the result"),
    Like(kGradOutput, In(kInput, "input", kFloats, "T N C")),
    Like(kGradOutput, In(kWeight, "weight", kFloats, "K C O")),
    Like(kGradOutput, In(kBias, "bias", kFloats, "O")),
    Pad(INT32_MAX),
    kCubeMathTypeRow,
    Like(kGradOutput, Out(kGradInput, "gradInput", kFloats, "T N C")),
    Like(kGradOutput, Out(kGradWeight, "gradWeight", kFloats, "K C O")),
    Like(kGradOutput, Out(kGradBias, "gradBias", kFloats, "O")),
};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Convolution">,
     .params = kForwardParams,
     .prepare = PrepareForward,
     .header = "aclnn_convolution.h",
     .summary = "output[n, o, p] = bias[o] + sum over c, k of weight[o, c, k] * "
                "input[n, c, p * stride + k * dilation - padding], of 1 to 3 spatial dimensions; "
                "transposed: that relation from output to input",
     .document = "ops-nn: conv/convolution_forward/docs/aclnnConvolution.md",
     .max_rank = 5},
    {.op = kNames<"ConvDepthwise2d">,
     .params = kDepthwiseParams,
     .prepare = PrepareDepthwise,
     .header = "aclnn_convolution.h",
     .summary = "aclnnConvolution of 2 spatial dimensions with as many groups as self has channels",
     .document = "ops-nn: conv/convolution_forward/docs/aclnnConvDepthwise2d.md"},
    {.op = kNames<"QuantConvolution">,
     .params = kQuantParams,
     .prepare = PrepareQuant,
     .header = "aclnn_quant_convolution.h",
     .summary = "output[n, o] = the convolution of integers in 3 dimensions * scale[o] + bias[o]",
     .document = "ops-nn: conv/convolution_forward/docs/aclnnQuantConvolution.md",
     .max_rank = 5},
    {.op = kNames<"ConvTbc">,
     .params = kTbcParams,
     .prepare = PrepareTbc,
     .header = "aclnn_convolution.h",
     .summary =
         "out[t, n, o] = bias[o] + sum over k, c of weight[k, c, o] * self[t + k - pad, n, c]",
     .document = "ops-nn: conv/convolution_forward/docs/aclnnConvTbc.md"},
    {.op = kNames<"ConvTbcBackward">,
     .params = kTbcBackwardParams,
     .prepare = PrepareTbcBackward,
     .header = "aclnn_convolution_backward.h",
     .summary = "the gradients of aclnnConvTbc by its input, weight and bias",
     .document = "ops-nn: conv/convolution_backward/docs/aclnnConvTbcBackward.md"},
    {.op = kNames<"ConvolutionBackward">,
     .params = kBackwardParams,
     .prepare = PrepareBackward,
     .header = "aclnn_convolution_backward.h",
     .summary = "the gradients of a convolution by its input, weight and bias",
     .document = "ops-nn: conv/convolution_backward/docs/aclnnConvolutionBackward.md",
     .max_rank = 5},
};

// Called by name. Sizes that come as a tensor say what the result says.
inline constexpr ParamSpec kNodeStride =
    Value(kStride, "strides", Kind::kIntArray, "of batch and channels, which is 1, and space");
inline constexpr ParamSpec kNodePadding =
    Value(kPadding, "pads", Kind::kIntArray, "before and after each spatial dimension");
inline constexpr ParamSpec kNodeDilation =
    Value(kDilation, "dilations", Kind::kIntArray, "as strides; all 1 if it is left out");
inline constexpr ParamSpec kNodeFormat =
    Value(kDataFormat, "data_format", Kind::kText, "NCHW or NCDHW");
inline constexpr ParamSpec kNodeParams[] = {In(kInput, "x", kFloats, "N C X.."),
                                            In(kWeight, "filter", kFloats, "O I K.."),
                                            In(kBias, "bias", kFloats, "B", Need::kOptional),
                                            Out(kOutput, "y", kFloats, "N P Y.."),
                                            kNodeStride,
                                            kNodePadding,
                                            kNodeDilation,
                                            Groups(Kind::kInt64),
                                            kNodeFormat,
                                            kTransposedRow};
inline constexpr ParamSpec kTransposedNodeParams[] = {
    kNodeParams[0],
    kNodeParams[1],
    kNodeParams[2],
    kNodeParams[3],
    kNodeStride,
    kNodePadding,
    kNodeDilation,
    kNodeParams[7],
    kNodeFormat,
    kTransposedRow,
    Value(kOutputPadding, "output_padding", Kind::kIntArray,
          "of batch and channels, which is 0, and space")};
inline constexpr ParamSpec kInputGradNodeParams[] = {
    In(kWeight, "filter", kFloats, "O I K.."),
    In(kGradOutput, "out_backprop", kFloats, "N P Y.."),
    Out(kGradInput, "y", kFloats, "N C X.."),
    kNodeStride,
    kNodePadding,
    kNodeDilation,
    Groups(Kind::kInt64),
    kNodeFormat};
inline constexpr ParamSpec kWeightGradNodeParams[] = {
    In(kInput, "x", kFloats, "N C X.."),
    In(kGradOutput, "out_backprop", kFloats, "N P Y.."),
    Out(kGradWeight, "y", kFloats, "O I K.."),
    kNodeStride,
    kNodePadding,
    kNodeDilation,
    Groups(Kind::kInt64),
    kNodeFormat};
constexpr OpSpec Node(const char* name, std::span<const ParamSpec> params,
                      PrepareFunction prepare) {
  return {
      .op = {name, name}, .params = params, .prepare = prepare, .codes = kNodeCodes, .max_rank = 5};
}
inline constexpr OpSpec kNodes[] = {
    Node("Conv2D", kNodeParams, PrepareNode),
    Node("Conv3D", kNodeParams, PrepareNode),
    Node("Conv2DTranspose", kTransposedNodeParams, PrepareNode),
    Node("Conv3DTranspose", kTransposedNodeParams, PrepareNode),
    Node("Conv2DBackpropInput", kInputGradNodeParams, PrepareInputGradNode),
    Node("Conv3DBackpropInput", kInputGradNodeParams, PrepareInputGradNode),
    Node("Conv2DBackpropFilter", kWeightGradNodeParams, PrepareWeightGradNode),
    Node("Conv3DBackpropFilter", kWeightGradNodeParams, PrepareWeightGradNode)};
inline constexpr Source kNodeSources[] = {Input{0},
                                          Input{1},
                                          Input{2},
                                          Output{0},
                                          ListAttribute{"strides"},
                                          ListAttribute{"pads"},
                                          ListAttribute{"dilations"},
                                          IntAttribute{"groups", 1},
                                          TextAttribute{"data_format", "NCHW"},
                                          Constant{0}};
inline constexpr Source kTransposedNodeSources[] = {Input{1},
                                                    Input{2},
                                                    Input{3},
                                                    Output{0},
                                                    ListAttribute{"strides"},
                                                    ListAttribute{"pads"},
                                                    ListAttribute{"dilations"},
                                                    IntAttribute{"groups", 1},
                                                    TextAttribute{"data_format", "NCHW"},
                                                    Constant{1},
                                                    ListAttribute{"output_padding"}};
inline constexpr Source kInputGradNodeSources[] = {Input{1},
                                                   Input{2},
                                                   Output{0},
                                                   ListAttribute{"strides"},
                                                   ListAttribute{"pads"},
                                                   ListAttribute{"dilations"},
                                                   IntAttribute{"groups", 1},
                                                   TextAttribute{"data_format", "NCHW"}};
inline constexpr Source kWeightGradNodeSources[] = {Input{0},
                                                    Input{2},
                                                    Output{0},
                                                    ListAttribute{"strides"},
                                                    ListAttribute{"pads"},
                                                    ListAttribute{"dilations"},
                                                    IntAttribute{"groups", 1},
                                                    TextAttribute{"data_format", "NCHW"}};
inline constexpr FixedAttribute kNoOffset[] = {{"offset_x", 0}};
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"Conv2D", &kNodes[0], kNodeSources, {}, kNoOffset},
    {"Conv3D", &kNodes[1], kNodeSources, {}, kNoOffset},
    {"Conv2DTranspose", &kNodes[2], kTransposedNodeSources, {}, kNoOffset},
    {"Conv3DTranspose", &kNodes[3], kTransposedNodeSources, {}, kNoOffset},
    {"Conv2DBackpropInput", &kNodes[4], kInputGradNodeSources},
    {"Conv3DBackpropInput", &kNodes[5], kInputGradNodeSources},
    {"Conv2DBackpropFilter", &kNodes[6], kWeightGradNodeSources},
    {"Conv3DBackpropFilter", &kNodes[7], kWeightGradNodeSources}};

}  // namespace anyacl::convolution
