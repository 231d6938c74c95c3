// SPDX-License-Identifier: Apache-2.0
// Right calls of operators on positions, caches and slices, and of those that end in a
// quantisation.
#include <set>

#include "ops/operator_hints.h"

namespace anyacl::test {
namespace {

// Which numbers of latent attention's rows are integers, and with them which factors there are.
void AddProlog(std::map<std::string, CallHints>& hints, const std::string& name, int version) {
  const bool results = version > 1;
  const std::map<std::string_view, std::vector<int64_t>> rows = {
      {"tokenX", {2, 3, 8}},     {"weightDq", {8, 6}},         {"weightUqQr", {6, 12}},
      {"weightDkvKr", {8, 7}},   {"kvCacheRef", {3, 4, 1, 5}}, {"krCacheRef", {3, 4, 1, 2}},
      {"queryOut", {2, 3, 2, 5}}};
  const std::vector<std::string_view> factors = {
      "dequantScaleXOptional",      "dequantScaleWDqOptional", "dequantScaleWUqQrOptional",
      "dequantScaleWDkvKrOptional", "quantScaleCkvOptional",   "quantScaleCkrOptional",
      "smoothScalesCqOptional"};
  // `integers`: rows of INT8. `needed`: factors that these have.
  const auto add = [&](const char* with, const std::set<std::string_view>& integers,
                       const std::set<std::string_view>& needed) {
    CallHints call = {.sizes = {{"B", {2}},
                                {"S", {3}},
                                {"He", {8}},
                                {"Hcq", {6}},
                                {"N", {2}},
                                {"D", {4}},
                                {"Dr", {2}},
                                {"Hckv", {5}},
                                {"Q", {12}},
                                {"K", {7}},
                                {"blocks", {3}},
                                {"places", {4}}},
                      .values = {{"cacheModeOptional", {.text = "PA_BSND"}}},
                      .alternatives = {{"weightDq", 0}, {"weightUqQr", 0}, {"weightDkvKr", 0}},
                      .own_shapes = true,
                      .own_types = true,
                      .needed = {needed.begin(), needed.end()}};
    if (integers.count("tokenX") > 0) {
      call.values["dequantScaleXOptional"] = {.layout = Layout{.dims = {6, 1}}};
    }
    if (results) {
      call.values["dequantScaleQNopeOutOptional"] = {.layout = Layout{.dims = {6, 2, 1}}};
    }
    for (const auto& [row, dims] : rows) {
      const aclDataType type = integers.count(row) > 0 ? ACL_INT8 : ACL_BF16;
      call.values[row] = {.layout = Layout{.dims = dims, .dtype = type}};
    }
    for (std::string_view row : factors) {
      const bool free = row == "smoothScalesCqOptional" && integers.count("weightUqQr") > 0;
      if (!free && needed.count(row) == 0) call.absent.push_back(row);
    }
    if (version > 2) {
      const bool tokens = integers.count("tokenX") > 0, keys = integers.count("kvCacheRef") > 0;
      const bool queries = integers.count("weightUqQr") > 0;
      call.sizes["J"] = {2};
      call.sizes["L"] = {3};
      call.values["weightQuantMode"] = Integer(tokens ? 2 : queries);
      call.values["kvCacheQuantMode"] = Integer(!keys ? 0 : tokens ? 1 : 2);
      call.values["queryQuantMode"] = Integer(tokens && keys);
      call.values["queryNormOutOptional"] = {
          .layout = Layout{.dims = {2, 3, 6}, .dtype = queries ? ACL_INT8 : ACL_BF16}};
      call.values["dequantScaleQNormOutOptional"] = {.layout = Layout{.dims = {6, 1}}};
      call.needed.push_back("cacheIndexOptional");
      if (queries) {
        call.needed.insert(call.needed.end(),
                           {"queryNormOutOptional", "dequantScaleQNormOutOptional"});
      }
    }
    hints[name + with] = std::move(call);
  };
  add("", {}, {});
  add("_with_integers", {"weightUqQr"}, {"dequantScaleWUqQrOptional"});
  add("_with_integer_caches", {"weightUqQr", "kvCacheRef", "krCacheRef"},
      {"dequantScaleWUqQrOptional", "quantScaleCkvOptional", "quantScaleCkrOptional"});
  std::set<std::string_view> integers = {"tokenX", "weightDq", "weightUqQr", "weightDkvKr"};
  std::set<std::string_view> needed = {"dequantScaleXOptional", "dequantScaleWDqOptional",
                                       "dequantScaleWUqQrOptional", "dequantScaleWDkvKrOptional"};
  add("_with_integer_tokens", integers, needed);
  if (!results) return;
  integers.insert({"kvCacheRef", "queryOut"});
  needed.insert({"quantScaleCkvOptional", "dequantScaleQNopeOutOptional"});
  add("_with_integer_queries", integers, needed);
}

// Numbers that are no INT32 are of the angles' type.
void FitQuantKvCache(Call& call, size_t changed) {
  constexpr std::string_view kName = "DequantRopeQuantKvcache";
  const size_t x = RowOf(kName, "x");
  if (call[x].layout->dtype == ACL_INT32) return;
  const aclDataType type = call[changed == x ? x : RowOf(kName, "cos")].layout->dtype;
  for (const char* row : {"x", "cos", "sin", "qOut", "kOut", "vOut"}) {
    call[RowOf(kName, row)].layout->dtype = type;
  }
}

void AddQuantKvCache(std::map<std::string, CallHints>& hints) {
  const std::map<std::string_view, CallArgument> texts = {{"quantModeOptional", {.text = "static"}},
                                                          {"layoutOptional", {.text = "BSND"}},
                                                          {"cacheModeOptional", {.text = "page"}}};
  CallHints call = {.sizes = {{"B", {2}},
                              {"S", {3}},
                              {"T", {5}},
                              {"H", {32}},
                              {"D", {8}},
                              {"Nq", {2}},
                              {"N", {1}},
                              {"E", {3}},
                              {"F", {4}},
                              {"I", {5}}},
                    .values = texts,
                    .fit = FitQuantKvCache,
                    .own_shapes = true};
  call.values["x"] = {.layout = Layout{.dims = {5, 32}, .dtype = ACL_INT32}};
  call.values["sizeSplits"] = Array({16, 8, 8});
  call.values["kvOutput"] = Integer(1);
  call.values["activationScaleOptional"] = {.layout = Layout{.dims = {5}}};
  call.needed = {"weightScaleOptional", "offsetKOptional", "offsetVOptional", "kOut", "vOut",
                 "cacheModeOptional"};
  hints["DequantRopeQuantKvcache"] = std::move(call);
}

void AddRotary(std::map<std::string, CallHints>& hints) {
  for (const char* name : {"ApplyRotaryPosEmb", "ApplyRotaryPosEmbV2"}) {
    hints[name] = {.sizes = {{"Q", {2, 3, 4}}, {"K", {2, 3, 1}}, {"C", {2, 3, 1}}, {"D", {8}}},
                   .own_shapes = true};
  }
  hints["ApplyRotaryPosEmbV2"].values = {{"rotaryMode", {.text = "half"}}};
  hints["InterleaveRope"] = {
      .sizes = {{"B", {2}}, {"N", {3}}, {"S", {5}}, {"D", {8}}, {"C", {2, 1, 5}}},
      .own_shapes = true};
  hints["RopeWithSinCosCache"] = {
      .sizes = {{"T", {5}}, {"Q", {32}}, {"K", {16}}, {"L", {9}}, {"R", {8}}},
      .values = {{"headSize", Integer(16)}, {"mropeSection", Array({0, 0, 0})}},
      .alternatives = {{"positions", 0}},
      .own_shapes = true};
  hints["RotaryPositionEmbeddingV2"] = {.sizes = {{"X", {2, 3}}, {"A", {2, 1}}, {"D", {8}}},
                                        .own_shapes = true};
  hints["RopeWithSinCosCacheV2"] = hints["RopeWithSinCosCache"];
  hints["KvRmsNormRopeCache"] = {
      .sizes = {{"B", {2}},
                {"S", {5}},
                {"D", {96}},
                {"Dv", {64}},
                {"R", {32}},
                {"C", {5}},
                {"I", {10}},
                {"E", {3}},
                {"F", {32}},
                {"G", {1}}},
      .values = {{"cacheModeOptional", {.text = "PA"}}, {"isOutputKv", Integer(1)}},
      .alternatives = {{"index", 0}},
      .absent = {"kRopeScaleOptional", "cKvScaleOptional", "kRopeOffsetOptional",
                 "cKvOffsetOptional"},
      .own_shapes = true,
      .own_types = true,
      .needed = {"cacheModeOptional"}};
  CallHints& second = hints["KvRmsNormRopeCacheV2"] = hints["KvRmsNormRopeCache"];
  second.sizes = {{"B", {2}},  {"N", {1}},  {"S", {5}},   {"D", {96}},  {"W", {64}}, {"H", {1}},
                  {"C", {5}},  {"R", {32}}, {"I", {10}},  {"E", {3}},   {"F", {32}}, {"G", {1}},
                  {"X", {32}}, {"Y", {64}}, {"Dv", {64}}, {"Ko", {32}}, {"Vo", {64}}};
  second.absent.push_back("vOptional");
  for (const std::string name : {"KvRmsNormRopeCache", "KvRmsNormRopeCacheV2"}) {
    CallHints quantised = hints[name];
    std::erase_if(quantised.absent, [](std::string_view other) { return other != "vOptional"; });
    for (const char* row :
         {"kRopeScaleOptional", "cKvScaleOptional", "kRopeOffsetOptional", "cKvOffsetOptional"}) {
      quantised.values[row] = {.layout = Layout{.dims = {1}}};
    }
    for (const auto& [row, columns] :
         {std::pair{"kCacheRef", int64_t{32}}, std::pair{"ckvCacheRef", int64_t{64}}}) {
      quantised.values[row] = {.layout = Layout{.dims = {3, 32, 1, columns}, .dtype = ACL_INT8}};
    }
    quantised.needed = {"kRopeScaleOptional", "cKvScaleOptional", "cacheModeOptional"};
    hints[name + "_with_factors"] = quantised;
  }
  CallHints values = second;
  values.absent.pop_back();
  values.sizes["N"] = values.sizes["G"] = {4};
  values.sizes["W"] = values.sizes["X"] = values.sizes["Ko"] = {96};
  values.needed.push_back("vOptional");
  hints["KvRmsNormRopeCacheV2_with_values"] = values;
  AddQuantKvCache(hints);
  AddProlog(hints, "MlaProlog", 1);
  AddProlog(hints, "MlaPrologV2WeightNz", 2);
  AddProlog(hints, "MlaPrologV3WeightNz", 3);
}

void AddSwigluQuant(std::map<std::string, CallHints>& hints) {
  for (const char* name : {"DequantSwigluQuant", "DequantSwigluQuantV2"}) {
    hints[name] = {.sizes = {{"B", {6}}, {"W", {8}}, {"P", {2}}, {"G", {2}}, {"H", {4}}},
                   .values = {{"quantModeOptional", {.text = "dynamic"}},
                              {"roundModeOptional", {.text = "rint"}},
                              {"activateDim", Integer(-1)},
                              {"x", {.layout = Layout{.dims = {6, 8}, .dtype = ACL_INT32}}},
                              {"activationScaleOptional", {.layout = Layout{.dims = {6}}}},
                              {"scaleOut", {.layout = Layout{.dims = {6}}}}},
                   .absent = {"quantOffsetOptional"},
                   .own_shapes = true,
                   .own_types = true,
                   .needed = {"weightScaleOptional", "groupIndexOptional", "quantModeOptional"}};
  }
  hints["DequantSwigluQuant"].values.erase("roundModeOptional");
  hints["DequantSwigluQuant"].values.erase("activateDim");
  for (const std::string name : {"DequantSwigluQuant", "DequantSwigluQuantV2"}) {
    CallHints fixed = hints[name];
    fixed.values["quantModeOptional"] = {.text = "static"};
    fixed.absent = {};
    fixed.needed = {"weightScaleOptional", "groupIndexOptional", "quantScaleOptional",
                    "quantOffsetOptional"};
    hints[name + "_with_offsets"] = fixed;
    // Scales and biases are those of products of integers.
    CallHints floats = hints[name];
    floats.values["x"] = {.layout = Layout{.dims = {6, 8}, .dtype = ACL_BF16}};
    floats.values.erase("activationScaleOptional");
    floats.absent = {"weightScaleOptional", "activationScaleOptional", "biasOptional",
                     "quantOffsetOptional"};
    floats.needed = {"groupIndexOptional", "quantModeOptional"};
    hints[name + "_with_floats"] = floats;
  }
  hints["GeluQuant"] = {.sizes = {{"S", {4}}},
                        .values = {{"self", {.layout = Layout{.dims = {6, 4}}}},
                                   {"y", {.layout = Layout{.dims = {6, 4}, .dtype = ACL_INT8}}},
                                   {"approximate", {.text = "tanh"}},
                                   {"quantMode", {.text = "dynamic"}},
                                   {"roundMode", {.text = "rint"}},
                                   {"dstType", Integer(ACL_INT8)},
                                   {"outScaleOptional", {.layout = Layout{.dims = {6}}}}},
                        .own_shapes = true,
                        .own_types = true,
                        .needed = {"inputScaleOptional", "outScaleOptional"}};
  CallHints& given = hints["GeluQuant_with_given_scales"] = hints["GeluQuant"];
  given.values["quantMode"] = {.text = "static"};
  given.values["approximate"] = {.text = "none"};
  given.values.erase("outScaleOptional");
  given.absent = {"outScaleOptional"};
  given.needed = {"inputScaleOptional"};
  hints["SwiGluQuantV2"] = {
      .sizes = {{"B", {6}}, {"W", {8}}, {"G", {2}}, {"H", {4}}, {"Y", {4}}},
      .values = {{"quantModeOptional", {.text = "static"}},
                 {"dstType", Integer(29)},
                 {"scaleOut", {.layout = Layout{.dims = {6}}}},
                 {"yOut", {.layout = Layout{.dims = {6, 4}, .dtype = ACL_INT4}}}},
      .fit =
          [](Call& call, size_t) {
            static const size_t y = RowOf("SwiGluQuantV2", "yOut");
            if (call[y].layout && call[y].layout->dtype == ACL_INT8) {
              call[y].layout->dims = {6, 2};
            }
          },
      .own_shapes = true,
      .needed = {"smoothScalesOptional", "offsetsOptional", "groupIndexOptional"}};
  CallHints& first = hints["SwiGluQuant"] = hints["SwiGluQuantV2"];
  first.values.erase("dstType");
  first.values.erase("yOut");
  first.fit = [](Call&, size_t) {};
}

void AddAttentionUpdate(std::map<std::string, CallHints>& hints) {
  hints["AttentionUpdate"] = {.sizes = {{"R", {3}}, {"D", {16}}},
                              .values = {{"updateType", Integer(1)}},
                              .needed = {"lseOut"}};
  hints["RingAttentionUpdate"] = hints["RingAttentionUpdateV2"] = {
      .sizes = {{"X", {4}}, {"Y", {3}}, {"Z", {24}}, {"N", {3}}, {"T", {4}}},
      .values = {{"actualSeqQlenOptional", Shaped({2}, ACL_INT64)},
                 {"inputLayoutOptional", {.text = "TND"}},
                 {"inputSoftmaxLayoutOptional", {.text = ""}}},
      .alternatives = {{"prevSoftmaxMax", 1},
                       {"prevSoftmaxSum", 1},
                       {"curSoftmaxMax", 1},
                       {"curSoftmaxSum", 1},
                       {"softmaxMaxOut", 1},
                       {"softmaxSumOut", 1}},
      .own_shapes = true,
      .needed = {"actualSeqQlenOptional", "inputLayoutOptional"}};
}

void AddSlices(std::map<std::string, CallHints>& hints) {
  hints["ScatterNdUpdate"] = {.sizes = {{"V", {4, 5, 6}}, {"I", {3}}, {"A", {2}}},
                              .values = {{"updates", {.layout = Layout{.dims = {3, 6}}}}},
                              .own_shapes = true};
  hints["InplaceScatterUpdate"] = {.sizes = {{"D", {4, 5, 6}}, {"U", {4, 2, 6}}, {"N", {4}}},
                                   .values = {{"axis", Integer(1)}},
                                   .alternatives = {{"indices", 1}},
                                   .own_shapes = true};
  hints["ScatterList"] = {.sizes = {{"V", {4, 5, 6}}, {"U", {4, 2, 6}}, {"B", {1}}},
                          .values = {{"axis", Integer(-2)}, {"reduceOptional", {.text = "update"}}},
                          .own_shapes = true,
                          .own_types = true};
  for (const std::string name : {"InplaceQuantScatter", "InplaceQuantScatterV2"}) {
    const bool later = name.ends_with("V2");
    CallHints bf16 = {
        .sizes = {{"B", {4}}, {"S", {5}}, {"N", {3}}, {"L", {2}}, {"D", {32}}, {"U", {3, 2}}},
        .values = {{"updates", {.layout = Layout{.dims = {3, 2, 32}, .dtype = ACL_BF16}}},
                   {"quantScales", {.layout = Layout{.dims = {1, 1, 32}, .dtype = ACL_BF16}}},
                   {"quantZeroPoints", {.layout = Layout{.dims = {1, 1, 32}, .dtype = ACL_BF16}}},
                   {"axis", Integer(-2)},
                   {"quantAxis", Integer(-1)},
                   {"roundMode", {.text = "rint"}}},
        .own_shapes = true,
        .own_types = true};
    if (later) bf16.sizes["S"] = {4, 5};
    if (!later) bf16.values.erase("roundMode"), bf16.sizes.erase("U");
    hints[name] = bf16;
    bf16.values["updates"].layout->dtype = ACL_FLOAT16;
    bf16.values["quantScales"].layout->dtype = ACL_FLOAT;
    bf16.values["quantZeroPoints"].layout->dtype = ACL_INT32;
    hints[name + "_with_halves"] = bf16;
  }
  hints["GatherPaKvCache"] = {.sizes = {{"B", {2}},
                                        {"L", {2}},
                                        {"T", {5}},
                                        {"NDk", {32}},
                                        {"NDv", {64}},
                                        {"b", {3}},
                                        {"r", {2}},
                                        {"h", {16}},
                                        {"c", {16}},
                                        {"vr", {4}},
                                        {"vh", {16}},
                                        {"vc", {16}}},
                              .values = {{"cacheMode", {.text = "PA_NZ"}}},
                              .own_shapes = true};
  hints["ScatterPaKvCache"] = {
      .sizes = {{"T", {5}},
                {"N", {2}},
                {"Dk", {16}},
                {"Dv", {32}},
                {"b", {3}},
                {"r", {16}},
                {"h", {2}},
                {"c", {16}},
                {"vr", {16}},
                {"vh", {2}},
                {"vc", {32}}},
      .values = {{"cacheModeOptional", {.text = "Norm"}},
                 {"scatterModeOptional", {.text = "Nct"}},
                 {"stridesOptional", Array({32, 64})},
                 {"offsetsOptional", Array({0, 0})}},
      .alternatives = {{"keyCacheRef", 0}, {"valueCacheRef", 2}},
      .absent = {"compressLensOptional", "compressSeqOffsetOptional", "seqLensOptional"},
      .own_shapes = true,
      .needed = {"stridesOptional", "offsetsOptional"}};
}

void AddSampling(std::map<std::string, CallHints>& hints) {
  hints["ApplyTopKTopP"] = {.sizes = {{"B", {3}}, {"V", {5}}}};
  hints["TopKTopPSample"] = {.sizes = {{"B", {3}}, {"V", {5}}}};
  hints["AdvanceStep"] = {
      .sizes = {{"numSeqs", {3}}, {"numQueries", {2}}, {"M", {4}}},
      .values = {{"numSeqs", Integer(3)}, {"numQueries", Integer(2)}, {"blockSize", Integer(8)}},
      .own_shapes = true};
  hints["AdvanceStepV2"] = {
      .sizes = {{"numSeqs", {3}}, {"P", {3}}, {"E", {9}}, {"K", {2}}, {"M", {4}}},
      .values = {{"numSeqs", Integer(3)}, {"numQueries", Integer(3)}, {"blockSize", Integer(8)}},
      .own_shapes = true};
  hints["MoeGatingTopKBackward"] = {.sizes = {{"E", {5}}, {"K", {3}}}};
  hints["MoeComputeExpertTokens"] = {.sizes = {{"S", {6}}, {"numExperts", {3}}},
                                     .values = {{"numExperts", Integer(3)}},
                                     .own_shapes = true};
}

void AddNormQuant(std::map<std::string, CallHints>& hints) {
  hints["AddRmsNormQuant"] = {
      .sizes = {{"X", {3, 8}}, {"G", {8}}}, .own_shapes = true, .needed = {"scales2Optional"}};
  hints["AddRmsNormQuantV2"] = hints["AddRmsNormQuant"];
  hints["AddLayerNorm"] = {.sizes = {{"X", {3, 8}}, {"G", {8}}, {"M", {3, 1}}, {"R", {3, 1}}},
                           .values = {{"biasOptional", {.layout = Layout{.dims = {8}}}}},
                           .own_shapes = true,
                           .own_types = true};
  hints["AddRmsNormCast"] = {.sizes = {{"X", {3, 8}}, {"G", {8}}, {"R", {3, 1}}},
                             .own_shapes = true};
  hints["RmsNormQuant"] = {.own_shapes = true};
  hints["LayerNormQuant"] = {.own_shapes = true};
  const CallArgument quantised = {.layout = Layout{.dims = {3, 8}, .dtype = ACL_INT8}};
  hints["AddLayerNormQuant"] = {.sizes = {{"X", {3, 8}}, {"G", {8}}, {"S", {8}}},
                                .values = {{"biasOptional", {.layout = Layout{.dims = {8}}}},
                                           {"quantMode", {.text = "static"}},
                                           {"y2Out", quantised}},
                                .own_shapes = true,
                                .own_types = true,
                                .needed = {"scales1Optional", "scales2Optional",
                                           "zeroPoints1Optional", "zeroPoints2Optional"}};
  hints["AddLayerNormQuantV2"] = hints["AddLayerNormQuant"];
  hints["RmsNormGradQuant"] = {.sizes = {{"X", {3, 8}}, {"G", {8}}, {"R", {3}}},
                               .values = {{"quantMode", {.text = "static"}}},
                               .own_shapes = true,
                               .own_types = true};
  hints["RmsNormQuantV3"] = {
      .sizes = {{"B", {2, 3}}, {"D", {16}}, {"S", {16}}},
      .values = {{"outputRstd", Integer(1)}, {"rstd", {.layout = Layout{.dims = {2, 3, 1}}}}},
      .own_shapes = true};
  // y1Out and y2Out, scale1Out and scale2Out, whose shapes follow from x1.
  const CallArgument integers = {.layout = Layout{.dims = {2, 3, 4}, .dtype = ACL_INT8}};
  const CallArgument steps = {.layout = Layout{.dims = {2, 3}}};
  hints["AddRmsNormDynamicQuant"] = {.values = {{"y1Out", integers},
                                                {"y2Out", integers},
                                                {"scale1Out", steps},
                                                {"scale2Out", steps}},
                                     .own_shapes = true,
                                     .needed = {"smoothScale1Optional"}};
  hints["AddRmsNormDynamicQuantV2"] = hints["AddRmsNormDynamicQuant"];
  hints["AddRmsNormDynamicQuantV2"].values["outputMaskOptional"] = Array({1, 1});
  hints["AddRmsNormDynamicQuantV2"].own_types = true;
  hints["AddRmsNormDynamicQuantV2"].needed = {};  // the mask asks for both results
  CallHints& halves = hints["AddRmsNormDynamicQuantV2_with_INT4"];
  halves = hints["AddRmsNormDynamicQuantV2"];
  for (const char* name : {"y1Out", "y2Out"}) halves.values[name].layout->dtype = ACL_INT4;
  hints["RmsNormDynamicQuant"] = {.values = {{"dstType", Integer(ACL_INT8)}}, .own_shapes = true};
  hints["AdaLayerNorm"] = {
      .sizes = {{"B", {2}}, {"S", {3}}, {"H", {8}}, {"C", {2, 8}}, {"D", {2, 8}}},
      .own_shapes = true};
  hints["AdaLayerNormV2"] = hints["AdaLayerNormBackward"] = hints["AdaLayerNormQuant"] =
      hints["AdaLayerNorm"];
  hints["AdaLayerNormV2"].own_types = hints["AdaLayerNormBackward"].own_types = true;
  hints["AdaLayerNormBackward"].values = {{"normalizedShape", Array({8})}};
  hints["AdaLayerNormQuant"].values = {{"quantMode", {.text = "dynamic"}}};
  hints["AdaLayerNormQuant"].absent = {"quantOffsetOptional"};
  hints["DeepNorm"] = {.sizes = {{"X", {3, 8}}, {"G", {8}}, {"M", {3, 1}}, {"R", {3, 1}}},
                       .own_shapes = true};
}

void AddLinearAttention(std::map<std::string, CallHints>& hints) {
  hints["GeluMul"] = {.sizes = {{"X", {2, 6}}, {"Y", {2, 3}}},
                      .values = {{"approximateOptional", {.text = "tanh"}}},
                      .own_shapes = true};
  hints["FatreluMul"] = {.sizes = {{"X", {2, 6}}, {"Y", {2, 3}}, {"T", {1}}}, .own_shapes = true};
  hints["ThnnFusedLstmCell"] = {
      .sizes = {{"G", {16}}},
      .own_shapes = true,
      .needed = {"inputBiasOptional", "hiddenBiasOptional"},
  };
  hints["ThnnFusedLstmCellBackward"] = {
      .sizes = {{"G", {16}}}, .values = {{"hasBias", Integer(1)}}, .own_shapes = true};
  hints["ClippedSwigluGrad"] = {.sizes = {{"X", {2, 6}}, {"Y", {1, 6}}}, .own_shapes = true};
  hints["ClippedSwiglu"] = {.sizes = {{"Y", {1, 3}}}, .own_shapes = true};
  hints["InplaceAddRmsNorm"] = {.sizes = {{"X", {3, 8}}, {"G", {8}}, {"R", {3, 1}}},
                                .own_shapes = true};
  hints["MaskedCausalConv1d"].own_shapes = true;  // any number of taps
  hints["FusedCausalConv1d"] = {
      .sizes = {{"P", {5}}},
      .values = {{"blockSize", Integer(2)}},
      .own_shapes = true,
      .needed = {"cacheIndices", "numComputedTokens", "blockIdxFirstScheduledToken",
                 "blockIdxLastScheduledToken", "initialStateIdx"}};
  hints["InplaceFusedCausalConv1d"] = hints["FusedCausalConv1d"];
}

}  // namespace

void AddInference(std::map<std::string, CallHints>& hints) {
  AddRotary(hints);
  AddSwigluQuant(hints);
  AddAttentionUpdate(hints);
  AddSlices(hints);
  AddNormQuant(hints);
  AddSampling(hints);
  AddLinearAttention(hints);
}

}  // namespace anyacl::test
