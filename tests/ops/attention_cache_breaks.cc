// SPDX-License-Identifier: Apache-2.0
// Paged caches, padding and prefixes.
#include "ops/attention_breaks.h"

namespace anyacl::test {
namespace {

using Call = AttentionCall;

Change BlockSize(int64_t size) {
  return [=](Call& c) { c.block_size = size; };
}

}  // namespace

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
      {"BlockTableIsNotEmpty", one, Dims(kTable, {2, 0}), {"blockTableOptional", "0"}},
      {"BlockTableHasARowPerBatchEntry",
       one,
       Dims(kTable, {3, 3}),
       {"blockTableOptional", "3", "2"}},
      {"BlockTableHasARowPerBatchEntry", prompt, Dims(kTable, {6}), {"blockTableOptional"}},
      {"BlockTableHoldsTheLongestSequence",
       one,
       Dims(kTable, {2, 1}),
       {"blockTableOptional", "1", "2"}},
      {"PromptBlockSize", prompt, BlockSize(64), {"blockSize", "64"}},
      {"PromptBlockSize", prompt, BlockSize(1024), {"blockSize", "1024"}},
      {"PromptBlockSize", prompt, BlockSize(200), {"blockSize", "200"}},
      {"OneTokenBlockSize", one, BlockSize(0), {"blockSize", "0"}},
      {"OneTokenBlockSize", one, BlockSize(-16), {"blockSize", "16"}},
      {"OneTokenBlockSize", one, BlockSize(528), {"blockSize", "528"}},
      {"OneTokenBlockSize", one, BlockSize(24), {"blockSize", "24", "16"}},
      {"OneTokenBlockSize", Quantised(ACL_INT8, 4), BlockSize(16), {"blockSize", "16", "32"}},
      {"PromptPagesHoldAllSequences", prompt, CacheDims({2, 128, 64}), {"key", "2", "3"}},
      {"PagedCacheShape", prompt, CacheDims({5, 256, 64}), {"key", "256", "128"}},
      {"PagedCacheShape", one, CacheDims({5, 128, 32}), {"key", "32", "64"}},
      {"PagedCacheShape", by_head, CacheDims({5, 4, 128, 32}), {"key", "4", "2"}},
      {"PagedCacheShape", one, [](Call& c) { (*c.value)[0]->dims[0] += 1; }, {"value"}},
      {"PagedCacheRank", bsnd, CacheDims({5, 2, 128, 32}), {"key", "4", "3"}},
      {"PagedCacheRank", one, CacheDims({5, 64}), {"key", "2", "3"}},
      {"PagedRowLimit", heads_prompt, many_heads, {"key", "65536", "65535"}},
      {"PagedRowLimit", one, many_heads, {"key", "65536", "65535"}},
      {"BlockTableNeedsActualSeqLengthsKv",
       prompt,
       [](Call& c) { c.kv_lengths.reset(); },
       {"actualSeqLengthsKvOptional"}},
      {"BlockTableNeedsActualSeqLengthsKv",
       one,
       [](Call& c) { c.kv_lengths->clear(); },
       {"actualSeqLengthsKvOptional"}},
      {"BlockTableNotWithInt8Query",
       Int8Prompt(),
       paged(32),
       {"query", "INT8", "blockTableOptional"}},
      {"PromptBlockTableNotWithAntiquant",
       Combined(8),
       paged(32),
       {"key", "INT8", "blockTableOptional"}},
      {"BlockTableNotWithPadding", prompt, Give(kQueryPad, kPad), {"queryPaddingSizeOptional"}},
      {"BlockTableNotWithPadding", prompt, Give(kKvPad, kPad), {"kvPaddingSizeOptional"}},
      {"BlockTableNotWithInt4",
       Quantised(ACL_INT4, 0),
       paged(64),
       {"key", "INT4", "blockTableOptional"}},
      {"BlockTableNotWithPrefix",
       one,
       [](Call& c) { c.tensors[kKeyPrefix] = c.tensors[kValuePrefix] = (*c.key)[0]; },
       {"keySharedPrefixOptional", "blockTableOptional"}},
      {"PagesNeedColumnsOfWholeBlocks",
       masked,
       Dims(kMask, {8, 150}),
       {"attenMaskOptional", "150", "256"}},
      {"PagesNeedColumnsOfWholeBlocks",
       pse,
       Dims(kPse, {1, 4, 1, 150}),
       {"pseShiftOptional", "150", "256"}},
  };
}

std::vector<Break> PaddingBreaks() {
  AttentionOptions prompt = PromptCall(), one = OneTokenCall();
  prompt.query_padding = prompt.kv_padding = 0;
  const AttentionOptions channels = PerChannel(Int8Out(PromptCall()));
  return {
      {"PaddingSizeIsOneElement", prompt, Dims(kQueryPad, {2}), {"queryPaddingSizeOptional", "2"}},
      {"PaddingSizeIsOneElement", prompt, Dims(kKvPad, {1, 1}), {"kvPaddingSizeOptional"}},
      {"KvPaddingNotWithInt4",
       Quantised(ACL_INT4, 0),
       Give(kKvPad, kPad),
       {"kvPaddingSizeOptional", "INT4"}},
      {"PaddingNotWithPrefix",
       WithPrefix(PromptCall()),
       Give(kQueryPad, kPad),
       {"queryPaddingSizeOptional", "keySharedPrefixOptional"}},
      {"PaddingNotWithPrefix",
       WithPrefix(one),
       Give(kKvPad, kPad),
       {"kvPaddingSizeOptional", "keySharedPrefixOptional"}},
      {"PaddingNotWithSeparateScales",
       SeparatePrompt(),
       Give(kQueryPad, kPad),
       {"queryPaddingSizeOptional", "keyAntiquantScaleOptional"}},
      {"PaddingNotWithQuantScale2PerChannel",
       channels,
       Give(kKvPad, kPad),
       {"kvPaddingSizeOptional", "quantScale2Optional"}},
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
      {"PrefixesInPairs", prompt, Null(kValuePrefix), {"valueSharedPrefixOptional", "null"}},
      {"PrefixesInPairs", one, Null(kKeyPrefix), {"keySharedPrefixOptional", "null"}},
      {"PrefixTypeAndRankAreThoseOfKey",
       prompt,
       both({1, 6, 64}),
       {"keySharedPrefixOptional", "3", "4"}},
      {"PrefixTypeAndRankAreThoseOfKey",
       one,
       Type(kValuePrefix, ACL_BF16),
       {"valueSharedPrefixOptional", "BF16"}},
      {"PrefixTypeAndRankAreThoseOfKey",
       one,
       Type(kKeyPrefix, ACL_INT8),
       {"keySharedPrefixOptional", "INT8"}},
      {"OptionalTensorTypes",
       one,
       Type(kKeyPrefix, ACL_FLOAT),
       {"keySharedPrefixOptional", "FLOAT"}},
      {"PrefixSizesAgree", prompt, both({1, 2, 0, 32}), {"keySharedPrefixOptional", "0"}},
      {"PrefixSizesAgree",
       one,
       Dims(kValuePrefix, {1, 2, 7, 32}),
       {"valueSharedPrefixOptional", "7", "6"}},
      {"PrefixBatchIsOne", prompt, both({2, 2, 6, 32}), {"keySharedPrefixOptional", "2", "1"}},
      {"PrefixHeadsAreThoseOfKey", one, both({1, 4, 6, 32}), {"keySharedPrefixOptional", "4", "2"}},
      {"PrefixHeadsAreThoseOfKey",
       prompt,
       both({1, 2, 6, 64}),
       {"keySharedPrefixOptional", "64", "32"}},
      {"ActualSharedPrefixLenCount",
       one,
       [](Call& c) {
         c.prefix_length = {1, 2};
       },
       {"actualSharedPrefixLenOptional", "2"}},
      {"ActualSharedPrefixLenRange",
       one,
       [](Call& c) { c.prefix_length = {7}; },
       {"actualSharedPrefixLenOptional", "7", "6"}},
      {"ActualSharedPrefixLenRange",
       prompt,
       [](Call& c) { c.prefix_length = {-1}; },
       {"actualSharedPrefixLenOptional", "1"}},
      {"PrefixedSequenceLimit", prompt, size(20971515), {"keySharedPrefixOptional", "20971515"}},
      {"PrefixedSequenceLimit", one, size(20971515), {"keySharedPrefixOptional", "20971515"}},
      {"PrefixNotWithInt8Query",
       Int8Prompt(),
       [](Call& c) {
         c.tensors[kKeyPrefix] = c.tensors[kValuePrefix] =
             Layout{.dims = {1, 2, 6, 32}, .dtype = ACL_INT8};
       },
       {"keySharedPrefixOptional", "INT8"}},
      {"OneTokenPrefixCountsAsColumns",
       mask,
       Dims(kMask, {2, 20}),
       {"attenMaskOptional", "20", "21"}},
      {"OneTokenPrefixCountsAsColumns",
       pse,
       Dims(kPse, {1, 4, 1, 20}),
       {"pseShiftOptional", "20", "21"}},
      {"OneTokenPrefixCountsAsTokens",
       tokens,
       ScaleDims({1, 2, 20}),
       {"keyAntiquantScaleOptional", "20", "21"}},
  };
}

}  // namespace anyacl::test
