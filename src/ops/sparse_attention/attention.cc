// SPDX-License-Identifier: Apache-2.0
// aclnnSparseFlashAttention, V2 and aclnnKvQuantSparseFlashAttention on the engine of attention:
// each token is a batch entry of one row, and its keys are a cache in blocks of one key, whose
// table follows from sparseIndices when the task runs. Packed keys that are chosen become such a
// cache.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "attention/plan.h"
#include "nnop/workspace.h"
#include "ops/sparse_attention/lists.h"
#include "ops/sparse_attention/packed_keys.h"

namespace anyacl::sparse_attention {
namespace {

using attention::Params;
using attention::TokenMap;

// At a time: what splits of 2,048 keys leave of 128 heads is 0.6 MiB each.
constexpr int64_t kTokens = 32;
// Of packed keys: 16 MiB of what they become.
constexpr int64_t kMostUnpacked = (16 << 20) / (2 * kUnpackedDim);

struct SparseParams {
  Geometry geometry;
  Params attention;  // of its batch's tokens, the first ones
  KeyLists lists;
  // What the views and maps of `attention` are of.
  SplitRows query, query_rope, out, max, sum, key, value, key_rope;
  SplitRows packed;
  aclDataType type = ACL_DT_UNDEFINED;  // of queries, and of keys when unpacked
};

class SparsePlan final : public BookedPlan {
 public:
  explicit SparsePlan(SparseParams params)
      : p_(std::move(params)), apart_(Apart(p_)), sequences_(p_.geometry, &book_) {
    const auto keys = static_cast<size_t>(tokens_together() * most_keys());
    tables_ = book_.Book<int32_t>(keys);
    if (packed()) unpacked_ = book_.Book<uint16_t>(keys * kUnpackedDim);
    workspace_ = book_.Book<char>(attention::MakePlan(p_.attention)->workspace_size());
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    if (Status s = sequences_.Read(bindings); !s.ok()) return s;
    const std::span<const Sequence> sequences = sequences_.All(bindings);
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    data.push_back(reinterpret_cast<char*>(tables_.In(bindings)));
    data.push_back(reinterpret_cast<char*>(unpacked_.In(bindings)));
    size_t b = 0;
    for (int64_t first = 0, tokens; first < g().tokens; first += tokens) {
      tokens = std::min(tokens_together(), RowsFrom(first));
      auto lengths = std::make_shared<IntArray>();
      for (int64_t token = first; token < first + tokens; ++token) {
        while (token >= sequences[b].first + sequences[b].rows && b + 1 < sequences.size()) ++b;
        int32_t* const table = tables_.In(bindings) + (token - first) * most_keys();
        int64_t length = 0;
        if (Status s = SelectKeys(g(), p_.lists, bindings, sequences[b],
                                  sequences_.KeysOf(bindings, b), token, table, &length);
            !s.ok()) {
          return s;
        }
        if (packed()) Unpack(bindings, token - first, table, length);
        lengths->push_back(length);
      }
      const auto plan = attention::MakePlan(From(first, tokens, lengths));
      if (Status s = plan->Run({data, workspace_.In(bindings)}, stop); !s.ok()) return s;
      for (int64_t token = 0; token < tokens; ++token) {
        if ((*lengths)[static_cast<size_t>(token)] == 0) ClearStatistics(bindings, first + token);
      }
    }
    return {};
  }

 private:
  static bool Apart(const SparseParams& p) {
    const SplitRows* const all[] = {&p.query, &p.query_rope, &p.out,   &p.max,
                                    &p.sum,   &p.key,        &p.value, &p.key_rope};
    return std::any_of(std::begin(all), std::end(all),
                       [](const SplitRows* rows) { return rows->part != 0; });
  }

  const Geometry& g() const { return p_.geometry; }
  int64_t most_keys() const { return p_.attention.max_kv_length; }
  int64_t tokens_together() const { return p_.attention.batch; }
  bool packed() const { return p_.packed.given(); }

  // Tokens from `first` on whose rows follow each other, and whose keys do.
  int64_t RowsFrom(int64_t first) const {
    return apart_ ? g().query_size - first % g().query_size : g().tokens - first;
  }

  // Number `index` of the tokens has its keys in a cache of its own.
  void Unpack(const Bindings& bindings, int64_t index, int32_t* table, int64_t length) const {
    const int64_t first = index * most_keys();
    UnpackKeys(p_.packed, bindings, table, length, p_.type,
               unpacked_.In(bindings) + first * kUnpackedDim);
    std::iota(table, table + length, static_cast<int32_t>(first));
  }

  // Of a token without keys, where other operators of attention have the largest numbers.
  void ClearStatistics(const Bindings& bindings, int64_t token) const {
    for (const SplitRows* rows : {&p_.max, &p_.sum}) {
      if (!rows->given()) continue;
      for (int64_t n = 0; n < g().heads; ++n) {
        *reinterpret_cast<float*>(RowAt(*rows, bindings, token, n)) = 0;
      }
    }
  }

  Params From(int64_t first, int64_t tokens, std::shared_ptr<const IntArray> lengths) const {
    Params p = p_.attention;
    p.batch = tokens;
    p.kv_lengths = std::move(lengths);
    for (const auto& [view, rows] : {std::pair{&p.query, &p_.query},
                                     {&p.query_rope, &p_.query_rope},
                                     {&p.out, &p_.out},
                                     {&p.max, &p_.max},
                                     {&p.sum, &p_.sum}}) {
      view->offset += rows->OffsetOfRow(first);
    }
    if (!apart_ || packed()) return p;
    // Lists name rows by their number among all: the sequence's lie as if they followed the others.
    const int64_t key = first / g().query_size * g().key_size;
    for (const auto& [maps, rows] :
         {std::pair{&p.keys, &p_.key}, {&p.values, &p_.value}, {&p.key_ropes, &p_.key_rope}}) {
      if (rows->part == 0) continue;
      const int64_t from_there = rows->OffsetOfRow(key) - key * rows->strides[0];
      maps->front().base += from_there * BytesOf(*rows);
    }
    return p;
  }

  const SparseParams p_;
  const bool apart_;  // sequences of BSND do not follow each other in some tensor
  const Sequences sequences_;
  WorkspaceSlot<int32_t> tables_;
  WorkspaceSlot<uint16_t> unpacked_;
  WorkspaceSlot<char> workspace_;
};

// [token][head][row][column]: a token is a batch entry of one row.
TensorView ByToken(const TensorView& rows) {
  TensorView view = WithDim(rows, 2);
  return view;
}

// Columns `first` on of unpacked keys, in this slot.
TokenMap Unpacked(int slot, int64_t first) {
  TokenMap map;
  map.slot = slot;
  map.base = first * 2;
  map.unit = 2;
  map.block = kUnpackedDim * 2;
  return map;
}

// Rows of keys as blocks of one.
TokenMap ByRow(const TensorView& rows) {
  TokenMap map;
  map.slot = rows.slot;
  map.base = rows.offset * BytesOf(rows);
  map.unit = rows.strides[2] * BytesOf(rows);
  map.block = rows.strides[0] * BytesOf(rows);
  return map;
}

// Of each token and head a number, which stands for all columns.
Status Statistic(const Operands& operands, const Geometry& g, int id, SplitRows* rows,
                 TensorView* view) {
  if (!operands.HasRow(id)) return {};
  if (Status s = CheckAskedFor(operands, id, kReturnLse); !s.ok()) return s;
  if (!operands.Flag(kReturnLse)) return {};
  if (Status s = CheckStatistic(operands, g, id); !s.ok()) return s;
  *rows = SplitStatistic(operands, g, id);
  *view = WithDim(WithDim(*rows, 2), 3);
  return {};
}

Status CheckAttributes(const Operands& operands, const Geometry& g, SparseParams* p) {
  const int code = operands.spec().codes.shape;
  if (operands.Int(kAttentionMode) != 2) {
    return Fail(code, "attentionMode = {}, expected 2", operands.Int(kAttentionMode));
  }
  if (!operands.HasRow(kSink) && (g.heads & (g.heads - 1)) != 0) {
    return Fail(code, "query.shape = {}: N1 = {}, expected a power of two",
                operands[kQuery].shape().ToString(), g.heads);
  }
  if (Status s = CheckBlockSize(operands, g, &p->lists.block_size); !s.ok()) return s;
  if (!operands.HasRow(kReturnLse)) return CheckPacking(operands);
  if (!operands.Flag(kReturnLse) || g.keys != Keys::kBlocks) return {};
  return Fail(code, "returnSoftmaxLse is true, expected false as {} is PA_BSND",
              operands.NameOf(kKeyLayout));
}

Status CheckShapesOfOthers(const Operands& operands, const Geometry& g, SparseParams* p) {
  Dims values = operands[kKey].shape();
  // Values are keys': op-plugin's test passes them without what is packed behind.
  const bool bare = !operands.HasRow(kKeyRope) && operands[kValue].shape().rank() > 0 &&
                    operands[kValue].shape().back() == kDim;
  if (bare) values[values.rank() - 1] = kDim;
  if (Status s = CheckShapeIs(operands, kValue, values); !s.ok()) return s;
  if (operands.HasRow(kKeyRope)) {
    Dims rope = operands[kKey].shape();
    rope[rope.rank() - 1] = kRopeDim;
    if (Status s = CheckShapeIs(operands, kKeyRope, rope); !s.ok()) return s;
    if (Status s = CheckTokenShape(operands, g, kQueryRope, {g.heads, kRopeDim}); !s.ok()) return s;
  }
  if (operands.HasRow(kSink) && operands.Given(kSink)) {
    if (Status s = CheckShapeIs(operands, kSink, {g.heads}); !s.ok()) return s;
  }
  if (Status s = CheckTokenShape(operands, g, kOut, {g.heads, kDim}); !s.ok()) return s;
  return CheckLists(operands, g, kIndices, false, &p->lists);
}

// Queries and keys, with their ropes beside them or in the same tensors.
Status ViewRows(const Operands& operands, SparseParams* p) {
  const Geometry& g = p->geometry;
  Params& a = p->attention;
  p->query = Split(ViewOf(operands, kQuery), !g.ragged);
  p->out = Split(ViewOf(operands, kOut), !g.ragged);
  TensorView query = p->query, query_rope;
  if (operands.HasRow(kKeyRope)) {
    query_rope = p->query_rope = Split(ViewOf(operands, kQueryRope), !g.ragged);
    for (const auto& [id, rows, maps] : {std::tuple{kKey, &p->key, &a.keys},
                                         {kValue, &p->value, &a.values},
                                         {kKeyRope, &p->key_rope, &a.key_ropes}}) {
      *rows = Split(ViewOf(operands, id), g.keys != Keys::kRagged);
      if (g.keys == Keys::kBlocks && rows->part != 0) {
        return Fail(operands.spec().codes.shape,
                    "{}.strides = {}, expected blocks that follow each other", operands.NameOf(id),
                    operands[id].strides().ToString());
      }
      *maps = {ByRow(*rows)};
    }
    a.block_count = p->key.sizes[0];
  } else {
    p->packed = Split(ViewOf(operands, kKey), g.keys != Keys::kRagged);
    if (p->packed.strides[2] != 1) {
      return Fail(operands.spec().codes.shape, "key has a stride of {}, expected bytes in a row",
                  p->packed.strides[2]);
    }
    p->query_rope = p->query;
    query_rope = Sliced(query, 2, kDim, kRopeDim);
    query = Sliced(query, 2, 0, kDim);
    const int slot = static_cast<int>(operands.Slots().size()) + 1;  // behind the table's
    a.keys = {Unpacked(slot, 0)};
    a.values = {Unpacked(slot, 0)};
    a.key_ropes = {Unpacked(slot, kDim)};
    a.batch = std::clamp<int64_t>(kMostUnpacked / p->lists.MostKeys(g), 1, kTokens);
    a.block_count = a.batch * p->lists.MostKeys(g);
  }
  a.query = ByToken(query);
  a.query_rope = ByToken(query_rope);
  a.out = ByToken(p->out);
  for (TensorView* view : {&a.query, &a.query_rope, &a.out}) view->sizes[0] = a.batch;
  p->type = query.dtype;
  a.query_type = a.cache_type = a.out_type = a.rope_type = ElementOf(query.dtype);
  return {};
}

}  // namespace

Status PrepareAttention(Operands& operands, PreparedCall* call) {
  SparseParams p;
  Geometry& g = p.geometry;
  Params& a = p.attention;
  const bool packed = !operands.HasRow(kKeyRope);
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  const GeometryLimits limits = {.dim = packed ? kUnpackedDim : kDim,
                                 .heads = kMostHeads,
                                 .key_dim = packed ? kPackedBytes : kDim};
  if (Status s = CheckGeometry(operands, limits, &g); !s.ok()) return s;
  if (Status s = CheckAttributes(operands, g, &p); !s.ok()) return s;
  if (Status s = CheckShapesOfOthers(operands, g, &p); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  p.lists.indices = ViewLists(operands, g, kIndices);
  a.batch = kTokens;
  if (Status s = ViewRows(operands, &p); !s.ok()) return s;
  a.query_size = 1;
  a.kv_heads = 1;
  a.group = g.heads;
  a.dim = kDim + kRopeDim;
  a.rope_dim = kRopeDim;
  a.value_dim = kDim;
  a.kv_size = a.max_kv_length = p.lists.MostKeys(g);
  a.scale = static_cast<float>(operands.Real(kScale));
  a.masked_score = -__builtin_inff();
  a.correct_rows = true;
  a.block_size = 1;
  if (operands.HasRow(kSink)) a.sink = ViewOf(operands, kSink);
  if (Status s = Statistic(operands, g, kMax, &p.max, &a.max); !s.ok()) return s;
  if (Status s = Statistic(operands, g, kSum, &p.sum, &a.sum); !s.ok()) return s;
  // Behind the call's own tensors.
  a.block_table = {.slot = static_cast<int>(operands.Slots().size()),
                   .dtype = ACL_INT32,
                   .rank = 2,
                   .sizes = {a.batch, a.max_kv_length},
                   .strides = {a.max_kv_length, 1}};
  call->plan = std::make_shared<SparsePlan>(std::move(p));
  return {};
}

}  // namespace anyacl::sparse_attention
