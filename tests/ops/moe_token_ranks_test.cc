// SPDX-License-Identifier: Apache-2.0
// Permuted tokens of which a rank has those from one row to another one, back and both gradients
// against the documents' formulas in double precision.
#include <algorithm>
#include <memory>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_moe_token_permute.h"
#include "aclnnop/aclnn_moe_token_permute_grad.h"
#include "aclnnop/aclnn_moe_token_permute_with_ep.h"
#include "aclnnop/aclnn_moe_token_permute_with_ep_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute.h"
#include "aclnnop/aclnn_moe_token_unpermute_grad.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_ep.h"
#include "aclnnop/aclnn_moe_token_unpermute_with_ep_grad.h"
#include "ops/moe_permuted.h"

namespace anyacl::test {
namespace {

using namespace moe;

// A range of rows: none, or any numbers.
class RowRange {
 public:
  RowRange() = default;
  RowRange(const std::vector<int64_t>& ends)
      : array_(aclCreateIntArray(ends.data(), ends.size())) {}
  ~RowRange() {
    if (array_ != nullptr) aclDestroyIntArray(array_);
  }
  RowRange(const RowRange&) = delete;
  RowRange& operator=(const RowRange&) = delete;
  const aclIntArray* get() const { return array_; }

 private:
  aclIntArray* array_ = nullptr;
};

struct Ranked {
  int64_t tokens = 7, length = 20, per_token = 3, experts = 5;
  int64_t begin = 4, end = 15;
  int64_t spare = 0;  // rows of rank's tensors that nobody has
  aclDataType type = ACL_FLOAT, prob_type = ACL_FLOAT;
  bool probs = true;
  bool strided = false;

  int64_t places() const { return tokens * per_token; }
  int64_t rows() const { return end - begin + spare; }
};

class MoeTokenRanksTest : public PermutedTest {
 protected:
  static const aclTensor* If(bool given, const Tensor& tensor) {
    return given ? tensor.handle() : nullptr;
  }

  // Where the rows of all ranks went.
  Integers CheckPermute(const Ranked& c, const RowRange& range, aclDataType index_type, bool flat) {
    Integers experts;
    for (int64_t i = 0; i < c.places(); ++i) {
      experts.push_back(static_cast<int32_t>(random().Int(0, c.experts - 1)));
    }
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -9, 9);
    const Numbers p = Drawn(c.type, static_cast<size_t>(c.places()), -9, 9);
    const Shape dims = flat ? Shape{c.tokens} : Shape{c.tokens, c.per_token};
    const int64_t rows = c.end - c.begin;
    const Tensor tokens = Holding({c.tokens, c.length}, c.type, x, c.strided);
    const Tensor indices = Holding(dims, index_type, AsNumbers(experts), c.strided);
    const Tensor probs = Holding(dims, c.type, p, c.strided);
    const Tensor permuted = Made({rows, c.length}, c.type, c.strided);
    const Tensor sorted = Made({c.places()}, ACL_INT32, c.strided);
    const Tensor factors = Made({rows}, c.type, c.strided), untouched = Made({rows}, c.type);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteWithEpGetWorkspaceSize(
              tokens.handle(), indices.handle(), If(c.probs, probs), range.get(), 1, false,
              permuted.handle(), sorted.handle(), factors.handle(), s, e);
        },
        aclnnMoeTokenPermuteWithEp);
    std::vector<size_t> order(experts.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return experts[a] < experts[b]; });
    Integers places(experts.size());
    Numbers expected(static_cast<size_t>(rows * c.length)), expected_factors;
    for (size_t i = 0; i < order.size(); ++i) {
      places[order[i]] = static_cast<int32_t>(i);
      const int64_t row = static_cast<int64_t>(i) - c.begin;
      if (row < 0 || row >= rows) continue;
      const int64_t token = static_cast<int64_t>(order[i]) / c.per_token;
      std::copy_n(x.begin() + token * c.length, c.length, expected.begin() + row * c.length);
      expected_factors.push_back(p[order[i]]);
    }
    EXPECT_EQ(ReadAs(permuted), expected);
    EXPECT_EQ(sorted.Read<int32_t>(), places);
    if (c.probs) {
      EXPECT_EQ(ReadAs(factors), expected_factors);
    } else if (!c.strided) {
      EXPECT_EQ(factors.ElementBytes(), untouched.ElementBytes());
    }
    EXPECT_TRUE(permuted.GuardsIntact() && sorted.GuardsIntact() && factors.GuardsIntact());
    return places;
  }

  static std::vector<Linked> LinksOf(const Ranked& c, const Integers& places, const Numbers* p,
                                     std::vector<int64_t>* at = nullptr) {
    std::vector<Linked> links;
    for (int64_t i = 0; i < c.places(); ++i) {
      const int64_t place = places[static_cast<size_t>(i)];
      if (place < c.begin || place >= c.end) continue;
      const double factor = p == nullptr ? 1 : (*p)[static_cast<size_t>(i)];
      links.push_back({i / c.per_token, place - c.begin, factor});
      if (at != nullptr) at->push_back(i);
    }
    return links;
  }

  void CheckSums(const Ranked& c, const RowRange& range, const Integers& places) {
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.rows() * c.length), -2, 2);
    const Numbers p = Drawn(c.prob_type, static_cast<size_t>(c.places()), -2, 2);
    const Numbers g = Drawn(c.type, static_cast<size_t>(c.rows()), -2, 2);
    const Tensor permuted = Holding({c.rows(), c.length}, c.type, x, c.strided);
    const Tensor sorted = Holding({c.places()}, ACL_INT32, AsNumbers(places), c.strided);
    const Tensor probs = Holding({c.tokens, c.per_token}, c.prob_type, p, c.strided);
    const Tensor sum = Made({c.tokens, c.length}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteWithEpGetWorkspaceSize(
              permuted.handle(), sorted.handle(), If(c.probs, probs), c.per_token, range.get(),
              false, nullptr, sum.handle(), s, e);
        },
        aclnnMoeTokenUnpermuteWithEp);
    ExpectSums(sum, x, LinksOf(c, places, c.probs ? &p : nullptr), c.per_token);
    const Tensor factors = Holding({c.rows()}, c.type, g, c.strided);
    const Tensor gradient = Made({c.tokens, c.length}, c.type, c.strided);
    const Tensor factors_out = Made({c.tokens, c.per_token}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteWithEpGradGetWorkspaceSize(
              permuted.handle(), sorted.handle(), If(c.probs, factors), c.per_token, range.get(),
              false, gradient.handle(), If(c.probs, factors_out), s, e);
        },
        aclnnMoeTokenPermuteWithEpGrad);
    std::vector<int64_t> at;
    const std::vector<Linked> links = LinksOf(c, places, nullptr, &at);
    ExpectSums(gradient, x, links, c.per_token);
    if (!c.probs) return;
    Numbers expected(static_cast<size_t>(c.places()));
    for (size_t i = 0; i < links.size(); ++i) {
      expected[static_cast<size_t>(at[i])] = g[static_cast<size_t>(links[i].row)];
    }
    EXPECT_EQ(ReadAs(factors_out), expected);
    EXPECT_TRUE(factors_out.GuardsIntact());
  }

  void CheckUnpermuteGrad(const Ranked& c, const RowRange& range, const Integers& places) {
    const Numbers x = Drawn(c.type, static_cast<size_t>(c.rows() * c.length), -2, 2);
    const Numbers g = Drawn(c.type, static_cast<size_t>(c.tokens * c.length), -2, 2);
    const Numbers p = Drawn(c.prob_type, static_cast<size_t>(c.places()), -2, 2);
    const Tensor permuted = Holding({c.rows(), c.length}, c.type, x, c.strided);
    const Tensor grad = Holding({c.tokens, c.length}, c.type, g, c.strided);
    const Tensor sorted = Holding({c.places()}, ACL_INT32, AsNumbers(places), c.strided);
    const Tensor probs = Holding({c.tokens, c.per_token}, c.prob_type, p, c.strided);
    const Tensor rows_out = Made({c.rows(), c.length}, c.type, c.strided);
    const Tensor probs_out = Made({c.tokens, c.per_token}, c.prob_type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteWithEpGradGetWorkspaceSize(
              grad.handle(), sorted.handle(), If(c.probs, permuted), If(c.probs, probs), false,
              nullptr, range.get(), c.per_token, rows_out.handle(), If(c.probs, probs_out), s, e);
        },
        aclnnMoeTokenUnpermuteWithEpGrad);
    std::vector<int64_t> at;
    const std::vector<Linked> links = LinksOf(c, places, c.probs ? &p : nullptr, &at);
    ExpectRows(rows_out, g, links);
    if (c.probs) ExpectFactors(probs_out, g, x, c.length, links, at);
  }

  void Check(const Ranked& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.tokens << " tokens of " << c.length << " for " << c.per_token << " rows "
                 << c.begin << " to " << c.end << " and " << c.spare << " types " << c.type << " "
                 << c.prob_type << " probs " << c.probs << " strided " << c.strided);
    const RowRange range({c.begin, c.end});
    const Integers places = CheckPermute(c, range, ACL_INT32, false);
    CheckPermute(c, range, ACL_INT64, c.per_token == 1);
    CheckSums(c, range, places);
    CheckUnpermuteGrad(c, range, places);
  }
};

TEST_F(MoeTokenRanksTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (bool probs : {false, true}) {
        const Ranked c = {.type = type, .prob_type = type, .probs = probs, .strided = strided};
        Check(c);
        for (const auto& [begin, end] : {std::pair<int64_t, int64_t>{0, 21}, {20, 21}, {0, 1}}) {
          Ranked other = c;
          other.begin = begin;
          other.end = end;
          Check(other);
        }
        Ranked one = c;
        one.tokens = 21;
        one.per_token = 1;
        Check(one);
        // As many rows as the documents have for them.
        Ranked more = c;
        more.spare = 2 * (c.end - c.begin);
        Check(more);
      }
      for (aclDataType other : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
        Check({.type = type, .prob_type = other, .strided = strided});
      }
    }
    for (int64_t length : {1, 1023, 1025}) {
      Check({.tokens = 33,
             .length = length,
             .per_token = 8,
             .begin = 60,
             .end = 190,
             .type = type,
             .prob_type = type});
    }
  }
}

// A rank whose experts nobody has, and no tokens at all.
TEST_F(MoeTokenRanksTest, OfNothingIsNothing) {
  Check({.begin = 9, .end = 9});
  Check({.begin = 9, .end = 9, .spare = 3});
  Check({.begin = 21, .end = 21});
  Check({.tokens = 0, .begin = 0, .end = 0});
  Check({.tokens = 0, .begin = 0, .end = 0, .spare = 3});
  Check({.length = 0});
}

// Without a range the operators are those without ranks; factors of rows have no effect.
TEST_F(MoeTokenRanksTest, WithoutRangeIsTheWhole) {
  const int64_t n = 5, h = 6, k = 2, places = n * k, rows = 7;
  const aclDataType type = ACL_FLOAT;
  const Tensor tokens = Holding({n, h}, type, Drawn(type, 30, -2, 2));
  const Tensor indices = Holding({n, k}, ACL_INT32, {3, 1, 0, 2, 3, 0, 1, 1, 2, 0});
  const Tensor probs = Holding({n, k}, type, Drawn(type, 10, -2, 2));
  const Tensor one = Holding({places, 1}, type, Drawn(type, 10, -2, 2));
  const Tensor other = Made({1}, ACL_INT8);  // which nobody looks at
  for (const bool empty : {false, true}) {
    const RowRange none_given, none_in(std::vector<int64_t>{});
    const aclIntArray* range = empty ? none_in.get() : none_given.get();
    const Tensor permuted = Made({rows, h}, type), permuted2 = Made({rows, h}, type);
    const Tensor sorted = Made({places}, ACL_INT32), sorted2 = Made({places}, ACL_INT32);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteGetWorkspaceSize(tokens.handle(), indices.handle(), rows,
                                                      false, permuted.handle(), sorted.handle(), s,
                                                      e);
        },
        aclnnMoeTokenPermute);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteWithEpGetWorkspaceSize(
              tokens.handle(), indices.handle(), other.handle(), range, rows, false,
              permuted2.handle(), sorted2.handle(), nullptr, s, e);
        },
        aclnnMoeTokenPermuteWithEp);
    EXPECT_EQ(ReadAs(permuted2), ReadAs(permuted));
    EXPECT_EQ(ReadAs(sorted2), ReadAs(sorted));
    const Tensor sum = Made({n, h}, type), sum2 = Made({n, h}, type);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteGetWorkspaceSize(permuted.handle(), sorted.handle(),
                                                        probs.handle(), false, nullptr,
                                                        sum.handle(), s, e);
        },
        aclnnMoeTokenUnpermute);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteWithEpGetWorkspaceSize(permuted.handle(), sorted.handle(),
                                                              probs.handle(), 77, range, false,
                                                              nullptr, sum2.handle(), s, e);
        },
        aclnnMoeTokenUnpermuteWithEp);
    EXPECT_EQ(ReadAs(sum2), ReadAs(sum));
    const Tensor gradient = Made({n, h}, type), gradient2 = Made({n, h}, type);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteGradGetWorkspaceSize(permuted.handle(), sorted.handle(), k,
                                                          false, gradient.handle(), s, e);
        },
        aclnnMoeTokenPermuteGrad);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenPermuteWithEpGradGetWorkspaceSize(
              permuted.handle(), sorted.handle(), other.handle(), k, range, false,
              gradient2.handle(), other.handle(), s, e);
        },
        aclnnMoeTokenPermuteWithEpGrad);
    EXPECT_EQ(ReadAs(gradient2), ReadAs(gradient));
    const Tensor rows_out = Made({rows, h}, type), rows_out2 = Made({rows, h}, type);
    const Tensor probs_out = Made({n, k}, type), probs_out2 = Made({n, k}, type);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteGradGetWorkspaceSize(
              permuted.handle(), tokens.handle(), sorted.handle(), probs.handle(), false, nullptr,
              rows_out.handle(), probs_out.handle(), s, e);
        },
        aclnnMoeTokenUnpermuteGrad);
    // The document's own example has another number of experts beside its factors.
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteWithEpGradGetWorkspaceSize(
              tokens.handle(), sorted.handle(), permuted.handle(), probs.handle(), false, nullptr,
              range, 1, rows_out2.handle(), probs_out2.handle(), s, e);
        },
        aclnnMoeTokenUnpermuteWithEpGrad);
    EXPECT_EQ(ReadAs(rows_out2), ReadAs(rows_out));
    EXPECT_EQ(ReadAs(probs_out2), ReadAs(probs_out));
  }
}

TEST_F(MoeTokenRanksTest, PlacesThatAreNoneFail) {
  const RowRange range({1, 5});
  const Tensor permuted = Made({4, 4}, ACL_FLOAT), grad = Made({3, 4}, ACL_FLOAT);
  const Tensor factors = Made({4}, ACL_FLOAT), probs = Made({3, 2}, ACL_FLOAT);
  const Tensor out = Made({3, 4}, ACL_FLOAT), rows = Made({4, 4}, ACL_FLOAT);
  const Tensor probs_out = Made({3, 2}, ACL_FLOAT), untouched = Made({3, 2}, ACL_FLOAT);
  const auto fails = [&](const Numbers& places, std::string_view word, bool of_sums) {
    const Tensor sorted = Holding({6}, ACL_INT32, places);
    if (of_sums) {
      ExpectTaskFails(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnMoeTokenUnpermuteWithEpGetWorkspaceSize(permuted.handle(), sorted.handle(),
                                                                probs.handle(), 2, range.get(),
                                                                false, nullptr, out.handle(), s, e);
          },
          aclnnMoeTokenUnpermuteWithEp, word);
      ExpectTaskFails(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnMoeTokenPermuteWithEpGradGetWorkspaceSize(
                permuted.handle(), sorted.handle(), factors.handle(), 2, range.get(), false,
                out.handle(), probs_out.handle(), s, e);
          },
          aclnnMoeTokenPermuteWithEpGrad, word);
    }
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMoeTokenUnpermuteWithEpGradGetWorkspaceSize(
              grad.handle(), sorted.handle(), permuted.handle(), probs.handle(), false, nullptr,
              range.get(), 2, rows.handle(), probs_out.handle(), s, e);
        },
        aclnnMoeTokenUnpermuteWithEpGrad, word);
    EXPECT_EQ(probs_out.Bytes(), untouched.Bytes());
  };
  fails({0, 1, 2, 3, 4, 6}, "sortedIndices[5] = 6, expected 0 to 5", true);
  fails({0, 1, 2, -1, 4, 5}, "sortedIndices[3] = -1, expected 0 to 5", true);
  fails({0, 1, 2, INT32_MIN, 4, 5}, "sortedIndices[3] = -2147483648", true);
  fails({0, 1, 2, 1, 4, 5}, "sortedIndices[3] = 1, expected a row of its own", false);
}

TEST_F(MoeTokenRanksTest, RefusesWhatDoesNotFit) {
  const int tiling = ACLNN_ERR_INNER_TILING_ERROR, invalid = ACLNN_ERR_PARAM_INVALID;
  const int null = ACLNN_ERR_PARAM_NULLPTR;
  const Tensor tokens = Made({3, 4}, ACL_FLOAT), indices = Made({3, 2}, ACL_INT32);
  const Tensor probs = Made({3, 2}, ACL_FLOAT), flat = Made({3}, ACL_FLOAT);
  const Tensor half = Made({3, 2}, ACL_FLOAT16), rows = Made({4, 4}, ACL_FLOAT);
  const Tensor few = Made({3, 4}, ACL_FLOAT), factors = Made({4}, ACL_FLOAT);
  const Tensor short_factors = Made({3}, ACL_FLOAT), sorted = Made({6}, ACL_INT32);
  const auto permute = [&](const RowRange& range, const Tensor* by, bool pads, const Tensor& to,
                           const Tensor* by_row) {
    return [&, by, pads, by_row](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenPermuteWithEpGetWorkspaceSize(
          tokens.handle(), indices.handle(), by == nullptr ? nullptr : by->handle(), range.get(), 0,
          pads, to.handle(), sorted.handle(), by_row == nullptr ? nullptr : by_row->handle(), s, e);
    };
  };
  const RowRange right({1, 5}), backward({5, 1}), before({-1, 3}), beyond({3, 7}), three({0, 1, 2});
  ExpectRefused(permute(backward, nullptr, false, rows, nullptr), tiling,
                {"rangeOptional = {5, 1}", "expected 0 <= begin <= end <= 6"});
  ExpectRefused(permute(before, nullptr, false, rows, nullptr), tiling,
                {"rangeOptional = {-1, 3}"});
  ExpectRefused(permute(beyond, nullptr, false, rows, nullptr), tiling, {"rangeOptional = {3, 7}"});
  ExpectRefused(permute(three, nullptr, false, rows, nullptr), tiling,
                {"rangeOptional has 3 numbers, expected 2"});
  ExpectRefused(permute(right, nullptr, true, rows, nullptr), tiling, {"paddedMode"});
  ExpectRefused(permute(right, nullptr, false, few, nullptr), tiling,
                {"permuteTokensOut.shape[0] = 3, expected 4: of rangeOptional"});
  ExpectRefused(permute(right, &probs, false, rows, nullptr), null, {"permuteProbsOut is null"});
  ExpectRefused(permute(right, &flat, false, rows, &factors), tiling,
                {"probsOptional.shape = [3], expected [3, 2]"});
  ExpectRefused(permute(right, &half, false, rows, &factors), invalid, {"probsOptional.dtype"});
  ExpectRefused(permute(right, &probs, false, rows, &short_factors), tiling, {"permuteProbsOut"});
  const auto gradient = [&](const RowRange& range, const Tensor& of, const Tensor& by, int64_t k,
                            const Tensor* to) {
    return [&, k, to](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenPermuteWithEpGradGetWorkspaceSize(
          of.handle(), sorted.handle(), by.handle(), k, range.get(), false, tokens.handle(),
          to == nullptr ? nullptr : to->handle(), s, e);
    };
  };
  ExpectRefused(gradient(right, few, factors, 2, &probs), invalid,
                {"permutedTokensOutputGrad.shape[0] = 3, expected at least 4", "{1, 5}"});
  ExpectRefused(gradient(right, rows, short_factors, 2, &probs), invalid,
                {"permutedProbsOutputGradOptional.shape[0] = 3, expected at least 4"});
  ExpectRefused(gradient(beyond, rows, factors, 2, &probs), invalid, {"rangeOptional = {3, 7}"});
  ExpectRefused(gradient(right, rows, factors, 2, nullptr), null, {"probsGradOut is null"});
  ExpectRefused(gradient(right, rows, factors, 0, &probs), invalid, {"numTopk is 0"});
  ExpectRefused(gradient(right, rows, factors, 3, &probs), invalid, {"probsGradOut.shape[1] = 2"});
  const auto sum = [&](const RowRange& range, const Tensor& of, bool by, int64_t k) {
    return [&, by, k](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenUnpermuteWithEpGetWorkspaceSize(
          of.handle(), sorted.handle(), by ? probs.handle() : nullptr, k, range.get(), false,
          nullptr, tokens.handle(), s, e);
    };
  };
  ExpectRefused(sum(right, few, true, 2), invalid,
                {"permutedTokens.shape[0] = 3, expected at least 4"});
  ExpectRefused(sum(right, rows, true, 3), invalid,
                {"numTopk is 3, expected 2: probsOptional.shape[1]"});
  ExpectRefused(sum(right, rows, false, 3), invalid,
                {"sortedIndices.shape[0] = 6, expected 3 * 3"});
  ExpectRefused(sum(right, rows, false, 0), invalid, {"numTopk = 0, expected 1 to 512"});
  ExpectRefused(sum(right, rows, false, 513), invalid, {"numTopk = 513, expected 1 to 512"});
  const auto back = [&](const RowRange& range, const Tensor& to, bool by, const Tensor* permuted,
                        int64_t k) {
    return [&, by, permuted, k](uint64_t* s, aclOpExecutor** e) {
      return aclnnMoeTokenUnpermuteWithEpGradGetWorkspaceSize(
          tokens.handle(), sorted.handle(), permuted == nullptr ? nullptr : permuted->handle(),
          by ? probs.handle() : nullptr, false, nullptr, range.get(), k, to.handle(),
          by ? probs.handle() : nullptr, s, e);
    };
  };
  ExpectRefused(back(right, few, false, nullptr, 2), tiling,
                {"permutedTokensGradOut.shape[0] = 3, expected at least 4"});
  ExpectRefused(back(right, rows, true, nullptr, 2), null, {"permutedTokensOptional is null"});
  ExpectRefused(back(right, rows, false, nullptr, 513), tiling, {"topkNum = 513"});
  ExpectRefused(back(backward, rows, false, nullptr, 2), tiling, {"rangeOptional = {5, 1}"});
}

}  // namespace
}  // namespace anyacl::test
