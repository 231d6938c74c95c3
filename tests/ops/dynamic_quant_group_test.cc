// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2: which expert's smooth scales a row gets, for all that groupIndexOptional may
// hold. Its values are read by the device and never checked.
#include <gmock/gmock.h>

#include <limits>
#include <numeric>
#include <vector>

#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// x is all ones and expert e multiplies by e + 1, so that the scale tells the expert.
QuantProblem TellingProblem(const std::vector<int64_t>& rows_dims, std::vector<int32_t> group) {
  QuantProblem problem{.dims = rows_dims, .group = std::move(group)};
  problem.dims.push_back(2);
  problem.x.assign(static_cast<size_t>(problem.rows() * 2), 1);
  for (size_t e = 0; e < problem.group.size(); ++e) {
    problem.smooth.insert(problem.smooth.end(), 2, static_cast<float>(e + 1));
  }
  return problem;
}

class GroupTest : public DynamicQuantTest {
 protected:
  // The expert of every row, for 8 bits and for 4.
  std::vector<int> Experts(const std::vector<int64_t>& rows_dims,
                           const std::vector<int32_t>& group) {
    QuantProblem problem = TellingProblem(rows_dims, group);
    std::vector<int> experts;
    for (float scale : Run(problem).scale) experts.push_back(std::lround(scale * 127) - 1);
    ExpectMatchesReference(problem);
    problem.y_type = ACL_INT4;
    ExpectMatchesReference(problem);
    return experts;
  }
};

TEST_F(GroupTest, EndsAreExclusive) { EXPECT_THAT(Experts({4}, {2, 4}), ElementsAre(0, 0, 1, 1)); }

TEST_F(GroupTest, LeadingZeroAndDuplicatesAreEmptyExperts) {
  EXPECT_THAT(Experts({5}, {0, 3, 3, 5}), ElementsAre(1, 1, 1, 3, 3));
}

TEST_F(GroupTest, RowsBeyondTheLastEndTakeTheLastExpert) {
  EXPECT_THAT(Experts({5}, {2, 3}), ElementsAre(0, 0, 1, 1, 1));
  EXPECT_THAT(Experts({3}, {0}), ElementsAre(0, 0, 0));
  EXPECT_THAT(Experts({3}, {-5, -5, -5}), ElementsAre(2, 2, 2));
}

// As in CANN's own example, whose table of four ends has two that nothing has written.
TEST_F(GroupTest, GarbageAfterTheLastRowIsNotLookedAt) {
  EXPECT_THAT(Experts({4}, {2, 4, -1094795586, 1431655765}), ElementsAre(0, 0, 1, 1));
}

TEST_F(GroupTest, TheFirstEndBeyondTheRowDecides) {
  EXPECT_THAT(Experts({5}, {-1, 4, 2, 5}), ElementsAre(1, 1, 1, 1, 3));
  EXPECT_THAT(Experts({4}, {9, 2, 4}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(Experts({6}, {5, 1, 2, 3, 4, 6}), ElementsAre(0, 0, 0, 0, 0, 5));
}

TEST_F(GroupTest, ExtremeEndsAreHarmless) {
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
  EXPECT_THAT(Experts({3}, {kMin, kMax}), ElementsAre(1, 1, 1));
  EXPECT_THAT(Experts({3}, {kMax, kMin}), ElementsAre(0, 0, 0));
  EXPECT_THAT(Experts({3}, {kMin, kMin}), ElementsAre(1, 1, 1));
}

TEST_F(GroupTest, RowsAreCountedOverAllLeadingDimensions) {
  EXPECT_THAT(Experts({2, 3}, {4, 6}), ElementsAre(0, 0, 0, 0, 1, 1));
  EXPECT_THAT(Experts({2, 1, 3, 1, 1, 1, 2}, {5, 12}),
              ElementsAre(0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1));
}

TEST_F(GroupTest, SingleExpertServesEveryRow) {
  EXPECT_THAT(Experts({3}, {3}), ElementsAre(0, 0, 0));
}

TEST_F(GroupTest, MoreExpertsThanRows) {
  EXPECT_THAT(Experts({2}, {0, 0, 1, 1, 1, 2, 2}), ElementsAre(2, 5));
}

TEST_F(GroupTest, TakesTheDocumentedMaximumOf1024Experts) {
  std::vector<int32_t> group(1024);
  std::iota(group.begin(), group.end(), 1);
  std::vector<int> expected(1024);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_THAT(Experts({1024}, group), ElementsAreArray(expected));
}

TEST_F(GroupTest, RandomEndsMatchTheReference) {
  for (const QuantForm& form : AllForms()) {
    if (form.smooth != Smooth::kPerExpert) continue;
    SCOPED_TRACE(NameOf(form));
    for (int round = 0; round < 20; ++round) {
      QuantProblem problem = RandomProblem(form, {random().Int(1, 40), 16}, random());
      for (int32_t& end : problem.group) {
        end = static_cast<int32_t>(random().Int(-3, problem.rows() + 3));
      }
      ExpectMatchesReference(problem);
    }
  }
}

// Grouping is nothing but quantising the rows of each expert by themselves.
TEST_F(GroupTest, GroupsEqualSeparateCalls) {
  const QuantProblem together = RandomProblem({.smooth = Smooth::kPerExpert}, {12, 33}, random());
  const DynamicQuantOutput expected = Run(together);
  DynamicQuantOutput joined;
  int32_t begin = 0;
  for (size_t e = 0; e < together.group.size(); ++e) {
    const int32_t end = together.group[e];
    QuantProblem part{.dims = {end - begin, 33}};
    part.x.assign(together.x.begin() + begin * 33, together.x.begin() + end * 33);
    part.smooth.assign(together.smooth.begin() + e * 33, together.smooth.begin() + (e + 1) * 33);
    begin = end;
    if (part.rows() == 0) continue;
    const DynamicQuantOutput output = Run(part);
    joined.y.insert(joined.y.end(), output.y.begin(), output.y.end());
    joined.scale.insert(joined.scale.end(), output.scale.begin(), output.scale.end());
  }
  ExpectSameOutput(joined, expected, 33);
}

}  // namespace
}  // namespace anyacl::test
