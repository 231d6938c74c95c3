// SPDX-License-Identifier: Apache-2.0
// The kernels of the grouped matrix multiplication on every tier that this machine has: called on
// parts of their work they write exactly these, with the bits of the base tier.
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

using grouped_matmul::Depth;
using grouped_matmul::KernelSet;
using grouped_matmul::PackArgs;
using grouped_matmul::PanelArgs;
using grouped_matmul::RowArgs;

// The rows of an expert, some panels, and room for what kernels make of them.
struct Problem {
  Element weights;
  int64_t rows;
  Depth depth;
  std::vector<int8_t> x, panels;  // [rows][groups * size]; kPanels of total() * kPanelBytes
  std::vector<float> x_scale, scales, bias;

  int64_t width() const { return grouped_matmul::PanelColumns(weights); }
  int64_t row_step() const { return depth.groups * depth.size; }
  const int8_t* Panel(int64_t i) const {
    return panels.data() + i * depth.total() * grouped_matmul::kPanelBytes;
  }
};
constexpr int64_t kPanels = 3;

// x as tiles read it.
struct Packed {
  Packed(const Problem& p, const KernelSet& kernels)
      : bytes(p.rows * p.depth.total() * kernels.packed_bytes_per_k),
        sums(p.rows * p.depth.groups) {}
  Padded<int8_t> bytes;
  Padded<int32_t> sums;
};

PackArgs ArgsOf(const Problem& p, int8_t* packed, int32_t* sums) {
  return {p.weights, p.x.data(), p.row_step(), 1, p.rows, p.depth, packed, sums};
}

// Calls f for every tile, the last one first: none needs another.
template <class Function>
void ForTiles(const Problem& p, const KernelSet& kernels, const Function& f) {
  for (int64_t tile = kernels.tile_count(p.weights, p.rows); tile-- > 0;) f(tile);
}

// One panel times all rows, to c of whole rows.
void Multiply(const Problem& p, const KernelSet& kernels, const Packed& packed, int64_t panel,
              float* c, int64_t c_step) {
  Padded<int32_t> column_sums(p.depth.groups * p.width());
  Padded<float> totals(grouped_matmul::kTileTotals);
  Padded<int8_t> operands(p.depth.total() * kernels.operand_bytes_per_k);
  PanelArgs args{};
  args.weights = p.weights;
  args.panel = args.next = p.Panel(panel);
  args.packed = packed.bytes.data();
  args.sums = packed.sums.data();
  args.rows = p.rows;
  args.depth = p.depth;
  args.x_scale = p.x_scale.data();
  args.x_scale_step = 1;
  args.scales = p.scales.data() + panel * p.depth.groups * p.width();
  args.bias = p.bias.data() + panel * p.width();
  args.c = c + panel * p.width();
  args.c_step = c_step;
  args.column_sums = column_sums.data();
  args.totals = totals.data();
  args.operands = operands.data();
  kernels.multiply_panel(args);
  EXPECT_TRUE(column_sums.RoomIsIntact() && totals.RoomIsIntact() && operands.RoomIsIntact());
}

class KernelTest : public testing::TestWithParam<IsaTier> {
 protected:
  KernelTest()
      : kernels_(KernelsOf(GetParam())->grouped_matmul),
        base_(KernelsOf(IsaTier::kBase)->grouped_matmul),
        seed_(SeedOr(41)),
        trace_(__FILE__, __LINE__, "ANYACL_TEST_SEED=" + std::to_string(seed_)),
        random_(seed_) {}

  Problem Any(Element weights, int64_t rows, Depth depth) {
    Problem p{weights, rows, depth, {}, {}, {}, {}, {}};
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
    p.x = bytes(rows * p.row_step());
    p.panels = bytes(kPanels * depth.total() * grouped_matmul::kPanelBytes);
    for (int64_t k = 0; k < kPanels * depth.total(); ++k) {
      if (k % depth.padded() < depth.size) continue;
      std::fill_n(p.panels.data() + k * grouped_matmul::kPanelBytes, grouped_matmul::kPanelBytes,
                  0);
    }
    p.x_scale = numbers(rows);
    p.scales = numbers(kPanels * depth.groups * p.width());
    p.bias = numbers(kPanels * p.width());
    return p;
  }

  std::vector<Problem> Problems() {
    std::vector<Problem> problems;
    for (int64_t rows : {1, 2, 5, 6, 7, 13, 31}) {
      problems.push_back(Any(Element::kInt8, rows, {1, 16 * random_.Int(1, 40)}));
      problems.push_back(Any(Element::kInt4, rows, {1, random_.Int(1, 300)}));
      problems.push_back(Any(Element::kInt4, rows, {3, random_.Int(1, 70)}));
    }
    return problems;
  }

  static std::string NameOf(const Problem& p) {
    return std::string(p.weights == Element::kInt8 ? "int8 " : "int4 ") + std::to_string(p.rows) +
           " rows, " + std::to_string(p.depth.groups) + " * " + std::to_string(p.depth.size);
  }

  static Packed PackedOf(const Problem& p, const KernelSet& kernels) {
    Packed packed(p, kernels);
    ForTiles(p, kernels, [&](int64_t tile) {
      kernels.pack_tile(ArgsOf(p, packed.bytes.data(), packed.sums.data()), tile);
    });
    return packed;
  }

  const KernelSet& kernels_;
  const KernelSet& base_;
  const uint64_t seed_;
  testing::ScopedTrace trace_;
  Random random_;
};

TEST_P(KernelTest, TilesOfRowsShareThePackedMemoryOut) {
  for (const Problem& p : Problems()) {
    SCOPED_TRACE(NameOf(p));
    const Packed all(p, kernels_);
    std::vector<int> byte_writers(static_cast<size_t>(all.bytes.count()));
    std::vector<int> sum_writers(static_cast<size_t>(all.sums.count()));
    const auto count = [](const std::vector<bool>& written, std::vector<int>* writers) {
      for (size_t i = 0; i < written.size(); ++i) (*writers)[i] += written[i] ? 1 : 0;
    };
    ForTiles(p, kernels_, [&](int64_t tile) {
      Packed other(p, kernels_);
      count(WrittenBy<int8_t>(all.bytes.count(),
                              [&](int8_t* bytes) {
                                kernels_.pack_tile(ArgsOf(p, bytes, other.sums.data()), tile);
                              }),
            &byte_writers);
      count(WrittenBy<int32_t>(all.sums.count(),
                               [&](int32_t* sums) {
                                 kernels_.pack_tile(ArgsOf(p, other.bytes.data(), sums), tile);
                               }),
            &sum_writers);
    });
    EXPECT_EQ(std::count(byte_writers.begin(), byte_writers.end(), 1), all.bytes.count());
    // Tiers that add nothing to weights need no sums.
    const auto once = std::count(sum_writers.begin(), sum_writers.end(), 1);
    EXPECT_TRUE(once == all.sums.count() ||
                std::count(sum_writers.begin(), sum_writers.end(), 0) == all.sums.count())
        << once << " of " << all.sums.count();
  }
}

TEST_P(KernelTest, APanelWritesItsColumnsOfAllRows) {
  for (const Problem& p : Problems()) {
    SCOPED_TRACE(NameOf(p));
    const Packed packed = PackedOf(p, kernels_), base_packed = PackedOf(p, base_);
    const int64_t c_step = kPanels * p.width() + 32;
    for (int64_t panel = 0; panel < kPanels; ++panel) {
      const std::vector<bool> written = WrittenBy<float>(
          p.rows * c_step, [&](float* c) { Multiply(p, kernels_, packed, panel, c, c_step); });
      Padded<float> c(p.rows * c_step), expected(p.rows * c_step);
      Multiply(p, kernels_, packed, panel, c.data(), c_step);
      Multiply(p, base_, base_packed, panel, expected.data(), c_step);
      EXPECT_TRUE(c.Same(expected)) << "panel " << panel << " has other bits than the base tier's";
      for (int64_t i = 0; i < c.count(); ++i) {
        ASSERT_EQ(written[static_cast<size_t>(i)], i % c_step / p.width() == panel)
            << "panel " << panel << ", element " << i;
      }
    }
  }
}

TEST_P(KernelTest, ARowIsFinishedAlone) {
  for (int64_t half : {1, 2, 15, 16, 17, 63, 64, 65, 200}) {
    for (int64_t q_step : {1, 3}) {
      SCOPED_TRACE(std::to_string(half) + " columns, step " + std::to_string(q_step));
      std::vector<float> row(static_cast<size_t>(2 * half));
      for (float& number : row) number = static_cast<float>(random_.Normal(0, 3));
      const auto finish = [&](const KernelSet& kernels, int8_t* q, float* scale) {
        Padded<float> c(2 * half);
        std::copy(row.begin(), row.end(), c.data());
        kernels.finish_row({c.data(), c.data(), half, q, q_step, scale});
        EXPECT_TRUE(c.RoomIsIntact());
      };
      Padded<float> scale(1), base_scale(1);
      const int64_t count = (half - 1) * q_step + 1;
      const std::vector<bool> written =
          WrittenBy<int8_t>(count, [&](int8_t* q) { finish(kernels_, q, scale.data()); });
      for (int64_t i = 0; i < count; ++i) {
        ASSERT_EQ(written[static_cast<size_t>(i)], i % q_step == 0) << "element " << i;
      }
      Padded<int8_t> q(count), base_q(count);
      finish(kernels_, q.data(), scale.data());
      finish(base_, base_q.data(), base_scale.data());
      EXPECT_TRUE(q.Same(base_q) && scale.Same(base_scale));
    }
  }
}

TEST_P(KernelTest, LowHalvesFillOnePanel) {
  constexpr int64_t kColumns = 64, kStep = 3 * kColumns, kGroups = 4;
  std::vector<uint64_t> words(kStep * kGroups);
  for (uint64_t& word : words) {
    word = static_cast<uint64_t>(random_.Int(INT64_MIN, INT64_MAX));
  }
  const auto load = [&](float* out) {
    kernels_.load_low_halves({words.data() + kColumns, kGroups, kStep, out});
  };
  const std::vector<bool> written = WrittenBy<float>(kGroups * kColumns, load);
  EXPECT_EQ(std::count(written.begin(), written.end(), true), kGroups * kColumns);
  Padded<float> out(kGroups * kColumns);
  load(out.data());
  for (int64_t g = 0; g < kGroups; ++g) {
    for (int64_t n = 0; n < kColumns; ++n) {
      const auto low = static_cast<uint32_t>(words[static_cast<size_t>(g * kStep + kColumns + n)]);
      uint32_t bits;
      std::memcpy(&bits, &out[g * kColumns + grouped_matmul::LaneOf(n)], sizeof(bits));
      ASSERT_EQ(bits, low) << "group " << g << ", column " << n;
    }
  }
}

ANYACL_FOR_EACH_TIER(KernelTest);

}  // namespace
}  // namespace anyacl::test
