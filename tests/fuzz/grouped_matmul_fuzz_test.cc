// SPDX-License-Identifier: Apache-2.0
// Fuzzes GroupedMatmulSwigluQuant for five seconds: right calls with any layouts and any bounds
// must compute what the oracle does and write nothing else; broken ones must be refused with a
// message, or run without leaving their memory. A failure shows the seed that makes it the first
// call.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <random>

#include "ops/grouped_matmul_case.h"
#include "support/choices.h"

namespace anyacl::test {
namespace {

class GroupedMatmulFuzz : public GroupedMatmulTest {
 protected:
  // Rows apart, columns apart, an offset.
  static void MakeView(Choices& choices, Layout& layout) {
    if (layout.dtype == ACL_INT4 || choices.OneIn(2)) return;
    std::vector<int64_t> strides(layout.dims.size());
    int64_t stride = choices.Int(1, 3);
    for (size_t axis = strides.size(); axis-- > 0;) {
      strides[axis] = stride;
      stride = stride * std::max<int64_t>(layout.dims[axis], 1) + choices.Int(0, 2);
    }
    layout.strides = strides;
    layout.offset = choices.Int(0, 5);
  }

  static std::vector<Layout*> All(GroupedLayouts& l) {
    return {&l.x, &l.weight, &l.bias, &l.scale, &l.x_scale, &l.group_list, &l.q, &l.q_scale};
  }

  static GroupedProblem AnyProblem(Choices& choices, Random& values) {
    const Storage storage = choices.Pick(kAllStorages);
    Sizes sizes;
    sizes.m = choices.Int(1, choices.OneIn(4) ? 60 : 14);
    sizes.e = choices.Int(1, 6);
    sizes.k = IsNz(storage) ? 16 * choices.Int(1, 6) : choices.Int(1, 90);
    const int64_t unit = storage == Storage::kInt8Nz    ? 32
                         : storage == Storage::kInt4Nd  ? 2
                         : storage == Storage::kInt32Nd ? 8
                                                        : 64;
    sizes.n = unit * choices.Int(1, 300 / unit);
    if (IsInt4(storage)) {
      do {
        sizes.g = choices.Int(1, sizes.k);
      } while (sizes.k % sizes.g != 0);
    }
    const int64_t count = choices.Int(1, sizes.e);
    for (int64_t i = 0; i < count; ++i) {
      sizes.bounds.push_back(choices.OneIn(30) ? choices.Int(INT64_MIN, INT64_MAX)
                                               : choices.Int(-1, sizes.m + 1));
    }
    if (!choices.OneIn(4)) std::sort(sizes.bounds.begin(), sizes.bounds.end());
    GroupedProblem problem = RandomProblem(storage, sizes, values);
    if (storage == Storage::kInt8Nz) {
      problem.scale_type = choices.Pick(std::vector<aclDataType>{ACL_FLOAT, ACL_FLOAT16, ACL_BF16});
      // What the narrow types hold exactly.
      for (float& scale : problem.in.scale) scale = std::ldexp(1.0f, std::ilogb(scale));
    } else {
      problem.scale_upper =
          choices.OneIn(2) ? 0 : static_cast<uint32_t>(choices.Int(0, UINT32_MAX));
      problem.scale_has_groups |= choices.OneIn(2);
    }
    return problem;
  }

  // Changes one argument to something that is probably wrong.
  static void Break(Choices& choices, GroupedLayouts& layouts) {
    static const std::vector<int64_t> kNumbers = {
        0,         1,        -1, 2, 3, 8, 31, 64, 10242, 65536, int64_t{1} << 32, int64_t{1} << 58,
        INT64_MAX, INT64_MIN};
    Layout& layout = *choices.Pick(All(layouts));
    if (layout.dims.empty()) return;
    const auto axis = static_cast<size_t>(
        choices.Int(0, std::max<int64_t>(0, static_cast<int64_t>(layout.dims.size()) - 1)));
    switch (choices.Int(0, 4)) {
      case 0:
        layout.dtype = static_cast<aclDataType>(choices.Int(0, 36));
        break;
      case 1:
        layout.format = static_cast<aclFormat>(choices.Int(-1, 52));
        break;
      case 2:
        layout.dims[axis] = choices.Pick(kNumbers);
        break;
      case 3:
        if (layout.strides.empty()) layout.strides = ContiguousStrides(layout.dims);
        layout.strides[axis] = choices.Pick(kNumbers);
        break;
      default:
        layout.dims.resize(static_cast<size_t>(choices.Int(0, 7)), 1);
        layout.strides.clear();
    }
  }

  // Phase 1 and, where it passes, phase 2 on tensors that may be too small for their layouts.
  int RunBroken(const GroupedLayouts& l, bool has_bias) {
    constexpr int64_t kMaxBytes = 1 << 20;
    const Tensor x(l.x, kMaxBytes), weight(l.weight, kMaxBytes), bias(l.bias, kMaxBytes),
        scale(l.scale, kMaxBytes), x_scale(l.x_scale, kMaxBytes), list(l.group_list, kMaxBytes),
        q(l.q, kMaxBytes), q_scale(l.q_scale, kMaxBytes);
    const Prepared prepared = Prepare([&](uint64_t* size, aclOpExecutor** executor) {
      return aclnnGroupedMatmulSwigluQuantGetWorkspaceSize(
          x.handle(), weight.handle(), has_bias ? bias.handle() : nullptr, nullptr, scale.handle(),
          x_scale.handle(), list.handle(), q.handle(), q_scale.handle(), nullptr, size, executor);
    });
    if (prepared.code != 0) {
      EXPECT_EQ(prepared.executor, nullptr);
      EXPECT_FALSE(TakeMessages().empty()) << "code " << prepared.code << " without a message";
      return prepared.code;
    }
    if (prepared.workspace_size > size_t{256} << 20) {
      EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
      return 0;
    }
    const DeviceBuffer workspace(prepared.workspace_size + 1);
    const aclnnStatus status = aclnnGroupedMatmulSwigluQuant(
        workspace.data(), prepared.workspace_size, prepared.executor, stream());
    if (status != 0) {
      EXPECT_FALSE(TakeMessages().empty()) << "code " << status << " without a message";
    }
    EXPECT_OK(aclrtSynchronizeStream(stream()));
    EXPECT_TRUE(q.GuardsIntact() && q_scale.GuardsIntact());
    return status;
  }
};

TEST_F(GroupedMatmulFuzz, NoArgumentsCrashOrComputeWrongly) {
  const uint64_t first = SeedOr(std::random_device{}());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  std::map<int, int> codes;
  int right = 0;
  for (uint64_t seed = first; std::chrono::steady_clock::now() < end && !HasFailure(); ++seed) {
    SCOPED_TRACE("ANYACL_TEST_SEED=" + std::to_string(seed));
    Choices choices(seed);
    Random values(seed);
    const GroupedProblem problem = AnyProblem(choices, values);
    GroupedLayouts layouts = LayoutsOf(problem);
    for (Layout* layout : All(layouts)) MakeView(choices, *layout);
    if (choices.OneIn(2)) {
      ExpectMatchesReference(problem, layouts);
      ++right;
      continue;
    }
    for (int64_t i = choices.Int(1, 2); i > 0; --i) Break(choices, layouts);
    ++codes[RunBroken(layouts, problem.in.int4)];
  }
  // A generator that no longer gets through, or no longer breaks anything, proves nothing.
  EXPECT_GT(right, 0);
  for (int code : {0, 161002}) EXPECT_GT(codes[code], 0) << code;
  for (const auto& [code, count] : codes) RecordProperty(std::to_string(code), count);
}

}  // namespace
}  // namespace anyacl::test
