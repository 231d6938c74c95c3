// SPDX-License-Identifier: Apache-2.0
#include "ops/group_norm_case.h"

#include <cmath>
#include <limits>

#include "support/half.h"

namespace anyacl::test {
namespace {

double DecodeAs(aclDataType dtype, uint16_t bits) {
  return dtype == ACL_BF16 ? DecodeBf16(bits) : DecodeFp16(bits);
}

// Half a unit in the last place of a result of this size.
double HalfUnit(aclDataType dtype, double value) {
  struct Type {
    int precision, lowest;
  };
  const Type type = dtype == ACL_FLOAT     ? Type{24, -149}
                    : dtype == ACL_FLOAT16 ? Type{11, -24}
                                           : Type{8, -133};
  const int exponent = value == 0 ? -1000 : std::ilogb(value);
  return std::ldexp(0.5, std::max(exponent - type.precision + 1, type.lowest));
}

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

std::vector<double> Rounded(aclDataType dtype, const std::vector<double>& values) {
  std::vector<double> rounded;
  for (double value : values) {
    const auto f = static_cast<float>(value);
    rounded.push_back(dtype == ACL_FLOAT  ? f
                      : dtype == ACL_BF16 ? DecodeBf16(EncodeBf16(f))
                                          : DecodeFp16(EncodeFp16(f)));
  }
  return rounded;
}

void WriteNumbers(Tensor& tensor, const std::vector<double>& values) {
  const aclDataType dtype = tensor.layout().dtype;
  if (dtype == ACL_FLOAT) {
    tensor.Write(std::vector<float>(values.begin(), values.end()));
    return;
  }
  std::vector<uint16_t> bits;
  for (double value : values) {
    const auto f = static_cast<float>(value);
    bits.push_back(dtype == ACL_BF16 ? EncodeBf16(f) : EncodeFp16(f));
  }
  tensor.Write(bits);
}

std::vector<double> ReadNumbers(const Tensor& tensor) {
  const aclDataType dtype = tensor.layout().dtype;
  std::vector<double> values;
  if (dtype == ACL_FLOAT) {
    for (float value : tensor.Read<float>()) values.push_back(value);
  } else {
    for (uint16_t bits : tensor.Read<uint16_t>()) values.push_back(DecodeAs(dtype, bits));
  }
  return values;
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
      GroupNorm(problem.shape, Rounded(problem.types.data, problem.x), {}, {}, eps);
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
  WriteNumbers(tensors.dy, problem.dy);
  WriteNumbers(tensors.x, problem.x);
  WriteNumbers(tensors.mean, problem.mean);
  WriteNumbers(tensors.rstd, problem.rstd);
  if (!problem.gamma.empty()) WriteNumbers(tensors.gamma.emplace(layouts.gamma), problem.gamma);
  return tensors;
}

GroupNormGradients ReferenceOf(const GradProblem& problem) {
  return GroupNormGrad({.shape = problem.shape,
                        .dy = Rounded(problem.types.data, problem.dy),
                        .x = Rounded(problem.types.data, problem.x),
                        .mean = Rounded(problem.types.parameters, problem.mean),
                        .rstd = Rounded(problem.types.parameters, problem.rstd),
                        .gamma = Rounded(problem.types.parameters, problem.gamma)});
}

void ExpectNear(const char* name, const std::vector<double>& actual, const Bounded& expected,
                aclDataType dtype) {
  ASSERT_EQ(actual.size(), expected.value.size()) << name;
  for (size_t i = 0; i < actual.size(); ++i) {
    const double bound = expected.bound[i] +
                         1.001 * HalfUnit(dtype, std::fabs(expected.value[i]) + expected.bound[i]);
    ASSERT_LE(std::fabs(actual[i] - expected.value[i]), bound)
        << name << "[" << i << "] = " << actual[i] << ", expected " << expected.value[i];
  }
}

GradResult GroupNormTest::Run(const GradProblem& problem, const GradLayouts& layouts) {
  const GradTensors tensors = MakeTensors(problem, layouts);
  RunTwoPhase(tensors.Call(), &aclnnGroupNormBackward);
  EXPECT_TRUE(tensors.GuardsIntact()) << "bytes between or around the elements were written";
  return {ReadNumbers(tensors.dx), ReadNumbers(tensors.dgamma), ReadNumbers(tensors.dbeta)};
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
