// SPDX-License-Identifier: Apache-2.0
#include "ops/native_sparse_attention/infer.h"

#include "attention/kernel.h"

namespace anyacl::native_sparse_attention {
namespace {

constexpr int64_t kMostQueries = 4;  // of a sequence
constexpr int64_t kMostKeyRows = INT32_MAX;

Status CheckLayouts(const Operands& operands, bool bsh, bool* flat, InferSizes* s) {
  size_t layout = 0;
  Status known = bsh ? operands.CheckText(kLayout, {"BSND", "TND", "BSH"}, &layout)
                     : operands.CheckText(kLayout, {"BSND", "TND"}, &layout);
  s->ragged = layout == 1;
  *flat = layout == 2;
  return known;
}

Status CheckQuery(const Operands& operands, bool flat, InferSizes* s) {
  const int code = operands.spec().codes.shape;
  const Dims& query = operands[kQuery].shape();
  s->heads = operands.Int(kHeadNum);
  s->key_heads = operands.Int(kKeyHeadNum);
  const size_t rank = s->ragged || flat ? 3 : 4;
  if (query.rank() != rank || operands[kQuery].IsEmpty()) {
    return Fail(code, "query.shape = {}, expected {} dimensions of 1 or more", query.ToString(),
                rank);
  }
  if (flat ? query[2] % s->heads != 0 : query[rank - 2] != s->heads) {
    return Fail(code, "query.shape = {}, expected {} heads as numHeads says", query.ToString(),
                s->heads);
  }
  s->dim = flat ? query[2] / s->heads : query.back();
  s->rows = s->ragged ? 0 : query[1];
  s->tokens = s->ragged ? query[0] : query[0] * query[1];
  if (s->rows <= kMostQueries) return {};
  return Fail(code, "query.shape = {}: S = {}, expected at most {}", query.ToString(), s->rows,
              kMostQueries);
}

// [pages, rows, N, D] or [pages, rows, N * D].
Status CheckPages(const Operands& operands, int id, const InferSizes& s, int64_t* dim) {
  const int code = operands.spec().codes.shape;
  const Dims& shape = operands[id].shape();
  const bool fits = shape.rank() == 4 ? shape[2] == s.key_heads
                                      : shape.rank() == 3 && shape[2] % s.key_heads == 0;
  if (!fits || operands[id].IsEmpty() || shape[0] != s.pages.page_count ||
      shape[1] != s.pages.page_size) {
    return Fail(code, "{}.shape = {}, expected [{}, {}, N * D] or [{}, {}, N, D] of N = {}",
                operands.NameOf(id), shape.ToString(), s.pages.page_count, s.pages.page_size,
                s.pages.page_count, s.pages.page_size, s.key_heads);
  }
  *dim = shape.rank() == 4 ? shape[3] : shape[2] / s.key_heads;
  return {};
}

Status CheckKeys(const Operands& operands, InferSizes* s) {
  const int code = operands.spec().codes.shape;
  const Dims& key = operands[kKey].shape();
  s->pages.page_count = key.rank() > 0 ? key[0] : 0;
  s->pages.page_size = operands.Int(kPageBlockSize);
  s->pages.name = operands.NameOf(kBlockTable);
  int64_t dim = 0;
  if (Status f = CheckPages(operands, kKey, *s, &dim); !f.ok()) return f;
  if (Status f = CheckPages(operands, kValue, *s, &s->value_dim); !f.ok()) return f;
  if (dim != s->dim || s->value_dim > dim || dim > attention::kMaxDim) {
    return Fail(code,
                "D of query, key and value is {}, {} and {}, expected as many numbers of key as of "
                "query, at most {}, and no more of value",
                s->dim, dim, s->value_dim, attention::kMaxDim);
  }
  if (s->pages.page_count > kMostKeyRows / s->pages.page_size) {
    return Fail(code, "key.shape = {}, expected at most {} rows", key.ToString(), kMostKeyRows);
  }
  const Dims& table = operands[kBlockTable].shape();
  if (table.rank() != 2) {
    return Fail(code, "{}.shape = {}, expected two dimensions", s->pages.name, table.ToString());
  }
  s->batch = s->ragged ? table[0] : operands[kQuery].shape()[0];
  if (table[0] == s->batch && table[0] > 0 && table[1] > 0 &&
      table[1] <= kMostKeyRows / s->pages.page_size) {
    return {};
  }
  return Fail(code, "{}.shape = {}, expected a row for each of {} sequences", s->pages.name,
              table.ToString(), s->batch);
}

}  // namespace

Status CheckInfer(Operands& operands, const InferLimits& limits, InferSizes* s) {
  if (Status f = operands.CheckDTypes(); !f.ok()) return f;
  if (Status f = operands.CheckFormats(); !f.ok()) return f;
  if (Status f = operands.CheckValues(); !f.ok()) return f;
  bool flat = false;
  if (Status f = CheckLayouts(operands, limits.bsh, &flat, s); !f.ok()) return f;
  if (Status f = CheckUnit(operands, kPageBlockSize); !f.ok()) return f;
  if (Status f = CheckQuery(operands, flat, s); !f.ok()) return f;
  const int64_t group = s->heads % s->key_heads == 0 ? s->heads / s->key_heads : 0;
  if (group < 1 || group > limits.group) {
    return Fail(operands.spec().codes.shape,
                "numHeads = {} and numKeyValueHeads = {}, expected a multiple, at most {} times",
                s->heads, s->key_heads, limits.group);
  }
  if (Status f = CheckKeys(operands, s); !f.ok()) return f;
  Dims out = operands[kQuery].shape();
  out[out.rank() - 1] = flat ? s->heads * s->value_dim : s->value_dim;
  if (Status f = CheckShapeIs(operands, kAttention, out); !f.ok()) return f;
  if (Status f = operands.CheckStrides(); !f.ok()) return f;
  s->pages.table = ViewOf(operands, kBlockTable);
  return {};
}

Status CheckRows(const Operands& operands, int id, const InferSizes& s,
                 std::initializer_list<int64_t> inner) {
  const Dims& shape = operands[id].shape();
  Dims flat{s.tokens}, expected{s.batch, s.rows};
  for (int64_t size : inner) {
    flat.push_back(size);
    expected.push_back(size);
  }
  if (shape == (s.ragged ? flat : expected) || (s.rows == 1 && shape == flat)) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {}", operands.NameOf(id),
              shape.ToString(), (s.ragged ? flat : expected).ToString());
}

Status ReadLengths(const Operands& operands, bool compressed, const InferSizes& s,
                   std::vector<AttendedSequence>* sequences) {
  const int code = operands.spec().codes.shape;
  const auto rows = operands.Ints(kQueryEnds), lengths = operands.Ints(kKeyEnds);
  const auto batch = static_cast<size_t>(s.batch);
  if (lengths.size() != batch || (!rows.empty() && rows.size() != batch)) {
    return Fail(code, "{} has {} values and {} has {}, expected {} and {} or none",
                operands.NameOf(kKeyEnds), lengths.size(), operands.NameOf(kQueryEnds), rows.size(),
                batch, batch);
  }
  if (s.ragged && rows.empty() && s.tokens != s.batch) {
    return Fail(code, "{} has no values, expected those of {} sequences as query has {} rows",
                operands.NameOf(kQueryEnds), s.batch, s.tokens);
  }
  int64_t first = 0;
  for (size_t b = 0; b < batch; ++b) {
    const int64_t most = s.ragged ? std::min(kMostQueries, s.tokens - first) : s.rows;
    const int64_t count = !rows.empty() ? rows[b] : s.ragged ? 1 : s.rows;
    if (count < 1 || count > most) {
      return Fail(code, "{}[{}] = {}, expected 1 to {}", operands.NameOf(kQueryEnds), b, count,
                  most);
    }
    const int64_t least = compressed ? 1 : count;
    if (lengths[b] < least || lengths[b] > s.pages.most_keys()) {
      return Fail(code, "{}[{}] = {}, expected {} to {}, what {} has room for",
                  operands.NameOf(kKeyEnds), b, lengths[b], least, s.pages.most_keys(),
                  s.pages.name);
    }
    sequences->push_back({static_cast<int64_t>(b), {first, count}, {0, lengths[b]}});
    first += s.ragged ? count : s.rows;
  }
  return {};
}

TensorView RowsOf(const Operands& operands, int id, int64_t rows, int64_t heads) {
  const TensorView view = ViewOf(operands, id);
  return Reshaped(view, {rows, heads, view.elements() / (rows * heads)});
}

}  // namespace anyacl::native_sparse_attention
