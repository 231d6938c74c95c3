// SPDX-License-Identifier: Apache-2.0
// AffineGrid: positions of an image's elements from -1 to 1, under an affine map each.
#include <memory>

#include "base/format.h"
#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/grid_sample/kernel.h"
#include "ops/grid_sample/operators.h"
#include "runtime/parallel.h"

namespace anyacl::grid_sample {
namespace {

class AffinePlan final : public BookedPlan {
 public:
  AffinePlan(const TensorView& theta, const TensorView& out, bool align)
      : theta_(theta), out_(out), align_(align), axes_(out.rank - 2) {
    for (int axis = 0; axis < axes_; ++axis) {
      positions_[axis] = book_.Book<float>(static_cast<size_t>(out_.sizes[DimOf(axis)]));
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (int axis = 0; axis < axes_; ++axis) {
      const int64_t size = out_.sizes[DimOf(axis)];
      ParallelFor(size, 1024, [&](int64_t begin, int64_t end) {
        float* const to = positions_[axis].In(bindings);
        for (int64_t i = begin; i < end; ++i) to[i] = PositionOf(i, size);
      });
    }
    const int64_t width = out_.sizes[axes_], rows = out_.elements() / width / axes_;
    ParallelFor(rows, 1 + 2048 / width, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) Row(bindings, row);
    });
    return {};
  }

 private:
  int DimOf(int axis) const { return axes_ - axis; }  // of [N, spatial, coordinates]

  // Of element i along an axis.
  float PositionOf(int64_t i, int64_t size) const {
    if (size <= 1) return 0;
    const double whole = 2.0 * static_cast<double>(i) / static_cast<double>(size - 1) - 1;
    return static_cast<float>(
        align_ ? whole : whole * static_cast<double>(size - 1) / static_cast<double>(size));
  }

  void Row(const Bindings& bindings, int64_t row) const {
    float others[kAxes];
    int64_t n = row;
    for (int axis = 1; axis < axes_; ++axis) {
      const int64_t size = out_.sizes[DimOf(axis)];
      others[axis - 1] = positions_[axis].In(bindings)[n % size];
      n /= size;
    }
    others[axes_ - 1] = 1;
    float map[kAxes * (kAxes + 1)];
    blocks::Loader(kElementOf<float>, theta_.dtype)(
        {theta_.Address(bindings) + n * theta_.strides[0] * BytesOf(theta_), axes_, axes_ + 1,
         theta_.strides[1], theta_.strides[2], false},
        map);
    const auto store = blocks::Storer(kElementOf<float>, out_.dtype);
    char* const to = out_.Address(bindings) + out_.OffsetOf(row, axes_) * BytesOf(out_);
    const int64_t width = out_.sizes[axes_], step = out_.strides[axes_];
    for (int64_t j = 0; j < width; j += kBlock) {
      const int64_t count = std::min(kBlock, width - j);
      float results[kAxes * kBlock];
      Kernels().grid_sample.affine(
          {positions_[0].In(bindings) + j, count, others, map, axes_, results});
      store(results,
            {to + j * step * BytesOf(out_), count, axes_, step, out_.strides[axes_ + 1], false});
    }
  }

  const TensorView theta_, out_;
  const bool align_;
  const int axes_;
  WorkspaceSlot<float> positions_[kAxes];
};

}  // namespace

Status PrepareAffineGrid(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& theta = operands[kInput].shape();
  const Dims& out = operands[kOut].shape();
  const std::span<const int64_t> size = operands.Ints(kSize);
  if (theta[1] < 2 || theta[1] > 3 || theta[2] != theta[1] + 1) {
    return Fail(operands.spec().codes.shape, "theta.shape = {}, expected [N, 2, 3] or [N, 3, 4]",
                theta.ToString());
  }
  const auto spatial = static_cast<size_t>(theta[1]);
  bool fits = out.back() == theta[1] && size.size() == spatial + 2 && out.rank() == spatial + 2 &&
              size[0] == out[0];
  for (size_t i = 0; fits && i < spatial; ++i) fits = size[2 + i] == out[1 + i];
  if (!fits) {
    return Fail(operands.spec().codes.shape,
                "size = [{}], expected [N, C] and {} sizes as of out.shape = {}", Joined(size),
                spatial, out.ToString());
  }
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<AffinePlan>(ViewOf(operands, kInput), ViewOf(operands, kOut),
                                            operands.Flag(kAlignCorners));
  return {};
}

}  // namespace anyacl::grid_sample
