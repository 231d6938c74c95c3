// SPDX-License-Identifier: Apache-2.0
// Layouts, caches, scales and sparse modes as strides, maps and windows.
#include "ops/fused_infer_attention/antiquant.h"
#include "ops/fused_infer_attention/op.h"

namespace anyacl::fused_infer_attention {

using attention::FlatMap;
using attention::Grid;
using attention::Params;
using attention::ScaleMap;
using attention::Source;
using attention::Target;
using attention::TokenMap;
using attention::Window;

namespace {

Source SourceOf(aclDataType type) {
  switch (type) {
    case ACL_FLOAT16:
      return Source::kFp16;
    case ACL_BF16:
      return Source::kBf16;
    case ACL_INT8:
      return Source::kInt8;
    case ACL_INT4:
      return Source::kInt4;
    default:
      return Source::kFloat;
  }
}

Target TargetOf(aclDataType type) {
  return type == ACL_FLOAT16 ? Target::kFp16 : type == ACL_BF16 ? Target::kBf16 : Target::kInt8;
}

// Where a dimension has one entry its stride means nothing and may be any number. Masks and
// pseShift have sizes of 1 wherever one entry serves all.
int64_t Stride(const Operand& operand, size_t dim) {
  if (operand.shape()[dim] != 1) return operand.strides()[dim];
  return dim + 1 == operand.shape().rank() ? 1 : 0;
}

int64_t LastStride(const Operand& operand) { return Stride(operand, operand.shape().rank() - 1); }

// Query and output: [batch][head][row], d along the columns. `dim`: of one head.
Grid GridOfHeads(const Problem& p, int row, Layout layout, int64_t dim) {
  const Operand& operand = p.at(row);
  const Axes axes = AxesOf(layout);
  Grid grid;
  grid.slot = p.operands.SlotIndex(row);
  grid.base = operand.layout->offset;
  if (axes.batch >= 0) grid.batch = Stride(operand, static_cast<size_t>(axes.batch));
  grid.row = Stride(operand, static_cast<size_t>(axes.size));
  grid.column = LastStride(operand);
  grid.head = axes.head < 0 ? dim * grid.column : Stride(operand, static_cast<size_t>(axes.head));
  return grid;
}

// One number for each row and head, in the query's order.
Grid GridOfRows(const Problem& p, int row) {
  const Operand& operand = p.at(row);
  const Axes axes = AxesOf(p.layout);
  Grid grid;
  grid.slot = p.operands.SlotIndex(row);
  grid.base = operand.layout->offset;
  if (axes.batch >= 0) grid.batch = Stride(operand, static_cast<size_t>(axes.batch));
  grid.row = Stride(operand, static_cast<size_t>(axes.size));
  grid.head = Stride(operand, axes.head < 0 ? 2 : static_cast<size_t>(axes.head));
  grid.column = 1;
  return grid;
}

Grid GridOfMask(const Problem& p) {
  const Operand& mask = p.at(kAttenMask);
  const size_t rank = mask.shape().rank();
  Grid grid;
  grid.slot = p.operands.SlotIndex(kAttenMask);
  grid.base = mask.layout->offset;
  grid.column = Stride(mask, rank - 1);
  if (p.one_token) {
    grid.batch = Stride(mask, 0);
  } else {
    grid.row = Stride(mask, rank - 2);
    if (rank > 2) grid.batch = Stride(mask, 0);
  }
  return grid;
}

Grid GridOfPse(const Problem& p) {
  const Operand& pse = p.at(kPseShift);
  return {p.operands.SlotIndex(kPseShift),
          pse.layout->offset,
          Stride(pse, 0),
          Stride(pse, 1),
          Stride(pse, 2),
          Stride(pse, 3)};
}

Grid GridOfLse(const Problem& p) {
  const Operand& lse = p.at(kSoftmaxLse);
  if (p.Ragged()) {
    return {p.operands.SlotIndex(kSoftmaxLse),
            lse.layout->offset,
            0,
            Stride(lse, 1),
            Stride(lse, 0),
            0};
  }
  return {p.operands.SlotIndex(kSoftmaxLse),
          lse.layout->offset,
          Stride(lse, 0),
          Stride(lse, 1),
          Stride(lse, 2),
          0};
}

int64_t Bytes(int64_t elements, aclDataType type) {
  return type == ACL_INT4 ? elements / 2 : elements * (BitsOf(type) / 8);
}

// `dim`: of one head.
TokenMap CacheOf(const Problem& p, const Operand& operand, int slot, int64_t dim) {
  const auto bytes = [&](size_t dim) { return Bytes(Stride(operand, dim), operand.dtype()); };
  const aclDataType type = operand.dtype();
  TokenMap map;
  map.slot = slot;
  map.base = Bytes(operand.layout->offset, type);
  map.unit = type == ACL_INT4 ? 1 : Bytes(LastStride(operand), type);
  const int64_t head_in_row = Bytes(dim * LastStride(operand), type);
  if (p.paged && operand.shape().rank() == 5) {
    map.block = bytes(0);
    map.head = bytes(1);
    map.piece = operand.shape()[4];
    map.piece_step = bytes(2);
    map.token = bytes(3);
  } else if (p.paged) {
    const bool by_head = operand.shape().rank() == 4;
    map.block = bytes(0);
    map.head = by_head ? bytes(1) : head_in_row;
    map.token = bytes(by_head ? 2 : 1);
  } else {
    const Axes axes = AxesOf(p.layout);
    if (axes.batch >= 0) map.batch = bytes(static_cast<size_t>(axes.batch));
    map.head = axes.head < 0 ? head_in_row : bytes(static_cast<size_t>(axes.head));
    map.token = bytes(static_cast<size_t>(axes.size));
  }
  return map;
}

void MapCaches(const Problem& p, Params& params) {
  const int first_key = p.operands.SlotIndex(kKey), first_value = p.operands.SlotIndex(kValue);
  for (size_t i = 0; i < (p.listed ? p.key.size() : 1); ++i) {
    params.keys.push_back(CacheOf(p, p.key[i], first_key + static_cast<int>(i), p.dim));
    params.values.push_back(CacheOf(p, p.value[i], first_value + static_cast<int>(i), p.value_dim));
    if (p.listed) params.kv_sizes.push_back(p.KvSize(static_cast<int64_t>(i)));
  }
  if (p.HasPrefix()) {
    params.key_prefix = CacheOf(p, p.at(kKeyPrefix), p.operands.SlotIndex(kKeyPrefix), p.dim);
    params.value_prefix =
        CacheOf(p, p.at(kValuePrefix), p.operands.SlotIndex(kValuePrefix), p.value_dim);
  }
  if (!p.paged) return;
  const Operand& table = p.at(kBlockTable);
  params.block_size = p.args.block_size;
  params.block_count = p.key[0].shape()[0];
  params.block_table = {p.operands.SlotIndex(kBlockTable),
                        table.layout->offset,
                        Stride(table, 0),
                        0,
                        0,
                        Stride(table, 1)};
}

// The dimensions of a tensor from `first` on.
FlatMap FlatOf(const Problem& p, int row, size_t first = 0, int64_t base = 0) {
  const Operand& operand = p.at(row);
  FlatMap map;
  map.slot = p.operands.SlotIndex(row);
  map.source = SourceOf(operand.dtype());
  map.wide = operand.dtype() == ACL_UINT64;
  map.base = operand.layout->offset + base;
  for (size_t i = first; i < operand.shape().rank(); ++i) {
    if (operand.shape()[i] == 1) continue;
    map.sizes[map.rank] = operand.shape()[i];
    map.strides[map.rank++] = operand.strides()[i];
  }
  return map;
}

// `base`, `first`: where the tensor of keys or of values begins within a shared one.
ScaleMap ScaleOf(const Problem& p, int row, ScaleKind kind, size_t first, int64_t base) {
  ScaleMap map;
  if (kind == ScaleKind::kNone || !p.Given(row)) return map;
  if (!IsPerToken(kind)) {
    map.channels = FlatOf(p, row, first, base);
    map.repeat = kind == ScaleKind::kTensor ? p.kv_heads * p.dim
                 : kind == ScaleKind::kHead ? p.dim
                                            : 1;
    return map;
  }
  const Operand& operand = p.at(row);
  const size_t rank = operand.shape().rank();
  constexpr int64_t kBytes = sizeof(float);
  map.per_token = true;
  map.paged = kind == ScaleKind::kPage || kind == ScaleKind::kPageHead;
  map.tokens.slot = p.operands.SlotIndex(row);
  map.tokens.base = (operand.layout->offset + base) * kBytes;
  map.tokens.token = Stride(operand, rank - 1) * kBytes;
  const bool by_head = kind == ScaleKind::kTokenHead || kind == ScaleKind::kPageHead;
  map.tokens.head = by_head ? Stride(operand, rank - 2) * kBytes : 0;
  const int64_t outer = Stride(operand, rank - (by_head ? 3 : 2)) * kBytes;
  (map.paged ? map.tokens.block : map.tokens.batch) = outer;
  return map;
}

// [2][...]: keys first.
ScaleMap SharedScaleOf(const Problem& p, int row, int64_t half) {
  if (!p.Given(row)) return {};
  const Operand& operand = p.at(row);
  return ScaleOf(p, row, CombinedKind(p), 1, half * operand.strides()[0]);
}

void MapScales(const Problem& p, Params& params) {
  if (p.HasQueryScale()) {
    params.query_scale = GridOfRows(p, kQueryScale);
    params.key_scales.scale = ScaleOf(p, kKeyScale, ScaleKind::kTensor, 0, 0);
    params.value_scales.scale = ScaleOf(p, kValueScale, ScaleKind::kTensor, 0, 0);
    // Of all channels, those of the rope included.
    params.key_scales.scale.repeat = params.value_scales.scale.repeat =
        params.kv_heads * params.dim;
    return;
  }
  if (!p.NeedsAntiquant()) return;
  if (!p.Separated()) {
    params.key_scales = {SharedScaleOf(p, kAntiquantScale, 0),
                         SharedScaleOf(p, kAntiquantOffset, 0)};
    params.value_scales = {SharedScaleOf(p, kAntiquantScale, 1),
                           SharedScaleOf(p, kAntiquantOffset, 1)};
    return;
  }
  const auto map = [&](int row, int64_t mode) {
    return ScaleOf(p, row, SeparateKind(p, row, mode), 0, 0);
  };
  params.key_scales = {map(kKeyScale, p.args.key_mode), map(kKeyOffset, p.args.key_mode)};
  params.value_scales = {map(kValueScale, p.args.value_mode), map(kValueOffset, p.args.value_mode)};
}

Window WindowOf(const Problem& p) {
  Window window;
  if (p.one_token) return window;
  switch (p.args.sparse_mode) {
    case 0:
      if (!p.UsesTokens()) return window;
      return {true, true, false, -p.PreTokens(), p.NextTokens()};
    case 2:
      return {false, true, false, 0, 0};
    case 3:
      return {false, true, true, 0, 0};
    case 4:
      return {true, true, true, -p.PreTokens(), p.NextTokens()};
    default:
      return window;
  }
}

void MapPadding(const Problem& p, Params& params) {
  if (p.QueryIsPadded()) {
    params.query_padding = p.operands.SlotIndex(kQueryPadding);
    params.query_padding_at = p.at(kQueryPadding).layout->offset;
  }
  if (p.KvIsPadded()) {
    params.kv_padding = p.operands.SlotIndex(kKvPadding);
    params.kv_padding_at = p.at(kKvPadding).layout->offset;
  }
}

void MapQuantisation(const Problem& p, Params& params) {
  if (p.QueryType() == ACL_INT8 && !p.HasQueryScale()) {
    params.score_scale = FlatOf(p, kDeqScale1);
    params.probability_scale = FlatOf(p, kQuantScale1);
    params.sum_scale = FlatOf(p, kDeqScale2);
  }
  if (p.OutType() != ACL_INT8) return;
  params.out_scale = FlatOf(p, kQuantScale2);
  if (p.Has(kQuantOffset2)) params.out_offset = FlatOf(p, kQuantOffset2);
}

// What extended calls have.
void MapExtended(const Problem& p, Params& params) {
  if (!p.extended) return;
  params.query_starts = p.query_starts;
  params.kv_starts = p.kv_starts;
  params.query_rows = p.total_rows;
  if (p.Given(kSink)) params.sink = FlatOf(p, kSink);
  params.tree_mask = p.HasTreeMask();
  if (params.tree_mask && p.Ragged()) {
    int64_t start = 0;
    for (int64_t b = 0; b < p.batch; ++b) {
      params.mask_starts.push_back(start);
      start += p.QueryLength(b) * p.QueryLength(b);
    }
  }
  if (!p.HasRope()) return;
  constexpr int64_t kRopeDim = 64;
  params.rope_dim = kRopeDim;
  params.dim += kRopeDim;
  params.rope_type = SourceOf(p.at(kQueryRope).dtype());
  params.query_rope = GridOfHeads(p, kQueryRope, p.layout, kRopeDim);
  params.key_ropes = {CacheOf(p, p.at(kKeyRope), p.operands.SlotIndex(kKeyRope), kRopeDim)};
}

Grid GridOfTreeMask(const Problem& p) {
  const Operand& mask = p.at(kAttenMask);
  const size_t rank = mask.shape().rank();
  Grid grid;
  grid.slot = p.operands.SlotIndex(kAttenMask);
  grid.base = mask.layout->offset;
  grid.column = Stride(mask, rank - 1);
  if (rank < 2) return grid;
  grid.batch = Stride(mask, 0);
  grid.row = Stride(mask, rank - 2);
  return grid;
}

}  // namespace

Params Normalize(const Problem& p) {
  Params params;
  params.one_token = p.one_token;
  params.batch = p.batch;
  params.query_size = p.query_size;
  params.kv_heads = p.kv_heads;
  params.group = p.heads / p.kv_heads;
  params.dim = p.dim;
  params.value_dim = p.value_dim;
  params.kv_size = p.kv_size;
  params.prefix = p.prefix;
  params.max_kv_length = p.max_kv_length;
  params.scale = static_cast<float>(p.args.scale);
  params.masked_score = p.one_token ? -1e12f : -0x1.fffffep127f;
  params.correct_rows = (p.args.inner_precise & 2) != 0;
  params.no_columns = p.KvIsEmpty();
  params.raw_empty_rows = !p.one_token || params.no_columns;
  params.query_type = SourceOf(p.QueryType());
  params.cache_type = SourceOf(p.KeyType());
  params.out_type = TargetOf(p.OutType());
  params.query = GridOfHeads(p, kQuery, p.layout, p.dim);
  params.out = GridOfHeads(p, kAttentionOut, p.out_layout, p.value_dim);
  MapExtended(p, params);
  if (p.args.lse_flag) params.lse = GridOfLse(p);
  if (p.HasMask() && p.SparseMode() < 2) params.mask = GridOfMask(p);
  if (params.tree_mask) params.mask = GridOfTreeMask(p);
  if (p.Has(kPseShift)) params.pse = GridOfPse(p);
  params.pse_type = p.QueryType() == ACL_BF16 ? Source::kBf16 : Source::kFp16;
  MapCaches(p, params);
  MapScales(p, params);
  MapPadding(p, params);
  MapQuantisation(p, params);
  if (!p.one_token) params.query_lengths = p.query_lengths;
  params.kv_lengths = p.kv_lengths;
  params.window = WindowOf(p);
  return params;
}

}  // namespace anyacl::fused_infer_attention
