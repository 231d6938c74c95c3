// SPDX-License-Identifier: Apache-2.0
// What FusedInferAttentionScore V3, V4 and V5 refuse.
#include <functional>

#include "ops/attention_extended_case.h"
#include "ops/attention_problem.h"

namespace anyacl::test::attention_refusal {
namespace {

using AttentionRefusalTest = AttentionTest;

// Enough for first phases; what is larger has no memory.
constexpr int64_t kMaxBytes = 1 << 16;

struct Refusal {
  ExtendedOptions options;
  std::function<void(AttentionCall&)> change;
  std::vector<std::string_view> words;
  int code = 561002;
};

Layout Shape(std::vector<int64_t> dims, aclDataType type = ACL_BF16) {
  return {.dims = std::move(dims), .dtype = type};
}

std::vector<Refusal> Refusals() {
  const ExtendedOptions ragged;
  ExtendedOptions sink;
  sink.sink = true;
  ExtendedOptions tree;
  tree.sparse_mode = 9;
  ExtendedOptions dense;
  dense.layout = "BSND_BNSD";
  ExtendedOptions int8 = Latent();
  int8.type = int8.kv_type = ACL_INT8;
  int8.pages = 5;
  ExtendedOptions cache;
  cache.kv_type = ACL_INT8;
  cache.pages = 5;
  ExtendedOptions roped;
  roped.rope = true;
  using Call = AttentionCall;
  return {
      {Latent(), [](Call& c) { c.tensors[kKeyRope].reset(); }, {"keyRopeOptional", "null"}},
      {Latent(), [](Call& c) { c.tensors[kQueryRope].reset(); }, {"queryRopeOptional", "null"}},
      {Latent(), [](Call& c) { c.tensors[kQueryRope]->dims[3] = 16; }, {"queryRopeOptional", "64"}},
      {Latent(), [](Call& c) { c.tensors[kKeyRope]->dims[3] = 32; }, {"keyRopeOptional"}},
      {Latent(),
       [](Call& c) { c.tensors[kKeyRope]->dtype = ACL_FLOAT16; },
       {"keyRopeOptional", "BF16"}},
      {Latent(), [](Call& c) { c.num_heads = 3; }, {"numHeads", "3"}},
      {Latent(), [](Call& c) { c.tensors[kTable].reset(); }, {"blockTableOptional", "512"}},
      {Latent(), [](Call& c) { c.block_size = 24; }, {"blockSize", "24"}},
      {Latent(), [](Call& c) { c.block_size = 16; }, {"key"}},
      {Latent(), [](Call& c) { c.kv_lengths.reset(); }, {"actualSeqLengthsKvOptional", "null"}},
      {Latent(), [](Call& c) { c.tensors[kTable]->dims[1] = 1; }, {"blockTableOptional"}},
      {Latent(), [](Call& c) { c.tensors[kOut]->dims[3] = 576; }, {"attentionOut"}},
      {Latent(), [](Call& c) { c.inner_precise = 4; }, {"innerPrecise", "4"}},
      {Latent(), [](Call& c) { c.query_mode = 3; }, {"queryQuantMode", "3"}},
      {roped, [](Call& c) { c.tensors[kQuery]->dims[2] = 64; }, {"head", "64"}},
      {roped,
       [](Call& c) { c.tensors[kScales] = Shape({2}, ACL_FLOAT16); },
       {"antiquantScaleOptional", "queryRopeOptional"}},
      {ragged, [](Call& c) { c.query_lengths.reset(); }, {"actualSeqLengthsOptional", "TND"}},
      {ragged, [](Call& c) { c.kv_lengths.reset(); }, {"actualSeqLengthsKvOptional", "TND"}},
      {ragged,
       [](Call& c) {
         c.query_lengths = {5, 3, 8};
       },
       {"actualSeqLengthsOptional", "3"}},
      {ragged, [](Call& c) { c.query_lengths->back() = 9; }, {"actualSeqLengthsOptional", "9"}},
      {ragged, [](Call& c) { c.kv_lengths->pop_back(); }, {"actualSeqLengthsKvOptional", "2"}},
      {ragged, [](Call& c) { c.tensors[kQuery]->dims.push_back(1); }, {"query", "rank"}},
      {ragged, [](Call& c) { c.tensors[kLse]->dims[0] = 3; }, {"softmaxLse"}},
      {ragged, [](Call& c) { c.layout = "NSD"; }, {"inputLayout", "NSD"}},
      {ragged,
       [](Call& c) {
         c.tensors[kMask] = Shape({8, 300}, ACL_BOOL);
       },
       {"attenMaskOptional", "TND"}},
      {ragged,
       [](Call& c) {
         c.tensors[kPse] = Shape({1, 4, 8, 300});
       },
       {"pseShiftOptional"}},
      {ragged,
       [](Call& c) { c.tensors[kKvPad] = Shape({1}, ACL_INT64); },
       {"kvPaddingSizeOptional"}},
      {ragged, [](Call& c) { c.sparse_mode = 5; }, {"sparseMode", "5"}},
      {ragged, [](Call& c) { c.sparse_mode = 3; }, {"attenMaskOptional", "3"}},
      {ragged, [](Call& c) { c.tensors[kOut]->dtype = ACL_INT8; }, {"INT8"}},
      {ragged, [](Call& c) { (*c.value)[0]->dims[2] = 64; }, {"head", "64"}},
      {ragged, [](Call& c) { (*c.key)[0]->dims[1] = 4; }, {"key"}},
      {ragged, [](Call& c) { c.key->push_back((*c.key)[0]); }, {"key", "2"}},
      {dense, [](Call& c) { c.version = 3; }, {"inputLayout", "BSND_BNSD"}},
      {dense,
       [](Call& c) {
         c.tensors[kKeyPrefix] = Shape({1, 3, 2, 128});
       },
       {"keySharedPrefixOptional"}},
      {dense, [](Call& c) { c.tensors[kQuant2] = Shape({1}, ACL_FLOAT); }, {"quantScale2Optional"}},
      {sink, [](Call& c) { c.tensors[kSink]->dims[0] = 3; }, {"learnableSinkOptional"}},
      {sink, [](Call& c) { c.tensors[kSink]->dtype = ACL_FLOAT16; }, {"learnableSinkOptional"}},
      {tree, [](Call& c) { c.tensors[kMask].reset(); }, {"attenMaskOptional", "9"}},
      {tree, [](Call& c) { c.tensors[kMask]->dims[0] -= 1; }, {"attenMaskOptional", "9"}},
      {tree,
       [](Call& c) {
         c.kv_lengths = {2, 20, 50};
       },
       {"batch", "2"}},
      {int8,
       [](Call& c) { c.tensors[kQueryScale].reset(), c.query_mode = 0; },
       {"attentionOut"},
       161002},
      {int8, [](Call& c) { c.query_mode = 0; }, {"queryQuantMode", "0"}},
      {int8, [](Call& c) { c.tensors[kQueryScale]->dims[0] = 3; }, {"dequantScaleQueryOptional"}},
      {int8, [](Call& c) { c.tensors[kKeyScale].reset(); }, {"keyAntiquantScaleOptional", "null"}},
      {int8, [](Call& c) { c.tensors[kValueScale]->dims[0] = 2; }, {"valueAntiquantScaleOptional"}},
      {int8, [](Call& c) { c.key_mode = 1; }, {"keyAntiquantMode", "1"}},
      {int8, [](Call& c) { c.tensors[kOut]->dtype = ACL_FLOAT16; }, {"attentionOut"}, 161002},
      {cache, [](Call& c) { c.value_mode = 1; }, {"valueAntiquantMode", "1"}},
      {cache, [](Call& c) { c.key_mode = c.value_mode = 3; }, {"keyAntiquantMode", "3"}},
      {cache, [](Call& c) { c.tensors[kKeyScale].reset(); }, {"keyAntiquantScaleOptional"}},
      {cache, [](Call& c) { c.tensors[kKeyScale]->dims[1] = 64; }, {"keyAntiquantScaleOptional"}},
      {cache,
       [](Call& c) { c.tensors[kKeyOffset] = c.tensors[kKeyScale]; },
       {"keyAntiquantOffsetOptional"}},
      {ragged,
       [](Call& c) {
         c.version = 5;
         c.pse_type = 2;
       },
       {"pseType", "2"}},
      {ragged,
       [](Call& c) {
         c.version = 5;
         c.query_start = {1};
       },
       {"qStartIdxOptional"}},
  };
}

TEST_F(AttentionRefusalTest, WhatTheDocumentsForbidIsRefusedByName) {
  int number = 0;
  for (const Refusal& refusal : Refusals()) {
    SCOPED_TRACE(testing::Message() << "refusal " << number++ << ": " << NameOf(refusal.options));
    AttentionCall call = MakeExtendedCall(refusal.options, random()).call;
    {
      const AttentionObjects right(call);
      const Prepared prepared = Prepare(right.PhaseOne());
      EXPECT_OK(prepared.code) << TakeMessages();
      if (prepared.executor != nullptr) {
        EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
      }
    }
    TakeMessages();
    refusal.change(call);
    const AttentionObjects objects(call, kMaxBytes);
    const Prepared prepared = Prepare(objects.PhaseOne());
    const std::string message = TakeMessages();
    EXPECT_EQ(prepared.code, refusal.code) << message;
    for (std::string_view word : refusal.words) {
      EXPECT_NE(message.find(word), std::string::npos) << "no '" << word << "' in: " << message;
    }
  }
}

}  // namespace
}  // namespace anyacl::test::attention_refusal
