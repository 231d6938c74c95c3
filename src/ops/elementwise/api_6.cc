// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_acos.h"
#include "aclnnop/aclnn_asin.h"
#include "aclnnop/aclnn_atan.h"
#include "aclnnop/aclnn_equal.h"
#include "aclnnop/aclnn_exp2.h"
#include "aclnnop/aclnn_expm1.h"
#include "aclnnop/aclnn_is_inf.h"
#include "aclnnop/aclnn_isclose.h"
#include "aclnnop/aclnn_isfinite.h"
#include "aclnnop/aclnn_isneginf.h"
#include "aclnnop/aclnn_isposinf.h"
#include "aclnnop/aclnn_log10.h"
#include "aclnnop/aclnn_log1p.h"
#include "aclnnop/aclnn_log2.h"
#include "aclnnop/aclnn_masked_fill_scalar.h"
#include "aclnnop/aclnn_nan_to_num.h"
#include "aclnnop/aclnn_rsub.h"
#include "aclnnop/aclnn_signbit.h"
#include "aclnnop/aclnn_sinc.h"
#include "aclnnop/aclnn_tan.h"
#include "nnop/phases.h"
#include "ops/elementwise/operators.h"

using namespace anyacl;
using anyacl::elementwise::kOperators;

extern "C" {

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
}
