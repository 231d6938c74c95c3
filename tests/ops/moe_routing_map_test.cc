// SPDX-License-Identifier: Apache-2.0
// Tokens permuted by a map of tokens and experts, back and both gradients against the documents'
// formulas in double precision.
#include <algorithm>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_token_permute_with_routing_map.h"
#include "aclnnop/aclnn_moe_token_permute_with_routing_map_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map_grad.h"
#include "ops/moe_permuted.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Mapping {
  int64_t tokens = 6, length = 20, experts = 5;
  int64_t most = 3;  // experts of a token, or tokens of an expert if padded
  bool pads = false;
  bool lacks = false;  // some tokens have fewer experts
  aclDataType type = ACL_FLOAT, prob_type = ACL_FLOAT, map_type = ACL_BOOL;
  bool probs = true;
  bool strided = false;
  bool bare = false;  // the sum gets neither a map nor a shape where it needs none

  int64_t rows() const { return most * (pads ? experts : tokens); }
};

class MoeRoutingMapTest : public PermutedTest {
 protected:
  // What a place of sortedIndices stands for; a row of -1 is none.
  struct Place {
    int64_t token, row, expert;
  };

  static aclTensor* HandleIf(bool given, const Tensor& tensor) {
    return given ? tensor.handle() : nullptr;
  }

  Numbers DrawMap(const Mapping& c) {
    Numbers map(static_cast<size_t>(c.tokens * c.experts));
    for (int64_t t = 0; t < c.tokens; ++t) {
      std::vector<int64_t> experts(static_cast<size_t>(c.experts));
      std::iota(experts.begin(), experts.end(), int64_t{0});
      for (size_t i = experts.size(); i > 1; --i) {
        std::swap(experts[i - 1],
                  experts[static_cast<size_t>(random().Int(0, static_cast<int64_t>(i) - 1))]);
      }
      int64_t count = std::min(c.most, c.experts);
      if (c.pads || c.lacks) count = random().Int(0, count);
      for (int64_t k = 0; k < count; ++k) {
        map[At(t, c.experts, experts[static_cast<size_t>(k)])] = 1;
      }
    }
    return map;
  }

  // Unpadded: rows are the map's pairs by expert, places by token. Padded: an expert's rows are its
  // tokens, then the others.
  static std::vector<Place> PlacesOf(const Mapping& c, const Numbers& map) {
    std::vector<Place> places;
    if (c.pads) {
      for (int64_t e = 0; e < c.experts; ++e) {
        std::vector<int64_t> tokens;
        for (double wanted : {1.0, 0.0}) {
          for (int64_t t = 0; t < c.tokens; ++t) {
            if (map[At(t, c.experts, e)] == wanted) tokens.push_back(t);
          }
        }
        for (int64_t i = 0; i < c.most; ++i) {
          places.push_back({tokens[static_cast<size_t>(i)], e * c.most + i, e});
        }
      }
      return places;
    }
    Integers rows(map.size());
    int32_t next = 0;
    for (int64_t e = 0; e < c.experts; ++e) {
      for (int64_t t = 0; t < c.tokens; ++t) {
        if (map[At(t, c.experts, e)] > 0) rows[At(t, c.experts, e)] = next++;
      }
    }
    for (int64_t t = 0; t < c.tokens; ++t) {
      int64_t count = 0;
      for (int64_t e = 0; e < c.experts; ++e) {
        if (map[At(t, c.experts, e)] == 0) continue;
        places.push_back({t, rows[At(t, c.experts, e)], e});
        ++count;
      }
      for (; count < c.most; ++count) places.push_back({t, -1, -1});
    }
    return places;
  }
  static Integers SortedOf(const Mapping& c, const std::vector<Place>& places) {
    Integers sorted;
    for (const Place& p : places) sorted.push_back(static_cast<int32_t>(c.pads ? p.token : p.row));
    return sorted;
  }
  static std::vector<Linked> LinksOf(const Mapping& c, const std::vector<Place>& places,
                                     const Numbers* probs, std::vector<int64_t>* factors) {
    std::vector<Linked> links;
    for (const Place& p : places) {
      if (p.row < 0) continue;
      const size_t at = At(p.token, c.experts, p.expert);
      links.push_back({p.token, p.row, probs != nullptr ? (*probs)[at] : 1});
      factors->push_back(static_cast<int64_t>(at));
    }
    return links;
  }

  void CheckPermute(const Mapping& c, const Numbers& map, const std::vector<Place>& places) {
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -9, 9);
    const Numbers p = Drawn(c.prob_type, map.size(), -2, 2);
    const Tensor tokens = Holding({c.tokens, c.length}, c.type, x, c.strided);
    const Tensor map_in = Holding({c.tokens, c.experts}, c.map_type, map, c.strided);
    const Tensor probs = Holding({c.tokens, c.experts}, c.prob_type, p, c.strided);
    const Tensor permuted = Made({c.rows(), c.length}, c.type, c.strided);
    const Tensor permuted_probs = Made({c.rows()}, c.prob_type, c.strided);
    const Tensor sorted = Made({c.rows()}, ACL_INT32, c.strided);
    // A remainder is cut off.
    const int64_t groups = c.pads ? c.experts : c.tokens;
    const int64_t wanted = std::clamp<int64_t>(c.rows() + groups - 1, 0, c.tokens * c.experts);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteWithRoutingMapGetWorkspaceSize(
              tokens.handle(), map_in.handle(), HandleIf(c.probs, probs), wanted, c.pads,
              permuted.handle(), HandleIf(c.probs, permuted_probs), sorted.handle(), s, e);
        },
        aclnnMoeTokenPermuteWithRoutingMap);
    Numbers rows(static_cast<size_t>(c.rows() * c.length)), factors(static_cast<size_t>(c.rows()));
    for (const Place& place : places) {
      if (place.row < 0) continue;
      std::copy_n(x.begin() + place.token * c.length, c.length,
                  rows.begin() + place.row * c.length);
      factors[static_cast<size_t>(place.row)] = p[At(place.token, c.experts, place.expert)];
    }
    EXPECT_EQ(ReadAs(permuted), rows);
    EXPECT_EQ(sorted.Read<int32_t>(), SortedOf(c, places));
    if (c.probs) {
      EXPECT_EQ(ReadAs(permuted_probs), factors);
    }
    for (const Tensor* t : {&permuted, &permuted_probs, &sorted}) EXPECT_TRUE(t->GuardsIntact());
  }

  void CheckPermuteGrad(const Mapping& c, const Numbers& map, const std::vector<Place>& places) {
    const Numbers g = Drawn(c.type, static_cast<size_t>(c.rows() * c.length), -2, 2);
    const Numbers pg = Drawn(c.prob_type, static_cast<size_t>(c.rows()), -2, 2);
    const Tensor grad = Holding({c.rows(), c.length}, c.type, g, c.strided);
    const Tensor probs_grad = Holding({c.rows()}, c.prob_type, pg, c.strided);
    const Tensor sorted = Holding({c.rows()}, ACL_INT32, AsNumbers(SortedOf(c, places)), c.strided);
    const Tensor map_in = Holding({c.tokens, c.experts}, c.map_type, map, c.strided);
    const Tensor out = Made({c.tokens, c.length}, c.type, c.strided);
    const Tensor probs_out = Made({c.tokens, c.experts}, c.prob_type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteWithRoutingMapGradGetWorkspaceSize(
              grad.handle(), HandleIf(c.probs, probs_grad), sorted.handle(), map_in.handle(),
              c.experts, c.tokens, c.pads, out.handle(), HandleIf(c.probs, probs_out), s, e);
        },
        aclnnMoeTokenPermuteWithRoutingMapGrad);
    std::vector<int64_t> at;
    const std::vector<Linked> links = LinksOf(c, places, nullptr, &at);
    ExpectSums(out, g, links, c.experts);
    if (!c.probs) return;
    Numbers expected(map.size());
    for (size_t i = 0; i < links.size(); ++i) {
      expected[static_cast<size_t>(at[i])] = pg[static_cast<size_t>(links[i].row)];
    }
    EXPECT_EQ(ReadAs(probs_out), expected);
    EXPECT_TRUE(probs_out.GuardsIntact());
  }

  // Gives the order that its gradient takes.
  void CheckUnpermute(const Mapping& c, const Numbers& map, const std::vector<Place>& places,
                      Integers* order, Integers* token_ids) {
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.rows() * c.length), -2, 2);
    const Numbers p = Drawn(c.prob_type, map.size(), -2, 2);
    const Tensor permuted = Holding({c.rows(), c.length}, c.type, x, c.strided);
    const Tensor sorted = Holding({c.rows()}, ACL_INT32, AsNumbers(SortedOf(c, places)), c.strided);
    const Tensor map_in = Holding({c.tokens, c.experts}, c.map_type, map, c.strided);
    const Tensor probs = Holding({c.tokens, c.experts}, c.prob_type, p, c.strided);
    const Tensor out = Made({c.tokens, c.length}, c.type, c.strided);
    const Tensor rows = Made({c.rows()}, ACL_INT32, c.strided);
    const Tensor tokens = Made({c.rows()}, ACL_INT32, c.strided);
    const Tensor permuted_probs = Made({c.rows()}, c.prob_type, c.strided);
    const std::vector<int64_t> restored = {c.tokens, c.length};
    aclIntArray* const shape = aclCreateIntArray(restored.data(), 2);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteWithRoutingMapGetWorkspaceSize(
              permuted.handle(), sorted.handle(), HandleIf(!c.bare || (c.probs && !c.pads), map_in),
              HandleIf(c.probs, probs), c.pads, c.bare && c.probs ? nullptr : shape, out.handle(),
              rows.handle(), tokens.handle(), HandleIf(c.probs, permuted_probs), s, e);
        },
        aclnnMoeTokenUnpermuteWithRoutingMap);
    aclDestroyIntArray(shape);
    std::vector<int64_t> at;
    ExpectSums(out, x, LinksOf(c, places, c.probs ? &p : nullptr, &at), c.experts);
    std::vector<Place> ordered = places;
    if (c.pads) {
      std::stable_sort(ordered.begin(), ordered.end(),
                       [](const Place& a, const Place& b) { return a.token < b.token; });
    }
    for (const Place& place : ordered) {
      order->push_back(static_cast<int32_t>(place.row));
      token_ids->push_back(static_cast<int32_t>(place.token));
    }
    EXPECT_EQ(rows.Read<int32_t>(), *order);
    EXPECT_EQ(tokens.Read<int32_t>(), *token_ids);
    if (!c.probs) return;
    Numbers factors;
    for (const Place& place : places) {
      factors.push_back(place.expert < 0 ? 0 : p[At(place.token, c.experts, place.expert)]);
    }
    EXPECT_EQ(ReadAs(permuted_probs), factors);
    for (const Tensor* t : {&rows, &tokens, &permuted_probs}) EXPECT_TRUE(t->GuardsIntact());
  }

  void CheckUnpermuteGrad(const Mapping& c, const Numbers& map, const std::vector<Place>& places,
                          const Integers& order, const Integers& token_ids,
                          aclDataType gradient_type) {
    const Numbers g = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -2, 2);
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.rows() * c.length), -2, 2);
    const Numbers p = Drawn(c.prob_type, map.size(), -2, 2);
    const Tensor grad = Holding({c.tokens, c.length}, c.type, g, c.strided);
    const Tensor rows = Holding({c.rows()}, ACL_INT32, AsNumbers(order), c.strided);
    const Tensor tokens = Holding({c.rows()}, ACL_INT32, AsNumbers(token_ids), c.strided);
    const Tensor map_in = Holding({c.tokens, c.experts}, c.map_type, map, c.strided);
    const Tensor permuted = Holding({c.rows(), c.length}, c.type, x, c.strided);
    const Tensor probs = Holding({c.tokens, c.experts}, c.prob_type, p, c.strided);
    const Tensor out = Made({c.rows(), c.length}, c.type, c.strided);
    const Tensor probs_out = Made({c.tokens, c.experts}, gradient_type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(
              grad.handle(), rows.handle(), tokens.handle(), map_in.handle(), permuted.handle(),
              HandleIf(c.probs, probs), c.pads, nullptr, out.handle(), HandleIf(c.probs, probs_out),
              s, e);
        },
        aclnnMoeTokenUnpermuteWithRoutingMapGrad);
    std::vector<int64_t> at;
    const std::vector<Linked> links = LinksOf(c, places, c.probs ? &p : nullptr, &at);
    ExpectRows(out, g, links);
    if (c.probs) ExpectFactors(probs_out, g, x, c.length, links, at);
  }

  // Results stay as they were.
  void ExpectUntouched(const Phase1& phase1, Phase2 phase2, std::string_view word,
                       std::initializer_list<Tensor*> results) {
    const auto sevens = [](const Tensor& t) { return Numbers(static_cast<size_t>(t.count()), 7); };
    for (Tensor* t : results) WriteAs(*t, sevens(*t));
    ExpectTaskFails(phase1, phase2, word);
    for (const Tensor* t : results) EXPECT_EQ(ReadAs(*t), sevens(*t)) << word;
  }

  void Check(const Mapping& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " experts " << c.experts << " most "
                 << c.most << " pads " << c.pads << " lacks " << c.lacks << " types " << c.type
                 << " " << c.prob_type << " " << c.map_type << " probs " << c.probs << " strided "
                 << c.strided << " bare " << c.bare);
    const Numbers map = DrawMap(c);
    const std::vector<Place> places = PlacesOf(c, map);
    CheckPermute(c, map, places);
    CheckPermuteGrad(c, map, places);
    Integers order, token_ids;
    CheckUnpermute(c, map, places, &order, &token_ids);
    CheckUnpermuteGrad(c, map, places, order, token_ids, c.prob_type);
    // torch_npu passes rows twice unless they are padded, and wants a gradient of the tokens' type.
    if (!c.pads) CheckUnpermuteGrad(c, map, places, order, order, c.type);
  }
};

TEST_F(MoeRoutingMapTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool pads : {false, true}) {
      for (bool strided : {false, true}) {
        for (bool probs : {false, true}) {
          Check({.pads = pads,
                 .type = type,
                 .prob_type = type,
                 .map_type = probs ? ACL_BOOL : ACL_INT8,
                 .probs = probs,
                 .strided = strided,
                 .bare = strided});
        }
        Check({.pads = pads,
               .lacks = true,
               .type = type,
               .prob_type = type == ACL_BF16 ? ACL_FLOAT : type,
               .map_type = ACL_INT8,
               .strided = strided});
      }
      Check({.tokens = 200,
             .length = 1100,
             .experts = 33,
             .most = 8,
             .pads = pads,
             .lacks = true,
             .type = type,
             .prob_type = type});
      Check({.most = 5, .pads = pads, .type = type, .prob_type = type});
      Check({.most = 1, .pads = pads, .type = type, .prob_type = type});
    }
  }
}

TEST_F(MoeRoutingMapTest, OfNothingIsNothing) {
  for (bool pads : {false, true}) {
    const Mapping none = {.length = 0, .pads = pads};
    const Numbers map = DrawMap(none);
    CheckPermute(none, map, PlacesOf(none, map));
    Mapping empty = {.tokens = 0, .most = 0, .pads = pads};
    CheckPermute(empty, {}, {});
    Integers order, ids;
    CheckUnpermute(empty, {}, {}, &order, &ids);
    CheckUnpermuteGrad(empty, {}, {}, order, ids, ACL_FLOAT);
  }
}

TEST_F(MoeRoutingMapTest, DataThatDoesNotFitFails) {
  const Tensor tokens = Made({3, 4}, ACL_FLOAT), probs = Made({3, 3}, ACL_FLOAT);
  Tensor rows = Made({6, 4}, ACL_FLOAT), out = Made({3, 4}, ACL_FLOAT);
  Tensor row_probs = Made({6}, ACL_FLOAT), probs_grad = Made({3, 3}, ACL_FLOAT);
  Tensor ids = Made({6}, ACL_INT32), other_ids = Made({6}, ACL_INT32);
  Tensor grads = Made({6, 4}, ACL_FLOAT);
  const Tensor full = Holding({3, 3}, ACL_BOOL, {1, 1, 0, 1, 1, 1, 0, 0, 1});
  const Tensor right = Holding({3, 3}, ACL_BOOL, {1, 1, 0, 1, 1, 0, 0, 0, 1});
  ExpectUntouched(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeTokenPermuteWithRoutingMapGetWorkspaceSize(tokens.handle(), full.handle(),
                                                                  nullptr, 6, false, rows.handle(),
                                                                  nullptr, ids.handle(), s, e);
      },
      aclnnMoeTokenPermuteWithRoutingMap, "routingMap[1] has 3 experts, expected at most 2",
      {&rows, &ids});
  const auto unpermute = [&](const Tensor& sorted, const Tensor& map, bool pads) {
    return [&, pads](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenUnpermuteWithRoutingMapGetWorkspaceSize(
          rows.handle(), sorted.handle(), map.handle(), probs.handle(), pads, nullptr, out.handle(),
          ids.handle(), other_ids.handle(), row_probs.handle(), s, e);
    };
  };
  const auto unpermute_fails = [&](const Tensor& sorted, const Tensor& map, bool pads,
                                   std::string_view word) {
    ExpectUntouched(unpermute(sorted, map, pads), aclnnMoeTokenUnpermuteWithRoutingMap, word,
                    {&out, &ids, &other_ids, &row_probs});
  };
  const Tensor good = Holding({6}, ACL_INT32, {0, 1, 2, 3, 4, -1});
  const Tensor low = Holding({6}, ACL_INT32, {0, 1, 2, -2, 4, 5});
  const Tensor high = Holding({6}, ACL_INT32, {0, 1, 2, 6, 4, 5});
  const Tensor no_token = Holding({6}, ACL_INT32, {0, 1, 2, 3, 1, 2});
  unpermute_fails(good, full, false, "routingMapOptional[1] has 3 experts, expected at most 2");
  unpermute_fails(low, right, false, "sortedIndices[3] = -2, expected -1 to 5");
  unpermute_fails(high, right, false, "sortedIndices[3] = 6, expected -1 to 5");
  unpermute_fails(no_token, right, true, "sortedIndices[3] = 3, expected 0 to 2");
  const auto grad_fails = [&](const Tensor& order, const Tensor& of, bool pads,
                              std::string_view word) {
    ExpectUntouched(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(
              tokens.handle(), order.handle(), of.handle(), right.handle(), rows.handle(),
              probs.handle(), pads, nullptr, grads.handle(), probs_grad.handle(), s, e);
        },
        aclnnMoeTokenUnpermuteWithRoutingMapGrad, word, {&grads, &probs_grad});
  };
  const Tensor twice = Holding({6}, ACL_INT32, {0, 1, 2, 1, 4, 5});
  const Tensor all = Holding({6}, ACL_INT32, {0, 1, 2, 3, 4, 5});
  const Tensor tokens_of = Holding({6}, ACL_INT32, {0, 1, 2, 2, 0, 1});
  const Tensor tokens_ok = Holding({6}, ACL_INT32, {0, 1, 2, 1, 0, 1});
  grad_fails(twice, twice, false, "outIndex[3] = 1, expected a row of its own: outIndex[1]");
  grad_fails(good, tokens_ok, true, "outIndex[5] = -1, expected 0 to 5");
  grad_fails(all, all, true, "permuteTokenId[3] = 3, expected 0 to 2");
  grad_fails(all, tokens_of, true, "permuteTokenId has token 2 twice for expert 1");
  const auto permute_grad_fails = [&](const Tensor& sorted, const Tensor& map, bool pads,
                                      std::string_view word) {
    ExpectUntouched(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteWithRoutingMapGradGetWorkspaceSize(
              rows.handle(), row_probs.handle(), sorted.handle(), map.handle(), 3, 3, pads,
              out.handle(), probs_grad.handle(), s, e);
        },
        aclnnMoeTokenPermuteWithRoutingMapGrad, word, {&out, &probs_grad});
  };
  // As many experts as there are rows, three of them one token's.
  permute_grad_fails(good, full, false, "routingMapOptional[1] has 3 experts, expected at most 2");
  permute_grad_fails(low, right, false, "sortedIndices[3] = -2, expected -1 to 5");
  permute_grad_fails(high, right, false, "sortedIndices[3] = 6, expected -1 to 5");
  permute_grad_fails(no_token, right, true, "sortedIndices[3] = 3, expected 0 to 2");
}

TEST_F(MoeRoutingMapTest, RefusesWhatDoesNotFit) {
  const int null = ACLNN_ERR_PARAM_NULLPTR, invalid = ACLNN_ERR_PARAM_INVALID;
  const int tiling = ACLNN_ERR_INNER_TILING_ERROR, inner = ACLNN_ERR_INNER_NULLPTR;
  const Tensor tokens = Made({3, 4}, ACL_FLOAT), map = Made({3, 3}, ACL_BOOL);
  const Tensor probs = Made({3, 3}, ACL_FLOAT), half = Made({3, 3}, ACL_FLOAT16);
  const Tensor rows = Made({6, 4}, ACL_FLOAT), row_probs = Made({6}, ACL_FLOAT);
  const Tensor row_half = Made({6}, ACL_FLOAT16), ids = Made({6}, ACL_INT32);
  const auto permute = [&](const Tensor* factors, const Tensor* to, int64_t wanted) {
    return [&, factors, to, wanted](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenPermuteWithRoutingMapGetWorkspaceSize(
          tokens.handle(), map.handle(), factors != nullptr ? factors->handle() : nullptr, wanted,
          false, rows.handle(), to != nullptr ? to->handle() : nullptr, ids.handle(), s, e);
    };
  };
  ExpectRefused(permute(&probs, nullptr, 6), null, {"permuteProbsOutOptional", "a tensor"});
  ExpectRefused(permute(nullptr, &row_probs, 6), null, {"permuteProbsOutOptional", "null"});
  ExpectRefused(permute(&half, &row_half, 6), invalid,
                {"probsOptional.dtype = FLOAT16", "expected FLOAT"});
  ExpectRefused(permute(&probs, &row_half, 6), invalid, {"permuteProbsOutOptional.dtype"});
  ExpectRefused(permute(&probs, &row_probs, 10), invalid, {"numOutTokens is 10", "at most 9"});
  ExpectRefused(permute(&probs, &row_probs, -1), invalid, {"numOutTokens is -1"});
  ExpectRefused(permute(&probs, &row_probs, 5), invalid,
                {"permuteTokensOut.shape[0] = 6", "expected 3"});

  const auto permute_grad = [&](const Tensor* of_map, int64_t experts, bool pads,
                                const Tensor& gradient) {
    return [&, of_map, experts, pads](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenPermuteWithRoutingMapGradGetWorkspaceSize(
          rows.handle(), gradient.handle(), ids.handle(),
          of_map != nullptr ? of_map->handle() : nullptr, experts, 3, pads, tokens.handle(),
          probs.handle(), s, e);
    };
  };
  ExpectRefused(permute_grad(nullptr, 3, false, row_probs), null, {"routingMapOptional is null"});
  ExpectRefused(permute_grad(&map, 0, false, row_probs), invalid, {"numExperts is 0"});
  ExpectRefused(permute_grad(&map, 4, false, row_probs), invalid, {"numExperts"});
  ExpectRefused(permute_grad(&map, 3, false, row_half), invalid,
                {"probsGradOutOptional.dtype = FLOAT"});

  const Tensor other_ids = Made({6}, ACL_INT32), out = Made({3, 4}, ACL_FLOAT);
  const std::vector<int64_t> wrong = {4, 4};
  aclIntArray* const shape = aclCreateIntArray(wrong.data(), 2);
  const auto unpermute = [&](const Tensor* factors, const Tensor* of_map, const Tensor* to,
                             aclIntArray* restored) {
    return [&, factors, of_map, to, restored](uint64_t* s, aclOpExecutor** e) {
      const auto handle = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
      return aclnnMoeTokenUnpermuteWithRoutingMapGetWorkspaceSize(
          rows.handle(), ids.handle(), handle(of_map), handle(factors), false, restored,
          out.handle(), ids.handle(), other_ids.handle(), handle(to), s, e);
    };
  };
  ExpectRefused(unpermute(nullptr, nullptr, nullptr, nullptr), null,
                {"restoreShapeOptional is null"});
  ExpectRefused(unpermute(&probs, nullptr, &row_probs, nullptr), null,
                {"routingMapOptional is null"});
  ExpectRefused(unpermute(&probs, &map, nullptr, nullptr), null, {"permuteProbs is null"});
  ExpectRefused(unpermute(&probs, &map, &row_probs, shape), invalid,
                {"unpermutedTokens.shape = [3, 4]", "[4, 4]"});
  aclDestroyIntArray(shape);
  const Tensor many_ids = Made({513}, ACL_INT32), one = Made({1, 4}, ACL_FLOAT);
  const Tensor many_rows = Made({513, 4}, ACL_FLOAT), one_map = Made({1, 600}, ACL_BOOL);
  const Tensor one_probs = Made({1, 600}, ACL_FLOAT), many_probs = Made({513}, ACL_FLOAT);
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeTokenUnpermuteWithRoutingMapGetWorkspaceSize(
            many_rows.handle(), many_ids.handle(), one_map.handle(), one_probs.handle(), false,
            nullptr, one.handle(), many_ids.handle(), many_ids.handle(), many_probs.handle(), s, e);
      },
      inner, {"sortedIndices.shape[0] = 513", "at most 512"});

  const auto grad = [&](const Tensor* of_map, const Tensor& factors, const Tensor* to, bool pads) {
    return [&, of_map, to, pads](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(
          tokens.handle(), ids.handle(), other_ids.handle(),
          of_map != nullptr ? of_map->handle() : nullptr, rows.handle(), factors.handle(), pads,
          nullptr, rows.handle(), to != nullptr ? to->handle() : nullptr, s, e);
    };
  };
  ExpectRefused(grad(nullptr, probs, &probs, false), tiling, {"routingMapOptional is null"});
  ExpectRefused(grad(&map, probs, nullptr, false), null, {"probsGradOutOptional is null"});
  ExpectRefused(grad(&map, half, &half, false), tiling, {"probsOptional.dtype = FLOAT16"});
  const Tensor narrow = Made({3, 1}, ACL_BOOL), narrow_probs = Made({3, 1}, ACL_FLOAT);
  ExpectRefused(grad(&narrow, narrow_probs, &narrow_probs, false), tiling,
                {"outIndex.shape[0] = 6", "at most 1"});
  ExpectRefused(grad(&narrow, narrow_probs, &narrow_probs, true), tiling,
                {"outIndex.shape[0] = 6", "at most 3"});
}

}  // namespace
}  // namespace anyacl::test
