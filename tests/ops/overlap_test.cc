// SPDX-License-Identifier: Apache-2.0
// Outputs that overlap themselves or an input (docs/adding-an-operator.md).
#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_softmax.h"
#include "support/device_test.h"

namespace anyacl::test {
namespace {

using OverlapTest = DeviceTest;

std::vector<float> Alternating(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(i % 37) * (i % 2 == 0 ? 0.25f : -0.25f);
  }
  return values;
}

TEST_F(OverlapTest, AnOutputThatOverlapsItselfIsRefused) {
  Tensor in({.dims = {4, 8}});
  for (const std::vector<int64_t>& strides : {std::vector<int64_t>{0, 1}, {7, 1}, {1, 1}}) {
    Tensor out({.dims = {4, 8}, .strides = strides});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnAbsGetWorkspaceSize(in.handle(), out.handle(), size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, {"out", "strides"});
  }
}

TEST_F(OverlapTest, AnOutputMayBeAnInput) {
  // More than a task's share, and strided.
  const Layout layout{.dims = {300, 1000}, .strides = {1001, 1}};
  const auto count = static_cast<size_t>(300 * 1000);
  const auto with = [&](const auto& phase_one, Phase2 phase_two, const char* what) {
    Tensor apart_in(layout), apart_out(layout), shared(layout);
    apart_in.Write(Alternating(count));
    shared.Write(Alternating(count));
    for (const auto& pair : {std::pair(&apart_in, &apart_out), {&shared, &shared}}) {
      RunTwoPhase(
          [&](uint64_t* size, aclOpExecutor** executor) {
            return phase_one(pair.first->handle(), pair.second->handle(), size, executor);
          },
          phase_two);
    }
    EXPECT_EQ(shared.Read<float>(), apart_out.Read<float>()) << what;
    EXPECT_TRUE(shared.GuardsIntact()) << what;
  };
  with(aclnnAbsGetWorkspaceSize, aclnnAbs, "Abs");
  Tensor zeros(layout);
  zeros.Write(std::vector<float>(count));
  with(
      [&](aclTensor* in, aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
        return aclnnMaximumGetWorkspaceSize(zeros.handle(), in, out, size, executor);
      },
      aclnnMaximum, "Maximum");
  with(
      [&](aclTensor* in, aclTensor* out, uint64_t* size, aclOpExecutor** executor) {
        return aclnnSoftmaxGetWorkspaceSize(in, 1, out, size, executor);
      },
      aclnnSoftmax, "Softmax");
}

TEST_F(OverlapTest, OtherOverlapsEndWellAndLeaveTheRestAlone) {
  constexpr int64_t kAll = 100'000, kPart = 60'000, kShift = 7;
  Tensor memory({.dims = {kAll}});
  const std::vector<float> before = Alternating(kAll);
  memory.Write(before);
  const auto part = [&](int64_t from) {
    return aclCreateTensor(&kPart, 1, ACL_FLOAT, nullptr, from, ACL_FORMAT_ND, &kAll, 1,
                           memory.data());
  };
  aclTensor* in = part(0);
  aclTensor* out = part(kShift);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnAbsGetWorkspaceSize(in, out, size, executor);
      },
      aclnnAbs);
  const std::vector<float> after = memory.Read<float>();
  for (size_t i = 0; i < after.size(); ++i) {
    const bool written = i >= kShift && i < kShift + kPart;
    if (written) {
      EXPECT_GE(after[i], 0) << i;
    } else {
      ASSERT_EQ(after[i], before[i]) << i;
    }
  }
  EXPECT_TRUE(memory.GuardsIntact());
  aclDestroyTensor(in);
  aclDestroyTensor(out);
}

}  // namespace
}  // namespace anyacl::test
