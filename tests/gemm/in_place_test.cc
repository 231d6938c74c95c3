// SPDX-License-Identifier: Apache-2.0
// Lines that are multiplied where they lie: in matrix registers few or near ones of 16 bits, in
// vectors near ones of fp32.
#include <tuple>
#include <utility>

#include "gemm/gemm_fixture.h"

namespace anyacl::test {
namespace {

using InPlaceTest = GemmTest;

// Lines along k of many numbers by few others, which matrix registers read where they lie: of B,
// then of A; the last depth is more than one sum has.
TEST_F(InPlaceTest, FewLinesByMany) {
  for (const auto& [few, many, depth] : {std::tuple{3, 1030, 1024},
                                         {5, 1030, 1024},
                                         {17, 515, 2304},
                                         {33, 300, 4672},
                                         {64, 70, 18432},
                                         {64, 1025, 1056},
                                         {40, 1100, 1000}}) {
    for (const Element type : {Element::kBf16, Element::kFp16, Element::kInt8}) {
      Case b = SizedCase(few, many, depth), a = SizedCase(many, few, depth);
      for (Case* test : {&a, &b}) {
        test->problem.a.type = test->problem.b.type = type;
        test->problem.c.type = type == Element::kInt8 ? Element::kInt32 : Element::kFp32;
        test->problem.batch_rank = 1;
        test->problem.batch[0] = few < 6 ? 2 : 1;
      }
      ASSERT_NO_FATAL_FAILURE(Expect(b, {Layout::kColumns}));
      ASSERT_NO_FATAL_FAILURE(Expect(a, {Layout::kRows}));
    }
  }
}

// Tiles of all heights, k of one block and of several, in both directions; and packed ones.
TEST_F(InPlaceTest, RowsOfNumbers) {
  for (const auto& [rows, columns, depth] :
       {std::tuple{7, 40, 5}, {25, 70, 130}, {66, 33, 8}, {131, 96, 512}, {300, 130, 801}}) {
    for (const Layout layout : {Layout::kRows, Layout::kBackwards, Layout::kColumns}) {
      Case test = SizedCase(rows, columns, depth);
      test.problem.a.type = test.problem.b.type = test.problem.c.type = Element::kFp32;
      test.problem.batch_rank = 1;
      test.problem.batch[0] = 2;
      ASSERT_NO_FATAL_FAILURE(Expect(test, {layout}));
    }
  }
}

// The same bits where they are packed, since there are more others, or where so few more lie so
// near each other that they stay in place, too.
TEST_F(InPlaceTest, TheSameBitsAsPacked) {
  for (const auto& [a, b] : {std::pair{Element::kBf16, Element::kBf16},
                             {Element::kFp16, Element::kFp16},
                             {Element::kFp32, Element::kFp16},
                             {Element::kFp16, Element::kBf16}}) {
    for (const int64_t depth : {1056, 1024}) {
      Case all = SizedCase(70, 1030, depth);
      all.problem.a.type = a;
      all.problem.b.type = b;
      all.problem.allows_16_bits = true;
      all.Place(random_, {Layout::kColumns}, false);
      all.Run();
      for (const int64_t count : {5, 17, 64}) {
        ASSERT_NO_FATAL_FAILURE(ExpectSameAlone(all, {0, 70 - count}, count));
      }
    }
  }
}

// One row that stands for all has no place of its own for each.
TEST_F(InPlaceTest, RepeatedRows) {
  for (const int64_t columns : {48, 300}) {
    Case test = SizedCase(1100, columns, 960);
    test.problem.a.type = test.problem.b.type = Element::kBf16;
    test.Place(random_, {Layout::kRows}, false);
    test.Run();
    std::vector<uint32_t> first;
    for (int64_t n = 0; n < columns; ++n) first.push_back(test.c.BitsAt(0, 0, n));
    test.problem.a.row_step = 0;
    test.Run();
    for (int64_t m = 0; m < test.problem.rows; ++m) {
      for (int64_t n = 0; n < columns; ++n) {
        ASSERT_EQ(test.c.BitsAt(0, m, n), first[static_cast<size_t>(n)]) << m << ", " << n;
      }
    }
  }
}

}  // namespace
}  // namespace anyacl::test
