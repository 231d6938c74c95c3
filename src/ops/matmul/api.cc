// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_addbmm.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_addmv.h"
#include "aclnnop/aclnn_addr.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_dot.h"
#include "aclnnop/aclnn_gemm.h"
#include "aclnnop/aclnn_ger.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "aclnnop/aclnn_transpose_batch_mat_mul.h"
#include "aclnnop/aclnn_weight_quant_batch_matmul_v2.h"
#include "nnop/phases.h"
#include "ops/matmul/operators.h"

using namespace anyacl;
using anyacl::matmul::kOperators;

extern "C" {

aclnnStatus aclnnMmGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2, aclTensor* out,
                                    int8_t cubeMathType, uint64_t* workspaceSize,
                                    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMm"),
                  {self, mat2, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnMm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                    aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMatmulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                        aclTensor* out, int8_t cubeMathType,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmul"),
                  {self, mat2, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnMatmul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchMatMulGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                             aclTensor* out, int8_t cubeMathType,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchMatMul"),
                  {self, mat2, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnBatchMatMul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchMatMul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTransposeBatchMatMulGetWorkspaceSize(
    const aclTensor* x1, const aclTensor* x2, const aclTensor* bias, const aclTensor* scale,
    const aclIntArray* permX1, const aclIntArray* permX2, const aclIntArray* permY,
    int8_t cubeMathType, int32_t batchSplitFactor, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTransposeBatchMatMul"),
                  {x1, x2, bias, scale, permX1, permX2, permY, cubeMathType, batchSplitFactor,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnTransposeBatchMatMul(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTransposeBatchMatMul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddmmGetWorkspaceSize(const aclTensor* self, const aclTensor* mat1,
                                       const aclTensor* mat2, const aclScalar* beta,
                                       const aclScalar* alpha, aclTensor* out, int8_t cubeMathType,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddmm"),
                  {self, mat1, mat2, beta, alpha, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnAddmm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddmm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGemmGetWorkspaceSize(const aclTensor* A, const aclTensor* B, const aclTensor* C,
                                      float alpha, float beta, int64_t transA, int64_t transB,
                                      aclTensor* out, int8_t cubeMathType, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGemm"),
                  {A, B, C, alpha, beta, transA, transB, out,
                   cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnGemm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGemm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddmmGetWorkspaceSize(aclTensor* selfRef, const aclTensor* mat1,
                                              const aclTensor* mat2, const aclScalar* beta,
                                              const aclScalar* alpha, int8_t cubeMathType,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAddmm"),
                  {selfRef, mat1, mat2, beta, alpha, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddmm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAddmm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBaddbmmGetWorkspaceSize(const aclTensor* self, const aclTensor* batch1,
                                         const aclTensor* batch2, const aclScalar* beta,
                                         const aclScalar* alpha, aclTensor* out,
                                         int8_t cubeMathType, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBaddbmm"),
                  {self, batch1, batch2, beta, alpha, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnBaddbmm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBaddbmm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceBaddbmmGetWorkspaceSize(aclTensor* selfRef, const aclTensor* batch1,
                                                const aclTensor* batch2, const aclScalar* beta,
                                                const aclScalar* alpha, int8_t cubeMathType,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceBaddbmm"),
                  {selfRef, batch1, batch2, beta, alpha, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceBaddbmm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceBaddbmm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMvGetWorkspaceSize(const aclTensor* self, const aclTensor* vec, aclTensor* out,
                                    int8_t cubeMathType, uint64_t* workspaceSize,
                                    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMv"),
                  {self, vec, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnMv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                    aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDotGetWorkspaceSize(const aclTensor* self, const aclTensor* tensor, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDot"),
                  {self, tensor, out}, workspaceSize, executor);
}

aclnnStatus aclnnDot(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDot").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddmvGetWorkspaceSize(const aclTensor* self, const aclTensor* mat,
                                       const aclTensor* vec, const aclScalar* alpha,
                                       const aclScalar* beta, aclTensor* out, int8_t cubeMathType,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddmv"),
                  {self, mat, vec, alpha, beta, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnAddmv(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddmv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddbmmGetWorkspaceSize(const aclTensor* self, const aclTensor* batch1,
                                        const aclTensor* batch2, const aclScalar* beta,
                                        const aclScalar* alpha, aclTensor* out, int8_t cubeMathType,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddbmm"),
                  {self, batch1, batch2, beta, alpha, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnAddbmm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddbmm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddbmmGetWorkspaceSize(aclTensor* selfRef, const aclTensor* batch1,
                                               const aclTensor* batch2, const aclScalar* beta,
                                               const aclScalar* alpha, int8_t cubeMathType,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAddbmm"),
                  {selfRef, batch1, batch2, beta, alpha, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddbmm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAddbmm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddrGetWorkspaceSize(const aclTensor* self, const aclTensor* vec1,
                                      const aclTensor* vec2, const aclScalar* betaOptional,
                                      const aclScalar* alphaOptional, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddr"),
                  {self, vec1, vec2, betaOptional, alphaOptional, out}, workspaceSize, executor);
}

aclnnStatus aclnnAddr(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddr").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddrGetWorkspaceSize(aclTensor* selfRef, const aclTensor* vec1,
                                             const aclTensor* vec2, const aclScalar* betaOptional,
                                             const aclScalar* alphaOptional,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAddr"),
                  {selfRef, vec1, vec2, betaOptional, alphaOptional}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddr(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAddr").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGerGetWorkspaceSize(const aclTensor* self, const aclTensor* vec2, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGer"),
                  {self, vec2, out}, workspaceSize, executor);
}

aclnnStatus aclnnGer(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGer").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTransMatmulWeightGetWorkspaceSize(
    aclTensor* mmWeightRef, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTransMatmulWeight"),
                  {mmWeightRef}, workspaceSize, executor);
}

aclnnStatus aclnnTransMatmulWeight(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTransMatmulWeight").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMatmulWeightNzGetWorkspaceSize(const aclTensor* self, const aclTensor* mat2,
                                                aclTensor* out, int8_t cubeMathType,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMatmulWeightNz"),
                  {self, mat2, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnMatmulWeightNz(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMatmulWeightNz").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnBatchMatMulWeightNzGetWorkspaceSize(
    const aclTensor* self, const aclTensor* mat2, aclTensor* out, int8_t cubeMathType,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnBatchMatMulWeightNz"),
                  {self, mat2, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnBatchMatMulWeightNz(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnBatchMatMulWeightNz").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddmmWeightNzGetWorkspaceSize(const aclTensor* self, const aclTensor* mat1,
                                               const aclTensor* mat2, const aclScalar* beta,
                                               const aclScalar* alpha, aclTensor* out,
                                               int8_t cubeMathType, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddmmWeightNz"),
                  {self, mat1, mat2, beta, alpha, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnAddmmWeightNz(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddmmWeightNz").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* antiquantScale,
    const aclTensor* antiquantOffsetOptional, const aclTensor* quantScaleOptional,
    const aclTensor* quantOffsetOptional, const aclTensor* biasOptional, int32_t antiquantGroupSize,
    const aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnWeightQuantBatchMatmulV2"),
                  {x, weight, antiquantScale, antiquantOffsetOptional, quantScaleOptional,
                   quantOffsetOptional, biasOptional, antiquantGroupSize,
                   y}, workspaceSize, executor);
}

aclnnStatus aclnnWeightQuantBatchMatmulV2(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnWeightQuantBatchMatmulV2").op, workspace,
                           workspaceSize, executor, stream);
}
}
