// SPDX-License-Identifier: Apache-2.0
// Choices of features as values and layouts.
#include "ops/attention_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/half.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double Rounded(aclDataType type, double x) {
  switch (type) {
    case ACL_FLOAT16:
      return DecodeFp16(EncodeFp16(static_cast<float>(x)));
    case ACL_BF16:
      return DecodeBf16(EncodeBf16(static_cast<float>(x)));
    case ACL_INT8:
      return std::clamp(std::nearbyint(x * 40), -128.0, 127.0);
    case ACL_INT4:
    case ACL_INT32:
      return std::clamp(std::nearbyint(x * 3), -8.0, 7.0);
    default:
      return static_cast<float>(x);
  }
}

Values RandomValues(aclDataType type, int64_t count, Random& random, double spread = 1) {
  Values values(static_cast<size_t>(count));
  for (double& v : values) v = Rounded(type, spread * random.Bell());
  return values;
}

std::vector<int64_t> DimsOf(const std::string& layout, int64_t b, int64_t n, int64_t s, int64_t d) {
  if (layout == "BSH") return {b, s, n * d};
  if (layout == "BSND") return {b, s, n, d};
  return {b, n, s, d};
}

int64_t Packed(aclDataType type, int64_t size) { return type == ACL_INT32 ? size / 8 : size; }

Layout CacheLayout(const AttentionOptions& o, int64_t b, int64_t s) {
  Layout layout{.dims = DimsOf(o.layout, b, o.kv_heads, s, o.dim), .dtype = o.kv_type};
  layout.dims.back() = Packed(o.kv_type, layout.dims.back());
  return layout;
}

void Spread(Layout& layout) {
  layout.strides.assign(layout.dims.size(), 0);
  int64_t stride = 2;
  for (size_t i = layout.dims.size(); i-- > 0;) {
    layout.strides[i] = stride;
    stride *= layout.dims[i];
    stride += 3;
  }
  layout.offset = 5;
}

int64_t MaxLength(const AttentionProblem& p) {
  return *std::max_element(p.reference.kv_lengths.begin(), p.reference.kv_lengths.end());
}

std::vector<int64_t> Resolved(const Lengths& lengths, const std::vector<int64_t>& otherwise) {
  if (!lengths || lengths->empty()) return otherwise;
  if (lengths->size() == 1) return std::vector<int64_t>(otherwise.size(), (*lengths)[0]);
  return {lengths->begin(), lengths->begin() + static_cast<int64_t>(otherwise.size())};
}

// Tokens of padding hold NaN where the type has it.
void PoisonOutside(Values& values, const std::vector<int64_t>& begin,
                   const std::vector<int64_t>& length, int64_t heads, int64_t size, int64_t dim) {
  for (size_t b = 0; b < begin.size(); ++b) {
    for (int64_t n = 0; n < heads; ++n) {
      for (int64_t s = 0; s < size; ++s) {
        if (s >= begin[b] && s < begin[b] + length[b]) continue;
        const auto at = ((static_cast<int64_t>(b) * heads + n) * size + s) * dim;
        std::fill_n(values.begin() + at, dim, kNaN);
      }
    }
  }
}

void MakeSequences(AttentionProblem& p, Random& random) {
  const AttentionOptions& o = p.options;
  ReferenceAttention& r = p.reference;
  r.query_lengths = Resolved(o.query_size == 1 ? Lengths() : o.query_lengths,
                             std::vector<int64_t>(static_cast<size_t>(o.batch), o.query_size));
  p.kv_sizes.assign(static_cast<size_t>(o.batch), o.kv_size);
  if (o.cache == Cache::kList) {
    for (size_t b = 1; b < p.kv_sizes.size(); ++b)
      p.kv_sizes[b] = random.Int(o.kv_size > 0 ? 1 : 0, o.kv_size);
  }
  r.kv_lengths = Resolved(o.kv_lengths, p.kv_sizes);
  for (size_t b = 0; b < p.kv_sizes.size(); ++b) {
    if (o.cache == Cache::kList) r.kv_lengths[b] = std::min(r.kv_lengths[b], p.kv_sizes[b]);
  }
  if (o.cache == Cache::kList && o.kv_lengths) p.call.kv_lengths = r.kv_lengths;
  const bool listed = o.cache == Cache::kList;
  if (o.query_padding && o.query_lengths && o.query_size > 1) r.query_padding = o.query_padding;
  if (o.kv_padding && o.kv_lengths && !listed) r.kv_padding = o.kv_padding;

  if (o.prefix_size > 0) {
    r.prefix_size = o.prefix_size;
    r.prefix = o.prefix.value_or(o.prefix_size);
    if (o.prefix) p.call.prefix_length = {*o.prefix};
  }
}

void FillSequences(AttentionProblem& p, Random& random) {
  const AttentionOptions& o = p.options;
  ReferenceAttention& r = p.reference;
  r.q = RandomValues(o.query_type, o.batch * o.heads * o.query_size * o.dim, random);
  const int64_t cache = o.batch * o.kv_heads * o.kv_size * o.dim;
  r.k = RandomValues(o.kv_type, cache, random);
  r.v = RandomValues(o.kv_type, cache, random);
  if (o.prefix_size > 0) {
    const int64_t prefix = o.kv_heads * o.prefix_size * o.dim;
    r.kp = RandomValues(o.kv_type, prefix, random);
    r.vp = RandomValues(o.kv_type, prefix, random);
    PoisonOutside(r.kp, {0}, {r.prefix}, o.kv_heads, o.prefix_size, o.dim);
    PoisonOutside(r.vp, {0}, {r.prefix}, o.kv_heads, o.prefix_size, o.dim);
  }
  std::vector<int64_t> query_begin, kv_begin;
  for (size_t b = 0; b < static_cast<size_t>(o.batch); ++b) {
    const auto start = [](int64_t size, const std::optional<int64_t>& pad, int64_t length) {
      return pad ? std::max<int64_t>(0, size - std::max<int64_t>(0, *pad) - length) : 0;
    };
    query_begin.push_back(start(o.query_size, r.query_padding, r.query_lengths[b]));
    kv_begin.push_back(start(o.kv_size, r.kv_padding, r.kv_lengths[b]));
  }
  PoisonOutside(r.q, query_begin, r.query_lengths, o.heads, o.query_size, o.dim);
  PoisonOutside(r.k, kv_begin, r.kv_lengths, o.kv_heads, o.kv_size, o.dim);
  PoisonOutside(r.v, kv_begin, r.kv_lengths, o.kv_heads, o.kv_size, o.dim);
}

int64_t MaxBlocks(const AttentionProblem& p) {
  return (MaxLength(p) + p.options.block_size - 1) / p.options.block_size;
}

// Columns of full masks, pseShift and per-token scales.
int64_t Columns(const AttentionProblem& p) {
  const AttentionOptions& o = p.options;
  return IsPaged(o) ? MaxBlocks(p) * o.block_size : p.reference.prefix + o.kv_size;
}

void MakeTable(AttentionProblem& p, Random& random) {
  const AttentionOptions& o = p.options;
  ReferenceAttention& r = p.reference;
  const int64_t width = MaxBlocks(p) + 1;  // one more than is read
  std::vector<int32_t> ids(static_cast<size_t>(o.batch * width + 2));
  std::iota(ids.begin(), ids.end(), 0);
  for (size_t i = ids.size(); i > 1; --i) {
    std::swap(ids[i - 1], ids[static_cast<size_t>(random.Int(0, static_cast<int64_t>(i) - 1))]);
  }
  p.table.assign(static_cast<size_t>(o.batch * width), -1);
  size_t next = 0;
  for (int64_t b = 0; b < o.batch; ++b) {
    const int64_t used = (r.kv_lengths[static_cast<size_t>(b)] + o.block_size - 1) / o.block_size;
    for (int64_t i = 0; i < used; ++i) p.table[static_cast<size_t>(b * width + i)] = ids[next++];
  }
  r.blocks = p.table;
  r.block_width = width;
  r.block_size = o.block_size;
  p.call.block_size = o.block_size;
  p.call.tensors[kTable] = Layout{.dims = {o.batch, width}, .dtype = ACL_INT32};
  const int64_t blocks = static_cast<int64_t>(ids.size());
  Layout pool{.dims = {blocks, o.block_size, o.kv_heads * o.dim}, .dtype = o.kv_type};
  if (o.cache == Cache::kPagedHeads) pool.dims = {blocks, o.kv_heads, o.block_size, o.dim};
  p.call.key = p.call.value = std::vector<OptionalLayout>{pool};
}

void MakeMask(AttentionProblem& p) {
  const AttentionOptions& o = p.options;
  ReferenceAttention& r = p.reference;
  AttentionCall& call = p.call;
  if (o.query_size > 1 && o.sparse_mode >= 2) {
    call.tensors[kMask] = Layout{.dims = {2048, 2048}, .dtype = o.mask_type};
    return;
  }
  if (!o.mask) return;
  r.mask_rows = o.query_size == 1 ? 1 : o.query_size + o.mask_slack;
  r.mask_columns = Columns(p) + o.mask_slack;
  r.mask_batch = o.mask_per_batch || o.query_size == 1 ? o.batch : 1;
  std::vector<int64_t> dims;
  if (o.query_size == 1) {
    dims = {o.batch};
    for (int64_t i = 2; i < o.mask_rank; ++i) dims.push_back(1);
    dims.push_back(r.mask_columns);
  } else {
    if (o.mask_rank > 2 || o.mask_per_batch) dims.push_back(r.mask_batch);
    if (o.mask_rank > 3) dims.push_back(1);
    dims.push_back(r.mask_rows);
    dims.push_back(r.mask_columns);
  }
  call.tensors[kMask] = Layout{.dims = dims, .dtype = o.mask_type};
}

void MakePse(AttentionProblem& p) {
  const AttentionOptions& o = p.options;
  ReferenceAttention& r = p.reference;
  if (!o.pse) return;
  const aclDataType type = o.query_type == ACL_BF16 ? ACL_BF16 : ACL_FLOAT16;
  r.pse_rows = o.query_size == 1 ? 1 : o.query_size + o.mask_slack;
  r.pse_columns = Columns(p) + o.mask_slack;
  r.pse_batch = o.pse_per_batch ? o.batch : 1;
  p.call.tensors[kPse] =
      Layout{.dims = {r.pse_batch, o.heads, r.pse_rows, r.pse_columns}, .dtype = type};
}

void FillMaskAndPse(AttentionProblem& p, Random& random) {
  ReferenceAttention& r = p.reference;
  r.mask.resize(static_cast<size_t>(r.mask_batch * r.mask_rows * r.mask_columns));
  for (uint8_t& masked : r.mask) {
    const bool hide = random.Chance(p.options.mask_density);
    masked = hide ? static_cast<uint8_t>(random.Int(1, 255)) : 0;
  }
  if (!p.call.tensors[kPse]) return;
  const int64_t count = r.pse_batch * p.options.heads * r.pse_rows * r.pse_columns;
  r.pse = RandomValues(p.call.tensors[kPse]->dtype, count, random);
}

// One tensor of scales in a mode; `dims` is its shape.
ReferenceScales MakeScale(const AttentionProblem& p, int64_t mode, bool offset, Random& random,
                          aclDataType* type, std::vector<int64_t>* dims) {
  const AttentionOptions& o = p.options;
  ReferenceScales scales;
  scales.mode = static_cast<int>(mode);
  scales.tokens = Columns(p) + (IsPaged(o) ? 0 : o.mask_slack);
  *type = mode == 0 || mode == 2 ? o.query_type : ACL_FLOAT;
  const bool one = o.query_size == 1;
  const int64_t blocks = IsPaged(o) ? (*p.call.key)[0]->dims[0] : 0;
  switch (mode) {
    case 0:
      *dims = o.per_tensor ? std::vector<int64_t>{1} : std::vector<int64_t>{o.kv_heads, 1, o.dim};
      if (one && !o.per_tensor) dims->insert(dims->begin(), 1);
      break;
    case 1:
      *dims = {o.batch, scales.tokens};
      if (one) dims->insert(dims->begin(), 1);
      break;
    case 2:
      *dims = {o.kv_heads};
      break;
    case 3:
      *dims = {o.batch, o.kv_heads, scales.tokens};
      break;
    case 4:
      *dims = {blocks, o.block_size};
      break;
    default:
      *dims = {blocks, o.kv_heads, o.block_size};
  }
  int64_t count = 1;
  for (int64_t dim : *dims) count *= dim;
  const double unit = o.kv_type == ACL_INT8 ? 0.025 : 0.3;
  for (int64_t i = 0; i < count; ++i) {
    const double x = offset ? random.Int(-6, 6) + 0.5 : unit * random.Uniform(0.5, 1.5);
    scales.values.push_back(Rounded(*type, x));
  }
  return scales;
}

void MakeAntiquant(AttentionProblem& p, Random& random) {
  const AttentionOptions& o = p.options;
  ReferenceAttention& r = p.reference;
  AttentionCall& call = p.call;
  if (o.antiquant == Antiquant::kNone) return;
  const bool combined = o.antiquant == Antiquant::kCombined;
  const int64_t value_mode = combined ? o.key_mode : o.value_mode;
  (combined ? call.antiquant_mode : call.key_mode) = o.key_mode;
  if (!combined) call.value_mode = value_mode;
  aclDataType type = ACL_FLOAT;
  std::vector<int64_t> dims;
  const auto make = [&](int64_t mode, bool offset, size_t which) {
    ReferenceScales scales = MakeScale(p, mode, offset, random, &type, &dims);
    if (!combined) call.tensors[which] = Layout{.dims = dims, .dtype = type};
    return scales;
  };
  r.key_scale = make(o.key_mode, false, kKeyScale);
  r.value_scale = make(value_mode, false, kValueScale);
  if (o.antiquant_offset) {
    r.key_offset = make(o.key_mode, true, kKeyOffset);
    r.value_offset = make(value_mode, true, kValueOffset);
  }
  if (!combined) return;
  // [2] before the sizes of one.
  if (o.query_size == 1 && dims.size() > 1) dims.erase(dims.begin());
  if (dims == std::vector<int64_t>{1}) dims.clear();
  dims.insert(dims.begin(), 2);
  call.tensors[kScales] = Layout{.dims = dims, .dtype = type};
  if (o.antiquant_offset) call.tensors[kOffsets] = call.tensors[kScales];
}

void MakeQuantisation(AttentionProblem& p, Random& random) {
  const AttentionOptions& o = p.options;
  ReferenceAttention& r = p.reference;
  AttentionCall& call = p.call;
  if (o.query_type == ACL_INT8) {
    r.quantised = true;
    // As the matrix unit sees it: 10 bits of mantissa.
    r.deq1 = 0x1.8p-11;
    r.quant1 = 127;
    r.deq2 = 0x1.04p-12;
    call.tensors[kDeq1] = Layout{.dims = {1}, .dtype = ACL_UINT64};
    call.tensors[kQuant1] = Layout{.dims = {1}, .dtype = ACL_FLOAT};
    call.tensors[kDeq2] = Layout{.dims = {1}, .dtype = ACL_FLOAT};
  }
  if (o.out_type != ACL_INT8) return;
  r.int8_out = true;
  const aclDataType type = o.query_type == ACL_BF16 ? ACL_BF16 : ACL_FLOAT;
  const int64_t count = o.out_per_channel ? o.heads * o.dim : 1;
  for (int64_t i = 0; i < count; ++i) {
    r.out_scale.push_back(Rounded(type, random.Uniform(40, 90)));
    if (o.out_offset) r.out_offset.push_back(Rounded(type, random.Uniform(-9, 9)));
  }
  const std::vector<int64_t> dims =
      o.out_per_channel ? std::vector<int64_t>{o.heads, o.dim} : std::vector<int64_t>{1};
  call.tensors[kQuant2] = Layout{.dims = dims, .dtype = type};
  if (o.out_offset) call.tensors[kOffset2] = call.tensors[kQuant2];
}

void MakeCall(AttentionProblem& p) {
  const AttentionOptions& o = p.options;
  AttentionCall& call = p.call;
  call.layout = o.layout;
  call.num_heads = o.heads;
  call.num_kv_heads = o.kv_heads;
  call.scale = o.scale;
  call.sparse_mode = o.sparse_mode;
  call.pre_tokens = o.pre_tokens;
  call.next_tokens = o.next_tokens;
  call.inner_precise = o.inner_precise;
  call.lse_flag = o.lse;
  call.query_lengths = o.query_lengths;
  if (!call.kv_lengths) call.kv_lengths = o.kv_lengths;
  const bool exchanged = o.layout == "BNSD_BSND";
  call.tensors[kQuery] = Layout{.dims = DimsOf(o.layout, o.batch, o.heads, o.query_size, o.dim),
                                .dtype = o.query_type};
  call.tensors[kOut] =
      Layout{.dims = DimsOf(exchanged ? "BSND" : o.layout, o.batch, o.heads, o.query_size, o.dim),
             .dtype = o.out_type};
  if (o.strided) {
    Spread(*call.tensors[kQuery]);
    Spread(*call.tensors[kOut]);
  }
  if (o.lse) {
    call.tensors[kLse] = Layout{.dims = {o.batch, o.heads, o.query_size, 1}, .dtype = ACL_FLOAT};
  }
  if (o.cache == Cache::kContiguous) {
    call.key = call.value = std::vector<OptionalLayout>{CacheLayout(o, o.batch, o.kv_size)};
  } else if (o.cache == Cache::kList) {
    std::vector<OptionalLayout> list;
    for (int64_t size : p.kv_sizes) list.emplace_back(CacheLayout(o, 1, size));
    call.key = call.value = list;
  }
  if (o.prefix_size > 0) {
    call.tensors[kKeyPrefix] = call.tensors[kValuePrefix] = CacheLayout(o, 1, o.prefix_size);
  }
  const Layout padding{.dims = {1}, .dtype = ACL_INT64};
  if (o.query_padding) call.tensors[kQueryPad] = padding;
  if (o.kv_padding) call.tensors[kKvPad] = padding;
}

}  // namespace

AttentionProblem MakeShapes(const AttentionOptions& options, Random& random) {
  AttentionProblem p;
  p.options = options;
  const AttentionOptions& o = p.options;
  ReferenceAttention& r = p.reference;
  r.batch = o.batch;
  r.query_size = o.query_size;
  r.heads = o.heads;
  r.kv_heads = o.kv_heads;
  r.dim = o.dim;
  r.kv_size = o.kv_size;
  r.kv_empty = o.kv_size == 0 && !IsPaged(o);
  r.scale = o.scale;
  r.sparse_mode = o.sparse_mode;
  r.pre_tokens = o.pre_tokens;
  r.next_tokens = o.next_tokens;
  r.inner_precise = o.inner_precise;
  MakeSequences(p, random);
  MakeCall(p);
  if (IsPaged(o)) MakeTable(p, random);
  MakeMask(p);
  MakePse(p);
  MakeAntiquant(p, random);
  MakeQuantisation(p, random);
  return p;
}

AttentionProblem MakeProblem(const AttentionOptions& options, Random& random) {
  AttentionProblem p = MakeShapes(options, random);
  FillSequences(p, random);
  FillMaskAndPse(p, random);
  return p;
}

}  // namespace anyacl::test
