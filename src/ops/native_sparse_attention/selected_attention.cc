// SPDX-License-Identifier: Apache-2.0
// aclnnNsaSelectedAttention on the engine of attention: a token is a batch entry of one row, and
// its keys are a cache in blocks of one key, whose table follows from the indices when the task
// runs.
#include <algorithm>

#include "attention/plan.h"
#include "nnop/workspace.h"
#include "ops/native_sparse_attention/selected.h"

namespace anyacl::native_sparse_attention {
namespace {

using attention::Params;
using attention::TokenMap;

constexpr int64_t kMostGroup = 32;
constexpr int64_t kMostRows = INT32_MAX;  // tables are INT32
// At a time: 256 KiB of tables where 1,024 keys are chosen.
constexpr int64_t kTokens = 64;

class SelectedPlan final : public BookedPlan {
 public:
  explicit SelectedPlan(SelectedParams params) : p_(std::move(params)) {
    tables_ = book_.Book<int32_t>(static_cast<size_t>(kTokens * most_keys()));
    workspace_ = book_.Book<char>(attention::MakePlan(ParamsOf(0, {0, kTokens}))->workspace_size());
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    data.push_back(reinterpret_cast<char*>(tables_.In(bindings)));
    for (const AttendedSequence& s : p_.call.sequences) {
      for (int64_t head = 0; head < p_.key.sizes[1]; ++head) {
        for (int64_t i = 0; i < s.rows.count; i += kTokens) {
          const Rows rows{i, std::min(kTokens, s.rows.count - i)};
          Params params = ParamsOf(head, {s.rows.first + i, rows.count});
          if (Status f = Select(bindings, s, head, rows, &params); !f.ok()) return f;
          const auto plan = attention::MakePlan(std::move(params));
          if (Status f = plan->Run({data, workspace_.In(bindings)}, stop); !f.ok()) return f;
        }
      }
    }
    return {};
  }

 private:
  int64_t most_keys() const { return p_.call.selection.most_keys(); }
  int64_t group() const { return p_.query.sizes[1] / p_.key.sizes[1]; }

  // The tables of some rows of a sequence, and how long they are.
  Status Select(const Bindings& bindings, const AttendedSequence& s, int64_t head, const Rows& rows,
                Params* params) const {
    auto lengths = std::make_shared<IntArray>(static_cast<size_t>(rows.count));
    for (int64_t i = 0; i < rows.count; ++i) {
      if (Status f = p_.call.selection.Read(bindings, s, rows.first + i, head,
                                            tables_.In(bindings) + i * most_keys(),
                                            &(*lengths)[static_cast<size_t>(i)]);
          !f.ok()) {
        return f;
      }
    }
    params->kv_lengths = std::move(lengths);
    return {};
  }

  // [token][head of the group][row][number] of some rows and the query heads of a head of keys.
  TensorView Part(const TensorView& rows, int64_t head, const Rows& some) const {
    if (!rows.given()) return rows;
    return WithDim(Sliced(Sliced(rows, 1, head * group(), group()), 0, some.first, some.count), 2);
  }
  // Keys of a head as blocks of one.
  static TokenMap OfHead(const TensorView& rows, int64_t head) {
    TokenMap map;
    map.slot = rows.slot;
    map.base = (rows.offset + head * rows.strides[1]) * BytesOf(rows);
    map.unit = rows.strides[2] * BytesOf(rows);
    map.block = rows.strides[0] * BytesOf(rows);
    return map;
  }

  Params ParamsOf(int64_t head, const Rows& rows) const {
    Params a;
    a.batch = rows.count;
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
    a.keys = {OfHead(p_.key, head)};
    a.values = {OfHead(p_.value, head)};
    a.block_size = 1;
    a.block_count = p_.key.sizes[0];
    a.block_table = {.slot = static_cast<int>(p_.slots),
                     .dtype = ACL_INT32,
                     .rank = 2,
                     .sizes = {kTokens, most_keys()},
                     .strides = {most_keys(), 1}};
    return a;
  }

  const SelectedParams p_;
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
  if (key[0] > kMostRows) {
    return Fail(code, "{}.shape = {}, expected at most {} rows", operands.NameOf(kKey),
                key.ToString(), kMostRows);
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
