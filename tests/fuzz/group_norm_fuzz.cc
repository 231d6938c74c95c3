// SPDX-License-Identifier: Apache-2.0
#include "fuzz/group_norm_fuzz.h"

#include <algorithm>

namespace anyacl::test {
namespace {

std::vector<Layout*> All(GradLayouts& l) {
  return {&l.dy, &l.x, &l.mean, &l.rstd, &l.gamma, &l.dx, &l.dgamma, &l.dbeta};
}

// Rows apart, columns apart, an offset.
void MakeView(Choices& choices, Layout& layout) {
  if (choices.OneIn(2)) return;
  std::vector<int64_t> strides(layout.dims.size());
  int64_t stride = choices.Int(1, 3);
  for (size_t axis = strides.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride = stride * std::max<int64_t>(layout.dims[axis], 1) + choices.Int(0, 2);
  }
  layout.strides = strides;
  layout.offset = choices.Int(0, 5);
}

GradProblem AnyProblem(Choices& choices, Random& values) {
  GroupNormShape shape;
  shape.n = choices.Int(1, 4);
  shape.group = choices.Int(1, 5);
  shape.c = shape.group * choices.Int(1, 4);
  // Blocks of 512 elements are summed apart.
  shape.hxw = choices.OneIn(8) ? choices.Int(500, 1100) : choices.Int(1, 70);
  GradProblem problem = RandomGrad(shape, choices.Pick(AllTypePairs()), values);
  if (choices.OneIn(3)) problem.gamma.clear();
  for (bool& wanted : problem.mask) wanted = !choices.OneIn(3);
  problem.mask[static_cast<size_t>(choices.Int(0, 2))] = true;
  return problem;
}

int64_t AnyNumber(Choices& choices) {
  static const std::vector<int64_t> kNumbers = {
      0, 1, -1, 2, 3, 8, 31, 64, 65536, int64_t{1} << 32, int64_t{1} << 58, INT64_MAX, INT64_MIN};
  return choices.Pick(kNumbers);
}

// Changes one argument to something that is probably wrong.
void Break(Choices& choices, GradProblem& problem, GradLayouts& layouts) {
  Layout& layout = *choices.Pick(All(layouts));
  if (layout.dims.empty()) return;
  const auto axis =
      static_cast<size_t>(choices.Int(0, static_cast<int64_t>(layout.dims.size()) - 1));
  switch (choices.Int(0, 5)) {
    case 0:
      layout.dtype = static_cast<aclDataType>(choices.Int(0, 36));
      break;
    case 1:
      layout.format = static_cast<aclFormat>(choices.Int(-1, 52));
      break;
    case 2:
      layout.dims[axis] = AnyNumber(choices);
      break;
    case 3:
      if (layout.strides.empty()) layout.strides = ContiguousStrides(layout.dims);
      layout.strides[axis] = AnyNumber(choices);
      break;
    case 4: {
      GroupNormShape& s = problem.shape;
      int64_t* const sizes[] = {&s.n, &s.c, &s.hxw, &s.group};
      *sizes[choices.Int(0, 3)] = AnyNumber(choices);
      break;
    }
    default:
      layout.dims.resize(static_cast<size_t>(choices.Int(0, 9)), 1);
      layout.strides.clear();
  }
}

}  // namespace

Outcome GroupNormFuzzer::Fuzz(Choices& choices) {
  Random values(static_cast<uint64_t>(choices.Int(0, UINT32_MAX)));
  GradProblem problem = AnyProblem(choices, values);
  GradLayouts layouts = LayoutsOf(problem);
  for (Layout* layout : All(layouts)) MakeView(choices, *layout);
  if (choices.OneIn(2)) {
    ExpectMatchesReference(problem, layouts);
    return {};
  }
  for (int64_t i = choices.Int(1, 2); i > 0; --i) Break(choices, problem, layouts);
  return RunBroken(problem, layouts);
}

// Phase 1 and, where it passes, phase 2 on tensors that may be too small for their layouts.
Outcome GroupNormFuzzer::RunBroken(const GradProblem& problem, const GradLayouts& l) {
  constexpr int64_t kMaxBytes = 1 << 20;
  GradTensors tensors{
      .shape = problem.shape,
      .dy = Tensor(l.dy, kMaxBytes),
      .x = Tensor(l.x, kMaxBytes),
      .mean = Tensor(l.mean, kMaxBytes),
      .rstd = Tensor(l.rstd, kMaxBytes),
      .gamma = std::nullopt,
      .dx = Tensor(l.dx, kMaxBytes),
      .dgamma = Tensor(l.dgamma, kMaxBytes),
      .dbeta = Tensor(l.dbeta, kMaxBytes),
      .mask = BoolArray({problem.mask[0], problem.mask[1], problem.mask[2]}),
  };
  if (!problem.gamma.empty()) tensors.gamma.emplace(l.gamma, kMaxBytes);
  const Prepared prepared = Prepare(tensors.Call());
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
  const aclnnStatus status = aclnnGroupNormBackward(workspace.data(), prepared.workspace_size,
                                                    prepared.executor, stream());
  const std::string message = status != 0 ? TakeMessages() : "";
  EXPECT_EQ(status == 0, message.empty()) << "code " << status << " " << message;
  EXPECT_OK(aclrtSynchronizeStream(stream()));
  for (const Tensor* out : {&tensors.dx, &tensors.dgamma, &tensors.dbeta}) {
    EXPECT_TRUE(out->GuardsIntact());
  }
  return {status, message};
}

}  // namespace anyacl::test
