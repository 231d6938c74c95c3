// SPDX-License-Identifier: Apache-2.0
// Plans: results and the positions' gradient by blocks of positions, the input's gradient volume by
// volume, so that every sum has one order.
#include <algorithm>
#include <bit>
#include <memory>

#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/images.h"
#include "ops/grid_sample/kernel.h"
#include "ops/grid_sample/operators.h"
#include "runtime/parallel.h"

namespace anyacl::grid_sample {
namespace {

constexpr int64_t kMostSize = int64_t{1} << 24;  // positions of fp32 still meet all elements

// Views of volumes [N, C, D, H, W], the grid [N, D, H, W, coordinates]; an image is a volume of one
// plane.
struct Params {
  TensorView input, grid, out;  // out: or its gradient
  TensorView input_gradient, grid_gradient;
  Mode mode = Mode::kBilinear;
  Outside outside = Outside::kZeros;
  bool align = false;

  int coordinates() const { return static_cast<int>(grid.sizes[4]); }
  // Of an axis in input and out.
  static int DimOf(int axis) { return 4 - axis; }
  int64_t volume() const { return input.sizes[2] * input.sizes[3] * input.sizes[4]; }
  int64_t positions() const { return out.sizes[2] * out.sizes[3] * out.sizes[4]; }
  int64_t blocks() const { return (positions() + kBlock - 1) / kBlock; }  // of a volume of out
};

// One channel of one volume, by depth, height and width.
TensorView OneChannel(const TensorView& view) {
  TensorView one = WithoutDim(WithoutDim(view, 1), 0);
  CoalesceInOrder({&one, 1});
  return one;
}
// The grid of one volume.
TensorView OneGrid(const TensorView& view) {
  TensorView one = WithoutDim(view, 0);
  CoalesceInOrder({&one, 1});
  return one;
}

// Elements `begin` to `begin + count` of one of these to and from numbers.
template <class Number>
void Load(const TensorView& one, char* data, int64_t begin, int64_t count, Number* to) {
  const auto load = blocks::Loader(kElementOf<Number>, one.dtype);
  blocks::ForTiles(one, data, begin, begin + count,
                   [&](const blocks::Tile& tile, int64_t before) { load(tile, to + before); });
}
template <class Number>
void Store(const Number* from, const TensorView& one, char* data, int64_t begin, int64_t count) {
  const auto store = blocks::Storer(kElementOf<Number>, one.dtype);
  blocks::ForTiles(one, data, begin, begin + count,
                   [&](const blocks::Tile& tile, int64_t before) { store(from + before, tile); });
}

template <class Number>
constexpr const NumberKernels<Number>& KernelsOf() {
  if constexpr (sizeof(Number) == 8) {
    return Kernels().grid_sample.fp64;
  } else {
    return Kernels().grid_sample.fp32;
  }
}

// A thread's.
template <class Number>
struct alignas(kWorkspaceAlignment) Scratch {
  static constexpr int64_t kElements = kMostRows * kMostTaps * kBlock;

  Taps<Number> axes[kAxes];
  Places places;
  Number grid[kAxes * kBlock];  // or its gradient: x, y and z of each position
  Number row[kBlock];
  Number gradients[kAxes * kBlock];
  Number elements[kElements];
  uint16_t halves[kElements];  // elements as they lie in the input
};

// One run.
template <class Number>
class Sampler {
 public:
  Sampler(const Params& p, const Bindings& bindings)
      : p_(p),
        kernels_(KernelsOf<Number>()),
        grid_one_(OneGrid(p.grid)),
        out_one_(OneChannel(p.out)),
        dense_(out_one_.IsContiguous()) {
    for (int axis = 0; axis < kAxes; ++axis) {
      const int dim = Params::DimOf(axis);
      const int64_t reach = (p.input.sizes[dim] - 1) * p.input.strides[dim];
      origins_[axis == 0 ? 0 : 1] += std::max<int64_t>(-reach, 0);
    }
    input_ = Address(p.input, bindings) - (origins_[0] + origins_[1]) * BytesOf(p.input);
    grid_ = Address(p.grid, bindings);
    out_ = Address(p.out, bindings);
    if (p.input_gradient.given()) input_gradient_ = p.input_gradient.Address(bindings);
    if (p.grid_gradient.given()) grid_gradient_ = p.grid_gradient.Address(bindings);
  }

  // Of out, for all channels; elements that are nearest move as they are.
  void Results(int64_t block, Scratch<Number>* s) const {
    const Positions at = PositionsOf(block);
    FindTaps(at, s);
    FindPlaces(at, p_.input.strides, origins_, s);
    const bool moves = p_.mode == Mode::kNearest;
    const int64_t bytes = BytesOf(p_.out);
    const bool in_place = dense_ && (moves || bytes == sizeof(Number));
    PointArgs<Number> args = ArgsOf(at, s);
    for (int64_t c = 0; c < p_.out.sizes[1]; ++c) {
      char* const out = OutAt(at.n, c);
      void* const to = in_place ? static_cast<void*>(out + at.begin * bytes) : s->row;
      if (moves) {
        CollectBits(at, c, s, to);
      } else {
        Collect(at, c, s);
        args.to = static_cast<Number*>(to);
        kernels_.sums(args);
      }
      if (in_place) continue;
      if (moves) {
        const auto copy = blocks::Copier(bytes);
        blocks::ForTiles(out_one_, out, at.begin, at.begin + at.count,
                         [&](const blocks::Tile& tile, int64_t before) {
                           char* const from = static_cast<char*>(to) + before * bytes;
                           copy({from, tile.rows, tile.cols, tile.cols, 1, false}, tile);
                         });
      } else {
        Store(s->row, out_one_, out, at.begin, at.count);
      }
    }
  }

  // Of the gradient by the positions.
  void GridGradient(int64_t block, Scratch<Number>* s) const {
    const Positions at = PositionsOf(block);
    FindTaps(at, s);
    FindPlaces(at, p_.input.strides, origins_, s);
    PointArgs<Number> args = ArgsOf(at, s);
    args.to = s->gradients;
    std::fill_n(s->gradients, kAxes * kBlock, Number{0});
    const int64_t channels = p_.mode == Mode::kNearest ? 0 : p_.out.sizes[1];  // no slopes
    for (int64_t c = 0; c < channels; ++c) {
      Collect(at, c, s);
      Load(out_one_, OutAt(at.n, c), at.begin, at.count, s->row);
      kernels_.slopes(args);
    }
    const int axes = p_.coordinates();
    for (int axis = 0; axis < axes; ++axis) {
      for (int64_t j = 0; j < at.count; ++j) {
        s->grid[j * axes + axis] = s->gradients[axis * kBlock + j];
      }
    }
    const TensorView& view = p_.grid_gradient;
    Store(s->grid, OneGrid(view), grid_gradient_ + at.n * view.strides[0] * BytesOf(view),
          at.begin * axes, at.count * axes);
  }

  // Of the gradient by the input, some channels of one volume.
  void InputGradient(int64_t n, int64_t begin, int64_t end, Scratch<Number>* s,
                     Number* volumes) const {
    const int64_t dense[] = {0, 0, p_.input.sizes[3] * p_.input.sizes[4], p_.input.sizes[4], 1};
    constexpr int64_t kOrigins[2] = {};
    const int64_t volume = p_.volume();
    std::fill_n(volumes, (end - begin) * volume, Number{0});
    for (int64_t block = n * p_.blocks(); block < (n + 1) * p_.blocks(); ++block) {
      const Positions at = PositionsOf(block);
      FindTaps(at, s);
      FindPlaces(at, dense, kOrigins, s);
      PointArgs<Number> args = ArgsOf(at, s);
      for (int64_t c = begin; c < end; ++c) {
        Load(out_one_, OutAt(n, c), at.begin, at.count, s->row);
        args.to = volumes + (c - begin) * volume;
        kernels_.spread(args);
      }
    }
    const TensorView& view = p_.input_gradient;
    const TensorView one = OneChannel(view);
    for (int64_t c = begin; c < end; ++c) {
      Store(volumes + (c - begin) * volume, one,
            input_gradient_ + (n * view.strides[0] + c * view.strides[1]) * BytesOf(view), 0,
            volume);
    }
  }

 private:
  // Of out in all channels of a volume, in row-major order.
  struct Positions {
    int64_t n, begin, count;
  };

  Positions PositionsOf(int64_t block) const {
    const int64_t begin = block % p_.blocks() * kBlock;
    return {block / p_.blocks(), begin, std::min(kBlock, p_.positions() - begin)};
  }
  static char* Address(const TensorView& view, const Bindings& bindings) {
    char* const data = bindings.data[static_cast<size_t>(view.slot)];
    return data == nullptr ? nullptr : view.Address(bindings);
  }
  char* OutAt(int64_t n, int64_t c) const {
    return out_ + (n * p_.out.strides[0] + c * p_.out.strides[1]) * BytesOf(p_.out);
  }

  void FindTaps(const Positions& at, Scratch<Number>* s) const {
    const TensorView& g = p_.grid;
    const int axes = p_.coordinates();
    Load(grid_one_, grid_ + at.n * g.strides[0] * BytesOf(g), at.begin * axes, at.count * axes,
         s->grid);
    for (int axis = 0; axis < axes; ++axis) {
      kernels_.taps({{p_.input.sizes[Params::DimOf(axis)], p_.mode, p_.outside, p_.align},
                     s->grid + axis,
                     axes,
                     at.count,
                     &s->axes[axis]});
    }
  }
  // In a volume with these strides; that of a dimension with one entry may be any.
  void FindPlaces(const Positions& at, const int64_t* strides, const int64_t* origins,
                  Scratch<Number>* s) const {
    PlaceArgs args = {.x = s->axes[0].at,
                      .y = s->axes[1].at,
                      .z = p_.coordinates() == kAxes ? s->axes[2].at : nullptr,
                      .strides = {},
                      .origins = {origins[0], origins[1]},
                      .taps = TapsOf(p_.mode),
                      .count = at.count,
                      .to = &s->places};
    for (int axis = 0; axis < kAxes; ++axis) {
      const int dim = Params::DimOf(axis);
      args.strides[axis] = p_.input.sizes[dim] > 1 ? strides[dim] : 0;
    }
    Kernels().grid_sample.places(args);
  }

  // The elements of one channel, as they are and as numbers.
  void CollectBits(const Positions& at, int64_t c, const Scratch<Number>* s, void* to) const {
    const TensorView& v = p_.input;
    const int64_t bytes = BytesOf(v);
    Kernels().grid_sample.collect[std::countr_zero(static_cast<uint64_t>(bytes))](
        {.from = input_ + (at.n * v.strides[0] + c * v.strides[1]) * bytes,
         .places = &s->places,
         .x = s->axes[0].at,
         .step = v.strides[4],
         .origin = origins_[0],
         .count = at.count,
         .to = to});
  }
  void Collect(const Positions& at, int64_t c, Scratch<Number>* s) const {
    if (BytesOf(p_.input) == sizeof(Number)) return CollectBits(at, c, s, s->elements);
    CollectBits(at, c, s, s->halves);
    blocks::LoadRow(p_.input.dtype, reinterpret_cast<const char*>(s->halves), 1,
                    s->places.rows * s->places.taps * at.count, s->elements);
  }
  PointArgs<Number> ArgsOf(const Positions& at, Scratch<Number>* s) const {
    return {.axes = s->axes,
            .dims = p_.coordinates(),
            .places = &s->places,
            .elements = s->elements,
            .gradients = s->row,
            .products = s->elements,
            .count = at.count,
            .to = nullptr};
  }

  const Params& p_;
  const NumberKernels<Number>& kernels_;
  const TensorView grid_one_, out_one_;
  const bool dense_;         // out_one_
  int64_t origins_[2] = {};  // of the input's lowest element before its first one
  char* input_;              // that element, in the first channel
  char* grid_;
  char* out_;
  char* input_gradient_ = nullptr;
  char* grid_gradient_ = nullptr;
};

class SamplePlan final : public BookedPlan {
 public:
  SamplePlan(const Params& params, bool backward) : p_(params), backward_(backward) {
    p_.input.dtype == ACL_DOUBLE ? Book<double>() : Book<float>();
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    p_.input.dtype == ACL_DOUBLE ? RunIn<double>(bindings) : RunIn<float>(bindings);
    return {};
  }

 private:
  static constexpr int64_t kGroupBytes = int64_t{1} << 20;

  template <class Number>
  void Book() {
    scratch_ = book_.Book<char>(ThreadCount(), int64_t{sizeof(Scratch<Number>)});
    if (!p_.input_gradient.given()) return;
    // Channels that share places, as long as their volumes fit into 1 MiB and all threads have
    // some. Sums do not depend on it.
    const int64_t fit = kGroupBytes / int64_t{sizeof(Number)} / p_.volume();
    const int64_t shared = p_.input.sizes[0] * p_.input.sizes[1] / (2 * ThreadCount());
    group_ = std::clamp<int64_t>(std::min(fit, shared), 1, p_.input.sizes[1]);
    constexpr int64_t kLine = kWorkspaceAlignment / sizeof(Number);
    group_numbers_ = (group_ * p_.volume() + kLine - 1) / kLine * kLine;
    volumes_ = {book_.Book<Number>(ThreadCount(), group_numbers_).offset};
  }

  template <class Number>
  void RunIn(const Bindings& bindings) const {
    const Sampler<Number> sampler(p_, bindings);
    auto* const scratch = reinterpret_cast<Scratch<Number>*>(scratch_.In(bindings));
    auto* const volumes = reinterpret_cast<Number*>(volumes_.In(bindings));
    const auto each = [](int64_t count, int64_t cost, const auto& body) {
      const int64_t grain = 1 + 1000 / std::max<int64_t>(1, cost);
      ParallelFor(count, grain, [&](int64_t begin, int64_t end, int64_t slot) {
        for (int64_t i = begin; i < end; ++i) body(i, slot);
      });
    };
    const int64_t batch = p_.out.sizes[0], channels = p_.out.sizes[1];
    const int64_t cost = channels * std::min(kBlock, p_.positions());
    if (!backward_) {
      each(batch * p_.blocks(), cost,
           [&](int64_t i, int64_t slot) { sampler.Results(i, scratch + slot); });
    }
    if (p_.input_gradient.given()) {
      const int64_t groups = (channels + group_ - 1) / group_;
      each(batch * groups, group_ * p_.positions(), [&](int64_t i, int64_t slot) {
        const int64_t begin = i % groups * group_;
        sampler.InputGradient(i / groups, begin, std::min(begin + group_, channels), scratch + slot,
                              volumes + slot * group_numbers_);
      });
    }
    if (p_.grid_gradient.given()) {
      each(batch * p_.blocks(), cost,
           [&](int64_t i, int64_t slot) { sampler.GridGradient(i, scratch + slot); });
    }
  }

  const Params p_;
  const bool backward_;
  int64_t group_ = 1;  // channels of the gradient by the input that a thread sums up at once
  int64_t group_numbers_ = 0;
  WorkspaceSlot<char> scratch_, volumes_;
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
