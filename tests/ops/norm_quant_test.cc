// SPDX-License-Identifier: Apache-2.0
// Norms of sums, quantised and cast, against the formulas of the documents in double precision.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add_layer_norm.h"
#include "aclnnop/aclnn_add_rms_norm_cast.h"
#include "aclnnop/aclnn_add_rms_norm_quant.h"
#include "aclnnop/aclnn_add_rms_norm_quant_v2.h"
#include "ops/moe_case.h"

namespace anyacl::test::norm_quant {
namespace {

using namespace moe;

struct Norming {
  Shape leading = {5}, row = {24};
  aclDataType type = ACL_FLOAT16, scale_type = ACL_FLOAT, offset_type = ACL_INT32;
  bool second = true, offsets = true, divides = true, strided = false;
  int version = 1;
  bool beta = false, normal = false;  // of the second version
};

class NormQuantTest : public MoeTest {
 protected:
  static constexpr double kEps = 1e-3;

  static int64_t CountOf(const Shape& dims) {
    return std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
  }
  static Shape Whole(const Norming& c) {
    Shape dims = c.leading;
    dims.insert(dims.end(), c.row.begin(), c.row.end());
    return dims;
  }
  struct Inputs {
    Numbers x1, x2, gamma;
    Numbers sum, normal, rstd;  // expected
  };
  Inputs Draw(const Norming& c) {
    const int64_t rows = CountOf(c.leading), n = CountOf(c.row);
    const auto all = static_cast<size_t>(rows * n);
    Inputs in = {Drawn(c.type, all, -3, 3),
                 Drawn(c.type, all, -3, 3),
                 Drawn(c.type, static_cast<size_t>(n), -2, 2),
                 {},
                 {},
                 {}};
    for (size_t i = 0; i < all; ++i) in.sum.push_back(in.x1[i] + in.x2[i]);
    for (int64_t r = 0; r < rows; ++r) {
      double squares = 0;
      for (int64_t i = 0; i < n; ++i)
        squares += std::pow(in.sum[static_cast<size_t>(r * n + i)], 2);
      in.rstd.push_back(1 / std::sqrt(squares / static_cast<double>(n) + kEps));
      for (int64_t i = 0; i < n; ++i) {
        in.normal.push_back(in.sum[static_cast<size_t>(r * n + i)] * in.rstd.back() *
                            in.gamma[static_cast<size_t>(i)]);
      }
    }
    return in;
  }
  // Sums, factors and quotients of numbers of up to 6, each rounded in fp32.
  static void ExpectClose(const Tensor& tensor, const Numbers& expected, double error = 0x1p-19) {
    const Numbers actual = ReadAs(tensor);
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i],
                  error + 1.01 * HalfUnitOf(tensor.layout().dtype, expected[i]))
          << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }

  void CheckQuant(const Norming& c) {
    SCOPED_TRACE(::testing::Message()
                 << "types " << c.type << " " << c.scale_type << " " << c.offset_type << " second "
                 << c.second << " offsets " << c.offsets << " divides " << c.divides << " version "
                 << c.version << " beta " << c.beta << " normal " << c.normal << " strided "
                 << c.strided << " row " << CountOf(c.row));
    const Inputs in = Draw(c);
    const auto n = static_cast<size_t>(CountOf(c.row));
    const Shape dims = Whole(c);
    const bool s = c.strided;
    const auto scales = [&] { return Drawn(c.scale_type, n, 0.02, 0.1); };
    const auto offsets = [&] {
      Numbers values;
      for (size_t i = 0; i < n; ++i) {
        values.push_back(c.offset_type == ACL_INT32
                             ? static_cast<double>(random().Int(-20, 20))
                             : AsHeld(c.offset_type, random().Uniform(-20, 20)));
      }
      return values;
    };
    const Numbers scale[] = {scales(), scales()}, offset[] = {offsets(), offsets()};
    const Tensor x1 = Holding(dims, c.type, in.x1, s), x2 = Holding(dims, c.type, in.x2, s);
    const Tensor gamma = Holding(c.row, c.type, in.gamma, s);
    const Tensor scale1 = Holding(c.row, c.scale_type, scale[0], s);
    const Tensor scale2 = Holding(c.row, c.scale_type, scale[1], s);
    const Tensor offset1 = Holding(c.row, c.offset_type, offset[0], s);
    const Tensor offset2 = Holding(c.row, c.offset_type, offset[1], s);
    const Tensor y1 = Made(dims, ACL_INT8, s), y2 = Made(dims, ACL_INT8, s);
    const Tensor sum = Made(dims, c.type, s), untouched = Made(dims, ACL_INT8, s);
    const Numbers beta = Drawn(c.type, n, -2, 2);
    const Tensor beta_in = Holding(c.row, c.type, beta, s), normal = Made(dims, c.type, s);
    const auto when = [](bool given, const Tensor& t) { return given ? t.handle() : nullptr; };
    if (c.version == 1) {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnAddRmsNormQuantGetWorkspaceSize(
                x1.handle(), x2.handle(), gamma.handle(), scale1.handle(), when(c.second, scale2),
                when(c.offsets, offset1), when(c.second && c.offsets, offset2), -1, kEps, c.divides,
                y1.handle(), y2.handle(), sum.handle(), size, e);
          },
          aclnnAddRmsNormQuant);
    } else {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnAddRmsNormQuantV2GetWorkspaceSize(
                x1.handle(), x2.handle(), gamma.handle(), scale1.handle(), when(c.second, scale2),
                when(c.offsets, offset1), when(c.second && c.offsets, offset2),
                when(c.beta, beta_in), -1, kEps, c.divides, y1.handle(), y2.handle(), sum.handle(),
                when(c.normal, normal), size, e);
          },
          aclnnAddRmsNormQuantV2);
      if (c.normal) ExpectClose(normal, in.normal);
    }
    ExpectClose(sum, in.sum);
    for (int k = 0; k < (c.second ? 2 : 1); ++k) {
      const Tensor& y = k == 0 ? y1 : y2;
      const Numbers actual = ReadAs(y);
      for (size_t i = 0; i < actual.size(); ++i) {
        const double factor = scale[k][i % n];
        const double y_of = in.normal[i] + (c.beta ? beta[i % n] : 0);
        double exact = c.divides ? y_of / factor : y_of * factor;
        if (c.offsets) exact += offset[k][i % n];
        // Near the middle of two integers either may stand there.
        ASSERT_NEAR(actual[i], std::clamp(exact, -128.0, 127.0), 0.5 + 2e-3) << k << " " << i;
      }
      EXPECT_TRUE(y.GuardsIntact());
    }
    if (!c.second) {
      EXPECT_EQ(y2.Bytes(), untouched.Bytes());
    }
  }

  void CheckCast(const Norming& c) {
    SCOPED_TRACE(::testing::Message() << "cast, type " << c.type << " strided " << c.strided
                                      << " row " << CountOf(c.row));
    const Inputs in = Draw(c);
    const Shape dims = Whole(c);
    const bool s = c.strided;
    Shape per_row = c.leading;
    per_row.resize(dims.size(), 1);
    const Tensor x1 = Holding(dims, c.type, in.x1, s), x2 = Holding(dims, c.type, in.x2, s);
    const Tensor gamma = Holding(c.row, c.type, in.gamma, s);
    const Tensor y1 = Made(dims, ACL_FLOAT, s), y2 = Made(dims, c.type, s);
    const Tensor rstd = Made(per_row, ACL_FLOAT, s), sum = Made(dims, c.type, s);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnAddRmsNormCastGetWorkspaceSize(x1.handle(), x2.handle(), gamma.handle(), kEps,
                                                     y1.handle(), y2.handle(), rstd.handle(),
                                                     sum.handle(), size, e);
        },
        aclnnAddRmsNormCast);
    ExpectClose(sum, in.sum);
    ExpectClose(y1, in.normal);
    ExpectClose(y2, in.normal);
    ExpectClose(rstd, in.rstd);
  }

  struct Layer {
    Shape leading = {5}, row = {24};
    aclDataType x1 = ACL_FLOAT, x2 = ACL_FLOAT, gamma = ACL_FLOAT;
    int bias = 1;  // 0: none, 1: of a row, 2: of x1's shape
    bool additional = true, strided = false, one_mean = false;
    double shift = 0;  // of all numbers, which a layer norm takes out
  };
  void CheckLayer(const Layer& c) {
    SCOPED_TRACE(::testing::Message()
                 << "layer, types " << c.x1 << " " << c.x2 << " " << c.gamma << " bias " << c.bias
                 << " strided " << c.strided << " row " << CountOf(c.row) << " shift " << c.shift);
    const aclDataType type = c.x1 == c.x2 ? c.x1 : ACL_FLOAT;
    Shape dims = c.leading;
    dims.insert(dims.end(), c.row.begin(), c.row.end());
    Shape per_row = c.leading;
    per_row.resize(c.one_mean ? c.leading.size() + 1 : dims.size(), 1);
    const int64_t rows = CountOf(c.leading), n = CountOf(c.row);
    const auto all = static_cast<size_t>(rows * n);
    const auto one = static_cast<size_t>(n);
    const Numbers a = Drawn(c.x1, all, c.shift - 3, c.shift + 3), b = Drawn(c.x2, all, -3, 3);
    const Numbers g = Drawn(c.gamma, one, -2, 2), beta = Drawn(c.gamma, one, -2, 2);
    const Numbers bias = Drawn(type, c.bias == 2 ? all : one, -2, 2);
    const bool s = c.strided;
    const Tensor x1 = Holding(dims, c.x1, a, s), x2 = Holding(dims, c.x2, b, s);
    const Tensor gamma_in = Holding(c.row, c.gamma, g, s);
    const Tensor beta_in = Holding(c.row, c.gamma, beta, s);
    const Tensor bias_in = Holding(c.bias == 2 ? dims : c.row, type, bias, s);
    const Tensor y = Made(dims, type, s), sum = Made(dims, type, s), fresh = Made(dims, type, s);
    const Tensor mean = Made(per_row, ACL_FLOAT, s), rstd = Made(per_row, ACL_FLOAT, s);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnAddLayerNormGetWorkspaceSize(
              x1.handle(), x2.handle(), gamma_in.handle(), beta_in.handle(),
              c.bias > 0 ? bias_in.handle() : nullptr, kEps, c.additional, y.handle(),
              mean.handle(), rstd.handle(), sum.handle(), size, e);
        },
        aclnnAddLayerNorm);
    Numbers sums, normal, means, rstds;
    for (size_t i = 0; i < all; ++i) {
      const size_t at = c.bias == 2 ? i : i % one;
      sums.push_back(a[i] + b[i] + (c.bias > 0 ? bias[at] : 0));
    }
    for (int64_t r = 0; r < rows; ++r) {
      const auto begin = sums.begin() + r * n;
      const double centre = std::accumulate(begin, begin + n, 0.0) / static_cast<double>(n);
      double squares = 0;
      for (auto x = begin; x != begin + n; ++x) squares += (*x - centre) * (*x - centre);
      means.push_back(centre);
      rstds.push_back(1 / std::sqrt(squares / static_cast<double>(n) + kEps));
      for (size_t i = 0; i < one; ++i) {
        normal.push_back((begin[static_cast<int64_t>(i)] - centre) * rstds.back() * g[i] + beta[i]);
      }
    }
    // Sums are rounded in fp32 where they are far from 0.
    const double error = 0x1p-18 * (1 + std::fabs(c.shift));
    ExpectClose(y, normal, error);
    ExpectClose(mean, means, error);
    ExpectClose(rstd, rstds, error);
    if (c.additional) {
      ExpectClose(sum, sums, error);
    } else {
      EXPECT_EQ(sum.Bytes(), fresh.Bytes());
    }
  }
};

TEST_F(NormQuantTest, QuantisedNormsAreTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    for (bool strided : {false, true}) {
      for (aclDataType scale : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
        for (aclDataType offset : {ACL_INT32, ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
          CheckQuant(
              {.type = type, .scale_type = scale, .offset_type = offset, .strided = strided});
        }
      }
      for (int given = 0; given < 8; ++given) {
        CheckQuant({.type = type,
                    .second = given % 2 > 0,
                    .offsets = given / 2 % 2 > 0,
                    .divides = given / 4 > 0,
                    .strided = strided});
      }
      for (int given = 0; given < 4; ++given) {
        CheckQuant({.type = type,
                    .second = given != 1,
                    .strided = strided,
                    .version = 2,
                    .beta = given % 2 > 0,
                    .normal = given / 2 > 0});
      }
      CheckQuant({.leading = {2, 3}, .row = {4, 6}, .type = type, .strided = strided});
      CheckQuant({.leading = {}, .row = {40}, .type = type, .strided = strided});
    }
    CheckQuant({.leading = {33}, .row = {5000}, .type = type});
  }
  CheckQuant({.leading = {0}});
  CheckQuant({.row = {0}});
}

TEST_F(NormQuantTest, CastNormsAreTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      CheckCast({.type = type, .strided = strided});
      CheckCast({.leading = {2, 3}, .row = {4, 6}, .type = type, .strided = strided});
      CheckCast({.leading = {}, .row = {40}, .type = type, .strided = strided});
    }
    CheckCast({.leading = {33}, .row = {5000}, .type = type});
  }
  CheckCast({.leading = {0}});
}

TEST_F(NormQuantTest, LayerNormsOfSumsAreTheFormula) {
  struct Types {
    aclDataType x1, x2, gamma;
  };
  for (const Types& t :
       {Types{ACL_FLOAT, ACL_FLOAT16, ACL_FLOAT}, Types{ACL_FLOAT, ACL_BF16, ACL_FLOAT},
        Types{ACL_FLOAT16, ACL_FLOAT, ACL_FLOAT}, Types{ACL_BF16, ACL_FLOAT, ACL_FLOAT},
        Types{ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT}, Types{ACL_BF16, ACL_BF16, ACL_FLOAT},
        Types{ACL_FLOAT16, ACL_FLOAT16, ACL_FLOAT16}, Types{ACL_BF16, ACL_BF16, ACL_BF16},
        Types{ACL_FLOAT, ACL_FLOAT, ACL_FLOAT}}) {
    for (bool strided : {false, true}) {
      for (int bias : {0, 1, 2}) {
        Layer c = {.x1 = t.x1, .x2 = t.x2, .gamma = t.gamma, .bias = bias};
        c.strided = strided;
        c.additional = bias != 1;
        CheckLayer(c);
        c.leading = {2, 3}, c.row = {4, 6};
        CheckLayer(c);
        c.one_mean = true;  // as torch_npu shapes them
        CheckLayer(c);
        c.leading = {}, c.row = {40};
        CheckLayer(c);
      }
    }
    CheckLayer({.leading = {33}, .row = {5000}, .x1 = t.x1, .x2 = t.x2, .gamma = t.gamma});
  }
  CheckLayer({.shift = 1000});
  CheckLayer({.leading = {0}});
}

TEST_F(NormQuantTest, RefusesWhatDoesNotFit) {
  const Tensor x = Made({5, 8}, ACL_FLOAT16), row = Made({8}, ACL_FLOAT16);
  const Tensor five = Made({5}, ACL_FLOAT16), scales = Made({8}, ACL_FLOAT);
  const Tensor other = Made({7}, ACL_FLOAT), offsets = Made({8}, ACL_INT32);
  const Tensor y = Made({5, 8}, ACL_INT8), floats = Made({5, 8}, ACL_FLOAT);
  const auto quant = [&](const Tensor& gamma, const Tensor& by, const Tensor* second, double eps,
                         std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddRmsNormQuantGetWorkspaceSize(
              x.handle(), x.handle(), gamma.handle(), by.handle(), nullptr, nullptr,
              second != nullptr ? second->handle() : nullptr, -1, eps, true, y.handle(), y.handle(),
              x.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  quant(five, five, nullptr, 0, {"gamma.shape = [5]", "x1.shape = [5, 8]"});
  quant(row, other, nullptr, 0, {"scales1.shape = [7]", "expected [8]"});
  quant(row, scales, &offsets, 0, {"zeroPoints2Optional is given", "scales2Optional"});
  quant(row, scales, nullptr, -1, {"epsilon = -1"});
  const auto cast = [&](const Tensor& gamma, const Tensor& y1, const Tensor& rstd, double eps,
                        int code, std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddRmsNormCastGetWorkspaceSize(x.handle(), x.handle(), gamma.handle(), eps,
                                                     y1.handle(), x.handle(), rstd.handle(),
                                                     x.handle(), s, e);
        },
        code, words);
  };
  const int tiling = ACLNN_ERR_INNER_TILING_ERROR;
  const Tensor right = Made({5, 1}, ACL_FLOAT), flat = Made({5}, ACL_FLOAT);
  cast(five, floats, right, 0, tiling, {"gamma.shape = [5]"});
  cast(row, floats, flat, 0, tiling, {"rstdOut.shape = [5]", "[5, 1]"});
  cast(row, floats, right, -1, tiling, {"epsilon = -1"});
  cast(row, x, right, 0, ACLNN_ERR_PARAM_INVALID, {"y1Out.dtype = FLOAT16"});

  const Tensor bf16 = Made({5, 8}, ACL_BF16), whole = Made({5, 2}, ACL_FLOAT);
  const Tensor wide = Made({8}, ACL_FLOAT), three = Made({3}, ACL_FLOAT16);
  const auto layer = [&](const Tensor& x2, const Tensor& gamma, const Tensor* bias,
                         const Tensor& mean, const Tensor& to, int code,
                         std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddLayerNormGetWorkspaceSize(
              x.handle(), x2.handle(), gamma.handle(), gamma.handle(),
              bias != nullptr ? bias->handle() : nullptr, 0, true, to.handle(), mean.handle(),
              right.handle(), to.handle(), s, e);
        },
        code, words);
  };
  const int invalid = ACLNN_ERR_PARAM_INVALID;
  layer(bf16, row, nullptr, right, x, invalid, {"x2.dtype = BF16", "FLOAT16 or FLOAT"});
  layer(floats, row, nullptr, right, floats, invalid, {"gamma.dtype = FLOAT16", "FLOAT"});
  layer(floats, wide, nullptr, right, x, invalid, {"yOut.dtype = FLOAT16", "expected FLOAT"});
  layer(x, wide, &wide, right, x, invalid, {"biasOptional.dtype = FLOAT", "FLOAT16"});
  layer(x, row, &three, right, x, tiling, {"biasOptional.shape = [3]", "[8] or [5, 8]"});
  layer(x, row, nullptr, whole, x, tiling, {"meanOut.shape = [5, 2]", "[5, 1]"});
  layer(x, five, nullptr, right, x, tiling, {"gamma.shape = [5]"});
}

}  // namespace
}  // namespace anyacl::test::norm_quant
