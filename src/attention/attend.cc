// SPDX-License-Identifier: Apache-2.0
#include "attention/attend.h"

#include <array>
#include <cstring>
#include <optional>

#include "attention/results.h"
#include "attention/scratch.h"
#include "base/division.h"
#include "base/half.h"
#include "kernels.h"

namespace anyacl::attention {
namespace {

// One block of rows on its way through the tiles.
class Block {
 public:
  Block(const Bound& bound, const Blocking& blocking, const Item& item, char* memory)
      : bound_(bound),
        p_(bound.params),
        blocking_(blocking),
        item_(item),
        scratch_(p_, blocking, memory),
        kernels_(Kernels().attention),
        first_(item.block * blocking.block_rows),
        count_(std::min(blocking.block_rows, blocking.rows - first_)),
        first_query_row_(bound.FirstQueryRow(item.batch)),
        first_token_(std::max<int64_t>(0, bound.FirstToken(item.batch))) {
    const int64_t valid = p_.QueryLength(item.batch) * p_.group;
    count_ = std::clamp<int64_t>(valid - first_, 0, count_);
  }

  // The queries; nothing if the item has no columns.
  void Start();
  void Rewind();
  // False: no tile is left.
  bool NextTile(bool max_only);
  void Finish(float* partial);

 private:
  int64_t QueryRow(int64_t r) const { return (first_ + r) / p_.group; }
  int64_t QueryHead(int64_t r) const { return item_.head * p_.group + (first_ + r) % p_.group; }
  // Of row r in q and o of prefill.
  int64_t LaneAt(int64_t r) const {
    return r / kPrefillRows * kPrefillRows * blocking_.row_step + r % kPrefillRows;
  }
  const float* OfHead(const float* channels) const {
    return channels == nullptr ? nullptr : channels + item_.head * p_.dim;
  }

  bool FindColumns();
  void LoadQueries();
  void ScaleQuery(float* q, float* shift, float* sum) const;
  void LoadQuery(int64_t r, float* q);
  void LoadNumbers(const TensorView& view, Element type, int64_t r, int64_t count, float* out,
                   int64_t origin = 0);
  void PackKeys(int count);
  void PlaceQueries(int64_t r);
  int Locate(int64_t column, bool buffer);
  void LoadTile(int64_t column, int count);
  bool FillStep(int64_t r, int rows, int64_t column, int count, Step& step);
  int LimitRows(int64_t r, int rows, int64_t column, int count, Step& step);
  bool AddBias(int64_t r, int rows, int64_t column, int count, Step& step);
  void StepDecode(int64_t column, int count, int next_count);
  void StepPrefill(int64_t column, int count, bool max_only);
  const float* Result(int64_t r);

  const Bound& bound_;
  const Params& p_;
  const Blocking& blocking_;
  const Item item_;
  Scratch scratch_;
  const KernelSet& kernels_;
  int64_t first_;
  int64_t count_;
  int64_t first_query_row_;
  int64_t first_token_;
  int64_t begin_ = 0;  // columns of the tiles
  int64_t end_ = 0;
  int64_t ahead_ = 0;  // end of the columns of all splits
  int64_t column_ = 0;
  int tile_columns_ = 0;
  std::optional<CacheRows> keys_, key_ropes_, values_;
  bool buffer_ = false;  // which of the two sets of addresses is the tile's
};

// Columns of each row within the item's; false if there are none at all.
bool Block::FindColumns() {
  const int64_t split_begin = item_.split * blocking_.split_columns;
  const int64_t split_end =
      blocking_.splits == 1 ? INT64_MAX : split_begin + blocking_.split_columns;
  begin_ = INT64_MAX;
  end_ = ahead_ = 0;
  for (int64_t r = 0; r < count_; ++r) {
    Interval all = p_.ColumnsOf(item_.batch, QueryRow(r));
    ahead_ = std::max(ahead_, all.end);
    all.begin = std::max(all.begin, split_begin);
    all.end = std::max(all.begin, std::min(all.end, split_end));
    scratch_.begin[r] = all.begin;
    scratch_.end[r] = all.end;
    Interval& common = scratch_.common[r / kPrefillRows];
    if (r % kPrefillRows == 0) common = all;
    common.begin = std::max(common.begin, all.begin);
    common.end = std::min(common.end, all.end);
    if (all.begin == all.end) continue;
    begin_ = std::min(begin_, all.begin);
    end_ = std::max(end_, all.end);
  }
  // Rows that are not there belong to the vectors of those that are.
  for (int64_t r = count_; r < RoundUp(count_, kPrefillRows) && r < scratch_.rows; ++r) {
    scratch_.begin[r] = scratch_.end[r] = 0;
  }
  if (begin_ >= end_) return false;
  begin_ = begin_ / kTile * kTile;
  return true;
}

// q * key_scale, the shift that the key's offset makes, and the sum for offsets per token.
void Block::ScaleQuery(float* q, float* shift, float* sum) const {
  const float* scale = OfHead(bound_.key_scale);
  const float* offset = OfHead(bound_.key_offset);
  if (scale != nullptr) {
    for (int64_t d = 0; d < p_.dim; ++d) q[d] *= scale[d];
  }
  if (offset != nullptr) {
    for (int64_t d = 0; d < p_.dim; ++d) *shift += q[d] * offset[d];
    *shift *= bound_.scale;
  }
  if (!p_.key_scales.offset.per_token) return;
  for (int64_t d = 0; d < p_.dim; ++d) *sum += q[d];
}

// Sixteen rows of the square of scratch memory, from row r on.
void Block::PlaceQueries(int64_t r) {
  const int dim = static_cast<int>(p_.dim), row_step = blocking_.row_step;
  if (blocking_.decode) {
    for (int64_t i = r; i < count_; ++i) {
      float* to = scratch_.q + i * row_step;
      std::memcpy(to, scratch_.square + (i - r) * row_step,
                  sizeof(float) * static_cast<size_t>(row_step));
      scratch_.query_step[i] =
          kernels_.place_query(p_.cache_type, blocking_.narrow_scores, dim, to);
    }
    return;
  }
  float* const lanes = scratch_.q + LaneAt(r);
  if (!blocking_.bf16) {
    kernels_.place_lanes(scratch_.square, row_step, dim, kPrefillRows, lanes);
    return;
  }
  // Exact: the numbers come from bf16.
  auto* pairs = reinterpret_cast<uint32_t*>(lanes);
  kernels_.place_pairs(scratch_.square, row_step, dim, kPrefillRows, pairs);
}

// `count` neighbours of row r.
void Block::LoadNumbers(const TensorView& view, Element type, int64_t r, int64_t count, float* out,
                        int64_t origin) {
  const int64_t bytes = BytesOf(type);
  const int64_t row = first_query_row_ + QueryRow(r);
  const char* source =
      bound_.At(view.slot) + bytes * (origin + RowAt(view, item_.batch, QueryHead(r), row));
  const int64_t step = ColumnStep(view);
  if (step != 1) {
    for (int64_t d = 0; d < count; ++d) {
      std::memcpy(scratch_.gathered + d * bytes, source + d * step * bytes,
                  static_cast<size_t>(bytes));
    }
    source = scratch_.gathered;
  }
  kernels_.to_float(type, source, static_cast<int>(count), out);
}

void Block::LoadQuery(int64_t r, float* q) {
  const int64_t own = p_.dim - p_.rope_dim;
  LoadNumbers(p_.query, p_.query_type, r, own, q, p_.OriginsOf(item_.batch).query);
  if (p_.query_scale.given()) {
    alignas(64) float scale[16];  // to_float fills a vector
    LoadNumbers(p_.query_scale, Element::kFp32, r, 1, scale);
    for (int64_t d = 0; d < own; ++d) q[d] *= scale[0];
  }
  if (p_.key_scales.scale.given()) ScaleQuery(q, &scratch_.row_shift[r], &scratch_.row_sum[r]);
  if (p_.rope_dim > 0) LoadNumbers(p_.query_rope, p_.rope_type, r, p_.rope_dim, q + own);
}

void Block::LoadQueries() {
  const int64_t row_step = blocking_.row_step;
  for (int64_t r = 0; r < count_; r += 16) {
    std::fill_n(scratch_.square, 16 * row_step, 0.0f);
    for (int64_t i = r; i < std::min(count_, r + 16); ++i) {
      LoadQuery(i, scratch_.square + (i - r) * row_step);
    }
    PlaceQueries(r);
  }
}

void Block::PackKeys(int count) {
  const int own = static_cast<int>(p_.dim - p_.rope_dim), step = blocking_.row_step;
  const auto pack = [&](Element type, const char* const* rows, int dim, int to) {
    if (blocking_.bf16) {
      auto* out = reinterpret_cast<uint16_t*>(scratch_.k) + to;
      kernels_.pack_keys_bf16(rows, count, dim, step, out);
    } else {
      kernels_.pack_fp32(type, rows, count, dim, step, scratch_.k + to);
    }
  };
  pack(p_.cache_type, scratch_.Keys(buffer_), own, 0);
  if (p_.rope_dim > 0) {
    pack(p_.rope_type, scratch_.Ropes(buffer_), static_cast<int>(p_.rope_dim), own);
  }
}

// The tile's rows, packed for prefill, and the factors of its columns.
void Block::LoadTile(int64_t column, int count) {
  const int value_dim = static_cast<int>(p_.value_dim);
  if (!blocking_.decode) {
    const char* const* values = scratch_.Values(buffer_);
    PackKeys(count);
    if (blocking_.bf16) {
      kernels_.pack_prefill_values(values, count, value_dim, blocking_.row_step,
                                   reinterpret_cast<uint32_t*>(scratch_.v));
    } else {
      kernels_.pack_fp32(p_.cache_type, values, count, value_dim, blocking_.row_step, scratch_.v);
    }
  }
  const auto read = [&](const ScaleMap& map, float* out) {
    if (map.per_token) {
      ColumnScales(bound_, map, item_.batch, item_.head).Read(column, count, out);
    }
  };
  Factors& f = scratch_.factors;
  read(p_.key_scales.scale, f.key_scale);
  if (p_.key_scales.scale.per_token) {
    for (int j = 0; j < count; ++j) f.key_scale[j] *= bound_.scale;
  }
  read(p_.key_scales.offset, f.key_shift);
  if (p_.key_scales.offset.per_token) {
    for (int j = 0; j < count; ++j) f.key_shift[j] *= f.key_scale[j];
  }
  read(p_.value_scales.scale, f.value_scale);
  read(p_.value_scales.offset, f.value_shift);
}

// Begin and end of the rows' columns within a tile; returns how many columns there are up to the
// last that a row has.
int Block::LimitRows(int64_t r, int rows, int64_t column, int count, Step& step) {
  const Interval& common = scratch_.common[r / kPrefillRows];
  if (common.begin <= column && column + count <= common.end) return count;
  int64_t last = 0;
  for (int i = 0; i < rows; ++i) {
    const int64_t begin = std::clamp<int64_t>(scratch_.begin[r + i] - column, 0, count);
    const int64_t end = std::clamp<int64_t>(scratch_.end[r + i] - column, begin, count);
    scratch_.tile_begin[i] = static_cast<int32_t>(begin);
    scratch_.tile_end[i] = static_cast<int32_t>(end);
    if (begin < end) last = std::max(last, end);
  }
  step.begin = scratch_.tile_begin;
  step.end = scratch_.tile_end;
  return static_cast<int>(last);
}

// pseShift, mask and dropout of a tile, in the form of the kernel; false if no column is left.
bool Block::AddBias(int64_t r, int rows, int64_t column, int count, Step& step) {
  step.add = nullptr;
  step.masked = step.keep = nullptr;
  if (!p_.mask.given() && !p_.adds_to_scores() && !p_.drop.given()) return true;
  TileRows tile;
  tile.batch = item_.batch;
  tile.count = static_cast<int>(std::min<int64_t>(rows, count_ - r));
  for (int i = 0; i < tile.count; ++i) {
    tile.head[i] = QueryHead(r + i);
    tile.row[i] = first_query_row_ + QueryRow(r + i);
  }
  const Bias bias(bound_, scratch_.bias);
  const Form form = blocking_.decode ? Form::kDecode : Form::kPrefill;
  const int64_t from = first_token_ + column;
  if (p_.mask.given()) {
    const Masked masked = bias.PlaceMask(tile, from, count, form, scratch_.masked);
    if (masked == Masked::kAll && p_.masked_score == -__builtin_inff()) return false;
    if (masked != Masked::kNone) step.masked = scratch_.masked;
  }
  if (p_.adds_to_scores()) {
    bias.PlacePse(tile, from, count, form, scratch_.add);
    step.add = scratch_.add;
  }
  if (p_.drop.given()) {
    bias.PlaceKept(tile, from, count, scratch_.keep);
    step.keep = scratch_.keep;
    step.keep_scale = p_.keep_scale;
  }
  return true;
}

bool Block::FillStep(int64_t r, int rows, int64_t column, int count, Step& step) {
  const Factors& f = scratch_.factors;
  step.columns = count;
  step.dim = static_cast<int>(p_.dim);
  step.value_dim = static_cast<int>(p_.value_dim);
  step.column_scale = f.key_scale;
  step.column_shift = p_.key_scales.offset.per_token ? f.key_shift : nullptr;
  step.value_scale = p_.value_scales.scale.per_token ? f.value_scale : nullptr;
  step.value_shift = p_.value_scales.offset.per_token ? f.value_shift : nullptr;
  step.quant = bound_.quant;
  step.masked_score = p_.masked_score;
  step.max_only = false;
  step.m = scratch_.m + r;
  step.l = scratch_.l + r;
  step.extra = scratch_.extra + r;
  step.row_shift = scratch_.row_shift + r;
  step.row_sum = scratch_.row_sum + r;
  step.scores = scratch_.scores;
  return AddBias(r, rows, column, count, step);
}

void Block::StepDecode(int64_t column, int count, int next_count) {
  DecodeStep step{};
  const int rows = static_cast<int>(count_);
  if (LimitRows(0, rows, column, count, step) == 0) return;
  if (!FillStep(0, rows, column, count, step)) return;
  step.rows = rows;
  step.narrow_scores = blocking_.narrow_scores;
  step.narrow_values = blocking_.narrow_values;
  step.row_step = blocking_.row_step;
  step.q = scratch_.q;
  step.query_step = scratch_.query_step;
  step.o = scratch_.o;
  step.keys = scratch_.Keys(buffer_);
  step.values = scratch_.Values(buffer_);
  if (next_count > 0) {
    step.next_keys = scratch_.Keys(!buffer_);
    step.next_values = scratch_.Values(!buffer_);
    step.next_columns = next_count;
  }
  kernels_.decode(p_.cache_type)(step);
}

void Block::StepPrefill(int64_t column, int count, bool max_only) {
  const int64_t rows = RoundUp(count_, 16);
  for (int64_t r = 0; r < rows; r += kPrefillRows) {
    const int lanes = static_cast<int>(std::min<int64_t>(kPrefillRows, rows - r));
    PrefillStep step{};
    const int seen = LimitRows(r, lanes, column, count, step);
    if (seen == 0 || !FillStep(r, lanes, column, seen, step)) continue;
    step.max_only = max_only;
    step.vectors = lanes / 16;
    step.lane_step = kPrefillRows;
    step.tile_step = blocking_.row_step;
    step.q = scratch_.q + LaneAt(r);
    step.o = scratch_.o + LaneAt(r);
    step.k = scratch_.k;
    step.v = scratch_.v;
    (blocking_.bf16 ? kernels_.prefill_bf16 : kernels_.prefill_fp32)(step);
  }
}

// The addresses of a tile, into one of the two sets; returns its columns.
int Block::Locate(int64_t column, bool buffer) {
  // Behind the item's last tile lies what the thread is likely to read next.
  const int64_t end = column < end_ ? end_ : ahead_;
  const int count = static_cast<int>(std::clamp<int64_t>(end - column, 0, kTile));
  if (count == 0) return 0;
  keys_->Locate(column, count, scratch_.Keys(buffer), scratch_.GatheredKeys(buffer));
  values_->Locate(column, count, scratch_.Values(buffer), scratch_.GatheredValues(buffer));
  if (key_ropes_) {
    key_ropes_->Locate(column, count, scratch_.Ropes(buffer), scratch_.GatheredRopes(buffer));
  }
  return count;
}

void Block::Start() {
  if (count_ <= 0) return;
  scratch_.Clear();
  if (bound_.sink != nullptr && item_.split == 0) {
    for (int64_t r = 0; r < count_; ++r) {
      scratch_.m[r] = bound_.sink[QueryHead(r)];
      scratch_.l[r] = 1;
    }
  }
  if (bound_.FirstToken(item_.batch) < 0 || !FindColumns()) return;
  LoadQueries();
  CacheRows::Origin origin = {item_.batch,  item_.head,           bound_.Blocks(item_.batch),
                              first_token_, p_.dim - p_.rope_dim, p_.cache_type};
  keys_.emplace(p_, p_.keys, p_.key_prefix, bound_.data, origin);
  if (p_.rope_dim > 0) {
    CacheRows::Origin rope = origin;
    rope.dim = p_.rope_dim;
    rope.type = p_.rope_type;
    key_ropes_.emplace(p_, p_.key_ropes, TokenMap(), bound_.data, rope);
  }
  origin.dim = p_.value_dim;
  values_.emplace(p_, p_.values, p_.value_prefix, bound_.data, origin);
  std::fill_n(scratch_.factors.key_scale, kTile, bound_.scale);
}

void Block::Rewind() {
  column_ = begin_;
  if (keys_) tile_columns_ = Locate(column_, buffer_);
}

bool Block::NextTile(bool max_only) {
  if (!keys_ || column_ >= end_) return false;
  const int next_columns = Locate(column_ + kTile, !buffer_);
  LoadTile(column_, tile_columns_);
  if (blocking_.decode) {
    StepDecode(column_, tile_columns_, next_columns);
  } else {
    StepPrefill(column_, tile_columns_, max_only);
  }
  buffer_ = !buffer_;
  tile_columns_ = next_columns;
  column_ += kTile;
  return true;
}

// o of row r, [d]; rows are asked for in order.
const float* Block::Result(int64_t r) {
  if (blocking_.decode) return scratch_.o + r * blocking_.row_step;
  if (r % 16 == 0) {
    kernels_.take_lanes(scratch_.o + LaneAt(r), kPrefillRows, static_cast<int>(p_.value_dim),
                        blocking_.row_step, scratch_.square);
  }
  return scratch_.square + r % 16 * blocking_.row_step;
}

void Block::Finish(float* partial) {
  for (int64_t r = 0; r < count_; ++r) {
    const RowState state{scratch_.m[r], scratch_.l[r], scratch_.extra[r], Result(r)};
    if (blocking_.splits == 1) {
      const RowPlace place{item_.batch, QueryHead(r), first_query_row_ + QueryRow(r)};
      WriteResult(bound_, place, state);
      continue;
    }
    float* to = partial + (first_ + r) * blocking_.partial_floats();
    to[0] = state.m;
    to[1] = state.l;
    for (int64_t d = 0; d < p_.value_dim; ++d) to[kPartialHead + d] = state.o[d] + state.extra;
  }
}

}  // namespace

void Attend(const Bound& bound, const Blocking& blocking, const Item& item, char* scratch,
            float* partials) {
  std::array<std::optional<Block>, kMaxHeadsTogether> blocks;
  const int64_t heads = std::min(blocking.heads_together, bound.params.kv_heads - item.head);
  for (int64_t h = 0; h < heads; ++h) {
    const Item own{item.batch, item.head + h, item.block, item.split};
    auto& block = blocks[static_cast<size_t>(h)];
    block.emplace(bound, blocking, own, scratch + h * blocking.scratch_bytes);
    block->Start();
  }
  const auto pass = [&](bool max_only) {
    for (auto& block : blocks) {
      if (block) block->Rewind();
    }
    for (bool more = true; more;) {
      more = false;
      for (auto& block : blocks) more = (block && block->NextTile(max_only)) || more;
    }
  };
  // Quantised probabilities need the final maximum.
  if (bound.quant != 0.0f) pass(true);
  pass(false);
  for (int64_t h = 0; h < heads; ++h) {
    blocks[static_cast<size_t>(h)]->Finish(partials + h * blocking.head_floats());
  }
}

}  // namespace anyacl::attention
