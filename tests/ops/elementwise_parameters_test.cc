// SPDX-License-Identifier: Apache-2.0
// Element-wise operators with rules of their own: integer division, decimals, masks, channels, one
// verdict over all elements, values that are no numbers.
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_elu_backward.h"
#include "aclnnop/aclnn_equal.h"
#include "aclnnop/aclnn_logsigmoid.h"
#include "aclnnop/aclnn_logsigmoid_backward.h"
#include "aclnnop/aclnn_round.h"
#include "ops/elementwise_case.h"

namespace anyacl::test::elementwise_parameters {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

class ElementwiseParametersTest : public DeviceTest {
 protected:
  // The results of an operator on tensors of one type, scalars as DOUBLE or, of integers, INT64; no
  // values are a null tensor.
  std::vector<double> Results(const char* name, const std::vector<std::vector<double>>& inputs,
                              const std::vector<double>& scalars, aclDataType type,
                              aclDataType out_type) {
    const ElementwiseOperator& op = OperatorNamed(name);
    std::vector<Tensor> tensors;
    Tensors handles;
    const auto count = static_cast<int64_t>(inputs[0].size());
    for (const std::vector<double>& values : inputs) {
      if (values.empty()) {
        handles.push_back(nullptr);
        continue;
      }
      tensors.emplace_back(Layout{.dims = {count}, .dtype = type});
      WriteAs(tensors.back(), values);
      handles.push_back(tensors.back().handle());
    }
    std::vector<std::unique_ptr<ScalarHandle>> owners;
    ScalarList list;
    for (double scalar : scalars) {
      owners.push_back(
          std::make_unique<ScalarHandle>(scalar, IsFloating(type) ? ACL_DOUBLE : ACL_INT64));
      list.push_back(owners.back()->get());
    }
    Tensor out({.dims = {op.in_place ? 0 : count}, .dtype = out_type});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op.first(handles, list, out.handle(), size, executor);
        },
        op.second);
    return ReadAs(op.in_place ? tensors[0] : out);
  }
  std::vector<double> Results(const char* name, const std::vector<std::vector<double>>& inputs,
                              const std::vector<double>& scalars = {},
                              aclDataType type = ACL_FLOAT) {
    return Results(name, inputs, scalars, type, type);
  }
  void ExpectSame(const std::vector<double>& actual, const std::vector<double>& expected) {
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      EXPECT_TRUE(actual[i] == expected[i] || (std::isnan(actual[i]) && std::isnan(expected[i])))
          << "element " << i << " is " << actual[i] << ", expected " << expected[i];
    }
  }
};

using Values = std::vector<double>;

// The scalar has the elements' type, as the documents' deduction and PyTorch's comparisons have it.
TEST_F(ElementwiseParametersTest, ComparisonsRoundTheScalarToTheElementsType) {
  const struct {
    aclDataType type;
    double pi;  // 3.14 as this type
  } cases[] = {{ACL_FLOAT16, 3.140625}, {ACL_BF16, 3.140625}, {ACL_FLOAT, 3.14f}};
  for (const auto& [type, pi] : cases) {
    const std::vector<std::vector<double>> self = {{pi, 3, 3.25}};
    const auto compare = [&, type = type](const char* name) {
      return Results(name, self, {3.14}, type, ACL_BOOL);
    };
    EXPECT_EQ(compare("EqScalar"), (std::vector<double>{1, 0, 0})) << type;
    EXPECT_EQ(compare("NeScalar"), (std::vector<double>{0, 1, 1})) << type;
    EXPECT_EQ(compare("LtScalar"), (std::vector<double>{0, 1, 0})) << type;
    EXPECT_EQ(compare("LeScalar"), (std::vector<double>{1, 1, 0})) << type;
    EXPECT_EQ(compare("GtScalar"), (std::vector<double>{0, 0, 1})) << type;
    EXPECT_EQ(compare("GeScalar"), (std::vector<double>{1, 0, 1})) << type;
  }
}

TEST_F(ElementwiseParametersTest, IntegerDivisionTakesEverySignAndZero) {
  const Values a = {7, 7, -7, -7, 6, -6, 5, -5, 0, 0};
  const Values b = {2, -2, 2, -2, 3, 3, 0, 0, 0, 4};
  for (aclDataType type : {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64}) {
    ExpectSame(Results("FloorDivide", {a, b}, {}, type), {3, -4, -4, 3, 2, -2, 0, 0, 0, 0});
    ExpectSame(Results("DivMod", {a, b}, {}, type), {3, -3, -3, 3, 2, -2, 0, 0, 0, 0});
    const bool remainders = type == ACL_INT32 || type == ACL_INT64;
    if (remainders) {
      ExpectSame(Results("RemainderTensorTensor", {a, b}, {}, type),
                 {1, -1, 1, -1, 0, 0, 5, -5, 0, 0});
    }
    ExpectSame(Results("FmodTensor", {a, b}, {}, type), {1, 1, -1, -1, 0, 0, 5, -5, 0, 0});
    for (double divisor : {-3.0, -1.0, 0.0, 2.0, 5.0}) {
      const Values divisors(a.size(), divisor);
      ExpectSame(Results("FloorDivides", {a}, {divisor}, type),
                 Results("FloorDivide", {a, divisors}, {}, type));
      ExpectSame(Results("DivMods", {a}, {divisor}, type),
                 Results("FloorDivide", {a, divisors}, {}, type));
      ExpectSame(Results("FmodScalar", {a}, {divisor}, type),
                 Results("FmodTensor", {a, divisors}, {}, type));
      if (!remainders) continue;
      ExpectSame(Results("RemainderTensorScalar", {a}, {divisor}, type),
                 Results("RemainderTensorTensor", {a, divisors}, {}, type));
      ExpectSame(Results("RemainderScalarTensor", {a}, {divisor}, type),
                 Results("RemainderTensorTensor", {divisors, a}, {}, type));
    }
  }
}

// Scalars become elements of the type: -3 beside UINT8 is 253.
TEST_F(ElementwiseParametersTest, DivisorsWrapAroundAsElements) {
  const Values a = {8, 254};
  const ElementwiseOperator& op = OperatorNamed("FmodScalar");
  Tensor self({.dims = {2}, .dtype = ACL_UINT8}), out({.dims = {2}, .dtype = ACL_UINT8});
  WriteAs(self, a);
  const ScalarHandle minus(-3, ACL_INT64);
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return op.first({self.handle()}, {minus.get()}, out.handle(), size, executor);
      },
      op.second);
  ExpectSame(ReadAs(out), {8, 1});
}

// A quotient is that of the numbers, whatever type holds the divisor.
TEST_F(ElementwiseParametersTest, QuotientsByDivisorsBeyondTheType) {
  const ElementwiseOperator& op = OperatorNamed("Divs");
  const auto divide = [&](aclDataType type, const Values& values, const ScalarHandle& divisor) {
    Tensor self({.dims = {2}, .dtype = type}), out({.dims = {2}, .dtype = type});
    WriteAs(self, values);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op.first({self.handle()}, {divisor.get()}, out.handle(), size, executor);
        },
        op.second);
    return ReadAs(out);
  };
  ExpectSame(divide(ACL_INT32, {100, -0x1p31}, ScalarHandle(1e30, ACL_FLOAT)), {0, 0});
  ExpectSame(divide(ACL_INT32, {100, -0x1p31}, ScalarHandle(-1e30, ACL_DOUBLE)), {0, 0});
  ExpectSame(divide(ACL_INT64, {100, -0x1p63}, ScalarHandle(0x1p64, ACL_FLOAT)), {0, 0});
  ExpectSame(divide(ACL_INT32, {100, -0x1p31}, ScalarHandle(0x1p32 + 2, ACL_INT64)), {0, 0});
  ExpectSame(divide(ACL_INT32, {100, -0x1p31}, ScalarHandle(0x1p31, ACL_INT64)), {0, -1});
  ExpectSame(divide(ACL_INT8, {100, -128}, ScalarHandle(128, ACL_INT64)), {0, -1});
}

// The document's operator makes the bounds self's type first.
TEST_F(ElementwiseParametersTest, FractionalBoundsOfIntegersAreCutOff) {
  const ElementwiseOperator& op = OperatorNamed("Hardtanh");
  for (aclDataType type : {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64}) {
    Tensor self({.dims = {5}, .dtype = type}), out({.dims = {5}, .dtype = type});
    WriteAs(self, {-9, -2, 0, 1, 9});
    const ScalarHandle low(-2.75, ACL_DOUBLE), high(1.5, ACL_DOUBLE);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op.first({self.handle()}, {low.get(), high.get()}, out.handle(), size, executor);
        },
        op.second);
    ExpectSame(ReadAs(out), {-2, -2, 0, 1, 1});
  }
}

TEST_F(ElementwiseParametersTest, TheLeastIntegerByMinusOneDoesNotTrap) {
  const double least32 = std::numeric_limits<int32_t>::min();
  for (const char* name : {"FloorDivide", "DivMod"}) {
    ExpectSame(Results(name, {{least32}, {-1}}, {}, ACL_INT32), {least32});
    ExpectSame(Results(name, {{-0x1p63}, {-1}}, {}, ACL_INT64), {-0x1p63});
    ExpectSame(Results(name, {{-128}, {-1}}, {}, ACL_INT8), {-128});
  }
  for (const char* name : {"RemainderTensorTensor", "FmodTensor"}) {
    ExpectSame(Results(name, {{least32}, {-1}}, {}, ACL_INT32), {0});
    ExpectSame(Results(name, {{-0x1p63}, {-1}}, {}, ACL_INT64), {0});
  }
  ExpectSame(Results("Gcd", {{least32, 0, 12}, {least32, 0, -18}}, {}, ACL_INT32), {least32, 0, 6});
}

// As if the quotient did not round: 1 / 0.1f is below 10.
TEST_F(ElementwiseParametersTest, FloorDivisionOfFractionsIsThatOfTheirValues) {
  const Values a = {1, -1, 1, kInf, 3, -3, 0x1p40, 5, 0, kNan};
  const Values b = {0.1f, 0.1f, -0.1f, 2, kInf, kInf, 3, 0, 0, 1};
  ExpectSame(Results("FloorDivide", {a, b}),
             {9, -10, -10, kNan, 0, -1, std::floor(0x1p40f / 3), kInf, kNan, kNan});
  ExpectSame(
      Results("RemainderTensorTensor", {{5.5, -5.5, 5.5, -5.5, 0x1p40, 3}, {2, 2, -2, -2, 3, 0}}),
      {1.5, 0.5, -0.5, -1.5, 1, kNan});
  ExpectSame(Results("FmodTensor", {{5.5, -5.5, 5.5, -5.5, 0x1p40, 3}, {2, 2, -2, -2, 3, kInf}}),
             {1.5, -1.5, 1.5, -1.5, 1, 3});
}

TEST_F(ElementwiseParametersTest, RemaindersByNarrowIntegersAreWide) {
  for (aclDataType out : {ACL_INT32, ACL_INT64, ACL_FLOAT}) {
    ExpectSame(Results("RemainderScalarTensor", {{7, 8, 0}}, {300}, ACL_UINT8, out), {6, 4, 300});
    ExpectSame(Results("RemainderScalarTensor", {{7, -8}}, {300}, ACL_INT8, out), {6, -4});
    ExpectSame(Results("RemainderScalarTensor", {{1}}, {300}, ACL_BOOL, out), {0});
  }
}

TEST_F(ElementwiseParametersTest, AnglesInPlaceOfIntegersLoseTheirFractions) {
  for (aclDataType type : {ACL_INT8, ACL_INT32, ACL_INT64}) {
    ExpectSame(Results("InplaceAtan2", {{1, -2, 0, 0}, {-1, -1, 5, -1}}, {}, type), {2, -2, 0, 3});
  }
  ExpectSame(Results("InplaceAtan2", {{0, 1, 1}, {1, 1, 0}}, {}, ACL_BOOL), {0, 1, 1});
}

TEST_F(ElementwiseParametersTest, DecimalsAreRoundedHalfToEven) {
  const auto run = [&](const Values& values, int64_t decimals, aclDataType type) {
    const auto count = static_cast<int64_t>(values.size());
    Tensor self({.dims = {count}, .dtype = type}), out({.dims = {count}, .dtype = type});
    WriteAs(self, values);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnRoundDecimalsGetWorkspaceSize(self.handle(), decimals, out.handle(), size,
                                                    executor);
        },
        aclnnRoundDecimals);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnInplaceRoundDecimalsGetWorkspaceSize(self.handle(), decimals, size, executor);
        },
        aclnnInplaceRoundDecimals);
    EXPECT_EQ(ReadAs(self), ReadAs(out)) << "in place";
    return ReadAs(out);
  };
  ExpectSame(run({0.25, 0.75, -0.25, 2.5, 1.0625}, 1, ACL_DOUBLE), {0.2, 0.8, -0.2, 2.5, 1.1});
  ExpectSame(run({2.5, 3.5, -2.5}, 0, ACL_FLOAT), {2, 4, -2});
  ExpectSame(run({1234, 1250, 1350, -1251}, -2, ACL_FLOAT), {1200, 1200, 1400, -1300});
  ExpectSame(run({1234, 1250, 1350, -1251, -1250}, -2, ACL_INT32),
             {1200, 1200, 1400, -1300, -1200});
  ExpectSame(run({1234, -7}, 3, ACL_INT64), {1234, -7});
  ExpectSame(run({0x1p62, -7}, -19, ACL_INT64), {0, 0});
}

TEST_F(ElementwiseParametersTest, BitsOfBoolAreLogic) {
  const Values a = {0, 0, 1, 1}, b = {0, 1, 0, 1};
  ExpectSame(Results("BitwiseAndTensor", {a, b}, {}, ACL_BOOL), {0, 0, 0, 1});
  ExpectSame(Results("BitwiseOrTensor", {a, b}, {}, ACL_BOOL), {0, 1, 1, 1});
  ExpectSame(Results("BitwiseXorTensor", {a, b}, {}, ACL_BOOL), {0, 1, 1, 0});
  ExpectSame(Results("BitwiseNot", {a}, {}, ACL_BOOL), {1, 1, 0, 0});
  const ElementwiseOperator& op = OperatorNamed("BitwiseAndTensor");
  Tensor self({.dims = {2}, .dtype = ACL_FLOAT}), whole({.dims = {2}, .dtype = ACL_INT32});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return op.first({self.handle(), whole.handle()}, {}, whole.handle(), size, executor);
      },
      ACLNN_ERR_PARAM_INVALID, {"self", "FLOAT"});
}

TEST_F(ElementwiseParametersTest, QuestionsAboutNumbersThatAreNone) {
  const Values x = {kNan, kInf, -kInf, 0, -0.0, 3e38, -1};
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    const bool wide = type == ACL_FLOAT16;  // where 3e38 is infinite
    const double infinite = wide ? 1 : 0;
    ExpectSame(Results("IsNegInf", {x}, {}, type, ACL_BOOL), {0, 0, 1, 0, 0, 0, 0});
    ExpectSame(Results("IsPosInf", {x}, {}, type, ACL_BOOL), {0, 1, 0, 0, 0, infinite, 0});
    ExpectSame(Results("IsInf", {x}, {}, type, ACL_BOOL), {0, 1, 1, 0, 0, infinite, 0});
    ExpectSame(Results("IsFinite", {x}, {}, type, ACL_BOOL), {0, 0, 0, 1, 1, 1 - infinite, 1});
    // The sign of a NaN is the client's.
    const Values signs = Results("Signbit", {x}, {}, type, ACL_BOOL);
    ExpectSame({signs.begin() + 1, signs.end()}, {0, 1, 0, 1, 0, 1});
  }
  ExpectSame(Results("NanToNum", {x}), {1, 2, -3, 0, 0, 3e38f, -1});
  ExpectSame(Results("IsClose", {{1, kInf, kInf, kNan, 1}, {1.7, kInf, -kInf, kNan, kNan}}, {},
                     ACL_FLOAT, ACL_BOOL),
             {1, 1, 0, 1, 0});
  ExpectSame(Results("IsClose", {{100, 100}, {70, 120}}, {}, ACL_INT32, ACL_BOOL), {0, 1});
  ExpectSame(Results("XLogYTensor", {{0, 0, 0, 1}, {0, kNan, -1, 0}}), {0, kNan, 0, -kInf});
  ExpectSame(Results("ClampTensor", {{kNan, 1, 1, 1}, {0, kNan, 0, 3}, {2, 2, kNan, 2}}),
             {kNan, kNan, kNan, 2});
  ExpectSame(Results("ClampTensor", {{kNan, 1, 4}, {0, 2, 2}, {}}), {kNan, 2, 4});
  ExpectSame(Results("ClampTensor", {{kNan, 1, 4}, {}, {0, 2, 2}}), {kNan, 1, 2});
  Tensor bounded({.dims = {3}}), out({.dims = {3}});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnClampTensorGetWorkspaceSize(bounded.handle(), nullptr, nullptr, out.handle(),
                                                size, executor);
      },
      161001, {"clipValueMin", "clipValueMax"});
  ExpectSame(Results("Threshold", {{kNan, 1, 2}}, {1.5, 7}), {kNan, 7, 2});
  ExpectSame(Results("Hardshrink", {{kNan, 1, -2}}, {1.5}), {kNan, 0, -2});
}

TEST_F(ElementwiseParametersTest, ActivationsHoldAtTheirEnds) {
  const Values ends = {-kInf, -200, 200, kInf, kNan};
  const Values ones(ends.size(), 1);
  ExpectSame(Results("Softplus", {ends}, {1, 20}), {0, 0, 200, kInf, kNan});
  ExpectSame(Results("Mish", {{-200, 200, kInf, kNan}}), {0, 200, kInf, kNan});
  ExpectSame(Results("GeluV2", {ends}), {0, 0, 200, kInf, kNan});
  ExpectSame(Results("Elu", {ends}, {1.5, 1, 1}), {-1.5, -1.5, 200, kInf, kNan});
  ExpectSame(Results("Hardsigmoid", {ends}), {0, 0, 1, 1, kNan});
  ExpectSame(Results("Hardswish", {ends}), {0, 0, 200, kInf, kNan});
  ExpectSame(Results("GeluBackward", {ones, ends}), {0, 0, 1, 1, kNan});
  ExpectSame(Results("GeluBackwardV2", {ones, ends}), {0, 0, 1, 1, kNan});
  ExpectSame(Results("MishBackward", {{1, 1}, {200, kNan}}), {1, kNan});
  ExpectSame(Results("HardtanhBackward", {{1, 1, 1, 1}, {-1, 0, 1, kNan}}, {-1, 1}), {0, 1, 0, 1});
  ExpectSame(Results("HardswishBackward", {{2, 2, 2}, {-3, 3, 4}}), {-1, 3, 2});
  ExpectSame(Results("HardswishBackwardV2", {{2, 2, 2}, {-3, 3, 4}}), {0, 2, 2});
  ExpectSame(Results("HardshrinkBackward", {{5, 5}, {0, 1}}, {-1}), {0, 5});
}

TEST_F(ElementwiseParametersTest, ParametersOutOfRangeAreRefused) {
  Tensor self({.dims = {2}}), out({.dims = {2}});
  const ScalarHandle zero(0, ACL_DOUBLE), minus(-1, ACL_DOUBLE);
  const auto refused = [&](const char* name, const ScalarHandle& scalar, const char* word) {
    const ElementwiseOperator& op = OperatorNamed(name);
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op.first(Tensors(static_cast<size_t>(op.inputs), self.handle()), {scalar.get()},
                          out.handle(), size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, {word});
  };
  refused("Celu", zero, "alpha = 0");
  refused("Softshrink", minus, "lambd = -1");
  const ElementwiseOperator& bounded = OperatorNamed("Hardtanh");
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return bounded.first({self.handle()}, {zero.get(), minus.get()}, out.handle(), size,
                             executor);
      },
      ACLNN_ERR_PARAM_INVALID, {"clipValueMin = 0", "clipValueMax = -1"});
}

TEST_F(ElementwiseParametersTest, TypesThatTheDocumentsLeaveOutAreRefused) {
  const ScalarHandle one(1, ACL_DOUBLE), two(2, ACL_INT64);
  const auto refused = [&](const char* name, aclDataType type, aclDataType out_type,
                           const ScalarList& scalars,
                           std::initializer_list<std::string_view> words) {
    const ElementwiseOperator& op = OperatorNamed(name);
    Tensor self({.dims = {2}, .dtype = type}), out({.dims = {2}, .dtype = out_type});
    ExpectRefused(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return op.first(Tensors(static_cast<size_t>(op.inputs), self.handle()), scalars,
                          out.handle(), size, executor);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  // Sums take no fractions into integers, not even whole ones, and no such alpha.
  refused("Rsub", ACL_INT32, ACL_INT32, {one.get()}, {"alpha.dtype = DOUBLE", "an integer"});
  refused("Subs", ACL_INT32, ACL_INT32, {one.get(), two.get()}, {"out"});
  refused("BitwiseAndScalar", ACL_INT32, ACL_INT32, {one.get()}, {"other.dtype = DOUBLE"});
  refused("RemainderTensorTensor", ACL_INT8, ACL_INT8, {}, {"INT8", "INT32"});
  refused("RemainderTensorScalar", ACL_UINT8, ACL_UINT8, {two.get()}, {"UINT8", "INT32"});
  refused("PowTensorTensor", ACL_BOOL, ACL_FLOAT, {}, {"BOOL", "numbers"});
  refused("Abs", ACL_FLOAT, ACL_FLOAT16, {}, {"out.dtype = FLOAT16", "FLOAT"});
}

TEST_F(ElementwiseParametersTest, EluOfAResultHasNoNegativeAlpha) {
  Tensor self({.dims = {2}}), out({.dims = {2}});
  const ScalarHandle minus(-1, ACL_DOUBLE);
  const auto gradient = [&](bool of_result) {
    return Phase1([&, of_result](uint64_t* size, aclOpExecutor** executor) {
      return aclnnEluBackwardGetWorkspaceSize(self.handle(), minus.get(), minus.get(), minus.get(),
                                              of_result, self.handle(), out.handle(), size,
                                              executor);
    });
  };
  ExpectRefused(gradient(true), ACLNN_ERR_PARAM_INVALID, {"alpha = -1"});
  RunTwoPhase(gradient(false), aclnnEluBackward);
}

TEST_F(ElementwiseParametersTest, LogSigmoidLeavesItsBufferAlone) {
  Tensor self({.dims = {4}}), out({.dims = {4}}), buffer({.dims = {0}}), gradient({.dims = {4}});
  const std::vector<float> x = {-100, -1, 0, 20};
  self.Write(x);
  gradient.Write(std::vector<float>{1, 2, 3, 4});
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnLogSigmoidForwardGetWorkspaceSize(self.handle(), out.handle(), buffer.handle(),
                                                      size, executor);
      },
      aclnnLogSigmoidForward);
  const std::vector<float> y = out.Read<float>();
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = std::fmin(x[i], 0) - std::log1p(std::exp(-std::fabs(double{x[i]})));
    EXPECT_NEAR(y[i], exact, 2 * UlpAt(ACL_FLOAT, exact));
  }
  RunTwoPhase(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnLogSigmoidBackwardGetWorkspaceSize(
            gradient.handle(), self.handle(), buffer.handle(), out.handle(), size, executor);
      },
      aclnnLogSigmoidBackward);
  const std::vector<float> slope = out.Read<float>();
  for (size_t i = 0; i < x.size(); ++i) {
    const double exact = static_cast<double>(i + 1) / (1 + std::exp(double{x[i]}));
    EXPECT_NEAR(slope[i], exact, 4 * UlpAt(ACL_FLOAT, exact));
  }
}

TEST_F(ElementwiseParametersTest, EqualSeesEveryElement) {
  const auto equal = [&](Tensor& a, Tensor& b) {
    Tensor out({.dims = {1}, .dtype = ACL_BOOL});
    out.Write(std::vector<uint8_t>{7});
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnEqualGetWorkspaceSize(a.handle(), b.handle(), out.handle(), size, executor);
        },
        aclnnEqual);
    return out.Read<uint8_t>()[0];
  };
  for (int64_t count : {1, 5, 1000, 100000}) {
    Tensor a({.dims = {count}}), b({.dims = {count}, .dtype = ACL_INT32});
    Values values(static_cast<size_t>(count));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 100);
    WriteAs(a, values);
    WriteAs(b, values);
    EXPECT_EQ(equal(a, a), 1);
    EXPECT_EQ(equal(a, b), 1);
    for (size_t at : {size_t{0}, values.size() / 2, values.size() - 1}) {
      Values changed = values;
      changed[at] += 1;
      WriteAs(b, changed);
      EXPECT_EQ(equal(a, b), 0) << count << ", element " << at;
    }
    values.back() = kNan;
    WriteAs(a, values);
    EXPECT_EQ(equal(a, a), 0);
  }
  Tensor a({.dims = {40, 70}, .strides = {1, 40}}), b({.dims = {40, 70}}), c({.dims = {70, 40}});
  Values values(2800);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  for (Tensor* tensor : {&a, &b, &c}) WriteAs(*tensor, values);
  EXPECT_EQ(equal(a, b), 1);
  EXPECT_EQ(equal(b, c), 0) << "of other shapes";
  Tensor empty({.dims = {0, 3}}), other({.dims = {0, 4}});
  EXPECT_EQ(equal(empty, empty), 1);
  EXPECT_EQ(equal(empty, other), 0);
}

}  // namespace
}  // namespace anyacl::test::elementwise_parameters
