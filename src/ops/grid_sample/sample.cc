// SPDX-License-Identifier: Apache-2.0
// Plans: results row by row; the input's gradient volume by volume, the positions' row by row, so
// that every sum has one order.
#include <memory>
#include <optional>

#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/images.h"
#include "ops/grid_sample/operators.h"
#include "ops/grid_sample/position.h"
#include "runtime/parallel.h"

namespace anyacl::grid_sample {
namespace {

constexpr int64_t kMostSize = int64_t{1} << 24;  // positions of fp32 still meet all elements

constexpr int kAxes = 3;  // x, y, z; an image is a volume of one plane

// Views of volumes [N, C, D, H, W], the grid [N, D, H, W, coordinates].
struct Params {
  TensorView input, grid, out;  // out: or its gradient
  TensorView input_gradient, grid_gradient;
  Mode mode = Mode::kBilinear;
  Outside outside = Outside::kZeros;
  bool align = false;

  int64_t coordinates() const { return grid.sizes[4]; }
  // Of an axis in input and out.
  static int DimOf(int axis) { return 4 - axis; }
};

// A row along the last dimension.
template <class Number>
void LoadRow(const TensorView& view, const char* data, int64_t offset, int64_t count, int64_t step,
             Number* to) {
  blocks::LoadRow(view.dtype, data + offset * BytesOf(view), step, count, to);
}
template <class Number>
void StoreRow(const Number* from, const TensorView& view, char* data, int64_t offset, int64_t count,
              int64_t step) {
  blocks::StoreRow(from, count, view.dtype, data + offset * BytesOf(view), step);
}

// The taps of each axis, whose products are those of a volume.
template <class Number>
struct Point {
  Taps<Number> axes[kAxes];
};

// One run.
template <class Number>
class Sampler {
 public:
  Sampler(const Params& p, const Bindings& bindings)
      : p_(p), samplers_{SamplerOf(0), SamplerOf(1), SamplerOf(2)} {
    input_ = Address(p.input, bindings);
    grid_ = Address(p.grid, bindings);
    out_ = Address(p.out, bindings);
    if (p.input_gradient.given()) input_gradient_ = p.input_gradient.Address(bindings);
    if (p.grid_gradient.given()) grid_gradient_ = p.grid_gradient.Address(bindings);
  }

  // Rows of out in a channel of all volumes.
  static int64_t Rows(const Params& p) { return p.out.sizes[0] * p.out.sizes[2] * p.out.sizes[3]; }
  // Numbers of scratch memory.
  static int64_t Scratch(const Params& p) {
    const int64_t volume = p.input_gradient.given() ? VolumeOf(p) : 0;
    return 2 * kAxes * p.out.sizes[4] + volume;
  }

  // Of out, for all channels.
  void Row(int64_t row, Number* scratch) const {
    const Place place = PlaceOf(row);
    const int64_t width = p_.out.sizes[4];
    Number* const results = scratch + kAxes * width;
    LoadGrid(place, scratch);
    for (int64_t c = 0; c < p_.out.sizes[1]; ++c) {
      for (int64_t j = 0; j < width; ++j) {
        results[j] = Product(place.n, c, PointAt(scratch, j), -1);
      }
      StoreRow(results, p_.out, out_, OutOffset(place, c), width, p_.out.strides[4]);
    }
  }

  // Of the gradient by the positions.
  void GridRow(int64_t row, Number* scratch) const {
    const Place place = PlaceOf(row);
    const int64_t width = p_.out.sizes[4], axes = p_.coordinates();
    Number* const gradients = scratch + kAxes * width;  // all coordinates of each position
    LoadGrid(place, scratch);
    std::fill_n(gradients, axes * width, Number{0});
    for (int64_t j = 0; j < width; ++j) {
      const Point<Number> point = PointAt(scratch, j);
      for (int64_t c = 0; c < p_.out.sizes[1]; ++c) {
        Number g = 0;
        LoadRow(p_.out, out_, OutOffset(place, c) + j * p_.out.strides[4], 1, 1, &g);
        for (int axis = 0; axis < axes; ++axis) {
          gradients[axes * j + axis] += g * Product(place.n, c, point, axis);
        }
      }
    }
    const TensorView& view = p_.grid_gradient;
    for (int64_t j = 0; j < width; ++j) {
      StoreRow(gradients + axes * j, view, grid_gradient_,
               GridOffset(view, place) + j * view.strides[3], axes, view.strides[4]);
    }
  }

  // Of the gradient by the input, one channel.
  void Volume(int64_t index, Number* scratch) const {
    const int64_t n = index / p_.input.sizes[1], c = index % p_.input.sizes[1];
    const int64_t width = p_.out.sizes[4], in_width = p_.input.sizes[4];
    Number* const gradients = scratch + kAxes * width;
    Number* const volume = scratch + 2 * kAxes * width;
    std::fill_n(volume, VolumeOf(p_), Number{0});
    for (int64_t row = 0; row < p_.out.sizes[2] * p_.out.sizes[3]; ++row) {
      const Place place = {n, row / p_.out.sizes[3], row % p_.out.sizes[3]};
      LoadGrid(place, scratch);
      LoadRow(p_.out, out_, OutOffset(place, c), width, p_.out.strides[4], gradients);
      for (int64_t j = 0; j < width; ++j) AddPoint(PointAt(scratch, j), gradients[j], volume);
    }
    const TensorView& view = p_.input_gradient;
    for (int64_t row = 0; row < view.sizes[2] * view.sizes[3]; ++row) {
      StoreRow(volume + row * in_width, view, input_gradient_,
               n * view.strides[0] + c * view.strides[1] + row / view.sizes[3] * view.strides[2] +
                   row % view.sizes[3] * view.strides[3],
               in_width, view.strides[4]);
    }
  }

 private:
  // A row of out in all channels.
  struct Place {
    int64_t n, depth, row;
  };

  static int64_t VolumeOf(const Params& p) {
    return p.input.sizes[2] * p.input.sizes[3] * p.input.sizes[4];
  }
  AxisSampler<Number> SamplerOf(int axis) const {
    return AxisSampler<Number>(p_.input.sizes[Params::DimOf(axis)], p_.mode, p_.outside, p_.align);
  }
  Place PlaceOf(int64_t row) const {
    const int64_t depth = p_.out.sizes[2], height = p_.out.sizes[3];
    return {row / height / depth, row / height % depth, row % height};
  }
  static char* Address(const TensorView& view, const Bindings& bindings) {
    char* const data = bindings.data[static_cast<size_t>(view.slot)];
    return data == nullptr ? nullptr : view.Address(bindings);
  }

  static int64_t GridOffset(const TensorView& view, const Place& place) {
    return place.n * view.strides[0] + place.depth * view.strides[1] + place.row * view.strides[2];
  }
  // All x, then all y, then all z.
  void LoadGrid(const Place& place, Number* to) const {
    const TensorView& g = p_.grid;
    for (int64_t k = 0; k < p_.coordinates(); ++k) {
      LoadRow(g, grid_, GridOffset(g, place) + k * g.strides[4], g.sizes[3], g.strides[3],
              to + k * g.sizes[3]);
    }
  }
  Point<Number> PointAt(const Number* grid, int64_t j) const {
    Point<Number> point;
    for (int axis = 0; axis < kAxes; ++axis) {
      point.axes[axis] = axis < p_.coordinates()
                             ? samplers_[axis].TapsAt(grid[axis * p_.out.sizes[4] + j])
                             : Taps<Number>{.count = 1, .at = {0}, .weights = {1}, .slopes = {0}};
    }
    return point;
  }

  int64_t OutOffset(const Place& place, int64_t c) const {
    const TensorView& v = p_.out;
    return place.n * v.strides[0] + c * v.strides[1] + place.depth * v.strides[2] +
           place.row * v.strides[3];
  }

  // The sum of elements times weights, or times the slopes of one axis.
  Number Product(int64_t n, int64_t c, const Point<Number>& point, int derived) const {
    const TensorView& v = p_.input;
    const int64_t image = n * v.strides[0] + c * v.strides[1];
    const auto& [x, y, z] = point.axes;
    const auto factors = [&](int axis) {
      const Taps<Number>& taps = point.axes[axis];
      return axis == derived ? taps.slopes : taps.weights;
    };
    const Number* const across = factors(0);
    const Number* const along = factors(1);
    const Number* const deep = factors(2);
    Number total = 0;
    for (int k = 0; k < z.count; ++k) {
      if (z.at[k] < 0) continue;
      Number plane = 0;
      for (int i = 0; i < y.count; ++i) {
        if (y.at[i] < 0) continue;
        Number sum = 0;
        for (int j = 0; j < x.count; ++j) {
          if (x.at[j] < 0) continue;
          sum += across[j] * ElementAt(image + z.at[k] * v.strides[2] + y.at[i] * v.strides[3] +
                                       x.at[j] * v.strides[4]);
        }
        plane += along[i] * sum;
      }
      total += deep[k] * plane;
    }
    return total;
  }
  void AddPoint(const Point<Number>& point, Number gradient, Number* volume) const {
    const int64_t height = p_.input.sizes[3], width = p_.input.sizes[4];
    const auto& [x, y, z] = point.axes;
    for (int k = 0; k < z.count; ++k) {
      for (int i = 0; i < y.count; ++i) {
        for (int j = 0; j < x.count; ++j) {
          if (z.at[k] < 0 || y.at[i] < 0 || x.at[j] < 0) continue;
          volume[(z.at[k] * height + y.at[i]) * width + x.at[j]] +=
              gradient * z.weights[k] * y.weights[i] * x.weights[j];
        }
      }
    }
  }
  Number ElementAt(int64_t offset) const {
    if (p_.input.dtype == ACL_FLOAT) {
      return static_cast<Number>(reinterpret_cast<const float*>(input_)[offset]);
    }
    if (p_.input.dtype == ACL_DOUBLE) {
      return static_cast<Number>(reinterpret_cast<const double*>(input_)[offset]);
    }
    Number value = 0;
    LoadRow(p_.input, input_, offset, 1, 1, &value);
    return value;
  }

  const Params& p_;
  const AxisSampler<Number> samplers_[kAxes];
  const char* input_;
  const char* grid_;
  char* out_;
  char* input_gradient_ = nullptr;
  char* grid_gradient_ = nullptr;
};

class SamplePlan final : public BookedPlan {
 public:
  SamplePlan(const Params& params, bool backward) : p_(params), backward_(backward) {
    scratch_numbers_ = (Sampler<float>::Scratch(p_) + 15) / 16 * 16;
    scratch_ = book_.Book<char>(ThreadCount(), scratch_numbers_ * BytesOfNumber());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    p_.input.dtype == ACL_DOUBLE ? RunIn<double>(bindings) : RunIn<float>(bindings);
    return {};
  }

 private:
  int64_t BytesOfNumber() const { return p_.input.dtype == ACL_DOUBLE ? 8 : 4; }

  template <class Number>
  void RunIn(const Bindings& bindings) const {
    const Sampler<Number> sampler(p_, bindings);
    auto* const scratch = reinterpret_cast<Number*>(scratch_.In(bindings));
    const int64_t rows = Sampler<Number>::Rows(p_);
    const int64_t volumes = p_.input.sizes[0] * p_.input.sizes[1];
    const auto each = [&](int64_t count, int64_t cost, const auto& body) {
      const int64_t grain = 1 + 1000 / std::max<int64_t>(1, cost);
      ParallelFor(count, grain, [&](int64_t begin, int64_t end, int64_t slot) {
        for (int64_t i = begin; i < end; ++i) body(i, scratch + slot * scratch_numbers_);
      });
    };
    const int64_t row_cost = p_.out.sizes[1] * p_.out.sizes[4];
    if (!backward_) {
      each(rows, row_cost, [&](int64_t i, Number* s) { sampler.Row(i, s); });
    }
    if (p_.input_gradient.given()) {
      each(volumes, rows / p_.out.sizes[0] * p_.out.sizes[4],
           [&](int64_t i, Number* s) { sampler.Volume(i, s); });
    }
    if (p_.grid_gradient.given()) {
      each(rows, row_cost, [&](int64_t i, Number* s) { sampler.GridRow(i, s); });
    }
  }

  const Params p_;
  const bool backward_;
  int64_t scratch_numbers_;
  WorkspaceSlot<char> scratch_;
};

TensorView VolumesOf(const Operands& operands, int id) {
  const TensorView view = ViewOf(operands, id);
  return view.rank == 5 ? view : WithDim(view, 2);
}
TensorView GridOf(const Operands& operands, int id) {
  const TensorView view = ViewOf(operands, id);
  return view.rank == 5 ? view : WithDim(view, 1);
}

// Formats of volumes say where the channels are, those of images nothing. A device looks closer at
// those of results than at those of gradients.
Status ReadFormats(Operands& operands, int out) {
  if (operands[kInput].shape().rank() != 5) return {};
  if (Status s = blocks::TurnChannelsSecond(operands, {kInput, out, kInputGrad}); !s.ok()) return s;
  if (out != kOut) return {};
  for (int id : {static_cast<int>(kInput), out}) {
    const aclFormat format = operands[id].layout->format;
    if (format == ACL_FORMAT_ND || format == ACL_FORMAT_NCDHW) continue;
    return Fail(operands.spec().codes.format, "{}.format = {}, expected ND, NCDHW or NDHWC",
                operands.NameOf(id), NameOf(format));
  }
  return {};
}

Status ReadParams(Operands& operands, int out, Params* p) {
  if (Status s = ReadFormats(operands, out); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& shape = operands[kInput].shape();
  for (size_t i = 2; i < shape.rank(); ++i) {
    if (shape[i] >= 1 && shape[i] <= kMostSize) continue;
    return Fail(operands.spec().codes.shape, "input.shape = {}, expected spatial sizes of 1 to {}",
                shape.ToString(), kMostSize);
  }
  p->input = VolumesOf(operands, kInput);
  p->grid = GridOf(operands, kGrid);
  p->out = VolumesOf(operands, out);
  p->mode = static_cast<Mode>(operands.Int(kInterpolationMode));
  p->outside = static_cast<Outside>(operands.Int(kPaddingMode));
  p->align = operands.Flag(kAlignCorners);
  return {};
}

}  // namespace

Status PrepareSample(Operands& operands, PreparedCall* call) {
  Params p;
  if (Status s = ReadParams(operands, kOut, &p); !s.ok()) return s;
  if (!operands[kOut].IsEmpty()) call->plan = std::make_shared<SamplePlan>(p, false);
  return {};
}

Status PrepareSampleBackward(Operands& operands, PreparedCall* call) {
  Params p;
  if (Status s = ReadParams(operands, kGradOutput, &p); !s.ok()) return s;
  const std::span<const uint8_t> mask = operands.Bools(kOutputMask);
  if (mask.size() != 2) {
    return Fail(operands.spec().codes.shape, "outputMask has {} elements, expected 2", mask.size());
  }
  for (int id : {kInputGrad, kGridGrad}) {
    if (mask[static_cast<size_t>(id - kInputGrad)] == 0) continue;
    if (Status s = operands.Require(id); !s.ok()) return s;
    if (operands[id].IsEmpty()) continue;
    if (id == kInputGrad) p.input_gradient = VolumesOf(operands, id);
    if (id == kGridGrad) p.grid_gradient = GridOf(operands, id);
  }
  if (p.input_gradient.given() || p.grid_gradient.given()) {
    call->plan = std::make_shared<SamplePlan>(p, true);
  }
  return {};
}

}  // namespace anyacl::grid_sample
