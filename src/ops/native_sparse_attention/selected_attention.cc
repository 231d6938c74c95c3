// SPDX-License-Identifier: Apache-2.0
// aclnnNsaSelectedAttention on the engine of attention: a token and a head of keys are a batch
// entry of one row, and its keys a cache in blocks of one key, whose table follows from the indices
// when the task runs.
#include <algorithm>

#include "attention/plan.h"
#include "base/division.h"
#include "nnop/workspace.h"
#include "ops/native_sparse_attention/selected.h"

namespace anyacl::native_sparse_attention {
namespace {

using attention::Params;
using attention::TokenMap;

constexpr int64_t kMostGroup = 32;
constexpr int64_t kMostTableRows = INT32_MAX;  // tables are INT32
// Rows and heads of keys at a time: 256 KiB of tables where 1,024 keys are chosen. Decoding, which
// has a row or a few of each sequence, so has work for all threads, too.
constexpr int64_t kEntries = 64;

// Rows whose heads of keys are entries of one batch: from the last query head of a row to the first
// one of the next is no more than from head to head.
bool HeadsFollow(const TensorView& rows) {
  return !rows.given() || rows.strides[0] == rows.sizes[1] * rows.strides[1];
}

class SelectedPlan final : public BookedPlan {
 public:
  explicit SelectedPlan(SelectedParams params)
      : p_(std::move(params)),
        together_(HeadsTogether()),
        tokens_(CeilDivide(kEntries, together_)) {
    tables_ = book_.Book<int32_t>(static_cast<size_t>(tokens_ * together_) *
                                  static_cast<size_t>(most_keys()));
    workspace_ = book_.Book<char>(attention::MakePlan(ParamsOf(0, {0, tokens_}))->workspace_size());
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    for (int64_t head = 0; head < p_.key.sizes[1]; head += together_) {
      Chunk chunk{head, {}, {}};
      for (const AttendedSequence& s : p_.call.sequences) {
        for (int64_t i = 0; i < s.rows.count; ++i) {
          const int64_t row = s.rows.first + i;
          if (chunk.rows.count == tokens_ || row != chunk.rows.first + chunk.rows.count) {
            if (Status f = Attend(bindings, stop, chunk); !f.ok()) return f;
            chunk = {head, {row, 0}, {}};
          }
          if (Status f = Add(bindings, s, i, &chunk); !f.ok()) return f;
        }
      }
      if (Status f = Attend(bindings, stop, chunk); !f.ok()) return f;
    }
    return {};
  }

 private:
  // Rows that follow each other, from whatever sequences, and the numbers of their keys.
  struct Chunk {
    int64_t head;  // of keys, the first one
    Rows rows;
    IntArray lengths;  // [row][head]
  };

  int64_t most_keys() const { return p_.call.selection.most_keys(); }
  int64_t group() const { return p_.query.sizes[1] / p_.key.sizes[1]; }
  int64_t HeadsTogether() const {
    const bool follow =
        HeadsFollow(p_.query) && HeadsFollow(p_.out) && HeadsFollow(p_.max) && HeadsFollow(p_.sum);
    return follow ? p_.key.sizes[1] : 1;
  }

  // The tables of one more row.
  Status Add(const Bindings& bindings, const AttendedSequence& s, int64_t i, Chunk* chunk) const {
    for (int64_t h = 0; h < together_; ++h) {
      int64_t count = 0;
      int32_t* const table =
          tables_.In(bindings) + static_cast<int64_t>(chunk->lengths.size()) * most_keys();
      Status f = p_.call.selection.Read(bindings, s, i, chunk->head + h, table, &count);
      if (!f.ok()) return f;
      chunk->lengths.push_back(count);
    }
    ++chunk->rows.count;
    return {};
  }

  Status Attend(const Bindings& bindings, const StopToken& stop, const Chunk& chunk) const {
    if (chunk.rows.count == 0) return {};
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    data.push_back(reinterpret_cast<char*>(tables_.In(bindings)));
    Params params = ParamsOf(chunk.head, chunk.rows);
    params.kv_lengths = std::make_shared<IntArray>(chunk.lengths);
    const auto plan = attention::MakePlan(std::move(params));
    return plan->Run({data, workspace_.In(bindings)}, stop);
  }

  // [row, head of keys][head of the group][row][number] of some rows.
  TensorView Part(const TensorView& rows, int64_t head, const Rows& some) const {
    if (!rows.given()) return rows;
    TensorView part =
        WithDim(Sliced(Sliced(rows, 1, head * group(), group()), 0, some.first, some.count), 2);
    if (together_ == 1) return part;
    part.sizes[0] = some.count * together_;
    part.strides[0] = group() * rows.strides[1];
    return part;
  }
  // Keys of each head, once for each row, as blocks of one.
  std::vector<TokenMap> OfHeads(const TensorView& rows, int64_t head, int64_t count) const {
    std::vector<TokenMap> maps;
    for (int64_t i = 0; i < (together_ == 1 ? 1 : count * together_); ++i) {
      TokenMap map;
      map.slot = rows.slot;
      map.base = (rows.offset + (head + i % together_) * rows.strides[1]) * BytesOf(rows);
      map.unit = rows.strides[2] * BytesOf(rows);
      map.block = rows.strides[0] * BytesOf(rows);
      maps.push_back(map);
    }
    return maps;
  }

  Params ParamsOf(int64_t head, const Rows& rows) const {
    Params a;
    a.batch = rows.count * together_;
    a.query_size = 1;
    a.kv_heads = 1;
    a.group = group();
    a.dim = p_.query.sizes[2];
    a.value_dim = p_.value.sizes[2];
    a.kv_size = a.max_kv_length = most_keys();
    a.scale = p_.call.scale;
    a.masked_score = -__builtin_inff();
    a.correct_rows = true;
    a.query_type = a.cache_type = a.out_type = ElementOf(p_.query.dtype);
    a.query = Part(p_.query, head, rows);
    a.out = Part(p_.out, head, rows);
    a.max = Part(p_.max, head, rows);
    a.sum = Part(p_.sum, head, rows);
    a.keys = OfHeads(p_.key, head, rows.count);
    a.values = OfHeads(p_.value, head, rows.count);
    a.block_size = 1;
    a.block_count = p_.key.sizes[0];
    a.block_table = {.slot = static_cast<int>(p_.slots),
                     .dtype = ACL_INT32,
                     .rank = 2,
                     .sizes = {a.batch, most_keys()},
                     .strides = {most_keys(), 1}};
    return a;
  }

  const SelectedParams p_;
  const int64_t together_;  // heads of keys
  const int64_t tokens_;    // at a time
  WorkspaceSlot<int32_t> tables_;
  WorkspaceSlot<char> workspace_;
};

Status CheckShapes(const Operands& operands) {
  const int code = RuleCode(operands);
  for (int id : {kQuery, kKey, kValue}) {
    if (!operands[id].IsEmpty()) continue;
    return Fail(code, "{}.shape = {}, expected no empty tensor", operands.NameOf(id),
                operands[id].shape().ToString());
  }
  const Dims& query = operands[kQuery].shape();
  const Dims& key = operands[kKey].shape();
  const Dims& value = operands[kValue].shape();
  if (query[2] > attention::kMaxDim || value[2] > query[2]) {
    return Fail(code,
                "D of query is {} and of value {}, expected at most {}, and no more for value",
                query[2], value[2], attention::kMaxDim);
  }
  if (key[0] > kMostTableRows) {
    return Fail(code, "{}.shape = {}, expected at most {} rows", operands.NameOf(kKey),
                key.ToString(), kMostTableRows);
  }
  if (query[1] % key[1] == 0 && query[1] / key[1] <= kMostGroup) return {};
  return Fail(code,
              "headNum = {} of {} heads of key, expected a multiple, at most {} times as many",
              query[1], key[1], kMostGroup);
}

}  // namespace

std::shared_ptr<const Plan> MakeSelected(SelectedParams params) {
  return std::make_shared<SelectedPlan>(std::move(params));
}

Status CheckSelected(Operands& operands, SelectedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckLayout(operands, kLayout); !s.ok()) return s;
  if (Status s = CheckUnit(operands, kSelectBlockSize); !s.ok()) return s;
  const int64_t mode = operands.Int(kSparseMode);
  if (mode == 1) return Fail(RuleCode(operands), "sparseMode = 1, expected 0 or 2");
  if (mode == 0 && operands.Given(kMask)) {
    return Fail(RuleCode(operands), "{} is given, expected null as sparseMode = 0",
                operands.NameOf(kMask));
  }
  if (operands.Given(kMask) && operands[kMask].shape().rank() != 2) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected two dimensions",
                operands.NameOf(kMask), operands[kMask].shape().ToString());
  }
  if (Status s = CheckShapes(operands); !s.ok()) return s;
  const std::pair<int, int> ends[] = {{kQueryEnds, kQuery}, {kKeyEnds, kKey}};
  std::vector<Rows> sequences[2];
  for (size_t i = 0; i < 2; ++i) {
    const auto [array, tensor] = ends[i];
    Status s = ReadEnds(operands, array, operands[tensor].shape()[0], tensor, &sequences[i]);
    if (!s.ok()) return s;
  }
  if (sequences[0].size() != sequences[1].size()) {
    return Fail(RuleCode(operands), "{} has {} values and {} has {}, expected as many",
                operands.NameOf(kQueryEnds), sequences[0].size(), operands.NameOf(kKeyEnds),
                sequences[1].size());
  }
  for (size_t b = 0; b < sequences[0].size(); ++b) {
    call->sequences.push_back({static_cast<int64_t>(b), sequences[0][b], sequences[1][b]});
  }
  call->selection.indices = ViewOf(operands, kIndices);
  call->selection.block_size = operands.Int(kSelectBlockSize);
  call->scale = static_cast<float>(operands.Real(kScale));
  return {};
}

Status PrepareSelectedAttention(Operands& operands, PreparedCall* call) {
  SelectedParams p;
  if (Status s = CheckSelected(operands, &p.call); !s.ok()) return s;
  // Without a mask the mode means nothing.
  if (operands.Given(kMask)) p.call.selection.sees = Sees::kUpToItsNumber;
  const std::pair<int, TensorView*> views[] = {{kQuery, &p.query}, {kKey, &p.key},
                                               {kValue, &p.value}, {kMax, &p.max},
                                               {kSum, &p.sum},     {kAttention, &p.out}};
  for (const auto& [id, view] : views) *view = ViewOf(operands, id);
  p.slots = static_cast<int64_t>(operands.Slots().size());
  call->plan = MakeSelected(std::move(p));
  return {};
}

}  // namespace anyacl::native_sparse_attention
