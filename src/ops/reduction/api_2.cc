// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_aminmax.h"
#include "aclnnop/aclnn_aminmax_all.h"
#include "aclnnop/aclnn_aminmax_dim.h"
#include "aclnnop/aclnn_foreach_norm.h"
#include "aclnnop/aclnn_isin.h"
#include "aclnnop/aclnn_linalg_vector_norm.h"
#include "aclnnop/aclnn_norm.h"
#include "aclnnop/aclnn_prod.h"
#include "aclnnop/aclnn_reduce_nansum.h"
#include "aclnnop/aclnn_renorm.h"
#include "aclnnop/aclnn_std.h"
#include "aclnnop/aclnn_std_mean_correction.h"
#include "aclnnop/aclnn_trace.h"
#include "aclnnop/aclnn_var.h"
#include "aclnnop/aclnn_var_mean.h"
#include "nnop/phases.h"
#include "ops/reduction/operators.h"

using namespace anyacl;
using anyacl::reduction::kOperators;

extern "C" {

aclnnStatus aclnnAminmaxGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                         bool keepDim, aclTensor* minOut, aclTensor* maxOut,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAminmax"),
                  {self, dim, keepDim, minOut, maxOut}, workspaceSize, executor);
}

aclnnStatus aclnnAminmax(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAminmax").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAminmaxAllGetWorkspaceSize(const aclTensor* self, aclTensor* minOut,
                                            aclTensor* maxOut, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAminmaxAll"),
                  {self, minOut, maxOut}, workspaceSize, executor);
}

aclnnStatus aclnnAminmaxAll(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAminmaxAll").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAminmaxDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepDim,
                                            aclTensor* minOut, aclTensor* maxOut,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAminmaxDim"),
                  {self, dim, keepDim, minOut, maxOut}, workspaceSize, executor);
}

aclnnStatus aclnnAminmaxDim(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAminmaxDim").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIsInScalarTensorGetWorkspaceSize(const aclScalar* element,
                                                  const aclTensor* testElements, bool assumeUnique,
                                                  bool invert, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIsInScalarTensor"),
                  {element, testElements, assumeUnique, invert, out}, workspaceSize, executor);
}

aclnnStatus aclnnIsInScalarTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIsInScalarTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnProdGetWorkspaceSize(const aclTensor* self, aclDataType dtype, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnProd"),
                  {self, dtype, out}, workspaceSize, executor);
}

aclnnStatus aclnnProd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnProd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnProdDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepDim,
                                         aclDataType dtype, aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnProdDim"),
                  {self, dim, keepDim, dtype, out}, workspaceSize, executor);
}

aclnnStatus aclnnProdDim(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnProdDim").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReduceNansumGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                              bool keepDim, aclDataType dtype, aclTensor* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReduceNansum"),
                  {self, dim, keepDim, dtype, out}, workspaceSize, executor);
}

aclnnStatus aclnnReduceNansum(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReduceNansum").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTraceGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTrace"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnTrace(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTrace").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLinalgVectorNormGetWorkspaceSize(const aclTensor* self, const aclScalar* ord,
                                                  const aclIntArray* dims, bool keepDims,
                                                  aclDataType dtype, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLinalgVectorNorm"),
                  {self, ord, dims, keepDims, dtype, out}, workspaceSize, executor);
}

aclnnStatus aclnnLinalgVectorNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLinalgVectorNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNormGetWorkspaceSize(const aclTensor* self, const aclScalar* pScalar,
                                      const aclIntArray* dim, bool keepdim, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNorm"),
                  {self, pScalar, dim, keepdim, out}, workspaceSize, executor);
}

aclnnStatus aclnnNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnForeachNormGetWorkspaceSize(const aclTensorList* x, const aclScalar* scalar,
                                             const aclTensorList* out, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnForeachNorm"),
                  {x, scalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnForeachNorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnForeachNorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRenormGetWorkspaceSize(const aclTensor* self, const aclScalar* p, int64_t dim,
                                        const aclScalar* maxNorm, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRenorm"),
                  {self, p, dim, maxNorm, out}, workspaceSize, executor);
}

aclnnStatus aclnnRenorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRenorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceRenormGetWorkspaceSize(aclTensor* selfRef, const aclScalar* p, int64_t dim,
                                               const aclScalar* maxNorm, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceRenorm"),
                  {selfRef, p, dim, maxNorm}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceRenorm(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceRenorm").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnVarGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim, bool unbiased,
                                     bool keepdim, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnVar"),
                  {self, dim, unbiased, keepdim, out}, workspaceSize, executor);
}

aclnnStatus aclnnVar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnVar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnVarCorrectionGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                               int64_t correction, bool keepdim, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnVarCorrection"),
                  {self, dim, correction, keepdim, out}, workspaceSize, executor);
}

aclnnStatus aclnnVarCorrection(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnVarCorrection").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnVarMeanGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                         int64_t correction, bool keepdim, aclTensor* varOut,
                                         aclTensor* meanOut, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnVarMean"),
                  {self, dim, correction, keepdim, varOut, meanOut}, workspaceSize, executor);
}

aclnnStatus aclnnVarMean(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnVarMean").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnStdGetWorkspaceSize(const aclTensor* self, const aclIntArray* dim,
                                     int64_t correction, bool keepdim, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnStd"),
                  {self, dim, correction, keepdim, out}, workspaceSize, executor);
}

aclnnStatus aclnnStd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnStd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnStdMeanCorrectionGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* dim, int64_t correction, bool keepdim,
    aclTensor* stdOut, aclTensor* meanOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnStdMeanCorrection"),
                  {self, dim, correction, keepdim, stdOut, meanOut}, workspaceSize, executor);
}

aclnnStatus aclnnStdMeanCorrection(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnStdMeanCorrection").op, workspace,
                           workspaceSize, executor, stream);
}
}
