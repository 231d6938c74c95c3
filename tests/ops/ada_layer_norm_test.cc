// SPDX-License-Identifier: Apache-2.0
// Layer norms whose rows are scaled and shifted, and their gradient, against the formulas of the
// documents in double precision.
#include <algorithm>
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_ada_layer_norm.h"
#include "aclnnop/aclnn_ada_layer_norm_backward.h"
#include "aclnnop/aclnn_ada_layer_norm_quant.h"
#include "aclnnop/aclnn_ada_layer_norm_v2.h"
#include "ops/moe_case.h"

namespace anyacl::test {
namespace {

using namespace moe;

constexpr double kEps = 1e-3;

struct Case {
  Shape leading = {2, 3};
  int64_t s = 4, h = 24;
  aclDataType type = ACL_FLOAT16, weights = ACL_FLOAT16;
  bool weight = true, bias = true, flat = true, strided = false;  // factors [B.., H]

  Shape With(std::initializer_list<int64_t> last) const {
    Shape shape = leading;
    shape.insert(shape.end(), last);
    return shape;
  }
  Shape Factors() const { return flat ? With({h}) : With({1, h}); }
  size_t rows() const { return batches() * static_cast<size_t>(s); }
  size_t batches() const {
    size_t count = 1;
    for (int64_t size : leading) count *= static_cast<size_t>(size);
    return count;
  }
};

std::ostream& operator<<(std::ostream& to, const Case& c) {
  return to << "rank " << c.leading.size() + 2 << " S " << c.s << " H " << c.h << " type " << c.type
            << " weights " << c.weights << c.weight << c.bias << " flat " << c.flat << " strided "
            << c.strided;
}

class AdaLayerNormTest : public MoeTest {
 protected:
  struct Inputs {
    Numbers x, scale, shift, weight, bias;
  };
  Inputs DrawnOf(const Case& c) {
    const auto h = static_cast<size_t>(c.h);
    return {Drawn(c.type, c.rows() * h, -3, 3), Drawn(c.type, c.batches() * h, -1, 1),
            Drawn(c.type, c.batches() * h, -1, 1), Drawn(c.weights, h, -2, 2),
            Drawn(c.weights, h, -2, 2)};
  }
  static const aclTensor* When(bool given, const Tensor& t) { return given ? t.handle() : nullptr; }

  struct Norm {
    Numbers y;
    double mean = 0, rstd = 0;
  };
  static Norm NormOf(const Case& c, const Inputs& in, size_t row) {
    const auto h = static_cast<size_t>(c.h);
    const double* const x = in.x.data() + row * h;
    Norm norm;
    double variance = 0;
    for (size_t i = 0; i < h; ++i) norm.mean += x[i] / static_cast<double>(h);
    for (size_t i = 0; i < h; ++i) {
      variance += std::pow(x[i] - norm.mean, 2) / static_cast<double>(h);
    }
    norm.rstd = 1 / std::sqrt(variance + kEps);
    const size_t factors = row / static_cast<size_t>(c.s) * h;
    for (size_t i = 0; i < h; ++i) {
      double y = (x[i] - norm.mean) * norm.rstd;
      if (c.weight) y *= in.weight[i];
      if (c.bias) y += in.bias[i];
      norm.y.push_back(y * (1 + in.scale[factors + i]) + in.shift[factors + i]);
    }
    return norm;
  }

  // Both versions.
  void Check(const Case& c) {
    SCOPED_TRACE(::testing::Message() << c);
    const Inputs in = DrawnOf(c);
    const bool s = c.strided;
    const Tensor x = Holding(c.With({c.s, c.h}), c.type, in.x, s);
    const Tensor scale = Holding(c.Factors(), c.type, in.scale, s);
    const Tensor shift = Holding(c.Factors(), c.type, in.shift, s);
    const Tensor weight = Holding({c.h}, c.weights, in.weight, s);
    const Tensor bias = Holding({c.h}, c.weights, in.bias, s);
    const Tensor out = Made(c.With({c.s, c.h}), c.type, s);
    const Tensor mean = Made(c.With({c.s, 1}), c.type, s), rstd = Made(c.With({c.s, 1}), c.type, s);
    const auto expect = [&](bool statistics) {
      const Numbers y = ReadAs(out), means = ReadAs(mean), rstds = ReadAs(rstd);
      const auto near = [&](double actual, double expected) {
        ASSERT_NEAR(actual, expected, 1e-5 + 1.01 * HalfUnitOf(c.type, expected));
      };
      for (size_t row = 0; row < c.rows(); ++row) {
        const Norm norm = NormOf(c, in, row);
        for (size_t i = 0; i < norm.y.size(); ++i) near(y[row * norm.y.size() + i], norm.y[i]);
        if (!statistics) continue;
        near(means[row], norm.mean);
        near(rstds[row], norm.rstd);
      }
      EXPECT_TRUE(out.GuardsIntact() && mean.GuardsIntact() && rstd.GuardsIntact());
    };
    if (c.type == c.weights) {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnAdaLayerNormGetWorkspaceSize(x.handle(), scale.handle(), shift.handle(),
                                                     When(c.weight, weight), When(c.bias, bias),
                                                     kEps, out.handle(), size, e);
          },
          aclnnAdaLayerNorm);
      expect(false);
    }
    for (bool statistics : {true, false}) {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnAdaLayerNormV2GetWorkspaceSize(
                x.handle(), scale.handle(), shift.handle(), When(c.weight, weight),
                When(c.bias, bias), kEps, out.handle(), statistics ? mean.handle() : nullptr,
                statistics ? rstd.handle() : nullptr, size, e);
          },
          aclnnAdaLayerNormV2);
      expect(statistics);
    }
  }

  void CheckQuantised(const Case& c, bool smooth) {
    SCOPED_TRACE(::testing::Message() << c << " smooth " << smooth);
    const Inputs in = DrawnOf(c);
    const auto h = static_cast<size_t>(c.h);
    const Numbers factors = Drawn(c.type, h, 0.25, 3);
    const bool s = c.strided;
    const Tensor x = Holding(c.With({c.s, c.h}), c.type, in.x, s);
    const Tensor scale = Holding(c.Factors(), c.type, in.scale, s);
    const Tensor shift = Holding(c.Factors(), c.type, in.shift, s);
    const Tensor weight = Holding({c.h}, c.type, in.weight, s);
    const Tensor bias = Holding({c.h}, c.type, in.bias, s);
    const Tensor smooths = Holding({c.h}, c.type, factors, s);
    const Tensor out = Made(c.With({c.s, c.h}), ACL_INT8, s),
                 steps = Made(c.With({c.s}), ACL_FLOAT, s);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnAdaLayerNormQuantGetWorkspaceSize(
              x.handle(), scale.handle(), shift.handle(), When(c.weight, weight),
              When(c.bias, bias), When(smooth, smooths), kEps, "dynamic", out.handle(),
              steps.handle(), nullptr, size, e);
        },
        aclnnAdaLayerNormQuant);
    const Numbers actual = ReadAs(out), scales = ReadAs(steps);
    for (size_t row = 0; row < c.rows(); ++row) {
      Numbers y = NormOf(c, in, row).y;
      double most = 0;
      for (size_t i = 0; i < h; ++i) {
        if (smooth) y[i] *= factors[i];
        most = std::max(most, std::fabs(y[i]));
      }
      ASSERT_NEAR(scales[row], most / 127, 1e-5 * most);
      // Near the middle of two integers either may stand there.
      for (size_t i = 0; i < h; ++i) {
        ASSERT_NEAR(actual[row * h + i], y[i] / most * 127, 0.5 + 2e-3);
      }
    }
    EXPECT_TRUE(out.GuardsIntact() && steps.GuardsIntact());
  }

  // Which gradients are asked for: bits in their order.
  void CheckGradient(const Case& c, unsigned wanted = 31) {
    SCOPED_TRACE(::testing::Message() << c << " wanted " << wanted);
    const Inputs in = DrawnOf(c);
    const auto h = static_cast<size_t>(c.h);
    const double n = static_cast<double>(h);
    const bool s = c.strided;
    const Shape all = c.With({c.s, c.h}), one = c.With({c.s, 1});
    const Numbers dy = Drawn(c.type, c.rows() * h, -2, 2);
    Numbers means, rstds;
    for (size_t row = 0; row < c.rows(); ++row) {
      const Norm norm = NormOf(c, in, row);
      means.push_back(AsHeld(c.type, norm.mean));
      rstds.push_back(AsHeld(c.type, norm.rstd));
    }
    const Tensor dy_in = Holding(all, c.type, dy, s), x = Holding(all, c.type, in.x, s);
    const Tensor mean = Holding(one, c.type, means, s), rstd = Holding(one, c.type, rstds, s);
    const Tensor scale = Holding(c.Factors(), c.type, in.scale, s);
    const Tensor shift = Holding(c.Factors(), c.type, in.shift, s);
    const Tensor weight = Holding({c.h}, c.weights, in.weight, s);
    const Tensor bias = Holding({c.h}, c.weights, in.bias, s);
    const Tensor dx = Made(all, c.type, s), dscale = Made(c.Factors(), c.type, s);
    const Tensor dshift = Made(c.Factors(), c.type, s);
    const Tensor dweight = Made({c.h}, c.weights, s), dbias = Made({c.h}, c.weights, s);
    aclIntArray* const row_shape = aclCreateIntArray(&c.h, 1);
    const auto out = [&](unsigned bit, const Tensor& t) {
      return (wanted >> bit & 1) != 0 ? t.handle() : nullptr;
    };
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnAdaLayerNormBackwardGetWorkspaceSize(
              dy_in.handle(), x.handle(), row_shape, rstd.handle(), mean.handle(), scale.handle(),
              shift.handle(), When(c.weight, weight), When(c.bias, bias), out(0, dx),
              out(1, dscale), out(2, dshift), out(3, dweight), out(4, dbias), size, e);
        },
        aclnnAdaLayerNormBackward);
    aclDestroyIntArray(row_shape);
    Numbers dxs(dy.size()), dscales(in.scale.size()), dshifts(in.scale.size()), dweights(h),
        dbiases(h);
    for (size_t row = 0; row < c.rows(); ++row) {
      const size_t factors = row / static_cast<size_t>(c.s) * h;
      Numbers xh, g;
      double sum = 0, products = 0;
      for (size_t i = 0; i < h; ++i) {
        const size_t at = row * h + i;
        xh.push_back((in.x[at] - means[row]) * rstds[row]);
        const double scaled = dy[at] * (1 + in.scale[factors + i]);
        g.push_back(scaled * (c.weight ? in.weight[i] : 1));
        sum += g[i];
        products += g[i] * xh[i];
        dscales[factors + i] +=
            dy[at] * (xh[i] * (c.weight ? in.weight[i] : 1) + (c.bias ? in.bias[i] : 0));
        dshifts[factors + i] += dy[at];
        dweights[i] += scaled * xh[i];
        dbiases[i] += scaled;
      }
      for (size_t i = 0; i < h; ++i) {
        dxs[row * h + i] = (g[i] - sum / n - xh[i] * products / n) * rstds[row];
      }
    }
    const auto expect = [&](unsigned bit, const Tensor& t, const Numbers& expected) {
      if ((wanted >> bit & 1) == 0) return;
      const Numbers actual = ReadAs(t);
      ASSERT_EQ(actual.size(), expected.size());
      for (size_t i = 0; i < actual.size(); ++i) {
        ASSERT_NEAR(actual[i], expected[i], 2e-4 + 1.01 * HalfUnitOf(t.layout().dtype, expected[i]))
            << "gradient " << bit << " element " << i;
      }
      EXPECT_TRUE(t.GuardsIntact());
    };
    expect(0, dx, dxs);
    expect(1, dscale, dscales);
    expect(2, dshift, dshifts);
    expect(3, dweight, dweights);
    expect(4, dbias, dbiases);
  }
};

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      Case c = {.type = type, .weights = bits % 3 == 0 ? ACL_FLOAT : type};
      c.weight = (bits & 1) != 0, c.bias = (bits & 2) != 0, c.flat = (bits & 4) != 0;
      c.strided = (bits & 8) != 0;
      cases.push_back(c);
    }
    cases.push_back({.leading = {}, .s = 5, .h = 33, .type = type, .weights = type});
    cases.push_back({.leading = {}, .s = 1, .h = 1, .type = type, .weights = type, .flat = false});
    cases.push_back(
        {.leading = {2, 1, 2, 1, 1, 2}, .s = 3, .h = 65, .type = type, .weights = ACL_FLOAT});
    cases.push_back({.leading = {3}, .s = 130, .h = 512, .type = type, .weights = type});
  }
  return cases;
}

TEST_F(AdaLayerNormTest, IsTheFormula) {
  for (const Case& c : Cases()) Check(c);
}

TEST_F(AdaLayerNormTest, Quantised) {
  for (Case c : Cases()) {
    if (c.type == ACL_FLOAT) continue;
    c.weights = c.type;
    CheckQuantised(c, c.bias);
  }
}

TEST_F(AdaLayerNormTest, GradientsAreTheFormula) {
  for (const Case& c : Cases()) CheckGradient(c);
  for (unsigned bit = 0; bit < 5; ++bit) CheckGradient({}, 1u << bit);
  CheckGradient({}, 0);
}

TEST_F(AdaLayerNormTest, WhatDoesNotFitIsRefused) {
  const Tensor x = Made({2, 3, 4}, ACL_FLOAT16), factors = Made({2, 4}, ACL_FLOAT16);
  const Tensor wrong = Made({3, 4}, ACL_FLOAT16), row = Made({4}, ACL_FLOAT16);
  const Tensor bf16 = Made({4}, ACL_BF16), y = Made({2, 3, 4}, ACL_INT8);
  const Tensor steps = Made({2, 3}, ACL_FLOAT), none = Made({2, 3, 0}, ACL_FLOAT16);
  const Tensor no_factors = Made({2, 0}, ACL_FLOAT16), one = Made({2, 3, 1}, ACL_FLOAT16);
  const int code = ACLNN_ERR_PARAM_INVALID;
  const auto norm = [&](const Tensor& in, const Tensor& scale, const Tensor& shift,
                        const Tensor* weight, double eps) {
    return [&, weight, eps](uint64_t* size, aclOpExecutor** e) {
      return aclnnAdaLayerNormV2GetWorkspaceSize(in.handle(), scale.handle(), shift.handle(),
                                                 weight == nullptr ? nullptr : weight->handle(),
                                                 nullptr, eps, in.handle(), nullptr, nullptr, size,
                                                 e);
    };
  };
  ExpectRefused(norm(x, wrong, factors, nullptr, kEps), code, {"scale.shape = [3, 4]", "[2, 4]"});
  ExpectRefused(norm(x, factors, wrong, nullptr, kEps), code, {"shift.shape", "[2, 1, 4]"});
  ExpectRefused(norm(x, factors, factors, &bf16, kEps), code, {"weightOptional.dtype", "FLOAT16"});
  ExpectRefused(norm(x, factors, factors, &row, -1), code, {"epsilon = -1"});
  ExpectRefused(norm(none, no_factors, no_factors, nullptr, kEps), code, {"elements"});
  const auto quantised = [&](const char* mode, const Tensor* offsets) {
    return [&, mode, offsets](uint64_t* size, aclOpExecutor** e) {
      return aclnnAdaLayerNormQuantGetWorkspaceSize(
          x.handle(), factors.handle(), factors.handle(), nullptr, nullptr, nullptr, kEps, mode,
          y.handle(), steps.handle(), offsets == nullptr ? nullptr : offsets->handle(), size, e);
    };
  };
  const Tensor halves = Made({2, 3}, ACL_FLOAT16);
  ExpectRefused(quantised("static", nullptr), code, {"quantMode"});
  ExpectRefused(quantised("dynamic", &halves), code, {"quantOffsetOptional is given"});
  const auto gradient = [&](std::vector<int64_t> shape, const Tensor& dweight) {
    return [&, shape](uint64_t* size, aclOpExecutor** e) {
      aclIntArray* const normalized = aclCreateIntArray(shape.data(), shape.size());
      const aclnnStatus status = aclnnAdaLayerNormBackwardGetWorkspaceSize(
          x.handle(), x.handle(), normalized, one.handle(), one.handle(), factors.handle(),
          factors.handle(), nullptr, nullptr, nullptr, nullptr, nullptr, dweight.handle(), nullptr,
          size, e);
      aclDestroyIntArray(normalized);
      return status;
    };
  };
  ExpectRefused(gradient({3}, row), code, {"normalizedShape = [3]", "[4]"});
  ExpectRefused(gradient({3, 4}, row), code, {"normalizedShape = [3, 4]"});
  ExpectRefused(gradient({4}, bf16), code, {"gradWeightOut.dtype = BF16"});
}

}  // namespace
}  // namespace anyacl::test
