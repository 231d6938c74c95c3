// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding, GeGlu, GeGluV3 and their gradients against the formulas of their
// documents.
#include <cmath>
#include <string_view>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_geglu_backward.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"
#include "aclnnop/aclnn_rotary_position_embedding_v2.h"
#include "ops/elementwise_case.h"
#include "reference/turned_row.h"

namespace anyacl::test::rotary {
namespace {

using Shape = std::vector<int64_t>;
constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

int64_t CountOf(const Shape& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

class RotaryTest : public DeviceTest {
 protected:
  std::vector<double> Fill(Tensor& tensor) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(tensor.layout().dtype, random().Uniform(-2, 2)));
    }
    WriteAs(tensor, values);
    return values;
  }
  static void ExpectClose(const Tensor& tensor, const std::vector<double>& expected,
                          double magnitude) {
    const aclDataType type = tensor.layout().dtype;
    const auto actual = ReadAs(tensor);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_LE(std::fabs(actual[i] - expected[i]),
                0x1p-21 * magnitude + 1.01 * HalfUnitOf(type, expected[i]))
          << "element " << i;
    }
    EXPECT_TRUE(tensor.GuardsIntact());
  }
};

// By mode.
constexpr std::string_view kModes[] = {"half", "interleave", "quarter", "to halves"};

std::vector<double> RowAt(const std::vector<double>& values, size_t row, size_t d) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * d);
  return {begin, begin + static_cast<std::ptrdiff_t>(d)};
}

// Every mode, with angles for rows, for places and for one dimension, dense and with steps; in
// place where pairs stay where they are.
TEST_F(RotaryTest, TurnsPairs) {
  struct Case {
    Shape x, angles;
  };
  for (const Case& c : {Case{{2, 5, 3, 8}, {1, 5, 1, 8}},
                        {{2, 5, 3, 8}, {2, 5, 3, 8}},
                        {{2, 3, 5, 8}, {2, 1, 5, 8}},
                        {{7, 3, 68}, {7, 1, 68}},
                        {{1, 300, 4, 64}, {1, 300, 1, 64}}}) {
    for (aclDataType type : kTypes) {
      for (int64_t mode = 0; mode < 4; ++mode) {
        for (bool steps : {false, true}) {
          SCOPED_TRACE(::testing::Message() << ::testing::PrintToString(c.x) << " mode " << mode
                                            << " type " << type << " steps " << steps);
          Layout layout{.dims = c.x, .dtype = type};
          if (steps) {
            layout.strides = ContiguousStrides(c.x);
            for (int64_t& stride : layout.strides) stride = stride * 2;
            layout.strides[0] += 6;
            layout.offset = 3;
          }
          Tensor x(layout), cos({.dims = c.angles, .dtype = type}),
              sin({.dims = c.angles, .dtype = type});
          const Tensor out(layout);
          const auto values = Fill(x), c_values = Fill(cos), s_values = Fill(sin);
          const auto d = static_cast<size_t>(c.x.back());
          std::vector<double> expected;
          for (size_t row = 0; row * d < values.size(); ++row) {
            size_t at = 0, left = row;
            std::vector<size_t> index;
            for (size_t i = c.x.size() - 1; i-- > 0;) {
              const auto size = static_cast<size_t>(c.x[i]);
              index.insert(index.begin(), left % size);
              left /= size;
            }
            for (size_t i = 0; i < index.size(); ++i) {
              at = at * static_cast<size_t>(c.angles[i]) + (c.angles[i] == 1 ? 0 : index[i]);
            }
            const auto turned = TurnRow(RowAt(values, row, d), RowAt(c_values, at, d),
                                        RowAt(s_values, at, d), kModes[mode]);
            expected.insert(expected.end(), turned.begin(), turned.end());
          }
          const auto run = [&](aclTensor* to) {
            RunTwoPhase(
                [&](uint64_t* s, aclOpExecutor** e) {
                  return aclnnRotaryPositionEmbeddingGetWorkspaceSize(x.handle(), cos.handle(),
                                                                      sin.handle(), mode, to, s, e);
                },
                aclnnRotaryPositionEmbedding);
          };
          run(out.handle());
          ExpectClose(out, expected, 8);
          const Tensor second(layout);
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return aclnnRotaryPositionEmbeddingV2GetWorkspaceSize(
                    x.handle(), cos.handle(), sin.handle(), mode, nullptr, second.handle(), s, e);
              },
              aclnnRotaryPositionEmbeddingV2);
          EXPECT_EQ(ReadAs(second), ReadAs(out));
          if (mode == 3) continue;
          run(x.handle());
          ExpectClose(x, expected, 8);
        }
      }
    }
  }
}

// With a matrix: what half and interleave do, of three parts with pairs of their own, and any
// other.
TEST_F(RotaryTest, TurnsByAMatrix) {
  enum Matrix { kHalf, kInterleave, kParts, kAny };
  for (aclDataType type : kTypes) {
    for (bool steps : {false, true}) {
      for (const Matrix kind : {kHalf, kInterleave, kParts, kAny}) {
        SCOPED_TRACE(::testing::Message()
                     << "type " << type << " steps " << steps << " kind " << kind);
        constexpr size_t kColumns = 24;
        const Shape dims = {2, 5, 3, kColumns}, angles = {1, 5, 1, kColumns};
        std::vector<double> matrix(kColumns * kColumns, 0);
        const auto pair = [&](size_t a, size_t b) {  // x @ matrix has -x[b] at a and x[a] at b
          matrix[b * kColumns + a] = -1;
          matrix[a * kColumns + b] = 1;
        };
        for (size_t i = 0; i < kColumns / 2; ++i) {
          if (kind == kHalf) pair(i, i + kColumns / 2);
          if (kind == kInterleave) pair(2 * i, 2 * i + 1);
          if (kind == kParts) pair(i / 4 * 8 + i % 4, i / 4 * 8 + i % 4 + 4);
        }
        for (double& value : matrix) {
          if (kind == kAny) value = AsHeld(type, random().Uniform(-1, 1));
        }
        Layout layout{.dims = dims, .dtype = type};
        if (steps) {
          layout.strides = ContiguousStrides(dims);
          for (int64_t& stride : layout.strides) stride *= 2;
        }
        Tensor x(layout), cos({.dims = angles, .dtype = type}),
            sin({.dims = angles, .dtype = type});
        Tensor rotate({.dims = {kColumns, kColumns}, .dtype = type});
        WriteAs(rotate, matrix);
        const Tensor out(layout);
        const auto values = Fill(x), c = Fill(cos), s = Fill(sin);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** e) {
              return aclnnRotaryPositionEmbeddingV2GetWorkspaceSize(
                  x.handle(), cos.handle(), sin.handle(), 1, rotate.handle(), out.handle(), size,
                  e);
            },
            aclnnRotaryPositionEmbeddingV2);
        const auto actual = ReadAs(out);
        for (size_t i = 0; i < actual.size(); ++i) {
          const size_t row = i / kColumns, column = i % kColumns;
          const size_t at = row / 3 % 5 * kColumns + column;
          double product = 0, size = 0;
          for (size_t k = 0; k < kColumns; ++k) {
            const double term = values[row * kColumns + k] * matrix[k * kColumns + column];
            product += term;
            size += std::fabs(term);
          }
          const double expected = values[i] * c[at] + product * s[at];
          // The product is rounded to the type, which changes nothing of a signed permutation.
          const double rounding =
              kind == kAny ? 2 * (HalfUnitOf(type, product) + size * 0x1p-20) : 0;
          ASSERT_NEAR(actual[i], expected,
                      0x1p-21 * 8 + rounding + 1.01 * HalfUnitOf(type, expected))
              << i;
        }
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  }
  const Tensor x({.dims = {2, 3, 6}}), angle({.dims = {2, 1, 6}}), narrow({.dims = {6, 5}}),
      square({.dims = {6, 6}}), odd({.dims = {2, 3, 5}}), odd_angle({.dims = {2, 1, 5}}),
      odd_square({.dims = {5, 5}}), matrix({.dims = {3, 6}});
  const auto refused = [](const Tensor& of, const Tensor& by, int64_t mode, const Tensor& rotate,
                          std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRotaryPositionEmbeddingV2GetWorkspaceSize(
              of.handle(), by.handle(), by.handle(), mode, rotate.handle(), of.handle(), s, e);
        },
        ACLNN_ERR_INNER_TILING_ERROR, words);
  };
  refused(x, angle, 0, narrow, {"rotate.shape"});
  refused(x, angle, 4, square, {"mode is 4"});
  refused(odd, odd_angle, 0, odd_square, {"multiple of 2"});
  refused(matrix, matrix, 0, square, {"rank 2"});
}

TEST_F(RotaryTest, WhatDoesNotFitIsRefused) {
  const auto call = [](const Tensor& x, const Tensor& cos, const Tensor& sin, int64_t mode,
                       const Tensor& out) {
    return [&, mode](uint64_t* s, aclOpExecutor** e) {
      return aclnnRotaryPositionEmbeddingGetWorkspaceSize(x.handle(), cos.handle(), sin.handle(),
                                                          mode, out.handle(), s, e);
    };
  };
  const Tensor x({.dims = {2, 3, 6}}), angle({.dims = {2, 1, 6}}), other({.dims = {1, 3, 6}}),
      wrong({.dims = {3, 1, 6}}), odd({.dims = {2, 3, 5}}), odd_angle({.dims = {2, 1, 5}}),
      matrix({.dims = {3, 6}}), halves({.dims = {2, 1, 6}, .dtype = ACL_FLOAT16});
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(call(x, angle, angle, 4, x), code, {"mode is 4", "0 to 3"});
  ExpectRefused(call(x, angle, angle, 2, x), code, {"multiple of 4"});
  ExpectRefused(call(odd, odd_angle, odd_angle, 0, odd), code, {"multiple of 2"});
  ExpectRefused(call(matrix, matrix, matrix, 0, matrix), code, {"rank 2", "3 or 4"});
  ExpectRefused(call(x, wrong, wrong, 0, x), code, {"cos.shape = [3, 1, 6]", "broadcasts"});
  ExpectRefused(call(x, angle, other, 0, x), code, {"sin.shape = [1, 3, 6]"});
  ExpectRefused(call(x, halves, angle, 0, x), code, {"cos.dtype = FLOAT16"});
  ExpectRefused(call(x, angle, angle, 0, odd), code, {"out.shape"});
}

double Gelu(double x, int64_t approximate) {
  return approximate == 0
             ? 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)))
             : 0.5 * x *
                   (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

TEST_F(RotaryTest, ActivatedHalves) {
  const Shape dims = {3, 6, 10};
  for (aclDataType type : kTypes) {
    for (int64_t dim : {1, -1}) {
      for (int64_t approximate : {0, 1}) {
        for (bool left : {false, true}) {
          Shape half = dims;
          const size_t axis = dim == 1 ? 1 : 2;
          half[axis] /= 2;
          Tensor self({.dims = dims, .dtype = type, .strides = {1, 3, 18}});
          const Tensor out({.dims = half, .dtype = type}), gelu({.dims = half, .dtype = type});
          const auto x = Fill(self);
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return aclnnGeGluV3GetWorkspaceSize(self.handle(), dim, approximate, left,
                                                    out.handle(), gelu.handle(), s, e);
              },
              aclnnGeGluV3);
          std::vector<double> values, activated;
          for (int64_t i = 0; i < CountOf(half); ++i) {
            const int64_t k = i % half[2], j = i / half[2] % half[1], n = i / half[2] / half[1];
            const int64_t first = (n * 6 + j) * 10 + k;
            const int64_t second = axis == 1 ? first + 30 : first + 5;
            const double a = x[static_cast<size_t>(left ? first : second)];
            const double b = x[static_cast<size_t>(left ? second : first)];
            activated.push_back(Gelu(a, approximate));
            values.push_back(activated.back() * b);
          }
          ExpectClose(gelu, activated, 2);
          ExpectClose(out, values, 4);
          if (left) continue;
          const Tensor first({.dims = half, .dtype = type}), first_gelu(first.layout());
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return aclnnGeGluGetWorkspaceSize(self.handle(), dim, approximate, first.handle(),
                                                  first_gelu.handle(), s, e);
              },
              aclnnGeGlu);
          EXPECT_EQ(ReadAs(first), ReadAs(out));
          EXPECT_EQ(ReadAs(first_gelu), ReadAs(gelu));
        }
      }
    }
  }
  const Tensor x({.dims = {2, 4}}), half({.dims = {2, 2}}), odd({.dims = {2, 3}});
  const auto call = [&](const Tensor& self, int64_t approximate, const Tensor& gelu) {
    return [&, approximate](uint64_t* s, aclOpExecutor** e) {
      return aclnnGeGluV3GetWorkspaceSize(self.handle(), -1, approximate, true, half.handle(),
                                          gelu.handle(), s, e);
    };
  };
  ExpectRefused(call(odd, 0, half), ACLNN_ERR_PARAM_INVALID, {"self.shape[1] = 3"});
  ExpectRefused(call(x, 2, half), ACLNN_ERR_PARAM_INVALID, {"approximate is 2"});
  ExpectRefused(call(x, 0, odd), ACLNN_ERR_PARAM_INVALID, {"outGelu.shape", "[2, 2]"});
}

double GeluSlope(double x, int64_t approximate) {
  const double pi = std::acos(-1.0);
  if (approximate == 0) {
    return 0.5 * (1 + std::erf(x / std::sqrt(2.0))) + x * std::exp(-x * x / 2) / std::sqrt(2 * pi);
  }
  const double c = std::sqrt(2 / pi), t = std::tanh(c * (x + 0.044715 * x * x * x));
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * c * (1 + 3 * 0.044715 * x * x);
}

// The given gelu need not be that of self.
TEST_F(RotaryTest, GradientsOfActivatedHalves) {
  const Shape dims = {3, 6, 10};
  for (aclDataType type : kTypes) {
    for (int64_t dim : {1, -1}) {
      for (int64_t approximate : {0, 1}) {
        for (bool left : {false, true}) {
          Shape half = dims;
          const size_t axis = dim == 1 ? 1 : 2;
          half[axis] /= 2;
          Tensor self({.dims = dims, .dtype = type, .strides = {1, 3, 18}});
          Tensor grad({.dims = half, .dtype = type}), gelu({.dims = half, .dtype = type});
          const Tensor out({.dims = dims, .dtype = type, .strides = {180, 20, 2}});
          const auto x = Fill(self), g = Fill(grad), activated = Fill(gelu);
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return aclnnGeGluV3BackwardGetWorkspaceSize(grad.handle(), self.handle(),
                                                            gelu.handle(), dim, approximate, left,
                                                            out.handle(), s, e);
              },
              aclnnGeGluV3Backward);
          std::vector<double> values(x.size());
          for (size_t i = 0; i < g.size(); ++i) {
            const auto at = static_cast<int64_t>(i);
            const int64_t k = at % half[2], j = at / half[2] % half[1], n = at / half[2] / half[1];
            const int64_t first = (n * 6 + j) * 10 + k;
            const int64_t second = axis == 1 ? first + 30 : first + 5;
            const auto a = static_cast<size_t>(left ? first : second);
            const auto b = static_cast<size_t>(left ? second : first);
            values[a] = g[i] * x[b] * GeluSlope(x[a], approximate);
            values[b] = g[i] * activated[i];
          }
          ExpectClose(out, values, 16);
          if (left) continue;
          const Tensor first(out.layout());
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return aclnnGeGluBackwardGetWorkspaceSize(grad.handle(), self.handle(),
                                                          gelu.handle(), dim, approximate,
                                                          first.handle(), s, e);
              },
              aclnnGeGluBackward);
          EXPECT_EQ(ReadAs(first), ReadAs(out));
        }
      }
    }
  }
  const Tensor x({.dims = {2, 4}}), half({.dims = {2, 2}}), odd({.dims = {2, 3}});
  const Tensor halves({.dims = {2, 2}, .dtype = ACL_FLOAT16}), flat({.dims = {4}});
  const auto call = [&](const Tensor& grad, const Tensor& self, const Tensor& gelu, int64_t dim,
                        int64_t approximate, const Tensor& out) {
    return [&, dim, approximate](uint64_t* s, aclOpExecutor** e) {
      return aclnnGeGluV3BackwardGetWorkspaceSize(grad.handle(), self.handle(), gelu.handle(), dim,
                                                  approximate, true, out.handle(), s, e);
    };
  };
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(call(half, odd, half, -1, 0, odd), code, {"self.shape[1] = 3", "even"});
  ExpectRefused(call(half, x, half, 2, 0, x), code, {"dim = 2", "-2 to 1"});
  ExpectRefused(call(half, x, half, -1, 2, x), code, {"approximate is 2"});
  ExpectRefused(call(odd, x, odd, -1, 0, x), code, {"gradOutput.shape", "[2, 2]"});
  ExpectRefused(call(half, x, odd, -1, 0, x), code, {"gelu.shape"});
  ExpectRefused(call(halves, x, half, -1, 0, x), code, {"gradOutput.dtype = FLOAT16", "FLOAT"});
  ExpectRefused(call(half, x, halves, -1, 0, x), code, {"gelu.dtype = FLOAT16", "FLOAT"});
  ExpectRefused(call(half, x, half, -1, 0, odd), code, {"gradInput.shape"});
}

}  // namespace
}  // namespace anyacl::test::rotary
