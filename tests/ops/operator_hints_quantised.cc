// SPDX-License-Identifier: Apache-2.0
// Calls of products of integers and of groups, whose factors exclude each other.
#include "ops/operator_hints.h"

namespace anyacl::test {
namespace {

// Rows that a call has more than the one without factors.
using Given = std::vector<std::pair<std::string_view, CallArgument>>;

CallHints With(CallHints hints, const Given& given) {
  for (const auto& [row, value] : given) {
    hints.values[row] = value;
    std::erase(hints.absent, row);
  }
  return hints;
}

void AddGrouped(std::map<std::string, CallHints>& hints) {
  for (const char* name : {"GroupedMatmul", "GroupedMatmulV2", "GroupedMatmulV3", "GroupedMatmulV4",
                           "GroupedMatmulV5", "GroupedMatmulWeightNz"}) {
    const Layout result = {.dims = {5, 4}};
    const CallArgument ends = name < std::string_view("GroupedMatmulV3")
                                  ? CallArgument{.array = {{2, 5}}}
                                  : CallArgument{.layout = Layout{.dims = {2}, .dtype = ACL_INT64}};
    hints[name] = {
        .values = {{"x", {.layout = Layout{.dims = {5, 3}}}},
                   {"weight", {.layout = Layout{.dims = {2, 3, 4}}}},
                   {"groupListOptional", ends},
                   {"splitItem", Integer(2)},
                   {"groupType", Integer(0)},
                   {"y", {.layout = result}},
                   {"out", {.layout = result}}},
        .absent = {"biasOptional", "scaleOptional", "offsetOptional", "antiquantScaleOptional",
                   "antiquantOffsetOptional", "perTokenScaleOptional", "activationInputOptional",
                   "activationQuantScaleOptional", "activationQuantOffsetOptional",
                   "activationFeatureOutOptional", "dynQuantScaleOutOptional",
                   "tuningConfigOptional"},
        .own_shapes = true,
        .own_types = true,
        .needed = {"groupListOptional"}};
    const CallHints plain = hints[name];
    const auto add = [&](const char* what, const Given& given) -> CallHints& {
      return hints[std::string(name) + what] = With(plain, given);
    };
    const Given factors = {{"x", Shaped({5, 3}, ACL_FLOAT16)},
                           {"weight", Shaped({2, 3, 4}, ACL_INT8)},
                           {"y", Shaped({5, 4}, ACL_FLOAT16)},
                           {"out", Shaped({5, 4}, ACL_FLOAT16)},
                           {"biasOptional", Shaped({2, 4}, ACL_FLOAT16)},
                           {"antiquantScaleOptional", Shaped({2, 4}, ACL_FLOAT16)},
                           {"antiquantOffsetOptional", Shaped({2, 4}, ACL_FLOAT16)}};
    add("_with_factors", factors).needed = {"groupListOptional", "antiquantScaleOptional"};
    const Given integers = {{"x", Shaped({5, 64}, ACL_INT8)},
                            {"weight", Shaped({2, 64, 32}, ACL_INT8)},
                            {"y", Shaped({5, 32}, ACL_INT8)},
                            {"out", Shaped({5, 32}, ACL_INT8)},
                            {"biasOptional", Shaped({2, 32}, ACL_INT32)},
                            {"scaleOptional", Shaped({2, 32}, ACL_UINT64)}};
    add("_with_integers", integers).needed = {"groupListOptional", "scaleOptional"};
    // A list whose only tensor is [0] stands for none.
    CallHints& nothing = add("_with_nothing", {});
    for (std::string_view row : plain.absent) {
      if (row == "tuningConfigOptional") continue;
      const bool halves = row.starts_with("antiquant"), coded = row == "scaleOptional";
      nothing.values[row] = Shaped({0}, halves ? ACL_FLOAT16 : coded ? ACL_UINT64 : ACL_FLOAT);
    }
    nothing.absent.clear();
    if (name < std::string_view("GroupedMatmulV4")) continue;
    Given int4 = integers;
    int4[0].second = Shaped({5, 64}, ACL_INT4);
    int4[1].second = Shaped({2, 64, 32}, ACL_INT4);
    int4[2].second.layout->dtype = int4[3].second.layout->dtype = ACL_FLOAT16;
    std::erase_if(int4, [](const auto& row) { return row.first == "biasOptional"; });
    add("_with_int4", int4).needed = {"groupListOptional", "scaleOptional"};
    int4[0].second = Shaped({5, 8}, ACL_INT32);
    int4[1].second = Shaped({2, 64, 4}, ACL_INT32);
    add("_with_packed_int4", int4).needed = {"groupListOptional", "scaleOptional"};
    Given sums = integers;
    sums[2].second.layout->dtype = sums[3].second.layout->dtype = ACL_INT32;
    std::erase_if(sums, [](const auto& row) { return row.first == "scaleOptional"; });
    add("_with_sums", sums);
    Given tokens = integers;
    tokens[2].second.layout->dtype = tokens[3].second.layout->dtype = ACL_FLOAT16;
    tokens[5].second.layout->dtype = ACL_FLOAT;
    tokens.emplace_back("perTokenScaleOptional", Shaped({5}, ACL_FLOAT));
    add("_with_tokens", tokens).needed = {"groupListOptional", "scaleOptional"};
  }
}

void AddQuantised(std::map<std::string, CallHints>& hints, const char* name) {
  const CallArgument coded = Shaped({16}, ACL_UINT64), real = Shaped({16}, ACL_FLOAT);
  const CallHints plain = {
      .sizes =
          {{"L", {2, 64}}, {"R", {64, 16}}, {"F", {16}}, {"B", {16}}, {"T", {2}}, {"O", {2, 16}}},
      .values = {{"scale", coded}, {"x2Scale", coded}},
      .absent = {"offset", "x2Offset", "bias", "pertokenScaleOptional", "x1Scale", "yScale",
                 "x1Offset", "yOffset"},
      .own_shapes = true,
      .own_types = true};
  hints[name] = plain;
  const CallArgument sums = Shaped({16}, ACL_INT32), none = Shaped({0}, ACL_FLOAT);
  hints[std::string(name) + "_with_offset"] = With(plain, {{"out", Shaped({2, 16}, ACL_INT8)},
                                                           {"offset", real},
                                                           {"x2Offset", real},
                                                           {"bias", sums},
                                                           {"x1Offset", none},
                                                           {"yOffset", none}});
  hints[std::string(name) + "_with_packed_int4"] =
      With(plain, {{"x1", Shaped({2, 8}, ACL_INT32)}, {"x2", Shaped({64, 2}, ACL_INT32)}});
  if (name == std::string_view("QuantMatmulV3")) {
    const CallArgument halves = Shaped({16}, ACL_BF16);
    hints["QuantMatmulV3_with_bf16"] =
        With(plain, {{"out", Shaped({2, 16}, ACL_BF16)}, {"scale", halves}, {"bias", halves}});
    return;
  }
  const CallArgument rows = Shaped({2}, ACL_FLOAT);
  CallHints& by_rows = hints[std::string(name) + "_with_rows"] =
      With(plain, {{"scale", real},
                   {"x2Scale", real},
                   {"bias", sums},
                   {"pertokenScaleOptional", rows},
                   {"x1Scale", rows}});
  by_rows.needed = {"pertokenScaleOptional", "x1Scale"};
  if (name == std::string_view("QuantMatmulV4")) return;
  hints[std::string(name) + "_with_nothing"] =
      With(plain, {{"yScale", Shaped({0}, ACL_UINT64)}, {"x1Offset", none}, {"yOffset", none}});
}

void AddWeightQuantised(std::map<std::string, CallHints>& hints) {
  const CallHints plain = {
      .sizes = {{"M", {2}}, {"K", {64}}, {"N", {16}}, {"S", {16}}, {"B", {16}}, {"Q", {1}}},
      .absent = {"antiquantOffsetOptional", "quantScaleOptional", "quantOffsetOptional",
                 "biasOptional"},
      .own_shapes = true,
      .own_types = true};
  for (const std::string version : {"WeightQuantBatchMatmulV2", "WeightQuantBatchMatmulV3"}) {
    hints[version] = plain;
    CallHints& quantised = hints[version + "_with_int8_result"];
    quantised = With(plain, {{"antiquantOffsetOptional", Shaped({16}, ACL_FLOAT16)},
                             {"quantScaleOptional", Shaped({1}, ACL_UINT64)},
                             {"quantOffsetOptional", Shaped({1}, ACL_FLOAT)},
                             {"biasOptional", Shaped({16}, ACL_FLOAT16)},
                             {"y", Shaped({2, 16}, ACL_INT8)}});
    quantised.needed = {"quantScaleOptional"};
  }
}

// The number of a type is that of the tensor; INT32 holds eight INT4.
template <FixedString kName, FixedString kTensor>
void FitNumberOfType(Call& call, size_t) {
  static const size_t y = RowOf(kName.chars, kTensor.chars);
  static const size_t dst = RowOf(kName.chars, kName.chars[0] == 'D' ? "outputDtype" : "dstType");
  if (call[y].layout) call[dst].integer = call[y].layout->dtype;
}

// The type of yOut is named, too.
void FitDynamicQuantV3(Call& call, size_t) {
  static const size_t type = RowOf("DynamicQuantV3", "dstType");
  for (const CallArgument& argument : call) {
    if (!argument.layout) continue;
    const aclDataType dtype = argument.layout->dtype;
    if (argument.layout->dims.size() == 3 && dtype != ACL_FLOAT16 && dtype != ACL_BF16) {
      call[type].integer = dtype;
    }
  }
}

void AddRowQuantised(std::map<std::string, CallHints>& hints) {
  for (const char* name : {"DynamicQuantV3", "DynamicQuantV4"}) {
    hints[name] = {.sizes = {{"B", {3, 5}}, {"H", {16}}, {"E", {4}}, {"S", {16}}},
                   .values = {{"dstType", Integer(ACL_INT8)},
                              {"quantMode", {.text = "pertoken"}},
                              {"scaleOut", {.layout = Layout{.dims = {3, 5}}}},
                              {"offsetOut", {.layout = Layout{.dims = {3, 5}}}}},
                   .fit = FitDynamicQuantV3,
                   .own_shapes = true,
                   .needed = {"groupIndexOptional", "smoothScalesOptional", "offsetOut"}};
    CallHints shared = hints[name];
    shared.absent = {"groupIndexOptional"};
    shared.alternatives = {{"smoothScalesOptional", 0}};
    shared.needed = {"offsetOut"};
    const auto share = [&](const char* mode, const std::vector<int64_t>& scales, int64_t factors) {
      shared.sizes["S"] = {factors};
      shared.values["quantMode"] = {.text = mode};
      shared.values["scaleOut"] = shared.values["offsetOut"] = {.layout = Layout{.dims = scales}};
      hints[std::string(name) + "_with_" + mode] = shared;
    };
    share("perchannel", {3, 16}, 5);
    share("pertensor", {1}, 16);
  }
  hints["FlatQuant"] = {.sizes = {{"M", {3}}, {"N1", {4}}, {"N2", {8}}}};
  hints["QuantizedBatchNorm"] = {.values = {{"inputScale", {.real = 1}},
                                            {"inputZeroPoint", {.real = 1}},
                                            {"outputScale", {.real = 1}},
                                            {"outputZeroPoint", {.real = 1}}},
                                 .own_shapes = true};
  hints["RotateQuant"] = {.sizes = {{"M", {3}}, {"N", {64}}, {"K", {32}}},
                          .values = {{"axis", Integer(1)},
                                     {"roundMode", {.text = "rint"}},
                                     {"dstTypeMax", {.real = 0}}},
                          .absent = {"alpha"},
                          .own_shapes = true};
  hints["GroupQuant"] = {
      .sizes = {{"S", {5}}, {"H", {8}}, {"E", {2}}},
      .values = {{"offsetOptional", Shaped({1}, ACL_FLOAT)}, {"dstType", Integer(ACL_INT8)}},
      .fit = FitNumberOfType<"GroupQuant", "y">,
      .own_shapes = true};
  // Scales decide on the type of the result.
  hints["DequantBias"] = {.values = {{"outputDtype", Integer(ACL_FLOAT16)}},
                          .fit =
                              [](Call& call, size_t changed) {
                                static const size_t scale = RowOf("DequantBias", "weightScale");
                                static const size_t out = RowOf("DequantBias", "out");
                                if (!call[scale].layout || !call[out].layout) return;
                                aclDataType& of_scale = call[scale].layout->dtype;
                                aclDataType& of_out = call[out].layout->dtype;
                                if (changed == out) {
                                  of_scale = of_out == ACL_BF16 ? ACL_BF16 : ACL_FLOAT;
                                } else {
                                  of_out = of_scale == ACL_BF16 ? ACL_BF16 : ACL_FLOAT16;
                                }
                                FitNumberOfType<"DequantBias", "out">(call, changed);
                              },
                          .own_types = true,
                          .type_codes = {{"activateScaleOptional", ACLNN_ERR_INNER_TILING_ERROR},
                                         {"biasOptional", ACLNN_ERR_INNER_TILING_ERROR}}};
  hints["AscendAntiQuant"] = {.sizes = {{"C", {1}}},
                              .values = {{"x", Shaped({2, 8}, ACL_INT8)},
                                         {"y", Shaped({2, 8}, ACL_FLOAT16)},
                                         {"dstType", Integer(ACL_FLOAT16)}},
                              .fit =
                                  [](Call& call, size_t changed) {
                                    static const size_t x = RowOf("AscendAntiQuant", "x");
                                    if (call[x].layout && call[x].layout->dtype == ACL_INT32) {
                                      call[x].layout->dims = {2, 1};
                                    }
                                    FitNumberOfType<"AscendAntiQuant", "y">(call, changed);
                                  },
                              .own_shapes = true};
  for (const char* name : {"DynamicBlockQuant", "DynamicBlockQuantV2"}) {
    hints[name] = {.sizes = {{"M", {3}}, {"Q", {1}}, {"B", {2}}},
                   .values = {{"roundModeOptional", {.text = "rint"}}},
                   .own_shapes = true};
  }
  hints["DynamicBlockQuantV2"].values.insert(
      {{"colBlockSize", Integer(128)}, {"dstTypeMax", {.real = 0}}});
}

// Groups of integers whose rows are added up by token.
void AddRouted(std::map<std::string, CallHints>& hints) {
  for (const char* end : {"", "V2", "V3", "WeightNz", "WeightNzV2"}) {
    const std::string name = std::string("GroupedMatmulFinalizeRouting") + end;
    hints[name] = {.absent = {"antiquantScaleOptional", "antiquantOffsetOptional", "bias"},
                   .own_shapes = true,
                   .own_types = true,
                   .needed = {"logitOptional", "logit"}};
    hints[name].sizes = {{"K", {64}}, {"N", {16}}};
    if (name.ends_with("WeightNzV2")) {
      hints[name].absent.push_back("offsetOptional");
      hints[name + "_with_int4"] =
          With(hints[name], {{"x2", Shaped({4, 64, 16}, ACL_INT4)},
                             {"scale", Shaped({4, 1, 16}, ACL_INT64)},
                             {"bias", Shaped({4, 16}, ACL_FLOAT)},
                             {"offsetOptional", Shaped({4, 1, 16}, ACL_FLOAT)}});
      for (const char* row : {"bias", "pertokenScaleOptional"}) {
        hints[name + "_with_int4"].needed.push_back(row);
      }
    }
    CallHints& alone = hints[name + "_with_rows_alone"] = hints[name];
    for (const char* row : {"sharedInputOptional", "logitOptional", "sharedInput", "logit"}) {
      alone.absent.push_back(row);
    }
    alone.needed.clear();
    if (name.find("WeightNz") != name.npos) continue;
    for (CallHints* h : {&hints[name], &alone}) h->needed.push_back("pertokenScaleOptional");
  }
}

// The third version's names of what is optional.
std::string_view LaterName(std::string_view row) {
  static const std::map<std::string_view, std::string_view> kNames = {
      {"expertTokens", "expertTokensOptional"},
      {"bias1", "bias1Optional"},
      {"bias2", "bias2Optional"},
      {"scale", "scaleOptional"},
      {"offset", "offsetOptional"},
      {"deqScale1", "deqScale1Optional"},
      {"deqScale2", "deqScale2Optional"},
      {"antiquantScale1", "antiquantScale1Optional"},
      {"antiquantScale2", "antiquantScale2Optional"},
      {"antiquantOffset1", "antiquantOffset1Optional"},
      {"antiquantOffset2", "antiquantOffset2Optional"}};
  const auto found = kNames.find(row);
  return found == kNames.end() ? row : found->second;
}

// Two experts; x, weights, biases and results of types that go together, and factors of columns.
void AddFeedForward(std::map<std::string, CallHints>& hints) {
  for (const std::string version : {"FFN", "FFNV2", "FFNV3"}) {
    const bool later = version == "FFNV3";
    const auto name = [&](std::string_view row) { return later ? LaterName(row) : row; };
    CallHints plain = {.values = {{"activation", {.text = "relu"}}},
                       .own_shapes = true,
                       .own_types = true,
                       .needed = {name("expertTokens")}};
    plain.values[name("expertTokens")] =
        later ? Shaped({2}, ACL_INT64) : CallArgument{.array = {{2, 3}}};
    for (const char* row :
         {"bias1", "bias2", "scale", "offset", "deqScale1", "deqScale2", "antiquantScale1",
          "antiquantScale2", "antiquantOffset1", "antiquantOffset2"}) {
      plain.absent.push_back(name(row));
    }
    const auto of = [&](aclDataType x, aclDataType weight, aclDataType bias, aclDataType y) {
      CallHints call = With(plain, {{"x", Shaped({5, 6}, x)},
                                    {"weight1", Shaped({2, 6, 4}, weight)},
                                    {"weight2", Shaped({2, 4, 6}, weight)},
                                    {name("bias1"), Shaped({2, 4}, bias)},
                                    {name("bias2"), Shaped({2, 6}, bias)},
                                    {"y", Shaped({5, 6}, y)}});
      return call;
    };
    const auto beside = [&](CallHints call, const Given& given) {
      Given renamed;
      for (const auto& [row, value] : given) {
        renamed.emplace_back(name(row), value);
        call.needed.push_back(name(row));
      }
      return With(call, renamed);
    };
    hints[version] = of(ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16);
    hints[version + "_with_bf16"] = of(ACL_BF16, ACL_BF16, ACL_FLOAT, ACL_BF16);
    for (const auto& [what, dequant] :
         {std::pair{"_with_uint64", ACL_UINT64}, std::pair{"_with_int64", ACL_INT64},
          std::pair{"_with_float", ACL_FLOAT}, std::pair{"_with_bf16_factors", ACL_BF16}}) {
      const aclDataType y = dequant == ACL_BF16 ? ACL_BF16 : ACL_FLOAT16;
      hints[version + what] =
          beside(of(ACL_INT8, ACL_INT8, ACL_INT32, y), {{"scale", Shaped({2}, ACL_FLOAT)},
                                                        {"offset", Shaped({2}, ACL_FLOAT)},
                                                        {"deqScale1", Shaped({2, 4}, dequant)},
                                                        {"deqScale2", Shaped({2, 6}, dequant)}});
    }
    for (const auto& [what, type, weight] :
         {std::tuple{"_with_int8_weights", ACL_FLOAT16, ACL_INT8},
          std::tuple{"_with_int4_weights", ACL_BF16, ACL_INT4}}) {
      const aclDataType bias = type == ACL_BF16 ? ACL_FLOAT : ACL_FLOAT16;
      hints[version + what] =
          beside(of(type, weight, bias, type), {{"antiquantScale1", Shaped({2, 4}, type)},
                                                {"antiquantScale2", Shaped({2, 6}, type)},
                                                {"antiquantOffset1", Shaped({2, 4}, type)},
                                                {"antiquantOffset2", Shaped({2, 6}, type)}});
    }
  }
}

void AddSumsOfProducts(std::map<std::string, CallHints>& hints) {
  CallHints added = {.values = {{"transposeX", Integer(1)}}, .own_shapes = true};
  added.alternatives = {{"yRef", 1}};
  hints["GroupedMatmulAdd"] = hints["GroupedMatmulAddV2"] = added;
  hints["QuantMatmulReduceSumWeightNz"] = {
      .values = {{"dims", Array({0})}},
      .absent = {"yScale", "x1Offset", "x2Offset", "yOffset", "bias"}};
  hints["AddLora"] = {
      .sizes = {{"R", {4}}}, .values = {{"ySliceSize", Integer(4)}}, .own_shapes = true};
}

void AddFusedMatmul(std::map<std::string, CallHints>& hints) {
  // Of an outer product.
  hints["Einsum"] = {.values = {{"tensors", {.layout = Layout{.dims = {3}}, .members = 2}},
                                {"equation", {.text = "a,b->ab"}},
                                {"output", {.layout = Layout{.dims = {3, 3}}}}},
                     .own_shapes = true,
                     .own_types = true};
  hints["QuantMatmul"] = {.sizes = {{"L", {3, 4}}, {"R", {4, 5}}, {"N", {5}}, {"O", {3, 5}}},
                          .own_shapes = true};
  hints["QuantMatmulV2"] = hints["BatchMatmulQuant"] = hints["QuantMatmul"];
  hints["QuantMatmulV2"].sizes["S"] = hints["BatchMatmulQuant"].sizes["Q"] = {16};
  for (const char* name : {"FusedMatmul", "FusedMatmul_with_x3"}) {
    const bool combined = name[11] != 0;
    hints[name] = {
        .sizes = {{"L", {3, 4}}, {"R", {4, 5}}, {"N", {5}}, {"X", {3, 5}}, {"Y", {3, 5}}},
        .values = {{"fusedOpType", {.text = combined ? "add" : "relu"}}},
        .own_shapes = true,
        .own_types = true};
    if (combined) hints[name].needed = {"x3"};
    if (!combined) hints[name].absent = {"x3"};
  }
  hints["FusedMatmul_with_factors"] = hints["FusedMatmul_with_x3"];
  hints["FusedMatmul_with_factors"].values = {{"fusedOpType", {.text = "mul"}}};
  for (const char* fusion : {"gelu_erf", "gelu_tanh"}) {
    CallHints& gelu = hints[std::string("FusedMatmul_with_") + fusion];
    gelu = hints["FusedMatmul"];
    gelu.values = {{"fusedOpType", {.text = fusion}},
                   {"x1", Shaped({3, 4}, ACL_FLOAT16)},
                   {"x2", Shaped({4, 5}, ACL_FLOAT16)},
                   {"y", Shaped({3, 5}, ACL_FLOAT16)}};
    gelu.absent = {"bias", "x3"};
  }
}

void AddQkvCache(std::map<std::string, CallHints>& hints) {
  CallHints& plain = hints["QkvRmsNormRopeCache"] = {
      .sizes = {{"T", {6}},
                {"C", {160}},
                {"D", {32}},
                {"Q", {96}},
                {"K", {32}},
                {"N", {1}},
                {"E", {2}},
                {"Fk", {2}},
                {"G", {32}},
                {"Uk", {16}},
                {"Fv", {2}},
                {"Uv", {16}}},
      .values = {{"qkvSize", Array({2, 3, 5, 32})},
                 {"headNums", Array({3, 1, 1})},
                 {"cacheModeOptional", {.text = "PA_NZ"}}},
      .absent = {"kScaleOptional", "vScaleOptional", "kOffsetOptional", "vOffsetOptional"},
      .own_shapes = true,
      .own_types = true};
  CallHints quantised = plain;
  quantised.absent = {};
  for (const char* cache : {"kCache", "vCache"}) {
    quantised.values[cache] = {.layout = Layout{.dims = {2, 1, 32, 32}, .dtype = ACL_INT8}};
  }
  quantised.needed = {"kScaleOptional", "vScaleOptional"};
  hints["QkvRmsNormRopeCache_with_factors"] = quantised;
}

}  // namespace

void AddQuantised(std::map<std::string, CallHints>& hints) {
  AddFeedForward(hints);
  AddSumsOfProducts(hints);
  AddGrouped(hints);
  AddRouted(hints);
  AddWeightQuantised(hints);
  AddRowQuantised(hints);
  AddQkvCache(hints);
  AddFusedMatmul(hints);
  for (const char* name :
       {"QuantMatmulV3", "QuantMatmulV4", "QuantMatmulV5", "QuantMatmulWeightNz"}) {
    AddQuantised(hints, name);
  }
}

}  // namespace anyacl::test
