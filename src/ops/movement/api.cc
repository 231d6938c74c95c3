// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_channel_shuffle.h"
#include "aclnnop/aclnn_chunk_cat.h"
#include "aclnnop/aclnn_confusion_transpose.h"
#include "aclnnop/aclnn_diag.h"
#include "aclnnop/aclnn_diag_flat.h"
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_flatten.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_slice.h"
#include "aclnnop/aclnn_slice_v2.h"
#include "aclnnop/aclnn_stack.h"
#include "aclnnop/aclnn_strided_slice.h"
#include "aclnnop/aclnn_strided_slice_assign_v2.h"
#include "nnop/phases.h"
#include "ops/movement/operators.h"

using namespace anyacl;
using anyacl::movement::kOperators;

extern "C" {

aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList* tensors, int64_t dim, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnCat"),
                  {tensors, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnCat(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnCat").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnChunkCatGetWorkspaceSize(const aclTensorList* tensors, int64_t dim,
                                          int64_t numChunks, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnChunkCat"),
                  {tensors, dim, numChunks, out}, workspaceSize, executor);
}

aclnnStatus aclnnChunkCat(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnChunkCat").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnStackGetWorkspaceSize(const aclTensorList* tensors, int64_t dim, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnStack"),
                  {tensors, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnStack(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnStack").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnChannelShuffleGetWorkspaceSize(const aclTensor* self, int64_t groups,
                                                aclTensor* out, uint64_t* workspaceSize,
                                                aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnChannelShuffle"),
                  {self, groups, out}, workspaceSize, executor);
}

aclnnStatus aclnnChannelShuffle(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnChannelShuffle").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPermuteGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPermute"),
                  {self, dims, out}, workspaceSize, executor);
}

aclnnStatus aclnnPermute(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPermute").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSliceGetWorkspaceSize(const aclTensor* self, int64_t dim, int64_t start,
                                       int64_t end, int64_t step, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSlice"),
                  {self, dim, start, end, step, out}, workspaceSize, executor);
}

aclnnStatus aclnnSlice(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSlice").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSliceV2GetWorkspaceSize(const aclTensor* self, const aclIntArray* starts,
                                         const aclIntArray* ends, const aclIntArray* axes,
                                         const aclIntArray* steps, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSliceV2"),
                  {self, starts, ends, axes, steps, out}, workspaceSize, executor);
}

aclnnStatus aclnnSliceV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSliceV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnStridedSliceGetWorkspaceSize(const aclTensor* self, const aclIntArray* begin,
                                              const aclIntArray* end, const aclIntArray* strides,
                                              int64_t beginMask, int64_t endMask,
                                              int64_t ellipsisMask, int64_t newAxisMask,
                                              int64_t shrinkAxisMask, aclTensor* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnStridedSlice"),
                  {self, begin, end, strides, beginMask, endMask, ellipsisMask, newAxisMask,
                   shrinkAxisMask, out}, workspaceSize, executor);
}

aclnnStatus aclnnStridedSlice(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnStridedSlice").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnStridedSliceAssignV2GetWorkspaceSize(
    aclTensor* varRef, const aclTensor* inputValue, const aclIntArray* begin,
    const aclIntArray* end, const aclIntArray* strides, const aclIntArray* axesOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnStridedSliceAssignV2"),
                  {varRef, inputValue, begin, end, strides, axesOptional}, workspaceSize, executor);
}

aclnnStatus aclnnStridedSliceAssignV2(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnStridedSliceAssignV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnConfusionTransposeGetWorkspaceSize(
    const aclTensor* x, const aclIntArray* perm, const aclIntArray* shape, bool transposeFirst,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnConfusionTranspose"),
                  {x, perm, shape, transposeFirst, out}, workspaceSize, executor);
}

aclnnStatus aclnnConfusionTranspose(void* workspace, uint64_t workspaceSize,
                                    aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnConfusionTranspose").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnExpandGetWorkspaceSize(const aclTensor* self, const aclIntArray* size,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnExpand"),
                  {self, size, out}, workspaceSize, executor);
}

aclnnStatus aclnnExpand(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnExpand").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlattenGetWorkspaceSize(const aclTensor* self, int64_t axis, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlatten"),
                  {self, axis, out}, workspaceSize, executor);
}

aclnnStatus aclnnFlatten(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlatten").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDiagGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDiag"),
                  {self, diagonal, out}, workspaceSize, executor);
}

aclnnStatus aclnnDiag(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDiag").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnDiagFlatGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnDiagFlat"),
                  {self, diagonal, out}, workspaceSize, executor);
}

aclnnStatus aclnnDiagFlat(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnDiagFlat").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRepeatGetWorkspaceSize(const aclTensor* self, const aclIntArray* repeats,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRepeat"),
                  {self, repeats, out}, workspaceSize, executor);
}

aclnnStatus aclnnRepeat(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                        aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRepeat").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(
    const aclTensor* self, int64_t repeats, int64_t dim, int64_t outputSize, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRepeatInterleaveIntWithDim"),
                  {self, repeats, dim, outputSize, out}, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveIntWithDim(void* workspace, uint64_t workspaceSize,
                                            aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRepeatInterleaveIntWithDim").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRepeatInterleaveIntGetWorkspaceSize(
    const aclTensor* self, int64_t repeats, int64_t outputSize, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRepeatInterleaveInt"),
                  {self, repeats, outputSize, out}, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveInt(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRepeatInterleaveInt").op, workspace,
                           workspaceSize, executor, stream);
}
}
