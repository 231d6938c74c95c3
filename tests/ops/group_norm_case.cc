// SPDX-License-Identifier: Apache-2.0
#include "ops/group_norm_case.h"

#include <cmath>
#include <limits>

namespace anyacl::test {
namespace {

Layout LayoutLike(std::vector<int64_t> dims, aclDataType dtype) {
  return {.dims = std::move(dims), .dtype = dtype};
}

}  // namespace

const std::vector<TypePair>& AllTypePairs() {
  static const std::vector<TypePair> pairs = {{ACL_FLOAT, ACL_FLOAT},
                                              {ACL_FLOAT16, ACL_FLOAT16},
                                              {ACL_BF16, ACL_BF16},
                                              {ACL_FLOAT16, ACL_FLOAT},
                                              {ACL_BF16, ACL_FLOAT}};
  return pairs;
}

std::string NameOf(const TypePair& types) {
  const auto name = [](aclDataType dtype) {
    return dtype == ACL_FLOAT ? "fp32" : dtype == ACL_FLOAT16 ? "fp16" : "bf16";
  };
  return std::string(name(types.data)) + "_" + name(types.parameters);
}

GradProblem RandomGrad(const GroupNormShape& shape, TypePair types, Random& random) {
  GradProblem problem{.shape = shape, .types = types};
  const auto fill = [&](std::vector<double>& values, int64_t count, double mean, double deviation) {
    for (int64_t i = 0; i < count; ++i) values.push_back(random.Normal(mean, deviation));
  };
  fill(problem.dy, shape.count(), random.Uniform(-0.5, 0.5), 1);
  fill(problem.x, shape.count(), random.Uniform(-1, 1), 2);
  fill(problem.gamma, shape.c, 1, 0.5);
  SetStatistics(problem);
  return problem;
}

void SetStatistics(GradProblem& problem, double eps) {
  const GroupNormResult forward =
      GroupNorm(problem.shape, AsHeld(problem.types.data, problem.x), {}, {}, eps);
  problem.mean = forward.mean;
  problem.rstd = forward.rstd;
}

GradLayouts LayoutsOf(const GradProblem& problem) {
  const GroupNormShape& s = problem.shape;
  GradLayouts layouts;
  layouts.dy = LayoutLike({s.n, s.c, s.hxw}, problem.types.data);
  layouts.x = layouts.dx = layouts.dy;
  layouts.mean = LayoutLike({s.n, s.group}, problem.types.parameters);
  layouts.rstd = layouts.mean;
  layouts.gamma = LayoutLike({s.c}, problem.types.parameters);
  layouts.dgamma = layouts.dbeta = layouts.gamma;
  return layouts;
}

BoolArray::BoolArray(const std::vector<uint8_t>& values) {
  std::array<bool, 8> flags = {};
  for (size_t i = 0; i < values.size(); ++i) flags[i] = values[i] != 0;
  handle_ = aclCreateBoolArray(flags.data(), values.size());
  EXPECT_NE(handle_, nullptr) << TakeMessages();
}

BoolArray::~BoolArray() {
  if (handle_ != nullptr) {
    EXPECT_OK(aclDestroyBoolArray(handle_));
  }
}

Phase1 GradTensors::Call() const {
  return [this](uint64_t* workspace_size, aclOpExecutor** executor) {
    return aclnnGroupNormBackwardGetWorkspaceSize(
        dy.handle(), x.handle(), mean.handle(), rstd.handle(), gamma ? gamma->handle() : nullptr,
        shape.n, shape.c, shape.hxw, shape.group, mask.handle(), dx.handle(), dgamma.handle(),
        dbeta.handle(), workspace_size, executor);
  };
}

bool GradTensors::GuardsIntact() const {
  for (const Tensor* tensor : {&dy, &x, &mean, &rstd, &dx, &dgamma, &dbeta}) {
    if (!tensor->GuardsIntact()) return false;
  }
  return !gamma || gamma->GuardsIntact();
}

GradTensors MakeTensors(const GradProblem& problem, const GradLayouts& layouts) {
  GradTensors tensors{
      .shape = problem.shape,
      .dy = Tensor(layouts.dy),
      .x = Tensor(layouts.x),
      .mean = Tensor(layouts.mean),
      .rstd = Tensor(layouts.rstd),
      .gamma = std::nullopt,
      .dx = Tensor(layouts.dx),
      .dgamma = Tensor(layouts.dgamma),
      .dbeta = Tensor(layouts.dbeta),
      .mask = BoolArray({problem.mask[0], problem.mask[1], problem.mask[2]}),
  };
  WriteAs(tensors.dy, problem.dy);
  WriteAs(tensors.x, problem.x);
  WriteAs(tensors.mean, problem.mean);
  WriteAs(tensors.rstd, problem.rstd);
  if (!problem.gamma.empty()) WriteAs(tensors.gamma.emplace(layouts.gamma), problem.gamma);
  return tensors;
}

GroupNormGradients ReferenceOf(const GradProblem& problem) {
  return GroupNormGrad({.shape = problem.shape,
                        .dy = AsHeld(problem.types.data, problem.dy),
                        .x = AsHeld(problem.types.data, problem.x),
                        .mean = AsHeld(problem.types.parameters, problem.mean),
                        .rstd = AsHeld(problem.types.parameters, problem.rstd),
                        .gamma = AsHeld(problem.types.parameters, problem.gamma)});
}

void ExpectNear(const char* name, const std::vector<double>& actual, const Bounded& expected,
                aclDataType dtype) {
  ASSERT_EQ(actual.size(), expected.value.size()) << name;
  for (size_t i = 0; i < actual.size(); ++i) {
    const double bound =
        expected.bound[i] +
        1.001 * HalfUnitOf(dtype, std::fabs(expected.value[i]) + expected.bound[i]);
    ASSERT_LE(std::fabs(actual[i] - expected.value[i]), bound)
        << name << "[" << i << "] = " << actual[i] << ", expected " << expected.value[i];
  }
}

GradResult GroupNormTest::Run(const GradProblem& problem, const GradLayouts& layouts) {
  const GradTensors tensors = MakeTensors(problem, layouts);
  RunTwoPhase(tensors.Call(), &aclnnGroupNormBackward);
  EXPECT_TRUE(tensors.GuardsIntact()) << "bytes between or around the elements were written";
  return {ReadAs(tensors.dx), ReadAs(tensors.dgamma), ReadAs(tensors.dbeta)};
}

void GroupNormTest::ExpectMatchesReference(const GradProblem& problem, const GradLayouts& layouts) {
  const GradResult result = Run(problem, layouts);
  const GroupNormGradients expected = ReferenceOf(problem);
  if (problem.mask[0]) ExpectNear("gradInput", result.dx, expected.dx, problem.types.data);
  if (problem.mask[1]) {
    ExpectNear("gradGammaOut", result.dgamma, expected.dgamma, problem.types.parameters);
  }
  if (problem.mask[2]) {
    ExpectNear("gradBetaOut", result.dbeta, expected.dbeta, problem.types.parameters);
  }
}

}  // namespace anyacl::test
