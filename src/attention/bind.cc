// SPDX-License-Identifier: Apache-2.0
#include "attention/bind.h"

#include <cstring>

#include "acl/error_codes/rt_error_codes.h"
#include "base/half_types.h"
#include "base/status.h"

namespace anyacl::attention {
namespace {

float ReadNumber(const TensorView& view, const char* data, int64_t index) {
  return FloatAt(ElementOf(view.dtype), data, view.OffsetOf(index));
}

// Scales of the matrix unit: FLOAT, or UINT64 whose low half is one. The unit drops the last 13
// bits of the mantissa.
float ReadDeqScale(const TensorView& view, const Bindings& bindings) {
  uint32_t bits = 0;
  std::memcpy(&bits, view.Address(bindings), sizeof(bits));
  return __builtin_bit_cast(float, bits & 0xffffe000u);
}

// `repeat` neighbours share one number of the tensor.
const float* ReadChannels(const TensorView& view, const Bindings& bindings, int64_t count,
                          int64_t repeat, float* out) {
  const char* data = view.Address(bindings);
  for (int64_t i = 0; i < count; i += repeat) {
    std::fill_n(out + i, repeat, ReadNumber(view, data, i / repeat));
  }
  return out;
}

int64_t ReadPadding(const TensorView& view, const Bindings& bindings) {
  if (!view.given()) return 0;
  return std::max<int64_t>(0, *reinterpret_cast<const int64_t*>(view.Address(bindings)));
}

}  // namespace

ChannelSlots BookChannels(const Params& params, WorkspaceBook& book) {
  ChannelSlots slots;
  const auto channels = static_cast<size_t>(params.kv_heads * params.dim);
  const auto by_map = [&](const ScaleMap& map) {
    return map.channels.given() ? book.Book<float>(channels) : WorkspaceSlot<float>();
  };
  slots.key_scale = by_map(params.key_scales.scale);
  slots.key_offset = by_map(params.key_scales.offset);
  slots.value_scale =
      params.sum_scale.given() ? book.Book<float>(channels) : by_map(params.value_scales.scale);
  slots.value_offset = by_map(params.value_scales.offset);
  if (params.sink.given()) slots.sink = book.Book<float>(static_cast<size_t>(params.heads()));
  if (params.out_type == Element::kInt8) {
    const auto outputs = static_cast<size_t>(params.heads() * params.dim);
    slots.out_scale = book.Book<float>(outputs);
    slots.out_offset = book.Book<float>(outputs);
  }
  return slots;
}

Bound Bind(const Params& p, const ChannelSlots& slots, const Bindings& bindings) {
  Bound bound{.params = p, .data = bindings.data};
  bound.scale = p.scale;
  const int64_t channels = p.kv_heads * p.dim, outputs = p.heads() * p.dim;
  const auto read = [&](const ScaleMap& map, const WorkspaceSlot<float>& slot) -> const float* {
    if (!map.channels.given()) return nullptr;
    return ReadChannels(map.channels, bindings, channels, map.repeat, slot.In(bindings));
  };
  bound.key_scale = read(p.key_scales.scale, slots.key_scale);
  bound.key_offset = read(p.key_scales.offset, slots.key_offset);
  bound.value_scale = read(p.value_scales.scale, slots.value_scale);
  bound.value_offset = read(p.value_scales.offset, slots.value_offset);
  if (p.sink.given()) {
    bound.sink = ReadChannels(p.sink, bindings, p.heads(), 1, slots.sink.In(bindings));
  }
  if (p.sum_scale.given()) {
    bound.scale *= ReadDeqScale(p.score_scale, bindings);
    bound.quant = ReadNumber(p.probability_scale, p.probability_scale.Address(bindings), 0);
    float* scales = slots.value_scale.In(bindings);
    std::fill_n(scales, channels, ReadDeqScale(p.sum_scale, bindings));
    bound.value_scale = scales;
  }
  if (p.out_type == Element::kInt8) {
    const int64_t repeat = p.out_scale.elements() == 1 ? outputs : 1;
    bound.out_scale =
        ReadChannels(p.out_scale, bindings, outputs, repeat, slots.out_scale.In(bindings));
    float* offsets = slots.out_offset.In(bindings);
    std::fill_n(offsets, outputs, 0.0f);
    if (p.out_offset.given()) ReadChannels(p.out_offset, bindings, outputs, repeat, offsets);
    bound.out_offset = offsets;
  }
  bound.query_padding = ReadPadding(p.query_padding, bindings);
  bound.kv_padding = ReadPadding(p.kv_padding, bindings);
  return bound;
}

BlockRow Bound::Blocks(int64_t b) const {
  if (params.block_size == 0) return {};
  const TensorView& table = params.block_table;
  const auto* ids = reinterpret_cast<const int32_t*>(At(table.slot));
  return {ids + table.offset + b * table.strides[0], table.strides[1], params.block_size};
}

int64_t Bound::FirstQueryRow(int64_t b) const {
  if (!params.query_starts.empty()) return params.query_starts[static_cast<size_t>(b)];
  if (!params.query_padding.given()) return 0;
  const int64_t end = params.query_size - std::min(query_padding, params.query_size);
  return std::max<int64_t>(0, end - params.QueryLength(b));
}

int64_t Bound::FirstToken(int64_t b) const {
  if (!params.kv_starts.empty()) return params.kv_starts[static_cast<size_t>(b)];
  if (!params.kv_padding.given()) return 0;
  const int64_t size = params.kv_size;
  // Padding beyond any size acts as that size plus one: the first token stays negative.
  const int64_t first = size - std::min(kv_padding, size + 1) - params.KvLength(b);
  return params.one_token ? first : std::max<int64_t>(0, first);
}

Status CheckBlocks(const Bound& bound) {
  const Params& p = bound.params;
  if (p.block_size == 0) return {};
  for (int64_t b = 0; b < p.batch; ++b) {
    const BlockRow row = bound.Blocks(b);
    for (int64_t token = 0; token < p.KvLength(b); token += p.block_size) {
      const int32_t id = row.At(token);
      if (id >= 0 && id < p.block_count) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "blockTableOptional[{}][{}] = {}, expected 0 to {}, the blocks of key", b,
                  token / p.block_size, id, p.block_count - 1);
    }
  }
  return {};
}

ColumnScales::ColumnScales(const Bound& bound, const ScaleMap& map, int64_t b, int64_t head)
    : given_(map.per_token) {
  if (!given_) return;
  const BlockRow blocks = map.paged ? bound.Blocks(b) : BlockRow();
  rows_ = TokenRows(map.tokens, bound.At(map.tokens.slot), b, head, blocks,
                    map.paged ? 0 : std::max<int64_t>(0, bound.FirstToken(b)));
}

void ColumnScales::Read(int64_t column, int count, float* out) const {
  const char* rows[kTile];
  rows_.Locate(column, count, rows);
  for (int i = 0; i < count; ++i) std::memcpy(out + i, rows[i], sizeof(float));
}

}  // namespace anyacl::attention
