// SPDX-License-Identifier: Apache-2.0
// Tensors that are views of others: any stride and offset gives the results of dense tensors, and
// nothing around the elements is written. Panels that are not in place are gathered.
#include "ops/grouped_matmul_case.h"

namespace anyacl::test {
namespace {

class LayoutTest : public GroupedMatmulTest {
 protected:
  // The results for changed layouts are those of contiguous tensors, to the bit.
  void ExpectSame(const GroupedProblem& problem,
                  const std::function<void(GroupedLayouts&)>& change) {
    GroupedLayouts layouts = LayoutsOf(problem);
    change(layouts);
    EXPECT_TRUE(Run(problem, layouts) == Run(problem));
  }
  GroupedProblem Problem(Storage storage, int64_t groups = 1) {
    return RandomProblem(storage, {.m = 14, .k = 48, .n = 128, .e = 2, .g = groups}, random());
  }
};

// Idea 47.
TEST_F(LayoutTest, StridedRowsAndResults) {
  for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nz}) {
    const GroupedProblem problem = Problem(storage);
    ExpectSame(problem, [](GroupedLayouts& l) { l.x.strides = {61, 1}, l.x.offset = 7; });
    ExpectSame(problem, [](GroupedLayouts& l) { l.x.strides = {1, 14}; });
    ExpectSame(problem, [](GroupedLayouts& l) { l.x.strides = {48 * 3, 3}; });
    ExpectSame(problem, [](GroupedLayouts& l) { l.x.strides = {-48, 1}, l.x.offset = 48 * 13; });
    ExpectSame(problem, [](GroupedLayouts& l) { l.x_scale.strides = {2}; });
    ExpectSame(problem, [](GroupedLayouts& l) { l.q.strides = {100, 1}, l.q.offset = 5; });
    ExpectSame(problem, [](GroupedLayouts& l) { l.q.strides = {1, 14}; });
    ExpectSame(problem, [](GroupedLayouts& l) { l.q_scale.strides = {3}, l.q_scale.offset = 2; });
  }
}

TEST_F(LayoutTest, StridedScalesAndBiases) {
  ExpectSame(Problem(Storage::kInt8Nz), [](GroupedLayouts& l) { l.scale.strides = {1, 2}; });
  ExpectSame(Problem(Storage::kInt4Nz), [](GroupedLayouts& l) { l.bias.strides = {1, 2}; });
  ExpectSame(Problem(Storage::kInt4Nz), [](GroupedLayouts& l) { l.scale.strides = {1, 2}; });
  ExpectSame(Problem(Storage::kInt4Nz, 4), [](GroupedLayouts& l) {
    l.scale.strides = {128, 256, 1}, l.scale.offset = 1;
  });
}

TEST_F(LayoutTest, BroadcastRows) {
  GroupedProblem problem = Problem(Storage::kInt8Nz);
  for (size_t i = 48; i < problem.in.x.size(); ++i) problem.in.x[i] = problem.in.x[i % 48];
  ExpectSame(problem, [](GroupedLayouts& l) { l.x.strides = {0, 1}; });
}

// Idea 31.
TEST_F(LayoutTest, StridedBounds) {
  ExpectSame(Problem(Storage::kInt8Nz),
             [](GroupedLayouts& l) { l.group_list.strides = {2}, l.group_list.offset = 1; });
}

TEST_F(LayoutTest, StridedInt8Panels) {
  const GroupedProblem problem = Problem(Storage::kInt8Nz);
  const auto with = [&](std::vector<int64_t> strides, int64_t offset) {
    ExpectSame(problem, [&](GroupedLayouts& l) {
      l.weight.strides = strides;
      l.weight.offset = offset;
    });
  };
  with({6144, 1536, 512, 32, 1}, 64);           // an offset alone
  with({7000, 1600, 512, 32, 1}, 0);            // panels apart
  with({1536, 3072, 512, 32, 1}, 0);            // experts side by side
  with({4 * 3 * 600, 3 * 600, 600, 32, 1}, 0);  // blocks apart
  with({6144 * 2, 1536 * 2, 1024, 64, 1}, 0);   // rows apart
  with({6144 * 2, 1536 * 2, 1024, 64, 2}, 3);   // columns apart
}

// Idea 48.
TEST_F(LayoutTest, StridedWordsOfInt4) {
  for (int64_t groups : {1, 3}) {
    const GroupedProblem rows = Problem(Storage::kInt32Nd, groups);
    const auto with_rows = [&](std::vector<int64_t> strides, int64_t offset) {
      ExpectSame(rows, [&](GroupedLayouts& l) {
        l.weight.strides = strides;
        l.weight.offset = offset;
      });
    };
    with_rows({48 * 16, 16, 1}, 5);
    with_rows({48 * 20, 20, 1}, 3);
    with_rows({1, 2 * 16, 2}, 0);
    with_rows({48 * 16, 1, 48}, 0);
    const GroupedProblem blocks = Problem(Storage::kInt32Nz, groups);
    const auto with_blocks = [&](std::vector<int64_t> strides, int64_t offset) {
      ExpectSame(blocks, [&](GroupedLayouts& l) {
        l.weight.strides = strides;
        l.weight.offset = offset;
      });
    };
    with_blocks({768, 384, 128, 8, 1}, 9);
    with_blocks({1600, 800, 256, 16, 1}, 0);
    with_blocks({1600, 800, 256, 16, 2}, 1);
  }
}

TEST_F(LayoutTest, OffsetInt4) {
  for (Storage storage : {Storage::kInt4Nd, Storage::kInt4Nz}) {
    ExpectSame(Problem(storage, 2), [](GroupedLayouts& l) { l.weight.offset = 6; });
  }
}

// Groups whose sizes are no multiples of four are padded.
TEST_F(LayoutTest, GroupsOfEverySize) {
  for (Storage storage : kInt4Storages) {
    for (int64_t groups : {1, 2, 3, 4, 6, 8, 12, 16, 24, 48}) {
      SCOPED_TRACE(::testing::Message() << NameOf(storage) << " G " << groups);
      ExpectMatchesReference(
          RandomProblem(storage, {.m = 9, .k = 48, .n = 64, .e = 2, .g = groups}, random()));
    }
  }
  for (int64_t k : {1, 2, 3, 5, 7, 30, 70}) {
    for (int64_t m : {9, 50}) {
      ExpectMatchesReference(
          RandomProblem(Storage::kInt4Nd, {.m = m, .k = k, .n = 70, .e = 2, .g = k}, random()));
    }
  }
}

}  // namespace
}  // namespace anyacl::test
