// SPDX-License-Identifier: Apache-2.0
#include "fuzz/grouped_matmul_fuzz.h"

#include <algorithm>
#include <cmath>

namespace anyacl::test {
namespace {

// Rows apart, columns apart, an offset.
void MakeView(Choices& choices, Layout& layout) {
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

std::vector<Layout*> All(GroupedLayouts& l) {
  return {&l.x, &l.weight, &l.bias, &l.scale, &l.x_scale, &l.group_list, &l.q, &l.q_scale};
}

GroupedProblem AnyProblem(Choices& choices, Random& values) {
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
    problem.scale_upper = choices.OneIn(2) ? 0 : static_cast<uint32_t>(choices.Int(0, UINT32_MAX));
    problem.scale_has_groups |= choices.OneIn(2);
  }
  return problem;
}

// Changes one argument to something that is probably wrong.
void Break(Choices& choices, GroupedLayouts& layouts) {
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

}  // namespace

Outcome GroupedMatmulFuzzer::Fuzz(Choices& choices) {
  Random values(static_cast<uint64_t>(choices.Int(0, UINT32_MAX)));
  const GroupedProblem problem = AnyProblem(choices, values);
  GroupedLayouts layouts = LayoutsOf(problem);
  for (Layout* layout : All(layouts)) MakeView(choices, *layout);
  if (choices.OneIn(2)) {
    ExpectMatchesReference(problem, layouts);
    return {};
  }
  for (int64_t i = choices.Int(1, 2); i > 0; --i) Break(choices, layouts);
  return RunBroken(layouts, problem.in.int4);
}

// Phase 1 and, where it passes, phase 2 on tensors that may be too small for their layouts.
Outcome GroupedMatmulFuzzer::RunBroken(const GroupedLayouts& l, bool has_bias) {
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
    const std::string message = TakeMessages();
    EXPECT_EQ(prepared.executor, nullptr);
    EXPECT_FALSE(message.empty()) << "code " << prepared.code << " without a message";
    return {prepared.code, message};
  }
  if (prepared.workspace_size > size_t{256} << 20) {
    EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
    return {};
  }
  const DeviceBuffer workspace(prepared.workspace_size + 1);
  const aclnnStatus status = aclnnGroupedMatmulSwigluQuant(
      workspace.data(), prepared.workspace_size, prepared.executor, stream());
  const std::string message = status != 0 ? TakeMessages() : "";
  EXPECT_EQ(status == 0, message.empty()) << "code " << status << " " << message;
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  EXPECT_TRUE(q.GuardsIntact() && q_scale.GuardsIntact());
  return {status, message};
}

}  // namespace anyacl::test
