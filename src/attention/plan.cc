// SPDX-License-Identifier: Apache-2.0
// Cuts the problem into items, runs them, and merges what splits of the columns have left.
#include "attention/plan.h"

#include "attention/results.h"
#include "attention/scratch.h"
#include "base/division.h"
#include "runtime/parallel.h"

namespace anyacl::attention {
namespace {

// Columns of a split: 1024 of them are 30 us of reading at D = 128, which hides the merging. Its
// length does not depend on the number of threads, so neither does the result.
constexpr int64_t kSplitColumns = 1024;
// At most that many splits: longer sequences have longer ones.
constexpr int64_t kMaxSplits = 64;
// More rows than this make enough blocks, and partial results that would cost more than they bring.
// With ropes all heads (up to 128) share one of the keys, and a column costs four times as much.
constexpr int64_t kMaxSplitRows = 64;
constexpr int64_t kMaxSplitRopeRows = 128;
// Floats of o of a block, so that q, o and a tile fit a second cache of 1 MiB. At D = 512 + 64 that
// is 96 rows: of 48, half as many, packing the tiles would take a fifth of the time.
constexpr int64_t kBlockFloats = 48 * 1024;
constexpr int64_t kRopeBlockFloats = 56 * 1024;

class AttentionPlan final : public BookedPlan {
 public:
  explicit AttentionPlan(Params params)
      : p_(std::move(params)),
        blocking_(ChooseBlocking(p_)),
        piece_(static_cast<int64_t>(blocking_.scratch_bytes) * blocking_.heads_together) {
    channels_ = BookChannels(p_, book_);
    scratch_ = book_.Book<char>(ThreadCount(), piece_);
    if (blocking_.splits > 1) {
      partials_ = book_.Book<float>(
          static_cast<size_t>(p_.batch * p_.kv_heads * blocking_.splits * PartialRows()));
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Bound bound = Bind(p_, channels_, bindings);
    if (Status s = CheckBlocks(bound); !s.ok()) return s;
    if (p_.query_lengths != nullptr && p_.origins.empty()) ClearRows(bound);
    float* partials = blocking_.splits > 1 ? partials_.In(bindings) : nullptr;
    const int64_t items = p_.batch * HeadGroups() * blocking_.blocks() * blocking_.splits;
    ParallelFor(items, Grain(), [&](int64_t begin, int64_t end, int64_t slot) {
      char* const scratch = scratch_.In(bindings) + slot * piece_;
      for (int64_t i = begin; i < end; ++i) {
        const Item item = ItemOf(i);
        float* partial = partials == nullptr ? nullptr : partials + PartialsOf(item, item.split);
        Attend(bound, blocking_, item, scratch, partial);
      }
    });
    if (partials == nullptr) return {};
    ParallelFor(p_.batch * p_.kv_heads, 16, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Item item{i / p_.kv_heads, i % p_.kv_heads, 0, 0};
        Merge(bound, blocking_, item.batch, item.head, partials + PartialsOf(item, 0));
      }
    });
    return {};
  }

 private:
  int64_t PartialRows() const { return blocking_.rows * blocking_.partial_floats(); }
  int64_t HeadGroups() const { return CeilDivide(p_.kv_heads, blocking_.heads_together); }
  int64_t PartialsOf(const Item& item, int64_t split) const {
    return ((item.batch * p_.kv_heads + item.head) * blocking_.splits + split) * PartialRows();
  }

  // Splits of one head follow each other in memory: where there are heads enough for any number of
  // threads, a thread takes them together, and the fetching ahead of one serves the next.
  int64_t Grain() const {
    constexpr int64_t kManyHeads = 64;
    return p_.batch * HeadGroups() >= kManyHeads ? std::min<int64_t>(blocking_.splits, 8) : 1;
  }

  // The last rows first: under a causal mask they take longest.
  Item ItemOf(int64_t i) const {
    Item item{};
    item.split = i % blocking_.splits;
    i /= blocking_.splits;
    item.head = i % HeadGroups() * blocking_.heads_together;
    i /= HeadGroups();
    item.batch = i % p_.batch;
    item.block = blocking_.blocks() - 1 - i / p_.batch;
    return item;
  }

  void ClearRows(const Bound& bound) const {
    ParallelFor(p_.batch * p_.heads(), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) ClearOtherRows(bound, i / p_.heads(), i % p_.heads());
    });
  }

  const Params p_;
  const Blocking blocking_;
  const int64_t piece_;
  ChannelSlots channels_;
  WorkspaceSlot<char> scratch_;
  WorkspaceSlot<float> partials_;
};

int64_t SplitRows(const Params& p) { return p.rope_dim > 0 ? kMaxSplitRopeRows : kMaxSplitRows; }

// As many as leave enough items for the threads of a usual machine.
int64_t HeadsTogether(const Params& p, int64_t splits) {
  constexpr int64_t kItems = 16;
  int64_t together = std::min(p.kv_heads, kMaxHeadsTogether);
  while (together > 1 && p.batch * splits * (p.kv_heads / together) < kItems) together /= 2;
  return together;
}

}  // namespace

Blocking ChooseBlocking(const Params& p) {
  Blocking blocking;
  const bool quantised_sums = p.sum_scale.given();
  blocking.rows = p.query_size * p.group;
  blocking.decode =
      blocking.rows <= kMaxDecodeRows && !quantised_sums && !p.drop.given() && p.value_dim == p.dim;
  // INT8 results have the same bits on every machine, which bf16 products have not.
  blocking.bf16 = p.cache_type == Element::kBf16 && p.out_type != Element::kInt8;
  blocking.row_step = static_cast<int>(RoundUp(p.dim, blocking.bf16 && !blocking.decode ? 32 : 16));
  const bool bf16_query = p.query_type == Element::kBf16;
  // An offset may cancel most of a number, but not the rounding of what it is multiplied with.
  blocking.narrow_values = p.out_type != Element::kInt8 && !p.value_scales.offset.given() &&
                           p.cache_type != Element::kFp16 && p.cache_type != Element::kFp32;
  blocking.narrow_scores = blocking.narrow_values && bf16_query;
  if (p.cache_type != Element::kBf16) {
    // Scores of queries with 16 bits are 1e-4 off where 2.5e-5 are asked for in an LSE.
    blocking.narrow_scores =
        blocking.narrow_scores && !p.key_scales.offset.given() && !p.lse.given();
  }
  if (blocking.decode) {
    blocking.block_rows = kMaxDecodeRows;
  } else {
    const int64_t floats = p.rope_dim > 0 ? kRopeBlockFloats : kBlockFloats;
    const int64_t most = std::max<int64_t>(1, floats / blocking.row_step / kPrefillRows);
    // No rows are no blocks, of some length.
    blocking.block_rows = std::clamp<int64_t>(RoundUp(blocking.rows, 16), 16, most * kPrefillRows);
  }
  const int64_t columns = p.no_columns ? 0 : p.prefix + p.max_kv_length;
  if (blocking.rows <= SplitRows(p) && !quantised_sums && columns > kSplitColumns) {
    blocking.split_columns =
        std::max(kSplitColumns, RoundUp(CeilDivide(columns, kMaxSplits), kTile));
    blocking.splits = CeilDivide(columns, blocking.split_columns);
  }
  if (blocking.decode && p.keys[0].token > p.keys[0].head) {
    blocking.heads_together = HeadsTogether(p, blocking.splits);
  }
  const size_t bytes = Scratch(p, blocking, nullptr).size();
  blocking.scratch_bytes =
      (bytes + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment;
  return blocking;
}

uint64_t MostWorkspace(const Params& params, int64_t max_rows, int64_t max_columns) {
  uint64_t most = 0;
  // Few rows are split, and the number of splits is largest where each has its least length.
  for (int64_t limit : {INT64_MAX, SplitRows(params), int64_t{kMaxDecodeRows}}) {
    const int64_t rows = std::min(max_rows, std::max<int64_t>(1, limit / params.group));
    for (int64_t columns : {max_columns, std::min(max_columns, kSplitColumns * kMaxSplits)}) {
      Params p = params;
      p.query_size = rows;
      p.max_kv_length = columns;
      most = std::max(most, MakePlan(std::move(p))->workspace_size());
    }
  }
  return most;
}

std::shared_ptr<const Plan> MakePlan(Params params) {
  return std::make_shared<AttentionPlan>(std::move(params));
}

}  // namespace anyacl::attention
