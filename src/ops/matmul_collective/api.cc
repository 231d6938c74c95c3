// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_all_gather_matmul.h"
#include "aclnnop/aclnn_all_gather_matmul_v2.h"
#include "aclnnop/aclnn_grouped_mat_mul_all_reduce.h"
#include "aclnnop/aclnn_inplace_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_matmul_all_reduce.h"
#include "aclnnop/aclnn_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_matmul_all_reduce_v2.h"
#include "aclnnop/aclnn_matmul_all_reduce_v3.h"
#include "aclnnop/aclnn_matmul_reduce_scatter.h"
#include "aclnnop/aclnn_matmul_reduce_scatter_v2.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_v2.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_v3.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_v4.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_v5.h"
#include "aclnnop/aclnn_weight_quant_matmul_all_reduce.h"
#include "aclnnop/aclnn_weight_quant_matmul_all_reduce_v2.h"
#include "nnop/phases.h"
#include "ops/matmul_collective/operators.h"

using namespace anyacl;
using anyacl::matmul_collective::kOperators;

extern "C" {

aclnnStatus aclnnMatmulAllReduceGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                 const aclTensor* bias, const char* group,
                                                 const char* reduceOp, int64_t commTurn,
                                                 int64_t streamMode, const aclTensor* output,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmulAllReduce"),
                  {x1, x2, bias, group, reduceOp, commTurn, streamMode,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnMatmulAllReduce(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmulAllReduce").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMatmulAllReduceV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x3,
    const char* group, const char* reduceOp, int64_t commTurn, int64_t streamMode,
    const aclTensor* output, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmulAllReduceV2"),
                  {x1, x2, bias, x3, group, reduceOp, commTurn, streamMode,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnMatmulAllReduceV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmulAllReduceV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMatmulAllReduceV3GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x3,
    const char* group, const char* reduceOp, const char* commMode, int64_t commTurn,
    int64_t streamMode, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmulAllReduceV3"),
                  {x1, x2, bias, x3, group, reduceOp, commMode, commTurn, streamMode,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnMatmulAllReduceV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmulAllReduceV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulAllReduceGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x3,
    const aclTensor* dequantScale, const char* group, const char* reduceOp, int64_t commTurn,
    int64_t streamMode, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulAllReduce"),
                  {x1, x2, bias, x3, dequantScale, group, reduceOp, commTurn, streamMode,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulAllReduce(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulAllReduce").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulAllReduceV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x3Optional, const aclTensor* dequantScale,
    const aclTensor* pertokenScaleOptional, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulAllReduceV2"),
                  {x1, x2, biasOptional, x3Optional, dequantScale, pertokenScaleOptional, group,
                   reduceOp, commTurn, streamMode, output}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulAllReduceV2(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulAllReduceV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulAllReduceV3GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x3Optional, const aclTensor* dequantScale,
    const aclTensor* pertokenScaleOptional, const aclTensor* commQuantScale1Optional,
    const aclTensor* commQuantScale2Optional, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulAllReduceV3"),
                  {x1, x2, biasOptional, x3Optional, dequantScale, pertokenScaleOptional,
                   commQuantScale1Optional, commQuantScale2Optional, group, reduceOp, commTurn,
                   streamMode, output}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulAllReduceV3(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulAllReduceV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulAllReduceV4GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x3Optional, const aclTensor* x1ScaleOptional, const aclTensor* x2ScaleOptional,
    const aclTensor* commQuantScale1Optional, const aclTensor* commQuantScale2Optional,
    const char* group, const char* reduceOp, int64_t commTurn, int64_t streamMode,
    int64_t groupSize, int64_t commQuantMode, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulAllReduceV4"),
                  {x1, x2, biasOptional, x3Optional, x1ScaleOptional, x2ScaleOptional,
                   commQuantScale1Optional, commQuantScale2Optional, group, reduceOp, commTurn,
                   streamMode, groupSize, commQuantMode, output}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulAllReduceV4(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulAllReduceV4").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulAllReduceV5GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* biasOptional,
    const aclTensor* x3Optional, const aclTensor* x1ScaleOptional, const aclTensor* x2ScaleOptional,
    const aclTensor* commQuantScale1Optional, const aclTensor* commQuantScale2Optional,
    const char* group, const char* reduceOp, const char* commMode, int64_t commTurn,
    int64_t streamMode, int64_t groupSize, int64_t commQuantMode, const aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulAllReduceV5"),
                  {x1, x2, biasOptional, x3Optional, x1ScaleOptional, x2ScaleOptional,
                   commQuantScale1Optional, commQuantScale2Optional, group, reduceOp, commMode,
                   commTurn, streamMode, groupSize, commQuantMode,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulAllReduceV5(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulAllReduceV5").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnWeightQuantMatmulAllReduceGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias,
    const aclTensor* antiquantScale, const aclTensor* antiquantOffset, const aclTensor* x3,
    const char* group, const char* reduceOp, int64_t commTurn, int64_t streamMode,
    int64_t antiquantGroupSize, const aclTensor* output, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnWeightQuantMatmulAllReduce"),
                  {x1, x2, bias, antiquantScale, antiquantOffset, x3, group, reduceOp, commTurn,
                   streamMode, antiquantGroupSize, output}, workspaceSize, executor);
}

aclnnStatus aclnnWeightQuantMatmulAllReduce(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnWeightQuantMatmulAllReduce").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnWeightQuantMatmulAllReduceV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias,
    const aclTensor* antiquantScale, const aclTensor* antiquantOffset, const aclTensor* x3,
    const char* group, const char* reduceOp, const char* commMode, int64_t commTurn,
    int64_t streamMode, int64_t antiquantGroupSize, const aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnWeightQuantMatmulAllReduceV2"),
                  {x1, x2, bias, antiquantScale, antiquantOffset, x3, group, reduceOp, commMode,
                   commTurn, streamMode, antiquantGroupSize, output}, workspaceSize, executor);
}

aclnnStatus aclnnWeightQuantMatmulAllReduceV2(void* workspace, uint64_t workspaceSize,
                                              aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnWeightQuantMatmulAllReduceV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatMulAllReduceGetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* weight, const aclTensorList* bias,
    const aclIntArray* groupListOptional, int64_t splitItem, const char* group,
    const char* reduceOp, int64_t commTurn, int64_t streamMode, const aclTensorList* y,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGroupedMatMulAllReduce"),
                  {x, weight, bias, groupListOptional, splitItem, group, reduceOp, commTurn,
                   streamMode, y}, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatMulAllReduce(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGroupedMatMulAllReduce").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAllGatherMatmulGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2,
                                                 const aclTensor* bias, const char* group,
                                                 int64_t gatherIndex, int64_t commTurn,
                                                 int64_t streamMode, const aclTensor* output,
                                                 const aclTensor* gatherOut,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAllGatherMatmul"),
                  {x1, x2, bias, group, gatherIndex, commTurn, streamMode, output,
                   gatherOut}, workspaceSize, executor);
}

aclnnStatus aclnnAllGatherMatmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAllGatherMatmul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAllGatherMatmulV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x1Scale,
    const aclTensor* x2Scale, const aclTensor* quantScale, int64_t blockSize, const char* group,
    int64_t gatherIndex, int64_t commTurn, int64_t streamMode, int64_t groupSize,
    const char* commMode, aclTensor* output, aclTensor* gatherOut, aclTensor* amaxOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAllGatherMatmulV2"),
                  {x1, x2, bias, x1Scale, x2Scale, quantScale, blockSize, group, gatherIndex,
                   commTurn, streamMode, groupSize, commMode, output, gatherOut,
                   amaxOut}, workspaceSize, executor);
}

aclnnStatus aclnnAllGatherMatmulV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAllGatherMatmulV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMatmulReduceScatterGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const char* group,
    const char* reduceOp, int64_t commTurn, int64_t streamMode, const aclTensor* output,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmulReduceScatter"),
                  {x1, x2, bias, group, reduceOp, commTurn, streamMode,
                   output}, workspaceSize, executor);
}

aclnnStatus aclnnMatmulReduceScatter(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmulReduceScatter").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMatmulReduceScatterV2GetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* x1Scale,
    const aclTensor* x2Scale, const aclTensor* quantScale, int64_t blockSize, const char* group,
    const char* reduceOp, int64_t commTurn, int64_t streamMode, int64_t groupSize,
    const char* commMode, aclTensor* output, aclTensor* amaxOutOptional, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmulReduceScatterV2"),
                  {x1, x2, bias, x1Scale, x2Scale, quantScale, blockSize, group, reduceOp, commTurn,
                   streamMode, groupSize, commMode, output,
                   amaxOutOptional}, workspaceSize, executor);
}

aclnnStatus aclnnMatmulReduceScatterV2(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmulReduceScatterV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMatmulAllReduceAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* residual,
    const aclTensor* gamma, double epsilon, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, const aclTensor* y, const aclTensor* normOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmulAllReduceAddRmsNorm"),
                  {x1, x2, bias, residual, gamma, epsilon, group, reduceOp, commTurn, streamMode, y,
                   normOut}, workspaceSize, executor);
}

aclnnStatus aclnnMatmulAllReduceAddRmsNorm(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmulAllReduceAddRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceMatmulAllReduceAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* residual,
    const aclTensor* gamma, double epsilon, const char* group, const char* reduceOp,
    int64_t commTurn, int64_t streamMode, const aclTensor* normOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceMatmulAllReduceAddRmsNorm"),
                  {x1, x2, bias, residual, gamma, epsilon, group, reduceOp, commTurn, streamMode,
                   normOut}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMatmulAllReduceAddRmsNorm(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceMatmulAllReduceAddRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantMatmulAllReduceAddRmsNormGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* dequantScale,
    const aclTensor* residual, const aclTensor* gamma, double epsilon, const char* group,
    const char* reduceOp, int64_t commTurn, int64_t streamMode, const aclTensor* y,
    const aclTensor* normOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantMatmulAllReduceAddRmsNorm"),
                  {x1, x2, bias, dequantScale, residual, gamma, epsilon, group, reduceOp, commTurn,
                   streamMode, y, normOut}, workspaceSize, executor);
}

aclnnStatus aclnnQuantMatmulAllReduceAddRmsNorm(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantMatmulAllReduceAddRmsNorm").op, workspace,
                           workspaceSize, executor, stream);
}
}
