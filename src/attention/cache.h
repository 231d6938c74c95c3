// SPDX-License-Identifier: Apache-2.0
// Answers where the tokens of a batch entry and a head lie, whatever the cache: contiguous, one
// tensor per entry, paged, with a shared prefix in front.
#pragma once

#include <span>

#include "attention/params.h"

namespace anyacl::attention {

// The row of the block table of one batch entry.
struct BlockRow {
  const int32_t* ids = nullptr;  // null: not paged
  int64_t step = 0;
  int64_t size = 0;

  int64_t At(int64_t token) const { return ids[token / size * step]; }
};

// The tokens of one batch entry and head in one tensor.
class TokenRows {
 public:
  TokenRows() = default;
  // `first`: the token that counts as number 0.
  TokenRows(const TokenMap& map, char* data, int64_t b, int64_t head, const BlockRow& blocks,
            int64_t first);

  // The addresses of tokens from, from + 1, ...
  void Locate(int64_t from, int count, const char** rows) const;

 private:
  const char* base_ = nullptr;
  int64_t token_ = 0;
  int64_t block_ = 0;
  BlockRow blocks_;
};

// The rows of keys or values over all columns of a batch entry and head.
class CacheRows {
 public:
  struct Origin {
    int64_t batch;
    int64_t head;
    BlockRow blocks;
    int64_t first;  // of the entry's own tokens
    int64_t dim;    // elements of a row
    Element type;
  };
  CacheRows(const Params& params, const std::vector<TokenMap>& own, const TokenMap& prefix,
            std::span<char* const> data, const Origin& origin);

  // `gathered` receives rows whose elements are not neighbours: count rows of dim elements.
  void Locate(int64_t column, int count, const char** rows, char* gathered) const;

 private:
  TokenRows prefix_;
  TokenRows own_;
  // Brings the elements of a row together.
  void Gather(const char* row, int64_t unit, char* out) const;

  int64_t prefix_size_;
  int64_t unit_;  // from element to element
  int64_t prefix_unit_;
  int64_t element_;  // bytes; those of INT4 are always neighbours
  int64_t piece_;
  int64_t piece_step_;
  int64_t row_elements_;
};

}  // namespace anyacl::attention
