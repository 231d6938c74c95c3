// SPDX-License-Identifier: Apache-2.0
// GatherPaKvCache: the tokens of sequences, whose blocks a table lists, one behind the other. What
// the table does not have is zeros. Threads share tokens.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "nnop/copy.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/slice_update/caches.h"
#include "ops/slice_update/operators.h"
#include "runtime/parallel.h"

namespace anyacl::slice_update {
namespace {

struct GatherParams {
  std::vector<Side> sides;
  TensorView table{}, lengths{}, offsets{};
  bool ends = false;  // lengths are those of all sequences so far, from 0 on
  int64_t tokens = 0, blocks = 0, block_size = 0;
};

TensorView Packed(TensorView view) {
  int64_t step = 1;
  for (int i = view.rank - 1; i >= 0; --i) {
    view.strides[i] = step;
    step *= view.sizes[i];
  }
  return view;
}

class GatherPlan final : public BookedPlan {
 public:
  explicit GatherPlan(GatherParams params) : p_(std::move(params)) {
    int64_t most = 0;
    for (const Side& side : p_.sides) {
      copies_.emplace_back(LoopsOf(side.to, side.from));
      clears_.emplace_back(LoopsOf(side.to, Packed(side.from)));
      most = std::max(most, copies_.back().bytes());
    }
    slots_ = book_.Book<int64_t>(static_cast<size_t>(p_.tokens));
    zeros_ = book_.Book<char>(static_cast<size_t>(most));
    zero_bytes_ = static_cast<size_t>(most);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const slots = slots_.In(bindings);
    int64_t tokens = 0;
    if (Status s = ReadSlots(bindings, slots, &tokens); !s.ok()) return s;
    std::memset(zeros_.In(bindings), 0, zero_bytes_);
    for (size_t i = 0; i < p_.sides.size(); ++i) {
      constexpr int64_t kWorth = 1 << 16;  // bytes: 5 us
      ParallelFor(tokens, std::max<int64_t>(1, kWorth / copies_[i].bytes()),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t t = begin; t < end; ++t) Write(bindings, i, t, slots[t]);
                  });
    }
    return {};
  }

 private:
  static int64_t NumberAt(const TensorView& view, const Bindings& bindings, int64_t at) {
    const char* const data = view.Address(bindings) + at * BytesOf(view);
    return view.dtype == ACL_INT64 ? LoadElement<int64_t>(data)
                                   : int64_t{LoadElement<int32_t>(data)};
  }
  static int64_t NumberOf(const TensorView& view, const Bindings& bindings, int64_t i) {
    return NumberAt(view, bindings, i * view.strides[0]);
  }

  // Of each token the slot that it comes from; -1: zeros.
  Status ReadSlots(const Bindings& bindings, int64_t* slots, int64_t* tokens) const {
    if (p_.ends && NumberOf(p_.lengths, bindings, 0) != 0) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "seqLens[0] = {}, expected 0 as isSeqLensCumsum is true",
                  NumberOf(p_.lengths, bindings, 0));
    }
    for (int64_t b = 0; b < p_.table.sizes[0]; ++b) {
      // Sums are of as many tokens as there are so far.
      const int64_t i = p_.ends ? b + 1 : b, before = p_.ends ? *tokens : 0;
      const int64_t number = NumberOf(p_.lengths, bindings, i);
      const int64_t most = p_.tokens - *tokens + before;
      if (number < before || number > most) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "seqLens[{}] = {}, expected {} to {} for {} tokens of keyRef", i, number,
                    before, most, p_.tokens);
      }
      const int64_t length = number - before;
      const int64_t offset = p_.offsets.given() ? NumberOf(p_.offsets, bindings, b) : 0;
      if (offset < 0) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "seqOffsetOptional[{}] = {}, expected 0 or more",
                    b, offset);
      }
      for (int64_t j = 0; j < length; ++j) {
        slots[(*tokens)++] = SlotOf(bindings, b, offset / p_.block_size, j);
      }
    }
    return {};
  }
  int64_t SlotOf(const Bindings& bindings, int64_t b, int64_t first, int64_t token) const {
    const int64_t column = first + token / p_.block_size;
    if (column >= p_.table.sizes[1]) return -1;
    const int64_t block =
        NumberAt(p_.table, bindings, b * p_.table.strides[0] + column * p_.table.strides[1]);
    if (block < 0 || block >= p_.blocks) return -1;
    return block * p_.block_size + token % p_.block_size;
  }

  void Write(const Bindings& bindings, size_t i, int64_t token, int64_t slot) const {
    const Side& side = p_.sides[i];
    char* const to = side.TokenAt(bindings, token);
    if (slot < 0) return clears_[i].Run(to, zeros_.In(bindings));
    copies_[i].Run(to, side.SlotAt(bindings, slot, p_.block_size));
  }

  const GatherParams p_;
  std::vector<StridedCopy> copies_, clears_;
  WorkspaceSlot<int64_t> slots_;
  WorkspaceSlot<char> zeros_;
  size_t zero_bytes_ = 0;
};

// A token's place in the cache and its own as views of equal sizes.
Status ReadGatheredSide(const Operands& operands, int cache_id, int tokens_id, bool in_pieces,
                        Side* side) {
  const int code = operands.spec().codes.shape;
  if (Status s = CheckFormat(operands, cache_id, in_pieces); !s.ok()) return s;
  side->cache = ViewOf(operands, cache_id);
  side->tokens = ViewOf(operands, tokens_id);
  const Dims &cache = operands[cache_id].shape(), &tokens = operands[tokens_id].shape();
  side->block_step = side->cache.strides[0];
  side->slot_step = side->cache.strides[in_pieces ? 2 : 1];
  side->from = WithoutDim(WithoutDim(side->cache, 0), in_pieces ? 1 : 0);
  side->to = WithoutDim(side->tokens, 0);
  side->from.offset = side->to.offset = 0;
  if (!in_pieces) {
    if (tokens.rank() == 3 && tokens[1] == cache[2] && tokens[2] == cache[3]) return {};
    return Fail(code, "{}.shape = {}, expected [tokens, {}, {}]", operands.NameOf(tokens_id),
                tokens.ToString(), cache[2], cache[3]);
  }
  const std::optional<int64_t> columns = ElementCount(Dims{cache[1], cache[3]});
  const bool flat = tokens.rank() == 2;
  if (!columns || (flat ? tokens[1] : ElementCount(Dims{tokens[1], tokens[2]})) != columns) {
    return Fail(code, "{}.shape = {}, expected {} * {} elements for each token",
                operands.NameOf(tokens_id), tokens.ToString(), cache[1], cache[3]);
  }
  // Pieces may hold parts of two heads.
  const TensorView& to = side->to;
  if (!flat && to.sizes[0] > 1 && to.strides[0] != to.sizes[1] * to.strides[1]) {
    return Fail(code, "{}.strides = {}, expected heads that follow each other",
                operands.NameOf(tokens_id), operands[tokens_id].strides().ToString());
  }
  side->to = Reshaped(to, {cache[1], cache[3]}, to.strides[to.rank - 1]);
  return {};
}

Status CheckSequences(const Operands& operands, bool ends) {
  const int code = operands.spec().codes.shape;
  const Dims& table = operands[kBlockTables].shape();
  for (int id : {kSeqLens, kSeqOffset}) {
    if (!operands.Given(id)) continue;
    const int64_t count = table[0] + (id == kSeqLens && ends ? 1 : 0);
    if (Status s = CheckShapeIs(operands, id, {count}); !s.ok()) return s;
  }
  const Dims &keys = operands[kKeyCache].shape(), &values = operands[kValueCache].shape();
  if (table[0] < 1 || table[1] < 1) {
    return Fail(code, "blockTables.shape = {}, expected sequences and blocks", table.ToString());
  }
  const bool in_pieces = std::string_view(operands.Text(kCacheMode)) == "PA_NZ";
  const auto slots = [&](const Dims& shape) { return shape[in_pieces ? 2 : 1]; };
  if (slots(values) == slots(keys)) return {};
  return Fail(code, "valueCache.shape = {}, expected {} blocks of {} slots as keyCache has",
              values.ToString(), keys[0], slots(keys));
}

}  // namespace

Status PrepareGatherKvCache(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  size_t mode = 0;
  if (Status s = operands.CheckText(kCacheMode, {"Norm", "PA_NZ"}, &mode); !s.ok()) return s;
  const bool in_pieces = mode == 1;
  GatherParams p;
  p.ends = operands.Flag(kCumulative);
  if (Status s = CheckSequences(operands, p.ends); !s.ok()) return s;
  p.sides.resize(2);
  if (Status s = ReadGatheredSide(operands, kKeyCache, kKey, in_pieces, &p.sides[0]); !s.ok())
    return s;
  if (Status s = ReadGatheredSide(operands, kValueCache, kValue, in_pieces, &p.sides[1]); !s.ok()) {
    return s;
  }
  std::erase_if(p.sides, [](const Side& side) { return side.from.elements() == 0; });
  const Dims& cache = operands[kKeyCache].shape();
  p.table = ViewOf(operands, kBlockTables);
  p.lengths = ViewOf(operands, kSeqLens);
  p.offsets = ViewOf(operands, kSeqOffset);
  p.tokens = operands[kKey].shape()[0];
  p.blocks = cache[0];
  p.block_size = cache[in_pieces ? 2 : 1];
  if (p.tokens == 0 || p.sides.empty()) return {};
  if (p.block_size == 0) {
    return Fail(operands.spec().codes.shape, "keyCache.shape = {}, expected blocks of slots",
                cache.ToString());
  }
  call->plan = std::make_shared<GatherPlan>(std::move(p));
  return {};
}

}  // namespace anyacl::slice_update
