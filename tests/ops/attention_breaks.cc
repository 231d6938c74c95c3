// SPDX-License-Identifier: Apache-2.0
// Types, shapes, lists, masks and lengths.
#include "ops/attention_breaks.h"

namespace anyacl::test {
namespace {

using Call = AttentionCall;

void SetType(OptionalLayout& layout, aclDataType type) { layout->dtype = type; }

Change Type(size_t which, aclDataType type) {
  return [=](Call& c) { SetType(c.tensors[which], type); };
}
Change Dims(size_t which, std::vector<int64_t> dims) {
  return [=](Call& c) { c.tensors[which]->dims = dims; };
}
// Both keys and values.
Change CacheDims(std::vector<int64_t> dims) {
  return [=](Call& c) { (*c.key)[0]->dims = (*c.value)[0]->dims = dims; };
}
Change KeyDims(size_t member, std::vector<int64_t> dims) {
  return [=](Call& c) { (*c.key)[member]->dims = dims; };
}
Change MemberDims(size_t member, std::vector<int64_t> dims) {
  return [=](Call& c) { (*c.key)[member]->dims = (*c.value)[member]->dims = dims; };
}
Change Null(size_t which) {
  return [=](Call& c) { c.tensors[which].reset(); };
}
Change Give(size_t which, Layout layout) {
  return [=](Call& c) { c.tensors[which] = layout; };
}

AttentionOptions Masked(AttentionOptions o, int64_t sparse_mode) {
  o.mask = true;
  o.sparse_mode = sparse_mode;
  return o;
}

AttentionOptions InLayoutOf(AttentionOptions o, const char* layout) {
  o.layout = layout;
  return o;
}

AttentionOptions Lse(AttentionOptions o) {
  o.lse = true;
  return o;
}

}  // namespace

AttentionOptions PromptCall() {
  AttentionOptions o;
  o.query_size = 8;
  o.kv_size = 16;
  return o;
}

AttentionOptions OneTokenCall() {
  AttentionOptions o;
  o.kv_size = 16;
  return o;
}

AttentionOptions ListCall(int64_t query_size) {
  AttentionOptions o;
  o.query_size = query_size;
  o.kv_size = 16;
  o.batch = 3;
  o.cache = Cache::kList;
  return o;
}

std::vector<Break> TypeBreaks() {
  const AttentionOptions prompt = PromptCall(), one = OneTokenCall();
  const AttentionOptions int8 = Int8Prompt(), list = ListCall(8), paged = PagedOneToken();
  AttentionOptions pse = prompt, padded = prompt;
  pse.pse = true;
  padded.query_padding = padded.kv_padding = 0;
  AttentionOptions quantised = Quantised(ACL_INT8, 0), offsets = Combined(1);
  quantised.antiquant_offset = offsets.antiquant_offset = true;
  AttentionOptions out = Int8Out(prompt);
  out.out_offset = true;
  const auto nz = [](OptionalLayout& layout) { layout->format = ACL_FORMAT_FRACTAL_NZ; };
  return {
      {"V01", prompt, Null(kQuery), {"query", "null"}},
      {"V01", prompt, [](Call& c) { c.key.reset(); }, {"key", "null"}},
      {"V01", prompt, [](Call& c) { c.value.reset(); }, {"value", "null"}},
      {"V01", one, Null(kOut), {"attentionOut", "null"}},
      {"V02", prompt, [](Call& c) { c.key->clear(); }, {"key", "0"}},
      {"V02", one, [](Call& c) { c.value->clear(); }, {"value", "0"}},
      {"V02", prompt, [](Call& c) { (*c.key)[0].reset(); }, {"key", "null"}},
      {"V03", list, [](Call& c) { (*c.value)[1].reset(); }, {"value", "1", "null"}},
      {"V05", list, [](Call& c) { c.key->resize(257, (*c.key)[0]); }, {"key", "257", "256"}},
      {"V06", prompt, Type(kQuery, ACL_FLOAT), {"query", "FLOAT"}},
      {"V06", prompt, Type(kOut, ACL_BF16), {"attentionOut", "BF16"}},
      {"V06", prompt, [](Call& c) { SetType((*c.value)[0], ACL_BF16); }, {"value", "BF16"}},
      {"V06",
       prompt,
       [](Call& c) {
         SetType((*c.key)[0], ACL_BF16);
         SetType((*c.value)[0], ACL_BF16);
       },
       {"query", "key", "FLOAT16", "BF16"}},
      {"V06", one, [](Call& c) { SetType((*c.key)[0], ACL_INT32); }, {"key", "INT32"}},
      {"V06", int8, Type(kOut, ACL_BF16), {"attentionOut", "BF16", "INT8"}},
      {"V07", prompt, [=](Call& c) { nz(c.tensors[kQuery]); }, {"query", "format", "ND"}},
      {"V07", list, [=](Call& c) { nz((*c.key)[2]); }, {"key", "format", "ND"}},
      {"V07", prompt, [=](Call& c) { nz(c.tensors[kOut]); }, {"attentionOut", "format"}},
      {"V08", pse, Type(kPse, ACL_FLOAT), {"pseShiftOptional", "FLOAT"}},
      {"V09", Masked(prompt, 0), Type(kMask, ACL_FLOAT16), {"attenMaskOptional", "FLOAT16"}},
      {"V10", Lse(prompt), Null(kLse), {"softmaxLse", "null"}},
      {"V11", Lse(prompt), Type(kLse, ACL_FLOAT16), {"softmaxLse", "FLOAT16"}},
      {"V12", int8, Type(kDeq1, ACL_INT64), {"deqScale1Optional", "INT64"}},
      {"V12", int8, Type(kDeq2, ACL_FLOAT16), {"deqScale2Optional", "FLOAT16"}},
      {"V12", int8, Type(kQuant1, ACL_FLOAT16), {"quantScale1Optional", "FLOAT16"}},
      {"V12", out, Type(kQuant2, ACL_FLOAT16), {"quantScale2Optional", "FLOAT16"}},
      {"V12", out, Type(kOffset2, ACL_FLOAT16), {"quantOffset2Optional", "FLOAT16"}},
      {"V12", offsets, Type(kScales, ACL_INT8), {"antiquantScaleOptional", "INT8"}},
      {"V12", offsets, Type(kOffsets, ACL_INT8), {"antiquantOffsetOptional", "INT8"}},
      {"V12", paged, Type(kTable, ACL_INT64), {"blockTableOptional", "INT64"}},
      {"V12", padded, Type(kQueryPad, ACL_INT32), {"queryPaddingSizeOptional", "INT32"}},
      {"V12", padded, Type(kKvPad, ACL_INT32), {"kvPaddingSizeOptional", "INT32"}},
      {"V12", quantised, Type(kKeyScale, ACL_INT8), {"keyAntiquantScaleOptional", "INT8"}},
      {"V12", quantised, Type(kKeyOffset, ACL_INT8), {"keyAntiquantOffsetOptional", "INT8"}},
      {"V12", quantised, Type(kValueScale, ACL_INT8), {"valueAntiquantScaleOptional", "INT8"}},
      {"V12", quantised, Type(kValueOffset, ACL_INT8), {"valueAntiquantOffsetOptional", "INT8"}},
      {"V15", one, [](Call& c) { c.inner_precise = 2; }, {"innerPrecise", "2"}},
      {"V15", one, [](Call& c) { c.inner_precise = -1; }, {"innerPrecise", "1"}},
      {"V15", prompt, [](Call& c) { c.inner_precise = 4; }, {"innerPrecise", "4"}},
  };
}

std::vector<Break> HeadBreaks() {
  const AttentionOptions prompt = PromptCall(), one = OneTokenCall();
  const AttentionOptions bsh = InLayoutOf(prompt, "BSH");
  return {
      {"V20", prompt, [](Call& c) { c.layout = "bnsd"; }, {"inputLayout", "bnsd"}},
      {"V20", prompt, [](Call& c) { c.layout = "TND"; }, {"inputLayout", "TND"}},
      {"V20", one, [](Call& c) { c.layout = "SH"; }, {"inputLayout", "SH"}},
      {"V20", one, [](Call& c) { c.layout = "BNSD_BSND_X"; }, {"inputLayout"}},
      {"V21",
       one,
       [](Call& c) {
         c.layout = "BNSD_BSND";
         c.tensors[kOut]->dims = {2, 1, 4, 32};
       },
       {"inputLayout", "1"}},
      {"V22", prompt, Dims(kQuery, {2, 8, 128}), {"query", "3", "4"}},
      {"V22", bsh, Dims(kQuery, {2, 8, 4, 32}), {"query", "4", "3"}},
      {"V22", prompt, CacheDims({2, 16, 64}), {"key", "3", "4"}},
      {"V23", prompt, [](Call& c) { c.num_heads = 0; }, {"numHeads", "0"}},
      {"V24", one, [](Call& c) { c.num_kv_heads = -1; }, {"numKeyValueHeads", "1"}},
      {"V25", bsh, [](Call& c) { c.num_heads = 3; }, {"query", "128", "3"}},
      {"V26", prompt, [](Call& c) { c.num_heads = 6; }, {"query", "4", "6"}},
      {"V27", prompt, [](Call& c) { c.num_kv_heads = 4; }, {"key", "2", "4"}},
      {"V27", one, [](Call& c) { (*c.value)[0]->dims[1] = 4; }, {"value", "4", "2"}},
      {"V173", prompt, [](Call& c) { (*c.key)[0]->dims[1] = 0; }, {"key", "0", "2"}, "V27"},
      {"V28", prompt, [](Call& c) { c.num_kv_heads = 3; }, {"numHeads", "4", "3"}},
      {"V28", one, [](Call& c) { c.num_kv_heads = 8; }, {"numHeads", "4", "8"}},
  };
}

std::vector<Break> SizeBreaks() {
  const AttentionOptions prompt = PromptCall(), one = OneTokenCall();
  const AttentionOptions bsh = InLayoutOf(prompt, "BSH");
  AttentionOptions four = Quantised(ACL_INT4, 0), packed = Quantised(ACL_INT32, 0);
  // N = 65 over one head of keys, and other counts of heads.
  const auto heads = [](int64_t n, int64_t nk) {
    return [=](Call& c) {
      c.num_heads = n;
      c.num_kv_heads = nk;
      c.tensors[kQuery]->dims[1] = c.tensors[kOut]->dims[1] = n;
      (*c.key)[0]->dims[1] = (*c.value)[0]->dims[1] = nk;
    };
  };
  const auto dim = [](int64_t d) {
    return [=](Call& c) {
      for (auto* layout : {&c.tensors[kQuery], &c.tensors[kOut], &(*c.key)[0], &(*c.value)[0]}) {
        (*layout)->dims.back() = d;
      }
    };
  };
  return {
      {"V29", prompt, heads(65, 1), {"65", "64"}},
      {"V30", bsh, CacheDims({2, 16, 128}), {"key", "128", "64"}},
      {"V30", prompt, CacheDims({2, 2, 16, 64}), {"key", "64", "32"}},
      {"V30", one, [](Call& c) { (*c.value)[0]->dims[3] = 16; }, {"value", "16", "32"}},
      {"V31", prompt, [](Call& c) { (*c.value)[0]->dims[2] = 17; }, {"value", "17"}},
      {"V32", prompt, CacheDims({3, 2, 16, 32}), {"key", "3", "2"}},
      {"V33", prompt, Dims(kOut, {2, 4, 8, 64}), {"attentionOut", "64", "32"}},
      {"V33", InLayoutOf(prompt, "BNSD_BSND"), Dims(kOut, {2, 4, 8, 32}), {"attentionOut"}},
      {"V34", prompt, Dims(kQuery, {2, 4, 0, 32}), {"attentionOut", "query"}},
      {"V35",
       one,
       [](Call& c) {
         for (auto* layout : {&c.tensors[kQuery], &c.tensors[kOut], &(*c.key)[0], &(*c.value)[0]})
           (*layout)->dims[0] = 65537;
       },
       {"query", "65537", "65536"}},
      {"V36", prompt, heads(257, 257), {"numHeads", "257", "256"}},
      {"V36", one, heads(257, 257), {"numHeads", "257"}},
      {"V37", prompt, dim(528), {"query", "528", "512"}},
      {"V37", one, dim(513), {"query", "513"}},
      {"V38",
       bsh,
       [](Call& c) {
         c.num_heads = c.num_kv_heads = 256;
         for (auto* layout : {&c.tensors[kQuery], &c.tensors[kOut], &(*c.key)[0], &(*c.value)[0]})
           (*layout)->dims[2] = 256 * 256;
       },
       {"query", "65536", "65535"}},
      {"V39",
       prompt,
       [](Call& c) { c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 20971521; },
       {"query", "20971521", "20971520"}},
      {"V39", prompt, CacheDims({2, 2, 20971521, 32}), {"key", "20971521"}},
      {"V41", prompt, dim(24), {"query", "24", "16"}},
      {"V41", Int8Out(prompt), dim(48), {"query", "48", "32"}},
      {"V42", four, dim(96), {"query", "96", "64"}},
      {"V42",
       packed,
       [](Call& c) {
         c.tensors[kQuery]->dims[3] = c.tensors[kOut]->dims[3] = 96;
         (*c.key)[0]->dims[3] = (*c.value)[0]->dims[3] = 12;
       },
       {"query", "96", "64"}},
  };
}

std::vector<Break> ListBreaks() {
  const AttentionOptions list = ListCall(8), one = ListCall(1);
  AttentionOptions separate = ListCall(8);
  separate.query_type = separate.out_type = ACL_BF16;
  separate.kv_type = ACL_INT8;
  separate.antiquant = Antiquant::kSeparate;
  return {
      {"V50",
       list,
       [](Call& c) {
         c.key->pop_back();
         c.value->pop_back();
       },
       {"key", "2", "3"}},
      {"V50", one, [](Call& c) { c.value->pop_back(); }, {"value", "2", "3"}},
      {"V51", list, MemberDims(1, {2, 2, 16, 32}), {"key", "2", "1"}},
      {"V52", list, MemberDims(1, {1, 4, 16, 32}), {"key", "4", "2"}},
      {"V52", one, MemberDims(2, {1, 2, 16, 64}), {"key", "64", "32"}},
      {"V52", list, [](Call& c) { SetType((*c.value)[1], ACL_BF16); }, {"value", "BF16"}},
      {"V53", list, KeyDims(1, {1, 2, 40, 32}), {"value", "40"}},
      {"V54", list, [](Call& c) { c.num_kv_heads = 4; }, {"key", "2", "4"}},
      {"V55", list, MemberDims(1, {1, 2, 0, 32}), {"key", "1", "empty"}},
      {"V56", PagedPrompt(), [](Call& c) { c.key->push_back((*c.key)[0]); }, {"key", "2"}},
      {"V56", PagedOneToken(), [](Call& c) { c.value->push_back((*c.value)[0]); }, {"value", "2"}},
      {"V57",
       list,
       Give(kQueryPad, {.dims = {1}, .dtype = ACL_INT64}),
       {"queryPaddingSizeOptional"}},
      {"V57", list, Give(kKvPad, {.dims = {1}, .dtype = ACL_INT64}), {"kvPaddingSizeOptional"}},
      {"V58", separate, [](Call&) {}, {"keyAntiquantScaleOptional", "3"}},
      {"V59",
       list,
       [](Call& c) { c.tensors[kKeyPrefix] = c.tensors[kValuePrefix] = (*c.key)[0]; },
       {"keySharedPrefixOptional", "3"}},
  };
}

std::vector<Break> MaskBreaks() {
  const AttentionOptions prompt = PromptCall(), one = OneTokenCall();
  const AttentionOptions mask = Masked(prompt, 0), band = Masked(prompt, 4);
  const AttentionOptions int8_band = Masked(Int8Out(prompt), 4);
  AttentionOptions offset = Int8Out(prompt);
  offset.out_offset = true;
  const auto tokens = [](int64_t pre, int64_t next) {
    return [=](Call& c) {
      c.pre_tokens = pre;
      c.next_tokens = next;
    };
  };
  AttentionOptions lengths = mask;
  lengths.query_lengths = {6, 4};
  AttentionOptions kv_lengths = mask;
  kv_lengths.kv_lengths = {16, 9};
  AttentionOptions three = offset;  // more rows than columns
  three.kv_size = 6;
  return {
      {"V60", prompt, [](Call& c) { c.sparse_mode = 5; }, {"sparseMode", "5"}},
      {"V60", prompt, [](Call& c) { c.sparse_mode = -1; }, {"sparseMode", "1"}},
      {"V61", prompt, [](Call& c) { c.sparse_mode = 1; }, {"attenMaskOptional", "1"}},
      {"V61", Masked(prompt, 3), Dims(kMask, {0}), {"attenMaskOptional", "3"}},
      {"V62", Masked(prompt, 2), Dims(kMask, {8, 16}), {"attenMaskOptional", "8", "2048"}},
      {"V62", Masked(prompt, 3), Dims(kMask, {2, 2048, 2048}), {"attenMaskOptional", "2048"}},
      {"V63", band, tokens(-1, -1), {"preTokens", "nextTokens"}},
      {"V64", mask, tokens(-1, -1), {"preTokens", "nextTokens"}},
      {"V65", mask, tokens(2, -3), {"preTokens", "2", "3"}},
      {"V65", band, tokens(-3, 2), {"preTokens", "3", "2"}},
      {"V66", mask, tokens(100, -8), {"nextTokens", "8"}},
      {"V66", lengths, tokens(100, -4), {"nextTokens", "4", "1"}},
      {"V67", mask, tokens(-16, 100), {"preTokens", "16"}},
      {"V67", kv_lengths, tokens(-9, 100), {"preTokens", "9", "1"}},
      {"V68", band, tokens(100, -16), {"nextTokens", "16"}},
      {"V69", band, tokens(-8, 100), {"preTokens", "8"}},
      {"V70", int8_band, tokens(-1, 100), {"preTokens", "INT8"}},
      {"V70", int8_band, tokens(100, -1), {"nextTokens", "INT8"}},
      {"V71", Masked(three, 3), [](Call&) {}, {"quantOffset2Optional", "8", "6"}},
      {"V71", Masked(offset, 0), tokens(100, -1), {"quantOffset2Optional"}},
      {"V71", Masked(three, 0), tokens(1, 100), {"quantOffset2Optional"}},
      {"V71", Masked(three, 4), tokens(100, 1), {"quantOffset2Optional"}},
      {"V72", mask, Dims(kMask, {8 * 16}), {"attenMaskOptional", "1"}},
      {"V72", mask, Dims(kMask, {1, 1, 1, 8, 16}), {"attenMaskOptional", "5"}},
      {"V73", mask, Dims(kMask, {7, 16}), {"attenMaskOptional", "7", "8"}},
      {"V73", mask, Dims(kMask, {8, 15}), {"attenMaskOptional", "15", "16"}},
      {"V73", mask, Dims(kMask, {3, 8, 16}), {"attenMaskOptional", "3"}},
      {"V73", mask, Dims(kMask, {2, 4, 8, 16}), {"attenMaskOptional", "4"}},
      {"V74", Masked(one, 0), Dims(kMask, {3, 16}), {"attenMaskOptional", "3"}},
      {"V74", Masked(one, 0), Dims(kMask, {2, 15}), {"attenMaskOptional", "15", "16"}},
      {"V74", Masked(one, 0), Dims(kMask, {2, 4, 16}), {"attenMaskOptional", "4"}},
      {"V74", Masked(one, 0), Dims(kMask, {16}), {"attenMaskOptional"}},
  };
}

std::vector<Break> LengthBreaks() {
  AttentionOptions prompt = PromptCall(), one = OneTokenCall(), list = ListCall(8);
  prompt.batch = one.batch = 4;
  return {
      {"V80",
       prompt,
       [](Call& c) {
         c.query_lengths = {8, 8};
       },
       {"actualSeqLengthsOptional", "2", "4"}},
      {"V81",
       prompt,
       [](Call& c) {
         c.kv_lengths = {8, 8, 8};
       },
       {"actualSeqLengthsKvOptional", "3", "4"}},
      {"V81",
       one,
       [](Call& c) {
         c.kv_lengths = {8, 8};
       },
       {"actualSeqLengthsKvOptional", "2", "4"}},
      {"V82", prompt, [](Call& c) { c.query_lengths = {9}; }, {"actualSeqLengthsOptional", "9"}},
      {"V82",
       prompt,
       [](Call& c) {
         c.query_lengths = {8, 8, -1, 8};
       },
       {"actualSeqLengthsOptional", "2", "1"}},
      {"V83", prompt, [](Call& c) { c.kv_lengths = {17}; }, {"actualSeqLengthsKvOptional", "17"}},
      {"V83",
       one,
       [](Call& c) {
         c.kv_lengths = {16, 16, 16, -1};
       },
       {"actualSeqLengthsKvOptional", "3", "1"}},
      {"V83",
       list,
       [](Call& c) {
         c.kv_lengths = {16, 16, 17};
       },
       {"actualSeqLengthsKvOptional"}},
  };
}

std::vector<Break> OutputBreaks() {
  AttentionOptions pse = PromptCall(), one = OneTokenCall(), bf16 = PromptCall();
  pse.pse = one.pse = bf16.pse = true;
  bf16.query_type = bf16.kv_type = bf16.out_type = ACL_BF16;
  AttentionOptions unaligned = OneTokenCall();
  unaligned.dim = 24;
  return {
      {"V160", pse, Type(kPse, ACL_BF16), {"pseShiftOptional", "BF16", "FLOAT16"}},
      {"V160", bf16, Type(kPse, ACL_FLOAT16), {"pseShiftOptional", "FLOAT16", "BF16"}},
      {"V161", pse, Dims(kPse, {4, 8, 16}), {"pseShiftOptional"}},
      {"V161", pse, Dims(kPse, {3, 4, 8, 16}), {"pseShiftOptional", "3"}},
      {"V161", pse, Dims(kPse, {1, 2, 8, 16}), {"pseShiftOptional", "2"}},
      {"V161", pse, Dims(kPse, {1, 4, 7, 16}), {"pseShiftOptional", "7"}},
      {"V161", pse, Dims(kPse, {1, 4, 8, 15}), {"pseShiftOptional", "15"}},
      {"V161", one, Dims(kPse, {1, 4, 2, 16}), {"pseShiftOptional", "2"}},
      {"V161", one, Dims(kPse, {1, 4, 1, 15}), {"pseShiftOptional", "15"}},
      {"V162",
       unaligned,
       Give(kPse, {.dims = {1, 4, 1, 16}, .dtype = ACL_FLOAT16}),
       {"query", "24", "16", "pseShiftOptional"}},
      {"V164", Lse(PromptCall()), Dims(kLse, {2, 8, 4, 1}), {"softmaxLse"}},
      {"V164", Lse(OneTokenCall()), Dims(kLse, {2, 4, 1}), {"softmaxLse"}},
  };
}

}  // namespace anyacl::test
