// SPDX-License-Identifier: Apache-2.0
// Right calls of operators on permuted tokens, on positions and on caches.
#include "ops/operator_hints.h"

namespace anyacl::test {
namespace {

void AddPermuted(std::map<std::string, CallHints>& hints) {
  const std::map<std::string_view, std::vector<int64_t>> sizes = {
      {"N", {3}}, {"K", {2}}, {"L", {6}}, {"R", {6}}, {"E", {5}}, {"T", {4}}, {"P", {4}}};
  hints["MoeTokenPermute"] = {.sizes = sizes, .own_shapes = true};
  hints["MoeTokenPermuteGrad"] = {.sizes = {{"N", {3}}, {"L", {6}}, {"R", {6}}},
                                  .values = {{"numTopk", Integer(2)}},
                                  .own_shapes = true};
  hints["MoeTokenUnpermute"] = {.sizes = {{"N", {3}}, {"K", {2}}, {"L", {6}}, {"R", {6}}},
                                .own_shapes = true,
                                .needed = {"probsOptional"}};
  hints["MoeTokenUnpermuteGrad"] = {
      .sizes = {{"N", {3}}, {"K", {2}}, {"L", {6}}, {"R", {6}}},
      .values = {{"probsGradOut", {.layout = Layout{.dims = {3, 2}}}}},
      .own_shapes = true,
      .needed = {"permutedTokensOptional", "probsOptional", "probsGradOut"}};
  hints["MoeTokenPermuteWithRoutingMap"] = {.sizes = {{"N", {3}}, {"E", {5}}, {"R", {6}}},
                                            .values = {{"numOutTokens", Integer(6)}},
                                            .own_shapes = true,
                                            .own_types = true,
                                            .needed = {"probsOptional", "permuteProbsOutOptional"}};
  hints["MoeTokenPermuteWithRoutingMapGrad"] = {
      .sizes = {{"tokensNum", {3}}, {"numExperts", {5}}, {"R", {6}}},
      .values = {{"tokensNum", Integer(3)}, {"numExperts", Integer(5)}},
      .own_shapes = true,
      .own_types = true,
      .needed = {"routingMapOptional"}};
  hints["MoeTokenUnpermuteWithRoutingMap"] = {
      .sizes = {{"N", {3}}, {"E", {5}}, {"L", {6}}, {"R", {6}}},
      .values = {{"restoreShapeOptional", Array({3, 4})}},
      .own_shapes = true,
      .own_types = true,
      .needed = {"routingMapOptional", "permuteProbs"}};
  hints["MoeTokenUnpermuteWithRoutingMapGrad"] = {
      .sizes = {{"N", {3}}, {"E", {5}}, {"L", {6}}},
      .own_shapes = true,
      .own_types = true,
      .needed = {"routingMapOptional", "permutedTokensOptional", "probsGradOutOptional"}};
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
  CallHints quantised = hints["KvRmsNormRopeCache"];
  quantised.absent = {};
  for (const char* name :
       {"kRopeScaleOptional", "cKvScaleOptional", "kRopeOffsetOptional", "cKvOffsetOptional"}) {
    quantised.values[name] = {.layout = Layout{.dims = {1}}};
  }
  for (const auto& [name, columns] :
       {std::pair{"kCacheRef", int64_t{32}}, std::pair{"ckvCacheRef", int64_t{64}}}) {
    quantised.values[name] = {.layout = Layout{.dims = {3, 32, 1, columns}, .dtype = ACL_INT8}};
  }
  quantised.needed = {"kRopeScaleOptional", "cKvScaleOptional", "cacheModeOptional"};
  hints["KvRmsNormRopeCache_with_factors"] = quantised;
}

}  // namespace

void AddInference(std::map<std::string, CallHints>& hints) {
  AddPermuted(hints);
  AddRotary(hints);
}

}  // namespace anyacl::test
