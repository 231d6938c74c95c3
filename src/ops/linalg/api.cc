// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_inverse.h"
#include "aclnnop/aclnn_linalg_cholesky.h"
#include "aclnnop/aclnn_linalg_cross.h"
#include "aclnnop/aclnn_linalg_qr.h"
#include "aclnnop/aclnn_logdet.h"
#include "aclnnop/aclnn_qr.h"
#include "aclnnop/aclnn_slogdet.h"
#include "aclnnop/aclnn_svd.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "nnop/phases.h"
#include "ops/linalg/operators.h"

using namespace anyacl;
using anyacl::linalg::kOperators;

extern "C" {

aclnnStatus aclnnLinalgQrGetWorkspaceSize(const aclTensor* self, int64_t mode, aclTensor* Q,
                                          aclTensor* R, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLinalgQr"),
                  {self, mode, Q, R}, workspaceSize, executor);
}

aclnnStatus aclnnLinalgQr(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLinalgQr").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQrGetWorkspaceSize(const aclTensor* self, bool some, aclTensor* Q, aclTensor* R,
                                    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQr"),
                  {self, some, Q, R}, workspaceSize, executor);
}

aclnnStatus aclnnQr(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                    aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQr").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLinalgCholeskyGetWorkspaceSize(const aclTensor* self, bool upper, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLinalgCholesky"),
                  {self, upper, out}, workspaceSize, executor);
}

aclnnStatus aclnnLinalgCholesky(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLinalgCholesky").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTriangularSolveGetWorkspaceSize(const aclTensor* self, const aclTensor* A,
                                                 bool upper, bool transpose, bool unitriangular,
                                                 aclTensor* xOut, aclTensor* mOut,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTriangularSolve"),
                  {self, A, upper, transpose, unitriangular, xOut, mOut}, workspaceSize, executor);
}

aclnnStatus aclnnTriangularSolve(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTriangularSolve").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLinalgCrossGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                             int64_t dim, aclTensor* out, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLinalgCross"),
                  {self, other, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnLinalgCross(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLinalgCross").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInverseGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInverse"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnInverse(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInverse").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSlogdetGetWorkspaceSize(const aclTensor* self, aclTensor* signOut,
                                         aclTensor* logOut, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSlogdet"),
                  {self, signOut, logOut}, workspaceSize, executor);
}

aclnnStatus aclnnSlogdet(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSlogdet").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogdetGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogdet"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogdet(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogdet").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSvdGetWorkspaceSize(const aclTensor* input, bool fullMatrices, bool computeUV,
                                     aclTensor* sigma, aclTensor* u, aclTensor* v,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSvd"),
                  {input, fullMatrices, computeUV, sigma, u, v}, workspaceSize, executor);
}

aclnnStatus aclnnSvd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSvd").op, workspace,
                           workspaceSize, executor, stream);
}
}
