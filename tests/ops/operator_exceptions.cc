// SPDX-License-Identifier: Apache-2.0
// What no right call of the tables' tests has, and why.
#include <algorithm>

#include "ops/operator_calls.h"

namespace anyacl::test {

const std::set<std::string>& NeverGiven() {
  static const std::set<std::string> kRows = {
      // One row has no INT8 query, whose factors these are: always refused.
      "IncreFlashAttentionV2.dequantScale1",
      "IncreFlashAttentionV2.dequantScale2",
      "IncreFlashAttentionV2.quantScale1",
      "IncreFlashAttentionV3.dequantScale1",
      "IncreFlashAttentionV3.dequantScale2",
      "IncreFlashAttentionV3.quantScale1",
      "IncreFlashAttentionV4.dequantScale1",
      "IncreFlashAttentionV4.dequantScale2",
      "IncreFlashAttentionV4.quantScale1",
      // Refused, as the documents say.
      "BlockSparseAttention.attenMaskOptional",
      "BlockSparseAttention.blockTableOptional",
      "BlockSparseAttentionGrad.attenMaskOptional",
      // Of compressed caches, which are refused.
      "ScatterPaKvCache.compressLensOptional",
      "ScatterPaKvCache.compressSeqOffsetOptional",
      "ScatterPaKvCache.seqLensOptional",
      // BF16 goes with a BF16 query; FLOAT is of tokens, which these versions cannot ask for.
      "IncreFlashAttentionV3.antiquantOffset:BF16",
      "IncreFlashAttentionV3.antiquantOffset:FLOAT",
      "IncreFlashAttentionV3.antiquantScale:BF16",
      "IncreFlashAttentionV3.antiquantScale:FLOAT",
      "IncreFlashAttentionV4.antiquantOffset:BF16",
      "IncreFlashAttentionV4.antiquantOffset:FLOAT",
      "IncreFlashAttentionV4.antiquantScale:BF16",
      "IncreFlashAttentionV4.antiquantScale:FLOAT",
      // A prefix has the type of the cache; attention_test has quantised ones.
      "FusedInferAttentionScoreV2.keySharedPrefixOptional:INT32",
      "FusedInferAttentionScoreV2.keySharedPrefixOptional:INT4",
      "FusedInferAttentionScoreV2.keySharedPrefixOptional:INT8",
      "FusedInferAttentionScoreV2.valueSharedPrefixOptional:INT32",
      "FusedInferAttentionScoreV2.valueSharedPrefixOptional:INT4",
      "FusedInferAttentionScoreV2.valueSharedPrefixOptional:INT8",
      "FusedInferAttentionScoreV3.keySharedPrefixOptional:INT32",
      "FusedInferAttentionScoreV3.keySharedPrefixOptional:INT4",
      "FusedInferAttentionScoreV3.keySharedPrefixOptional:INT8",
      "FusedInferAttentionScoreV3.valueSharedPrefixOptional:INT32",
      "FusedInferAttentionScoreV3.valueSharedPrefixOptional:INT4",
      "FusedInferAttentionScoreV3.valueSharedPrefixOptional:INT8",
      "FusedInferAttentionScoreV4.keySharedPrefixOptional:INT32",
      "FusedInferAttentionScoreV4.keySharedPrefixOptional:INT4",
      "FusedInferAttentionScoreV4.keySharedPrefixOptional:INT8",
      "FusedInferAttentionScoreV4.valueSharedPrefixOptional:INT32",
      "FusedInferAttentionScoreV4.valueSharedPrefixOptional:INT4",
      "FusedInferAttentionScoreV4.valueSharedPrefixOptional:INT8",
      "FusedInferAttentionScoreV5.keySharedPrefixOptional:INT32",
      "FusedInferAttentionScoreV5.keySharedPrefixOptional:INT4",
      "FusedInferAttentionScoreV5.keySharedPrefixOptional:INT8",
      "FusedInferAttentionScoreV5.valueSharedPrefixOptional:INT32",
      "FusedInferAttentionScoreV5.valueSharedPrefixOptional:INT4",
      "FusedInferAttentionScoreV5.valueSharedPrefixOptional:INT8",
      // Arguments of another of the three tables, which must be null in this one.
      "GroupedMatmulSwigluQuantV2_INT4_weights.bias",
      "GroupedMatmulSwigluQuantV2_INT4_weights.smoothScale",
      "GroupedMatmulSwigluQuantV2_INT4_x.bias",
      "GroupedMatmulSwigluQuantV2_INT4_x.weightAssistMatrix",
      "GroupedMatmulSwigluQuantV2_INT8_weights.bias",
      "GroupedMatmulSwigluQuantV2_INT8_weights.smoothScale",
      "GroupedMatmulSwigluQuantV2_INT8_weights.weightAssistMatrix",
      "GroupedMatmulSwigluQuantWeightNzV2_INT4_weights.bias",
      "GroupedMatmulSwigluQuantWeightNzV2_INT4_weights.smoothScale",
      "GroupedMatmulSwigluQuantWeightNzV2_INT4_x.bias",
      "GroupedMatmulSwigluQuantWeightNzV2_INT4_x.weightAssistMatrix",
      "GroupedMatmulSwigluQuantWeightNzV2_INT8_weights.bias",
      "GroupedMatmulSwigluQuantWeightNzV2_INT8_weights.smoothScale",
      "GroupedMatmulSwigluQuantWeightNzV2_INT8_weights.weightAssistMatrix",
      // Reserved: must be null.
      "GroupedMatmulFinalizeRoutingV2.antiquantOffsetOptional",
      "GroupedMatmulFinalizeRoutingV2.antiquantScaleOptional",
      "GroupedMatmulFinalizeRoutingV3.antiquantOffsetOptional",
      "GroupedMatmulFinalizeRoutingV3.antiquantScaleOptional",
      "GroupedMatmulFinalizeRoutingWeightNzV2.antiquantOffsetOptional",
      "GroupedMatmulFinalizeRoutingWeightNzV2.antiquantScaleOptional",
      "AdaLayerNormQuant.quantOffsetOptional",
      "QuantConvolution.offset",
      "QuantConvolution.roundMode",
      "RotateQuant.alpha",
      "QuantMatmulReduceSumWeightNz.bias",
      "QuantMatmulReduceSumWeightNz.x1Offset",
      "QuantMatmulReduceSumWeightNz.x2Offset",
      "QuantMatmulReduceSumWeightNz.yOffset",
      "QuantMatmulReduceSumWeightNz.yScale",
      // Tensors of other devices, which are refused or, of this version, not offered.
      "TransposeBatchMatMul.bias",
      "TransposeBatchMatMul.scale",
      "AllGatherMatmulV2.amaxOut",
      "AllGatherMatmulV2.quantScale",
      "MatmulReduceScatterV2.amaxOutOptional",
      "MatmulReduceScatterV2.quantScale",
      "MoeDistributeCombine.xActiveMask",
      "MoeDistributeDispatch.expertScales",
      "MoeDistributeDispatch.xActiveMask",
      "MoeDistributeCombineAddRmsNormV2.elasticInfoOptional",
      "MoeDistributeCombineV3.elasticInfoOptional",
      "MoeDistributeCombineV4.elasticInfoOptional",
      "MoeDistributeDispatchV3.elasticInfoOptional",
      "MoeDistributeDispatchV4.elasticInfoOptional",
      "QuantMatmulAllReduceV3.commQuantScale1Optional",
      "QuantMatmulAllReduceV3.commQuantScale2Optional",
      "QuantMatmulAllReduceV4.commQuantScale1Optional",
      "QuantMatmulAllReduceV4.commQuantScale2Optional",
      "QuantMatmulAllReduceV5.commQuantScale1Optional",
      "QuantMatmulAllReduceV5.commQuantScale2Optional",
      // Quantised calls of several ranks, which tests/ops and tests/hccl make.
      "AllGatherMatmulV2.bias",
      "AllGatherMatmulV2.x1Scale",
      "AllGatherMatmulV2.x2Scale",
      "AlltoAllAllGatherBatchMatMul.biasOptional",
      "AttentionToFFN.scalesOptional",
      "BatchMatMulReduceScatterAlltoAll.biasOptional",
      "MatmulReduceScatterV2.x1Scale",
      "MatmulReduceScatterV2.x2Scale",
      "MoeDistributeCombineAddRmsNorm.sharedExpertXOptional",
      "MoeDistributeCombineAddRmsNormV2.sharedExpertXOptional",
      "MoeDistributeCombineV2.sharedExpertXOptional",
      "MoeDistributeCombineV3.sharedExpertXOptional",
      "MoeDistributeCombineV4.sharedExpertXOptional",
      "MoeDistributeDispatch.scales",
      "MoeDistributeDispatchV2.expertScalesOptional",
      "MoeDistributeDispatchV2.scalesOptional",
      "MoeDistributeDispatchV3.expertScalesOptional",
      "MoeDistributeDispatchV3.scalesOptional",
      "MoeDistributeDispatchV4.expertScalesOptional",
      "MoeDistributeDispatchV4.scalesOptional",
      "AllGatherMatmulV2.gatherOut:INT4",
      "AllGatherMatmulV2.gatherOut:INT8",
      "AllGatherMatmulV2.x1:INT4",
      "AllGatherMatmulV2.x1:INT8",
      "AllGatherMatmulV2.x2:INT4",
      "AllGatherMatmulV2.x2:INT8",
      "MatmulReduceScatterV2.x1:INT8",
      "MatmulReduceScatterV2.x2:INT8",
      // FLOAT16 results without factors of rows have coded scales, beside which a bias is INT32.
      "QuantMatmulV3.bias:FLOAT16",
      // Types that follow from several other arguments; the tests of these operators have them.
      "MoeInitRoutingV3.offsetOptional",
      "MoeInitRoutingV3.scaleOptional",
      "EmbeddingBag.perSampleWeights",
      "L1LossBackward.gradInput:INT64",
      "MaxPool2dWithMaskBackward.indices:INT32",
      "MaxPool2dWithMaskBackward.indices:INT64",
      "QuantMatmulV5.x2Offset:FLOAT16",
      "QuantMatmulWeightNz.x2Offset:FLOAT16",
      "Stft.out:DOUBLE",
      "Stft.out:FLOAT",
  };
  return kRows;
}

const std::set<std::string_view>& OfAnyShape() {
  static const std::set<std::string_view> kRows = {
      // Of attention for inference; the calls with options have two kinds of factors of a cache, of
      // which they read none.
      "antiquantOffset", "antiquantOffsetOptional", "antiquantScale", "antiquantScaleOptional",
      "keyAntiquantOffsetOptional", "keyAntiquantScaleOptional", "valueAntiquantOffsetOptional",
      "valueAntiquantScaleOptional",
      // Not written by gradients of sequences.
      "dpseOut"};
  return kRows;
}

namespace {

struct OwnSize {
  std::string_view operators;  // their names begin so
  std::string_view row;
  bool only_none = false;  // only without elements
};

}  // namespace

bool IsOfOwnSize(const OperatorTable& table, const ParamSpec& row, int64_t size) {
  static constexpr OwnSize kRows[] = {
      // Of the longest sequence, or more; shared by all heads or not.
      {"FlashAttentionVarLen", "attenMaskOptional"},
      {"FlashAttentionVarLen", "realShiftOptional"},
      {"FlashAttentionUnpadding", "attenMaskOptional"},
      {"FlashAttentionUnpadding", "pseShiftOptional"},
      // As many columns as the lengths, which are data, need.
      {"FusedInferAttentionScore", "blockTable"},
      {"FusedInferAttentionScore", "blockTableOptional"},
      {"IncreFlashAttention", "blocktable"},
      // As many experts as the indices, which are data, name.
      {"MoeFinalizeRouting", "biasOptional"},
      // Nothing is computed.
      {"FusedInferAttentionScore", "attentionOut", true},
      {"PromptFlashAttention", "attentionOut", true},
      {"IncreFlashAttention", "attentionOut", true},
      {"SparseFlashAttentionGrad", "query", true},
      {"SparseLightningIndexerGradKLLoss", "query", true},
      {"DenseLightningIndexerSoftmaxLse", "queryIndex", true},
  };
  return std::ranges::any_of(kRows, [&](const OwnSize& each) {
    return table.name.starts_with(each.operators) && row.name == each.row &&
           (size == 0 || !each.only_none);
  });
}

}  // namespace anyacl::test
