// SPDX-License-Identifier: Apache-2.0
// The memory that one thread needs for one block of rows: parts of the workspace.
#pragma once

#include <algorithm>
#include <cstring>

#include "attention/attend.h"
#include "attention/bias.h"
#include "base/division.h"

namespace anyacl::attention {

// Of the columns of a tile.
struct Factors {
  float key_scale[kTile] = {};
  float key_shift[kTile] = {};
  float value_scale[kTile] = {};
  float value_shift[kTile] = {};
};

class Scratch {
 public:
  Scratch(const Params& params, const Blocking& blocking, char* memory)
      : rows(static_cast<int64_t>(blocking.block_rows)), at_(reinterpret_cast<uintptr_t>(memory)) {
    const int64_t tile = kTile * blocking.row_step;
    const int64_t state = RoundUp(rows, 16);
    outputs_ = RoundUp(rows, blocking.decode ? 1 : kPrefillRows) * blocking.row_step;
    q = Take<float>(outputs_);
    o = Take<float>(outputs_);
    if (!blocking.decode) {
      keys_ = tile;
      k = Take<float>(tile);
      v = Take<float>(tile);
    }
    scores = Take<float>(kTile * kPrefillRows);
    if (params.adds_to_scores()) add = Take<float>(kTile * kPrefillRows);
    if (params.mask.given()) masked = Take<int8_t>(kTile * kPrefillRows);
    if (params.drop.given()) keep = Take<int8_t>(kTile * kPrefillRows);
    if (params.mask.given() || params.drop.given()) {
      bias.bytes = Take<int8_t>(kTile * kPrefillRows);
    }
    m = Take<float>(state);
    l = Take<float>(state);
    extra = Take<float>(state);
    row_shift = Take<float>(state);
    row_sum = Take<float>(state);
    query_step = Take<float>(state);
    begin = Take<int64_t>(state);
    end = Take<int64_t>(state);
    common = Take<Interval>(RoundUp(rows, kPrefillRows) / kPrefillRows);
    tile_begin = Take<int32_t>(kPrefillRows);
    tile_end = Take<int32_t>(kPrefillRows);
    square = Take<float>(16 * std::max<int64_t>(blocking.row_step, kTile));
    bias.floats = square;
    addresses_ = Take<const char*>(4 * kTile);
    gathered_bytes_ = kTile * blocking.row_step * std::max<int64_t>(2, BytesOf(params.cache_type));
    gathered = Take<char>(4 * gathered_bytes_);
    bias.gathered = Take<char>(kTile * 4);
    if (params.rope_dim > 0) {
      ropes_ = Take<const char*>(2 * kTile);
      gathered_rope_bytes_ = kTile * params.rope_dim * BytesOf(params.rope_type);
      gathered_ropes_ = Take<char>(2 * gathered_rope_bytes_);
    }
  }

  // Before anything is attended to.
  void Clear() {
    const size_t bytes = sizeof(float) * static_cast<size_t>(RoundUp(rows, 16));
    std::fill_n(m, RoundUp(rows, 16), -__builtin_inff());
    for (float* state : {l, extra, row_shift, row_sum}) std::memset(state, 0, bytes);
    std::memset(o, 0, sizeof(float) * static_cast<size_t>(outputs_));
    std::memset(q, 0, sizeof(float) * static_cast<size_t>(outputs_));
    // Behind dim, where keys are not packed.
    if (k != nullptr) std::memset(k, 0, sizeof(float) * static_cast<size_t>(keys_));
  }

  const char** Keys(bool buffer) { return addresses_ + (buffer ? 2 * kTile : 0); }
  const char** Values(bool buffer) { return Keys(buffer) + kTile; }
  char* GatheredKeys(bool buffer) { return gathered + (buffer ? 2 * gathered_bytes_ : 0); }
  char* GatheredValues(bool buffer) { return GatheredKeys(buffer) + gathered_bytes_; }
  const char** Ropes(bool buffer) { return ropes_ + (buffer ? kTile : 0); }
  char* GatheredRopes(bool buffer) { return gathered_ropes_ + (buffer ? gathered_rope_bytes_ : 0); }
  // What the constructor took of memory that begins at null.
  size_t size() const { return at_; }

  const int64_t rows;
  // Decode: [row][row_step]; prefill: [d][kPrefillRows] for so many rows, then those of the next.
  float* q;  // prefill in bf16: pairs of d
  float* o;
  float* k = nullptr;
  float* v = nullptr;
  float* scores;
  float* add = nullptr;
  int8_t* masked = nullptr;
  int8_t* keep = nullptr;
  float* m;
  float* l;
  float* extra;
  float* row_shift;
  float* row_sum;
  float* query_step;
  int64_t* begin;
  int64_t* end;
  Interval* common;  // of each kPrefillRows rows
  int32_t* tile_begin;
  int32_t* tile_end;
  float* square;  // [16][row_step]
  BiasBuffers bias{};
  char* gathered;
  Factors factors;

 private:
  template <class T>
  T* Take(int64_t count) {
    T* taken = reinterpret_cast<T*>(at_);
    at_ += (static_cast<size_t>(count) * sizeof(T) + 63) / 64 * 64;
    return taken;
  }

  uintptr_t at_;
  const char** addresses_;
  const char** ropes_ = nullptr;
  char* gathered_ropes_ = nullptr;
  int64_t gathered_rope_bytes_ = 0;
  int64_t gathered_bytes_;
  int64_t outputs_;
  int64_t keys_ = 0;
};

}  // namespace anyacl::attention
