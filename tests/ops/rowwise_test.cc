// SPDX-License-Identifier: Apache-2.0
// Softmax, norms and SwiGlu against the oracle: types, layouts, lengths of rows.
#include "reference/rowwise.h"

#include <cmath>
#include <limits>

#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_gemma_rms_norm.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_logsoftmax_backward.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::rowwise {
namespace {

constexpr double kUnit = 0x1p-24;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A tensor [outer, n] or, along the first dimension, [n, outer], with or without gaps.
struct Case {
  aclDataType type;
  int64_t outer, n;
  bool first = false;  // rows along the first dimension
  bool gaps = false;

  Layout LayoutOf() const {
    Layout layout{.dims = {outer, n}, .dtype = type};
    if (first) layout.dims = {n, outer};
    if (gaps) layout.strides = {1, layout.dims[0] + 3};
    return layout;
  }
  int64_t dim() const { return first ? 0 : -1; }
};

class RowwiseTest : public DeviceTest, public ::testing::WithParamInterface<aclDataType> {
 protected:
  std::vector<Case> Cases(aclDataType type) {
    std::vector<Case> cases;
    for (int64_t n : {1, 7, 16, 33, 100, 512, 513, 4096, 4097, 9000}) {
      const int64_t outer = n > 1000 ? 2 : 5;
      for (bool first : {false, true}) {
        for (bool gaps : {false, true}) cases.push_back({type, outer, n, first, gaps});
      }
    }
    cases.push_back({type, 40, 300, true, false});
    return cases;
  }

  std::vector<double> RandomValues(int64_t count, aclDataType type, double deviation = 2) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(AsHeld(type, random().Normal(0.5, deviation)));
    }
    return values;
  }

  // The rows of values in logical order.
  static std::vector<Row> RowsOf(const Case& c, const std::vector<double>& values) {
    std::vector<Row> rows(static_cast<size_t>(c.outer));
    for (int64_t r = 0; r < c.outer; ++r) {
      for (int64_t i = 0; i < c.n; ++i) {
        rows[r].push_back(values[c.first ? i * c.outer + r : r * c.n + i]);
      }
    }
    return rows;
  }

  static void ExpectNear(const Row& actual, const Row& expected, aclDataType type, double units,
                         double size) {
    ASSERT_EQ(actual.size(), expected.size());
    const double own = type == ACL_DOUBLE ? 0x1p-29 : 1;
    for (size_t i = 0; i < actual.size(); ++i) {
      const double bound = own * units * kUnit * (std::fabs(expected[i]) + size) +
                           1.01 * HalfUnitOf(type, expected[i]);
      ASSERT_LE(std::fabs(actual[i] - expected[i]), bound) << i << ": " << actual[i];
    }
  }

  // A function of one tensor along a dimension, and its oracle; in place, too.
  template <class Phase1Of>
  void ExpectSoftmax(Phase1Of phase1, Phase2 phase2, Row (*oracle)(const Row&), double units,
                     double size) {
    for (const Case& c : Cases(GetParam())) {
      Tensor x(c.LayoutOf());
      const Tensor out(c.LayoutOf());
      const auto values = RandomValues(c.n * c.outer, c.type);
      WriteAs(x, values);
      const auto run = [&](aclTensor* to) {
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) { return phase1(x.handle(), c.dim(), to, s, e); },
            phase2);
      };
      run(out.handle());
      EXPECT_TRUE(out.GuardsIntact());
      SCOPED_TRACE(::testing::Message()
                   << c.n << " elements, first " << c.first << " gaps " << c.gaps);
      const auto actual = RowsOf(c, ReadAs(out));
      const auto rows = RowsOf(c, values);
      for (size_t r = 0; r < rows.size(); ++r) {
        // In double a row is summed one after the other.
        const double sum_units = c.type == ACL_DOUBLE ? static_cast<double>(c.n) : 0;
        ExpectNear(actual[r], oracle(rows[r]), c.type, units + sum_units, size);
      }
      run(x.handle());
      EXPECT_EQ(ReadAs(x), ReadAs(out));
    }
  }
};

TEST_P(RowwiseTest, Softmax) {
  // The sum, one exponential of either side and two roundings.
  ExpectSoftmax(aclnnSoftmaxGetWorkspaceSize, aclnnSoftmax, Softmax, 40, 0);
}

TEST_P(RowwiseTest, LogSoftmax) {
  ExpectSoftmax(aclnnLogSoftmaxGetWorkspaceSize, aclnnLogSoftmax, LogSoftmax, 30, 20);
}

INSTANTIATE_TEST_SUITE_P(Types, RowwiseTest,
                         ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE));

class NormTest : public RowwiseTest {};

TEST_P(NormTest, SoftmaxGradients) {
  for (const Case& c : Cases(GetParam())) {
    Tensor g(c.LayoutOf()), y(c.LayoutOf());
    const Tensor out(c.LayoutOf());
    const auto gs = RandomValues(c.n * c.outer, c.type);
    std::vector<double> ys;
    for (int64_t i = 0; i < c.n * c.outer; ++i) {
      ys.push_back(AsHeld(c.type, random().Uniform(0, 1) / static_cast<double>(c.n)));
    }
    WriteAs(g, gs);
    WriteAs(y, ys);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnSoftmaxBackwardGetWorkspaceSize(g.handle(), y.handle(), c.dim(), out.handle(),
                                                      s, e);
        },
        aclnnSoftmaxBackward);
    auto actual = RowsOf(c, ReadAs(out));
    const auto g_rows = RowsOf(c, gs), y_rows = RowsOf(c, ys);
    for (size_t r = 0; r < g_rows.size(); ++r) {
      ExpectNear(actual[r], SoftmaxBackward(g_rows[r], y_rows[r]), c.type, 30,
                 8 / static_cast<double>(c.n));
    }
    for (double& value : ys) value = AsHeld(c.type, std::log(value + 1e-3));
    WriteAs(y, ys);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnLogSoftmaxBackwardGetWorkspaceSize(g.handle(), y.handle(), c.dim(),
                                                         out.handle(), s, e);
        },
        aclnnLogSoftmaxBackward);
    actual = RowsOf(c, ReadAs(out));
    const auto log_rows = RowsOf(c, ys);
    for (size_t r = 0; r < g_rows.size(); ++r) {
      ExpectNear(actual[r], LogSoftmaxBackward(g_rows[r], log_rows[r]), c.type, 40, 20);
    }
  }
}

// Rows are the last dimension; statistics with and without a dimension of size 1 for it.
TEST_P(NormTest, RmsNormAndAddRmsNorm) {
  for (Case c : Cases(GetParam())) {
    if (c.first) continue;
    for (aclDataType gamma_type : {c.type, ACL_FLOAT}) {
      Tensor x(c.LayoutOf()), gamma({.dims = {c.n}, .dtype = gamma_type, .strides = {2}});
      const Tensor out(c.LayoutOf()), rstd({.dims = {c.outer}}), sum(c.LayoutOf());
      const auto values = RandomValues(c.n * c.outer, c.type);
      const auto gammas = RandomValues(c.n, gamma_type);
      WriteAs(x, values);
      WriteAs(gamma, gammas);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnRmsNormGetWorkspaceSize(x.handle(), gamma.handle(), 1e-6, out.handle(),
                                                rstd.handle(), s, e);
          },
          aclnnRmsNorm);
      const auto rows = RowsOf(c, values), actual = RowsOf(c, ReadAs(out));
      for (size_t r = 0; r < rows.size(); ++r) {
        const NormedRow expected = RmsNorm(rows[r], gammas, 1e-6);
        ExpectNear(actual[r], expected.out, c.type, 16, 0);
        ExpectNear({ReadAs(rstd)[r]}, {expected.rstd}, ACL_FLOAT, 13, 0);
      }
      if (gamma_type != c.type) continue;
      const Tensor gemma(c.LayoutOf()), gemma_rstd({.dims = {c.outer}});
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnGemmaRmsNormGetWorkspaceSize(x.handle(), gamma.handle(), 1e-6,
                                                     gemma.handle(), gemma_rstd.handle(), s, e);
          },
          aclnnGemmaRmsNorm);
      std::vector<double> one_more = gammas;
      for (double& number : one_more) number += 1;
      const auto gemma_rows = RowsOf(c, ReadAs(gemma));
      for (size_t r = 0; r < rows.size(); ++r) {
        ExpectNear(gemma_rows[r], RmsNorm(rows[r], one_more, 1e-6).out, c.type, 18, 0);
      }
      EXPECT_EQ(ReadAs(gemma_rstd), ReadAs(rstd));
      // 2 x - x is x, exactly: the same bits.
      std::vector<double> twice = values, minus = values;
      for (double& value : twice) value *= 2;
      for (double& value : minus) value = -value;
      Tensor x1(c.LayoutOf()), x2(c.LayoutOf());
      WriteAs(x1, twice);
      WriteAs(x2, minus);
      const Tensor y(c.LayoutOf()), other_rstd({.dims = {1, c.outer, 1}});
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnAddRmsNormGetWorkspaceSize(x1.handle(), x2.handle(), gamma.handle(), 1e-6,
                                                   y.handle(), other_rstd.handle(), sum.handle(), s,
                                                   e);
          },
          aclnnAddRmsNorm);
      EXPECT_EQ(ReadAs(sum), values);
      EXPECT_EQ(ReadAs(y), ReadAs(out));
      EXPECT_EQ(ReadAs(other_rstd), ReadAs(rstd));
    }
  }
}

// Gradients may become DOUBLE: they are those of FLOAT.
TEST_P(NormTest, SoftmaxGradientsAsDouble) {
  const std::vector<int64_t> dims = {5, 37, 2};
  Tensor g({.dims = dims, .dtype = GetParam()}), y({.dims = dims, .dtype = GetParam()});
  const Tensor narrow({.dims = dims}),
      wide({.dims = dims, .dtype = ACL_DOUBLE, .strides = {1, 5, 185}});
  WriteAs(g, RandomValues(370, GetParam()));
  WriteAs(y, RandomValues(370, GetParam()));
  for (bool logarithm : {false, true}) {
    for (const Tensor* out : {&narrow, &wide}) {
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            const auto first = logarithm ? aclnnLogSoftmaxBackwardGetWorkspaceSize
                                         : aclnnSoftmaxBackwardGetWorkspaceSize;
            return first(g.handle(), y.handle(), 1, out->handle(), s, e);
          },
          logarithm ? aclnnLogSoftmaxBackward : aclnnSoftmaxBackward);
    }
    EXPECT_EQ(ReadAs(wide), ReadAs(narrow));
    EXPECT_TRUE(wide.GuardsIntact());
  }
}

TEST_P(NormTest, LayerNormTakesParametersOfOneType) {
  const Tensor x({.dims = {2, 3}}), gamma({.dims = {3}}), beta({.dims = {3}, .dtype = ACL_FLOAT16});
  const int64_t row = 3;
  const aclIntArray* shape = aclCreateIntArray(&row, 1);
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnLayerNormGetWorkspaceSize(x.handle(), shape, gamma.handle(), beta.handle(),
                                              1e-5, x.handle(), nullptr, nullptr, s, e);
      },
      161002, {"biasOptional.dtype = FLOAT16", "weightOptional.dtype"});
  for (const int32_t mode : {2, 3}) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnLayerNormWithImplModeGetWorkspaceSize(x.handle(), shape, gamma.handle(),
                                                            nullptr, 1e-5, x.handle(), nullptr,
                                                            nullptr, mode, s, e);
        },
        161002, {mode == 2 ? "input.dtype = FLOAT, expected FLOAT16" : "implMode is 3"});
  }
  aclDestroyIntArray(shape);
}

TEST_P(NormTest, LayerNorm) {
  for (Case c : Cases(GetParam())) {
    if (c.first) continue;
    Tensor x(c.LayoutOf()), gamma({.dims = {c.n}, .dtype = c.type});
    Tensor beta({.dims = {c.n}, .dtype = c.type});
    const Tensor out(c.LayoutOf()), mean({.dims = {c.outer, 1}}), rstd({.dims = {c.outer, 1}});
    const auto values = RandomValues(c.n * c.outer, c.type);
    const auto gammas = RandomValues(c.n, c.type), betas = RandomValues(c.n, c.type);
    WriteAs(x, values);
    WriteAs(gamma, gammas);
    WriteAs(beta, betas);
    const aclIntArray* shape = aclCreateIntArray(&c.n, 1);
    for (bool all : {true, false}) {
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnLayerNormGetWorkspaceSize(x.handle(), shape, all ? gamma.handle() : nullptr,
                                                  all ? beta.handle() : nullptr, 1e-5, out.handle(),
                                                  all ? mean.handle() : nullptr,
                                                  all ? rstd.handle() : nullptr, s, e);
          },
          aclnnLayerNorm);
      const auto rows = RowsOf(c, values), actual = RowsOf(c, ReadAs(out));
      for (size_t r = 0; r < rows.size(); ++r) {
        const NormedRow expected =
            all ? LayerNorm(rows[r], gammas, betas, 1e-5) : LayerNorm(rows[r], {}, {}, 1e-5);
        // A row of one element: its deviation is 0, and rstd 316.
        ExpectNear(actual[r], expected.out, c.type, 60, 8);
        if (all) ExpectNear({ReadAs(mean)[r]}, {expected.mean}, ACL_FLOAT, 26, 2);
        if (all) ExpectNear({ReadAs(rstd)[r]}, {expected.rstd}, ACL_FLOAT, 26, 0);
      }
      if (!all) continue;
      const Tensor fast(c.LayoutOf()), mode(c.LayoutOf());
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnFastLayerNormGetWorkspaceSize(x.handle(), shape, gamma.handle(),
                                                      beta.handle(), 1e-5, fast.handle(), nullptr,
                                                      nullptr, s, e);
          },
          aclnnFastLayerNorm);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnLayerNormWithImplModeGetWorkspaceSize(
                x.handle(), shape, gamma.handle(), beta.handle(), 1e-5, mode.handle(), nullptr,
                nullptr, c.type == ACL_FLOAT16 ? 2 : 1, s, e);
          },
          aclnnLayerNormWithImplMode);
      EXPECT_EQ(ReadAs(fast), ReadAs(out));
      EXPECT_EQ(ReadAs(mode), ReadAs(out));
    }
    aclDestroyIntArray(shape);
  }
}

// Data far from zero: the variance is that of the deviations.
TEST_P(NormTest, LayerNormOfDataFarFromZero) {
  if (GetParam() != ACL_FLOAT) return;
  const Case c = {ACL_FLOAT, 3, 1000};
  Tensor x(c.LayoutOf());
  const Tensor out(c.LayoutOf());
  auto values = RandomValues(3000, ACL_FLOAT);
  for (double& value : values) value = AsHeld(ACL_FLOAT, value + 1e5);
  WriteAs(x, values);
  const aclIntArray* shape = aclCreateIntArray(&c.n, 1);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnLayerNormGetWorkspaceSize(x.handle(), shape, nullptr, nullptr, 1e-5,
                                              out.handle(), nullptr, nullptr, s, e);
      },
      aclnnLayerNorm);
  aclDestroyIntArray(shape);
  const auto rows = RowsOf(c, values), actual = RowsOf(c, ReadAs(out));
  for (size_t r = 0; r < 3; ++r) {
    ExpectNear(actual[r], LayerNorm(rows[r], {}, {}, 1e-5).out, ACL_FLOAT, 60, 8);
  }
}

// Rows of two dimensions that do not merge, a strided out, kept dimensions in another order.
TEST_P(NormTest, RowsOfSeveralDimensions) {
  const std::vector<int64_t> dims = {3, 4, 5, 6};
  Tensor x({.dims = dims, .dtype = GetParam(), .strides = {1, 3, 12, 60}});
  const Tensor out({.dims = dims, .dtype = GetParam(), .strides = {240, 60, 6, 1}});
  Tensor gamma({.dims = {5, 6}, .dtype = GetParam(), .strides = {1, 5}});
  const Tensor rstd({.dims = {3, 4, 1, 1}});
  const auto values = RandomValues(360, GetParam()), gammas = RandomValues(30, GetParam());
  WriteAs(x, values);
  WriteAs(gamma, gammas);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnRmsNormGetWorkspaceSize(x.handle(), gamma.handle(), 1e-6, out.handle(),
                                            rstd.handle(), s, e);
      },
      aclnnRmsNorm);
  EXPECT_TRUE(out.GuardsIntact());
  const Case c = {GetParam(), 12, 30};
  const auto rows = RowsOf(c, values), actual = RowsOf(c, ReadAs(out));
  for (size_t r = 0; r < rows.size(); ++r) {
    const NormedRow expected = RmsNorm(rows[r], gammas, 1e-6);
    ExpectNear(actual[r], expected.out, GetParam(), 16, 0);
    ExpectNear({ReadAs(rstd)[r]}, {expected.rstd}, ACL_FLOAT, 13, 0);
  }
}

TEST_P(NormTest, SwiGluAlongEveryDimension) {
  for (int64_t dim : {0, 1, 2, -1}) {
    for (bool gaps : {false, true}) {
      const std::vector<int64_t> dims = {4, 6, 34};
      const int64_t axis = dim < 0 ? dim + 3 : dim;
      std::vector<int64_t> half = dims;
      half[axis] /= 2;
      Tensor x({.dims = dims, .dtype = GetParam()});
      const Tensor out({.dims = half,
                        .dtype = GetParam(),
                        .strides = gaps ? std::vector<int64_t>{1, half[0], half[0] * half[1]}
                                        : std::vector<int64_t>{}});
      const auto values = RandomValues(4 * 6 * 34, GetParam());
      WriteAs(x, values);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnSwiGluGetWorkspaceSize(x.handle(), dim, out.handle(), s, e);
          },
          aclnnSwiGlu);
      Row expected;
      const auto at = [&](int64_t i, int64_t j, int64_t k) { return values[(i * 6 + j) * 34 + k]; };
      for (int64_t i = 0; i < half[0]; ++i) {
        for (int64_t j = 0; j < half[1]; ++j) {
          for (int64_t k = 0; k < half[2]; ++k) {
            const double b =
                at(i + (axis == 0 ? 2 : 0), j + (axis == 1 ? 3 : 0), k + (axis == 2 ? 17 : 0));
            expected.push_back(SwiGlu(at(i, j, k), b));
          }
        }
      }
      ExpectNear(ReadAs(out), expected, GetParam(), 8, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, NormTest, ::testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16));

class RowwiseCallTest : public RowwiseTest {};

TEST_F(RowwiseCallTest, SpecialValues) {
  const double inf = std::numeric_limits<double>::infinity();
  Tensor x({.dims = {4, 3}});
  const Tensor out({.dims = {4, 3}});
  WriteAs(x, {1, kNaN, 2, -inf, 0, -inf, -inf, -inf, -inf, 1000, 1000, -1000});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnSoftmaxGetWorkspaceSize(x.handle(), 1, out.handle(), s, e);
      },
      aclnnSoftmax);
  const auto y = ReadAs(out);
  for (int i : {0, 1, 2, 6, 7, 8}) EXPECT_TRUE(std::isnan(y[i])) << i;
  EXPECT_EQ((Row{y[3], y[4], y[5], y[9], y[10], y[11]}), (Row{0, 1, 0, 0.5, 0.5, 0}));
}

TEST_F(RowwiseCallTest, EmptyTensorsAndSingleNumbers) {
  for (std::vector<int64_t> dims : {std::vector<int64_t>{0, 3}, {3, 0}, {}}) {
    const Tensor x({.dims = dims}), out({.dims = dims});
    Tensor one({.dims = dims});
    if (dims.empty()) WriteAs(one, {5});
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnSoftmaxGetWorkspaceSize(one.handle(), -1, out.handle(), s, e);
        },
        aclnnSoftmax);
    if (dims.empty()) {
      EXPECT_EQ(ReadAs(out), Row{1});
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
}

// Statistics of no rows have the documented shape or, from clients, one dimension.
TEST_F(RowwiseCallTest, LayerNormOfNoRows) {
  const int64_t n = 5;
  const aclIntArray* row = aclCreateIntArray(&n, 1);
  for (const std::vector<int64_t>& kept : {std::vector<int64_t>{0, 4}, {3, 0}, {0, 0}}) {
    const Tensor x({.dims = {kept[0], kept[1], n}});
    const auto call = [&](const Tensor& statistic) {
      return [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnLayerNormGetWorkspaceSize(x.handle(), row, nullptr, nullptr, 1e-5, x.handle(),
                                              statistic.handle(), statistic.handle(), s, e);
      };
    };
    RunTwoPhase(call(Tensor({.dims = {kept[0], kept[1], 1}})), aclnnLayerNorm);
    RunTwoPhase(call(Tensor({.dims = {0}})), aclnnLayerNorm);
    ExpectRefused(call(Tensor({.dims = {2}})), 161002, {"meanOutOptional.shape", "[2]"});
  }
  const Tensor rows({.dims = {2, n}}), none({.dims = {0}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnLayerNormGetWorkspaceSize(rows.handle(), row, nullptr, nullptr, 1e-5,
                                              rows.handle(), none.handle(), none.handle(), s, e);
      },
      161002, {"meanOutOptional.shape", "[0]", "[2, 1]"});
  aclDestroyIntArray(row);
}

TEST_F(RowwiseCallTest, WrongArgumentsAreRefused) {
  const Tensor x({.dims = {2, 4}}), out({.dims = {2, 4}}), half({.dims = {2, 2}}),
      row({.dims = {4}}), three({.dims = {3}}), two({.dims = {2}});
  const auto refused = [&](auto phase1, std::initializer_list<std::string_view> words,
                           int code = 161002) {
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return phase1(s, e); }, code, words);
  };
  for (int64_t dim : {2, -3}) {
    refused(
        [&](auto s, auto e) {
          return aclnnSoftmaxGetWorkspaceSize(x.handle(), dim, out.handle(), s, e);
        },
        {"dim", std::to_string(dim)});
    refused(
        [&](auto s, auto e) {
          return aclnnSwiGluGetWorkspaceSize(x.handle(), dim, half.handle(), s, e);
        },
        {"dim", std::to_string(dim)});
  }
  refused(
      [&](auto s, auto e) {
        return aclnnSwiGluGetWorkspaceSize(three.handle(), 0, out.handle(), s, e);
      },
      {"x", "3", "even"});
  refused([&](auto s,
              auto e) { return aclnnSwiGluGetWorkspaceSize(x.handle(), 1, out.handle(), s, e); },
          {"out", "[2, 2]"});
  refused(
      [&](auto s, auto e) {
        return aclnnRmsNormGetWorkspaceSize(x.handle(), three.handle(), 1, out.handle(),
                                            two.handle(), s, e);
      },
      {"gamma", "[3]"});
  refused(
      [&](auto s, auto e) {
        return aclnnRmsNormGetWorkspaceSize(x.handle(), row.handle(), 1, out.handle(),
                                            three.handle(), s, e);
      },
      {"rstdOut", "[3]", "[2, 1]"});
  refused(
      [&](auto s, auto e) {
        return aclnnRmsNormGetWorkspaceSize(x.handle(), row.handle(), -1, out.handle(),
                                            two.handle(), s, e);
      },
      {"epsilon", "-1"});
  refused(
      [&](auto s, auto e) {
        return aclnnAddRmsNormGetWorkspaceSize(x.handle(), x.handle(), row.handle(), 1,
                                               out.handle(), two.handle(), nullptr, s, e);
      },
      {"xOut", "null"}, 161001);
}

}  // namespace
}  // namespace anyacl::test::rowwise
