// SPDX-License-Identifier: Apache-2.0
// Queries, keys and values of a token side by side: queries and keys are turned, keys and values
// go to caches as INT8. In fp32, rounded once; what comes as sums of integers becomes numbers
// first.
#include <algorithm>

#include "aclnn/opdev/op_errno.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/rotary/cache_checks.h"
#include "ops/rotary/kv_cache.h"
#include "ops/rotary/operators.h"
#include "runtime/parallel.h"

namespace anyacl::rotary {
namespace {

using elementwise::Op;

struct QuantKvParams {
  TensorView x{};                                    // [B, S, H]
  TensorView cos{}, sin{};                           // [B, S, D]
  TensorView weight_scale{}, token_scale{}, bias{};  // of INT32 alone
  TensorView index{}, query_out{};                   // the latter [B, S, Nq, D]
  Destination keys, values;                          // caches and results: [.., .., N, D]
  int64_t query_columns = 0;
  bool paged = false;
};

class QuantKvCachePlan final : public BookedPlan {
 public:
  explicit QuantKvCachePlan(const QuantKvParams& params)
      : p_(params),
        length_(p_.x.sizes[1]),
        rows_(p_.x.sizes[0] * length_),
        columns_(p_.x.sizes[2]),
        dim_(p_.cos.sizes[2]),
        part_(p_.keys.cache.sizes[2] * dim_),
        room_(columns_ + 4 * dim_) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), rows_));
    numbers_ = book_.Book<float>(slots, room_);
    factors_ = book_.Book<float>(static_cast<size_t>(4 * part_));
    places_ = book_.Book<int64_t>(static_cast<size_t>(rows_));
    if (!integers()) return;
    sums_ = book_.Book<double>(slots, columns_);
    weight_scale_ = book_.Book<float>(static_cast<size_t>(columns_));
    bias_ = book_.Book<double>(static_cast<size_t>(columns_));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const places = places_.In(bindings);
    if (Status s = ReadPlaces(bindings, places); !s.ok()) return s;
    LoadFactors(bindings);
    const auto run = [&](int64_t begin, int64_t end, int64_t slot) {
      float* const numbers = numbers_.In(bindings) + slot * room_;
      for (int64_t row = begin; row < end; ++row) {
        Load(bindings, row, numbers, integers() ? sums_.In(bindings) + slot * columns_ : nullptr);
        Convert(bindings, row, places[row], numbers);
      }
    };
    ForTokens(places, rows_, columns_, run);
    return {};
  }

 private:
  bool integers() const { return p_.x.dtype == ACL_INT32; }

  // Of each token its number among the places of a cache, -1: none. Of blocks all indices below 0
  // are nowhere, as on the device.
  Status ReadPlaces(const Bindings& bindings, int64_t* places) const {
    const int64_t size = p_.keys.cache.sizes[1];
    const int64_t least = p_.paged ? INT32_MIN : 0;
    const int64_t most = p_.paged ? p_.keys.cache.sizes[0] * size - 1 : size - length_;
    for (int64_t row = 0; row < rows_; ++row) {
      const int64_t i = p_.paged ? row : row / length_;
      const char* const at = p_.index.Address(bindings) + p_.index.OffsetOf(i) * 4;
      const int64_t index = LoadElement<int32_t>(at);
      if (index < least || index > most) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "indices[{}] = {}, expected {}{}", i, index,
                    p_.paged ? "a negative number, or 0 to " : "0 to ", most);
      }
      places[row] = p_.paged ? std::max<int64_t>(index, -1) : i * size + index + row % length_;
    }
    return {};
  }

  void LoadFactors(const Bindings& bindings) const {
    float* const factors = factors_.In(bindings);
    LoadAll(bindings, p_.keys.scale, factors);
    LoadAll(bindings, p_.keys.offset, factors + part_);
    LoadAll(bindings, p_.values.scale, factors + 2 * part_);
    LoadAll(bindings, p_.values.offset, factors + 3 * part_);
    if (!integers()) return;
    LoadAll(bindings, p_.weight_scale, weight_scale_.In(bindings));
    LoadAll(bindings, p_.bias, bias_.In(bindings));
  }

  // Where the row of a token begins in a tensor [B, S, ..].
  char* At(const Bindings& bindings, const TensorView& view, int64_t row) const {
    const int64_t at = row / length_ * view.strides[0] + row % length_ * view.strides[1];
    return view.Address(bindings) + at * BytesOf(view);
  }

  // A token's columns, and its angles behind them.
  void Load(const Bindings& bindings, int64_t row, float* numbers, double* sums) const {
    const char* const from = At(bindings, p_.x, row);
    for (const TensorView* view : {&p_.cos, &p_.sin}) {
      blocks::LoadRow(view->dtype, At(bindings, *view, row), view->strides[2], dim_,
                      numbers + columns_ + (view == &p_.sin) * dim_);
    }
    if (!integers()) {
      blocks::LoadRow(p_.x.dtype, from, p_.x.strides[2], columns_, numbers);
      return;
    }
    // A bias of integers is part of the sums, which doubles hold.
    blocks::LoadRow(p_.x.dtype, from, p_.x.strides[2], columns_, sums);
    const double* const bias = bias_.In(bindings);
    const bool before = p_.bias.dtype == ACL_INT32, after = p_.bias.given() && !before;
    for (int64_t i = 0; i < columns_; ++i) {
      numbers[i] = static_cast<float>(before ? sums[i] + bias[i] : sums[i]);
    }
    const blocks::Rows rows(columns_);
    rows(Op::kMul, numbers, numbers, weight_scale_.In(bindings));
    if (p_.token_scale.given()) {
      const char* const scale = p_.token_scale.Address(bindings) + p_.token_scale.OffsetOf(row) * 4;
      rows(Op::kMulScalar, numbers, numbers, nullptr, nullptr, LoadElement<float>(scale));
    }
    for (int64_t i = 0; after && i < columns_; ++i) numbers[i] += static_cast<float>(bias[i]);
  }

  void Convert(const Bindings& bindings, int64_t row, int64_t place, float* numbers) const {
    float* const head = numbers + columns_ + 2 * dim_;
    float* const scratch = head + dim_;
    for (int64_t first = 0; first < p_.query_columns; first += dim_) {
      Turn(numbers + first, numbers + columns_, head);
      Store(head, p_.query_out, At(bindings, p_.query_out, row), first / dim_);
    }
    for (int64_t first = 0; first < part_; first += dim_) {
      const float* const key = numbers + p_.query_columns + first;
      const float* const factors = factors_.In(bindings) + first;
      Turn(key, numbers + columns_, head);
      Write(bindings, p_.keys, row, place, first / dim_, head, factors, scratch);
      Write(bindings, p_.values, row, place, first / dim_, key + part_, factors + 2 * part_,
            scratch);
    }
  }

  // Pairs are half a head apart; `angles`: cosines, then sines.
  void Turn(const float* head, const float* angles, float* to) const {
    TurnToHalves(head, head + dim_ / 2, angles, angles + dim_, dim_ / 2, to);
  }
  void Store(const float* head, const TensorView& to, char* row, int64_t index) const {
    blocks::StoreRow(head, dim_, to.dtype, row + index * to.strides[2] * BytesOf(to),
                     to.strides[3]);
  }

  // A head of keys or values: beside the cache as it is, into it quantised, and held within INT8
  // when it is stored.
  void Write(const Bindings& bindings, const Destination& to, int64_t row, int64_t place,
             int64_t index, const float* head, const float* factors, float* quantised) const {
    if (to.out.given()) Store(head, to.out, At(bindings, to.out, row), index);
    if (place < 0) return;
    QuantiseRow(elementwise::Op::kDiv, head, dim_, factors,
                to.offset.given() ? factors + part_ : nullptr, quantised);
    const TensorView& cache = to.cache;
    const int64_t at =
        place / cache.sizes[1] * cache.strides[0] + place % cache.sizes[1] * cache.strides[1];
    Store(quantised, cache, cache.Address(bindings) + at, index);
  }

  const QuantKvParams p_;
  const int64_t length_, rows_, columns_, dim_;
  const int64_t part_;  // columns of keys, and of values
  const int64_t room_;
  WorkspaceSlot<float> numbers_, factors_, weight_scale_;
  WorkspaceSlot<double> sums_, bias_;
  WorkspaceSlot<int64_t> places_;
};

// The attributes of which there is one value.
Status CheckTexts(const Operands& operands, bool* paged) {
  if (Status s = operands.CheckText(kQuantMode, {"static"}); !s.ok()) return s;
  if (Status s = operands.CheckText(kLayout, {"BSND"}); !s.ok()) return s;
  size_t mode = 0;
  Status s = operands.CheckText(kCacheMode, {"contiguous", "page"}, &mode);
  *paged = mode == 1;
  return s;
}

// What integers need, and other numbers do not have.
Status CheckTypes(Operands& operands) {
  const aclDataType x = operands[kX].dtype(), turned = operands[kCos].dtype();
  if (x == ACL_INT32) {
    if (operands.Given(kWeightScale)) return {};
    return Fail(operands.spec().codes.null,
                "weightScaleOptional is null, expected a tensor as x.dtype is INT32");
  }
  for (int id : {kWeightScale, kActivationScale, kBias}) operands.Drop(id);
  if (x == turned) return {};
  return Fail(operands.spec().codes.dtype, "x.dtype = {}, expected INT32, or {} as cos.dtype",
              NameOf(x), NameOf(turned));
}

Status CheckSplits(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const std::span<const int64_t> splits = operands.Ints(kSizeSplits);
  const int64_t columns = operands.Size("H"), dim = operands.Size("D"), heads = operands.Size("N");
  if (splits.size() != 3) {
    return Fail(code, "sizeSplits has size {}, expected 3", splits.size());
  }
  if (dim % 2 != 0) return Fail(code, "kCacheRef.shape[3] = {}, expected an even number", dim);
  const std::optional<int64_t> part = ElementCount(Dims{heads, dim});
  for (size_t i : {1, 2}) {
    if (splits[i] == part) continue;
    return Fail(code, "sizeSplits[{}] = {}, expected {} * {} of kCacheRef.shape", i, splits[i],
                heads, dim);
  }
  // Rows of a token are copied for each thread.
  if (columns > INT32_MAX) {
    return Fail(code, "x.shape has H = {}, expected at most {}", columns, INT32_MAX);
  }
  const int64_t queries = columns - 2 * std::min(*part, columns);
  if (splits[0] != queries || queries < 0 || queries % std::max<int64_t>(dim, 1) != 0 ||
      (dim == 0 && queries > 0)) {
    return Fail(code,
                "sizeSplits = [{}, {}, {}], expected multiples of D = {} whose sum is H = {} of x",
                splits[0], splits[1], splits[2], dim, columns);
  }
  return {};
}

// [B, S, ..] or [B, ..] as x, of which `leading` dimensions are tokens.
Status CheckTokens(const Operands& operands, bool paged, int leading) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kX].shape();
  const auto shaped = [&](std::initializer_list<int64_t> inner) {
    Dims dims;
    for (int i = 0; i < leading; ++i) dims.push_back(x[static_cast<size_t>(i)]);
    for (int64_t size : inner) dims.push_back(size);
    return dims;
  };
  const int64_t dim = operands.Size("D"), heads = operands.Size("N");
  const int64_t queries = dim == 0 ? 0 : operands.Ints(kSizeSplits)[0] / dim;
  const Dims angles = leading == 1 ? shaped({dim}) : shaped({1, dim});
  for (int id : {kCos, kSin}) {
    if (Status s = CheckShapeIs(operands, id, angles); !s.ok()) return s;
  }
  if (dim > 0) {
    if (Status s = CheckShapeIs(operands, kOut, shaped({queries, dim})); !s.ok()) return s;
  }
  for (int id : {kKeyOut, kValueOut}) {
    if (!operands.Given(id)) continue;
    if (Status s = CheckShapeIs(operands, id, shaped({heads, dim})); !s.ok()) return s;
  }
  const std::optional<int64_t> tokens = ElementCount(shaped({}));
  const int64_t indices = paged ? tokens.value_or(-1) : x[0];
  if (Status s = CheckShapeIs(operands, kIndex, {indices}); !s.ok()) return s;
  if (operands.Given(kActivationScale)) {
    const Dims& scale = operands[kActivationScale].shape();
    if (ElementCount(scale) != tokens) {
      return Fail(code,
                  "activationScaleOptional.shape = {}, expected one number for each of {} "
                  "tokens",
                  scale.ToString(), tokens.value_or(-1));
    }
  }
  const Dims& cache = operands[kKeyCache].shape();
  const int64_t length = leading == 1 ? 1 : x[1];
  if (paged || (cache[0] >= x[0] && cache[1] >= length)) return {};
  return Fail(code, "kCacheRef.shape = {}, expected [{} or more, {} or more, ..] as x.shape = {}",
              cache.ToString(), x[0], length, x.ToString());
}

}  // namespace

Status PrepareQuantKvCache(Operands& operands, PreparedCall* call) {
  if (Status s = RequireOutputs(operands, {kKeyOut, kValueOut}); !s.ok()) return s;
  if (Status s = CheckTypes(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands.Given(kKeyOffset) != operands.Given(kValueOffset)) {
    return Fail(operands.spec().codes.shape,
                "one of offsetKOptional and offsetVOptional is null, expected both or neither");
  }
  QuantKvParams p;
  if (Status s = CheckTexts(operands, &p.paged); !s.ok()) return s;
  if (Status s = CheckSplits(operands); !s.ok()) return s;
  const auto leading = static_cast<int>(operands[kX].shape().rank()) - 1;
  if (Status s = CheckTokens(operands, p.paged, leading); !s.ok()) return s;
  if (operands[kX].IsEmpty()) return {};
  const auto view = [&](int id) { return ViewOf(operands, id); };
  const auto by_token = [&](int id) {
    return leading == 1 && operands.Given(id) ? WithDim(view(id), 1) : view(id);
  };
  p.x = by_token(kX);
  p.cos = leading == 1 ? by_token(kCos) : WithoutDim(view(kCos), 2);
  p.sin = leading == 1 ? by_token(kSin) : WithoutDim(view(kSin), 2);
  p.weight_scale = view(kWeightScale);
  p.token_scale = view(kActivationScale);
  p.bias = view(kBias);
  p.index = view(kIndex);
  p.query_out = by_token(kOut);
  p.keys = {view(kKeyCache), view(kKeyScale), view(kKeyOffset), by_token(kKeyOut)};
  p.values = {view(kValueCache), view(kValueScale), view(kValueOffset), by_token(kValueOut)};
  p.query_columns = operands.Ints(kSizeSplits)[0];
  call->plan = std::make_shared<QuantKvCachePlan>(p);
  return {};
}

}  // namespace anyacl::rotary
