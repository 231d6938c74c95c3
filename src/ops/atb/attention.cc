// SPDX-License-Identifier: Apache-2.0
// PagedAttention and SelfAttention: queries of all sequences one after the other, keys and values
// likewise or in blocks. Where a mask has rows for each sequence, each sequence is a plan of its
// own; all others are one.
#include <algorithm>
#include <numeric>

#include "attention/kernel.h"
#include "attention/plan.h"
#include "nnop/ordered_plan.h"
#include "ops/atb/operators.h"
#include "ops/atb/sequences.h"

namespace anyacl::atb_operations {
namespace {

using attention::ByHead;
using attention::Params;
using attention::TokenMap;
using attention::TokensOf;

constexpr attention::Axes kBlockAxes = {0, 1, 2};  // [blocks, blockSize, Nk, D]

Status Invalid(const Operands& operands, const char* name, int64_t value, const char* expected,
               int64_t limit) {
  return Fail(operands.spec().codes.shape, "{} = {}, expected {} {}", name, value, expected, limit);
}

// Lengths of 0 or more that `total` tokens hold.
Status ReadLengths(const Operands& operands, int id, int64_t total, std::vector<int64_t>* lengths) {
  const std::span<const int64_t> given = operands.Ints(id);
  lengths->assign(given.begin(), given.end());
  int64_t left = total;
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] >= 0 && given[i] <= left) {
      left -= given[i];
      continue;
    }
    return Fail(operands.spec().codes.shape,
                "{}[{}] = {}, expected 0 to {}, as many as are left of {}", operands.NameOf(id), i,
                given[i], left, total);
  }
  return {};
}

Status ReadColumns(const Operands& operands, Sequences* s) {
  const bool paged = operands.Given(kBlockTable);
  const Dims& keys = operands[kKey].shape();
  if (!paged) return ReadLengths(operands, kKeyLens, keys[0], &s->columns);
  const std::span<const int64_t> given = operands.Ints(kKeyLens);
  const Dims& table = operands[kBlockTable].shape();
  if (static_cast<int64_t>(given.size()) > table[0]) {
    return Invalid(operands, "the number of contextLens", static_cast<int64_t>(given.size()),
                   "at most the rows of blockTable,", table[0]);
  }
  int64_t room = 0;
  if (__builtin_mul_overflow(table[1], keys[1], &room)) room = INT64_MAX;
  for (int64_t length : given) {
    if (length < 0 || length > room) {
      return Invalid(operands, "a length of contextLens", length,
                     "0 to blockTable.shape[1] * blockSize =", room);
    }
  }
  s->columns.assign(given.begin(), given.end());
  return {};
}

}  // namespace

Status ReadSequences(const Operands& operands, Sequences* s) {
  const int64_t tokens = operands[kQuery].shape()[0];
  if (Status status = ReadColumns(operands, s); !status.ok()) return status;
  s->one_row_each = !operands.Given(kQueryLens);
  if (s->one_row_each) {
    s->rows.assign(static_cast<size_t>(tokens), 1);
  } else if (Status status = ReadLengths(operands, kQueryLens, tokens, &s->rows); !status.ok()) {
    return status;
  }
  if (s->rows.empty() && tokens > 0) {
    return Fail(operands.spec().codes.shape, "{} has no lengths, expected those of {} tokens",
                operands.NameOf(kKeyLens), tokens);
  }
  if (s->rows.size() != s->columns.size()) {
    return Fail(operands.spec().codes.shape,
                "{} has {} lengths, expected {}, one for each sequence", operands.NameOf(kKeyLens),
                s->columns.size(), s->rows.size());
  }
  for (int64_t rows : s->rows) s->most_rows = std::max(s->most_rows, rows);
  for (int64_t columns : s->columns) s->most_columns = std::max(s->most_columns, columns);
  return {};
}

// Heads that `dim` says, beside those of the parameters.
Status CheckHeads(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const bool paged = operands.Given(kBlockTable);
  const Dims& key = operands[kKey].shape();
  const size_t rank = paged ? 4 : 3;
  if (key.rank() != rank) {
    return Fail(code, "key.shape = {}, expected rank {} {} blockTable", key.ToString(), rank,
                paged ? "with a" : "without a");
  }
  if (operands.Given(kValue) && operands[kValue].shape().rank() != rank) {
    return Fail(code, "value.shape = {}, expected rank {} as key.shape = {}",
                operands[kValue].shape().ToString(), rank, key.ToString());
  }
  const int64_t heads = operands.Int(kHeads);
  const int64_t kv_heads = operands.Int(kKeyHeads) == 0 ? heads : operands.Int(kKeyHeads);
  if (key[rank - 2] != kv_heads || heads % kv_heads != 0) {
    return Fail(code,
                "key.shape = {} with headNum = {} and kvHeadNum = {}, expected {} heads, "
                "which divide headNum",
                key.ToString(), heads, operands.Int(kKeyHeads), kv_heads);
  }
  const int64_t value_dim =
      operands.Given(kValue) ? operands[kValue].shape().back() : operands.Int(kValueSize);
  if (value_dim < 1 || value_dim > key.back()) {
    return Fail(code, "the values have {} numbers in a head, expected 1 to D = {}", value_dim,
                key.back());
  }
  int64_t dim = key.back();
  if (operands.Given(kQueryRope)) dim += operands[kQueryRope].shape().back();
  if (dim > attention::kMaxDim) {
    return Fail(code, "a head has {} numbers, ropes included, expected at most {}", dim,
                attention::kMaxDim);
  }
  const Dims& out = operands[kAttention].shape();
  if (out.back() == value_dim) return {};
  return Fail(code, "out.shape = {}, expected {} numbers in a head as the values have",
              out.ToString(), value_dim);
}

namespace {

// Of two dimensions beside a cache in blocks: a row for each token.
bool HasRowForEachToken(const Operands& operands) {
  return operands.Given(kMask) && operands[kMask].shape().rank() == 2 &&
         operands.Given(kBlockTable);
}

}  // namespace

Status ReadMask(const Operands& operands, const Sequences& s, TensorView* mask) {
  if (!operands.Given(kMask)) return {};
  const Dims& shape = operands[kMask].shape();
  const bool by_token = HasRowForEachToken(operands);
  const int64_t rows = by_token ? operands[kQuery].shape()[0] : s.most_rows;
  const size_t rank = shape.rank();
  const auto fail = [&](const char* expected) {
    return Fail(operands.spec().codes.shape,
                "mask.shape = {}, expected {}, for {} sequences of up to {} queries and {} keys",
                shape.ToString(), expected, s.rows.size(), s.most_rows, s.most_columns);
  };
  if (rank < 2 || rank > 4) return fail("rank 2 to 4");
  if (shape[rank - 1] < s.most_columns || shape[rank - 2] < rows) {
    return fail(by_token ? "a row for each token and columns enough" : "rows and columns enough");
  }
  *mask = attention::Repeating(ViewOf(operands, kMask));
  if (rank == 3) *mask = WithDim(*mask, operands.Flag(kMaskByHead) ? 0 : 1);
  if (by_token && s.one_row_each) *mask = WithDim(WithDim(*mask, 1), 1);
  while (mask->rank < 4) *mask = WithDim(*mask, 0);
  const auto batch = static_cast<int64_t>(s.rows.size());
  if (mask->sizes[0] != 1 && mask->sizes[0] < batch) return fail("one plane for each sequence");
  if (mask->sizes[1] != 1 && mask->sizes[1] != operands.Int(kHeads)) {
    return fail("one plane for each head");
  }
  *mask = attention::Repeating(*mask);
  return {};
}

namespace {

TokenMap CacheOf(const TensorView& view) {
  if (view.rank == 3) return TokensOf(ByHead(view, kTokenAxes, 0));
  TokenMap map = TokensOf(ByHead(view, kBlockAxes, 0));
  std::swap(map.batch, map.block);
  return map;
}

Params Common(const Operands& operands, const Sequences& s) {
  const Dims& key = operands[kKey].shape();
  const Element type = ElementOf(operands[kQuery].dtype());
  Params params;
  params.batch = static_cast<int64_t>(s.rows.size());
  params.query_size = s.most_rows;
  params.kv_heads = key[key.rank() - 2];
  params.group = operands.Int(kHeads) / params.kv_heads;
  params.dim = key.back();
  params.value_dim = operands[kAttention].shape().back();
  params.kv_size = params.max_kv_length = s.most_columns;
  params.no_columns = s.most_columns == 0;
  params.scale = static_cast<float>(operands.Real(kScale));
  params.masked_score = -__builtin_inff();
  params.correct_rows = true;
  params.query_type = params.cache_type = params.out_type = params.pse_type = type;
  params.query = ByHead(ViewOf(operands, kQuery), kTokenAxes, 0);
  params.out = ByHead(ViewOf(operands, kAttention), kTokenAxes, 0);
  const TensorView keys = ViewOf(operands, kKey);
  params.keys = {CacheOf(keys)};
  params.values = {CacheOf(operands.Given(kValue) ? ViewOf(operands, kValue) : keys)};
  if (operands.Given(kBlockTable)) {
    params.block_size = key[1];
    params.block_count = key[0];
    params.block_table = ViewOf(operands, kBlockTable);
  }
  if (operands.Flag(kCausal)) params.window = {false, true, true, 0, 0};
  return params;
}

std::shared_ptr<const IntArray> Array(std::vector<int64_t> values) {
  return std::make_shared<const IntArray>(std::move(values));
}

// Token i is the only row of sequence i.
void BatchOfRows(TensorView* view) {
  std::swap(view->strides[0], view->strides[2]);
  std::swap(view->sizes[0], view->sizes[2]);
}

std::vector<int64_t> StartsOf(const std::vector<int64_t>& lengths) {
  std::vector<int64_t> starts(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), int64_t{0});
  return starts;
}

}  // namespace

Params ParamsOf(const Operands& operands, const Sequences& s) {
  Params params = Common(operands, s);
  params.kv_lengths = Array(s.columns);
  if (s.one_row_each) {
    BatchOfRows(&params.query);
    BatchOfRows(&params.out);
  } else {
    params.query_lengths = Array(s.rows);
    params.query_starts = StartsOf(s.rows);
    params.query_rows = operands[kQuery].shape()[0];
  }
  if (params.block_size == 0) params.kv_starts = StartsOf(s.columns);
  return params;
}

Status CheckRope(const Operands& operands) {
  constexpr int64_t kStep = 16;
  const Dims& shape = operands[kQueryRope].shape();
  if (shape.back() >= kStep && shape.back() % kStep == 0) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected a multiple of {} numbers",
              operands.NameOf(kQueryRope), shape.ToString(), kStep);
}

void AddRope(const Operands& operands, Params* params) {
  params->rope_dim = operands[kQueryRope].shape().back();
  params->dim += params->rope_dim;
  params->rope_type = params->query_type;
  params->query_rope = ByHead(ViewOf(operands, kQueryRope), kTokenAxes, 0);
  // As query is in ParamsOf.
  if (!operands.Given(kQueryLens)) BatchOfRows(&params->query_rope);
  params->key_ropes = {CacheOf(ViewOf(operands, kKeyRope))};
}

namespace {

std::shared_ptr<const Plan> Together(const Operands& operands, const Sequences& s,
                                     const TensorView& mask) {
  Params params = ParamsOf(operands, s);
  params.pse = mask;
  return attention::MakePlan(std::move(params));
}

// One after the other, of those that have queries; rows behind the last one's have no keys.
std::shared_ptr<const Plan> InTurn(const Operands& operands, Sequences s, const TensorView& mask) {
  s.rows.push_back(operands[kQuery].shape()[0] - std::reduce(s.rows.begin(), s.rows.end()));
  s.columns.push_back(0);
  const std::vector<int64_t> rows = StartsOf(s.rows), columns = StartsOf(s.columns);
  std::vector<std::shared_ptr<const Plan>> plans;
  for (size_t i = 0; i < s.rows.size(); ++i) {
    if (s.rows[i] == 0) continue;
    const Sequences one = {{s.rows[i]}, {s.columns[i]}, s.rows[i], s.columns[i]};
    Params params = Common(operands, one);
    params.query.offset += rows[i] * params.query.strides[2];
    params.out.offset += rows[i] * params.out.strides[2];
    if (s.columns[i] > 0) {
      const auto b = static_cast<int64_t>(i);
      params.pse = mask;
      params.pse.offset += b * mask.strides[0];
      params.block_table.offset += b * params.block_table.strides[0];
    }
    if (params.block_size == 0) {
      for (TokenMap* map : {&params.keys[0], &params.values[0]}) {
        map->base += columns[i] * map->token;
      }
    }
    plans.push_back(attention::MakePlan(std::move(params)));
  }
  return InOrder(std::move(plans));
}

}  // namespace

Status PrepareAttention(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckHeads(operands); !s.ok()) return s;
  Sequences sequences;
  if (Status s = ReadSequences(operands, &sequences); !s.ok()) return s;
  TensorView mask;
  if (Status s = ReadMask(operands, sequences, &mask); !s.ok()) return s;
  if (operands[kQuery].IsEmpty()) return {};
  call->plan = !mask.given() || sequences.one_row_each || HasRowForEachToken(operands)
                   ? Together(operands, sequences, mask)
                   : InTurn(operands, sequences, mask);
  return {};
}

}  // namespace anyacl::atb_operations
