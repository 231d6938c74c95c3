// SPDX-License-Identifier: Apache-2.0
// Paged caches, padding, prefixes and quantisation; calls that must be accepted.
#include "ops/attention_breaks.h"

namespace anyacl::test {
namespace {

using Call = AttentionCall;

const Layout kPad = {.dims = {1}, .dtype = ACL_INT64};

Change Type(size_t which, aclDataType type) {
  return [=](Call& c) { c.tensors[which]->dtype = type; };
}
Change Dims(size_t which, std::vector<int64_t> dims) {
  return [=](Call& c) { c.tensors[which]->dims = dims; };
}
Change PoolDims(std::vector<int64_t> dims) {
  return [=](Call& c) { (*c.key)[0]->dims = (*c.value)[0]->dims = dims; };
}
Change Null(size_t which) {
  return [=](Call& c) { c.tensors[which].reset(); };
}
Change Give(size_t which, Layout layout) {
  return [=](Call& c) { c.tensors[which] = layout; };
}
Change BlockSize(int64_t size) {
  return [=](Call& c) { c.block_size = size; };
}
// Both sizes of keys' and values' scales.
Change ScaleDims(std::vector<int64_t> dims) {
  return [=](Call& c) { c.tensors[kKeyScale]->dims = c.tensors[kValueScale]->dims = dims; };
}
Change Modes(int64_t key, int64_t value) {
  return [=](Call& c) {
    c.key_mode = key;
    c.value_mode = value;
  };
}

AttentionOptions PerChannel(AttentionOptions o) {
  o.out_per_channel = true;
  return o;
}

}  // namespace

AttentionOptions PagedPrompt() {
  AttentionOptions o = PromptCall();
  o.cache = Cache::kPagedRows;
  o.kv_lengths = {150, 16};
  o.kv_size = 256;
  return o;
}

AttentionOptions PagedOneToken() {
  AttentionOptions o = PagedPrompt();
  o.query_size = 1;
  return o;
}

AttentionOptions Int8Prompt() {
  AttentionOptions o = PromptCall();
  o.query_type = o.kv_type = ACL_INT8;
  return o;
}

AttentionOptions Int8Out(AttentionOptions o) {
  o.out_type = ACL_INT8;
  return o;
}

AttentionOptions Quantised(aclDataType type, int64_t mode) {
  AttentionOptions o = OneTokenCall();
  if (mode >= 4) o = PagedOneToken();
  o.kv_type = type;
  o.dim = 64;
  o.antiquant = Antiquant::kSeparate;
  o.key_mode = o.value_mode = mode;
  return o;
}

AttentionOptions Combined(int64_t query_size) {
  AttentionOptions o = OneTokenCall();
  o.query_size = query_size;
  o.kv_type = ACL_INT8;
  o.antiquant = Antiquant::kCombined;
  return o;
}

AttentionOptions SeparatePrompt() {
  AttentionOptions o = PromptCall();
  o.query_type = o.out_type = ACL_BF16;
  o.kv_type = ACL_INT8;
  o.antiquant = Antiquant::kSeparate;
  return o;
}

AttentionOptions WithPrefix(AttentionOptions o) {
  o.prefix_size = 6;
  o.prefix = 5;
  return o;
}

std::vector<Break> PagedBreaks() {
  const AttentionOptions prompt = PagedPrompt(), one = PagedOneToken();
  AttentionOptions by_head = prompt;
  by_head.cache = Cache::kPagedHeads;
  AttentionOptions masked = prompt, pse = one;
  masked.mask = pse.pse = true;
  AttentionOptions bsnd = prompt;
  bsnd.layout = "BSND";
  AttentionOptions int8 = Quantised(ACL_INT8, 0);
  const Layout table{.dims = {2, 1}, .dtype = ACL_INT32};
  const auto paged = [=](int64_t dim) {
    return [=](Call& c) {
      c.tensors[kTable] = table;
      c.block_size = 128;
      c.kv_lengths = {16, 16};
      (*c.key)[0]->dims = (*c.value)[0]->dims = {4, 128, 2 * dim};
    };
  };
  const auto many_heads = [](Call& c) {
    c.num_heads = c.num_kv_heads = 256;
    c.tensors[kQuery]->dims = c.tensors[kOut]->dims = {2, 256, c.tensors[kQuery]->dims[2], 256};
    (*c.key)[0]->dims = (*c.value)[0]->dims = {8, 128, 256 * 256};
  };
  AttentionOptions heads_prompt = prompt;
  return {
      {"V84", one, Dims(kTable, {2, 0}), {"blockTableOptional", "0"}},
      {"V85", one, Dims(kTable, {3, 3}), {"blockTableOptional", "3", "2"}},
      {"V85", prompt, Dims(kTable, {6}), {"blockTableOptional"}},
      {"V85", one, Dims(kTable, {2, 1}), {"blockTableOptional", "1", "2"}},
      {"V86", prompt, BlockSize(64), {"blockSize", "64"}},
      {"V86", prompt, BlockSize(1024), {"blockSize", "1024"}},
      {"V86", prompt, BlockSize(200), {"blockSize", "200"}},
      {"V87", one, BlockSize(0), {"blockSize", "0"}},
      {"V87", one, BlockSize(-16), {"blockSize", "16"}},
      {"V87", one, BlockSize(528), {"blockSize", "528"}},
      {"V87", one, BlockSize(24), {"blockSize", "24", "16"}},
      {"V87", Quantised(ACL_INT8, 4), BlockSize(16), {"blockSize", "16", "32"}},
      {"V88", prompt, PoolDims({2, 128, 64}), {"key", "2", "3"}},
      {"V89", prompt, PoolDims({5, 256, 64}), {"key", "256", "128"}},
      {"V89", one, PoolDims({5, 128, 32}), {"key", "32", "64"}},
      {"V89", by_head, PoolDims({5, 4, 128, 32}), {"key", "4", "2"}},
      {"V89", one, [](Call& c) { (*c.value)[0]->dims[0] += 1; }, {"value"}},
      {"V90", bsnd, PoolDims({5, 2, 128, 32}), {"key", "4", "3"}},
      {"V90", one, PoolDims({5, 64}), {"key", "2", "3"}},
      {"V91", heads_prompt, many_heads, {"key", "65536", "65535"}},
      {"V91", one, many_heads, {"key", "65536", "65535"}},
      {"V92", prompt, [](Call& c) { c.kv_lengths.reset(); }, {"actualSeqLengthsKvOptional"}},
      {"V92", one, [](Call& c) { c.kv_lengths->clear(); }, {"actualSeqLengthsKvOptional"}},
      {"V93", Int8Prompt(), paged(32), {"query", "INT8", "blockTableOptional"}},
      {"V94", Combined(8), paged(32), {"key", "INT8", "blockTableOptional"}},
      {"V95", prompt, Give(kQueryPad, kPad), {"queryPaddingSizeOptional"}},
      {"V95", prompt, Give(kKvPad, kPad), {"kvPaddingSizeOptional"}},
      {"V96", Quantised(ACL_INT4, 0), paged(64), {"key", "INT4", "blockTableOptional"}},
      {"V97",
       one,
       [](Call& c) { c.tensors[kKeyPrefix] = c.tensors[kValuePrefix] = (*c.key)[0]; },
       {"keySharedPrefixOptional", "blockTableOptional"}},
      {"V100", masked, Dims(kMask, {8, 150}), {"attenMaskOptional", "150", "256"}},
      {"V100", pse, Dims(kPse, {1, 4, 1, 150}), {"pseShiftOptional", "150", "256"}},
  };
}

std::vector<Break> PaddingBreaks() {
  AttentionOptions prompt = PromptCall(), one = OneTokenCall();
  prompt.query_padding = prompt.kv_padding = 0;
  const AttentionOptions channels = PerChannel(Int8Out(PromptCall()));
  return {
      {"V101", prompt, Dims(kQueryPad, {2}), {"queryPaddingSizeOptional", "2"}},
      {"V101", prompt, Dims(kKvPad, {1, 1}), {"kvPaddingSizeOptional"}},
      {"V104", Quantised(ACL_INT4, 0), Give(kKvPad, kPad), {"kvPaddingSizeOptional", "INT4"}},
      {"V105",
       WithPrefix(PromptCall()),
       Give(kQueryPad, kPad),
       {"queryPaddingSizeOptional", "keySharedPrefixOptional"}},
      {"V105",
       WithPrefix(one),
       Give(kKvPad, kPad),
       {"kvPaddingSizeOptional", "keySharedPrefixOptional"}},
      {"V106",
       SeparatePrompt(),
       Give(kQueryPad, kPad),
       {"queryPaddingSizeOptional", "keyAntiquantScaleOptional"}},
      {"V107", channels, Give(kKvPad, kPad), {"kvPaddingSizeOptional", "quantScale2Optional"}},
  };
}

std::vector<Break> PrefixBreaks() {
  const AttentionOptions prompt = WithPrefix(PromptCall()), one = WithPrefix(OneTokenCall());
  const auto both = [](std::vector<int64_t> dims) {
    return [=](Call& c) { c.tensors[kKeyPrefix]->dims = c.tensors[kValuePrefix]->dims = dims; };
  };
  AttentionOptions mask = one, pse = one, tokens = WithPrefix(Quantised(ACL_INT8, 1));
  mask.mask = pse.pse = true;
  const auto size = [=](int64_t tokens_of_key) {
    return [=](Call& c) {
      (*c.key)[0]->dims[2] = (*c.value)[0]->dims[2] = tokens_of_key;
      c.kv_lengths = {16};
    };
  };
  return {
      {"V110", prompt, Null(kValuePrefix), {"valueSharedPrefixOptional", "null"}},
      {"V110", one, Null(kKeyPrefix), {"keySharedPrefixOptional", "null"}},
      {"V111", prompt, both({1, 6, 64}), {"keySharedPrefixOptional", "3", "4"}},
      {"V111", one, Type(kValuePrefix, ACL_BF16), {"valueSharedPrefixOptional", "BF16"}},
      {"V111", one, Type(kKeyPrefix, ACL_FLOAT), {"keySharedPrefixOptional", "FLOAT"}},
      {"V112", prompt, both({1, 2, 0, 32}), {"keySharedPrefixOptional", "0"}},
      {"V112", one, Dims(kValuePrefix, {1, 2, 7, 32}), {"valueSharedPrefixOptional", "7", "6"}},
      {"V113", prompt, both({2, 2, 6, 32}), {"keySharedPrefixOptional", "2", "1"}},
      {"V114", one, both({1, 4, 6, 32}), {"keySharedPrefixOptional", "4", "2"}},
      {"V114", prompt, both({1, 2, 6, 64}), {"keySharedPrefixOptional", "64", "32"}},
      {"V115",
       one,
       [](Call& c) {
         c.prefix_length = {1, 2};
       },
       {"actualSharedPrefixLenOptional", "2"}},
      {"V116",
       one,
       [](Call& c) { c.prefix_length = {7}; },
       {"actualSharedPrefixLenOptional", "7", "6"}},
      {"V116",
       prompt,
       [](Call& c) { c.prefix_length = {-1}; },
       {"actualSharedPrefixLenOptional", "1"}},
      {"V117", prompt, size(20971515), {"keySharedPrefixOptional", "20971515"}},
      {"V117", one, size(20971515), {"keySharedPrefixOptional", "20971515"}},
      {"V118",
       Int8Prompt(),
       [](Call& c) {
         c.tensors[kKeyPrefix] = c.tensors[kValuePrefix] =
             Layout{.dims = {1, 2, 6, 32}, .dtype = ACL_INT8};
       },
       {"keySharedPrefixOptional", "INT8"}},
      {"V119", mask, Dims(kMask, {2, 20}), {"attenMaskOptional", "20", "21"}},
      {"V119", pse, Dims(kPse, {1, 4, 1, 20}), {"pseShiftOptional", "20", "21"}},
      {"V119", tokens, ScaleDims({1, 2, 20}), {"keyAntiquantScaleOptional", "20", "21"}},
  };
}

std::vector<Break> QuantBreaks() {
  const AttentionOptions int8 = Int8Prompt(), prompt = PromptCall(), one = OneTokenCall();
  const AttentionOptions int8_out = Int8Out(int8), out = Int8Out(prompt), one_out = Int8Out(one);
  AttentionOptions offset = out;
  offset.out_offset = true;
  AttentionOptions lse = PerChannel(out);
  const Layout scale{.dims = {1}, .dtype = ACL_FLOAT};
  const auto one_row = [](Call& c) { c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 1; };
  return {
      {"V120", int8, one_row, {"query", "INT8", "1"}},
      {"V121", int8, Null(kDeq1), {"deqScale1Optional", "null"}},
      {"V121", int8, Null(kQuant1), {"quantScale1Optional", "null"}},
      {"V121", int8, Dims(kDeq2, {0}), {"deqScale2Optional", "0"}},
      {"V122", int8_out, Null(kQuant2), {"quantScale2Optional", "null"}},
      {"V123", int8, Give(kQuant2, scale), {"quantScale2Optional", "INT8"}},
      {"V123", int8, Give(kOffset2, scale), {"quantOffset2Optional", "INT8"}},
      {"V124", out, Give(kDeq1, scale), {"deqScale1Optional", "FLOAT16"}},
      {"V124", out, Give(kQuant1, scale), {"quantScale1Optional", "FLOAT16"}},
      {"V124", one, Give(kDeq2, scale), {"deqScale2Optional", "FLOAT16"}},
      {"V125", out, Null(kQuant2), {"quantScale2Optional", "null"}},
      {"V125", one_out, Dims(kQuant2, {0}), {"quantScale2Optional"}},
      {"V126", out, Type(kQuant2, ACL_BF16), {"quantScale2Optional", "BF16"}},
      {"V127", offset, Type(kOffset2, ACL_BF16), {"quantOffset2Optional", "BF16"}},
      {"V127", offset, Dims(kOffset2, {1, 1}), {"quantOffset2Optional"}},
      {"V128", out, Dims(kQuant2, {4}), {"quantScale2Optional", "4", "128"}},
      {"V128", one_out, Dims(kQuant2, {2, 32}), {"quantScale2Optional", "64", "128"}},
      {"V129",
       lse,
       [](Call& c) {
         c.lse_flag = true;
         c.tensors[kLse] = Layout{.dims = {2, 4, 8, 1}};
       },
       {"softmaxLseFlag", "quantScale2Optional"}},
      {"V130", one, Give(kQuant2, scale), {"quantScale2Optional", "FLOAT16"}},
      {"V130", one, Give(kOffset2, scale), {"quantOffset2Optional", "FLOAT16"}},
  };
}

std::vector<Break> CombinedBreaks() {
  const AttentionOptions one = Combined(1), prompt = Combined(8), plain = OneTokenCall();
  AttentionOptions offset = one, tokens = one, bf16 = prompt;
  offset.antiquant_offset = true;
  tokens.key_mode = 1;
  bf16.query_type = bf16.out_type = ACL_BF16;
  return {
      {"V131", one, Null(kScales), {"antiquantScaleOptional", "null", "INT8"}},
      {"V131", prompt, Null(kScales), {"antiquantScaleOptional", "null"}},
      {"V132", offset, Null(kScales), {"antiquantScaleOptional", "null"}},
      {"V132", offset, Dims(kOffsets, {2}), {"antiquantOffsetOptional", "2"}},
      {"V132", offset, Type(kOffsets, ACL_FLOAT), {"antiquantOffsetOptional", "FLOAT"}},
      {"V133", one, Dims(kScales, {3}), {"antiquantScaleOptional", "3"}},
      {"V133", prompt, Dims(kScales, {2, 4, 32}), {"antiquantScaleOptional", "4"}},
      {"V133", tokens, Dims(kScales, {2, 3, 16}), {"antiquantScaleOptional", "3", "2"}},
      {"V134", one, Type(kScales, ACL_FLOAT), {"antiquantScaleOptional", "FLOAT", "FLOAT16"}},
      {"V134", tokens, Type(kScales, ACL_FLOAT16), {"antiquantScaleOptional", "FLOAT16"}},
      {"V135", plain, [](Call& c) { c.antiquant_mode = 2; }, {"antiquantMode", "2"}},
      {"V135", prompt, [](Call& c) { c.antiquant_mode = -1; }, {"antiquantMode", "1"}},
      {"V136", bf16, [](Call&) {}, {"query", "BF16", "FLOAT16"}},
      {"V136", prompt, Type(kScales, ACL_FLOAT), {"antiquantScaleOptional", "FLOAT"}},
      {"V137",
       plain,
       Give(kScales, {.dims = {2}, .dtype = ACL_FLOAT16}),
       {"antiquantScaleOptional", "FLOAT16"}},
      {"V137",
       plain,
       Give(kValueOffset, {.dims = {1}, .dtype = ACL_FLOAT16}),
       {"valueAntiquantOffsetOptional"}},
      {"V144", tokens, Dims(kScales, {2, 2, 15}), {"antiquantScaleOptional", "15", "16"}},
  };
}

std::vector<Break> SeparateBreaks() {
  const AttentionOptions plain = OneTokenCall(), separate = SeparatePrompt();
  const AttentionOptions channel = Quantised(ACL_INT8, 0), token = Quantised(ACL_INT8, 1);
  const AttentionOptions head = Quantised(ACL_INT8, 2), token_head = Quantised(ACL_INT8, 3);
  const AttentionOptions page = Quantised(ACL_INT8, 4), page_head = Quantised(ACL_INT8, 5);
  AttentionOptions separate_offset = channel, mixed = channel;
  separate_offset.antiquant_offset = true;
  mixed.value_mode = 1;
  return {
      {"V138", channel, Null(kKeyScale), {"keyAntiquantScaleOptional", "null"}},
      {"V138", separate, Null(kValueScale), {"valueAntiquantScaleOptional", "null"}},
      {"V138", separate_offset, Null(kKeyOffset), {"keyAntiquantOffsetOptional", "null"}},
      {"V138",
       separate_offset,
       [](Call& c) {
         c.tensors[kKeyScale].reset();
         c.tensors[kValueScale].reset();
       },
       {"keyAntiquantScaleOptional", "null"}},
      {"V139", plain, Modes(6, 6), {"keyAntiquantMode", "6"}},
      {"V139", plain, Modes(0, -1), {"valueAntiquantMode", "1"}},
      {"V139", separate, Modes(2, 2), {"keyAntiquantMode", "2", "1"}},
      {"V140", channel, Modes(0, 2), {"keyAntiquantMode", "0", "2"}},
      {"V140", token, Modes(1, 0), {"keyAntiquantMode", "1", "0"}},
      {"V140", separate, Modes(0, 1), {"keyAntiquantMode", "0", "1"}},
      {"V141", channel, Dims(kValueScale, {1, 2, 64}), {"valueAntiquantScaleOptional"}},
      {"V141", separate_offset, Dims(kValueOffset, {1, 2, 64}), {"valueAntiquantOffsetOptional"}},
      {"V141", separate_offset, Type(kKeyOffset, ACL_FLOAT), {"keyAntiquantOffsetOptional"}},
      {"V142", channel, ScaleDims({2, 64}), {"keyAntiquantScaleOptional", "2"}},
      {"V142",
       channel,
       [](Call& c) { c.tensors[kKeyScale]->dtype = c.tensors[kValueScale]->dtype = ACL_FLOAT; },
       {"keyAntiquantScaleOptional", "FLOAT", "FLOAT16"}},
      {"V142", token, ScaleDims({1, 3, 16}), {"keyAntiquantScaleOptional", "3"}},
      {"V142", token, Type(kKeyScale, ACL_FLOAT16), {"keyAntiquantScaleOptional", "FLOAT16"}},
      {"V142", head, ScaleDims({4}), {"keyAntiquantScaleOptional", "4"}},
      {"V142", token_head, ScaleDims({2, 4, 16}), {"keyAntiquantScaleOptional", "4"}},
      {"V142", page, ScaleDims({5, 64}), {"keyAntiquantScaleOptional", "64"}},
      {"V142", page_head, ScaleDims({5, 4, 128}), {"keyAntiquantScaleOptional", "4"}},
      {"V142", separate, ScaleDims({1}), {"keyAntiquantScaleOptional", "1"}},
      {"V142", mixed, Dims(kValueScale, {1, 2, 1, 64}), {"valueAntiquantScaleOptional"}},
  };
}

// What separate scales cannot be together with.
std::vector<Break> SeparateTogetherBreaks() {
  const AttentionOptions separate = SeparatePrompt(), token = Quantised(ACL_INT8, 1);
  AttentionOptions mixed_out = Quantised(ACL_INT8, 0), mixed_bf16 = mixed_out;
  mixed_out.value_mode = mixed_bf16.value_mode = 1;
  mixed_out.out_type = ACL_INT8;
  mixed_bf16.query_type = mixed_bf16.out_type = ACL_BF16;
  AttentionOptions padded_tokens = token;
  padded_tokens.kv_padding = 2;
  padded_tokens.kv_lengths = {5, 6};
  const auto many_rows = [](Call& c) {
    c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 17;
  };
  return {
      {"V143", token, Modes(4, 4), {"keyAntiquantMode", "4", "blockTableOptional"}},
      {"V144", token, ScaleDims({1, 2, 15}), {"keyAntiquantScaleOptional", "15", "16"}},
      {"V144", padded_tokens, ScaleDims({1, 2, 15}), {"keyAntiquantScaleOptional", "15", "16"}},
      {"V145", mixed_out, [](Call&) {}, {"attentionOut", "INT8", "FLOAT16"}},
      {"V145", mixed_bf16, [](Call&) {}, {"query", "BF16", "FLOAT16"}},
      {"V146", separate, many_rows, {"query", "17", "16"}},
      {"V146",
       separate,
       [](Call& c) { c.tensors[kQuery]->dtype = c.tensors[kOut]->dtype = ACL_FLOAT16; },
       {"query", "FLOAT16", "BF16"}},
      {"V147", separate, Give(kKvPad, kPad), {"keyAntiquantScaleOptional"}, "V106"},
  };
}

std::vector<Break> Int4Breaks() {
  const AttentionOptions int4 = Quantised(ACL_INT4, 0);
  return {
      {"V148",
       int4,
       [](Call& c) { c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 2; },
       {"key", "INT4", "1"}},
      {"V149", int4, Modes(2, 2), {"keyAntiquantMode", "2", "INT4"}},
      {"V149", int4, ScaleDims({1}), {"keyAntiquantScaleOptional", "1"}},
      {"V149",
       int4,
       [](Call& c) {
         c.tensors[kKeyScale].reset();
         c.tensors[kValueScale].reset();
         c.tensors[kScales] = Layout{.dims = {2}, .dtype = ACL_FLOAT16};
       },
       {"keyAntiquantScaleOptional", "INT4"}},
      {"V150",
       int4,
       [](Call& c) {
         c.tensors[kOut]->dtype = ACL_INT8;
         c.tensors[kQuant2] = Layout{.dims = {1}};
       },
       {"attentionOut", "INT8", "INT4"}},
  };
}

std::vector<Break> AcceptedCalls() {
  AttentionOptions many = PromptCall(), one = OneTokenCall(), paged = PagedOneToken();
  many.batch = 200;
  one.dim = 2;
  AttentionOptions long_cache = OneTokenCall();
  AttentionOptions pse = PromptCall();
  pse.pse = true;
  AttentionOptions int8 = Int8Prompt();
  AttentionOptions padded = PromptCall();
  padded.query_padding = padded.kv_padding = 3;
  AttentionOptions by_head = paged;
  by_head.cache = Cache::kPagedHeads;
  const auto nothing = [](Call&) {};
  return {
      {"V40", many, nothing, {}},
      {"V43", one, nothing, {}},
      {"V44",
       PromptCall(),
       [](Call& c) {
         c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 2097152;
         (*c.key)[0]->dims[2] = (*c.value)[0]->dims[2] = 2097152;
       },
       {}},
      {"V45", long_cache, PoolDims({2, 2, 300000, 32}), {}},
      {"V91",
       by_head,
       [](Call& c) {
         c.num_heads = c.num_kv_heads = 256;
         c.tensors[kQuery]->dims = c.tensors[kOut]->dims = {2, 256, 1, 256};
         (*c.key)[0]->dims = (*c.value)[0]->dims = {8, 256, 128, 256};
       },
       {}},
      {"V98",
       paged,
       [](Call& c) {
         c.kv_lengths = {0, 0};
       },
       {}},
      {"V99", paged, nothing, {}},
      {"V102", padded, nothing, {}},
      {"V103", padded, nothing, {}},
      {"V151", int8, PoolDims({2, 2, 0, 32}), {}},
      {"V163", pse, Dims(kPse, {0}), {}},
      {"V170",
       PromptCall(),
       [](Call& c) { c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 0; },
       {}},
      {"V171", PromptCall(), PoolDims({2, 2, 0, 32}), {}},
      {"V172", PromptCall(), Dims(kOut, {0}), {}},
  };
}

}  // namespace anyacl::test
