// SPDX-License-Identifier: Apache-2.0
// Layouts and lengths as what both operators work on: rows of queries, rows of keys, and which of
// them belong together. Lengths and blocks are device data.
#pragma once

#include <vector>

#include "nnop/view.h"
#include "ops/sparse_attention/operators.h"

namespace anyacl::sparse_attention {

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
};
// Layouts, modes, the shapes of query, key, lengths and blocks.
Status CheckGeometry(const Operands& operands, const GeometryLimits& limits, Geometry* geometry);
// "[B, S1, ...]" or "[T1, ...]": the shape of a tensor that has `inner` for each token.
Status CheckTokenShape(const Operands& operands, const Geometry& geometry, int id,
                       std::initializer_list<int64_t> inner);
// An optional output: whether the call asks for it, and if so, it is there.
Status CheckAskedFor(const Operands& operands, int id, int asks);
// Of a tensor [B][1][S1][N1] or [1][T1][N1] the view [tokens][N1].
Status ViewStatistic(const Operands& operands, const Geometry& geometry, int id, TensorView* rows);
// Rows of a token, or of a key: with `two` the leading dimensions of BSND or of blocks as one.
Status Flatten(const Operands& operands, int id, bool two, TensorView* rows);

// Rows of keys, [T2][1][..]: those of blocks, which may lie apart.
struct KeyTensor {
  TensorView rows;
  int64_t block = 0;  // rows of a block; 0: all follow each other
  int64_t block_step = 0;

  const char* At(const Bindings& bindings, int64_t row) const {
    const int64_t at = block == 0 ? row * rows.strides[0]
                                  : row / block * block_step + row % block * rows.strides[0];
    return rows.Address(bindings) + at * BytesOf(rows);
  }
};
Status FlattenKeys(const Operands& operands, const Geometry& geometry, int id, KeyTensor* keys);

// Head number `head` of a row of tokens or of keys.
inline char* RowAt(const TensorView& view, const Bindings& bindings, int64_t row, int64_t head) {
  return view.Address(bindings) + (row * view.strides[0] + head * view.strides[1]) * BytesOf(view);
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

// Of a run: all sequences in the order of their rows, which are all rows there are.
Status ReadSequences(const Geometry& geometry, const Bindings& bindings,
                     std::vector<Sequence>* sequences);

// Where the keys of one sequence lie, in rows of the key tensor.
class KeyRows {
 public:
  KeyRows(const Geometry& geometry, const Bindings& bindings, const Sequence& sequence,
          int64_t index);
  int64_t At(int64_t key) const {
    if (blocks_ == nullptr) return first_ + key;
    return int64_t{blocks_[key / block_size_ * step_]} * block_size_ + key % block_size_;
  }

 private:
  int64_t first_;
  const int32_t* blocks_ = nullptr;
  int64_t step_ = 0;
  int64_t block_size_ = 1;
};

}  // namespace anyacl::sparse_attention
