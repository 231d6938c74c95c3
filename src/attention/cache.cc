// SPDX-License-Identifier: Apache-2.0
#include "attention/cache.h"

#include <cstring>

namespace anyacl::attention {

TokenRows::TokenRows(const TokenMap& map, char* data, int64_t b, int64_t head,
                     const BlockRow& blocks, int64_t first)
    : base_(data + map.base + b * map.batch + head * map.head + first * map.token),
      token_(map.token),
      block_(map.block),
      blocks_(blocks) {}

void TokenRows::Locate(int64_t from, int count, const char** rows) const {
  if (blocks_.ids == nullptr) {
    const char* row = base_ + from * token_;
    for (int i = 0; i < count; ++i, row += token_) rows[i] = row;
    return;
  }
  for (int i = 0; i < count;) {
    const int64_t token = from + i;
    const int64_t offset = token % blocks_.size;
    const char* row = base_ + blocks_.At(token) * block_ + offset * token_;
    const int64_t run = std::min<int64_t>(count - i, blocks_.size - offset);
    for (int64_t end = i + run; i < end; ++i, row += token_) rows[i] = row;
  }
}

CacheRows::CacheRows(const Params& params, const std::vector<TokenMap>& own, const TokenMap& prefix,
                     std::span<char* const> data, const Origin& origin)
    : prefix_size_(params.prefix), element_(BytesOf(origin.type)) {
  const bool listed = own.size() > 1;
  const TokenMap& map = own[listed ? static_cast<size_t>(origin.batch) : 0];
  unit_ = prefix_unit_ = map.unit;
  piece_ = map.piece;
  piece_step_ = map.piece_step;
  row_elements_ = origin.dim;
  // A tensor without tokens has no address.
  char* const address = data[static_cast<size_t>(map.slot)];
  if (address != nullptr) {
    own_ = TokenRows(map, address, listed ? 0 : origin.batch, origin.head, origin.blocks,
                     origin.first);
  }
  if (prefix_size_ == 0) return;
  prefix_unit_ = prefix.unit;
  prefix_ =
      TokenRows(prefix, data[static_cast<size_t>(prefix.slot)], 0, origin.head, BlockRow(), 0);
}

void CacheRows::Locate(int64_t column, int count, const char** rows, char* gathered) const {
  const int from_prefix = static_cast<int>(std::clamp<int64_t>(prefix_size_ - column, 0, count));
  if (from_prefix > 0) prefix_.Locate(column, from_prefix, rows);
  if (from_prefix < count) {
    own_.Locate(column + from_prefix - prefix_size_, count - from_prefix, rows + from_prefix);
  }
  if (unit_ == element_ && prefix_unit_ == element_ && piece_ == 0) return;
  for (int i = 0; i < count; ++i) {
    const int64_t unit = i < from_prefix ? prefix_unit_ : unit_;
    if (unit == element_ && piece_ == 0) continue;
    char* row = gathered + i * row_elements_ * element_;
    Gather(rows[i], unit, row);
    rows[i] = row;
  }
}

void CacheRows::Gather(const char* row, int64_t unit, char* out) const {
  const int64_t together = piece_ == 0 ? row_elements_ : piece_;
  for (int64_t d = 0; d < row_elements_; d += together, row += piece_step_) {
    if (unit == element_) {
      std::memcpy(out + d * element_, row, static_cast<size_t>(together * element_));
      continue;
    }
    for (int64_t i = 0; i < together; ++i) {
      std::memcpy(out + (d + i) * element_, row + i * unit, static_cast<size_t>(element_));
    }
  }
}

}  // namespace anyacl::attention
