// SPDX-License-Identifier: Apache-2.0
// Layout TND: each sequence has the bits of a call of its own, which other tests compare with the
// oracle.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "ops/flash_sequences_case.h"
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
  int version = 1;
  int64_t pse_type = 1;  // 2 and 3: `shift` is slopes
  bool slopes_of_all = false;
  bool flat = false;  // the planes of `shift` in one dimension
  int64_t row_start = 0, column_start = 0;
  bool sink = false;
  std::string softmax_layout = "";
  bool head_first = false;  // the statistics' dimensions
};

std::vector<int64_t> EndsOf(const std::vector<int64_t>& sizes) {
  std::vector<int64_t> ends;
  int64_t at = 0;
  for (int64_t size : sizes) ends.push_back(at += size);
  return ends;
}
int64_t Scores(const Lengths& l) {
  int64_t scores = 0;
  for (size_t i = 0; i < l.rows.size(); ++i) scores += l.rows[i] * l.columns[i];
  return scores;
}
int64_t Most(const std::vector<int64_t>& sizes) {
  return *std::max_element(sizes.begin(), sizes.end());
}

class SequencesTest : public FlashAttentionTest {
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

// What mode a sequence has by itself.
int64_t ModeOf(int64_t mode, size_t index, size_t count) {
  if (mode == 7) return index + 1 == count ? 4 : 3;
  if (mode == 8) return index == 0 ? 4 : 2;
  return mode;
}

void SequencesTest::Check(const Lengths& l, const Options& o) {
  SCOPED_TRACE(::testing::Message()
               << ::testing::PrintToString(l.rows) << " by " << ::testing::PrintToString(l.columns)
               << " version " << o.version << " type " << o.type << " mode " << o.mode << o.mask
               << o.drop << o.shift << " pse " << o.pse_type << o.softmax_layout);
  using enum FlashTensor;
  FlashSequences all;
  all.version = o.version;
  all.query_ends = EndsOf(l.rows);
  all.key_ends = EndsOf(l.columns);
  all.keep_prob = o.drop ? 0.75 : 1;
  all.pre_tokens = all.next_tokens = o.mode == 4 || o.mode >= 7 ? 5 : INT32_MAX;
  all.heads = l.heads;
  all.sparse_mode = o.mode;
  all.pse_type = o.pse_type;
  all.softmax_layout = o.softmax_layout;
  const int64_t rows = all.query_ends.back(), keys = all.key_ends.back();
  const int64_t most_rows = Most(l.rows), most_keys = Most(l.columns);
  const auto batch = static_cast<int64_t>(l.rows.size());
  const int64_t q_width = l.heads * l.dim, k_width = l.kv_heads * l.dim;
  const int64_t v_width = l.kv_heads * l.value_dim, o_width = l.heads * l.value_dim;
  const auto tensor = [&](FlashTensor id, int64_t t, int64_t heads, int64_t dim) {
    all.Set(id, Lying({t, heads, dim}, o.type, o.gaps));
  };
  const auto filled = [&](FlashTensor id, int64_t t, int64_t heads, int64_t dim) {
    tensor(id, t, heads, dim);
    const Values values = Numbers(t * heads * dim, o.type);
    WriteAs(all.At(id), values);
    return values;
  };
  const Values qs = filled(kQuery, rows, l.heads, l.dim),
               ks = filled(kKey, keys, l.kv_heads, l.dim);
  const Values vs = filled(kValue, keys, l.kv_heads, l.value_dim);
  const Values dys = filled(kDy, rows, l.heads, l.value_dim);
  tensor(kOut, rows, l.heads, l.value_dim);
  tensor(kDq, rows, l.heads, l.dim);
  tensor(kDk, keys, l.kv_heads, l.dim);
  tensor(kDv, keys, l.kv_heads, l.value_dim);
  for (FlashTensor id : {kMax, kSum}) {
    const auto dims = o.head_first ? std::vector<int64_t>{l.heads, rows, 8}
                                   : std::vector<int64_t>{rows, l.heads, 8};
    all.Set(id, Lying(dims, ACL_FLOAT, o.gaps));
  }
  const bool compressed = o.mode >= 2 && o.mode != 5;
  std::vector<uint8_t> hidden;
  const auto mask_dims = compressed ? std::vector<int64_t>{o.mode == 6 ? 3072 : 2048, 2048}
                                    : std::vector<int64_t>{batch, 1, most_rows, most_keys};
  if (o.mask) {
    Tensor& mask = all.Set(kMask, {.dims = mask_dims, .dtype = ACL_BOOL});
    for (int64_t i = 0; !compressed && i < mask.count(); ++i) {
      hidden.push_back(random().Chance(0.3));
    }
    if (!compressed) mask.Write(hidden);
  }
  const bool slopes = o.pse_type >= 2;
  Values shifts;
  if (o.shift) {
    const Layout planes{.dims = {batch, l.heads, most_rows, most_keys}, .dtype = o.type};
    const Layout scores{.dims = {l.heads * Scores(l)}, .dtype = o.type};
    const Layout heads{.dims = o.slopes_of_all ? std::vector<int64_t>{l.heads}
                                               : std::vector<int64_t>{batch, l.heads}};
    Tensor& shift = all.Set(kPse, slopes ? heads : o.flat ? scores : planes);
    shifts = Numbers(shift.count(), slopes ? ACL_FLOAT : o.type);
    WriteAs(shift, shifts);
  }
  if (slopes) {
    all.query_start = {o.row_start};
    all.key_start = {o.column_start};
  }
  int64_t bits = 0;
  for (size_t i = 0; i < l.rows.size(); ++i) bits += l.heads * l.rows[i] * l.columns[i];
  std::vector<uint8_t> kept(static_cast<size_t>(bits / 8 + 1));
  for (uint8_t& byte : kept) byte = static_cast<uint8_t>(random().Int(0, 255));
  if (o.drop) {
    all.Set(kDrop, {.dims = {static_cast<int64_t>(kept.size())}, .dtype = ACL_UINT8}).Write(kept);
  }
  Values sinks;
  if (o.sink) {
    sinks = Numbers(l.heads, ACL_FLOAT);
    WriteAs(all.Set(kSink, {.dims = {l.heads}}), sinks);
    all.Set(kDsink, {.dims = {l.heads}});
  }
  for (size_t i = 0; i < l.rows.size(); ++i) {
    all.prefix.push_back(std::max<int64_t>(0, l.columns[i] - l.rows[i] / 2));
  }
  RunTwoPhase(all.Forward(), all.ForwardRun());
  // Gradients of the fifth version have no FLOAT.
  const bool gradient = o.version < 5 || o.type != ACL_FLOAT;
  if (gradient) RunTwoPhase(all.Gradient(), all.GradientRun());
  for (const auto& [id, t] : all.tensors) EXPECT_TRUE(t->GuardsIntact());
  const Values outs = ReadAs(all.At(kOut)), maxs = ReadAs(all.At(kMax));
  const Values sums = ReadAs(all.At(kSum)), dqs = ReadAs(all.At(kDq));
  const Values dks = ReadAs(all.At(kDk)), dvs = ReadAs(all.At(kDv));
  Values dsinks(sinks.size());
  int64_t row = 0, key = 0, bit = 0;
  for (size_t i = 0; i < l.rows.size(); ++i) {
    SCOPED_TRACE(i);
    const int64_t n = l.rows[i], m = l.columns[i];
    FlashCase c = FlashOf(1, l.heads, l.kv_heads, n, m, l.dim, l.value_dim);
    FlashProblem& p = c.problem;
    c.dtype = o.type;
    c.layout = "BSND";
    c.ordered = true;
    p.scale = all.scale;
    p.keep_prob = all.keep_prob;
    p.pre_tokens = p.next_tokens = all.pre_tokens;
    p.sparse_mode = ModeOf(o.mode, i, l.rows.size());
    p.prefix = {all.prefix[i]};
    p.q = RowsOf(qs, row, n, q_width);
    p.k = RowsOf(ks, key, m, k_width);
    p.v = RowsOf(vs, key, m, v_width);
    p.dy = RowsOf(dys, row, n, o_width);
    if (o.version >= 2) c.pse_type = o.pse_type;
    c.third = o.sink;
    p.sink = sinks;
    if (o.mask) {
      c.mask_dims = compressed ? mask_dims : std::vector<int64_t>{1, 1, n, m};
      if (!compressed) p.mask = {c.mask_dims, {}};
    }
    if (o.shift && !slopes) p.pse = {{1, l.heads, n, m}, {}};
    const auto plane = static_cast<size_t>(most_rows * most_keys);
    for (int64_t h = 0; h < l.heads; ++h) {
      for (int64_t r = 0; r < n; ++r) {
        for (int64_t j = 0; j < m; ++j) {
          const auto at = static_cast<size_t>(r * most_keys + j);
          if (h == 0 && p.mask.given()) p.mask.values.push_back(hidden[i * plane + at]);
          if (!p.pse.given()) continue;
          if (o.flat) {
            const int64_t score = bit + (h * n + r) * m + j;
            p.pse.values.push_back(shifts[static_cast<size_t>(score)]);
            continue;
          }
          const size_t of_head = i * static_cast<size_t>(l.heads) + static_cast<size_t>(h);
          p.pse.values.push_back(shifts[of_head * plane + at]);
        }
      }
    }
    if (slopes) {
      const Values own = RowsOf(shifts, o.slopes_of_all ? 0 : static_cast<int64_t>(i), 1, l.heads);
      const bool first = o.mode != 8 || i == 0;
      const int64_t start = first ? o.row_start : 0, key_start = first ? o.column_start : 0;
      if (n == m) {
        c.slopes = {{l.heads}, own};
        c.query_start = {start};
        c.key_start = {key_start};
      } else {
        // A part of a sequence, which a call of its own can only be given.
        c.pse_type = 0;
        p.pse = {{1, l.heads, n, m}, {}};
        for (double slope : own) {
          for (int64_t at = 0; at < n * m; ++at) {
            const auto distance = static_cast<float>(std::abs(start + at / m - key_start - at % m));
            const float root = o.pse_type == 3 ? std::sqrt(distance) : distance;
            p.pse.values.push_back(-static_cast<float>(slope) * root);
          }
        }
      }
    }
    const int64_t bits1 = l.heads * n * m;
    if (o.drop) p.drop.assign(static_cast<size_t>(bits1 / 8 + 1), 0);
    for (int64_t b = 0; o.drop && b < bits1; ++b) {
      const auto from = static_cast<size_t>(bit + b), to = static_cast<size_t>(b);
      p.drop[to / 8] |= static_cast<uint8_t>((kept[from / 8] >> (from % 8) & 1) << (to % 8));
    }
    FlashTensors one(c);
    RunForward(one);
    if (gradient) RunGradient(one);
    ASSERT_EQ(RowsOf(outs, row, n, o_width), ReadAs(one.At(kOut)));
    if (gradient) {
      ASSERT_EQ(RowsOf(dqs, row, n, q_width), ReadAs(one.At(kDq)));
      ASSERT_EQ(RowsOf(dks, key, m, k_width), ReadAs(one.At(kDk)));
      ASSERT_EQ(RowsOf(dvs, key, m, v_width), ReadAs(one.At(kDv)));
    }
    const Values maxs1 = ReadAs(one.At(kMax)), sums1 = ReadAs(one.At(kSum));
    for (int64_t h = 0; h < l.heads; ++h) {
      for (int64_t r = 0; r < n; ++r) {
        for (int64_t j = 0; j < 8; ++j) {
          const int64_t place =
              o.softmax_layout.empty() ? row * l.heads + h * n + r : (row + r) * l.heads + h;
          const auto at = static_cast<size_t>(place * 8 + j);
          const auto at1 = static_cast<size_t>((h * n + r) * 8 + j);
          ASSERT_EQ(maxs[at], maxs1[at1]);
          ASSERT_EQ(sums[at], sums1[at1]);
        }
      }
    }
    for (size_t h = 0; gradient && h < sinks.size(); ++h) {
      dsinks[h] += ReadAs(one.At(kDsink))[h];
    }
    row += n;
    key += m;
    bit += bits1;
  }
  for (size_t h = 0; gradient && h < sinks.size(); ++h) {
    ASSERT_NEAR(ReadAs(all.At(kDsink))[h], dsinks[h], 1e-5 * static_cast<double>(rows)) << h;
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

TEST_F(SequencesTest, ShiftsInOneDimension) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    Check(kSome, {.type = type, .mode = 3, .mask = true, .shift = true, .flat = true});
    Check(kSome, {.type = type, .shift = true, .version = 5, .pse_type = 0, .flat = true});
  }
}

TEST_F(SequencesTest, SparseModes) {
  for (int64_t mode : {2, 3, 4, 6, 7, 8}) Check(kSome, {.mode = mode, .mask = true});
}

// [N, T, 8] is as good as [T, N, 8] where the statistics lie by head.
TEST_F(SequencesTest, StatisticsOfAnyDimensions) {
  for (bool gaps : {false, true}) Check(kSome, {.gaps = gaps, .head_first = true});
}

// Behind the last end, zeros are sequences of nothing.
TEST_F(SequencesTest, EndsOfZero) {
  using enum FlashTensor;
  FlashSequences calls[2];
  const Values qs = Numbers(9 * 2 * 16, ACL_FLOAT), ks = Numbers(7 * 2 * 16, ACL_FLOAT);
  for (FlashSequences& call : calls) {
    call.heads = 2;
    call.query_ends = {4, 9};
    call.key_ends = {3, 7};
    for (FlashTensor id : {kQuery, kDy, kOut, kDq}) call.Set(id, {.dims = {9, 2, 16}});
    for (FlashTensor id : {kKey, kValue, kDk, kDv}) call.Set(id, {.dims = {7, 2, 16}});
    for (FlashTensor id : {kMax, kSum}) call.Set(id, {.dims = {9, 2, 8}});
    for (FlashTensor id : {kQuery, kDy}) WriteAs(call.At(id), qs);
    for (FlashTensor id : {kKey, kValue}) WriteAs(call.At(id), ks);
  }
  for (std::vector<int64_t>* ends : {&calls[1].query_ends, &calls[1].key_ends}) {
    ends->insert(ends->end(), {0, 0});
  }
  for (FlashSequences& call : calls) {
    RunTwoPhase(call.Forward(), call.ForwardRun());
    RunTwoPhase(call.Gradient(), call.GradientRun());
  }
  for (FlashTensor id : {kOut, kMax, kSum, kDq, kDk, kDv}) {
    EXPECT_EQ(ReadAs(calls[0].At(id)), ReadAs(calls[1].At(id)));
  }
}

const Lengths kEqual{{7, 40, 1, 66}, {7, 40, 1, 66}};

TEST_F(SequencesTest, PseBesideScaledScores) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int64_t pse : {0, 1}) {
      Check(kSome, {.type = type, .mask = true, .shift = true, .version = 2, .pse_type = pse});
    }
  }
}

TEST_F(SequencesTest, PseMadeOfSlopes) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int64_t pse : {2, 3}) {
      for (bool all : {false, true}) {
        Check(kEqual, {.type = type,
                       .drop = all,
                       .shift = true,
                       .version = 2,
                       .pse_type = pse,
                       .slopes_of_all = all,
                       .row_start = all ? 9 : 0});
      }
    }
  }
  Check(kEqual, {.mode = 3, .mask = true, .shift = true, .version = 2, .pse_type = 2});
}

// Mode 8: the first sequence's rows are the last ones of a longer sequence, and the others' places
// count from their own starts.
TEST_F(SequencesTest, SlopesOfAPartOfASequence) {
  const Lengths cut{{7, 40, 30}, {20, 40, 30}};
  for (int64_t pse : {2, 3}) {
    Check(cut, {.mode = 8,
                .mask = true,
                .shift = true,
                .version = 2,
                .pse_type = pse,
                .row_start = 15,
                .column_start = 2});
  }
}

TEST_F(SequencesTest, LayoutOfTheStatistics) {
  for (int version : {4, 5}) {
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      for (const char* layout : {"", "same_as_input"}) {
        for (bool gaps : {false, true}) {
          Check(kSome, {.type = type,
                        .mask = true,
                        .gaps = gaps,
                        .version = version,
                        .softmax_layout = layout});
        }
      }
    }
  }
}

TEST_F(SequencesTest, Sinks) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const char* layout : {"", "same_as_input"}) {
      Check(kSome, {.type = type,
                    .mode = 3,
                    .mask = true,
                    .version = 5,
                    .sink = true,
                    .softmax_layout = layout});
    }
    Check(kEqual, {.type = type,
                   .drop = true,
                   .shift = true,
                   .gaps = true,
                   .version = 5,
                   .pse_type = 2,
                   .sink = true});
  }
  Check({{4, 0, 5, 3}, {6, 7, 0, 2}}, {.type = ACL_FLOAT16, .version = 5, .sink = true});
}

// Sequences without rows, or without keys, whose results are zeros.
TEST_F(SequencesTest, EmptySequences) {
  Check({{4, 0, 5, 3}, {6, 7, 0, 2}}, {});
  Check({{0, 4}, {0, 6}}, {});
}

}  // namespace
}  // namespace anyacl::test
