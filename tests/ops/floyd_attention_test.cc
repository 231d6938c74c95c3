// SPDX-License-Identifier: Apache-2.0
// Floyd attention and its gradients against the documents' formulas in double precision; gradients
// also as what a change of the inputs does.
#include <cmath>
#include <memory>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fused_floyd_attention.h"
#include "aclnnop/aclnn_fused_floyd_attention_grad.h"
#include "ops/moe_case.h"
#include "support/near.h"

namespace anyacl::test {
namespace {

using moe::Numbers;
using moe::Shape;

struct Case {
  int64_t batch = 2, heads = 2, n = 3, m = 5, k = 7, d = 16;
  aclDataType type = ACL_FLOAT16, mask_type = ACL_BOOL;
  bool masked = true, strided = false;
  double scale = 0.3;

  Shape Rows(int64_t inner) const { return {batch, heads, n, m, inner}; }
  Shape First() const { return {batch, heads, n, k, d}; }
  Shape Second() const { return {batch, heads, k, m, d}; }
  Shape Mask() const { return {batch, 1, n, 1, k}; }
};

struct Data {
  Numbers query, key1, value1, key2, value2, dout, mask;
};

class FloydAttentionTest : public moe::MoeTest {
 protected:
  using Held = std::unique_ptr<Tensor>;
  struct Call {
    Held query, key1, value1, key2, value2, dout, mask;
    Held max, sum, out, dq, dk1, dv1, dk2, dv2;
    double scale;
    Held Call::*dq_at = &Call::dq;  // may be the query or dout

    static const aclTensor* Handle(const Held& held) {
      return held == nullptr ? nullptr : held->handle();
    }
    Phase1 Forward() {
      return [this](uint64_t* s, aclOpExecutor** e) {
        return aclnnFusedFloydAttentionGetWorkspaceSize(
            Handle(query), Handle(key1), Handle(value1), Handle(key2), Handle(value2), Handle(mask),
            scale, Handle(max), Handle(sum), Handle(out), s, e);
      };
    }
    Phase1 Backward() {
      return [this](uint64_t* s, aclOpExecutor** e) {
        return aclnnFusedFloydAttentionGradGetWorkspaceSize(
            Handle(query), Handle(key1), Handle(value1), Handle(key2), Handle(value2), Handle(dout),
            Handle(mask), Handle(max), Handle(sum), Handle(out), scale, Handle(this->*dq_at),
            Handle(dk1), Handle(dv1), Handle(dk2), Handle(dv2), s, e);
      };
    }
  };

  static size_t Count(const Shape& shape) {
    return static_cast<size_t>(
        std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()));
  }
  Held Filled(const Case& c, const Shape& shape, Numbers* numbers) {
    *numbers = Drawn(c.type, Count(shape), -1, 1);
    return std::make_unique<Tensor>(Holding(shape, c.type, *numbers, c.strided));
  }
  Call Prepared(const Case& c, Data* d) {
    const auto made = [&](const Shape& shape, aclDataType type) {
      return std::make_unique<Tensor>(Made(shape, type, c.strided));
    };
    for (size_t i = 0; i < Count(c.Mask()); ++i) d->mask.push_back(random().Chance(0.3));
    // Of one n all keys are masked.
    if (c.masked) std::fill_n(d->mask.begin(), c.k, 1.0);
    return {.query = Filled(c, c.Rows(c.d), &d->query),
            .key1 = Filled(c, c.First(), &d->key1),
            .value1 = Filled(c, c.First(), &d->value1),
            .key2 = Filled(c, c.Second(), &d->key2),
            .value2 = Filled(c, c.Second(), &d->value2),
            .dout = Filled(c, c.Rows(c.d), &d->dout),
            .mask = c.masked ? std::make_unique<Tensor>(
                                   Holding(c.Mask(), c.mask_type, d->mask, c.strided))
                             : nullptr,
            .max = made(c.Rows(8), ACL_FLOAT),
            .sum = made(c.Rows(8), ACL_FLOAT),
            .out = made(c.Rows(c.d), c.type),
            .dq = made(c.Rows(c.d), c.type),
            .dk1 = made(c.First(), c.type),
            .dv1 = made(c.First(), c.type),
            .dk2 = made(c.Second(), c.type),
            .dv2 = made(c.Second(), c.type),
            .scale = c.scale};
  }

  // Calls visit(row, n of all, its numbers of rows of key1 and key2 by k).
  template <class Visit>
  static void ForRows(const Case& c, const Visit& visit) {
    for (int64_t head = 0; head < c.batch * c.heads; ++head) {
      for (int64_t n = 0; n < c.n; ++n) {
        for (int64_t m = 0; m < c.m; ++m) {
          std::vector<std::pair<size_t, size_t>> keys;
          for (int64_t k = 0; k < c.k; ++k) {
            keys.emplace_back((head * c.n + n) * c.k + k, (head * c.k + k) * c.m + m);
          }
          const int64_t mask = (head / c.heads * c.n + n) * c.k;
          visit(static_cast<size_t>((head * c.n + n) * c.m + m), static_cast<size_t>(mask), keys);
        }
      }
    }
  }
  static double Dot(const Case& c, const Numbers& a, size_t row, const Numbers& b, size_t other) {
    const auto d = static_cast<size_t>(c.d);
    double sum = 0;
    for (size_t x = 0; x < d; ++x) sum += a[row * d + x] * b[other * d + x];
    return sum;
  }
  // Probabilities of a row's k; the largest score and the sum.
  static Numbers Softmax(const Case& c, const Data& d, size_t row, size_t mask,
                         const std::vector<std::pair<size_t, size_t>>& keys, double* max,
                         double* sum) {
    Numbers p;
    *max = -INFINITY, *sum = 0;
    for (size_t k = 0; k < keys.size(); ++k) {
      // In fp32 nothing is left of what a masked score was.
      const bool masked = c.masked && d.mask[mask + k] != 0;
      p.push_back(masked ? -4e9
                         : c.scale * (Dot(c, d.query, row, d.key1, keys[k].first) +
                                      Dot(c, d.query, row, d.key2, keys[k].second)));
      *max = std::max(*max, p.back());
    }
    for (double& x : p) *sum += x = std::exp(x - *max);
    for (double& x : p) x /= *sum;
    return p;
  }

  // What came out was rounded before the gradients were made of it.
  static double UnitOf(const Case& c) { return c.type == ACL_BF16 ? 0x1p-7 : 0x1p-10; }

  void Check(const Case& c, Held Call::*dq_at = &Call::dq) {
    SCOPED_TRACE(::testing::Message()
                 << c.n << " x " << c.m << " x " << c.k << ", " << c.d << " type " << c.type
                 << " masked " << c.masked << " strided " << c.strided);
    Data d;
    Call call = Prepared(c, &d);
    call.dq_at = dq_at;
    RunTwoPhase(call.Forward(), aclnnFusedFloydAttention);
    RunTwoPhase(call.Backward(), aclnnFusedFloydAttentionGrad);
    const auto dim = static_cast<size_t>(c.d);
    const Numbers max = ReadAs(*call.max), sum = ReadAs(*call.sum);
    Summed out(d.query.size()), dq(d.query.size()), dk1(d.key1.size()), dv1(d.key1.size()),
        dk2(d.key2.size()), dv2(d.key2.size());
    ForRows(c, [&](size_t row, size_t mask, const auto& keys) {
      double most = 0, total = 0, delta = 0;
      const Numbers p = Softmax(c, d, row, mask, keys, &most, &total);
      for (size_t i = 0; i < 8; ++i) {
        ASSERT_NEAR(max[row * 8 + i], most, 1e-5 + std::abs(most) * 0x1p-22) << row;
        ASSERT_NEAR(sum[row * 8 + i], total, total * 1e-5) << row;
      }
      Numbers dp;
      for (size_t k = 0; k < keys.size(); ++k) {
        dp.push_back(Dot(c, d.dout, row, d.value1, keys[k].first) +
                     Dot(c, d.dout, row, d.value2, keys[k].second));
        delta += p[k] * dp[k];
      }
      for (size_t k = 0; k < keys.size(); ++k) {
        const auto [first, second] = keys[k];
        const double ds = p[k] * (dp[k] - delta) * c.scale;
        const double size = p[k] * (std::abs(dp[k]) + std::abs(delta) + 1) * std::abs(c.scale);
        for (size_t x = 0; x < dim; ++x) {
          const double v1 = d.value1[first * dim + x], v2 = d.value2[second * dim + x];
          const double k1 = d.key1[first * dim + x], k2 = d.key2[second * dim + x];
          const double q = d.query[row * dim + x], dy = d.dout[row * dim + x];
          out.Add(row * dim + x, p[k] * (v1 + v2), p[k] * (std::abs(v1) + std::abs(v2)));
          dq.Add(row * dim + x, ds * (k1 + k2), size * (std::abs(k1) + std::abs(k2)));
          dk1.Add(first * dim + x, ds * q, size * q);
          dk2.Add(second * dim + x, ds * q, size * q);
          dv1.Add(first * dim + x, p[k] * dy, p[k] * dy);
          dv2.Add(second * dim + x, p[k] * dy, p[k] * dy);
        }
      }
    });
    ExpectNear(*call.out, out, UnitOf(c), "out");
    ExpectNear(*(call.*dq_at), dq, UnitOf(c), "dq");
    ExpectNear(*call.dk1, dk1, UnitOf(c), "dk1");
    ExpectNear(*call.dv1, dv1, UnitOf(c), "dv1");
    ExpectNear(*call.dk2, dk2, UnitOf(c), "dk2");
    ExpectNear(*call.dv2, dv2, UnitOf(c), "dv2");
    EXPECT_TRUE(call.max->GuardsIntact());
    EXPECT_TRUE(call.sum->GuardsIntact());
  }
};

TEST_F(FloydAttentionTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    Check({.type = type});
    Check({.type = type, .masked = false});
    Check({.type = type, .mask_type = ACL_UINT8, .strided = true});
    Check({.batch = 1, .heads = 1, .n = 1, .m = 1, .k = 1, .d = 1, .type = type, .masked = false});
    Check({.batch = 1, .heads = 3, .n = 16, .m = 20, .k = 130, .d = 32, .type = type});
  }
}

TEST_F(FloydAttentionTest, MaskedKeysCountForNothingWhateverTheScale) {
  for (const double scale : {0.0, 1e-9, -0.2, 3.0}) Check({.scale = scale});
}

TEST_F(FloydAttentionTest, GradientsOfQueriesMayTakeTheirPlace) {
  Check({.n = 16, .m = 16, .k = 32, .d = 32}, &Call::query);
  Check({.n = 16, .m = 16, .k = 32, .d = 32}, &Call::dout);
}

TEST_F(FloydAttentionTest, TilesAreSummed) {
  // Tiles of 11 n and 11 m of 16,384 k; of 256 n, or of 256 m, of few k.
  Check({.batch = 1, .heads = 1, .n = 13, .m = 14, .k = 16384, .d = 2});
  Check({.batch = 1, .heads = 1, .n = 300, .m = 3, .k = 5, .d = 4});
  Check({.batch = 1, .heads = 1, .n = 3, .m = 300, .k = 5, .d = 4});
}

TEST_F(FloydAttentionTest, GradientsAreWhatAChangeDoes) {
  const Case c = {.batch = 1, .heads = 1, .d = 8, .masked = false};
  Data d;
  Call call = Prepared(c, &d);
  RunTwoPhase(call.Forward(), aclnnFusedFloydAttention);
  RunTwoPhase(call.Backward(), aclnnFusedFloydAttentionGrad);
  const auto loss = [&](const Data& data) {
    double all = 0, max = 0, sum = 0;
    ForRows(c, [&](size_t row, size_t mask, const auto& keys) {
      const Numbers p = Softmax(c, data, row, mask, keys, &max, &sum);
      for (size_t k = 0; k < keys.size(); ++k) {
        all += p[k] * (Dot(c, data.dout, row, data.value1, keys[k].first) +
                       Dot(c, data.dout, row, data.value2, keys[k].second));
      }
    });
    return all;
  };
  const auto check = [&](Numbers Data::*of, const Tensor& result) {
    const Numbers actual = ReadAs(result);
    for (size_t i = 0; i < actual.size(); ++i) {
      Data moved = d;
      (moved.*of)[i] += 1e-4;
      const double above = loss(moved);
      (moved.*of)[i] -= 2e-4;
      EXPECT_NEAR(actual[i], (above - loss(moved)) / 2e-4, 3e-3) << i;
    }
  };
  check(&Data::query, *call.dq);
  check(&Data::key1, *call.dk1);
  check(&Data::value1, *call.dv1);
  check(&Data::key2, *call.dk2);
  check(&Data::value2, *call.dv2);
}

TEST_F(FloydAttentionTest, RefusesWhatDoesNotFit) {
  constexpr int kTiling = ACLNN_ERR_INNER_TILING_ERROR;
  const auto refused = [&](const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words, bool both = true) {
    Data d;
    Call call = Prepared({}, &d);
    change(call);
    ExpectRefused(call.Backward(), code, words);
    if (both) ExpectRefused(call.Forward(), code, words);
  };
  const auto made = [](const Shape& shape, aclDataType type) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  refused(
      [&](Call& c) {
        c.key2 = made({2, 2, 8, 5, 16}, ACL_FLOAT16);
      },
      kTiling, {"key2.shape", "8", "7"});
  refused(
      [&](Call& c) {
        c.value1 = made({2, 2, 3, 7, 8}, ACL_FLOAT16);
      },
      kTiling, {"value1.shape", "8", "16"});
  refused(
      [&](Call& c) {
        c.mask = made({2, 2, 3, 1, 7}, ACL_BOOL);
      },
      kTiling, {"attenMaskOptional.shape", "2", "1"});
  refused([&](Call& c) { c.query = made({2, 2, 0, 5, 16}, ACL_FLOAT16); }, kTiling, {"0"});
  refused([&](Call& c) { c.sum = made({2, 2, 3, 5, 1}, ACL_FLOAT); }, kTiling, {"1", "8"});
  refused(
      [&](Call& c) {
        c.dk2 = made({2, 2, 7, 6, 16}, ACL_FLOAT16);
      },
      kTiling, {"dk2Out.shape", "6", "5"}, false);
  refused(
      [&](Call& c) {
        c.value2 = made({2, 2, 7, 5, 16}, ACL_BF16);
      },
      ACLNN_ERR_PARAM_INVALID, {"value2.dtype = BF16"});
  refused([&](Call& c) { c.key1 = nullptr; }, ACLNN_ERR_PARAM_NULLPTR, {"key1 is null"});
}

}  // namespace
}  // namespace anyacl::test
