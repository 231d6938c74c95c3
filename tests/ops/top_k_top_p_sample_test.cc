// SPDX-License-Identifier: Apache-2.0
// Chosen tokens against the document's steps in double precision.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_top_k_top_p_sample.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Sampling {
  int64_t rows = 6, length = 50;
  aclDataType type = ACL_FLOAT16;
  int32_t k = 0;  // 0: none of the rows has one; -1: any
  double p = 1;   // -1: any
  bool q = true, need_logits = true, strided = false;
  int64_t values = 0;  // so many different logits; 0: any
  double wide = 4;     // of the logits
};

// A row's choice by the document.
struct Choice {
  std::vector<size_t> left;  // places, in the order in which q is counted
  Numbers quotients;         // of each
  bool doubtful = false;     // the last one may stay or go
};

class SampleTest : public MoeTest {
 protected:
  static Numbers Softmax(const Numbers& x) {
    const double max = *std::max_element(x.begin(), x.end());
    Numbers powers;
    for (double value : x) powers.push_back(std::exp(value - max));
    const double sum = std::accumulate(powers.begin(), powers.end(), 0.0);
    for (double& power : powers) power /= sum;
    return powers;
  }

  static Choice Choose(const Numbers& x, int32_t k, double p, const double* q, double eps) {
    Choice c;
    c.left.resize(x.size());
    std::iota(c.left.begin(), c.left.end(), size_t{0});
    const bool by_k = k >= 1 && k <= static_cast<int32_t>(std::min<size_t>(1024, x.size()));
    const bool by_p = p > 0 && p < 1;
    if (by_k || by_p) {
      std::stable_sort(c.left.begin(), c.left.end(),
                       [&](size_t a, size_t b) { return x[a] > x[b]; });
    }
    if (by_k) c.left.resize(static_cast<size_t>(k));
    const auto values = [&] {
      Numbers of_left;
      for (size_t place : c.left) of_left.push_back(x[place]);
      return of_left;
    };
    Numbers shares = Softmax(values());
    if (by_p) {
      double before = 0;
      size_t n = 0;
      for (; n < shares.size(); before += shares[n++]) {
        if (std::fabs(before - p) < 1e-5) c.doubtful = true;
        if (before > p) break;
      }
      c.left.resize(n);
      shares.resize(n);
      shares = Softmax(by_k ? values() : shares);
    }
    for (size_t i = 0; i < shares.size(); ++i) {
      c.quotients.push_back(q == nullptr ? shares[i] : shares[i] / (q[i] + eps));
    }
    return c;
  }

  void Check(const Sampling& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.rows << " x " << c.length << " type " << c.type << " k " << c.k << " p "
                 << c.p << " q " << c.q << " logits " << c.need_logits << " strided " << c.strided
                 << " values " << c.values << " wide " << c.wide);
    const auto count = static_cast<size_t>(c.rows * c.length);
    Numbers x = Drawn(c.type, count, -c.wide, c.wide), k, p;
    for (size_t i = 0; c.values > 0 && i < count; ++i) {
      x[i] = static_cast<double>(random().Int(0, c.values - 1));
    }
    const Numbers q = Drawn(ACL_FLOAT, count, 0.01, 3);
    const int64_t most = std::min<int64_t>(1024, c.length);
    for (int64_t row = 0; row < c.rows; ++row) {
      const int64_t none[] = {0, -3, most + 1, INT32_MAX};
      k.push_back(static_cast<double>(c.k > 0    ? c.k
                                      : c.k == 0 ? none[row % 4]
                                      : row == 0 ? most
                                                 : random().Int(1, most)));
      p.push_back(AsHeld(c.type, c.p >= 0 ? c.p : random().Uniform(0.05, 0.95)));
    }
    const Tensor logits = Holding({c.rows, c.length}, c.type, x, c.strided);
    const Tensor k_in = Holding({c.rows}, ACL_INT32, k, c.strided);
    const Tensor p_in = Holding({c.rows}, c.type, p, c.strided);
    const Tensor q_in = Holding({c.rows, c.length}, ACL_FLOAT, q, c.strided);
    const Tensor index = Made({c.rows}, ACL_INT64, c.strided);
    const Tensor left = Made({c.rows, c.length}, ACL_FLOAT, c.strided);
    const std::vector<uint8_t> untouched = left.Bytes();
    constexpr double kEps = 1e-8;
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnTopKTopPSampleGetWorkspaceSize(
              logits.handle(), k_in.handle(), p_in.handle(), c.q ? q_in.handle() : nullptr, kEps,
              c.need_logits, 32, index.handle(), left.handle(), s, e);
        },
        aclnnTopKTopPSample);
    const std::vector<int64_t> chosen = index.Read<int64_t>();
    const Numbers stays = ReadAs(left);
    if (!c.need_logits) {
      EXPECT_EQ(left.Bytes(), untouched);
    }
    for (int64_t row = 0; row < c.rows; ++row) {
      const auto r = static_cast<size_t>(row);
      const Numbers of_row(x.begin() + row * c.length, x.begin() + (row + 1) * c.length);
      const Choice choice = Choose(of_row, static_cast<int32_t>(k[r]), p[r],
                                   c.q ? &q[static_cast<size_t>(row * c.length)] : nullptr, kEps);
      if (choice.doubtful) continue;
      // Whatever has the largest quotient but for rounding; without q the first of the largest.
      const auto best = std::max_element(choice.quotients.begin(), choice.quotients.end());
      const auto at =
          std::find(choice.left.begin(), choice.left.end(), static_cast<size_t>(chosen[r]));
      ASSERT_NE(at, choice.left.end()) << row << " " << chosen[r];
      const double quotient = choice.quotients[static_cast<size_t>(at - choice.left.begin())];
      ASSERT_GE(quotient, *best * (1 - 1e-5)) << row;
      if (!c.q) {
        ASSERT_EQ(at - choice.left.begin(), best - choice.quotients.begin()) << row;
      }
      if (!c.need_logits) continue;
      Numbers expected(of_row.size(), 0);
      for (size_t place : choice.left) expected[place] = of_row[place];
      ASSERT_EQ(Numbers(stays.begin() + row * c.length, stays.begin() + (row + 1) * c.length),
                expected)
          << row;
    }
    EXPECT_TRUE(index.GuardsIntact() && left.GuardsIntact());
  }
};

TEST_F(SampleTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (int options = 0; options < 32; ++options) {
      for (int64_t values : {0, 3}) {
        Check({.type = type,
               .k = (options & 1) != 0 ? -1 : 0,
               .p = (options & 2) != 0 ? -1.0 : 1.0,
               .q = (options & 4) != 0,
               .need_logits = (options & 8) != 0,
               .strided = (options & 16) != 0,
               .values = values});
      }
    }
    for (int64_t length : {1, 2, 17, 1023, 1025, 20000}) {
      for (double p : {-1.0, 1.0, 0.0}) {
        Check({.rows = 9, .length = length, .type = type, .k = -1, .p = p});
        Check({.rows = 9, .length = length, .type = type, .p = p});
        Check({.rows = 9, .length = length, .type = type, .p = p, .wide = 0.01});
      }
    }
    Check({.rows = 3, .length = 5000, .type = type, .k = 1024, .p = 0.5});
  }
}

// Infinities have no share; a number that is none is the largest.
TEST_F(SampleTest, NotANumberAndInfinities) {
  const Tensor logits = Holding({4, 4}, ACL_BF16,
                                {-INFINITY, 2, -INFINITY, 1, -INFINITY, -INFINITY, -INFINITY,
                                 -INFINITY, 1, NAN, 3, 2, 5, -INFINITY, 5, 1});
  const Tensor k = Holding({4}, ACL_INT32, {3, 2, 2, 0});
  const Tensor p = Holding({4}, ACL_BF16, {0.5, 1, 1, 0.25});
  const Tensor index = Made({4}, ACL_INT64), left = Made({4, 4}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnTopKTopPSampleGetWorkspaceSize(logits.handle(), k.handle(), p.handle(), nullptr,
                                                   1e-8, true, 1, index.handle(), left.handle(), s,
                                                   e);
      },
      aclnnTopKTopPSample);
  EXPECT_EQ(index.Read<int64_t>(), (std::vector<int64_t>{1, 0, 1, 0}));
  const Numbers stays = ReadAs(left);
  EXPECT_EQ(Numbers(stays.begin(), stays.begin() + 4), (Numbers{0, 2, 0, 0}));
  EXPECT_EQ(Numbers(stays.begin() + 12, stays.end()), (Numbers{5, 0, 0, 0}));
}

TEST_F(SampleTest, RefusesWhatDoesNotFit) {
  const Tensor logits = Made({3, 4}, ACL_FLOAT16), floats = Made({3, 4}, ACL_FLOAT);
  const Tensor k = Made({3}, ACL_INT32), p = Made({3}, ACL_FLOAT16), bf16 = Made({3}, ACL_BF16);
  const Tensor four = Made({4}, ACL_INT32), column = Made({3, 1}, ACL_INT32);
  const Tensor q = Made({3, 4}, ACL_FLOAT), short_q = Made({3, 3}, ACL_FLOAT);
  const Tensor index = Made({3}, ACL_INT64), out = Made({3, 4}, ACL_FLOAT);
  const auto handle = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
  const auto refused = [&](const Tensor* x, const Tensor* k_in, const Tensor* p_in,
                           const Tensor* q_in, int64_t guess, const Tensor* chosen,
                           const Tensor* left, int code,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnTopKTopPSampleGetWorkspaceSize(handle(x), handle(k_in), handle(p_in),
                                                     handle(q_in), 1e-8, false, guess,
                                                     handle(chosen), handle(left), s, e);
        },
        code, words);
  };
  constexpr int kNull = ACLNN_ERR_PARAM_NULLPTR, kInvalid = ACLNN_ERR_PARAM_INVALID;
  refused(nullptr, &k, &p, &q, 32, &index, &out, kNull, {"logits"});
  refused(&logits, nullptr, &p, &q, 32, &index, &out, kNull, {"topK"});
  refused(&logits, &k, nullptr, &q, 32, &index, &out, kNull, {"topP"});
  refused(&floats, &k, &p, &q, 32, &index, &out, kInvalid, {"logits.dtype = FLOAT"});
  refused(&logits, &k, &bf16, &q, 32, &index, &out, kInvalid, {"topP.dtype = BF16", "logits"});
  refused(&logits, &four, &p, &q, 32, &index, &out, kInvalid, {"topK.shape[0] = 4", "B = 3"});
  refused(&logits, &column, &p, &q, 32, &index, &out, kInvalid, {"topK.shape"});
  refused(&logits, &k, &p, &short_q, 32, &index, &out, kInvalid, {"q.shape[1] = 3", "V = 4"});
  refused(&logits, &k, &p, &q, 0, &index, &out, kInvalid, {"topKGuess is 0", "at least 1"});
  refused(&logits, &k, &p, &q, 32, &index, &short_q, kInvalid, {"logitsTopKPSelect.shape[1] = 3"});
  const auto sized = [&](int64_t rows, int64_t length) {
    const Tensor x(Layout{.dims = {rows, length}, .dtype = ACL_FLOAT16}, 64);
    const Tensor left(Layout{.dims = {rows, length}, .dtype = ACL_FLOAT}, 64);
    const Tensor of_k = Made({rows}, ACL_INT32), of_p = Made({rows}, ACL_FLOAT16);
    const Tensor chosen = Made({rows}, ACL_INT64);
    refused(&x, &of_k, &of_p, nullptr, 32, &chosen, &left, kInvalid,
            {"logits.shape", "1 row or more"});
  };
  sized(0, 4);
  sized(3, 0);
  sized(1, (1 << 20) + 1);
}

}  // namespace
}  // namespace anyacl::test
