// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_convert_weight_to_int4_pack.h"
#include "aclnnop/aclnn_grouped_matmul.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing.h"
#include "aclnnop/aclnn_grouped_matmul_finalize_routing_v2.h"
#include "aclnnop/aclnn_grouped_matmul_v2.h"
#include "aclnnop/aclnn_grouped_matmul_v3.h"
#include "aclnnop/aclnn_grouped_matmul_v4.h"
#include "aclnnop/aclnn_grouped_matmul_v5.h"
#include "aclnnop/aclnn_grouped_matmul_weight_nz.h"
#include "aclnnop/aclnn_quant_matmul_v3.h"
#include "aclnnop/aclnn_quant_matmul_v4.h"
#include "aclnnop/aclnn_quant_matmul_v5.h"
#include "aclnnop/aclnn_quant_matmul_weight_nz.h"
#include "aclnnop/aclnn_trans_quant_param_v2.h"
#include "aclnnop/aclnn_trans_quant_param_v3.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v3.h"
#include "nnop/phases.h"
#include "ops/matmul/operators.h"

using namespace anyacl;
using anyacl::matmul::kOperators;

extern "C" {

aclnnStatus aclnnWeightQuantBatchMatmulV3GetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* antiquantScale,
    const aclTensor* antiquantOffsetOptional, const aclTensor* quantScaleOptional,
    const aclTensor* quantOffsetOptional, const aclTensor* biasOptional, int32_t antiquantGroupSize,
    int32_t innerPrecise, const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnWeightQuantBatchMatmulV3"),
                  {x, weight, antiquantScale, antiquantOffsetOptional, quantScaleOptional,
                   quantOffsetOptional, biasOptional, antiquantGroupSize, innerPrecise,
                   y}, workspaceSize, executor);
}

aclnnStatus aclnnWeightQuantBatchMatmulV3(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnWeightQuantBatchMatmulV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulV3GetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                               const aclTensor* scale, const aclTensor* offset,
                                               const aclTensor* bias, bool transposeX1,
                                               bool transposeX2, const aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulV3"),
                  {x1, x2, scale, offset, bias, transposeX1, transposeX2,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulV4GetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                               const aclTensor* scale, const aclTensor* offset,
                                               const aclTensor* pertokenScaleOptional,
                                               const aclTensor* bias, bool transposeX1,
                                               bool transposeX2, const aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulV4"),
                  {x1, x2, scale, offset, pertokenScaleOptional, bias, transposeX1, transposeX2,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulV4(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulV4").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulV5GetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                               const aclTensor* x1Scale, const aclTensor* x2Scale,
                                               const aclTensor* yScale, const aclTensor* x1Offset,
                                               const aclTensor* x2Offset, const aclTensor* yOffset,
                                               const aclTensor* bias, bool transposeX1,
                                               bool transposeX2, int64_t groupSize, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulV5"),
                  {x1, x2, x1Scale, x2Scale, yScale, x1Offset, x2Offset, yOffset, bias, transposeX1,
                   transposeX2, groupSize, out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulV5(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulV5").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulWeightNzGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* x1Scale, const aclTensor* x2Scale,
    const aclTensor* yScale, const aclTensor* x1Offset, const aclTensor* x2Offset,
    const aclTensor* yOffset, const aclTensor* bias, bool transposeX1, bool transposeX2,
    int64_t groupSize, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulWeightNz"),
                  {x1, x2, x1Scale, x2Scale, yScale, x1Offset, x2Offset, yOffset, bias, transposeX1,
                   transposeX2, groupSize, out}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulWeightNz(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulWeightNz").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTransQuantParamV2GetWorkspaceSize(
    const aclTensor* scale, const aclTensor* offset, const aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTransQuantParamV2"),
                  {scale, offset, out}, workspaceSize, executor);
}

aclnnStatus aclnnTransQuantParamV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTransQuantParamV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTransQuantParamV3GetWorkspaceSize(
    const aclTensor* scale, const aclTensor* offset, int64_t roundMode, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTransQuantParamV3"),
                  {scale, offset, roundMode, out}, workspaceSize, executor);
}

aclnnStatus aclnnTransQuantParamV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTransQuantParamV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnConvertWeightToINT4PackGetWorkspaceSize(
    const aclTensor* weight, aclTensor* weightInt4Pack, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnConvertWeightToINT4Pack"),
                  {weight, weightInt4Pack}, workspaceSize, executor);
}

aclnnStatus aclnnConvertWeightToINT4Pack(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnConvertWeightToINT4Pack").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulGetWorkspaceSize(const aclTensorList* x, const aclTensorList* weight,
                                               const aclTensorList* biasOptional,
                                               const aclTensorList* scaleOptional,
                                               const aclTensorList* offsetOptional,
                                               const aclTensorList* antiquantScaleOptional,
                                               const aclTensorList* antiquantOffsetOptional,
                                               const aclIntArray* groupListOptional,
                                               int64_t splitItem, const aclTensorList* y,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmul"),
                  {x, weight, biasOptional, scaleOptional, offsetOptional, antiquantScaleOptional,
                   antiquantOffsetOptional, groupListOptional, splitItem,
                   y}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulV2GetWorkspaceSize(const aclTensorList* x,
                                                 const aclTensorList* weight,
                                                 const aclTensorList* biasOptional,
                                                 const aclTensorList* scaleOptional,
                                                 const aclTensorList* offsetOptional,
                                                 const aclTensorList* antiquantScaleOptional,
                                                 const aclTensorList* antiquantOffsetOptional,
                                                 const aclIntArray* groupListOptional,
                                                 int64_t splitItem, int64_t groupType,
                                                 const aclTensorList* y, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulV2"),
                  {x, weight, biasOptional, scaleOptional, offsetOptional, antiquantScaleOptional,
                   antiquantOffsetOptional, groupListOptional, splitItem, groupType,
                   y}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulV3GetWorkspaceSize(const aclTensorList* x,
                                                 const aclTensorList* weight,
                                                 const aclTensorList* biasOptional,
                                                 const aclTensorList* scaleOptional,
                                                 const aclTensorList* offsetOptional,
                                                 const aclTensorList* antiquantScaleOptional,
                                                 const aclTensorList* antiquantOffsetOptional,
                                                 const aclTensor* groupListOptional,
                                                 int64_t splitItem, int64_t groupType,
                                                 const aclTensorList* y, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulV3"),
                  {x, weight, biasOptional, scaleOptional, offsetOptional, antiquantScaleOptional,
                   antiquantOffsetOptional, groupListOptional, splitItem, groupType,
                   y}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulV4GetWorkspaceSize(const aclTensorList* x,
                                                 const aclTensorList* weight,
                                                 const aclTensorList* biasOptional,
                                                 const aclTensorList* scaleOptional,
                                                 const aclTensorList* offsetOptional,
                                                 const aclTensorList* antiquantScaleOptional,
                                                 const aclTensorList* antiquantOffsetOptional,
                                                 const aclTensorList* perTokenScaleOptional,
                                                 const aclTensor* groupListOptional,
                                                 const aclTensorList* activationInputOptional,
                                                 const aclTensorList* activationQuantScaleOptional,
                                                 const aclTensorList* activationQuantOffsetOptional,
                                                 int64_t splitItem, int64_t groupType,
                                                 int64_t groupListType, int64_t actType,
                                                 aclTensorList* out,
                                                 aclTensorList* activationFeatureOutOptional,
                                                 aclTensorList* dynQuantScaleOutOptional,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulV4"),
                  {x, weight, biasOptional, scaleOptional, offsetOptional, antiquantScaleOptional,
                   antiquantOffsetOptional, perTokenScaleOptional, groupListOptional,
                   activationInputOptional, activationQuantScaleOptional,
                   activationQuantOffsetOptional, splitItem, groupType, groupListType, actType, out,
                   activationFeatureOutOptional,
                   dynQuantScaleOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulV4(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulV4").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulV5GetWorkspaceSize(const aclTensorList* x,
                                                 const aclTensorList* weight,
                                                 const aclTensorList* biasOptional,
                                                 const aclTensorList* scaleOptional,
                                                 const aclTensorList* offsetOptional,
                                                 const aclTensorList* antiquantScaleOptional,
                                                 const aclTensorList* antiquantOffsetOptional,
                                                 const aclTensorList* perTokenScaleOptional,
                                                 const aclTensor* groupListOptional,
                                                 const aclTensorList* activationInputOptional,
                                                 const aclTensorList* activationQuantScaleOptional,
                                                 const aclTensorList* activationQuantOffsetOptional,
                                                 int64_t splitItem, int64_t groupType,
                                                 int64_t groupListType, int64_t actType,
                                                 const aclIntArray* tuningConfigOptional,
                                                 aclTensorList* out,
                                                 aclTensorList* activationFeatureOutOptional,
                                                 aclTensorList* dynQuantScaleOutOptional,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulV5"),
                  {x, weight, biasOptional, scaleOptional, offsetOptional, antiquantScaleOptional,
                   antiquantOffsetOptional, perTokenScaleOptional, groupListOptional,
                   activationInputOptional, activationQuantScaleOptional,
                   activationQuantOffsetOptional, splitItem, groupType, groupListType, actType,
                   tuningConfigOptional, out, activationFeatureOutOptional,
                   dynQuantScaleOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulV5(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulV5").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulWeightNzGetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* weight, const aclTensorList* biasOptional,
    const aclTensorList* scaleOptional, const aclTensorList* offsetOptional,
    const aclTensorList* antiquantScaleOptional, const aclTensorList* antiquantOffsetOptional,
    const aclTensorList* perTokenScaleOptional, const aclTensor* groupListOptional,
    const aclTensorList* activationInputOptional, const aclTensorList* activationQuantScaleOptional,
    const aclTensorList* activationQuantOffsetOptional, int64_t splitItem, int64_t groupType,
    int64_t groupListType, int64_t actType, const aclIntArray* tuningConfigOptional,
    int64_t quantGroupSize, aclTensorList* out, aclTensorList* activationFeatureOutOptional,
    aclTensorList* dynQuantScaleOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulWeightNz"),
                  {x, weight, biasOptional, scaleOptional, offsetOptional, antiquantScaleOptional,
                   antiquantOffsetOptional, perTokenScaleOptional, groupListOptional,
                   activationInputOptional, activationQuantScaleOptional,
                   activationQuantOffsetOptional, splitItem, groupType, groupListType, actType,
                   tuningConfigOptional, quantGroupSize, out, activationFeatureOutOptional,
                   dynQuantScaleOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulWeightNz(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulWeightNz").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulFinalizeRoutingGetWorkspaceSize(
    const aclTensor* x, const aclTensor* w, const aclTensor* scaleOptional,
    const aclTensor* biasOptional, const aclTensor* pertokenScaleOptional,
    const aclTensor* groupListOptional, const aclTensor* sharedInputOptional,
    const aclTensor* logitOptional, const aclTensor* rowIndexOptional, int64_t dtype,
    float sharedInputWeight, int64_t sharedInputOffset, bool transposeX, bool transposeW,
    int64_t groupListType, aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulFinalizeRouting"),
                  {x, w, scaleOptional, biasOptional, pertokenScaleOptional, groupListOptional,
                   sharedInputOptional, logitOptional, rowIndexOptional, dtype, sharedInputWeight,
                   sharedInputOffset, transposeX, transposeW, groupListType,
                   y}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulFinalizeRouting(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulFinalizeRouting").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulFinalizeRoutingV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* scaleOptional,
    const aclTensor* biasOptional, const aclTensor* offsetOptional,
    const aclTensor* antiquantScaleOptional, const aclTensor* antiquantOffsetOptional,
    const aclTensor* pertokenScaleOptional, const aclTensor* groupListOptional,
    const aclTensor* sharedInputOptional, const aclTensor* logitOptional,
    const aclTensor* rowIndexOptional, int64_t dtype, float sharedInputWeight,
    int64_t sharedInputOffset, bool transposeX1, bool transposeX2, int64_t groupListType,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatmulFinalizeRoutingV2"),
                  {x1, x2, scaleOptional, biasOptional, offsetOptional, antiquantScaleOptional,
                   antiquantOffsetOptional, pertokenScaleOptional, groupListOptional,
                   sharedInputOptional, logitOptional, rowIndexOptional, dtype, sharedInputWeight,
                   sharedInputOffset, transposeX1, transposeX2, groupListType,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulFinalizeRoutingV2(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatmulFinalizeRoutingV2").op, workspace,
                           workspaceSize, executor, stream);
}
}
