// SPDX-License-Identifier: Apache-2.0
// A matrix in panels gives the bits of the same one without, in memory that ends with it.
#include <gtest/gtest.h>

#include <cstring>
#include <tuple>

#include "gemm/gemm_case.h"

namespace anyacl::test {
namespace {

int64_t RoundedUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

// B of the case as panels of `width` columns, or rows.
struct InPanels {
  GuardedBytes bytes;
  gemm::Matrix matrix;

  InPanels(const Case& test, int64_t width, bool of_rows) {
    const gemm::Problem& p = test.problem;
    const int64_t size = BytesOf(p.b.type), batches = p.batch_rank == 0 ? 1 : p.batch[0];
    const int64_t across = of_rows ? p.columns : p.depth, along = of_rows ? p.depth : p.columns;
    matrix = p.b;
    matrix.panel = width;
    matrix.panel_step = RoundedUp(across, 16) * width;
    matrix.row_step = of_rows ? 1 : width;
    matrix.column_step = of_rows ? width : 1;
    matrix.batch_step[0] = matrix.panel_step * (RoundedUp(along, width) / width);
    bytes = GuardedBytes(static_cast<size_t>(batches * matrix.batch_step[0] * size));
    // What makes up whole panels is nobody's.
    if (!bytes.empty()) std::memset(bytes.data(), 0x7f, bytes.size());
    for (int64_t i = 0; i < batches; ++i) {
      for (int64_t k = 0; k < p.depth; ++k) {
        for (int64_t n = 0; n < p.columns; ++n) {
          const int64_t cut = of_rows ? k : n;
          const int64_t at = i * matrix.batch_step[0] + cut / width * matrix.panel_step +
                             cut % width + (of_rows ? n : k) * width;
          const uint32_t bits = test.b.BitsAt(i, k, n);
          std::memcpy(&bytes[static_cast<size_t>(at * size)], &bits, static_cast<size_t>(size));
        }
      }
    }
  }
};

class PanelsTest : public testing::Test {
 protected:
  PanelsTest() : seed_(SeedOr(7)), random_(seed_) { RecordProperty("seed", std::to_string(seed_)); }

  void Check(Case test) {
    test.problem.batch_rank = 1;
    test.problem.batch[0] = test.problem.depth < 100 ? 2 : 1;
    test.Place(random_, {Layout::kRows}, false);
    test.Run();
    ASSERT_EQ(test.Check(), "");
    for (int64_t width : {8, 16, 32, 64}) {
      for (bool of_rows : {false, true}) {
        const InPanels panels(test, width, of_rows);
        Case other = test;
        other.problem.b = panels.matrix;
        const gemm::Plan plan(other.problem);
        std::vector<char> memory(plan.workspace_bytes() + 64, '\xff');
        const auto address = reinterpret_cast<uintptr_t>(memory.data());
        plan.Run({.a = test.a.data(),
                  .b = panels.bytes.data(),
                  .d = test.d.data(),
                  .row_scale = test.row_scale.data(),
                  .column_scale = test.column_scale.data(),
                  .c = other.c.data()},
                 memory.data() + (64 - address % 64) % 64);
        for (int64_t i = 0; i < test.problem.batch[0]; ++i) {
          for (int64_t m = 0; m < test.problem.rows; ++m) {
            for (int64_t n = 0; n < test.problem.columns; ++n) {
              ASSERT_EQ(other.c.BitsAt(i, m, n), test.c.BitsAt(i, m, n))
                  << test.Description() << " width " << width << " of rows " << of_rows << ": " << m
                  << ", " << n;
            }
          }
        }
      }
    }
  }

  const uint64_t seed_;
  Random random_;
};

// Few rows and many, less than a panel, several blocks of columns and of k, sums in parts.
TEST_F(PanelsTest, GiveTheBitsOfRows) {
  for (const auto& [rows, columns, depth] : {std::tuple{1, 40, 50},
                                             {4, 19, 500},
                                             {3, 7, 33},
                                             {2, 2300, 40},
                                             {30, 129, 1},
                                             {14, 131, 777},
                                             {300, 5, 400},
                                             {270, 300, 385},
                                             {3, 18, 17000},
                                             {7, 18, 17000},
                                             {5, 7, 0},
                                             {0, 7, 3}}) {
    for (const Element type : {Element::kFp32, Element::kFp16, Element::kBf16, Element::kInt8}) {
      Case test;
      test.problem.rows = rows;
      test.problem.columns = columns;
      test.problem.depth = depth;
      test.problem.a.type = test.problem.b.type = type;
      test.problem.c.type = type == Element::kInt8 ? Element::kInt32 : Element::kFp32;
      ASSERT_NO_FATAL_FAILURE(Check(test));
    }
  }
}

}  // namespace
}  // namespace anyacl::test
