// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_resize.h"
#include "aclnnop/aclnn_upsample_bilinear_2d.h"
#include "aclnnop/aclnn_upsample_bilinear_2d_backward.h"
#include "aclnnop/aclnn_upsample_linear_1d.h"
#include "aclnnop/aclnn_upsample_linear_1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_1d.h"
#include "aclnnop/aclnn_upsample_nearest_1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_1d_v2.h"
#include "aclnnop/aclnn_upsample_nearest_2d.h"
#include "aclnnop/aclnn_upsample_nearest_2d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_2d_v2.h"
#include "aclnnop/aclnn_upsample_nearest_3d.h"
#include "aclnnop/aclnn_upsample_nearest_3d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact1d.h"
#include "aclnnop/aclnn_upsample_nearest_exact1d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact2d.h"
#include "aclnnop/aclnn_upsample_nearest_exact2d_backward.h"
#include "aclnnop/aclnn_upsample_nearest_exact3d.h"
#include "aclnnop/aclnn_upsample_nearest_exact3d_backward.h"
#include "nnop/phases.h"
#include "ops/resampling/operators.h"

using namespace anyacl;
using anyacl::resampling::kOperators;

extern "C" {

aclnnStatus aclnnUpsampleNearest1dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearest1d"),
                  {self, outputSize, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest1d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearest1d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearest1dV2GetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, float scaleL, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearest1dV2"),
                  {self, outputSize, scaleL, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest1dV2(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearest1dV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearest1dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    double scales, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearest1dBackward"),
                  {gradOut, outputSize, inputSize, scales, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest1dBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearest1dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnResizeGetWorkspaceSize(const aclTensor* self, const aclFloatArray* scales,
                                        const char* mode, aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnResize"),
                  {self, scales, mode, out}, workspaceSize, executor);
}

aclnnStatus aclnnResize(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnResize").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearest2dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearest2d"),
                  {self, outputSize, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest2d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearest2d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearest2dV2GetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, float scalesH, float scalesW,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearest2dV2"),
                  {self, outputSize, scalesH, scalesW, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest2dV2(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearest2dV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearest2dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    double scalesH, double scalesW, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearest2dBackward"),
                  {gradOut, outputSize, inputSize, scalesH, scalesW,
                   gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest2dBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearest2dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearest3dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, double scalesD, double scalesH,
    double scalesW, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearest3d"),
                  {self, outputSize, scalesD, scalesH, scalesW, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest3d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearest3d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearest3dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    double scalesD, double scalesH, double scalesW, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearest3dBackward"),
                  {gradOut, outputSize, inputSize, scalesD, scalesH, scalesW,
                   gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearest3dBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearest3dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearestExact1dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, double scales, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearestExact1d"),
                  {self, outputSize, scales, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearestExact1d(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearestExact1d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearestExact1dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclIntArray* outputSize, const aclIntArray* inputSize,
    double scales, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearestExact1dBackward"),
                  {gradOutput, outputSize, inputSize, scales, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearestExact1dBackward(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearestExact1dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearestExact2dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, double scalesH, double scalesW,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearestExact2d"),
                  {self, outputSize, scalesH, scalesW, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearestExact2d(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearestExact2d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearestExact2dBackwardGetWorkspaceSize(
    const aclTensor* gradOutput, const aclIntArray* outputSize, const aclIntArray* inputSize,
    double scalesH, double scalesW, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearestExact2dBackward"),
                  {gradOutput, outputSize, inputSize, scalesH, scalesW,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearestExact2dBackward(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearestExact2dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearestExact3dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, double scalesD, double scalesH,
    double scalesW, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearestExact3d"),
                  {self, outputSize, scalesD, scalesH, scalesW, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearestExact3d(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearestExact3d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleNearestExact3dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    double scalesD, double scalesH, double scalesW, aclTensor* gradInput, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleNearestExact3dBackward"),
                  {gradOut, outputSize, inputSize, scalesD, scalesH, scalesW,
                   gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleNearestExact3dBackward(void* workspace, uint64_t workspaceSize,
                                                aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleNearestExact3dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleLinear1dGetWorkspaceSize(const aclTensor* self,
                                                  const aclIntArray* outputSize, bool alignCorners,
                                                  double scales, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleLinear1d"),
                  {self, outputSize, alignCorners, scales, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleLinear1d(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleLinear1d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleLinear1dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    bool alignCorners, double scales, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleLinear1dBackward"),
                  {gradOut, outputSize, inputSize, alignCorners, scales,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleLinear1dBackward(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleLinear1dBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleBilinear2dGetWorkspaceSize(
    const aclTensor* self, const aclIntArray* outputSize, bool alignCorners, double scalesH,
    double scalesW, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleBilinear2d"),
                  {self, outputSize, alignCorners, scalesH, scalesW, out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleBilinear2d(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleBilinear2d").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnUpsampleBilinear2dBackwardGetWorkspaceSize(
    const aclTensor* gradOut, const aclIntArray* outputSize, const aclIntArray* inputSize,
    bool alignCorners, double scalesH, double scalesW, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnUpsampleBilinear2dBackward"),
                  {gradOut, outputSize, inputSize, alignCorners, scalesH, scalesW,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnUpsampleBilinear2dBackward(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnUpsampleBilinear2dBackward").op, workspace,
                           workspaceSize, executor, stream);
}
}
