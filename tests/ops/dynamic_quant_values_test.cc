// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2: results worked out by hand.
#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "ops/dynamic_quant_case.h"

namespace anyacl::test {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

// The example of CANN's document: x counts from 0, two experts with two rows each.
QuantProblem DocumentExample() {
  return {.dims = {4, 2}, .x = {0, 1, 2, 3, 4, 5, 6, 7}, .smooth = {0, 1, 2, 3}, .group = {2, 4}};
}

TEST_F(DynamicQuantTest, AsymmetricDocumentExample) {
  QuantProblem problem = DocumentExample();
  problem.asymmetric = true;
  const DynamicQuantOutput output = Run(problem);
  EXPECT_THAT(output.y, ElementsAre(-128, 127, -128, 127, -128, 127, -128, 127));
  EXPECT_THAT(output.scale,
              ElementsAre(0.00392156886f, 0.0117647061f, 0.0274509806f, 0.0352941193f));
  EXPECT_THAT(output.offset, ElementsAre(-127.999985f, -128.0f, -419.428589f, -468.0f));
}

TEST_F(DynamicQuantTest, SymmetricDocumentExample) {
  const DynamicQuantOutput output = Run(DocumentExample());
  EXPECT_THAT(output.y, ElementsAre(0, 127, 0, 127, 68, 127, 73, 127));
  EXPECT_THAT(output.scale,
              ElementsAre(1.0f / 127.0f, 3.0f / 127.0f, 15.0f / 127.0f, 21.0f / 127.0f));
}

TEST_F(DynamicQuantTest, EightArgumentOverloadMeansSymmetric) {
  const QuantProblem problem = DocumentExample();
  const QuantTensors tensors = MakeTensors(problem);
  RunTwoPhase(
      [&](uint64_t* workspace_size, aclOpExecutor** executor) {
        return aclnnDynamicQuantV2GetWorkspaceSize(
            tensors.x.handle(), tensors.smooth->handle(), tensors.group->handle(), 2,
            tensors.y.handle(), tensors.scale.handle(), workspace_size, executor);
      },
      &aclnnDynamicQuantV2);
  ExpectSameOutput(ReadOutput(tensors), ReferenceOf(problem), 2);
}

// The results that the framework adapter's documentation shows, quantised once more.
TEST_F(DynamicQuantTest, DequantisedRowsQuantiseToThemselves) {
  const std::vector<int8_t> y = {101, 52, 127, 115, 127, 16, 121, 88, 127};
  const std::vector<float> scale = {0.0072f, 0.0079f, 0.0071f};
  QuantProblem problem{.dims = {3, 3}};
  for (int i = 0; i < 9; ++i) problem.x.push_back(y[i] * scale[i / 3]);
  const DynamicQuantOutput output = Run(problem);
  EXPECT_THAT(output.y, ElementsAreArray(y));
  for (int row = 0; row < 3; ++row) EXPECT_NEAR(output.scale[row] / scale[row], 1, 1e-3);
}

TEST_F(DynamicQuantTest, SymmetricTiesGoToEven) {
  const DynamicQuantOutput output =
      Run({.dims = {1, 7}, .x = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 127}});
  EXPECT_THAT(output.y, ElementsAre(0, 2, 2, 0, -2, -2, 127));
  EXPECT_THAT(output.scale, ElementsAre(1.0f));
}

TEST_F(DynamicQuantTest, AsymmetricTiesGoToEven) {
  const DynamicQuantOutput output =
      Run({.dims = {1, 6}, .asymmetric = true, .x = {0, 255, 0.5f, 1.5f, 2.5f, 253.5f}});
  EXPECT_THAT(output.y, ElementsAre(-128, 127, -128, -126, -126, 126));
  EXPECT_THAT(output.scale, ElementsAre(1.0f));
  EXPECT_THAT(output.offset, ElementsAre(-128.0f));
}

TEST_F(DynamicQuantTest, AsymmetricInt4TiesGoToEven) {
  QuantProblem problem{.dims = {1, 16}, .y_type = ACL_INT4, .asymmetric = true, .x = {0, 15}};
  for (int i = 0; i < 14; ++i) problem.x.push_back(i + 0.5f);
  const DynamicQuantOutput output = Run(problem);
  EXPECT_THAT(output.y, ElementsAre(-8, 7, -8, -6, -6, -4, -4, -2, -2, 0, 0, 2, 2, 4, 4, 6));
  EXPECT_THAT(output.scale, ElementsAre(1.0f));
  EXPECT_THAT(output.offset, ElementsAre(-8.0f));
}

TEST_F(DynamicQuantTest, SymmetricRangeIsBalanced) {
  const DynamicQuantOutput output = Run({.dims = {2, 2}, .x = {-127, 1, -254, 254}});
  EXPECT_THAT(output.y, ElementsAre(-127, 1, -127, 127));
}

// A product of fp16 numbers beyond 65504 must not become infinite on the way.
TEST_F(DynamicQuantTest, SmoothedValuesAreNotRoundedToFp16) {
  const DynamicQuantOutput output = Run({.dims = {1, 2}, .x = {300, -300}, .smooth = {300, 150}});
  EXPECT_THAT(output.scale, ElementsAre(90000.0f / 127.0f));
  EXPECT_THAT(output.y, ElementsAre(127, -64));
}

// 1 + 2^-7 squared needs more mantissa than bf16 has: rounding it would change the scale.
TEST_F(DynamicQuantTest, SmoothedValuesAreNotRoundedToBf16) {
  const float value = 1 + 1.0f / 128;
  const DynamicQuantOutput output =
      Run({.dims = {1, 1}, .x_type = ACL_BF16, .x = {value}, .smooth = {value}});
  EXPECT_THAT(output.scale, ElementsAre(value * value / 127.0f));
}

// Words made of signed nibbles, the first element in the lowest four bits.
TEST_F(DynamicQuantTest, Int4AndInt32HoldTheSameBytes) {
  const std::vector<uint8_t> image = {0xe1, 0x87, 0xf0, 0x43};
  for (aclDataType y_type : {ACL_INT4, ACL_INT32}) {
    const QuantProblem problem{
        .dims = {1, 8}, .y_type = y_type, .asymmetric = true, .x = {9, 6, 15, 0, 8, 7, 11, 12}};
    const QuantTensors tensors = MakeTensors(problem);
    RunTwoPhase(tensors.V2(), &aclnnDynamicQuantV2);
    EXPECT_THAT(ReadOutput(tensors).y, ElementsAre(1, -2, 7, -8, 0, -1, 3, 4));
    EXPECT_EQ(tensors.y.ElementBytes(), image);
    EXPECT_TRUE(tensors.GuardsIntact());
  }
}

TEST_F(DynamicQuantTest, Int4RowsFollowEachOtherWithoutPadding) {
  QuantProblem problem{.dims = {3, 2}, .y_type = ACL_INT4, .x = {7, 1, 2, 7, -7, 3}};
  const QuantTensors tensors = MakeTensors(problem);
  RunTwoPhase(tensors.V2(), &aclnnDynamicQuantV2);
  EXPECT_THAT(tensors.y.ElementBytes(), ElementsAre(0x17, 0x72, 0x39));
}

// yOut alone decides; a dstType that says something else is worth a warning and no more.
TEST_F(DynamicQuantTest, TypeOfYOutWinsOverDstType) {
  for (aclDataType y_type : {ACL_INT8, ACL_INT4, ACL_INT32}) {
    const QuantProblem problem = RandomProblem({.y_type = y_type}, {3, 16}, random());
    for (int64_t dst_type : {2, 3, 29, 0, -1, 1000000}) {
      QuantTensors tensors = MakeTensors(problem);
      tensors.dst_type = dst_type;
      RunTwoPhase(tensors.V2(), &aclnnDynamicQuantV2);
      ExpectSameOutput(ReadOutput(tensors), ReferenceOf(problem), 16);
      EXPECT_TRUE(tensors.GuardsIntact());
    }
  }
}

// Powers of two are exact, so that only the scale may change.
TEST_F(DynamicQuantTest, ScalingXByAPowerOfTwoScalesOnlyTheScale) {
  for (const QuantForm& form : AllForms()) {
    SCOPED_TRACE(NameOf(form));
    QuantProblem problem = RandomProblem(form, {5, 40}, random());
    // Few enough bits for fp16 not to round after the multiplication either.
    for (float& value : problem.x) value = static_cast<float>(static_cast<int>(value * 64));
    const DynamicQuantOutput once = Run(problem);
    for (float& value : problem.x) value *= 8;
    DynamicQuantOutput eightfold = Run(problem);
    for (float& scale : eightfold.scale) scale /= 8;
    ExpectSameOutput(eightfold, once, 40);
  }
}

// The generator of the framework adapter's test: 64 groups over the rows of a 3-D tensor. It allows
// y to be off by one and the scale by 1e-4; here both are exact.
TEST_F(DynamicQuantTest, ManyGroupsOverThreeDimensions) {
  for (bool asymmetric : {false, true}) {
    QuantProblem problem =
        RandomProblem({.asymmetric = asymmetric, .smooth = Smooth::kRow}, {2, 32, 256}, random());
    problem.smooth.resize(64 * 256);
    for (float& value : problem.smooth) value = static_cast<float>(random().Uniform(0, 1));
    for (int e = 0; e < 63; ++e) problem.group.push_back(static_cast<int32_t>(random().Int(0, 64)));
    problem.group.push_back(64);
    std::sort(problem.group.begin(), problem.group.end());
    ExpectMatchesReference(problem);
  }
}

}  // namespace
}  // namespace anyacl::test
