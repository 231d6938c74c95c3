// SPDX-License-Identifier: Apache-2.0
// Inverses, determinants, distances within a set of rows and between two, slices scaled down to a
// norm.
#include <cmath>
#include <complex>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_cdist.h"
#include "aclnnop/aclnn_cdist_backward.h"
#include "aclnnop/aclnn_inverse.h"
#include "aclnnop/aclnn_logdet.h"
#include "aclnnop/aclnn_pdist.h"
#include "aclnnop/aclnn_renorm.h"
#include "aclnnop/aclnn_slogdet.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Complex = std::complex<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class FactorsTest : public DeviceTest {
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
};

TEST_F(FactorsTest, TheInverseTimesTheMatrixIsOne) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}) {
    for (int64_t n : {1, 2, 5, 17}) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " size " << n);
      const std::vector<int64_t> dims = {3, n, n};
      Tensor self({.dims = dims, .dtype = type, .strides = {n * n + 1, 1, n}});
      const Tensor out({.dims = dims, .dtype = type});
      std::vector<double> a;
      for (int64_t i = 0; i < self.count(); ++i) {  // far from singular
        const bool diagonal = i / n % n == i % n;
        a.push_back(
            AsHeld(type, random().Uniform(-1, 1) / static_cast<double>(n) + (diagonal ? 2 : 0)));
      }
      WriteAs(self, a);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnInverseGetWorkspaceSize(self.handle(), out.handle(), s, e);
          },
          aclnnInverse);
      const auto inverse = ReadAs(out);
      const double tolerance = type == ACL_DOUBLE ? 1e-13 : type == ACL_FLOAT ? 1e-5 : 1e-2;
      for (int64_t i = 0; i < self.count(); ++i) {
        const int64_t b = i / n / n, r = i / n % n, c = i % n;
        double sum = 0;
        for (int64_t k = 0; k < n; ++k) {
          sum += inverse[static_cast<size_t>((b * n + r) * n + k)] *
                 a[static_cast<size_t>((b * n + k) * n + c)];
        }
        EXPECT_NEAR(sum, r == c ? 1 : 0, tolerance);
      }
      EXPECT_TRUE(out.GuardsIntact());
    }
  }
  Tensor wide({.dims = {2, 3}}), out({.dims = {2, 3}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnInverseGetWorkspaceSize(wide.handle(), out.handle(), s, e);
      },
      ACLNN_ERR_PARAM_INVALID, {"self"});
}

// By expansion along the first row.
Complex Determinant(const std::vector<Complex>& a, size_t n) {
  if (n == 0) return 1;
  Complex sum = 0;
  for (size_t c = 0; c < n; ++c) {
    std::vector<Complex> minor;
    for (size_t i = n; i < n * n; ++i) {
      if (i % n != c) minor.push_back(a[i]);
    }
    sum += (c % 2 == 0 ? 1.0 : -1.0) * a[c] * Determinant(minor, n - 1);
  }
  return sum;
}

TEST_F(FactorsTest, SignsAndLogarithmsOfDeterminants) {
  for (aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (int64_t n : {0, 1, 2, 3, 5}) {
      SCOPED_TRACE(::testing::Message() << "type " << type << " size " << n);
      Tensor self({.dims = {2, n, n}, .dtype = type});
      const Tensor sign({.dims = {2}, .dtype = type}), log({.dims = {2}, .dtype = type});
      const bool complex = type == ACL_COMPLEX64 || type == ACL_COMPLEX128;
      std::vector<Complex> a;
      for (int64_t i = 0; i < self.count(); ++i) {
        a.emplace_back(static_cast<double>(random().Int(-64, 64)) / 32,
                       complex ? static_cast<double>(random().Int(-64, 64)) / 32 : 0);
      }
      WriteComplex(self, a);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnSlogdetGetWorkspaceSize(self.handle(), sign.handle(), log.handle(), s, e);
          },
          aclnnSlogdet);
      const auto signs = ReadComplex(sign), logs = ReadComplex(log);
      for (size_t b = 0; b < 2; ++b) {
        const auto size = static_cast<size_t>(n * n);
        const std::vector<Complex> matrix(a.begin() + static_cast<int64_t>(b * size),
                                          a.begin() + static_cast<int64_t>((b + 1) * size));
        const Complex expected = Determinant(matrix, static_cast<size_t>(n));
        EXPECT_LE(std::abs(signs[b] * std::exp(logs[b].real()) - expected),
                  1e-4 * (1 + std::abs(expected)));
        EXPECT_EQ(logs[b].imag(), 0);
        EXPECT_NEAR(std::abs(signs[b]), 1, 1e-5);
      }
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnLogdetGetWorkspaceSize(self.handle(), log.handle(), s, e);
          },
          aclnnLogdet);
      const auto logdets = ReadComplex(log);
      for (size_t b = 0; b < 2; ++b) {
        if (!complex && signs[b].real() < 0) {
          EXPECT_TRUE(std::isnan(logdets[b].real()));
          continue;
        }
        EXPECT_LE(std::abs(std::exp(logdets[b]) - signs[b] * std::exp(logs[b].real())),
                  1e-5 * (1 + std::exp(logs[b].real())));
      }
    }
  }
  Tensor zeros({.dims = {2, 2}});
  const Tensor sign({.dims = {}}), log({.dims = {}});
  WriteAs(zeros, {1, 2, 2, 4});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnSlogdetGetWorkspaceSize(zeros.handle(), sign.handle(), log.handle(), s, e);
      },
      aclnnSlogdet);
  EXPECT_EQ(ReadAs(sign)[0], 0);
  EXPECT_EQ(ReadAs(log)[0], -kInfinity);
  const auto logdet = [](const Tensor& from, const Tensor& to) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnLogdetGetWorkspaceSize(from.handle(), to.handle(), s, e);
    };
  };
  RunTwoPhase(logdet(zeros, sign), aclnnLogdet);
  EXPECT_EQ(ReadAs(sign)[0], -kInfinity);
  const Tensor complex({.dims = {2, 2}, .dtype = ACL_COMPLEX64}), row({.dims = {2, 3}});
  ExpectRefused(logdet(complex, log), ACLNN_ERR_PARAM_INVALID, {"COMPLEX64", "FLOAT"});
  ExpectRefused(logdet(row, log), ACLNN_ERR_PARAM_INVALID, {"self.shape"});
  const Tensor wide({.dims = {}, .dtype = ACL_DOUBLE});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnSlogdetGetWorkspaceSize(zeros.handle(), sign.handle(), wide.handle(), s, e);
      },
      aclnnSlogdet);
  EXPECT_EQ(ReadAs(wide)[0], -kInfinity);
}

TEST_F(FactorsTest, DistancesOfAllPairsOfRows) {
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
TEST_F(FactorsTest, DistancesBetweenRowsAndTheirGradients) {
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
  const Tensor batch({.dims = {3, 2, 3}}), other({.dims = {2, 2, 3}}), none({.dims = {0, 2, 3}});
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
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnCdistBackwardGetWorkspaceSize(out.handle(), x.handle(), x.handle(),
                                                  out.handle(), -2, x.handle(), s, e);
      },
      code, {"p = -2", "0 or more"});
}

TEST_F(FactorsTest, SlicesAboveTheNormAreScaledDown) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (double p : {0.0, 1.0, 2.0, 3.0, kInfinity}) {
      for (bool in_place : {false, true}) {
        SCOPED_TRACE(::testing::Message() << "type " << type << " p " << p << in_place);
        const std::vector<int64_t> dims = {3, 5, 700};
        Tensor self({.dims = dims, .dtype = type, .strides = {1, 3, 16}});
        const Tensor out({.dims = dims, .dtype = type});
        const double limit = p == 0 ? 2080 : p == 1 ? 2100 : p == 2 ? 53 : p == 3 ? 16 : 1.5;
        const auto x = Fill(self);
        aclScalar* power = aclCreateScalar(const_cast<double*>(&p), ACL_DOUBLE);
        aclScalar* most = aclCreateScalar(const_cast<double*>(&limit), ACL_DOUBLE);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return in_place
                         ? aclnnInplaceRenormGetWorkspaceSize(self.handle(), power, 1, most, s, e)
                         : aclnnRenormGetWorkspaceSize(self.handle(), power, -2, most, out.handle(),
                                                       s, e);
            },
            in_place ? aclnnInplaceRenorm : aclnnRenorm);
        const auto actual = ReadAs(in_place ? self : out);
        for (size_t slice = 0; slice < 5; ++slice) {
          double sum = 0, largest = 0;
          for (size_t i = 0; i < x.size(); ++i) {
            if (i / 700 % 5 != slice) continue;
            sum += p == 0 ? (x[i] != 0) : std::pow(std::fabs(x[i]), p);
            largest = std::fmax(largest, std::fabs(x[i]));
          }
          const double norm = std::isinf(p) ? largest : p == 0 ? sum : std::pow(sum, 1 / p);
          const double scale = norm > limit ? limit / (norm + 1e-7) : 1;
          for (size_t i = 0; i < x.size(); ++i) {
            if (i / 700 % 5 != slice) continue;
            EXPECT_NEAR(actual[i], x[i] * scale, 1e-6 + 1.01 * HalfUnitOf(type, x[i] * scale));
          }
        }
        aclDestroyScalar(power);
        aclDestroyScalar(most);
      }
    }
  }
}

TEST_F(FactorsTest, RenormRefusesNegativeNormsAndVectors) {
  Tensor self({.dims = {2, 3}}), row({.dims = {3}});
  const double below = -1, one = 1;
  aclScalar* negative = aclCreateScalar(const_cast<double*>(&below), ACL_DOUBLE);
  aclScalar* number = aclCreateScalar(const_cast<double*>(&one), ACL_DOUBLE);
  const auto renorm = [&](const Tensor& tensor, const aclScalar* p, const aclScalar* most) {
    return [&, p, most](uint64_t* s, aclOpExecutor** e) {
      return aclnnRenormGetWorkspaceSize(tensor.handle(), p, 0, most, tensor.handle(), s, e);
    };
  };
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(renorm(self, negative, number), code, {"p = -1", "0 or more"});
  ExpectRefused(renorm(self, number, negative), code, {"maxNorm = -1", "0 or more"});
  ExpectRefused(renorm(row, number, number), code, {"self.shape = [3]", "2 dimensions"});
  aclDestroyScalar(negative);
  aclDestroyScalar(number);
}

}  // namespace
}  // namespace anyacl::test
