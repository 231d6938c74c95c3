// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_add_relu.h"
#include "aclnnop/aclnn_angle_v2.h"
#include "aclnnop/aclnn_celu.h"
#include "aclnnop/aclnn_elu.h"
#include "aclnnop/aclnn_fast_gelu.h"
#include "aclnnop/aclnn_fast_gelu_backward.h"
#include "aclnnop/aclnn_gelu_v2.h"
#include "aclnnop/aclnn_hardshrink.h"
#include "aclnnop/aclnn_hardsigmoid.h"
#include "aclnnop/aclnn_hardswish.h"
#include "aclnnop/aclnn_logsigmoid.h"
#include "aclnnop/aclnn_mish.h"
#include "aclnnop/aclnn_polar.h"
#include "aclnnop/aclnn_prelu.h"
#include "aclnnop/aclnn_real.h"
#include "aclnnop/aclnn_selu.h"
#include "aclnnop/aclnn_shrink.h"
#include "aclnnop/aclnn_softplus.h"
#include "aclnnop/aclnn_softshrink.h"
#include "aclnnop/aclnn_squared_relu.h"
#include "aclnnop/aclnn_swish.h"
#include "aclnnop/aclnn_threshold.h"
#include "nnop/phases.h"
#include "ops/elementwise/operators.h"

using namespace anyacl;
using anyacl::elementwise::kOperators;

extern "C" {

aclnnStatus aclnnRealGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReal"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnReal(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReal").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPolarGetWorkspaceSize(const aclTensor* input, const aclTensor* angle,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPolar"),
                  {input, angle, out}, workspaceSize, executor);
}

aclnnStatus aclnnPolar(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPolar").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAngleV2GetWorkspaceSize(const aclTensor* x, const aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAngleV2"),
                  {x, out}, workspaceSize, executor);
}

aclnnStatus aclnnAngleV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAngleV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardsigmoidGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardsigmoid"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardsigmoid(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardsigmoid").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceHardsigmoidGetWorkspaceSize(
    const aclTensor* self, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceHardsigmoid"),
                  {self}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceHardsigmoid(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceHardsigmoid").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardswishGetWorkspaceSize(const aclTensor* self, const aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardswish"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardswish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardswish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceHardswishGetWorkspaceSize(const aclTensor* self, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceHardswish"),
                  {self}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceHardswish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceHardswish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftplusGetWorkspaceSize(const aclTensor* self, const aclScalar* beta,
                                          const aclScalar* threshold, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftplus"),
                  {self, beta, threshold, out}, workspaceSize, executor);
}

aclnnStatus aclnnSoftplus(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftplus").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogSigmoidGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogSigmoid"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnLogSigmoid(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogSigmoid").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnLogSigmoidForwardGetWorkspaceSize(
    const aclTensor* self, aclTensor* out, aclTensor* buffer, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnLogSigmoidForward"),
                  {self, out, buffer}, workspaceSize, executor);
}

aclnnStatus aclnnLogSigmoidForward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnLogSigmoidForward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFastGeluGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFastGelu"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnFastGelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFastGelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFastGeluBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                  const aclTensor* self, aclTensor* gradInput,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFastGeluBackward"),
                  {gradOutput, self, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnFastGeluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFastGeluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnAddReluGetWorkspaceSize(const aclTensor* self, const aclTensor* other,
                                         const aclScalar* alpha, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnAddRelu"),
                  {self, other, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnAddRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnAddRelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAddReluGetWorkspaceSize(aclTensor* selfRef, const aclTensor* other,
                                                const aclScalar* alpha, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAddRelu"),
                  {selfRef, other, alpha}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAddRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAddRelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnMishGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnMish"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnMish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnMish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceMishGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceMish"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceMish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceMish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEluGetWorkspaceSize(const aclTensor* self, const aclScalar* alpha,
                                     const aclScalar* scale, const aclScalar* inputScale,
                                     aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnElu"),
                  {self, alpha, scale, inputScale, out}, workspaceSize, executor);
}

aclnnStatus aclnnElu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnElu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceEluGetWorkspaceSize(aclTensor* selfRef, const aclScalar* alpha,
                                            const aclScalar* scale, const aclScalar* inputScale,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceElu"),
                  {selfRef, alpha, scale, inputScale}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceElu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceElu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCeluGetWorkspaceSize(const aclTensor* self, const aclScalar* alpha, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCelu"),
                  {self, alpha, out}, workspaceSize, executor);
}

aclnnStatus aclnnCelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceCeluGetWorkspaceSize(aclTensor* selfRef, const aclScalar* alpha,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceCelu"),
                  {selfRef, alpha}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceCelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceCelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSeluGetWorkspaceSize(const aclTensor* self, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSelu"),
                  {self, out}, workspaceSize, executor);
}

aclnnStatus aclnnSelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceSeluGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceSelu"),
                  {selfRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceSelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceSelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnHardshrinkGetWorkspaceSize(const aclTensor* self, const aclScalar* lambd,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnHardshrink"),
                  {self, lambd, out}, workspaceSize, executor);
}

aclnnStatus aclnnHardshrink(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnHardshrink").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSoftshrinkGetWorkspaceSize(const aclTensor* self, const aclScalar* lambd,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSoftshrink"),
                  {self, lambd, out}, workspaceSize, executor);
}

aclnnStatus aclnnSoftshrink(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSoftshrink").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnShrinkGetWorkspaceSize(const aclTensor* self, const aclScalar* lambd,
                                        const aclScalar* bias, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnShrink"),
                  {self, lambd, bias, out}, workspaceSize, executor);
}

aclnnStatus aclnnShrink(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnShrink").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSquaredReluGetWorkspaceSize(const aclTensor* input, const aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSquaredRelu"),
                  {input, out}, workspaceSize, executor);
}

aclnnStatus aclnnSquaredRelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSquaredRelu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnThresholdGetWorkspaceSize(const aclTensor* self, const aclScalar* threshold,
                                           const aclScalar* value, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnThreshold"),
                  {self, threshold, value, out}, workspaceSize, executor);
}

aclnnStatus aclnnThreshold(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnThreshold").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceThresholdGetWorkspaceSize(aclTensor* selfRef, const aclScalar* threshold,
                                                  const aclScalar* value, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceThreshold"),
                  {selfRef, threshold, value}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceThreshold(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceThreshold").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSwishGetWorkspaceSize(const aclTensor* self, const aclScalar* betaOptional,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSwish"),
                  {self, betaOptional, out}, workspaceSize, executor);
}

aclnnStatus aclnnSwish(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSwish").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeluV2GetWorkspaceSize(const aclTensor* x, int64_t approximate, aclTensor* y,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeluV2"),
                  {x, approximate, y}, workspaceSize, executor);
}

aclnnStatus aclnnGeluV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeluV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPreluGetWorkspaceSize(const aclTensor* self, const aclTensor* weight,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPrelu"),
                  {self, weight, out}, workspaceSize, executor);
}

aclnnStatus aclnnPrelu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPrelu").op, workspace,
                           workspaceSize, executor, stream);
}
}
