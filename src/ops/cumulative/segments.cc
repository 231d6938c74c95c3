// SPDX-License-Identifier: Apache-2.0
// Exponentials of the sums of all segments of a row, as a lower triangle, and their gradient.
#include <algorithm>

#include "base/division.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/cumulative/operators.h"
#include "runtime/parallel.h"

namespace anyacl::cumulative {
namespace {

constexpr int64_t kColumns = 256;    // whose sums one thread keeps
constexpr int64_t kWorth = 1 << 12;  // elements: 10 us

struct Matrices {
  TensorView view;  // [B.., N, N]
  int64_t count = 1, size = 0;

  explicit Matrices(const TensorView& of) : view(of), size(of.sizes[of.rank - 1]) {
    for (int i = 0; i < of.rank - 2; ++i) count *= of.sizes[i];
  }
  char* At(const Bindings& bindings, int64_t matrix, int64_t row, int64_t column) const {
    const int64_t at = view.OffsetOf(matrix, view.rank - 2) + row * view.strides[view.rank - 2] +
                       column * view.strides[view.rank - 1];
    return view.Address(bindings) + at * BytesOf(view);
  }
  int64_t step() const { return view.strides[view.rank - 1]; }
};

// out[i, j] = e^(self[j + 1] + ... + self[i]), 0 above the diagonal.
class ExpSegsumPlan final : public Plan {
 public:
  ExpSegsumPlan(const TensorView& self, const TensorView& out) : self_(self), out_(out) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t blocks = CeilDivide(out_.size, kColumns);
    const int64_t each = out_.size * std::min(out_.size, kColumns);
    ParallelFor(out_.count * blocks, CeilDivide(kWorth, each), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        RunColumns(bindings, i / blocks, i % blocks * kColumns);
      }
    });
    return {};
  }

 private:
  void RunColumns(const Bindings& bindings, int64_t matrix, int64_t first) const {
    const int64_t columns = std::min(kColumns, out_.size - first), last = self_.rank - 1;
    const char* const x =
        self_.Address(bindings) + self_.OffsetOf(matrix, self_.rank - 1) * BytesOf(self_);
    double sums[kColumns] = {};
    float row[kColumns] = {};
    for (int64_t i = 0; i < out_.size; ++i) {
      const double next =
          blocks::LoadOne<double>(self_.dtype, x + i * self_.strides[last] * BytesOf(self_));
      const int64_t below = std::clamp<int64_t>(i - first, 0, columns);
      for (int64_t j = 0; j < below; ++j) {
        sums[j] += next;
        row[j] = static_cast<float>(sums[j]);
      }
      if (below > 0) blocks::Rows{below}(elementwise::Op::kExp, row, row);
      if (i >= first && below < columns) row[below] = 1;
      blocks::StoreRow(row, columns, out_.view.dtype, out_.At(bindings, matrix, i, first),
                       out_.step());
    }
  }

  TensorView self_;
  Matrices out_;
};

// Of element k of a row the sum of gradient * result over all segments that it is in: rows from k
// on, columns before it.
class ExpSegsumBackwardPlan final : public BookedPlan {
 public:
  ExpSegsumBackwardPlan(const TensorView& gradient, const TensorView& result, const TensorView& out)
      : gradient_(gradient), result_(result), out_(out) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), gradient_.count));
    numbers_ = book_.Book<double>(slots, kRows * gradient_.size);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t size = gradient_.size;
    ParallelFor(gradient_.count, CeilDivide(kWorth, size * size),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  double* const numbers = numbers_.In(bindings) + slot * kRows * size;
                  for (int64_t i = begin; i < end; ++i) RunMatrix(bindings, i, numbers);
                });
    return {};
  }

 private:
  static constexpr int64_t kRows = 3;  // sums, a row of each input

  void RunMatrix(const Bindings& bindings, int64_t matrix, double* sums) const {
    const int64_t size = gradient_.size, step = out_.strides[out_.rank - 1];
    double* const a = sums + size;
    double* const b = a + size;
    std::fill_n(sums, size, 0.0);
    char* const to = out_.Address(bindings) + out_.OffsetOf(matrix, out_.rank - 1) * BytesOf(out_);
    for (int64_t k = size - 1; k >= 0; --k) {
      blocks::LoadRow(gradient_.view.dtype, gradient_.At(bindings, matrix, k, 0), gradient_.step(),
                      k, a);
      blocks::LoadRow(result_.view.dtype, result_.At(bindings, matrix, k, 0), result_.step(), k, b);
      double sum = 0;
      for (int64_t j = 0; j < k; ++j) sum += sums[j] += a[j] * b[j];
      blocks::StoreOne(sum, out_.dtype, to + k * step * BytesOf(out_));
    }
  }

  Matrices gradient_, result_;
  TensorView out_;
  WorkspaceSlot<double> numbers_;
};

Status Check(Operands& operands, int rows, std::initializer_list<int> all) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const CheckCodes& codes = operands.spec().codes;
  const Dims& shape = operands[rows].shape();
  if (shape.rank() != 3 && shape.rank() != 4) {
    return Fail(codes.shape, "{}.shape = {}, expected rank 3 or 4", operands.NameOf(rows),
                shape.ToString());
  }
  for (int id : all) {
    const aclFormat format = operands[id].layout->format;
    if (format == ACL_FORMAT_ND) continue;
    return Fail(codes.format, "{}.format = {}, expected ND", operands.NameOf(id), NameOf(format));
  }
  return {};
}

}  // namespace

Status PrepareExpSegsum(Operands& operands, PreparedCall* call) {
  if (Status s = Check(operands, kSelf, {kSelf, kOut}); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<ExpSegsumPlan>(ViewOf(operands, kSelf), ViewOf(operands, kOut));
  return {};
}

Status PrepareExpSegsumBackward(Operands& operands, PreparedCall* call) {
  if (Status s = Check(operands, kOut, {kSelf, kValues, kOut}); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<ExpSegsumBackwardPlan>(
      ViewOf(operands, kSelf), ViewOf(operands, kValues), ViewOf(operands, kOut));
  return {};
}

}  // namespace anyacl::cumulative
