// SPDX-License-Identifier: Apache-2.0
// Values into tensors, results out of them, and the comparison with the oracle.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "ops/attention_problem.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool IsBsnd(const std::string& layout) { return layout == "BSH" || layout == "BSND"; }

// Writes in the tensor's logical order.
void WriteAs(Tensor& tensor, const Values& values) {
  switch (tensor.layout().dtype) {
    case ACL_FLOAT16:
    case ACL_BF16: {
      const bool bf16 = tensor.layout().dtype == ACL_BF16;
      std::vector<uint16_t> bits;
      for (double v : values) {
        const float x = static_cast<float>(v);
        bits.push_back(bf16 ? EncodeBf16(x) : EncodeFp16(x));
      }
      return tensor.Write(bits);
    }
    case ACL_FLOAT:
      return tensor.Write(std::vector<float>(values.begin(), values.end()));
    case ACL_INT64:
      return tensor.Write(std::vector<int64_t>(values.begin(), values.end()));
    case ACL_UINT64: {
      // Other bits mean other things, which nobody here reads.
      std::vector<uint64_t> bits;
      for (double v : values) {
        uint32_t low = 0;
        const float x = static_cast<float>(v);
        std::memcpy(&low, &x, sizeof(low));
        bits.push_back(low | uint64_t{1} << 46);
      }
      return tensor.Write(bits);
    }
    case ACL_INT32: {  // eight 4-bit numbers each
      std::vector<int32_t> words(values.size() / 8);
      for (size_t i = 0; i < values.size(); ++i) {
        const int value = std::isnan(values[i]) ? -7 : static_cast<int>(values[i]);
        const auto nibble = static_cast<uint32_t>(value) & 15u;
        words[i / 8] =
            static_cast<int32_t>(static_cast<uint32_t>(words[i / 8]) | nibble << (4 * (i % 8)));
      }
      return tensor.Write(words);
    }
    default: {
      std::vector<int8_t> bytes;
      for (double v : values) bytes.push_back(std::isnan(v) ? int8_t{-77} : static_cast<int8_t>(v));
      return tensor.Write(bytes);
    }
  }
}

// [n][s][d] of one batch entry in the order of the layout: [s][n][d] or as it is.
Values InLayout(bool bsnd, const Values& values, int64_t n, int64_t s, int64_t d) {
  if (!bsnd) return values;
  Values out;
  out.reserve(values.size());
  const int64_t batches = static_cast<int64_t>(values.size()) / std::max<int64_t>(1, n * s * d);
  for (int64_t b = 0; b < batches; ++b) {
    for (int64_t i = 0; i < s; ++i) {
      for (int64_t h = 0; h < n; ++h) {
        const auto row = values.begin() + ((b * n + h) * s + i) * d;
        out.insert(out.end(), row, row + d);
      }
    }
  }
  return out;
}

// The pool of pages of keys or of values.
Values PagesOf(const AttentionProblem& p, const Values& values) {
  const AttentionOptions& o = p.options;
  const int64_t blocks = (*p.call.key)[0]->dims[0];
  Values pool(static_cast<size_t>(blocks * o.block_size * o.kv_heads * o.dim), kNaN);
  for (int64_t b = 0; b < o.batch; ++b) {
    for (int64_t g = 0; g < o.kv_heads; ++g) {
      for (int64_t s = 0; s < p.reference.kv_lengths[static_cast<size_t>(b)]; ++s) {
        const int64_t block =
            p.table[static_cast<size_t>(b * p.reference.block_width + s / o.block_size)];
        const int64_t within = s % o.block_size;
        const int64_t row = o.cache == Cache::kPagedRows
                                ? (block * o.block_size + within) * o.kv_heads + g
                                : (block * o.kv_heads + g) * o.block_size + within;
        const auto from = values.begin() + ((b * o.kv_heads + g) * o.kv_size + s) * o.dim;
        std::copy_n(from, o.dim, pool.begin() + row * o.dim);
      }
    }
  }
  return pool;
}

void WriteCache(const AttentionProblem& p, const Values& values,
                std::vector<std::optional<Tensor>>& members) {
  const AttentionOptions& o = p.options;
  const bool bsnd = IsBsnd(o.layout);
  if (IsPaged(o)) return WriteAs(*members[0], PagesOf(p, values));
  if (o.cache == Cache::kContiguous) {
    return WriteAs(*members[0], InLayout(bsnd, values, o.kv_heads, o.kv_size, o.dim));
  }
  for (size_t b = 0; b < members.size(); ++b) {
    Values own;
    for (int64_t g = 0; g < o.kv_heads; ++g) {
      const auto from =
          values.begin() + (static_cast<int64_t>(b) * o.kv_heads + g) * o.kv_size * o.dim;
      own.insert(own.end(), from, from + p.kv_sizes[b] * o.dim);
    }
    WriteAs(*members[b], InLayout(bsnd, own, o.kv_heads, p.kv_sizes[b], o.dim));
  }
}

void WriteScales(const AttentionProblem& p, AttentionObjects& objects) {
  const ReferenceAttention& r = p.reference;
  if (p.options.antiquant == Antiquant::kSeparate) {
    WriteAs(*objects.tensors[kKeyScale], r.key_scale.values);
    WriteAs(*objects.tensors[kValueScale], r.value_scale.values);
    if (!p.options.antiquant_offset) return;
    WriteAs(*objects.tensors[kKeyOffset], r.key_offset.values);
    WriteAs(*objects.tensors[kValueOffset], r.value_offset.values);
  } else if (p.options.antiquant == Antiquant::kCombined) {
    const auto both = [](Values first, const Values& second) {
      first.insert(first.end(), second.begin(), second.end());
      return first;
    };
    WriteAs(*objects.tensors[kScales], both(r.key_scale.values, r.value_scale.values));
    if (!p.options.antiquant_offset) return;
    WriteAs(*objects.tensors[kOffsets], both(r.key_offset.values, r.value_offset.values));
  }
}

// A quarter of what the tests of the operator's users allow; rounding to the output's type is not
// the operator's error. INT8: all but a quarter of a percent are the nearest numbers.
void ExpectMargin(const AttentionProblem& p, const AttentionOutput& output,
                  const ReferenceResult& expected) {
  const bool bf16 = p.options.out_type == ACL_BF16;
  const double rounding = bf16 ? 0x1p-8 : 0x1p-11;
  double largest = 0;
  for (double x : expected.out) largest = std::max(largest, std::abs(x));
  // bf16's bound counts in the largest output, which of a few means of many values may be tiny.
  if (bf16 && expected.out.size() < 512) return;
  const double relative = bf16 ? 0x1p-7 : 1e-3;
  const double absolute = bf16 ? 1e-2 * largest : 2e-3;
  size_t others = 0;
  for (size_t i = 0; i < expected.out.size(); ++i) {
    // A probability at a tie is worth more than any margin.
    if (expected.slack[i / static_cast<size_t>(p.options.dim)] > 0) continue;
    const double wanted = expected.out[i];
    if (p.options.out_type == ACL_INT8) {
      others += output.out[i] != std::nearbyint(wanted) ? 1 : 0;
      continue;
    }
    const double bound = (rounding + relative / 4) * std::abs(wanted) + absolute / 4;
    ASSERT_LE(std::abs(output.out[i] - wanted), bound) << "element " << i << " of " << wanted;
  }
  EXPECT_LE(others, 4 + expected.out.size() / 400);
}

}  // namespace

std::string NameOf(const AttentionOptions& o) {
  std::ostringstream s;
  s << o.layout << " q" << o.query_type << " kv" << o.kv_type << " out" << o.out_type << " B"
    << o.batch << " Sq" << o.query_size << " S" << o.kv_size << " N" << o.heads << "/" << o.kv_heads
    << " D" << o.dim << " cache" << static_cast<int>(o.cache) << " bs" << o.block_size << " mask"
    << o.mask << "r" << o.mask_rank << "b" << o.mask_per_batch << "+" << o.mask_slack << " pse"
    << o.pse << " lse" << o.lse << " sparse" << o.sparse_mode << " pre" << o.pre_tokens << " next"
    << o.next_tokens << " inner" << o.inner_precise << " prefix" << o.prefix_size << "/"
    << o.prefix.value_or(-1) << " qpad" << o.query_padding.value_or(-99) << " kvpad"
    << o.kv_padding.value_or(-99) << " antiquant" << static_cast<int>(o.antiquant) << " modes"
    << o.key_mode << o.value_mode << " tensor" << o.per_tensor << " offset" << o.antiquant_offset
    << " outch" << o.out_per_channel << " outoff" << o.out_offset << " strided" << o.strided;
  const auto list = [&](const char* name, const Lengths& lengths) {
    if (!lengths) return;
    s << name;
    for (int64_t length : *lengths) s << " " << length;
  };
  list(" qlen", o.query_lengths);
  list(" kvlen", o.kv_lengths);
  return s.str();
}

void WriteValues(const AttentionProblem& p, AttentionObjects& objects) {
  const AttentionOptions& o = p.options;
  const ReferenceAttention& r = p.reference;
  const bool bsnd = IsBsnd(o.layout);
  WriteAs(*objects.tensors[kQuery], InLayout(bsnd, r.q, o.heads, o.query_size, o.dim));
  WriteCache(p, r.k, objects.key);
  WriteCache(p, r.v, objects.value);
  if (o.prefix_size > 0) {
    WriteAs(*objects.tensors[kKeyPrefix], InLayout(bsnd, r.kp, o.kv_heads, o.prefix_size, o.dim));
    WriteAs(*objects.tensors[kValuePrefix], InLayout(bsnd, r.vp, o.kv_heads, o.prefix_size, o.dim));
  }
  if (objects.tensors[kTable]) objects.tensors[kTable]->Write(p.table);
  if (!r.mask.empty()) objects.tensors[kMask]->Write(r.mask);
  if (!r.pse.empty()) WriteAs(*objects.tensors[kPse], r.pse);
  WriteScales(p, objects);
  const auto one = [&](size_t which, double value) {
    if (objects.tensors[which]) WriteAs(*objects.tensors[which], {value});
  };
  // The last bits are cut off by the operator.
  one(kDeq1, r.deq1 * (1 + 0x1p-12));
  one(kQuant1, r.quant1);
  one(kDeq2, r.deq2 * (1 + 0x1p-12));
  one(kQueryPad, static_cast<double>(o.query_padding.value_or(0)));
  one(kKvPad, static_cast<double>(o.kv_padding.value_or(0)));
  if (r.int8_out) WriteAs(*objects.tensors[kQuant2], r.out_scale);
  if (!r.out_offset.empty()) WriteAs(*objects.tensors[kOffset2], r.out_offset);
}

AttentionOutput ReadOutput(const AttentionProblem& p, const AttentionObjects& objects) {
  const AttentionOptions& o = p.options;
  const Tensor& tensor = *objects.tensors[kOut];
  Values values;
  if (o.out_type == ACL_INT8) {
    for (int8_t x : tensor.Read<int8_t>()) values.push_back(x);
  } else {
    for (uint16_t x : tensor.Read<uint16_t>()) {
      values.push_back(o.out_type == ACL_BF16 ? DecodeBf16(x) : DecodeFp16(x));
    }
  }
  AttentionOutput output;
  const bool bsnd = IsBsnd(o.layout) || o.layout == "BNSD_BSND";
  // Exchanging twice leads back.
  output.out = InLayout(bsnd, values, o.query_size, o.heads, o.dim);
  if (o.lse) output.lse = objects.tensors[kLse]->Read<float>();
  output.bytes = tensor.Bytes();
  return output;
}

void ExpectMatches(const AttentionProblem& p, const AttentionOutput& output) {
  const AttentionOptions& o = p.options;
  const ReferenceResult expected = Attend(p.reference);
  ASSERT_EQ(output.out.size(), expected.out.size());
  const OutputKind kind = o.out_type == ACL_INT8   ? OutputKind::kInt8
                          : o.out_type == ACL_BF16 ? OutputKind::kBf16
                                                   : OutputKind::kFp16;
  const std::vector<double> bounds =
      ErrorBounds(p.reference, expected, kind, o.query_type != o.kv_type);
  for (size_t i = 0; i < expected.out.size(); ++i) {
    const double actual = output.out[i], wanted = expected.out[i];
    if (expected.exact[i / static_cast<size_t>(o.dim)]) {
      ASSERT_EQ(actual, 0.0) << "element " << i;
      ASSERT_FALSE(std::signbit(actual)) << "element " << i;
      continue;
    }
    ASSERT_LE(std::abs(actual - wanted), bounds[i])
        << "element " << i << ": " << actual << ", expected " << wanted;
  }
  ExpectMargin(p, output, expected);
  if (!o.lse) return;
  // The same margin.
  for (size_t i = 0; i < expected.lse.size(); ++i) {
    const double wanted = expected.lse[i], actual = output.lse[i];
    if (std::isinf(wanted)) {
      ASSERT_EQ(actual, wanted) << "lse " << i;
    } else {
      ASSERT_LE(std::abs(actual - wanted), 2.5e-5 + 2.5e-6 * std::abs(wanted)) << "lse " << i;
    }
  }
}

AttentionOutput AttentionTest::Run(const AttentionProblem& problem) {
  AttentionObjects objects(problem.call);
  WriteValues(problem, objects);
  RunTwoPhase(objects.PhaseOne(), objects.PhaseTwo());
  EXPECT_TRUE(objects.GuardsIntact());
  return ReadOutput(problem, objects);
}

AttentionOutput AttentionTest::RunAndCheck(const AttentionOptions& options) {
  SCOPED_TRACE(NameOf(options));
  const AttentionProblem problem = MakeProblem(options, random());
  const AttentionOutput output = Run(problem);
  ExpectMatches(problem, output);
  return output;
}

AttentionOptions AttentionTest::Prompt() {
  AttentionOptions o;
  o.query_size = 37;
  o.kv_size = 150;
  o.lse = true;
  return o;
}

AttentionOptions AttentionTest::OneToken() {
  AttentionOptions o;
  o.kv_size = 300;
  o.lse = true;
  return o;
}

AttentionProblem AttentionTest::Moved(const AttentionProblem& p, const AttentionOptions& options) {
  AttentionProblem moved = MakeProblem(options, random());
  moved.reference.q = p.reference.q;
  moved.reference.k = p.reference.k;
  moved.reference.v = p.reference.v;
  moved.reference.key_scale = p.reference.key_scale;
  moved.reference.value_scale = p.reference.value_scale;
  return moved;
}

void ExpectSame(const AttentionOutput& a, const AttentionOutput& b) {
  EXPECT_EQ(a.out, b.out);
  EXPECT_EQ(a.lse, b.lse);
}

}  // namespace anyacl::test
