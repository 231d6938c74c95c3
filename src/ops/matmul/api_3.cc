// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_add_lora.h"
#include "aclnnop/aclnn_batchmatmul_quant.h"
#include "aclnnop/aclnn_einsum.h"
#include "aclnnop/aclnn_ffn.h"
#include "aclnnop/aclnn_ffn_v2.h"
#include "aclnnop/aclnn_ffn_v3.h"
#include "aclnnop/aclnn_fused_matmul.h"
#include "aclnnop/aclnn_grouped_matmul_add.h"
#include "aclnnop/aclnn_grouped_matmul_add_v2.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing_v3.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing_weight_nz.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing_weight_nz_v2.h"
#include "aclnnop/aclnn_quant_matmul.h"
#include "aclnnop/aclnn_quant_matmul_reduce_sum.h"
#include "nnop/phases.h"
#include "ops/matmul/operators.h"

using namespace anyacl;
using anyacl::matmul::kOperators;

extern "C" {

aclnnStatus aclnnGroupedMatmulFinalizeRoutingV3GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* scaleOptional,
    const aclTensor* biasOptional, const aclTensor* offsetOptional,
    const aclTensor* antiquantScaleOptional, const aclTensor* antiquantOffsetOptional,
    const aclTensor* pertokenScaleOptional, const aclTensor* groupListOptional,
    const aclTensor* sharedInputOptional, const aclTensor* logitOptional,
    const aclTensor* rowIndexOptional, int64_t dtype, float sharedInputWeight,
    int64_t sharedInputOffset, bool transposeX1, bool transposeX2, int64_t groupListType,
    const aclIntArray* tuningConfigOptional, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulFinalizeRoutingV3"),
                  {x1, x2, scaleOptional, biasOptional, offsetOptional, antiquantScaleOptional,
                   antiquantOffsetOptional, pertokenScaleOptional, groupListOptional,
                   sharedInputOptional, logitOptional, rowIndexOptional, dtype, sharedInputWeight,
                   sharedInputOffset, transposeX1, transposeX2, groupListType, tuningConfigOptional,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulFinalizeRoutingV3(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulFinalizeRoutingV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* scale, const aclTensor* bias,
    const aclTensor* pertokenScaleOptional, const aclTensor* groupList,
    const aclTensor* sharedInput, const aclTensor* logit, const aclTensor* rowIndex, int64_t dtype,
    float sharedInputWeight, int64_t sharedInputOffset, bool transposeX1, bool transposeX2,
    int64_t groupListType, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulFinalizeRoutingWeightNz"),
                  {x1, x2, scale, bias, pertokenScaleOptional, groupList, sharedInput, logit,
                   rowIndex, dtype, sharedInputWeight, sharedInputOffset, transposeX1, transposeX2,
                   groupListType, out}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNz(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulFinalizeRoutingWeightNz").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNzV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* scale, const aclTensor* bias,
    const aclTensor* offsetOptional, const aclTensor* antiquantScaleOptional,
    const aclTensor* antiquantOffsetOptional, const aclTensor* pertokenScaleOptional,
    const aclTensor* groupList, const aclTensor* sharedInput, const aclTensor* logit,
    const aclTensor* rowIndex, int64_t dtype, float sharedInputWeight, int64_t sharedInputOffset,
    bool transposeX1, bool transposeX2, int64_t groupListType,
    const aclIntArray* tuningConfigOptional, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulFinalizeRoutingWeightNzV2"),
                  {x1, x2, scale, bias, offsetOptional, antiquantScaleOptional,
                   antiquantOffsetOptional, pertokenScaleOptional, groupList, sharedInput, logit,
                   rowIndex, dtype, sharedInputWeight, sharedInputOffset, transposeX1, transposeX2,
                   groupListType, tuningConfigOptional, out}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulFinalizeRoutingWeightNzV2(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulFinalizeRoutingWeightNzV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulAddGetWorkspaceSize(const aclTensor* x, const aclTensor* weight,
                                                  const aclTensor* groupList, aclTensor* yRef,
                                                  bool transposeX, bool transposeWeight,
                                                  int64_t groupType, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulAdd"),
                  {x, weight, groupList, yRef, transposeX, transposeWeight,
                   groupType}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulAdd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulAdd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulAddV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* groupList, aclTensor* yRef,
    bool transposeX, bool transposeWeight, int64_t groupType, int64_t groupListType,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulAddV2"),
                  {x, weight, groupList, yRef, transposeX, transposeWeight, groupType,
                   groupListType}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulAddV2(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulAddV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulReduceSumWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* x1Scale, const aclTensor* x2Scale,
    const aclTensor* yScale, const aclTensor* x1Offset, const aclTensor* x2Offset,
    const aclTensor* yOffset, const aclTensor* bias, bool transposeX1, bool transposeX2,
    int64_t groupSize, const aclIntArray* dims, bool keepDims, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulReduceSumWeightNz"),
                  {x1, x2, x1Scale, x2Scale, yScale, x1Offset, x2Offset, yOffset, bias, transposeX1,
                   transposeX2, groupSize, dims, keepDims, out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulReduceSumWeightNz(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulReduceSumWeightNz").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddLoraGetWorkspaceSize(const aclTensor* y, const aclTensor* x,
                                         const aclTensor* weightB, const aclTensor* indices,
                                         const aclTensor* weightAOptional, int64_t layerIdx,
                                         double scale, int64_t yOffset, int64_t ySliceSize,
                                         const aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddLora"),
                  {y, x, weightB, indices, weightAOptional, layerIdx, scale, yOffset, ySliceSize,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnAddLora(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddLora").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFusedMatmulGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                             const aclTensor* bias, const aclTensor* x3,
                                             const char* fusedOpType, int8_t cubeMathType,
                                             const aclTensor* y, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFusedMatmul"),
                  {x1, x2, bias, x3, fusedOpType, cubeMathType, y}, workspaceSize, executor);
}

aclnnStatus aclnnFusedMatmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFusedMatmul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFFNGetWorkspaceSize(const aclTensor* x, const aclTensor* weight1,
                                     const aclTensor* weight2, const aclIntArray* expertTokens,
                                     const aclTensor* bias1, const aclTensor* bias2,
                                     const aclTensor* scale, const aclTensor* offset,
                                     const aclTensor* deqScale1, const aclTensor* deqScale2,
                                     const aclTensor* antiquantScale1,
                                     const aclTensor* antiquantScale2,
                                     const aclTensor* antiquantOffset1,
                                     const aclTensor* antiquantOffset2, const char* activation,
                                     int64_t innerPrecise, const aclTensor* y,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFFN"),
                  {x, weight1, weight2, expertTokens, bias1, bias2, scale, offset, deqScale1,
                   deqScale2, antiquantScale1, antiquantScale2, antiquantOffset1, antiquantOffset2,
                   activation, innerPrecise, y}, workspaceSize, executor);
}

aclnnStatus aclnnFFN(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFFN").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFFNV2GetWorkspaceSize(const aclTensor* x, const aclTensor* weight1,
                                       const aclTensor* weight2, const aclIntArray* expertTokens,
                                       const aclTensor* bias1, const aclTensor* bias2,
                                       const aclTensor* scale, const aclTensor* offset,
                                       const aclTensor* deqScale1, const aclTensor* deqScale2,
                                       const aclTensor* antiquantScale1,
                                       const aclTensor* antiquantScale2,
                                       const aclTensor* antiquantOffset1,
                                       const aclTensor* antiquantOffset2, const char* activation,
                                       int64_t innerPrecise, bool tokensIndexFlag,
                                       const aclTensor* y, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFFNV2"),
                  {x, weight1, weight2, expertTokens, bias1, bias2, scale, offset, deqScale1,
                   deqScale2, antiquantScale1, antiquantScale2, antiquantOffset1, antiquantOffset2,
                   activation, innerPrecise, tokensIndexFlag, y}, workspaceSize, executor);
}

aclnnStatus aclnnFFNV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFFNV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFFNV3GetWorkspaceSize(const aclTensor* x, const aclTensor* weight1,
                                       const aclTensor* weight2,
                                       const aclTensor* expertTokensOptional,
                                       const aclTensor* bias1Optional,
                                       const aclTensor* bias2Optional,
                                       const aclTensor* scaleOptional,
                                       const aclTensor* offsetOptional,
                                       const aclTensor* deqScale1Optional,
                                       const aclTensor* deqScale2Optional,
                                       const aclTensor* antiquantScale1Optional,
                                       const aclTensor* antiquantScale2Optional,
                                       const aclTensor* antiquantOffset1Optional,
                                       const aclTensor* antiquantOffset2Optional,
                                       const char* activation, int64_t innerPrecise,
                                       bool tokensIndexFlag, const aclTensor* y,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFFNV3"),
                  {x, weight1, weight2, expertTokensOptional, bias1Optional, bias2Optional,
                   scaleOptional, offsetOptional, deqScale1Optional, deqScale2Optional,
                   antiquantScale1Optional, antiquantScale2Optional, antiquantOffset1Optional,
                   antiquantOffset2Optional, activation, innerPrecise, tokensIndexFlag,
                   y}, workspaceSize, executor);
}

aclnnStatus aclnnFFNV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFFNV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEinsumGetWorkspaceSize(const aclTensorList* tensors, const char* equation,
                                        aclTensor* output, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEinsum"),
                  {tensors, equation, output}, workspaceSize, executor);
}

aclnnStatus aclnnEinsum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEinsum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                             const aclTensor* bias, float deqScale, aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmul"),
                  {x1, x2, bias, deqScale, out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulV2GetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                               const aclTensor* bias, const aclTensor* deqScale,
                                               bool adjX1, bool adjX2, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulV2"),
                  {x1, x2, bias, deqScale, adjX1, adjX2, out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchMatmulQuantGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                  const aclTensor* quantParam,
                                                  const aclTensor* bias, bool transposeX1,
                                                  bool transposeX2, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchMatmulQuant"),
                  {x1, x2, quantParam, bias, transposeX1, transposeX2,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnBatchMatmulQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchMatmulQuant").op, workspace,
                           workspaceSize, executor, stream);
}
}
