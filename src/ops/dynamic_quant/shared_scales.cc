// SPDX-License-Identifier: Apache-2.0
// A scale for each channel, or one for all of x, by kernel.h's formulas: two passes over tiles of
// some columns of a row, in fp32, each step rounded. Threads share strips of channels, or tiles.
#include <algorithm>
#include <cmath>

#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/int4_rows.h"
#include "ops/blocks/rows.h"
#include "ops/dynamic_quant/op.h"
#include "runtime/parallel.h"

namespace anyacl::dynamic_quant {
namespace {

using elementwise::Op;

constexpr int64_t kTileColumns = 256;    // a multiple of eight, which share a word of 4 bits
constexpr int64_t kTileWorth = 1 << 14;  // numbers: some 5 us

struct Scaling {
  float divisor, scale, offset;
};

// `low` and `high`: the extremes, symmetric ones of magnitudes; NaN if a value is.
Scaling ScalingOf(const Form& form, float low, float high) {
  const bool int8 = form.target == Element::kInt8;
  const float most = int8 ? 127 : 7, range = int8 ? 255 : 15;
  if (!form.asymmetric) {
    const float scale = high / most;
    return {scale == 0 ? INFINITY : scale, scale, 0};
  }
  if (std::isnan(high)) return {NAN, NAN, NAN};
  const float step = (high - low) / range;
  const float scale = std::isnan(step) ? INFINITY : std::max(step, 1e-12f);
  return {scale, scale, most - high / scale};
}

// Columns `column` and following of a row.
struct Tile {
  int64_t row, column, count;
};

class Tiles {
 public:
  explicit Tiles(const Params& params)
      : p_(params),
        last_(p_.x.rank - 1),
        tokens_(p_.scope == Scope::kChannel ? p_.x.sizes[last_ - 1] : p_.rows),
        strips_((p_.cols - 1) / kTileColumns + 1) {}

  int64_t tokens() const { return tokens_; }  // that share scales
  int64_t strips() const { return strips_; }  // of a row

  Tile At(int64_t row, int64_t strip) const {
    const int64_t column = strip * kTileColumns;
    return {row, column, std::min(kTileColumns, p_.cols - column)};
  }

  // x, with its smooth scales.
  void Load(const Bindings& bindings, const Tile& tile, float* v) const {
    LoadRow(bindings, p_.x, p_.x.OffsetOf(tile.row * p_.cols + tile.column), p_.x.strides[last_],
            tile.count, v);
    if (!p_.smooth.given()) return;
    const int64_t step = p_.smooth.strides[0];
    const blocks::Rows numbers(tile.count);
    alignas(64) float smooth[kTileColumns];
    if (p_.scope == Scope::kChannel) {
      LoadRow(bindings, p_.smooth, tile.row % tokens_ * step, step, 1, smooth);
      numbers(Op::kMulScalar, v, v, nullptr, nullptr, smooth[0]);
    } else {
      LoadRow(bindings, p_.smooth, tile.column * step, step, tile.count, smooth);
      numbers(Op::kMul, v, v, smooth);
    }
  }

  void Quantise(const Bindings& bindings, const Tile& tile, const float* divisor,
                const float* offset) const {
    alignas(64) float v[kTileColumns];
    const blocks::Rows numbers(tile.count);
    Load(bindings, tile, v);
    numbers(Op::kDiv, v, v, divisor);
    if (p_.form.asymmetric) numbers(Op::kAdd, v, v, offset);
    numbers(Op::kRound, v, v);
    blocks::StoreIntegers(v, tile.count, p_.y, p_.y.Address(bindings),
                          tile.row * p_.cols + tile.column);
  }

 private:
  static void LoadRow(const Bindings& bindings, const TensorView& view, int64_t at, int64_t step,
                      int64_t count, float* to) {
    blocks::LoadRow(view.dtype, view.Address(bindings) + at * BytesOf(view), step, count, to);
  }

  const Params p_;
  const int last_;
  const int64_t tokens_, strips_;
};

void StoreScaling(const Bindings& bindings, const Params& p, int64_t at, const Scaling& s) {
  StoreElement(p.scale.Address(bindings) + p.scale.OffsetOf(at) * 4, s.scale);
  if (!p.form.asymmetric) return;
  StoreElement(p.offset.Address(bindings) + p.offset.OffsetOf(at) * 4, s.offset);
}

// The extremes of a strip of a matrix's channels are those of blocks of its tokens, whose rows the
// threads share where there are few strips. Extremes are exact, so the blocks leave no trace.
class ChannelPlan final : public BookedPlan {
 public:
  explicit ChannelPlan(const Params& params)
      : p_(params),
        tiles_(params),
        columns_(std::min(p_.cols, kTileColumns)),
        groups_(p_.rows / tiles_.tokens() * tiles_.strips()),
        block_(groups_ < kManyGroups ? std::max<int64_t>(1, kTileWorth / columns_)
                                     : tiles_.tokens()),
        blocks_((tiles_.tokens() - 1) / block_ + 1) {
    if (blocks_ > 1) extremes_ = book_.Book<float>(groups_ * blocks_, 2 * columns_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (blocks_ == 1) {
      const int64_t worth = std::max<int64_t>(1, kTileWorth / columns_ / tiles_.tokens());
      ParallelFor(groups_, worth, [&](int64_t begin, int64_t end) {
        alignas(64) float extremes[2 * kTileColumns];
        for (int64_t i = begin; i < end; ++i) {
          FindExtremes(bindings, i, 0, extremes);
          MakeDivisors(bindings, i, extremes);
          Quantise(bindings, i, 0, extremes);
        }
      });
      return {};
    }
    float* const extremes = extremes_.In(bindings);
    const int64_t size = 2 * columns_;
    const auto for_blocks = [&](const auto& function) {
      ParallelFor(groups_ * blocks_, 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) function(i / blocks_, i % blocks_);
      });
    };
    for_blocks([&](int64_t group, int64_t block) {
      FindExtremes(bindings, group, block, extremes + (group * blocks_ + block) * size);
    });
    ParallelFor(groups_, std::max<int64_t>(1, kTileWorth / size / blocks_),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    float* const first = extremes + i * blocks_ * size;
                    for (int64_t b = 1; b < blocks_; ++b) Join(first, first + b * size);
                    MakeDivisors(bindings, i, first);
                  }
                });
    for_blocks([&](int64_t group, int64_t block) {
      Quantise(bindings, group, block, extremes + group * blocks_ * size);
    });
    return {};
  }

 private:
  // Strips that keep all threads busy: each then stays in its thread's cache for both passes.
  static constexpr int64_t kManyGroups = 64;

  // A strip of a block: its columns of the first token. visit(tile) goes through all tokens.
  Tile TopOf(int64_t group, int64_t block) const {
    const int64_t first = group / tiles_.strips() * tiles_.tokens() + block * block_;
    return tiles_.At(first, group % tiles_.strips());
  }
  template <class Visit>
  void ForTiles(int64_t group, int64_t block, const Visit& visit) const {
    Tile tile = TopOf(group, block);
    for (int64_t left = std::min(block_, tiles_.tokens() - block * block_); left > 0; --left) {
      visit(tile);
      ++tile.row;
    }
  }

  // The least of each column, then the greatest.
  void Join(float* extremes, const float* low, const float* high) const {
    const blocks::Rows numbers(columns_);
    numbers(Op::kMinimum, extremes, extremes, low);
    numbers(Op::kMaximum, extremes + columns_, extremes + columns_, high);
  }
  void Join(float* extremes, const float* other) const { Join(extremes, other, other + columns_); }

  void FindExtremes(const Bindings& bindings, int64_t group, int64_t block, float* extremes) const {
    alignas(64) float v[kTileColumns] = {};
    std::fill_n(extremes, columns_, INFINITY);
    std::fill_n(extremes + columns_, columns_, -INFINITY);
    ForTiles(group, block, [&](const Tile& tile) {
      tiles_.Load(bindings, tile, v);
      if (!p_.form.asymmetric) blocks::Rows(tile.count)(Op::kAbs, v, v);
      Join(extremes, v, v);
    });
  }

  // Stores a strip's scales; its extremes become divisors and offsets.
  void MakeDivisors(const Bindings& bindings, int64_t group, float* extremes) const {
    const Tile tile = TopOf(group, 0);
    const int64_t first = group / tiles_.strips() * p_.cols + tile.column;
    for (int64_t i = 0; i < tile.count; ++i) {
      const Scaling s = ScalingOf(p_.form, extremes[i], extremes[columns_ + i]);
      StoreScaling(bindings, p_, first + i, s);
      extremes[i] = s.divisor;
      extremes[columns_ + i] = s.offset;
    }
  }

  void Quantise(const Bindings& bindings, int64_t group, int64_t block,
                const float* divisors) const {
    ForTiles(group, block, [&](const Tile& tile) {
      tiles_.Quantise(bindings, tile, divisors, divisors + columns_);
    });
  }

  const Params p_;
  const Tiles tiles_;
  const int64_t columns_;         // of a strip, the last one of each row may have fewer
  const int64_t groups_;          // strips of all matrices
  const int64_t block_, blocks_;  // tokens of a block, blocks of a strip
  WorkspaceSlot<float> extremes_;
};

class TensorPlan final : public BookedPlan {
 public:
  explicit TensorPlan(const Params& params) : p_(params), tiles_(params) {
    for (auto& extremes : extremes_) extremes = book_.Book<float>(p_.rows, tiles_.strips());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const auto largest = Kernels().rowwise.fp32.softmax.max;
    float* const high = extremes_[0].In(bindings);
    float* const low = extremes_[1].In(bindings);  // negated
    const int64_t count = p_.rows * tiles_.strips();
    ForTiles([&](int64_t i, const Tile& tile) {
      alignas(64) float v[kTileColumns];
      const blocks::Rows numbers(tile.count);
      tiles_.Load(bindings, tile, v);
      if (!p_.form.asymmetric) numbers(Op::kAbs, v, v);
      high[i] = largest(v, tile.count);
      if (!p_.form.asymmetric) return;
      numbers(Op::kNeg, v, v);
      low[i] = largest(v, tile.count);
    });
    const Scaling s =
        ScalingOf(p_.form, p_.form.asymmetric ? -largest(low, count) : 0, largest(high, count));
    StoreScaling(bindings, p_, 0, s);
    alignas(64) float divisor[kTileColumns], offset[kTileColumns];
    std::fill_n(divisor, kTileColumns, s.divisor);
    std::fill_n(offset, kTileColumns, s.offset);
    ForTiles([&](int64_t, const Tile& tile) { tiles_.Quantise(bindings, tile, divisor, offset); });
    return {};
  }

 private:
  template <class Function>
  void ForTiles(const Function& function) const {
    const int64_t strips = tiles_.strips();
    const int64_t worth = std::max<int64_t>(1, kTileWorth / std::min(p_.cols, kTileColumns));
    ParallelFor(p_.rows * strips, worth, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) function(i, tiles_.At(i / strips, i % strips));
    });
  }

  const Params p_;
  const Tiles tiles_;
  WorkspaceSlot<float> extremes_[2];
};

}  // namespace

std::shared_ptr<const Plan> MakeSharedScalePlan(const Params& params) {
  if (params.scope == Scope::kChannel) return std::make_shared<ChannelPlan>(params);
  return std::make_shared<TensorPlan>(params);
}

}  // namespace anyacl::dynamic_quant
