// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/numbers.h"

#include <algorithm>
#include <type_traits>

#include "nnop/promotion.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/convert.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

using blocks::Tile;

// Pieces of rows and columns: a tile of the right matrix stays in the first cache.
constexpr int64_t kPiece = 64;

bool IsWhole(const TensorView& view) {
  return !view.given() || CategoryOf(view.dtype) != Category::kFloating;
}

// A part of a matrix, from (row, column) on.
Tile PartOf(const TensorView& view, char* data, int64_t row, int64_t column, int64_t rows,
            int64_t columns) {
  const int64_t row_step = view.strides[view.rank - 2];
  const int64_t column_step = view.strides[view.rank - 1];
  const int64_t at = row * row_step + column * column_step;
  return {data + at * blocks::BytesOf(view.dtype), rows, columns, row_step, column_step, false};
}

// N: double, or uint64_t for integers, which overflow without harm.
template <class N>
class NumbersPlan final : public Plan {
 public:
  NumbersPlan(const Matrices& matrices, N alpha, N beta)
      : m_(matrices), alpha_(alpha), beta_(beta) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t rows = m_.out.sizes[m_.out.rank - 2];
    const int64_t work = columns() * std::max<int64_t>(depth(), 1);
    const int64_t grain = std::max<int64_t>(kPiece * kPiece * 8 / work, 1);
    ParallelFor(rows, grain, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        for (int64_t c = 0; c < columns(); c += kPiece) RunPiece(bindings, row, c);
      }
    });
    return {};
  }

 private:
  int64_t columns() const { return m_.out.sizes[m_.out.rank - 1]; }
  int64_t depth() const { return m_.left.sizes[m_.left.rank - 1]; }

  static void Load(const TensorView& view, const Tile& tile, N* to) {
    blocks::Loader(kElementOf<N>, view.dtype)(tile, to);
  }

  // A piece of a row of the output: sums over k in its order.
  void RunPiece(const Bindings& bindings, int64_t row, int64_t column) const {
    const int64_t width = std::min(kPiece, columns() - column);
    N sums[kPiece] = {}, left[kPiece], right[kPiece * kPiece];
    for (int64_t k = 0; k < depth(); k += kPiece) {
      const int64_t deep = std::min(kPiece, depth() - k);
      Load(m_.left, PartOf(m_.left, m_.left.Address(bindings), row, k, 1, deep), left);
      Load(m_.right, PartOf(m_.right, m_.right.Address(bindings), k, column, deep, width), right);
      for (int64_t i = 0; i < deep; ++i) {
        for (int64_t j = 0; j < width; ++j) sums[j] += left[i] * right[i * width + j];
      }
    }
    for (int64_t j = 0; j < width; ++j) sums[j] *= alpha_;
    if (m_.summand.given() && beta_ != N(0)) {
      N summand[kPiece];
      Load(m_.summand, PartOf(m_.summand, m_.summand.Address(bindings), row, column, 1, width),
           summand);
      for (int64_t j = 0; j < width; ++j) sums[j] += beta_ * summand[j];
    }
    blocks::Storer(kElementOf<N>, m_.out.dtype)(
        sums, PartOf(m_.out, m_.out.Address(bindings), row, column, 1, width));
  }

  const Matrices m_;
  const N alpha_;
  const N beta_;
};

class ComplexOuterPlan final : public Plan {
 public:
  explicit ComplexOuterPlan(const Matrices& matrices) : m_(matrices) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t columns = m_.out.sizes[1];
    ParallelFor(m_.out.sizes[0], std::max<int64_t>(kPiece * 8 / columns, 1),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    for (int64_t c = 0; c < columns; c += kPiece) {
                      RunPiece(bindings, row, c, std::min(kPiece, columns - c));
                    }
                  }
                });
    return {};
  }

 private:
  struct Complex {
    double real, imaginary;
  };

  void RunPiece(const Bindings& bindings, int64_t row, int64_t column, int64_t width) const {
    Complex x, y[kPiece];
    Convert(m_.left, bindings, row * m_.left.strides[0], 1, &x, true);
    const int64_t step = m_.right.strides[1];
    Convert(m_.right, bindings, column * step, width, y, true, step);
    for (int64_t j = 0; j < width; ++j) {
      y[j] = {x.real * y[j].real - x.imaginary * y[j].imaginary,
              x.real * y[j].imaginary + x.imaginary * y[j].real};
    }
    const int64_t out_step = m_.out.strides[1];
    Convert(m_.out, bindings, row * m_.out.strides[0] + column * out_step, width, y, false,
            out_step);
  }

  // Elements to numbers, or numbers to elements.
  static void Convert(const TensorView& view, const Bindings& bindings, int64_t at, int64_t count,
                      Complex* numbers, bool load, int64_t step = 1) {
    const int64_t bytes = blocks::BytesOf(view.dtype);
    char* const elements = view.Address(bindings) + at * bytes;
    char* const pairs = reinterpret_cast<char*>(numbers);
    if (load) {
      blocks::ConvertElements(view.dtype, elements, step * bytes, ACL_COMPLEX128, pairs,
                              sizeof(Complex), count);
    } else {
      blocks::ConvertElements(ACL_COMPLEX128, pairs, sizeof(Complex), view.dtype, elements,
                              step * bytes, count);
    }
  }

  const Matrices m_;
};

}  // namespace

std::shared_ptr<const Plan> MakeComplexOuterPlan(const Matrices& matrices) {
  return std::make_shared<ComplexOuterPlan>(matrices);
}

std::shared_ptr<const Plan> MakeNumbersPlan(const Matrices& matrices, const ScalarValue& alpha,
                                            const ScalarValue& beta) {
  if (IsWhole(matrices.left) && IsWhole(matrices.right) && IsWhole(matrices.summand) &&
      IsWhole(matrices.out)) {
    return std::make_shared<NumbersPlan<uint64_t>>(matrices, static_cast<uint64_t>(alpha.integer),
                                                   static_cast<uint64_t>(beta.integer));
  }
  return std::make_shared<NumbersPlan<double>>(matrices, alpha.real, beta.real);
}

}  // namespace anyacl::matmul
