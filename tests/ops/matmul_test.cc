// SPDX-License-Identifier: Apache-2.0
// Products of matrices against sums in double precision, written from the documents' formulas.
#include <cmath>
#include <numeric>

#include "aclnnop/aclnn_addbmm.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_addmv.h"
#include "aclnnop/aclnn_addr.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_dot.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Shape = std::vector<int64_t>;

enum class Lie { kRows, kColumns, kGaps };

// A matrix, batch or vector in memory: transposed, or with gaps between rows.
Layout LayoutOf(const Shape& dims, aclDataType dtype, Lie lie) {
  Layout layout{.dims = dims, .dtype = dtype};
  if (lie == Lie::kRows || dims.size() < 2) return layout;
  layout.strides = ContiguousStrides(dims);
  const size_t last = dims.size() - 1;
  if (lie == Lie::kColumns) {
    layout.strides[last] = dims[last - 1];
    layout.strides[last - 1] = 1;
  } else {
    for (size_t i = 0; i < last; ++i) layout.strides[i] *= 3;
    layout.strides[last] = 2;
    layout.offset = 3;
  }
  return layout;
}

// A tensor and its elements as numbers.
struct Operand {
  Operand(const Shape& dims, aclDataType type, Lie lie)
      : shape(dims), dtype(type), tensor(LayoutOf(dims, type, lie)) {}

  void Fill(Random& random) {
    for (int64_t i = 0; i < tensor.count(); ++i) values.push_back(random.Uniform(-2.0, 2.0));
    values = AsHeld(dtype, values);
    WriteAs(tensor, values);
  }
  // Of the element with an index of a shape that this one broadcasts to.
  double At(const Shape& index) const {
    int64_t at = 0;
    for (size_t i = 0; i < shape.size(); ++i) {
      const int64_t k = index[index.size() - shape.size() + i];
      at = at * shape[i] + (shape[i] == 1 ? 0 : k);
    }
    return values[static_cast<size_t>(at)];
  }

  Shape shape;
  aclDataType dtype;
  Tensor tensor;
  std::vector<double> values;
};

double LastPlace(aclDataType dtype) {
  return dtype == ACL_FLOAT ? 0x1p-24 : dtype == ACL_FLOAT16 ? 0x1p-11 : 0x1p-8;
}

struct Product {
  Shape left, right, out;
  aclDataType left_type = ACL_FLOAT, right_type = ACL_FLOAT, out_type = ACL_FLOAT;
  Lie left_lie = Lie::kRows, right_lie = Lie::kRows, out_lie = Lie::kRows;
};

class MatmulTest : public DeviceTest {
 protected:
  // out[..., m, n] against beta * summand + alpha * sum_k left[..., m, k] * right[..., k, n].
  // Vectors have been made matrices. fp32 sums err by at most depth * 2^-24 of their absolute
  // terms, products of bf16 by instruction by twice that, and by `rounding` of the terms.
  void Expect(const Operand& left, const Operand& right, const Operand* summand, double alpha,
              double beta, const Shape& product, const Operand& out, double rounding = 0) {
    const std::vector<double> results = ReadAs(out.tensor);
    const int64_t depth = left.shape.back();
    Shape index(product.size(), 0);
    for (size_t i = 0; i < results.size(); ++i) {
      Shape a = index, b = index;
      double sum = 0, size = 0;
      for (int64_t k = 0; k < depth; ++k) {
        a.back() = k;
        b[b.size() - 2] = k;
        const double term = left.At(a) * right.At(b);
        sum += term;
        size += std::fabs(term);
      }
      const double add = summand != nullptr && beta != 0 ? beta * summand->At(index) : 0;
      const double expected = alpha * sum + add;
      const double bound = ((2.0 * static_cast<double>(depth) + 4) * 0x1p-24 + rounding) *
                               (std::fabs(alpha) * size + std::fabs(add)) +
                           1.01 * LastPlace(out.dtype) * std::fabs(expected) + 1e-30;
      ASSERT_NEAR(results[i], expected, bound + (out.dtype == ACL_FLOAT16 ? 0x1p-25 : 0)) << i;
      for (size_t d = index.size(); d-- > 0;) {
        if (++index[d] < product[d]) break;
        index[d] = 0;
      }
    }
    EXPECT_TRUE(out.tensor.GuardsIntact());
  }

  template <class PhaseOneFunction>
  void Check(const Product& p, PhaseOneFunction phase_one, Phase2 phase_two) {
    Operand left(p.left, p.left_type, p.left_lie), right(p.right, p.right_type, p.right_lie);
    Operand out(p.out, p.out_type, p.out_lie);
    left.Fill(random());
    right.Fill(random());
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return phase_one(left.tensor.handle(), right.tensor.handle(), out.tensor.handle(), 0,
                           size, executor);
        },
        phase_two);
    Shape product = p.out;
    if (p.left.size() == 1) {
      left.shape = {1, p.left[0]};
      product.insert(product.end() - (p.right.size() == 1 ? 0 : 1), 1);
    }
    if (p.right.size() == 1) {
      right.shape = {p.right[0], 1};
      product.push_back(1);
    }
    Expect(left, right, nullptr, 1, 0, product, out);
  }
};

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr Lie kLies[] = {Lie::kRows, Lie::kColumns, Lie::kGaps};

TEST_F(MatmulTest, EveryMixtureOfTypes) {
  for (aclDataType left : kTypes) {
    for (aclDataType right : kTypes) {
      for (aclDataType out : kTypes) {
        const Product p{{17, 33}, {33, 19}, {17, 19}, left, right, out};
        Check(p, aclnnMmGetWorkspaceSize, aclnnMm);
        if (left != ACL_FLOAT && right != ACL_FLOAT && left != right) continue;
        Check(p, aclnnMatmulGetWorkspaceSize, aclnnMatmul);
      }
    }
  }
}

TEST_F(MatmulTest, EveryLayout) {
  for (Lie left : kLies) {
    for (Lie right : kLies) {
      for (Lie out : kLies) {
        Product p{{9, 20}, {20, 21}, {9, 21}};
        p.left_lie = left;
        p.right_lie = right;
        p.out_lie = out;
        p.right_type = ACL_FLOAT16;
        Check(p, aclnnMmGetWorkspaceSize, aclnnMm);
      }
    }
  }
}

TEST_F(MatmulTest, SmallSizesAndNone) {
  for (int64_t m : {0, 1, 2, 5}) {
    for (int64_t k : {0, 1, 3}) {
      for (int64_t n : {0, 1, 4}) {
        Check({{m, k}, {k, n}, {m, n}}, aclnnMmGetWorkspaceSize, aclnnMm);
      }
    }
  }
}

TEST_F(MatmulTest, BatchesBroadcast) {
  for (aclDataType type : kTypes) {
    for (const auto& [left, right] : {std::pair(4, 4), std::pair(1, 4), std::pair(4, 1)}) {
      for (Lie lie : kLies) {
        Product p{{left, 5, 8}, {right, 8, 7}, {4, 5, 7}, type, type, type};
        p.left_lie = p.right_lie = lie;
        Check(p, aclnnBatchMatMulGetWorkspaceSize, aclnnBatchMatMul);
      }
    }
  }
}

TEST_F(MatmulTest, EveryRank) {
  const std::vector<Product> products = {
      {{8}, {8}, {}},
      {{8}, {8, 5}, {5}},
      {{6, 8}, {8}, {6}},
      {{3, 6, 8}, {8}, {3, 6}},
      {{8}, {3, 8, 5}, {3, 5}},
      {{3, 6, 8}, {8, 5}, {3, 6, 5}},
      {{6, 8}, {3, 8, 5}, {3, 6, 5}},
      {{2, 1, 6, 8}, {3, 8, 5}, {2, 3, 6, 5}},
      {{2, 1, 3, 1, 6, 8}, {1, 2, 1, 2, 8, 5}, {2, 2, 3, 2, 6, 5}}};
  for (Product p : products) {
    for (Lie lie : kLies) {
      p.left_lie = p.right_lie = lie;
      SCOPED_TRACE(p.out.size());
      Check(p, aclnnMatmulGetWorkspaceSize, aclnnMatmul);
    }
  }
}

TEST_F(MatmulTest, SummandsBroadcastAndBetaZeroLeavesThemUnread) {
  for (const Shape& shape : {Shape{6, 5}, Shape{1, 5}, Shape{6, 1}, Shape{5}, Shape{1}, Shape{}}) {
    for (double beta : {0.0, 1.0, -0.5}) {
      Operand left({6, 8}, ACL_FLOAT, Lie::kRows), right({8, 5}, ACL_FLOAT16, Lie::kColumns);
      Operand summand(shape, ACL_FLOAT, Lie::kRows), out({6, 5}, ACL_FLOAT, Lie::kGaps);
      left.Fill(random());
      right.Fill(random());
      summand.Fill(random());
      if (beta == 0) {
        summand.tensor.Write(std::vector<float>(summand.values.size(), std::nanf("")));
      }
      float alpha = 0.75f;
      aclScalar* alpha_scalar = aclCreateScalar(&alpha, ACL_FLOAT);
      aclScalar* beta_scalar = aclCreateScalar(&beta, ACL_DOUBLE);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnAddmmGetWorkspaceSize(summand.tensor.handle(), left.tensor.handle(),
                                              right.tensor.handle(), beta_scalar, alpha_scalar,
                                              out.tensor.handle(), 0, size, executor);
          },
          aclnnAddmm);
      Expect(left, right, &summand, alpha, beta, {6, 5}, out);
      aclDestroyScalar(alpha_scalar);
      aclDestroyScalar(beta_scalar);
    }
  }
}

// FLOAT keeps its bits with a cubeMathType of 0 (KEEP_DTYPE) and 4, and at least 16 with the
// others.
TEST_F(MatmulTest, FloatIsRoundedWhereCubeMathTypeAllowsIt) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const int8_t cube : {0, 1, 2, 3, 4}) {
      Operand left({40, 60}, ACL_FLOAT, Lie::kRows), right({60, 50}, type, Lie::kColumns);
      Operand out({40, 50}, ACL_FLOAT, Lie::kRows);
      left.Fill(random());
      right.Fill(random());
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnMmGetWorkspaceSize(left.tensor.handle(), right.tensor.handle(),
                                           out.tensor.handle(), cube, size, executor);
          },
          aclnnMm);
      SCOPED_TRACE(int{cube});
      Expect(left, right, nullptr, 1, 0, {40, 50}, out, cube % 4 == 0 ? 0 : 0x1p-16);
    }
  }
}

TEST_F(MatmulTest, InPlace) {
  int64_t beta = 2;
  bool alpha = true;
  aclScalar* beta_scalar = aclCreateScalar(&beta, ACL_INT64);
  aclScalar* alpha_scalar = aclCreateScalar(&alpha, ACL_BOOL);
  for (aclDataType type : kTypes) {
    Operand left({3, 6, 8}, type, Lie::kColumns), right({3, 8, 5}, type, Lie::kRows);
    Operand self({3, 6, 5}, type, Lie::kGaps);
    left.Fill(random());
    right.Fill(random());
    self.Fill(random());
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnInplaceBaddbmmGetWorkspaceSize(self.tensor.handle(), left.tensor.handle(),
                                                     right.tensor.handle(), beta_scalar,
                                                     alpha_scalar, 0, size, executor);
        },
        aclnnInplaceBaddbmm);
    Expect(left, right, &self, 1, 2, {3, 6, 5}, self);
  }
  aclDestroyScalar(beta_scalar);
  aclDestroyScalar(alpha_scalar);
}

TEST_F(MatmulTest, WhatDoesNotFitIsRefused) {
  const auto refused = [&](const Shape& left, const Shape& right, const Shape& out,
                           aclDataType right_type, std::initializer_list<std::string_view> words,
                           aclDataType left_type = ACL_FLOAT) {
    Tensor a({.dims = left, .dtype = left_type}), b({.dims = right, .dtype = right_type}),
        c({.dims = out});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnMatmulGetWorkspaceSize(a.handle(), b.handle(), c.handle(), 0, size, executor);
        },
        161002, words);
  };
  refused({2, 3}, {4, 5}, {2, 5}, ACL_FLOAT, {"self", "mat2", "3", "4"});
  refused({2, 2, 3}, {3, 3, 5}, {3, 2, 5}, ACL_FLOAT, {"self", "mat2", "broadcast"});
  refused({2, 3}, {3, 5}, {2, 4}, ACL_FLOAT, {"out", "[2, 4]", "[2, 5]"});
  refused({2, 3}, {3, 5}, {2, 5}, ACL_BF16, {"mat2", "BF16"}, ACL_FLOAT16);
  refused({2, 3}, {3, 5}, {2, 5}, ACL_FLOAT16, {"mat2", "BF16"}, ACL_BF16);
  refused({2, 3}, {3, 5}, {}, ACL_FLOAT, {"out"});
}

// Of any type: out[i] = beta * self[i] + alpha * products(i), exact in integers.
class FactorsTest : public MatmulTest {
 protected:
  FactorsTest() {
    double beta = 2, alpha = 3;
    beta_ = aclCreateScalar(&beta, ACL_DOUBLE);
    alpha_ = aclCreateScalar(&alpha, ACL_DOUBLE);
    int64_t whole_beta = 2, whole_alpha = 3;
    whole_beta_ = aclCreateScalar(&whole_beta, ACL_INT64);
    whole_alpha_ = aclCreateScalar(&whole_alpha, ACL_INT64);
  }
  ~FactorsTest() override {
    for (aclScalar* scalar : {beta_, alpha_, whole_beta_, whole_alpha_}) aclDestroyScalar(scalar);
  }

  // Small whole numbers, which no type rounds.
  static void FillWhole(Operand& operand, int64_t seed) {
    for (int64_t i = 0; i < operand.tensor.count(); ++i) {
      operand.values.push_back(operand.dtype == ACL_BOOL ? (i + seed) % 2
                                                         : static_cast<double>((i * 7 + seed) % 3));
    }
    WriteAs(operand.tensor, operand.values);
  }
  static double AsType(aclDataType dtype, double value) {
    return dtype == ACL_BOOL ? value != 0 : value;
  }

  aclScalar *beta_, *alpha_, *whole_beta_, *whole_alpha_;
};

constexpr aclDataType kAllTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                     ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};

TEST_F(FactorsTest, DotOfEveryType) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32, ACL_UINT8}) {
    for (int64_t count : {0, 1, 20, 130}) {
      Operand left({count}, type, Lie::kRows), right({count}, type, Lie::kRows);
      Operand out({}, type, Lie::kRows);
      FillWhole(left, 1);
      FillWhole(right, 0);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnDotGetWorkspaceSize(left.tensor.handle(), right.tensor.handle(),
                                            out.tensor.handle(), size, executor);
          },
          aclnnDot);
      double expected =
          std::inner_product(left.values.begin(), left.values.end(), right.values.begin(), 0.0);
      EXPECT_EQ(ReadAs(out.tensor)[0], expected) << count;
    }
  }
}

TEST_F(FactorsTest, MatrixTimesVector) {
  for (aclDataType type : kTypes) {
    for (Lie lie : kLies) {
      Product p{{17, 33}, {33}, {17}, type, type, type};
      p.left_lie = lie;
      Check(p, aclnnMvGetWorkspaceSize, aclnnMv);
    }
  }
}

TEST_F(FactorsTest, VectorSummands) {
  for (aclDataType type : kAllTypes) {
    if (type == ACL_BOOL) continue;
    for (int64_t summands : {1, 70}) {
      Operand mat({70, 130}, type, Lie::kColumns), vec({130}, type, Lie::kRows);
      Operand self({summands}, type, Lie::kRows), out({70}, type, Lie::kRows);
      FillWhole(mat, 1);
      FillWhole(vec, 0);
      FillWhole(self, 2);
      // At most two ones in a row: 3 * 4 + 2 * 2 fits into every type.
      for (size_t i = 0; i < vec.values.size(); ++i) vec.values[i] = i == 3 || i == 99;
      WriteAs(vec.tensor, vec.values);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnAddmvGetWorkspaceSize(self.tensor.handle(), mat.tensor.handle(),
                                              vec.tensor.handle(), alpha_, beta_,
                                              out.tensor.handle(), 0, size, executor);
          },
          aclnnAddmv);
      const std::vector<double> results = ReadAs(out.tensor);
      for (size_t m = 0; m < results.size(); ++m) {
        const double product = mat.values[m * 130 + 3] + mat.values[m * 130 + 99];
        ASSERT_EQ(results[m], 3 * product + 2 * self.values[summands == 1 ? 0 : m]) << m;
      }
    }
  }
}

TEST_F(FactorsTest, SumOverBatches) {
  for (aclDataType type : kTypes) {
    for (int64_t batch : {0, 1, 2, 5}) {
      for (bool in_place : {false, true}) {
        Operand left({batch == 5 ? 1 : batch, 6, 70}, type, Lie::kColumns);
        Operand right({batch, 70, 5}, ACL_FLOAT, Lie::kRows),
            self({in_place ? 6 : 1, 5}, type, Lie::kRows);
        Operand fresh({6, 5}, type, Lie::kGaps);
        Operand& out = in_place ? self : fresh;
        FillWhole(left, 1);
        FillWhole(right, 0);
        for (double& value : right.values) value = value == 2 ? 1 : 0;
        WriteAs(right.tensor, right.values);
        FillWhole(self, 2);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return in_place
                         ? aclnnInplaceAddbmmGetWorkspaceSize(
                               self.tensor.handle(), left.tensor.handle(), right.tensor.handle(),
                               beta_, alpha_, 0, size, executor)
                         : aclnnAddbmmGetWorkspaceSize(self.tensor.handle(), left.tensor.handle(),
                                                       right.tensor.handle(), beta_, alpha_,
                                                       out.tensor.handle(), 0, size, executor);
            },
            in_place ? aclnnInplaceAddbmm : aclnnAddbmm);
        const std::vector<double> results = ReadAs(out.tensor);
        for (int64_t i = 0; i < 30; ++i) {
          double sum = 0;
          for (int64_t b = 0; b < batch; ++b) {
            for (int64_t k = 0; k < 70; ++k)
              sum += left.At({b, i / 5, k}) * right.At({b, k, i % 5});
          }
          const double expected = 3 * sum + 2 * self.At({i / 5, i % 5});
          ASSERT_NEAR(results[static_cast<size_t>(i)], expected, LastPlace(type) * 1.01 * expected)
              << "batch " << batch;
        }
      }
    }
  }
}

TEST_F(FactorsTest, SumsOfBatchesWithoutFactor) {
  float zero = 0;
  aclScalar* alpha = aclCreateScalar(&zero, ACL_FLOAT);
  Operand left({2, 2, 3}, ACL_FLOAT, Lie::kRows), right({2, 3, 2}, ACL_FLOAT, Lie::kRows);
  Operand self({2, 2}, ACL_FLOAT, Lie::kRows), out({2, 2}, ACL_FLOAT, Lie::kRows);
  left.tensor.Write(std::vector<float>(12, std::nanf("")));
  right.tensor.Write(std::vector<float>(12, 1));
  self.tensor.Write(std::vector<float>{1, 2, 3, 4});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnAddbmmGetWorkspaceSize(self.tensor.handle(), left.tensor.handle(),
                                           right.tensor.handle(), beta_, alpha, out.tensor.handle(),
                                           0, size, executor);
      },
      aclnnAddbmm);
  EXPECT_EQ(ReadAs(out.tensor), (std::vector<double>{2, 4, 6, 8}));
  aclDestroyScalar(alpha);
}

TEST_F(FactorsTest, OuterProductsOfEveryType) {
  for (aclDataType type : kAllTypes) {
    for (bool with_factors : {false, true}) {
      if (type == ACL_BOOL && with_factors) continue;
      const bool whole =
          type != ACL_FLOAT && type != ACL_FLOAT16 && type != ACL_BF16 && type != ACL_DOUBLE;
      aclScalar* beta = !with_factors ? nullptr : whole ? whole_beta_ : beta_;
      aclScalar* alpha = !with_factors ? nullptr : whole ? whole_alpha_ : alpha_;
      Operand column({9}, type, Lie::kRows), row({70}, type, Lie::kRows);
      Operand self({70}, type, Lie::kRows), out({9, 70}, type, Lie::kColumns);
      FillWhole(column, 1);
      FillWhole(row, 0);
      FillWhole(self, 2);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnAddrGetWorkspaceSize(self.tensor.handle(), column.tensor.handle(),
                                             row.tensor.handle(), beta, alpha, out.tensor.handle(),
                                             size, executor);
          },
          aclnnAddr);
      const std::vector<double> results = ReadAs(out.tensor);
      for (size_t i = 0; i < results.size(); ++i) {
        const double product = column.values[i / 70] * row.values[i % 70];
        const double summand = self.values[i % 70];
        const double expected = with_factors ? 3 * product + 2 * summand : product + summand;
        ASSERT_EQ(results[i], AsType(type, expected)) << i;
      }
    }
  }
}

TEST_F(FactorsTest, FactorsThatDoNotFitOuterProducts) {
  Tensor self({.dims = {2, 3}, .dtype = ACL_INT32}), column({.dims = {2}, .dtype = ACL_INT32}),
      row({.dims = {3}, .dtype = ACL_INT32});
  bool yes = true;
  aclScalar* truth = aclCreateScalar(&yes, ACL_BOOL);
  const auto refused = [&](aclScalar* beta, aclScalar* alpha,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnInplaceAddrGetWorkspaceSize(self.handle(), column.handle(), row.handle(),
                                                  beta, alpha, size, executor);
        },
        161002, words);
  };
  refused(beta_, nullptr, {"betaOptional", "DOUBLE", "integer"});
  refused(nullptr, truth, {"alphaOptional", "BOOL", "INT32"});
  aclDestroyScalar(truth);
}

}  // namespace
}  // namespace anyacl::test
