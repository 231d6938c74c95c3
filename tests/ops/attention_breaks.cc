// SPDX-License-Identifier: Apache-2.0
// What the breaks begin with, and calls that must pass.
#include "ops/attention_breaks.h"

namespace anyacl::test {

Change Type(size_t which, aclDataType type) {
  return [=](AttentionCall& c) { c.tensors[which]->dtype = type; };
}

Change Dims(size_t which, std::vector<int64_t> dims) {
  return [=](AttentionCall& c) { c.tensors[which]->dims = dims; };
}

Change CacheDims(std::vector<int64_t> dims) {
  return [=](AttentionCall& c) { (*c.key)[0]->dims = (*c.value)[0]->dims = dims; };
}

Change ScaleDims(std::vector<int64_t> dims) {
  return
      [=](AttentionCall& c) { c.tensors[kKeyScale]->dims = c.tensors[kValueScale]->dims = dims; };
}

Change Null(size_t which) {
  return [=](AttentionCall& c) { c.tensors[which].reset(); };
}

Change Give(size_t which, Layout layout) {
  return [=](AttentionCall& c) { c.tensors[which] = layout; };
}

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

AttentionOptions Masked(AttentionOptions o, int64_t sparse_mode) {
  o.mask = true;
  o.sparse_mode = sparse_mode;
  return o;
}

AttentionOptions Lse(AttentionOptions o) {
  o.lse = true;
  return o;
}

AttentionOptions PerChannel(AttentionOptions o) {
  o.out_per_channel = true;
  return o;
}

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
  const auto nothing = [](AttentionCall&) {};
  return {
      {"LargeBatches", many, nothing, {}},
      {"OneTokenHeadSizeIsFree", one, nothing, {}},
      {"LongPromptsAreComputed",
       PromptCall(),
       [](AttentionCall& c) {
         c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 2097152;
         (*c.key)[0]->dims[2] = (*c.value)[0]->dims[2] = 2097152;
       },
       {}},
      {"OneTokenLongCachesAreComputed", long_cache, CacheDims({2, 2, 300000, 32}), {}},
      {"PagedHeadsHaveNoRowLimit",
       by_head,
       [](AttentionCall& c) {
         c.num_heads = c.num_kv_heads = 256;
         c.tensors[kQuery]->dims = c.tensors[kOut]->dims = {2, 256, 1, 256};
         (*c.key)[0]->dims = (*c.value)[0]->dims = {8, 256, 128, 256};
       },
       {}},
      {"PagedSequencesMayBeEmpty",
       paged,
       [](AttentionCall& c) {
         c.kv_lengths = {0, 0};
       },
       {}},
      {"BlockIdsAreNotCheckedInTheFirstPhase", paged, nothing, {}},
      {"QueryPaddingWithoutLengthsIsIgnored", padded, nothing, {}},
      {"KvPaddingWithoutLengthsIsIgnored", padded, nothing, {}},
      {"Int8CachesMayBeEmpty", int8, CacheDims({2, 2, 0, 32}), {}},
      {"EmptyPseShiftIsNone", pse, Dims(kPse, {0}), {}},
      {"EmptyQueriesAreAccepted",
       PromptCall(),
       [](AttentionCall& c) { c.tensors[kQuery]->dims[2] = c.tensors[kOut]->dims[2] = 0; },
       {}},
      {"EmptyCachesGiveZeros", PromptCall(), CacheDims({2, 2, 0, 32}), {}},
      {"EmptyAttentionOutIsAccepted", PromptCall(), Dims(kOut, {0}), {}},
  };
}

}  // namespace anyacl::test
