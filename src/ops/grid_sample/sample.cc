// SPDX-License-Identifier: Apache-2.0
// Plans: results row by row; the input's gradient image by image, the positions' row by row, so
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

struct Params {
  TensorView input, grid, out;  // out: or its gradient
  TensorView input_gradient, grid_gradient;
  Mode mode = Mode::kBilinear;
  Outside outside = Outside::kZeros;
  bool align = false;
};

template <class Number>
constexpr blocks::Number kNumber =
    std::is_same_v<Number, float> ? blocks::Number::kFp32 : blocks::Number::kFp64;

// A row along the last dimension.
template <class Number>
void LoadRow(const TensorView& view, const char* data, int64_t offset, int64_t count, int64_t step,
             Number* to) {
  const blocks::Tile tile{.data = const_cast<char*>(data) + offset * BytesOf(view),
                          .rows = 1,
                          .cols = count,
                          .row_stride = 0,
                          .col_stride = step,
                          .stream = false};
  blocks::Loader(kNumber<Number>, *blocks::ElementOf(view.dtype))(tile, to);
}
template <class Number>
void StoreRow(const Number* from, const TensorView& view, char* data, int64_t offset, int64_t count,
              int64_t step) {
  const blocks::Tile tile{.data = data + offset * BytesOf(view),
                          .rows = 1,
                          .cols = count,
                          .row_stride = 0,
                          .col_stride = step,
                          .stream = false};
  blocks::Storer(kNumber<Number>, *blocks::ElementOf(view.dtype))(from, tile);
}

// Two taps' products over an image's plane.
template <class Number>
struct Point {
  Taps<Number> x, y;
};

// One run.
template <class Number>
class Sampler {
 public:
  Sampler(const Params& p, const Bindings& bindings)
      : p_(p),
        across_(p.input.sizes[3], p.mode, p.outside, p.align),
        along_(p.input.sizes[2], p.mode, p.outside, p.align) {
    input_ = Address(p.input, bindings);
    grid_ = Address(p.grid, bindings);
    out_ = Address(p.out, bindings);
    if (p.input_gradient.given()) input_gradient_ = p.input_gradient.Address(bindings);
    if (p.grid_gradient.given()) grid_gradient_ = p.grid_gradient.Address(bindings);
  }

  // Numbers of scratch memory.
  static int64_t Scratch(const Params& p) {
    const int64_t plane = p.input_gradient.given() ? p.input.sizes[2] * p.input.sizes[3] : 0;
    return 4 * p.out.sizes[3] + plane;
  }

  // Of out, for all channels.
  void Row(int64_t row, Number* scratch) const {
    const int64_t n = row / p_.out.sizes[2], i = row % p_.out.sizes[2];
    const int64_t width = p_.out.sizes[3];
    Number* const results = scratch + 2 * width;
    LoadGrid(n, i, scratch);
    for (int64_t c = 0; c < p_.out.sizes[1]; ++c) {
      for (int64_t j = 0; j < width; ++j) {
        results[j] = ValueAt(n, c, PointAt(scratch, j));
      }
      StoreRow(results, p_.out, out_, OutOffset(n, c, i), width, p_.out.strides[3]);
    }
  }

  // Of the gradient by the positions.
  void GridRow(int64_t row, Number* scratch) const {
    const int64_t n = row / p_.out.sizes[2], i = row % p_.out.sizes[2];
    const int64_t width = p_.out.sizes[3];
    Number* const gradients = scratch + 2 * width;  // x and y of each position
    const Number* const grid = scratch;
    LoadGrid(n, i, scratch);
    std::fill_n(gradients, 2 * width, Number{0});
    for (int64_t j = 0; j < width; ++j) {
      const Point<Number> point = PointAt(grid, j);
      for (int64_t c = 0; c < p_.out.sizes[1]; ++c) {
        Number g = 0;
        LoadRow(p_.out, out_, OutOffset(n, c, i) + j * p_.out.strides[3], 1, 1, &g);
        gradients[2 * j] += g * Product(n, c, point, point.x.slopes, point.y.weights);
        gradients[2 * j + 1] += g * Product(n, c, point, point.x.weights, point.y.slopes);
      }
    }
    const TensorView& view = p_.grid_gradient;
    for (int64_t j = 0; j < width; ++j) {
      StoreRow(gradients + 2 * j, view, grid_gradient_,
               n * view.strides[0] + i * view.strides[1] + j * view.strides[2], 2, view.strides[3]);
    }
  }

  // Of the gradient by the input, one channel.
  void Image(int64_t image, Number* scratch) const {
    const int64_t n = image / p_.input.sizes[1], c = image % p_.input.sizes[1];
    const int64_t width = p_.out.sizes[3], in_width = p_.input.sizes[3];
    Number* const gradients = scratch + 2 * width;
    Number* const plane = scratch + 4 * width;
    std::fill_n(plane, p_.input.sizes[2] * in_width, Number{0});
    for (int64_t i = 0; i < p_.out.sizes[2]; ++i) {
      LoadGrid(n, i, scratch);
      LoadRow(p_.out, out_, OutOffset(n, c, i), width, p_.out.strides[3], gradients);
      for (int64_t j = 0; j < width; ++j) {
        const Point<Number> point = PointAt(scratch, j);
        for (int y = 0; y < point.y.count; ++y) {
          for (int x = 0; x < point.x.count; ++x) {
            if (point.y.at[y] < 0 || point.x.at[x] < 0) continue;
            plane[point.y.at[y] * in_width + point.x.at[x]] +=
                gradients[j] * point.y.weights[y] * point.x.weights[x];
          }
        }
      }
    }
    const TensorView& view = p_.input_gradient;
    for (int64_t h = 0; h < p_.input.sizes[2]; ++h) {
      StoreRow(plane + h * in_width, view, input_gradient_,
               n * view.strides[0] + c * view.strides[1] + h * view.strides[2], in_width,
               view.strides[3]);
    }
  }

 private:
  static char* Address(const TensorView& view, const Bindings& bindings) {
    char* const data = bindings.data[static_cast<size_t>(view.slot)];
    return data == nullptr ? nullptr : view.Address(bindings);
  }

  // All x, then all y.
  void LoadGrid(int64_t n, int64_t i, Number* to) const {
    const TensorView& g = p_.grid;
    const int64_t offset = n * g.strides[0] + i * g.strides[1];
    for (int64_t k = 0; k < 2; ++k) {
      LoadRow(g, grid_, offset + k * g.strides[3], g.sizes[2], g.strides[2], to + k * g.sizes[2]);
    }
  }
  Point<Number> PointAt(const Number* grid, int64_t j) const {
    return {across_.TapsAt(grid[j]), along_.TapsAt(grid[p_.out.sizes[3] + j])};
  }

  int64_t OutOffset(int64_t n, int64_t c, int64_t i) const {
    return n * p_.out.strides[0] + c * p_.out.strides[1] + i * p_.out.strides[2];
  }

  Number ValueAt(int64_t n, int64_t c, const Point<Number>& point) const {
    return Product(n, c, point, point.x.weights, point.y.weights);
  }
  Number Product(int64_t n, int64_t c, const Point<Number>& point, const Number* x_weights,
                 const Number* y_weights) const {
    const TensorView& v = p_.input;
    const int64_t image = n * v.strides[0] + c * v.strides[1];
    Number total = 0;
    for (int y = 0; y < point.y.count; ++y) {
      if (point.y.at[y] < 0) continue;
      Number sum = 0;
      for (int x = 0; x < point.x.count; ++x) {
        if (point.x.at[x] < 0) continue;
        const int64_t offset = image + point.y.at[y] * v.strides[2] + point.x.at[x] * v.strides[3];
        sum += x_weights[x] * ElementAt(offset);
      }
      total += y_weights[y] * sum;
    }
    return total;
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
  const AxisSampler<Number> across_, along_;
  const char* input_;
  const char* grid_;
  char* out_;
  char* input_gradient_ = nullptr;
  char* grid_gradient_ = nullptr;
};

class SamplePlan final : public BookedPlan {
 public:
  SamplePlan(const Params& params, bool backward)
      : p_(params), backward_(backward), threads_(ThreadCount()) {
    scratch_numbers_ = (Sampler<float>::Scratch(p_) + 15) / 16 * 16;
    scratch_ = book_.Book<char>(static_cast<size_t>(threads_ * scratch_numbers_ * BytesOfNumber()));
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
    const int64_t rows = p_.out.sizes[0] * p_.out.sizes[2];
    const int64_t images = p_.input.sizes[0] * p_.input.sizes[1];
    const auto each = [&](int64_t count, int64_t cost, const auto& body) {
      const int64_t grain =
          ThreadCount() <= threads_ ? 1 + 1000 / std::max<int64_t>(1, cost) : count;
      ParallelFor(count, grain, [&](int64_t begin, int64_t end, int64_t slot) {
        for (int64_t i = begin; i < end; ++i) body(i, scratch + slot * scratch_numbers_);
      });
    };
    const int64_t row_cost = p_.out.sizes[1] * p_.out.sizes[3];
    if (!backward_) {
      each(rows, row_cost, [&](int64_t i, Number* s) { sampler.Row(i, s); });
    }
    if (p_.input_gradient.given()) {
      each(images, p_.out.sizes[2] * p_.out.sizes[3],
           [&](int64_t i, Number* s) { sampler.Image(i, s); });
    }
    if (p_.grid_gradient.given()) {
      each(rows, row_cost, [&](int64_t i, Number* s) { sampler.GridRow(i, s); });
    }
  }

  const Params p_;
  const bool backward_;
  int64_t threads_;
  int64_t scratch_numbers_;
  WorkspaceSlot<char> scratch_;
};

Status ReadParams(Operands& operands, int out, Params* p) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = blocks::CheckChannelsSecond(operands, {kInput, out, kInputGrad}); !s.ok()) {
    return s;
  }
  const Dims& shape = operands[kInput].shape();
  for (size_t i = 2; i < 4; ++i) {
    if (shape[i] >= 1 && shape[i] <= kMostSize) continue;
    return Fail(operands.spec().codes.shape, "input.shape = {}, expected spatial sizes of 1 to {}",
                shape.ToString(), kMostSize);
  }
  p->input = ViewOf(operands, kInput);
  p->grid = ViewOf(operands, kGrid);
  p->out = ViewOf(operands, out);
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
  const auto wanted = [&](int id, TensorView* view) -> Status {
    if (mask[static_cast<size_t>(id - kInputGrad)] == 0) return {};
    if (Status s = operands.Require(id); !s.ok()) return s;
    if (!operands[id].IsEmpty()) *view = ViewOf(operands, id);
    return {};
  };
  if (Status s = wanted(kInputGrad, &p.input_gradient); !s.ok()) return s;
  if (Status s = wanted(kGridGrad, &p.grid_gradient); !s.ok()) return s;
  if (p.input_gradient.given() || p.grid_gradient.given()) {
    call->plan = std::make_shared<SamplePlan>(p, true);
  }
  return {};
}

}  // namespace anyacl::grid_sample
