// SPDX-License-Identifier: Apache-2.0
// Products of matrices and what is compared: operands that lie in several ways, sums in double
// precision, written from the documents' formulas.
#pragma once

#include <cmath>
#include <vector>

#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test::matmul {

using Shape = std::vector<int64_t>;

enum class Lie { kRows, kColumns, kGaps };

// A matrix, batch or vector in memory: transposed, or with gaps between rows.
inline Layout LayoutOf(const Shape& dims, aclDataType dtype, Lie lie) {
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

inline double LastPlace(aclDataType dtype) {
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

inline constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr Lie kLies[] = {Lie::kRows, Lie::kColumns, Lie::kGaps};

}  // namespace anyacl::test::matmul
