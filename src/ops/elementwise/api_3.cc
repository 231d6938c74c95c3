// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_ceil.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_copy.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_floor.h"
#include "aclnnop/aclnn_ge_scalar.h"
#include "aclnnop/aclnn_ge_tensor.h"
#include "aclnnop/aclnn_gt_scalar.h"
#include "aclnnop/aclnn_gt_tensor.h"
#include "aclnnop/aclnn_le_scalar.h"
#include "aclnnop/aclnn_le_tensor.h"
#include "aclnnop/aclnn_logical_and.h"
#include "aclnnop/aclnn_logical_not.h"
#include "aclnnop/aclnn_logical_or.h"
#include "aclnnop/aclnn_logical_xor.h"
#include "aclnnop/aclnn_ones.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_s_where.h"
#include "aclnnop/aclnn_zero.h"
#include "nnop/phases.h"
#include "ops/elementwise/operators.h"

using namespace anyacl;
using anyacl::elementwise::kOperators;

extern "C" {

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
}
