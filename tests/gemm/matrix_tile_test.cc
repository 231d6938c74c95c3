// SPDX-License-Identifier: Apache-2.0
// The arithmetics of matrix registers bit by bit, as simd/matrix_tile.h defines them: in the
// registers of a machine that has them, and imitated in memory on any.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/half.h"
#include "gemm/kernel.h"
#include "kernels.h"
#include "support/guarded_bytes.h"
#include "support/random.h"

namespace anyacl::imitated {
extern const gemm::Arithmetic kGemmBf16;
extern const gemm::Arithmetic kGemmHalf;
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

// A number as two of bf16: itself rounded, half away from zero, and the rest.
struct Split {
  float first, rest;
};
Split SplitOf(float x) {
  const uint32_t upper = 0xffff0000;
  const float first = std::bit_cast<float>((std::bit_cast<uint32_t>(x) + 0x8000) & upper);
  const float rest = std::bit_cast<float>((std::bit_cast<uint32_t>(x - first) + 0x8000) & upper);
  return {Flushed(first), Flushed(rest)};
}

// Of 16 k the products of the first and those of the rests, then those of one with the other.
template <class ToFloat>
uint32_t ExpectedHalf(const uint16_t* a, const uint16_t* b, int64_t depth, ToFloat to_float) {
  float sum = 0;
  for (int64_t k = 0; k < depth; k += 16) {
    for (const bool crossed : {false, true}) {
      float parts[2] = {};
      for (int64_t i = k; i < std::min(k + 16, depth); ++i) {
        const Split x = SplitOf(to_float(a[i])), y = SplitOf(to_float(b[i]));
        parts[0] = Flushed(std::fma(crossed ? x.rest : x.first, y.first, parts[0]));
        parts[1] = Flushed(std::fma(crossed ? x.first : x.rest, y.rest, parts[1]));
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
    Check<T>(arithmetic, type, rows, columns, depth, block, value,
             [&](const T* a, const T* b) { return Expected(a, b, depth); });
  }
  template <class T, class Value, class Expect>
  void Check(const gemm::Arithmetic& arithmetic, Element type, int64_t rows, int64_t columns,
             int64_t depth, int64_t block, Value value, Expect expect) {
    const auto a = MakeLines<T>(rows, depth, static_cast<int>(random_.Int(0, 2)), value);
    const auto b = MakeLines<T>(columns, depth, static_cast<int>(random_.Int(0, 2)), value);
    const int64_t width = arithmetic.panel_columns;
    const int64_t panels = (columns + width - 1) / width;
    std::vector<int32_t> sums(static_cast<size_t>(rows * panels * width), 0x7fc00000);
    std::vector<int32_t> corrections(static_cast<size_t>(rows));
    for (int64_t k = 0; k < depth; k += block) {
      const int64_t count = std::min(block, depth - k);
      const int64_t units = (count + arithmetic.unit_depth - 1) / arithmetic.unit_depth;
      GuardedBytes packed_rows(
          static_cast<size_t>(rows * units * arithmetic.row_units * 4 + gemm::kPackSlack));
      GuardedBytes packed(static_cast<size_t>(panels * width * units * 4 + gemm::kPackSlack));
      const auto size = static_cast<int64_t>(sizeof(T));
      arithmetic.pack_rows({type, a.memory.data() + k * a.k_step * size, a.line_step, a.k_step,
                            rows, count, packed_rows.data(), corrections.data(), 0});
      arithmetic.pack_columns({type, b.memory.data() + k * b.k_step * size, b.line_step, b.k_step,
                               columns, count, packed.data(), nullptr, width * units * 4});
      for (int64_t p = 0; p < panels; ++p) {
        arithmetic.multiply(
            {.rows = reinterpret_cast<const char*>(packed_rows.data()),
             .row_count = rows,
             .panel = reinterpret_cast<const char*>(packed.data()) + p * width * units * 4,
             .depth = count,
             .sums = sums.data() + p * width,
             .sums_step = panels * width,
             .resume = k != 0,
             .ahead = {}});
      }
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
    const int64_t block = random_.Chance(0.5) ? 16 * random_.Int(1, 3) : 4096;
    const double scale = std::exp2(random_.Int(-12, 2));
    const auto number = [&] { return random_.Normal(0, scale) * std::exp2(random_.Int(-6, 6)); };
    Check<uint16_t>(
        half(), Element::kFp16, random_.Int(1, 70), random_.Int(1, 70), depth, block,
        [&] { return Fp16FromDouble(number()); },
        [&](const uint16_t* a, const uint16_t* b) {
          return ExpectedHalf(a, b, depth, [](uint16_t x) { return FloatFromFp16(x); });
        });
    Check<uint16_t>(
        half(), Element::kBf16, random_.Int(1, 20), random_.Int(1, 40), depth, block,
        [&] { return Bf16FromDouble(number()); },
        [&](const uint16_t* a, const uint16_t* b) { return ExpectedHalf(a, b, depth, FromBf16); });
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

INSTANTIATE_TEST_SUITE_P(, MatrixTileTest, testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "Registers" : "Imitated");
});

}  // namespace
}  // namespace anyacl::test
