// SPDX-License-Identifier: Apache-2.0
// Inverses, determinants, slices scaled down to a norm.
#include <cmath>
#include <complex>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_inverse.h"
#include "aclnnop/aclnn_logdet.h"
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
