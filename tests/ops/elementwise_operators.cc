// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_acos.h"
#include "aclnnop/aclnn_acosh.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_add_relu.h"
#include "aclnnop/aclnn_add_v3.h"
#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_addcmul.h"
#include "aclnnop/aclnn_asin.h"
#include "aclnnop/aclnn_asinh.h"
#include "aclnnop/aclnn_atan.h"
#include "aclnnop/aclnn_atan2.h"
#include "aclnnop/aclnn_atanh.h"
#include "aclnnop/aclnn_bitwise_and_scalar.h"
#include "aclnnop/aclnn_bitwise_and_tensor.h"
#include "aclnnop/aclnn_bitwise_not.h"
#include "aclnnop/aclnn_bitwise_or_scalar.h"
#include "aclnnop/aclnn_bitwise_or_tensor.h"
#include "aclnnop/aclnn_bitwise_xor_scalar.h"
#include "aclnnop/aclnn_bitwise_xor_tensor.h"
#include "aclnnop/aclnn_bitwiseand.h"
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_celu.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_cosh.h"
#include "aclnnop/aclnn_digamma.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_elu_backward.h"
#include "aclnnop/aclnn_eq_scalar.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_erfc.h"
#include "aclnnop/aclnn_erfinv.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_exp2.h"
#include "aclnnop/aclnn_expm1.h"
#include "aclnnop/aclnn_fast_gelu.h"
#include "aclnnop/aclnn_fast_gelu_backward.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_fmod_scalar.h"
#include "aclnnop/aclnn_fmod_tensor.h"
#include "aclnnop/aclnn_frac.h"
#include "aclnnop/aclnn_gcd.h"
#include "aclnnop/aclnn_ge_scalar.h"
#include "aclnnop/aclnn_ge_tensor.h"
#include "aclnnop/aclnn_gelu.h"
#include "aclnnop/aclnn_gelu_backward.h"
#include "aclnnop/aclnn_gelu_backward_v2.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_hardshrink.h"
#include "aclnnop/aclnn_hardshrink_backward.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_hardswish_backward_v2.h"
#include "aclnnop/aclnn_hardtanh.h"
#include "aclnnop/aclnn_hardtanh_backward.h"
#include "aclnnop/aclnn_heaviside.h"
#include "aclnnop/aclnn_is_inf.h"
#include "aclnnop/aclnn_isclose.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_isneginf.h"
#include "aclnnop/aclnn_isposinf.h"
#include "aclnnop/aclnn_le_scalar.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_lerp_scalar.h"
#include "aclnnop/aclnn_lerp_tensor.h"
#include "aclnnop/aclnn_lgamma.h"
#include "aclnnop/aclnn_log.h"
#include "aclnnop/aclnn_log10.h"
#include "aclnnop/aclnn_log1p.h"
#include "aclnnop/aclnn_log2.h"
#include "aclnnop/aclnn_logaddexp.h"
#include "aclnnop/aclnn_logaddexp2.h"
#include "aclnnop/aclnn_logical_and.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_logical_or.h"
#include "aclnnop/aclnn_logical_xor.h"
#include "aclnnop/aclnn_logit.h"
#include "aclnnop/aclnn_logit_grad.h"
#include "aclnnop/aclnn_logsigmoid.h"
#include "aclnnop/aclnn_lt_scalar.h"
#include "aclnnop/aclnn_lt_tensor.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_maximum.h"
#include "aclnnop/aclnn_minimum.h"
#include "aclnnop/aclnn_mish.h"
#include "aclnnop/aclnn_mish_backward.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_nan_to_num.h"
#include "aclnnop/aclnn_ne_scalar.h"
#include "aclnnop/aclnn_ne_tensor.h"
#include "aclnnop/aclnn_neg.h"
#include "aclnnop/aclnn_ones.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_remainder.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_rsub.h"
#include "aclnnop/aclnn_s_where.h"
#include "aclnnop/aclnn_selu.h"
#include "aclnnop/aclnn_selu_backward.h"
#include "aclnnop/aclnn_shrink.h"
#include "aclnnop/aclnn_sigmoid.h"
#include "aclnnop/aclnn_sigmoid_backward.h"
#include "aclnnop/aclnn_sign.h"
#include "aclnnop/aclnn_signbit.h"
#include "aclnnop/aclnn_silu.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "aclnnop/aclnn_sin.h"
#include "aclnnop/aclnn_sinc.h"
#include "aclnnop/aclnn_sinh.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_softplus_backward.h"
#include "aclnnop/aclnn_softshrink.h"
#include "aclnnop/aclnn_softshrink_backward.h"
#include "aclnnop/aclnn_sqrt.h"
#include "aclnnop/aclnn_square.h"
#include "aclnnop/aclnn_squared_relu.h"
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_swish.h"
#include "aclnnop/aclnn_swish_backward.h"
#include "aclnnop/aclnn_tan.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_tanh_backward.h"
#include "aclnnop/aclnn_threshold.h"
#include "aclnnop/aclnn_threshold_backward.h"
#include "aclnnop/aclnn_trunc.h"
#include "aclnnop/aclnn_x_log_y_scalar_other.h"
#include "aclnnop/aclnn_x_log_y_scalar_self.h"
#include "aclnnop/aclnn_x_log_y_tensor.h"
#include "aclnnop/aclnn_zero.h"
#include "ops/elementwise_case.h"

namespace anyacl::test {
namespace {

// Hands out the arguments of a call in the order of a signature. The last tensor of an operator
// that is not in place is the output; numbers are the attributes of the table below.
struct Feeder {
  const Tensors& in;
  const ScalarList& scalars;
  const std::vector<double>& attributes;
  aclTensor* out;
  size_t inputs;
  uint64_t* workspace_size;
  aclOpExecutor** executor;
  size_t tensor = 0, scalar = 0, attribute = 0;

  template <class Argument>
  Argument Next() {
    if constexpr (std::is_same_v<Argument, uint64_t*>) {
      return workspace_size;
    } else if constexpr (std::is_same_v<Argument, aclOpExecutor**>) {
      return executor;
    } else if constexpr (std::is_same_v<Argument, const aclScalar*>) {
      return scalars[scalar++];
    } else if constexpr (std::is_same_v<Argument, aclDataType>) {
      aclDataType dtype = ACL_DT_UNDEFINED;
      aclGetDataType(out, &dtype);
      return dtype;
    } else if constexpr (std::is_same_v<Argument, char*>) {
      static char none[] = "none", tanh[] = "tanh";
      return attributes[attribute++] == 0 ? none : tanh;
    } else if constexpr (std::is_arithmetic_v<Argument>) {
      return static_cast<Argument>(attributes[attribute++]);
    } else {
      return tensor < inputs ? in[tensor++] : out;
    }
  }
};

template <class... Arguments>
ElementwiseOperator Of(std::string name, Phase2 second, aclnnStatus (*f)(Arguments...),
                       std::vector<double> attributes = {}) {
  constexpr auto count = [](auto... same) { return (0 + ... + (same ? 1 : 0)); };
  const int tensors = count(
      (std::is_same_v<Arguments, const aclTensor*> || std::is_same_v<Arguments, aclTensor*>)...);
  const int scalars = count(std::is_same_v<Arguments, const aclScalar*>...);
  const bool in_place = name.starts_with("Inplace");
  const int inputs = in_place ? tensors : tensors - 1;
  return {std::move(name),
          second,
          inputs,
          scalars,
          in_place,
          [f, inputs, attributes](const Tensors& in, const ScalarList& scalar_list, aclTensor* out,
                                  uint64_t* size, aclOpExecutor** executor) {
            Feeder feeder{in,   scalar_list, attributes, out, static_cast<size_t>(inputs),
                          size, executor};
            // In braces, so that they are taken from left to right.
            return std::apply(f, std::tuple<Arguments...>{feeder.Next<Arguments>()...});
          }};
}

}  // namespace

const std::vector<ElementwiseOperator>& ElementwiseOperators() {
#define ANYACL_OPERATOR(name, ...) \
  Of(#name, aclnn##name, aclnn##name##GetWorkspaceSize __VA_OPT__(, ) __VA_ARGS__)
  static const std::vector<ElementwiseOperator> kOperators = {
      ANYACL_OPERATOR(Add),
      ANYACL_OPERATOR(InplaceAdd),
      ANYACL_OPERATOR(Adds),
      ANYACL_OPERATOR(InplaceAdds),
      ANYACL_OPERATOR(Sub),
      ANYACL_OPERATOR(InplaceSub),
      ANYACL_OPERATOR(Subs),
      ANYACL_OPERATOR(InplaceSubs),
      ANYACL_OPERATOR(Mul),
      ANYACL_OPERATOR(InplaceMul),
      ANYACL_OPERATOR(Muls),
      ANYACL_OPERATOR(InplaceMuls),
      ANYACL_OPERATOR(Div),
      ANYACL_OPERATOR(InplaceDiv),
      ANYACL_OPERATOR(Divs),
      ANYACL_OPERATOR(InplaceDivs),
      ANYACL_OPERATOR(Neg),
      ANYACL_OPERATOR(InplaceNeg),
      ANYACL_OPERATOR(Abs),
      ANYACL_OPERATOR(Sign),
      ANYACL_OPERATOR(Exp),
      ANYACL_OPERATOR(InplaceExp),
      ANYACL_OPERATOR(Log),
      ANYACL_OPERATOR(InplaceLog),
      ANYACL_OPERATOR(Sqrt),
      ANYACL_OPERATOR(InplaceSqrt),
      ANYACL_OPERATOR(Rsqrt),
      ANYACL_OPERATOR(InplaceRsqrt),
      ANYACL_OPERATOR(Reciprocal),
      ANYACL_OPERATOR(InplaceReciprocal),
      ANYACL_OPERATOR(Sigmoid),
      ANYACL_OPERATOR(InplaceSigmoid),
      ANYACL_OPERATOR(Silu),
      ANYACL_OPERATOR(Gelu),
      ANYACL_OPERATOR(Relu),
      ANYACL_OPERATOR(InplaceRelu),
      ANYACL_OPERATOR(LeakyRelu),
      ANYACL_OPERATOR(InplaceLeakyRelu),
      ANYACL_OPERATOR(Tanh),
      ANYACL_OPERATOR(InplaceTanh),
      ANYACL_OPERATOR(Cos),
      ANYACL_OPERATOR(InplaceCos),
      ANYACL_OPERATOR(Sin),
      ANYACL_OPERATOR(InplaceSin),
      ANYACL_OPERATOR(PowTensorScalar),
      ANYACL_OPERATOR(InplacePowTensorScalar),
      ANYACL_OPERATOR(PowTensorTensor),
      ANYACL_OPERATOR(InplacePowTensorTensor),
      ANYACL_OPERATOR(Maximum),
      ANYACL_OPERATOR(Minimum),
      ANYACL_OPERATOR(EqTensor),
      ANYACL_OPERATOR(InplaceEqTensor),
      ANYACL_OPERATOR(EqScalar),
      ANYACL_OPERATOR(InplaceEqScalar),
      ANYACL_OPERATOR(NeTensor),
      ANYACL_OPERATOR(InplaceNeTensor),
      ANYACL_OPERATOR(NeScalar),
      ANYACL_OPERATOR(InplaceNeScalar),
      ANYACL_OPERATOR(LtTensor),
      ANYACL_OPERATOR(InplaceLtTensor),
      ANYACL_OPERATOR(LtScalar),
      ANYACL_OPERATOR(InplaceLtScalar),
      ANYACL_OPERATOR(LeTensor),
      ANYACL_OPERATOR(InplaceLeTensor),
      ANYACL_OPERATOR(LeScalar),
      ANYACL_OPERATOR(InplaceLeScalar),
      ANYACL_OPERATOR(GtTensor),
      ANYACL_OPERATOR(InplaceGtTensor),
      ANYACL_OPERATOR(GtScalar),
      ANYACL_OPERATOR(InplaceGtScalar),
      ANYACL_OPERATOR(GeTensor),
      ANYACL_OPERATOR(InplaceGeTensor),
      ANYACL_OPERATOR(GeScalar),
      ANYACL_OPERATOR(InplaceGeScalar),
      ANYACL_OPERATOR(LogicalAnd),
      ANYACL_OPERATOR(InplaceLogicalAnd),
      ANYACL_OPERATOR(LogicalOr),
      ANYACL_OPERATOR(InplaceLogicalOr),
      ANYACL_OPERATOR(LogicalXor),
      ANYACL_OPERATOR(LogicalNot),
      ANYACL_OPERATOR(InplaceLogicalNot),
      ANYACL_OPERATOR(SWhere),
      ANYACL_OPERATOR(Clamp),
      ANYACL_OPERATOR(Cast),
      ANYACL_OPERATOR(InplaceCopy),
      ANYACL_OPERATOR(InplaceZero),
      ANYACL_OPERATOR(InplaceOne),
      ANYACL_OPERATOR(InplaceFillScalar),
      ANYACL_OPERATOR(Floor),
      ANYACL_OPERATOR(InplaceFloor),
      ANYACL_OPERATOR(Ceil),
      ANYACL_OPERATOR(InplaceCeil),
      ANYACL_OPERATOR(Round),
      ANYACL_OPERATOR(InplaceRound),
      ANYACL_OPERATOR(Trunc),
      ANYACL_OPERATOR(InplaceTrunc),
      ANYACL_OPERATOR(Frac),
      ANYACL_OPERATOR(InplaceFrac),
      ANYACL_OPERATOR(FloorDivide),
      ANYACL_OPERATOR(InplaceFloorDivide),
      ANYACL_OPERATOR(FloorDivides),
      ANYACL_OPERATOR(InplaceFloorDivides),
      ANYACL_OPERATOR(DivMod, {1}),
      ANYACL_OPERATOR(InplaceDivMod, {2}),
      ANYACL_OPERATOR(DivMods, {2}),
      ANYACL_OPERATOR(InplaceDivMods, {1}),
      ANYACL_OPERATOR(RemainderTensorTensor),
      ANYACL_OPERATOR(InplaceRemainderTensorTensor),
      ANYACL_OPERATOR(RemainderTensorScalar),
      ANYACL_OPERATOR(InplaceRemainderTensorScalar),
      ANYACL_OPERATOR(RemainderScalarTensor),
      ANYACL_OPERATOR(FmodTensor),
      ANYACL_OPERATOR(InplaceFmodTensor),
      ANYACL_OPERATOR(FmodScalar),
      ANYACL_OPERATOR(InplaceFmodScalar),
      ANYACL_OPERATOR(Gcd),
      ANYACL_OPERATOR(BitwiseAndTensor),
      ANYACL_OPERATOR(InplaceBitwiseAndTensor),
      ANYACL_OPERATOR(BitwiseAndTensorOut),
      ANYACL_OPERATOR(InplaceBitwiseAndTensorOut),
      ANYACL_OPERATOR(BitwiseAndScalar),
      ANYACL_OPERATOR(InplaceBitwiseAndScalar),
      ANYACL_OPERATOR(BitwiseOrTensor),
      ANYACL_OPERATOR(InplaceBitwiseOrTensor),
      ANYACL_OPERATOR(BitwiseOrScalar),
      ANYACL_OPERATOR(InplaceBitwiseOrScalar),
      ANYACL_OPERATOR(BitwiseXorTensor),
      ANYACL_OPERATOR(InplaceBitwiseXorTensor),
      ANYACL_OPERATOR(BitwiseXorScalar),
      ANYACL_OPERATOR(InplaceBitwiseXorScalar),
      ANYACL_OPERATOR(BitwiseNot),
      ANYACL_OPERATOR(Addcmul),
      ANYACL_OPERATOR(InplaceAddcmul),
      ANYACL_OPERATOR(Addcdiv),
      ANYACL_OPERATOR(InplaceAddcdiv),
      ANYACL_OPERATOR(Lerp),
      ANYACL_OPERATOR(InplaceLerp),
      ANYACL_OPERATOR(Lerps),
      ANYACL_OPERATOR(InplaceLerps),
      ANYACL_OPERATOR(ClampMin),
      ANYACL_OPERATOR(ClampMax),
      ANYACL_OPERATOR(InplaceClampMax),
      ANYACL_OPERATOR(Hardtanh),
      ANYACL_OPERATOR(InplaceHardtanh),
      ANYACL_OPERATOR(LogSigmoid),
      ANYACL_OPERATOR(ClampMinTensor),
      ANYACL_OPERATOR(InplaceClampMinTensor),
      ANYACL_OPERATOR(ClampMaxTensor),
      ANYACL_OPERATOR(InplaceClampMaxTensor),
      ANYACL_OPERATOR(ClampTensor),
      ANYACL_OPERATOR(Rsub),
      ANYACL_OPERATOR(AddV3),
      ANYACL_OPERATOR(Rsubs),
      ANYACL_OPERATOR(IsNegInf),
      ANYACL_OPERATOR(IsPosInf),
      ANYACL_OPERATOR(IsInf),
      ANYACL_OPERATOR(IsFinite),
      ANYACL_OPERATOR(Signbit),
      ANYACL_OPERATOR(IsClose, {0.25, 0.5, 1}),
      ANYACL_OPERATOR(InplaceMaskedFillScalar),
      ANYACL_OPERATOR(NanToNum, {1, 2, -3}),
      ANYACL_OPERATOR(InplaceNanToNum, {1, 2, -3}),
      ANYACL_OPERATOR(Exp2),
      ANYACL_OPERATOR(InplaceExp2),
      ANYACL_OPERATOR(Expm1),
      ANYACL_OPERATOR(InplaceExpm1),
      ANYACL_OPERATOR(Log2),
      ANYACL_OPERATOR(InplaceLog2),
      ANYACL_OPERATOR(Log10),
      ANYACL_OPERATOR(InplaceLog10),
      ANYACL_OPERATOR(Log1p),
      ANYACL_OPERATOR(InplaceLog1p),
      ANYACL_OPERATOR(Tan),
      ANYACL_OPERATOR(InplaceTan),
      ANYACL_OPERATOR(Sinc),
      ANYACL_OPERATOR(InplaceSinc),
      ANYACL_OPERATOR(Asin),
      ANYACL_OPERATOR(InplaceAsin),
      ANYACL_OPERATOR(Acos),
      ANYACL_OPERATOR(InplaceAcos),
      ANYACL_OPERATOR(Atan),
      ANYACL_OPERATOR(InplaceAtan),
      ANYACL_OPERATOR(Sinh),
      ANYACL_OPERATOR(InplaceSinh),
      ANYACL_OPERATOR(Cosh),
      ANYACL_OPERATOR(InplaceCosh),
      ANYACL_OPERATOR(Asinh),
      ANYACL_OPERATOR(InplaceAsinh),
      ANYACL_OPERATOR(Acosh),
      ANYACL_OPERATOR(InplaceAcosh),
      ANYACL_OPERATOR(Atanh),
      ANYACL_OPERATOR(InplaceAtanh),
      ANYACL_OPERATOR(Erf),
      ANYACL_OPERATOR(InplaceErf),
      ANYACL_OPERATOR(Erfc),
      ANYACL_OPERATOR(InplaceErfc),
      ANYACL_OPERATOR(Erfinv),
      ANYACL_OPERATOR(InplaceErfinv),
      ANYACL_OPERATOR(Square),
      ANYACL_OPERATOR(Lgamma),
      ANYACL_OPERATOR(Digamma),
      ANYACL_OPERATOR(Atan2),
      ANYACL_OPERATOR(InplaceAtan2),
      ANYACL_OPERATOR(LogAddExp),
      ANYACL_OPERATOR(LogAddExp2),
      ANYACL_OPERATOR(XLogYTensor),
      ANYACL_OPERATOR(InplaceXLogYTensor),
      ANYACL_OPERATOR(XLogYScalarOther),
      ANYACL_OPERATOR(InplaceXLogYScalarOther),
      ANYACL_OPERATOR(XLogYScalarSelf),
      ANYACL_OPERATOR(PowScalarTensor),
      ANYACL_OPERATOR(Logit, {0.125}),
      ANYACL_OPERATOR(LogitGrad, {0.125}),
      ANYACL_OPERATOR(Hardsigmoid),
      ANYACL_OPERATOR(InplaceHardsigmoid),
      ANYACL_OPERATOR(Hardswish),
      ANYACL_OPERATOR(InplaceHardswish),
      ANYACL_OPERATOR(Softplus),
      ANYACL_OPERATOR(Mish),
      ANYACL_OPERATOR(InplaceMish),
      ANYACL_OPERATOR(Elu),
      ANYACL_OPERATOR(InplaceElu),
      ANYACL_OPERATOR(Celu),
      ANYACL_OPERATOR(InplaceCelu),
      ANYACL_OPERATOR(Selu),
      ANYACL_OPERATOR(InplaceSelu),
      ANYACL_OPERATOR(Hardshrink),
      ANYACL_OPERATOR(Softshrink),
      ANYACL_OPERATOR(Shrink),
      ANYACL_OPERATOR(SquaredRelu),
      ANYACL_OPERATOR(Threshold),
      ANYACL_OPERATOR(InplaceThreshold),
      ANYACL_OPERATOR(Swish),
      ANYACL_OPERATOR(GeluV2, {0}),
      ANYACL_OPERATOR(Heaviside),
      ANYACL_OPERATOR(ThresholdBackward),
      ANYACL_OPERATOR(GeluBackward),
      ANYACL_OPERATOR(GeluBackwardV2, {0}),
      ANYACL_OPERATOR(SiluBackward),
      ANYACL_OPERATOR(SwishBackward),
      ANYACL_OPERATOR(FastGelu),
      ANYACL_OPERATOR(FastGeluBackward),
      ANYACL_OPERATOR(AddRelu),
      ANYACL_OPERATOR(InplaceAddRelu),
      ANYACL_OPERATOR(TanhBackward),
      ANYACL_OPERATOR(SigmoidBackward),
      ANYACL_OPERATOR(SoftplusBackward),
      ANYACL_OPERATOR(LeakyReluBackward, {0}),
      ANYACL_OPERATOR(HardswishBackward),
      ANYACL_OPERATOR(HardswishBackwardV2),
      ANYACL_OPERATOR(HardsigmoidBackward),
      ANYACL_OPERATOR(HardtanhBackward),
      ANYACL_OPERATOR(EluBackward, {0}),
      ANYACL_OPERATOR(SeluBackward),
      ANYACL_OPERATOR(HardshrinkBackward),
      ANYACL_OPERATOR(SoftshrinkBackward),
      ANYACL_OPERATOR(MishBackward),
  };
#undef ANYACL_OPERATOR
  return kOperators;
}

}  // namespace anyacl::test
