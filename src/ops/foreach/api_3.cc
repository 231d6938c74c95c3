// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_foreach_abs.h"
#include "aclnnop/aclnn_foreach_acos.h"
#include "aclnnop/aclnn_foreach_asin.h"
#include "aclnnop/aclnn_foreach_atan.h"
#include "aclnnop/aclnn_foreach_cos.h"
#include "aclnnop/aclnn_foreach_cosh.h"
#include "aclnnop/aclnn_foreach_erf.h"
#include "aclnnop/aclnn_foreach_erfc.h"
#include "aclnnop/aclnn_foreach_exp.h"
#include "aclnnop/aclnn_foreach_expm1.h"
#include "aclnnop/aclnn_foreach_log.h"
#include "aclnnop/aclnn_foreach_log10.h"
#include "aclnnop/aclnn_foreach_log1p.h"
#include "aclnnop/aclnn_foreach_log2.h"
#include "aclnnop/aclnn_foreach_neg.h"
#include "aclnnop/aclnn_foreach_reciprocal.h"
#include "aclnnop/aclnn_foreach_sigmoid.h"
#include "aclnnop/aclnn_foreach_sign.h"
#include "aclnnop/aclnn_foreach_sin.h"
#include "aclnnop/aclnn_foreach_sinh.h"
#include "aclnnop/aclnn_foreach_sqrt.h"
#include "aclnnop/aclnn_foreach_tan.h"
#include "aclnnop/aclnn_foreach_tanh.h"
#include "aclnnop/aclnn_maxn.h"
#include "aclnnop/aclnn_minn.h"
#include "nnop/phases.h"
#include "ops/foreach/operators.h"

using namespace anyacl;
using anyacl::foreach::kOperators;

extern "C" {

aclnnStatus aclnnMaxNGetWorkspaceSize(const aclTensorList* tensors, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMaxN"),
                  {tensors, out}, workspaceSize, executor);
}

aclnnStatus aclnnMaxN(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMaxN").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMinNGetWorkspaceSize(const aclTensorList* tensors, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMinN"),
                  {tensors, out}, workspaceSize, executor);
}

aclnnStatus aclnnMinN(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMinN").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAbsGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAbs"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAbs(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAbs").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachNegGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachNeg"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachNeg(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachNeg").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSignGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSign"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSign(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSign").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSqrtGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSqrt"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSqrt(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSqrt").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachReciprocalGetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachReciprocal"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachReciprocal(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachReciprocal").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachExpGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachExp"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachExp(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachExp").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachExpm1GetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachExpm1"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachExpm1(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachExpm1").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachLogGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachLog"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachLog(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachLog").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachLog1pGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachLog1p"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachLog1p(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachLog1p").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachLog2GetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachLog2"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachLog2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachLog2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachLog10GetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachLog10"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachLog10(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachLog10").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSigmoidGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSigmoid"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSigmoid(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSigmoid").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachTanhGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachTanh"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachTanh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachTanh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSinGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSin"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSin(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSin").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachCosGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachCos"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachCos(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachCos").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachTanGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachTan"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachTan(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachTan").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAsinGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAsin"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAsin(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAsin").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAcosGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAcos"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAcos(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAcos").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAtanGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAtan"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAtan(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAtan").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSinhGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSinh"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSinh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSinh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachCoshGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachCosh"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachCosh(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachCosh").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachErfGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachErf"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachErf(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachErf").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachErfcGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachErfc"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachErfc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachErfc").op, workspace,
                           workspaceSize, executor, stream);
}
}
