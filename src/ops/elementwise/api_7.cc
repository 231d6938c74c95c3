// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_acosh.h"
#include "aclnnop/aclnn_asinh.h"
#include "aclnnop/aclnn_atan2.h"
#include "aclnnop/aclnn_atanh.h"
#include "aclnnop/aclnn_complex.h"
#include "aclnnop/aclnn_cosh.h"
#include "aclnnop/aclnn_digamma.h"
#include "aclnnop/aclnn_erf.h"
#include "aclnnop/aclnn_erfc.h"
#include "aclnnop/aclnn_erfinv.h"
#include "aclnnop/aclnn_lgamma.h"
#include "aclnnop/aclnn_logaddexp.h"
#include "aclnnop/aclnn_logaddexp2.h"
#include "aclnnop/aclnn_logit.h"
#include "aclnnop/aclnn_logit_grad.h"
#include "aclnnop/aclnn_pow.h"
#include "aclnnop/aclnn_sinh.h"
#include "aclnnop/aclnn_square.h"
#include "aclnnop/aclnn_x_log_y_scalar_other.h"
#include "aclnnop/aclnn_x_log_y_scalar_self.h"
#include "aclnnop/aclnn_x_log_y_tensor.h"
#include "nnop/phases.h"
#include "ops/elementwise/operators.h"

using namespace anyacl;
using anyacl::elementwise::kOperators;

extern "C" {

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

aclnnStatus aclnnSquareGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSquare"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSquare(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSquare").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLgammaGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLgamma"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnLgamma(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLgamma").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDigammaGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDigamma"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnDigamma(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDigamma").op, workspace,
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
}
