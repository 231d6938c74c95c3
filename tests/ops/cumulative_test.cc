// SPDX-License-Identifier: Apache-2.0
// Cumulative operators against plain loops.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_cummax.h"
#include "aclnnop/aclnn_cummin.h"
#include "aclnnop/aclnn_cumprod.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_exp_segsum_backward.h"
#include "aclnnop/aclnn_segsum.h"
#include "ops/movement_case.h"
#include "reference/sorting.h"
#include "support/numbers.h"

namespace anyacl::test::cumulative {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                  ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};
struct Case {
  Shape shape;
  int64_t dim;
};
const Case kCases[] = {{{7}, 0},          {{3, 5}, 0},      {{3, 5}, -1}, {{2, 3, 40}, 1},
                       {{4, 2000}, 1},    {{1500, 20}, 0},  {{0, 3}, 1},  {{}, 0},
                       {{3, 4, 5, 2}, 2}, {{2, 3, 130}, 1}, {{5, 15}, 1}, {{16, 33}, 1},
                       {{37, 65}, 1},     {{2, 19, 16}, 2}, {{9, 130}, 0}};

class CumulativeTest : public DeviceTest {
 protected:
  std::vector<double> Values(int64_t count, int64_t low, int64_t high) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(random().Int(low, high)));
    }
    return values;
  }
  static std::vector<std::vector<int64_t>> Rows(const Case& c) {
    if (c.shape.empty()) return {{0}};
    return RowsOf(c.shape, c.dim < 0 ? c.dim + std::ssize(c.shape) : c.dim);
  }
};

TEST_F(CumulativeTest, SumsAndProducts) {
  for (const Case& c : kCases) {
    for (aclDataType type : kTypes) {
      for (Lie lie : kOutputLies) {
        for (bool product : {false, true}) {
          SCOPED_TRACE(::testing::PrintToString(c.shape) + std::to_string(type));
          const bool is_signed = type != ACL_UINT8;
          // Sums stay small; products are 1 and -1, or 0.
          std::vector<double> values = Values(CountOf(c.shape), is_signed ? -1 : 0, 1);
          if (product) {
            for (double& x : values) x = x == 0 && random().Chance(0.9) ? 1 : x;
          }
          std::vector<double> expected = values;
          for (const std::vector<int64_t>& row : Rows(c)) {
            for (size_t i = 1; i < row.size(); ++i) {
              double& x = expected[static_cast<size_t>(row[i])];
              const double before = expected[static_cast<size_t>(row[i - 1])];
              x = product ? x * before : x + before;
            }
          }
          // A byte holds sums modulo 256.
          if (type == ACL_UINT8) {
            for (double& x : expected) x = std::fmod(x, 256);
          }
          Tensor self(Lying(c.shape, type, lie)), out(Lying(c.shape, type, lie));
          WriteAs(self, values);
          aclScalar* dim = aclCreateScalar(const_cast<int64_t*>(&c.dim), ACL_INT64);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return product ? aclnnCumprodGetWorkspaceSize(self.handle(), dim, type,
                                                              out.handle(), size, executor)
                               : aclnnCumsumGetWorkspaceSize(self.handle(), c.dim, type,
                                                             out.handle(), size, executor);
              },
              product ? aclnnCumprod : aclnnCumsum);
          EXPECT_EQ(ReadAs(out), AsHeld(type, expected));
          EXPECT_TRUE(out.GuardsIntact());
          if (product) {
            RunTwoPhase(
                [&](uint64_t* size, aclOpExecutor** executor) {
                  return aclnnInplaceCumprodGetWorkspaceSize(self.handle(), dim, size, executor);
                },
                aclnnInplaceCumprod);
            EXPECT_EQ(ReadAs(self), AsHeld(type, expected));
          }
          aclDestroyScalar(dim);
        }
      }
    }
  }
}

// Sums are rounded once: on the way over fp32 what lies a little beside the middle of two fp16 or
// bf16 numbers becomes the middle.
TEST_F(CumulativeTest, SumsOfSixteenBitsAreRoundedOnce) {
  struct Type {
    aclDataType type;
    double base, half, little;
  };
  // One row, rows side by side that are dense, and such that are not.
  const std::pair<Shape, int64_t> kShapes[] = {{{5}, 0}, {{21, 5}, 1}, {{5, 21}, 0}};
  for (const Type& t : {Type{ACL_FLOAT16, 2048, 1, 0x1p-24}, Type{ACL_BF16, 256, 1, 0x1p-40}}) {
    for (double sign : {1.0, -1.0}) {
      const double values[] = {sign * t.base, sign * t.half, sign * t.little, -2 * sign * t.little,
                               -sign * t.base};
      const double sums[] = {sign * t.base, sign * t.base, sign * (t.base + 2 * t.half),
                             sign * t.base, sign * t.half};
      for (const auto& [shape, dim] : kShapes) {
        std::vector<double> given(static_cast<size_t>(CountOf(shape))), expected = given;
        for (const std::vector<int64_t>& row : RowsOf(shape, dim)) {
          for (size_t i = 0; i < row.size(); ++i) {
            given[static_cast<size_t>(row[i])] = values[i];
            expected[static_cast<size_t>(row[i])] = sums[i];
          }
        }
        Tensor self({.dims = shape, .dtype = t.type}), out({.dims = shape, .dtype = t.type});
        WriteAs(self, given);
        RunTwoPhase(
            [&, dim = dim](uint64_t* size, aclOpExecutor** executor) {
              return aclnnCumsumGetWorkspaceSize(self.handle(), dim, t.type, out.handle(), size,
                                                 executor);
            },
            aclnnCumsum);
        EXPECT_EQ(ReadAs(out), expected);
      }
    }
  }
}

// Of each row from either end, with or without the element itself.
TEST_F(CumulativeTest, ExclusiveAndReverseSums) {
  for (const Case& c : kCases) {
    for (aclDataType type : kTypes) {
      for (Lie lie : kOutputLies) {
        for (int flags = 0; flags < 4; ++flags) {
          const bool exclusive = flags % 2 == 1, reverse = flags / 2 == 1;
          SCOPED_TRACE(::testing::PrintToString(c.shape) + std::to_string(type) + " " +
                       std::to_string(flags));
          const bool is_signed = type != ACL_UINT8;
          const std::vector<double> values = Values(CountOf(c.shape), is_signed ? -1 : 0, 1);
          std::vector<double> expected = values;
          for (std::vector<int64_t> row : Rows(c)) {
            if (reverse) std::reverse(row.begin(), row.end());
            double sum = 0;
            for (int64_t place : row) {
              const auto at = static_cast<size_t>(place);
              expected[at] = exclusive ? sum : sum + values[at];
              sum += values[at];
              // A byte holds sums modulo 256.
              const double low = is_signed ? -128 : 0;
              const bool byte = type == ACL_INT8 || type == ACL_UINT8;
              if (byte) expected[at] -= 256 * std::floor((expected[at] - low) / 256);
            }
          }
          Tensor self(Lying(c.shape, type, lie)), out(Lying(c.shape, type, lie));
          WriteAs(self, values);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnCumsumV2GetWorkspaceSize(self.handle(), c.dim, exclusive, reverse,
                                                     out.handle(), size, executor);
              },
              aclnnCumsumV2);
          EXPECT_EQ(ReadAs(out), AsHeld(type, expected));
          EXPECT_TRUE(out.GuardsIntact());
        }
      }
    }
  }
  Tensor self({.dims = {3}, .dtype = ACL_COMPLEX64}), out({.dims = {3}, .dtype = ACL_COMPLEX64});
  WriteComplex(self, {{1, 2}, {3, -4}, {5, 6}});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCumsumV2GetWorkspaceSize(self.handle(), -1, true, true, out.handle(), size,
                                             executor);
      },
      aclnnCumsumV2);
  EXPECT_EQ(ReadComplex(out), (std::vector<std::complex<double>>{{8, 2}, {5, 6}, {0, 0}}));
}

TEST_F(CumulativeTest, ComplexSums) {
  const Shape shape{3, 70};
  for (aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (Lie lie : kOutputLies) {
      for (int64_t dim : {0, 1}) {
        Tensor self(Lying(shape, type, lie)), out(Lying(shape, type, lie));
        std::vector<std::complex<double>> values;
        for (int64_t i = 0; i < CountOf(shape); ++i) {
          values.emplace_back(static_cast<double>(random().Int(-9, 9)),
                              static_cast<double>(random().Int(-9, 9)));
        }
        WriteComplex(self, values);
        for (const std::vector<int64_t>& row : RowsOf(shape, dim)) {
          for (size_t i = 1; i < row.size(); ++i) {
            values[static_cast<size_t>(row[i])] += values[static_cast<size_t>(row[i - 1])];
          }
        }
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnCumsumGetWorkspaceSize(self.handle(), dim, type, out.handle(), size,
                                                 executor);
            },
            aclnnCumsum);
        EXPECT_EQ(ReadComplex(out), values);
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  }
}

// Whichever of two NaNs a sum keeps, it is the same one in every row, however rows share threads
// and vectors.
TEST_F(CumulativeTest, EqualRowsHaveEqualBits) {
  constexpr int64_t kLength = 20;
  for (int64_t rows : {35, 38}) {
    Tensor self({.dims = {rows, kLength}}), out({.dims = {rows, kLength}});
    std::vector<uint32_t> bits(static_cast<size_t>(rows * kLength), 0x3f800000);
    for (size_t i = 0; i < bits.size(); i += kLength) {
      bits[i + 3] = 0x7fc00001;
      bits[i + 7] = 0xffc00002;
    }
    std::memcpy(self.data(), bits.data(), bits.size() * sizeof(uint32_t));
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnCumsumGetWorkspaceSize(self.handle(), 1, ACL_FLOAT, out.handle(), size,
                                             executor);
        },
        aclnnCumsum);
    const auto* const first = static_cast<const char*>(out.data());
    for (int64_t row = 1; row < rows; ++row) {
      constexpr size_t kBytes = kLength * sizeof(float);
      EXPECT_EQ(std::memcmp(first, first + static_cast<size_t>(row) * kBytes, kBytes), 0) << row;
    }
  }
}

// Threads share a row; sums in fp32 would stop at 2^24.
TEST_F(CumulativeTest, LongSums) {
  constexpr int64_t kCount = 300000;
  for (aclDataType type : {ACL_FLOAT, ACL_INT64, ACL_BOOL, ACL_FLOAT16, ACL_BF16}) {
    const bool is_half = type == ACL_FLOAT16 || type == ACL_BF16;
    std::vector<double> values = Values(kCount, is_half ? -1 : 0, 1);
    if (type == ACL_FLOAT) {
      for (double& x : values) x = x * 100 + 0.25;
    }
    const aclDataType out_type = type == ACL_BOOL ? ACL_INT64 : type;
    Tensor self({.dims = {kCount}, .dtype = type}), out({.dims = {kCount}, .dtype = out_type});
    WriteAs(self, values);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnCumsumGetWorkspaceSize(self.handle(), 0, out_type, out.handle(), size,
                                             executor);
        },
        aclnnCumsum);
    const std::vector<double> actual = ReadAs(out);
    double sum = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      sum += values[i];
      ASSERT_EQ(actual[i], AsHeld(out_type, sum)) << i;
    }
  }
}

TEST_F(CumulativeTest, ExtremesAndTheirPlaces) {
  for (const Case& c : kCases) {
    for (aclDataType type : kTypes) {
      for (Lie lie : kOutputLies) {
        for (bool largest : {false, true}) {
          SCOPED_TRACE(::testing::PrintToString(c.shape) + std::to_string(type));
          const bool floating = type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16;
          std::vector<double> values = Values(CountOf(c.shape), 0, 30);
          for (double& x : values) x = floating && random().Chance(0.01) ? NAN : x;
          std::vector<double> expected = values, places = values;
          for (const std::vector<int64_t>& row : Rows(c)) {
            double best = 0, place = 0;
            for (size_t i = 0; i < row.size(); ++i) {
              const double x = values[static_cast<size_t>(row[i])];
              if (i == 0 || std::isnan(x) ||
                  (!std::isnan(best) && (largest ? x >= best : x <= best))) {
                best = x;
                place = static_cast<double>(i);
              }
              expected[static_cast<size_t>(row[i])] = best;
              places[static_cast<size_t>(row[i])] = place;
            }
          }
          Tensor self(Lying(c.shape, type, lie)), out(Lying(c.shape, type, lie));
          Tensor where(Lying(c.shape, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, lie));
          WriteAs(self, values);
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return largest ? aclnnCummaxGetWorkspaceSize(self.handle(), c.dim, out.handle(),
                                                             where.handle(), size, executor)
                               : aclnnCumminGetWorkspaceSize(self.handle(), c.dim, out.handle(),
                                                             where.handle(), size, executor);
              },
              largest ? aclnnCummax : aclnnCummin);
          const std::vector<double> actual = ReadAs(out);
          for (size_t i = 0; i < actual.size(); ++i) {
            ASSERT_TRUE(actual[i] == expected[i] ||
                        (std::isnan(actual[i]) && std::isnan(expected[i])));
          }
          EXPECT_EQ(ReadAs(where), places);
          EXPECT_TRUE(out.GuardsIntact());
        }
      }
    }
  }
}

TEST_F(CumulativeTest, TypesAreCompared) {
  Tensor self({.dims = {3}, .dtype = ACL_INT32}), out({.dims = {3}, .dtype = ACL_INT64});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCumsumGetWorkspaceSize(self.handle(), 0, ACL_INT32, out.handle(), size,
                                           executor);
      },
      ACLNN_ERR_PARAM_INVALID, {"dtype", "INT32", "INT64"});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnCumsumGetWorkspaceSize(self.handle(), 1, ACL_INT64, out.handle(), size,
                                           executor);
      },
      ACLNN_ERR_PARAM_INVALID, {"dim", "1", "-1 to 0"});
}

TEST_F(CumulativeTest, ExponentialsOfSumsOfSegments) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const Shape& shape :
         {Shape{2, 3, 5}, Shape{1, 1, 2, 270}, Shape{2, 0, 3}, Shape{1, 1, 1}}) {
      for (Lie lie : kOutputLies) {
        SCOPED_TRACE(::testing::PrintToString(shape) + std::to_string(type));
        Shape square = shape;
        square.push_back(shape.back());
        Tensor self(Lying(shape, type, lie)), gradient(Lying(square, type, lie));
        for (Tensor* tensor : {&self, &gradient}) {
          std::vector<double> values;
          for (int64_t i = 0; i < tensor->count(); ++i) {
            values.push_back(AsHeld(type, random().Uniform(-0.5, 0.5)));
          }
          WriteAs(*tensor, values);
        }
        const Tensor out(Lying(square, type, lie)), grad_self(Lying(shape, type, lie));
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnExpSegsumGetWorkspaceSize(self.handle(), out.handle(), s, e);
            },
            aclnnExpSegsum);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnExpSegsumBackwardGetWorkspaceSize(gradient.handle(), out.handle(),
                                                            grad_self.handle(), s, e);
            },
            aclnnExpSegsumBackward);
        EXPECT_TRUE(out.GuardsIntact() && grad_self.GuardsIntact());
        const std::vector<double> x = ReadAs(self), y = ReadAs(out), g = ReadAs(gradient);
        const std::vector<double> dx = ReadAs(grad_self);
        const auto n = static_cast<size_t>(shape.back());
        std::vector<double> expected_dx(x.size()), sizes(x.size());
        for (size_t at = 0; at < y.size(); ++at) {
          const size_t row = at / (n * n) * n, i = at / n % n, j = at % n;
          double sum = 0;
          for (size_t k = j + 1; k <= i; ++k) sum += x[row + k];
          const double expected = i < j ? 0 : std::exp(sum);
          ASSERT_NEAR(y[at], expected, expected * 1e-5 + 1.01 * HalfUnitOf(type, expected)) << at;
          for (size_t k = j + 1; k <= i; ++k) {
            expected_dx[row + k] += g[at] * y[at];
            sizes[row + k] += std::fabs(g[at] * y[at]);
          }
        }
        for (size_t k = 0; k < x.size(); ++k) {
          ASSERT_NEAR(dx[k], expected_dx[k],
                      sizes[k] * 1e-12 + 1.01 * HalfUnitOf(type, expected_dx[k]))
              << k;
        }
      }
    }
  }
  const Tensor flat({.dims = {2, 3}}), square({.dims = {2, 3, 3}}), self({.dims = {1, 2, 3}});
  const Tensor out({.dims = {1, 2, 3, 3}}), wrong({.dims = {1, 2, 3, 4}});
  const Tensor named({.dims = {1, 2, 3, 3}, .format = ACL_FORMAT_NCHW});
  const auto call = [](const Tensor& x, const Tensor& y) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnExpSegsumGetWorkspaceSize(x.handle(), y.handle(), s, e);
    };
  };
  ExpectRefused(call(flat, square), 161002, {"self.shape = [2, 3]", "rank 3 or 4"});
  ExpectRefused(call(self, wrong), 161002, {"out.shape"});
  ExpectRefused(call(self, named), 161002, {"out.format = NCHW", "ND"});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnExpSegsumBackwardGetWorkspaceSize(square.handle(), square.handle(),
                                                      flat.handle(), s, e);
      },
      161002, {"gradInput.shape = [2, 3]", "rank 3 or 4"});
}

}  // namespace
}  // namespace anyacl::test::cumulative
