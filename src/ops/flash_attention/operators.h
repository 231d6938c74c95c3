// SPDX-License-Identifier: Apache-2.0
// The declarations of aclnnFlashAttentionScore, of its gradient and of both for sequences, in all
// versions: what later ones add to the rows of the first.
#pragma once

#include "ops/flash_attention/rows.h"

namespace anyacl::flash_attention {

Status PrepareForward(Operands& operands, PreparedCall* call);
Status PrepareGradient(Operands& operands, PreparedCall* call);
Status PrepareSequences(Operands& operands, PreparedCall* call);
Status PrepareSequencesGradient(Operands& operands, PreparedCall* call);
// In a workspace that is enough for sequences of any lengths in as many rows.
Status PrepareMostSequences(Operands& operands, PreparedCall* call);
Status PrepareMostSequencesGradient(Operands& operands, PreparedCall* call);

// A row and the one that it comes behind.
struct Insertion {
  int behind;
  ParamSpec row;
};
template <size_t kSize, size_t kMore>
consteval auto With(const std::array<ParamSpec, kSize>& rows, const Insertion (&more)[kMore]) {
  std::array<ParamSpec, kSize + kMore> all{};
  auto at = all.begin();
  for (const ParamSpec& row : rows) {
    *at++ = row;
    for (const Insertion& insertion : more) {
      if (insertion.behind == row.id) *at++ = insertion.row;
    }
  }
  return all;
}

// Second versions: what realShift is, and where the rows and columns of a part of a sequence are.
constexpr ParamSpec Start(int id, const char* name, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kIntArray, .need = Need::kOptional, .note = note};
}
inline constexpr ParamSpec kQueryStartRow =
    Start(kQueryStart, "qStartIdxOptional", "pseType 2 and 3: the place of the first row");
inline constexpr ParamSpec kKeyStartRow =
    Start(kKeyStart, "kvStartIdxOptional", "pseType 2 and 3: the place of the first column");
inline constexpr ParamSpec kPseTypeRow =
    Value(kPseType, "pseType", Kind::kInt64,
          "0: pse is added to the scaled scores, 1: before they are scaled; of slopes is made 2: "
          "-slope * distance, 3: -slope * sqrt(distance), which is added to scaled scores");

// `behind` which row the starts come.
template <size_t kSize>
consteval auto WithPseType(std::array<ParamSpec, kSize> rows, int behind, const char* dims) {
  for (ParamSpec& row : rows) {
    if (row.id == kScaleValue) row.note = "multiplies query times key; pseType 1: and pse";
    if (row.id != kPse && row.id != kDpse) continue;
    row.same_dtype_as = -1;
    row.dims = dims;
    if (row.id == kPse) row.note = "of query's type; pseType 2 and 3: slopes, FLOAT";
    if (row.id == kDpse && behind == kPrefix) {
      row.note = "of slopes and of what is shared not written; empty: not wanted";
    }
  }
  return With(rows, {{behind, kQueryStartRow}, {behind, kKeyStartRow}, {kSparseMode, kPseTypeRow}});
}
inline constexpr char kPseOrSlopesDims[] = "B? N Sq? S2 | B N | N";
inline constexpr auto kForwardV2Params = WithPseType(kForwardParams, kPrefix, kPseOrSlopesDims);
inline constexpr auto kGradientV2Params = WithPseType(kGradientParams, kPrefix, kPseOrSlopesDims);

inline constexpr char kTndPseOrSlopesDims[] = "1 N S S | scores | B N S S | B N 1 S | B N | N";
inline constexpr auto kSequencesV2Params =
    WithPseType(kSequencesParams, kKeyEnds, kTndPseOrSlopesDims);
inline constexpr auto kSequencesGradientV2Params =
    WithPseType(kSequencesGradientParams, kKeyEnds, kTndPseOrSlopesDims);

// Ropes: the last columns of query and key in tensors of their own.
constexpr ParamSpec Rope(int id, const char* name, DTypeSet dtypes, const char* dims, Need need,
                         Direction direction = Direction::kInput) {
  return {.name = name,
          .id = id,
          .direction = direction,
          .need = need,
          .dtypes = dtypes,
          .dims = dims,
          .same_dtype_as = kQuery,
          .note = need == Need::kOptional ? "with a rope of the other; empty: none" : nullptr,
          .const_handle = direction == Direction::kOutput};
}
inline constexpr char kQueryRopeDims[] = "T N Dr";
inline constexpr char kKeyRopeDims[] = "T2 Nk Dr";
inline constexpr DTypeSet kBf16 = {ACL_BF16};

template <size_t kSize>
consteval auto WithRopes(const std::array<ParamSpec, kSize>& rows, DTypeSet dtypes, Need need) {
  return With(rows, {{kQuery, Rope(kQueryRope, "queryRope", dtypes, kQueryRopeDims, need)},
                     {kKey, Rope(kKeyRope, "keyRope", dtypes, kKeyRopeDims, need)}});
}
// The gradients of no ropes are empty tensors of query's type, whatever it is: `dtypes`.
template <size_t kSize>
consteval auto WithRopeGradients(const std::array<ParamSpec, kSize>& rows, DTypeSet dtypes,
                                 Need need) {
  constexpr Direction kOut = Direction::kOutput;
  return With(rows, {{kQuery, Rope(kQueryRope, "queryRope", kBf16, kQueryRopeDims, need)},
                     {kKey, Rope(kKeyRope, "keyInRope", kBf16, kKeyRopeDims, need)},
                     {kDq, Rope(kDqRope, "dqRopeOut", dtypes, kQueryRopeDims, need, kOut)},
                     {kDk, Rope(kDkRope, "dkRopeOut", dtypes, kKeyRopeDims, need, kOut)}});
}
// What third versions must and must not get.
template <size_t kSize>
consteval auto OfRopesOnly(std::array<ParamSpec, kSize> rows) {
  for (ParamSpec& row : rows) {
    if (row.id == kPse || row.id == kDropMask) row.note = "refused unless it is empty";
    if (row.id == kAttenMask) row.need = Need::kRequired;
    if (row.id == kPseType) row.note = "0 or 1, which are the same without pse";
  }
  return rows;
}
// All that has query's type, but ropes.
template <size_t kSize>
consteval auto OfTypes(std::array<ParamSpec, kSize> rows, DTypeSet dtypes) {
  for (ParamSpec& row : rows) {
    const bool rope =
        row.id == kQueryRope || row.id == kKeyRope || row.id == kDqRope || row.id == kDkRope;
    if (row.id == kQuery || (row.same_dtype_as == kQuery && !rope)) row.dtypes = dtypes;
  }
  return rows;
}
inline constexpr auto kSequencesV3Params =
    OfRopesOnly(WithRopes(kSequencesV2Params, kFloats, Need::kRequired));
inline constexpr auto kSequencesGradientV3Params = OfRopesOnly(
    OfTypes(WithRopeGradients(kSequencesGradientV2Params, kBf16, Need::kRequired), kBf16));

// Fourth versions add to the first: how softmaxMax and softmaxSum lie.
constexpr ParamSpec SoftmaxLayout(const char* name, Need need) {
  return {.name = name,
          .id = kSoftmaxLayout,
          .kind = Kind::kMutableText,
          .need = need,
          .note = "same_as_input: [T, N, 8]; empty: [N, rows, 8] of each sequence"};
}
inline constexpr auto kSequencesV4Params =
    With(kSequencesParams, {{kSparseMode, SoftmaxLayout("softmaxOutLayout", Need::kRequired)}});
inline constexpr auto kSequencesGradientV4Params =
    With(kSequencesGradientParams, {{kDpse, SoftmaxLayout("softmaxInLayout", Need::kRequired)}});

// Versions with a sink.
constexpr ParamSpec Sink(const char* name) {
  return Optional(kSink, name, {ACL_FLOAT}, "N", "a score of a column without value");
}
inline constexpr ParamSpec kDsinkRow = {.name = "dsinkOut",
                                        .id = kDsink,
                                        .direction = Direction::kOutput,
                                        .need = Need::kOptional,
                                        .dtypes = {ACL_FLOAT},
                                        .dims = "N",
                                        .note = "of a sink; empty without one",
                                        .const_handle = true};
inline constexpr auto kForwardV3Params =
    With(kForwardV2Params, {{kAttenMask, Sink("sinkOptional")}});
// Gradients with a sink have no FLOAT.
inline constexpr auto kGradientV3Params = OfTypes(
    With(kGradientV2Params, {{kAttention, Sink("sinkInOptional")}, {kDpse, kDsinkRow}}), kHalves);
inline constexpr auto kSequencesV5Params =
    With(WithRopes(kSequencesV2Params, kBf16, Need::kOptional),
         {{kAttenMask, Sink("sinkOptional")},
          {kPseType, SoftmaxLayout("softmaxOutLayout", Need::kOptional)}});
inline constexpr auto kSequencesGradientV5Params =
    OfTypes(With(WithRopeGradients(kSequencesGradientV2Params, kHalves, Need::kOptional),
                 {{kAttention, Sink("sinkInOptional")},
                  {kPseType, SoftmaxLayout("softmaxInLayout", Need::kOptional)},
                  {kDpse, kDsinkRow}}),
            kHalves);

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"FlashAttentionScore">,
     .params = kForwardParams,
     .prepare = PrepareForward,
     .header = "aclnn_flash_attention_score.h",
     .summary = "dropout(softmax((query * key^T + realShift) * scaleValue, attenMask)) * value",
     .document =
         "ops-transformer: attention/flash_attention_score/docs/aclnnFlashAttentionScore.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionScoreGrad">,
     .params = kGradientParams,
     .prepare = PrepareGradient,
     .header = "aclnn_flash_attention_score_grad.h",
     .summary = "the gradients of aclnnFlashAttentionScore",
     .document = "ops-transformer: "
                 "attention/flash_attention_score_grad/docs/aclnnFlashAttentionScoreGrad.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionVarLenScore">,
     .params = kSequencesParams,
     .prepare = PrepareSequences,
     .header = "aclnn_flash_attention_score.h",
     .summary = "aclnnFlashAttentionScore of sequences of any lengths, layout TND",
     .document =
         "ops-transformer: attention/flash_attention_score/docs/aclnnFlashAttentionVarLenScore.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionUnpaddingScoreGrad">,
     .params = kSequencesGradientParams,
     .prepare = PrepareSequencesGradient,
     .header = "aclnn_flash_attention_score_grad.h",
     .summary = "the gradients of aclnnFlashAttentionVarLenScore",
     .document = "ops-transformer: attention/flash_attention_score_grad/docs/"
                 "aclnnFlashAttentionUnpaddingScoreGrad.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionScoreV2">,
     .params = kForwardV2Params,
     .prepare = PrepareForward,
     .header = "aclnn_flash_attention_score.h",
     .summary = "aclnnFlashAttentionScore, or dropout(softmax(query * key^T * scaleValue + pse, "
                "attenMask)) * value with a pse that is given or made of slopes",
     .document =
         "ops-transformer: attention/flash_attention_score/docs/aclnnFlashAttentionScoreV2.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionScoreGradV2">,
     .params = kGradientV2Params,
     .prepare = PrepareGradient,
     .header = "aclnn_flash_attention_score_grad.h",
     .summary = "the gradients of aclnnFlashAttentionScoreV2",
     .document = "ops-transformer: "
                 "attention/flash_attention_score_grad/docs/aclnnFlashAttentionScoreGradV2.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionVarLenScoreV2">,
     .params = kSequencesV2Params,
     .prepare = PrepareSequences,
     .header = "aclnn_flash_attention_score.h",
     .summary = "aclnnFlashAttentionScoreV2 of sequences of any lengths, layout TND",
     .document = "ops-transformer: attention/flash_attention_score/docs/"
                 "aclnnFlashAttentionVarLenScoreV2.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionUnpaddingScoreGradV2">,
     .params = kSequencesGradientV2Params,
     .prepare = PrepareSequencesGradient,
     .header = "aclnn_flash_attention_score_grad.h",
     .summary = "the gradients of aclnnFlashAttentionVarLenScoreV2",
     .document = "ops-transformer: attention/flash_attention_score_grad/docs/"
                 "aclnnFlashAttentionUnpaddingScoreGradV2.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionVarLenScoreV3">,
     .params = kSequencesV3Params,
     .prepare = PrepareSequences,
     .header = "aclnn_flash_attention_score.h",
     .summary = "aclnnFlashAttentionVarLenScoreV2 with ropes in tensors of their own",
     .document = "ops-transformer: attention/flash_attention_score/docs/"
                 "aclnnFlashAttentionVarLenScoreV3.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionUnpaddingScoreGradV3">,
     .params = kSequencesGradientV3Params,
     .prepare = PrepareSequencesGradient,
     .header = "aclnn_flash_attention_score_grad.h",
     .summary = "the gradients of aclnnFlashAttentionVarLenScoreV3",
     .document = "ops-transformer: attention/flash_attention_score_grad/docs/"
                 "aclnnFlashAttentionUnpaddingScoreGradV3.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionVarLenScoreV4">,
     .params = kSequencesV4Params,
     .prepare = PrepareSequences,
     .header = "aclnn_flash_attention_score.h",
     .summary = "aclnnFlashAttentionVarLenScore with a layout of the statistics",
     .document = "ops-transformer: attention/flash_attention_score/docs/"
                 "aclnnFlashAttentionVarLenScoreV4.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionUnpaddingScoreGradV4">,
     .params = kSequencesGradientV4Params,
     .prepare = PrepareSequencesGradient,
     .header = "aclnn_flash_attention_score_grad.h",
     .summary = "the gradients of aclnnFlashAttentionVarLenScoreV4",
     .document = "ops-transformer: attention/flash_attention_score_grad/docs/"
                 "aclnnFlashAttentionUnpaddingScoreGradV4.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionScoreV3">,
     .params = kForwardV3Params,
     .prepare = PrepareForward,
     .header = "aclnn_flash_attention_score.h",
     .summary = "aclnnFlashAttentionScoreV2 with a sink",
     .document = "ops-transformer: attention/flash_attention_score/docs/"
                 "aclnnFlashAttentionScoreV3.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionScoreGradV3">,
     .params = kGradientV3Params,
     .prepare = PrepareGradient,
     .header = "aclnn_flash_attention_score_grad.h",
     .summary = "the gradients of aclnnFlashAttentionScoreV3",
     .document = "ops-transformer: attention/flash_attention_score_grad/docs/"
                 "aclnnFlashAttentionScoreGradV3.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionVarLenScoreV5">,
     .params = kSequencesV5Params,
     .prepare = PrepareSequences,
     .phase_most = OpNames<"FlashAttentionVarLenScoreV5">::kPhaseMost.data(),
     .prepare_most = PrepareMostSequences,
     .header = "aclnn_flash_attention_score.h",
     .summary = "aclnnFlashAttentionVarLenScoreV3 with a sink and a layout of the statistics",
     .document = "ops-transformer: attention/flash_attention_score/docs/"
                 "aclnnFlashAttentionVarLenScoreV5.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
    {.op = kNames<"FlashAttentionUnpaddingScoreGradV5">,
     .params = kSequencesGradientV5Params,
     .prepare = PrepareSequencesGradient,
     .phase_most = OpNames<"FlashAttentionUnpaddingScoreGradV5">::kPhaseMost.data(),
     .prepare_most = PrepareMostSequencesGradient,
     .header = "aclnn_flash_attention_score_grad.h",
     .summary = "the gradients of aclnnFlashAttentionVarLenScoreV5",
     .document = "ops-transformer: attention/flash_attention_score_grad/docs/"
                 "aclnnFlashAttentionUnpaddingScoreGradV5.md",
     .shapes_by_rules = true,
     .constraint_code = kConstraint},
};

}  // namespace anyacl::flash_attention
