// SPDX-License-Identifier: Apache-2.0
// Types, heads, sizes and lists.
#include "ops/attention_breaks.h"

namespace anyacl::test {
namespace {

using Call = AttentionCall;

void SetType(OptionalLayout& layout, aclDataType type) { layout->dtype = type; }

Change KeyDims(size_t member, std::vector<int64_t> dims) {
  return [=](Call& c) { (*c.key)[member]->dims = dims; };
}

Change MemberDims(size_t member, std::vector<int64_t> dims) {
  return [=](Call& c) { (*c.key)[member]->dims = (*c.value)[member]->dims = dims; };
}

AttentionOptions InLayoutOf(AttentionOptions o, const char* layout) {
  o.layout = layout;
  return o;
}

}  // namespace

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
      {"RequiredTensorsAreGiven", prompt, Null(kQuery), {"query", "null"}},
      {"RequiredTensorsAreGiven", prompt, [](Call& c) { c.key.reset(); }, {"key", "null"}},
      {"RequiredTensorsAreGiven", prompt, [](Call& c) { c.value.reset(); }, {"value", "null"}},
      {"RequiredTensorsAreGiven", one, Null(kOut), {"attentionOut", "null"}},
      {"ListsHaveATensor", prompt, [](Call& c) { c.key->clear(); }, {"key", "0"}},
      {"ListsHaveATensor", one, [](Call& c) { c.value->clear(); }, {"value", "0"}},
      {"ListMembersAreGiven", prompt, [](Call& c) { (*c.key)[0].reset(); }, {"key", "null"}},
      {"ListMembersAreGiven", list, [](Call& c) { (*c.value)[1].reset(); }, {"value", "1", "null"}},
      {"ListsHaveAtMost256Tensors",
       list,
       [](Call& c) { c.key->resize(257, (*c.key)[0]); },
       {"key", "257", "256"}},
      {"TypesGoTogether", prompt, Type(kQuery, ACL_FLOAT), {"query", "FLOAT"}},
      {"TypesGoTogether", prompt, Type(kOut, ACL_BF16), {"attentionOut", "BF16"}},
      {"TypesGoTogether",
       prompt,
       [](Call& c) { SetType((*c.value)[0], ACL_BF16); },
       {"value", "BF16"}},
      {"TypesGoTogether",
       prompt,
       [](Call& c) {
         SetType((*c.key)[0], ACL_BF16);
         SetType((*c.value)[0], ACL_BF16);
       },
       {"query", "key", "FLOAT16", "BF16"}},
      {"TypesGoTogether", one, [](Call& c) { SetType((*c.key)[0], ACL_INT32); }, {"key", "INT32"}},
      {"TypesGoTogether", int8, Type(kOut, ACL_BF16), {"attentionOut", "BF16", "INT8"}},
      {"FormatsAreNd", prompt, [=](Call& c) { nz(c.tensors[kQuery]); }, {"query", "format", "ND"}},
      {"FormatsAreNd", list, [=](Call& c) { nz((*c.key)[2]); }, {"key", "format", "ND"}},
      {"FormatsAreNd", prompt, [=](Call& c) { nz(c.tensors[kOut]); }, {"attentionOut", "format"}},
      {"PseShiftType", pse, Type(kPse, ACL_FLOAT), {"pseShiftOptional", "FLOAT"}},
      {"AttenMaskType",
       Masked(prompt, 0),
       Type(kMask, ACL_FLOAT16),
       {"attenMaskOptional", "FLOAT16"}},
      {"SoftmaxLseFlagNeedsSoftmaxLse", Lse(prompt), Null(kLse), {"softmaxLse", "null"}},
      {"SoftmaxLseType", Lse(prompt), Type(kLse, ACL_FLOAT16), {"softmaxLse", "FLOAT16"}},
      {"OptionalTensorTypes", int8, Type(kDeq1, ACL_INT64), {"deqScale1Optional", "INT64"}},
      {"OptionalTensorTypes", int8, Type(kDeq2, ACL_FLOAT16), {"deqScale2Optional", "FLOAT16"}},
      {"OptionalTensorTypes", int8, Type(kQuant1, ACL_FLOAT16), {"quantScale1Optional", "FLOAT16"}},
      {"OptionalTensorTypes", out, Type(kQuant2, ACL_FLOAT16), {"quantScale2Optional", "FLOAT16"}},
      {"OptionalTensorTypes",
       out,
       Type(kOffset2, ACL_FLOAT16),
       {"quantOffset2Optional", "FLOAT16"}},
      {"OptionalTensorTypes", offsets, Type(kScales, ACL_INT8), {"antiquantScaleOptional", "INT8"}},
      {"OptionalTensorTypes",
       offsets,
       Type(kOffsets, ACL_INT8),
       {"antiquantOffsetOptional", "INT8"}},
      {"OptionalTensorTypes", paged, Type(kTable, ACL_INT64), {"blockTableOptional", "INT64"}},
      {"OptionalTensorTypes",
       padded,
       Type(kQueryPad, ACL_INT32),
       {"queryPaddingSizeOptional", "INT32"}},
      {"OptionalTensorTypes", padded, Type(kKvPad, ACL_INT32), {"kvPaddingSizeOptional", "INT32"}},
      {"OptionalTensorTypes",
       quantised,
       Type(kKeyScale, ACL_INT8),
       {"keyAntiquantScaleOptional", "INT8"}},
      {"OptionalTensorTypes",
       quantised,
       Type(kKeyOffset, ACL_INT8),
       {"keyAntiquantOffsetOptional", "INT8"}},
      {"OptionalTensorTypes",
       quantised,
       Type(kValueScale, ACL_INT8),
       {"valueAntiquantScaleOptional", "INT8"}},
      {"OptionalTensorTypes",
       quantised,
       Type(kValueOffset, ACL_INT8),
       {"valueAntiquantOffsetOptional", "INT8"}},
      {"ElementCountsFit63Bits",
       prompt,
       Dims(kQuery, {int64_t{1} << 32, 1 << 16, 1 << 10, 32}),
       {"query", "2^63"}},
      {"RanksAreAtMostEight",
       Int8Prompt(),
       Dims(kDeq1, {1, 1, 1, 1, 1, 1, 1, 1, 1}),
       {"deqScale1Optional", "rank 9"}},
      {"StridesAreAddressable",
       prompt,
       [](Call& c) {
         c.tensors[kOut]->strides = {1024, 256, 32, 0};
       },
       {"attentionOut", "strides"}},
      {"OneTokenInnerPrecise", one, [](Call& c) { c.inner_precise = 2; }, {"innerPrecise", "2"}},
      {"OneTokenInnerPrecise", one, [](Call& c) { c.inner_precise = -1; }, {"innerPrecise", "1"}},
      {"PromptInnerPrecise", prompt, [](Call& c) { c.inner_precise = 4; }, {"innerPrecise", "4"}},
  };
}

std::vector<Break> HeadBreaks() {
  const AttentionOptions prompt = PromptCall(), one = OneTokenCall();
  const AttentionOptions bsh = InLayoutOf(prompt, "BSH");
  return {
      {"InputLayoutIsKnown", prompt, [](Call& c) { c.layout = "bnsd"; }, {"inputLayout", "bnsd"}},
      {"InputLayoutIsKnown", prompt, [](Call& c) { c.layout = "TND"; }, {"inputLayout", "TND"}},
      {"InputLayoutIsKnown", one, [](Call& c) { c.layout = "SH"; }, {"inputLayout", "SH"}},
      {"InputLayoutIsKnown", one, [](Call& c) { c.layout = "BNSD_BSND_X"; }, {"inputLayout"}},
      {"BnsdBsndNeedsSeveralRows",
       one,
       [](Call& c) {
         c.layout = "BNSD_BSND";
         c.tensors[kOut]->dims = {2, 1, 4, 32};
       },
       {"inputLayout", "1"}},
      {"QueryRankFollowsInputLayout", prompt, Dims(kQuery, {2, 8, 128}), {"query", "3", "4"}},
      {"QueryRankFollowsInputLayout", bsh, Dims(kQuery, {2, 8, 4, 32}), {"query", "4", "3"}},
      {"KeyRankFollowsInputLayout", prompt, CacheDims({2, 16, 64}), {"key", "3", "4"}},
      {"NumHeadsIsPositive", prompt, [](Call& c) { c.num_heads = 0; }, {"numHeads", "0"}},
      {"NumKeyValueHeadsIsNotNegative",
       one,
       [](Call& c) { c.num_kv_heads = -1; },
       {"numKeyValueHeads", "1"}},
      {"QueryRowIsAMultipleOfNumHeads",
       bsh,
       [](Call& c) { c.num_heads = 3; },
       {"query", "128", "3"}},
      {"QueryHeadsAreNumHeads", prompt, [](Call& c) { c.num_heads = 6; }, {"query", "4", "6"}},
      {"KeyHeadsAreNumKeyValueHeads",
       prompt,
       [](Call& c) { c.num_kv_heads = 4; },
       {"key", "2", "4"}},
      {"KeyHeadsAreNumKeyValueHeads",
       one,
       [](Call& c) { (*c.value)[0]->dims[1] = 4; },
       {"value", "4", "2"}},
      {"KeyHeadsAreNumKeyValueHeads",
       prompt,
       [](Call& c) { (*c.key)[0]->dims[1] = 0; },
       {"key", "0", "2"}},
      {"NumHeadsIsAMultipleOfNumKeyValueHeads",
       prompt,
       [](Call& c) { c.num_kv_heads = 3; },
       {"numHeads", "4", "3"}},
      {"NumHeadsIsAMultipleOfNumKeyValueHeads",
       one,
       [](Call& c) { c.num_kv_heads = 8; },
       {"numHeads", "4", "8"}},
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
      {"HeadsPerKeyHeadLimit", prompt, heads(65, 1), {"65", "64"}},
      {"KeyHeadSizeIsThatOfQuery", bsh, CacheDims({2, 16, 128}), {"key", "128", "64"}},
      {"KeyHeadSizeIsThatOfQuery", prompt, CacheDims({2, 2, 16, 64}), {"key", "64", "32"}},
      {"KeyHeadSizeIsThatOfQuery",
       one,
       [](Call& c) { (*c.value)[0]->dims[3] = 16; },
       {"value", "16", "32"}},
      {"ValueShapeIsThatOfKey",
       prompt,
       [](Call& c) { (*c.value)[0]->dims[2] = 17; },
       {"value", "17"}},
      {"KeyBatchIsThatOfQuery", prompt, CacheDims({3, 2, 16, 32}), {"key", "3", "2"}},
      {"AttentionOutShapeFollowsQuery",
       prompt,
       Dims(kOut, {2, 4, 8, 64}),
       {"attentionOut", "64", "32"}},
      {"AttentionOutShapeFollowsQuery",
       InLayoutOf(prompt, "BNSD_BSND"),
       Dims(kOut, {2, 4, 8, 32}),
       {"attentionOut"}},
      {"EmptyQueryNeedsEmptyAttentionOut",
       prompt,
       Dims(kQuery, {2, 4, 0, 32}),
       {"attentionOut", "query"}},
      {"BatchLimit",
       one,
       [](Call& c) {
         for (auto* layout : {&c.tensors[kQuery], &c.tensors[kOut], &(*c.key)[0], &(*c.value)[0]})
           (*layout)->dims[0] = 65537;
       },
       {"query", "65537", "65536"}},
      {"NumHeadsLimit", prompt, heads(257, 257), {"numHeads", "257", "256"}},
      {"NumHeadsLimit", one, heads(257, 257), {"numHeads", "257"}},
      {"HeadSizeLimit", prompt, dim(528), {"query", "528", "512"}},
      {"HeadSizeLimit", one, dim(513), {"query", "513"}},
      {"QueryRowLimit",
       bsh,
       [](Call& c) {
         c.num_heads = c.num_kv_heads = 256;
         for (auto* layout : {&c.tensors[kQuery], &c.tensors[kOut], &(*c.key)[0], &(*c.value)[0]})
           (*layout)->dims[2] = 256 * 256;
       },
       {"query", "65536", "65535"}},
      {"QuerySequenceLimit",
       prompt,
       [](Call& c) { c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 20971521; },
       {"query", "20971521", "20971520"}},
      {"KeySequenceLimit", prompt, CacheDims({2, 2, 20971521, 32}), {"key", "20971521"}},
      {"PromptHeadSizeAlignment", prompt, dim(24), {"query", "24", "16"}},
      {"PromptHeadSizeAlignment", Int8Out(prompt), dim(48), {"query", "48", "32"}},
      {"Int4HeadSizeAlignment", four, dim(96), {"query", "96", "64"}},
      {"Int4HeadSizeAlignment",
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
      {"ListHasATensorPerBatchEntry",
       list,
       [](Call& c) {
         c.key->pop_back();
         c.value->pop_back();
       },
       {"key", "2", "3"}},
      {"ListHasATensorPerBatchEntry",
       one,
       [](Call& c) { c.value->pop_back(); },
       {"value", "2", "3"}},
      {"ListMembersHaveBatchOne", list, MemberDims(1, {2, 2, 16, 32}), {"key", "2", "1"}},
      {"ListHeadsAgree", list, MemberDims(1, {1, 4, 16, 32}), {"key", "4", "2"}},
      {"ListHeadsAgree", one, MemberDims(2, {1, 2, 16, 64}), {"key", "64", "32"}},
      {"ListTypesAgree",
       list,
       [](Call& c) { SetType((*c.value)[1], ACL_BF16); },
       {"value", "BF16"}},
      {"ListValuesAreAsLongAsKeys", list, KeyDims(1, {1, 2, 40, 32}), {"value", "40"}},
      {"ListHeadsAreNumKeyValueHeads",
       list,
       [](Call& c) { c.num_kv_heads = 4; },
       {"key", "2", "4"}},
      {"ListIsEmptyAsAWhole", list, MemberDims(1, {1, 2, 0, 32}), {"key", "1", "empty"}},
      {"BlockTableNotWithList",
       PagedPrompt(),
       [](Call& c) { c.key->push_back((*c.key)[0]); },
       {"key", "2"}},
      {"BlockTableNotWithList",
       PagedOneToken(),
       [](Call& c) { c.value->push_back((*c.value)[0]); },
       {"value", "2"}},
      {"PaddingNotWithList",
       list,
       Give(kQueryPad, {.dims = {1}, .dtype = ACL_INT64}),
       {"queryPaddingSizeOptional"}},
      {"PaddingNotWithList",
       list,
       Give(kKvPad, {.dims = {1}, .dtype = ACL_INT64}),
       {"kvPaddingSizeOptional"}},
      {"SeparateScalesNotWithList", separate, [](Call&) {}, {"keyAntiquantScaleOptional", "3"}},
      {"PrefixNotWithList",
       list,
       [](Call& c) { c.tensors[kKeyPrefix] = c.tensors[kValuePrefix] = (*c.key)[0]; },
       {"keySharedPrefixOptional", "3"}},
  };
}

}  // namespace anyacl::test
