// SPDX-License-Identifier: Apache-2.0
// Native sparse attention: one sequence, whose lengths follow from each other.
#include "ops/operator_hints.h"

namespace anyacl::test {

void AddNativeSparseAttention(std::map<std::string, CallHints>& hints) {
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

}  // namespace anyacl::test
