// SPDX-License-Identifier: Apache-2.0
// The kernels of attention on every tier that this machine has: called on parts of their rows they
// write exactly these, with the bits that all rows together get.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernels.h"
#include "simd/tiers.h"
#include "support/half.h"
#include "support/portion.h"
#include "support/random.h"

namespace anyacl::test {
namespace {

using attention::DecodeStep;
using attention::KernelSet;
using attention::kMaxDecodeRows;
using attention::kPartialHead;
using attention::kPrefillRows;
using attention::kTile;
using attention::MergeRow;
using attention::OutRow;
using attention::PrefillStep;
using attention::Step;

constexpr Element kSources[] = {Element::kFp16, Element::kBf16, Element::kInt8, Element::kInt4,
                                Element::kFp32};
constexpr int kState = 16;

int64_t RoundUp(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

// m, l and extra of some rows.
struct State {
  explicit State(int64_t rows) : m(rows), l(rows), extra(rows) {}
  Padded<float> m, l, extra;

  bool SameAt(const State& other, int64_t at, int64_t i) const {
    const auto same = [&](const Padded<float>& a, const Padded<float>& b) {
      return std::memcmp(&a[i], &b[at + i], sizeof(float)) == 0;
    };
    return same(m, other.m) && same(l, other.l) && same(extra, other.extra);
  }
  bool RoomIsIntact() const { return m.RoomIsIntact() && l.RoomIsIntact() && extra.RoomIsIntact(); }
  // Those of rows from `first` on.
  State From(int64_t first, int64_t rows) const {
    State part(rows);
    for (int64_t i = 0; i < rows && first + i < m.count(); ++i) {
      part.m[i] = m[first + i];
      part.l[i] = l[first + i];
      part.extra[i] = extra[first + i];
    }
    return part;
  }
  void Give(Step* step) {
    step->m = m.data();
    step->l = l.data();
    step->extra = extra.data();
  }
};

class KernelTest : public testing::TestWithParam<IsaTier> {
 protected:
  KernelTest()
      : kernels_(KernelsOf(GetParam())->attention),
        seed_(SeedOr(43)),
        trace_(__FILE__, __LINE__, "ANYACL_TEST_SEED=" + std::to_string(seed_)),
        random_(seed_) {
    for (int j = 0; j < kTile; ++j) {
      ones_[static_cast<size_t>(j)] = 1;
      column_scale_[static_cast<size_t>(j)] = Number();
    }
  }

  float Number() { return static_cast<float>(random_.Uniform(-1, 1)); }

  std::vector<std::vector<char>> Rows(Element source, int count, int dim) {
    std::vector<std::vector<char>> rows;
    for (int j = 0; j < count; ++j) {
      std::vector<char>& row = rows.emplace_back(BytesOf(source, dim));
      for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<char>(random_.Int(-128, 127));
      for (int d = 0; d < dim; ++d) {
        const float number = Number();
        const uint16_t half = source == Element::kBf16 ? EncodeBf16(number) : EncodeFp16(number);
        if (source == Element::kFp32) std::memcpy(&row[size_t(d) * 4], &number, 4);
        if (source == Element::kFp16 || source == Element::kBf16) {
          std::memcpy(&row[size_t(d) * 2], &half, 2);
        }
      }
    }
    return rows;
  }
  static std::vector<const char*> AddressesOf(const std::vector<std::vector<char>>& rows) {
    std::vector<const char*> addresses;
    for (const auto& row : rows) addresses.push_back(row.data());
    return addresses;
  }

  State AnyState(int64_t rows) {
    State state(rows);
    for (int64_t i = 0; i < rows; ++i) {
      state.m[i] = i % 3 == 0 ? -std::numeric_limits<float>::infinity() : Number();
      state.l[i] = i % 3 == 0 ? 0 : 1 + Number();
      state.extra[i] = i % 3 == 0 ? 0 : Number();
    }
    return state;
  }
  Padded<float> AnyFloats(int64_t count) {
    Padded<float> numbers(count);
    for (int64_t i = 0; i < count; ++i) numbers[i] = Number();
    return numbers;
  }

  // A step over `columns` whose optional terms are there if `all`.
  void Fill(int columns, int dim, bool all, Step* step) {
    step->columns = columns;
    step->dim = dim;
    step->value_dim = dim;
    step->column_scale = column_scale_;
    step->value_scale = all ? ones_ : nullptr;
    step->column_shift = all ? column_scale_ : nullptr;
    step->value_shift = all ? column_scale_ : nullptr;
    step->masked_score = -1e12f;
  }

  // Every part of the rows against all of them.
  void ExpectDecodePortions(Element source, int dim, int columns, bool narrow) {
    const bool all = columns == 37;
    const int64_t step_of_rows = RoundUp(dim, 16);
    const auto keys = Rows(source, columns, dim), values = Rows(source, columns, dim);
    const auto key_rows = AddressesOf(keys), value_rows = AddressesOf(values);
    Padded<float> q(kMaxDecodeRows * step_of_rows), query_step(kState);
    for (int r = 0; r < kMaxDecodeRows; ++r) {
      for (int64_t d = 0; d < step_of_rows; ++d) {
        const float number = DecodeBf16(EncodeBf16(Number()));
        q[r * step_of_rows + d] = d < dim ? number : 0;
      }
      query_step[r] = kernels_.place_query(source, narrow, dim, &q[r * step_of_rows]);
    }
    for (int r = kMaxDecodeRows; r < kState; ++r) query_step[r] = 0;
    const State before = AnyState(kState);
    const Padded<float> o_before = AnyFloats(kMaxDecodeRows * step_of_rows);
    const Padded<float> row_shift = AnyFloats(kState), row_sum = AnyFloats(kState);
    const auto run = [&](int first, int rows, State* state, Padded<float>* o) {
      Padded<float> scores(int64_t{kTile} * kPrefillRows);
      DecodeStep step{};
      Fill(columns, dim, all, &step);
      state->Give(&step);
      step.row_shift = row_shift.data() + first;
      step.row_sum = row_sum.data() + first;
      step.scores = scores.data();
      step.narrow_scores = step.narrow_values = narrow;
      step.rows = rows;
      step.row_step = static_cast<int>(step_of_rows);
      step.q = q.data() + first * step_of_rows;
      step.query_step = query_step.data() + first;
      step.o = o->data() + first * step_of_rows;
      step.keys = key_rows.data();
      step.values = value_rows.data();
      kernels_.decode(source)(step);
      EXPECT_TRUE(scores.RoomIsIntact());
    };
    State whole = before.From(0, kState);
    Padded<float> o_whole(o_before);
    run(0, kMaxDecodeRows, &whole, &o_whole);
    for (int rows : {1, 2, 3, 5}) {
      for (int first = 0; first + rows <= kMaxDecodeRows; first += 3) {
        State part = before.From(first, kState);
        for (int64_t i = rows; i < kState; ++i) part.m[i] = part.l[i] = part.extra[i] = 0;
        Padded<float> o(o_before);
        run(first, rows, &part, &o);
        Padded<float> expected(o_before);
        for (int64_t i = first * step_of_rows; i < (first + rows) * step_of_rows; ++i) {
          if (i % step_of_rows < dim) expected[i] = o_whole[i];
          // What lies behind dim is of no meaning.
          if (i % step_of_rows >= dim) expected[i] = o[i];
        }
        EXPECT_TRUE(o.Same(expected)) << "rows " << first << " + " << rows;
        EXPECT_TRUE(part.RoomIsIntact());
        for (int i = 0; i < rows; ++i) {
          EXPECT_TRUE(part.SameAt(whole, first, i)) << "row " << first + i;
        }
      }
    }
  }

  void ExpectPrefillPortions(bool bf16, int dim, int columns) {
    constexpr int64_t kLaneStep = kPrefillRows + 16;  // 16 rows of another call
    const Element source = bf16 ? Element::kBf16 : Element::kFp16;
    const auto keys = Rows(source, columns, dim), values = Rows(source, columns, dim);
    const auto tile_step = static_cast<int>(RoundUp(dim, bf16 ? 32 : 16));
    Padded<float> k(kTile * tile_step, 0), v(kTile * tile_step);
    const auto key_rows = AddressesOf(keys), value_rows = AddressesOf(values);
    if (bf16) {
      kernels_.pack_keys_bf16(key_rows.data(), columns, dim, tile_step,
                              reinterpret_cast<uint16_t*>(k.data()));
      kernels_.pack_prefill_values(value_rows.data(), columns, dim, tile_step,
                                   reinterpret_cast<uint32_t*>(v.data()));
    } else {
      kernels_.pack_fp32(source, key_rows.data(), columns, dim, tile_step, k.data());
      kernels_.pack_fp32(source, value_rows.data(), columns, dim, tile_step, v.data());
    }
    Padded<float> q(tile_step * kLaneStep, 0);
    for (int64_t i = 0; i < dim / (bf16 ? 2 : 1) * kLaneStep; ++i) {
      const uint32_t pair = uint32_t{EncodeBf16(Number())} << 16 | EncodeBf16(Number());
      const float number = Number();
      std::memcpy(&q[i], bf16 ? static_cast<const void*>(&pair) : &number, 4);
    }
    const State before = AnyState(kLaneStep);
    const Padded<float> o_before = AnyFloats(tile_step * kLaneStep);
    const Padded<float> row_shift = AnyFloats(kLaneStep), row_sum = AnyFloats(kLaneStep);
    const auto run = [&](int64_t first, int vectors, State* state, Padded<float>* o) {
      Padded<float> scores(int64_t{kTile} * kPrefillRows);
      PrefillStep step{};
      Fill(columns, dim, columns == 40, &step);
      step.m = state->m.data() + first;
      step.l = state->l.data() + first;
      step.extra = state->extra.data() + first;
      step.row_shift = row_shift.data() + first;
      step.row_sum = row_sum.data() + first;
      step.scores = scores.data();
      step.vectors = vectors;
      step.lane_step = kLaneStep;
      step.tile_step = tile_step;
      step.q = q.data() + first;
      step.o = o->data() + first;
      step.k = k.data();
      step.v = v.data();
      (bf16 ? kernels_.prefill_bf16 : kernels_.prefill_fp32)(step);
      EXPECT_TRUE(scores.RoomIsIntact());
    };
    State whole = before.From(0, kLaneStep);
    Padded<float> o_whole(o_before);
    run(0, 3, &whole, &o_whole);
    for (int vectors : {1, 2, 3}) {
      for (int64_t first = 0; first + 16 * vectors <= kPrefillRows; first += 16) {
        State part = before.From(0, kLaneStep), expected = before.From(0, kLaneStep);
        Padded<float> o(o_before), o_expected(o_before);
        run(first, vectors, &part, &o);
        for (int64_t lane = first; lane < first + 16 * vectors; ++lane) {
          expected.m[lane] = whole.m[lane];
          expected.l[lane] = whole.l[lane];
          expected.extra[lane] = whole.extra[lane];
          // What lies behind dim is of no meaning.
          for (int d = 0; d < tile_step; ++d) {
            o_expected[d * kLaneStep + lane] = (d < dim ? o_whole : o)[d * kLaneStep + lane];
          }
        }
        EXPECT_TRUE(o.Same(o_expected)) << "rows " << first << " + " << 16 * vectors;
        EXPECT_TRUE(part.m.Same(expected.m) && part.l.Same(expected.l) &&
                    part.extra.Same(expected.extra))
            << "rows " << first << " + " << 16 * vectors;
      }
    }
  }

  const KernelSet& kernels_;
  const uint64_t seed_;
  testing::ScopedTrace trace_;
  Random random_;
  alignas(64) float ones_[kTile], column_scale_[kTile];
};

TEST_P(KernelTest, DecodeWritesItsRows) {
  for (Element source : kSources) {
    for (int dim : {24, 64, 128, 192}) {
      if (source == Element::kInt4 && dim % 64 != 0) continue;
      for (int columns : {1, 37, kTile}) {
        for (bool narrow : {false, true}) {
          SCOPED_TRACE("source " + std::to_string(static_cast<int>(source)) + ", " +
                       std::to_string(dim) + " * " + std::to_string(columns));
          ExpectDecodePortions(source, dim, columns, narrow);
        }
      }
    }
  }
}

TEST_P(KernelTest, PrefillWritesItsRows) {
  for (bool bf16 : {false, true}) {
    for (int dim : {16, 48, 128}) {
      for (int columns : {1, 7, 40, kTile}) {
        SCOPED_TRACE((bf16 ? "bf16 " : "fp32 ") + std::to_string(dim) + " * " +
                     std::to_string(columns));
        ExpectPrefillPortions(bf16, dim, columns);
      }
    }
  }
}

TEST_P(KernelTest, TilesArePackedUpToEightColumnsAndSixteenElements) {
  constexpr int kStep = 144;
  for (Element source : kSources) {
    for (int dim : {8, 16, 24, 64, 128}) {
      if (source == Element::kInt4 && dim % 64 != 0) continue;
      for (int columns : {1, 8, 13, kTile}) {
        const auto rows = Rows(source, columns, dim);
        const auto addresses = AddressesOf(rows);
        const auto expect_packed = [&](const std::vector<bool>& written, int64_t lines) {
          for (size_t i = 0; i < written.size(); ++i) {
            const auto line = static_cast<int64_t>(i) / kStep, d = static_cast<int64_t>(i) % kStep;
            ASSERT_EQ(written[i], line < lines && d < RoundUp(dim, 16))
                << "source " << static_cast<int>(source) << ", " << dim << " * " << columns
                << ", line " << line << ", element " << d;
          }
        };
        const int64_t lines = RoundUp(columns, 8);
        expect_packed(WrittenBy<float>(kTile * kStep,
                                       [&](float* out) {
                                         kernels_.pack_fp32(source, addresses.data(), columns, dim,
                                                            kStep, out);
                                       }),
                      lines);
        expect_packed(
            WrittenBy<float>(
                kStep, [&](float* out) { kernels_.to_float(source, rows[0].data(), dim, out); }),
            1);
        if (source != Element::kBf16) continue;
        expect_packed(WrittenBy<uint16_t>(kTile * kStep,
                                          [&](uint16_t* out) {
                                            kernels_.pack_keys_bf16(addresses.data(), columns, dim,
                                                                    kStep, out);
                                          }),
                      lines);
        expect_packed(WrittenBy<uint32_t>(kTile * kStep / 2,
                                          [&](uint32_t* out) {
                                            kernels_.pack_values_bf16(addresses.data(), columns,
                                                                      dim, kStep, out);
                                          }),
                      lines / 2);
      }
    }
  }
}

TEST_P(KernelTest, RowsOfTheResultAreWrittenAlone) {
  for (int dim : {1, 8, 15, 16, 40, 128}) {
    SCOPED_TRACE("D = " + std::to_string(dim));
    const int64_t row_step = RoundUp(dim, 16);
    const Padded<float> o = AnyFloats(row_step), scale = AnyFloats(row_step);
    for (int64_t step : {1, 3}) {
      const int64_t count = (dim - 1) * step + 1;
      const auto write = [&](Element target, void* out) {
        OutRow row{o.data(), 2, 0, dim, nullptr, nullptr, scale.data(), scale.data(), out, step};
        kernels_.write_row(target, row);
      };
      const auto expect_row = [&](const std::vector<bool>& written) {
        for (size_t i = 0; i < written.size(); ++i) {
          ASSERT_EQ(written[i], static_cast<int64_t>(i) % step == 0) << "element " << i;
        }
      };
      for (Element target : {Element::kFp16, Element::kBf16}) {
        expect_row(WrittenBy<uint16_t>(count, [&](uint16_t* out) { write(target, out); }));
      }
      expect_row(WrittenBy<int8_t>(count, [&](int8_t* out) { write(Element::kInt8, out); }));
    }
    constexpr int kSplits = 3;
    const int64_t split_step = row_step + kPartialHead;
    const Padded<float> partials = AnyFloats(kSplits * split_step);
    const std::vector<bool> written = WrittenBy<float>(2 * row_step, [&](float* out) {
      MergeRow row{partials.data(), split_step, kSplits, dim, 0, 0, out};
      kernels_.merge_row(row);
    });
    for (size_t i = 0; i < written.size(); ++i) {
      ASSERT_EQ(written[i], static_cast<int64_t>(i) < row_step) << "element " << i;
    }
  }
}

ANYACL_FOR_EACH_TIER(KernelTest);

}  // namespace
}  // namespace anyacl::test
