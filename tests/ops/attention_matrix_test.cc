// SPDX-License-Identifier: Apache-2.0
// The kernels of attention for matrix registers: imitated in memory they agree with the tier base
// up to roundings, and the registers of a machine that has them leave the bits that are imitated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "attention/kernel.h"
#include "kernels.h"
#include "ops/flash_attention/kernel.h"
#include "support/half.h"
#include "support/portion.h"
#include "support/random.h"

namespace anyacl::imitated {
void AttentionPrefillBf16(const attention::PrefillStep& step);
void AttentionPackPrefillValues(const char* const* rows, int columns, int dim, int tile_step,
                                uint32_t* out);
void FlashAttentionGradientBf16(const flash_attention::GradientStep& step);
}  // namespace anyacl::imitated

namespace anyacl::test {
namespace {

using attention::kPrefillRows;
using attention::kTile;
using flash_attention::kRoundedRows;
using Rows = std::vector<std::vector<uint16_t>>;

constexpr uint8_t kNan = 0xff;  // bytes of scratch memory that must not count
constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Kernels {
  decltype(attention::KernelSet::prefill_bf16) prefill;
  decltype(attention::KernelSet::pack_prefill_values) pack_values;
  decltype(flash_attention::KernelSet::gradient_bf16) gradient;
};
Kernels KernelsOfTier(IsaTier tier) {
  const KernelTable& table = *KernelsOf(tier);
  return {table.attention.prefill_bf16, table.attention.pack_prefill_values,
          table.flash_attention.gradient_bf16};
}
const Kernels kImitated = {imitated::AttentionPrefillBf16, imitated::AttentionPackPrefillValues,
                           imitated::FlashAttentionGradientBf16};

class AttentionMatrixTest : public testing::Test {
 protected:
  // A problem of one step; every optional term is there in some.
  struct Problem {
    int vectors, columns, dim, step;
    Rows q, k, v, dy;
    std::vector<float> m, l, delta, o, add;
    std::vector<int8_t> masked, keep;
    std::vector<int32_t> begin, end;
    bool has_add, has_mask, has_limits, has_keep;
    float scale;
  };

  float Number() { return static_cast<float>(random_.Normal(0, 1)); }
  Rows AnyRows(int count, int dim) {
    Rows rows(static_cast<size_t>(count));
    for (auto& row : rows) {
      for (int d = 0; d < dim; ++d) row.push_back(EncodeBf16(Number()));
    }
    return rows;
  }
  std::vector<float> AnyFloats(int64_t count) {
    std::vector<float> numbers(static_cast<size_t>(count));
    for (float& x : numbers) x = Number();
    return numbers;
  }
  std::vector<int8_t> AnyBits() {
    std::vector<int8_t> bits(kTile * kPrefillRows);
    for (int8_t& x : bits) x = random_.Chance(0.3);
    return bits;
  }

  Problem AnyProblem() {
    Problem p;
    p.vectors = static_cast<int>(random_.Int(1, 3));
    p.columns = static_cast<int>(random_.Chance(0.3) ? kTile : random_.Int(1, kTile));
    p.dim = static_cast<int>(random_.Int(1, 144));
    p.step = (p.dim + 31) / 32 * 32;
    p.q = AnyRows(16 * p.vectors, p.dim);
    p.dy = AnyRows(16 * p.vectors, p.dim);
    p.k = AnyRows(p.columns, p.dim);
    p.v = AnyRows(p.columns, p.dim);
    p.m = AnyFloats(kPrefillRows);
    p.l = AnyFloats(kPrefillRows);
    for (float& x : p.l) x = std::abs(x) + 1;
    p.delta = AnyFloats(kPrefillRows);
    p.o = AnyFloats(int64_t{p.step} * kPrefillRows);
    p.add = AnyFloats(kTile * kPrefillRows);
    p.masked = AnyBits();
    p.keep = AnyBits();
    for (int r = 0; r < kPrefillRows; ++r) {
      p.begin.push_back(static_cast<int32_t>(random_.Int(0, p.columns)));
      p.end.push_back(static_cast<int32_t>(random_.Int(p.begin.back(), p.columns)));
    }
    p.has_add = random_.Chance(0.3);
    p.has_mask = random_.Chance(0.3);
    p.has_limits = random_.Chance(0.5);
    p.has_keep = random_.Chance(0.3);
    p.scale = 1 / std::sqrt(static_cast<float>(p.dim));
    return p;
  }

  // Numbers d and d + 1 of rows, or rows r and r + 1 of each d.
  static Padded<float> Lanes(const Problem& p, const Rows& rows) {
    Padded<float> lanes(int64_t{p.step} * kPrefillRows, 0);
    for (size_t r = 0; r < rows.size(); ++r) {
      auto* const to = reinterpret_cast<uint16_t*>(lanes.data());
      for (size_t d = 0; d < rows[r].size(); ++d) {
        to[(d / 2 * kPrefillRows + r) * 2 + d % 2] = rows[r][d];
      }
    }
    return lanes;
  }
  static Padded<float> PairsOfRows(const Problem& p, const Rows& rows) {
    Padded<float> pairs(int64_t{p.step} * kPrefillRows, 0);
    for (size_t r = 0; r < rows.size(); ++r) {
      auto* const to = reinterpret_cast<uint16_t*>(pairs.data());
      for (size_t d = 0; d < rows[r].size(); ++d) {
        to[(r / 2 * static_cast<size_t>(p.step) + d) * 2 + r % 2] = rows[r][d];
      }
    }
    return pairs;
  }
  // Zeros up to a multiple of 8 rows, then anything.
  static Padded<float> Packed(const Problem& p, const Rows& rows) {
    Padded<float> packed(int64_t{kTile} * p.step, kNan);
    auto* const numbers = reinterpret_cast<uint16_t*>(packed.data());
    const auto step = static_cast<size_t>(p.step);
    std::fill_n(numbers, (rows.size() + 7) / 8 * 8 * step, 0);
    for (size_t j = 0; j < rows.size(); ++j) {
      std::memcpy(numbers + j * step, rows[j].data(), rows[j].size() * 2);
    }
    return packed;
  }
  static Padded<float> PackedValues(const Problem& p, const Rows& rows, const Kernels& kernels) {
    std::vector<const char*> addresses;
    for (const auto& row : rows) addresses.push_back(reinterpret_cast<const char*>(row.data()));
    Padded<float> packed(int64_t{kTile} * p.step, 0);
    kernels.pack_values(addresses.data(), p.columns, p.dim, p.step,
                        reinterpret_cast<uint32_t*>(packed.data()));
    EXPECT_TRUE(packed.RoomIsIntact());
    return packed;
  }

  // m, l and o after a step.
  static std::vector<std::vector<float>> Prefill(const Problem& p, const Kernels& kernels) {
    const Padded<float> q = Lanes(p, p.q), k = Packed(p, p.k);
    const Padded<float> v = PackedValues(p, p.v, kernels);
    Padded<float> o(int64_t{p.step} * kPrefillRows), scores(kTile * kPrefillRows, kNan);
    std::copy(p.o.begin(), p.o.end(), o.data());
    std::vector<float> m = p.m, l = p.l, extra(kPrefillRows), zeros(kPrefillRows);
    const std::vector<float> scale(kTile, p.scale);
    attention::PrefillStep step{};
    step.columns = p.columns;
    step.dim = step.value_dim = p.dim;
    step.column_scale = scale.data();
    step.begin = p.has_limits ? p.begin.data() : nullptr;
    step.end = p.has_limits ? p.end.data() : nullptr;
    step.add = p.has_add ? p.add.data() : nullptr;
    step.masked = p.has_mask ? p.masked.data() : nullptr;
    step.masked_score = -1e12f;
    step.keep = p.has_keep ? p.keep.data() : nullptr;
    step.keep_scale = 2;
    step.m = m.data();
    step.l = l.data();
    step.extra = extra.data();
    step.row_shift = step.row_sum = zeros.data();
    step.scores = scores.data();
    step.vectors = p.vectors;
    step.lane_step = kPrefillRows;
    step.tile_step = p.step;
    step.q = q.data();
    step.o = o.data();
    step.k = k.data();
    step.v = v.data();
    kernels.prefill(step);
    EXPECT_TRUE(o.RoomIsIntact() && scores.RoomIsIntact());
    return {m, l, {o.data(), o.data() + int64_t{p.dim} * kPrefillRows}};
  }

  // ds, dq, dk and dv.
  static std::vector<std::vector<float>> Gradient(const Problem& p, const Kernels& kernels) {
    const Padded<float> q = Lanes(p, p.q), dy = Lanes(p, p.dy), k = Packed(p, p.k);
    const Padded<float> v = Packed(p, p.v), k_columns = PackedValues(p, p.k, kernels);
    const Padded<float> q_rows = PairsOfRows(p, p.q), dy_rows = PairsOfRows(p, p.dy);
    Padded<float> dq(int64_t{p.step} * kPrefillRows, 0), dk(int64_t{kTile} * p.step, 0);
    Padded<float> dv(int64_t{kTile} * p.step, 0), p_out(kTile * kPrefillRows, kNan);
    Padded<float> ds_out(kTile * kPrefillRows, kNan);
    Padded<uint16_t> p_rounded(kTile * kRoundedRows, kNan);
    Padded<uint16_t> ds_rounded(kTile * kRoundedRows, kNan);
    Padded<int32_t> ds_pairs(kTile * kPrefillRows, kNan);
    std::vector<float> inverse_l;
    for (float l : p.l) inverse_l.push_back(1 / (8 * l));
    std::vector<float> m = p.m;
    for (float& x : m) x += 3;
    flash_attention::GradientStep step{};
    step.columns = p.columns;
    step.vectors = p.vectors;
    step.dim = step.value_dim = p.dim;
    step.step = p.step;
    step.q = q.data();
    step.dy = dy.data();
    step.q_rows = q_rows.data();
    step.dy_rows = dy_rows.data();
    step.k = k.data();
    step.k_columns = k_columns.data();
    step.v = v.data();
    step.scale = p.scale;
    step.m = m.data();
    step.inverse_l = inverse_l.data();
    step.delta = p.delta.data();
    step.begin = p.has_limits ? p.begin.data() : nullptr;
    step.end = p.has_limits ? p.end.data() : nullptr;
    step.add = p.has_add ? p.add.data() : nullptr;
    step.masked = p.has_mask ? p.masked.data() : nullptr;
    step.keep = p.has_keep ? p.keep.data() : nullptr;
    step.keep_scale = 2;
    step.dq = dq.data();
    step.dk = dk.data();
    step.dv = dv.data();
    step.p_out = p_out.data();
    step.ds_out = ds_out.data();
    step.p_rounded = p_rounded.data();
    step.ds_rounded = ds_rounded.data();
    step.ds_pairs = ds_pairs.data();
    kernels.gradient(step);
    EXPECT_TRUE(dq.RoomIsIntact() && dk.RoomIsIntact() && dv.RoomIsIntact());
    EXPECT_TRUE(p_out.RoomIsIntact() && ds_out.RoomIsIntact() && ds_pairs.RoomIsIntact());
    EXPECT_TRUE(p_rounded.RoomIsIntact() && ds_rounded.RoomIsIntact());
    std::vector<std::vector<float>> results(4);
    for (int j = 0; j < p.columns; ++j) {
      for (int r = 0; r < 16 * p.vectors; ++r) {
        results[0].push_back(ds_out[j * kPrefillRows + r]);
      }
      for (int d = 0; d < p.dim; ++d) {
        results[2].push_back(dk[int64_t{j} * p.step + d]);
        results[3].push_back(dv[int64_t{j} * p.step + d]);
      }
    }
    for (int d = 0; d < p.dim; ++d) {
      for (int r = 0; r < 16 * p.vectors; ++r) {
        results[1].push_back(dq[int64_t{d} * kPrefillRows + r]);
      }
    }
    return results;
  }

  // Sums of up to 64 products whose factors are rounded to bf16.
  static void ExpectNear(const std::vector<std::vector<float>>& actual,
                         const std::vector<std::vector<float>>& expected) {
    for (size_t part = 0; part < expected.size(); ++part) {
      float most = 0;
      for (float x : expected[part]) most = std::max(most, std::isinf(x) ? 0 : std::abs(x));
      for (size_t i = 0; i < expected[part].size(); ++i) {
        if (expected[part][i] == -kInfinity && actual[part][i] == -kInfinity) continue;
        ASSERT_NEAR(actual[part][i], expected[part][i], 0.004 * most + 1e-6)
            << "part " << part << " at " << i;
      }
    }
  }
  static void ExpectSame(const std::vector<std::vector<float>>& actual,
                         const std::vector<std::vector<float>>& expected) {
    for (size_t part = 0; part < expected.size(); ++part) {
      for (size_t i = 0; i < expected[part].size(); ++i) {
        ASSERT_EQ(std::memcmp(&actual[part][i], &expected[part][i], 4), 0)
            << "part " << part << " at " << i << ": " << actual[part][i] << " for "
            << expected[part][i];
      }
    }
  }
  static std::string Describe(const Problem& p) {
    return std::to_string(p.vectors) + " vectors, " + std::to_string(p.columns) + " columns, D " +
           std::to_string(p.dim) + (p.has_add ? ", add" : "") + (p.has_mask ? ", mask" : "") +
           (p.has_limits ? ", limits" : "") + (p.has_keep ? ", dropout" : "");
  }

  Random random_{SeedOr(53)};
};

TEST_F(AttentionMatrixTest, ImitatedAgreesWithVectors) {
  for (int i = 0; i < 40; ++i) {
    const Problem p = AnyProblem();
    SCOPED_TRACE(Describe(p));
    ExpectNear(Prefill(p, kImitated), Prefill(p, KernelsOfTier(IsaTier::kBase)));
    ExpectNear(Gradient(p, kImitated), Gradient(p, KernelsOfTier(IsaTier::kBase)));
  }
}

TEST_F(AttentionMatrixTest, RegistersLeaveTheBitsThatAreImitated) {
  if (!CpuSupports(IsaTier::kAmx)) GTEST_SKIP() << "no matrix registers here";
  for (int i = 0; i < 40; ++i) {
    const Problem p = AnyProblem();
    SCOPED_TRACE(Describe(p));
    ExpectSame(Prefill(p, KernelsOfTier(IsaTier::kAmx)), Prefill(p, kImitated));
    ExpectSame(Gradient(p, KernelsOfTier(IsaTier::kAmx)), Gradient(p, kImitated));
  }
}

}  // namespace
}  // namespace anyacl::test
