// SPDX-License-Identifier: Apache-2.0
// Right calls of operators on attention over chosen keys.
#include "ops/operator_hints.h"

namespace anyacl::test {

// Sequences in rows of their own and keys in blocks, or tokens of all sequences together.
void AddSparseAttention(std::map<std::string, CallHints>& hints) {
  const auto add = [&](const std::string& name, const char* query_layout, const char* key_layout,
                       std::vector<std::string_view> tensors, CallHints own) {
    own.sizes.insert(
        {{"B", {2}}, {"S1", {3}}, {"N1", {4}}, {"T1", {6}}, {"blockSize", {16}}, {"K", {5}}});
    own.values.insert({{"sparseMode", Integer(3)},
                       {"preTokens", Integer(INT64_MAX)},
                       {"nextTokens", Integer(INT64_MAX)}});
    own.values[query_layout] = {.text = "BSND"};
    own.values[key_layout] = {.text = "PA_BSND"};
    own.own_shapes = true;
    own.needed.insert(own.needed.end(), {query_layout, key_layout});
    CallHints& together = hints[name + "_with_tokens_together"] = own;
    together.values[query_layout] = together.values[key_layout] = {.text = "TND"};
    CallHints& blocks = hints[name] = own;
    blocks.absent.clear();
    for (std::string_view tensor : tensors) {
      blocks.alternatives[tensor] = 0;
      if (!together.alternatives.contains(tensor)) together.alternatives[tensor] = 1;
    }
    for (std::string_view key : {"key", "value", "keyRope"}) {
      if (blocks.alternatives.contains(key)) together.alternatives[key] = 2;
    }
  };
  add("LightningIndexer", "layoutQueryOptional", "layoutKeyOptional",
      {"query", "key", "weights", "sparseIndicesOut", "sparseValuesOut"},
      {.sizes = {{"D", {128}}},
       .values = {{"sparseCount", Integer(5)}},
       .absent = {"blockTableOptional"},
       .own_types = true,
       .needed = {"actualSeqLengthsQueryOptional", "actualSeqLengthsKeyOptional"}});
  hints["LightningIndexer_with_tokens_together"].values["returnValues"] = Integer(1);
  hints["LightningIndexer_with_tokens_together"].needed.push_back("sparseValuesOut");
  hints["LightningIndexer"].needed = {"blockTableOptional", "actualSeqLengthsKeyOptional",
                                      "layoutKeyOptional"};
  add("QuantLightningIndexer", "layoutQueryOptional", "layoutKeyOptional",
      {"query", "key", "weights", "queryDequantScale", "keyDequantScale", "out"},
      {.sizes = {{"D", {128}}},
       .values = {{"sparseCount", Integer(5)}},
       .absent = {"blockTableOptional"},
       .needed = {"actualSeqLengthsQueryOptional", "actualSeqLengthsKeyOptional"}});
  hints["QuantLightningIndexer_with_tokens_together"].alternatives["keyDequantScale"] = 2;
  hints["QuantLightningIndexer"].needed = hints["LightningIndexer"].needed;
  add("SparseFlashAttention", "layoutQuery", "layoutKv",
      {"query", "key", "value", "sparseIndices", "queryRope", "keyRope", "attentionOutOut",
       "softmaxMaxOut", "softmaxSumOut"},
      {.sizes = {{"D", {512}}},
       .values = {{"sparseBlockSize", Integer(1)}, {"attentionMode", Integer(2)}},
       .absent = {"blockTable"},
       .needed = {"actualSeqLengthsQuery", "actualSeqLengthsKv"}});
  add("SparseFlashAttentionV2", "layoutQueryOptional", "layoutKvOptional",
      {"query", "key", "value", "sparseIndices", "queryRopeOptional", "keyRopeOptional",
       "attentionOutOut", "softmaxMaxOut", "softmaxSumOut"},
      {.sizes = {{"D", {512}}},
       .values = {{"sparseBlockSizeOptional", Integer(1)}, {"attentionMode", Integer(2)}},
       .absent = {"blockTableOptional"},
       .needed = {"actualSeqLengthsQueryOptional", "actualSeqLengthsKvOptional"}});
  hints["SparseFlashAttentionV2_with_tokens_together"].alternatives["keyRopeOptional"] = 2;
  hints["SparseFlashAttentionV2"].needed = {"blockTableOptional", "actualSeqLengthsKvOptional",
                                            "layoutKvOptional"};
  auto& together = hints["SparseFlashAttention_with_tokens_together"];
  together.values["returnSoftmaxLse"] = Integer(1);
  together.needed.insert(together.needed.end(), {"softmaxMaxOut", "softmaxSumOut"});
  hints["SparseFlashAttention"].needed = {"blockTable", "actualSeqLengthsKv", "layoutKv"};
  add("KvQuantSparseFlashAttention", "layoutQueryOptional", "layoutKvOptional",
      {"query", "key", "value", "sparseIndices", "out"},
      {.values = {{"sparseBlockSize", Integer(1)},
                  {"attentionMode", Integer(2)},
                  {"keyQuantMode", Integer(2)},
                  {"valueQuantMode", Integer(2)},
                  {"quantScaleRepoMode", Integer(1)},
                  {"tileSize", Integer(128)},
                  {"ropeHeadDim", Integer(64)}},
       .absent = {"blockTableOptional"},
       .needed = {"actualSeqLengthsQueryOptional", "actualSeqLengthsKvOptional"}});
  for (const char* name :
       {"KvQuantSparseFlashAttention", "KvQuantSparseFlashAttention_with_tokens_together"}) {
    auto& call = hints[name];
    const bool blocks = call.values["layoutKvOptional"].text == std::string_view("PA_BSND");
    using Dims = std::vector<int64_t>;
    const Dims query = blocks ? Dims{2, 3, 4, 576} : Dims{6, 4, 576};
    const Dims key = blocks ? Dims{4, 16, 1, 656} : Dims{4, 1, 656};
    call.values["query"] = {.layout = Layout{.dims = query, .dtype = ACL_FLOAT16}};
    call.values["key"] = {.layout = Layout{.dims = key, .dtype = ACL_INT8}};
    call.values["value"] = call.values["key"];
  }
  hints["KvQuantSparseFlashAttention"].needed = {"blockTableOptional", "actualSeqLengthsKvOptional",
                                                 "layoutKvOptional"};
  CallHints gradient = {
      .sizes = {{"B", {2}}, {"S1", {3}}, {"N1", {4}}, {"T1", {6}}, {"K", {5}}, {"D", {512}}},
      .values = {{"layoutOptional", {.text = "TND"}},
                 {"preTokens", Integer(INT64_MAX)},
                 {"nextTokens", Integer(INT32_MAX)},
                 {"sparseBlockSize", Integer(1)}},
      .own_shapes = true,
      .needed = {"value", "dValueOut", "queryRopeOptional", "keyRopeOptional",
                 "dQueryRopeOutOptional", "dKeyRopeOutOptional", "actualSeqLengthsQueryOptional",
                 "actualSeqLengthskvOptional", "layoutOptional"}};
  gradient.alternatives = {{"dQueryRopeOutOptional", 1}, {"dKeyRopeOutOptional", 1}};
  hints["SparseFlashAttentionGrad"] = gradient;
  hints["LightningIndexerGrad"] = {
      .sizes = {{"T1", {6}}, {"N1", {4}}, {"B", {2}}, {"D", {128}}, {"T2", {7}}, {"K", {5}}},
      .values = {{"layout", {.text = "TND"}},
                 {"preTokens", Integer(INT64_MAX)},
                 {"nextTokens", Integer(INT64_MAX)}},
      .own_shapes = true,
      .needed = {"actualSeqLengthsQuery", "actualSeqLengthsKey", "layout"}};
  hints["SparseLightningIndexerGradKLLoss"] = {
      .sizes = {{"T1", {6}}, {"N1", {4}}, {"M", {3}}, {"D", {512}}, {"T2", {7}}, {"K", {5}}},
      .values = {{"layout", {.text = "TND"}},
                 {"sparseMode", Integer(3)},
                 {"pre_tokens", Integer(INT64_MAX)},
                 {"next_tokens", Integer(INT64_MAX)},
                 {"actualSeqLengthsQuery", Array({2, 6})},
                 {"actualSeqLengthsKey", Array({3, 7})}},
      .own_shapes = true,
      .own_types = true,
      .needed = {"actualSeqLengthsQuery", "actualSeqLengthsKey", "layout", "queryRope", "keyRope"}};
  hints["DenseLightningIndexerGradKLLoss"] = {
      .sizes = {{"T1", {6}}, {"N1", {4}}, {"M", {3}}, {"D", {128}}, {"T2", {7}}},
      .values = {{"layout", {.text = "TND"}},
                 {"sparseMode", Integer(3)},
                 {"preTokens", Integer(INT64_MAX)},
                 {"nextTokens", Integer(INT64_MAX)},
                 {"actualSeqLengthsQuery", Array({2, 6})},
                 {"actualSeqLengthsKey", Array({3, 7})}},
      .own_shapes = true,
      .own_types = true,
      .needed = {"actualSeqLengthsQuery", "actualSeqLengthsKey", "layout", "queryRope", "keyRope"}};
  hints["DenseLightningIndexerSoftmaxLse"] = {
      .sizes = {{"T1", {6}}, {"M", {3}}, {"T2", {7}}},
      .values = {{"layoutOptional", {.text = "TND"}},
                 {"sparseMode", Integer(3)},
                 {"preTokens", Integer(INT64_MAX)},
                 {"nextTokens", Integer(INT64_MAX)},
                 {"actualSeqLengthsQueryOptional", Array({2, 6})},
                 {"actualSeqLengthsKeyOptional", Array({3, 7})}},
      .own_shapes = true,
      .own_types = true,
      .needed = {"actualSeqLengthsQueryOptional", "actualSeqLengthsKeyOptional", "layoutOptional"}};
  hints["BlockSparseAttention"] = hints["BlockSparseAttentionGrad"] = {
      .sizes = {{"D", {16}}, {"B", {1}}, {"Q", {1}}, {"K", {1}}},
      .values = {{"qInputLayout", {.text = "TND"}},
                 {"kvInputLayout", {.text = "TND"}},
                 {"numKeyValueHeads", Integer(4)},
                 {"innerPrecise", Integer(4)},
                 {"softmaxLseFlag", Integer(1)},
                 {"blockShapeOptional", Array({128, 128})},
                 {"actualSeqLengthsOptional", Array({4})},
                 {"actualSeqLengthsKvOptional", Array({4})}},
      .absent = {"attenMaskOptional", "blockTableOptional"},
      .own_shapes = true,
      .needed = {"actualSeqLengthsOptional", "actualSeqLengthsKvOptional", "softmaxLseOptional"}};
  hints["FusedFloydAttention"].own_shapes = hints["FusedFloydAttentionGrad"].own_shapes = true;
}

}  // namespace anyacl::test
