// SPDX-License-Identifier: Apache-2.0
// The formula of gemm.h, bit by bit, for sizes around those of tiles and blocks, all layouts and
// types.
#include "reference/gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <tuple>
#include <utility>

#include "gemm/gemm_fixture.h"
#include "kernels.h"

namespace anyacl::test {
namespace {

// Up to twice the largest tile (12 x 32) and one more.
TEST_F(GemmTest, AllSmallSizes) {
  for (int64_t rows = 1; rows <= 25; ++rows) {
    for (int64_t columns = 1; columns <= 65; ++columns) {
      Case test = SizedCase(rows, columns, random_.Int(1, 40));
      SetFloatTypes(test);
      ASSERT_NO_FATAL_FAILURE(Expect(test, kAllLayouts));
    }
  }
}

TEST_F(GemmTest, AllSmallSizesOfIntegers) {
  for (int64_t rows = 1; rows <= 25; ++rows) {
    for (int64_t columns = 1; columns <= 65; ++columns) {
      Case test = SizedCase(rows, columns, random_.Int(1, 70));
      test.problem.a.type = test.problem.b.type = Element::kInt8;
      test.problem.c.type = random_.Chance(0.5) ? Element::kInt32 : random_.Pick(kFloats);
      test.problem.has_d = random_.Chance(0.3);
      test.problem.d.type = Element::kInt32;
      ASSERT_NO_FATAL_FAILURE(Expect(test, kAllLayouts));
    }
  }
}

// Several blocks of k, of rows and of columns, and their ends.
TEST_F(GemmTest, SizesAroundBlocks) {
  for (const int64_t depth : {383, 384, 385, 769, 1537}) {
    for (const int64_t rows : {1, 4, 5, 13, 30}) {
      Case test = SizedCase(rows, random_.Int(1, 70), depth);
      SetFloatTypes(test);
      ASSERT_NO_FATAL_FAILURE(Expect(test, kAllLayouts));
    }
    Case integers = SizedCase(random_.Int(1, 40), random_.Int(1, 70), depth);
    integers.problem.a.type = integers.problem.b.type = Element::kInt8;
    integers.problem.c.type = Element::kInt32;
    ASSERT_NO_FATAL_FAILURE(Expect(integers, kAllLayouts));
  }
  for (const auto& [rows, columns] : {std::pair{192, 33},
                                      {193, 40},
                                      {390, 5},
                                      {5, 1100},
                                      {2, 2300},
                                      {700, 7},
                                      {258, 40},
                                      {530, 600}}) {
    for (const Element type : kFloats) {
      Case test = SizedCase(rows, columns, random_.Int(385, 500));
      test.problem.a.type = test.problem.b.type = test.problem.c.type = type;
      ASSERT_NO_FATAL_FAILURE(Expect(test, {Layout::kRows, Layout::kColumns}));
    }
  }
}

// Tiles along rows: several units of 48 rows, ends of panels, C as the sums and not.
TEST_F(GemmTest, SumsOfFewProducts) {
  for (const int64_t depth : {1, 3, 8, 17, 63, 64, 65}) {
    for (const auto& [rows, columns] :
         {std::pair{97, 1355}, {150, 1100}, {1400, 95}, {410, 1300}}) {
      Case plain = SizedCase(rows, columns, depth);
      ASSERT_NO_FATAL_FAILURE(Expect(plain, {Layout::kRows, Layout::kColumns}));
      Case other = SizedCase(rows, columns, depth);
      SetFloatTypes(other);
      other.problem.has_d = true;
      other.problem.alpha = 0.5f;
      ASSERT_NO_FATAL_FAILURE(Expect(other, kAllLayouts));
      Case integers = SizedCase(rows, columns, depth);
      integers.problem.a.type = integers.problem.b.type = Element::kInt8;
      integers.problem.c.type = Element::kInt32;
      ASSERT_NO_FATAL_FAILURE(Expect(integers, kAllLayouts));
    }
  }
}

// Sums of many products are made in parts.
TEST_F(GemmTest, ManyProducts) {
  for (const int64_t depth : {16384, 16385, 18432, 18433, 33000}) {
    for (const auto& [rows, columns] :
         {std::pair{1, 3}, {3, 40}, {4, 1100}, {5, 2}, {26, 70}, {300, 9}, {260, 33}}) {
      if (rows * columns > 2000 && depth != 18433) continue;
      Case test = SizedCase(rows, columns, depth);
      SetFloatTypes(test);
      ASSERT_NO_FATAL_FAILURE(Expect(test, {Layout::kRows, Layout::kColumns}));
    }
    Case integers = SizedCase(7, 40, depth);
    integers.problem.a.type = integers.problem.b.type = Element::kInt8;
    integers.problem.c.type = Element::kInt32;
    ASSERT_NO_FATAL_FAILURE(Expect(integers, {Layout::kRows}));
  }
}

TEST_F(GemmTest, FactorsAndAddend) {
  for (int i = 0; i < 400; ++i) {
    Case test = SizedCase(random_.Int(1, 30), random_.Int(1, 50), random_.Int(0, 30));
    gemm::Problem& p = test.problem;
    SetFloatTypes(test);
    p.alpha = random_.Pick(std::vector<float>{1, 0, -2.5f, 0.3f});
    p.beta = random_.Pick(std::vector<float>{1, 0, 0.7f});
    p.has_d = random_.Chance(0.7);
    p.d.type = random_.Pick(
        std::vector<Element>{Element::kFp32, Element::kFp16, Element::kBf16, Element::kInt32});
    if (random_.Chance(0.3)) {
      p.a.type = p.b.type = Element::kInt8;
      if (p.d.type == Element::kInt32) p.beta = 1;
    }
    // What MayTakeAnyOrder allows, of some layouts, is not exact enough for a bound with factors.
    gemm::Problem more = p;
    more.rows = more.columns = 50;
    if (!MayTakeAnyOrder(more)) {
      p.has_row_scale = random_.Chance(0.5);
      p.has_column_scale = random_.Chance(0.5);
    }
    ASSERT_NO_FATAL_FAILURE(Expect(test, kAllLayouts));
  }
}

TEST_F(GemmTest, MixedIntegersAndFloats) {
  for (int i = 0; i < 100; ++i) {
    Case test = SizedCase(random_.Int(1, 30), random_.Int(1, 50), random_.Int(1, 60));
    test.problem.a.type = random_.Pick(kFloats);
    test.problem.b.type = Element::kInt8;
    if (i % 2 != 0) std::swap(test.problem.a.type, test.problem.b.type);
    test.problem.c.type = random_.Pick(kFloats);
    ASSERT_NO_FATAL_FAILURE(Expect(test, kAllLayouts));
  }
}

TEST_F(GemmTest, Batches) {
  for (int i = 0; i < 200; ++i) {
    Case test = SizedCase(random_.Int(1, 14), random_.Int(1, 40), random_.Int(1, 20));
    SetFloatTypes(test);
    test.problem.batch_rank = 1;
    test.problem.batch[0] = random_.Int(0, 6);
    test.problem.has_d = random_.Chance(0.3);
    test.problem.d.type = random_.Pick(kFloats);
    ASSERT_NO_FATAL_FAILURE(Expect(test, kAllLayouts, random_.Chance(0.5)));
  }
}

// Several sizes of a batch, of which A and B share some.
TEST_F(GemmTest, BroadcastBatches) {
  constexpr int64_t kM = 3, kN = 5, kK = 4, kBatch[3] = {2, 3, 2};
  gemm::Problem p;
  p.rows = kM, p.columns = kN, p.depth = kK, p.batch_rank = 3;
  for (int i = 0; i < 3; ++i) p.batch[i] = kBatch[i];
  p.a = {Element::kFp32, kK, 1, {0, kM * kK, 0}};
  p.b = {Element::kFp32, kN, 1, {2 * kK * kN, 0, kK * kN}};
  p.c = {Element::kFp32, kN, 1, {6 * kM * kN, 2 * kM * kN, kM * kN}};
  std::vector<float> a(3 * kM * kK), b(4 * kK * kN), c(12 * kM * kN);
  for (auto* values : {&a, &b}) {
    for (float& value : *values) value = static_cast<float>(random_.Int(-8, 8));
  }
  const gemm::Plan plan(p);
  std::vector<char> workspace(plan.workspace_bytes() + 64);
  const auto address = reinterpret_cast<uintptr_t>(workspace.data());
  plan.Run({.a = a.data(), .b = b.data(), .c = c.data()}, workspace.data() + (64 - address % 64));
  for (int64_t i = 0; i < 12 * kM * kN; ++i) {
    const int64_t n = i % kN, m = i / kN % kM, batch = i / (kM * kN);
    float sum = 0;
    for (int64_t k = 0; k < kK; ++k) {
      sum += a[static_cast<size_t>((batch / 2 % 3 * kM + m) * kK + k)] *
             b[static_cast<size_t>(((batch / 6 * 2 + batch % 2) * kK + k) * kN + n)];
    }
    ASSERT_EQ(c[static_cast<size_t>(i)], sum) << i;
  }
}

// A row's bits do not depend on what it is computed together with, whatever the arithmetic; those
// of fp16 on whether it is more than four rows.
TEST_F(GemmTest, RowsAreTheSameAlone) {
  for (const auto& [type, columns] : {std::pair{Element::kBf16, 300},
                                      {Element::kBf16, 20},
                                      {Element::kFp16, 300},
                                      {Element::kFp16, 20},
                                      {Element::kFp32, 33}}) {
    for (const Layout layout : {Layout::kRows, Layout::kColumns}) {
      Case all = SizedCase(50, columns, 1000);
      all.problem.a.type = all.problem.b.type = type;
      all.problem.c.type = Element::kFp32;
      ASSERT_NO_FATAL_FAILURE(Expect(all, {layout}));
      const int64_t count = type == Element::kFp16 ? gemm::kFewRows + 1 : 1;
      ASSERT_NO_FATAL_FAILURE(ExpectSameAlone(all, {0, 1, 17, 50 - count}, count));
    }
  }
}

// Some rows that say of how many they are have the bits of the whole, whatever way it takes.
TEST_F(GemmTest, SomeOfManyRows) {
  for (const Element type : kFloats) {
    for (const int64_t rows : {5, 100, 170}) {
      Case all = SizedCase(rows, 130, 700);
      all.problem.all_rows = rows;
      all.problem.a.type = all.problem.b.type = type;
      all.Place(random_, {Layout::kRows}, false);
      all.Run();
      for (const int64_t count : {int64_t{1}, int64_t{3}, rows / 2}) {
        ASSERT_NO_FATAL_FAILURE(ExpectSameAlone(all, {0, rows - count}, count));
      }
    }
  }
}

// Some k that say of how many they are have the bits of the whole whose other k are zeros.
TEST_F(GemmTest, SomeOfMuchDepth) {
  for (const Element type : kFloats) {
    Case all = SizedCase(130, 130, 700);
    all.problem.a.type = all.problem.b.type = type;
    all.Place(random_, {Layout::kRows}, false);
    constexpr int64_t kSome = 40;
    for (int64_t row = 0; row < all.problem.rows; ++row) {
      for (int64_t k = kSome; k < all.problem.depth; ++k) all.a.Set(0, row, k, 0);
    }
    all.Run();
    Case some = all;
    some.problem.depth = kSome;
    some.problem.all_depth = all.problem.depth;
    some.Run();
    for (int64_t m = 0; m < all.problem.rows; ++m) {
      for (int64_t n = 0; n < all.problem.columns; ++n) {
        ASSERT_EQ(some.c.BitsAt(0, m, n), all.c.BitsAt(0, m, n)) << m << ", " << n;
      }
    }
  }
}

// fp32 that may be rounded to 16 bits, beside itself and others.
TEST_F(GemmTest, SixteenBitsOfFp32) {
  for (int i = 0; i < 60; ++i) {
    Case test = SizedCase(random_.Int(1, 70), random_.Int(1, 90), random_.Int(1, 300));
    SetFloatTypes(test);
    (i % 2 == 0 ? test.problem.a : test.problem.b).type = Element::kFp32;
    test.problem.allows_16_bits = true;
    ASSERT_NO_FATAL_FAILURE(Expect(test, kAllLayouts));
  }
}

// More columns than are packed together for all units, and more k than a unit's rows are packed
// for at once; vectors, which take thirty times as long for the first size, have smaller blocks.
TEST_F(GemmTest, ColumnsAndDepthInTurns) {
  const bool registers = Kernels().gemm.bf16->multiply_few == nullptr;
  for (const Element type : {Element::kFp16, Element::kFp32}) {
    Case all = registers ? SizedCase(258, 1100, 8500) : SizedCase(258, 300, 2600);
    all.problem.a.type = all.problem.b.type = type;
    all.Place(random_, {Layout::kRows}, false);
    all.Run();
    const int64_t count = type == Element::kFp16 ? gemm::kFewRows + 1 : 96;
    ExpectSameAlone(all, {0, 150, 258 - count}, count);
  }
}

// The same of fp32, in batches, too: those of the rows and columns that others have beside them.
TEST_F(GemmTest, LargeProductsOfFp32) {
  Case rows = SizedCase(300, 200, 333);
  rows.Place(random_, {Layout::kRows}, false);
  rows.Run();
  ASSERT_EQ(rows.Check(), "");
  ExpectSameAlone(rows, {0, 7, 204}, 96);
  for (int i = 0; i < 8; ++i) {
    Case test = SizedCase(random_.Int(96, 200), random_.Int(96, 200), random_.Int(228, 300));
    SetFloatTypes(test);
    (i % 2 == 0 ? test.problem.a : test.problem.b).type = Element::kFp32;
    test.problem.batch_rank = 1;
    test.problem.batch[0] = random_.Int(1, 3);
    test.problem.has_d = random_.Chance(0.5);
    test.problem.alpha = random_.Chance(0.5) ? 1.0f : 0.75f;
    ASSERT_NO_FATAL_FAILURE(Expect(test, kAllLayouts, random_.Chance(0.5)));
  }
  Case parts = SizedCase(96, 97, 17000);
  ASSERT_NO_FATAL_FAILURE(Expect(parts, {Layout::kRows, Layout::kColumns}));
}

// Whatever multiplies fp32, its errors are no larger than those of sums in fp32.
TEST_F(GemmTest, LargeProductsAreAsAccurateAsFp32) {
  for (const bool positive : {false, true}) {
    Case test = SizedCase(100, 110, 700);
    test.Place(random_, {Layout::kRows}, false);
    for (TestMatrix* m : {&test.a, &test.b}) {
      const int64_t rows = m == &test.a ? 100 : 700, columns = m == &test.a ? 700 : 110;
      for (int64_t i = 0; i < rows * columns; ++i) {
        m->Set(0, i / columns, i % columns,
               positive ? random_.Uniform(1, 2) : random_.Normal(0, 1));
      }
    }
    test.Run();
    const std::vector<float> a = test.a.Numbers(0), b = test.b.Numbers(0);
    std::vector<float> fp32(110);
    std::vector<double> sums(110), magnitudes(110);
    double errors = 0, errors_fp32 = 0;
    for (int64_t m = 0; m < 100; ++m) {
      RowFp32(a.data() + m * 700, b.data(), 700, 110, fp32.data());
      RowFp64(a.data() + m * 700, b.data(), 700, 110, sums.data(), magnitudes.data());
      for (size_t n = 0; n < 110; ++n) {
        errors += std::pow(test.c.At(0, m, static_cast<int64_t>(n)) - sums[n], 2);
        errors_fp32 += std::pow(static_cast<double>(fp32[n]) - sums[n], 2);
      }
    }
    EXPECT_LE(errors, errors_fp32) << positive;
  }
}

// Integers of four bits give the bits of the same ones of eight.
TEST_F(GemmTest, Int4IsInt8) {
  for (const auto& [rows, columns, depth] : {std::tuple{1, 40, 500},
                                             {3, 7, 33},
                                             {30, 129, 1},
                                             {14, 131, 777},
                                             {300, 5, 400},
                                             {270, 300, 385}}) {
    for (const Element type : {Element::kInt8, Element::kFp32, Element::kFp16, Element::kBf16}) {
      for (const Layout layout : {Layout::kRows, Layout::kColumns}) {
        Case bytes = SizedCase(rows, columns, depth);
        bytes.problem.a.type = type;
        bytes.problem.b.type = Element::kInt8;
        bytes.problem.c.type = type == Element::kInt8 ? Element::kInt32 : Element::kFp32;
        bytes.problem.batch_rank = 1;
        bytes.problem.batch[0] = 2;
        bytes.Place(random_, {layout}, false);
        // Lines of whole bytes, in memory that ends with them.
        const bool across = layout == Layout::kRows;
        const int64_t lines = across ? depth : columns;
        const int64_t line = ((across ? columns : depth) + 1) / 2;
        GuardedBytes pairs(static_cast<size_t>(2 * lines * line));
        const gemm::Matrix b = bytes.problem.b;
        for (int64_t i = 0; i < 2 * lines * 2 * line; ++i) {
          const int64_t batch = i / (lines * 2 * line);
          const int64_t other = i / (2 * line) % lines, along = i % (2 * line);
          const auto value = static_cast<int8_t>(random_.Int(-8, 7));
          auto& pair = pairs[static_cast<size_t>(i / 2)];
          pair = static_cast<unsigned char>(i % 2 == 0 ? value & 15 : (pair | value << 4));
          const int64_t k = across ? other : along, n = across ? along : other;
          if (k >= depth || n >= columns) continue;
          static_cast<int8_t*>(
              bytes.b.data())[batch * b.batch_step[0] + k * b.row_step + n * b.column_step] = value;
        }
        bytes.Run();
        ASSERT_EQ(bytes.Check(), "");
        Case halves = bytes;
        halves.problem.b.type = Element::kInt4;
        (across ? halves.problem.b.row_step : halves.problem.b.column_step) = 2 * line;
        halves.problem.b.batch_step[0] = lines * 2 * line;
        const gemm::Plan plan(halves.problem);
        std::vector<char> workspace(plan.workspace_bytes() + 64);
        const auto address = reinterpret_cast<uintptr_t>(workspace.data());
        plan.Run({.a = bytes.a.data(), .b = pairs.data(), .c = halves.c.data()},
                 workspace.data() + (64 - address % 64));
        for (int64_t i = 0; i < 2 * rows * columns; ++i) {
          const int64_t batch = i / (rows * columns), m = i / columns % rows, n = i % columns;
          ASSERT_EQ(halves.c.BitsAt(batch, m, n), bytes.c.BitsAt(batch, m, n))
              << halves.Description() << ": " << batch << ", " << m << ", " << n;
        }
      }
    }
  }
}

// Integers with factors give the bits of the numbers that they stand for.
TEST_F(GemmTest, GroupsOfK) {
  for (const auto& [rows, columns, depth, group] : {std::tuple{1, 40, 512, 32},
                                                    {4, 19, 500, 64},
                                                    {3, 70, 31, 32},
                                                    {30, 129, 100, 32},
                                                    {14, 131, 777, 96},
                                                    {2, 33, 77, 5},
                                                    {300, 5, 400, 128},
                                                    {270, 300, 416, 32},
                                                    // Sums in parts, which are no multiples.
                                                    {3, 18, 17000, 160},
                                                    {7, 18, 17000, 96}}) {
    for (const Element type : kFloats) {
      for (const Layout layout : {Layout::kRows, Layout::kColumns, Layout::kGaps}) {
        Case numbers = SizedCase(rows, columns, depth);
        numbers.problem.a.type = type;
        numbers.problem.b.type = Element::kFp32;
        numbers.problem.c.type = Element::kFp32;
        numbers.Place(random_, {layout}, false);
        TestMatrix integers(Element::kInt8, 1, depth, columns, layout, false);
        integers.Fill(random_);
        const int64_t groups = (depth + group - 1) / group;
        TestMatrix scale(type, 1, groups, columns, layout, false);
        TestMatrix offset(type, 1, groups, columns, layout, false);
        scale.Fill(random_);
        offset.Fill(random_);
        const bool has_offset = columns % 2 == 0;
        const gemm::Matrix b = numbers.problem.b;
        for (int64_t k = 0; k < depth; ++k) {
          for (int64_t n = 0; n < columns; ++n) {
            float value = static_cast<float>(integers.At(0, k, n));
            if (has_offset) value += static_cast<float>(offset.At(0, k / group, n));
            value *= static_cast<float>(scale.At(0, k / group, n));
            static_cast<float*>(numbers.b.data())[k * b.row_step + n * b.column_step] = value;
          }
        }
        numbers.Run();
        ASSERT_EQ(numbers.Check(), "");
        Case scaled = numbers;
        gemm::Problem& p = scaled.problem;
        p.b = integers.matrix();
        p.b_group = group;
        p.b_scale = scale.matrix();
        p.has_b_offset = has_offset;
        p.b_offset = offset.matrix();
        const gemm::Plan plan(p);
        std::vector<char> workspace(plan.workspace_bytes() + 64);
        const auto address = reinterpret_cast<uintptr_t>(workspace.data());
        plan.Run({.a = numbers.a.data(),
                  .b = integers.data(),
                  .c = scaled.c.data(),
                  .b_scale = scale.data(),
                  .b_offset = offset.data()},
                 workspace.data() + (64 - address % 64));
        // Numbers of 16 bits on both sides, or the bits of the numbers.
        const bool any_order = MayTakeAnyOrder(p) || MayTakeAnyOrder(numbers.problem);
        for (int64_t i = 0; i < rows * columns; i += any_order ? 13 : 1) {
          const int64_t m = i / columns, n = i % columns;
          if (!any_order) {
            ASSERT_EQ(scaled.c.BitsAt(0, m, n), numbers.c.BitsAt(0, m, n))
                << scaled.Description() << ": " << m << ", " << n;
            continue;
          }
          double magnitude = 0;
          for (int64_t k = 0; k < depth; ++k) {
            magnitude += std::abs(numbers.a.At(0, m, k) * numbers.b.At(0, k, n));
          }
          const double bound = magnitude * (0x1p-16 + static_cast<double>(depth + 2) * 0x1p-23);
          ASSERT_NEAR(scaled.c.At(0, m, n), numbers.c.At(0, m, n), bound)
              << scaled.Description() << ": " << m << ", " << n;
        }
      }
    }
  }
}

TEST_F(GemmTest, NothingToDo) {
  for (const auto& [rows, columns, depth] :
       {std::tuple{0, 5, 3}, {5, 0, 3}, {5, 7, 0}, {0, 0, 0}}) {
    Case test = SizedCase(rows, columns, depth);
    ASSERT_NO_FATAL_FAILURE(Expect(test, {Layout::kRows}));
  }
}

}  // namespace
}  // namespace anyacl::test
