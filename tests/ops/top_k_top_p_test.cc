// SPDX-License-Identifier: Apache-2.0
// Filtered logits against the document's steps in double precision.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_apply_top_k_top_p.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

struct Filtering {
  int64_t rows = 6, length = 50;
  aclDataType type = ACL_FLOAT;
  bool p = true, k = true, strided = false;
  int64_t values = 0;  // so many different logits; 0: any
};

class TopKTopPTest : public MoeTest {
 protected:
  // Of a row by the document: what stays. Numbers whose share is within `doubt` of the limit may
  // stay or go.
  static void Filter(const Numbers& x, const double* rest, const int32_t* k, double doubt,
                     std::vector<int>* stays) {
    const size_t n = x.size();
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return x[a] < x[b]; });
    stays->assign(n, 1);
    if (k != nullptr && *k > 0 && *k < static_cast<int32_t>(n)) {
      const double least = x[order[n - static_cast<size_t>(*k)]];
      for (size_t i = 0; i < n; ++i) (*stays)[i] = x[i] >= least;
    }
    if (rest == nullptr || n == 0) return;
    double sum = 0, share = 0;
    const double max = x[order.back()];
    for (size_t i = 0; i < n; ++i) sum += (*stays)[i] != 0 ? std::exp(x[i] - max) : 0;
    for (size_t i = 0; i + 1 < n; ++i) {
      if ((*stays)[order[i]] == 0) continue;
      share += std::exp(x[order[i]] - max) / sum;
      if (std::fabs(share - *rest) < doubt) {
        (*stays)[order[i]] = -1;  // either
      } else if (share <= *rest) {
        (*stays)[order[i]] = 0;
      }
    }
  }

  void Check(const Filtering& c) {
    SCOPED_TRACE(::testing::Message()
                 << c.rows << " rows of " << c.length << " type " << c.type << " p " << c.p << " k "
                 << c.k << " strided " << c.strided << " values " << c.values);
    Numbers x;
    for (int64_t i = 0; i < c.rows * c.length; ++i) {
      x.push_back(c.values > 0 ? static_cast<double>(random().Int(0, c.values - 1))
                               : AsHeld(c.type, random().Uniform(-4, 4)));
    }
    Numbers p;
    Integers k;
    for (int64_t i = 0; i < c.rows; ++i) {
      p.push_back(AsHeld(c.type, i == 0 ? 0 : i == 1 ? 1 : random().Uniform(0.1, 0.95)));
      k.push_back(i == 2   ? 0
                  : i == 3 ? -1
                  : i == 4 ? static_cast<int32_t>(c.length) + 3
                           : static_cast<int32_t>(random().Int(1, std::max<int64_t>(1, c.length))));
    }
    const Tensor logits = Holding({c.rows, c.length}, c.type, x, c.strided);
    const Tensor p_in = Holding({c.rows}, c.type, p, c.strided);
    const Tensor k_in = Holding({c.rows}, ACL_INT32, AsNumbers(k), c.strided);
    const Tensor out = Made({c.rows, c.length}, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnApplyTopKTopPGetWorkspaceSize(logits.handle(), c.p ? p_in.handle() : nullptr,
                                                    c.k ? k_in.handle() : nullptr, out.handle(), s,
                                                    e);
        },
        aclnnApplyTopKTopP);
    const Numbers actual = ReadAs(out);
    for (int64_t r = 0; r < c.rows; ++r) {
      const Numbers row(x.begin() + r * c.length, x.begin() + (r + 1) * c.length);
      const double rest = AsHeld(c.type, 1 - p[static_cast<size_t>(r)]);
      std::vector<int> stays;
      // Shares are sums of as many rounded numbers.
      Filter(row, c.p ? &rest : nullptr, c.k ? &k[static_cast<size_t>(r)] : nullptr, 1e-6, &stays);
      for (size_t i = 0; i < row.size(); ++i) {
        const double value = actual[static_cast<size_t>(r * c.length) + i];
        if (stays[i] < 0 && std::isinf(value)) continue;
        ASSERT_EQ(value, stays[i] != 0 ? row[i] : -INFINITY) << r << " " << i;
      }
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(TopKTopPTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int64_t values : {0, 5}) {
        for (int given = 1; given < 4; ++given) {
          Check({.type = type,
                 .p = given % 2 > 0,
                 .k = given / 2 > 0,
                 .strided = strided,
                 .values = values});
        }
      }
    }
    for (int64_t length : {1, 2, 17, 5000}) Check({.rows = 20, .length = length, .type = type});
  }
  Check({.rows = 0});
  Check({.length = 0});
}

// Numbers that there are none of, and in place.
TEST_F(TopKTopPTest, NotANumberAndInfinities) {
  const Tensor logits =
      Holding({3, 4}, ACL_FLOAT,
              {NAN, 1, 2, 3, -INFINITY, -INFINITY, -INFINITY, -INFINITY, 1, 3, 3, -INFINITY});
  const Tensor p = Holding({3}, ACL_FLOAT, {0.5, 0.5, 0.25});
  const Tensor k = Holding({3}, ACL_INT32, {2, 2, 2});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnApplyTopKTopPGetWorkspaceSize(logits.handle(), p.handle(), k.handle(),
                                                  logits.handle(), s, e);
      },
      aclnnApplyTopKTopP);
  const Numbers out = ReadAs(logits);
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(Numbers(out.begin() + 1, out.end()),
            (Numbers{-INFINITY, -INFINITY, 3, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY,
                     -INFINITY, 3, -INFINITY}));
}

TEST_F(TopKTopPTest, RefusesWhatDoesNotFit) {
  const Tensor logits = Made({3, 4}, ACL_FLOAT), p = Made({3}, ACL_FLOAT);
  const Tensor half = Made({3}, ACL_FLOAT16), four = Made({4}, ACL_INT32);
  const auto refused = [&](const Tensor* of_p, const Tensor* of_k, int code,
                           std::initializer_list<std::string_view> words) {
    const auto handle = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnApplyTopKTopPGetWorkspaceSize(logits.handle(), handle(of_p), handle(of_k),
                                                    logits.handle(), s, e);
        },
        code, words);
  };
  refused(nullptr, nullptr, ACLNN_ERR_PARAM_NULLPTR, {"p and k are null"});
  refused(&half, nullptr, ACLNN_ERR_PARAM_INVALID, {"p.dtype = FLOAT16"});
  refused(&p, &four, ACLNN_ERR_PARAM_INVALID, {"k.shape[0] = 4", "B = 3"});
}

}  // namespace
}  // namespace anyacl::test
