// SPDX-License-Identifier: Apache-2.0
// The arithmetics of matrix registers bit by bit, as simd/matrix_tile.h defines them: in the
// registers of a machine that has them, and imitated in memory on any.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/half.h"
#include "gemm/kernel.h"
#include "kernels.h"
#include "support/guarded_bytes.h"
#include "support/random.h"

namespace anyacl::imitated {
extern const gemm::Arithmetic kGemmBf16;
extern const gemm::Arithmetic kGemmHalf;
extern const gemm::Arithmetic kGemmWhole;
extern const gemm::Arithmetic kGemmInt8;
}  // namespace anyacl::imitated

namespace anyacl::test {
namespace {

float Flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

float FromBf16(uint16_t bits) { return Flushed(std::bit_cast<float>(uint32_t{bits} << 16)); }

// Rows of A by columns of B, both k by k, both with depth elements.
uint32_t Expected(const uint16_t* a, const uint16_t* b, int64_t depth) {
  float sum = 0;
  for (int64_t k = 0; k < depth; k += 32) {
    float parts[2] = {};
    for (int64_t i = k; i < std::min(k + 32, depth); ++i) {
      parts[i % 2] = Flushed(std::fma(FromBf16(a[i]), FromBf16(b[i]), parts[i % 2]));
    }
    sum = Flushed(sum + Flushed(parts[0] + parts[1]));
  }
  return std::bit_cast<uint32_t>(sum);
}

uint32_t Expected(const int8_t* a, const int8_t* b, int64_t depth) {
  uint32_t sum = 0;
  for (int64_t k = 0; k < depth; ++k) sum += static_cast<uint32_t>(a[k] * b[k]);
  return sum;
}

// Part i of a number: what the parts before leave, rounded to bf16.
float PartOf(float x, int i) {
  const float part = Flushed(x) == 0 ? 0 : FromBf16(Bf16FromDouble(static_cast<double>(x)));
  return i == 0 ? part : PartOf(x - part, i - 1);
}

// Parts of A and B in the order of gemm/kernel_matrix.cc.
using Order = std::vector<std::pair<int, int>>;
const Order kHalves = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
const Order kThirds = {{0, 2}, {0, 1}, {1, 1}, {1, 0}, {0, 0}, {2, 0}};

// Of 32 k the products of two parts after those of two others.
template <class T, class ToFloat>
uint32_t ExpectedParts(const T* a, const T* b, int64_t depth, const Order& order, bool swapped,
                       ToFloat to_float) {
  float sum = 0;
  for (int64_t k = 0; k < depth; k += 32) {
    for (const auto& [first, second] : order) {
      float parts[2] = {};
      for (int64_t i = k; i < std::min(k + 32, depth); ++i) {
        const float x = PartOf(to_float(a[i]), swapped ? second : first);
        const float y = PartOf(to_float(b[i]), swapped ? first : second);
        parts[i % 2] = Flushed(std::fma(x, y, parts[i % 2]));
      }
      sum = Flushed(sum + Flushed(parts[0] + parts[1]));
    }
  }
  return std::bit_cast<uint32_t>(sum);
}

class MatrixTileTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (GetParam() && !CpuSupports(IsaTier::kAmx)) GTEST_SKIP() << "no matrix registers here";
  }
  const gemm::Arithmetic& bf16() const {
    return GetParam() ? *KernelsOf(IsaTier::kAmx)->gemm.bf16 : imitated::kGemmBf16;
  }
  const gemm::Arithmetic& half() const {
    return GetParam() ? *KernelsOf(IsaTier::kAmx)->gemm.half : imitated::kGemmHalf;
  }
  const gemm::Arithmetic& whole() const {
    return GetParam() ? *KernelsOf(IsaTier::kAmx)->gemm.whole : imitated::kGemmWhole;
  }
  const gemm::Arithmetic& int8() const {
    return GetParam() ? *KernelsOf(IsaTier::kAmx)->gemm.int8 : imitated::kGemmInt8;
  }

  // A line's elements and those of the next line, as one matrix with steps.
  template <class T>
  struct Lines {
    std::vector<T> values;  // line by line
    GuardedBytes memory;
    int64_t line_step, k_step;
  };
  template <class T, class Value>
  Lines<T> MakeLines(int64_t lines, int64_t depth, int layout, Value value) {
    Lines<T> made;
    made.values.resize(static_cast<size_t>(lines * depth));
    for (T& v : made.values) v = value();
    made.line_step = layout == 0 ? depth : layout == 1 ? 1 : 2 * depth + 1;
    made.k_step = layout == 0 ? 1 : layout == 1 ? lines : 2;
    const int64_t last = (lines - 1) * made.line_step + (depth - 1) * made.k_step;
    made.memory = GuardedBytes(static_cast<size_t>(last + 1) * sizeof(T));
    for (int64_t l = 0; l < lines; ++l) {
      for (int64_t k = 0; k < depth; ++k) {
        std::memcpy(
            made.memory.data() + (l * made.line_step + k * made.k_step) * int64_t{sizeof(T)},
            &made.values[static_cast<size_t>(l * depth + k)], sizeof(T));
      }
    }
    return made;
  }

  // In blocks of `block` k, as the engine does it: packed into memory of exactly their size.
  template <class T, class Value>
  void Check(const gemm::Arithmetic& arithmetic, Element type, int64_t rows, int64_t columns,
             int64_t depth, int64_t block, Value value) {
    Check<T>(arithmetic, type, rows, columns, depth, block, false, value,
             [&](const T* a, const T* b) { return Expected(a, b, depth); });
  }
  template <class T, class Value, class Expect>
  void Check(const gemm::Arithmetic& arithmetic, Element type, int64_t rows, int64_t columns,
             int64_t depth, int64_t block, bool swapped, Value value, Expect expect) {
    const int layout = in_place_ ? 0 : static_cast<int>(random_.Int(0, 2));
    const auto a = MakeLines<T>(rows, depth, layout, value);
    const auto b = MakeLines<T>(columns, depth, static_cast<int>(random_.Int(0, 2)), value);
    const int64_t width = arithmetic.panel_columns;
    const int64_t panels = (columns + width - 1) / width;
    std::vector<int32_t> sums(static_cast<size_t>(rows * panels * width), 0x7fc00000);
    std::vector<int32_t> corrections(static_cast<size_t>(rows));
    std::vector<int32_t> row_ranges(static_cast<size_t>(2 * rows));
    std::vector<int32_t> column_ranges(static_cast<size_t>(2 * panels * width));
    int32_t* const of_rows = row_ranges.data();
    int32_t* const of_columns = column_ranges.data();
    for (int64_t k = 0; k < depth; k += block) {
      const int64_t count = std::min(block, depth - k);
      const int64_t units = (count + arithmetic.unit_depth - 1) / arithmetic.unit_depth;
      GuardedBytes packed_rows(
          static_cast<size_t>(rows * units * arithmetic.parts * 4 + gemm::kPackSlack));
      const int64_t panel_bytes = width * units * arithmetic.parts * 4;
      GuardedBytes packed(static_cast<size_t>(panels * panel_bytes + gemm::kPackSlack));
      const auto size = static_cast<int64_t>(sizeof(T));
      arithmetic.pack_rows({type,
                            a.memory.data() + k * a.k_step * size,
                            a.line_step,
                            a.k_step,
                            rows,
                            count,
                            packed_rows.data(),
                            corrections.data(),
                            0,
                            {of_rows, of_rows + rows}});
      arithmetic.pack_columns({type,
                               b.memory.data() + k * b.k_step * size,
                               b.line_step,
                               b.k_step,
                               columns,
                               count,
                               packed.data(),
                               nullptr,
                               panel_bytes,
                               {of_columns, of_columns + panels * width}});
      for (int64_t p = 0; p < panels; ++p) {
        arithmetic.multiply(
            {.rows = reinterpret_cast<const char*>(in_place_ ? a.memory.data() + k * size
                                                             : packed_rows.data()),
             .row_count = rows,
             .row_step = in_place_ ? a.line_step * size : 0,
             .row_type = type,
             .fetch_rows = in_place_ && p == 0,
             .panel = reinterpret_cast<const char*>(packed.data()) + p * panel_bytes,
             .depth = count,
             .sums = sums.data() + p * width,
             .sums_step = panels * width,
             .resume = k != 0,
             .ahead = {},
             .swapped = swapped});
      }
    }
    if (arithmetic.doubt != nullptr) {
      CheckRanges(a.values, of_rows, of_rows + rows, rows, depth);
      CheckRanges(b.values, of_columns, of_columns + panels * width, columns, depth);
    }
    for (int64_t m = 0; m < rows; ++m) {
      for (int64_t n = 0; n < columns; ++n) {
        const uint32_t expected = expect(&a.values[static_cast<size_t>(m * depth)],
                                         &b.values[static_cast<size_t>(n * depth)]);
        const auto actual =
            static_cast<uint32_t>(sums[static_cast<size_t>(m * panels * width + n)]) -
            (type == Element::kInt8 ? static_cast<uint32_t>(corrections[static_cast<size_t>(m)])
                                    : 0);
        ASSERT_EQ(actual, expected) << rows << " x " << columns << " x " << depth
                                    << " in blocks of " << block << " at " << m << ", " << n;
      }
    }
  }

  template <class T>
  static void CheckRanges(const std::vector<T>& values, const int32_t* most, const int32_t* least,
                          int64_t lines, int64_t depth) {
    for (int64_t l = 0; l < lines; ++l) {
      int32_t largest = 0, smallest = 0;
      for (int64_t k = 0; k < depth; ++k) {
        const auto x = std::abs(static_cast<float>(values[static_cast<size_t>(l * depth + k)]));
        const auto bits = std::bit_cast<int32_t>(x);
        largest = std::max(largest, bits);
        if (bits != 0) smallest = std::max(smallest, INT32_MIN - bits);
      }
      ASSERT_EQ(most[l], largest) << l;
      ASSERT_EQ(least[l], smallest) << l;
    }
  }

  bool in_place_ = false;  // rows of A are multiplied where they lie
  Random random_{SeedOr(31)};
};

TEST_P(MatrixTileTest, Bf16InTheOrderOfSteps) {
  for (int i = 0; i < 150; ++i) {
    const int64_t depth = random_.Int(1, 150);
    const int64_t block = random_.Chance(0.5) ? 32 * random_.Int(1, 3) : 4096;
    Check<uint16_t>(
        bf16(), Element::kBf16, random_.Int(1, 70), random_.Int(1, 70), depth, block,
        [&] { return Bf16FromDouble(random_.Normal(0, 1) * std::exp2(random_.Int(-6, 6))); });
  }
}

// Whole steps, for which rows need not be packed.
TEST_P(MatrixTileTest, RowsWhereTheyLie) {
  in_place_ = true;
  for (int i = 0; i < 60; ++i) {
    const int64_t steps = random_.Int(1, 9), block = random_.Chance(0.5) ? random_.Int(1, 5) : 9;
    const int64_t rows = random_.Int(1, 70), columns = random_.Int(1, 70);
    const auto bf16_number = [&] { return Bf16FromDouble(random_.Normal(0, 1)); };
    Check<uint16_t>(bf16(), Element::kBf16, rows, columns, steps * bf16().in_place_depth,
                    block * bf16().in_place_depth, bf16_number);
    Check<int8_t>(int8(), Element::kInt8, rows, columns, steps * int8().in_place_depth,
                  block * int8().in_place_depth,
                  [&] { return static_cast<int8_t>(random_.Int(-128, 127)); });
    const int64_t depth = steps * half().in_place_depth;
    const bool swapped = random_.Chance(0.5);
    const auto expect = [&](auto to_float) {
      return [=](const uint16_t* a, const uint16_t* b) {
        return ExpectedParts(a, b, depth, kHalves, swapped, to_float);
      };
    };
    Check<uint16_t>(
        half(), Element::kFp16, rows, columns, depth, block * half().in_place_depth, swapped,
        [&] { return Fp16FromDouble(random_.Normal(0, 1)); },
        expect([](uint16_t x) { return FloatFromFp16(x); }));
    Check<uint16_t>(half(), Element::kBf16, rows, columns, depth, block * half().in_place_depth,
                    swapped, bf16_number, expect(FromBf16));
  }
}

// Numbers, products and sums around the least normal number.
TEST_P(MatrixTileTest, Bf16TakesDenormalsForZeros) {
  for (int i = 0; i < 50; ++i) {
    Check<uint16_t>(bf16(), Element::kBf16, 17, 35, random_.Int(1, 70), 64, [&] {
      const int64_t exponent =
          random_.Chance(0.5) ? random_.Int(-70, -56) : random_.Int(-130, -120);
      return Bf16FromDouble(random_.Normal(0, 1) * std::exp2(static_cast<double>(exponent)));
    });
  }
}

TEST_P(MatrixTileTest, HalfNumbersAsPairs) {
  for (int i = 0; i < 150; ++i) {
    const int64_t depth = random_.Int(1, 90);
    const int64_t block = random_.Chance(0.5) ? 32 * random_.Int(1, 3) : 4096;
    const double scale = std::exp2(random_.Int(-12, 2));
    const auto number = [&] { return random_.Normal(0, scale) * std::exp2(random_.Int(-6, 6)); };
    const bool swapped = random_.Chance(0.5);
    Check<uint16_t>(
        half(), Element::kFp16, random_.Int(1, 70), random_.Int(1, 70), depth, block, swapped,
        [&] { return Fp16FromDouble(number()); },
        [&](const uint16_t* a, const uint16_t* b) {
          return ExpectedParts(a, b, depth, kHalves, swapped,
                               [](uint16_t x) { return FloatFromFp16(x); });
        });
    Check<uint16_t>(
        half(), Element::kBf16, random_.Int(1, 20), random_.Int(1, 40), depth, block, swapped,
        [&] { return Bf16FromDouble(number()); },
        [&](const uint16_t* a, const uint16_t* b) {
          return ExpectedParts(a, b, depth, kHalves, swapped, FromBf16);
        });
  }
}

TEST_P(MatrixTileTest, WholeNumbersInThreeParts) {
  for (int i = 0; i < 150; ++i) {
    const int64_t depth = random_.Int(1, 90);
    const int64_t block = random_.Chance(0.5) ? 32 * random_.Int(1, 3) : 4096;
    const double scale = std::exp2(random_.Chance(0.3) ? random_.Int(-130, -100) : 0);
    const bool swapped = random_.Chance(0.5);
    Check<float>(
        whole(), Element::kFp32, random_.Int(1, 70), random_.Int(1, 70), depth, block, swapped,
        [&] {
          return static_cast<float>(random_.Normal(0, scale) * std::exp2(random_.Int(-20, 20)));
        },
        [&](const float* a, const float* b) {
          return ExpectedParts(a, b, depth, kThirds, swapped, [](float x) { return x; });
        });
  }
}

TEST_P(MatrixTileTest, Int8IsExact) {
  for (int i = 0; i < 150; ++i) {
    const int64_t depth = random_.Int(1, 300);
    const int64_t block = random_.Chance(0.5) ? 64 * random_.Int(1, 3) : 4096;
    Check<int8_t>(int8(), Element::kInt8, random_.Int(1, 70), random_.Int(1, 70), depth, block,
                  [&] { return static_cast<int8_t>(random_.Int(-128, 127)); });
  }
}

// Zeros are right where a line has nothing else, and large sums in any case.
TEST_P(MatrixTileTest, SmallSumsOfSmallNumbersAreDoubted) {
  constexpr int64_t kColumns = 32, kDepth = 1000;
  const auto least_of = [](float x) { return x == 0 ? 0 : INT32_MIN - std::bit_cast<int32_t>(x); };
  struct Line {
    float least, most;
  };
  const auto doubted = [&](Line row, Line column, float sum) {
    std::vector<float> sums(2 * kColumns, 1.0f);
    sums[kColumns + 5] = sum;
    int32_t row_most[2] = {std::bit_cast<int32_t>(1.0f), std::bit_cast<int32_t>(row.most)};
    int32_t row_least[2] = {least_of(1.0f), least_of(row.least)};
    std::vector<int32_t> most(kColumns, std::bit_cast<int32_t>(1.0f));
    std::vector<int32_t> least(kColumns, least_of(1.0f));
    most[5] = std::bit_cast<int32_t>(column.most);
    least[5] = least_of(column.least);
    whole().doubt({sums.data(),
                   kColumns,
                   2,
                   kColumns,
                   kDepth,
                   {row_most, row_least},
                   {most.data(), least.data()}});
    for (size_t i = 0; i < sums.size(); ++i) {
      EXPECT_TRUE(i == kColumns + 5 || sums[i] == 1.0f) << i;
    }
    return std::isnan(sums[kColumns + 5]);
  };
  const Line none = {0, 0}, ones = {1, 1}, small = {0x1p-100f, 1}, tiny = {0x1p-103f, 1};
  for (const bool swapped : {false, true}) {
    const auto is_doubted = [&](Line a, Line b, float sum) {
      return swapped ? doubted(b, a, sum) : doubted(a, b, sum);
    };
    EXPECT_FALSE(is_doubted(none, tiny, 0));
    EXPECT_FALSE(is_doubted(none, none, 0));
    EXPECT_FALSE(is_doubted(ones, {0x1p-80f, 1}, 0));
    EXPECT_TRUE(is_doubted(ones, {0x1p-81f, 1}, 0));
    EXPECT_TRUE(is_doubted(ones, small, -0x1p-90f));
    EXPECT_FALSE(is_doubted(ones, small, -0x1p-88f));
    EXPECT_TRUE(is_doubted(ones, tiny, 0x1p-90f));
    EXPECT_TRUE(is_doubted({0x1p100f, 0x1p101f}, tiny, 0x1p10f));
    EXPECT_FALSE(is_doubted({0x1p100f, 0x1p101f}, tiny, 0x1p13f));
    EXPECT_FALSE(is_doubted({0x1p100f, 0x1p101f}, small, 0x1p13f));
  }
}

INSTANTIATE_TEST_SUITE_P(, MatrixTileTest, testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "Registers" : "Imitated");
});

}  // namespace
}  // namespace anyacl::test
