// SPDX-License-Identifier: Apache-2.0
// Calls of attention. What it can do excludes each other, so that each operator has several.
#include "ops/operator_hints.h"

namespace anyacl::test {
namespace {

const std::vector<std::string_view> kAttentionOptions = {"pseShift",
                                                         "attenMask",
                                                         "deqScale1",
                                                         "quantScale1",
                                                         "deqScale2",
                                                         "quantScale2",
                                                         "quantOffset2",
                                                         "antiquantScale",
                                                         "antiquantOffset",
                                                         "blockTable",
                                                         "queryPaddingSize",
                                                         "kvPaddingSize",
                                                         "pseShiftOptional",
                                                         "attenMaskOptional",
                                                         "deqScale1Optional",
                                                         "quantScale1Optional",
                                                         "deqScale2Optional",
                                                         "quantScale2Optional",
                                                         "quantOffset2Optional",
                                                         "antiquantScaleOptional",
                                                         "antiquantOffsetOptional",
                                                         "blockTableOptional",
                                                         "queryPaddingSizeOptional",
                                                         "kvPaddingSizeOptional",
                                                         "keyAntiquantScaleOptional",
                                                         "keyAntiquantOffsetOptional",
                                                         "valueAntiquantScaleOptional",
                                                         "valueAntiquantOffsetOptional",
                                                         "keySharedPrefixOptional",
                                                         "valueSharedPrefixOptional",
                                                         "softmaxLse",
                                                         "queryRopeOptional",
                                                         "keyRopeOptional",
                                                         "keyRopeAntiquantScaleOptional",
                                                         "dequantScaleQueryOptional",
                                                         "learnableSinkOptional",
                                                         "dequantScale1",
                                                         "dequantScale2",
                                                         "blocktable"};

CallHints AttentionHints() {
  return {.sizes = {{"B", {2}}, {"N", {2}}, {"Nk", {2}}, {"Sq", {3}}, {"S2", {5}}, {"D", {16}}},
          .values = {{"numHeads", Integer(2)},
                     {"preTokens", Integer(INT32_MAX)},
                     {"nextTokens", Integer(INT32_MAX)},
                     {"inputLayout", {.text = "BNSD"}},
                     {"actualSeqLengths", {}},
                     {"actualSeqLengthsKv", {}},
                     {"actualSeqLengthsOptional", {}},
                     {"actualSeqLengthsKvOptional", {}},
                     {"actualSharedPrefixLenOptional", {}},
                     {"qStartIdxOptional", {}},
                     {"kvStartIdxOptional", {}}},
          .alternatives = {{"query", 2}, {"key", 2}, {"value", 2}, {"attentionOut", 2}},
          .absent = kAttentionOptions,
          .own_shapes = true,
          .own_types = true,
          .needed = {"inputLayout"}};  // null is BSH
}

CallHints FlashAttentionHints() {
  return {.sizes = {{"B", {2}},
                    {"N", {2}},
                    {"Nk", {2}},
                    {"Sq", {3}},
                    {"S2", {5}},
                    {"D", {16}},
                    {"Dv", {16}},
                    {"bytes", {16}}},
          .values = {{"headNum", Integer(2)},
                     {"preTokens", Integer(INT32_MAX)},
                     {"nextTokens", Integer(INT32_MAX)},
                     {"inputLayout", {.text = "BNSD"}},
                     {"prefixOptional", {}}},
          .absent = {"paddingMaskOptional"},
          .own_shapes = true,
          .needed = {"pseShiftOptional"}};  // its gradient is wanted
}

// Makes these options part of a call, by whatever names versions have for them.
void Bring(CallHints& hints, const std::vector<std::string_view>& options) {
  std::erase_if(hints.absent, [&](std::string_view absent) {
    return std::find(options.begin(), options.end(), absent) != options.end();
  });
}

// These, too, the call cannot do without.
void Need(CallHints& hints, const std::vector<std::string_view>& rows) {
  hints.needed.insert(hints.needed.end(), rows.begin(), rows.end());
}

void SetLengths(CallHints& hints) {
  for (const char* name : {"actualSeqLengths", "actualSeqLengthsOptional"}) {
    hints.values[name] = Array({1, 1});
  }
  for (const char* name : {"actualSeqLengthsKv", "actualSeqLengthsKvOptional"}) {
    hints.values[name] = Array({5, 4});
  }
}

CallHints Rows(int64_t rows) {
  CallHints hints = AttentionHints();
  hints.sizes["Sq"] = {rows};
  return hints;
}

// Several rows do not look at factors that their types have no use for.
CallHints WithOptions(int64_t rows) {
  CallHints hints = Rows(rows);
  SetLengths(hints);
  Bring(hints, {"pseShift", "pseShiftOptional", "attenMask", "attenMaskOptional", "softmaxLse"});
  for (const char* mask : {"attenMask", "attenMaskOptional"}) hints.alternatives[mask] = 2;
  hints.values["softmaxLseFlag"] = Integer(1);
  hints.alternatives["softmaxLse"] = 0;
  if (rows == 1) return hints;
  std::vector<std::string_view> factors;
  for (std::string_view option : kAttentionOptions) {
    const bool factor = option.find("cale") != option.npos || option.find("Offset") != option.npos;
    if (factor && !option.starts_with("dequantScaleQuery")) factors.push_back(option);
  }
  Bring(hints, factors);
  for (std::string_view factor : factors) hints.alternatives[factor] = 0;
  // In pairs.
  Need(hints, {"keyAntiquantScaleOptional", "valueAntiquantScaleOptional",
               "keyAntiquantOffsetOptional", "valueAntiquantOffsetOptional"});
  return hints;
}

// The layout that null stands for.
CallHints WithRowsOfHeads(int64_t rows) {
  CallHints hints = Rows(rows);
  hints.values["inputLayout"] = {.text = "BSH"};
  for (const char* name : {"query", "attentionOut"}) {
    hints.values[name] = Shaped({2, rows, 32}, ACL_FLOAT16);
  }
  for (const char* name : {"key", "value"}) hints.values[name] = Shaped({2, 5, 32}, ACL_FLOAT16);
  hints.needed.clear();
  return hints;
}

CallHints WithPages(int64_t rows) {
  CallHints hints = Rows(rows);
  SetLengths(hints);
  Bring(hints, {"blockTable", "blockTableOptional", "blocktable"});
  hints.sizes["blocks"] = {2};
  hints.values["key"] = hints.values["value"] = Shaped({2, 128, 32}, ACL_FLOAT16);
  hints.values["blockSize"] = Integer(128);
  Need(hints, {"blockTable", "blockTableOptional", "blocktable", "actualSeqLengthsKv",
               "actualSeqLengthsKvOptional"});
  if (rows == 1) hints.needed.push_back("actualSeqLengths");
  return hints;
}

CallHints WithPadding(int64_t rows) {
  CallHints hints = Rows(rows);
  SetLengths(hints);
  Bring(hints,
        {"queryPaddingSize", "queryPaddingSizeOptional", "kvPaddingSize", "kvPaddingSizeOptional"});
  hints.values["kvPaddingSize"] = Shaped({1}, ACL_INT64);
  return hints;
}

CallHints WithPrefix() {
  CallHints hints = Rows(3);
  Bring(hints, {"keySharedPrefixOptional", "valueSharedPrefixOptional"});
  hints.values["actualSharedPrefixLenOptional"] = Array({3});
  Need(hints, {"keySharedPrefixOptional", "valueSharedPrefixOptional"});
  return hints;
}

CallHints WithInt8Result(int64_t rows) {
  CallHints hints = Rows(rows);
  Bring(hints, {"quantScale2", "quantScale2Optional", "quantOffset2", "quantOffset2Optional"});
  for (const char* name :
       {"quantScale2", "quantScale2Optional", "quantOffset2", "quantOffset2Optional"}) {
    hints.values[name] = Shaped({1}, ACL_FLOAT);
  }
  hints.sizes["D"] = {32};
  hints.values["attentionOut"] = Shaped({2, 2, rows, 32}, ACL_INT8);
  Need(hints, {"quantScale2", "quantScale2Optional"});
  return hints;
}

CallHints WithInt8Query() {
  CallHints hints = WithInt8Result(3);
  for (const char* name : {"query", "key", "value"}) {
    const int64_t size = name == std::string_view("query") ? 3 : 5;
    hints.values[name] = Shaped({2, 2, size, 32}, ACL_INT8);
  }
  for (const char* name : {"deqScale1", "quantScale1", "deqScale2", "deqScale1Optional",
                           "quantScale1Optional", "deqScale2Optional"}) {
    Bring(hints, {name});
    hints.needed.push_back(name);
    hints.values[name] = Shaped({1}, ACL_FLOAT);
  }
  return hints;
}

CallHints WithInt8Cache() {
  CallHints hints = Rows(1);
  hints.values["key"] = hints.values["value"] = Shaped({2, 2, 5, 16}, ACL_INT8);
  for (const char* name : {"antiquantScale", "antiquantOffset"}) {
    Bring(hints, {name});
    hints.values[name] = Shaped({2}, ACL_FLOAT16);
  }
  Need(hints, {"antiquantScale"});
  return hints;
}

// Of keys and values of 4 bits, eight of which an INT32 holds, and factors of channels.
CallHints WithInt4Cache(aclDataType type) {
  CallHints hints = Rows(1);
  hints.sizes["D"] = {64};
  hints.values["key"] = hints.values["value"] = Shaped({2, 2, 5, type == ACL_INT32 ? 8 : 64}, type);
  for (const char* name : {"keyAntiquantScaleOptional", "valueAntiquantScaleOptional"}) {
    Bring(hints, {name});
    hints.values[name] = Shaped({1, 128}, ACL_FLOAT16);
    Need(hints, {name});
  }
  return hints;
}

CallHints WithRope() {
  CallHints hints = Rows(3);
  Bring(hints, {"queryRopeOptional", "keyRopeOptional"});
  hints.sizes["D"] = {128};
  hints.alternatives["queryRopeOptional"] = hints.alternatives["keyRopeOptional"] = 2;
  Need(hints, {"queryRopeOptional", "keyRopeOptional"});
  return hints;
}

CallHints WithSink() {
  CallHints hints = Rows(3);
  Bring(hints, {"learnableSinkOptional"});
  hints.sizes["D"] = {64};
  // No pse is left to begin somewhere.
  hints.values["qStartIdxOptional"] = hints.values["kvStartIdxOptional"] = Array({});
  return hints;
}

// An INT8 query of latent heads in pages of FRACTAL_NZ.
CallHints WithQueryScale() {
  CallHints hints = WithPages(3);
  Bring(hints, {"queryRopeOptional", "keyRopeOptional", "dequantScaleQueryOptional",
                "keyAntiquantScaleOptional", "valueAntiquantScaleOptional"});
  hints.values["query"] = Shaped({2, 2, 3, 512}, ACL_INT8);
  hints.values["key"] = hints.values["value"] = Shaped({2, 1, 16, 128, 32}, ACL_INT8);
  hints.values["queryRopeOptional"] = Shaped({2, 2, 3, 64}, ACL_BF16);
  hints.values["keyRopeOptional"] = Shaped({2, 1, 4, 128, 16}, ACL_BF16);
  hints.values["dequantScaleQueryOptional"] = Shaped({2, 2, 3}, ACL_FLOAT);
  hints.values["keyAntiquantScaleOptional"] = hints.values["valueAntiquantScaleOptional"] =
      Shaped({1}, ACL_FLOAT);
  hints.values["attentionOut"] = Shaped({2, 2, 3, 512}, ACL_BF16);
  hints.values["numKeyValueHeads"] = Integer(1);
  hints.values["queryQuantMode"] = Integer(3);
  for (const char* name : {"queryRopeOptional", "keyRopeOptional", "dequantScaleQueryOptional",
                           "keyAntiquantScaleOptional", "valueAntiquantScaleOptional"}) {
    hints.needed.push_back(name);
  }
  return hints;
}

void AddFused(std::map<std::string, CallHints>& hints) {
  for (const char* version : {"", "V2", "V3", "V4", "V5"}) {
    const std::string name = std::string("FusedInferAttentionScore") + version;
    hints[name] = AttentionHints();
    hints[name + "_with_options"] = WithOptions(3);
    hints[name + "_with_rows_of_heads"] = WithRowsOfHeads(3);
    hints[name + "_with_pages"] = WithPages(3);
    hints[name + "_with_padding"] = WithPadding(3);
    hints[name + "_with_int8_query"] = WithInt8Query();
    if (version[0] == 0) continue;
    hints[name + "_with_prefix"] = WithPrefix();
    hints[name + "_with_int4_cache"] = WithInt4Cache(ACL_INT4);
    hints[name + "_with_packed_cache"] = WithInt4Cache(ACL_INT32);
    if (version[1] == '2') continue;
    hints[name + "_with_rope"] = WithRope();
    if (version[1] == '3') continue;
    hints[name + "_with_sink"] = WithSink();
    hints[name + "_with_query_scale"] = WithQueryScale();
  }
}

}  // namespace

void AddAttention(std::map<std::string, CallHints>& hints) {
  AddFused(hints);
  for (const char* version : {"", "V2", "V3"}) {
    const std::string name = std::string("PromptFlashAttention") + version;
    hints[name] = AttentionHints();
    hints[name + "_with_options"] = WithOptions(3);
    hints[name + "_with_rows_of_heads"] = WithRowsOfHeads(3);
    if (version[0] != 0) hints[name + "_with_int8_query"] = WithInt8Query();
  }
  for (const char* version : {"", "V2", "V3", "V4"}) {
    const std::string name = std::string("IncreFlashAttention") + version;
    hints[name] = Rows(1);
    hints[name + "_with_rows_of_heads"] = WithRowsOfHeads(1);
    hints[name + "_with_options"] = WithOptions(1);
    // Its lengths are those of keys.
    hints[name + "_with_options"].values["actualSeqLengths"] = Array({5, 4});
    if (version[0] == 0) continue;
    hints[name + "_with_int8_result"] = WithInt8Result(1);
    if (version[1] == '2') continue;
    hints[name + "_with_int8_cache"] = WithInt8Cache();
    hints[name + "_with_pages"] = WithPages(1);
    hints[name + "_with_pages"].values["actualSeqLengths"] = Array({5, 4});
    if (version[1] == '4') hints[name + "_with_padding"] = WithPadding(1);
  }
  for (const char* name : {"FlashAttentionScore", "FlashAttentionScoreGrad"}) {
    hints[name] = FlashAttentionHints();
    CallHints& empty = hints[std::string(name) + "_with_empty_padding"] = FlashAttentionHints();
    empty.values["paddingMaskOptional"] = Shaped({0}, ACL_FLOAT);
    // Columns that all rows see.
    empty.values["prefixOptional"] = Array({});
    empty.absent.clear();
  }
}

}  // namespace anyacl::test
