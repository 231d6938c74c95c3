// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2: rows without a useful scale: zero, constant, not finite, extremely small.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ops/dynamic_quant_case.h"
#include "support/half.h"

namespace anyacl::test {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::IsNan;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Row lengths around the widths of vector registers, so that bodies and tails see such rows.
const std::vector<int64_t> kLengths = {2, 8, 16, 24, 32, 40, 64, 72, 136, 264};

const std::vector<aclDataType> kYTypes = {ACL_INT8, ACL_INT4, ACL_INT32};
const std::vector<aclDataType> kXTypes = {ACL_FLOAT16, ACL_BF16};

int8_t EndOfRange(aclDataType y_type) { return y_type == ACL_INT8 ? 127 : 7; }

QuantProblem ConstantRow(float value, int64_t cols) {
  return {.dims = {1, cols}, .x = std::vector<float>(static_cast<size_t>(cols), value)};
}

// Calls test(problem) with a row of ones for every type of x and y and all lengths.
template <class Test>
void ForEachTypeAndLength(bool asymmetric, const Test& test) {
  for (aclDataType x_type : kXTypes) {
    for (aclDataType y_type : kYTypes) {
      for (int64_t cols : kLengths) {
        if (!TakesCols(y_type, cols)) continue;
        QuantProblem problem = ConstantRow(1, cols);
        problem.x_type = x_type;
        problem.y_type = y_type;
        problem.asymmetric = asymmetric;
        SCOPED_TRACE(NameOf(QuantForm{x_type, y_type, asymmetric}) + " " + std::to_string(cols));
        test(problem);
      }
    }
  }
}

TEST_F(DynamicQuantTest, SymmetricZeroRowHasScaleZeroAndNoNan) {
  ForEachTypeAndLength(false, [&](QuantProblem problem) {
    for (float& value : problem.x) value = random().Chance(0.5) ? 0.0f : -0.0f;
    const DynamicQuantOutput output = Run(problem);
    EXPECT_THAT(output.y, Each(Eq(0)));
    EXPECT_THAT(output.scale, ElementsAre(0.0f));
  });
}

TEST_F(DynamicQuantTest, AsymmetricZeroRowHasTheSmallestScale) {
  ForEachTypeAndLength(true, [&](QuantProblem problem) {
    for (float& value : problem.x) value = 0;
    const DynamicQuantOutput output = Run(problem);
    const int8_t end = EndOfRange(problem.y_type);
    EXPECT_THAT(output.y, Each(Eq(end)));
    EXPECT_THAT(output.scale, ElementsAre(1e-12f));
    EXPECT_THAT(output.offset, ElementsAre(static_cast<float>(end)));
  });
}

TEST_F(DynamicQuantTest, ZeroSmoothScalesMakeAZeroRow) {
  const DynamicQuantOutput output = Run({.dims = {1, 3}, .x = {1, -2, 3}, .smooth = {0, 0, 0}});
  EXPECT_THAT(output.y, ElementsAre(0, 0, 0));
  EXPECT_THAT(output.scale, ElementsAre(0.0f));
}

TEST_F(DynamicQuantTest, SymmetricConstantRowTakesTheEndOfTheRange) {
  ForEachTypeAndLength(false, [&](QuantProblem problem) {
    for (float& value : problem.x) value = -3.5f;
    const DynamicQuantOutput output = Run(problem);
    const int8_t end = EndOfRange(problem.y_type);
    EXPECT_THAT(output.y, Each(Eq(-end)));
    EXPECT_THAT(output.scale, ElementsAre(3.5f / static_cast<float>(end)));
  });
}

TEST_F(DynamicQuantTest, AsymmetricConstantRowDequantisesToItself) {
  QuantProblem problem = ConstantRow(3.5f, 32);
  problem.asymmetric = true;
  const DynamicQuantOutput output = Run(problem);
  EXPECT_THAT(output.y, Each(Eq(0)));
  EXPECT_THAT(output.scale, ElementsAre(1e-12f));
  EXPECT_THAT(output.offset, ElementsAre(-3.49999989e12f));
  const double back = (0 - static_cast<double>(output.offset[0])) * output.scale[0];
  EXPECT_NEAR(back, 3.5, 3.5e-6);
}

TEST_F(DynamicQuantTest, AsymmetricConstantRowsRoundAsFp32Does) {
  for (float value : {-7.25f, 0.1f, 65504.0f}) {
    QuantProblem problem = ConstantRow(value, 40);
    problem.asymmetric = true;
    EXPECT_THAT(Run(problem).y, Each(Eq(0))) << value;
    ExpectMatchesReference(problem);
  }
  QuantProblem small = ConstantRow(1e-3f, 40);
  small.asymmetric = true;
  EXPECT_THAT(Run(small).y, Each(Eq(127)));
  small.y_type = ACL_INT4;
  EXPECT_THAT(Run(small).y, Each(Eq(0)));
  ForEachTypeAndLength(true, [&](QuantProblem problem) {
    for (float value : {3.5f, -7.25f, 0.1f, 2.2e-3f, 2.1e-3f, 1.4e-4f, 1.3e-4f, -1e-5f}) {
      for (float& element : problem.x) element = value;
      ExpectMatchesReference(problem);
    }
  });
}

TEST_F(DynamicQuantTest, NanTakesItsRowAndNoOther) {
  for (bool asymmetric : {false, true}) {
    ForEachTypeAndLength(asymmetric, [&](QuantProblem problem) {
      const int64_t cols = problem.cols();
      problem.dims = {3, cols};
      problem.x.assign(static_cast<size_t>(3 * cols), 2);
      problem.x[0] = 1;
      problem.x[2 * cols] = 1;
      for (int64_t at : {int64_t{0}, cols / 2, cols - 1}) {
        QuantProblem poisoned = problem;
        poisoned.x[cols + at] = kNaN;
        const DynamicQuantOutput output = Run(poisoned);
        EXPECT_THAT(output.scale[1], IsNan());
        if (asymmetric) {
          EXPECT_THAT(output.offset[1], IsNan());
        }
        for (int64_t j = 0; j < cols; ++j) EXPECT_EQ(output.y[cols + j], 0);
        ExpectSameOutput(output, ReferenceOf(poisoned), cols);
      }
    });
  }
}

// A NaN that meets an infinity or hides behind a smooth scale is a NaN all the same.
TEST_F(DynamicQuantTest, NanWinsOverInfinity) {
  const DynamicQuantOutput both = Run({.dims = {1, 3}, .x = {kInfinity, kNaN, 1}});
  EXPECT_THAT(both.scale[0], IsNan());
  EXPECT_THAT(both.y, Each(Eq(0)));
  const DynamicQuantOutput product =
      Run({.dims = {1, 3}, .x = {0, 1, 2}, .smooth = {kInfinity, 1, 1}});
  EXPECT_THAT(product.scale[0], IsNan());
  EXPECT_THAT(product.y, Each(Eq(0)));
}

TEST_F(DynamicQuantTest, SymmetricRowWithInfinityHasInfiniteScale) {
  ForEachTypeAndLength(false, [&](QuantProblem problem) {
    for (float infinity : {kInfinity, -kInfinity}) {
      problem.x.back() = infinity;
      const DynamicQuantOutput output = Run(problem);
      EXPECT_THAT(output.scale, ElementsAre(kInfinity));
      EXPECT_THAT(output.y, Each(Eq(0)));
    }
  });
}

TEST_F(DynamicQuantTest, AsymmetricRowWithPositiveInfinityHasNoOffset) {
  ForEachTypeAndLength(true, [&](QuantProblem problem) {
    problem.x[0] = kInfinity;
    const DynamicQuantOutput output = Run(problem);
    EXPECT_THAT(output.scale, ElementsAre(kInfinity));
    EXPECT_THAT(output.offset, ElementsAre(IsNan()));
    EXPECT_THAT(output.y, Each(Eq(0)));
  });
}

TEST_F(DynamicQuantTest, AsymmetricRowWithNegativeInfinityKeepsItsOffset) {
  const DynamicQuantOutput output =
      Run({.dims = {1, 3}, .asymmetric = true, .x = {-kInfinity, 1, 2}});
  EXPECT_THAT(output.scale, ElementsAre(kInfinity));
  EXPECT_THAT(output.offset, ElementsAre(127.0f));
  EXPECT_THAT(output.y, ElementsAre(0, 127, 127));
  ForEachTypeAndLength(true, [&](QuantProblem problem) {
    problem.x[problem.x.size() / 2] = -kInfinity;
    ExpectMatchesReference(problem);
  });
}

// Rows of nothing but one infinity, where the range itself is not a number.
TEST_F(DynamicQuantTest, AllInfiniteRowsQuantiseToZero) {
  for (bool asymmetric : {false, true}) {
    for (float infinity : {kInfinity, -kInfinity}) {
      for (int64_t cols : {1, 24}) {
        QuantProblem problem = ConstantRow(infinity, cols);
        problem.asymmetric = asymmetric;
        const DynamicQuantOutput output = Run(problem);
        EXPECT_THAT(output.y, Each(Eq(0)));
        if (infinity > 0 || !asymmetric) {
          EXPECT_THAT(output.scale, ElementsAre(kInfinity));
        }
        if (asymmetric) {
          EXPECT_THAT(output.offset, ElementsAre(IsNan()));
        }
      }
    }
  }
}

TEST_F(DynamicQuantTest, OverflowingRangeHasInfiniteScale) {
  const DynamicQuantOutput output =
      Run({.dims = {1, 2}, .x_type = ACL_BF16, .asymmetric = true, .x = {3.3e38f, -3.3e38f}});
  EXPECT_THAT(output.scale, ElementsAre(kInfinity));
  EXPECT_THAT(output.offset, ElementsAre(127.0f));
  EXPECT_THAT(output.y, ElementsAre(127, 127));
}

TEST_F(DynamicQuantTest, OverflowingSmoothedValueIsInfinite) {
  const DynamicQuantOutput output =
      Run({.dims = {1, 2}, .x_type = ACL_BF16, .x = {3e38f, 1}, .smooth = {10, 1}});
  EXPECT_THAT(output.scale, ElementsAre(kInfinity));
  EXPECT_THAT(output.y, ElementsAre(0, 0));
}

// 109 and -54 units of the smallest bf16 number: the scale is denormal in fp32 and kept.
TEST_F(DynamicQuantTest, DenormalScaleIsKept) {
  const float m = DecodeBf16(EncodeBf16(1e-38f));
  const DynamicQuantOutput output = Run({.dims = {1, 3}, .x_type = ACL_BF16, .x = {m, -m / 2, 0}});
  EXPECT_THAT(output.scale, ElementsAre(m / 127.0f));
  EXPECT_NEAR(output.scale[0], 7.88188e-41, 1.5e-45);
  EXPECT_THAT(output.y, ElementsAre(127, -63, 0));
}

// The smallest bf16 numbers: a scale that underflows to zero quantises to zero.
TEST_F(DynamicQuantTest, TinyRowsMatchTheReference) {
  for (const QuantForm& form : AllForms()) {
    SCOPED_TRACE(NameOf(form));
    for (float unit : {0x1p-133f, 0x1p-126f, 0x1p-120f, 0x1p-24f, 0x1p-14f}) {
      QuantProblem problem = RandomProblem(form, {9, 40}, random());
      for (float& value : problem.x) {
        value = static_cast<float>(random().Int(-3, 3)) * unit;
      }
      ExpectMatchesReference(problem);
    }
  }
}

// The smallest fp32 numbers: their 127th is no number any more, so that their scale is zero.
TEST_F(DynamicQuantTest, UnderflowingScaleQuantisesToZero) {
  ForEachTypeAndLength(false, [&](QuantProblem problem) {
    problem.x_type = ACL_BF16;
    for (float& value : problem.x) value = random().Chance(0.5) ? 0x1p-133f : -0x1p-133f;
    for (float smooth : {0x1p-15f, 0x1p-16f}) {
      problem.smooth.assign(problem.x.size(), smooth);
      const DynamicQuantOutput output = Run(problem);
      EXPECT_THAT(output.y, Each(Eq(0)));
      EXPECT_THAT(output.scale, ElementsAre(0.0f));
    }
  });
}

TEST_F(DynamicQuantTest, SingleColumnIsItsOwnMaximum) {
  const QuantProblem symmetric{.dims = {4, 1}, .x = {5, -0.25f, 0, 65504}};
  const DynamicQuantOutput output = Run(symmetric);
  EXPECT_THAT(output.y, ElementsAre(127, -127, 0, 127));
  EXPECT_THAT(output.scale, ElementsAre(5 / 127.0f, 0.25f / 127.0f, 0.0f, 65504.0f / 127.0f));
  QuantProblem asymmetric = symmetric;
  asymmetric.asymmetric = true;
  EXPECT_THAT(Run(asymmetric).scale, Each(Eq(1e-12f)));
  ExpectMatchesReference(asymmetric);
}

// Every fp16 number fills a row with a 1 at its end, and so do the bf16 numbers of the same bits:
// rows of a scalar tail only, and rows that fill the vectors of every tier.
TEST_F(DynamicQuantTest, EveryHalfValueMatchesTheReference) {
  for (aclDataType x_type : kXTypes) {
    for (bool asymmetric : {false, true}) {
      for (int64_t cols : {2, 25}) {
        QuantProblem problem{.dims = {65536, cols}, .x_type = x_type, .asymmetric = asymmetric};
        problem.x.reserve(static_cast<size_t>(65536 * cols));
        for (int bits = 0; bits < 65536; ++bits) {
          const auto half = static_cast<uint16_t>(bits);
          const float value = x_type == ACL_BF16 ? DecodeBf16(half) : DecodeFp16(half);
          problem.x.insert(problem.x.end(), static_cast<size_t>(cols - 1), value);
          problem.x.push_back(1);
        }
        ExpectMatchesReference(problem);
      }
    }
  }
}

}  // namespace
}  // namespace anyacl::test
