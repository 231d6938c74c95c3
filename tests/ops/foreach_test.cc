// SPDX-License-Identifier: Apache-2.0
// The element-wise operators on lists of tensors: members of many sizes, types, layouts, in place.
#include <cmath>
#include <functional>
#include <memory>

#include "aclnnop/aclnn_foreach_abs.h"
#include "aclnnop/aclnn_foreach_acos.h"
#include "aclnnop/aclnn_foreach_add_list_v2.h"
#include "aclnnop/aclnn_foreach_add_scalar_list.h"
#include "aclnnop/aclnn_foreach_add_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcdiv_list.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_list.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcmul_list.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_list.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_asin.h"
#include "aclnnop/aclnn_foreach_atan.h"
#include "aclnnop/aclnn_foreach_copy.h"
#include "aclnnop/aclnn_foreach_cos.h"
#include "aclnnop/aclnn_foreach_cosh.h"
#include "aclnnop/aclnn_foreach_div_list.h"
#include "aclnnop/aclnn_foreach_div_scalar_list.h"
#include "aclnnop/aclnn_foreach_div_scalar_v2.h"
#include "aclnnop/aclnn_foreach_erf.h"
#include "aclnnop/aclnn_foreach_erfc.h"
#include "aclnnop/aclnn_foreach_exp.h"
#include "aclnnop/aclnn_foreach_expm1.h"
#include "aclnnop/aclnn_foreach_lerp_list.h"
#include "aclnnop/aclnn_foreach_lerp_scalar.h"
#include "aclnnop/aclnn_foreach_log.h"
#include "aclnnop/aclnn_foreach_log10.h"
#include "aclnnop/aclnn_foreach_log1p.h"
#include "aclnnop/aclnn_foreach_log2.h"
#include "aclnnop/aclnn_foreach_maximum_list.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_list.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_minimum_list.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_list.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_mul_list.h"
#include "aclnnop/aclnn_foreach_mul_scalar_list.h"
#include "aclnnop/aclnn_foreach_mul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_neg.h"
#include "aclnnop/aclnn_foreach_pow_list.h"
#include "aclnnop/aclnn_foreach_pow_scalar_and_tensor.h"
#include "aclnnop/aclnn_foreach_pow_scalar_list.h"
#include "aclnnop/aclnn_foreach_pow_scalar_v2.h"
#include "aclnnop/aclnn_foreach_reciprocal.h"
#include "aclnnop/aclnn_foreach_round_off_number_v2.h"
#include "aclnnop/aclnn_foreach_sigmoid.h"
#include "aclnnop/aclnn_foreach_sign.h"
#include "aclnnop/aclnn_foreach_sin.h"
#include "aclnnop/aclnn_foreach_sinh.h"
#include "aclnnop/aclnn_foreach_sqrt.h"
#include "aclnnop/aclnn_foreach_sub_list_v2.h"
#include "aclnnop/aclnn_foreach_sub_scalar_list.h"
#include "aclnnop/aclnn_foreach_sub_scalar_v2.h"
#include "aclnnop/aclnn_foreach_tan.h"
#include "aclnnop/aclnn_foreach_tanh.h"
#include "support/device_test.h"
#include "support/numbers.h"
#include "support/tensor_list.h"

namespace anyacl::test::foreach {
namespace {

struct Arguments {
  const aclTensorList *x, *x2, *x3;
  const aclScalar* scalar;
  const aclScalarList* scalars;
  const aclTensor* scalar_tensor;
  aclTensorList* out;
};

// All first phases behind one signature.
template <auto kPhase1>
aclnnStatus Unary(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(a.x, a.out, s, e);
}
template <auto kPhase1>
aclnnStatus WithScalar(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(a.x, a.scalar, a.out, s, e);
}
template <auto kPhase1>
aclnnStatus ScalarFirst(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(a.scalar, a.x, a.out, s, e);
}
template <auto kPhase1>
aclnnStatus WithScalars(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(a.x, a.scalars, a.out, s, e);
}
template <auto kPhase1>
aclnnStatus Pair(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(a.x, a.x2, a.out, s, e);
}
template <auto kPhase1>
aclnnStatus ScaledPair(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(a.x, a.x2, a.scalar, a.out, s, e);
}
template <auto kPhase1>
aclnnStatus Triple(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(a.x, a.x2, a.x3, a.scalar, a.out, s, e);
}
template <auto kPhase1>
aclnnStatus TripleLists(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(a.x, a.x2, a.x3, a.out, s, e);
}
template <auto kPhase1>
aclnnStatus TripleScalars(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return kPhase1(a.x, a.x2, a.x3, a.scalar_tensor, a.out, s, e);
}

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const std::vector<aclDataType> kAndInt32 = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32};
const std::vector<aclDataType> kAndSmall = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32,
                                            ACL_INT16, ACL_INT8,    ACL_UINT8};
const std::vector<aclDataType> kSigned = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                          ACL_INT8,  ACL_INT32,   ACL_INT64};

// Of an element: those of the lists, and the scalar.
struct Values {
  double a, b, c, p;
};

struct ListOperator {
  const char* name;
  aclnnStatus (*phase1)(const Arguments&, uint64_t*, aclOpExecutor**);
  Phase2 phase2;
  double (*oracle)(const Values& v);
  const std::vector<aclDataType>& types;
  bool unit = false;  // of 0 to 1
};

const std::vector<ListOperator>& AllListOperators() {
  static const std::vector<ListOperator> kOperators = {
      {"Abs", Unary<aclnnForeachAbsGetWorkspaceSize>, aclnnForeachAbs,
       [](const Values& v) { return std::fabs(v.a); }, kFloats},
      {"Acos", Unary<aclnnForeachAcosGetWorkspaceSize>, aclnnForeachAcos,
       [](const Values& v) { return std::acos(v.a); }, kFloats, true},
      {"AddListV2", ScaledPair<aclnnForeachAddListV2GetWorkspaceSize>, aclnnForeachAddListV2,
       [](const Values& v) { return v.a + v.p * v.b; }, kAndSmall},
      {"AddScalarList", WithScalars<aclnnForeachAddScalarListGetWorkspaceSize>,
       aclnnForeachAddScalarList, [](const Values& v) { return v.a + v.p; }, kAndInt32},
      {"AddScalarV2", WithScalar<aclnnForeachAddScalarV2GetWorkspaceSize>, aclnnForeachAddScalarV2,
       [](const Values& v) { return v.a + v.p; }, kAndSmall},
      {"AddcdivList", TripleScalars<aclnnForeachAddcdivListGetWorkspaceSize>,
       aclnnForeachAddcdivList, [](const Values& v) { return v.a + v.p * v.b / v.c; }, kFloats},
      {"AddcdivScalarList", TripleScalars<aclnnForeachAddcdivScalarListGetWorkspaceSize>,
       aclnnForeachAddcdivScalarList, [](const Values& v) { return v.a + v.p * v.b / v.c; },
       kFloats},
      {"AddcdivScalarV2", Triple<aclnnForeachAddcdivScalarV2GetWorkspaceSize>,
       aclnnForeachAddcdivScalarV2, [](const Values& v) { return v.a + v.p * v.b / v.c; }, kFloats},
      {"AddcmulList", TripleScalars<aclnnForeachAddcmulListGetWorkspaceSize>,
       aclnnForeachAddcmulList, [](const Values& v) { return v.a + v.p * v.b * v.c; }, kAndInt32},
      {"AddcmulScalarList", TripleScalars<aclnnForeachAddcmulScalarListGetWorkspaceSize>,
       aclnnForeachAddcmulScalarList, [](const Values& v) { return v.a + v.p * v.b * v.c; },
       kAndInt32},
      {"AddcmulScalarV2", Triple<aclnnForeachAddcmulScalarV2GetWorkspaceSize>,
       aclnnForeachAddcmulScalarV2, [](const Values& v) { return v.a + v.p * v.b * v.c; },
       kAndInt32},
      {"Asin", Unary<aclnnForeachAsinGetWorkspaceSize>, aclnnForeachAsin,
       [](const Values& v) { return std::asin(v.a); }, kFloats, true},
      {"Atan", Unary<aclnnForeachAtanGetWorkspaceSize>, aclnnForeachAtan,
       [](const Values& v) { return std::atan(v.a); }, kFloats},
      {"Copy", Unary<aclnnForeachCopyGetWorkspaceSize>, aclnnForeachCopy,
       [](const Values& v) { return v.a; }, kFloats},
      {"Cos", Unary<aclnnForeachCosGetWorkspaceSize>, aclnnForeachCos,
       [](const Values& v) { return std::cos(v.a); }, kFloats},
      {"Cosh", Unary<aclnnForeachCoshGetWorkspaceSize>, aclnnForeachCosh,
       [](const Values& v) { return std::cosh(v.a); }, kFloats},
      {"DivList", Pair<aclnnForeachDivListGetWorkspaceSize>, aclnnForeachDivList,
       [](const Values& v) { return v.a / v.b; }, kFloats},
      {"DivScalarList", WithScalars<aclnnForeachDivScalarListGetWorkspaceSize>,
       aclnnForeachDivScalarList, [](const Values& v) { return v.a / v.p; }, kFloats},
      {"DivScalarV2", WithScalar<aclnnForeachDivScalarV2GetWorkspaceSize>, aclnnForeachDivScalarV2,
       [](const Values& v) { return v.a / v.p; }, kFloats},
      {"Erf", Unary<aclnnForeachErfGetWorkspaceSize>, aclnnForeachErf,
       [](const Values& v) { return std::erf(v.a); }, kFloats},
      {"Erfc", Unary<aclnnForeachErfcGetWorkspaceSize>, aclnnForeachErfc,
       [](const Values& v) { return std::erfc(v.a); }, kFloats},
      {"Exp", Unary<aclnnForeachExpGetWorkspaceSize>, aclnnForeachExp,
       [](const Values& v) { return std::exp(v.a); }, kFloats},
      {"Expm1", Unary<aclnnForeachExpm1GetWorkspaceSize>, aclnnForeachExpm1,
       [](const Values& v) { return std::expm1(v.a); }, kFloats},
      {"LerpList", TripleLists<aclnnForeachLerpListGetWorkspaceSize>, aclnnForeachLerpList,
       [](const Values& v) { return v.a + v.c * (v.b - v.a); }, kFloats},
      {"LerpScalar", ScaledPair<aclnnForeachLerpScalarGetWorkspaceSize>, aclnnForeachLerpScalar,
       [](const Values& v) { return v.a + v.p * (v.b - v.a); }, kFloats},
      {"Log", Unary<aclnnForeachLogGetWorkspaceSize>, aclnnForeachLog,
       [](const Values& v) { return std::log(v.a); }, kFloats},
      {"Log10", Unary<aclnnForeachLog10GetWorkspaceSize>, aclnnForeachLog10,
       [](const Values& v) { return std::log10(v.a); }, kFloats},
      {"Log1p", Unary<aclnnForeachLog1pGetWorkspaceSize>, aclnnForeachLog1p,
       [](const Values& v) { return std::log1p(v.a); }, kFloats},
      {"Log2", Unary<aclnnForeachLog2GetWorkspaceSize>, aclnnForeachLog2,
       [](const Values& v) { return std::log2(v.a); }, kFloats},
      {"MaximumList", Pair<aclnnForeachMaximumListGetWorkspaceSize>, aclnnForeachMaximumList,
       [](const Values& v) { return std::max(v.a, v.b); }, kAndInt32},
      {"MaximumScalarList", WithScalars<aclnnForeachMaximumScalarListGetWorkspaceSize>,
       aclnnForeachMaximumScalarList, [](const Values& v) { return std::max(v.a, v.p); },
       kAndInt32},
      {"MaximumScalarV2", WithScalar<aclnnForeachMaximumScalarV2GetWorkspaceSize>,
       aclnnForeachMaximumScalarV2, [](const Values& v) { return std::max(v.a, v.p); }, kAndInt32},
      {"MinimumList", Pair<aclnnForeachMinimumListGetWorkspaceSize>, aclnnForeachMinimumList,
       [](const Values& v) { return std::min(v.a, v.b); }, kAndInt32},
      {"MinimumScalarList", WithScalars<aclnnForeachMinimumScalarListGetWorkspaceSize>,
       aclnnForeachMinimumScalarList, [](const Values& v) { return std::min(v.a, v.p); },
       kAndInt32},
      {"MinimumScalarV2", WithScalar<aclnnForeachMinimumScalarV2GetWorkspaceSize>,
       aclnnForeachMinimumScalarV2, [](const Values& v) { return std::min(v.a, v.p); }, kAndInt32},
      {"MulList", Pair<aclnnForeachMulListGetWorkspaceSize>, aclnnForeachMulList,
       [](const Values& v) { return v.a * v.b; }, kAndSmall},
      {"MulScalarList", WithScalars<aclnnForeachMulScalarListGetWorkspaceSize>,
       aclnnForeachMulScalarList, [](const Values& v) { return v.a * v.p; }, kAndInt32},
      {"MulScalarV2", WithScalar<aclnnForeachMulScalarV2GetWorkspaceSize>, aclnnForeachMulScalarV2,
       [](const Values& v) { return v.a * v.p; }, kAndInt32},
      {"Neg", Unary<aclnnForeachNegGetWorkspaceSize>, aclnnForeachNeg,
       [](const Values& v) { return -v.a; }, kAndSmall},
      {"PowList", Pair<aclnnForeachPowListGetWorkspaceSize>, aclnnForeachPowList,
       [](const Values& v) { return std::pow(v.a, v.b); }, kAndInt32},
      {"PowScalarAndTensor", ScalarFirst<aclnnForeachPowScalarAndTensorGetWorkspaceSize>,
       aclnnForeachPowScalarAndTensor, [](const Values& v) { return std::pow(v.p, v.a); },
       kAndInt32},
      {"PowScalarList", WithScalars<aclnnForeachPowScalarListGetWorkspaceSize>,
       aclnnForeachPowScalarList, [](const Values& v) { return std::pow(v.a, v.p); }, kAndInt32},
      {"PowScalarV2", WithScalar<aclnnForeachPowScalarV2GetWorkspaceSize>, aclnnForeachPowScalarV2,
       [](const Values& v) { return std::pow(v.a, v.p); }, kAndInt32},
      {"Reciprocal", Unary<aclnnForeachReciprocalGetWorkspaceSize>, aclnnForeachReciprocal,
       [](const Values& v) { return 1 / v.a; }, kFloats},
      {"RoundOffNumberV2", WithScalar<aclnnForeachRoundOffNumberV2GetWorkspaceSize>,
       aclnnForeachRoundOffNumberV2, [](const Values& v) { return std::nearbyint(v.a); }, kFloats},
      {"Sigmoid", Unary<aclnnForeachSigmoidGetWorkspaceSize>, aclnnForeachSigmoid,
       [](const Values& v) { return 1 / (1 + std::exp(-v.a)); }, kFloats},
      {"Sign", Unary<aclnnForeachSignGetWorkspaceSize>, aclnnForeachSign,
       [](const Values& v) { return double(v.a > 0) - double(v.a < 0); }, kSigned},
      {"Sin", Unary<aclnnForeachSinGetWorkspaceSize>, aclnnForeachSin,
       [](const Values& v) { return std::sin(v.a); }, kFloats},
      {"Sinh", Unary<aclnnForeachSinhGetWorkspaceSize>, aclnnForeachSinh,
       [](const Values& v) { return std::sinh(v.a); }, kFloats},
      {"Sqrt", Unary<aclnnForeachSqrtGetWorkspaceSize>, aclnnForeachSqrt,
       [](const Values& v) { return std::sqrt(v.a); }, kFloats},
      {"SubListV2", ScaledPair<aclnnForeachSubListV2GetWorkspaceSize>, aclnnForeachSubListV2,
       [](const Values& v) { return v.a - v.p * v.b; }, kAndSmall},
      {"SubScalarList", WithScalars<aclnnForeachSubScalarListGetWorkspaceSize>,
       aclnnForeachSubScalarList, [](const Values& v) { return v.a - v.p; }, kAndInt32},
      {"SubScalarV2", WithScalar<aclnnForeachSubScalarV2GetWorkspaceSize>, aclnnForeachSubScalarV2,
       [](const Values& v) { return v.a - v.p; }, kAndInt32},
      {"Tan", Unary<aclnnForeachTanGetWorkspaceSize>, aclnnForeachTan,
       [](const Values& v) { return std::tan(v.a); }, kFloats},
      {"Tanh", Unary<aclnnForeachTanhGetWorkspaceSize>, aclnnForeachTanh,
       [](const Values& v) { return std::tanh(v.a); }, kFloats},
  };
  return kOperators;
}

class ForeachTest : public DeviceTest, public ::testing::WithParamInterface<ListOperator> {
 protected:
  const std::string name() const { return GetParam().name; }
  bool is_scalar_list() const {
    return name().ends_with("ScalarList") || name() == "AddcdivList" || name() == "AddcmulList";
  }

  // Positive, so that every function is defined; powers stay small.
  std::vector<double> Random(const Tensor& tensor) {
    std::vector<double> values;
    const aclDataType type = tensor.layout().dtype;
    const bool whole = HalfUnitOf(type, 1) == 0;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(type, whole             ? static_cast<double>(random().Int(1, 4))
                                    : GetParam().unit ? random().Uniform(0.02, 0.98)
                                                      : random().Uniform(0.25, 4)));
    }
    return values;
  }

  static Tensors Make(aclDataType type, const std::vector<std::vector<int64_t>>& sizes,
                      bool strided) {
    Tensors tensors;
    for (const auto& dims : sizes) {
      Layout layout{.dims = dims, .dtype = type};
      if (strided && dims.size() == 2) layout.strides = {1, dims[0] + 1};
      tensors.push_back(std::make_unique<Tensor>(layout));
    }
    return tensors;
  }

  // What of a scalar or its tensor each member sees.
  double ScalarOf(size_t member, aclDataType type) const {
    const bool whole = HalfUnitOf(type, 1) == 0 || name() == "RoundOffNumberV2";
    const double value = is_scalar_list() ? 1.0 + static_cast<double>(member) : 2;
    return whole ? (name() == "RoundOffNumberV2" ? 1 : value) : value * 0.5;
  }

  void ExpectCorrect(aclDataType type, const std::vector<std::vector<int64_t>>& sizes, bool strided,
                     bool in_place) {
    SCOPED_TRACE(::testing::Message() << "type " << type << " strided " << strided);
    const Tensors x = Make(type, sizes, strided), x2 = Make(type, sizes, false);
    const Tensors x3 = Make(type, sizes, strided), outs = Make(type, sizes, strided);
    std::vector<std::vector<double>> xs, x2s, x3s;
    std::vector<double> numbers;
    std::vector<const aclScalar*> handles;
    for (size_t i = 0; i < sizes.size(); ++i) {
      xs.push_back(Random(*x[i]));
      x2s.push_back(Random(*x2[i]));
      x3s.push_back(Random(*x3[i]));
      WriteAs(*x[i], xs.back());
      WriteAs(*x2[i], x2s.back());
      WriteAs(*x3[i], x3s.back());
      numbers.push_back(ScalarOf(i, type));
      handles.push_back(aclCreateScalar(&numbers.back(), ACL_DOUBLE));
    }
    double one = ScalarOf(0, type);
    auto whole = static_cast<int64_t>(one);
    const aclScalar* scalar = HalfUnitOf(type, 1) == 0 ? aclCreateScalar(&whole, ACL_INT64)
                                                       : aclCreateScalar(&one, ACL_DOUBLE);
    const aclScalarList* scalars = aclCreateScalarList(handles.data(), handles.size());
    // Of any shape and strides, as CANN's example has them.
    Tensor scalar_tensor({.dims = {1, static_cast<int64_t>(sizes.size())},
                          .dtype = type,
                          .strides = {1, strided ? 3 : 1}});
    WriteAs(scalar_tensor, numbers);
    {
      const TensorList x_list(x), x2_list(x2), x3_list(x3), out_list(in_place ? x : outs);
      const Arguments arguments = {x_list.handle(),  x2_list.handle(), x3_list.handle(),
                                   scalar,           scalars,          scalar_tensor.handle(),
                                   out_list.handle()};
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) { return GetParam().phase1(arguments, s, e); },
          GetParam().phase2);
    }
    aclDestroyScalar(scalar);
    aclDestroyScalarList(scalars);
    for (size_t i = 0; i < sizes.size(); ++i) {
      const Tensor& out = in_place ? *x[i] : *outs[i];
      EXPECT_TRUE(out.GuardsIntact());
      const auto actual = ReadAs(out);
      for (size_t k = 0; k < actual.size(); ++k) {
        const double expected = GetParam().oracle({xs[i][k], x2s[i][k], x3s[i][k], numbers[i]});
        if (HalfUnitOf(type, 1) == 0) {
          const int bits = static_cast<int>(BitsOf(type));
          const double modulus = std::pow(2.0, bits);
          ASSERT_EQ(std::remainder(actual[k] - expected, modulus), 0) << i << " " << k;
          continue;
        }
        if (std::isinf(AsHeld(type, expected))) {
          ASSERT_EQ(actual[k], AsHeld(type, expected));
          continue;
        }
        ASSERT_LE(std::fabs(actual[k] - expected),
                  6 * 0x1p-23 * (std::fabs(expected) + 1) + 1.01 * HalfUnitOf(type, expected))
            << GetParam().name << " of " << xs[i][k] << ": " << actual[k] << ", not " << expected;
      }
    }
  }
};

TEST_P(ForeachTest, ListsOfManySizes) {
  const std::vector<std::vector<int64_t>> sizes = {{3}, {}, {0}, {7, 9}, {17000}, {1}, {33, 65}};
  for (aclDataType type : GetParam().types) {
    ExpectCorrect(type, sizes, false, false);
    ExpectCorrect(type, sizes, true, false);
    ExpectCorrect(type, sizes, true, true);
  }
}

TEST_P(ForeachTest, ListsThatDisagreeAreRefused) {
  const Tensors x = Make(ACL_FLOAT, {{2}, {3}}, false), other = Make(ACL_FLOAT, {{2}, {4}}, false);
  const Tensors half = Make(ACL_FLOAT16, {{2}, {3}}, false), few = Make(ACL_FLOAT, {{2}}, false);
  double one = 1;
  const aclScalar* scalar = aclCreateScalar(&one, ACL_DOUBLE);
  const aclScalar* handles[] = {aclCreateScalar(&one, ACL_DOUBLE),
                                aclCreateScalar(&one, ACL_DOUBLE)};
  const aclScalarList* scalars = aclCreateScalarList(handles, 2);
  const Tensor scalar_tensor({.dims = {2}});
  const TensorList x_list(x);
  const auto refused = [&](const Tensors& outs, std::initializer_list<std::string_view> words) {
    const TensorList out_list(outs);
    const Arguments arguments = {x_list.handle(), x_list.handle(),        x_list.handle(),  scalar,
                                 scalars,         scalar_tensor.handle(), out_list.handle()};
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) { return GetParam().phase1(arguments, s, e); }, 161002,
        words);
  };
  refused(other, {"out[1].shape", "[4]", "[3]"});
  refused(few, {"out has 1", "2"});
  if (name() != "Copy") refused(half, {"out[0].dtype", "FLOAT16", "FLOAT"});
  aclDestroyScalar(scalar);
  aclDestroyScalarList(scalars);
}

INSTANTIATE_TEST_SUITE_P(All, ForeachTest, ::testing::ValuesIn(AllListOperators()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace anyacl::test::foreach
