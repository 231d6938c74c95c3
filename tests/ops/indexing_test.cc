// SPDX-License-Identifier: Apache-2.0
// Elements and slices that an index tensor names, against the oracle.
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_add_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_put.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "aclnnop/aclnn_take.h"
#include "ops/indexing_case.h"

namespace anyacl::test {
namespace {

struct ElementCase {
  Shape self;
  int64_t dim;
  Shape index;
};
const ElementCase kElementCases[] = {{{7}, 0, {5}},
                                     {{5, 4}, 0, {3, 4}},
                                     {{5, 4}, 1, {2, 9}},
                                     {{4, 3, 5}, -2, {4, 6, 5}},
                                     {{4, 3, 5}, -1, {1, 3, 2}},
                                     {{4, 3, 5}, 0, {0, 3, 5}},
                                     {{}, 0, {}},
                                     {{100, 60}, 1, {100, 50}},
                                     {{50}, 0, {9000}},
                                     // Several ranges of target, which threads share.
                                     {{3000}, 0, {9000}},
                                     {{2, 5000}, 1, {2, 5000}},
                                     // Columns of a piece, the last ones fewer than a vector.
                                     {{40, 101}, 0, {50, 101}},
                                     {{3, 30, 40}, 0, {5, 30, 40}},
                                     // Pieces of a dimension that is apart, rows by the many.
                                     {{6, 300}, 0, {70, 300}},
                                     {{2, 700}, 0, {9, 700}},
                                     {{400, 33}, 1, {400, 20}}};

// Nothing is written, though most indices are right: 9000 are shared by threads, 3 rows are not.
TEST_F(IndexingTest, WrongIndicesOfSingleElements) {
  for (const Shape& shape : {Shape{9000}, Shape{3, 3000}}) {
    SCOPED_TRACE(::testing::PrintToString(shape));
    const int64_t dim = std::ssize(shape) - 1;
    Tensor self({.dims = shape}), other({.dims = shape});
    WriteAs(self, Numbers(9000));
    WriteAs(other, Numbers(9000));
    std::vector<int64_t> values(9000, 7);
    for (int64_t wrong : {shape.back(), -shape.back() - 1, INT64_MAX, INT64_MIN}) {
      values[2100] = values[8000] = wrong;
      const Tensor index = IndexTensor(shape, values);
      const std::string position = dim == 0 ? "[2100]" : "[0, 2100]";
      ExpectTaskFails(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnInplaceScatterGetWorkspaceSize(self.handle(), dim, index.handle(),
                                                       other.handle(), 1, size, executor);
          },
          aclnnInplaceScatter, self, {"index", std::to_string(wrong), position});
      ExpectTaskFails(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnGatherGetWorkspaceSize(self.handle(), dim, index.handle(), other.handle(),
                                               size, executor);
          },
          aclnnGather, self, {"index", std::to_string(wrong), position});
    }
  }
}

TEST_F(IndexingTest, Gather) {
  for (const ElementCase& c : kElementCases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.index));
    const Shape shape = c.self.empty() ? Shape{1} : c.self;
    const Shape index_shape = c.self.empty() ? Shape{1} : c.index;
    const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(shape) : c.dim);
    const auto indices = Indices(CountOf(index_shape), shape[d], true);
    const Moved moved = ElementsOf(shape, c.dim, index_shape, indices);
    const std::vector<double> values = Numbers(CountOf(shape), 100);
    std::vector<double> expected;
    for (int64_t from : moved.from) expected.push_back(values[static_cast<size_t>(from)]);
    ForLayouts([&](aclDataType type, Lie from, Lie to) {
      if (!Worth(CountOf(index_shape) + CountOf(shape), type, from, to)) return;
      Tensor self(Lying(c.self, type, from)), out(Lying(c.index, type, to));
      Tensor index = IndexTensor(c.index, indices, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, from);
      WriteAs(self, values);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnGatherGetWorkspaceSize(self.handle(), c.dim, index.handle(), out.handle(),
                                               size, executor);
          },
          aclnnGather);
      Expect(out, expected);
    });
  }
}

TEST_F(IndexingTest, Scatter) {
  for (const ElementCase& c : kElementCases) {
    SCOPED_TRACE(::testing::PrintToString(c.self) + ::testing::PrintToString(c.index));
    const Shape shape = c.self.empty() ? Shape{1} : c.self;
    const Shape index_shape = c.self.empty() ? Shape{1} : c.index;
    const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(shape) : c.dim);
    const auto indices = Indices(CountOf(index_shape), shape[d]);
    const Moved moved = ElementsOf(shape, c.dim, index_shape, indices);
    const std::vector<double> before = Numbers(CountOf(shape), 2);
    const std::vector<double> values = Numbers(CountOf(index_shape), 1);
    for (int64_t reduce : {0, 1, 2}) {
      const auto writing = static_cast<Writing>(reduce);
      const auto after = WrittenOf(before, moved, values, writing);
      ForLayouts([&](aclDataType type, Lie from, Lie to) {
        if (!Worth(CountOf(index_shape) + CountOf(shape), type, from, to)) return;
        Tensor self(Lying(c.self, type, from)), out(Lying(c.self, type, to));
        Tensor inplace(Lying(c.self, type, to)), source(Lying(c.index, type, from));
        Tensor index =
            IndexTensor(c.index, indices, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, from);
        WriteAs(self, before);
        WriteAs(inplace, before);
        WriteAs(source, values);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnScatterGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                  source.handle(), reduce, out.handle(), size,
                                                  executor);
            },
            aclnnScatter);
        Expect(out, AsHeld(type, after));
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnInplaceScatterGetWorkspaceSize(inplace.handle(), c.dim, index.handle(),
                                                         source.handle(), reduce, size, executor);
            },
            aclnnInplaceScatter);
        Expect(inplace, AsHeld(type, after));
        if (reduce != 1) return;
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnScatterAddGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                     source.handle(), out.handle(), size, executor);
            },
            aclnnScatterAdd);
        Expect(out, AsHeld(type, after));
      });
    }
  }
}

TEST_F(IndexingTest, ScatterValue) {
  const Scalar two(2);
  for (const ElementCase& c : kElementCases) {
    if (c.self.empty()) continue;
    const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.self) : c.dim);
    // Distinct enough that products stay small.
    const auto indices = Indices(CountOf(c.index), c.self[d]);
    const Moved moved = ElementsOf(c.self, c.dim, c.index, indices);
    const std::vector<double> before = Numbers(CountOf(c.self), 2);
    for (int64_t reduce : {0, 1}) {
      const auto after = WrittenOf(before, moved, std::vector<double>(moved.from.size(), 2),
                                   static_cast<Writing>(reduce));
      for (aclDataType type : {ACL_DOUBLE, ACL_INT32}) {
        Tensor self(Lying(c.self, type, Lie::kGaps)), out(Lying(c.self, type, Lie::kColumns));
        Tensor index = IndexTensor(c.index, indices);
        WriteAs(self, before);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnScatterValueGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                       two.get(), reduce, out.handle(), size,
                                                       executor);
            },
            aclnnScatterValue);
        Expect(out, after);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnInplaceScatterValueGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                              two.get(), reduce, size, executor);
            },
            aclnnInplaceScatterValue);
        Expect(self, after);
      }
    }
  }
}

// Of equal indices the last one wins, and sums are made in the order of the indices: 2^24 absorbs
// ones that come after it.
TEST_F(IndexingTest, EqualIndicesInTheirOrder) {
  constexpr int64_t kCount = 50000;
  Tensor self({.dims = {3}}), source({.dims = {kCount}}), out({.dims = {3}});
  std::vector<int64_t> indices;
  std::vector<float> values(kCount, 1.0f);
  for (int64_t i = 0; i < kCount; ++i) indices.push_back(i % 3);
  values[30000] = 0x1p24f;  // to element 0, after 10000 ones
  Tensor index = IndexTensor({kCount}, indices);
  self.Write(std::vector<float>{0, 0, 0});
  source.Write(values);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnScatterAddGetWorkspaceSize(self.handle(), 0, index.handle(), source.handle(),
                                               out.handle(), size, executor);
      },
      aclnnScatterAdd);
  std::vector<float> expected(3, 0.0f);
  for (int64_t i = 0; i < kCount; ++i) {
    expected[static_cast<size_t>(i % 3)] += values[static_cast<size_t>(i)];
  }
  EXPECT_EQ(out.Read<float>(), expected);
  EXPECT_EQ(expected[0], 0x1p24f + 10000);
  for (int64_t i = 0; i < kCount; ++i) values[static_cast<size_t>(i)] = static_cast<float>(i);
  source.Write(values);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnScatterGetWorkspaceSize(self.handle(), 0, index.handle(), source.handle(), 0,
                                            out.handle(), size, executor);
      },
      aclnnScatter);
  EXPECT_EQ(out.Read<float>(), (std::vector<float>{49998, 49999, 49997}));
}

// Ones of 16 bits are counted in fp32: bf16 itself stops at 256.
TEST_F(IndexingTest, SumsOfSixteenBitsAreRoundedOnce) {
  Tensor self({.dims = {2}, .dtype = ACL_BF16}), source({.dims = {5000}, .dtype = ACL_BF16});
  Tensor index = IndexTensor({5000}, std::vector<int64_t>(5000, 1));
  WriteAs(self, {3, 0});
  WriteAs(source, std::vector<double>(5000, 1));
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnInplaceScatterGetWorkspaceSize(self.handle(), 0, index.handle(),
                                                   source.handle(), 1, size, executor);
      },
      aclnnInplaceScatter);
  Expect(self, {3, AsHeld(ACL_BF16, 5000)});
}

TEST_F(IndexingTest, TakeAndPut) {
  const Shape self_shape{6, 5}, index_shape{3, 7};
  const auto indices = Indices(21, 30, true);
  Moved moved{index_shape, {}};
  for (int64_t i : indices) moved.from.push_back(i < 0 ? i + 30 : i);
  const std::vector<double> before = Numbers(30, 100), values = Numbers(21, 2);
  std::vector<double> expected;
  for (int64_t from : moved.from) expected.push_back(before[static_cast<size_t>(from)]);
  ForLayouts([&](aclDataType type, Lie from, Lie to) {
    Tensor self(Lying(self_shape, type, to)), out(Lying(index_shape, type, to));
    Tensor source(Lying(to == Lie::kColumns ? Shape{21} : index_shape, type, from));
    Tensor index = IndexTensor(index_shape, indices, ACL_INT64, from);
    WriteAs(self, before);
    WriteAs(source, values);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnTakeGetWorkspaceSize(self.handle(), index.handle(), out.handle(), size,
                                           executor);
        },
        aclnnTake);
    Expect(out, expected);
    for (bool adds : {false, true}) {
      WriteAs(self, before);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnInplacePutGetWorkspaceSize(self.handle(), index.handle(), source.handle(),
                                                   adds, size, executor);
          },
          aclnnInplacePut);
      const auto after = WrittenOf(before, moved, values, adds ? Writing::kAdd : Writing::kReplace);
      Expect(self, AsHeld(type, after));
    }
  });
}

TEST_F(IndexingTest, NothingIsTakenFromNothing) {
  const Tensor self({.dims = {0}}), index({.dims = {2}, .dtype = ACL_INT64}), out({.dims = {2}});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnTakeGetWorkspaceSize(self.handle(), index.handle(), out.handle(), size,
                                         executor);
      },
      161002, {"self.shape", "[0]", "2"});
}

TEST_F(IndexingTest, AlongADimension) {
  struct Case {
    Shape self;
    int64_t dim, count;
  };
  const Case cases[] = {{{6, 4}, 0, 3}, {{6, 4}, 1, 9}, {{3, 5, 4}, 1, 4},   {{3, 5, 4}, -1, 2},
                        {{7}, 0, 20},   {{5, 2}, 0, 0}, {{40, 3000}, 0, 70}, {{2, 4, 70000}, 1, 3}};
  const Scalar alpha(2), value(5);
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.self));
    const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.self) : c.dim);
    const auto indices = Indices(c.count, c.self[d]);
    const Moved moved = AlongOf(c.self, c.dim, indices);
    const std::vector<double> before = Numbers(CountOf(c.self), 2);
    const std::vector<double> values = Numbers(CountOf(moved.shape), 1);
    std::vector<double> doubled;
    for (double x : values) doubled.push_back(2 * x);
    auto outside = indices;
    if (!outside.empty()) outside[0] = c.self[d], outside.back() = -1;
    const Moved filled = AlongOf(c.self, c.dim, outside);
    ForLayouts([&](aclDataType type, Lie from, Lie to) {
      if (!Worth(CountOf(c.self), type, from, to)) return;
      Tensor self(Lying(c.self, type, from)), out(Lying(c.self, type, to));
      Tensor source(Lying(moved.shape, type, from));
      Tensor index = IndexTensor({c.count}, indices, type == ACL_BF16 ? ACL_INT32 : ACL_INT64);
      Tensor fill_index = IndexTensor({c.count}, outside);
      WriteAs(self, before);
      WriteAs(source, values);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIndexAddGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                 source.handle(), alpha.get(), out.handle(), size,
                                                 executor);
          },
          aclnnIndexAdd);
      Expect(out, AsHeld(type, WrittenOf(before, moved, doubled, Writing::kAdd)));
      // The fast mode leaves alpha out.
      const bool fast = d == 0 && c.self.size() == 2 &&
                        (type == ACL_FLOAT || type == ACL_FLOAT16 || type == ACL_BF16 ||
                         type == ACL_INT32 || type == ACL_INT16);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIndexAddV2GetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                   source.handle(), alpha.get(), fast ? 0 : 3,
                                                   out.handle(), size, executor);
          },
          aclnnIndexAddV2);
      Expect(out, AsHeld(type, WrittenOf(before, moved, fast ? values : doubled, Writing::kAdd)));
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIndexCopyGetWorkspaceSize(self.handle(), c.dim, index.handle(),
                                                  source.handle(), out.handle(), size, executor);
          },
          aclnnIndexCopy);
      Expect(out, WrittenOf(before, moved, values, Writing::kReplace));
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIndexFillGetWorkspaceSize(self.handle(), c.dim, fill_index.handle(),
                                                  value.get(), out.handle(), size, executor);
          },
          aclnnIndexFill);
      const std::vector<double> fives(filled.from.size(), 5);
      Expect(out, WrittenOf(before, filled, fives, Writing::kReplace));
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnInplaceIndexFillGetWorkspaceSize(self.handle(), c.dim, fill_index.handle(),
                                                         value.get(), size, executor);
          },
          aclnnInplaceIndexFill);
      Expect(self, WrittenOf(before, filled, fives, Writing::kReplace));
    });
  }
}

// Entries that threads sort together, many for each row, runs and single elements. 16 bits round
// 2048 + 1 to 2048: only the sum of all entries shows them.
TEST_F(IndexingTest, SumsOfManyEntries) {
  const Scalar alpha(1);
  for (const Shape& shape : {Shape{900, 20}, Shape{900, 1}, Shape{90000}}) {
    const auto indices = Indices(70000, shape[0]);
    const Moved moved = AlongOf(shape, 0, indices);
    const std::vector<double> before(static_cast<size_t>(CountOf(shape)), 2048);
    const std::vector<double> values(static_cast<size_t>(CountOf(moved.shape)), 1);
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
      Tensor self({.dims = shape, .dtype = type}), source({.dims = moved.shape, .dtype = type});
      const Tensor out({.dims = shape, .dtype = type}), index = IndexTensor({70000}, indices);
      WriteAs(self, before);
      WriteAs(source, values);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIndexAddGetWorkspaceSize(self.handle(), 0, index.handle(), source.handle(),
                                                 alpha.get(), out.handle(), size, executor);
          },
          aclnnIndexAdd);
      Expect(out, AsHeld(type, WrittenOf(before, moved, values, Writing::kAdd)));
    }
  }
}

// An empty index may be of any type.
TEST_F(IndexingTest, EmptyIndicesOfOtherTypes) {
  const Tensor self({.dims = {3, 2}}), some({.dims = {1, 2}, .dtype = ACL_UINT8});
  const Tensor out({.dims = {0}}), two({.dims = {1, 2}});
  for (aclDataType type : {ACL_UINT8, ACL_FLOAT, ACL_INT64}) {
    const Tensor none({.dims = {0}, .dtype = type});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnGatherGetWorkspaceSize(self.handle(), 0, none.handle(), out.handle(), size,
                                             executor);
        },
        aclnnGather);
    Tensor sums({.dims = {3, 2}});
    WriteAs(sums, {1, 2, 3, 4, 5, 6});
    const Tensor result({.dims = {3, 2}});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnScatterAddGetWorkspaceSize(sums.handle(), 0, none.handle(), out.handle(),
                                                 result.handle(), size, executor);
        },
        aclnnScatterAdd);
    EXPECT_EQ(ReadAs(result), ReadAs(sums));
  }
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnGatherGetWorkspaceSize(self.handle(), 0, some.handle(), two.handle(), size,
                                           executor);
      },
      161002, {"index", "UINT8"});
}

TEST_F(IndexingTest, TheFastModeOfIndexAddHasLimits) {
  const Scalar alpha(2);
  const auto refused = [&](const Shape& dims, aclDataType type, int64_t dim,
                           std::initializer_list<std::string_view> words) {
    const Tensor self({.dims = dims, .dtype = type}), out({.dims = dims, .dtype = type});
    const Tensor index({.dims = {3}, .dtype = ACL_INT64});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnIndexAddV2GetWorkspaceSize(self.handle(), dim, index.handle(), self.handle(),
                                                 alpha.get(), 0, out.handle(), size, executor);
        },
        161002, words);
  };
  refused({3, 3}, ACL_FLOAT, 1, {"dim = 1", "0 or -2 as mode is 0"});
  refused({3, 3}, ACL_DOUBLE, 0, {"self.dtype = DOUBLE", "as mode is 0"});
  refused({3, 3}, ACL_INT64, -2, {"self.dtype = INT64"});
  refused({3}, ACL_FLOAT, 0, {"self.shape = [3]", "rank 2 as mode is 0"});
  refused({3, 3, 3}, ACL_FLOAT, 0, {"self.shape = [3, 3, 3]"});
}

// Indices that phase 1 knows, and refuses where they are out of range.
TEST_F(IndexingTest, FillsAtAListOfIndices) {
  struct Case {
    Shape self;
    int64_t dim;
    std::vector<int64_t> index;
  };
  const Scalar value(1);
  for (const Case& c : {Case{{3, 3}, 0, {0, 2}},
                        {{4, 5, 6}, -2, {-1, 0, 3, 3}},
                        {{4, 5, 6}, 2, {}},
                        {{7}, 0, {6}},
                        {{}, -1, {0}}}) {
    const IntArrayHandle index(c.index);
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64, ACL_BOOL}) {
      for (Lie lie : {Lie::kDense, Lie::kGaps}) {
        SCOPED_TRACE(::testing::PrintToString(c.self) + std::to_string(type));
        Tensor self(Lying(c.self, type, lie));
        const Tensor out(Lying(c.self, type, Lie::kDense));
        const std::vector<double> before = Numbers(self.count(), 1);
        WriteAs(self, before);
        std::vector<double> expected = before;
        const auto d = static_cast<size_t>(c.dim < 0 ? c.dim + std::ssize(c.self) : c.dim);
        for (size_t i = 0; i < expected.size(); ++i) {
          int64_t inner = 1;
          for (size_t k = d + 1; k < c.self.size(); ++k) inner *= c.self[k];
          const int64_t size = c.self.empty() ? 1 : c.self[d];
          const int64_t at = static_cast<int64_t>(i) / inner % size;
          for (int64_t j : c.index) {
            if (at == (j < 0 ? j + size : j)) expected[i] = 1;
          }
        }
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnIndexFillTensorGetWorkspaceSize(self.handle(), c.dim, index.get(),
                                                          value.get(), out.handle(), s, e);
            },
            aclnnIndexFillTensor);
        Expect(out, expected);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnInplaceIndexFillTensorGetWorkspaceSize(self.handle(), c.dim, index.get(),
                                                                 value.get(), s, e);
            },
            aclnnInplaceIndexFillTensor);
        Expect(self, expected);
      }
    }
  }
  const Tensor self({.dims = {3, 4}});
  for (int64_t wrong : {int64_t{4}, int64_t{-5}, INT64_MAX, INT64_MIN}) {
    const IntArrayHandle index({0, wrong});
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnInplaceIndexFillTensorGetWorkspaceSize(self.handle(), 1, index.get(),
                                                             value.get(), s, e);
        },
        161002, {"index has " + std::to_string(wrong), "-4 to 3"});
  }
  const Tensor empty({.dims = {2, 0}});
  const IntArrayHandle index({0, 2});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnInplaceIndexFillTensorGetWorkspaceSize(empty.handle(), 1, index.get(),
                                                           value.get(), s, e);
      },
      aclnnInplaceIndexFillTensor);
}

}  // namespace
}  // namespace anyacl::test
