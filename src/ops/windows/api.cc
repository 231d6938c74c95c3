// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_circular_pad2d.h"
#include "aclnnop/aclnn_circular_pad2d_backward.h"
#include "aclnnop/aclnn_circular_pad3d.h"
#include "aclnnop/aclnn_circular_pad3d_backward.h"
#include "aclnnop/aclnn_im2col.h"
#include "aclnnop/aclnn_im2col_backward.h"
#include "aclnnop/aclnn_pad2d_backward.h"
#include "aclnnop/aclnn_reflection_pad1d.h"
#include "aclnnop/aclnn_reflection_pad1d_backward.h"
#include "aclnnop/aclnn_reflection_pad2d.h"
#include "aclnnop/aclnn_reflection_pad3d.h"
#include "aclnnop/aclnn_reflection_pad3d_backward.h"
#include "aclnnop/aclnn_replication_pad1d.h"
#include "aclnnop/aclnn_replication_pad1d_backward.h"
#include "aclnnop/aclnn_replication_pad2d.h"
#include "aclnnop/aclnn_replication_pad3d.h"
#include "aclnnop/aclnn_replication_pad3d_backward.h"
#include "aclnnop/aclnn_unfold_grad.h"
#include "nnop/phases.h"
#include "ops/windows/operators.h"

using namespace anyacl;
using anyacl::windows::kOperators;

extern "C" {

aclnnStatus aclnnReflectionPad1dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReflectionPad1d"),
                  {self, padding, out}, workspaceSize, executor);
}

aclnnStatus aclnnReflectionPad1d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReflectionPad1d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReflectionPad2dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReflectionPad2d"),
                  {self, padding, out}, workspaceSize, executor);
}

aclnnStatus aclnnReflectionPad2d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReflectionPad2d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReflectionPad3dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReflectionPad3d"),
                  {self, padding, out}, workspaceSize, executor);
}

aclnnStatus aclnnReflectionPad3d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReflectionPad3d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReplicationPad1dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReplicationPad1d"),
                  {self, padding, out}, workspaceSize, executor);
}

aclnnStatus aclnnReplicationPad1d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReplicationPad1d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReplicationPad2dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReplicationPad2d"),
                  {self, padding, out}, workspaceSize, executor);
}

aclnnStatus aclnnReplicationPad2d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReplicationPad2d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReplicationPad3dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                                  aclTensor* out, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReplicationPad3d"),
                  {self, padding, out}, workspaceSize, executor);
}

aclnnStatus aclnnReplicationPad3d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReplicationPad3d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReflectionPad1dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReflectionPad1dBackward"),
                  {gradOutput, self, padding, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnReflectionPad1dBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReflectionPad1dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReflectionPad2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReflectionPad2dBackward"),
                  {gradOutput, self, padding, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnReflectionPad2dBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReflectionPad2dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReflectionPad3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReflectionPad3dBackward"),
                  {gradOutput, self, padding, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnReflectionPad3dBackward(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReflectionPad3dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReplicationPad1dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReplicationPad1dBackward"),
                  {gradOutput, self, padding, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnReplicationPad1dBackward(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReplicationPad1dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReplicationPad2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReplicationPad2dBackward"),
                  {gradOutput, self, padding, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnReplicationPad2dBackward(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReplicationPad2dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnReplicationPad3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnReplicationPad3dBackward"),
                  {gradOutput, self, padding, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnReplicationPad3dBackward(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnReplicationPad3dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCircularPad2dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                               aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCircularPad2d"),
                  {self, padding, out}, workspaceSize, executor);
}

aclnnStatus aclnnCircularPad2d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCircularPad2d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCircularPad3dGetWorkspaceSize(const aclTensor* self, const aclIntArray* padding,
                                               aclTensor* out, uint64_t* workspaceSize,
                                               aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCircularPad3d"),
                  {self, padding, out}, workspaceSize, executor);
}

aclnnStatus aclnnCircularPad3d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCircularPad3d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCircularPad2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCircularPad2dBackward"),
                  {gradOutput, self, padding, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnCircularPad2dBackward(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCircularPad2dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnCircularPad3dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclTensor* self, const aclIntArray* padding,
    aclTensor* gradInput, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCircularPad3dBackward"),
                  {gradOutput, self, padding, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnCircularPad3dBackward(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCircularPad3dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIm2colGetWorkspaceSize(const aclTensor* self, const aclIntArray* kernelSize,
                                        const aclIntArray* dilation, const aclIntArray* padding,
                                        const aclIntArray* stride, const aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIm2col"),
                  {self, kernelSize, dilation, padding, stride, out}, workspaceSize, executor);
}

aclnnStatus aclnnIm2col(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIm2col").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIm2colBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                const aclIntArray* inputSize,
                                                const aclIntArray* kernelSize,
                                                const aclIntArray* dilation,
                                                const aclIntArray* padding,
                                                const aclIntArray* stride, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIm2colBackward"),
                  {gradOutput, inputSize, kernelSize, dilation, padding, stride,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnIm2colBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIm2colBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUnfoldGradGetWorkspaceSize(const aclTensor* gradOut, const aclIntArray* inputSizes,
                                            int64_t dim, int64_t size, int64_t step,
                                            const aclTensor* gradIn, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUnfoldGrad"),
                  {gradOut, inputSizes, dim, size, step, gradIn}, workspaceSize, executor);
}

aclnnStatus aclnnUnfoldGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUnfoldGrad").op, workspace,
                           workspaceSize, executor, stream);
}
}
