// SPDX-License-Identifier: Apache-2.0
// Walks the group list and computes the rows in blocks, each in three loops over all threads: the
// rows are packed, panels of weights multiplied, rows finished. In between, the products wait as
// fp32 in the workspace, which is what bounds the rows of a block.
#include <algorithm>

#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/grouped_matmul/op.h"
#include "ops/grouped_matmul/operands.h"
#include "runtime/parallel.h"

namespace anyacl::grouped_matmul {
namespace {

// Of packed rows and products: half of an L3 of 32 MiB, next to the weights.
constexpr int64_t kBlockBytes = int64_t{16} << 20;
// Rows for which it pays to read the weights once more, however wide they are.
constexpr int64_t kLeastBlockRows = 96;

// Rows of one expert within a block.
struct Segment {
  int64_t expert;
  int64_t row;  // of x
  int64_t rows;
  int64_t first;  // of the block
  int64_t tiles_before;
};

struct Block {
  Segment* segments;
  int64_t count = 0;
  int64_t rows = 0;
  int64_t tiles = 0;
};

// What one thread needs besides its registers.
struct Scratch {
  int8_t* panel;
  int8_t* operands;
  float* scales;
  float* bias;
  int32_t* column_sums;
  float* totals;
};

template <class T>
T* At(const Bindings& bindings, int slot, int64_t elements = 0) {
  return reinterpret_cast<T*>(bindings.data[static_cast<size_t>(slot)]) + elements;
}

constexpr int64_t RoundUp(int64_t value, int64_t to) { return (value + to - 1) / to * to; }

class GroupedMatmulPlan final : public BookedPlan {
 public:
  explicit GroupedMatmulPlan(const Params& params)
      : p_(params),
        kernels_(Kernels().grouped_matmul),
        ready_(PanelsAreReady(params)),
        width_(PanelColumns(params.weights)),
        panels_((params.columns + width_ - 1) / width_) {
    const int64_t depth = p_.depth.total();
    // 128 bytes more, so that the rows of a tile do not fall into the same sets of the caches.
    c_step_ = panels_ * width_ + 32;
    const int64_t row_bytes = depth * kernels_.packed_bytes_per_k + 4 * (c_step_ + p_.depth.groups);
    block_rows_ = std::min(p_.rows, std::max(kBlockBytes / row_bytes, kLeastBlockRows));
    packed_ = book_.Book<int8_t>(Size(block_rows_ * depth * kernels_.packed_bytes_per_k));
    sums_ = book_.Book<int32_t>(Size(block_rows_ * p_.depth.groups));
    c_ = book_.Book<float>(Size(block_rows_ * c_step_));
    segments_ = book_.Book<Segment>(Size(std::min(p_.experts, block_rows_)));
    panel_bytes_ = ready_ ? 0 : depth * kPanelBytes;
    operand_bytes_ = depth * kernels_.operand_bytes_per_k;
    scratch_bytes_ = RoundUp(
        panel_bytes_ + operand_bytes_ + ((2 * p_.depth.groups + 1) * width_ + kTileTotals) * 4,
        128);
    scratch_ = book_.Book<char>(Size(ThreadCount() * scratch_bytes_));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Block block{segments_.In(bindings)};
    const auto* bounds = At<const int64_t>(bindings, p_.slot.group_list, p_.group_list.base);
    const auto bound = [&](int64_t i) { return bounds[i * p_.group_list.step]; };
    // The values are the client's and may be anything: bounds that decrease or leave x are moved.
    const int64_t valid = std::clamp<int64_t>(bound(p_.experts - 1), 0, p_.rows);
    int64_t row = 0;
    bool moved = false;
    for (int64_t expert = 0; expert < p_.experts; ++expert) {
      const int64_t end = std::min(std::max(bound(expert), row), valid);
      moved |= end != bound(expert);
      AddRows(bindings, block, expert, row, end - row);
      row = end;
    }
    RunBlock(bindings, block);
    if (moved) {
      Warn("groupList has bounds that decrease or are not within 0 to {}; the others decide",
           p_.rows);
    }
    return {};
  }

 private:
  static size_t Size(int64_t size) { return static_cast<size_t>(size); }

  // An expert that does not fit next to the others gets a block of its own, or several equal ones.
  void AddRows(const Bindings& bindings, Block& block, int64_t expert, int64_t row,
               int64_t rows) const {
    if (rows == 0) return;
    if (block.rows + rows > block_rows_) RunBlock(bindings, block);
    const int64_t parts = (rows + block_rows_ - 1) / block_rows_;
    for (int64_t part = 0; part < parts; ++part) {
      if (part != 0) RunBlock(bindings, block);
      const int64_t begin = rows * part / parts;
      const int64_t count = rows * (part + 1) / parts - begin;
      block.segments[block.count++] = {expert, row + begin, count, block.rows, block.tiles};
      block.rows += count;
      block.tiles += kernels_.tile_count(p_.weights, count);
    }
  }

  void RunBlock(const Bindings& bindings, Block& block) const {
    if (block.rows != 0) {
      Pack(bindings, block);
      Multiply(bindings, block);
      Finish(bindings, block);
    }
    block = {block.segments};
  }

  void Pack(const Bindings& bindings, const Block& block) const {
    // 64 KiB take about 4 us.
    const int64_t rows = (block.rows + block.tiles - 1) / block.tiles;
    const int64_t grain = std::max<int64_t>(1, 65536 / (rows * p_.depth.total() + 1));
    ParallelFor(block.tiles, grain, [&](int64_t begin, int64_t end) {
      const Segment* segment =
          std::upper_bound(block.segments, block.segments + block.count, begin,
                           [](int64_t t, const Segment& s) { return t < s.tiles_before; }) -
          1;
      for (int64_t tile = begin; tile < end; ++tile) {
        const bool last = segment + 1 == block.segments + block.count;
        if (!last && tile == segment[1].tiles_before) ++segment;
        PackTile(bindings, *segment, tile - segment->tiles_before);
      }
    });
  }

  void PackTile(const Bindings& bindings, const Segment& segment, int64_t tile) const {
    PackArgs args{};
    args.weights = p_.weights;
    args.x = At<const int8_t>(bindings, p_.slot.x, p_.x.base + segment.row * p_.x.row_step);
    args.row_step = p_.x.row_step;
    args.column_step = p_.x.column_step;
    args.rows = segment.rows;
    args.depth = p_.depth;
    args.packed = PackedOf(bindings, segment);
    args.sums = SumsOf(bindings, segment);
    kernels_.pack_tile(args, tile);
  }

  int8_t* PackedOf(const Bindings& bindings, const Segment& segment) const {
    return packed_.In(bindings) + segment.first * p_.depth.total() * kernels_.packed_bytes_per_k;
  }
  int32_t* SumsOf(const Bindings& bindings, const Segment& segment) const {
    return sums_.In(bindings) + segment.first * p_.depth.groups;
  }

  void Multiply(const Bindings& bindings, const Block& block) const {
    const int64_t units = block.count * panels_;
    // 128 KiB of weights take 8 us at the least.
    const int64_t passes = 1 + block.rows / block.count / 8;
    const int64_t bytes = p_.depth.total() * kPanelBytes * passes;
    const int64_t grain = std::max<int64_t>(1, (int64_t{128} << 10) / (bytes + 1));
    ParallelFor(units, grain, [&](int64_t begin, int64_t end, int64_t slot) {
      const Scratch scratch = ScratchOf(bindings, slot);
      for (int64_t unit = begin; unit < end; ++unit) {
        MultiplyPanel(bindings, block, unit, scratch);
      }
    });
  }

  Scratch ScratchOf(const Bindings& bindings, int64_t index) const {
    char* at = scratch_.In(bindings) + index * scratch_bytes_;
    Scratch scratch{};
    scratch.panel = reinterpret_cast<int8_t*>(at);
    scratch.operands = scratch.panel + panel_bytes_;
    scratch.scales = reinterpret_cast<float*>(scratch.operands + operand_bytes_);
    scratch.bias = scratch.scales + p_.depth.groups * width_;
    scratch.column_sums = reinterpret_cast<int32_t*>(scratch.bias + width_);
    scratch.totals = reinterpret_cast<float*>(scratch.column_sums + p_.depth.groups * width_);
    return scratch;
  }

  void MultiplyPanel(const Bindings& bindings, const Block& block, int64_t unit,
                     const Scratch& scratch) const {
    const Segment& segment = block.segments[unit / panels_];
    const int64_t panel = unit % panels_;
    const char* weight = At<const char>(bindings, p_.slot.weight);
    LoadScales(p_, kernels_, At<const char>(bindings, p_.slot.scale), segment.expert, panel,
               scratch.scales);
    if (p_.weights == Element::kInt4) {
      LoadBias(p_, At<const char>(bindings, p_.slot.bias), segment.expert, panel, scratch.bias);
    }
    PanelArgs args{};
    args.weights = p_.weights;
    args.panel = scratch.panel;
    args.next = scratch.panel;
    if (!ready_) {
      GatherPanel(p_, weight, segment.expert, panel, scratch.panel);
    } else if (p_.depth.total() > 0) {  // otherwise there may be no weights
      const int64_t next = std::min(unit + 1, block.count * panels_ - 1);
      args.panel = PanelAt(p_, weight, segment.expert, panel);
      args.next = PanelAt(p_, weight, block.segments[next / panels_].expert, next % panels_);
    }
    args.packed = PackedOf(bindings, segment);
    args.sums = SumsOf(bindings, segment);
    args.rows = segment.rows;
    args.depth = p_.depth;
    args.x_scale =
        At<const float>(bindings, p_.slot.x_scale, p_.x_scale.base + segment.row * p_.x_scale.step);
    args.x_scale_step = p_.x_scale.step;
    args.scales = scratch.scales;
    args.bias = scratch.bias;
    args.c = c_.In(bindings) + segment.first * c_step_ + panel * width_;
    args.c_step = c_step_;
    args.column_sums = scratch.column_sums;
    args.totals = scratch.totals;
    args.operands = scratch.operands;
    kernels_.multiply_panel(args);
  }

  void Finish(const Bindings& bindings, const Block& block) const {
    // The segments' rows follow one another. 4096 columns take about 2 us.
    const int64_t first = block.segments[0].row;
    const int64_t grain = std::max<int64_t>(1, 8192 / p_.columns);
    ParallelFor(block.rows, grain, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const int64_t row = first + r;
        RowArgs args{};
        args.c = c_.In(bindings) + r * c_step_;
        args.next = args.c + c_step_;
        args.half = p_.columns / 2;
        args.q = At<int8_t>(bindings, p_.slot.q, p_.q.base + row * p_.q.row_step);
        args.q_step = p_.q.column_step;
        args.scale = At<float>(bindings, p_.slot.q_scale, p_.q_scale.base + row * p_.q_scale.step);
        kernels_.finish_row(args);
      }
    });
  }

  const Params p_;
  const KernelSet& kernels_;
  const bool ready_;
  const int64_t width_;   // columns of a panel
  const int64_t panels_;  // of an expert
  int64_t c_step_;
  int64_t block_rows_;
  int64_t panel_bytes_;
  int64_t operand_bytes_;
  int64_t scratch_bytes_;
  WorkspaceSlot<int8_t> packed_;
  WorkspaceSlot<int32_t> sums_;
  WorkspaceSlot<float> c_;
  WorkspaceSlot<Segment> segments_;
  WorkspaceSlot<char> scratch_;
};

Status Prepare(Variant variant, Operands& operands, PreparedCall* call) {
  Params params;
  if (Status s = Check(variant, operands, &params); !s.ok()) return s;
  if (!params.empty) call->plan = std::make_shared<GroupedMatmulPlan>(params);
  return {};
}

}  // namespace

Status PreparePlain(Operands& operands, PreparedCall* call) {
  return Prepare(Variant::kPlain, operands, call);
}

Status PrepareWeightNz(Operands& operands, PreparedCall* call) {
  return Prepare(Variant::kWeightNz, operands, call);
}

}  // namespace anyacl::grouped_matmul
