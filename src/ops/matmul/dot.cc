// SPDX-License-Identifier: Apache-2.0
// A row times a column: parts of k that threads share, each a sum in blocks (ops/rowwise/kernel.h),
// added up in double in their order.
#include <algorithm>

#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/matmul/numbers.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

// Whole blocks of the kernels; 4 us for a thread.
constexpr int64_t kPart = 16384;
// Numbers that are converted at a time.
constexpr int64_t kConverted = 1024;

class DotPlan final : public BookedPlan {
 public:
  explicit DotPlan(const Matrices& m)
      : a_(Vector(m.left, m.left.rank - 1)),
        b_(Vector(m.right, m.right.rank - 2)),
        out_(m.out),
        depth_(a_.sizes[0]),
        parts_((depth_ + kPart - 1) / kPart) {
    sums_ = book_.Book<double>(static_cast<size_t>(parts_));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    double* const sums = sums_.In(bindings);
    ParallelFor(parts_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) sums[p] = Part(bindings, p * kPart);
    });
    double sum = 0;
    for (int64_t p = 0; p < parts_; ++p) sum += sums[p];
    blocks::StoreOne(sum, out_.dtype, out_.Address(bindings));
    return {};
  }

 private:
  static TensorView Vector(const TensorView& matrix, int dim) {
    TensorView view = matrix;
    view.rank = 1;
    view.sizes[0] = matrix.sizes[dim];
    view.strides[0] = matrix.strides[dim];
    return view;
  }

  static const char* At(const TensorView& view, const Bindings& bindings, int64_t i) {
    return view.Address(bindings) + i * view.strides[0] * blocks::BytesOf(view.dtype);
  }

  double Part(const Bindings& bindings, int64_t begin) const {
    const int64_t count = std::min(kPart, depth_ - begin);
    const rowwise::KernelSet& kernels = Kernels().rowwise;
    if (a_.dtype == b_.dtype && a_.strides[0] == 1 && b_.strides[0] == 1) {
      const rowwise::RowKernels& own = kernels.Of(ElementOf(a_.dtype));
      return own.dot(At(a_, bindings, begin), At(b_, bindings, begin), count);
    }
    alignas(64) float a[kConverted], b[kConverted];
    double sum = 0;
    for (int64_t i = 0; i < count; i += kConverted) {
      const int64_t n = std::min(kConverted, count - i);
      blocks::LoadRow(a_.dtype, At(a_, bindings, begin + i), a_.strides[0], n, a);
      blocks::LoadRow(b_.dtype, At(b_, bindings, begin + i), b_.strides[0], n, b);
      sum += kernels.fp32.dot(a, b, n);
    }
    return sum;
  }

  const TensorView a_, b_, out_;
  const int64_t depth_, parts_;
  WorkspaceSlot<double> sums_;
};

}  // namespace

std::shared_ptr<const Plan> MakeDotPlan(const Matrices& matrices) {
  return std::make_shared<DotPlan>(matrices);
}

}  // namespace anyacl::matmul
