// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_abs.h"
#include "aclnnop/aclnn_acos.h"
#include "aclnnop/aclnn_acosh.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_add_relu.h"
#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_addcmul.h"
#include "aclnnop/aclnn_angle_v2.h"
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
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_celu.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_complex.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_cos.h"
#include "aclnnop/aclnn_cosh.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_elu_backward.h"
#include "aclnnop/aclnn_eq_scalar.h"
#include "aclnnop/aclnn_eq_tensor.h"
#include "aclnnop/aclnn_equal.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_erfc.h"
#include "aclnnop/aclnn_erfinv.h"
#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_exp2.h"
#include "aclnnop/aclnn_expm1.h"
#include "aclnnop/aclnn_fast_gelu.h"
#include "aclnnop/aclnn_fast_gelu_backward.h"
#include "aclnnop/aclnn_fill_diagonal.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_fill_tensor.h"
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
#include "aclnnop/aclnn_glu.h"
#include "aclnnop/aclnn_glu_backward.h"
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
#include "aclnnop/aclnn_is_neg_inf.h"
#include "aclnnop/aclnn_is_pos_inf.h"
#include "aclnnop/aclnn_isclose.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_le_scalar.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_leaky_relu.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_lerp_scalar.h"
#include "aclnnop/aclnn_lerp_tensor.h"
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
#include "aclnnop/aclnn_logsigmoid_backward.h"
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
#include "aclnnop/aclnn_polar.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_pow_tensor_tensor.h"
#include "aclnnop/aclnn_prelu.h"
#include "aclnnop/aclnn_prelu_backward.h"
#include "aclnnop/aclnn_quantize.h"
#include "aclnnop/aclnn_real.h"
#include "aclnnop/aclnn_reciprocal.h"
#include "aclnnop/aclnn_relu.h"
#include "aclnnop/aclnn_remainder.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_rsqrt.h"
#include "aclnnop/aclnn_rsub.h"
#include "aclnnop/aclnn_s_where.h"
#include "aclnnop/aclnn_selu.h"
#include "aclnnop/aclnn_selu_backward.h"
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
#include "aclnnop/aclnn_sub.h"
#include "aclnnop/aclnn_swish.h"
#include "aclnnop/aclnn_swish_backward.h"
#include "aclnnop/aclnn_tan.h"
#include "aclnnop/aclnn_tanh.h"
#include "aclnnop/aclnn_tanh_backward.h"
#include "aclnnop/aclnn_threshold.h"
#include "aclnnop/aclnn_threshold_backward.h"
#include "aclnnop/aclnn_transform_bias_rescale_qkv.h"
#include "aclnnop/aclnn_trunc.h"
#include "aclnnop/aclnn_x_log_y_scalar_other.h"
#include "aclnnop/aclnn_x_log_y_scalar_self.h"
#include "aclnnop/aclnn_x_log_y_tensor.h"
#include "aclnnop/aclnn_zero.h"
#include "nnop/phases.h"
#include "ops/elementwise/operators.h"

using namespace anyacl;
using anyacl::elementwise::kOperators;

extern "C" {

aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                     const aclScalar* alpha, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAdd"),
                  {self, other, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAdd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                            const aclScalar* alpha, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAdd"),
                  {selfRef, other, alpha}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAdd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddsGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                      const aclScalar* alpha, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAdds"),
                  {self, other, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnAdds(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAdds").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddsGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                             const aclScalar* alpha, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAdds"),
                  {selfRef, other, alpha}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAdds(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAdds").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSubGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                     const aclScalar* alpha, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSub"),
                  {self, other, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnSub(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSub").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceSubGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                            const aclScalar* alpha, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceSub"),
                  {selfRef, other, alpha}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSub(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceSub").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSubsGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                      const aclScalar* alpha, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSubs"),
                  {self, other, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnSubs(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSubs").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceSubsGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                             const aclScalar* alpha, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceSubs"),
                  {selfRef, other, alpha}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSubs(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceSubs").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMulGetWorkspaceSize(const aclTensor* self, const aclTensor* other, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMul"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnMul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceMulGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceMul"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceMul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMulsGetWorkspaceSize(const aclTensor* self, const aclScalar* other, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMuls"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnMuls(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMuls").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceMulsGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceMuls"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMuls(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceMuls").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDivGetWorkspaceSize(const aclTensor* self, const aclTensor* other, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDiv"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnDiv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDiv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceDivGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceDiv"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDiv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceDiv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDivsGetWorkspaceSize(const aclTensor* self, const aclScalar* other, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDivs"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnDivs(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDivs").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceDivsGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceDivs"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDivs(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceDivs").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNegGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNeg"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnNeg(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNeg").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceNegGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceNeg"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceNeg(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceNeg").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAbsGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAbs"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnAbs(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAbs").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSignGetWorkspaceSize(const aclTensor* self, aclTensor* result,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSign"),
                  {self, result}, workspaceSize, executor);
}

aclnnStatus aclnnSign(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSign").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnExpGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnExp"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnExp(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnExp").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceExpGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceExp"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceExp(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceExp").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLog"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnLog(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLog").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLogGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLog"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLog(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLog").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSqrtGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSqrt"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSqrt(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSqrt").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceSqrtGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceSqrt"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSqrt(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceSqrt").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRsqrtGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRsqrt"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnRsqrt(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRsqrt").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceRsqrtGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceRsqrt"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRsqrt(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceRsqrt").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReciprocalGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReciprocal"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnReciprocal(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReciprocal").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceReciprocalGetWorkspaceSize(
    aclTensor* selfRef, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceReciprocal"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceReciprocal(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceReciprocal").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSigmoidGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSigmoid"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSigmoid(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSigmoid").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceSigmoidGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceSigmoid"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSigmoid(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceSigmoid").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSiluGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSilu"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSilu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSilu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeluGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGelu"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnGelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReluGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRelu"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceReluGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceRelu"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceRelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLeakyReluGetWorkspaceSize(const aclTensor* self, const aclScalar* negativeSlope,
                                           aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLeakyRelu"),
                  {self, negativeSlope, out}, workspaceSize, executor);
}

aclnnStatus aclnnLeakyRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLeakyRelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLeakyReluGetWorkspaceSize(aclTensor* selfRef,
                                                  const aclScalar* negativeSlope,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLeakyRelu"),
                  {selfRef, negativeSlope}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLeakyRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLeakyRelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTanhGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTanh"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnTanh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTanh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceTanhGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceTanh"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTanh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceTanh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCosGetWorkspaceSize(const aclTensor* input, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCos"),
                  {input, out}, workspaceSize, executor);
}

aclnnStatus aclnnCos(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCos").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceCosGetWorkspaceSize(aclTensor* inputRef, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceCos"),
                  {inputRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCos(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceCos").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSinGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSin"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSin(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSin").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceSinGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceSin"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSin(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceSin").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPowTensorScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* exponent,
                                                 const aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPowTensorScalar"),
                  {self, exponent, out}, workspaceSize, executor);
}

aclnnStatus aclnnPowTensorScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPowTensorScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplacePowTensorScalarGetWorkspaceSize(
    const aclTensor* self, const aclScalar* exponent, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplacePowTensorScalar"),
                  {self, exponent}, workspaceSize, executor);
}

aclnnStatus aclnnInplacePowTensorScalar(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplacePowTensorScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPowTensorTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* exponent,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPowTensorTensor"),
                  {self, exponent, out}, workspaceSize, executor);
}

aclnnStatus aclnnPowTensorTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPowTensorTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplacePowTensorTensorGetWorkspaceSize(
    aclTensor* self, const aclTensor* exponent, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplacePowTensorTensor"),
                  {self, exponent}, workspaceSize, executor);
}

aclnnStatus aclnnInplacePowTensorTensor(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplacePowTensorTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMaximumGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMaximum"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnMaximum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMaximum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMinimumGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMinimum"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnMinimum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMinimum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEqTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEqTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnEqTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEqTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceEqTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceEqTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceEqTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceEqTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEqScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEqScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnEqScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEqScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceEqScalarGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceEqScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceEqScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceEqScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNeTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNeTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnNeTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNeTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceNeTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceNeTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceNeTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceNeTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNeScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNeScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnNeScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNeScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceNeScalarGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceNeScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceNeScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceNeScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLtTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLtTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnLtTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLtTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLtTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLtTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLtTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLtTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLtScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLtScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnLtScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLtScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLtScalarGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLtScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLtScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLtScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLeTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLeTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnLeTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLeTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLeTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLeTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLeTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLeTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLeScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLeScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnLeScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLeScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLeScalarGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLeScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLeScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLeScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGtTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGtTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnGtTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGtTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceGtTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceGtTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceGtTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceGtTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGtScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGtScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnGtScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGtScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceGtScalarGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceGtScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceGtScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceGtScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnGeTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceGeTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceGeTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceGeTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceGeTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnGeScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceGeScalarGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceGeScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceGeScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceGeScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogicalAndGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogicalAnd"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogicalAnd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogicalAnd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLogicalAndGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLogicalAnd"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLogicalAnd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLogicalAnd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogicalOrGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                           aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogicalOr"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogicalOr(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogicalOr").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLogicalOrGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLogicalOr"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLogicalOr(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLogicalOr").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogicalXorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogicalXor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogicalXor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogicalXor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogicalNotGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogicalNot"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogicalNot(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogicalNot").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLogicalNotGetWorkspaceSize(
    aclTensor* selfRef, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLogicalNot"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLogicalNot(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLogicalNot").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSWhereGetWorkspaceSize(const aclTensor* condition, const aclTensor* self,
                                        const aclTensor* other, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSWhere"),
                  {condition, self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnSWhere(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSWhere").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnClampGetWorkspaceSize(const aclTensor* self, const aclScalar* clipValueMin,
                                       const aclScalar* clipValueMax, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnClamp"),
                  {self, clipValueMin, clipValueMax, out}, workspaceSize, executor);
}

aclnnStatus aclnnClamp(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnClamp").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCastGetWorkspaceSize(const aclTensor* self, aclDataType dtype, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCast"),
                  {self, dtype, out}, workspaceSize, executor);
}

aclnnStatus aclnnCast(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCast").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor* selfRef, const aclTensor* src,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceCopy"),
                  {selfRef, src}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCopy(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceCopy").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceZeroGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceZero"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceZero(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceZero").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceOneGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceOne"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceOne(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceOne").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFillScalarGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* value, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFillScalar"),
                  {selfRef, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFillScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFillScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFloorGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFloor"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnFloor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFloor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFloorGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFloor"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFloor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFloor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCeilGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCeil"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnCeil(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCeil").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceCeilGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceCeil"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCeil(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceCeil").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRoundGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRound"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnRound(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRound").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceRoundGetWorkspaceSize(const aclTensor* selfRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceRound"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRound(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceRound").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTruncGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTrunc"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnTrunc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTrunc").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceTruncGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceTrunc"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTrunc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceTrunc").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFracGetWorkspaceSize(const aclTensor* input, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFrac"),
                  {input, out}, workspaceSize, executor);
}

aclnnStatus aclnnFrac(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFrac").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFracGetWorkspaceSize(aclTensor* inputRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFrac"),
                  {inputRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFrac(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFrac").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRoundDecimalsGetWorkspaceSize(const aclTensor* self, int64_t decimals,
                                               aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRoundDecimals"),
                  {self, decimals, out}, workspaceSize, executor);
}

aclnnStatus aclnnRoundDecimals(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRoundDecimals").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceRoundDecimalsGetWorkspaceSize(
    aclTensor* selfRef, int64_t decimals, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceRoundDecimals"),
                  {selfRef, decimals}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRoundDecimals(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceRoundDecimals").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFloorDivideGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                             aclTensor* out, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFloorDivide"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnFloorDivide(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFloorDivide").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFloorDivideGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFloorDivide"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFloorDivide(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFloorDivide").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFloorDividesGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                              aclTensor* out, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFloorDivides"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnFloorDivides(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFloorDivides").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFloorDividesGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFloorDivides"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFloorDivides(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFloorDivides").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDivModGetWorkspaceSize(const aclTensor* self, const aclTensor* other, int32_t mode,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDivMod"),
                  {self, other, mode, out}, workspaceSize, executor);
}

aclnnStatus aclnnDivMod(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDivMod").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceDivModGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                               int32_t mode, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceDivMod"),
                  {selfRef, other, mode}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDivMod(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceDivMod").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDivModsGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                         int32_t mode, aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDivMods"),
                  {self, other, mode, out}, workspaceSize, executor);
}

aclnnStatus aclnnDivMods(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDivMods").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceDivModsGetWorkspaceSize(aclTensor* selfRef, const aclScalar* other,
                                                int32_t mode, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceDivMods"),
                  {selfRef, other, mode}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceDivMods(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceDivMods").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRemainderTensorTensorGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRemainderTensorTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnRemainderTensorTensor(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRemainderTensorTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceRemainderTensorTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceRemainderTensorTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRemainderTensorTensor(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceRemainderTensorTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRemainderTensorScalarGetWorkspaceSize(
    const aclTensor* self, const aclScalar* other, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRemainderTensorScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnRemainderTensorScalar(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRemainderTensorScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceRemainderTensorScalarGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceRemainderTensorScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRemainderTensorScalar(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceRemainderTensorScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRemainderScalarTensorGetWorkspaceSize(
    const aclScalar* self, const aclTensor* other, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRemainderScalarTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnRemainderScalarTensor(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRemainderScalarTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFmodTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFmodTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnFmodTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFmodTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFmodTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFmodTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFmodTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFmodTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFmodScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFmodScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnFmodScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFmodScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFmodScalarGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFmodScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFmodScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFmodScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGcdGetWorkspaceSize(const aclTensor* self, const aclTensor* other, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGcd"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnGcd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGcd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBitwiseAndTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBitwiseAndTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseAndTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBitwiseAndTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceBitwiseAndTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceBitwiseAndTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseAndTensor(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceBitwiseAndTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBitwiseAndScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBitwiseAndScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseAndScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBitwiseAndScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceBitwiseAndScalarGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceBitwiseAndScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseAndScalar(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceBitwiseAndScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBitwiseOrTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBitwiseOrTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseOrTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBitwiseOrTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceBitwiseOrTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceBitwiseOrTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseOrTensor(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceBitwiseOrTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBitwiseOrScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBitwiseOrScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseOrScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBitwiseOrScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceBitwiseOrScalarGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceBitwiseOrScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseOrScalar(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceBitwiseOrScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBitwiseXorTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBitwiseXorTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseXorTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBitwiseXorTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceBitwiseXorTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceBitwiseXorTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseXorTensor(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceBitwiseXorTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBitwiseXorScalarGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBitwiseXorScalar"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseXorScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBitwiseXorScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceBitwiseXorScalarGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceBitwiseXorScalar"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseXorScalar(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceBitwiseXorScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBitwiseNotGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBitwiseNot"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseNot(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBitwiseNot").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddcmulGetWorkspaceSize(const aclTensor* self, const aclTensor* tensor1,
                                         const aclTensor* tensor2, const aclScalar* value,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddcmul"),
                  {self, tensor1, tensor2, value, out}, workspaceSize, executor);
}

aclnnStatus aclnnAddcmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddcmul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddcmulGetWorkspaceSize(const aclTensor* selfRef, const aclTensor* tensor1,
                                                const aclTensor* tensor2, const aclScalar* value,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAddcmul"),
                  {selfRef, tensor1, tensor2, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddcmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAddcmul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddcdivGetWorkspaceSize(const aclTensor* self, const aclTensor* tensor1,
                                         const aclTensor* tensor2, const aclScalar* value,
                                         const aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddcdiv"),
                  {self, tensor1, tensor2, value, out}, workspaceSize, executor);
}

aclnnStatus aclnnAddcdiv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddcdiv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddcdivGetWorkspaceSize(const aclTensor* selfRef, const aclTensor* tensor1,
                                                const aclTensor* tensor2, const aclScalar* value,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAddcdiv"),
                  {selfRef, tensor1, tensor2, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddcdiv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAddcdiv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLerpGetWorkspaceSize(const aclTensor* self, const aclTensor* end,
                                      const aclTensor* weight, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLerp"),
                  {self, end, weight, out}, workspaceSize, executor);
}

aclnnStatus aclnnLerp(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLerp").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLerpGetWorkspaceSize(aclTensor* selfRef, const aclTensor* end,
                                             const aclTensor* weight, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLerp"),
                  {selfRef, end, weight}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLerp(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLerp").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLerpsGetWorkspaceSize(const aclTensor* self, const aclTensor* end,
                                       const aclScalar* weight, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLerps"),
                  {self, end, weight, out}, workspaceSize, executor);
}

aclnnStatus aclnnLerps(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLerps").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLerpsGetWorkspaceSize(aclTensor* selfRef, const aclTensor* end,
                                              const aclScalar* weight, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLerps"),
                  {selfRef, end, weight}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLerps(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLerps").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnClampMinGetWorkspaceSize(const aclTensor* self, const aclScalar* clipValueMin,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnClampMin"),
                  {self, clipValueMin, out}, workspaceSize, executor);
}

aclnnStatus aclnnClampMin(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnClampMin").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnClampMaxGetWorkspaceSize(const aclTensor* self, const aclScalar* clipValueMax,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnClampMax"),
                  {self, clipValueMax, out}, workspaceSize, executor);
}

aclnnStatus aclnnClampMax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnClampMax").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceClampMaxGetWorkspaceSize(const aclTensor* selfRef,
                                                 const aclScalar* clipValueMax,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceClampMax"),
                  {selfRef, clipValueMax}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceClampMax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceClampMax").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardtanhGetWorkspaceSize(const aclTensor* self, const aclScalar* clipValueMin,
                                          const aclScalar* clipValueMax, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardtanh"),
                  {self, clipValueMin, clipValueMax, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardtanh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardtanh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceHardtanhGetWorkspaceSize(aclTensor* selfRef, const aclScalar* clipValueMin,
                                                 const aclScalar* clipValueMax,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceHardtanh"),
                  {selfRef, clipValueMin, clipValueMax}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceHardtanh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceHardtanh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnClampMinTensorGetWorkspaceSize(const aclTensor* self,
                                                const aclTensor* clipValueMin, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnClampMinTensor"),
                  {self, clipValueMin, out}, workspaceSize, executor);
}

aclnnStatus aclnnClampMinTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnClampMinTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceClampMinTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* clipValueMin, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceClampMinTensor"),
                  {selfRef, clipValueMin}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceClampMinTensor(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceClampMinTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnClampMaxTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* max,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnClampMaxTensor"),
                  {self, max, out}, workspaceSize, executor);
}

aclnnStatus aclnnClampMaxTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnClampMaxTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceClampMaxTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* max, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceClampMaxTensor"),
                  {selfRef, max}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceClampMaxTensor(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceClampMaxTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnClampTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* clipValueMin,
                                             const aclTensor* clipValueMax, aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnClampTensor"),
                  {self, clipValueMin, clipValueMax, out}, workspaceSize, executor);
}

aclnnStatus aclnnClampTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnClampTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRsubGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                      const aclScalar* alpha, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRsub"),
                  {self, other, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnRsub(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRsub").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRsubsGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                       const aclScalar* alpha, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRsubs"),
                  {self, other, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnRsubs(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRsubs").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIsNegInfGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIsNegInf"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnIsNegInf(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIsNegInf").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIsPosInfGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIsPosInf"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnIsPosInf(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIsPosInf").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIsInfGetWorkspaceSize(const aclTensor* x, const aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIsInf"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnIsInf(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIsInf").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIsFiniteGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIsFinite"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnIsFinite(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIsFinite").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSignbitGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSignbit"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSignbit(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSignbit").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIsCloseGetWorkspaceSize(const aclTensor* self, const aclTensor* other, double rtol,
                                         double atol, bool equalNan, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIsClose"),
                  {self, other, rtol, atol, equalNan, out}, workspaceSize, executor);
}

aclnnStatus aclnnIsClose(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIsClose").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEqualGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEqual"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnEqual(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEqual").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceMaskedFillScalarGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* mask, const aclScalar* value, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceMaskedFillScalar"),
                  {selfRef, mask, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMaskedFillScalar(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceMaskedFillScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNanToNumGetWorkspaceSize(const aclTensor* self, float nan, float posinf,
                                          float neginf, aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNanToNum"),
                  {self, nan, posinf, neginf, out}, workspaceSize, executor);
}

aclnnStatus aclnnNanToNum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNanToNum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceNanToNumGetWorkspaceSize(aclTensor* selfRef, float nan, float posinf,
                                                 float neginf, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceNanToNum"),
                  {selfRef, nan, posinf, neginf}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceNanToNum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceNanToNum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnExp2GetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnExp2"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnExp2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnExp2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceExp2GetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceExp2"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceExp2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceExp2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnExpm1GetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnExpm1"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnExpm1(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnExpm1").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceExpm1GetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceExpm1"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceExpm1(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceExpm1").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLog2GetWorkspaceSize(const aclTensor* self, const aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLog2"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnLog2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLog2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLog2GetWorkspaceSize(const aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLog2"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLog2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLog2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLog10GetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLog10"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnLog10(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLog10").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLog10GetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLog10"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLog10(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLog10").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLog1pGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLog1p"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnLog1p(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLog1p").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceLog1pGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceLog1p"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceLog1p(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceLog1p").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTanGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTan"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnTan(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTan").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceTanGetWorkspaceSize(const aclTensor* selfRef, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceTan"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTan(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceTan").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSincGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSinc"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSinc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSinc").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceSincGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceSinc"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSinc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceSinc").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAsinGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAsin"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnAsin(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAsin").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAsinGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAsin"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAsin(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAsin").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAcosGetWorkspaceSize(const aclTensor* input, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAcos"),
                  {input, out}, workspaceSize, executor);
}

aclnnStatus aclnnAcos(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAcos").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAcosGetWorkspaceSize(aclTensor* inputRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAcos"),
                  {inputRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAcos(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAcos").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAtanGetWorkspaceSize(const aclTensor* input, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAtan"),
                  {input, out}, workspaceSize, executor);
}

aclnnStatus aclnnAtan(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAtan").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAtanGetWorkspaceSize(aclTensor* inputRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAtan"),
                  {inputRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAtan(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAtan").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSinhGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSinh"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSinh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSinh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceSinhGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceSinh"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSinh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceSinh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCoshGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCosh"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnCosh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCosh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceCoshGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceCosh"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCosh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceCosh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAsinhGetWorkspaceSize(const aclTensor* input, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAsinh"),
                  {input, out}, workspaceSize, executor);
}

aclnnStatus aclnnAsinh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAsinh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAsinhGetWorkspaceSize(aclTensor* inputRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAsinh"),
                  {inputRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAsinh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAsinh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAcoshGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAcosh"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnAcosh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAcosh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAcoshGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAcosh"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAcosh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAcosh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAtanhGetWorkspaceSize(const aclTensor* input, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAtanh"),
                  {input, out}, workspaceSize, executor);
}

aclnnStatus aclnnAtanh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAtanh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAtanhGetWorkspaceSize(aclTensor* inputRef, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAtanh"),
                  {inputRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAtanh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAtanh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnErfGetWorkspaceSize(const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnErf"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnErf(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnErf").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceErfGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceErf"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceErf(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceErf").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnErfcGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnErfc"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnErfc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnErfc").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceErfcGetWorkspaceSize(const aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceErfc"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceErfc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceErfc").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnErfinvGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnErfinv"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnErfinv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnErfinv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceErfinvGetWorkspaceSize(const aclTensor* selfRef, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceErfinv"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceErfinv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceErfinv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAtan2GetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAtan2"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnAtan2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAtan2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAtan2GetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAtan2"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAtan2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAtan2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogAddExpGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                           aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogAddExp"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogAddExp(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogAddExp").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogAddExp2GetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogAddExp2"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogAddExp2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogAddExp2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnXLogYTensorGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                             aclTensor* out, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnXLogYTensor"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnXLogYTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnXLogYTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceXLogYTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceXLogYTensor"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceXLogYTensor(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceXLogYTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnXLogYScalarOtherGetWorkspaceSize(const aclTensor* self, const aclScalar* other,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnXLogYScalarOther"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnXLogYScalarOther(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnXLogYScalarOther").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceXLogYScalarOtherGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* other, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceXLogYScalarOther"),
                  {selfRef, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceXLogYScalarOther(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceXLogYScalarOther").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnXLogYScalarSelfGetWorkspaceSize(const aclScalar* self, const aclTensor* other,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnXLogYScalarSelf"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnXLogYScalarSelf(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnXLogYScalarSelf").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPowScalarTensorGetWorkspaceSize(const aclScalar* self, const aclTensor* exponent,
                                                 const aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPowScalarTensor"),
                  {self, exponent, out}, workspaceSize, executor);
}

aclnnStatus aclnnPowScalarTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPowScalarTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogitGetWorkspaceSize(const aclTensor* input, double eps, const aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogit"),
                  {input, eps, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogit(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogit").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogitGradGetWorkspaceSize(const aclTensor* x, const aclTensor* dy, double eps,
                                           const aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogitGrad"),
                  {x, dy, eps, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogitGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogitGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnComplexGetWorkspaceSize(const aclTensor* real, const aclTensor* imag,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnComplex"),
                  {real, imag, out}, workspaceSize, executor);
}

aclnnStatus aclnnComplex(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnComplex").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRealGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReal"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnReal(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReal").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPolarGetWorkspaceSize(const aclTensor* input, const aclTensor* angle,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPolar"),
                  {input, angle, out}, workspaceSize, executor);
}

aclnnStatus aclnnPolar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPolar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAngleV2GetWorkspaceSize(const aclTensor* x, const aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAngleV2"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnAngleV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAngleV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardsigmoidGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardsigmoid"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardsigmoid(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardsigmoid").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceHardsigmoidGetWorkspaceSize(
    const aclTensor* self, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceHardsigmoid"),
                  {self}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceHardsigmoid(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceHardsigmoid").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardswishGetWorkspaceSize(const aclTensor* self, const aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardswish"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardswish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardswish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceHardswishGetWorkspaceSize(const aclTensor* self, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceHardswish"),
                  {self}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceHardswish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceHardswish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftplusGetWorkspaceSize(const aclTensor* self, const aclScalar* beta,
                                          const aclScalar* threshold, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftplus"),
                  {self, beta, threshold, out}, workspaceSize, executor);
}

aclnnStatus aclnnSoftplus(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftplus").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogSigmoidGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogSigmoid"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogSigmoid(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogSigmoid").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogSigmoidForwardGetWorkspaceSize(
    const aclTensor* self, aclTensor* out, aclTensor* buffer, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogSigmoidForward"),
                  {self, out, buffer}, workspaceSize, executor);
}

aclnnStatus aclnnLogSigmoidForward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogSigmoidForward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFastGeluGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFastGelu"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnFastGelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFastGelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFastGeluBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                  const aclTensor* self, aclTensor* gradInput,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFastGeluBackward"),
                  {gradOutput, self, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnFastGeluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFastGeluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddReluGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                         const aclScalar* alpha, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddRelu"),
                  {self, other, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnAddRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddRelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddReluGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                const aclScalar* alpha, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAddRelu"),
                  {selfRef, other, alpha}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAddRelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMishGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMish"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnMish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceMishGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceMish"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceMish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEluGetWorkspaceSize(const aclTensor* self, const aclScalar* alpha,
                                     const aclScalar* scale, const aclScalar* inputScale,
                                     aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnElu"),
                  {self, alpha, scale, inputScale, out}, workspaceSize, executor);
}

aclnnStatus aclnnElu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnElu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceEluGetWorkspaceSize(aclTensor* selfRef, const aclScalar* alpha,
                                            const aclScalar* scale, const aclScalar* inputScale,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceElu"),
                  {selfRef, alpha, scale, inputScale}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceElu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceElu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCeluGetWorkspaceSize(const aclTensor* self, const aclScalar* alpha, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCelu"),
                  {self, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnCelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceCeluGetWorkspaceSize(aclTensor* selfRef, const aclScalar* alpha,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceCelu"),
                  {selfRef, alpha}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceCelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSeluGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSelu"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceSeluGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceSelu"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceSelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardshrinkGetWorkspaceSize(const aclTensor* self, const aclScalar* lambd,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardshrink"),
                  {self, lambd, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardshrink(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardshrink").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftshrinkGetWorkspaceSize(const aclTensor* self, const aclScalar* lambd,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftshrink"),
                  {self, lambd, out}, workspaceSize, executor);
}

aclnnStatus aclnnSoftshrink(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftshrink").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnThresholdGetWorkspaceSize(const aclTensor* self, const aclScalar* threshold,
                                           const aclScalar* value, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnThreshold"),
                  {self, threshold, value, out}, workspaceSize, executor);
}

aclnnStatus aclnnThreshold(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnThreshold").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceThresholdGetWorkspaceSize(aclTensor* selfRef, const aclScalar* threshold,
                                                  const aclScalar* value, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceThreshold"),
                  {selfRef, threshold, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceThreshold(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceThreshold").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSwishGetWorkspaceSize(const aclTensor* self, const aclScalar* betaOptional,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSwish"),
                  {self, betaOptional, out}, workspaceSize, executor);
}

aclnnStatus aclnnSwish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSwish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeluV2GetWorkspaceSize(const aclTensor* x, int64_t approximate, aclTensor* y,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeluV2"),
                  {x, approximate, y}, workspaceSize, executor);
}

aclnnStatus aclnnGeluV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeluV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPreluGetWorkspaceSize(const aclTensor* self, const aclTensor* weight,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPrelu"),
                  {self, weight, out}, workspaceSize, executor);
}

aclnnStatus aclnnPrelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPrelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHeavisideGetWorkspaceSize(const aclTensor* input, const aclTensor* values,
                                           aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHeaviside"),
                  {input, values, out}, workspaceSize, executor);
}

aclnnStatus aclnnHeaviside(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHeaviside").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* threshold, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnThresholdBackward"),
                  {gradOutput, self, threshold, out}, workspaceSize, executor);
}

aclnnStatus aclnnThresholdBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnThresholdBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                              const aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeluBackward"),
                  {gradOutput, self, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnGeluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeluBackwardV2GetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                char* approximate, aclTensor* gradInput,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeluBackwardV2"),
                  {gradOutput, self, approximate, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnGeluBackwardV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeluBackwardV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSiluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSiluBackward"),
                  {gradOutput, self, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSiluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSiluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSwishBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                               const aclScalar* betaOptional, aclTensor* gradInput,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSwishBackward"),
                  {gradOutput, self, betaOptional, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSwishBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSwishBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTanhBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* output,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTanhBackward"),
                  {gradOutput, output, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnTanhBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTanhBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSigmoidBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                 const aclTensor* output, aclTensor* gradInput,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSigmoidBackward"),
                  {gradOutput, output, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSigmoidBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSigmoidBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftplusBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                  const aclTensor* self, const aclScalar* beta,
                                                  const aclScalar* threshold, aclTensor* gradInput,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftplusBackward"),
                  {gradOutput, self, beta, threshold, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSoftplusBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftplusBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogSigmoidBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclTensor* buffer,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogSigmoidBackward"),
                  {gradOutput, self, buffer, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnLogSigmoidBackward(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogSigmoidBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLeakyReluBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* negativeSlope,
    bool selfIsResult, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLeakyReluBackward"),
                  {gradOutput, self, negativeSlope, selfIsResult, out}, workspaceSize, executor);
}

aclnnStatus aclnnLeakyReluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLeakyReluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardswishBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardswishBackward"),
                  {gradOutput, self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardswishBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardswishBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardswishBackwardV2GetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardswishBackwardV2"),
                  {gradOutput, self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardswishBackwardV2(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardswishBackwardV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardsigmoidBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardsigmoidBackward"),
                  {gradOutput, self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardsigmoidBackward(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardsigmoidBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardtanhBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                  const aclTensor* self, const aclScalar* min,
                                                  const aclScalar* max, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardtanhBackward"),
                  {gradOutput, self, min, max, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardtanhBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardtanhBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclScalar* alpha,
                                             const aclScalar* scale, const aclScalar* inputScale,
                                             bool isResult, const aclTensor* selfOrResult,
                                             aclTensor* gradInput, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEluBackward"),
                  {gradOutput, alpha, scale, inputScale, isResult, selfOrResult,
                   gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnEluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSeluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* result,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSeluBackward"),
                  {gradOutput, result, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSeluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSeluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardshrinkBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* lambd,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardshrinkBackward"),
                  {gradOutput, self, lambd, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnHardshrinkBackward(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardshrinkBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftshrinkBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclScalar* lambda,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftshrinkBackward"),
                  {gradOutput, self, lambda, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnSoftshrinkBackward(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftshrinkBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPreluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                               const aclTensor* weight, aclTensor* gradInput,
                                               aclTensor* gradWeight, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPreluBackward"),
                  {gradOutput, self, weight, gradInput, gradWeight}, workspaceSize, executor);
}

aclnnStatus aclnnPreluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPreluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMishBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                              aclTensor* gradInput, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMishBackward"),
                  {gradOutput, self, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnMishBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMishBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFillTensorGetWorkspaceSize(
    aclTensor* selfRef, const aclTensor* value, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFillTensor"),
                  {selfRef, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFillTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFillTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantizeGetWorkspaceSize(const aclTensor* x, const aclTensor* scales,
                                          const aclTensor* zeroPoints, aclDataType dtype,
                                          int32_t axis, aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantize"),
                  {x, scales, zeroPoints, dtype, axis, out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantize(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantize").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGluGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGlu"),
                  {self, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnGlu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGlu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGluBackwardGetWorkspaceSize(const aclTensor* gradOut, const aclTensor* self,
                                             int64_t dim, const aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGluBackward"),
                  {gradOut, self, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnGluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTransformBiasRescaleQkvGetWorkspaceSize(
    const aclTensor* qkv, const aclTensor* qkvBias, int64_t numHeads, const aclTensor* qOut,
    const aclTensor* kOut, const aclTensor* vOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTransformBiasRescaleQkv"),
                  {qkv, qkvBias, numHeads, qOut, kOut, vOut}, workspaceSize, executor);
}

aclnnStatus aclnnTransformBiasRescaleQkv(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTransformBiasRescaleQkv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFillDiagonalGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* fillValue, bool wrap, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFillDiagonal"),
                  {selfRef, fillValue, wrap}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFillDiagonal(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFillDiagonal").op, workspace,
                           workspaceSize, executor, stream);
}
}
