// SPDX-License-Identifier: Apache-2.0
// Linear algebra by its defining properties, in complex double precision: products of the factors,
// residuals, cross products.
#include <array>
#include <cmath>
#include <complex>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_linalg_cholesky.h"
#include "aclnnop/aclnn_linalg_cross.h"
#include "aclnnop/aclnn_linalg_qr.h"
#include "aclnnop/aclnn_qr.h"
#include "aclnnop/aclnn_svd.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;
using Shape = std::vector<int64_t>;

bool IsComplex(aclDataType type) { return type == ACL_COMPLEX64 || type == ACL_COMPLEX128; }

// Transposed in memory, with an offset.
Layout Columns(const Shape& dims, aclDataType dtype) {
  Layout layout{.dims = dims, .dtype = dtype, .strides = ContiguousStrides(dims), .offset = 2};
  const size_t last = dims.size() - 1;
  layout.strides[last] = dims[last - 1] > 0 ? dims[last - 1] : 1;
  layout.strides[last - 1] = 1;
  return layout;
}

double Tolerance(aclDataType type) {
  return type == ACL_FLOAT16 ? 4e-3 : type == ACL_DOUBLE || type == ACL_COMPLEX128 ? 1e-13 : 1e-5;
}

class LinalgTest : public DeviceTest {
 protected:
  Values Numbers(const Tensor& tensor) {
    Values values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      const double imaginary = IsComplex(tensor.layout().dtype) ? random().Uniform(-2.0, 2.0) : 0;
      values.emplace_back(random().Uniform(-2.0, 2.0), imaginary);
    }
    return values;
  }
  // Fills a tensor and returns what it holds.
  Values Fill(Tensor& tensor) {
    WriteComplex(tensor, Numbers(tensor));
    return ReadComplex(tensor);
  }

  static void ExpectOrthonormal(const Values& basis, int64_t rows, int64_t columns, int64_t i,
                                double tolerance) {
    for (int64_t a = 0; a < columns; ++a) {
      for (int64_t b = 0; b < columns; ++b) {
        Complex dot = a == b ? -1 : 0;
        for (int64_t r = 0; r < rows; ++r) {
          dot += std::conj(At(basis, rows, columns, i, r, a)) * At(basis, rows, columns, i, r, b);
        }
        EXPECT_NEAR(std::abs(dot), 0, tolerance);
      }
    }
  }

  // The matrices of a batch: rows x columns, from the one with number i on.
  static Complex At(const Values& values, int64_t rows, int64_t columns, int64_t i, int64_t r,
                    int64_t c) {
    return values[static_cast<size_t>((i * rows + r) * columns + c)];
  }
};

constexpr aclDataType kQrTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_COMPLEX64,
                                    ACL_COMPLEX128};
constexpr aclDataType kSolveTypes[] = {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};

// input = u diag(sigma) transpose(v), u and v with orthonormal columns, sigma falling; of complex
// numbers sigma in either type.
TEST_F(LinalgTest, SingularValuesAndVectors) {
  constexpr int64_t kBatch = 2;
  for (aclDataType type : kSolveTypes) {
    for (const auto& [m, n] : {std::pair<int64_t, int64_t>(3, 5), {5, 3}, {4, 4}, {20, 17}}) {
      for (bool full : {false, true}) {
        SCOPED_TRACE(testing::Message() << type << " " << m << "x" << n << " full " << full);
        const int64_t least = std::min(m, n), k = full ? m : least, l = full ? n : least;
        const aclDataType real = type == ACL_COMPLEX64    ? ACL_FLOAT
                                 : type == ACL_COMPLEX128 ? ACL_DOUBLE
                                                          : type;
        Tensor x(Columns({kBatch, m, n}, type)), u(Columns({kBatch, m, k}, type));
        Tensor v(Columns({kBatch, n, l}, type)), s({.dims = {kBatch, least}, .dtype = real});
        const Values in = Fill(x);
        const auto run = [&](bool vectors, Tensor& sigma, Tensor& left, Tensor& right) {
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnSvdGetWorkspaceSize(x.handle(), full, vectors, sigma.handle(),
                                                left.handle(), right.handle(), size, executor);
              },
              aclnnSvd);
          return ReadComplex(sigma);
        };
        const Values sigma = run(true, s, u, v), left = ReadComplex(u), right = ReadComplex(v);
        for (int64_t i = 0; i < kBatch; ++i) {
          for (int64_t r = 0; r < m; ++r) {
            for (int64_t c = 0; c < n; ++c) {
              Complex sum = 0;
              for (int64_t q = 0; q < least; ++q) {
                sum += At(left, m, k, i, r, q) * At(sigma, 1, least, i, 0, q) *
                       At(right, n, l, i, c, q);
              }
              EXPECT_NEAR(std::abs(sum - At(in, m, n, i, r, c)), 0, 40 * Tolerance(type));
            }
          }
          ExpectOrthonormal(left, m, k, i, 20 * Tolerance(type));
          ExpectOrthonormal(right, n, l, i, 20 * Tolerance(type));
          for (int64_t q = 0; q + 1 < least; ++q) {
            EXPECT_GE(At(sigma, 1, least, i, 0, q).real(), At(sigma, 1, least, i, 0, q + 1).real());
          }
        }
        // Without vectors torch gives tensors of nothing; sigma in the type of the input.
        Tensor none({.dims = {0}, .dtype = type}), alone({.dims = {kBatch, least}, .dtype = type});
        const Values values = run(false, alone, none, none);
        for (size_t i = 0; i < sigma.size(); ++i) {
          EXPECT_NEAR(std::abs(values[i] - sigma[i]), 0, 20 * Tolerance(type));
        }
      }
    }
  }
}

TEST_F(LinalgTest, SingularValuesOfNoNumbersAreNone) {
  Tensor x({.dims = {2, 2}}), s({.dims = {2}}), none({.dims = {0}}), u({.dims = {2, 2}});
  Tensor v({.dims = {2, 2}}), doubles({.dims = {2}, .dtype = ACL_DOUBLE});
  WriteComplex(x, {1, std::nan(""), 0, 1});
  for (bool vectors : {false, true}) {
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnSvdGetWorkspaceSize(x.handle(), true, vectors, s.handle(),
                                          (vectors ? u : none).handle(),
                                          (vectors ? v : none).handle(), size, executor);
        },
        aclnnSvd);
    for (const Complex& value : ReadComplex(s)) EXPECT_TRUE(std::isnan(value.real()));
  }
  for (const Complex& value : ReadComplex(v)) EXPECT_TRUE(std::isnan(value.real()));
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnSvdGetWorkspaceSize(x.handle(), true, true, doubles.handle(), u.handle(),
                                     v.handle(), &size, &executor),
            ACLNN_ERR_PARAM_INVALID);
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("sigma.dtype"), std::string::npos);
}

TEST_F(LinalgTest, FactorsAreOrthonormalAndTriangular) {
  constexpr int64_t kBatch = 3;
  for (aclDataType type : kQrTypes) {
    for (const auto& [m, n] : {std::pair<int64_t, int64_t>(7, 4), {4, 7}, {5, 5}, {1, 3}, {3, 1}}) {
      for (int64_t mode : {0, 1, 2}) {
        SCOPED_TRACE(testing::Message() << type << " " << m << "x" << n << " mode " << mode);
        const int64_t k = mode == 1 ? m : std::min(m, n);
        Tensor a(Columns({kBatch, m, n}, type));
        Tensor q(mode == 2 ? Layout{.dims = {0}, .dtype = type} : Columns({kBatch, m, k}, type));
        Tensor r(Layout{.dims = {kBatch, k, n}, .dtype = type});
        const Values in = Fill(a);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnLinalgQrGetWorkspaceSize(a.handle(), mode, q.handle(), r.handle(), size,
                                                   executor);
            },
            aclnnLinalgQr);
        const Values upper = ReadComplex(r), basis = ReadComplex(q);
        if (mode != 2) {
          const Tensor other_q(q.layout()), other_r(r.layout());
          RunTwoPhase(
              [&](uint64_t* size, aclOpExecutor** executor) {
                return aclnnQrGetWorkspaceSize(a.handle(), mode == 0, other_q.handle(),
                                               other_r.handle(), size, executor);
              },
              aclnnQr);
          EXPECT_EQ(ReadComplex(other_q), basis);
          EXPECT_EQ(ReadComplex(other_r), upper);
        }
        for (int64_t i = 0; i < kBatch; ++i) {
          double norm = 0;
          for (int64_t row = 0; row < m; ++row) norm += std::norm(At(in, m, n, i, row, 0));
          const Complex corner = At(upper, k, n, i, 0, 0);
          if (m > 1) {  // LAPACK's sign
            EXPECT_NEAR(corner.real(),
                        At(in, m, n, i, 0, 0).real() >= 0 ? -std::sqrt(norm) : std::sqrt(norm),
                        8 * Tolerance(type));
            EXPECT_NEAR(corner.imag(), 0, 8 * Tolerance(type));
          }
          for (int64_t row = 0; row < k; ++row) {
            for (int64_t c = 0; c < std::min(row, n); ++c) {
              ASSERT_EQ(At(upper, k, n, i, row, c), Complex());
            }
          }
          if (mode == 2) continue;
          for (int64_t row = 0; row < m; ++row) {
            for (int64_t c = 0; c < n; ++c) {
              Complex product;
              for (int64_t j = 0; j < k; ++j) {
                product += At(basis, m, k, i, row, j) * At(upper, k, n, i, j, c);
              }
              ASSERT_LE(std::abs(product - At(in, m, n, i, row, c)), 8 * Tolerance(type));
            }
          }
          for (int64_t x = 0; x < k; ++x) {
            for (int64_t y = 0; y < k; ++y) {
              Complex product;
              for (int64_t row = 0; row < m; ++row) {
                product += std::conj(At(basis, m, k, i, row, x)) * At(basis, m, k, i, row, y);
              }
              ASSERT_LE(std::abs(product - Complex(x == y)), 2 * Tolerance(type));
            }
          }
        }
        EXPECT_TRUE(q.GuardsIntact() && r.GuardsIntact());
      }
    }
  }
}

TEST_F(LinalgTest, FactorsOfOtherTypes) {
  Tensor a({.dims = {2, 2}, .dtype = ACL_DOUBLE});
  const Tensor q({.dims = {2, 2}, .dtype = ACL_FLOAT16});
  const Tensor r({.dims = {2, 2}, .dtype = ACL_COMPLEX64});
  WriteAs(a, {0, 2, 3, 4});
  const auto call = [&](const Tensor& self, const Tensor& upper) -> Phase1 {
    return [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnLinalgQrGetWorkspaceSize(self.handle(), 0, q.handle(), upper.handle(), size,
                                           executor);
    };
  };
  RunTwoPhase(call(a, r), aclnnLinalgQr);
  EXPECT_EQ(ReadAs(q), (std::vector<double>{0, -1, -1, 0}));
  EXPECT_EQ(ReadComplex(r), (Values{-3, -4, 0, -2}));
  ExpectRefused(call(r, a), 161002, {"FLOAT16", "COMPLEX64"});
  const Tensor none({.dims = {0, 0}, .dtype = ACL_COMPLEX64}), real({.dims = {0, 0}});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnLinalgQrGetWorkspaceSize(none.handle(), 0, real.handle(), none.handle(), size,
                                             executor);
      },
      161002, {"COMPLEX64", "FLOAT"});
}

TEST_F(LinalgTest, FactorsOfEmptyMatrices) {
  Tensor a({.dims = {2, 3, 0}}), q({.dims = {2, 3, 3}}), r({.dims = {2, 3, 0}});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnLinalgQrGetWorkspaceSize(a.handle(), 1, q.handle(), r.handle(), size, executor);
      },
      aclnnLinalgQr);
  const Values one = ReadComplex(q);
  for (int64_t i = 0; i < 18; ++i) EXPECT_EQ(one[static_cast<size_t>(i)], Complex(i % 9 % 4 == 0));
}

// One triangle is read, the other one of the result is 0.
TEST_F(LinalgTest, CholeskysFactorTimesItselfIsTheMatrix) {
  constexpr int64_t kBatch = 2;
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int64_t n : {1, 2, 5, 17}) {
      for (bool upper : {false, true}) {
        SCOPED_TRACE(testing::Message() << type << " " << n << " upper " << upper);
        Tensor self(Columns({kBatch, n, n}, type));
        const Tensor out({.dims = {kBatch, n, n}, .dtype = type});
        Values a = Numbers(self);
        for (int64_t i = 0; i < kBatch * n * n; ++i) {
          const int64_t row = i / n % n, column = i % n;
          Complex& entry = a[static_cast<size_t>(i)];
          if (row == column) entry = entry.real() + 2.0 * static_cast<double>(n) + 1;
          if (upper ? row > column : row < column) entry = std::nan("");
        }
        WriteComplex(self, a);
        const Values in = ReadComplex(self);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnLinalgCholeskyGetWorkspaceSize(self.handle(), upper, out.handle(), size,
                                                         executor);
            },
            aclnnLinalgCholesky);
        const Values factor = ReadComplex(out);
        const double tolerance = (type == ACL_FLOAT     ? 1e-6
                                  : type == ACL_FLOAT16 ? 2e-3
                                                        : 1.6e-2) *
                                 static_cast<double>(4 * n + 4);
        for (int64_t b = 0; b < kBatch; ++b) {
          for (int64_t r = 0; r < n; ++r) {
            for (int64_t c = 0; c <= r; ++c) {
              Complex product;
              for (int64_t k = 0; k < n; ++k) {
                product += upper ? At(factor, n, n, b, k, r) * At(factor, n, n, b, k, c)
                                 : At(factor, n, n, b, r, k) * At(factor, n, n, b, c, k);
              }
              const Complex expected = upper ? At(in, n, n, b, c, r) : At(in, n, n, b, r, c);
              ASSERT_NEAR(product.real(), expected.real(), tolerance);
              const Complex other = upper ? At(factor, n, n, b, r, c) : At(factor, n, n, b, c, r);
              ASSERT_TRUE(r == c || other == Complex());
            }
          }
        }
        EXPECT_TRUE(out.GuardsIntact());
      }
    }
  }
  Tensor self({.dims = {2, 2}});
  const Tensor out({.dims = {2, 2}}), wide({.dims = {2, 3}}),
      half({.dims = {2, 2}, .dtype = ACL_BF16});
  const auto call = [](const Tensor& from, const Tensor& to) {
    return [&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnLinalgCholeskyGetWorkspaceSize(from.handle(), false, to.handle(), size, executor);
    };
  };
  for (const Values& wrong : {Values{1, 2, 2, 1}, Values{1, 0, std::nan(""), 1}}) {
    WriteComplex(self, wrong);
    RunTwoPhase(call(self, out), aclnnLinalgCholesky);
    for (const Complex& number : ReadComplex(out)) EXPECT_TRUE(std::isnan(number.real()));
  }
  ExpectRefused(call(wide, wide), ACLNN_ERR_PARAM_INVALID, {"self.shape"});
  ExpectRefused(call(self, half), ACLNN_ERR_PARAM_INVALID, {"out.dtype = BF16", "FLOAT"});
  const Tensor large({.dims = {8193, 8193}}, 1 << 16);  // refused without a look at it
  ExpectRefused(call(large, large), ACLNN_ERR_PARAM_INVALID, {"8193 rows", "8192"});
}

TEST_F(LinalgTest, TrianglesSolveTheirEquations) {
  constexpr int64_t kRows = 6, kRight = 3;
  for (aclDataType type : kSolveTypes) {
    for (int flags = 0; flags < 8; ++flags) {
      const bool upper = flags & 1, transpose = flags & 2, unit = flags & 4;
      if (unit && type != ACL_FLOAT) continue;
      SCOPED_TRACE(testing::Message() << type << " flags " << flags);
      Tensor b(Columns({2, 1, kRows, kRight}, type)), a(Columns({3, kRows, kRows}, type));
      Tensor x(Layout{.dims = {2, 3, kRows, kRight}, .dtype = type});
      Tensor copy(Columns({2, 3, kRows, kRows}, type));
      const Values right = Fill(b);
      Values matrix = Numbers(a);
      for (int64_t i = 0; i < 3; ++i) {  // far from singular
        for (int64_t r = 0; r < kRows; ++r) {
          matrix[static_cast<size_t>((i * kRows + r) * kRows + r)] += 6.0;
        }
      }
      WriteComplex(a, matrix);
      matrix = ReadComplex(a);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnTriangularSolveGetWorkspaceSize(b.handle(), a.handle(), upper, transpose,
                                                        unit, x.handle(), copy.handle(), size,
                                                        executor);
          },
          aclnnTriangularSolve);
      const Values solution = ReadComplex(x), whole = ReadComplex(copy);
      const auto in_triangle = [&](int64_t i, int64_t r, int64_t c) -> Complex {
        if (upper ? r > c : r < c) return {};
        return At(matrix, kRows, kRows, i % 3, r, c);
      };
      const auto factor = [&](int64_t i, int64_t r, int64_t c) -> Complex {
        if (r == c && unit) return 1;
        return transpose ? in_triangle(i, c, r) : in_triangle(i, r, c);
      };
      for (int64_t i = 0; i < 6; ++i) {
        for (int64_t r = 0; r < kRows; ++r) {
          for (int64_t c = 0; c < kRows; ++c) {
            ASSERT_EQ(At(whole, kRows, kRows, i, r, c), At(matrix, kRows, kRows, i % 3, r, c));
          }
          for (int64_t c = 0; c < kRight; ++c) {
            Complex product;
            double size = 1;
            for (int64_t j = 0; j < kRows; ++j) {
              const Complex term = factor(i, r, j) * At(solution, kRows, kRight, i, j, c);
              product += term;
              size += std::abs(term);
            }
            ASSERT_LE(std::abs(product - At(right, kRows, kRight, i / 3, r, c)),
                      Tolerance(type) * size);
          }
        }
      }
    }
  }
}

TEST_F(LinalgTest, CrossProductsOfEveryType) {
  for (aclDataType type : {ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_FLOAT16,
                           ACL_BF16, ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (int64_t dim : {1, -2}) {
      Tensor a(Columns({5, 3, 4}, type)), b({.dims = {3, 1}, .dtype = type});
      Tensor out(Columns({5, 3, 4}, type));
      // Small whole numbers that no type rounds; a x b is not negative in b's first entry alone.
      Values x = Numbers(a), y = {2.0, 0.0, 1.0};
      for (size_t i = 0; i < x.size(); ++i) {
        const double entry = i / 4 % 3 == 1 ? 5.0 + static_cast<double>(i % 7) : 1.0;
        x[i] = {entry, IsComplex(type) ? static_cast<double>(i % 3) : 0.0};
      }
      for (size_t i = 0; i < x.size(); ++i) {
        if (i / 4 % 3 == 2) x[i] = 2.0;
      }
      WriteComplex(a, x);
      WriteComplex(b, y);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnLinalgCrossGetWorkspaceSize(a.handle(), b.handle(), dim, out.handle(), size,
                                                    executor);
          },
          aclnnLinalgCross);
      const Values result = ReadComplex(out);
      for (int64_t i = 0; i < 5; ++i) {
        for (int64_t c = 0; c < 4; ++c) {
          const auto at = [&](const Values& v, int64_t entry) { return At(v, 3, 4, i, entry, c); };
          for (int64_t entry = 0; entry < 3; ++entry) {
            const int64_t next = (entry + 1) % 3, last = (entry + 2) % 3;
            Complex expected = at(x, next) * y[static_cast<size_t>(last)] -
                               at(x, last) * y[static_cast<size_t>(next)];
            if (type == ACL_UINT8 && expected.real() < 0) expected += 256.0;
            ASSERT_EQ(at(result, entry), expected) << type << " " << i << " " << entry << " " << c;
          }
        }
      }
      EXPECT_TRUE(out.GuardsIntact());
    }
  }
}

TEST_F(LinalgTest, WhatDoesNotFitIsRefused) {
  const auto qr = [&](const Shape& q, const Shape& r, int64_t mode,
                      std::initializer_list<std::string_view> words) {
    Tensor a({.dims = {4, 3}}), basis({.dims = q}), upper({.dims = r});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnLinalgQrGetWorkspaceSize(a.handle(), mode, basis.handle(), upper.handle(),
                                               size, executor);
        },
        161002, words);
  };
  qr({4, 4}, {3, 3}, 0, {"Q", "[4, 4]", "[4, 3]"});
  qr({4, 4}, {3, 3}, 1, {"R", "[3, 3]", "[4, 3]"});
  qr({4, 3}, {3, 3}, 2, {"Q", "empty"});
  qr({4, 3}, {3, 3}, 3, {"mode", "3"});
  const auto cross = [&](int64_t dim, std::initializer_list<std::string_view> words) {
    Tensor a({.dims = {3, 2}}), b({.dims = {3, 2}}), out({.dims = {3, 2}});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnLinalgCrossGetWorkspaceSize(a.handle(), b.handle(), dim, out.handle(), size,
                                                  executor);
        },
        161002, words);
  };
  cross(1, {"out.shape[1]", "2", "3"});
  cross(2, {"dim", "2", "-2 to 1"});
  Tensor left({.dims = {1, 3}}), right({.dims = {2, 3}}), large({.dims = {5, 3}});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnLinalgCrossGetWorkspaceSize(left.handle(), right.handle(), 1, large.handle(),
                                                size, executor);
      },
      161002, {"out", "[5, 3]", "[2, 3]"});
  Tensor a({.dims = {3, 3}, .dtype = ACL_DOUBLE}), b({.dims = {3, 1}, .dtype = ACL_DOUBLE}),
      x({.dims = {3, 1}, .dtype = ACL_DOUBLE}), copy({.dims = {3, 3}, .dtype = ACL_DOUBLE});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnTriangularSolveGetWorkspaceSize(b.handle(), a.handle(), true, false, true,
                                                    x.handle(), copy.handle(), size, executor);
      },
      161002, {"DOUBLE", "unitriangular"});
  Tensor two({.dims = {2, 3, 3}}), three({.dims = {3, 3, 1}}), y({.dims = {3, 3, 1}}),
      triangle({.dims = {3, 3, 3}});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnTriangularSolveGetWorkspaceSize(three.handle(), two.handle(), true, false,
                                                    false, y.handle(), triangle.handle(), size,
                                                    executor);
      },
      161002, {"self", "A", "[3, 3, 1]", "[2, 3, 3]"});
}

}  // namespace
}  // namespace anyacl::test
