// SPDX-License-Identifier: Apache-2.0
// AffineGrid: positions of an image's elements from -1 to 1, under an affine map each.
#include <memory>

#include "base/format.h"
#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/grid_sample/operators.h"
#include "runtime/parallel.h"

namespace anyacl::grid_sample {
namespace {

class AffinePlan final : public Plan {
 public:
  AffinePlan(const TensorView& theta, const TensorView& out, bool align)
      : theta_(theta), out_(out), align_(align), spatial_(out.rank - 2) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t rows = out_.elements() / out_.sizes[out_.rank - 1] / out_.sizes[out_.rank - 2];
    ParallelFor(rows, 1 + 2048 / out_.sizes[out_.rank - 2], [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) Row(bindings, row);
    });
    return {};
  }

 private:
  // Of element i along an axis.
  float PositionOf(int64_t i, int64_t size) const {
    if (size <= 1) return 0;
    const double whole = 2.0 * static_cast<double>(i) / static_cast<double>(size - 1) - 1;
    return static_cast<float>(
        align_ ? whole : whole * static_cast<double>(size - 1) / static_cast<double>(size));
  }

  void Row(const Bindings& bindings, int64_t row) const {
    const int last = spatial_;  // of the dimensions [N, spatial, coordinates]
    float position[4] = {};
    int64_t offset = 0, rest = row;
    for (int dim = last - 1; dim >= 1; --dim) {
      const int64_t i = rest % out_.sizes[dim];
      rest /= out_.sizes[dim];
      position[spatial_ - dim] = PositionOf(i, out_.sizes[dim]);
      offset += i * out_.strides[dim];
    }
    position[spatial_] = 1;
    offset += rest * out_.strides[0];
    float theta[3][4];
    for (int k = 0; k < spatial_; ++k) {
      const int64_t at = rest * theta_.strides[0] + k * theta_.strides[1];
      blocks::LoadRow(theta_.dtype, theta_.Address(bindings) + at * BytesOf(theta_),
                      theta_.strides[2], spatial_ + 1, theta[k]);
    }
    for (int64_t j = 0; j < out_.sizes[last]; ++j) {
      position[0] = PositionOf(j, out_.sizes[last]);
      float results[3];
      for (int k = 0; k < spatial_; ++k) {
        results[k] = 0;
        for (int i = 0; i <= spatial_; ++i) results[k] += theta[k][i] * position[i];
      }
      const int64_t at = offset + j * out_.strides[last];
      blocks::StoreRow(results, spatial_, out_.dtype, out_.Address(bindings) + at * BytesOf(out_),
                       out_.strides[last + 1]);
    }
  }

  const TensorView theta_, out_;
  const bool align_;
  const int spatial_;
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
