// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_all_to_all_all_gather_batch_matmul.h"
#include "aclnnop/aclnn_allto_all_matmul.h"
#include "aclnnop/aclnn_allto_all_matmul_v2.h"
#include "aclnnop/aclnn_allto_allv_grouped_mat_mul.h"
#include "aclnnop/aclnn_allto_allv_grouped_mat_mul_v2.h"
#include "aclnnop/aclnn_batch_matmul_reduce_scatter_all_to_all.h"
#include "aclnnop/aclnn_distribute_barrier.h"
#include "aclnnop/aclnn_grouped_mat_mul_allto_allv.h"
#include "aclnnop/aclnn_grouped_mat_mul_allto_allv_v2.h"
#include "aclnnop/aclnn_inplace_quant_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_inplace_weight_quant_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_matmul_allto_all.h"
#include "aclnnop/aclnn_matmul_allto_all_v2.h"
#include "aclnnop/aclnn_quant_matmul_allto_all.h"
#include "aclnnop/aclnn_quant_matmul_allto_all_v2.h"
#include "aclnnop/aclnn_weight_quant_matmul_all_reduce_add_rms_norm.h"
#include "nnop/phases.h"
#include "ops/matmul_collective/operators.h"

using namespace anyacl;
using anyacl::matmul_collective::kOperators;

extern "C" {

aclnnStatus aclnnInplaceQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* dequantScale,
    const aclTensor* residual, const aclTensor* gamma, double epsilon, const char* group,
    const char* reduceOp, int64_t commTurn, int64_t streamMode, const aclTensor* normOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceQuantMatmulAllReduceAddRmsNorm"),
                  {x1, x2, bias, dequantScale, residual, gamma, epsilon, group, reduceOp, commTurn,
                   streamMode, normOut}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceQuantMatmulAllReduceAddRmsNorm(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceQuantMatmulAllReduceAddRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnWeightQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias,
    const aclTensor* antiquantScale, const aclTensor* antiquantOffset, const aclTensor* residual,
    const aclTensor* gamma, double epsilon, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, int64_t antiquantGroupSize, const aclTensor* y,
    const aclTensor* normOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnWeightQuantMatmulAllReduceAddRmsNorm"),
                  {x1, x2, bias, antiquantScale, antiquantOffset, residual, gamma, epsilon, group,
                   reduceOp, commTurn, streamMode, antiquantGroupSize, y,
                   normOut}, workspaceSize, executor);
}

aclnnStatus aclnnWeightQuantMatmulAllReduceAddRmsNorm(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnWeightQuantMatmulAllReduceAddRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceWeightQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias,
    const aclTensor* antiquantScale, const aclTensor* antiquantOffset, const aclTensor* residual,
    const aclTensor* gamma, double epsilon, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, int64_t antiquantGroupSize, const aclTensor* normOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceWeightQuantMatmulAllReduceAddRmsNorm"),
                  {x1, x2, bias, antiquantScale, antiquantOffset, residual, gamma, epsilon, group,
                   reduceOp, commTurn, streamMode, antiquantGroupSize,
                   normOut}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceWeightQuantMatmulAllReduceAddRmsNorm(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceWeightQuantMatmulAllReduceAddRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAlltoAllMatmulGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                const aclTensor* biasOptional,
                                                const aclIntArray* alltoAllAxesOptional,
                                                const char* group, bool transposeX1,
                                                bool transposeX2, const aclTensor* output,
                                                const aclTensor* alltoAllOutOptional,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAlltoAllMatmul"),
                  {x1, x2, biasOptional, alltoAllAxesOptional, group, transposeX1, transposeX2,
                   output, alltoAllOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnAlltoAllMatmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAlltoAllMatmul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAlltoAllMatmulV2GetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                  const aclTensor* biasOptional,
                                                  const aclIntArray* alltoAllAxesOptional,
                                                  const char* group, const char* commMode,
                                                  bool transposeX1, bool transposeX2,
                                                  const aclTensor* output,
                                                  const aclTensor* alltoAllOutOptional,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAlltoAllMatmulV2"),
                  {x1, x2, biasOptional, alltoAllAxesOptional, group, commMode, transposeX1,
                   transposeX2, output, alltoAllOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnAlltoAllMatmulV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAlltoAllMatmulV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMatmulAlltoAllGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                const aclTensor* biasOptional,
                                                const aclIntArray* alltoAllAxesOptional,
                                                const char* group, bool transposeX1,
                                                bool transposeX2, const aclTensor* output,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmulAlltoAll"),
                  {x1, x2, biasOptional, alltoAllAxesOptional, group, transposeX1, transposeX2,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnMatmulAlltoAll(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmulAlltoAll").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMatmulAlltoAllV2GetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                  const aclTensor* biasOptional,
                                                  const aclIntArray* alltoAllAxesOptional,
                                                  const char* group, const char* commMode,
                                                  bool transposeX1, bool transposeX2,
                                                  const aclTensor* output, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmulAlltoAllV2"),
                  {x1, x2, biasOptional, alltoAllAxesOptional, group, commMode, transposeX1,
                   transposeX2, output}, workspaceSize, executor);
}

aclnnStatus aclnnMatmulAlltoAllV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmulAlltoAllV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulAlltoAllGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x1Scale, const aclTensor* x2Scale, const aclTensor* commScaleOptional,
    const aclTensor* x1OffsetOptional, const aclTensor* x2OffsetOptional,
    const aclIntArray* alltoAllAxesOptional, const char* group, int64_t x1QuantMode,
    int64_t x2QuantMode, int64_t commQuantMode, int64_t commQuantDtype, int64_t groupSize,
    bool transposeX1, bool transposeX2, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulAlltoAll"),
                  {x1, x2, biasOptional, x1Scale, x2Scale, commScaleOptional, x1OffsetOptional,
                   x2OffsetOptional, alltoAllAxesOptional, group, x1QuantMode, x2QuantMode,
                   commQuantMode, commQuantDtype, groupSize, transposeX1, transposeX2,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulAlltoAll(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulAlltoAll").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulAlltoAllV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x1Scale, const aclTensor* x2Scale, const aclTensor* commScaleOptional,
    const aclTensor* x1OffsetOptional, const aclTensor* x2OffsetOptional,
    const aclIntArray* alltoAllAxesOptional, const char* group, const char* commMode,
    int64_t x1QuantMode, int64_t x2QuantMode, int64_t commQuantMode, int64_t commQuantDtype,
    int64_t groupSize, bool transposeX1, bool transposeX2, const aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulAlltoAllV2"),
                  {x1, x2, biasOptional, x1Scale, x2Scale, commScaleOptional, x1OffsetOptional,
                   x2OffsetOptional, alltoAllAxesOptional, group, commMode, x1QuantMode,
                   x2QuantMode, commQuantMode, commQuantDtype, groupSize, transposeX1, transposeX2,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulAlltoAllV2(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulAlltoAllV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAlltoAllvGroupedMatMulGetWorkspaceSize(
    const aclTensor* gmmX, const aclTensor* gmmWeight, const aclTensor* sendCountsTensorOptional,
    const aclTensor* recvCountsTensorOptional, const aclTensor* mmXOptional,
    const aclTensor* mmWeightOptional, const char* group, int64_t epWorldSize,
    const aclIntArray* sendCounts, const aclIntArray* recvCounts, bool transGmmWeight,
    bool transMmWeight, bool permuteOutFlag, aclTensor* gmmY, aclTensor* mmYOptional,
    aclTensor* permuteOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAlltoAllvGroupedMatMul"),
                  {gmmX, gmmWeight, sendCountsTensorOptional, recvCountsTensorOptional, mmXOptional,
                   mmWeightOptional, group, epWorldSize, sendCounts, recvCounts, transGmmWeight,
                   transMmWeight, permuteOutFlag, gmmY, mmYOptional,
                   permuteOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnAlltoAllvGroupedMatMul(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAlltoAllvGroupedMatMul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAlltoAllvGroupedMatMulV2GetWorkspaceSize(
    const aclTensor* gmmX, const aclTensor* gmmWeight, const aclTensor* sendCountsTensorOptional,
    const aclTensor* recvCountsTensorOptional, const aclTensor* mmXOptional,
    const aclTensor* mmWeightOptional, const char* group, const char* commMode, int64_t epWorldSize,
    const aclIntArray* sendCounts, const aclIntArray* recvCounts, bool transGmmWeight,
    bool transMmWeight, bool permuteOutFlag, aclTensor* gmmY, aclTensor* mmYOptional,
    aclTensor* permuteOutOptional, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAlltoAllvGroupedMatMulV2"),
                  {gmmX, gmmWeight, sendCountsTensorOptional, recvCountsTensorOptional, mmXOptional,
                   mmWeightOptional, group, commMode, epWorldSize, sendCounts, recvCounts,
                   transGmmWeight, transMmWeight, permuteOutFlag, gmmY, mmYOptional,
                   permuteOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnAlltoAllvGroupedMatMulV2(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAlltoAllvGroupedMatMulV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatMulAlltoAllvGetWorkspaceSize(
    const aclTensor* gmmX, const aclTensor* gmmWeight, const aclTensor* sendCountsTensorOptional,
    const aclTensor* recvCountsTensorOptional, const aclTensor* mmXOptional,
    const aclTensor* mmWeightOptional, const char* group, int64_t epWorldSize,
    const aclIntArray* sendCounts, const aclIntArray* recvCounts, bool transGmmWeight,
    bool transMmWeight, aclTensor* y, aclTensor* mmYOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatMulAlltoAllv"),
                  {gmmX, gmmWeight, sendCountsTensorOptional, recvCountsTensorOptional, mmXOptional,
                   mmWeightOptional, group, epWorldSize, sendCounts, recvCounts, transGmmWeight,
                   transMmWeight, y, mmYOptional}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatMulAlltoAllv(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatMulAlltoAllv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatMulAlltoAllvV2GetWorkspaceSize(
    const aclTensor* gmmX, const aclTensor* gmmWeight, const aclTensor* sendCountsTensorOptional,
    const aclTensor* recvCountsTensorOptional, const aclTensor* mmXOptional,
    const aclTensor* mmWeightOptional, const char* group, const char* commMode, int64_t epWorldSize,
    const aclIntArray* sendCounts, const aclIntArray* recvCounts, bool transGmmWeight,
    bool transMmWeight, aclTensor* y, aclTensor* mmYOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatMulAlltoAllvV2"),
                  {gmmX, gmmWeight, sendCountsTensorOptional, recvCountsTensorOptional, mmXOptional,
                   mmWeightOptional, group, commMode, epWorldSize, sendCounts, recvCounts,
                   transGmmWeight, transMmWeight, y, mmYOptional}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatMulAlltoAllvV2(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatMulAlltoAllvV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAlltoAllAllGatherBatchMatMulGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* biasOptional, const char* groupEp,
    const char* groupTp, int64_t epWorldSize, int64_t tpWorldSize, int64_t xShardType,
    int64_t actType, aclTensor* y1Out, aclTensor* y2OutOptional, aclTensor* y3OutOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAlltoAllAllGatherBatchMatMul"),
                  {x, weight, biasOptional, groupEp, groupTp, epWorldSize, tpWorldSize, xShardType,
                   actType, y1Out, y2OutOptional, y3OutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnAlltoAllAllGatherBatchMatMul(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAlltoAllAllGatherBatchMatMul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchMatMulReduceScatterAlltoAllGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* biasOptional, const char* groupEp,
    const char* groupTp, int64_t epWorldSize, int64_t tpWorldSize, int64_t yShardType,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchMatMulReduceScatterAlltoAll"),
                  {x, weight, biasOptional, groupEp, groupTp, epWorldSize, tpWorldSize, yShardType,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnBatchMatMulReduceScatterAlltoAll(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchMatMulReduceScatterAlltoAll").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDistributeBarrierGetWorkspaceSize(
    aclTensor* xRef, const char* group, int64_t worldSize, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDistributeBarrier"),
                  {xRef, group, worldSize}, workspaceSize, executor);
}

aclnnStatus aclnnDistributeBarrier(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDistributeBarrier").op, workspace,
                           workspaceSize, executor, stream);
}
}
