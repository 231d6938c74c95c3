// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_foreach_add_list.h"
#include "aclnnop/aclnn_foreach_add_scalar.h"
#include "aclnnop/aclnn_foreach_add_scalar_list.h"
#include "aclnnop/aclnn_foreach_add_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar.h"
#include "aclnnop/aclnn_foreach_div_scalar.h"
#include "aclnnop/aclnn_foreach_div_scalar_list.h"
#include "aclnnop/aclnn_foreach_div_scalar_v2.h"
#include "aclnnop/aclnn_foreach_maximum_scalar.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_minimum_scalar.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_mul_scalar.h"
#include "aclnnop/aclnn_foreach_mul_scalar_list.h"
#include "aclnnop/aclnn_foreach_mul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_pow_scalar.h"
#include "aclnnop/aclnn_foreach_pow_scalar_and_tensor.h"
#include "aclnnop/aclnn_foreach_pow_scalar_v2.h"
#include "aclnnop/aclnn_foreach_round_off_number.h"
#include "aclnnop/aclnn_foreach_sub_list.h"
#include "aclnnop/aclnn_foreach_sub_scalar.h"
#include "aclnnop/aclnn_foreach_sub_scalar_list.h"
#include "aclnnop/aclnn_foreach_sub_scalar_v2.h"
#include "nnop/phases.h"
#include "ops/foreach/operators.h"

using namespace anyacl;
using anyacl::foreach::kOperators;

extern "C" {

aclnnStatus aclnnForeachAddScalarGetWorkspaceSize(const aclTensorList* x, const aclTensor* scalar,
                                                  const aclTensorList* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddScalar"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSubScalarGetWorkspaceSize(const aclTensorList* x, const aclTensor* scalar,
                                                  const aclTensorList* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSubScalar"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSubScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMulScalarGetWorkspaceSize(const aclTensorList* x, const aclTensor* scalar,
                                                  const aclTensorList* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMulScalar"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMulScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMulScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachDivScalarGetWorkspaceSize(const aclTensorList* x, const aclTensor* scalar,
                                                  const aclTensorList* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachDivScalar"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachDivScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachDivScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMaximumScalarGetWorkspaceSize(
    const aclTensorList* x, const aclTensor* scalar, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMaximumScalar"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMaximumScalar(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMaximumScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMinimumScalarGetWorkspaceSize(
    const aclTensorList* x, const aclTensor* scalar, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMinimumScalar"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMinimumScalar(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMinimumScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachPowScalarGetWorkspaceSize(const aclTensorList* x, const aclTensor* scalar,
                                                  const aclTensorList* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachPowScalar"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachPowScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachPowScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddListGetWorkspaceSize(const aclTensorList* x1, const aclTensorList* x2,
                                                const aclTensor* alpha, const aclTensorList* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddList"),
                  {x1, x2, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddList(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSubListGetWorkspaceSize(const aclTensorList* x1, const aclTensorList* x2,
                                                const aclTensor* alpha, const aclTensorList* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSubList"),
                  {x1, x2, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubList(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSubList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddcmulScalarGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* x3,
    const aclTensor* scalar, const aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddcmulScalar"),
                  {x1, x2, x3, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddcmulScalar(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddcmulScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddcdivScalarGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* x3,
    const aclTensor* scalar, const aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddcdivScalar"),
                  {x1, x2, x3, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddcdivScalar(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddcdivScalar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachRoundOffNumberGetWorkspaceSize(
    const aclTensorList* x, const aclTensor* roundMode, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachRoundOffNumber"),
                  {x, roundMode, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachRoundOffNumber(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachRoundOffNumber").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachPowScalarAndTensorGetWorkspaceSize(
    const aclScalar* scalar, const aclTensorList* x, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachPowScalarAndTensor"),
                  {scalar, x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachPowScalarAndTensor(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachPowScalarAndTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddScalarV2GetWorkspaceSize(
    const aclTensorList* x, const aclScalar* scalar, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddScalarV2"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddScalarV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddScalarV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSubScalarV2GetWorkspaceSize(
    const aclTensorList* x, const aclScalar* scalar, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSubScalarV2"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubScalarV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSubScalarV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMulScalarV2GetWorkspaceSize(
    const aclTensorList* x, const aclScalar* scalar, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMulScalarV2"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMulScalarV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMulScalarV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachDivScalarV2GetWorkspaceSize(
    const aclTensorList* x, const aclScalar* scalar, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachDivScalarV2"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachDivScalarV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachDivScalarV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMaximumScalarV2GetWorkspaceSize(
    const aclTensorList* x, const aclScalar* scalar, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMaximumScalarV2"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMaximumScalarV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMaximumScalarV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMinimumScalarV2GetWorkspaceSize(
    const aclTensorList* x, const aclScalar* scalar, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMinimumScalarV2"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMinimumScalarV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMinimumScalarV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachPowScalarV2GetWorkspaceSize(
    const aclTensorList* x, const aclScalar* scalar, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachPowScalarV2"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachPowScalarV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachPowScalarV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddScalarListGetWorkspaceSize(
    const aclTensorList* x, const aclScalarList* scalars, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddScalarList"),
                  {x, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddScalarList(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddScalarList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSubScalarListGetWorkspaceSize(
    const aclTensorList* x, const aclScalarList* scalars, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSubScalarList"),
                  {x, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubScalarList(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSubScalarList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMulScalarListGetWorkspaceSize(
    const aclTensorList* x, const aclScalarList* scalars, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMulScalarList"),
                  {x, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMulScalarList(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMulScalarList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachDivScalarListGetWorkspaceSize(
    const aclTensorList* x, const aclScalarList* scalars, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachDivScalarList"),
                  {x, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachDivScalarList(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachDivScalarList").op, workspace,
                           workspaceSize, executor, stream);
}
}
