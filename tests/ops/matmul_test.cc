// SPDX-License-Identifier: Apache-2.0
// Products of matrices against sums in double precision, written from the documents' formulas.
#include <cmath>
#include <numeric>

#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
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
  // terms, products of bf16 by instruction by twice that.
  void Expect(const Operand& left, const Operand& right, const Operand* summand, double alpha,
              double beta, const Shape& product, const Operand& out) {
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
      const double bound = (2.0 * static_cast<double>(depth) + 4) * 0x1p-24 *
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
                                              out.tensor.handle(), 1, size, executor);
          },
          aclnnAddmm);
      Expect(left, right, &summand, alpha, beta, {6, 5}, out);
      aclDestroyScalar(alpha_scalar);
      aclDestroyScalar(beta_scalar);
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
                           aclDataType right_type, std::initializer_list<std::string_view> words) {
    Tensor a({.dims = left}), b({.dims = right, .dtype = right_type}), c({.dims = out});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnMatmulGetWorkspaceSize(a.handle(), b.handle(), c.handle(), 0, size, executor);
        },
        161002, words);
  };
  refused({2, 3}, {4, 5}, {2, 5}, ACL_FLOAT, {"self", "mat2", "3", "4"});
  refused({2, 2, 3}, {3, 3, 5}, {3, 2, 5}, ACL_FLOAT, {"self", "mat2", "broadcast"});
  refused({2, 3}, {3, 5}, {2, 4}, ACL_FLOAT, {"out", "[2, 4]", "[2, 5]"});
  refused({2, 3}, {3, 5}, {2, 5}, ACL_BF16, {"mat2", "BF16"});
  refused({2, 3}, {3, 5}, {}, ACL_FLOAT, {"out"});
}

}  // namespace
}  // namespace anyacl::test
