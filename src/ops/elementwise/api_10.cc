// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_apply_rotary_pos_emb.h"
#include "aclnnop/aclnn_apply_rotary_pos_emb_v2.h"
#include "aclnnop/aclnn_clipped_swiglu.h"
#include "aclnnop/aclnn_clipped_swiglu_grad.h"
#include "aclnnop/aclnn_fatrelu_mul.h"
#include "aclnnop/aclnn_fill_diagonal.h"
#include "aclnnop/aclnn_geglu.h"
#include "aclnnop/aclnn_geglu_backward.h"
#include "aclnnop/aclnn_gelu_mul.h"
#include "aclnnop/aclnn_glu.h"
#include "aclnnop/aclnn_glu_backward.h"
#include "aclnnop/aclnn_interleave_rope.h"
#include "aclnnop/aclnn_modulate.h"
#include "aclnnop/aclnn_modulate_backward.h"
#include "aclnnop/aclnn_precision_compare.h"
#include "aclnnop/aclnn_rotary_position_embedding.h"
#include "aclnnop/aclnn_rotary_position_embedding_grad.h"
#include "aclnnop/aclnn_rotary_position_embedding_v2.h"
#include "aclnnop/aclnn_scale.h"
#include "aclnnop/aclnn_swi_glu_grad.h"
#include "aclnnop/aclnn_thnn_fused_lstm_cell.h"
#include "aclnnop/aclnn_thnn_fused_lstm_cell_backward.h"
#include "aclnnop/aclnn_transform_bias_rescale_qkv.h"
#include "nnop/phases.h"
#include "ops/elementwise/operators.h"

using namespace anyacl;
using anyacl::elementwise::kOperators;

extern "C" {

aclnnStatus aclnnGluGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGlu"),
                  {self, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnGlu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                     aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGlu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGluBackwardGetWorkspaceSize(const aclTensor* gradOut, const aclTensor* self,
                                             int64_t dim, const aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGluBackward"),
                  {gradOut, self, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnGluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                             aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnSwiGluGradGetWorkspaceSize(const aclTensor* yGrad, const aclTensor* x, int64_t dim,
                                            const aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnSwiGluGrad"),
                  {yGrad, x, dim, out}, workspaceSize, executor);
}

aclnnStatus aclnnSwiGluGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnSwiGluGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnScaleGetWorkspaceSize(const aclTensor* x, const aclTensor* scale,
                                       const aclTensor* bias, int64_t axis, int64_t numAxes,
                                       bool scaleFromBlob, aclTensor* y, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnScale"),
                  {x, scale, bias, axis, numAxes, scaleFromBlob, y}, workspaceSize, executor);
}

aclnnStatus aclnnScale(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnScale").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeluMulGetWorkspaceSize(const aclTensor* input, char* approximateOptional,
                                         const aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeluMul"),
                  {input, approximateOptional, out}, workspaceSize, executor);
}

aclnnStatus aclnnGeluMul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeluMul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnFatreluMulGetWorkspaceSize(const aclTensor* input, const aclTensor* threshold,
                                            const aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnFatreluMul"),
                  {input, threshold, out}, workspaceSize, executor);
}

aclnnStatus aclnnFatreluMul(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                            aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnFatreluMul").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnPrecisionCompareGetWorkspaceSize(const aclTensor* golden,
                                                  const aclTensor* realdata, aclTensor* out,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnPrecisionCompare"),
                  {golden, realdata, out}, workspaceSize, executor);
}

aclnnStatus aclnnPrecisionCompare(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnPrecisionCompare").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnModulateGetWorkspaceSize(const aclTensor* self, const aclTensor* scaleOptional,
                                          const aclTensor* shiftOptional, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnModulate"),
                  {self, scaleOptional, shiftOptional, out}, workspaceSize, executor);
}

aclnnStatus aclnnModulate(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                          aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnModulate").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnModulateBackwardGetWorkspaceSize(const aclTensor* grad_output,
                                                  const aclTensor* input, const aclTensor* scale,
                                                  const aclTensor* shift,
                                                  const aclTensor* grad_input,
                                                  const aclTensor* grad_scale,
                                                  const aclTensor* grad_shift,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnModulateBackward"),
                  {grad_output, input, scale, shift, grad_input, grad_scale,
                   grad_shift}, workspaceSize, executor);
}

aclnnStatus aclnnModulateBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                  aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnModulateBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnThnnFusedLstmCellGetWorkspaceSize(
    const aclTensor* inputGates, const aclTensor* hiddenGates, const aclTensor* cx,
    const aclTensor* inputBiasOptional, const aclTensor* hiddenBiasOptional, aclTensor* hyOut,
    aclTensor* cyOut, aclTensor* storageOut, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnThnnFusedLstmCell"),
                  {inputGates, hiddenGates, cx, inputBiasOptional, hiddenBiasOptional, hyOut, cyOut,
                   storageOut}, workspaceSize, executor);
}

aclnnStatus aclnnThnnFusedLstmCell(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnThnnFusedLstmCell").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnThnnFusedLstmCellBackwardGetWorkspaceSize(
    const aclTensor* gradHyOptional, const aclTensor* gradCOptional, const aclTensor* cx,
    const aclTensor* cy, const aclTensor* storage, bool hasBias, aclTensor* gradGatesOut,
    aclTensor* gradCxOut, aclTensor* gradBiasOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnThnnFusedLstmCellBackward"),
                  {gradHyOptional, gradCOptional, cx, cy, storage, hasBias, gradGatesOut, gradCxOut,
                   gradBiasOut}, workspaceSize, executor);
}

aclnnStatus aclnnThnnFusedLstmCellBackward(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnThnnFusedLstmCellBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnClippedSwigluGetWorkspaceSize(const aclTensor* x,
                                               const aclTensor* groupIndexOptional, int64_t dim,
                                               double alpha, double limit, double bias,
                                               bool interleaved, const aclTensor* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnClippedSwiglu"),
                  {x, groupIndexOptional, dim, alpha, limit, bias, interleaved,
                   out}, workspaceSize, executor);
}

aclnnStatus aclnnClippedSwiglu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnClippedSwiglu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnClippedSwigluGradGetWorkspaceSize(
    const aclTensor* gradY, const aclTensor* x, const aclTensor* groupIndexOptional, int64_t dim,
    double alpha, double limit, double bias, bool interleaved, const aclTensor* gradXOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnClippedSwigluGrad"),
                  {gradY, x, groupIndexOptional, dim, alpha, limit, bias, interleaved,
                   gradXOut}, workspaceSize, executor);
}

aclnnStatus aclnnClippedSwigluGrad(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnClippedSwigluGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeGluGetWorkspaceSize(const aclTensor* self, int64_t dim, int64_t approximate,
                                       aclTensor* out, aclTensor* outGelu, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeGlu"),
                  {self, dim, approximate, out, outGelu}, workspaceSize, executor);
}

aclnnStatus aclnnGeGlu(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                       aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeGlu").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeGluBackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                               const aclTensor* gelu, int64_t dim,
                                               int64_t approximate, aclTensor* gradInput,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeGluBackward"),
                  {gradOutput, self, gelu, dim, approximate, gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnGeGluBackward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                               aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeGluBackward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeGluV3GetWorkspaceSize(const aclTensor* self, int64_t dim, int64_t approximate,
                                         bool activateLeft, aclTensor* out, aclTensor* outGelu,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeGluV3"),
                  {self, dim, approximate, activateLeft, out, outGelu}, workspaceSize, executor);
}

aclnnStatus aclnnGeGluV3(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                         aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeGluV3").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnGeGluV3BackwardGetWorkspaceSize(const aclTensor* gradOutput, const aclTensor* self,
                                                 const aclTensor* gelu, int64_t dim,
                                                 int64_t approximate, bool activateLeft,
                                                 aclTensor* gradInput, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnGeGluV3Backward"),
                  {gradOutput, self, gelu, dim, approximate, activateLeft,
                   gradInput}, workspaceSize, executor);
}

aclnnStatus aclnnGeGluV3Backward(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                 aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnGeGluV3Backward").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRotaryPositionEmbeddingGetWorkspaceSize(
    const aclTensor* x, const aclTensor* cos, const aclTensor* sin, int64_t mode, aclTensor* out,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRotaryPositionEmbedding"),
                  {x, cos, sin, mode, out}, workspaceSize, executor);
}

aclnnStatus aclnnRotaryPositionEmbedding(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRotaryPositionEmbedding").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRotaryPositionEmbeddingV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* cos, const aclTensor* sin, int64_t mode,
    const aclTensor* rotate, aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRotaryPositionEmbeddingV2"),
                  {x, cos, sin, mode, rotate, out}, workspaceSize, executor);
}

aclnnStatus aclnnRotaryPositionEmbeddingV2(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRotaryPositionEmbeddingV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnRotaryPositionEmbeddingGradGetWorkspaceSize(
    const aclTensor* dy, const aclTensor* cos, const aclTensor* sin, const aclTensor* xOptional,
    int64_t mode, const aclTensor* dxOut, const aclTensor* dcosOut, const aclTensor* dsinOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnRotaryPositionEmbeddingGrad"),
                  {dy, cos, sin, xOptional, mode, dxOut, dcosOut,
                   dsinOut}, workspaceSize, executor);
}

aclnnStatus aclnnRotaryPositionEmbeddingGrad(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnRotaryPositionEmbeddingGrad").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnApplyRotaryPosEmbGetWorkspaceSize(
    aclTensor* queryRef, aclTensor* keyRef, const aclTensor* cos, const aclTensor* sin,
    int64_t layout, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnApplyRotaryPosEmb"),
                  {queryRef, keyRef, cos, sin, layout}, workspaceSize, executor);
}

aclnnStatus aclnnApplyRotaryPosEmb(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                   aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnApplyRotaryPosEmb").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnApplyRotaryPosEmbV2GetWorkspaceSize(
    aclTensor* queryRef, aclTensor* keyRef, const aclTensor* cos, const aclTensor* sin,
    int64_t layout, char* rotaryMode, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnApplyRotaryPosEmbV2"),
                  {queryRef, keyRef, cos, sin, layout, rotaryMode}, workspaceSize, executor);
}

aclnnStatus aclnnApplyRotaryPosEmbV2(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnApplyRotaryPosEmbV2").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInterleaveRopeGetWorkspaceSize(const aclTensor* x, const aclTensor* cos,
                                                const aclTensor* sin, aclTensor* out,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInterleaveRope"),
                  {x, cos, sin, out}, workspaceSize, executor);
}

aclnnStatus aclnnInterleaveRope(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInterleaveRope").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnTransformBiasRescaleQkvGetWorkspaceSize(
    const aclTensor* qkv, const aclTensor* qkvBias, int64_t numHeads, const aclTensor* qOut,
    const aclTensor* kOut, const aclTensor* vOut, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnTransformBiasRescaleQkv"),
                  {qkv, qkvBias, numHeads, qOut, kOut, vOut}, workspaceSize, executor);
}

aclnnStatus aclnnTransformBiasRescaleQkv(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnTransformBiasRescaleQkv").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceFillDiagonalGetWorkspaceSize(
    aclTensor* selfRef, const aclScalar* fillValue, bool wrap, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFillDiagonal"),
                  {selfRef, fillValue, wrap}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFillDiagonal(void* workspace, uint64_t workspaceSize,
                                     aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFillDiagonal").op, workspace,
                           workspaceSize, executor, stream);
}
}
