// SPDX-License-Identifier: Apache-2.0
// Layout TND: each sequence has the bits of a call of its own, which other tests compare with the
// oracle.
#include <algorithm>
#include <string>

#include "aclnnop/aclnn_flash_attention_score.h"
#include "aclnnop/aclnn_flash_attention_score_grad.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

struct Lengths {
  std::vector<int64_t> rows, columns;
  int64_t heads = 4, kv_heads = 2, dim = 24, value_dim = 16;
};

struct Options {
  aclDataType type = ACL_FLOAT;
  int64_t mode = 0;
  bool mask = false, drop = false, shift = false, gaps = false;
};

std::vector<int64_t> EndsOf(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> ends;
  int64_t at = 0;
  for (int64_t size : sizes) ends.push_back(at += size);
  return ends;
}
int64_t Most(const std::vector<int64_t>& sizes) {
  return *std::max_element(sizes.begin(), sizes.end());
}

class SequencesTest : public DeviceTest {
 protected:
  using Values = std::vector<double>;

  Values Numbers(int64_t count, aclDataType type) {
    Values values;
    for (int64_t i = 0; i < count; ++i) values.push_back(AsHeld(type, random().Normal(0, 1)));
    return values;
  }
  static Layout Lying(std::vector<int64_t> dims, aclDataType type, bool gaps) {
    Layout layout{.dims = dims, .dtype = type};
    if (!gaps) return layout;
    layout.strides = ContiguousStrides(dims);
    for (int64_t& stride : layout.strides) stride *= 2;
    return layout;
  }
  // Rows `first` to `first + count` of [T, width].
  static Values RowsOf(const Values& all, int64_t first, int64_t count, int64_t width) {
    return {all.begin() + first * width, all.begin() + (first + count) * width};
  }

  void Check(const Lengths& l, const Options& o);
};

void SequencesTest::Check(const Lengths& l, const Options& o) {
  SCOPED_TRACE(::testing::Message()
               << ::testing::PrintToString(l.rows) << " by " << ::testing::PrintToString(l.columns)
               << " type " << o.type << " mode " << o.mode << o.mask << o.drop << o.shift);
  const std::vector<int64_t> ends = EndsOf(l.rows), key_ends = EndsOf(l.columns);
  const int64_t rows = ends.back(), keys = key_ends.back();
  const int64_t most_rows = Most(l.rows), most_keys = Most(l.columns);
  const auto batch = static_cast<int64_t>(l.rows.size());
  const double keep = o.drop ? 0.75 : 1;
  const double scale = 0.2;
  const int64_t tokens = o.mode == 4 ? 5 : INT32_MAX;
  const int64_t q_width = l.heads * l.dim, k_width = l.kv_heads * l.dim;
  const int64_t v_width = l.kv_heads * l.value_dim, o_width = l.heads * l.value_dim;
  const Values qs = Numbers(rows * q_width, o.type), ks = Numbers(keys * k_width, o.type);
  const Values vs = Numbers(keys * v_width, o.type), dys = Numbers(rows * o_width, o.type);
  const auto tensor = [&](int64_t t, int64_t heads, int64_t dim) {
    return Tensor(Lying({t, heads, dim}, o.type, o.gaps));
  };
  Tensor q = tensor(rows, l.heads, l.dim), k = tensor(keys, l.kv_heads, l.dim);
  Tensor v = tensor(keys, l.kv_heads, l.value_dim), dy = tensor(rows, l.heads, l.value_dim);
  const Tensor out = tensor(rows, l.heads, l.value_dim), dq = tensor(rows, l.heads, l.dim);
  const Tensor dk = tensor(keys, l.kv_heads, l.dim), dv = tensor(keys, l.kv_heads, l.value_dim);
  const Tensor max(Lying({rows, l.heads, 8}, ACL_FLOAT, o.gaps)),
      sum(Lying({rows, l.heads, 8}, ACL_FLOAT, o.gaps));
  WriteAs(q, qs);
  WriteAs(k, ks);
  WriteAs(v, vs);
  WriteAs(dy, dys);
  const bool compressed = o.mode >= 2 && o.mode != 5;
  Tensor mask({.dims = compressed ? std::vector<int64_t>{o.mode == 6 ? 3072 : 2048, 2048}
                                  : std::vector<int64_t>{batch, 1, most_rows, most_keys},
               .dtype = ACL_BOOL});
  std::vector<uint8_t> hidden;
  if (!compressed) {
    for (int64_t i = 0; i < mask.count(); ++i) hidden.push_back(random().Chance(0.3));
    mask.Write(hidden);
  }
  Tensor shift({.dims = {batch, l.heads, most_rows, most_keys}, .dtype = o.type});
  const Values shifts = Numbers(shift.count(), o.type);
  WriteAs(shift, shifts);
  int64_t bits = 0;
  for (size_t i = 0; i < l.rows.size(); ++i) bits += l.heads * l.rows[i] * l.columns[i];
  std::vector<uint8_t> kept(static_cast<size_t>(bits / 8 + 1));
  for (uint8_t& byte : kept) byte = static_cast<uint8_t>(random().Int(0, 255));
  Tensor drop({.dims = {static_cast<int64_t>(kept.size())}, .dtype = ACL_UINT8});
  drop.Write(kept);
  std::vector<int64_t> prefixes;
  for (size_t i = 0; i < l.rows.size(); ++i) {
    prefixes.push_back(std::max<int64_t>(0, l.columns[i] - l.rows[i] / 2));
  }
  const aclIntArray* q_ends = aclCreateIntArray(ends.data(), ends.size());
  const aclIntArray* k_ends = aclCreateIntArray(key_ends.data(), key_ends.size());
  const aclIntArray* prefix = aclCreateIntArray(prefixes.data(), prefixes.size());
  std::string tnd = "TND", bsnd = "BSND";
  const auto given = [](bool is, const Tensor& t) { return is ? t.handle() : nullptr; };
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
            q.handle(), k.handle(), v.handle(), given(o.shift, shift), given(o.drop, drop), nullptr,
            given(o.mask, mask), prefix, q_ends, k_ends, scale, keep, tokens, tokens, l.heads,
            tnd.data(), 0, o.mode, max.handle(), sum.handle(), nullptr, out.handle(), s, e);
      },
      aclnnFlashAttentionVarLenScore);
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnFlashAttentionUnpaddingScoreGradGetWorkspaceSize(
            q.handle(), k.handle(), v.handle(), dy.handle(), given(o.shift, shift),
            given(o.drop, drop), nullptr, given(o.mask, mask), max.handle(), sum.handle(), nullptr,
            out.handle(), prefix, q_ends, k_ends, scale, keep, tokens, tokens, l.heads, tnd.data(),
            0, o.mode, dq.handle(), dk.handle(), dv.handle(), nullptr, s, e);
      },
      aclnnFlashAttentionUnpaddingScoreGrad);
  aclDestroyIntArray(q_ends);
  aclDestroyIntArray(k_ends);
  aclDestroyIntArray(prefix);
  for (const Tensor* t : {&out, &max, &sum, &dq, &dk, &dv}) EXPECT_TRUE(t->GuardsIntact());
  const Values outs = ReadAs(out), maxs = ReadAs(max), sums = ReadAs(sum);
  const Values dqs = ReadAs(dq), dks = ReadAs(dk), dvs = ReadAs(dv);
  int64_t row = 0, key = 0, bit = 0;
  for (size_t i = 0; i < l.rows.size(); ++i) {
    SCOPED_TRACE(i);
    const int64_t n = l.rows[i], m = l.columns[i];
    const auto one = [&](int64_t count, int64_t heads, int64_t dim) {
      return Tensor({.dims = {1, count, heads, dim}, .dtype = o.type});
    };
    Tensor q1 = one(n, l.heads, l.dim), k1 = one(m, l.kv_heads, l.dim);
    Tensor v1 = one(m, l.kv_heads, l.value_dim), dy1 = one(n, l.heads, l.value_dim);
    const Tensor out1 = one(n, l.heads, l.value_dim), dq1 = one(n, l.heads, l.dim);
    const Tensor dk1 = one(m, l.kv_heads, l.dim), dv1 = one(m, l.kv_heads, l.value_dim);
    const Tensor max1({.dims = {1, l.heads, n, 8}}), sum1({.dims = {1, l.heads, n, 8}});
    WriteAs(q1, RowsOf(qs, row, n, q_width));
    WriteAs(k1, RowsOf(ks, key, m, k_width));
    WriteAs(v1, RowsOf(vs, key, m, v_width));
    WriteAs(dy1, RowsOf(dys, row, n, o_width));
    Tensor mask1({.dims = compressed ? mask.layout().dims : std::vector<int64_t>{1, 1, n, m},
                  .dtype = ACL_BOOL});
    Tensor shift1({.dims = {1, l.heads, n, m}, .dtype = o.type});
    const auto plane = static_cast<size_t>(most_rows * most_keys);
    std::vector<uint8_t> hidden1;
    Values shifts1;
    for (int64_t h = 0; h < l.heads; ++h) {
      for (int64_t r = 0; r < n; ++r) {
        for (int64_t c = 0; c < m; ++c) {
          const auto at = static_cast<size_t>(r * most_keys + c);
          if (h == 0 && !compressed) hidden1.push_back(hidden[i * plane + at]);
          shifts1.push_back(
              shifts[(i * static_cast<size_t>(l.heads) + static_cast<size_t>(h)) * plane + at]);
        }
      }
    }
    if (!compressed) mask1.Write(hidden1);
    WriteAs(shift1, shifts1);
    const int64_t bits1 = l.heads * n * m;
    std::vector<uint8_t> kept1(static_cast<size_t>(bits1 / 8 + 1));
    for (int64_t b = 0; b < bits1; ++b) {
      const auto from = static_cast<size_t>(bit + b), to = static_cast<size_t>(b);
      kept1[to / 8] |= static_cast<uint8_t>((kept[from / 8] >> (from % 8) & 1) << (to % 8));
    }
    Tensor drop1({.dims = {static_cast<int64_t>(kept1.size())}, .dtype = ACL_UINT8});
    drop1.Write(kept1);
    const aclIntArray* prefix1 = aclCreateIntArray(&prefixes[i], 1);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFlashAttentionScoreGetWorkspaceSize(
              q1.handle(), k1.handle(), v1.handle(), given(o.shift, shift1), given(o.drop, drop1),
              nullptr, given(o.mask, mask1), prefix1, scale, keep, tokens, tokens, l.heads,
              bsnd.data(), 0, o.mode, max1.handle(), sum1.handle(), nullptr, out1.handle(), s, e);
        },
        aclnnFlashAttentionScore);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFlashAttentionScoreGradGetWorkspaceSize(
              q1.handle(), k1.handle(), v1.handle(), dy1.handle(), given(o.shift, shift1),
              given(o.drop, drop1), nullptr, given(o.mask, mask1), max1.handle(), sum1.handle(),
              nullptr, out1.handle(), prefix1, scale, keep, tokens, tokens, l.heads, bsnd.data(), 0,
              o.mode, dq1.handle(), dk1.handle(), dv1.handle(), nullptr, s, e);
        },
        aclnnFlashAttentionScoreGrad);
    aclDestroyIntArray(prefix1);
    ASSERT_EQ(RowsOf(outs, row, n, o_width), ReadAs(out1));
    ASSERT_EQ(RowsOf(dqs, row, n, q_width), ReadAs(dq1));
    ASSERT_EQ(RowsOf(dks, key, m, k_width), ReadAs(dk1));
    ASSERT_EQ(RowsOf(dvs, key, m, v_width), ReadAs(dv1));
    const Values maxs1 = ReadAs(max1), sums1 = ReadAs(sum1);
    for (int64_t h = 0; h < l.heads; ++h) {
      for (int64_t r = 0; r < n; ++r) {
        for (int64_t j = 0; j < 8; ++j) {
          const auto at = static_cast<size_t>(((row + r) * l.heads + h) * 8 + j);
          const auto at1 = static_cast<size_t>((h * n + r) * 8 + j);
          ASSERT_EQ(maxs[at], maxs1[at1]);
          ASSERT_EQ(sums[at], sums1[at1]);
        }
      }
    }
    row += n;
    key += m;
    bit += bits1;
  }
}

const Lengths kSome{{7, 40, 1, 66}, {9, 51, 130, 70}};

TEST_F(SequencesTest, EveryType) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool gaps : {false, true}) Check(kSome, {.type = type, .gaps = gaps});
  }
  Check({{3}, {5}, 2, 2, 16, 16}, {});
  Check({{33, 2}, {300, 700}, 1, 1, 64, 64}, {});
}

TEST_F(SequencesTest, ShiftsMasksAndDropout) {
  for (aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    Check(kSome, {.type = type, .mask = true});
    Check(kSome, {.type = type, .mode = 1, .mask = true, .shift = true});
    Check(kSome, {.type = type, .drop = true});
    Check(kSome, {.type = type, .mask = true, .drop = true, .shift = true});
  }
}

TEST_F(SequencesTest, SparseModes) {
  for (int64_t mode : {2, 3, 4, 6}) Check(kSome, {.mode = mode, .mask = true});
}

// Sequences without rows, or without keys, whose results are zeros.
TEST_F(SequencesTest, EmptySequences) {
  Check({{4, 0, 5, 3}, {6, 7, 0, 2}}, {});
  Check({{0, 4}, {0, 6}}, {});
}

TEST_F(SequencesTest, WhatDoesNotFitIsRefused) {
  constexpr int kInvalid = 161002, kConstraint = 561002;
  const Tensor q({.dims = {6, 2, 8}}), k({.dims = {9, 2, 8}}), odd({.dims = {9, 3, 8}}),
      wide({.dims = {9, 2, 9}}), flat({.dims = {6, 16}}), stat({.dims = {6, 2, 8}}),
      other({.dims = {2, 6, 8}}), mask({.dims = {2, 3}, .dtype = ACL_BOOL});
  struct Call {
    const Tensor &q, &k, &stat;
    std::vector<int64_t> ends, key_ends;
    std::string layout = "TND";
    const Tensor* mask = nullptr;
    int64_t mode = 0;
    double keep = 1;
  };
  const auto refused = [&](Call c, int code, std::initializer_list<std::string_view> words) {
    const aclIntArray* ends = aclCreateIntArray(c.ends.data(), c.ends.size());
    const aclIntArray* key_ends = aclCreateIntArray(c.key_ends.data(), c.key_ends.size());
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
              c.q.handle(), c.k.handle(), c.k.handle(), nullptr, nullptr, nullptr,
              c.mask != nullptr ? c.mask->handle() : nullptr, nullptr, ends, key_ends, 1, c.keep, 0,
              0, 2, c.layout.data(), 0, c.mode, c.stat.handle(), c.stat.handle(), nullptr,
              c.q.handle(), s, e);
        },
        code, words);
    aclDestroyIntArray(ends);
    aclDestroyIntArray(key_ends);
  };
  refused({q, k, stat, {2, 6}, {4, 9}, "BSND"}, kInvalid, {"BSND", "TND"});
  refused({flat, k, stat, {2, 6}, {4, 9}}, kInvalid, {"query.shape", "[T, N, D]"});
  refused({q, odd, stat, {2, 6}, {4, 9}}, kConstraint, {"headNum = 2", "3 heads"});
  refused({q, wide, stat, {2, 6}, {4, 9}}, kInvalid, {"D of key is 9", "8"});
  refused({q, k, stat, {2, 7}, {4, 9}}, kConstraint, {"actualSeqQLenOptional[1] = 7", "2 to 6"});
  refused({q, k, stat, {4, 2}, {4, 9}}, kConstraint, {"actualSeqQLenOptional[1] = 2"});
  refused({q, k, stat, {2, 6}, {9}}, kConstraint, {"2 values", "1"});
  refused({q, k, stat, {}, {}}, kConstraint, {"0 values", "2048"});
  refused({q, k, other, {2, 6}, {4, 9}}, kInvalid, {"softmaxMaxOut.shape", "[6, 2, 8]"});
  refused({q, k, stat, {2, 6}, {4, 9}, "TND", &mask}, kConstraint, {"attenMaskOptional", "4 x 5"});
  refused({q, k, stat, {2, 6}, {4, 9}, "TND", &mask, 2}, kConstraint, {"[2048, 2048]"});
  refused({q, k, stat, {2, 6}, {4, 9}, "TND", &mask, 7}, kConstraint, {"sparseMode = 7"});
  refused({q, k, stat, {2, 6}, {4, 9}, "TND", nullptr, 0, 0.5}, kConstraint, {"keepProb = 0.5"});
}

}  // namespace
}  // namespace anyacl::test
