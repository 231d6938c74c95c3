// SPDX-License-Identifier: Apache-2.0
// Quantised queries, outputs, keys and values.
#include "ops/attention_breaks.h"

namespace anyacl::test {
namespace {

using Call = AttentionCall;

Change Modes(int64_t key, int64_t value) {
  return [=](Call& c) {
    c.key_mode = key;
    c.value_mode = value;
  };
}

}  // namespace

std::vector<Break> QuantBreaks() {
  const AttentionOptions int8 = Int8Prompt(), prompt = PromptCall(), one = OneTokenCall();
  const AttentionOptions int8_out = Int8Out(int8), out = Int8Out(prompt), one_out = Int8Out(one);
  AttentionOptions offset = out;
  offset.out_offset = true;
  AttentionOptions lse = PerChannel(out);
  const Layout scale{.dims = {1}, .dtype = ACL_FLOAT};
  const auto one_row = [](Call& c) { c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 1; };
  return {
      {"OneTokenQueryIsNotInt8", int8, one_row, {"query", "INT8", "1"}},
      {"Int8QueryNeedsInnerScales", int8, Null(kDeq1), {"deqScale1Optional", "null"}},
      {"Int8QueryNeedsInnerScales", int8, Null(kQuant1), {"quantScale1Optional", "null"}},
      {"Int8QueryNeedsInnerScales", int8, Dims(kDeq2, {0}), {"deqScale2Optional", "0"}},
      {"Int8ToInt8NeedsQuantScale2", int8_out, Null(kQuant2), {"quantScale2Optional", "null"}},
      {"Int8ToFloat16HasNoQuantScale2",
       int8,
       Give(kQuant2, scale),
       {"quantScale2Optional", "INT8"}},
      {"Int8ToFloat16HasNoQuantScale2",
       int8,
       Give(kOffset2, scale),
       {"quantOffset2Optional", "INT8"}},
      {"InnerScalesNeedAnInt8Query", out, Give(kDeq1, scale), {"deqScale1Optional", "FLOAT16"}},
      {"InnerScalesNeedAnInt8Query", out, Give(kQuant1, scale), {"quantScale1Optional", "FLOAT16"}},
      {"InnerScalesNeedAnInt8Query", one, Give(kDeq2, scale), {"deqScale2Optional", "FLOAT16"}},
      {"Int8OutNeedsQuantScale2", out, Null(kQuant2), {"quantScale2Optional", "null"}},
      {"Int8OutNeedsQuantScale2", one_out, Dims(kQuant2, {0}), {"quantScale2Optional"}},
      {"QuantScale2Type", out, Type(kQuant2, ACL_BF16), {"quantScale2Optional", "BF16"}},
      {"QuantOffset2IsLikeQuantScale2",
       offset,
       Type(kOffset2, ACL_BF16),
       {"quantOffset2Optional", "BF16"}},
      {"QuantOffset2IsLikeQuantScale2", offset, Dims(kOffset2, {1, 1}), {"quantOffset2Optional"}},
      {"QuantScale2Count", out, Dims(kQuant2, {4}), {"quantScale2Optional", "4", "128"}},
      {"QuantScale2Count", one_out, Dims(kQuant2, {2, 32}), {"quantScale2Optional", "64", "128"}},
      {"QuantScale2PerChannelNotWithLse",
       lse,
       [](Call& c) {
         c.lse_flag = true;
         c.tensors[kLse] = Layout{.dims = {2, 4, 8, 1}};
       },
       {"softmaxLseFlag", "quantScale2Optional"}},
      {"OneTokenQuantScale2NeedsInt8Out",
       one,
       Give(kQuant2, scale),
       {"quantScale2Optional", "FLOAT16"}},
      {"OneTokenQuantScale2NeedsInt8Out",
       one,
       Give(kOffset2, scale),
       {"quantOffset2Optional", "FLOAT16"}},
  };
}

std::vector<Break> CombinedBreaks() {
  const AttentionOptions one = Combined(1), prompt = Combined(8), plain = OneTokenCall();
  AttentionOptions offset = one, tokens = one, bf16 = prompt;
  offset.antiquant_offset = true;
  tokens.key_mode = 1;
  bf16.query_type = bf16.out_type = ACL_BF16;
  return {
      {"QuantisedCacheNeedsAntiquantScale",
       one,
       Null(kScales),
       {"antiquantScaleOptional", "null", "INT8"}},
      {"QuantisedCacheNeedsAntiquantScale",
       prompt,
       Null(kScales),
       {"antiquantScaleOptional", "null"}},
      {"AntiquantOffsetIsLikeAntiquantScale",
       offset,
       Null(kScales),
       {"antiquantScaleOptional", "null"}},
      {"AntiquantOffsetIsLikeAntiquantScale",
       offset,
       Dims(kOffsets, {2}),
       {"antiquantOffsetOptional", "2"}},
      {"AntiquantOffsetIsLikeAntiquantScale",
       offset,
       Type(kOffsets, ACL_FLOAT),
       {"antiquantOffsetOptional", "FLOAT"}},
      {"AntiquantScaleShape", one, Dims(kScales, {3}), {"antiquantScaleOptional", "3"}},
      {"AntiquantScaleShape", prompt, Dims(kScales, {2, 4, 32}), {"antiquantScaleOptional", "4"}},
      {"AntiquantScaleShape",
       tokens,
       Dims(kScales, {2, 3, 16}),
       {"antiquantScaleOptional", "3", "2"}},
      {"OneTokenAntiquantScaleType",
       one,
       Type(kScales, ACL_FLOAT),
       {"antiquantScaleOptional", "FLOAT", "FLOAT16"}},
      {"OneTokenAntiquantScaleType",
       tokens,
       Type(kScales, ACL_FLOAT16),
       {"antiquantScaleOptional", "FLOAT16"}},
      {"AntiquantModeRange", plain, [](Call& c) { c.antiquant_mode = 2; }, {"antiquantMode", "2"}},
      {"AntiquantModeRange",
       prompt,
       [](Call& c) { c.antiquant_mode = -1; },
       {"antiquantMode", "1"}},
      {"PromptAntiquantTypes", bf16, [](Call&) {}, {"query", "BF16", "FLOAT16"}},
      {"PromptAntiquantTypes",
       prompt,
       Type(kScales, ACL_FLOAT),
       {"antiquantScaleOptional", "FLOAT"}},
      {"OneTokenAntiquantNeedsQuantisedCache",
       plain,
       Give(kScales, {.dims = {2}, .dtype = ACL_FLOAT16}),
       {"antiquantScaleOptional", "FLOAT16"}},
      {"OneTokenAntiquantNeedsQuantisedCache",
       plain,
       Give(kValueOffset, {.dims = {1}, .dtype = ACL_FLOAT16}),
       {"valueAntiquantOffsetOptional"}},
      {"TokenScalesCoverAllColumns",
       tokens,
       Dims(kScales, {2, 2, 15}),
       {"antiquantScaleOptional", "15", "16"}},
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
      {"SeparateScalesInPairs", channel, Null(kKeyScale), {"keyAntiquantScaleOptional", "null"}},
      {"SeparateScalesInPairs",
       separate,
       Null(kValueScale),
       {"valueAntiquantScaleOptional", "null"}},
      {"SeparateScalesInPairs",
       separate_offset,
       Null(kKeyOffset),
       {"keyAntiquantOffsetOptional", "null"}},
      {"SeparateScalesInPairs",
       separate_offset,
       [](Call& c) {
         c.tensors[kKeyScale].reset();
         c.tensors[kValueScale].reset();
       },
       {"keyAntiquantScaleOptional", "null"}},
      {"SeparateModeRange", plain, Modes(6, 6), {"keyAntiquantMode", "6"}},
      {"SeparateModeRange", plain, Modes(0, -1), {"valueAntiquantMode", "1"}},
      {"SeparateModeRange", separate, Modes(2, 2), {"keyAntiquantMode", "2", "1"}},
      {"SeparateModesAgree", channel, Modes(0, 2), {"keyAntiquantMode", "0", "2"}},
      {"SeparateModesAgree", token, Modes(1, 0), {"keyAntiquantMode", "1", "0"}},
      {"SeparateModesAgree", separate, Modes(0, 1), {"keyAntiquantMode", "0", "1"}},
      {"SeparateShapesAgree",
       channel,
       Dims(kValueScale, {1, 2, 64}),
       {"valueAntiquantScaleOptional"}},
      {"SeparateShapesAgree",
       separate_offset,
       Dims(kValueOffset, {1, 2, 64}),
       {"valueAntiquantOffsetOptional"}},
      {"SeparateShapesAgree",
       separate_offset,
       Type(kKeyOffset, ACL_FLOAT),
       {"keyAntiquantOffsetOptional"}},
      {"SeparateScaleShape", channel, ScaleDims({2, 64}), {"keyAntiquantScaleOptional", "2"}},
      {"SeparateScaleShape",
       channel,
       [](Call& c) { c.tensors[kKeyScale]->dtype = c.tensors[kValueScale]->dtype = ACL_FLOAT; },
       {"keyAntiquantScaleOptional", "FLOAT", "FLOAT16"}},
      {"SeparateScaleShape", token, ScaleDims({1, 3, 16}), {"keyAntiquantScaleOptional", "3"}},
      {"SeparateScaleShape",
       token,
       Type(kKeyScale, ACL_FLOAT16),
       {"keyAntiquantScaleOptional", "FLOAT16"}},
      {"SeparateScaleShape", head, ScaleDims({4}), {"keyAntiquantScaleOptional", "4"}},
      {"SeparateScaleShape", token_head, ScaleDims({2, 4, 16}), {"keyAntiquantScaleOptional", "4"}},
      {"SeparateScaleShape", page, ScaleDims({5, 64}), {"keyAntiquantScaleOptional", "64"}},
      {"SeparateScaleShape", page_head, ScaleDims({5, 4, 128}), {"keyAntiquantScaleOptional", "4"}},
      {"SeparateScaleShape", separate, ScaleDims({1}), {"keyAntiquantScaleOptional", "1"}},
      {"SeparateScaleShape",
       mixed,
       Dims(kValueScale, {1, 2, 1, 64}),
       {"valueAntiquantScaleOptional"}},
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
      {"PagedModesNeedBlockTable",
       token,
       Modes(4, 4),
       {"keyAntiquantMode", "4", "blockTableOptional"}},
      {"TokenScalesCoverAllColumns",
       token,
       ScaleDims({1, 2, 15}),
       {"keyAntiquantScaleOptional", "15", "16"}},
      {"TokenScalesCoverAllColumns",
       padded_tokens,
       ScaleDims({1, 2, 15}),
       {"keyAntiquantScaleOptional", "15", "16"}},
      {"ChannelKeysWithTokenValuesNeedFloat16",
       mixed_out,
       [](Call&) {},
       {"attentionOut", "INT8", "FLOAT16"}},
      {"ChannelKeysWithTokenValuesNeedFloat16",
       mixed_bf16,
       [](Call&) {},
       {"query", "BF16", "FLOAT16"}},
      {"PromptSeparateScaleTypes", separate, many_rows, {"query", "17", "16"}},
      {"PromptSeparateScaleTypes",
       separate,
       [](Call& c) { c.tensors[kQuery]->dtype = c.tensors[kOut]->dtype = ACL_FLOAT16; },
       {"query", "FLOAT16", "BF16"}},
      {"PaddingNotWithSeparateScales", separate, Give(kKvPad, kPad), {"keyAntiquantScaleOptional"}},
      {"PromptSeparateScalesNotWithBlockTable",
       PagedPrompt(),
       [](Call& c) {
         c.tensors[kKeyScale] = c.tensors[kValueScale] = Layout{.dims = {2, 32}, .dtype = ACL_BF16};
       },
       {"keyAntiquantScaleOptional", "blockTableOptional"}},
  };
}

std::vector<Break> Int4Breaks() {
  const AttentionOptions int4 = Quantised(ACL_INT4, 0);
  return {
      {"PromptCacheIsNotInt4",
       int4,
       [](Call& c) { c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 2; },
       {"key", "INT4", "1"}},
      {"Int4NeedsSeparateScales", int4, Modes(2, 2), {"keyAntiquantMode", "2", "INT4"}},
      {"Int4NeedsSeparateScales", int4, ScaleDims({1}), {"keyAntiquantScaleOptional", "1"}},
      {"Int4NeedsSeparateScales",
       int4,
       [](Call& c) {
         c.tensors[kKeyScale].reset();
         c.tensors[kValueScale].reset();
         c.tensors[kScales] = Layout{.dims = {2}, .dtype = ACL_FLOAT16};
       },
       {"keyAntiquantScaleOptional", "INT4"}},
      {"Int4CacheNotWithInt8Out",
       int4,
       [](Call& c) {
         c.tensors[kOut]->dtype = ACL_INT8;
         c.tensors[kQuant2] = Layout{.dims = {1}};
       },
       {"attentionOut", "INT8", "INT4"}},
  };
}

}  // namespace anyacl::test
