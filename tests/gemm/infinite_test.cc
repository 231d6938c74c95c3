// SPDX-License-Identifier: Apache-2.0
// Numbers that sums of numbers of bf16, in matrix registers, do not have, on every tier:
// infinities, NaNs, and what is next to the least and the largest ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>

#include "gemm/gemm_case.h"
#include "reference/gemm.h"

namespace anyacl::test {
namespace {

// What comes out infinite or as a NaN is what fp32 gives, and no other element loses a bit by it.
class InfiniteNumbersTest : public testing::Test {
 protected:
  InfiniteNumbersTest() { RecordProperty("seed", std::to_string(seed_)); }

  void Expect(Case finite, double large) {
    const gemm::Problem& p = finite.problem;
    const int64_t row = p.rows / 3, column = p.columns - 2, at = p.depth / 2;
    const int64_t batches = p.batch_rank == 0 ? 1 : p.batch[0];
    for (int64_t i = 0; i < batches; ++i) {
      finite.a.Set(i, row, at, 0);
      finite.b.Set(i, at, column, 0);
    }
    Case infinite = finite;
    for (int64_t i = 0; i < batches; ++i) {
      infinite.a.Set(i, row, at, large);
      infinite.b.Set(i, at, column, -large);
    }
    finite.Run();
    infinite.Run();
    for (int64_t i = 0; i < batches; ++i) {
      for (int64_t m = 0; m < p.rows; ++m) {
        for (int64_t n = 0; n < p.columns; ++n) {
          const auto place = [&] {
            return infinite.Description() + ": " + std::to_string(i) + ", " + std::to_string(m) +
                   ", " + std::to_string(n);
          };
          if (m != row && n != column) {
            ASSERT_EQ(infinite.c.BitsAt(i, m, n), finite.c.BitsAt(i, m, n)) << place();
            continue;
          }
          double sum = 0, magnitude = 0;
          for (int64_t k = 0; k < p.depth; ++k) {
            const double product = infinite.a.At(i, m, k) * infinite.b.At(i, k, n);
            sum += product;
            magnitude += std::abs(product);
          }
          const bool beyond_fp32 = magnitude > 0x1p127;
          sum *= static_cast<double>(p.alpha);
          magnitude *= static_cast<double>(p.alpha);
          if (p.has_row_scale)
            sum *= static_cast<double>(infinite.row_scale[static_cast<size_t>(m)]);
          if (p.has_d) sum += static_cast<double>(p.beta) * infinite.d.At(i, m, n);
          const double actual = infinite.c.At(i, m, n);
          if (std::isnan(sum)) {
            ASSERT_TRUE(std::isnan(actual)) << place() << ": " << actual;
          } else if (beyond_fp32 && std::isfinite(large) && !std::isfinite(actual)) {
            continue;  // of fp32, sums of which are beyond their type
          } else if (std::abs(sum) > 0x1p128) {
            ASSERT_EQ(actual, std::copysign(std::numeric_limits<double>::infinity(), sum))
                << place();
          } else {
            const double bound = magnitude * static_cast<double>(p.depth + 2) * 0x1p-20;
            ASSERT_NEAR(actual, sum, bound) << place();
          }
        }
      }
    }
  }

  const uint64_t seed_ = SeedOr(7);
  Random random_{seed_};
};

TEST_F(InfiniteNumbersTest, OfFp16) {
  for (const auto& [rows, columns, depth] : {std::tuple{70, 300, 70},
                                             {70, 2600, 40},
                                             {600, 700, 100},
                                             {300, 20, 64},
                                             {5, 33, 17},
                                             {20, 1040, 1024},
                                             {40, 50, 17000}}) {
    for (const Layout layout : {Layout::kRows, Layout::kColumns}) {
      Case test = SizedCase(rows, columns, depth);
      gemm::Problem& p = test.problem;
      p.a.type = p.b.type = Element::kFp16;
      p.alpha = 0.5f;
      p.beta = 2;
      p.has_d = columns < 2000;
      p.has_row_scale = rows == 300;
      if (rows == 70) {
        p.batch_rank = 1;
        p.batch[0] = 2;
      }
      test.Place(random_, {layout}, false);
      ASSERT_NO_FATAL_FAILURE(Expect(test, std::numeric_limits<double>::infinity()));
      ASSERT_NO_FATAL_FAILURE(Expect(test, std::numeric_limits<double>::quiet_NaN()));
    }
  }
}

// Which is the largest number, and becomes infinite where it is rounded to 16 bits.
TEST_F(InfiniteNumbersTest, OfFp32) {
  for (const auto& [rows, columns, depth] : {std::tuple{40, 150, 70}, {110, 300, 150}}) {
    Case test = SizedCase(rows, columns, depth);
    gemm::Problem& p = test.problem;
    p.a.type = p.b.type = Element::kFp32;
    p.alpha = 0x1p-100f;
    p.allows_16_bits = rows == 40;
    test.Place(random_, {Layout::kRows}, false);
    for (const double large : {static_cast<double>(std::numeric_limits<float>::max()),
                               std::numeric_limits<double>::infinity()}) {
      ASSERT_NO_FATAL_FAILURE(Expect(test, large));
    }
  }
}

// Rows and columns of magnitudes of their own, from denormals on, some of them zeros of both signs,
// and sums that cancel: fp32's bound holds, and zeros have its sign.
TEST_F(InfiniteNumbersTest, SmallAndUnevenNumbers) {
  for (int i = 0; i < 12; ++i) {
    Case test = SizedCase(random_.Int(96, 140), random_.Int(96, 300), random_.Int(228, 300));
    const gemm::Problem& p = test.problem;
    test.Place(random_, {Layout::kRows, Layout::kColumns}, false);
    // Both lines and numbers vary, around two magnitudes of which the product is a small one.
    const int64_t product = random_.Int(-160, -60), left = random_.Int(-145, 100);
    const int64_t spread = random_.Pick(std::vector<int64_t>{0, 3, 30});
    const auto fill = [&](TestMatrix& m, bool by_rows, int64_t lines, int64_t exponent) {
      for (int64_t l = 0; l < lines; ++l) {
        const int64_t of_line = exponent + random_.Int(-spread, spread);
        const int kind = static_cast<int>(random_.Int(0, 9));
        for (int64_t k = 0; k < p.depth; ++k) {
          const double power = std::exp2(of_line + random_.Int(-spread, spread));
          double value = random_.Normal(0, 1) * power;
          if (kind == 0) value = k % 2 == 0 ? 0.0 : -0.0;
          if (kind == 1 && k % 7 != 3) value = 0;
          value = std::clamp(value, -0x1p110, 0x1p110);
          by_rows ? m.Set(0, l, k, value) : m.Set(0, k, l, value);
        }
      }
    };
    fill(test.a, true, p.rows, left);
    fill(test.b, false, p.columns, std::clamp<int64_t>(product - left, -145, 100));
    // Of every other row the second half takes the first one away, but for its last bits.
    for (int64_t m = 0; m < p.rows; m += 2) {
      for (int64_t k = 0; k < p.depth / 2; ++k) {
        test.a.Set(0, m, p.depth / 2 + k, -test.a.At(0, m, k) * (1 + 0x1p-22));
        for (int64_t n = 0; m == 0 && n < p.columns; ++n) {
          test.b.Set(0, p.depth / 2 + k, n, test.b.At(0, k, n));
        }
      }
    }
    test.Run();
    const std::vector<float> a = test.a.Numbers(0);
    const std::vector<float> b = test.b.Numbers(0);
    std::vector<double> sums(static_cast<size_t>(p.columns)), magnitudes(sums);
    for (int64_t m = 0; m < p.rows; ++m) {
      RowFp64(a.data() + m * p.depth, b.data(), p.depth, p.columns, sums.data(), magnitudes.data());
      for (int64_t n = 0; n < p.columns; ++n) {
        const double sum = sums[static_cast<size_t>(n)];
        const double magnitude = magnitudes[static_cast<size_t>(n)];
        const double bound = static_cast<double>(p.depth + 2) * (0x1p-23 * magnitude + 0x1p-150);
        ASSERT_NEAR(test.c.At(0, m, n), sum, bound)
            << i << ": " << m << ", " << n << " of " << product << " = " << left
            << " + ..., spread " << spread;
        if (magnitude == 0) {
          ASSERT_EQ(test.c.BitsAt(0, m, n), 0u) << i << ": " << m << ", " << n;
        }
      }
    }
  }
}

// NaNs of all payloads stay NaNs, on both sides.
TEST_F(InfiniteNumbersTest, NaNsOfAnyBits) {
  for (const uint32_t bits :
       {0x7fffu, 0xffffu, 0x7c01u, 0x7e00u, 0xffffffffu, 0x7fffffffu, 0x7f800001u}) {
    const bool fp32 = bits > 0xffff;
    for (const bool left : {true, false}) {
      for (const bool whole : {false, true}) {
        if (whole && !fp32) continue;
        const int64_t rows = whole ? 100 : 8, columns = whole ? 120 : 40;
        Case test = SizedCase(rows, columns, whole ? 200 : 33);
        gemm::Problem& p = test.problem;
        p.a.type = p.b.type = fp32 ? Element::kFp32 : Element::kFp16;
        p.allows_16_bits = fp32 && !whole;
        test.Place(random_, {Layout::kRows}, false);
        (left ? test.a : test.b).SetBits(0, left ? 6 : 32, left ? 32 : 6, bits);
        test.Run();
        for (int64_t i = 0; i < rows * columns; ++i) {
          const bool expected = left ? i / columns == 6 : i % columns == 6;
          ASSERT_EQ(std::isnan(test.c.At(0, i / columns, i % columns)), expected)
              << std::hex << bits << ", " << i;
        }
      }
    }
  }
}

// Integers with factors, one of which is infinite.
TEST_F(InfiniteNumbersTest, OfFactors) {
  constexpr int64_t kRows = 9, kColumns = 200, kDepth = 96, kGroup = 32, kAt = 150;
  Case test = SizedCase(kRows, kColumns, kDepth);
  gemm::Problem& p = test.problem;
  p.a.type = Element::kFp16;
  p.b.type = Element::kInt8;
  test.Place(random_, {Layout::kColumns}, false);
  TestMatrix scale(Element::kFp16, 1, kDepth / kGroup, kColumns, Layout::kRows, false);
  scale.Fill(random_);
  p.b_group = kGroup;
  p.b_scale = scale.matrix();
  const auto run = [&] {
    const gemm::Plan plan(p);
    std::vector<char> workspace(plan.workspace_bytes() + 64);
    const auto address = reinterpret_cast<uintptr_t>(workspace.data());
    plan.Run({.a = test.a.data(), .b = test.b.data(), .c = test.c.data(), .b_scale = scale.data()},
             workspace.data() + (64 - address % 64));
    return test.c;
  };
  const TestMatrix finite = run();
  scale.Set(0, 1, kAt, std::numeric_limits<double>::infinity());
  const TestMatrix infinite = run();
  for (int64_t i = 0; i < kRows * kColumns; ++i) {
    const int64_t m = i / kColumns, n = i % kColumns;
    if (n == kAt) {
      ASSERT_FALSE(std::isfinite(infinite.At(0, m, n))) << i;
    } else {
      ASSERT_EQ(infinite.BitsAt(0, m, n), finite.BitsAt(0, m, n)) << i;
    }
  }
}

// Where beta is 0, D is not read; an infinity times a padding of zeros would be a NaN.
TEST_F(InfiniteNumbersTest, BesidePaddingAndADThatIsNotRead) {
  const float inf = std::numeric_limits<float>::infinity();
  for (const int64_t rows : {1, 5}) {
    for (const Element type : {Element::kFp32, Element::kFp16, Element::kBf16}) {
      Case test = SizedCase(rows, 33, 3);
      test.problem.a.type = test.problem.b.type = type;
      test.problem.has_d = true;
      test.problem.beta = 0;
      test.Place(random_, {Layout::kRows}, false);
      auto* const b = static_cast<char*>(test.b.data());
      const uint32_t bits = 0x7f800000;
      // Row 2, column 32: its last k is alone in a pair.
      const int64_t at = 2 * 33 + 32;
      if (type == Element::kFp32) {
        std::memcpy(b + at * 4, &bits, 4);
      } else {
        const uint16_t upper = type == Element::kFp16 ? 0x7c00 : bits >> 16;
        std::memcpy(b + at * 2, &upper, 2);
      }
      auto* const d = static_cast<float*>(test.d.data());
      d[0] = std::numeric_limits<float>::quiet_NaN();
      test.Run();
      for (int64_t m = 0; m < rows; ++m) {
        EXPECT_EQ(std::abs(test.c.At(0, m, 32)), inf) << m;
        for (int64_t n = 0; n < 32; ++n) EXPECT_TRUE(std::isfinite(test.c.At(0, m, n)));
      }
    }
  }
}

}  // namespace
}  // namespace anyacl::test
