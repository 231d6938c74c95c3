// SPDX-License-Identifier: Apache-2.0
#include "ops/attention_extended_case.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "ops/attention_extended_layout.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double Rounded(aclDataType type, double x) {
  if (type == ACL_FLOAT16) return DecodeFp16(EncodeFp16(static_cast<float>(x)));
  if (type == ACL_BF16) return DecodeBf16(EncodeBf16(static_cast<float>(x)));
  if (type == ACL_INT8) return std::clamp(std::nearbyint(x * 40), -128.0, 127.0);
  return static_cast<float>(x);
}

void WriteAs(Tensor& tensor, const Values& values) {
  std::vector<uint16_t> bits;
  std::vector<int8_t> bytes;
  switch (tensor.layout().dtype) {
    case ACL_FLOAT16:
      for (double v : values) bits.push_back(EncodeFp16(static_cast<float>(v)));
      return tensor.Write(bits);
    case ACL_BF16:
      for (double v : values) bits.push_back(EncodeBf16(static_cast<float>(v)));
      return tensor.Write(bits);
    case ACL_INT8:
      for (double v : values) bytes.push_back(std::isnan(v) ? int8_t{-77} : static_cast<int8_t>(v));
      return tensor.Write(bytes);
    default:
      return tensor.Write(std::vector<float>(values.begin(), values.end()));
  }
}

std::vector<int64_t> SumsOf(const std::vector<int64_t>& lengths) {
  std::vector<int64_t> sums(lengths.size());
  std::inclusive_scan(lengths.begin(), lengths.end(), sums.begin());
  return sums;
}

int64_t Longest(const std::vector<int64_t>& lengths) {
  return *std::max_element(lengths.begin(), lengths.end());
}

Place CachePlace(const ExtendedProblem& p, int64_t dim) {
  const ExtendedOptions& o = p.options;
  return {InLayout(o), Batch(o), o.kv_heads, p.kv_size, dim, StartsOf(o.kv_lengths)};
}

int64_t PieceOf(aclDataType type) { return type == ACL_INT8 ? 32 : 16; }

std::vector<int64_t> PageDims(const ExtendedOptions& o, int64_t blocks, int64_t dim,
                              aclDataType type) {
  const int64_t piece = PieceOf(type);
  if (o.pages == 3) return {blocks, o.block_size, o.kv_heads * dim};
  if (o.pages == 4) return {blocks, o.kv_heads, o.block_size, dim};
  return {blocks, o.kv_heads, dim / piece, o.block_size, piece};
}

// Where element d of a token lies in pages.
int64_t PageAt(const ExtendedProblem& p, int64_t b, int64_t g, int64_t token, int64_t d,
               int64_t dim, aclDataType type) {
  const ExtendedOptions& o = p.options;
  const int64_t width = static_cast<int64_t>(p.table.size()) / Batch(o);
  const int64_t block = p.table[static_cast<size_t>(b * width + token / o.block_size)];
  const int64_t within = token % o.block_size, piece = PieceOf(type);
  if (o.pages == 3) return ((block * o.block_size + within) * o.kv_heads + g) * dim + d;
  if (o.pages == 4) return ((block * o.kv_heads + g) * o.block_size + within) * dim + d;
  return (((block * o.kv_heads + g) * (dim / piece) + d / piece) * o.block_size + within) * piece +
         d % piece;
}

void Spread(Layout& layout) {
  layout.strides.assign(layout.dims.size(), 0);
  int64_t stride = 2;
  for (size_t i = layout.dims.size(); i-- > 0;) {
    layout.strides[i] = stride;
    stride = stride * layout.dims[i] + 3;
  }
  layout.offset = 5;
}

void MakeCache(ExtendedProblem& p, Random& random) {
  const ExtendedOptions& o = p.options;
  AttentionCall& call = p.call;
  const aclDataType rope_type = OutType(o);
  const auto set = [&](const std::vector<int64_t>& key, const std::vector<int64_t>& value,
                       const std::vector<int64_t>& rope) {
    call.key = std::vector<OptionalLayout>{Layout{.dims = key, .dtype = o.kv_type}};
    call.value = std::vector<OptionalLayout>{Layout{.dims = value, .dtype = o.kv_type}};
    if (o.rope) call.tensors[kKeyRope] = Layout{.dims = rope, .dtype = rope_type};
  };
  if (o.pages == 0) {
    set(CachePlace(p, o.dim).Dims(), CachePlace(p, o.value_dim).Dims(),
        CachePlace(p, kRope).Dims());
    return;
  }
  const int64_t width = (Longest(o.kv_lengths) + o.block_size - 1) / o.block_size + 1;
  int64_t used = 0;
  for (int64_t length : o.kv_lengths) used += (length + o.block_size - 1) / o.block_size;
  std::vector<int32_t> ids(static_cast<size_t>(used + 2));
  std::iota(ids.begin(), ids.end(), 0);
  for (size_t i = ids.size(); i > 1; --i) {
    std::swap(ids[i - 1], ids[static_cast<size_t>(random.Int(0, static_cast<int64_t>(i) - 1))]);
  }
  p.table.assign(static_cast<size_t>(Batch(o) * width), -1);
  size_t next = 0;
  for (int64_t b = 0; b < Batch(o); ++b) {
    const int64_t length = o.kv_lengths[static_cast<size_t>(b)];
    for (int64_t i = 0; i * o.block_size < length; ++i) {
      p.table[static_cast<size_t>(b * width + i)] = ids[next++];
    }
  }
  const auto blocks = static_cast<int64_t>(ids.size());
  call.block_size = o.block_size;
  call.tensors[kTable] = Layout{.dims = {Batch(o), width}, .dtype = ACL_INT32};
  set(PageDims(o, blocks, o.dim, o.kv_type), PageDims(o, blocks, o.value_dim, o.kv_type),
      PageDims(o, blocks, kRope, rope_type));
}

void MakeMask(ExtendedProblem& p, Random& random) {
  const ExtendedOptions& o = p.options;
  OptionalLayout& mask = p.call.tensors[kMask];
  if (o.sparse_mode >= 2 && o.sparse_mode <= 4) {
    mask = Layout{.dims = {2048, 2048}, .dtype = ACL_BOOL};
    return;
  }
  if (o.sparse_mode == 9) {
    int64_t squares = 0;
    for (int64_t length : o.query_lengths) squares += length * length;
    mask = o.Ragged() ? Layout{.dims = {squares}, .dtype = ACL_INT8}
                      : Layout{.dims = {Batch(o), p.query_size, p.query_size}, .dtype = ACL_INT8};
  } else if (o.mask) {
    const int64_t columns =
        o.pages == 0 ? p.kv_size
                     : (Longest(o.kv_lengths) + o.block_size - 1) / o.block_size * o.block_size;
    mask = Layout{.dims = {Batch(o), p.query_size, columns}, .dtype = ACL_BOOL};
  } else {
    return;
  }
  int64_t count = 1;
  for (int64_t dim : mask->dims) count *= dim;
  for (int64_t i = 0; i < count; ++i) p.mask.push_back(random.Chance(0.3) ? 1 : 0);
}

// Scales of INT8: one per row and head of a query, one for all of a cache; or by channel or token.
void MakeScales(ExtendedProblem& p, Random& random) {
  const ExtendedOptions& o = p.options;
  AttentionCall& call = p.call;
  if (o.kv_type != ACL_INT8) return;
  if (Latent8(o)) {
    Place rows = QueryPlace(p, InLayout(o), 1);
    if (rows.layout == "BSH") rows.layout = "BSND";
    std::vector<int64_t> dims = rows.Dims();
    dims.pop_back();
    call.tensors[kQueryScale] = Layout{.dims = dims, .dtype = ACL_FLOAT};
    int64_t count = 1;
    for (int64_t dim : dims) count *= dim;
    for (int64_t i = 0; i < count; ++i)
      p.query_scale.push_back(static_cast<float>(random.Uniform(0.01, 0.03)));
    p.key_scale = {static_cast<float>(0.02)};
    p.value_scale = {static_cast<float>(0.03)};
    call.tensors[kKeyScale] = call.tensors[kValueScale] = Layout{.dims = {1}, .dtype = ACL_FLOAT};
    call.query_mode = 3;
    return;
  }
  const int64_t tokens = static_cast<int64_t>(p.table.size()) / Batch(o) * o.block_size;
  const aclDataType type = o.per_token ? ACL_FLOAT : ACL_BF16;
  const std::vector<int64_t> dims = o.per_token ? std::vector<int64_t>{Batch(o), tokens}
                                                : std::vector<int64_t>{o.kv_heads, o.dim};
  for (Values* values : {&p.key_scale, &p.value_scale}) {
    for (int64_t i = 0; i < dims[0] * dims[1]; ++i) {
      values->push_back(Rounded(type, random.Uniform(0.015, 0.035)));
    }
  }
  call.tensors[kKeyScale] = call.tensors[kValueScale] = Layout{.dims = dims, .dtype = type};
  call.key_mode = call.value_mode = o.per_token ? 1 : 0;
}

void MakeCall(ExtendedProblem& p) {
  const ExtendedOptions& o = p.options;
  AttentionCall& call = p.call;
  call.version = o.version;
  call.layout = o.layout;
  call.num_heads = o.heads;
  call.num_kv_heads = o.kv_heads;
  call.scale = o.scale;
  call.sparse_mode = o.sparse_mode;
  call.pre_tokens = o.pre_tokens;
  call.next_tokens = o.next_tokens;
  call.inner_precise = o.inner_precise;
  call.lse_flag = o.lse;
  call.query_lengths = o.Ragged() ? SumsOf(o.query_lengths) : o.query_lengths;
  call.kv_lengths = o.Ragged() && o.pages == 0 ? SumsOf(o.kv_lengths) : o.kv_lengths;
  call.tensors[kQuery] = Layout{.dims = QueryPlace(p, InLayout(o), o.dim).Dims(), .dtype = o.type};
  call.tensors[kOut] =
      Layout{.dims = QueryPlace(p, OutLayout(o), o.value_dim).Dims(), .dtype = OutType(o)};
  if (o.rope) {
    call.tensors[kQueryRope] =
        Layout{.dims = QueryPlace(p, InLayout(o), kRope).Dims(), .dtype = OutType(o)};
  }
  if (o.strided) {
    for (size_t which : {size_t{kQuery}, size_t{kOut}, size_t{kQueryRope}}) {
      if (call.tensors[which]) Spread(*call.tensors[which]);
    }
  }
  if (o.lse) {
    call.tensors[kLse] =
        o.Ragged() ? Layout{.dims = {p.query_size, o.heads, 1}, .dtype = ACL_FLOAT}
                   : Layout{.dims = {Batch(o), o.heads, p.query_size, 1}, .dtype = ACL_FLOAT};
  }
  if (o.sink) call.tensors[kSink] = Layout{.dims = {o.heads}, .dtype = o.type};
}

// Rows [b][n][i] of so many numbers; of the last `tail` ones in another type.
std::vector<Values> RandomRows(int64_t batch, int64_t heads, const std::vector<int64_t>& lengths,
                               int64_t dim, aclDataType type, int64_t tail, aclDataType tail_type,
                               Random& random) {
  std::vector<Values> rows;
  for (int64_t b = 0; b < batch; ++b) {
    Values& all = rows.emplace_back();
    for (int64_t i = 0; i < heads * lengths[static_cast<size_t>(b)]; ++i) {
      for (int64_t d = 0; d < dim; ++d) all.push_back(Rounded(type, random.Bell()));
      for (int64_t d = 0; d < tail; ++d) all.push_back(Rounded(tail_type, random.Bell()));
    }
  }
  return rows;
}

// Elements [from, from + dim) of each row of `rows` into a tensor; others are NaN.
void WriteQuery(const ExtendedProblem& p, Tensor& tensor, int64_t from, int64_t dim) {
  const ExtendedOptions& o = p.options;
  const Place place = QueryPlace(p, InLayout(o), dim);
  Values values(static_cast<size_t>(tensor.count()), kNaN);
  const int64_t width = o.dim + TailOf(o);
  for (int64_t b = 0; b < Batch(o); ++b) {
    const int64_t length = o.query_lengths[static_cast<size_t>(b)];
    for (int64_t n = 0; n < o.heads; ++n) {
      for (int64_t i = 0; i < length; ++i) {
        std::copy_n(p.q[static_cast<size_t>(b)].begin() + (n * length + i) * width + from, dim,
                    values.begin() + place.At(b, n, i));
      }
    }
  }
  WriteAs(tensor, values);
}

void WriteCache(const ExtendedProblem& p, Tensor& tensor, const std::vector<Values>& rows,
                int64_t width, int64_t from, int64_t dim) {
  const ExtendedOptions& o = p.options;
  const Place place = CachePlace(p, dim);
  Values values(static_cast<size_t>(tensor.count()), kNaN);
  for (int64_t b = 0; b < Batch(o); ++b) {
    const int64_t length = o.kv_lengths[static_cast<size_t>(b)];
    for (int64_t g = 0; g < o.kv_heads; ++g) {
      for (int64_t j = 0; j < length; ++j) {
        for (int64_t d = 0; d < dim; ++d) {
          const int64_t at = o.pages == 0 ? place.At(b, g, j) + d
                                          : PageAt(p, b, g, j, d, dim, tensor.layout().dtype);
          values[static_cast<size_t>(at)] =
              rows[static_cast<size_t>(b)]
                  [static_cast<size_t>((g * length + j) * width + from + d)];
        }
      }
    }
  }
  WriteAs(tensor, values);
}

}  // namespace

std::string NameOf(const ExtendedOptions& o) {
  std::ostringstream s;
  s << "V" << o.version << " " << o.layout << " type" << o.type << " kv" << o.kv_type << " N"
    << o.heads << "/" << o.kv_heads << " D" << o.dim << "/" << o.value_dim << " rope" << o.rope
    << " slack" << o.query_slack << " pages" << o.pages << "x" << o.block_size << " sparse"
    << o.sparse_mode << " pre" << o.pre_tokens << " next" << o.next_tokens << " mask" << o.mask
    << " inner" << o.inner_precise << " sink" << o.sink << " lse" << o.lse << " token"
    << o.per_token << " strided" << o.strided << " q";
  for (int64_t length : o.query_lengths) s << " " << length;
  s << " kv";
  for (int64_t length : o.kv_lengths) s << " " << length;
  return s.str();
}

ExtendedOptions Latent() {
  ExtendedOptions o;
  o.layout = "BSND";
  o.heads = 8;
  o.kv_heads = 1;
  o.dim = o.value_dim = 512;
  o.rope = true;
  o.query_lengths = {2, 2};
  o.kv_lengths = {70, 33};
  o.pages = 4;
  o.scale = 0.03;
  return o;
}

ExtendedProblem MakeExtendedCall(const ExtendedOptions& o, Random& random) {
  ExtendedProblem p;
  p.options = o;
  const auto sum = [](const std::vector<int64_t>& all) {
    return std::accumulate(all.begin(), all.end(), int64_t{0});
  };
  p.query_size = (o.Ragged() ? sum(o.query_lengths) : Longest(o.query_lengths)) + o.query_slack;
  p.kv_size = o.Ragged() ? sum(o.kv_lengths) : Longest(o.kv_lengths);
  MakeCall(p);
  MakeCache(p, random);
  MakeMask(p, random);
  MakeScales(p, random);
  return p;
}

ExtendedProblem MakeExtended(const ExtendedOptions& o, Random& random) {
  ExtendedProblem p = MakeExtendedCall(o, random);
  p.q =
      RandomRows(Batch(o), o.heads, o.query_lengths, o.dim, o.type, TailOf(o), OutType(o), random);
  p.k = RandomRows(Batch(o), o.kv_heads, o.kv_lengths, o.dim, o.kv_type, TailOf(o), OutType(o),
                   random);
  p.v =
      RandomRows(Batch(o), o.kv_heads, o.kv_lengths, o.value_dim, o.kv_type, 0, o.kv_type, random);
  for (int64_t n = 0; o.sink && n < o.heads; ++n)
    p.sink.push_back(Rounded(o.type, random.Normal(0, 2)));
  return p;
}

void WriteExtended(const ExtendedProblem& p, AttentionObjects& objects) {
  const ExtendedOptions& o = p.options;
  const int64_t width = o.dim + TailOf(o);
  WriteQuery(p, *objects.tensors[kQuery], 0, o.dim);
  WriteCache(p, *objects.key[0], p.k, width, 0, o.dim);
  WriteCache(p, *objects.value[0], p.v, o.value_dim, 0, o.value_dim);
  if (o.rope) {
    WriteQuery(p, *objects.tensors[kQueryRope], o.dim, kRope);
    WriteCache(p, *objects.tensors[kKeyRope], p.k, width, o.dim, kRope);
  }
  if (!p.table.empty()) objects.tensors[kTable]->Write(p.table);
  if (!p.mask.empty()) objects.tensors[kMask]->Write(p.mask);
  const auto write = [&](size_t which, const Values& values) {
    if (!values.empty()) WriteAs(*objects.tensors[which], values);
  };
  write(kSink, p.sink);
  write(kQueryScale, p.query_scale);
  write(kKeyScale, p.key_scale);
  write(kValueScale, p.value_scale);
}

}  // namespace anyacl::test
