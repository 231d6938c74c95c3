// SPDX-License-Identifier: Apache-2.0
// base/shape.h: dims, element counts and contiguous strides, also of absurd sizes.
#include "base/shape.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace anyacl::test {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(DimsTest, HoldsUpTo25Values) {
  const std::vector<int64_t> values(25, 3);
  const Dims dims(values.data(), values.size());
  EXPECT_EQ(dims.rank(), 25u);
  EXPECT_EQ(std::vector<int64_t>(dims.begin(), dims.end()), values);
  EXPECT_EQ(Dims().rank(), 0u);
  EXPECT_EQ(Dims(nullptr, 0), Dims());
}

TEST(DimsTest, ComparesRankAndValues) {
  EXPECT_EQ((Dims{1, 2}), (Dims{1, 2}));
  EXPECT_FALSE((Dims{1, 2}) == (Dims{1, 2, 3}));
  EXPECT_FALSE((Dims{1, 2}) == (Dims{1}));
  EXPECT_FALSE((Dims{1, 2}) == (Dims{2, 1}));
}

TEST(DimsTest, GrowsAndPrints) {
  Dims dims;
  EXPECT_EQ(dims.ToString(), "[]");
  dims.push_back(4);
  dims.push_back(-2);
  EXPECT_EQ(dims.back(), -2);
  EXPECT_EQ(dims.ToString(), "[4, -2]");
}

TEST(ElementCountTest, IsTheProduct) {
  EXPECT_EQ(ElementCount({}), 1);
  EXPECT_EQ(ElementCount({7}), 7);
  EXPECT_EQ(ElementCount({2, 3, 4}), 24);
  EXPECT_EQ(ElementCount({kMax, 1}), kMax);
  EXPECT_EQ(ElementCount({int64_t{1} << 31, int64_t{1} << 31}), int64_t{1} << 62);
}

TEST(ElementCountTest, ZeroWinsOverOverflow) {
  EXPECT_EQ(ElementCount({0}), 0);
  EXPECT_EQ(ElementCount({kMax, kMax, 0}), 0);
  EXPECT_EQ(ElementCount({0, kMax, kMax}), 0);
}

TEST(ElementCountTest, NegativeSizesHaveNone) {
  EXPECT_EQ(ElementCount({-1}), std::nullopt);
  EXPECT_EQ(ElementCount({-1, -1}), std::nullopt);
  EXPECT_EQ(ElementCount({0, -1}), std::nullopt);
  EXPECT_EQ(ElementCount({-1, 0}), std::nullopt);
  EXPECT_EQ(ElementCount({kMin, 2}), std::nullopt);
}

TEST(ElementCountTest, OverflowHasNone) {
  EXPECT_EQ(ElementCount({kMax, 2}), std::nullopt);
  EXPECT_EQ(ElementCount({int64_t{1} << 32, int64_t{1} << 31}), std::nullopt);
  EXPECT_EQ(ElementCount({kMax, kMax, 1}), std::nullopt);
}

TEST(ContiguousStridesTest, AreRowMajor) {
  EXPECT_EQ(ContiguousStrides({}), Dims());
  EXPECT_EQ(ContiguousStrides({5}), (Dims{1}));
  EXPECT_EQ(ContiguousStrides({2, 3, 4}), (Dims{12, 4, 1}));
  EXPECT_EQ(ContiguousStrides({2, 0, 4}), (Dims{0, 4, 1}));
}

TEST(ContiguousStridesTest, AbsurdSizesAreDefined) {
  // UndefinedBehaviorSanitizer watches the products.
  const Dims strides = ContiguousStrides({kMax, kMax, kMin, -1, kMax});
  EXPECT_EQ(strides.rank(), 5u);
  EXPECT_EQ(strides[4], 1);
  EXPECT_EQ(strides[3], kMax);
}

}  // namespace
}  // namespace anyacl::test
