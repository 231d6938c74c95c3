// SPDX-License-Identifier: Apache-2.0
// Layouts and lengths as what the operators work on: rows of queries, rows of keys, and which of
// them belong together. Lengths and blocks are device data, each of which is read once: results
// may be stored where they lie.
#pragma once

#include <span>

#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/sparse_attention/operators.h"

namespace anyacl::sparse_attention {

inline constexpr int64_t kIndexerDim = 128, kMostIndexerHeads = 64;
// What the attention to chosen keys offers.
inline constexpr int64_t kDim = 512, kRopeDim = 64, kMostHeads = 128;

enum class Keys { kBatches, kRagged, kBlocks };

// What a call says without device data.
struct Geometry {
  bool ragged = false;  // TND
  Keys keys = Keys::kBatches;
  bool causal = false;
  int64_t batch = 0;
  int64_t tokens = 0;      // of all sequences
  int64_t query_size = 0;  // BSND: S1
  int64_t heads = 0;       // N1
  int64_t key_size = 0;    // the most keys that a sequence may have
  int64_t block_size = 0;  // of PA_BSND
  int64_t block_count = 0;
  TensorView query_lengths, key_lengths, block_table;
  std::shared_ptr<const IntArray> query_ends, key_ends;  // the same as arrays of the host
  const char* query_lengths_name = nullptr;
  const char* key_lengths_name = nullptr;
  const char* block_table_name = nullptr;
};

struct GeometryLimits {
  int64_t dim;          // D of queries and keys
  int64_t heads;        // the largest N1
  int64_t key_dim = 0;  // D of keys, if another one
  // Whether preTokens and nextTokens may be as many as there are, else 2^63 - 1.
  bool any_window_of_all = false;
  bool key_has_heads = false;  // as many as queries, else one
};
// Of a call without queries all there is to check.
Status CheckLayouts(const Operands& operands, Geometry* geometry);
// Training has no other mode than 3.
Status CheckIsCausal(const Operands& operands, const Geometry& geometry);
// Layouts, modes, the shapes of query, key, lengths and blocks.
Status CheckGeometry(const Operands& operands, const GeometryLimits& limits, Geometry* geometry);
// "[B, S1, ...]" or "[T1, ...]": the shape of a tensor that has `inner` for each token.
Status CheckTokenShape(const Operands& operands, const Geometry& geometry, int id,
                       std::initializer_list<int64_t> inner);
// An optional output: whether the call asks for it, and if so, it is there.
Status CheckAskedFor(const Operands& operands, int id, int asks);
// The shape [B][1][S1][N1] or [1][T1][N1] of a number for each token and head.
Status CheckStatistic(const Operands& operands, const Geometry& geometry, int id);
// The shape [B][1][S1] or [1][T1] of a number for each token.
Status CheckRowStatistic(const Operands& operands, const Geometry& geometry, int id);

// Rows of tokens, [T][N][..], or of keys, [T2][1][..]: those of a sequence of BSND, or of a block,
// which may lie apart from the next one's.
struct SplitRows : TensorView {
  int64_t part = 0;  // rows that follow each other; 0: all
  int64_t part_step = 0;

  // How many elements behind the first one a row lies.
  int64_t OffsetOfRow(int64_t row) const {
    return part == 0 ? row * strides[0] : row / part * part_step + row % part * strides[0];
  }
};
// With `two` of a tensor whose leading dimensions are those of BSND or of blocks.
SplitRows Split(const TensorView& view, bool two);
// What CheckStatistic has passed, as rows [T][N1], or CheckRowStatistic, as rows [T].
SplitRows SplitStatistic(const Operands& operands, const Geometry& geometry, int id);

// Head number `head` of a row.
inline char* RowAt(const SplitRows& rows, const Bindings& bindings, int64_t row, int64_t head) {
  return rows.Address(bindings) + (rows.OffsetOfRow(row) + head * rows.strides[1]) * BytesOf(rows);
}
// Numbers of so many bytes, 1 or 2, as they are.
void CopyNumbers(const char* from, int64_t step, int64_t count, char* to, int64_t bytes);

// A batch entry: rows of queries, of which the first `count` are there.
struct Sequence {
  int64_t first = 0;
  int64_t rows = 0;
  int64_t count = 0;
  int64_t first_key = 0;  // not of PA_BSND
  int64_t keys = 0;

  // The keys that row i may see are the first ones.
  int64_t Visible(const Geometry& geometry, int64_t i) const {
    if (i >= count) return 0;
    if (!geometry.causal) return keys;
    return std::clamp<int64_t>(keys - count + i + 1, 0, keys);
  }
};

// Where the keys of one sequence lie, in rows of the key tensor.
struct KeyRows {
  int64_t first;
  const int32_t* blocks;  // null: the keys follow each other
  int64_t block_size;

  int64_t At(int64_t key) const {
    if (blocks == nullptr) return first + key;
    return int64_t{blocks[key / block_size]} * block_size + key % block_size;
  }
};

// The sequences of a run in the order of their rows, which are all rows there are. There may be as
// many as no host has memory for (a stride of 0), so they are part of the workspace.
class Sequences {
 public:
  Sequences(const Geometry& geometry, WorkspaceBook* book);

  // Reads and checks the client's integers; then the others may be called.
  Status Read(const Bindings& bindings) const;
  std::span<const Sequence> All(const Bindings& bindings) const {
    return {sequences_.In(bindings), static_cast<size_t>(g_.batch)};
  }
  KeyRows KeysOf(const Bindings& bindings, size_t index) const;

 private:
  Status ReadBlocks(const Bindings& bindings, int64_t index) const;

  const Geometry g_;
  int64_t columns_ = 0;  // of the table of blocks
  WorkspaceSlot<Sequence> sequences_;
  WorkspaceSlot<int32_t> blocks_;
};

}  // namespace anyacl::sparse_attention
