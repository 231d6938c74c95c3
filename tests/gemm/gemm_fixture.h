// SPDX-License-Identifier: Apache-2.0
// Made-up products, checked against the formula of gemm.h.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "gemm/gemm_case.h"

namespace anyacl::test {

inline const std::vector<Layout> kAllLayouts = {Layout::kRows, Layout::kColumns, Layout::kGaps,
                                                Layout::kBackwards};
inline const std::vector<Element> kFloats = {Element::kFp32, Element::kFp16, Element::kBf16};

class GemmTest : public testing::Test {
 protected:
  GemmTest() : seed_(SeedOr(7)), random_(seed_) { RecordProperty("seed", std::to_string(seed_)); }

  void SetFloatTypes(Case& test) {
    test.problem.a.type = random_.Pick(kFloats);
    test.problem.b.type = random_.Chance(0.5) ? test.problem.a.type : random_.Pick(kFloats);
    test.problem.c.type = random_.Pick(kFloats);
  }
  void Expect(Case& test, const std::vector<Layout>& layouts, bool share_b = false) {
    test.Place(random_, layouts, share_b);
    test.Run();
    ASSERT_EQ(test.Check(), "");
  }

  // `count` rows at a time; rows of A contiguous.
  static void ExpectSameAlone(const Case& all, std::initializer_list<int64_t> rows,
                              int64_t count = 1) {
    for (const int64_t row : rows) {
      Case one = all;
      one.problem.rows = count;
      one.problem.all_rows = all.problem.all_rows;
      const gemm::Plan plan(one.problem);
      std::vector<char> workspace(plan.workspace_bytes() + 64);
      const auto address = reinterpret_cast<uintptr_t>(workspace.data());
      const int64_t bytes = all.problem.a.type == Element::kFp32 ? 4 : 2;
      const auto* a = static_cast<const char*>(all.a.data()) + row * all.problem.a.row_step * bytes;
      plan.Run({.a = a, .b = all.b.data(), .c = one.c.data()},
               workspace.data() + (64 - address % 64));
      for (int64_t i = 0; i < count * all.problem.columns; ++i) {
        const int64_t m = i / all.problem.columns, n = i % all.problem.columns;
        ASSERT_EQ(one.c.BitsAt(0, m, n), all.c.BitsAt(0, row + m, n)) << row + m << ", " << n;
      }
    }
  }

  const uint64_t seed_;
  Random random_;
};

}  // namespace anyacl::test
