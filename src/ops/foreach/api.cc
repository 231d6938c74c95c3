// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_foreach_add_list_v2.h"
#include "aclnnop/aclnn_foreach_add_scalar_list.h"
#include "aclnnop/aclnn_foreach_add_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_list.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_list.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_div_list.h"
#include "aclnnop/aclnn_foreach_div_scalar_list.h"
#include "aclnnop/aclnn_foreach_div_scalar_v2.h"
#include "aclnnop/aclnn_foreach_lerp_scalar.h"
#include "aclnnop/aclnn_foreach_maximum_list.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_list.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_minimum_list.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_list.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_v2.h"
#include "aclnnop/aclnn_foreach_mul_list.h"
#include "aclnnop/aclnn_foreach_mul_scalar_list.h"
#include "aclnnop/aclnn_foreach_mul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_pow_list.h"
#include "aclnnop/aclnn_foreach_pow_scalar_list.h"
#include "aclnnop/aclnn_foreach_pow_scalar_v2.h"
#include "aclnnop/aclnn_foreach_sub_list_v2.h"
#include "aclnnop/aclnn_foreach_sub_scalar_list.h"
#include "aclnnop/aclnn_foreach_sub_scalar_v2.h"
#include "nnop/phases.h"
#include "ops/foreach/operators.h"

using namespace anyacl;
using anyacl::foreach::kOperators;

extern "C" {

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

aclnnStatus aclnnForeachMaximumScalarListGetWorkspaceSize(
    const aclTensorList* x, const aclScalarList* scalars, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMaximumScalarList"),
                  {x, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMaximumScalarList(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMaximumScalarList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMinimumScalarListGetWorkspaceSize(
    const aclTensorList* x, const aclScalarList* scalars, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMinimumScalarList"),
                  {x, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMinimumScalarList(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMinimumScalarList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachPowScalarListGetWorkspaceSize(
    const aclTensorList* x, const aclScalarList* scalars, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachPowScalarList"),
                  {x, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachPowScalarList(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachPowScalarList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddListV2GetWorkspaceSize(const aclTensorList* x1, const aclTensorList* x2,
                                                  const aclScalar* alpha, aclTensorList* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddListV2"),
                  {x1, x2, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddListV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddListV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachSubListV2GetWorkspaceSize(const aclTensorList* x1, const aclTensorList* x2,
                                                  const aclScalar* alpha, aclTensorList* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachSubListV2"),
                  {x1, x2, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachSubListV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachSubListV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMulListGetWorkspaceSize(const aclTensorList* x1, const aclTensorList* x2,
                                                const aclTensorList* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMulList"),
                  {x1, x2, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMulList(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMulList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachDivListGetWorkspaceSize(const aclTensorList* x1, const aclTensorList* x2,
                                                const aclTensorList* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachDivList"),
                  {x1, x2, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachDivList(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachDivList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMaximumListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMaximumList"),
                  {x1, x2, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMaximumList(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMaximumList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachMinimumListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachMinimumList"),
                  {x1, x2, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachMinimumList(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachMinimumList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachPowListGetWorkspaceSize(const aclTensorList* x1, const aclTensorList* x2,
                                                const aclTensorList* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachPowList"),
                  {x1, x2, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachPowList(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachPowList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddcmulScalarV2GetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* x3,
    const aclScalar* scalar, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddcmulScalarV2"),
                  {x1, x2, x3, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddcmulScalarV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddcmulScalarV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddcdivScalarV2GetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* x3,
    const aclScalar* scalar, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddcdivScalarV2"),
                  {x1, x2, x3, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddcdivScalarV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddcdivScalarV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddcmulScalarListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* x3,
    const aclTensor* scalars, const aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddcmulScalarList"),
                  {x1, x2, x3, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddcmulScalarList(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddcmulScalarList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddcdivScalarListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* x3,
    const aclTensor* scalars, const aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddcdivScalarList"),
                  {x1, x2, x3, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddcdivScalarList(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddcdivScalarList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachLerpScalarGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclScalar* weight,
    const aclTensorList* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachLerpScalar"),
                  {x1, x2, weight, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachLerpScalar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachLerpScalar").op, workspace,
                           workspaceSize, executor, stream);
}
}
