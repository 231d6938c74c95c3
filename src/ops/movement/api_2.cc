// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_repeat_interleave_grad.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "aclnnop/aclnn_split_with_size.h"
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "nnop/phases.h"
#include "ops/movement/operators.h"

using namespace anyacl;
using anyacl::movement::kOperators;

extern "C" {

aclnnStatus aclnnRepeatInterleaveGetWorkspaceSize(const aclTensor* self, const aclTensor* repeats,
                                                  int64_t outputSize, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRepeatInterleave"),
                  {self, repeats, outputSize, out}, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleave(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRepeatInterleave").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRepeatInterleaveWithDimGetWorkspaceSize(
    const aclTensor* self, const aclTensor* repeats, int64_t dim, int64_t outputSize,
    aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRepeatInterleaveWithDim"),
                  {self, repeats, dim, outputSize, out}, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveWithDim(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRepeatInterleaveWithDim").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRepeatInterleaveTensorGetWorkspaceSize(
    const aclTensor* repeats, int64_t outputSize, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRepeatInterleaveTensor"),
                  {repeats, outputSize, out}, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveTensor(void* workspace, uint64_t workspaceSize,
                                        aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRepeatInterleaveTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRepeatInterleaveGradGetWorkspaceSize(
    const aclTensor* yGrad, const aclTensor* repeats, int64_t axis, const aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRepeatInterleaveGrad"),
                  {yGrad, repeats, axis, out}, workspaceSize, executor);
}

aclnnStatus aclnnRepeatInterleaveGrad(void* workspace, uint64_t workspaceSize,
                                      aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRepeatInterleaveGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSplitWithSizeGetWorkspaceSize(const aclTensor* self, const aclIntArray* splitSize,
                                               int64_t dim, aclTensorList* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSplitWithSize"),
                  {self, splitSize, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnSplitWithSize(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSplitWithSize").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSplitTensorGetWorkspaceSize(const aclTensor* self, uint64_t splitSections,
                                             int64_t dim, aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSplitTensor"),
                  {self, splitSections, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnSplitTensor(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSplitTensor").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFlipGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims,
                                      aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFlip"),
                  {self, dims, out}, workspaceSize, executor);
}

aclnnStatus aclnnFlip(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFlip").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRollGetWorkspaceSize(const aclTensor* x, const aclIntArray* shifts,
                                      const aclIntArray* dims, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRoll"),
                  {x, shifts, dims, out}, workspaceSize, executor);
}

aclnnStatus aclnnRoll(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRoll").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnConstantPadNdGetWorkspaceSize(const aclTensor* self, const aclIntArray* pad,
                                               const aclScalar* value, aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnConstantPadNd"),
                  {self, pad, value, out}, workspaceSize, executor);
}

aclnnStatus aclnnConstantPadNd(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnConstantPadNd").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGatherV2GetWorkspaceSize(const aclTensor* self, int64_t dim,
                                          const aclTensor* index, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGatherV2"),
                  {self, dim, index, out}, workspaceSize, executor);
}

aclnnStatus aclnnGatherV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGatherV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnIndexSelectGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                             const aclTensor* index, aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnIndexSelect"),
                  {self, dim, index, out}, workspaceSize, executor);
}

aclnnStatus aclnnIndexSelect(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnIndexSelect").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnEmbeddingGetWorkspaceSize(const aclTensor* weight, const aclTensor* indices,
                                           const aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnEmbedding"),
                  {weight, indices, out}, workspaceSize, executor);
}

aclnnStatus aclnnEmbedding(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                           aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnEmbedding").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceIndexCopyGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                  const aclTensor* index, const aclTensor* source,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceIndexCopy"),
                  {selfRef, dim, index, source}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceIndexCopy(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceIndexCopy").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTrilGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTril"),
                  {self, diagonal, out}, workspaceSize, executor);
}

aclnnStatus aclnnTril(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTril").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceTrilGetWorkspaceSize(const aclTensor* selfRef, int64_t diagonal,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceTril"),
                  {selfRef, diagonal}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTril(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceTril").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTriuGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTriu"),
                  {self, diagonal, out}, workspaceSize, executor);
}

aclnnStatus aclnnTriu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                      aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTriu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceTriuGetWorkspaceSize(aclTensor* selfRef, int64_t diagonal,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceTriu"),
                  {selfRef, diagonal}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceTriu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceTriu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnNpuFormatCastGetWorkspaceSize(const aclTensor* srcTensor, aclTensor* dstTensor,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnNpuFormatCast"),
                  {srcTensor, dstTensor}, workspaceSize, executor);
}

aclnnStatus aclnnNpuFormatCast(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnNpuFormatCast").op, workspace,
                           workspaceSize, executor, stream);
}
}
