// SPDX-License-Identifier: Apache-2.0
// Which rows belong to which expert: bounds as documented, and bounds that make no sense, which
// must neither crash nor touch what they do not own.
#include <algorithm>

#include "ops/grouped_matmul_case.h"

namespace anyacl::test {
namespace {

class GroupsTest : public GroupedMatmulTest {
 protected:
  void Check(const Sizes& sizes) {
    SCOPED_TRACE(::testing::PrintToString(sizes.bounds));
    for (Storage storage : {Storage::kInt8Nz, Storage::kInt4Nd}) {
      ExpectMatchesReference(RandomProblem(storage, sizes, random()));
    }
  }
};

// Idea 24.
TEST_F(GroupsTest, DocumentExample) {
  const Sizes sizes{.m = 6, .k = 16, .n = 64, .e = 4, .bounds = {3, 4, 4, 6}};
  const GroupedProblem problem = RandomProblem(Storage::kInt8Nz, sizes, random());
  EXPECT_EQ(OwnersOf(problem.in), (std::vector<int64_t>{0, 0, 0, 1, 3, 3}));
  Check(sizes);
}

// Idea 25. Run() checks that rows without an owner keep their bytes.
TEST_F(GroupsTest, EmptyExperts) {
  for (const std::vector<int64_t>& bounds : std::vector<std::vector<int64_t>>{{0, 4, 8, 12},
                                                                              {4, 4, 4, 12},
                                                                              {4, 8, 12, 12},
                                                                              {0, 0, 0, 12},
                                                                              {12, 12, 12, 12},
                                                                              {0, 0, 0, 0},
                                                                              {0, 0, 1, 1}}) {
    Check({.m = 12, .k = 32, .n = 64, .e = 4, .bounds = bounds});
  }
}

// Idea 26, the document's: rows from 18 on keep their bytes.
TEST_F(GroupsTest, RowsBeyondTheLastBoundAreLeftAlone) {
  Check({.m = 30, .k = 16, .n = 64, .e = 3, .bounds = {12, 14, 18}});
}

// Idea 27.
TEST_F(GroupsTest, FewerBoundsThanExperts) {
  Check({.m = 10, .k = 16, .n = 64, .e = 4, .bounds = {3, 5, 9}});
  Check({.m = 10, .k = 16, .n = 64, .e = 4, .bounds = {10}});
}

// Ideas 29 and 30.
TEST_F(GroupsTest, SenselessBounds) {
  const int64_t most = INT64_MAX, least = INT64_MIN;
  for (const std::vector<int64_t>& bounds :
       std::vector<std::vector<int64_t>>{{3, 2, 5},
                                         {9, 2, 5},
                                         {-3, 2, 5},
                                         {2, 4, 100},
                                         {2, 100, 4},
                                         {most, most, most},
                                         {least, least, least},
                                         {0, most, 8},
                                         {least, most, 8},
                                         {8, 8, -1},
                                         {1, 2, int64_t{1} << 32 | 3},
                                         {int64_t{1} << 32, 2, 3}}) {
    Check({.m = 8, .k = 16, .n = 64, .e = 3, .bounds = bounds});
  }
}

TEST_F(GroupsTest, RandomBounds) {
  for (int i = 0; i < 60; ++i) {
    Sizes sizes{.m = random().Int(1, 40), .k = 16, .n = 64, .e = random().Int(1, 9)};
    const int64_t count = random().Int(1, sizes.e);
    for (int64_t b = 0; b < count; ++b) {
      sizes.bounds.push_back(random().Chance(0.05) ? random().Int(INT64_MIN, INT64_MAX)
                                                   : random().Int(-3, sizes.m + 3));
    }
    if (random().Chance(0.7)) std::sort(sizes.bounds.begin(), sizes.bounds.end());
    Check(sizes);
  }
}

// More rows than a block of the implementation takes, in experts larger and smaller than that.
TEST_F(GroupsTest, ManyRows) {
  Check({.m = 2600, .k = 16, .n = 3072, .e = 4, .bounds = {40, 2100, 2101, 2555}});
}

// Idea 32: the values count when phase 2 runs.
TEST_F(GroupsTest, ValuesAreReadInPhaseTwo) {
  GroupedProblem problem = RandomProblem(
      Storage::kInt8Nz, {.m = 8, .k = 16, .n = 64, .e = 2, .bounds = {2, 4}}, random());
  GroupedTensors tensors = MakeTensors(problem);
  const Prepared prepared = Prepare(tensors.Plain());
  ASSERT_OK(prepared.code);
  problem.in.group_list = {5, 8};
  tensors.group_list.Write(problem.in.group_list);
  const DeviceBuffer workspace(prepared.workspace_size);
  ASSERT_OK(aclnnGroupedMatmulSwigluQuant(workspace.data(), prepared.workspace_size,
                                          prepared.executor, stream()));
  ASSERT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_EQ(Difference(problem.in, GroupedMatmul(problem.in), tensors.q.Read<int8_t>(),
                       tensors.q_scale.Read<float>()),
            "");
}

}  // namespace
}  // namespace anyacl::test
