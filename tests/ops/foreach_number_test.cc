// SPDX-License-Identifier: Apache-2.0
// The first versions of operators on lists, whose scalar lies in a tensor: the bits of the second
// versions, which have it in the call, and what of a scalar shows when it is read.
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_foreach_add_list.h"
#include "aclnnop/aclnn_foreach_add_list_v2.h"
#include "aclnnop/aclnn_foreach_add_scalar.h"
#include "aclnnop/aclnn_foreach_add_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_div_scalar.h"
#include "aclnnop/aclnn_foreach_div_scalar_v2.h"
#include "aclnnop/aclnn_foreach_maximum_scalar.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_minimum_scalar.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_mul_scalar.h"
#include "aclnnop/aclnn_foreach_mul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_pow_scalar.h"
#include "aclnnop/aclnn_foreach_pow_scalar_v2.h"
#include "aclnnop/aclnn_foreach_round_off_number.h"
#include "aclnnop/aclnn_foreach_round_off_number_v2.h"
#include "aclnnop/aclnn_foreach_sub_list.h"
#include "aclnnop/aclnn_foreach_sub_list_v2.h"
#include "aclnnop/aclnn_foreach_sub_scalar.h"
#include "aclnnop/aclnn_foreach_sub_scalar_v2.h"
#include "support/device_test.h"
#include "support/numbers.h"
#include "support/tensor_list.h"

namespace anyacl::test {
namespace {

using Numbers = std::vector<double>;

struct Lists {
  const aclTensorList *x, *x2, *x3;
  aclTensorList* out;
};

template <auto kPhase1, class Scalar>
aclnnStatus One(const Lists& l, Scalar* scalar, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(l.x, scalar, l.out, s, e);
}
template <auto kPhase1, class Scalar>
aclnnStatus Pair(const Lists& l, Scalar* scalar, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(l.x, l.x2, scalar, l.out, s, e);
}
template <auto kPhase1, class Scalar>
aclnnStatus Triple(const Lists& l, Scalar* scalar, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(l.x, l.x2, l.x3, scalar, l.out, s, e);
}

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const std::vector<aclDataType> kAndInt32 = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32};
const std::vector<aclDataType> kAndSmall = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32,
                                            ACL_INT16, ACL_INT8,    ACL_UINT8};

struct Versions {
  const char* name;
  aclnnStatus (*first)(const Lists&, const aclTensor*, uint64_t*, aclOpExecutor**);
  Phase2 run_first;
  aclnnStatus (*second)(const Lists&, const aclScalar*, uint64_t*, aclOpExecutor**);
  Phase2 run_second;
  const std::vector<aclDataType>& types;
};

const std::vector<Versions>& AllVersions() {
  static const std::vector<Versions> kVersions = {
      {"AddcdivScalar", Triple<aclnnForeachAddcdivScalarGetWorkspaceSize, const aclTensor>,
       aclnnForeachAddcdivScalar,
       Triple<aclnnForeachAddcdivScalarV2GetWorkspaceSize, const aclScalar>,
       aclnnForeachAddcdivScalarV2, kFloats},
      {"AddcmulScalar", Triple<aclnnForeachAddcmulScalarGetWorkspaceSize, const aclTensor>,
       aclnnForeachAddcmulScalar,
       Triple<aclnnForeachAddcmulScalarV2GetWorkspaceSize, const aclScalar>,
       aclnnForeachAddcmulScalarV2, kAndInt32},
      {"AddList", Pair<aclnnForeachAddListGetWorkspaceSize, const aclTensor>, aclnnForeachAddList,
       Pair<aclnnForeachAddListV2GetWorkspaceSize, const aclScalar>, aclnnForeachAddListV2,
       kAndSmall},
      {"AddScalar", One<aclnnForeachAddScalarGetWorkspaceSize, const aclTensor>,
       aclnnForeachAddScalar, One<aclnnForeachAddScalarV2GetWorkspaceSize, const aclScalar>,
       aclnnForeachAddScalarV2, kAndSmall},
      {"DivScalar", One<aclnnForeachDivScalarGetWorkspaceSize, const aclTensor>,
       aclnnForeachDivScalar, One<aclnnForeachDivScalarV2GetWorkspaceSize, const aclScalar>,
       aclnnForeachDivScalarV2, kFloats},
      {"MaximumScalar", One<aclnnForeachMaximumScalarGetWorkspaceSize, const aclTensor>,
       aclnnForeachMaximumScalar, One<aclnnForeachMaximumScalarV2GetWorkspaceSize, const aclScalar>,
       aclnnForeachMaximumScalarV2, kAndInt32},
      {"MinimumScalar", One<aclnnForeachMinimumScalarGetWorkspaceSize, const aclTensor>,
       aclnnForeachMinimumScalar, One<aclnnForeachMinimumScalarV2GetWorkspaceSize, const aclScalar>,
       aclnnForeachMinimumScalarV2, kAndInt32},
      {"MulScalar", One<aclnnForeachMulScalarGetWorkspaceSize, const aclTensor>,
       aclnnForeachMulScalar, One<aclnnForeachMulScalarV2GetWorkspaceSize, const aclScalar>,
       aclnnForeachMulScalarV2, kAndInt32},
      {"PowScalar", One<aclnnForeachPowScalarGetWorkspaceSize, const aclTensor>,
       aclnnForeachPowScalar, One<aclnnForeachPowScalarV2GetWorkspaceSize, const aclScalar>,
       aclnnForeachPowScalarV2, kAndInt32},
      {"SubList", Pair<aclnnForeachSubListGetWorkspaceSize, const aclTensor>, aclnnForeachSubList,
       Pair<aclnnForeachSubListV2GetWorkspaceSize, const aclScalar>, aclnnForeachSubListV2,
       kAndSmall},
      {"SubScalar", One<aclnnForeachSubScalarGetWorkspaceSize, const aclTensor>,
       aclnnForeachSubScalar, One<aclnnForeachSubScalarV2GetWorkspaceSize, const aclScalar>,
       aclnnForeachSubScalarV2, kAndInt32},
  };
  return kVersions;
}

bool IsWhole(aclDataType type) { return HalfUnitOf(type, 1) == 0; }

class ForeachNumberTest : public DeviceTest, public ::testing::WithParamInterface<Versions> {
 protected:
  Tensors Drawn(aclDataType type) {
    Tensors tensors;
    for (const std::vector<int64_t>& dims :
         std::vector<std::vector<int64_t>>{{3}, {}, {0}, {7, 9}, {17000}}) {
      Layout layout{.dims = dims, .dtype = type};
      if (dims.size() == 2) layout.strides = {1, dims[0] + 1};
      tensors.push_back(std::make_unique<Tensor>(layout));
      Numbers values;
      for (int64_t i = 0; i < tensors.back()->count(); ++i) {
        values.push_back(IsWhole(type) ? static_cast<double>(random().Int(1, 9))
                                       : AsHeld(type, random().Uniform(0.25, 4)));
      }
      WriteAs(*tensors.back(), values);
    }
    return tensors;
  }

  void ExpectSame(aclDataType type, aclDataType number_type, double number) {
    SCOPED_TRACE(::testing::Message()
                 << "type " << type << " number " << number << " of type " << number_type);
    const Tensors x = Drawn(type), x2 = Drawn(type), x3 = Drawn(type);
    const Tensors first = Drawn(type), second = Drawn(type);
    Tensor in_tensor({.dims = {1}, .dtype = number_type});
    WriteAs(in_tensor, {number});
    double held = ReadAs(in_tensor)[0];
    auto whole = static_cast<int64_t>(std::isnan(held) ? 0 : held);
    const aclScalar* scalar = HalfUnitOf(type, 1) == 0 ? aclCreateScalar(&whole, ACL_INT64)
                                                       : aclCreateScalar(&held, ACL_DOUBLE);
    const TensorList a(x), b(x2), c(x3), to_first(first), to_second(second);
    const Lists lists = {a.handle(), b.handle(), c.handle(), to_first.handle()};
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return GetParam().first(lists, in_tensor.handle(), s, e);
        },
        GetParam().run_first);
    const Lists others = {a.handle(), b.handle(), c.handle(), to_second.handle()};
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) { return GetParam().second(others, scalar, s, e); },
        GetParam().run_second);
    aclDestroyScalar(scalar);
    for (size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(number)) {
        const Numbers u = ReadAs(*first[i]), v = ReadAs(*second[i]);
        for (size_t k = 0; k < u.size(); ++k) {
          ASSERT_TRUE(u[k] == v[k] || (std::isnan(u[k]) && std::isnan(v[k])));
        }
      } else {
        EXPECT_EQ(ReadBits(*first[i]), ReadBits(*second[i])) << i;
      }
      EXPECT_TRUE(first[i]->GuardsIntact());
    }
  }
};

TEST_P(ForeachNumberTest, BitsAreThoseOfTheSecondVersion) {
  for (aclDataType type : GetParam().types) {
    // Powers of 2, 3, 0.5 and -1 are computed otherwise than others.
    const Numbers numbers = IsWhole(type) ? Numbers{2, 3} : Numbers{2, 3, 0.5, -1, 1.75};
    for (double number : numbers) {
      if (!IsWhole(type) || type == ACL_INT32) ExpectSame(type, type, number);
      ExpectSame(type, IsWhole(type) ? ACL_INT32 : ACL_FLOAT, number);
    }
    if (!IsWhole(type)) ExpectSame(type, type, std::numeric_limits<double>::quiet_NaN());
  }
}

TEST_P(ForeachNumberTest, NumbersThatDoNotFitAreRefused) {
  const Tensors x = Drawn(ACL_FLOAT), out = Drawn(ACL_FLOAT);
  const TensorList a(x), to(out);
  const Lists lists = {a.handle(), a.handle(), a.handle(), to.handle()};
  const auto refused = [&](const Layout& layout, std::initializer_list<std::string_view> words) {
    const Tensor number(layout);
    ExpectRefused([&](uint64_t* s,
                      aclOpExecutor** e) { return GetParam().first(lists, number.handle(), s, e); },
                  ACLNN_ERR_PARAM_INVALID, words);
  };
  refused({.dims = {2}}, {"shape = [2]", "one element"});
  refused({.dims = {0}}, {"shape = [0]", "one element"});
  refused({.dims = {1}, .dtype = ACL_FLOAT16}, {"dtype = FLOAT16", "FLOAT"});
  refused({.dims = {1}, .dtype = ACL_DOUBLE}, {"dtype = DOUBLE"});
}

INSTANTIATE_TEST_SUITE_P(All, ForeachNumberTest, ::testing::ValuesIn(AllVersions()),
                         [](const auto& info) { return std::string(info.param.name); });

class ForeachRoundByNumberTest : public DeviceTest {};

TEST_F(ForeachRoundByNumberTest, Modes) {
  const Numbers values = {-2.5, -1.75, -0.5, 0, 0.5, 1.5, 2.25, 7};
  const auto call = [&](double mode, Tensors& x, const Tensor& mode_tensor) {
    WriteAs(const_cast<Tensor&>(mode_tensor), {mode});
    WriteAs(*x[0], values);
  };
  const struct {
    double mode;
    double (*of)(double);
  } modes[] = {{1, [](double x) { return std::nearbyint(x); }},
               {2, [](double x) { return std::floor(x); }},
               {3, [](double x) { return std::ceil(x); }},
               {5, [](double x) { return std::trunc(x); }},
               {7, [](double x) { return x - std::trunc(x); }},
               {9, [](double x) { return std::nearbyint(x); }}};
  Tensors x;
  x.push_back(std::make_unique<Tensor>(Layout{.dims = {8}, .dtype = ACL_BF16}));
  const Tensor mode_tensor({.dims = {}, .dtype = ACL_INT8});
  const TensorList list(x);
  const Phase1 phase1 = [&](uint64_t* s, aclOpExecutor** e) {
    return aclnnForeachRoundOffNumberGetWorkspaceSize(list.handle(), mode_tensor.handle(),
                                                      list.handle(), s, e);
  };
  for (const auto& [mode, of] : modes) {
    call(mode, x, mode_tensor);
    RunTwoPhase(phase1, aclnnForeachRoundOffNumber);
    Numbers expected;
    for (double value : values) expected.push_back(of(value));
    EXPECT_EQ(ReadAs(*x[0]), expected) << "mode " << mode;
  }
  for (double mode : {4, 6}) {
    call(mode, x, mode_tensor);
    TakeMessages();
    const Prepared prepared = Prepare(phase1);
    ASSERT_OK(prepared.code);
    ASSERT_OK(aclnnForeachRoundOffNumber(nullptr, 0, prepared.executor, stream()));
    ExpectFailure(aclrtSynchronizeStream(stream()), ACL_ERROR_RT_AICORE_EXCEPTION,
                  {mode == 4 ? "roundMode = 4" : "roundMode = 6"});
    EXPECT_EQ(ReadAs(*x[0]), values);
  }
}

}  // namespace
}  // namespace anyacl::test
