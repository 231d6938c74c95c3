// SPDX-License-Identifier: Apache-2.0
// Quantised layer norms against the formulas of their documents in double precision.
#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add_layer_norm_quant.h"
#include "aclnnop/aclnn_add_layer_norm_quant_v2.h"
#include "aclnnop/aclnn_layer_norm_quant.h"
#include "ops/moe_case.h"

namespace anyacl::test::layer_norm_quant {
namespace {

using namespace moe;

struct Quantising {
  int64_t rows = 5, n = 24;
  aclDataType type = ACL_FLOAT16, scale_type = ACL_FLOAT16;
  bool dynamic = false, divides = false, additional = true, strided = false;
  bool one_scale = false, flat = true;  // gamma is [n], else [1, n]
  bool first = true, second = true, offsets = true;
  int bias = 1;  // 0: none, 1: of a row, 2: of x1's shape
  int version = 2;
};

class LayerNormQuantTest : public MoeTest {
 protected:
  static constexpr double kEps = 1e-3;

  // y, from the sums of a row.
  static Numbers NormOf(const Numbers& sums, size_t row, const Numbers& gamma,
                        const Numbers& beta) {
    const size_t n = gamma.size();
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; ++i) mean += sums[row * n + i] / static_cast<double>(n);
    for (size_t i = 0; i < n; ++i) {
      variance += std::pow(sums[row * n + i] - mean, 2) / static_cast<double>(n);
    }
    Numbers y;
    for (size_t i = 0; i < n; ++i) {
      y.push_back((sums[row * n + i] - mean) / std::sqrt(variance + kEps) * gamma[i] + beta[i]);
    }
    return y;
  }

  void Check(const Quantising& c) {
    SCOPED_TRACE(::testing::Message()
                 << "types " << c.type << " " << c.scale_type << " dynamic " << c.dynamic
                 << " divides " << c.divides << " one scale " << c.one_scale << " flat " << c.flat
                 << " first " << c.first << " second " << c.second << " offsets " << c.offsets
                 << " bias " << c.bias << " strided " << c.strided << " version " << c.version);
    const Shape dims = {c.rows, c.n}, row = c.flat ? Shape{c.n} : Shape{1, c.n};
    const auto n = static_cast<size_t>(c.n), all = static_cast<size_t>(c.rows) * n;
    const size_t scales = c.one_scale ? 1 : n;
    const Shape factors = c.one_scale ? Shape{1} : row;
    const bool s = c.strided;
    const Numbers a = Drawn(c.type, all, -3, 3), b = Drawn(c.type, all, -3, 3);
    const Numbers gamma = Drawn(c.type, n, -2, 2), beta = Drawn(c.type, n, -2, 2);
    const Numbers bias = Drawn(c.type, c.bias == 2 ? all : n, -2, 2);
    const double low = c.dynamic ? 0.5 : c.divides ? 0.02 : 10;
    Numbers scale[2], offset[2];
    for (int k : {0, 1}) {
      scale[k] = Drawn(c.scale_type, scales, low, 4 * low);
      offset[k] = Drawn(c.scale_type, scales, -20, 20);
    }
    const Tensor x1 = Holding(dims, c.type, a, s), x2 = Holding(dims, c.type, b, s);
    const Tensor gamma_in = Holding(row, c.type, gamma, s), beta_in = Holding(row, c.type, beta, s);
    const Tensor bias_in = Holding(c.bias == 2 ? dims : row, c.type, bias, s);
    const Tensor scale1 = Holding(factors, c.scale_type, scale[0], s);
    const Tensor scale2 = Holding(factors, c.scale_type, scale[1], s);
    const Tensor offset1 = Holding(factors, c.scale_type, offset[0], s);
    const Tensor offset2 = Holding(factors, c.scale_type, offset[1], s);
    const Tensor y[] = {Made(dims, ACL_INT8, s), Made(dims, ACL_INT8, s)};
    const Tensor sum = Made(dims, c.type, s), normal = Made(dims, c.type, s);
    const Tensor untouched = Made(dims, c.type, s);
    const Tensor steps[] = {Made({c.rows}, ACL_FLOAT, s), Made({c.rows}, ACL_FLOAT, s)};
    const auto when = [](bool given, const Tensor& t) { return given ? t.handle() : nullptr; };
    const char* mode = c.dynamic ? "dynamic" : "static";
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          if (c.version == 1) {
            return aclnnAddLayerNormQuantGetWorkspaceSize(
                x1.handle(), x2.handle(), gamma_in.handle(), beta_in.handle(),
                when(c.bias > 0, bias_in), when(c.first, scale1), when(c.second, scale2),
                when(c.offsets, offset1), when(c.second && c.offsets, offset2), mode, kEps,
                c.additional, c.divides, y[0].handle(), y[1].handle(), sum.handle(),
                steps[0].handle(), steps[1].handle(), size, e);
          }
          return aclnnAddLayerNormQuantV2GetWorkspaceSize(
              x1.handle(), x2.handle(), gamma_in.handle(), beta_in.handle(),
              when(c.bias > 0, bias_in), when(c.first, scale1), when(c.second, scale2),
              when(c.offsets, offset1), when(c.second && c.offsets, offset2), mode, kEps,
              c.additional, c.divides, y[0].handle(), y[1].handle(), sum.handle(), normal.handle(),
              steps[0].handle(), steps[1].handle(), size, e);
        },
        c.version == 1 ? aclnnAddLayerNormQuant : aclnnAddLayerNormQuantV2);
    Numbers sums;
    for (size_t i = 0; i < all; ++i) {
      sums.push_back(a[i] + b[i] + (c.bias == 0 ? 0 : bias[c.bias == 2 ? i : i % n]));
    }
    const Numbers written = ReadAs(sum), results = ReadAs(normal);
    for (size_t r = 0; r < static_cast<size_t>(c.rows); ++r) {
      const Numbers norm = NormOf(sums, r, gamma, beta);
      for (size_t i = 0; i < n; ++i) {
        const size_t at = r * n + i;
        if (c.additional) {
          ASSERT_NEAR(written[at], sums[at], 1e-5 + 1.01 * HalfUnitOf(c.type, sums[at]));
        }
        if (c.version == 2) {
          ASSERT_NEAR(results[at], norm[i], 1e-5 + 1.01 * HalfUnitOf(c.type, norm[i]));
        }
      }
      for (int k : {0, 1}) {
        if (k == 1 && !c.second) continue;
        Numbers scaled = norm;
        for (size_t i = 0; i < n; ++i) {
          const double factor = scale[k][c.one_scale ? 0 : i];
          if (c.first) scaled[i] = c.divides && !c.dynamic ? norm[i] / factor : norm[i] * factor;
        }
        double step = 1;
        if (c.dynamic) {
          double most = 0;
          for (double value : scaled) most = std::max(most, std::fabs(value));
          step = most / 127;
          ASSERT_NEAR(ReadAs(steps[k])[r], step, 1e-5 * step);
        }
        const Numbers actual = ReadAs(y[k]);
        for (size_t i = 0; i < n; ++i) {
          double exact = scaled[i] / step;
          if (c.offsets) exact += offset[k][c.one_scale ? 0 : i];
          // Near the middle of two integers either may stand there.
          ASSERT_NEAR(actual[r * n + i], std::clamp(exact, -128.0, 127.0), 0.5 + 5e-3) << k << i;
        }
      }
    }
    EXPECT_TRUE(y[0].GuardsIntact() && y[1].GuardsIntact() && normal.GuardsIntact() &&
                sum.GuardsIntact() && steps[0].GuardsIntact());
    if (!c.additional) {
      EXPECT_EQ(sum.Bytes(), untouched.Bytes());
    }
  }
};

TEST_F(LayerNormQuantTest, StaticScales) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    for (int bits = 0; bits < 32; ++bits) {
      Quantising c = {.type = type, .scale_type = bits % 2 > 0 ? ACL_FLOAT : type};
      c.divides = bits / 2 % 2 > 0, c.one_scale = bits / 4 % 2 > 0, c.second = bits / 8 % 2 > 0;
      c.offsets = bits / 16 > 0, c.flat = !c.one_scale, c.bias = bits % 3;
      c.strided = c.offsets, c.additional = c.second, c.version = bits % 5 == 0 ? 1 : 2;
      Check(c);
    }
  }
}

TEST_F(LayerNormQuantTest, DynamicScales) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (int bits = 0; bits < 4; ++bits) {
      Quantising c = {.type = type, .scale_type = type, .dynamic = true, .offsets = false};
      c.first = bits > 0, c.second = bits > 1, c.strided = bits % 2 > 0, c.bias = bits % 3;
      c.version = bits % 2 + 1, c.divides = bits == 3;
      Check(c);
    }
  }
}

TEST_F(LayerNormQuantTest, WhatDoesNotGoTogetherIsRefused) {
  const Tensor x = Made({2, 4}, ACL_FLOAT16), row = Made({4}, ACL_FLOAT16);
  const Tensor other = Made({3}, ACL_FLOAT16), y = Made({2, 4}, ACL_INT8);
  const Tensor steps = Made({2}, ACL_FLOAT), three = Made({3}, ACL_FLOAT);
  struct Arguments {
    const Tensor *scale1 = nullptr, *scale2 = nullptr, *offset1 = nullptr, *offset2 = nullptr;
    const char* mode = "static";
    const Tensor *bias = nullptr, *steps = nullptr;
  };
  const auto call = [&](const Arguments& a) {
    return [&, a](uint64_t* size, aclOpExecutor** e) {
      const auto given = [](const Tensor* t) { return t == nullptr ? nullptr : t->handle(); };
      return aclnnAddLayerNormQuantV2GetWorkspaceSize(
          x.handle(), x.handle(), row.handle(), row.handle(), given(a.bias), given(a.scale1),
          given(a.scale2), given(a.offset1), given(a.offset2), a.mode, kEps, true, true, y.handle(),
          y.handle(), x.handle(), x.handle(), a.steps == nullptr ? steps.handle() : given(a.steps),
          steps.handle(), size, e);
    };
  };
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(call({}), code, {"scales1Optional is null", "static"});
  ExpectRefused(call({.scale2 = &row, .mode = "dynamic"}), code, {"scales1Optional is null"});
  ExpectRefused(call({.scale1 = &row, .offset1 = &row, .mode = "dynamic"}), code,
                {"zeroPoints1Optional is given", "dynamic"});
  ExpectRefused(call({.scale1 = &row, .offset2 = &row}), code, {"zeroPoints2Optional is given"});
  ExpectRefused(call({.scale1 = &row, .scale2 = &row, .offset1 = &row}), code,
                {"zeroPoints2Optional is null"});
  ExpectRefused(call({.scale1 = &other}), code, {"scales1Optional.shape = [3]", "[4] or [1]"});
  ExpectRefused(call({.scale1 = &row, .offset1 = &other}), code, {"zeroPoints1Optional.shape"});
  ExpectRefused(call({.scale1 = &row, .bias = &other}), code, {"biasOptional.shape = [3]"});
  ExpectRefused(call({.scale1 = &row, .mode = "none"}), code, {"quantMode"});
  ExpectRefused(call({.mode = "dynamic", .steps = &three}), code, {"outScales1Out.shape = [3]"});
  ExpectRefused(call({.mode = nullptr}), ACLNN_ERR_PARAM_NULLPTR, {"quantMode"});
}

// One scale and one offset for all.
TEST_F(LayerNormQuantTest, OfASingleTensor) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (bool flat : {false, true}) {
      const Shape dims = {2, 3, 63}, row = flat ? Shape{63} : Shape{1, 63};
      const Numbers x = Drawn(type, 6 * 63, 7, 13), gamma = Drawn(type, 63, -2, 2);
      const Numbers beta = Drawn(type, 63, -2, 2), scale = Drawn(type, 1, 0.03, 0.06);
      const Tensor x_in = Holding(dims, type, x, flat), gamma_in = Holding(row, type, gamma, flat);
      const Tensor beta_in = Holding(row, type, beta, flat);
      const Tensor scale_in = Holding({1}, type, scale), offset = Holding({1}, ACL_INT8, {-7});
      const Tensor y = Made(dims, ACL_INT8, flat), steps = Made({2, 3}, ACL_FLOAT);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnLayerNormQuantGetWorkspaceSize(
                x_in.handle(), gamma_in.handle(), beta_in.handle(), scale_in.handle(),
                offset.handle(), 0, kEps, y.handle(), flat ? steps.handle() : nullptr, size, e);
          },
          aclnnLayerNormQuant);
      const Numbers actual = ReadAs(y);
      for (size_t r = 0; r < 6; ++r) {
        const Numbers norm = NormOf(x, r, gamma, beta);
        for (size_t i = 0; i < 63; ++i) {
          ASSERT_NEAR(actual[r * 63 + i], std::clamp(norm[i] / scale[0] - 7, -128.0, 127.0),
                      0.5 + 5e-3);
        }
      }
      EXPECT_TRUE(y.GuardsIntact());
    }
  }
  const Tensor none = Made({0, 4}, ACL_FLOAT16), row = Made({4}, ACL_FLOAT16);
  const Tensor one = Made({1}, ACL_FLOAT16), offset = Made({1}, ACL_INT8);
  const Tensor empty = Made({0, 4}, ACL_INT8);
  const auto call = [&](const Tensor& gamma, const Tensor* zero, int mode) {
    return [&, zero, mode](uint64_t* size, aclOpExecutor** e) {
      return aclnnLayerNormQuantGetWorkspaceSize(
          none.handle(), gamma.handle(), gamma.handle(), one.handle(),
          zero == nullptr ? nullptr : zero->handle(), mode, kEps, empty.handle(), nullptr, size, e);
    };
  };
  RunTwoPhase(call(row, &offset, 0), aclnnLayerNormQuant);
  ExpectRefused(call(row, &offset, 1), ACLNN_ERR_PARAM_INVALID, {"quantMode is 1"});
  ExpectRefused(call(one, &offset, 0), ACLNN_ERR_PARAM_INVALID, {"gamma.shape"});
  ExpectRefused(call(row, nullptr, 0), ACLNN_ERR_PARAM_NULLPTR, {"zeroPointsOptional"});
}

}  // namespace
}  // namespace anyacl::test::layer_norm_quant
