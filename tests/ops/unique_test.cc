// SPDX-License-Identifier: Apache-2.0
// Distinct elements and slices, counts and histograms.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_bincount.h"
#include "aclnnop/aclnn_histc.h"
#include "aclnnop/aclnn_isin_tensor_scalar.h"
#include "aclnnop/aclnn_unique.h"
#include "aclnnop/aclnn_unique2.h"
#include "aclnnop/aclnn_unique_consecutive.h"
#include "aclnnop/aclnn_unique_dim.h"
#include "ops/movement_case.h"
#include "reference/sorting.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

Shape ShapeNow(const Tensor& tensor) {
  int64_t* dims = nullptr;
  uint64_t rank = 0;
  EXPECT_OK(aclGetViewShape(tensor.handle(), &dims, &rank));
  const Shape shape(dims, dims + rank);
  delete[] dims;
  return shape;
}

class UniqueTest : public DeviceTest {
 protected:
  std::vector<double> Values(int64_t count, aclDataType type, int64_t most = 20) {
    std::vector<double> values;
    for (int64_t i = 0; i < count; ++i) {
      const bool floating = type == ACL_FLOAT || type == ACL_BF16 || type == ACL_DOUBLE;
      const bool nan = floating && random().Chance(0.02);
      values.push_back(nan ? NAN : static_cast<double>(random().Int(0, most)));
    }
    return values;
  }
  static void ExpectValues(const std::vector<double>& actual, const std::vector<double>& expected) {
    for (size_t i = 0; i < expected.size(); ++i) {
      if (std::isnan(expected[i])) {
        ASSERT_TRUE(std::isnan(actual[i]));
      } else {
        ASSERT_EQ(actual[i], expected[i]) << i;
      }
    }
  }
};

TEST_F(UniqueTest, OfAllElements) {
  const Shape shapes[] = {{9}, {3, 40}, {}, {0}, {40000}};
  for (const Shape& shape : shapes) {
    for (aclDataType type : {ACL_FLOAT, ACL_BF16, ACL_INT64, ACL_INT8, ACL_DOUBLE}) {
      for (Lie lie : {Lie::kDense, Lie::kColumns, Lie::kGaps}) {
        if (CountOf(shape) > 1000 && (type == ACL_BF16 || lie != Lie::kDense)) continue;
        SCOPED_TRACE(::testing::PrintToString(shape) + std::to_string(type));
        const std::vector<double> values = Values(CountOf(shape), type);
        const Distinct expected = DistinctOf(values, true);
        const int64_t count = CountOf(shape);
        Tensor self(Lying(shape, type, lie)), out({.dims = {count}, .dtype = type});
        Tensor inverse(Lying(shape, ACL_INT64, lie)), counts({.dims = {count}, .dtype = ACL_INT64});
        WriteAs(self, values);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnUnique2GetWorkspaceSize(self.handle(), true, true, true, out.handle(),
                                                  inverse.handle(), counts.handle(), size,
                                                  executor);
            },
            aclnnUnique2);
        const int64_t distinct = std::ssize(expected.values);
        ASSERT_EQ(ShapeNow(out), Shape{distinct});
        ASSERT_EQ(ShapeNow(counts), Shape{distinct});
        ExpectValues(ReadAs(out), expected.values);
        EXPECT_EQ(inverse.Read<int64_t>(), expected.inverse);
        std::vector<int64_t> found = counts.Read<int64_t>();
        found.resize(static_cast<size_t>(distinct));
        EXPECT_EQ(found, expected.counts);
        EXPECT_TRUE(out.GuardsIntact());
        Tensor alone({.dims = {count}, .dtype = type});
        Tensor none({.dims = {0}, .dtype = ACL_INT64});
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnUniqueGetWorkspaceSize(self.handle(), false, false, alone.handle(),
                                                 none.handle(), size, executor);
            },
            aclnnUnique);
        ASSERT_EQ(ShapeNow(alone), Shape{distinct});
        ExpectValues(ReadAs(alone), expected.values);
      }
    }
  }
}

TEST_F(UniqueTest, ConsecutiveOfAllElements) {
  const auto check = [this](const Shape& shape, aclDataType type, Lie lie, aclDataType places) {
    SCOPED_TRACE(::testing::Message() << "type " << type << ", lie " << static_cast<int>(lie));
    const int64_t count = CountOf(shape);
    const std::vector<double> values = Values(count, type, 1);
    const Distinct expected = DistinctOf(values, false);
    Tensor self(Lying(shape, type, lie)), out({.dims = {count}, .dtype = type});
    Tensor inverse(Lying(shape, places, lie)), counts({.dims = {count}, .dtype = places});
    WriteAs(self, values);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnUniqueConsecutiveGetWorkspaceSize(self.handle(), true, true, 1000,
                                                        out.handle(), inverse.handle(),
                                                        counts.handle(), size, executor);
        },
        aclnnUniqueConsecutive);
    ASSERT_EQ(ShapeNow(out), Shape{std::ssize(expected.values)});
    ExpectValues(ReadAs(out), expected.values);
    const auto expect = [](const std::vector<double>& found, const std::vector<int64_t>& numbers) {
      EXPECT_TRUE(std::equal(numbers.begin(), numbers.end(), found.begin()));
    };
    expect(ReadAs(inverse), expected.inverse);
    expect(ReadAs(counts), expected.counts);
  };
  for (aclDataType type : {ACL_FLOAT, ACL_INT32, ACL_BOOL, ACL_INT64}) {
    for (Lie lie : {Lie::kDense, Lie::kColumns, Lie::kGaps}) check({5, 12}, type, lie, ACL_INT64);
  }
  check({5, 12}, ACL_FLOAT16, Lie::kDense, ACL_INT32);
  check({300, 301}, ACL_FLOAT, Lie::kDense, ACL_INT32);  // several threads
  check({300, 301}, ACL_INT64, Lie::kColumns, ACL_INT64);
}

// Slices of two numbers are one number of two digits.
TEST_F(UniqueTest, Slices) {
  constexpr int64_t kCount = 30;
  for (bool ordered : {false, true}) {
    for (aclDataType type : {ACL_FLOAT, ACL_INT16, ACL_BOOL}) {
      for (Lie lie : {Lie::kDense, Lie::kColumns}) {
        std::vector<double> digits, numbers(kCount);
        for (int64_t i = 0; i < 2 * kCount; ++i) {
          digits.push_back(static_cast<double>(random().Int(0, 1)));
        }
        for (size_t i = 0; i < kCount; ++i) numbers[i] = 2 * digits[i] + digits[kCount + i];
        const Distinct expected = DistinctOf(numbers, ordered);
        Tensor self(Lying({2, kCount}, type, lie)), out({.dims = {2, kCount}, .dtype = type});
        Tensor inverse({.dims = {kCount}, .dtype = ACL_INT64});
        Tensor counts({.dims = {kCount}, .dtype = ACL_INT64});
        WriteAs(self, digits);
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return ordered ? aclnnUniqueDimGetWorkspaceSize(self.handle(), true, true, 1,
                                                              out.handle(), inverse.handle(),
                                                              counts.handle(), size, executor)
                             : aclnnUniqueConsecutiveGetWorkspaceSize(
                                   self.handle(), true, true, -1, out.handle(), inverse.handle(),
                                   counts.handle(), size, executor);
            },
            ordered ? aclnnUniqueDim : aclnnUniqueConsecutive);
        const size_t all = expected.values.size();
        ASSERT_EQ(ShapeNow(out), (Shape{2, static_cast<int64_t>(all)}));
        const std::vector<double> actual = ReadAs(out);
        for (size_t i = 0; i < all; ++i) {
          ASSERT_EQ(2 * actual[i] + actual[all + i], expected.values[i]);
          ASSERT_EQ(counts.Read<int64_t>()[i], expected.counts[i]);
        }
        EXPECT_EQ(inverse.Read<int64_t>(), expected.inverse);
      }
    }
  }
}

TEST_F(UniqueTest, Bincount) {
  for (int64_t count : {int64_t{0}, int64_t{50}, int64_t{100000}}) {
    for (aclDataType type : {ACL_INT64, ACL_INT32, ACL_INT8, ACL_UINT8}) {
      const std::vector<double> values = Values(count, type);
      std::vector<double> ones(25), sums(25);
      for (size_t i = 0; i < values.size(); ++i) {
        ++ones[static_cast<size_t>(values[i])];
        sums[static_cast<size_t>(values[i])] += static_cast<double>(i % 5) / 4;
      }
      std::vector<double> weights;
      for (int64_t i = 0; i < count; ++i) weights.push_back(static_cast<double>(i % 5) / 4);
      Tensor self(Lying({count}, type, Lie::kGaps)), given(Lying({count}, ACL_FLOAT, Lie::kGaps));
      Tensor out({.dims = {25}, .dtype = ACL_INT64}), real({.dims = {25}, .dtype = ACL_DOUBLE});
      WriteAs(self, values);
      WriteAs(given, weights);
      for (bool weighted : {false, true}) {
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnBincountGetWorkspaceSize(
                  self.handle(), weighted ? given.handle() : nullptr, 25,
                  weighted ? real.handle() : out.handle(), size, executor);
            },
            aclnnBincount);
        EXPECT_EQ(ReadAs(weighted ? real : out), weighted ? sums : ones);
      }
    }
  }
}

TEST_F(UniqueTest, Histc) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_UINT8}) {
    for (double high : {16.0, 0.0}) {
      const std::vector<double> values = Values(30000, type, 20);
      double low = 0, top = high;
      if (high == 0) {
        low = 20;
        for (double x : values) {
          if (std::isnan(x)) continue;
          low = std::min(low, x);
          top = std::max(top, x);
        }
      }
      bool nan = false;
      std::vector<double> expected(8);
      for (double x : values) {
        nan |= std::isnan(x);
        if (!(x >= low && x <= top)) continue;
        const auto bin = static_cast<size_t>((x - low) * 8 / (top - low));
        ++expected[std::min<size_t>(bin, 7)];
      }
      if (nan && high == 0) continue;
      Tensor self(Lying({100, 300}, type, Lie::kColumns)), out({.dims = {8}, .dtype = type});
      Tensor wide({.dims = {8}, .dtype = ACL_FLOAT});
      WriteAs(self, values);
      double zero = 0;
      aclScalar* from = aclCreateScalar(&zero, ACL_DOUBLE);
      aclScalar* to = aclCreateScalar(&high, ACL_DOUBLE);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnHistcGetWorkspaceSize(self.handle(), 8, from, to, wide.handle(), size,
                                              executor);
          },
          aclnnHistc);
      EXPECT_EQ(ReadAs(wide), expected);
      aclDestroyScalar(from);
      aclDestroyScalar(to);
    }
  }
}

// Where differences overflow, or are none: no element is counted outside of the bins.
TEST_F(UniqueTest, HistcOfRangesAtTheLimitsOfTheType) {
  struct Case {
    aclDataType type;
    double low, high;
    std::vector<double> values, expected;
  };
  const Case cases[] = {
      {ACL_FLOAT, 0, 0, {1e10, 1e10, 1e10}, {0, 0, 3, 0}},
      {ACL_INT64, 0, 0, {-1e17, -1e17}, {0, 0, 2, 0}},
      {ACL_FLOAT, 0, 3e38, {0, 1e38, 2.9e38, -1e38, 3e38}, {1, 1, 0, 2}},
      {ACL_FLOAT, -3e38, 3e38, {-3e38, -1e38, 0, 1e38, 3e38}, {1, 1, 2, 1}},
      {ACL_FLOAT, -1e300, 1e300, {-3e38, 0, 3e38}, {0, 0, 3, 0}},
      {ACL_INT64, -1e308, 1e308, {-1e18, 0, 1e18}, {0, 0, 3, 0}},
  };
  for (Case c : cases) {
    SCOPED_TRACE(std::to_string(c.type) + " from " + std::to_string(c.low));
    Tensor self({.dims = {static_cast<int64_t>(c.values.size())}, .dtype = c.type});
    Tensor out({.dims = {4}, .dtype = ACL_FLOAT});
    WriteAs(self, c.values);
    aclScalar* from = aclCreateScalar(&c.low, ACL_DOUBLE);
    aclScalar* to = aclCreateScalar(&c.high, ACL_DOUBLE);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnHistcGetWorkspaceSize(self.handle(), 4, from, to, out.handle(), size,
                                            executor);
        },
        aclnnHistc);
    EXPECT_EQ(ReadAs(out), c.expected);
    aclDestroyScalar(from);
    aclDestroyScalar(to);
  }
}

TEST_F(UniqueTest, IsIn) {
  for (aclDataType type : {ACL_FLOAT, ACL_BF16, ACL_INT64, ACL_UINT8, ACL_BOOL}) {
    const std::vector<double> values = Values(3000, type, 3);
    for (bool invert : {false, true}) {
      Tensor self(Lying({30, 100}, type, Lie::kColumns));
      Tensor out(Lying({30, 100}, ACL_BOOL, Lie::kGaps));
      WriteAs(self, values);
      int64_t one = 1;
      aclScalar* test = aclCreateScalar(&one, ACL_INT64);
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIsInTensorScalarGetWorkspaceSize(self.handle(), test, false, invert,
                                                         out.handle(), size, executor);
          },
          aclnnIsInTensorScalar);
      const std::vector<double> actual = ReadAs(out);
      for (size_t i = 0; i < values.size(); ++i) {
        const bool equal = AsHeld(type, values[i]) == 1;
        ASSERT_EQ(actual[i], equal != invert ? 1 : 0);
      }
      EXPECT_TRUE(out.GuardsIntact());
      aclDestroyScalar(test);
    }
  }
}

}  // namespace
}  // namespace anyacl::test
