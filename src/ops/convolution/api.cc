// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "aclnnop/aclnn_quant_convolution.h"
#include "nnop/phases.h"
#include "ops/convolution/operators.h"

using namespace anyacl;
using anyacl::convolution::kOperators;

extern "C" {

aclnnStatus aclnnConvolutionGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                             const aclTensor* bias, const aclIntArray* stride,
                                             const aclIntArray* padding,
                                             const aclIntArray* dilation, bool transposed,
                                             const aclIntArray* outputPadding, int64_t groups,
                                             aclTensor* output, int8_t cubeMathType,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnConvolution"),
                  {input, weight, bias, stride, padding, dilation, transposed, outputPadding,
                   groups, output, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnConvolution(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnConvolution").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnConvDepthwise2dGetWorkspaceSize(const aclTensor* self, const aclTensor* weight,
                                                 const aclIntArray* kernelSize,
                                                 const aclTensor* bias, const aclIntArray* stride,
                                                 const aclIntArray* padding,
                                                 const aclIntArray* dilation, aclTensor* out,
                                                 int8_t cubeMathType, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnConvDepthwise2d"),
                  {self, weight, kernelSize, bias, stride, padding, dilation, out,
                   cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnConvDepthwise2d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnConvDepthwise2d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnQuantConvolutionGetWorkspaceSize(const aclTensor* input, const aclTensor* weight,
                                                  const aclTensor* bias, const aclTensor* scale,
                                                  const aclTensor* offset,
                                                  const aclIntArray* stride,
                                                  const aclIntArray* padding,
                                                  const aclIntArray* dilation, bool transposed,
                                                  const aclIntArray* outputPadding, int64_t groups,
                                                  int32_t offsetx, const char* roundMode,
                                                  aclTensor* output, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnQuantConvolution"),
                  {input, weight, bias, scale, offset, stride, padding, dilation, transposed,
                   outputPadding, groups, offsetx, roundMode, output}, workspaceSize, executor);
}

aclnnStatus aclnnQuantConvolution(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnQuantConvolution").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnConvTbcGetWorkspaceSize(const aclTensor* self, const aclTensor* weight,
                                         const aclTensor* bias, int64_t pad, aclTensor* out,
                                         int8_t cubeMathType, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnConvTbc"),
                  {self, weight, bias, pad, out, cubeMathType}, workspaceSize, executor);
}

aclnnStatus aclnnConvTbc(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnConvTbc").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnConvTbcBackwardGetWorkspaceSize(const aclTensor* self, const aclTensor* input,
                                                 const aclTensor* weight, const aclTensor* bias,
                                                 int64_t pad, int8_t cubeMathType,
                                                 aclTensor* gradInput, aclTensor* gradWeight,
                                                 aclTensor* gradBias, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnConvTbcBackward"),
                  {self, input, weight, bias, pad, cubeMathType, gradInput, gradWeight,
                   gradBias}, workspaceSize, executor);
}

aclnnStatus aclnnConvTbcBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnConvTbcBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnConvolutionBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* input, const aclTensor* weight,
    const aclIntArray* biasSizes, const aclIntArray* stride, const aclIntArray* padding,
    const aclIntArray* dilation, bool transposed, const aclIntArray* outputPadding, int32_t groups,
    const aclBoolArray* outputMask, int8_t cubeMathType, aclTensor* gradInput,
    aclTensor* gradWeight, aclTensor* gradBias, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnConvolutionBackward"),
                  {gradOutput, input, weight, biasSizes, stride, padding, dilation, transposed,
                   outputPadding, groups, outputMask, cubeMathType, gradInput, gradWeight,
                   gradBias}, workspaceSize, executor);
}

aclnnStatus aclnnConvolutionBackward(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnConvolutionBackward").op, workspace,
                           workspaceSize, executor, stream);
}
}
