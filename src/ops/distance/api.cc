// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_cdist.h"
#include "aclnnop/aclnn_cdist_backward.h"
#include "aclnnop/aclnn_chamfer_distance_backward.h"
#include "aclnnop/aclnn_pdist.h"
#include "aclnnop/aclnn_pdist_forward.h"
#include "nnop/phases.h"
#include "ops/distance/operators.h"

using namespace anyacl;
using anyacl::distance::kOperators;

extern "C" {

aclnnStatus aclnnPdistGetWorkspaceSize(const aclTensor* self, float p, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPdist"),
                  {self, p, out}, workspaceSize, executor);
}

aclnnStatus aclnnPdist(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPdist").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPdistForwardGetWorkspaceSize(const aclTensor* self, const aclScalar* pScalar,
                                              aclTensor* out, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPdistForward"),
                  {self, pScalar, out}, workspaceSize, executor);
}

aclnnStatus aclnnPdistForward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPdistForward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnChamferDistanceBackwardGetWorkspaceSize(
    const aclTensor* xyz1, const aclTensor* xyz2, const aclTensor* idx1, const aclTensor* idx2,
    const aclTensor* gradDist1, const aclTensor* gradDist2, aclTensor* gradXyz1,
    aclTensor* gradXyz2, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnChamferDistanceBackward"),
                  {xyz1, xyz2, idx1, idx2, gradDist1, gradDist2, gradXyz1,
                   gradXyz2}, workspaceSize, executor);
}

aclnnStatus aclnnChamferDistanceBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnChamferDistanceBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCdistGetWorkspaceSize(const aclTensor* x1, const aclTensor* x2, float p,
                                       int64_t compute_mode, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCdist"),
                  {x1, x2, p, compute_mode, out}, workspaceSize, executor);
}

aclnnStatus aclnnCdist(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCdist").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCdistBackwardGetWorkspaceSize(const aclTensor* grad, const aclTensor* x1,
                                               const aclTensor* x2, const aclTensor* cdist, float p,
                                               aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCdistBackward"),
                  {grad, x1, x2, cdist, p, out}, workspaceSize, executor);
}

aclnnStatus aclnnCdistBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCdistBackward").op, workspace,
                           workspaceSize, executor, stream);
}
}
