// SPDX-License-Identifier: Apache-2.0
// Copies between random views, against loops over indices.
#include "nnop/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "support/random.h"

namespace anyacl {
namespace {

// Sizes of `rank` dimensions with a product of at most 2^16.
std::vector<int64_t> RandomSizes(test::Random& random, int rank) {
  std::vector<int64_t> sizes;
  int64_t count = 1;
  for (int i = 0; i < rank; ++i) {
    const int64_t limit = std::max<int64_t>(1, (1 << 16) / count);
    const int64_t most = random.Chance(0.3) ? 400 : 9;
    sizes.push_back(random.Chance(0.15) ? 1 : random.Int(1, std::min(limit, most)));
    count *= sizes.back();
  }
  return sizes;
}

// Steps in elements: dimensions in random order, some with gaps or backwards; the first element's
// place and the elements in all.
struct Steps {
  std::vector<int64_t> steps;
  int64_t begin = 0;
  int64_t reach = 1;
};

Steps RandomSteps(test::Random& random, const std::vector<int64_t>& sizes, bool repeats) {
  Steps result;
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (random.Chance(0.6)) {
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1],
                order[static_cast<size_t>(random.Int(0, static_cast<int64_t>(i) - 1))]);
    }
  }
  result.steps.resize(sizes.size());
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    if (repeats && random.Chance(0.2)) continue;
    int64_t step = result.reach;
    if (random.Chance(0.25)) step += random.Int(1, 5);
    const int64_t whole = (sizes[*at] - 1) * step;
    const bool backwards = random.Chance(0.2);
    result.steps[*at] = backwards ? -step : step;
    if (backwards) result.begin += whole;
    result.reach += whole;
  }
  return result;
}

TEST(StridedCopy, CopiesBetweenAnyViews) {
  test::Random random(test::SeedOr(20261122));
  for (int round = 0; round < 3000; ++round) {
    const int64_t bytes = int64_t{1} << random.Int(0, 4);
    const auto sizes = RandomSizes(random, static_cast<int>(random.Int(0, 6)));
    const Steps to = RandomSteps(random, sizes, false);
    const Steps from = RandomSteps(random, sizes, true);
    CopyLoops loops;
    loops.element_bytes = static_cast<int>(bytes);
    loops.to_begin = to.begin * bytes;
    loops.from_begin = from.begin * bytes;
    int64_t count = 1;
    for (size_t i = 0; i < sizes.size(); ++i) {
      loops.Add(sizes[i], to.steps[i] * bytes, from.steps[i] * bytes);
      count *= sizes[i];
    }
    std::vector<char> source(static_cast<size_t>(from.reach * bytes));
    for (char& byte : source) byte = static_cast<char>(random.Int(0, 255));
    std::vector<char> actual(static_cast<size_t>(to.reach * bytes), '?');
    std::vector<char> expected = actual;
    for (int64_t k = 0; k < count; ++k) {
      int64_t rest = k;
      int64_t t = to.begin, f = from.begin;
      for (size_t i = sizes.size(); i-- > 0; rest /= sizes[i]) {
        t += rest % sizes[i] * to.steps[i];
        f += rest % sizes[i] * from.steps[i];
      }
      std::memcpy(&expected[static_cast<size_t>(t * bytes)],
                  &source[static_cast<size_t>(f * bytes)], static_cast<size_t>(bytes));
    }
    StridedCopy(loops).Run(actual.data(), source.data());
    ASSERT_EQ(actual, expected) << "round " << round << ", " << bytes << " bytes, sizes "
                                << ::testing::PrintToString(sizes) << ", steps "
                                << ::testing::PrintToString(to.steps) << " and "
                                << ::testing::PrintToString(from.steps);
  }
}

// Results larger than the last cache are written past it: runs, repeated elements and tiles.
TEST(StridedCopy, CopiesMoreThanTheCachesHold) {
  const int64_t rows = 3001, columns = 2600;  // 31 MB
  std::vector<uint32_t> source(static_cast<size_t>(rows * columns));
  std::iota(source.begin(), source.end(), 7u);
  std::vector<uint32_t> result(source.size());
  struct Case {
    int64_t row_step, column_step;
  };
  for (const auto& [row_step, column_step] :
       {Case{columns, 1}, {1, rows}, {0, 1}, {1, 0}, {columns, -1}}) {
    CopyLoops loops;
    loops.element_bytes = 4;
    loops.from_begin = column_step < 0 ? (columns - 1) * 4 : 0;
    loops.Add(rows, columns * 4, row_step * 4);
    loops.Add(columns, 4, column_step * 4);
    StridedCopy(loops).Run(reinterpret_cast<char*>(result.data()),
                           reinterpret_cast<const char*>(source.data()));
    const int64_t begin = loops.from_begin / 4;
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t c = 0; c < columns; ++c) {
        ASSERT_EQ(result[static_cast<size_t>(r * columns + c)],
                  source[static_cast<size_t>(begin + r * row_step + c * column_step)])
            << r << ", " << c << " of steps " << row_step << " and " << column_step;
      }
    }
  }
}

// Rows of any length that are written past the cache, by tiles of columns: each of them lies
// otherwise in lines of memory, and its neighbours' elements remain. Chunks come in any order.
template <class T>
void TransposePastCaches(int64_t rows, int64_t columns, int64_t gap) {
  const int64_t bytes = sizeof(T), step = columns + gap, begin = 3;
  std::vector<T> source(static_cast<size_t>(rows * columns));
  std::iota(source.begin(), source.end(), T{7});
  const T kept = 99;
  std::vector<T> result(static_cast<size_t>(begin + rows * step), kept);
  CopyLoops loops;
  loops.element_bytes = static_cast<int>(bytes);
  loops.to_begin = begin * bytes;
  loops.Add(rows, step * bytes, bytes);
  loops.Add(columns, bytes, rows * bytes);
  const StridedCopy copy(loops);
  for (int64_t chunk = copy.chunks(); chunk-- > 0;) {
    copy.RunChunk(chunk, reinterpret_cast<char*>(result.data()),
                  reinterpret_cast<const char*>(source.data()));
  }
  for (int64_t i = 0; i < begin; ++i) ASSERT_EQ(result[static_cast<size_t>(i)], kept);
  for (int64_t r = 0; r < rows; ++r) {
    const T* row = &result[static_cast<size_t>(begin + r * step)];
    for (int64_t c = 0; c < columns; ++c) {
      ASSERT_EQ(row[c], source[static_cast<size_t>(c * rows + r)]) << r << ", " << c;
    }
    for (int64_t c = columns; c < step; ++c) ASSERT_EQ(row[c], kept) << r << ", " << c;
  }
}

TEST(StridedCopy, CutsRowsOfTilesAtLines) {
  TransposePastCaches<uint8_t>(5003, 5101, 0);
  TransposePastCaches<uint16_t>(3001, 4307, 2);
  TransposePastCaches<uint32_t>(3001, 2155, 0);
  TransposePastCaches<uint32_t>(2155, 3009, 15);  // the last tile has a column, rows a line each
  TransposePastCaches<uint64_t>(3002, 1079, 1);
}

// Short runs that are written past the cache move in tiles of rows and runs, some of them partial.
TEST(StridedCopy, CopiesShortRunsInTiles) {
  const int64_t outer = 3, heads = 13, rows = 3001;
  std::vector<uint32_t> source(static_cast<size_t>(outer * heads * rows * 75));  // 35 MB
  std::iota(source.begin(), source.end(), 7u);
  for (const auto& [run, to_gap] : {std::pair<int64_t, int64_t>{75, 0}, {64, 4}}) {
    std::vector<uint32_t> result(static_cast<size_t>(outer * heads * rows * (run + to_gap)));
    CopyLoops loops;
    loops.element_bytes = 4;
    loops.Add(outer, heads * rows * (run + to_gap) * 4, rows * heads * run * 4);
    loops.Add(heads, rows * (run + to_gap) * 4, run * 4);
    loops.Add(rows, (run + to_gap) * 4, heads * run * 4);
    loops.Add(run, 4, 4);
    StridedCopy(loops).Run(reinterpret_cast<char*>(result.data()),
                           reinterpret_cast<const char*>(source.data()));
    size_t at = 0;
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t h = 0; h < heads; ++h) {
        for (int64_t r = 0; r < rows; ++r) {
          const auto from = static_cast<size_t>(((o * rows + r) * heads + h) * run);
          for (size_t i = 0; i < static_cast<size_t>(run); ++i, ++at) {
            ASSERT_EQ(result[at], source[from + i]) << o << ", " << h << ", " << r << ", " << i;
          }
          for (int64_t i = 0; i < to_gap; ++i, ++at) ASSERT_EQ(result[at], 0u);
        }
      }
    }
  }
}

TEST(StridedCopy, NothingIsCopiedOfAnEmptyShape) {
  CopyLoops loops;
  loops.Add(3, 1, 1);
  loops.Add(0, 0, 0);
  EXPECT_EQ(StridedCopy(loops).chunks(), 0);
}

}  // namespace
}  // namespace anyacl
