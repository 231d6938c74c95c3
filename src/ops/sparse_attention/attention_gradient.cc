// SPDX-License-Identifier: Apache-2.0
// aclnnSparseFlashAttentionGrad: token by token, all heads against the keys that the token chose.
// Probabilities follow from the statistics of the forward call:
//   p = exp(scale * q . k - max) / sum,   ds = p * (dy . v - dy . out) * scale
//   dq = ds k,   dk += ds' q,   dv += p' dy
#include <algorithm>

#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/sparse_attention/chosen.h"
#include "ops/sparse_attention/lists.h"
#include "runtime/parallel.h"

namespace anyacl::sparse_attention {
namespace {

using elementwise::Op;

// Rows of tokens ([T][N1][..]) and of keys ([T2][1][..]). Ropes may be absent; without values keys
// are values, and their gradients one sum.
struct GradientParams {
  Geometry geometry;
  KeyLists lists;
  SplitRows query, query_rope, dy, out, max, sum, dquery, dquery_rope;
  SplitRows key, key_rope, value, dkey, dkey_rope, dvalue;
  float scale = 1;

  int64_t width() const { return kDim + (key_rope.given() ? kRopeDim : 0); }
};

class AttentionGradientPlan final : public BookedPlan {
 public:
  explicit AttentionGradientPlan(const GradientParams& params)
      : p_(params),
        heads_(p_.geometry.heads),
        width_(p_.width()),
        most_(p_.lists.MostKeys(p_.geometry)),
        sequences_(p_.geometry, &book_),
        scores_of_(most_, [&](int64_t keys) { return ScoresOf(At(keys, width_), p_.scale); }),
        weights_of_(most_, [&](int64_t keys) { return ScoresOf(At(keys, kDim), 1); }),
        queries_of_(most_, [&](int64_t keys) { return QueriesOf(At(keys, width_)); }),
        keys_of_(most_, [&](int64_t keys) { return KeysOf(At(keys, width_)); }),
        values_of_(most_, [&](int64_t keys) { return KeysOf(At(keys, kDim)); }) {
    const auto heads = static_cast<size_t>(heads_), width = static_cast<size_t>(width_);
    const auto keys = static_cast<size_t>(ProductsOfKeys::Padded(most_, most_));
    rows_ = book_.Book<int32_t>(static_cast<size_t>(most_));
    keys_ = book_.Book<uint16_t>(keys * width);
    values_ = book_.Book<uint16_t>(keys * kDim);
    queries_ = book_.Book<uint16_t>(heads * width);
    dy_ = book_.Book<uint16_t>(heads * kDim);
    p_of_ = book_.Book<float>(heads * keys);
    ds_of_ = book_.Book<float>(heads * keys);
    dqueries_ = book_.Book<float>(heads * width);
    parts_ = book_.Book<float>(keys * width);
    outs_ = book_.Book<float>(static_cast<size_t>(std::min(ThreadCount(), heads_)) * 2 * kDim);
    key_sums_ = blocks::RowSums(&book_, p_.key.sizes[0], width_);
    if (p_.value.given()) value_sums_ = blocks::RowSums(&book_, p_.key.sizes[0], kDim);
    uint64_t bytes = 0;
    for (const ProductsOfKeys* products :
         {&scores_of_, &weights_of_, &queries_of_, &keys_of_, &values_of_}) {
      bytes = std::max(bytes, products->workspace_bytes());
    }
    scratch_ = book_.Book<char>(bytes);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = sequences_.Read(bindings); !s.ok()) return s;
    const std::span<const Sequence> sequences = sequences_.All(bindings);
    key_sums_.Clear(bindings);
    if (p_.value.given()) value_sums_.Clear(bindings);
    for (size_t b = 0; b < sequences.size(); ++b) {
      const Sequence& s = sequences[b];
      const KeyRows keys = sequences_.KeysOf(bindings, b);
      for (int64_t token = s.first; token < s.first + s.rows; ++token) {
        int64_t count = 0;
        if (Status bad = SelectKeys(p_.geometry, p_.lists, bindings, s, keys, token,
                                    rows_.In(bindings), &count);
            !bad.ok()) {
          return bad;
        }
        if (count > 0) {
          AddToken(bindings, token, count);
        } else {
          std::fill_n(dqueries_.In(bindings), heads_ * width_, 0.0f);
        }
        StoreQueries(bindings, token);
      }
    }
    StoreSums(key_sums_, bindings, 0, p_.dkey);
    if (p_.dkey_rope.given()) StoreSums(key_sums_, bindings, kDim, p_.dkey_rope);
    if (p_.dvalue.given()) StoreSums(value_sums_, bindings, 0, p_.dvalue);
    return {};
  }

 private:
  TokenSizes At(int64_t keys, int64_t width) const {
    return {ElementOf(p_.query.dtype), heads_, keys, width};
  }

  void AddToken(const Bindings& bindings, int64_t token, int64_t count) const {
    const int64_t keys = ProductsOfKeys::Padded(count, most_);
    const std::span<const int32_t> rows(rows_.In(bindings), static_cast<size_t>(count));
    Gather(bindings, token, rows, keys);
    const uint16_t* const values = p_.value.given() ? values_.In(bindings) : nullptr;
    char* const scratch = scratch_.In(bindings);
    float *const p = p_of_.In(bindings), *const ds = ds_of_.In(bindings);
    scores_of_.Run(keys, {.a = queries_.In(bindings), .b = keys_.In(bindings), .c = p}, scratch);
    weights_of_.Run(keys, {.a = dy_.In(bindings), .b = values_.In(bindings), .c = ds}, scratch);
    ParallelFor(heads_, 1, [&](int64_t begin, int64_t end, int64_t slot) {
      for (int64_t n = begin; n < end; ++n) {
        Probabilities(bindings, token, n, count, keys, outs_.In(bindings) + slot * 2 * kDim);
      }
    });
    queries_of_.Run(keys, {.a = ds, .b = keys_.In(bindings), .c = dqueries_.In(bindings)}, scratch);
    float* const parts = parts_.In(bindings);
    keys_of_.Run(keys, {.a = ds, .b = queries_.In(bindings), .c = parts}, scratch);
    key_sums_.Add(bindings, rows, parts, 0, width_);
    values_of_.Run(keys, {.a = p, .b = dy_.In(bindings), .c = parts}, scratch);
    (values != nullptr ? value_sums_ : key_sums_).Add(bindings, rows, parts, 0, kDim);
  }

  void Gather(const Bindings& bindings, int64_t token, std::span<const int32_t> rows,
              int64_t keys) const {
    const auto count = static_cast<int64_t>(rows.size());
    GatherHeads(p_.query, bindings, token, heads_, queries_.In(bindings), width_);
    GatherHeads(p_.dy, bindings, token, heads_, dy_.In(bindings), kDim);
    GatherKeys(p_.key, bindings, rows.data(), count, keys, keys_.In(bindings), width_);
    GatherKeys(p_.value.given() ? p_.value : p_.key, bindings, rows.data(), count, keys,
               values_.In(bindings), kDim);
    if (!p_.key_rope.given()) return;
    GatherHeads(p_.query_rope, bindings, token, heads_, queries_.In(bindings) + kDim, width_);
    GatherKeys(p_.key_rope, bindings, rows.data(), count, keys, keys_.In(bindings) + kDim, width_);
  }

  // Scores become p, products of dy and values ds, of a head; `numbers` is room for two rows.
  // Behind `count` infinite and NaN numbers of dy made NaN of zeros.
  void Probabilities(const Bindings& bindings, int64_t token, int64_t head, int64_t count,
                     int64_t keys, float* numbers) const {
    const auto statistic = [&](const SplitRows& view) {
      return *reinterpret_cast<const float*>(RowAt(view, bindings, token, head));
    };
    double delta = 0;
    for (const SplitRows* view : {&p_.dy, &p_.out}) {
      blocks::LoadRow(view->dtype, RowAt(*view, bindings, token, head), view->strides[2], kDim,
                      numbers + (view == &p_.out) * kDim);
    }
    for (int64_t d = 0; d < kDim; ++d) delta += double{numbers[d]} * numbers[kDim + d];
    float* const p = p_of_.In(bindings) + head * keys;
    float* const ds = ds_of_.In(bindings) + head * keys;
    const blocks::Rows rows(count);
    const auto scaled = [&](Op op, float* x, float by) { rows(op, x, x, nullptr, nullptr, by); };
    scaled(Op::kAddScalar, p, -statistic(p_.max));
    rows(Op::kExp, p, p);
    scaled(Op::kMulScalar, p, 1 / statistic(p_.sum));
    scaled(Op::kAddScalar, ds, static_cast<float>(-delta));
    rows(Op::kMul, ds, ds, p);
    scaled(Op::kMulScalar, ds, p_.scale);
    std::fill(ds + count, ds + keys, 0.0f);
  }

  void StoreQueries(const Bindings& bindings, int64_t token) const {
    for (int64_t n = 0; n < heads_; ++n) {
      const float* const row = dqueries_.In(bindings) + n * width_;
      for (const SplitRows* to : {&p_.dquery, &p_.dquery_rope}) {
        if (!to->given()) continue;
        blocks::StoreRow(row + (to == &p_.dquery ? 0 : kDim), to->sizes[2], to->dtype,
                         RowAt(*to, bindings, token, n), to->strides[2]);
      }
    }
  }

  const GradientParams p_;
  const int64_t heads_, width_;
  const int64_t most_;  // keys of a token
  const Sequences sequences_;
  const ProductsOfKeys scores_of_, weights_of_, queries_of_, keys_of_, values_of_;
  WorkspaceSlot<int32_t> rows_;
  WorkspaceSlot<uint16_t> keys_, values_, queries_, dy_;
  WorkspaceSlot<float> p_of_, ds_of_, dqueries_, parts_, outs_;
  WorkspaceSlot<char> scratch_;
  blocks::RowSums key_sums_, value_sums_;
};

Status CheckTogether(const Operands& operands, int a, int b) {
  if (operands.Given(a) == operands.Given(b)) return {};
  const bool first = operands.Given(a);
  return Fail(operands.spec().codes.null, "{} is null, expected a tensor as {} is given",
              operands.NameOf(first ? b : a), operands.NameOf(first ? a : b));
}

// Values and their gradient come together, ropes and theirs, too. op-plugin passes gradients of no
// elements where there are no ropes.
Status CheckWhatIsGiven(Operands& operands) {
  if (Status s = CheckTogether(operands, kValue, kDValue); !s.ok()) return s;
  if (Status s = CheckTogether(operands, kQueryRope, kKeyRope); !s.ok()) return s;
  for (int id : {kDQueryRope, kDKeyRope}) {
    if (!operands.Given(kQueryRope)) operands.Drop(id);
    if (Status s = CheckTogether(operands, kQueryRope, id); !s.ok()) return s;
  }
  return {};
}

Status CheckShapes(const Operands& operands, const Geometry& g) {
  Dims rope = operands[kKey].shape();
  rope[rope.rank() - 1] = kRopeDim;
  for (int id : {kValue, kDKey, kDValue}) {
    if (!operands.Given(id)) continue;
    if (Status s = CheckShapeIs(operands, id, operands[kKey].shape()); !s.ok()) return s;
  }
  for (int id : {kKeyRope, kDKeyRope}) {
    if (!operands.Given(id)) continue;
    if (Status s = CheckShapeIs(operands, id, rope); !s.ok()) return s;
  }
  for (int id : {kQueryRope, kDQueryRope}) {
    if (!operands.Given(id)) continue;
    if (Status s = CheckTokenShape(operands, g, id, {g.heads, kRopeDim}); !s.ok()) return s;
  }
  for (int id : {kDOut, kOut, kDQuery}) {
    if (Status s = CheckTokenShape(operands, g, id, {g.heads, kDim}); !s.ok()) return s;
  }
  return {};
}

}  // namespace

Status PrepareAttentionGradient(Operands& operands, PreparedCall* call) {
  if (Status s = CheckWhatIsGiven(operands); !s.ok()) return s;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  GradientParams p;
  Geometry& g = p.geometry;
  if (operands[kQuery].IsEmpty()) {
    if (Status s = CheckLayouts(operands, &g); !s.ok()) return s;
    return CheckBlockSize(operands, g, &p.lists.block_size);
  }
  if (Status s = CheckGeometry(operands,
                               {.dim = kDim, .heads = kMostHeads, .any_window_of_all = true}, &g);
      !s.ok())
    return s;
  if (Status s = CheckBlockSize(operands, g, &p.lists.block_size); !s.ok()) return s;
  if (Status s = CheckShapes(operands, g); !s.ok()) return s;
  if (Status s = CheckLists(operands, g, kIndices, false, &p.lists); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  p.lists.indices = ViewLists(operands, g, kIndices);
  const std::pair<int, SplitRows*> of_rows[] = {
      {kQuery, &p.query}, {kQueryRope, &p.query_rope}, {kDOut, &p.dy},
      {kOut, &p.out},     {kDQuery, &p.dquery},        {kDQueryRope, &p.dquery_rope},
      {kKey, &p.key},     {kKeyRope, &p.key_rope},     {kValue, &p.value},
      {kDKey, &p.dkey},   {kDKeyRope, &p.dkey_rope},   {kDValue, &p.dvalue}};
  for (const auto& [id, rows] : of_rows) {
    if (!operands.Given(id)) continue;
    *rows = Split(ViewOf(operands, id), !g.ragged);
  }
  if (Status s = CheckStatistic(operands, g, kMax); !s.ok()) return s;
  p.max = SplitStatistic(operands, g, kMax);
  if (Status s = CheckStatistic(operands, g, kSum); !s.ok()) return s;
  p.sum = SplitStatistic(operands, g, kSum);
  p.scale = static_cast<float>(operands.Real(kScale));
  call->plan = std::make_shared<AttentionGradientPlan>(p);
  return {};
}

}  // namespace anyacl::sparse_attention
