// SPDX-License-Identifier: Apache-2.0
// Tokens in the order of their experts, back and both gradients against the documents' formulas in
// double precision.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_token_permute.h"
#include "aclnnop/aclnn_moe_token_permute_grad.h"
#include "aclnnop/aclnn_moe_token_permute_with_routing_map_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute.h"
#include "aclnnop/aclnn_moe_token_unpermute_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_routing_map_grad.h"
#include "ops/moe_permuted.h"
#include "support/fixed.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Permuting {
  int64_t tokens = 7, length = 20, per_token = 3, experts = 5;
  int64_t wanted = 0;  // numOutTokens
  aclDataType type = ACL_FLOAT, prob_type = ACL_FLOAT;
  bool probs = true;
  bool strided = false;

  int64_t places() const { return tokens * per_token; }
  int64_t rows() const {
    return wanted > 0 ? std::min(wanted, places()) : std::max<int64_t>(0, places() + wanted);
  }
};

class MoeTokenPermuteTest : public PermutedTest {
 protected:
  static void Trace(const Permuting& c, std::string* text) {
    *text = "tokens " + std::to_string(c.tokens) + " of " + std::to_string(c.length) + " for " +
            std::to_string(c.per_token) + " of " + std::to_string(c.experts) + " wanted " +
            std::to_string(c.wanted) + " types " + std::to_string(c.type) + " " +
            std::to_string(c.prob_type) + " probs " + std::to_string(c.probs) + " strided " +
            std::to_string(c.strided);
  }

  // Where the rows went.
  Integers CheckPermute(const Permuting& c, aclDataType index_type, bool flat) {
    Integers experts;
    for (int64_t i = 0; i < c.places(); ++i) {
      experts.push_back(static_cast<int32_t>(random().Int(0, c.experts - 1)));
    }
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -9, 9);
    const Tensor tokens = Holding({c.tokens, c.length}, c.type, x, c.strided);
    const Shape dims = flat ? Shape{c.tokens} : Shape{c.tokens, c.per_token};
    const Tensor indices = Holding(dims, index_type, AsNumbers(experts), c.strided);
    const Tensor permuted = Made({c.rows(), c.length}, c.type, c.strided);
    const Tensor sorted = Made({c.places()}, ACL_INT32, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteGetWorkspaceSize(tokens.handle(), indices.handle(), c.wanted,
                                                      false, permuted.handle(), sorted.handle(), s,
                                                      e);
        },
        aclnnMoeTokenPermute);
    std::vector<size_t> order(experts.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return experts[a] < experts[b]; });
    Integers places(experts.size());
    Numbers expected(static_cast<size_t>(c.rows() * c.length));
    for (size_t i = 0; i < order.size(); ++i) {
      places[order[i]] = static_cast<int32_t>(i);
      if (static_cast<int64_t>(i) >= c.rows()) continue;
      const int64_t token = static_cast<int64_t>(order[i]) / c.per_token;
      std::copy_n(x.begin() + token * c.length, c.length,
                  expected.begin() + static_cast<int64_t>(i) * c.length);
    }
    EXPECT_EQ(ReadAs(permuted), expected);
    EXPECT_EQ(sorted.Read<int32_t>(), places);
    EXPECT_TRUE(permuted.GuardsIntact() && sorted.GuardsIntact());
    return places;
  }

  void CheckSums(const Permuting& c, const Integers& places) {
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.rows() * c.length), -2, 2);
    const Numbers p = Drawn(c.prob_type, static_cast<size_t>(c.places()), -2, 2);
    const Tensor permuted = Holding({c.rows(), c.length}, c.type, x, c.strided);
    const Tensor sorted = Holding({c.places()}, ACL_INT32, AsNumbers(places), c.strided);
    const Tensor probs = Holding({c.tokens, c.per_token}, c.prob_type, p, c.strided);
    std::vector<Linked> plain, weighted;
    for (int64_t i = 0; i < c.places(); ++i) {
      const int64_t row = places[static_cast<size_t>(i)];
      if (row >= c.rows()) continue;
      plain.push_back({i / c.per_token, row, 1});
      weighted.push_back({i / c.per_token, row, c.probs ? p[static_cast<size_t>(i)] : 1});
    }
    const Tensor sum = Made({c.tokens, c.length}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteGetWorkspaceSize(permuted.handle(), sorted.handle(),
                                                        c.probs ? probs.handle() : nullptr, false,
                                                        nullptr, sum.handle(), s, e);
        },
        aclnnMoeTokenUnpermute);
    ExpectSums(sum, x, weighted, c.per_token);
    const Tensor gradient = Made({c.tokens, c.length}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteGradGetWorkspaceSize(
              permuted.handle(), sorted.handle(), c.per_token, false, gradient.handle(), s, e);
        },
        aclnnMoeTokenPermuteGrad);
    ExpectSums(gradient, x, plain, c.per_token);
  }

  void CheckUnpermuteGrad(const Permuting& c, const Integers& places, aclDataType gradient_type) {
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.rows() * c.length), -2, 2);
    const Numbers g = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -2, 2);
    const Numbers p = Drawn(c.prob_type, static_cast<size_t>(c.places()), -2, 2);
    const Tensor permuted = Holding({c.rows(), c.length}, c.type, x, c.strided);
    const Tensor grad = Holding({c.tokens, c.length}, c.type, g, c.strided);
    const Tensor sorted = Holding({c.places()}, ACL_INT32, AsNumbers(places), c.strided);
    const Tensor probs = Holding({c.tokens, c.per_token}, c.prob_type, p, c.strided);
    const Tensor rows_out = Made({c.rows(), c.length}, c.type, c.strided);
    const Tensor probs_out = Made({c.tokens, c.per_token}, gradient_type, c.strided);
    const Tensor untouched = Made({c.tokens, c.per_token}, gradient_type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteGradGetWorkspaceSize(
              c.probs ? permuted.handle() : nullptr, grad.handle(), sorted.handle(),
              c.probs ? probs.handle() : nullptr, false, nullptr, rows_out.handle(),
              probs_out.handle(), s, e);
        },
        aclnnMoeTokenUnpermuteGrad);
    std::vector<Linked> links;
    std::vector<int64_t> factors;
    for (int64_t i = 0; i < c.places(); ++i) {
      const int64_t row = places[static_cast<size_t>(i)];
      if (row >= c.rows()) continue;
      links.push_back({i / c.per_token, row, c.probs ? p[static_cast<size_t>(i)] : 1});
      factors.push_back(i);
    }
    ExpectRows(rows_out, g, links);
    if (c.probs) {
      ExpectFactors(probs_out, g, x, c.length, links, factors);
    } else {
      EXPECT_EQ(probs_out.Bytes(), untouched.Bytes());
    }
  }

  void Check(const Permuting& c) {
    std::string text;
    Trace(c, &text);
    SCOPED_TRACE(text);
    const Integers places = CheckPermute(c, ACL_INT32, false);
    CheckPermute(c, ACL_INT64, c.per_token == 1);
    CheckSums(c, places);
    CheckUnpermuteGrad(c, places, c.prob_type);
  }
};

TEST_F(MoeTokenPermuteTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int64_t wanted : {0, 1, 20, 21, 100, -1, -20, -21}) {
        Check({.wanted = wanted, .type = type, .prob_type = type, .strided = strided});
      }
      Check({.per_token = 1, .type = type, .probs = false, .strided = strided});
      Check({.per_token = 1, .wanted = 4, .type = type, .probs = false, .strided = strided});
      for (aclDataType other : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
        Check({.type = type, .prob_type = other, .strided = strided});
      }
    }
    // Around vectors and blocks of columns.
    for (int64_t length : {1, 15, 17, 1023, 1024, 1025, 3000}) {
      Check({.tokens = 33, .length = length, .per_token = 8, .type = type, .prob_type = type});
    }
    Check({.tokens = 300, .length = 130, .per_token = 8, .experts = 256, .type = type});
  }
  // torch_npu's gradient of factors has the tokens' type.
  const Permuting mixed = {.type = ACL_BF16, .prob_type = ACL_FLOAT};
  CheckUnpermuteGrad(mixed, CheckPermute(mixed, ACL_INT64, false), ACL_BF16);
}

TEST_F(MoeTokenPermuteTest, OfNothingIsNothing) {
  Check({.tokens = 0});
  Check({.length = 0});
  const Permuting none = {.per_token = 0};
  CheckPermute(none, ACL_INT32, false);
}

// A token of several dimensions is a row.
TEST_F(MoeTokenPermuteTest, TokensOfAnyRank) {
  const Numbers x = Drawn(ACL_FLOAT, 3 * 2 * 4, -9, 9);
  const Tensor indices = Holding({3}, ACL_INT32, {1, 2, 0}), sorted = Made({3}, ACL_INT32);
  Numbers expected(x.begin() + 16, x.end());
  expected.insert(expected.end(), x.begin(), x.begin() + 16);
  const auto call = [&](const Tensor& tokens, const Tensor& permuted) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenPermuteGetWorkspaceSize(tokens.handle(), indices.handle(), 0, false,
                                                  permuted.handle(), sorted.handle(), s, e);
    };
  };
  for (bool strided : {false, true}) {
    for (const Shape& dims : {Shape{3, 2, 4}, Shape{3, 8}, Shape{3, 4, 2}}) {
      const Tensor tokens = Holding({3, 2, 4}, ACL_FLOAT, x, strided);
      const Tensor permuted = Made(dims, ACL_FLOAT, strided);
      RunTwoPhase(call(tokens, permuted), aclnnMoeTokenPermute);
      EXPECT_EQ(ReadAs(permuted), expected);
      EXPECT_TRUE(permuted.GuardsIntact());
    }
  }
  // Columns of two steps.
  Tensor tokens({.dims = {3, 2, 4}, .dtype = ACL_FLOAT, .strides = {40, 16, 1}});
  WriteAs(tokens, x);
  const Tensor alike = Made({3, 2, 4}, ACL_FLOAT), other = Made({3, 8}, ACL_FLOAT);
  RunTwoPhase(call(tokens, alike), aclnnMoeTokenPermute);
  EXPECT_EQ(ReadAs(alike), expected);
  ExpectRefused(call(tokens, other), ACLNN_ERR_INNER_TILING_ERROR,
                {"tokens.strides", "contiguous rows"});
  const Tensor wrong = Made({3, 9}, ACL_FLOAT);
  ExpectRefused(call(tokens, wrong), ACLNN_ERR_INNER_TILING_ERROR,
                {"permuteTokensOut.shape = [3, 9]", "8 elements"});
}

// Neither the number of threads nor the tier may show in any bit.
TEST_F(MoeTokenPermuteTest, BitsArePinned) {
  const int64_t tokens = 40, per_token = 5, length = 2100, places = tokens * per_token;
  const Tensor permuted = Holding({places, length}, ACL_FLOAT, FixedNumbers(places * length, 1));
  const Tensor grad = Holding({tokens, length}, ACL_FLOAT, FixedNumbers(tokens * length, 2));
  const Tensor probs = Holding({tokens, per_token}, ACL_FLOAT, FixedNumbers(places, 3));
  Integers order;
  for (int64_t i = 0; i < places; ++i) order.push_back(static_cast<int32_t>(i * 7 % places));
  const Tensor sorted = Holding({places}, ACL_INT32, AsNumbers(order));
  const Tensor sum = Made({tokens, length}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeTokenUnpermuteGetWorkspaceSize(
            permuted.handle(), sorted.handle(), probs.handle(), false, nullptr, sum.handle(), s, e);
      },
      aclnnMoeTokenUnpermute);
  EXPECT_EQ(Fingerprint(sum.ElementBytes()), 0x822bd3140a89dd9au);
  const Tensor rows = Made({places, length}, ACL_FLOAT);
  const Tensor factors = Made({tokens, per_token}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeTokenUnpermuteGradGetWorkspaceSize(
            permuted.handle(), grad.handle(), sorted.handle(), probs.handle(), false, nullptr,
            rows.handle(), factors.handle(), s, e);
      },
      aclnnMoeTokenUnpermuteGrad);
  EXPECT_EQ(Fingerprint(rows.ElementBytes()), 0xed7e22c84325b33bu);
  EXPECT_EQ(Fingerprint(factors.ElementBytes()), 0x002d2785f609bd8fu);
}

TEST_F(MoeTokenPermuteTest, PlacesThatAreNoneFail) {
  const Tensor permuted = Made({6, 4}, ACL_FLOAT), grad = Made({3, 4}, ACL_FLOAT);
  const Tensor probs = Made({3, 2}, ACL_FLOAT), out = Made({3, 4}, ACL_FLOAT);
  const Tensor rows = Made({6, 4}, ACL_FLOAT), factors = Made({3, 2}, ACL_FLOAT);
  const Tensor untouched = Made({6, 4}, ACL_FLOAT);
  const auto fails = [&](const Numbers& places, std::string_view word, bool of_sums) {
    const Tensor sorted = Holding({6}, ACL_INT32, places);
    if (of_sums) {
      ExpectTaskFails(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnMoeTokenUnpermuteGetWorkspaceSize(permuted.handle(), sorted.handle(),
                                                          probs.handle(), false, nullptr,
                                                          out.handle(), s, e);
          },
          aclnnMoeTokenUnpermute, word);
      ExpectTaskFails(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnMoeTokenPermuteGradGetWorkspaceSize(permuted.handle(), sorted.handle(), 2,
                                                            false, out.handle(), s, e);
          },
          aclnnMoeTokenPermuteGrad, word);
    }
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteGradGetWorkspaceSize(
              permuted.handle(), grad.handle(), sorted.handle(), probs.handle(), false, nullptr,
              rows.handle(), factors.handle(), s, e);
        },
        aclnnMoeTokenUnpermuteGrad, word);
    EXPECT_EQ(rows.Bytes(), untouched.Bytes());
  };
  fails({0, 1, 2, 3, 4, 6}, "sortedIndices[5] = 6, expected 0 to 5", true);
  fails({0, 1, 2, -1, 4, 5}, "sortedIndices[3] = -1, expected 0 to 5", true);
  fails({0, 1, 2, 1, 4, 5}, "sortedIndices[3] = 1", false);
  const Tensor tokens = Made({2, 4}, ACL_FLOAT), permuted_out = Made({2, 4}, ACL_FLOAT);
  const Tensor sorted_out = Made({2}, ACL_INT32);
  Tensor indices = Made({2}, ACL_INT64);
  indices.Write<int64_t>({0, int64_t{1} << 31});
  ExpectTaskFails(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeTokenPermuteGetWorkspaceSize(tokens.handle(), indices.handle(), 0, false,
                                                    permuted_out.handle(), sorted_out.handle(), s,
                                                    e);
      },
      aclnnMoeTokenPermute, "indices[1] = 2147483648");
}

TEST_F(MoeTokenPermuteTest, RefusesWhatDoesNotFit) {
  const Tensor tokens = Made({4, 3}, ACL_FLOAT), indices = Made({4, 2}, ACL_INT32);
  const Tensor few = Made({3, 2}, ACL_INT32), many = Made({4, 513}, ACL_INT32);
  const Tensor rows = Made({8, 3}, ACL_FLOAT), half = Made({8, 3}, ACL_FLOAT16);
  const Tensor sorted = Made({8}, ACL_INT32), other = Made({7}, ACL_INT32);
  const auto permute = [&](const Tensor& experts, int64_t wanted, bool pads, const Tensor& to,
                           const Tensor& places) {
    return [&, wanted, pads](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenPermuteGetWorkspaceSize(tokens.handle(), experts.handle(), wanted, pads,
                                                  to.handle(), places.handle(), s, e);
    };
  };
  const int tiling = ACLNN_ERR_INNER_TILING_ERROR, invalid = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(permute(indices, 0, true, rows, sorted), tiling, {"paddedMode is true"});
  ExpectRefused(permute(indices, 5, false, rows, sorted), tiling,
                {"permuteTokensOut.shape[0] = 8", "expected 5"});
  ExpectRefused(permute(indices, -9, false, rows, sorted), tiling, {"expected 0"});
  ExpectRefused(permute(indices, 0, false, half, sorted), invalid, {"permuteTokensOut.dtype"});
  ExpectRefused(permute(indices, 0, false, rows, other), tiling, {"sortedIndicesOut.shape"});
  ExpectRefused(permute(few, 0, false, rows, sorted), tiling, {"indices.shape[0] = 3", "N = 4"});
  ExpectRefused(permute(many, 0, false, rows, sorted), tiling,
                {"indices.shape[1] = 513", "at most 512"});

  const Tensor probs = Made({4, 2}, ACL_FLOAT), wide = Made({4, 3}, ACL_FLOAT);
  const Tensor out = Made({4, 3}, ACL_FLOAT), long_rows = Made({9, 3}, ACL_FLOAT);
  const auto unpermute = [&](const Tensor& permuted, const Tensor* factors, bool pads) {
    return [&, factors, pads](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenUnpermuteGetWorkspaceSize(
          permuted.handle(), sorted.handle(), factors != nullptr ? factors->handle() : nullptr,
          pads, nullptr, out.handle(), s, e);
    };
  };
  ExpectRefused(unpermute(rows, &probs, true), tiling, {"paddedMode is true"});
  ExpectRefused(unpermute(rows, &wide, false), tiling, {"sortedIndices.shape[0] = 8", "4 * 3"});
  ExpectRefused(unpermute(rows, nullptr, false), tiling, {"sortedIndices.shape[0] = 8", "4 * 1"});
  ExpectRefused(unpermute(long_rows, &probs, false), tiling,
                {"permutedTokens.shape[0] = 9", "at most 8"});

  const auto permute_grad = [&](int64_t per_token, bool pads) {
    return [&, per_token, pads](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenPermuteGradGetWorkspaceSize(rows.handle(), sorted.handle(), per_token,
                                                      pads, out.handle(), s, e);
    };
  };
  ExpectRefused(permute_grad(2, true), invalid, {"paddedMode is true"});
  ExpectRefused(permute_grad(3, false), invalid, {"sortedIndices.shape[0] = 8", "4 * 3"});
  ExpectRefused(permute_grad(0, false), invalid, {"numTopk is 0", "1 to 512"});
  ExpectRefused(permute_grad(513, false), invalid, {"numTopk is 513", "1 to 512"});

  const auto unpermute_grad = [&](const Tensor* permuted, const Tensor* factors,
                                  const Tensor* gradient, bool pads) {
    return [&, permuted, factors, gradient, pads](uint64_t* s, aclOpExecutor** e) {
      const auto handle = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
      return aclnnMoeTokenUnpermuteGradGetWorkspaceSize(
          handle(permuted), tokens.handle(), sorted.handle(), handle(factors), pads, nullptr,
          rows.handle(), handle(gradient), s, e);
    };
  };
  const int null = ACLNN_ERR_PARAM_NULLPTR;
  ExpectRefused(unpermute_grad(nullptr, &probs, &probs, false), null,
                {"permutedTokensOptional is null", "probsOptional is given"});
  ExpectRefused(unpermute_grad(&rows, &probs, nullptr, false), null, {"probsGradOut is null"});
  ExpectRefused(unpermute_grad(&rows, &probs, &probs, true), invalid, {"paddedMode is true"});
  ExpectRefused(unpermute_grad(&rows, &wide, &wide, false), invalid, {"4 * 3"});
  ExpectRefused(unpermute_grad(&rows, &probs, &wide, false), invalid,
                {"probsGradOut.shape = [4, 3]", "[4, 2]"});
  ExpectRefused(unpermute_grad(&long_rows, &probs, &probs, false), invalid,
                {"permutedTokensGradOut.shape[0] = 8", "R = 9"});
}

// Places have numbers in INT32.
TEST_F(MoeTokenPermuteTest, TooManyPlacesAreRefused) {
  const int64_t many = int64_t{1} << 31;
  const Tensor ids({.dims = {many}, .dtype = ACL_INT32, .strides = {0}});
  const Tensor tokens = Made({many, 0}, ACL_FLOAT), rows = Made({1, 0}, ACL_FLOAT);
  const std::string_view limit = "sortedIndices.shape[0] = 2147483648, expected at most 2147483647";
  const int tiling = ACLNN_ERR_INNER_TILING_ERROR;
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeTokenPermuteGradGetWorkspaceSize(rows.handle(), ids.handle(), 1, false,
                                                        tokens.handle(), s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {limit});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeTokenUnpermuteGetWorkspaceSize(rows.handle(), ids.handle(), nullptr, false,
                                                      nullptr, tokens.handle(), s, e);
      },
      tiling, {limit});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMoeTokenUnpermuteGradGetWorkspaceSize(nullptr, tokens.handle(), ids.handle(),
                                                          nullptr, false, nullptr, rows.handle(),
                                                          nullptr, s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {limit});
}

// Without tokens a row may be longer than any number.
TEST_F(MoeTokenPermuteTest, RowsOfNoTokenMayBeOfAnyLength) {
  const int64_t large = int64_t{1} << 40;
  const Tensor indices = Made({0, 2}, ACL_INT32), sorted = Made({0}, ACL_INT32);
  const Tensor tokens = Made({0, large, large}, ACL_FLOAT);
  const Tensor same = Made({0, large, large}, ACL_FLOAT), other = Made({0, large, 4}, ACL_FLOAT);
  const auto permute = [&](const Tensor& to) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenPermuteGetWorkspaceSize(tokens.handle(), indices.handle(), 0, false,
                                                  to.handle(), sorted.handle(), s, e);
    };
  };
  RunTwoPhase(permute(same), aclnnMoeTokenPermute);
  ExpectRefused(permute(other), ACLNN_ERR_INNER_TILING_ERROR,
                {"permuteTokensOut.shape = [0, 1099511627776, 4]", "elements in a row"});
}

// Places have numbers in INT32.
TEST_F(MoeTokenPermuteTest, TooManyPlacesOfMapsAreRefused) {
  const int64_t many = int64_t{1} << 31;
  const Tensor ids({.dims = {many}, .dtype = ACL_INT32, .strides = {0}});
  const Tensor tokens = Made({many, 0}, ACL_FLOAT), rows = Made({many, 0}, ACL_FLOAT);
  const std::string_view limit = "2147483648, expected at most 2147483647";
  for (bool pads : {false, true}) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteWithRoutingMapGradGetWorkspaceSize(
              rows.handle(), nullptr, ids.handle(), nullptr, 2, many, pads, tokens.handle(),
              nullptr, s, e);
        },
        ACLNN_ERR_PARAM_INVALID, {"sortedIndices.shape[0]", limit});
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteWithRoutingMapGradGetWorkspaceSize(
              tokens.handle(), ids.handle(), ids.handle(), nullptr, nullptr, nullptr, pads, nullptr,
              rows.handle(), nullptr, s, e);
        },
        ACLNN_ERR_INNER_TILING_ERROR, {"outIndex.shape[0]", limit});
  }
}

}  // namespace
}  // namespace anyacl::test
