// SPDX-License-Identifier: Apache-2.0
// Norms quantised by one scale, or by a scale that each row gives itself, against the formulas of
// the documents in double precision.
#include <algorithm>
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_add_rms_norm_dynamic_quant.h"
#include "aclnnop/aclnn_add_rms_norm_dynamic_quant_v2.h"
#include "aclnnop/aclnn_rms_norm_dynamic_quant.h"
#include "aclnnop/aclnn_rms_norm_quant.h"
#include "ops/moe_case.h"
#include "reference/rowwise.h"

namespace anyacl::test {
namespace {

using namespace moe;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class NormDynamicQuantTest : public MoeTest {
 protected:
  static constexpr double kEps = 1e-3;

  static const aclTensor* When(bool given, const Tensor& t) { return given ? t.handle() : nullptr; }
  // Of each row x * rstd * gamma + beta.
  static Numbers Normed(const Numbers& x, const Numbers& gamma, const Numbers& beta) {
    const auto n = static_cast<std::ptrdiff_t>(gamma.size());
    Numbers all;
    for (auto row = x.begin(); row != x.end(); row += n) {
      Row y = RmsNorm(Row(row, row + n), gamma, kEps).out;
      for (size_t i = 0; i < y.size(); ++i) all.push_back(y[i] + (beta.empty() ? 0 : beta[i]));
    }
    return all;
  }
  static void ExpectClose(const Tensor& tensor, const Numbers& expected) {
    const Numbers actual = ReadAs(tensor);
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i],
                  0x1p-19 + 1.01 * HalfUnitOf(tensor.layout().dtype, expected[i]))
          << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }
  // Near the middle of two integers either may stand there.
  static void ExpectRounded(const Tensor& tensor, const Numbers& exact) {
    const bool wide = tensor.layout().dtype == ACL_INT8;
    Numbers actual = ReadAs(tensor);
    if (!wide) {
      const std::vector<int8_t> halves = tensor.Read<int8_t>();
      actual.assign(halves.begin(), halves.end());
    }
    ASSERT_EQ(actual.size(), exact.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      const double held = std::clamp(exact[i], wide ? -128.0 : -8.0, wide ? 127.0 : 7.0);
      ASSERT_NEAR(actual[i], held, 0.5 + 2e-3) << i;
      ASSERT_EQ(actual[i], std::rint(actual[i]));
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }

  struct Static {
    Shape leading = {5};
    int64_t n = 24;
    aclDataType type = ACL_FLOAT16, to = ACL_INT8;
    bool flat = true, strided = false;  // gamma and beta of [n], or of [1, n]
    double scale = 0.05;
  };
  void CheckStatic(const Static& c) {
    SCOPED_TRACE(::testing::Message()
                 << "type " << c.type << " to " << c.to << " flat " << c.flat << " strided "
                 << c.strided << " n " << c.n << " rank " << c.leading.size() + 1);
    Shape dims = c.leading;
    dims.push_back(c.n);
    size_t count = 1;
    for (int64_t size : dims) count *= static_cast<size_t>(size);
    const auto n = static_cast<size_t>(c.n);
    const Numbers x = Drawn(c.type, count, -3, 3), gamma = Drawn(c.type, n, -2, 2);
    const Numbers beta = Drawn(c.type, n, -2, 2), scale = {AsHeld(c.type, c.scale)};
    const Numbers offset = {static_cast<double>(random().Int(-20, 20))};
    const bool s = c.strided;
    const Shape row = c.flat ? Shape{c.n} : Shape{1, c.n};
    const Tensor x_in = Holding(dims, c.type, x, s), gamma_in = Holding(row, c.type, gamma, s);
    const Tensor beta_in = Holding(row, c.type, beta, s), scale_in = Holding({1}, c.type, scale, s);
    const Tensor offset_in = Holding({1}, ACL_INT8, offset, s);
    const Tensor y = Made(dims, c.to, s && c.to == ACL_INT8);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnRmsNormQuantGetWorkspaceSize(x_in.handle(), gamma_in.handle(),
                                                   beta_in.handle(), scale_in.handle(),
                                                   offset_in.handle(), kEps, y.handle(), size, e);
        },
        aclnnRmsNormQuant);
    Numbers exact = Normed(x, gamma, beta);
    for (double& value : exact) value = value / scale[0] + offset[0];
    ExpectRounded(y, exact);
  }

  struct Dynamic {
    Shape leading = {5};
    int64_t n = 24;
    aclDataType type = ACL_FLOAT16, to = ACL_INT8;
    int version = 2;
    bool smooth1 = true, smooth2 = true, beta = false, strided = false, as_rows = false;
    int mask = -1;       // null, or the two bits
    bool alike = false;  // results that are not written have the others' shapes all the same
  };
  void CheckDynamic(const Dynamic& c) {
    SCOPED_TRACE(::testing::Message()
                 << "type " << c.type << " to " << c.to << " version " << c.version << " smooth "
                 << c.smooth1 << c.smooth2 << " beta " << c.beta << " strided " << c.strided
                 << " mask " << c.mask << " n " << c.n << " as rows " << c.as_rows);
    Shape dims = c.leading;
    dims.push_back(c.n);
    int64_t rows = 1;
    for (int64_t size : c.leading) rows *= size;
    const auto n = static_cast<size_t>(c.n), count = static_cast<size_t>(rows) * n;
    const Numbers x1 = Drawn(c.type, count, -3, 3), x2 = Drawn(c.type, count, -3, 3);
    const Numbers gamma = Drawn(c.type, n, -2, 2), beta = Drawn(c.type, n, -2, 2);
    const Numbers smooth[] = {Drawn(c.type, n, 0.25, 3), Drawn(c.type, n, -3, 0.25)};
    const bool s = c.strided;
    const Tensor x1_in = Holding(dims, c.type, x1, s), x2_in = Holding(dims, c.type, x2, s);
    const Tensor gamma_in = Holding({c.n}, c.type, gamma, s);
    const Tensor beta_in = Holding({c.n}, c.type, beta, s);
    const Tensor smooth1 = Holding({c.n}, c.type, smooth[0], s);
    const Tensor smooth2 = Holding({c.n}, c.type, smooth[1], s);
    const bool given[] = {c.smooth1, c.smooth2};
    const bool wanted[] = {c.mask < 0 || c.mask % 2 > 0,
                           c.mask < 0 ? c.smooth1 && c.smooth2 : c.mask / 2 > 0};
    const auto shaped = [&](int k, const Shape& shape, const Shape& flat) {
      // One that is not asked for may have any shape; torch_npu has it without dimensions.
      return wanted[k] || c.alike ? (c.as_rows ? flat : shape) : c.as_rows ? Shape{1} : Shape{};
    };
    const bool y_strided = s && c.to == ACL_INT8;
    const auto y_of = [&](int k) {
      return Made(shaped(k, dims, {rows, c.n}), wanted[k] || c.alike ? c.to : ACL_INT8,
                  y_strided && wanted[k]);
    };
    const Tensor y1 = y_of(0), y2 = y_of(1), y[] = {y_of(0), y_of(1)};
    const auto steps_of = [&](int k) { return Made(shaped(k, c.leading, {rows}), ACL_FLOAT); };
    const Tensor steps1 = steps_of(0), steps2 = steps_of(1), fresh[] = {steps_of(0), steps_of(1)};
    const Tensor sum = Made(dims, c.type, s);
    const bool bits[] = {c.mask % 2 > 0, c.mask / 2 > 0};
    const aclBoolArray* const mask = c.mask < 0 ? nullptr : aclCreateBoolArray(bits, 2);
    if (c.version == 1) {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnAddRmsNormDynamicQuantGetWorkspaceSize(
                x1_in.handle(), x2_in.handle(), gamma_in.handle(), When(c.smooth1, smooth1),
                When(c.smooth2, smooth2), kEps, y1.handle(), y2.handle(), sum.handle(),
                steps1.handle(), steps2.handle(), size, e);
          },
          aclnnAddRmsNormDynamicQuant);
    } else {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnAddRmsNormDynamicQuantV2GetWorkspaceSize(
                x1_in.handle(), x2_in.handle(), gamma_in.handle(), When(c.smooth1, smooth1),
                When(c.smooth2, smooth2), When(c.beta, beta_in), kEps, mask, y1.handle(),
                y2.handle(), sum.handle(), steps1.handle(), steps2.handle(), size, e);
          },
          aclnnAddRmsNormDynamicQuantV2);
    }
    if (mask != nullptr) aclDestroyBoolArray(mask);
    Numbers sums;
    for (size_t i = 0; i < count; ++i) sums.push_back(x1[i] + x2[i]);
    ExpectClose(sum, sums);
    const Numbers normal = Normed(sums, gamma, c.beta ? beta : Numbers{});
    for (int k = 0; k < 2; ++k) {
      SCOPED_TRACE(k);
      const Tensor& to = k == 0 ? y1 : y2;
      const Tensor& steps = k == 0 ? steps1 : steps2;
      if (!wanted[k]) {
        EXPECT_EQ(to.Bytes(), y[k].Bytes());
        EXPECT_EQ(steps.Bytes(), fresh[k].Bytes());
        continue;
      }
      Numbers exact, expected;
      for (int64_t r = 0; r < rows; ++r) {
        double most = 0;
        for (size_t i = 0; i < n; ++i) {
          exact.push_back(normal[static_cast<size_t>(r) * n + i] * (given[k] ? smooth[k][i] : 1));
          most = std::max(most, std::fabs(exact.back()));
        }
        expected.push_back(most / (c.to == ACL_INT8 ? 127 : 7));
        for (size_t i = exact.size() - n; i < exact.size(); ++i) exact[i] /= expected.back();
      }
      if (n > 0) ExpectClose(steps, expected);  // of no numbers none is the largest
      ExpectRounded(to, exact);
    }
  }
};

// Of a single tensor.
TEST_F(NormDynamicQuantTest, RmsNormDynamicQuant) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (unsigned bits = 0; bits < 8; ++bits) {
      const bool smooth = (bits & 1) != 0, shifted = (bits & 2) != 0, s = (bits & 4) != 0;
      const size_t n = 65, rows = 6;
      const Numbers x = Drawn(type, rows * n, -3, 3), gamma = Drawn(type, n, -2, 2);
      const Numbers beta = Drawn(type, n, -2, 2), factors = Drawn(type, n, 0.25, 3);
      const Tensor x_in = Holding({2, 3, 65}, type, x, s), gamma_in = Holding({65}, type, gamma, s);
      const Tensor beta_in = Holding({65}, type, beta, s);
      const Tensor smooth_in = Holding({65}, type, factors, s);
      const Tensor y = Made({2, 3, 65}, ACL_INT8, s), scale = Made({2, 3}, ACL_FLOAT, s);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** e) {
            return aclnnRmsNormDynamicQuantGetWorkspaceSize(
                x_in.handle(), gamma_in.handle(), When(smooth, smooth_in), When(shifted, beta_in),
                kEps, ACL_INT8, y.handle(), scale.handle(), size, e);
          },
          aclnnRmsNormDynamicQuant);
      Numbers exact = Normed(x, gamma, shifted ? beta : Numbers{}), scales;
      for (size_t row = 0; row < rows; ++row) {
        double most = 0;
        for (size_t i = 0; i < n; ++i) {
          if (smooth) exact[row * n + i] *= factors[i];
          most = std::max(most, std::fabs(exact[row * n + i]));
        }
        scales.push_back(most / 127);
        for (size_t i = 0; i < n; ++i) exact[row * n + i] /= scales.back();
      }
      ExpectClose(scale, scales);
      ExpectRounded(y, exact);
    }
  }
  const Tensor none = Made({0, 4}, ACL_FLOAT16), row = Made({4}, ACL_FLOAT16);
  const Tensor empty = Made({0, 4}, ACL_INT8), x = Made({2, 4}, ACL_FLOAT16);
  const Tensor y = Made({2, 4}, ACL_INT8), no_scales = Made({0}, ACL_FLOAT);
  const Tensor scales = Made({2}, ACL_FLOAT), wrong = Made({3}, ACL_FLOAT);
  const auto call = [&](const Tensor& in, int64_t type, const Tensor& out, const Tensor& steps) {
    return [&, type](uint64_t* size, aclOpExecutor** e) {
      return aclnnRmsNormDynamicQuantGetWorkspaceSize(in.handle(), row.handle(), nullptr, nullptr,
                                                      kEps, type, out.handle(), steps.handle(),
                                                      size, e);
    };
  };
  ExpectRefused(call(none, ACL_INT8, empty, no_scales), ACLNN_ERR_INNER_TILING_ERROR, {"x.shape"});
  ExpectRefused(call(x, ACL_INT4, y, scales), ACLNN_ERR_INNER_TILING_ERROR, {"dstType"});
  ExpectRefused(call(x, ACL_INT8, y, wrong), ACLNN_ERR_INNER_TILING_ERROR, {"scaleOut.shape"});
}

TEST_F(NormDynamicQuantTest, OneScaleIsTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (aclDataType to : {ACL_INT8, ACL_INT4}) {
      for (bool strided : {false, true}) {
        for (bool flat : {false, true}) {
          Static c = {.type = type, .to = to, .flat = flat, .strided = strided};
          CheckStatic(c);
          c.leading = {2, 1, 3}, c.scale = -0.5;
          CheckStatic(c);
          c.leading = {}, c.n = 40;
          CheckStatic(c);
          c.leading = {1, 1, 1, 2, 1, 1, 1}, c.n = 2;
          CheckStatic(c);
        }
      }
      CheckStatic({.leading = {33}, .n = 5000, .type = type, .to = to});
    }
    CheckStatic({.n = 7, .type = type});
  }
}

TEST_F(NormDynamicQuantTest, NoNumberBecomesZero) {
  const Tensor x = Holding({3, 2}, ACL_BF16, {1, kNaN, 1, 2, 3, 4});
  const Tensor row = Holding({2}, ACL_BF16, {1, 1}), y = Made({3, 2}, ACL_INT8);
  for (double scale : {0.5, kNaN}) {
    const Tensor scale_in = Holding({1}, ACL_BF16, {scale});
    const Tensor offset = Holding({1}, ACL_INT8, {3});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnRmsNormQuantGetWorkspaceSize(x.handle(), row.handle(), row.handle(),
                                                   scale_in.handle(), offset.handle(), 0,
                                                   y.handle(), size, e);
        },
        aclnnRmsNormQuant);
    // 1 / sqrt(2.5) = 0.63, 2 / sqrt(2.5) = 1.26, 3 / sqrt(12.5) = 0.85, 4 / sqrt(12.5) = 1.13.
    const Numbers numbers = {0, 0, 6, 8, 7, 7};
    EXPECT_EQ(ReadAs(y), std::isnan(scale) ? Numbers(6, 0) : numbers);
  }
}

TEST_F(NormDynamicQuantTest, ScalesOfRowsAreTheFormula) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int smooth = 0; smooth < 3; ++smooth) {
        Dynamic c = {.type = type, .version = 1, .smooth1 = smooth > 0, .smooth2 = smooth > 1};
        c.strided = strided;
        for (bool as_rows : {false, true}) {
          c.leading = {5}, c.as_rows = as_rows, c.alike = as_rows;
          CheckDynamic(c);
          c.leading = {2, 1, 3};
          CheckDynamic(c);
        }
      }
      for (aclDataType to : {ACL_INT8, ACL_INT4}) {
        for (int beta = 0; beta < 2; ++beta) {
          for (int smooth = 0; smooth < 3; ++smooth) {
            Dynamic c = {.type = type, .to = to, .smooth1 = smooth > 0, .smooth2 = smooth > 1};
            c.beta = beta > 0, c.strided = strided, c.alike = beta > 0;
            CheckDynamic(c);
          }
          for (int mask = 1; mask < 4; ++mask) {
            for (int smooth = 0; smooth < 4; ++smooth) {
              if ((smooth & ~mask) != 0) continue;
              Dynamic c = {.leading = {2, 3}, .type = type, .to = to, .smooth1 = smooth % 2 > 0};
              c.smooth2 = smooth / 2 > 0, c.beta = beta > 0, c.strided = strided, c.mask = mask;
              CheckDynamic(c);
            }
          }
        }
      }
    }
    CheckDynamic({.leading = {33}, .n = 5000, .type = type});
    CheckDynamic({.leading = {33}, .n = 5000, .type = type, .to = ACL_INT4});
  }
  CheckDynamic({.leading = {0}});
  CheckDynamic({.n = 0});
}

TEST_F(NormDynamicQuantTest, RowsOfZerosAndOfNoNumbers) {
  const Tensor x = Holding({3, 2}, ACL_FLOAT16, {0, 0, 1, kNaN, 1, 2});
  const Tensor zeros = Holding({3, 2}, ACL_FLOAT16, Numbers(6, 0));
  const Tensor row = Holding({2}, ACL_FLOAT16, {1, 1}), y = Made({3, 2}, ACL_INT8);
  const Tensor sum = Made({3, 2}, ACL_FLOAT16), steps = Made({3}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** e) {
        return aclnnAddRmsNormDynamicQuantGetWorkspaceSize(
            x.handle(), zeros.handle(), row.handle(), nullptr, nullptr, kEps, y.handle(),
            y.handle(), sum.handle(), steps.handle(), steps.handle(), size, e);
      },
      aclnnAddRmsNormDynamicQuant);
  EXPECT_EQ(ReadAs(y), (Numbers{0, 0, 0, 0, 64, 127}));
  const Numbers numbers = ReadAs(steps);
  EXPECT_EQ(numbers[0], 0);
  EXPECT_TRUE(std::isnan(numbers[1]));
}

TEST_F(NormDynamicQuantTest, OneScaleRefusesWhatDoesNotFit) {
  const int invalid = ACLNN_ERR_PARAM_INVALID;
  const Tensor x = Made({5, 7}, ACL_FLOAT16), row = Made({7}, ACL_FLOAT16);
  const Tensor one = Made({1}, ACL_FLOAT16), offset = Made({1}, ACL_INT8);
  const Tensor two = Made({2}, ACL_FLOAT16), wrong = Made({2, 7}, ACL_FLOAT16);
  const Tensor other = Made({7}, ACL_BF16), wide = Made({5, 7}, ACL_FLOAT);
  const Tensor y = Made({5, 7}, ACL_INT8), turned = Made({7, 5}, ACL_INT8);
  const Tensor halves = Made({5, 7}, ACL_INT4), packed = Made({5, 7}, ACL_INT32);
  const Tensor none = Made({0, 7}, ACL_FLOAT16), to_none = Made({0, 7}, ACL_INT8);
  const auto call = [&](const Tensor& from, const Tensor& gamma, const Tensor& scale,
                        const Tensor& by, double eps, const Tensor& to,
                        std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRmsNormQuantGetWorkspaceSize(from.handle(), gamma.handle(), row.handle(),
                                                   scale.handle(), by.handle(), eps, to.handle(), s,
                                                   e);
        },
        invalid, words);
  };
  call(x, wrong, one, offset, 0, y, {"gamma.shape[0] = 2", "1"});
  call(x, two, one, offset, 0, y, {"gamma.shape[0] = 2", "7"});
  call(x, other, one, offset, 0, y, {"gamma.dtype = BF16", "FLOAT16"});
  call(x, row, two, offset, 0, y, {"scale.shape[0] = 2", "1"});
  call(x, row, other, offset, 0, y, {"scale.dtype = BF16", "FLOAT16"});
  call(x, row, one, one, 0, y, {"offset.dtype = FLOAT16", "INT8"});
  call(x, row, one, offset, -1, y, {"epsilon = -1", "0 or more"});
  call(x, row, one, offset, kNaN, y, {"epsilon = nan"});
  call(x, row, one, offset, 0, turned, {"y.shape"});
  call(x, row, one, offset, 0, packed, {"y.dtype = INT32"});
  call(wide, row, one, offset, 0, y, {"x.dtype = FLOAT"});
  call(x, row, one, offset, 0, halves, {"x.shape[1] = 7", "even", "y.dtype is INT4"});
  call(none, row, one, offset, 0, to_none, {"x.shape = [0, 7]", "elements"});
}

TEST_F(NormDynamicQuantTest, ScalesOfRowsRefuseWhatDoesNotFit) {
  const int invalid = ACLNN_ERR_PARAM_INVALID, tiling = ACLNN_ERR_INNER_TILING_ERROR;
  const Tensor x = Made({2, 3, 7}, ACL_FLOAT16), row = Made({7}, ACL_FLOAT16);
  const Tensor five = Made({5}, ACL_FLOAT16), y = Made({2, 3, 7}, ACL_INT8);
  const Tensor flat = Made({6, 7}, ACL_INT8), halves = Made({2, 3, 7}, ACL_INT4);
  const Tensor packed = Made({2, 3, 7}, ACL_INT32), steps = Made({2, 3}, ACL_FLOAT);
  const Tensor wrong = Made({3, 2}, ACL_FLOAT);
  const Tensor gaps = Made({2, 3}, ACL_FLOAT, true);
  struct Change {
    const Tensor* gamma = nullptr;
    const Tensor *smooth1 = nullptr, *smooth2 = nullptr, *y1 = nullptr, *y2 = nullptr;
    const Tensor *steps1 = nullptr, *steps2 = nullptr;
    double eps = 0;
    std::vector<int> mask = {};
  };
  const auto or_else = [](const Tensor* t, const Tensor& other) {
    return (t != nullptr ? *t : other).handle();
  };
  const auto or_null = [](const Tensor* t) { return t != nullptr ? t->handle() : nullptr; };
  const auto first = [&](const Change& c, int code, std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddRmsNormDynamicQuantGetWorkspaceSize(
              x.handle(), x.handle(), or_else(c.gamma, row), or_null(c.smooth1), or_null(c.smooth2),
              c.eps, or_else(c.y1, y), or_else(c.y2, y), x.handle(), or_else(c.steps1, steps),
              or_else(c.steps2, steps), s, e);
        },
        code, words);
  };
  const auto second = [&](const Change& c, int code,
                          std::initializer_list<std::string_view> words) {
    bool bits[3] = {};
    std::copy(c.mask.begin(), c.mask.end(), bits);
    const aclBoolArray* const mask =
        c.mask.empty() ? nullptr : aclCreateBoolArray(bits, c.mask.size());
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAddRmsNormDynamicQuantV2GetWorkspaceSize(
              x.handle(), x.handle(), or_else(c.gamma, row), or_null(c.smooth1), or_null(c.smooth2),
              nullptr, c.eps, mask, or_else(c.y1, y), or_else(c.y2, y), x.handle(),
              or_else(c.steps1, steps), or_else(c.steps2, steps), s, e);
        },
        code, words);
    if (mask != nullptr) aclDestroyBoolArray(mask);
  };
  first({.smooth2 = &row}, invalid, {"smoothScale1Optional is null", "smoothScale2Optional"});
  first({.gamma = &five}, invalid, {"gamma.shape[0] = 5", "7"});
  first({.smooth1 = &five}, invalid, {"smoothScale1Optional.shape[0] = 5", "7"});
  first({.y1 = &halves}, invalid, {"y1Out.dtype = INT4", "INT8"});
  first({.smooth1 = &row, .smooth2 = &row, .y2 = &flat, .steps2 = &wrong}, invalid,
        {"scale2Out.shape = [3, 2]", "[2, 3] or [6]"});
  first({.steps1 = &wrong}, invalid, {"scale1Out.shape = [3, 2]", "[2, 3] or [6]"});
  first({.steps1 = &gaps}, invalid, {"scale1Out"});
  first({.eps = -1}, invalid, {"epsilon = -1"});

  second({.smooth2 = &row}, invalid, {"smoothScale1Optional is null", "smoothScale2Optional"});
  second({.mask = {1, 1, 1}}, invalid, {"outputMaskOptional has 3 values", "2"});
  second({.mask = {0, 0}}, invalid, {"outputMaskOptional", "true"});
  second({.smooth1 = &row, .mask = {0, 1}}, invalid,
         {"outputMaskOptional[0] = false", "smoothScale1Optional is given"});
  second({.smooth2 = &row, .mask = {1, 0}}, invalid,
         {"outputMaskOptional[1] = false", "smoothScale2Optional is given"});
  second({.y2 = &halves, .mask = {1, 1}}, invalid, {"y2Out.dtype = INT4", "INT8"});
  second({.y1 = &packed}, invalid, {"y1Out.dtype = INT32"});
  second({.y1 = &flat}, invalid, {"y1Out.shape = [6, 7]", "[2, 3, 7]"});
  second({.y2 = &flat, .mask = {1, 1}}, invalid, {"y2Out.shape = [6, 7]", "[2, 3, 7]"});
  second({.y1 = &halves}, tiling, {"x1.shape[2] = 7", "even", "y1Out.dtype is INT4"});
  second({.gamma = &five}, tiling, {"gamma.shape[0] = 5", "7"});
  second({.steps1 = &wrong}, tiling, {"scale1Out.shape = [3, 2]", "[2, 3] or [6]"});
  second({.eps = -1}, tiling, {"epsilon = -1"});
}

}  // namespace
}  // namespace anyacl::test
