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

using Values = std::vector<double>;

// What a call of all sequences is made of.
struct Whole {
  FlashSequences call = {};
  Values q = {}, k = {}, v = {}, dy = {}, shifts = {}, sinks = {};
  std::vector<int64_t> mask_dims = {};
  std::vector<uint8_t> hidden = {}, kept = {};
};
// A sequence: its number, where it begins, its sizes.
struct Part {
  size_t index = 0;
  int64_t row = 0, key = 0, bit = 0, rows = 0, keys = 0;
};

bool Compressed(const Options& o) { return o.mode >= 2 && o.mode != 5; }
bool HasSlopes(const Options& o) { return o.pse_type >= 2; }
// Gradients of the fifth version have no FLOAT.
bool HasGradient(const Options& o) { return o.version < 5 || o.type != ACL_FLOAT; }

// Rows `first` to `first + count` of [T, width].
Values RowsOf(const Values& all, int64_t first, int64_t count, int64_t width) {
  return {all.begin() + first * width, all.begin() + (first + count) * width};
}

// What mode a sequence has by itself: of 7 and 8 the last one that has rows, or the first one, has
// the band.
int64_t ModeOf(int64_t mode, size_t index, const std::vector<int64_t>& rows) {
  if (mode < 7) return mode;
  const auto some = [](int64_t count) { return count > 0; };
  const bool last = std::none_of(rows.begin() + static_cast<int64_t>(index) + 1, rows.end(), some);
  const bool first = std::none_of(rows.begin(), rows.begin() + static_cast<int64_t>(index), some);
  const bool band = rows[index] > 0 && (mode == 7 ? last : first);
  return band ? 4 : mode == 7 ? 3 : 2;
}

class SequencesTest : public FlashAttentionTest {
 protected:
  Values Numbers(int64_t count, aclDataType type) {
    Values values;
    for (int64_t i = 0; i < count; ++i) values.push_back(AsHeld(type, random().Bell()));
    return values;
  }
  static Layout Lying(std::vector<int64_t> dims, aclDataType type, bool gaps) {
    Layout layout{.dims = dims, .dtype = type};
    if (!gaps) return layout;
    layout.strides = ContiguousStrides(dims);
    for (int64_t& stride : layout.strides) stride *= 2;
    return layout;
  }

  void SetRows(const Lengths& l, const Options& o, Whole& w);
  void SetMask(const Lengths& l, const Options& o, Whole& w);
  void SetShifts(const Lengths& l, const Options& o, Whole& w);
  Whole WholeOf(const Lengths& l, const Options& o);
  void Check(const Lengths& l, const Options& o);
};

void SequencesTest::SetRows(const Lengths& l, const Options& o, Whole& w) {
  using enum FlashTensor;
  const int64_t rows = w.call.query_ends.back(), keys = w.call.key_ends.back();
  const auto tensor = [&](FlashTensor id, int64_t t, int64_t heads, int64_t dim) {
    w.call.Set(id, Lying({t, heads, dim}, o.type, o.gaps));
  };
  const auto filled = [&](FlashTensor id, int64_t t, int64_t heads, int64_t dim) {
    tensor(id, t, heads, dim);
    const Values values = Numbers(t * heads * dim, o.type);
    WriteAs(w.call.At(id), values);
    return values;
  };
  w.q = filled(kQuery, rows, l.heads, l.dim);
  w.k = filled(kKey, keys, l.kv_heads, l.dim);
  w.v = filled(kValue, keys, l.kv_heads, l.value_dim);
  w.dy = filled(kDy, rows, l.heads, l.value_dim);
  tensor(kOut, rows, l.heads, l.value_dim);
  tensor(kDq, rows, l.heads, l.dim);
  tensor(kDk, keys, l.kv_heads, l.dim);
  tensor(kDv, keys, l.kv_heads, l.value_dim);
  for (FlashTensor id : {kMax, kSum}) {
    const auto dims = o.head_first ? std::vector<int64_t>{l.heads, rows, 8}
                                   : std::vector<int64_t>{rows, l.heads, 8};
    w.call.Set(id, Lying(dims, ACL_FLOAT, o.gaps));
  }
}

void SequencesTest::SetMask(const Lengths& l, const Options& o, Whole& w) {
  const auto batch = static_cast<int64_t>(l.rows.size());
  w.mask_dims = Compressed(o) ? std::vector<int64_t>{o.mode == 6 ? 3072 : 2048, 2048}
                              : std::vector<int64_t>{batch, 1, Most(l.rows), Most(l.columns)};
  if (!o.mask) return;
  Tensor& mask = w.call.Set(FlashTensor::kMask, {.dims = w.mask_dims, .dtype = ACL_BOOL});
  if (Compressed(o)) return;
  for (int64_t i = 0; i < mask.count(); ++i) w.hidden.push_back(random().Chance(0.3));
  mask.Write(w.hidden);
}

void SequencesTest::SetShifts(const Lengths& l, const Options& o, Whole& w) {
  if (o.shift) {
    const auto batch = static_cast<int64_t>(l.rows.size());
    const Layout planes{.dims = {batch, l.heads, Most(l.rows), Most(l.columns)}, .dtype = o.type};
    const Layout scores{.dims = {l.heads * Scores(l)}, .dtype = o.type};
    const Layout heads{.dims = o.slopes_of_all ? std::vector<int64_t>{l.heads}
                                               : std::vector<int64_t>{batch, l.heads}};
    Tensor& shift = w.call.Set(FlashTensor::kPse, HasSlopes(o) ? heads : o.flat ? scores : planes);
    w.shifts = Numbers(shift.count(), HasSlopes(o) ? ACL_FLOAT : o.type);
    WriteAs(shift, w.shifts);
  }
  if (!HasSlopes(o)) return;
  w.call.query_start = {o.row_start};
  w.call.key_start = {o.column_start};
}

Whole SequencesTest::WholeOf(const Lengths& l, const Options& o) {
  using enum FlashTensor;
  Whole w;
  FlashSequences& call = w.call;
  call.version = o.version;
  call.query_ends = EndsOf(l.rows);
  call.key_ends = EndsOf(l.columns);
  call.keep_prob = o.drop ? 0.75 : 1;
  call.pre_tokens = call.next_tokens = o.mode == 4 || o.mode >= 7 ? 5 : INT32_MAX;
  call.heads = l.heads;
  call.sparse_mode = o.mode;
  call.pse_type = o.pse_type;
  call.softmax_layout = o.softmax_layout;
  for (size_t i = 0; i < l.rows.size(); ++i) {
    call.prefix.push_back(std::max<int64_t>(0, l.columns[i] - l.rows[i] / 2));
  }
  SetRows(l, o, w);
  SetMask(l, o, w);
  SetShifts(l, o, w);
  w.kept.resize(static_cast<size_t>(l.heads * Scores(l) / 8 + 1));
  for (uint8_t& byte : w.kept) byte = static_cast<uint8_t>(random().Int(0, 255));
  if (o.drop) {
    call.Set(kDrop, {.dims = {static_cast<int64_t>(w.kept.size())}, .dtype = ACL_UINT8})
        .Write(w.kept);
  }
  if (o.sink) {
    w.sinks = Numbers(l.heads, ACL_FLOAT);
    WriteAs(call.Set(kSink, {.dims = {l.heads}}), w.sinks);
    call.Set(kDsink, {.dims = {l.heads}});
  }
  return w;
}

// A sequence's planes of masks and of shifts.
void TakePlanes(const Lengths& l, const Options& o, const Whole& w, const Part& at, FlashCase& c) {
  FlashProblem& p = c.problem;
  if (o.mask) {
    c.mask_dims = Compressed(o) ? w.mask_dims : std::vector<int64_t>{1, 1, at.rows, at.keys};
    if (!Compressed(o)) p.mask = {c.mask_dims, {}};
  }
  if (o.shift && !HasSlopes(o)) p.pse = {{1, l.heads, at.rows, at.keys}, {}};
  const int64_t most_keys = Most(l.columns);
  const auto plane = static_cast<size_t>(Most(l.rows) * most_keys);
  for (int64_t h = 0; h < l.heads; ++h) {
    for (int64_t r = 0; r < at.rows; ++r) {
      for (int64_t j = 0; j < at.keys; ++j) {
        const auto in_plane = static_cast<size_t>(r * most_keys + j);
        if (h == 0 && p.mask.given()) {
          p.mask.values.push_back(w.hidden[at.index * plane + in_plane]);
        }
        if (!p.pse.given()) continue;
        const auto flat = static_cast<size_t>(at.bit + (h * at.rows + r) * at.keys + j);
        const size_t of_head = at.index * static_cast<size_t>(l.heads) + static_cast<size_t>(h);
        p.pse.values.push_back(w.shifts[o.flat ? flat : of_head * plane + in_plane]);
      }
    }
  }
}

void TakeSlopes(const Lengths& l, const Options& o, const Whole& w, const Part& at, FlashCase& c) {
  const auto first = o.slopes_of_all ? 0 : static_cast<int64_t>(at.index);
  const Values own = RowsOf(w.shifts, first, 1, l.heads);
  const bool shifted = o.mode != 8 || at.index == 0;
  const int64_t start = shifted ? o.row_start : 0, key_start = shifted ? o.column_start : 0;
  if (at.rows == at.keys) {
    c.slopes = {{l.heads}, own};
    c.query_start = {start};
    c.key_start = {key_start};
    return;
  }
  // A part of a sequence, which a call of its own can only be given.
  c.pse_type = 0;
  c.problem.pse = {{1, l.heads, at.rows, at.keys}, {}};
  for (double slope : own) {
    for (int64_t i = 0; i < at.rows * at.keys; ++i) {
      const auto distance =
          static_cast<float>(std::abs(start + i / at.keys - key_start - i % at.keys));
      const float root = o.pse_type == 3 ? std::sqrt(distance) : distance;
      c.problem.pse.values.push_back(-static_cast<float>(slope) * root);
    }
  }
}

// The call that a sequence would be by itself.
FlashCase CaseOf(const Lengths& l, const Options& o, const Whole& w, const Part& at) {
  FlashCase c = FlashOf(1, l.heads, l.kv_heads, at.rows, at.keys, l.dim, l.value_dim);
  FlashProblem& p = c.problem;
  c.dtype = o.type;
  c.layout = "BSND";
  c.ordered = true;
  c.third = o.sink;
  if (o.version >= 2) c.pse_type = o.pse_type;
  p.scale = w.call.scale;
  p.keep_prob = w.call.keep_prob;
  p.pre_tokens = p.next_tokens = w.call.pre_tokens;
  p.sparse_mode = ModeOf(o.mode, at.index, l.rows);
  p.prefix = {w.call.prefix[at.index]};
  p.q = RowsOf(w.q, at.row, at.rows, l.heads * l.dim);
  p.k = RowsOf(w.k, at.key, at.keys, l.kv_heads * l.dim);
  p.v = RowsOf(w.v, at.key, at.keys, l.kv_heads * l.value_dim);
  p.dy = RowsOf(w.dy, at.row, at.rows, l.heads * l.value_dim);
  p.sink = w.sinks;
  TakePlanes(l, o, w, at, c);
  if (HasSlopes(o)) TakeSlopes(l, o, w, at, c);
  if (!o.drop) return c;
  const int64_t bits = l.heads * at.rows * at.keys;
  p.drop.assign(static_cast<size_t>(bits / 8 + 1), 0);
  for (int64_t b = 0; b < bits; ++b) {
    const auto from = static_cast<size_t>(at.bit + b), to = static_cast<size_t>(b);
    p.drop[to / 8] |= static_cast<uint8_t>((w.kept[from / 8] >> (from % 8) & 1) << (to % 8));
  }
  return c;
}

// A sequence's rows of `all` against its own call's.
void ExpectTheSame(const Lengths& l, const Options& o, const FlashSequences& all, const Part& at,
                   FlashTensors& one) {
  using enum FlashTensor;
  const auto same = [&](FlashTensor id, int64_t first, int64_t count, int64_t width) {
    ASSERT_EQ(RowsOf(ReadAs(all.At(id)), first, count, width), ReadAs(one.At(id)));
  };
  same(kOut, at.row, at.rows, l.heads * l.value_dim);
  if (HasGradient(o)) {
    same(kDq, at.row, at.rows, l.heads * l.dim);
    same(kDk, at.key, at.keys, l.kv_heads * l.dim);
    same(kDv, at.key, at.keys, l.kv_heads * l.value_dim);
  }
  for (FlashTensor id : {kMax, kSum}) {
    const Values values = ReadAs(all.At(id)), own = ReadAs(one.At(id));
    for (int64_t i = 0; i < l.heads * at.rows * 8; ++i) {
      const int64_t h = i / 8 / at.rows, r = i / 8 % at.rows;
      const int64_t place = o.softmax_layout.empty() ? at.row * l.heads + h * at.rows + r
                                                     : (at.row + r) * l.heads + h;
      ASSERT_EQ(values[static_cast<size_t>(place * 8 + i % 8)], own[static_cast<size_t>(i)]);
    }
  }
}

void SequencesTest::Check(const Lengths& l, const Options& o) {
  SCOPED_TRACE(::testing::Message()
               << ::testing::PrintToString(l.rows) << " by " << ::testing::PrintToString(l.columns)
               << " version " << o.version << " type " << o.type << " mode " << o.mode << o.mask
               << o.drop << o.shift << " pse " << o.pse_type << o.softmax_layout);
  using enum FlashTensor;
  const Whole w = WholeOf(l, o);
  const FlashSequences& all = w.call;
  RunTwoPhase(all.Forward(), all.ForwardRun());
  if (HasGradient(o)) RunTwoPhase(all.Gradient(), all.GradientRun());
  for (const auto& [id, t] : all.tensors) EXPECT_TRUE(t->GuardsIntact());
  Values dsinks(HasGradient(o) ? w.sinks.size() : 0);
  Part at;
  for (; at.index < l.rows.size(); ++at.index) {
    SCOPED_TRACE(at.index);
    at.rows = l.rows[at.index];
    at.keys = l.columns[at.index];
    FlashTensors one(CaseOf(l, o, w, at));
    RunForward(one);
    if (HasGradient(o)) RunGradient(one);
    ASSERT_NO_FATAL_FAILURE(ExpectTheSame(l, o, all, at, one));
    for (size_t h = 0; h < dsinks.size(); ++h) dsinks[h] += ReadAs(one.At(kDsink))[h];
    at.row += at.rows;
    at.key += at.keys;
    at.bit += l.heads * at.rows * at.keys;
  }
  for (size_t h = 0; h < dsinks.size(); ++h) {
    ASSERT_NEAR(ReadAs(all.At(kDsink))[h], dsinks[h], 1e-5 * static_cast<double>(at.row)) << h;
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

// The band of modes 7 and 8 lies where rows are, with keys or without.
TEST_F(SequencesTest, BandsBesideEmptySequences) {
  for (int64_t mode : {7, 8}) {
    for (const auto& [rows, columns] :
         {std::pair<std::vector<int64_t>, std::vector<int64_t>>{{4, 5}, {6, 0}},
          {{4, 5}, {0, 17}},
          {{14, 5, 0}, {16, 0, 7}},
          {{0, 4, 15}, {6, 0, 20}},
          {{20, 5, 0, 0}, {25, 13, 0, 0}}}) {
      Check({rows, columns}, {.mode = mode, .mask = true});
    }
  }
}

// [N, T, 8] is as good as [T, N, 8] where the statistics lie by head.
TEST_F(SequencesTest, StatisticsOfAnyDimensions) {
  for (bool gaps : {false, true}) Check(kSome, {.gaps = gaps, .head_first = true});
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
