// SPDX-License-Identifier: Apache-2.0
// The keys and values of latent attention on their way into a cache: one part of a row is
// normalised, the other one turned, and both may be quantised. In fp32, rounded once.
#include "ops/rotary/kv_cache.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "aclnn/opdev/op_errno.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/rotary/cache_checks.h"
#include "ops/rotary/operators.h"
#include "runtime/parallel.h"

namespace anyacl::rotary {
namespace {

class KvCachePlan final : public BookedPlan {
 public:
  explicit KvCachePlan(const KvCacheParams& params)
      : p_(params),
        rows_(p_.kv.sizes[0] * p_.kv.sizes[2]),
        heads_(p_.kv.sizes[1]),
        norm_length_(p_.gamma.sizes[0]),
        turned_(p_.cos.sizes[3]),
        value_length_(p_.values.given() ? p_.values.sizes[3] : 0),
        length_(std::max({norm_length_, turned_, value_length_})),
        room_(2 * length_ + 3 * turned_) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), rows_));
    numbers_ = book_.Book<float>(slots, room_);
    gamma_ = book_.Book<float>(static_cast<size_t>(norm_length_));
    places_ = book_.Book<int64_t>(static_cast<size_t>(rows_));
    const bool quantises = p_.rope.scale.given() || p_.norm.scale.given();
    if (quantises) factors_ = book_.Book<float>(heads_, 4 * length_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const places = places_.In(bindings);
    if (Status s = ReadPlaces(bindings, places); !s.ok()) return s;
    blocks::LoadRow(p_.gamma.dtype, p_.gamma.Address(bindings), p_.gamma.strides[0], norm_length_,
                    gamma_.In(bindings));
    LoadFactors(bindings, p_.rope, p_.values.given() ? norm_length_ : turned_);
    LoadFactors(bindings, p_.norm, p_.values.given() ? value_length_ : norm_length_);
    const auto run = [&](int64_t begin, int64_t end, int64_t slot) {
      float* const numbers = numbers_.In(bindings) + slot * room_;
      for (int64_t row = begin; row < end; ++row) {
        for (int64_t head = 0; head < heads_; ++head) {
          const Row at = {row, head, places[row]};
          if (p_.values.given()) {
            Separate(bindings, at, numbers);
            continue;
          }
          Normalise(bindings, at, numbers);
          Rotate(bindings, at, numbers);
        }
      }
    };
    ForTokens(places, rows_, heads_ * (norm_length_ + turned_ + value_length_), run);
    return {};
  }

 private:
  // A head's of a token, and the token's place.
  struct Row {
    int64_t token, head, place;
  };

  int64_t length() const { return p_.kv.sizes[2]; }
  int64_t BlockSize() const { return p_.rope.cache.sizes[1]; }

  // Of each token its number among the places of a cache, -1: none.
  Status ReadPlaces(const Bindings& bindings, int64_t* places) const {
    if (p_.mode.index == Index::kNone) {
      std::iota(places, places + rows_, int64_t{0});
      return {};
    }
    if (p_.ends.given()) return ReadSequences(bindings, places);
    const int64_t per_index = TokensOfIndex(), last = Last();
    const int64_t of_batch = (length() + per_index - 1) / per_index;
    for (int64_t row = 0; row < rows_; ++row) {
      const int64_t batch = row / length(), token = row % length();
      const int64_t i = batch * of_batch + token / per_index;
      int64_t index = 0;
      if (Status s = ReadIndex(bindings, i, last, &index); !s.ok()) return s;
      places[row] = index;
      if (index < 0) continue;
      if (p_.mode.index == Index::kOfBatch) places[row] += batch * last;
      if (p_.mode.index == Index::kOfBlock) places[row] = index / per_index * per_index;
      if (p_.mode.index == Index::kBlockNumber) places[row] = index * per_index;
      if (per_index > 1) places[row] += token % per_index;
    }
    return {};
  }
  int64_t TokensOfIndex() const {
    const bool blocks = p_.mode.index == Index::kOfBlock || p_.mode.index == Index::kBlockNumber;
    return blocks ? BlockSize() : 1;
  }
  // The first index that is none.
  int64_t Last() const {
    const TensorView& cache = p_.rope.cache;
    if (p_.mode.index == Index::kBlockNumber) return cache.sizes[0];
    return p_.mode.paged ? cache.sizes[0] * BlockSize() : cache.sizes[2];
  }
  Status ReadIndex(const Bindings& bindings, int64_t i, int64_t last, int64_t* index) const {
    const int64_t at = p_.index.OffsetOf(i);
    *index = LoadElement<int64_t>(p_.index.Address(bindings) + at * 8);
    if (*index >= -1 && *index < last) return {};
    return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}] = {}, expected -1 to {}", p_.index_name, i,
                *index, last - 1);
  }
  // Sequences that follow each other, each in blocks of its own. Tokens behind the last one are
  // nowhere.
  Status ReadSequences(const Bindings& bindings, int64_t* places) const {
    std::fill_n(places, rows_, int64_t{-1});
    int64_t begin = 0, block = 0;
    for (int64_t b = 0; b < p_.ends.sizes[0]; ++b) {
      const char* const at = p_.ends.Address(bindings) + p_.ends.OffsetOf(b) * 4;
      const int64_t end = LoadElement<int32_t>(at);
      if (end < begin || end > rows_) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "actualSeqLenOptional[{}] = {}, expected {} to {}", b, end, begin, rows_);
      }
      for (int64_t token = 0; token < end - begin; token += BlockSize(), ++block) {
        if (block >= p_.index.elements()) {
          return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                      "{} has {} blocks, expected one for each {} tokens of a sequence",
                      p_.index_name, p_.index.elements(), BlockSize());
        }
        int64_t index = 0;
        if (Status s = ReadIndex(bindings, block, Last(), &index); !s.ok()) return s;
        const int64_t count = std::min(BlockSize(), end - begin - token);
        if (index < 0) continue;
        std::iota(places + begin + token, places + begin + token + count, index * BlockSize());
      }
      begin = end;
    }
    return {};
  }

  // Of [B, N, S, ..].
  char* AtRow(const Bindings& bindings, const TensorView& view, const Row& row) const {
    const int64_t at = row.token / length() * view.strides[0] + row.head * view.strides[1] +
                       row.token % length() * view.strides[2];
    return view.Address(bindings) + at * BytesOf(view);
  }

  void Load(const Bindings& bindings, const Row& row, int64_t first, int64_t count, int64_t step,
            float* to) const {
    const int64_t skipped = first * p_.kv.strides[3] * BytesOf(p_.kv);
    LoadScaled(bindings, p_.kv, AtRow(bindings, p_.kv, row) + skipped, row.token, first, step,
               count, p_.factors, to);
  }

  void Normalise(const Bindings& bindings, const Row& row, float* x) const {
    Load(bindings, row, 0, norm_length_, 1, x);
    RmsNorm(x, norm_length_, p_.eps, gamma_.In(bindings), p_.factor);
    Write(bindings, p_.norm, row, norm_length_, x);
  }

  void Rotate(const Bindings& bindings, const Row& row, float* numbers) const {
    const int64_t pairs = turned_ / 2;
    float* const a = numbers + length_;
    Load(bindings, row, norm_length_, pairs, 2, a);
    Load(bindings, row, norm_length_ + 1, pairs, 2, a + pairs);
    Turn(bindings, row, a, numbers);
    Write(bindings, p_.rope, row, turned_, numbers);
  }

  // The pairs' first elements at `a`, the second ones behind them.
  void Turn(const Bindings& bindings, const Row& row, const float* a, float* numbers) const {
    const int64_t pairs = turned_ / 2;
    float* const cos = numbers + 2 * length_;
    float* const sin = cos + turned_;
    const auto angles = [&](TensorView view, float* to) {
      for (int i : {1, 2}) {
        if (view.sizes[i] == 1) view.strides[i] = 0;
      }
      blocks::LoadRow(view.dtype, AtRow(bindings, view, row), view.strides[3], turned_, to);
    };
    angles(p_.cos, cos);
    angles(p_.sin, sin);
    TurnToHalves(a, a + pairs, cos, sin, pairs, numbers);
  }

  void Separate(const Bindings& bindings, const Row& row, float* x) const {
    Load(bindings, row, 0, norm_length_, 1, x);
    RmsNorm(x, norm_length_, p_.eps, gamma_.In(bindings), p_.factor);
    const int64_t pairs = turned_ / 2;
    float* const a = x + length_;
    for (int64_t i = 0; i < pairs; ++i) {
      a[i] = x[2 * i];
      a[pairs + i] = x[2 * i + 1];
    }
    Turn(bindings, row, a, x);
    Write(bindings, p_.rope, row, norm_length_, x);
    blocks::LoadRow(p_.values.dtype, AtRow(bindings, p_.values, row), p_.values.strides[3],
                    value_length_, x);
    Write(bindings, p_.norm, row, value_length_, x);
  }

  // Of a destination [head][column], scales and behind them offsets.
  float* FactorsOf(const Bindings& bindings, const Destination& to) const {
    return factors_.In(bindings) + (&to == &p_.norm ? 2 * heads_ * length_ : 0);
  }
  void LoadFactors(const Bindings& bindings, const Destination& to, int64_t count) const {
    const int64_t sizes[] = {heads_, count};
    float* row = FactorsOf(bindings, to);
    for (const TensorView* view : {&to.scale, &to.offset}) {
      if (view->given()) LoadAll(bindings, *Broadcast(*view, sizes), row);
      row += heads_ * length_;
    }
  }

  // A row of results: beside the cache, and into it if it has a place. Behind length_ numbers is
  // room for as many.
  void Write(const Bindings& bindings, const Destination& to, const Row& row, int64_t count,
             float* numbers) const {
    if (to.out.given()) {
      blocks::StoreRow(numbers, count, to.out.dtype, AtRow(bindings, to.out, row),
                       to.out.strides[3]);
    }
    if (row.place < 0) return;
    if (to.scale.given()) {
      const float* const scale = FactorsOf(bindings, to) + row.head * count;
      QuantiseRow(elementwise::Op::kMul, numbers, count, scale,
                  to.offset.given() ? scale + heads_ * length_ : nullptr, numbers + length_);
      numbers += length_;
    }
    const TensorView& cache = to.cache;
    const int of_place = p_.mode.paged ? 1 : 2, of_head = p_.mode.paged ? 2 : 1;
    const int64_t per_outer = cache.sizes[of_place];
    const int64_t outer = row.place / per_outer, inner = row.place % per_outer;
    char* const data = cache.Address(bindings) + outer * cache.strides[0] * BytesOf(cache);
    if (!p_.mode.fractal) {
      const int64_t at = inner * cache.strides[of_place] + row.head * cache.strides[of_head];
      blocks::StoreRow(numbers, count, cache.dtype, data + at * BytesOf(cache), cache.strides[3]);
      return;
    }
    const int64_t group = 32 / BytesOf(cache);
    for (int64_t first = 0; first < count; first += group) {
      const int64_t at = (row.head * count + first) * per_outer + inner * group;
      blocks::StoreRow(numbers + first, group, cache.dtype, data + at * BytesOf(cache), 1);
    }
  }

  const KvCacheParams p_;
  const int64_t rows_, heads_, norm_length_, turned_, value_length_;
  const int64_t length_;  // of the longest row
  const int64_t room_;
  WorkspaceSlot<float> numbers_, gamma_, factors_;
  WorkspaceSlot<int64_t> places_;
};

}  // namespace

std::shared_ptr<const Plan> MakeKvCachePlan(const KvCacheParams& params) {
  return std::make_shared<KvCachePlan>(params);
}

Status PrepareKvCache(Operands& operands, PreparedCall* call) {
  if (Status s = RequireOutputs(operands, {kRopeOut, kNormOut}); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  CacheMode mode = {};
  if (Status s = CheckKvCache(operands, &mode); !s.ok()) return s;
  if (Status s = CheckEpsilon(operands); !s.ok()) return s;
  if (operands.Size("B") == 0 || operands.Size("S") == 0 || operands[kKv].shape()[1] == 0) {
    return {};
  }
  const auto view = [&](int id) { return ViewOf(operands, id); };
  call->plan = MakeKvCachePlan(
      {.kv = view(kKv),
       .values = view(kValue),
       .gamma = view(kGamma),
       .cos = view(kCos),
       .sin = view(kSin),
       .index = view(kIndex),
       .rope = {view(kKeyCache), view(kKeyScale), view(kKeyOffset), view(kRopeOut)},
       .norm = {view(kValueCache), view(kValueScale), view(kValueOffset), view(kNormOut)},
       .mode = mode,
       .eps = operands.Real(kEpsilon)});
  return {};
}

}  // namespace anyacl::rotary
