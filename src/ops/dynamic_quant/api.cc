// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_dynamic_quant.h"
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "aclnnop/aclnn_dynamic_quant_v3.h"
#include "aclnnop/aclnn_dynamic_quant_v4.h"
#include "nnop/phases.h"
#include "ops/dynamic_quant/operators.h"

using namespace anyacl;
using anyacl::dynamic_quant::kOperators;

extern "C" {

aclnnStatus aclnnDynamicQuantV2GetWorkspaceSize(const aclTensor* x,
                                                const aclTensor* smoothScalesOptional,
                                                const aclTensor* groupIndexOptional,
                                                int64_t dstType, const aclTensor* yOut,
                                                const aclTensor* scaleOut,
                                                const aclTensor* offsetOut, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDynamicQuantV2"),
                  {x, smoothScalesOptional, groupIndexOptional, dstType, yOut, scaleOut,
                   offsetOut}, workspaceSize, executor);
}

aclnnStatus aclnnDynamicQuantV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDynamicQuantV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDynamicQuantGetWorkspaceSize(const aclTensor* x,
                                              const aclTensor* smoothScalesOptional,
                                              const aclTensor* yOut, const aclTensor* scaleOut,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDynamicQuant"),
                  {x, smoothScalesOptional, yOut, scaleOut}, workspaceSize, executor);
}

aclnnStatus aclnnDynamicQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDynamicQuant").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDynamicQuantV3GetWorkspaceSize(const aclTensor* x,
                                                const aclTensor* smoothScalesOptional,
                                                const aclTensor* groupIndexOptional,
                                                int64_t dstType, bool isSymmetrical,
                                                const char* quantMode, const aclTensor* yOut,
                                                const aclTensor* scaleOut,
                                                const aclTensor* offsetOut, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDynamicQuantV3"),
                  {x, smoothScalesOptional, groupIndexOptional, dstType, isSymmetrical, quantMode,
                   yOut, scaleOut, offsetOut}, workspaceSize, executor);
}

aclnnStatus aclnnDynamicQuantV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDynamicQuantV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDynamicQuantV4GetWorkspaceSize(const aclTensor* x,
                                                const aclTensor* smoothScalesOptional,
                                                const aclTensor* groupIndexOptional,
                                                int64_t dstType, bool isSymmetrical,
                                                const char* quantMode, float dstTypeMax,
                                                const aclTensor* yOut, const aclTensor* scaleOut,
                                                const aclTensor* offsetOut, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDynamicQuantV4"),
                  {x, smoothScalesOptional, groupIndexOptional, dstType, isSymmetrical, quantMode,
                   dstTypeMax, yOut, scaleOut, offsetOut}, workspaceSize, executor);
}

aclnnStatus aclnnDynamicQuantV4(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDynamicQuantV4").op, workspace,
                           workspaceSize, executor, stream);
}
}
