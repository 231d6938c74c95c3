// SPDX-License-Identifier: Apache-2.0
// Layouts, caches, scales and sparse modes as views, maps and windows.
#include "ops/fused_infer_attention/antiquant.h"
#include "ops/fused_infer_attention/op.h"

namespace anyacl::fused_infer_attention {

using attention::Params;
using attention::Repeating;
using attention::ScaleMap;
using attention::TokenMap;
using attention::TokensOf;
using attention::Window;

namespace {

// Masks and pseShift have sizes of 1 wherever one entry serves all.
TensorView RepeatingViewOf(const Problem& p, int row) { return Repeating(ViewOf(p.operands, row)); }

attention::Axes ByRow(const Axes& axes) { return {axes.batch, axes.size, axes.head}; }

// Of heads of `dim` elements each.
TensorView HeadsOf(const Problem& p, int row, Layout layout, int64_t dim) {
  return attention::ByHead(ViewOf(p.operands, row), ByRow(AxesOf(layout)), dim);
}

// One number for each row and head, in the query's order.
TensorView NumbersOfRows(const Problem& p, int row) {
  const TensorView view = ViewOf(p.operands, row);
  attention::Axes axes = ByRow(AxesOf(p.layout));
  if (axes.head < 0) axes.head = 2;
  return attention::ByHead(WithDim(view, view.rank), axes, 1);
}

TensorView MaskByHead(const Problem& p) {
  TensorView mask = RepeatingViewOf(p, kAttenMask);
  // Of one row: [batch][column]. Of several: [row][column], or with the batch before them. A tree's
  // may be all in one dimension.
  while (mask.rank < 4) mask = WithDim(mask, p.one_token || mask.rank == 3 ? 1 : 0);
  return mask;
}

TensorView LseByHead(const Problem& p) {
  if (!p.Ragged()) return RepeatingViewOf(p, kSoftmaxLse);
  return attention::ByHead(ViewOf(p.operands, kSoftmaxLse), {-1, 0, 1}, 1);
}

// `dim`: of one head.
TokenMap CacheOf(const Problem& p, const Operand& operand, int slot, int64_t dim) {
  const TensorView view = ViewOf(operand, slot);
  if (!p.paged) return TokensOf(attention::ByHead(view, ByRow(AxesOf(p.layout)), dim));
  TokenMap map;
  if (view.rank == 5) {
    static constexpr int64_t kPiecesLast[] = {0, 1, 3, 4, 2};
    const TensorView rows = Permuted(Repeating(view), kPiecesLast);
    map = TokensOf(rows);
    map.piece = rows.sizes[3];
    map.piece_step = rows.strides[4] * BitsOf(rows.dtype) / 8;
  } else {
    const Layout blocks = view.rank == 4 ? Layout::kBnsd : Layout::kBsh;
    map = TokensOf(attention::ByHead(view, ByRow(AxesOf(blocks)), dim));
  }
  std::swap(map.batch, map.block);
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
  params.block_size = p.args.block_size;
  params.block_count = p.key[0].shape()[0];
  params.block_table = RepeatingViewOf(p, kBlockTable);
}

ScaleMap ScaleOf(const Problem& p, const TensorView& view, ScaleKind kind) {
  ScaleMap map;
  if (kind == ScaleKind::kNone || !view.given()) return map;
  if (!IsPerToken(kind)) {
    map.channels = view;
    map.repeat = kind == ScaleKind::kTensor ? p.kv_heads * p.dim
                 : kind == ScaleKind::kHead ? p.dim
                                            : 1;
    return map;
  }
  const TensorView scales = Repeating(view);
  constexpr int64_t kBytes = sizeof(float);
  const auto bytes = [&](int from_end) { return scales.strides[scales.rank - from_end] * kBytes; };
  map.per_token = true;
  map.paged = kind == ScaleKind::kPage || kind == ScaleKind::kPageHead;
  map.tokens.slot = scales.slot;
  map.tokens.base = scales.offset * kBytes;
  map.tokens.token = bytes(1);
  const bool by_head = kind == ScaleKind::kTokenHead || kind == ScaleKind::kPageHead;
  map.tokens.head = by_head ? bytes(2) : 0;
  (map.paged ? map.tokens.block : map.tokens.batch) = bytes(by_head ? 3 : 2);
  return map;
}

// [2][...]: keys first.
ScaleMap SharedScaleOf(const Problem& p, int row, int64_t half) {
  if (!p.Given(row)) return {};
  const TensorView both = ViewOf(p.operands, row);
  return ScaleOf(p, WithoutDim(Sliced(both, 0, half, 1), 0), CombinedKind(p));
}

void MapScales(const Problem& p, Params& params) {
  if (p.HasQueryScale()) {
    params.query_scale = NumbersOfRows(p, kQueryScale);
    params.key_scales.scale = ScaleOf(p, ViewOf(p.operands, kKeyScale), ScaleKind::kTensor);
    params.value_scales.scale = ScaleOf(p, ViewOf(p.operands, kValueScale), ScaleKind::kTensor);
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
    return ScaleOf(p, ViewOf(p.operands, row), SeparateKind(p, row, mode));
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
  if (p.QueryIsPadded()) params.query_padding = ViewOf(p.operands, kQueryPadding);
  if (p.KvIsPadded()) params.kv_padding = ViewOf(p.operands, kKvPadding);
}

void MapQuantisation(const Problem& p, Params& params) {
  if (p.QueryType() == ACL_INT8 && !p.HasQueryScale()) {
    params.score_scale = ViewOf(p.operands, kDeqScale1);
    params.probability_scale = ViewOf(p.operands, kQuantScale1);
    params.sum_scale = ViewOf(p.operands, kDeqScale2);
  }
  if (p.OutType() != ACL_INT8) return;
  params.out_scale = ViewOf(p.operands, kQuantScale2);
  if (p.Has(kQuantOffset2)) params.out_offset = ViewOf(p.operands, kQuantOffset2);
}

// What extended calls have.
void MapExtended(const Problem& p, Params& params) {
  if (!p.extended) return;
  params.query_starts = p.query_starts;
  params.kv_starts = p.kv_starts;
  params.query_rows = p.total_rows;
  if (p.Given(kSink)) params.sink = ViewOf(p.operands, kSink);
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
  params.rope_type = ElementOf(p.at(kQueryRope).dtype());
  params.query_rope = HeadsOf(p, kQueryRope, p.layout, kRopeDim);
  params.key_ropes = {CacheOf(p, p.at(kKeyRope), p.operands.SlotIndex(kKeyRope), kRopeDim)};
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
  params.query_type = ElementOf(p.QueryType());
  params.cache_type = ElementOf(p.KeyType());
  params.out_type = ElementOf(p.OutType());
  params.query = HeadsOf(p, kQuery, p.layout, p.dim);
  params.out = HeadsOf(p, kAttentionOut, p.out_layout, p.value_dim);
  MapExtended(p, params);
  if (p.args.lse_flag) params.lse = LseByHead(p);
  if ((p.HasMask() && p.SparseMode() < 2) || params.tree_mask) params.mask = MaskByHead(p);
  if (p.Has(kPseShift)) params.pse = RepeatingViewOf(p, kPseShift);
  params.pse_type = p.QueryType() == ACL_BF16 ? Element::kBf16 : Element::kFp16;
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
