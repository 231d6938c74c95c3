// SPDX-License-Identifier: Apache-2.0
// ScatterPaKvCache: the heads of a token go to its slot of a cache in blocks, as rows, or in pieces
// that lie a block's slots apart (PA_NZ). Slots are device data: they are checked before anything
// is written. Threads share tokens; where two have one slot, one thread writes all in their order.
#include <algorithm>
#include <utility>
#include <vector>

#include "nnop/copy.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/places.h"
#include "ops/slice_update/caches.h"
#include "ops/slice_update/operators.h"
#include "runtime/parallel.h"

namespace anyacl::slice_update {
namespace {

struct CacheParams {
  std::vector<Side> sides;
  TensorView slots{};
  int64_t blocks = 0, block_size = 0;
};

class KvCachePlan final : public BookedPlan {
 public:
  explicit KvCachePlan(CacheParams params) : p_(std::move(params)) {
    for (const Side& side : p_.sides) copies_.emplace_back(LoopsOf(side.to, side.from));
    slots_ = book_.Book<int64_t>(static_cast<size_t>(tokens()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const slots = slots_.In(bindings);
    if (Status s = ReadSlots(bindings, slots); !s.ok()) return s;
    const bool twice = blocks::HasTwice(slots, tokens());
    for (size_t i = 0; i < p_.sides.size(); ++i) {
      const auto write = [&](int64_t begin, int64_t end) {
        for (int64_t t = begin; t < end; ++t) {
          if (slots[t] >= 0) Write(bindings, i, t, slots[t]);
        }
      };
      constexpr int64_t kWorth = 1 << 16;  // bytes: 5 us
      if (twice) {
        write(0, tokens());
      } else {
        ParallelFor(tokens(), std::max<int64_t>(1, kWorth / copies_[i].bytes()), write);
      }
    }
    return {};
  }

 private:
  int64_t tokens() const { return p_.slots.sizes[0]; }

  Status ReadSlots(const Bindings& bindings, int64_t* slots) const {
    const char* const data = p_.slots.Address(bindings);
    const int64_t last = p_.blocks * p_.block_size - 1;
    for (int64_t t = 0; t < tokens(); ++t) {
      const char* const at = data + t * p_.slots.strides[0] * BytesOf(p_.slots);
      slots[t] = p_.slots.dtype == ACL_INT64 ? LoadElement<int64_t>(at)
                                             : int64_t{LoadElement<int32_t>(at)};
      if (slots[t] <= last) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "slotMapping[{}] = {}, expected at most {}: {} blocks of {} slots", t, slots[t],
                  last, p_.blocks, p_.block_size);
    }
    return {};
  }

  void Write(const Bindings& bindings, size_t i, int64_t token, int64_t slot) const {
    const Side& side = p_.sides[i];
    copies_[i].Run(side.SlotAt(bindings, slot, p_.block_size), side.TokenAt(bindings, token));
  }

  const CacheParams p_;
  std::vector<StridedCopy> copies_;
  WorkspaceSlot<int64_t> slots_;
};

struct Mode {
  bool in_pieces = false;  // PA_NZ
  bool apart = false;      // Nct
};

Status ReadMode(const Operands& operands, Mode* mode) {
  const int code = operands.spec().codes.shape;
  size_t cache = 0, scatter = 0;
  if (Status s = operands.CheckText(kCacheMode, {"Norm", "PA_NZ"}, &cache); !s.ok()) return s;
  if (Status s =
          operands.CheckText(kScatterMode, {"None", "Nct", "Alibi", "Rope", "Omni"}, &scatter);
      !s.ok()) {
    return s;
  }
  if (scatter > 1) {
    return Fail(code,
                "scatterModeOptional = \"{}\", expected \"None\" or \"Nct\": compressed caches are "
                "not offered",
                operands.Text(kScatterMode));
  }
  mode->in_pieces = cache == 1;
  mode->apart = scatter == 1;
  if (mode->apart && mode->in_pieces) {
    return Fail(code,
                "scatterModeOptional = \"Nct\", expected \"None\" as cacheModeOptional is "
                "\"PA_NZ\"");
  }
  for (int id : {kCompressLens, kCompressOffsets, kSeqLens}) {
    if (!operands.Given(id)) continue;
    return Fail(code, "{} is given, expected null as scatterModeOptional is \"{}\"",
                operands.NameOf(id), mode->apart ? "Nct" : "None");
  }
  return {};
}

// All tensors but the slots' are of key's type, and all of the slots' are of theirs.
Status CheckAlike(const Operands& operands) {
  for (int id : {kCompressLens, kCompressOffsets, kSeqLens}) {
    if (!operands.Given(id) || operands[id].dtype() == operands[kSlots].dtype()) continue;
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as slotMapping.dtype",
                operands.NameOf(id), NameOf(operands[id].dtype()),
                NameOf(operands[kSlots].dtype()));
  }
  return {};
}

// Nct: the tokens of `id` lie as the arrays' element `which` says.
Status SeeApart(Operands& operands, int id, size_t which) {
  const int code = operands.spec().codes.shape;
  for (int array : {kTokenSteps, kTokenOffsets}) {
    const auto given = operands.Ints(array);
    if (given.size() != 2) {
      return Fail(code, "{} has {} values, expected 2 as scatterModeOptional is \"Nct\"",
                  operands.NameOf(array), given.size());
    }
    const int64_t least = array == kTokenSteps ? 1 : 0;
    if (given[which] < least) {
      return Fail(code, "{}[{}] = {}, expected at least {}", operands.NameOf(array), which,
                  given[which], least);
    }
  }
  TensorLayout layout = *operands[id].layout;
  const int64_t offset = operands.Ints(kTokenOffsets)[which];
  if (__builtin_add_overflow(layout.offset, offset, &layout.offset)) {
    return Fail(code, "offsetsOptional[{}] = {}, expected less than 2^63 with {}'s own", which,
                offset, operands.NameOf(id));
  }
  layout.strides = ContiguousStrides(layout.shape);
  layout.strides[0] = operands.Ints(kTokenSteps)[which];
  operands.Relabel(id, std::move(layout));
  return CheckStrides(operands[id], code);
}

struct Ids {
  int tokens, cache;
};

// A token's heads and its place in the cache as views of equal sizes.
Status ReadSide(const Operands& operands, const Ids& ids, bool in_pieces, Side* side) {
  const int code = operands.spec().codes.shape;
  if (Status s = CheckFormat(operands, ids.cache, in_pieces); !s.ok()) return s;
  side->tokens = ViewOf(operands, ids.tokens);
  side->cache = ViewOf(operands, ids.cache);
  const TensorView& cache = side->cache;
  const Dims& tokens = operands[ids.tokens].shape();
  const Dims& shape = operands[ids.cache].shape();
  const int64_t heads = tokens[1], head = tokens[2];
  side->from = WithoutDim(side->tokens, 0);
  side->to = WithoutDim(WithoutDim(cache, 0), in_pieces ? cache.rank - 3 : 0);
  side->block_step = cache.strides[0];
  side->slot_step = cache.strides[in_pieces ? cache.rank - 2 : 1];
  side->from.offset = side->to.offset = 0;
  if (!in_pieces) {
    if (cache.rank == 4 && shape[2] == heads && shape[3] == head) return {};
    return Fail(code, "{}.shape = {}, expected [blocks, slots, {}, {}]", operands.NameOf(ids.cache),
                shape.ToString(), heads, head);
  }
  const int64_t piece = shape[shape.rank() - 1];
  const bool of_heads = cache.rank == 5;
  const bool fits =
      piece > 0 && (of_heads ? shape[1] == heads && head % piece == 0 && shape[2] == head / piece
                             : shape[1] == heads * head / piece && heads * head % piece == 0);
  if (!fits) {
    return Fail(code,
                "{}.shape = {}, expected [blocks, {} * {} / c, slots, c] or [blocks, {}, {} / c, "
                "slots, c]",
                operands.NameOf(ids.cache), shape.ToString(), heads, head, heads, head);
  }
  if (of_heads) {
    side->from = WithLastSplit(side->from, piece);
    return {};
  }
  // Pieces may hold parts of two heads.
  if (heads > 1 && side->from.strides[0] != head * side->from.strides[1]) {
    return Fail(code, "{}.strides = {}, expected heads that follow each other",
                operands.NameOf(ids.tokens), operands[ids.tokens].strides().ToString());
  }
  side->from = Reshaped(side->from, {heads * head / piece, piece}, side->from.strides[1]);
  return {};
}

// Without keys of another size: as many blocks of as many slots.
Status CheckBlocks(const Operands& operands, bool in_pieces) {
  const Dims& keys = operands[kKeyCache].shape();
  const Dims& values = operands[kValueCache].shape();
  const auto slots = [&](const Dims& shape) { return shape[in_pieces ? shape.rank() - 2 : 1]; };
  if (values[0] == keys[0] && slots(values) == slots(keys)) return {};
  return Fail(operands.spec().codes.shape,
              "valueCacheRef.shape = {}, expected {} blocks of {} slots as keyCacheRef has",
              values.ToString(), keys[0], slots(keys));
}

}  // namespace

Status CheckFormat(const Operands& operands, int id, bool in_pieces) {
  const Operand& cache = operands[id];
  if (cache.layout->format != ACL_FORMAT_FRACTAL_NZ) return {};
  const int code = operands.spec().codes.shape;
  if (!in_pieces) {
    return Fail(operands.spec().codes.format,
                "{} has the format FRACTAL_NZ, expected ND as cacheModeOptional is \"Norm\"",
                operands.NameOf(id));
  }
  const Dims& shape = cache.shape();
  constexpr int64_t kPanelBytes = 32, kPanelRows = 16;
  const int64_t width = kPanelBytes * 8 / BitsOf(cache.dtype());
  const int64_t slots = shape[shape.rank() - 2], columns = shape[shape.rank() - 1];
  if (columns == width && slots % kPanelRows == 0 && cache.IsContiguous()) return {};
  return Fail(code, "{}.shape = {}, expected [.., a multiple of {}, {}] contiguous in FRACTAL_NZ",
              operands.NameOf(id), shape.ToString(), kPanelRows, width);
}

Status PrepareKvCache(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckAlike(operands); !s.ok()) return s;
  Mode mode;
  if (Status s = ReadMode(operands, &mode); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const bool has_values = operands[kValue].shape().rank() == 3;
  if (has_values != (operands[kValueCache].shape().rank() > 1)) {
    return Fail(code, "valueCacheRef.shape = {}, expected {} for value.shape = {}",
                operands[kValueCache].shape().ToString(),
                has_values ? "blocks of slots" : "a single number or none",
                operands[kValue].shape().ToString());
  }
  // Sizes of tensors without elements may be any numbers.
  if (operands[kSlots].IsEmpty()) return {};
  if (mode.apart) {
    if (Status s = SeeApart(operands, kKey, 0); !s.ok()) return s;
    if (has_values) {
      if (Status s = SeeApart(operands, kValue, 1); !s.ok()) return s;
    }
  }
  CacheParams params;
  params.sides.resize(has_values ? 2 : 1);
  if (Status s = ReadSide(operands, {kKey, kKeyCache}, mode.in_pieces, &params.sides[0]); !s.ok()) {
    return s;
  }
  if (has_values) {
    if (Status s = CheckBlocks(operands, mode.in_pieces); !s.ok()) return s;
    if (Status s = ReadSide(operands, {kValue, kValueCache}, mode.in_pieces, &params.sides[1]);
        !s.ok()) {
      return s;
    }
  }
  std::erase_if(params.sides, [](const Side& side) { return side.from.elements() == 0; });
  const Dims& cache = operands[kKeyCache].shape();
  params.slots = ViewOf(operands, kSlots);
  params.blocks = cache[0];
  params.block_size = cache[mode.in_pieces ? cache.rank() - 2 : 1];
  if (params.sides.empty()) return {};
  call->plan = std::make_shared<KvCachePlan>(std::move(params));
  return {};
}

}  // namespace anyacl::slice_update
