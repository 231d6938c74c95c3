// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_add_n.h"
#include "aclnnop/aclnn_foreach_add_list_v2.h"
#include "aclnnop/aclnn_foreach_addcdiv_list.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_list.h"
#include "aclnnop/aclnn_foreach_addcdiv_scalar_v2.h"
#include "aclnnop/aclnn_foreach_addcmul_list.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_list.h"
#include "aclnnop/aclnn_foreach_addcmul_scalar_v2.h"
#include "aclnnop/aclnn_foreach_copy.h"
#include "aclnnop/aclnn_foreach_div_list.h"
#include "aclnnop/aclnn_foreach_lerp_list.h"
#include "aclnnop/aclnn_foreach_lerp_scalar.h"
#include "aclnnop/aclnn_foreach_maximum_list.h"
#include "aclnnop/aclnn_foreach_maximum_scalar_list.h"
#include "aclnnop/aclnn_foreach_minimum_list.h"
#include "aclnnop/aclnn_foreach_minimum_scalar_list.h"
#include "aclnnop/aclnn_foreach_mul_list.h"
#include "aclnnop/aclnn_foreach_pow_list.h"
#include "aclnnop/aclnn_foreach_pow_scalar_list.h"
#include "aclnnop/aclnn_foreach_round_off_number_v2.h"
#include "aclnnop/aclnn_foreach_sub_list_v2.h"
#include "aclnnop/aclnn_foreach_zero_inplace.h"
#include "aclnnop/aclnn_sum.h"
#include "nnop/phases.h"
#include "ops/foreach/operators.h"

using namespace anyacl;
using anyacl::foreach::kOperators;

extern "C" {

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

aclnnStatus aclnnForeachAddcmulListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* x3,
    const aclTensor* scalars, const aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddcmulList"),
                  {x1, x2, x3, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddcmulList(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddcmulList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachAddcdivListGetWorkspaceSize(
    const aclTensorList* x1, const aclTensorList* x2, const aclTensorList* x3,
    const aclTensor* scalars, const aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachAddcdivList"),
                  {x1, x2, x3, scalars, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachAddcdivList(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachAddcdivList").op, workspace,
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

aclnnStatus aclnnForeachLerpListGetWorkspaceSize(const aclTensorList* x1, const aclTensorList* x2,
                                                 const aclTensorList* weight,
                                                 const aclTensorList* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachLerpList"),
                  {x1, x2, weight, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachLerpList(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachLerpList").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachRoundOffNumberV2GetWorkspaceSize(
    const aclTensorList* x, const aclScalar* roundMode, aclTensorList* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachRoundOffNumberV2"),
                  {x, roundMode, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachRoundOffNumberV2(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachRoundOffNumberV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachCopyGetWorkspaceSize(const aclTensorList* x, const aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachCopy"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachCopy(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachCopy").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachZeroInplaceGetWorkspaceSize(
    const aclTensorList* x, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachZeroInplace"),
                  {x}, workspaceSize, executor);
}

aclnnStatus aclnnForeachZeroInplace(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachZeroInplace").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSumGetWorkspaceSize(const aclTensorList* tensors, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSum"),
                  {tensors, out}, workspaceSize, executor);
}

aclnnStatus aclnnSum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddNGetWorkspaceSize(const aclTensorList* tensors, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddN"),
                  {tensors, out}, workspaceSize, executor);
}

aclnnStatus aclnnAddN(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddN").op, workspace,
                           workspaceSize, executor, stream);
}
}
