// SPDX-License-Identifier: Apache-2.0
// Distances within a set of rows and between two, and their gradients. A vector has rows in its
// lanes: where they, and blocks of a row, end in the middle, and that no tier changes a bit.
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_cdist.h"
#include "aclnnop/aclnn_cdist_backward.h"
#include "aclnnop/aclnn_pdist.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::distance {
namespace {

class DistanceTest : public DeviceTest {
 protected:
  std::vector<double> Fill(Tensor& tensor) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(
          AsHeld(tensor.layout().dtype, static_cast<double>(random().Int(-64, 64)) / 32));
    }
    WriteAs(tensor, values);
    return values;
  }
  // Whose sums depend on their order.
  std::vector<double> FillUnevenly(Tensor& tensor) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      const double value = random().Normal(0, 1) * std::exp2(random().Int(-12, 12));
      values.push_back(AsHeld(tensor.layout().dtype, random().Chance(0.1) ? 0.5 : value));
    }
    WriteAs(tensor, values);
    return values;
  }
  // One after the other, in double.
  static double Norm(const double* a, const double* b, int64_t size, float p) {
    double sum = 0;
    for (int64_t m = 0; m < size; ++m) {
      const double d = std::fabs(a[m] - b[m]);
      sum = std::isinf(p) ? std::fmax(sum, d) : sum + (p == 0 ? d != 0 : p == 1 ? d : d * d);
    }
    return p == 2 ? std::sqrt(sum) : sum;
  }
};

TEST_F(DistanceTest, DistancesOfAllPairsOfRows) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (float p : {0.0f, 1.0f, 2.0f, 3.0f, std::numeric_limits<float>::infinity()}) {
      for (int64_t n : {0, 1, 2, 7}) {
        SCOPED_TRACE(::testing::Message() << "type " << type << " p " << p << " rows " << n);
        Tensor self({.dims = {n, 5}, .dtype = type, .strides = {1, n + 1}});
        const Tensor out({.dims = {n * (n - 1) / 2}, .dtype = type});
        const auto x = Fill(self);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnPdistGetWorkspaceSize(self.handle(), p, out.handle(), s, e);
            },
            aclnnPdist);
        const auto actual = ReadAs(out);
        size_t at = 0;
        for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
          for (size_t j = i + 1; j < static_cast<size_t>(n); ++j) {
            double sum = 0, most = 0;
            for (size_t m = 0; m < 5; ++m) {
              const double d = std::fabs(x[i * 5 + m] - x[j * 5 + m]);
              sum += p == 0 ? (d != 0) : std::pow(d, static_cast<double>(p));
              most = std::fmax(most, d);
            }
            const double expected = std::isinf(p) ? most
                                    : p == 0      ? sum
                                                  : std::pow(sum, 1 / static_cast<double>(p));
            EXPECT_NEAR(actual[at++], expected, 1e-6 + 1.01 * HalfUnitOf(type, expected));
          }
        }
      }
    }
  }
  Tensor self({.dims = {3, 2}}), out({.dims = {3}}), wrong({.dims = {4}});
  const auto pdist = [&](float p, const Tensor& to) {
    return [&, p](uint64_t* s, aclOpExecutor** e) {
      return aclnnPdistGetWorkspaceSize(self.handle(), p, to.handle(), s, e);
    };
  };
  ExpectRefused(pdist(-1, out), ACLNN_ERR_PARAM_INVALID, {"p = -1", "0 or more"});
  ExpectRefused(pdist(2, wrong), ACLNN_ERR_PARAM_INVALID, {"out.shape = [4]", "[3]"});
}

// Leading sizes broadcast; of the gradient those of x2 alone.
TEST_F(DistanceTest, DistancesBetweenRowsAndTheirGradients) {
  constexpr int64_t kBatch = 3, kRows = 4, kOthers = 5, kSize = 7;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (float p : {0.0f, 1.0f, 2.0f, 3.0f, std::numeric_limits<float>::infinity()}) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " p " << p);
      Tensor x1({.dims = {2, kBatch, kRows, kSize}, .dtype = type, .strides = {84, 1, 3, 12}});
      Tensor x2({.dims = {1, kOthers, kSize}, .dtype = type});
      const std::vector<int64_t> pairs = {2, kBatch, kRows, kOthers};
      const Tensor out({.dims = pairs, .dtype = type, .strides = {60, 20, 1, 4}});
      const auto a = Fill(x1), b = Fill(x2);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnCdistGetWorkspaceSize(x1.handle(), x2.handle(), p, 2, out.handle(), s, e);
          },
          aclnnCdist);
      const auto norms = ReadAs(out);
      Tensor grad({.dims = pairs, .dtype = type}), cdist({.dims = pairs, .dtype = type});
      const Tensor dx(x1.layout());
      const auto g = Fill(grad);
      WriteAs(cdist, norms);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnCdistBackwardGetWorkspaceSize(grad.handle(), x1.handle(), x2.handle(),
                                                      cdist.handle(), std::isinf(p) ? -1 : p,
                                                      dx.handle(), s, e);
          },
          aclnnCdistBackward);
      const auto gradients = ReadAs(dx);
      const double power = static_cast<double>(p);
      for (size_t row = 0; row < 2 * kBatch * kRows; ++row) {
        std::vector<double> sums(kSize), sizes(kSize);
        for (size_t k = 0; k < kOthers; ++k) {
          double sum = 0, most = 0;
          const double norm = norms[row * kOthers + k];
          for (size_t m = 0; m < kSize; ++m) {
            const double d = a[row * kSize + m] - b[k * kSize + m], size = std::fabs(d);
            sum += p == 0 ? (d != 0) : std::pow(size, power);
            most = std::fmax(most, size);
            double slope = 0;  // where there is no difference, and for p = 0
            if (std::isinf(p)) {
              slope = AsHeld(type, size) == norm ? std::copysign(1, d) : 0;
            } else if (p > 0 && size > 0) {
              slope = d * std::pow(size, power - 2) / std::pow(norm, power - 1);
            }
            sums[m] += g[row * kOthers + k] * slope;
            sizes[m] += std::fabs(g[row * kOthers + k] * slope);
          }
          const double expected = std::isinf(p) ? most : p == 0 ? sum : std::pow(sum, 1 / power);
          EXPECT_NEAR(norm, expected, 1e-6 + 1.01 * HalfUnitOf(type, expected));
        }
        for (size_t m = 0; m < kSize; ++m) {
          EXPECT_NEAR(gradients[row * kSize + m], sums[m],
                      1e-6 * (1 + sizes[m]) + 1.01 * HalfUnitOf(type, sums[m]));
        }
      }
      EXPECT_TRUE(out.GuardsIntact() && dx.GuardsIntact());
    }
  }
  const Tensor x({.dims = {2, 3}}), out({.dims = {2, 2}}), wrong({.dims = {2, 3, 2}});
  const Tensor other({.dims = {2, 2, 3}}), none({.dims = {0, 2, 3}});
  Tensor batch({.dims = {3, 2, 3}});
  const Tensor wide({.dims = {3, 2, 2}});
  const auto call = [](const Tensor& x1, const Tensor& x2, float p, int64_t mode,
                       const Tensor& to) {
    return [&, p, mode](uint64_t* s, aclOpExecutor** e) {
      return aclnnCdistGetWorkspaceSize(x1.handle(), x2.handle(), p, mode, to.handle(), s, e);
    };
  };
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(call(x, x, -1, 2, out), code, {"p = -1", "0 or more"});
  ExpectRefused(call(x, x, 2, 0, out), code, {"compute_mode = 0", "2"});
  ExpectRefused(call(batch, other, 1, 0, wide), code, {"broadcast", "[3, 2, 3]", "[2, 2, 3]"});
  ExpectRefused(call(batch, x, 1, 0, out), code, {"out.shape = [2, 2]", "[3, 2, 2]"});
  ExpectRefused(call(x, wrong, 1, 0, out), code, {"x2.shape"});
  RunTwoPhase(call(batch, none, 2, 2, wide), aclnnCdist);
  const Tensor no_pairs({.dims = {3, 2, 0}}), no_rows({.dims = {3, 0, 3}}), dx({.dims = {3, 2, 3}});
  WriteAs(batch, std::vector<double>(18, 1));
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnCdistBackwardGetWorkspaceSize(no_pairs.handle(), batch.handle(),
                                                  no_rows.handle(), no_pairs.handle(), 2,
                                                  dx.handle(), s, e);
      },
      aclnnCdistBackward);
  EXPECT_EQ(ReadAs(dx), std::vector<double>(18, 0));
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnCdistBackwardGetWorkspaceSize(out.handle(), x.handle(), x.handle(),
                                                  out.handle(), -2, x.handle(), s, e);
      },
      code, {"p = -2", "0 or more"});
}

struct Sizes {
  int64_t rows, others, size;
};
constexpr Sizes kSizes[] = {{70, 33, 64}, {129, 70, 65}, {1, 95, 130}, {95, 1, 130}, {64, 32, 1}};
constexpr float kPowers[] = {0, 1, 2, std::numeric_limits<float>::infinity()};

TEST_F(DistanceTest, BitsAreThoseOfPlainLoops) {
  for (const auto& [rows, others, size] : kSizes) {
    for (float p : kPowers) {
      SCOPED_TRACE(::testing::Message()
                   << "p " << p << ": " << rows << " x " << others << " x " << size);
      Tensor x1({.dims = {rows, size}});
      Tensor x2({.dims = {others, size}, .strides = {1, others + 2}});
      Tensor out({.dims = {rows, others}});
      const auto a = FillUnevenly(x1), b = FillUnevenly(x2);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnCdistGetWorkspaceSize(x1.handle(), x2.handle(), p, 2, out.handle(), s, e);
          },
          aclnnCdist);
      std::vector<double> expected;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < others; ++j) {
          expected.push_back(AsHeld(ACL_FLOAT, Norm(&a[i * size], &b[j * size], size, p)));
        }
      }
      EXPECT_EQ(ReadAs(out), expected);
      EXPECT_TRUE(out.GuardsIntact());

      Tensor grad({.dims = {rows, others}});
      const Tensor dx({.dims = {rows, size}, .strides = {1, rows + 1}});
      const auto g = FillUnevenly(grad);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnCdistBackwardGetWorkspaceSize(grad.handle(), x1.handle(), x2.handle(),
                                                      out.handle(), p, dx.handle(), s, e);
          },
          aclnnCdistBackward);
      std::vector<double> gradients;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t m = 0; m < size; ++m) {
          double sum = 0;
          for (int64_t j = 0; j < others; ++j) {
            const double d = a[i * size + m] - b[j * size + m], norm = expected[i * others + j];
            const double sign = static_cast<double>(d > 0) - static_cast<double>(d < 0);
            const double largest = AsHeld(ACL_FLOAT, std::fabs(d)) == norm ? sign : 0;
            const double slope = p == 1                ? sign
                                 : norm == 0 || p == 0 ? 0
                                 : p == 2              ? d / norm
                                                       : largest;
            sum += g[i * others + j] * slope;
          }
          gradients.push_back(AsHeld(ACL_FLOAT, sum));
        }
      }
      EXPECT_EQ(ReadAs(dx), gradients);
      EXPECT_TRUE(dx.GuardsIntact());
    }
  }
}

TEST_F(DistanceTest, BitsWithinASetAreThoseOfPlainLoops) {
  for (const auto& [rows, others, size] : kSizes) {
    for (float p : kPowers) {
      SCOPED_TRACE(::testing::Message() << "p " << p << ": " << rows << " x " << size);
      Tensor x({.dims = {rows, size}});
      const Tensor out({.dims = {rows * (rows - 1) / 2}});
      const auto a = FillUnevenly(x);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnPdistGetWorkspaceSize(x.handle(), p, out.handle(), s, e);
          },
          aclnnPdist);
      std::vector<double> expected;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = i + 1; j < rows; ++j) {
          expected.push_back(AsHeld(ACL_FLOAT, Norm(&a[i * size], &a[j * size], size, p)));
        }
      }
      EXPECT_EQ(ReadAs(out), expected);
      EXPECT_TRUE(out.GuardsIntact());
    }
  }
}

TEST_F(DistanceTest, NaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Tensor x1({.dims = {2, 3}}), x2({.dims = {40, 3}});
  const Tensor out({.dims = {2, 40}});
  WriteAs(x1, {1, nan, 5, 1, 2, 3});
  WriteAs(x2, std::vector<double>(120, 1));
  for (float p : {0.0f, 1.0f, 2.0f, 3.0f, std::numeric_limits<float>::infinity()}) {
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnCdistGetWorkspaceSize(x1.handle(), x2.handle(), p, 2, out.handle(), s, e);
        },
        aclnnCdist);
    const auto actual = ReadAs(out);
    for (size_t i = 0; i < actual.size(); ++i) {
      EXPECT_EQ(std::isnan(actual[i]), i < 40 && p != 0) << i << " p " << p;
    }
  }
}

}  // namespace
}  // namespace anyacl::test::distance
