// SPDX-License-Identifier: Apache-2.0
// aclnnBlockSparseAttention on the engine of attention: blocks of queries of any head and sequence
// are batch entries, some at a time, and the keys are a cache in blocks, whose table follows from
// the mask when the task runs.
#include <algorithm>
#include <limits>
#include <utility>

#include "attention/attend.h"
#include "attention/plan.h"
#include "base/division.h"
#include "nnop/workspace.h"
#include "ops/block_sparse_attention/problem.h"
#include "runtime/parallel.h"

namespace anyacl::block_sparse_attention {
namespace {

using attention::Params;

// Entries of one plan of the engine: enough for each thread to have some, but no more than tables
// and partial results of so many bytes have; entries with those are many pieces of work each.
constexpr int64_t kLeastEntries = 64, kEntriesPerThread = 8;
constexpr uint64_t kGroupBytes = 16 << 20;

struct ForwardParams {
  Problem problem;
  TensorView query, key, value, out, lse;  // [batch][head][row][column]
  int table_slot = 0;
  Element type = Element::kFp16;
};

class ForwardPlan final : public BookedPlan {
 public:
  explicit ForwardPlan(ForwardParams params)
      : f_(std::move(params)),
        most_blocks_(CeilDivide(p().most_keys(), p().block_keys)),
        alike_(MakeAlike()),
        most_entries_(MostEntries()) {
    tables_ = book_.Book<int32_t>(most_entries_, most_blocks_);
    workspace_ = book_.Book<char>(WorkspaceOf(most_entries_));
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    Group group;
    for (int64_t b = 0; b < p().batch; ++b) {
      const int64_t rows = p().SequenceOf(b).rows, whole = rows / p().block_rows;
      if (Status s = Add(bindings, stop, {b, 0, 0}, whole, p().block_rows, &group); !s.ok()) {
        return s;
      }
      const int64_t rest = rows % p().block_rows;
      if (rest == 0) continue;
      if (Status s = Add(bindings, stop, {b, 0, whole}, 1, rest, &group); !s.ok()) return s;
    }
    if (Status s = Attend(bindings, stop, &group); !s.ok()) return s;
    p().FillUnused(bindings, f_.out, &Sequence::first_row, &Sequence::rows, 0);
    if (f_.lse.given()) {
      constexpr float kInfinity = std::numeric_limits<float>::infinity();
      p().FillUnused(bindings, f_.lse, &Sequence::first_row, &Sequence::rows, kInfinity);
    }
    return {};
  }

 private:
  struct Block {
    int64_t b = 0, head = 0, number = 0;
  };

  // How the engine goes about entries of so many rows and keys. Where it is the same a row's bits
  // are the same, and a plan does as well with all of them as with one.
  struct Way {
    bool decode = false;
    int64_t splits = 1, split_columns = 0;

    bool operator==(const Way&) const = default;
  };
  struct Group {
    std::vector<Block> entries;
    Way way;
    int64_t rows = 0, keys = 0;  // the most of an entry
  };

  const Problem& p() const { return f_.problem; }

  uint64_t WorkspaceOf(int64_t entries) const {
    if (entries == 0) return 0;
    Params most = alike_;
    most.batch = entries;
    return attention::MostWorkspace(most, p().block_rows, p().most_keys());
  }

  int64_t MostEntries() const {
    const uint64_t bytes = WorkspaceOf(2) - WorkspaceOf(1) + sizeof(int32_t) * most_blocks_;
    const auto fitting =
        static_cast<int64_t>(std::max<uint64_t>(1, kGroupBytes / std::max<uint64_t>(1, bytes)));
    const int64_t blocks = CeilDivide(p().most_rows(), p().block_rows);
    return std::min({fitting, std::max(kLeastEntries, kEntriesPerThread * ThreadCount()),
                     p().batch * p().heads * blocks});
  }

  Way WayOf(int64_t rows, int64_t keys) const {
    Params a = alike_;
    a.query_size = rows;
    a.max_kv_length = keys;
    const attention::Blocking blocking = attention::ChooseBlocking(a);
    return {blocking.decode, blocking.splits, blocking.split_columns};
  }

  // `count` blocks of so many rows from `first` on, of each head.
  Status Add(const Bindings& bindings, const StopToken& stop, Block first, int64_t count,
             int64_t rows, Group* group) const {
    const int64_t keys = p().SequenceOf(first.b).keys;
    const Way way = WayOf(rows, keys);
    for (int64_t i = 0; i < p().heads * count; ++i) {
      if (group->way != way || static_cast<int64_t>(group->entries.size()) == most_entries_) {
        if (Status s = Attend(bindings, stop, group); !s.ok()) return s;
        group->way = way;
      }
      group->entries.push_back({first.b, i / count, first.number + i % count});
      group->rows = std::max(group->rows, rows);
      group->keys = std::max(group->keys, keys);
    }
    return {};
  }

  // What is alike for all entries.
  Params MakeAlike() const {
    const auto rows_of = [&](TensorView view) {
      if (view.given()) view.strides[0] = 0;
      return view;
    };
    Params a;
    a.query_size = p().block_rows;
    a.kv_heads = a.group = 1;
    a.dim = a.value_dim = p().dim;
    a.kv_size = a.max_kv_length = p().most_keys();
    a.scale = p().scale;
    a.masked_score = -std::numeric_limits<float>::infinity();
    a.correct_rows = true;
    a.query_type = a.cache_type = a.out_type = f_.type;
    a.query = rows_of(f_.query);
    a.out = rows_of(f_.out);
    a.lse = rows_of(f_.lse);
    a.keys = {CacheOf(f_.key, {})};
    a.values = {CacheOf(f_.value, {})};
    a.block_size = p().block_keys;
    a.block_count = most_blocks_;
    a.block_table = {.slot = f_.table_slot,
                     .dtype = ACL_INT32,
                     .rank = 2,
                     .sizes = {1, most_blocks_},
                     .strides = {most_blocks_, 1}};
    return a;
  }

  attention::TokenMap CacheOf(TensorView view, const Block& block) const {
    const int64_t key_head = block.head / (p().heads / p().key_heads);
    view.offset = attention::RowAt(view, p().ragged ? 0 : block.b, key_head,
                                   p().SequenceOf(block.b).first_key);
    attention::TokenMap map = attention::TokensOf(view);
    map.batch = map.head = 0;
    map.block = p().block_keys * map.token;
    return map;
  }

  // All entries of a group, which is empty then.
  Status Attend(const Bindings& bindings, const StopToken& stop, Group* group) const {
    if (group->entries.empty()) return {};
    const std::vector<Block> entries = std::exchange(group->entries, {});
    const size_t count = entries.size();
    auto rows = std::make_shared<IntArray>(count), keys = std::make_shared<IntArray>(count);
    Params a = alike_;
    a.query_size = std::exchange(group->rows, 0);
    a.max_kv_length = std::exchange(group->keys, 0);
    a.batch = a.block_table.sizes[0] = static_cast<int64_t>(count);
    a.origins.resize(count);
    a.keys.resize(count);
    a.values.resize(count);
    ParallelFor(
        a.batch, CeilDivide(int64_t{1} << 13, most_blocks_ + 64), [&](int64_t i, int64_t end) {
          for (; i < end; ++i) {
            const auto e = static_cast<size_t>(i);
            const Block& block = entries[e];
            a.origins[e] = OriginsOf(block);
            a.keys[e] = CacheOf(f_.key, block);
            a.values[e] = CacheOf(f_.value, block);
            (*rows)[e] = std::min(p().block_rows,
                                  p().SequenceOf(block.b).rows - block.number * p().block_rows);
            (*keys)[e] = FillTable(bindings, block, tables_.In(bindings) + i * most_blocks_);
          }
        });
    a.query_lengths = std::move(rows);
    a.kv_lengths = std::move(keys);
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    data.push_back(reinterpret_cast<char*>(tables_.In(bindings)));
    return attention::MakePlan(std::move(a))->Run({data, workspace_.In(bindings)}, stop);
  }

  Params::Origins OriginsOf(const Block& block) const {
    const int64_t row = p().SequenceOf(block.b).first_row + block.number * p().block_rows;
    const auto at = [&](const TensorView& view) {
      if (!view.given()) return int64_t{0};
      return attention::RowAt(view, p().ragged ? 0 : block.b, block.head, row) - view.offset;
    };
    return {at(f_.query), at(f_.out), at(f_.lse)};
  }

  // Returns how many keys the blocks have that it names.
  int64_t FillTable(const Bindings& bindings, const Block& block, int32_t* table) const {
    int64_t keys = 0;
    p().ForChosen(bindings, block.b, block.head, block.number, [&](int64_t number, int64_t count) {
      *table++ = static_cast<int32_t>(number);
      keys += count;
    });
    return keys;
  }

  const ForwardParams f_;
  const int64_t most_blocks_;
  const Params alike_;
  const int64_t most_entries_;
  WorkspaceSlot<int32_t> tables_;
  WorkspaceSlot<char> workspace_;
};

}  // namespace

Status PrepareForward(Operands& operands, PreparedCall* call) {
  ForwardParams f;
  Problem& p = f.problem;
  if (Status s = CheckProblem(operands, &p); !s.ok()) return s;
  const bool wants_lse = operands.Int(kLseFlag) == 1;
  if (wants_lse && !operands.Given(kLse)) {
    return Fail(operands.spec().codes.null,
                "softmaxLseOptional is null, expected a tensor as softmaxLseFlag = 1");
  }
  // A block that holds all rows, or all keys, ends with them.
  p.block_rows = std::min(p.block_rows, std::max<int64_t>(1, p.most_rows()));
  p.block_keys = std::min(p.block_keys, std::max<int64_t>(1, p.most_keys()));
  f.query = ViewByHead(operands, p, kQuery);
  f.key = ViewByHead(operands, p, kKey);
  f.value = ViewByHead(operands, p, kValue);
  f.out = ViewByHead(operands, p, kOut);
  if (wants_lse) f.lse = ViewByHead(operands, p, kLse);
  f.table_slot = static_cast<int>(operands.Slots().size());
  f.type = ElementOf(operands[kQuery].dtype());
  call->plan = std::make_shared<ForwardPlan>(std::move(f));
  return {};
}

}  // namespace anyacl::block_sparse_attention
