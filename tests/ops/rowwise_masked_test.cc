// SPDX-License-Identifier: Apache-2.0
// Softmax of scaled numbers with masks and biases, and its gradient, against the oracle.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_masked_softmax_with_rel_pos_bias.h"
#include "aclnnop/aclnn_scaled_masked_softmax.h"
#include "aclnnop/aclnn_scaled_masked_softmax_backward.h"
#include "ops/moe_case.h"
#include "reference/rowwise.h"

namespace anyacl::test {
namespace {

using namespace moe;

class MaskedSoftmaxTest : public MoeTest {
 protected:
  static size_t CountOf(const Shape& dims) {
    size_t count = 1;
    for (int64_t size : dims) count *= static_cast<size_t>(size);
    return count;
  }
  // Numbers of up to 1, of exponents with an error of some units of `size`.
  static void ExpectClose(const Tensor& tensor, const Numbers& expected, double size) {
    const Numbers actual = ReadAs(tensor);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i],
                  16 * 0x1p-24 * (1 + size) * (std::fabs(expected[i]) + 0x1p-14) +
                      1.01 * HalfUnitOf(tensor.layout().dtype, expected[i]))
          << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }

  struct Biased {
    int64_t b = 2, w = 3, n = 2, s1 = 4, s2 = 7;
    aclDataType type = ACL_FLOAT;
    bool joined = false;                  // x is [B * W, ...]
    size_t mask_rank = 3, bias_rank = 3;  // 0: no mask
    bool strided = false;
    double scale = 0.5;
  };
  void CheckBiased(const Biased& c) {
    SCOPED_TRACE(::testing::Message() << "type " << c.type << " joined " << c.joined << " mask "
                                      << c.mask_rank << " bias " << c.bias_rank << " strided "
                                      << c.strided << " scale " << c.scale << " s2 " << c.s2);
    const Shape dims =
        c.joined ? Shape{c.b * c.w, c.n, c.s1, c.s2} : Shape{c.b, c.w, c.n, c.s1, c.s2};
    Shape mask_dims = {c.w, c.s1, c.s2}, bias_dims = {c.n, c.s1, c.s2};
    if (c.mask_rank > 3) mask_dims.insert(mask_dims.begin() + 1, 1);
    if (c.mask_rank > 4) mask_dims.insert(mask_dims.begin(), 1);
    while (bias_dims.size() < c.bias_rank) bias_dims.insert(bias_dims.begin(), 1);
    const Numbers x = Drawn(c.type, CountOf(dims), -5, 5);
    const Numbers mask = Drawn(c.type, CountOf(mask_dims), -5, 5);
    const Numbers bias = Drawn(c.type, CountOf(bias_dims), -5, 5);
    const Tensor x_in = Holding(dims, c.type, x, c.strided);
    const Tensor mask_in = Holding(mask_dims, c.type, mask, c.strided);
    const Tensor bias_in = Holding(bias_dims, c.type, bias, c.strided);
    const Tensor out = Made(dims, c.type, c.strided);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(
              x_in.handle(), c.mask_rank > 0 ? mask_in.handle() : nullptr, bias_in.handle(),
              c.scale, 0, out.handle(), size, e);
        },
        aclnnMaskedSoftmaxWithRelPosBias);
    Numbers expected;
    const auto columns = static_cast<size_t>(c.s2);
    for (size_t row = 0; row * columns < x.size(); ++row) {
      const auto r = static_cast<int64_t>(row);
      const int64_t s = r % c.s1, n = r / c.s1 % c.n, w = r / c.s1 / c.n % c.w;
      Row line;
      for (size_t i = 0; i < columns; ++i) {
        double value = c.scale * x[row * columns + i];
        if (c.mask_rank > 0) value += mask[static_cast<size_t>(w * c.s1 + s) * columns + i];
        line.push_back(value + bias[static_cast<size_t>(n * c.s1 + s) * columns + i]);
      }
      line = Softmax(line);
      expected.insert(expected.end(), line.begin(), line.end());
    }
    ExpectClose(out, expected, 20);
  }

  struct Masked {
    Shape dims = {2, 3, 4, 9};
    bool mask_b = true, mask_n = true;  // the mask has these sizes, not 1
    aclDataType type = ACL_FLOAT;
    bool strided = false;
    double scale = 0.5;
  };
  void CheckMasked(const Masked& c) {
    SCOPED_TRACE(::testing::Message()
                 << "type " << c.type << " mask " << c.mask_b << c.mask_n << " strided "
                 << c.strided << " scale " << c.scale << " columns " << c.dims[3]);
    const Shape mask_dims = {c.mask_b ? c.dims[0] : 1, c.mask_n ? c.dims[1] : 1, c.dims[2],
                             c.dims[3]};
    const Numbers x = Drawn(c.type, CountOf(c.dims), -5, 5);
    const Numbers g = Drawn(c.type, CountOf(c.dims), -5, 5);
    const Numbers y = Drawn(c.type, CountOf(c.dims), 0, 1);
    const auto columns = static_cast<size_t>(c.dims[3]);
    Numbers mask;
    for (size_t i = 0; i < CountOf(mask_dims); ++i) {
      mask.push_back(i < columns ? 1 : random().Int(0, 1));  // a row is hidden whole
    }
    const Tensor x_in = Holding(c.dims, c.type, x, c.strided);
    const Tensor g_in = Holding(c.dims, c.type, g, c.strided);
    const Tensor y_in = Holding(c.dims, c.type, y, c.strided);
    const Tensor mask_in = Holding(mask_dims, ACL_BOOL, mask, c.strided);
    const Tensor out = Made(c.dims, c.type), dx = Made(c.dims, c.type);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnScaledMaskedSoftmaxGetWorkspaceSize(x_in.handle(), mask_in.handle(), c.scale,
                                                          false, out.handle(), size, e);
        },
        aclnnScaledMaskedSoftmax);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** e) {
          return aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize(
              g_in.handle(), y_in.handle(), mask_in.handle(), c.scale, false, dx.handle(), size, e);
        },
        aclnnScaledMaskedSoftmaxBackward);
    Numbers expected, gradient;
    double size = 0;
    for (size_t row = 0; row * columns < x.size(); ++row) {
      const auto r = static_cast<int64_t>(row);
      const int64_t s = r % c.dims[2], n = r / c.dims[2] % c.dims[1];
      const int64_t b = r / c.dims[2] / c.dims[1];
      const int64_t from = ((c.mask_b ? b : 0) * mask_dims[1] + (c.mask_n ? n : 0)) * c.dims[2] + s;
      const auto hidden = [&](size_t i) {
        return mask[static_cast<size_t>(from) * columns + i] != 0;
      };
      Row line, g_row, y_row;
      for (size_t i = 0; i < columns; ++i) {
        line.push_back(hidden(i) ? -10000 : c.scale * x[row * columns + i]);
        g_row.push_back(g[row * columns + i]);
        y_row.push_back(y[row * columns + i]);
      }
      line = Softmax(line);
      expected.insert(expected.end(), line.begin(), line.end());
      const Row back = SoftmaxBackward(g_row, y_row);
      for (size_t i = 0; i < columns; ++i) {
        gradient.push_back(hidden(i) ? 0 : back[i] * c.scale);
        size = std::max(size, std::fabs(gradient.back()));
      }
    }
    ExpectClose(out, expected, 5 * std::fabs(c.scale));
    const Numbers actual = ReadAs(dx);
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], gradient[i],
                  0x1p-18 * (1 + size) + 1.01 * HalfUnitOf(c.type, gradient[i]))
          << i;
      if (gradient[i] == 0) {
        ASSERT_EQ(actual[i], 0);
      }
    }
    EXPECT_TRUE(dx.GuardsIntact());
  }
};

TEST_F(MaskedSoftmaxTest, WithBiasIsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (bool joined : {false, true}) {
        for (size_t mask : {0, 3, 4, 5}) {
          for (size_t bias : {3, 4, 5}) {
            Biased c = {.type = type, .joined = joined, .mask_rank = mask, .bias_rank = bias};
            c.strided = strided;
            CheckBiased(c);
          }
        }
      }
    }
    CheckBiased({.b = 1, .w = 2, .s1 = 3, .s2 = 9000, .type = type});
    CheckBiased({.b = 40, .w = 4, .n = 3, .s1 = 49, .s2 = 49, .type = type, .scale = -1});
    CheckBiased({.type = type, .scale = 0});
  }
  CheckBiased({.b = 0});
  CheckBiased({.b = 0, .joined = true});
}

TEST_F(MaskedSoftmaxTest, ScaledIsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool strided : {false, true}) {
      for (int mask = 0; mask < 4; ++mask) {
        Masked c = {.mask_b = mask % 2 > 0, .mask_n = mask / 2 > 0, .type = type};
        c.strided = strided;
        CheckMasked(c);
        c.scale = -2;
        CheckMasked(c);
        c.dims = {1, 2, 3, 4096};
        CheckMasked(c);
      }
    }
    CheckMasked({.dims = {8, 4, 64, 65}, .mask_n = false, .type = type, .scale = 1});
    CheckMasked({.dims = {2, 2, 2, 1}, .type = type, .scale = 0});
  }
  CheckMasked({.dims = {0, 2, 3, 4}, .mask_b = true});
}

// -10000 beside numbers of that size; what is hidden may be anything.
TEST_F(MaskedSoftmaxTest, HiddenNumbersCountAsMinusTenThousand) {
  const double nan = std::nan("");
  const Tensor x = Holding({1, 1, 2, 3}, ACL_FLOAT, {-4999, nan, -5000.5, nan, 1, INFINITY});
  const Tensor mask = Holding({1, 1, 2, 3}, ACL_BOOL, {0, 1, 0, 1, 1, 1});
  const Tensor y = Made({1, 1, 2, 3}, ACL_FLOAT);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** e) {
        return aclnnScaledMaskedSoftmaxGetWorkspaceSize(x.handle(), mask.handle(), 2, false,
                                                        y.handle(), size, e);
      },
      aclnnScaledMaskedSoftmax);
  Numbers expected = Softmax({-9998, -10000, -10001});
  expected.insert(expected.end(), 3, 1.0 / 3);
  ExpectClose(y, expected, 1);
}

TEST_F(MaskedSoftmaxTest, BiasedRefusesWhatDoesNotFit) {
  const Tensor x = Made({2, 3, 2, 4, 7}, ACL_FLOAT), joined = Made({6, 2, 4, 7}, ACL_FLOAT);
  const Tensor mask = Made({3, 4, 7}, ACL_FLOAT), bias = Made({2, 4, 7}, ACL_FLOAT);
  const Tensor four = Made({4, 4, 7}, ACL_FLOAT), inner = Made({3, 2, 4, 7}, ACL_FLOAT);
  const Tensor outer = Made({2, 3, 1, 4, 7}, ACL_FLOAT), matrix = Made({4, 7}, ACL_FLOAT);
  const Tensor halves = Made({2, 4, 7}, ACL_FLOAT16), twice = Made({2, 2, 4, 7}, ACL_FLOAT);
  const Tensor short_mask = Made({3, 4, 1}, ACL_FLOAT);
  const auto call = [&](const Tensor& from, const Tensor* by, const Tensor& plus, const Tensor& out,
                        std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMaskedSoftmaxWithRelPosBiasGetWorkspaceSize(
              from.handle(), by != nullptr ? by->handle() : nullptr, plus.handle(), 1, 0,
              out.handle(), s, e);
        },
        ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  call(mask, nullptr, bias, mask, {"x.shape = [3, 4, 7]", "four or five"});
  call(x, &four, bias, x, {"attenMaskOptional.shape = [4, 4, 7]", "[W, S1, S2]"});
  call(joined, &four, bias, joined, {"attenMaskOptional.shape = [4, 4, 7]", "[6, 2, 4, 7]"});
  call(x, &inner, bias, x, {"attenMaskOptional.shape = [3, 2, 4, 7]", "[W, 1, S1, S2]"});
  call(x, &outer, bias, x, {"attenMaskOptional.shape = [2, 3, 1, 4, 7]", "[1, W, 1, S1, S2]"});
  call(x, &matrix, bias, x, {"attenMaskOptional.shape = [4, 7]"});
  call(x, &short_mask, bias, x, {"attenMaskOptional.shape = [3, 4, 1]"});
  call(x, &mask, matrix, x, {"relativePosBias.shape = [4, 7]", "[N, S1, S2]"});
  call(x, &mask, mask, x, {"relativePosBias.shape = [3, 4, 7]", "[N, S1, S2]"});
  call(x, &mask, twice, x, {"relativePosBias.shape = [2, 2, 4, 7]", "[1, N, S1, S2]"});
  call(x, &mask, halves, x, {"relativePosBias.dtype = FLOAT16", "FLOAT"});
  call(x, &halves, bias, x, {"attenMaskOptional.dtype = FLOAT16", "FLOAT"});
  call(x, &mask, bias, joined, {"out.shape"});
}

TEST_F(MaskedSoftmaxTest, ScaledRefusesWhatDoesNotFit) {
  const Tensor x = Made({2, 3, 4, 7}, ACL_FLOAT), mask = Made({2, 3, 4, 7}, ACL_BOOL);
  const Tensor bytes = Made({2, 3, 4, 7}, ACL_UINT8), rows = Made({2, 3, 1, 7}, ACL_BOOL);
  const Tensor wrong = Made({3, 1, 4, 7}, ACL_BOOL), flat = Made({3, 4, 7}, ACL_BOOL);
  const Tensor three = Made({3, 4, 7}, ACL_FLOAT), halves = Made({2, 3, 4, 7}, ACL_FLOAT16);
  const Tensor gaps = Made({2, 3, 4, 7}, ACL_FLOAT, true), none = Made({2, 3, 4, 0}, ACL_FLOAT);
  const Tensor no_mask = Made({2, 3, 4, 0}, ACL_BOOL), wide = Made({1, 1, 1, 4097}, ACL_FLOAT);
  const Tensor wide_mask = Made({1, 1, 1, 4097}, ACL_BOOL);
  const auto call = [&](const Tensor& from, const Tensor& by, bool triangle, const Tensor& out,
                        std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScaledMaskedSoftmaxGetWorkspaceSize(from.handle(), by.handle(), 1, triangle,
                                                          out.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnScaledMaskedSoftmaxBackwardGetWorkspaceSize(
              from.handle(), from.handle(), by.handle(), 1, triangle, out.handle(), s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  call(x, bytes, false, x, {"mask.dtype = UINT8", "BOOL"});
  call(x, rows, false, x, {"mask.shape = [2, 3, 1, 7]", "[2, 3, 4, 7]"});
  call(x, wrong, false, x, {"mask.shape = [3, 1, 4, 7]", "[2, 3, 4, 7]"});
  call(x, flat, false, x, {"mask.shape = [3, 4, 7]", "[2, 3, 4, 7]"});
  call(x, mask, true, x, {"fixTriuMask = true", "false"});
  call(three, flat, false, three, {"rank 3"});
  call(none, no_mask, false, none, {"0, expected 1 to 4096"});
  call(wide, wide_mask, false, wide, {"4097, expected 1 to 4096"});
  call(x, mask, false, halves, {"FLOAT16", "expected FLOAT"});
  call(x, mask, false, gaps, {"contiguous"});
}

}  // namespace
}  // namespace anyacl::test
