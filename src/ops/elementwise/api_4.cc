// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_bitwise_and_scalar.h"
#include "aclnnop/aclnn_bitwise_and_tensor.h"
#include "aclnnop/aclnn_bitwise_or_tensor.h"
#include "aclnnop/aclnn_bitwiseand.h"
#include "aclnnop/aclnn_div.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_fmod_scalar.h"
#include "aclnnop/aclnn_fmod_tensor.h"
#include "aclnnop/aclnn_frac.h"
#include "aclnnop/aclnn_gcd.h"
#include "aclnnop/aclnn_remainder.h"
#include "aclnnop/aclnn_round.h"
#include "aclnnop/aclnn_trunc.h"
#include "nnop/phases.h"
#include "ops/elementwise/operators.h"

using namespace anyacl;
using anyacl::elementwise::kOperators;

extern "C" {

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

aclnnStatus aclnnBitwiseAndTensorOutGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBitwiseAndTensorOut"),
                  {self, other, out}, workspaceSize, executor);
}

aclnnStatus aclnnBitwiseAndTensorOut(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBitwiseAndTensorOut").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceBitwiseAndTensorOutGetWorkspaceSize(
    const aclTensor* self, const aclTensor* other, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceBitwiseAndTensorOut"),
                  {self, other}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBitwiseAndTensorOut(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceBitwiseAndTensorOut").op, workspace,
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
}
