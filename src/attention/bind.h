// SPDX-License-Identifier: Apache-2.0
// A problem with the addresses of one run: what phase 2 reads of device memory before it computes.
#pragma once

#include <span>

#include "attention/cache.h"
#include "attention/params.h"
#include "nnop/workspace.h"

namespace anyacl::attention {

// Scales by channel as floats, [head][d]; those that a problem has not got take no room.
struct ChannelSlots {
  WorkspaceSlot<float> key_scale, key_offset, value_scale, value_offset, out_scale, out_offset;
  WorkspaceSlot<float> sink;
};

ChannelSlots BookChannels(const Params& params, WorkspaceBook& book);

struct Bound {
  const Params& params;
  std::span<char* const> data;
  // [kv_heads][dim], null where there is none.
  const float* key_scale = nullptr;
  const float* key_offset = nullptr;
  const float* value_scale = nullptr;
  const float* value_offset = nullptr;
  const float* sink = nullptr;  // [heads]
  // [heads][dim]
  const float* out_scale = nullptr;
  const float* out_offset = nullptr;
  float scale = 1;  // of the scores
  float quant = 0;  // of the probabilities
  int64_t query_padding = 0;
  int64_t kv_padding = 0;

  char* At(int slot) const { return slot < 0 ? nullptr : data[static_cast<size_t>(slot)]; }
  BlockRow Blocks(int64_t b) const;
  // The rows of the query tensor (and of the output) that hold the entry's rows: from here on.
  int64_t FirstQueryRow(int64_t b) const;
  // The same of keys and values; negative: the padding leaves no room, and all rows are zeros.
  int64_t FirstToken(int64_t b) const;
};

Bound Bind(const Params& params, const ChannelSlots& slots, const Bindings& bindings);

// Block ids are device data: those in use must lie in the cache.
Status CheckBlocks(const Bound& bound);

// One scale or offset per column.
class ColumnScales {
 public:
  ColumnScales(const Bound& bound, const ScaleMap& map, int64_t b, int64_t head);
  bool given() const { return given_; }
  void Read(int64_t column, int count, float* out) const;

 private:
  bool given_ = false;
  TokenRows rows_;
};

}  // namespace anyacl::attention
