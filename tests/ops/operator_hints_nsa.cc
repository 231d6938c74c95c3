// SPDX-License-Identifier: Apache-2.0
// Native sparse attention: one sequence, whose lengths follow from each other.
#include "ops/operator_hints.h"

namespace anyacl::test {
namespace {

using Hints = std::map<std::string, CallHints>;

void AddOfTraining(Hints& hints) {
  hints["NsaCompress"] = {
      .sizes = {{"T", {40}}, {"N", {2}}, {"D", {16}}, {"blocks", {2}}, {"compressBlockSize", {16}}},
      .values = {{"actSeqLenOptional", Array({40})},
                 {"layoutOptional", {.text = "TND"}},
                 {"compressBlockSize", Integer(16)},
                 {"compressStride", Integer(16)}},
      .needed = {"layoutOptional"}};
  hints["NsaCompressGrad"] = hints["NsaCompress"];
  hints["NsaCompressGrad"].values = {{"actSeqLenOptionalOptional", Array({40})},
                                     {"layoutOptionalOptional", {.text = "TND"}},
                                     {"compressBlockSize", Integer(16)},
                                     {"compressStride", Integer(16)}};
  hints["NsaCompressGrad"].needed = {"layoutOptionalOptional"};
  const CallHints attention = {
      .sizes = {{"T1", {3}}, {"T2", {9}}, {"N2", {2}}, {"D", {8}}, {"Dv", {8}}},
      .values = {{"actualSeqQLenOptional", Array({3})},
                 {"headNum", Integer(4)},
                 {"inputLayout", {.text = "TND"}}},
      .needed = {"inputLayout"}};
  CallHints& compressed = hints["NsaCompressAttention"] = attention;
  compressed.sizes.insert({{"S1", {3}}, {"S2", {9}}, {"selected", {3}}, {"selectBlockCount", {2}}});
  compressed.values.insert({{"actualCmpSeqKvLenOptional", Array({9})},
                            {"actualSelSeqKvLenOptional", Array({3})},
                            {"compressBlockSize", Integer(32)},
                            {"compressStride", Integer(16)},
                            {"selectBlockSize", Integer(64)},
                            {"selectBlockCount", Integer(2)}});
  for (const char* name : {"NsaSelectedAttention", "NsaSelectedAttentionGrad"}) {
    CallHints& selected = hints[name] = attention;
    selected.sizes.insert({{"selectedBlockCount", {2}}});
    selected.values.insert({{"actualSeqKvLenOptional", Array({9})},
                            {"sparseMode", Integer(2)},
                            {"selectedBlockSize", Integer(16)},
                            {"selectedBlockCount", Integer(2)}});
  }
}

void AddCompressWithCache(Hints& hints) {
  hints["NsaCompressWithCache"] = {.sizes = {{"pages", {5}},
                                             {"pageBlockSize", {64}},
                                             {"N", {2}},
                                             {"D", {16}},
                                             {"T", {70}},
                                             {"B", {2}},
                                             {"columns", {2}},
                                             {"slots", {4}},
                                             {"compressBlockSize", {16}}},
                                   .values = {{"actSeqLenOptional", Array({32, 16})},
                                              {"layoutOptional", {.text = "TND"}},
                                              {"compressBlockSize", Integer(16)},
                                              {"compressStride", Integer(16)},
                                              {"actSeqLenType", Integer(1)},
                                              {"pageBlockSize", Integer(64)}},
                                   .absent = {"blockTableOptional"},
                                   .own_shapes = true,  // any number of pages, rows and slots
                                   .needed = {"layoutOptional"}};
  CallHints& paged = hints["NsaCompressWithCache_with_pages"] = hints["NsaCompressWithCache"];
  paged.alternatives["input"] = 0;
  paged.absent.clear();
  paged.needed = {"blockTableOptional"};
}

void AddOfInference(Hints& hints) {
  const CallHints infer = {.sizes = {{"B", {2}},
                                     {"S", {1}},
                                     {"N", {4}},
                                     {"N2", {2}},
                                     {"D", {8}},
                                     {"T", {2}},
                                     {"H", {16}},
                                     {"pages", {5}},
                                     {"pageBlockSize", {16}},
                                     {"columns", {2}},
                                     {"count", {2}},
                                     {"selectBlockCount", {2}}},
                           .values = {{"numHeads", Integer(4)},
                                      {"numKeyValueHeads", Integer(2)},
                                      {"selectBlockSize", Integer(16)},
                                      {"selectBlockCount", Integer(2)},
                                      {"pageBlockSize", Integer(16)},
                                      {"layoutOptional", {.text = "TND"}},
                                      {"actualQSeqLenOptional", Array({1, 1})},
                                      {"actualKvSeqLenOptional", Array({20, 17})},
                                      {"actualCmpKvSeqLenOptional", Array({20, 17})},
                                      {"actualSelKvSeqLenOptional", Array({330, 290})},
                                      {"compressBlockSize", Integer(16)},
                                      {"compressBlockStride", Integer(16)}},
                           .own_shapes = true,
                           .needed = {"layoutOptional"}};
  for (const char* name : {"NsaSelectedAttentionInfer", "NsaCompressAttentionInfer"}) {
    CallHints& ragged = hints[name] = infer;
    CallHints& batches = hints[std::string(name) + "_with_batches"] = infer;
    batches.values["layoutOptional"] = {.text = "BSND"};
    batches.needed.clear();
    for (const char* row : {"query", "key", "value", "topkIndices", "topKOutput", "output"}) {
      batches.alternatives[row] = 0;
    }
    const bool compressed = std::string_view(name) == "NsaCompressAttentionInfer";
    for (CallHints* hint : {&ragged, &batches}) {
      for (const char* value : {"actualCmpKvSeqLenOptional", "actualSelKvSeqLenOptional",
                                "compressBlockSize", "compressBlockStride"}) {
        if (!compressed) hint->values.erase(value);
      }
      if (compressed) hint->values.erase("actualKvSeqLenOptional");
      hint->sizes.erase(compressed ? "count" : "selectBlockCount");
    }
    batches.alternatives.erase(compressed ? "topkIndices" : "topKOutput");
  }
}

}  // namespace

void AddNativeSparseAttention(Hints& hints) {
  AddOfTraining(hints);
  AddCompressWithCache(hints);
  AddOfInference(hints);
}

}  // namespace anyacl::test
