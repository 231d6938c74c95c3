// SPDX-License-Identifier: Apache-2.0
#include "ops/sparse_attention/sequences.h"

#include <cstring>

#include "acl/error_codes/rt_error_codes.h"

namespace anyacl::sparse_attention {
namespace {

constexpr int64_t kBlockStep = 16, kMostBlock = 1024;
constexpr int64_t kMostRows = INT32_MAX;  // indices are INT32

// Every dimension has entries, as many as fit an index.
Status CheckSizes(const Operands& operands, int id, size_t rank, const char* layout) {
  const Dims& shape = operands[id].shape();
  const int code = operands.spec().codes.shape;
  if (shape.rank() != rank) {
    return Fail(code, "{}.shape = {}, expected {} dimensions as of {}", operands.NameOf(id),
                shape.ToString(), rank, layout);
  }
  const std::optional<int64_t> elements = ElementCount(shape);
  if (elements != 0 && elements.has_value() && *elements / shape.back() <= kMostRows) return {};
  return Fail(code, "{}.shape = {}, expected 1 to {} rows", operands.NameOf(id), shape.ToString(),
              kMostRows);
}

// Lengths are a tensor, or an array of the host, which op-plugin passes empty for none.
int LengthsRow(const Operands& operands, int tensor, int array) {
  return operands.HasRow(array) ? array : tensor;
}
int64_t LengthCount(const Operands& operands, int row) {
  if (row == kQueryEnds || row == kKeyEnds) return static_cast<int64_t>(operands.Ints(row).size());
  if (!operands.Given(row)) return 0;
  const Dims& shape = operands[row].shape();
  return shape.rank() == 1 ? shape[0] : -1;
}

Status CheckLengths(const Operands& operands, int id, bool needed, const char* layout,
                    const Geometry& g) {
  const int code = operands.spec().codes.shape;
  const bool array = id == kQueryEnds || id == kKeyEnds;
  const int64_t count = LengthCount(operands, id);
  if (!operands.Given(id) || (array && count == 0)) {
    if (!needed) return {};
    return Fail(operands.spec().codes.null, "{} is {}, expected {} as the layout is {}",
                operands.NameOf(id), array ? "null or empty" : "null",
                array ? "lengths" : "a tensor", layout);
  }
  if (count == g.batch && g.batch > 0) return {};
  if (array) {
    return Fail(code, "{} has size {}, expected {}", operands.NameOf(id), count, g.batch);
  }
  return Fail(code, "{}.shape = {}, expected [{}]", operands.NameOf(id),
              operands[id].shape().ToString(), g.batch);
}

Status CheckQuery(const Operands& operands, const GeometryLimits& limits, Geometry* g) {
  const char* const layout = g->ragged ? "TND" : "BSND";
  if (Status s = CheckSizes(operands, kQuery, g->ragged ? 3 : 4, layout); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims& query = operands[kQuery].shape();
  g->heads = query[query.rank() - 2];
  if (query.back() != limits.dim) {
    return Fail(code, "{}.shape = {}, expected D = {}", operands.NameOf(kQuery), query.ToString(),
                limits.dim);
  }
  if (g->heads > limits.heads) {
    return Fail(code, "{}.shape = {}: N1 = {}, expected at most {}", operands.NameOf(kQuery),
                query.ToString(), g->heads, limits.heads);
  }
  g->tokens = g->ragged ? query[0] : query[0] * query[1];
  if (!g->ragged) {
    g->batch = query[0];
    g->query_size = query[1];
  } else {
    g->batch = std::max<int64_t>(
        0, LengthCount(operands, LengthsRow(operands, kQueryLengths, kQueryEnds)));
  }
  return CheckLengths(operands, LengthsRow(operands, kQueryLengths, kQueryEnds), g->ragged, layout,
                      *g);
}

Status CheckBlocks(const Operands& operands, Geometry* g) {
  const int code = operands.spec().codes.shape;
  if (g->keys != Keys::kBlocks) {
    if (!operands.Given(kBlockTable)) return {};
    return Fail(code, "{} is given, expected null unless {} is PA_BSND",
                operands.NameOf(kBlockTable), operands.NameOf(kKeyLayout));
  }
  if (!operands.Given(kBlockTable)) {
    return Fail(operands.spec().codes.null, "{} is null, expected a tensor as {} is PA_BSND",
                operands.NameOf(kBlockTable), operands.NameOf(kKeyLayout));
  }
  const Dims& key = operands[kKey].shape();
  g->block_count = key[0];
  g->block_size = key[1];
  if (g->block_size % kBlockStep != 0 || g->block_size > kMostBlock) {
    return Fail(code, "key.shape = {}: blockSize = {}, expected a multiple of {} up to {}",
                key.ToString(), g->block_size, kBlockStep, kMostBlock);
  }
  const Dims& table = operands[kBlockTable].shape();
  if (table.rank() != 2 || table[0] != g->batch || table[1] < 1 ||
      table[1] > kMostRows / g->block_size) {
    return Fail(code, "{}.shape = {}, expected [{}, 1 to {}]", operands.NameOf(kBlockTable),
                table.ToString(), g->batch, kMostRows / g->block_size);
  }
  g->key_size = table[1] * g->block_size;
  return {};
}

Status CheckKey(const Operands& operands, const GeometryLimits& limits, Geometry* g) {
  static constexpr const char* kNames[] = {"BSND", "TND", "PA_BSND"};
  const char* const layout = kNames[static_cast<int>(g->keys)];
  const size_t rank = g->keys == Keys::kRagged ? 3 : 4;
  if (Status s = CheckSizes(operands, kKey, rank, layout); !s.ok()) return s;
  const Dims& key = operands[kKey].shape();
  const Dims& query = operands[kQuery].shape();
  const int code = operands.spec().codes.shape;
  const int64_t dim = limits.key_dim != 0 ? limits.key_dim : limits.dim;
  const int64_t heads = limits.key_has_heads ? g->heads : 1;
  if (key[rank - 2] != heads || key.back() != dim) {
    return Fail(code, "{}.shape = {}, expected {} of {} numbers", operands.NameOf(kKey),
                key.ToString(), heads == 1 ? "one head" : std::to_string(heads) + " heads", dim);
  }
  if (g->keys == Keys::kBatches && key[0] != g->batch) {
    return Fail(code, "{}.shape = {}: B = {}, expected {} as {}.shape = {}", operands.NameOf(kKey),
                key.ToString(), key[0], g->batch, operands.NameOf(kQuery), query.ToString());
  }
  g->key_size = g->keys == Keys::kBatches ? key[1] : key[0];
  if (Status s = CheckBlocks(operands, g); !s.ok()) return s;
  return CheckLengths(operands, LengthsRow(operands, kKeyLengths, kKeyEnds),
                      g->keys != Keys::kBatches, layout, *g);
}

// There are no windows.
Status CheckWindow(const Operands& operands, const GeometryLimits& limits, const Geometry& g) {
  const int64_t all = std::max(g.tokens, g.key_size);
  for (int id : {kPreTokens, kNextTokens}) {
    const int64_t tokens = operands.Int(id);
    if (tokens == INT64_MAX || (limits.any_window_of_all && tokens >= all)) continue;
    const char* const or_less = limits.any_window_of_all ? " or as many as there are" : "";
    return Fail(operands.spec().codes.shape, "{} = {}, expected {}{}", operands.NameOf(id), tokens,
                INT64_MAX, or_less);
  }
  return {};
}

// The entries of a tensor of lengths.
int64_t LengthAt(const TensorView& lengths, const Bindings& bindings, int64_t b) {
  const auto* at = reinterpret_cast<const int32_t*>(lengths.Address(bindings));
  return at[b * lengths.strides[0]];
}

Status BadLength(const char* name, int64_t b, int64_t length, int64_t least, int64_t most) {
  return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}] = {}, expected {} to {}", name, b, length,
              least, most);
}

// Lengths, or ends where the layout is ragged, of a dimension of `size`.
struct Extents {
  const TensorView& lengths;
  const std::shared_ptr<const IntArray>& array;
  const char* name;
  bool ends;
  int64_t size;
  int64_t previous = 0;

  Status Read(const Bindings& bindings, int64_t b, int64_t* first, int64_t* count) {
    *first = ends ? previous : 0;
    *count = size;
    const bool listed = array != nullptr && !array->empty();
    if (!listed && !lengths.given()) return {};
    const int64_t length =
        listed ? (*array)[static_cast<size_t>(b)] : LengthAt(lengths, bindings, b);
    if (length < *first || length > size) return BadLength(name, b, length, *first, size);
    *count = length - *first;
    previous = length;
    return {};
  }
};

}  // namespace

Status CheckLayouts(const Operands& operands, Geometry* g) {
  const int code = operands.spec().codes.shape;
  constexpr const char* kLayouts[] = {"BSND", "TND", "PA_BSND"};
  size_t query = 0, key = 0;
  if (Status s = operands.CheckText(kQueryLayout, {"BSND", "TND"}, &query); !s.ok()) return s;
  g->ragged = query == 1;
  g->keys = g->ragged ? Keys::kRagged : Keys::kBatches;
  if (operands.HasRow(kKeyLayout)) {
    if (Status s = operands.CheckText(kKeyLayout, {"BSND", "TND", "PA_BSND"}, &key); !s.ok()) {
      return s;
    }
    if (key == 2) {
      g->keys = Keys::kBlocks;
    } else if (key != query) {
      return Fail(code, "{} = \"{}\", expected PA_BSND or {} as {}", operands.NameOf(kKeyLayout),
                  kLayouts[key], kLayouts[query], operands.NameOf(kQueryLayout));
    }
  }
  const int64_t mode = operands.Int(kSparseMode);
  if (mode != 0 && mode != 3) return Fail(code, "sparseMode = {}, expected 0 or 3", mode);
  g->causal = mode == 3;
  return {};
}

Status CheckIsCausal(const Operands& operands, const Geometry& g) {
  if (g.causal) return {};
  return Fail(operands.spec().codes.shape, "sparseMode = {}, expected 3",
              operands.Int(kSparseMode));
}

Status CheckGeometry(const Operands& operands, const GeometryLimits& limits, Geometry* g) {
  if (Status s = CheckLayouts(operands, g); !s.ok()) return s;
  if (Status s = CheckQuery(operands, limits, g); !s.ok()) return s;
  if (Status s = CheckKey(operands, limits, g); !s.ok()) return s;
  if (Status s = CheckWindow(operands, limits, *g); !s.ok()) return s;
  g->query_lengths = ViewOf(operands, kQueryLengths);
  g->key_lengths = ViewOf(operands, kKeyLengths);
  g->block_table = ViewOf(operands, kBlockTable);
  g->query_lengths_name = operands.NameOf(LengthsRow(operands, kQueryLengths, kQueryEnds));
  g->key_lengths_name = operands.NameOf(LengthsRow(operands, kKeyLengths, kKeyEnds));
  if (operands.HasRow(kQueryEnds)) g->query_ends = operands.IntArrayAt(kQueryEnds);
  if (operands.HasRow(kKeyEnds)) g->key_ends = operands.IntArrayAt(kKeyEnds);
  if (operands.HasRow(kBlockTable)) g->block_table_name = operands.NameOf(kBlockTable);
  return {};
}

Status CheckTokenShape(const Operands& operands, const Geometry& g, int id,
                       std::initializer_list<int64_t> inner) {
  Dims expected;
  if (g.ragged) {
    expected.push_back(g.tokens);
  } else {
    expected.push_back(g.batch);
    expected.push_back(g.query_size);
  }
  for (int64_t size : inner) expected.push_back(size);
  return CheckShapeIs(operands, id, expected);
}

Status CheckAskedFor(const Operands& operands, int id, int asks) {
  if (!operands.Given(id)) {
    if (!operands.Flag(asks)) return {};
    return Fail(operands.spec().codes.null, "{} is null, expected a tensor as {} is true",
                operands.NameOf(id), operands.NameOf(asks));
  }
  const Dims& shape = operands[id].shape();
  if (ElementCount(shape).has_value()) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected the sizes of a tensor",
              operands.NameOf(id), shape.ToString());
}

Status CheckStatistic(const Operands& operands, const Geometry& g, int id) {
  const Dims expected =
      g.ragged ? Dims{1, g.tokens, g.heads} : Dims{g.batch, 1, g.query_size, g.heads};
  return CheckShapeIs(operands, id, expected);
}

SplitRows Split(const TensorView& view, bool two) {
  if (!two) return {view};
  const int64_t outer = view.sizes[0], inner = view.sizes[1], step = view.strides[0];
  SplitRows rows{WithoutDim(view, 0), inner, step};
  rows.sizes[0] = outer * inner;
  if (inner == 1) rows.strides[0] = step;
  if (outer <= 1 || inner <= 1 || step == inner * rows.strides[0]) rows.part = 0;
  return rows;
}

SplitRows SplitStatistic(const Operands& operands, const Geometry& g, int id) {
  return Split(WithoutDim(ViewOf(operands, id), g.ragged ? 0 : 1), !g.ragged);
}

Status CheckRowStatistic(const Operands& operands, const Geometry& g, int id) {
  return CheckShapeIs(operands, id, g.ragged ? Dims{1, g.tokens} : Dims{g.batch, 1, g.query_size});
}

void CopyNumbers(const char* from, int64_t step, int64_t count, char* to, int64_t bytes) {
  if (step == 1) {
    std::memcpy(to, from, static_cast<size_t>(count * bytes));
    return;
  }
  for (int64_t d = 0; d < count; ++d, from += step * bytes, to += bytes) {
    std::memcpy(to, from, static_cast<size_t>(bytes));
  }
}

Sequences::Sequences(const Geometry& geometry, WorkspaceBook* book)
    : g_(geometry), sequences_(book->Book<Sequence>(static_cast<size_t>(geometry.batch))) {
  if (g_.keys != Keys::kBlocks) return;
  columns_ = g_.key_size / g_.block_size;
  blocks_ = book->Book<int32_t>(g_.batch, columns_);
}

Status Sequences::Read(const Bindings& bindings) const {
  Extents queries{g_.query_lengths, g_.query_ends, g_.query_lengths_name, g_.ragged,
                  g_.ragged ? g_.tokens : g_.query_size};
  Extents keys{g_.key_lengths, g_.key_ends, g_.key_lengths_name, g_.keys == Keys::kRagged,
               g_.key_size};
  for (int64_t b = 0; b < g_.batch; ++b) {
    Sequence& s = sequences_.In(bindings)[b] = {};
    if (Status bad = queries.Read(bindings, b, &s.first, &s.count); !bad.ok()) return bad;
    if (Status bad = keys.Read(bindings, b, &s.first_key, &s.keys); !bad.ok()) return bad;
    s.rows = g_.ragged ? s.count : g_.query_size;
    if (!g_.ragged) s.first = b * g_.query_size;
    if (g_.keys == Keys::kBatches) s.first_key = b * g_.key_size;
    if (g_.keys != Keys::kBlocks || s.count == 0) continue;
    if (Status bad = ReadBlocks(bindings, b); !bad.ok()) return bad;
  }
  // Rows behind the last sequence are nobody's.
  Sequence& last = sequences_.In(bindings)[g_.batch - 1];
  if (g_.ragged) last.rows = g_.tokens - last.first;
  return {};
}

// Those that its keys lie in; others may be any number.
Status Sequences::ReadBlocks(const Bindings& bindings, int64_t index) const {
  const TensorView& table = g_.block_table;
  const auto* from = reinterpret_cast<const int32_t*>(table.Address(bindings));
  int32_t* const blocks = blocks_.In(bindings) + index * columns_;
  const int64_t keys = sequences_.In(bindings)[index].keys;
  for (int64_t column = 0; column * g_.block_size < keys; ++column) {
    const int32_t block = from[index * table.strides[0] + column * table.strides[1]];
    if (block < 0 || block >= g_.block_count) {
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "{}[{}][{}] = {}, expected 0 to {}, the blocks of key", g_.block_table_name,
                  index, column, block, g_.block_count - 1);
    }
    blocks[column] = block;
  }
  return {};
}

KeyRows Sequences::KeysOf(const Bindings& bindings, size_t index) const {
  const int32_t* const blocks =
      columns_ == 0 ? nullptr : blocks_.In(bindings) + static_cast<int64_t>(index) * columns_;
  return {sequences_.In(bindings)[index].first_key, blocks, g_.block_size};
}

}  // namespace anyacl::sparse_attention
