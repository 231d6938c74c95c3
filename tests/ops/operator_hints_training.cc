// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "ops/foreach/operators.h"
#include "ops/max_pool/operators.h"
#include "ops/operator_hints.h"
#include "ops/resampling/operators.h"

namespace anyacl::test {

size_t RowOf(std::string_view table, std::string_view name) {
  for (const OperatorTable& known : OperatorTables()) {
    if (known.name != table) continue;
    for (size_t i = 0; i < known.rows.size(); ++i) {
      if (known.rows[i].name == name) return i;
    }
  }
  throw std::logic_error("no row " + std::string(name));
}

namespace {

// dtype is out's type, which is self's or FLOAT.
template <FixedString kName>
void FitTyped(Call& call, size_t changed) {
  static const size_t self = RowOf(kName.chars, "self"), dtype = RowOf(kName.chars, "dtype"),
                      out = RowOf(kName.chars, "out");
  if (changed == self) call[out].layout->dtype = call[self].layout->dtype;
  if (changed == out) call[self].layout->dtype = call[out].layout->dtype;
  call[dtype].integer = call[out].layout->dtype;
}

// sigma has input's type, or the real one.
void FitSvd(Call& call, size_t changed) {
  static const size_t input = RowOf("Svd", "input"), sigma = RowOf("Svd", "sigma"),
                      u = RowOf("Svd", "u"), v = RowOf("Svd", "v");
  if (changed != sigma) {
    call[sigma].layout->dtype = call[input].layout->dtype;
    return;
  }
  for (size_t row : {input, u, v}) call[row].layout->dtype = call[sigma].layout->dtype;
}

// Images have one format, with channels second.
template <FixedString kName>
void FitPool(Call& call, size_t changed) {
  static const size_t self = RowOf(kName.chars, "self"), out = RowOf(kName.chars, "out");
  const aclFormat format = call[changed].layout->format;
  const bool taken = format == ACL_FORMAT_NCHW || format == ACL_FORMAT_NCDHW;
  call[self].layout->format = call[out].layout->format = taken ? format : ACL_FORMAT_ND;
}

// Data have one format.
template <FixedString kName>
void FitBatchNorm(Call& call, size_t changed) {
  for (const char* row : {"input", "output", "gradOut", "gradInput"}) {
    for (const OperatorTable& table : OperatorTables()) {
      if (table.name != kName.chars) continue;
      for (size_t i = 0; i < table.rows.size(); ++i) {
        const bool data = std::string_view(table.rows[changed].dims) == "X*";
        if (data && std::string_view(table.rows[i].name) == row && call[i].layout) {
          call[i].layout->format = call[changed].layout->format;
        }
      }
    }
  }
}

// Channels-last formats are refused for a reason of the operator's own.
void FitFormat(Call& call, size_t changed) {
  if (!call[changed].layout) return;
  aclFormat& format = call[changed].layout->format;
  const bool last = format == ACL_FORMAT_NHWC || format == ACL_FORMAT_NDHWC;
  if (last || format == ACL_FORMAT_HWCN) format = ACL_FORMAT_NCHW;
}

// Of volumes with channels second.
void FitVolumeFormat(Call& call, size_t changed) {
  if (!call[changed].layout) return;
  aclFormat& format = call[changed].layout->format;
  if (format != ACL_FORMAT_ND) format = ACL_FORMAT_NCDHW;
}

// Volumes are NCDHW alone, and a bias of 16 bits has the output's type.
void FitQuantConvolution(Call& call, size_t changed) {
  static const size_t bias = RowOf("QuantConvolution", "bias");
  static const size_t output = RowOf("QuantConvolution", "output");
  if (!call[changed].layout) return;
  if (call[changed].layout->dims.size() == 5) call[changed].layout->format = ACL_FORMAT_NCDHW;
  const aclDataType type = call[changed].layout->dtype;
  if (changed == bias && type != ACL_FLOAT) call[output].layout->dtype = type;
}

// Images are NCHW, nothing else has named axes.
void FitImages(Call& call, size_t) {
  for (CallArgument& argument : call) {
    if (!argument.layout) continue;
    argument.layout->format = argument.layout->dims.size() == 4 ? ACL_FORMAT_NCHW : ACL_FORMAT_ND;
  }
}

// Four tokens of four streams; sizes that are products of those, and fixed ones.
void AddHyperConnections(std::map<std::string, CallHints>& hints) {
  const CallHints kept = {.values = {{"normOut", {.layout = Layout{.dims = {2, 4, 4, 8}}}},
                                     {"sumOut", {.layout = Layout{.dims = {64}}}}},
                          .own_shapes = true};
  const CallHints mixture = {.sizes = {{"A", {3}}, {"K", {24}}, {"W", {16}}},
                             .own_shapes = true,
                             .needed = {"hRes", "invRmsOptional", "hMixOptional", "hPreOptional"}};
  hints["MhcSinkhorn"] = hints["MhcSinkhornBackward"] = kept;
  hints["MhcPost"].own_shapes = hints["MhcPostBackward"].own_shapes = true;
  hints["MhcPre"] = hints["MhcPreV2"] = hints["MhcPreBackward"] = mixture;
  hints["MhcPreBackward"].needed.clear();
}

void AddDetection(std::map<std::string, CallHints>& hints) {
  const auto image = [](std::vector<int64_t> dims) {
    return CallArgument{.layout = Layout{.dims = std::move(dims), .format = ACL_FORMAT_NCHW}};
  };
  hints["Iou"] = {.sizes = {{"P", {4}}},
                  .values = {{"mode", {.text = "iou"}}},
                  .fit = FitImages,
                  .own_shapes = true};
  for (const char* name : {"RoiAlign", "RoiAlignV2", "RoiAlignV2Backward"}) {
    CallHints& h = hints[name];
    h.values = {{"mode", {.text = "avg"}}, {"inputShape", Array({2, 3, 5, 6})}};
    for (const char* size : {"outputHeight", "outputWidth", "pooledHeight", "pooledWidth"}) {
      h.values[size] = Integer(2);
    }
    for (const char* row : {"self", "gradInput"}) h.values[row] = image({2, 3, 5, 6});
    for (const char* row : {"out", "gradOutput"}) h.values[row] = image({4, 3, 2, 2});
    h.fit = FitImages;
    h.own_shapes = true;
  }
  for (const char* name :
       {"MultiScaleDeformableAttnFunction", "MultiScaleDeformableAttentionGrad"}) {
    hints[name] = {.sizes = {{"B", {2}}, {"D", {8}}, {"Q", {32}}, {"E", {32}}}, .own_shapes = true};
  }
  hints["DeformableConv2d"] = {.sizes = {{"C", {2}},
                                         {"I", {2}},
                                         {"K", {3}},
                                         {"L", {1}},
                                         {"T", {9}},
                                         {"Y", {2}},
                                         {"X", {4}},
                                         {"V", {6}},
                                         {"U", {4}}},
                               .values = {{"kernelSize", Array({3, 1})},
                                          {"stride", Array({1, 1, 1, 1})},
                                          {"padding", Array({0, 0, 0, 0})},
                                          {"dilation", Array({1, 1, 1, 1})},
                                          {"modulated", Integer(1)}},
                               .fit = FitImages,
                               .own_shapes = true};
}

}  // namespace

void AddTraining(std::map<std::string, CallHints>& hints) {
  AddHyperConnections(hints);
  for (const char* name : {"MaxDim", "MinDim", "Aminmax", "Norm", "Var", "VarCorrection", "VarMean",
                           "Std", "StdMeanCorrection"}) {
    hints[name] = {.sizes = {{"R", {3}}}, .needed = {"dim"}};  // null is all
  }
  hints["AminmaxAll"] = {.sizes = {{"R", {}}}};
  hints["AminmaxDim"] = {.sizes = {{"R", {3}}}};
  hints["Prod"] = {.sizes = {{"R", {}}}, .fit = FitTyped<"Prod">};
  hints["ProdDim"] = {.sizes = {{"R", {3}}}, .fit = FitTyped<"ProdDim">};
  hints["ReduceNansum"] = {.sizes = {{"R", {3}}}, .fit = FitTyped<"ReduceNansum">};
  hints["LinalgVectorNorm"] = {
      .sizes = {{"R", {3}}}, .fit = FitTyped<"LinalgVectorNorm">, .needed = {"dims"}};
  hints["Trace"] = {.own_shapes = true, .own_types = true};
  const CallArgument mask = Array({1, 1, 1});
  CallHints sequence = hints["FlashAttentionScore"];  // one of them
  sequence.sizes.insert({{"T", {3}}, {"T2", {5}}, {"S", {5}}});
  sequence.sizes["B"] = {1};
  sequence.values["inputLayout"] = {.text = "TND"};
  sequence.values["actualSeqQLenOptional"] = Array({3});
  sequence.values["actualSeqKvLenOptional"] = Array({5});
  sequence.needed.clear();  // the position encoding's gradient is not written
  CallHints padded = sequence;
  padded.values["paddingMaskOptional"] = {.layout = Layout{.dims = {0}, .dtype = ACL_FLOAT}};
  padded.values["prefixOptional"] = Array({});
  padded.absent.clear();
  for (const char* name : {"FlashAttentionVarLenScore", "FlashAttentionUnpaddingScoreGrad"}) {
    hints[name] = sequence;
    hints[std::string(name) + "_with_empty_padding"] = padded;
  }
  for (const char* name : {"GroupedMatmulSwigluQuantV2", "GroupedMatmulSwigluQuantWeightNzV2"}) {
    CallHints lists = {
        .sizes = {{"M", {6}}, {"K", {32}}, {"N", {128}}, {"E", {3}}, {"L", {3}}, {"G", {4}}},
        .alternatives = {{"weightScale", 0}},
        .absent = {"bias", "smoothScale", "tuningConfigOptional"},
        .own_types = true};
    hints[std::string(name) + "_INT4_weights"] = lists;
    lists.absent.push_back("weightAssistMatrix");
    hints[std::string(name) + "_INT8_weights"] = hints[std::string(name) + "_INT4_x"] = lists;
    std::erase(lists.absent, "smoothScale");
    std::erase(lists.absent, "tuningConfigOptional");
    hints[std::string(name) + "_INT4_x_with_smooth_scale"] = lists;
  }
  hints["RotaryPositionEmbeddingGrad"] = {.sizes = {{"X", {2, 3}}, {"A", {2, 1}}, {"D", {8}}},
                                          .own_shapes = true};
  hints["FakeQuantPerTensorAffineCachemask"] = {
      .values = {{"scale", {.layout = Layout{.dims = {1}}}},
                 {"zeroPoint", {.layout = Layout{.dims = {1}, .dtype = ACL_INT32}}}},
      .own_shapes = true};
  hints["FakeQuantPerChannelAffineCachemask"] = {.sizes = {{"X", {4, 3}}, {"C", {4}}},
                                                 .own_shapes = true};
  hints["RmsNormGrad"] = {.sizes = {{"G", {3}}, {"R", {2, 1}}}};
  hints["MaskedSoftmaxWithRelPosBias"] = {
      .sizes = {{"X", {4, 3, 2, 5}}, {"M", {2, 2, 5}}, {"P", {3, 2, 5}}}, .own_shapes = true};
  const CallArgument hidden = {.layout = Layout{.dims = {4, 1, 4, 4}, .dtype = ACL_BOOL}};
  hints["ScaledMaskedSoftmax"] = {.values = {{"mask", hidden}}, .own_shapes = true};
  hints["ScaledMaskedSoftmaxBackward"] = hints["ScaledMaskedSoftmax"];
  hints["AddLayerNormGrad"] = {.sizes = {{"G", {3}}, {"R", {2, 1}}, {"M", {2, 1}}}};
  hints["DeepNormGrad"] = hints["AddLayerNormGrad"];
  hints["LayerNormBackward"] = {.sizes = {{"W", {3}}, {"R", {2, 1}}},
                                .values = {{"normalizedShape", Array({3})}, {"outputMask", mask}}};
  const CallHints batch_norm = {.sizes = {{"C", {3}}, {"S", {3}}},
                                .values = {{"training", Integer(1)}, {"outputMask", mask}}};
  hints["BatchNorm"] = hints["BatchNormBackward"] = hints["FastBatchNormBackward"] = batch_norm;
  hints["FastBatchNormBackward"].fit = FitBatchNorm<"FastBatchNormBackward">;
  hints["BatchNormReduce"].own_shapes = true;
  hints["BatchNorm"].fit = FitBatchNorm<"BatchNorm">;
  hints["BatchNormBackward"].fit = FitBatchNorm<"BatchNormBackward">;
  for (const char* name : {"BatchNormStats", "BatchNormGatherStatsWithCounts", "BatchNormElemt",
                           "BatchNormReduceBackward", "BatchNormElemtBackward"}) {
    hints[name] = {
        .sizes = {{"C", {3}}},
        .values = {{"inputG", Integer(1)}, {"weightG", Integer(1)}, {"biasG", Integer(1)}}};
  }
  hints["BatchNormElemt"].fit = FitBatchNorm<"BatchNormElemt">;
  hints["BatchNormReduceBackward"].fit = FitBatchNorm<"BatchNormReduceBackward">;
  hints["BatchNormElemtBackward"].fit = FitBatchNorm<"BatchNormElemtBackward">;
  hints["GlobalAveragePool"] =
      hints["GlobalMaxPool"] = {.sizes = {{"W", {3}}, {"R", {4, 4, 1, 1}}}, .own_shapes = true};
  hints["GlobalAveragePool"].fit = FitPool<"GlobalAveragePool">;
  hints["GlobalMaxPool"].fit = FitPool<"GlobalMaxPool">;
  for (const char* name : {"GroupedBiasAddGrad", "GroupedBiasAddGradV2"}) {
    hints[name] = {.own_shapes = true, .needed = {"groupIdxOptional"}};
  }
  hints["MultilabelMarginLoss"] = {.values = {{"out", {.layout = Layout{.dims = {2}}}}},
                                   .own_shapes = true};
  for (const char* name : {"CrossEntropyLoss", "CrossEntropyLossGrad"}) {
    hints[name] = {
        .sizes = {{"O", {1}}},
        .values = {{"reductionOptional", {.text = "mean"}}, {"labelSmoothing", {.real = 0}}},
        .own_shapes = true};
  }
  hints["FusedLinearOnlineMaxSum"] = {.sizes = {{"N", {9}}, {"V", {4}}, {"T", {2}}},
                                      .own_shapes = true};
  hints["FusedCrossEntropyLossWithMaxSum"] = {.values = {{"labelSmoothing", {.real = 0}}},
                                              .needed = {"vocabParallelLogitsOptional"}};
  hints["FusedLinearCrossEntropyLossGrad"] = {.sizes = {{"N", {9}}, {"V", {128}}, {"T", {9}}},
                                              .values = {{"labelSmoothing", {.real = 0}}},
                                              .own_shapes = true};
  for (const char* name : {"NLLLoss", "NLLLossBackward"}) {
    hints[name] = {.sizes = {{"T", {4}}, {"O", {4}}, {"S", {1}}}, .own_shapes = true};
  }
  for (const char* name : {"NLLLoss2d", "NLLLoss2dBackward"}) {
    hints[name] = {.sizes = {{"O", {4, 4, 4}}, {"S", {1}}}, .own_shapes = true};
  }
  const CallHints ctc = {
      .sizes = {{"T", {5}}, {"N", {2}}, {"C", {3}}, {"S", {3}}, {"O", {2}}, {"M", {2}}, {"A", {8}}},
      .values = {{"inputLengths", Array({5, 5})}, {"targetLengths", Array({3, 3})}},
      .alternatives = {{"logProbs", 0}, {"targets", 0}},
      .own_shapes = true};
  hints["CtcLoss"] = hints["CtcLossBackward"] = ctc;
  for (const char* name : {"Renorm", "InplaceRenorm"}) {
    hints[name] = {.sizes = {{"S", {2, 3}}}, .own_shapes = true};
  }
  hints["ForeachNorm"] = {
      .values = {{"out", {.layout = Layout{.dims = {1}}}}}, .own_shapes = true, .own_types = true};
  hints["L1Loss"] = hints["L1LossBackward"] = {.own_types = true};
  hints["ApplyAdamWV2"] = {.sizes = {{"S", {1}}}, .values = {{"amsgrad", Integer(1)}}};
  hints["ApplyFusedEmaAdam"] = {.sizes = {{"S", {1}}}};
  hints["FusedAdamw"] = {.values = {{"amsgrad", Integer(1)},
                                    {"stateSteps", Shaped({1}, ACL_FLOAT)},
                                    {"gradScaleOptional", Shaped({1}, ACL_FLOAT)},
                                    {"foundInfOptional", Shaped({1}, ACL_FLOAT)}},
                         .own_shapes = true,
                         .own_types = true,
                         .needed = {"maxExpAvgSqsRef"}};
  hints["FusedSgd"] = {.sizes = {{"S", {1}}},
                       .own_shapes = true,
                       .own_types = true,
                       .needed = {"momentumBufferListOptionalRef"}};
  hints["ForeachNonFiniteCheckAndUnscale"] = {.sizes = {{"F", {1}}, {"I", {1}}},
                                              .own_shapes = true};
  for (const OpSpec& spec : foreach::kOperators) {
    hints[std::string(spec.op.phase_two).substr(5)] = {
        .sizes = {{"S", {1}}}, .own_shapes = true, .own_types = true};
  }
  hints["SignBitsPack"] = {.sizes = {{"size", {2}}, {"N", {30}}, {"R", {2}}},
                           .values = {{"size", Integer(2)}},
                           .own_shapes = true};
  hints["SignBitsUnpack"] = {.sizes = {{"size", {2}}, {"N", {4}}, {"R", {16}}},
                             .values = {{"size", Integer(2)}},
                             .own_shapes = true,
                             .own_types = true};
  hints["AmpUpdateScale"] = {.sizes = {{"S", {1}}, {"T", {1}}, {"F", {1}}, {"U", {1}}, {"V", {1}}},
                             .values = {{"growthInterval", Integer(1)}},
                             .own_shapes = true};
}

void AddLinearAlgebra(std::map<std::string, CallHints>& hints) {
  hints["LinalgQr"].sizes = {{"B", {}}, {"M", {3}}, {"N", {2}}, {"Q", {3, 2}}, {"R", {2, 2}}};
  hints["LinalgQr"].own_types = true;  // complex results of complex matrices
  hints["Qr"] = hints["LinalgQr"];
  hints["Qr"].values = {{"some", Integer(1)}};
  hints["LinalgCholesky"] = {.sizes = {{"N", {3}}}, .own_shapes = true};
  hints["TriangularSolve"].sizes = {
      {"B", {}}, {"M", {3}}, {"K", {2}}, {"X", {3, 2}}, {"Y", {3, 3}}};
  hints["Svd"] = {
      .sizes = {{"M", {3}}, {"N", {2}}, {"B", {}}, {"S", {2}}, {"U", {3, 3}}, {"V", {2, 2}}},
      .values = {{"fullMatrices", Integer(1)}, {"computeUV", Integer(1)}},
      .fit = FitSvd,
      .own_shapes = true};
  hints["Inverse"] = {.sizes = {{"N", {3}}}, .own_shapes = true};
  hints["Logdet"] =
      hints["Slogdet"] = {.sizes = {{"N", {3}}, {"B", {}}}, .own_shapes = true, .own_types = true};
}

void AddImages(std::map<std::string, CallHints>& hints) {
  const std::map<std::string_view, CallArgument> geometry = {
      {"stride", Array({1, 1})},        {"padding", Array({0, 0})},
      {"dilation", Array({1, 1})},      {"outputPadding", Array({0, 0})},
      {"outputMask", Array({1, 1, 1})}, {"biasSizes", Array({4})}};
  for (const char* name : {"Convolution", "ConvolutionBackward"}) {
    hints[name] = {.sizes = {{"N", {2}},
                             {"C", {3}},
                             {"X", {5, 6}},
                             {"O", {4}},
                             {"I", {3}},
                             {"K", {3, 3}},
                             {"P", {4}},
                             {"Y", {3, 4}},
                             {"B", {4}}},
                   .values = geometry,
                   .fit = FitFormat,
                   .own_shapes = true};
  }
  for (const char* name : {"ConvTbc", "ConvTbcBackward"}) {
    hints[name] = {
        .sizes = {{"T", {5}}, {"K", {3}}, {"U", {3}}}, .fit = FitFormat, .own_shapes = true};
  }
  hints["QuantConvolution"] =
      {.sizes = {{"N", {1}},
                 {"C", {2}},
                 {"O", {2}},
                 {"D", {3}},
                 {"H", {3}},
                 {"W", {3}},
                 {"I", {1}},
                 {"J", {1}},
                 {"K", {1}},
                 {"X", {3}},
                 {"Y", {3}},
                 {"Z", {3}}},
       .values =
           {{"input",
             {.layout =
                  Layout{.dims = {1, 2, 3, 3, 3}, .dtype = ACL_INT8, .format = ACL_FORMAT_NCDHW}}},
            {"weight",
             {.layout =
                  Layout{.dims = {2, 2, 1, 1, 1}, .dtype = ACL_INT8, .format = ACL_FORMAT_NCDHW}}},
            {"output",
             {.layout =
                  Layout{.dims = {1, 2, 3, 3, 3}, .dtype = ACL_BF16, .format = ACL_FORMAT_NCDHW}}},
            {"stride", Array({1, 1, 1})},
            {"padding", Array({0, 0, 0})},
            {"dilation", Array({1, 1, 1})}},
       .absent = {"offset", "roundMode"},
       .fit = FitQuantConvolution,
       .own_shapes = true,
       .own_types = true};
  hints["ConvDepthwise2d"] = {.sizes = {{"N", {2}},
                                        {"C", {2}},
                                        {"H", {5}},
                                        {"W", {6}},
                                        {"O", {4}},
                                        {"I", {1}},
                                        {"K", {3}},
                                        {"L", {3}},
                                        {"Y", {3}},
                                        {"X", {4}}},
                              .values = {{"kernelSize", Array({3, 3})},
                                         {"stride", Array({1, 1})},
                                         {"padding", Array({0, 0})},
                                         {"dilation", Array({1, 1})}},
                              .fit = FitFormat,
                              .own_shapes = true};
  for (const OpSpec& spec : resampling::kOperators) {
    const std::string name = std::string(spec.op.phase_two).substr(5);
    CallHints& h = hints[name];
    h.sizes = {{"A", {2}}, {"N", {2}},  {"C", {3}},  {"D", {4}},  {"H", {4}}, {"W", {4}},
               {"L", {4}}, {"OD", {2}}, {"OH", {2}}, {"OW", {2}}, {"OL", {2}}};
    h.fit = FitFormat;
    h.own_shapes = true;
    const bool back = name.find("Backward") != name.npos || name.ends_with("Grad");
    const size_t spatial = name.find("1d") != name.npos ? 1 : name.find("2d") != name.npos ? 2 : 3;
    h.values["kernelSize"] = Array({2});
    for (const char* row : {"stride", "strides"}) h.values[row] = Array({2});
    for (const char* row : {"padding", "paddings"}) h.values[row] = Array({0});
    // A gradient of an upsampling leads from rows named self to rows named out.
    const bool pool = name.find("Pool") != name.npos;
    const int64_t out = back && !pool ? 4 : 2;
    h.values["outputSize"] = Array(std::vector<int64_t>(spatial, out));
    std::vector<int64_t> in = {2, 3};
    in.insert(in.end(), spatial, 2);
    h.values["inputSize"] = Array(in);
    if (name == "UpsampleLinear1d") h.values["scales"] = {.real = 0.5};
    if (name != "Resize") continue;
    h.values = {{"scales", Array({1, 1, 1, 1})}, {"mode", {.text = "bilinear"}}};
    for (const char* row : {"self", "out"}) {
      h.values[row].layout = Layout{.dims = {2, 3, 4, 4}, .format = ACL_FORMAT_NCHW};
    }
    h.fit = [](Call& call, size_t changed) {
      if (call[changed].layout) call[changed].layout->format = ACL_FORMAT_NCHW;
    };
  }
  for (const char* name : {"GridSampler2D", "GridSampler2DBackward", "GridSampler3D",
                           "GridSampler3DBackward", "AffineGrid"}) {
    hints[name] = {.sizes = {{"N", {2}},
                             {"C", {3}},
                             {"D", {4}},
                             {"H", {4}},
                             {"W", {4}},
                             {"OD", {2}},
                             {"OH", {2}},
                             {"OW", {2}},
                             {"K", {3}},
                             {"L", {4}},
                             {"P", {4, 4, 4, 3}}},
                   .values = {{"outputMask", Array({1, 1})}, {"size", Array({2, 3, 4, 4, 4})}},
                   .fit = FitVolumeFormat,
                   .own_shapes = true};
  }
  AddDetection(hints);
  for (const OpSpec& spec : max_pool::kOperators) {
    const std::string name = std::string(spec.op.phase_two).substr(5);
    CallHints& h = hints[name];
    h.sizes = {{"A", {2}},  {"C", {3}},  {"D", {4}},  {"H", {4}}, {"W", {4}},
               {"OD", {2}}, {"OH", {2}}, {"OW", {2}}, {"M", {4}}, {"B", {64}}};
    h.fit = FitFormat;
    h.own_shapes = h.own_types = true;
    for (const char* row : {"kernelSize", "kernelShape", "stride", "strides"}) {
      h.values[row] = Array({2});
    }
    h.values["padding"] = h.values["pads"] = Array({0});
    h.values["dilation"] = h.values["dilations"] = Array({1});
    const bool unpool = name.starts_with("MaxUnpool") && name.ends_with("Backward");
    h.values["outputSize"] =
        Array(std::vector<int64_t>(name.find("2d") != name.npos ? 2 : 3, unpool ? 4 : 2));
  }
}

}  // namespace anyacl::test
