// SPDX-License-Identifier: Apache-2.0
// Norms and SwiGlu against the oracle: types, layouts, lengths of rows.
#include <bit>

#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_gemma_rms_norm.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_logsoftmax_backward.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "aclnnop/aclnn_swi_glu.h"
#include "ops/rowwise_case.h"

namespace anyacl::test::rowwise {
namespace {

class NormTest : public RowwiseTest {};

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

// Rows that lie side by side are computed together, a number of each in a vector.
TEST_F(RowwiseCallTest, RowsHaveTheSameBitsHoweverTheyLie) {
  using Forward =
      aclnnStatus (*)(const aclTensor*, int64_t, aclTensor*, uint64_t*, aclOpExecutor**);
  using Backward = aclnnStatus (*)(const aclTensor*, const aclTensor*, int64_t, aclTensor*,
                                   uint64_t*, aclOpExecutor**);
  using PhaseTwo = aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream);
  const std::pair<Forward, PhaseTwo> forward[] = {
      {aclnnSoftmaxGetWorkspaceSize, aclnnSoftmax},
      {aclnnLogSoftmaxGetWorkspaceSize, aclnnLogSoftmax}};
  const std::pair<Backward, PhaseTwo> backward[] = {
      {aclnnSoftmaxBackwardGetWorkspaceSize, aclnnSoftmaxBackward},
      {aclnnLogSoftmaxBackwardGetWorkspaceSize, aclnnLogSoftmaxBackward}};
  constexpr int64_t kRows = 37;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int64_t n : {2, 21, 33, 700, 4096}) {
      SCOPED_TRACE(std::to_string(n) + " of type " + std::to_string(type));
      const Layout across{.dims = {n, kRows}, .dtype = type};
      const Layout alone{.dims = {n, kRows}, .dtype = type, .strides = {1, n}};
      auto values = RandomValues(n * kRows, type);
      const auto gradients = RandomValues(n * kRows, type);
      for (size_t i = 0; i < values.size(); i += 11) values[i] = i % 2 == 0 ? -INFINITY : 60;
      values[5] = std::copysign(NAN, -1);
      std::vector<uint64_t> results[2];
      // But for the bits of a NaN.
      const auto add = [](const Tensor& tensor, std::vector<uint64_t>& to) {
        for (double number : ReadAs(tensor)) {
          to.push_back(std::bit_cast<uint64_t>(std::isnan(number) ? NAN : number));
        }
      };
      for (const bool first : {true, false}) {
        const Layout& layout = first ? across : alone;
        Tensor x(layout), g(layout);
        WriteAs(x, values);
        WriteAs(g, gradients);
        const Tensor y(layout), dx(layout);
        for (size_t k = 0; k < 2; ++k) {
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return forward[k].first(x.handle(), 0, y.handle(), s, e);
              },
              forward[k].second);
          add(y, results[first]);
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return backward[k].first(g.handle(), y.handle(), 0, dx.handle(), s, e);
              },
              backward[k].second);
          add(dx, results[first]);
        }
      }
      EXPECT_EQ(results[0], results[1]);
    }
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
