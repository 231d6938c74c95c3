// SPDX-License-Identifier: Apache-2.0
// The kernels of lists of products on every tier that this machine has: called on parts of their
// work they write exactly these, and a panel gives the bits of the base tier, in place or packed.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "kernels.h"
#include "simd/tiers.h"
#include "support/portion.h"
#include "support/random.h"

namespace anyacl::test {
namespace {

using gemm::Arithmetic;
using gemm::Depth;
using gemm::kPanelBytes;
using gemm::ListKernels;

// The rows of a product, some panels, and room for what kernels make of them.
struct Problem {
  Element b;
  int64_t rows;
  Depth depth;
  std::vector<int8_t> a, panels;  // [rows][groups * size]; kPanels of total() * kPanelBytes
  std::vector<float> row_scale, scales, bias;

  int64_t width() const { return gemm::PanelColumns(b); }
  int64_t row_step() const { return depth.groups * depth.size; }
  const int8_t* Panel(int64_t i) const { return panels.data() + i * depth.total() * kPanelBytes; }
  const float* Scales(int64_t panel) const {
    return scales.data() + panel * depth.groups * width();
  }
  // Row k of a panel at one of its lanes.
  int At(int64_t panel, int64_t k, int64_t lane) const {
    const int8_t* const row = Panel(panel) + k * kPanelBytes;
    if (b == Element::kInt8) return row[lane];
    const int64_t byte = lane / 32 * 16 + lane % 16;
    return static_cast<int8_t>(static_cast<uint8_t>(row[byte]) << (lane % 32 < 16 ? 4 : 0)) >> 4;
  }
};
constexpr int64_t kPanels = 3;

// A as tiles read it in place.
struct Packed {
  explicit Packed(const Problem& p)
      : bytes(p.rows * p.depth.total()), sums(p.rows * p.depth.groups) {}
  Padded<int8_t> bytes;
  Padded<int32_t> sums;
};

gemm::PackTileArgs ArgsOf(const Problem& p, int8_t* packed, int32_t* sums) {
  return {p.b, p.a.data(), p.row_step(), 1, p.rows, p.depth, packed, sums};
}

// Calls f for every tile, the last one first: none needs another.
template <class Function>
void ForTiles(const Problem& p, const ListKernels& kernels, const Function& f) {
  for (int64_t tile = kernels.in_place->tile_count(p.b, p.rows); tile-- > 0;) f(tile);
}

// One panel times all rows, to c of whole rows.
void MultiplyInPlace(const Problem& p, const ListKernels& kernels, const Packed& packed,
                     int64_t panel, float* c, int64_t c_step) {
  Padded<int32_t> column_sums(p.depth.groups * p.width());
  Padded<float> totals(gemm::kTileTotals);
  gemm::PanelArgs args{};
  args.b = p.b;
  args.panel = args.next = p.Panel(panel);
  args.packed = packed.bytes.data();
  args.sums = packed.sums.data();
  args.rows = p.rows;
  args.depth = p.depth;
  args.row_scale = p.row_scale.data();
  args.row_scale_step = 1;
  args.scales = p.Scales(panel);
  args.bias = p.bias.data() + panel * p.width();
  args.c = c + panel * p.width();
  args.c_step = c_step;
  args.column_sums = column_sums.data();
  args.totals = totals.data();
  kernels.in_place->multiply_panel(args);
  EXPECT_TRUE(column_sums.RoomIsIntact() && totals.RoomIsIntact());
}

// The same, packed as a whole.
void MultiplyPacked(const Problem& p, const gemm::KernelSet& kernels, int64_t panel, float* c,
                    int64_t c_step) {
  const Arithmetic& arithmetic = *kernels.int8;
  const int64_t unit = arithmetic.unit_depth, tiles = p.width() / arithmetic.panel_columns;
  const int64_t units = (p.depth.size + unit - 1) / unit;
  Padded<int8_t> rows(p.rows * units * gemm::kUnitBytes + gemm::kPackSlack);
  const int64_t tile_bytes = p.depth.padded() / unit * arithmetic.panel_columns * gemm::kUnitBytes;
  Padded<int8_t> columns(tiles * tile_bytes);
  Padded<int32_t> sums(p.rows * p.width()), column_sums(p.width());
  for (int64_t g = 0; g < p.depth.groups; ++g) {
    arithmetic.pack_rows({.type = Element::kInt8,
                          .from = p.a.data() + g * p.depth.size,
                          .line_step = p.row_step(),
                          .k_step = 1,
                          .lines = p.rows,
                          .depth = p.depth.size,
                          .to = rows.data(),
                          .corrections = nullptr,
                          .panel_bytes = 0});
    std::fill_n(column_sums.data(), p.width(), 0);
    kernels.list->pack_panel({.b = p.b,
                              .panel = p.Panel(panel) + g * p.depth.padded() * kPanelBytes,
                              .depth = p.depth.padded(),
                              .to = reinterpret_cast<char*>(columns.data()),
                              .panel_columns = arithmetic.panel_columns,
                              .panel_bytes = tile_bytes,
                              .column_sums = column_sums.data()});
    for (int64_t tile = 0; tile < tiles; ++tile) {
      arithmetic.multiply(
          {.rows = reinterpret_cast<const char*>(rows.data()),
           .row_count = p.rows,
           .panel = reinterpret_cast<const char*>(columns.data()) + tile * tile_bytes,
           .depth = p.depth.size,
           .sums = sums.data() + tile * arithmetic.panel_columns,
           .sums_step = p.width(),
           .resume = false,
           .ahead = {}});
    }
    kernels.list->dequantise({.b = p.b,
                              .sums = sums.data(),
                              .sums_step = p.width(),
                              .rows = p.rows,
                              .scales = p.Scales(panel) + g * p.width(),
                              .row_scale = p.row_scale.data(),
                              .row_scale_step = 1,
                              .c = c + panel * p.width(),
                              .c_step = c_step,
                              .column_sums = column_sums.data(),
                              .bias = p.bias.data() + panel * p.width(),
                              .first = g == 0,
                              .last = g + 1 == p.depth.groups});
  }
  EXPECT_TRUE(columns.RoomIsIntact() && sums.RoomIsIntact() && column_sums.RoomIsIntact());
}

class ListKernelTest : public testing::TestWithParam<IsaTier> {
 protected:
  ListKernelTest()
      : kernels_(KernelsOf(GetParam())->gemm),
        base_(KernelsOf(IsaTier::kBase)->gemm),
        seed_(SeedOr(41)),
        trace_(__FILE__, __LINE__, "ANYACL_TEST_SEED=" + std::to_string(seed_)),
        random_(seed_) {}

  Problem Any(Element b, int64_t rows, Depth depth) {
    Problem p{b, rows, depth, {}, {}, {}, {}, {}};
    const auto bytes = [&](int64_t count) {
      std::vector<int8_t> all(static_cast<size_t>(count));
      for (int8_t& byte : all) byte = static_cast<int8_t>(random_.Int(-128, 127));
      return all;
    };
    const auto numbers = [&](int64_t count) {
      std::vector<float> all(static_cast<size_t>(count));
      for (float& number : all) number = static_cast<float>(random_.Uniform(0.001, 0.01));
      return all;
    };
    p.a = bytes(rows * p.row_step());
    p.panels = bytes(kPanels * depth.total() * kPanelBytes);
    for (int64_t k = 0; k < kPanels * depth.total(); ++k) {
      if (k % depth.padded() < depth.size) continue;
      std::fill_n(p.panels.data() + k * kPanelBytes, kPanelBytes, 0);
    }
    p.row_scale = numbers(rows);
    p.scales = numbers(kPanels * depth.groups * p.width());
    p.bias = numbers(kPanels * p.width());
    return p;
  }

  std::vector<Problem> Problems() {
    std::vector<Problem> problems;
    for (int64_t rows : {1, 2, 5, 6, 7, 13, 31, 33, 65}) {
      problems.push_back(Any(Element::kInt8, rows, {1, 16 * random_.Int(1, 40)}));
      problems.push_back(Any(Element::kInt4, rows, {1, random_.Int(1, 300)}));
      problems.push_back(Any(Element::kInt4, rows, {3, random_.Int(1, 70)}));
    }
    return problems;
  }

  static std::string NameOf(const Problem& p) {
    return std::string(p.b == Element::kInt8 ? "int8 " : "int4 ") + std::to_string(p.rows) +
           " rows, " + std::to_string(p.depth.groups) + " * " + std::to_string(p.depth.size);
  }

  bool HasInPlace() const { return kernels_.list->in_place != nullptr; }
  // Else its arithmetic adds something to B.
  bool HasPacked() const { return !HasInPlace() || kernels_.int8->multiply_few == nullptr; }

  // A way to multiply a panel writes its columns of all rows, with the bits of the base tier.
  template <class Function>
  void ExpectWholePanels(const Problem& p, const Function& multiply) {
    const int64_t c_step = kPanels * p.width() + 32;
    for (int64_t panel = 0; panel < kPanels; ++panel) {
      const std::vector<bool> written =
          WrittenBy<float>(p.rows * c_step, [&](float* c) { multiply(panel, c, c_step); });
      Padded<float> c(p.rows * c_step), expected(p.rows * c_step);
      multiply(panel, c.data(), c_step);
      MultiplyPacked(p, base_, panel, expected.data(), c_step);
      EXPECT_TRUE(c.Same(expected)) << "panel " << panel << " has other bits than the base tier's";
      for (int64_t i = 0; i < c.count(); ++i) {
        ASSERT_EQ(written[static_cast<size_t>(i)], i % c_step / p.width() == panel)
            << "panel " << panel << ", element " << i;
      }
    }
  }

  const gemm::KernelSet& kernels_;
  const gemm::KernelSet& base_;
  const uint64_t seed_;
  testing::ScopedTrace trace_;
  Random random_;
};

TEST_P(ListKernelTest, TilesOfRowsShareThePackedMemoryOut) {
  if (!HasInPlace()) GTEST_SKIP() << "multiplies nothing in place";
  const auto pack_tile = kernels_.list->in_place->pack_tile;
  for (const Problem& p : Problems()) {
    SCOPED_TRACE(NameOf(p));
    const Packed all(p);
    std::vector<int> byte_writers(static_cast<size_t>(all.bytes.count()));
    std::vector<int> sum_writers(static_cast<size_t>(all.sums.count()));
    const auto count = [](const std::vector<bool>& written, std::vector<int>* writers) {
      for (size_t i = 0; i < written.size(); ++i) (*writers)[i] += written[i] ? 1 : 0;
    };
    ForTiles(p, *kernels_.list, [&](int64_t tile) {
      Packed other(p);
      count(WrittenBy<int8_t>(
                all.bytes.count(),
                [&](int8_t* bytes) { pack_tile(ArgsOf(p, bytes, other.sums.data()), tile); }),
            &byte_writers);
      count(WrittenBy<int32_t>(
                all.sums.count(),
                [&](int32_t* sums) { pack_tile(ArgsOf(p, other.bytes.data(), sums), tile); }),
            &sum_writers);
    });
    EXPECT_EQ(std::count(byte_writers.begin(), byte_writers.end(), 1), all.bytes.count());
    EXPECT_EQ(std::count(sum_writers.begin(), sum_writers.end(), 1), all.sums.count());
  }
}

TEST_P(ListKernelTest, APanelInPlaceWritesItsColumnsOfAllRows) {
  if (!HasInPlace()) GTEST_SKIP() << "multiplies nothing in place";
  for (const Problem& p : Problems()) {
    SCOPED_TRACE(NameOf(p));
    Packed packed(p);
    ForTiles(p, *kernels_.list, [&](int64_t tile) {
      kernels_.list->in_place->pack_tile(ArgsOf(p, packed.bytes.data(), packed.sums.data()), tile);
    });
    ExpectWholePanels(p, [&](int64_t panel, float* c, int64_t c_step) {
      MultiplyInPlace(p, *kernels_.list, packed, panel, c, c_step);
    });
  }
}

TEST_P(ListKernelTest, APackedPanelWritesItsColumnsOfAllRows) {
  if (!HasPacked()) GTEST_SKIP() << "multiplies everything in place";
  for (const Problem& p : Problems()) {
    SCOPED_TRACE(NameOf(p));
    ExpectWholePanels(p, [&](int64_t panel, float* c, int64_t c_step) {
      MultiplyPacked(p, kernels_, panel, c, c_step);
    });
  }
}

// Of every tier, whether its arithmetic takes them or not.
TEST_P(ListKernelTest, PackedPanelsHoldEveryNumberOnce) {
  const int64_t unit = kernels_.int8->unit_depth;
  for (const Problem& p : Problems()) {
    SCOPED_TRACE(NameOf(p));
    for (int64_t tile_columns : {16, 32}) {
      const int64_t depth = p.depth.padded(), tile_bytes = depth / unit * tile_columns * 4 + 64;
      const int64_t tiles = p.width() / tile_columns;
      Padded<int32_t> sums(p.width());
      const auto pack = [&](int8_t* to) {
        for (int64_t lane = 0; lane < p.width(); ++lane) sums[lane] = 1000 + static_cast<int>(lane);
        kernels_.list->pack_panel({.b = p.b,
                                   .panel = p.Panel(1),
                                   .depth = depth,
                                   .to = reinterpret_cast<char*>(to),
                                   .panel_columns = tile_columns,
                                   .panel_bytes = tile_bytes,
                                   .column_sums = sums.data()});
      };
      const std::vector<bool> written = WrittenBy<int8_t>(tiles * tile_bytes, pack);
      Padded<int8_t> to(tiles * tile_bytes);
      pack(to.data());
      EXPECT_TRUE(to.RoomIsIntact() && sums.RoomIsIntact());
      EXPECT_EQ(std::count(written.begin(), written.end(), true), tiles * (tile_bytes - 64));
      for (int64_t lane = 0; lane < p.width(); ++lane) {
        int sum = p.b == Element::kInt8 ? 0 : 1000 + static_cast<int>(lane);
        const int8_t* const column =
            to.data() + lane / tile_columns * tile_bytes + lane % tile_columns * 4;
        for (int64_t k = 0; k < depth; ++k) {
          const int8_t* const at = column + k / unit * tile_columns * 4 + k % unit * (4 / unit);
          int16_t word;
          std::memcpy(&word, at, sizeof(word));
          ASSERT_EQ(unit == 4 ? *at : word, p.At(1, k, lane)) << "k " << k << ", lane " << lane;
          sum += p.At(1, k, lane);
        }
        if (p.b == Element::kInt4) {
          ASSERT_EQ(sums[lane], sum) << "lane " << lane;
        }
      }
    }
  }
}

TEST_P(ListKernelTest, LowHalvesFillOnePanel) {
  constexpr int64_t kColumns = 64, kStep = 3 * kColumns, kGroups = 4;
  std::vector<uint64_t> words(kStep * kGroups);
  for (uint64_t& word : words) {
    word = static_cast<uint64_t>(random_.Int(INT64_MIN, INT64_MAX));
  }
  const auto load = [&](float* out) {
    kernels_.list->load_low_halves({words.data() + kColumns, kGroups, kStep, out});
  };
  const std::vector<bool> written = WrittenBy<float>(kGroups * kColumns, load);
  EXPECT_EQ(std::count(written.begin(), written.end(), true), kGroups * kColumns);
  Padded<float> out(kGroups * kColumns);
  load(out.data());
  for (int64_t g = 0; g < kGroups; ++g) {
    for (int64_t n = 0; n < kColumns; ++n) {
      const auto low = static_cast<uint32_t>(words[static_cast<size_t>(g * kStep + kColumns + n)]);
      uint32_t bits;
      std::memcpy(&bits, &out[g * kColumns + gemm::LaneOf(n)], sizeof(bits));
      ASSERT_EQ(bits, low) << "group " << g << ", column " << n;
    }
  }
}

ANYACL_FOR_EACH_TIER(ListKernelTest);

}  // namespace
}  // namespace anyacl::test
