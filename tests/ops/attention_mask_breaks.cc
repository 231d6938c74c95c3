// SPDX-License-Identifier: Apache-2.0
// Masks, lengths, pseShift and softmaxLse.
#include "ops/attention_breaks.h"

namespace anyacl::test {
namespace {

using Call = AttentionCall;

}  // namespace

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
      {"SparseModeRange", prompt, [](Call& c) { c.sparse_mode = 5; }, {"sparseMode", "5"}},
      {"SparseModeRange", prompt, [](Call& c) { c.sparse_mode = -1; }, {"sparseMode", "1"}},
      {"SparseModeNeedsAttenMask",
       prompt,
       [](Call& c) { c.sparse_mode = 1; },
       {"attenMaskOptional", "1"}},
      {"SparseModeNeedsAttenMask", Masked(prompt, 3), Dims(kMask, {0}), {"attenMaskOptional", "3"}},
      {"CompressedMaskShape",
       Masked(prompt, 2),
       Dims(kMask, {8, 16}),
       {"attenMaskOptional", "8", "2048"}},
      {"CompressedMaskShape",
       Masked(prompt, 3),
       Dims(kMask, {2, 2048, 2048}),
       {"attenMaskOptional", "2048"}},
      {"BandTokensNotBothNegative", band, tokens(-1, -1), {"preTokens", "nextTokens"}},
      {"MaskTokensNotBothNegative", mask, tokens(-1, -1), {"preTokens", "nextTokens"}},
      {"WindowIsNotEmpty", mask, tokens(2, -3), {"preTokens", "2", "3"}},
      {"WindowIsNotEmpty", band, tokens(-3, 2), {"preTokens", "3", "2"}},
      {"MaskNextTokensLeaveRows", mask, tokens(100, -8), {"nextTokens", "8"}},
      {"MaskNextTokensLeaveRows", lengths, tokens(100, -4), {"nextTokens", "4", "1"}},
      {"MaskPreTokensLeaveColumns", mask, tokens(-16, 100), {"preTokens", "16"}},
      {"MaskPreTokensLeaveColumns", kv_lengths, tokens(-9, 100), {"preTokens", "9", "1"}},
      {"BandNextTokensLeaveColumns", band, tokens(100, -16), {"nextTokens", "16"}},
      {"BandPreTokensLeaveRows", band, tokens(-8, 100), {"preTokens", "8"}},
      {"Int8OutBandTokensNotNegative", int8_band, tokens(-1, 100), {"preTokens", "INT8"}},
      {"Int8OutBandTokensNotNegative", int8_band, tokens(100, -1), {"nextTokens", "INT8"}},
      {"QuantOffset2ReachesAllRows",
       Masked(three, 3),
       [](Call&) {},
       {"quantOffset2Optional", "8", "6"}},
      {"QuantOffset2ReachesAllRows", Masked(offset, 0), tokens(100, -1), {"quantOffset2Optional"}},
      {"QuantOffset2ReachesAllRows", Masked(three, 0), tokens(1, 100), {"quantOffset2Optional"}},
      {"QuantOffset2ReachesAllRows", Masked(three, 4), tokens(100, 1), {"quantOffset2Optional"}},
      {"PromptMaskRank", mask, Dims(kMask, {8 * 16}), {"attenMaskOptional", "1"}},
      {"PromptMaskRank", mask, Dims(kMask, {1, 1, 1, 8, 16}), {"attenMaskOptional", "5"}},
      {"PromptMaskShape", mask, Dims(kMask, {7, 16}), {"attenMaskOptional", "7", "8"}},
      {"PromptMaskShape", mask, Dims(kMask, {8, 15}), {"attenMaskOptional", "15", "16"}},
      {"PromptMaskShape", mask, Dims(kMask, {3, 8, 16}), {"attenMaskOptional", "3"}},
      {"PromptMaskShape", mask, Dims(kMask, {2, 4, 8, 16}), {"attenMaskOptional", "4"}},
      {"OneTokenMaskShape", Masked(one, 0), Dims(kMask, {3, 16}), {"attenMaskOptional", "3"}},
      {"OneTokenMaskShape",
       Masked(one, 0),
       Dims(kMask, {2, 15}),
       {"attenMaskOptional", "15", "16"}},
      {"OneTokenMaskShape", Masked(one, 0), Dims(kMask, {2, 4, 16}), {"attenMaskOptional", "4"}},
      {"OneTokenMaskShape", Masked(one, 0), Dims(kMask, {16}), {"attenMaskOptional"}},
  };
}

std::vector<Break> LengthBreaks() {
  AttentionOptions prompt = PromptCall(), one = OneTokenCall(), list = ListCall(8);
  prompt.batch = one.batch = 4;
  return {
      {"ActualSeqLengthsCount",
       prompt,
       [](Call& c) {
         c.query_lengths = {8, 8};
       },
       {"actualSeqLengthsOptional", "2", "4"}},
      {"ActualSeqLengthsKvCount",
       prompt,
       [](Call& c) {
         c.kv_lengths = {8, 8, 8};
       },
       {"actualSeqLengthsKvOptional", "3", "4"}},
      {"ActualSeqLengthsKvCount",
       one,
       [](Call& c) {
         c.kv_lengths = {8, 8};
       },
       {"actualSeqLengthsKvOptional", "2", "4"}},
      {"ActualSeqLengthsRange",
       prompt,
       [](Call& c) { c.query_lengths = {9}; },
       {"actualSeqLengthsOptional", "9"}},
      {"ActualSeqLengthsRange",
       prompt,
       [](Call& c) {
         c.query_lengths = {8, 8, -1, 8};
       },
       {"actualSeqLengthsOptional", "2", "1"}},
      {"ActualSeqLengthsKvRange",
       prompt,
       [](Call& c) { c.kv_lengths = {17}; },
       {"actualSeqLengthsKvOptional", "17"}},
      {"ActualSeqLengthsKvRange",
       one,
       [](Call& c) {
         c.kv_lengths = {16, 16, 16, -1};
       },
       {"actualSeqLengthsKvOptional", "3", "1"}},
      {"ActualSeqLengthsKvRange",
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
      {"PseShiftTypeFollowsQuery",
       pse,
       Type(kPse, ACL_BF16),
       {"pseShiftOptional", "BF16", "FLOAT16"}},
      {"PseShiftTypeFollowsQuery",
       bf16,
       Type(kPse, ACL_FLOAT16),
       {"pseShiftOptional", "FLOAT16", "BF16"}},
      {"PseShiftShape", pse, Dims(kPse, {4, 8, 16}), {"pseShiftOptional"}},
      {"PseShiftShape", pse, Dims(kPse, {3, 4, 8, 16}), {"pseShiftOptional", "3"}},
      {"PseShiftShape", pse, Dims(kPse, {1, 2, 8, 16}), {"pseShiftOptional", "2"}},
      {"PseShiftShape", pse, Dims(kPse, {1, 4, 7, 16}), {"pseShiftOptional", "7"}},
      {"PseShiftShape", pse, Dims(kPse, {1, 4, 8, 15}), {"pseShiftOptional", "15"}},
      {"PseShiftShape", one, Dims(kPse, {1, 4, 2, 16}), {"pseShiftOptional", "2"}},
      {"PseShiftShape", one, Dims(kPse, {1, 4, 1, 15}), {"pseShiftOptional", "15"}},
      {"OneTokenPseShiftHeadSize",
       unaligned,
       Give(kPse, {.dims = {1, 4, 1, 16}, .dtype = ACL_FLOAT16}),
       {"query", "24", "16", "pseShiftOptional"}},
      {"SoftmaxLseShape", Lse(PromptCall()), Dims(kLse, {2, 8, 4, 1}), {"softmaxLse"}},
      {"SoftmaxLseShape", Lse(OneTokenCall()), Dims(kLse, {2, 4, 1}), {"softmaxLse"}},
  };
}

}  // namespace anyacl::test
