// SPDX-License-Identifier: Apache-2.0
// aclnnNsaCompressWithCache: of each sequence that a new token has completed a block of, its last
// rows become one of the cache.
#include <algorithm>
#include <tuple>

#include "acl/error_codes/rt_error_codes.h"
#include "kernels.h"
#include "ops/native_sparse_attention/compress.h"
#include "ops/native_sparse_attention/head_rows.h"
#include "ops/native_sparse_attention/pages.h"

namespace anyacl::native_sparse_attention {
namespace {

constexpr CompressLimits kLimits = {.heads = 64, .dim = 256};
// Above, heads are even in number.
constexpr int64_t kMostOddHeads = 50;

// A block that is complete.
struct NewBlock {
  int64_t sequence;
  Rows rows;
  int64_t first;  // of its rows
};

struct CacheParams {
  // [row][head][number]; rows of the input lie where RowAt says.
  TensorView input, weight, slots, cache;
  Pages pages;
  int64_t row_step = 0, page_step = 0;
  std::vector<NewBlock> blocks;

  // The first element of a row behind that of the input.
  int64_t RowAt(int64_t row) const {
    if (!pages.table.given()) return row * row_step;
    return row / pages.page_size * page_step + row % pages.page_size * row_step;
  }
};

class CachePlan final : public CompressionPlan {
 public:
  explicit CachePlan(CacheParams params)
      : CompressionPlan(params.weight, params.input.sizes[2]), p_(std::move(params)) {
    targets_ = book_.Book<Target>(p_.blocks.size());
    rows_ = book_.Book<int64_t>(p_.blocks.size() * static_cast<size_t>(window()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (size_t i = 0; i < p_.blocks.size(); ++i) {
      if (Status s = Locate(bindings, i); !s.ok()) return s;
    }
    const int64_t targets = KeepLastOfEqualSlots(bindings);
    const float* const weights = LoadedWeights(bindings);
    const HeadRows input(p_.input, bindings), cache(p_.cache, bindings);
    const int64_t grain = std::max<int64_t>(1, kWorthNumbers / (window() * dim()));
    const int64_t count = targets * heads();
    ParallelFor(count, grain, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const row = RowOf(bindings, slot, 0);
      float* const sum = RowOf(bindings, slot, 1);
      for (int64_t i = begin; i < end; ++i) {
        const Target& target = targets_.In(bindings)[i / heads()];
        const int64_t head = i % heads();
        const int64_t* const rows = rows_.In(bindings) + target.block * window();
        std::fill_n(sum, dim(), 0.0f);
        for (int64_t w = 0; w < window(); ++w) {
          input.Load(rows[w], head, row);
          Kernels().native_sparse_attention.add_weighted(weights[w * heads() + head], row, dim(),
                                                         sum);
        }
        cache.Store(sum, target.slot, head);
      }
    });
    return {};
  }

 private:
  // The row of the cache that block number `block` becomes, as it was when it was checked:
  // slotMapping may lie in the cache.
  struct Target {
    int32_t slot;
    int32_t block;
  };

  // Where the rows of a block lie, and where it goes.
  Status Locate(const Bindings& bindings, size_t index) const {
    const NewBlock& block = p_.blocks[index];
    const int32_t slot = reinterpret_cast<const int32_t*>(
        p_.slots.Address(bindings))[block.sequence * p_.slots.strides[0]];
    if (slot < 0 || slot >= p_.cache.sizes[0]) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "slotMapping[{}] = {}, expected 0 to {}, the rows of outputCache", block.sequence,
                  slot, p_.cache.sizes[0] - 1);
    }
    targets_.In(bindings)[index] = {slot, static_cast<int32_t>(index)};
    int64_t* const rows = rows_.In(bindings) + static_cast<int64_t>(index) * window();
    const KeyPlaces places(p_.pages, bindings, block.sequence, block.rows);
    for (int64_t w = 0; w < window(); ++w) {
      int64_t row = 0, run = 0;
      if (Status s = places.Find(block.first + w, 1, &row, &run); !s.ok()) return s;
      rows[w] = p_.RowAt(row);
    }
    return {};
  }

  // Equal slots are written once, by the last sequence, or it would depend on the threads which one
  // is. Returns how many targets there are.
  int64_t KeepLastOfEqualSlots(const Bindings& bindings) const {
    Target* const begin = targets_.In(bindings);
    Target* const end = begin + p_.blocks.size();
    std::sort(begin, end, [](const Target& a, const Target& b) {
      return std::tie(a.slot, b.block) < std::tie(b.slot, a.block);
    });
    return std::unique(begin, end,
                       [](const Target& a, const Target& b) { return a.slot == b.slot; }) -
           begin;
  }

  const CacheParams p_;
  WorkspaceSlot<Target> targets_;
  WorkspaceSlot<int64_t> rows_;
};

Status CheckShapes(const Operands& operands, CacheParams* p) {
  for (int id : {kInput, kWeight, kOutput, kSlots}) {
    if (!operands[id].IsEmpty()) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected no empty tensor",
                operands.NameOf(id), operands[id].shape().ToString());
  }
  const bool paged = operands.Given(kBlockTable);
  const Dims& input = operands[kInput].shape();
  if (input.rank() != (paged ? 4u : 3u)) {
    return Fail(RuleCode(operands), "input.shape = {}, expected {} as blockTableOptional is {}",
                input.ToString(), paged ? "[blocks, pageBlockSize, N, D]" : "[T, N, D]",
                paged ? "given" : "null");
  }
  if (!paged) {
    if (Status s = CheckLayout(operands, kLayout); !s.ok()) return s;
  }
  const int64_t page = operands.Int(kPageBlockSize);
  if (page != 64 && page != 128) {
    return Fail(RuleCode(operands), "pageBlockSize = {}, expected 64 or 128", page);
  }
  if (Status s = CheckCompressSizes(operands, kLimits); !s.ok()) return s;
  const int64_t heads = input[input.rank() - 2];
  if (heads > kMostOddHeads && heads % 2 != 0) {
    return Fail(RuleCode(operands),
                "input.shape = {}, expected at most {} heads, or an even number", input.ToString(),
                kMostOddHeads);
  }
  p->input = ViewOf(operands, kInput);
  if (paged) {
    p->pages = {.table = ViewOf(operands, kBlockTable),
                .page_size = page,
                .page_count = input[0],
                .name = operands.NameOf(kBlockTable)};
    p->page_step = p->input.strides[0];
    p->input = WithoutDim(p->input, 0);
  }
  p->row_step = p->input.strides[0];
  p->input.strides[0] = 1;
  return {};
}

// Sequences whose last rows are a block.
Status ReadLengths(const Operands& operands, CacheParams* p) {
  const auto lengths = operands.Ints(kEnds);
  const auto sequences = static_cast<size_t>(operands[kSlots].shape()[0]);
  if (lengths.size() != sequences) {
    return Fail(RuleCode(operands), "{} has {} values, expected {}, as many as slotMapping",
                operands.NameOf(kEnds), lengths.size(), sequences);
  }
  const Blocks sizes = {operands.Int(kCompressBlockSize), operands.Int(kCompressStride)};
  const bool paged = p->pages.table.given();
  int64_t begin = 0;
  for (size_t b = 0; b < sequences; ++b) {
    const int64_t most = paged ? p->pages.most_keys() : p->input.sizes[0] - begin;
    if (lengths[b] < 0 || lengths[b] > most) {
      return Fail(RuleCode(operands), "{}[{}] = {}, expected 0 to {}, the rows there are",
                  operands.NameOf(kEnds), b, lengths[b], most);
    }
    const int64_t first = lengths[b] - sizes.window;
    if (first >= 0 && first % sizes.stride == 0) {
      p->blocks.push_back({static_cast<int64_t>(b), {begin, lengths[b]}, first});
    }
    if (!paged) begin += lengths[b];
  }
  return {};
}

}  // namespace

Status PrepareCompressWithCache(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  CacheParams p;
  if (Status s = CheckShapes(operands, &p); !s.ok()) return s;
  if (Status s = ReadLengths(operands, &p); !s.ok() || p.blocks.empty()) return s;
  p.weight = ViewOf(operands, kWeight);
  p.slots = ViewOf(operands, kSlots);
  p.cache = ViewOf(operands, kOutput);
  call->plan = std::make_shared<CachePlan>(std::move(p));
  return {};
}

}  // namespace anyacl::native_sparse_attention
