// SPDX-License-Identifier: Apache-2.0
// Slices that are repeated as often as a tensor says, their gradient, and tensors cut into parts.
#include <memory>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_repeat_interleave_grad.h"
#include "aclnnop/aclnn_split_with_size.h"
#include "ops/movement_case.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

class MovementRepeatTest : public DeviceTest {};

// Counts as one number for all or one each; dimensions dense or with steps.
TEST_F(MovementRepeatTest, RepeatInterleaveByCounts) {
  const std::vector<double> counts = {2, 0, 3, 1};
  for (aclDataType type : {ACL_FLOAT, ACL_BF16, ACL_INT8, ACL_INT64}) {
    for (aclDataType count_type : {ACL_INT32, ACL_INT64}) {
      for (bool strided : {false, true}) {
        SCOPED_TRACE(::testing::Message() << type << " " << count_type << " " << strided);
        Layout layout{.dims = {3, 4, 2}, .dtype = type};
        Layout grown{.dims = {3, 6, 2}, .dtype = type};
        if (strided) layout.strides = {1, 7, 30};
        if (strided) grown.strides = {2, 6, 40};
        Tensor self(layout), out(grown),
            repeats({.dims = {4}, .dtype = count_type, .strides = {2}});
        std::vector<double> x, expected;
        for (int i = 0; i < 24; ++i) x.push_back(i);
        WriteAs(self, x);
        WriteAs(repeats, counts);
        for (size_t a = 0; a < 3; ++a) {
          for (size_t j = 0; j < 4; ++j) {
            for (int r = 0; r < static_cast<int>(counts[j]); ++r) {
              for (size_t i = 0; i < 2; ++i) expected.push_back(x[(a * 4 + j) * 2 + i]);
            }
          }
        }
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnRepeatInterleaveWithDimGetWorkspaceSize(
                  self.handle(), repeats.handle(), -2, 6, out.handle(), size, executor);
            },
            aclnnRepeatInterleaveWithDim);
        EXPECT_EQ(ReadAs(out), expected);
        EXPECT_TRUE(out.GuardsIntact());

        Tensor twice({.dims = {}, .dtype = count_type}), flat({.dims = {48}, .dtype = type});
        WriteAs(twice, {2});
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnRepeatInterleaveGetWorkspaceSize(self.handle(), twice.handle(), 48,
                                                           flat.handle(), size, executor);
            },
            aclnnRepeatInterleave);
        std::vector<double> doubled;
        for (double value : x) doubled.insert(doubled.end(), 2, value);
        EXPECT_EQ(ReadAs(flat), doubled);
        Tensor stepped({.dims = {48}, .dtype = type, .strides = {3}});
        RunTwoPhase(
            [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnRepeatInterleaveIntGetWorkspaceSize(self.handle(), 2, 48,
                                                              stepped.handle(), size, executor);
            },
            aclnnRepeatInterleaveInt);
        EXPECT_EQ(ReadAs(stepped), doubled);
      }
    }
  }
}

TEST_F(MovementRepeatTest, PlacesAsOftenAsTheNumbersThere) {
  for (aclDataType type : {ACL_INT32, ACL_INT64}) {
    for (const auto& [counts, expected] :
         {std::pair<std::vector<double>, std::vector<double>>{{1, 3}, {0, 1, 1, 1}},
          {{2, 0, 3, 1}, {0, 0, 2, 2, 2, 3}},
          {{4}, {0, 0, 0, 0}},
          {{0, 0}, {}},
          {{}, {}}}) {
      SCOPED_TRACE(::testing::Message() << type << ", " << counts.size() << " numbers");
      const auto size = static_cast<int64_t>(expected.size());
      Tensor repeats(
          {.dims = {static_cast<int64_t>(counts.size())}, .dtype = type, .strides = {2}});
      Tensor out({.dims = {size}, .dtype = type, .strides = {3}});
      WriteAs(repeats, counts);
      RunTwoPhase(
          [&](uint64_t* bytes, aclOpExecutor** executor) {
            return aclnnRepeatInterleaveTensorGetWorkspaceSize(repeats.handle(), size, out.handle(),
                                                               bytes, executor);
          },
          aclnnRepeatInterleaveTensor);
      EXPECT_EQ(ReadAs(out), expected);
      EXPECT_TRUE(out.GuardsIntact());
    }
  }
}

TEST_F(MovementRepeatTest, GradientOfRepetitions) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    Tensor grad({.dims = {2, 6}, .dtype = type, .strides = {1, 3}}),
        out({.dims = {2, 4}, .dtype = type});
    Tensor repeats({.dims = {4}, .dtype = ACL_INT64});
    WriteAs(grad, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    WriteAs(repeats, {2, 0, 3, 1});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnRepeatInterleaveGradGetWorkspaceSize(grad.handle(), repeats.handle(), 1,
                                                           out.handle(), size, executor);
        },
        aclnnRepeatInterleaveGrad);
    EXPECT_EQ(ReadAs(out), (std::vector<double>{3, 0, 12, 6, 15, 0, 30, 12}));
  }
}

// The numbers are known when the task runs: nothing is written.
TEST_F(MovementRepeatTest, WrongRepetitionsFailTheTask) {
  for (const std::vector<double>& counts :
       {std::vector<double>{2, -1, 4}, {2, 2, 2}, {1, 1, 1}, {9e18, 9e18, 9e18}}) {
    Tensor self({.dims = {3}}), out({.dims = {5}}), repeats({.dims = {3}, .dtype = ACL_INT64});
    WriteAs(repeats, counts);
    const auto before = out.Bytes();
    aclOpExecutor* executor = nullptr;
    uint64_t size = 0;
    ASSERT_EQ(aclnnRepeatInterleaveGetWorkspaceSize(self.handle(), repeats.handle(), 5,
                                                    out.handle(), &size, &executor),
              0);
    Tensor workspace({.dims = {static_cast<int64_t>(size)}, .dtype = ACL_INT8});
    // Where launches block, the second phase has run the task.
    int code = aclnnRepeatInterleave(workspace.data(), size, executor, stream());
    if (code == 0) code = aclrtSynchronizeStream(stream());
    EXPECT_EQ(code, ACL_ERROR_RT_AICORE_EXCEPTION);
    EXPECT_NE(std::string(aclGetRecentErrMsg()).find("repeats"), std::string::npos);
    EXPECT_EQ(out.Bytes(), before);

    Tensor places({.dims = {5}, .dtype = ACL_INT64});
    const auto untouched = places.Bytes();
    ASSERT_EQ(aclnnRepeatInterleaveTensorGetWorkspaceSize(repeats.handle(), 5, places.handle(),
                                                          &size, &executor),
              0);
    code = aclnnRepeatInterleaveTensor(workspace.data(), size, executor, stream());
    if (code == 0) code = aclrtSynchronizeStream(stream());
    EXPECT_EQ(code, ACL_ERROR_RT_AICORE_EXCEPTION);
    EXPECT_EQ(places.Bytes(), untouched);
  }
}

TEST_F(MovementRepeatTest, SplitWithSize) {
  for (const std::vector<int64_t>& strides : {std::vector<int64_t>{}, {1, 3}}) {
    Tensor self({.dims = {3, 5}, .dtype = ACL_INT16, .strides = strides});
    std::vector<double> x;
    for (int i = 0; i < 15; ++i) x.push_back(i);
    WriteAs(self, x);
    std::vector<Tensor> parts;
    for (int64_t columns : {2, 0, 3}) {
      parts.emplace_back(Layout{.dims = {3, columns}, .dtype = ACL_INT16});
    }
    std::vector<const aclTensor*> members;
    for (Tensor& part : parts) members.push_back(part.handle());
    aclTensorList* list = aclCreateTensorList(members.data(), 3);
    const IntArrayHandle sizes({2, 0, 3}), few({2, 0, 2}), many({2, 1, 2});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnSplitWithSizeGetWorkspaceSize(self.handle(), sizes.get(), -1, list, size,
                                                    executor);
        },
        aclnnSplitWithSize);
    EXPECT_EQ(ReadAs(parts[0]), (std::vector<double>{0, 1, 5, 6, 10, 11}));
    EXPECT_EQ(ReadAs(parts[2]), (std::vector<double>{2, 3, 4, 7, 8, 9, 12, 13, 14}));
    for (const IntArrayHandle* wrong : {&few, &many}) {
      ExpectRefused(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnSplitWithSizeGetWorkspaceSize(self.handle(), wrong->get(), 1, list, size,
                                                      executor);
          },
          ACLNN_ERR_PARAM_INVALID, {"out", "expected"});
    }
    for (Tensor& part : parts) part.Destroy();
    aclDestroyTensorList(list);
  }
}

}  // namespace
}  // namespace anyacl::test
