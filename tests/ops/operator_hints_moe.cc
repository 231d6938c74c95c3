// SPDX-License-Identifier: Apache-2.0
// Calls of operators that route tokens to experts, and permute them.
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
  const CallArgument range = Array({1, 5});
  hints["MoeTokenPermuteWithEp"] = {
      .sizes = sizes,
      .values = {{"rangeOptional", range}, {"numOutTokens", Integer(4)}},
      .own_shapes = true,
      .needed = {"permuteProbsOut"}};
  hints["MoeTokenPermuteWithEp"].sizes["R"] = {4};
  hints["MoeTokenPermuteWithEpGrad"] = {
      .sizes = {{"N", {3}}, {"L", {6}}, {"R", {4}}, {"S", {4}}, {"numTopk", {2}}},
      .values = {{"numTopk", Integer(2)}, {"rangeOptional", range}},
      .own_shapes = true,
      .needed = {"probsGradOut"}};
  hints["MoeTokenUnpermuteWithEp"] = {.sizes = {{"N", {3}}, {"K", {2}}, {"L", {6}}, {"R", {4}}},
                                      .values = {{"numTopk", Integer(2)}, {"rangeOptional", range}},
                                      .own_shapes = true};
  hints["MoeTokenUnpermuteWithEpGrad"] = {
      .sizes = {{"N", {3}}, {"K", {2}}, {"L", {6}}, {"R", {4}}},
      .values = {{"topkNum", Integer(2)}, {"rangeOptional", range}},
      .own_shapes = true,
      .needed = {"permutedTokensOptional", "probsGradOut"}};
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

// Rows of tokens as integers.
void AddQuantisedRouting(std::map<std::string, CallHints>& hints) {
  hints["MoeInitRoutingQuant"] = {.sizes = {{"N", {3}}, {"K", {2}}, {"P", {6}}, {"A", {6}}},
                                  .values = {{"activeNum", Integer(3)}},
                                  .own_shapes = true};
  hints["MoeInitRoutingQuantV2"] = {
      .sizes = {{"N", {3}}, {"K", {2}}, {"P", {6}}, {"A", {6}}},
      .values = {{"scaleOptional", {.layout = Layout{.dims = {1}}}},
                 {"offsetOptional", {.layout = Layout{.dims = {1}}}}},
      .alternatives = {{"expandedXOut", 0}},
      .own_shapes = true,
      .own_types = true,
      .needed = {"scaleOptional", "offsetOptional"},
      .type_codes = {{"scaleOptional", ACLNN_ERR_INNER_TILING_ERROR},
                     {"offsetOptional", ACLNN_ERR_INNER_TILING_ERROR},
                     {"expertTokensCountOrCumsumOutOptional", ACLNN_ERR_INNER_TILING_ERROR},
                     {"expertTokensBeforeCapacityOutOptional", ACLNN_ERR_INNER_TILING_ERROR},
                     {"dynamicQuantScaleOutOptional", ACLNN_ERR_INNER_TILING_ERROR}}};
  hints["MoeInitRoutingQuantV2_with_int4"] = hints["MoeInitRoutingQuantV2"];
  CallHints& int4 = hints["MoeInitRoutingQuantV2_with_int4"];
  int4.values = {{"quantMode", Integer(1)},
                 {"expandedXOut", {.layout = Layout{.dims = {6, 4}, .dtype = ACL_INT4}}},
                 {"dynamicQuantScaleOutOptional", {.layout = Layout{.dims = {6}}}}};
  int4.absent = {"scaleOptional", "offsetOptional"};
  int4.needed = {"dynamicQuantScaleOutOptional"};
  hints["MoeReRouting"].own_shapes = true;  // any number of ranks
}

// A further call that has the optional arguments which the plain one leaves out.
CallHints Whole(const CallHints& plain, const std::vector<std::string_view>& needed) {
  CallHints whole = plain;
  whole.absent.clear();
  whole.needed = needed;
  return whole;
}

}  // namespace

void AddRouting(std::map<std::string, CallHints>& hints) {
  AddPermuted(hints);
  AddQuantisedRouting(hints);
  hints["MoeGatingTopKSoftmax"] = {
      .sizes = {{"E", {5}}}, .values = {{"k", Integer(4)}}, .own_shapes = true};
  hints["MoeGatingTopKSoftmaxV2"] = hints["MoeGatingTopKSoftmax"];
  hints["MoeGatingTopK"] = {
      .sizes = {{"E", {5}}},
      .values = {{"k", Integer(4)}, {"kGroup", Integer(1)}, {"groupCount", Integer(1)}},
      .own_shapes = true};
  hints["MoeGatingTopKV2"] = hints["MoeGatingTopK"];
  hints["MoeInitRouting"] = {.sizes = {{"N", {3}}, {"K", {2}}, {"P", {6}}, {"A", {6}}},
                             .values = {{"activeNum", Integer(3)}},
                             .own_shapes = true};
  hints["MoeInitRoutingV2"] = {.sizes = {{"N", {3}}, {"K", {2}}, {"P", {6}}, {"A", {6}}},
                               .alternatives = {{"expandedXOut", 0}},
                               .own_shapes = true};
  hints["MoeInitRoutingV3"] = {
      .sizes = {{"N", {3}}, {"K", {2}}, {"P", {6}}, {"A", {6}}},
      .values = {{"quantMode", Integer(-1)}, {"activeExpertRangeOptional", Array({0, 1})}},
      .alternatives = {{"expandedXOut", 0}},
      .absent = {"scaleOptional", "offsetOptional"},
      .own_shapes = true,
      .own_types = true};
  hints["MoeInitRoutingV2Grad"] = {.sizes = {{"N", {3}}, {"L", {6}}, {"R", {6}}},
                                   .values = {{"topK", Integer(2)}},
                                   .alternatives = {{"gradExpandedX", 0}},
                                   .own_shapes = true};
  hints["MoeFinalizeRoutingV2Grad"] = {
      .sizes = {{"N", {3}}, {"K", {2}}, {"L", {6}}, {"R", {6}}},
      .alternatives = {{"expandedXOptional", 0}, {"gradExpandedXOut", 0}},
      .own_shapes = true,
      .needed = {"expandedXOptional", "scalesOptional", "expertIdxOptional", "gradScalesOut"}};
  hints["MoeFinalizeRouting"] = {.sizes = {{"N", {3}}, {"K", {2}}, {"P", {6}}}, .own_shapes = true};
  hints["MoeFinalizeRoutingV2"] = {
      .sizes = {{"N", {3}}, {"K", {2}}, {"P", {6}}},
      .alternatives = {{"expandedX", 0}},
      .absent = {"x1Optional", "x2Optional", "biasOptional", "expertIdxOptional"},
      .own_shapes = true,
      .own_types = true,
      .needed = {"scalesOptional"}};
  for (const std::string name : {"MoeFinalizeRoutingV3", "MoeFinalizeRoutingV4"}) {
    hints[name] = hints["MoeFinalizeRoutingV2"];
    hints[name].absent.insert(hints[name].absent.end(),
                              {"xOptional", "alpha1Optional", "alpha2Optional", "vOptional"});
    for (const char* range : {"zeroExpertRange", "copyExpertRange", "constantExpertRange"}) {
      hints[name].values[range] = Array({-1, -1});
    }
    CallHints& whole = hints[name + "_with_all"] =
        Whole(hints[name], {"x1Optional", "expertIdxOptional", "scalesOptional", "xOptional",
                            "alpha1Optional", "alpha2Optional", "vOptional"});
    whole.sizes["S"] = {1};
    whole.values = {{"zeroExpertRange", Array({0, 1})},
                    {"copyExpertRange", Array({1, 2})},
                    {"constantExpertRange", Array({2, 3})}};
  }
  hints["MoeUpdateExpert"] = {
      .sizes = {{"Bs", {3}}, {"K", {2}}, {"E", {4}}, {"F", {3}}},
      .values = {{"worldSize", Integer(4)}},
      .absent = {"expertScalesOptional", "pruningThresholdOptional", "activeMaskOptional"},
      .own_shapes = true};
  hints["MoeFinalizeRoutingV2_with_all"] =
      Whole(hints["MoeFinalizeRoutingV2"], {"x1Optional", "expertIdxOptional", "scalesOptional"});
  hints["MoeUpdateExpert_with_all"] =
      Whole(hints["MoeUpdateExpert"], {"expertScalesOptional", "pruningThresholdOptional"});
}

}  // namespace anyacl::test
