// SPDX-License-Identifier: Apache-2.0
// Queries, keys and values of a token side by side: queries and keys are normalised and turned,
// keys and values go to caches, quantised perhaps. In fp32, rounded once. Threads share tokens.
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

struct QkvParams {
  TensorView x{};  // [T, (Nq + 2 N) D]
  TensorView query_gamma{}, key_gamma{}, cos{}, sin{}, index{};
  TensorView query_out{}, plain_query{};
  Destination keys, values;  // caches [blocks, N D / group, places, group]
  int64_t queries = 0, heads = 0, dim = 0;
  double eps = 0;
};

class QkvCachePlan final : public BookedPlan {
 public:
  explicit QkvCachePlan(const QkvParams& params)
      : p_(params), tokens_(p_.x.sizes[0]), dim_(p_.dim), part_(p_.heads * dim_) {
    const auto slots = std::min(ThreadCount(), tokens_);
    numbers_ = book_.Book<float>(slots, 5 * dim_);
    gammas_ = book_.Book<float>(2, dim_);
    factors_ = book_.Book<float>(4, part_);
    places_ = book_.Book<int64_t>(tokens_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t* const places = places_.In(bindings);
    if (Status s = ReadPlaces(bindings, places); !s.ok()) return s;
    LoadFactors(bindings);
    const auto run = [&](int64_t begin, int64_t end, int64_t slot) {
      float* const numbers = numbers_.In(bindings) + slot * 5 * dim_;
      for (int64_t t = begin; t < end; ++t) Convert(bindings, t, places[t], numbers);
    };
    ForTokens(places, tokens_, p_.x.sizes[1], run);
    return {};
  }

 private:
  Status ReadPlaces(const Bindings& bindings, int64_t* places) const {
    const int64_t count = p_.keys.cache.sizes[0] * p_.keys.cache.sizes[2];
    for (int64_t t = 0; t < tokens_; ++t) {
      places[t] = LoadElement<int64_t>(p_.index.Address(bindings) + p_.index.OffsetOf(t) * 8);
      if (places[t] >= -1 && places[t] < count) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "index[{}] = {}, expected -1 to {}", t, places[t],
                  count - 1);
    }
    return {};
  }

  void LoadFactors(const Bindings& bindings) const {
    LoadAll(bindings, p_.query_gamma, gammas_.In(bindings));
    LoadAll(bindings, p_.key_gamma, gammas_.In(bindings) + dim_);
    float* const factors = factors_.In(bindings);
    LoadAll(bindings, p_.keys.scale, factors);
    LoadAll(bindings, p_.keys.offset, factors + part_);
    LoadAll(bindings, p_.values.scale, factors + 2 * part_);
    LoadAll(bindings, p_.values.offset, factors + 3 * part_);
  }

  void Convert(const Bindings& bindings, int64_t token, int64_t place, float* angles) const {
    float* const head = angles + 2 * dim_;
    float* const turned = head + dim_;
    LoadHead(bindings, p_.cos, token, 0, angles);
    LoadHead(bindings, p_.sin, token, 0, angles + dim_);
    const float* const gammas = gammas_.In(bindings);
    for (int64_t h = 0; h < p_.queries; ++h) {
      Turn(bindings, token, h, gammas, angles, turned);
      StoreHead(bindings, p_.query_out, token, h, turned);
      StoreHead(bindings, p_.plain_query, token, h, turned);
    }
    for (int64_t h = 0; h < p_.heads; ++h) {
      const float* const factors = factors_.In(bindings) + h * dim_;
      Turn(bindings, token, p_.queries + h, gammas + dim_, angles, turned);
      Write(bindings, p_.keys, token, h, place, turned, factors);
      LoadHead(bindings, p_.x, token, p_.queries + p_.heads + h, turned);
      Write(bindings, p_.values, token, h, place, turned, factors + 2 * part_);
    }
  }

  char* HeadAt(const Bindings& bindings, const TensorView& view, int64_t token, int64_t h) const {
    const int64_t at = token * view.strides[0] + h * dim_ * view.strides[1];
    return view.Address(bindings) + at * BytesOf(view);
  }
  void LoadHead(const Bindings& bindings, const TensorView& view, int64_t token, int64_t h,
                float* to) const {
    blocks::LoadRow(view.dtype, HeadAt(bindings, view, token, h), view.strides[1], dim_, to);
  }
  void StoreHead(const Bindings& bindings, const TensorView& view, int64_t token, int64_t h,
                 const float* numbers) const {
    if (!view.given()) return;
    blocks::StoreRow(numbers, dim_, view.dtype, HeadAt(bindings, view, token, h), view.strides[1]);
  }

  // A head normalised and turned, pairs half of it apart. It lies before `turned`.
  void Turn(const Bindings& bindings, int64_t token, int64_t h, const float* gamma,
            const float* angles, float* turned) const {
    float* const head = turned - dim_;
    LoadHead(bindings, p_.x, token, h, head);
    RmsNorm(head, dim_, p_.eps, gamma, 1);
    TurnToHalves(head, head + dim_ / 2, angles, angles + dim_, dim_ / 2, turned);
  }

  // A head of keys or values: beside the cache as it is, into it quantised, and held within INT8
  // when it is stored. Behind it is room for another one.
  void Write(const Bindings& bindings, const Destination& to, int64_t token, int64_t h,
             int64_t place, float* head, const float* factors) const {
    StoreHead(bindings, to.out, token, h, head);
    if (place < 0) return;
    if (to.scale.given()) {
      QuantiseRow(elementwise::Op::kDiv, head, dim_, factors,
                  to.offset.given() ? factors + part_ : nullptr, head + dim_);
      head += dim_;
    }
    const TensorView& cache = to.cache;
    const int64_t places = cache.sizes[2], group = cache.sizes[3];
    const int64_t block = place / places * cache.strides[0] + place % places * cache.strides[2];
    for (int64_t i = 0; i < dim_; i += group) {
      const int64_t at = block + (h * dim_ + i) / group * cache.strides[1];
      blocks::StoreRow(head + i, group, cache.dtype, cache.Address(bindings) + at * BytesOf(cache),
                       cache.strides[3]);
    }
  }

  const QkvParams p_;
  const int64_t tokens_, dim_;
  const int64_t part_;  // columns of keys, and of values
  WorkspaceSlot<float> numbers_, gammas_, factors_;
  WorkspaceSlot<int64_t> places_;
};

bool IsProduct(int64_t whole, int64_t a, int64_t b) {
  return a > 0 ? whole % a == 0 && whole / a == b : a == 0 && whole == 0;
}

// What the arrays say of qkv, and that it is so.
Status ReadSizes(const Operands& operands, QkvParams* params) {
  const int code = operands.spec().codes.shape;
  const std::span<const int64_t> sizes = operands.Ints(kQkvSize), heads = operands.Ints(kHeadNums);
  if (sizes.size() != 4) {
    return Fail(code, "qkvSize has size {}, expected 4: B, S, N, D", sizes.size());
  }
  if (heads.size() != 3) {
    return Fail(code, "headNums has size {}, expected 3: of queries, keys, values", heads.size());
  }
  const Dims& x = operands[kX].shape();
  const int64_t dim = operands.Size("D");
  for (const int64_t count : heads) {
    if (count >= 0 && count <= x[1]) continue;
    return Fail(code, "headNums is [{}, {}, {}], expected 0 to {} each", heads[0], heads[1],
                heads[2], x[1]);
  }
  if (heads[1] != heads[2]) {
    return Fail(code, "headNums is [{}, {}, {}], expected as many keys as values", heads[0],
                heads[1], heads[2]);
  }
  const int64_t all = heads[0] + heads[1] + heads[2];
  if (sizes[2] != all || sizes[3] != dim) {
    return Fail(code, "qkvSize is [.., .., {}, {}], expected {} of headNums and {} of qGamma",
                sizes[2], sizes[3], all, dim);
  }
  if (!IsProduct(x[0], sizes[0], sizes[1]) || !IsProduct(x[1], dim, all)) {
    return Fail(code, "qkv.shape = {}, expected [{} * {}, {} * {}] of qkvSize", x.ToString(),
                sizes[0], sizes[1], all, dim);
  }
  params->queries = heads[0];
  params->heads = heads[1];
  params->dim = dim;
  const std::pair<int, int64_t> outs[] = {
      {kOut, heads[0]}, {kPlainQuery, heads[0]}, {kPlainKey, heads[1]}, {kPlainValue, heads[1]}};
  for (const auto& [id, count] : outs) {
    if (!operands.Given(id) || operands[id].shape()[1] == count * dim) continue;
    return Fail(code, "{}.shape[1] = {}, expected {} * {}", operands.NameOf(id),
                operands[id].shape()[1], count, dim);
  }
  if (dim % 2 == 0) return {};
  return Fail(code, "qGamma.shape[0] = {}, expected an even number", dim);
}

Status CheckQkvCache(const Operands& operands, const QkvParams& params, const CacheIds& ids) {
  const int code = operands.spec().codes.shape;
  const Operand& cache = operands[ids.cache];
  const char* const name = operands.NameOf(ids.cache);
  if (Status s = CheckCacheType(operands, ids, kX); !s.ok()) return s;
  for (const int id : {ids.scale, ids.offset}) {
    if (!operands.Given(id) || operands[id].shape()[0] == params.heads) continue;
    return Fail(code, "{}.shape[0] = {}, expected {} of headNums", operands.NameOf(id),
                operands[id].shape()[0], params.heads);
  }
  const Dims& shape = cache.shape();
  const int64_t group = GroupOf(cache);
  if (params.dim % group != 0) {
    return Fail(code, "qGamma.shape[0] = {}, expected a multiple of {} in FRACTAL_NZ of {}",
                params.dim, group, NameOf(cache.dtype()));
  }
  if (shape[1] != params.heads * params.dim / group || shape[3] != group) {
    return Fail(code, "{}.shape = {}, expected [{}, {} * {} / {}, {}, {}]", name, shape.ToString(),
                shape[0], params.heads, params.dim, group, shape[2], group);
  }
  return CheckPlaces(operands, ids, 2);
}

}  // namespace

Status PrepareQkvCache(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckText(kCacheMode, {"PA_NZ"}); !s.ok()) return s;
  QkvParams params;
  if (Status s = ReadSizes(operands, &params); !s.ok()) return s;
  for (const CacheIds& ids : {CacheIds{kKeyCache, kKeyScale, kKeyOffset},
                              CacheIds{kValueCache, kValueScale, kValueOffset}}) {
    if (Status s = CheckQkvCache(operands, params, ids); !s.ok()) return s;
  }
  if (Status s = CheckEpsilon(operands); !s.ok()) return s;
  params.eps = operands.Real(kEpsilon);
  if (operands[kX].IsEmpty()) return {};
  const auto view = [&](int id) { return ViewOf(operands, id); };
  params.x = view(kX);
  params.query_gamma = view(kGamma);
  params.key_gamma = view(kKeyGamma);
  params.cos = view(kCos);
  params.sin = view(kSin);
  params.index = view(kIndex);
  params.query_out = view(kOut);
  params.plain_query = view(kPlainQuery);
  params.keys = {view(kKeyCache), view(kKeyScale), view(kKeyOffset), view(kPlainKey)};
  params.values = {view(kValueCache), view(kValueScale), view(kValueOffset), view(kPlainValue)};
  call->plan = std::make_shared<QkvCachePlan>(params);
  return {};
}

}  // namespace anyacl::rotary
