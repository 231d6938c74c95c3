// SPDX-License-Identifier: Apache-2.0
// What FlashAttentionVarLenScore and its gradient refuse, with which code and words.
#include <string>

#include "aclnnop/aclnn_flash_attention_score.h"
#include "ops/flash_sequences_case.h"

namespace anyacl::test {
namespace {

using FlashSequencesRulesTest = DeviceTest;

TEST_F(FlashSequencesRulesTest, WhatDoesNotFitIsRefused) {
  constexpr int kInvalid = 161002, kConstraint = 561002;
  const Tensor q({.dims = {6, 2, 8}}), k({.dims = {9, 2, 8}}), odd({.dims = {9, 3, 8}}),
      wide({.dims = {9, 2, 9}}), flat({.dims = {6, 16}}), stat({.dims = {6, 2, 8}}),
      other({.dims = {3, 6, 8}}), mask({.dims = {2, 3}, .dtype = ACL_BOOL});
  struct Call {
    const Tensor &q, &k, &stat;
    std::vector<int64_t> ends, key_ends;
    std::string layout = "TND";
    const Tensor* mask = nullptr;
    int64_t mode = 0;
    double keep = 1;
  };
  const auto refused = [&](Call c, int code, std::initializer_list<std::string_view> words) {
    const aclIntArray* ends = aclCreateIntArray(c.ends.data(), c.ends.size());
    const aclIntArray* key_ends = aclCreateIntArray(c.key_ends.data(), c.key_ends.size());
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
              c.q.handle(), c.k.handle(), c.k.handle(), nullptr, nullptr, nullptr,
              c.mask != nullptr ? c.mask->handle() : nullptr, nullptr, ends, key_ends, 1, c.keep, 0,
              0, 2, c.layout.data(), 0, c.mode, c.stat.handle(), c.stat.handle(), nullptr,
              c.q.handle(), s, e);
        },
        code, words);
    aclDestroyIntArray(ends);
    aclDestroyIntArray(key_ends);
  };
  refused({q, k, stat, {2, 6}, {4, 9}, "BSND"}, kInvalid, {"BSND", "TND"});
  refused({flat, k, stat, {2, 6}, {4, 9}}, kInvalid, {"query.shape", "[T, N, D]"});
  refused({q, odd, stat, {2, 6}, {4, 9}}, kConstraint, {"headNum = 2", "3 heads"});
  refused({q, wide, stat, {2, 6}, {4, 9}}, kInvalid, {"D of key is 9", "8"});
  refused({q, k, stat, {2, 7}, {4, 9}}, kConstraint, {"actualSeqQLenOptional[1] = 7", "2 to 6"});
  refused({q, k, stat, {4, 2}, {4, 9}}, kConstraint, {"actualSeqQLenOptional[1] = 2"});
  refused({q, k, stat, {2, 6}, {9}}, kConstraint, {"2 values", "1"});
  refused({q, k, stat, {}, {}}, kConstraint, {"0 values", "2048"});
  refused({q, k, other, {2, 6}, {4, 9}}, kInvalid, {"softmaxMaxOut.shape", "[6, 2, 8]"});
  refused({q, k, stat, {2, 6}, {4, 9}, "TND", &mask}, kConstraint, {"attenMaskOptional", "4 x 5"});
  refused({q, k, stat, {2, 6}, {4, 9}, "TND", &mask, 2}, kConstraint, {"[2048, 2048]"});
  refused({q, k, stat, {2, 6}, {4, 9}, "TND", &mask, 7}, kConstraint, {"[2048, 2048]"});
  refused({q, k, stat, {2, 6}, {4, 9}, "TND", &mask, 9}, kConstraint, {"sparseMode = 9"});
  refused({q, k, stat, {0, 0}, {4, 2}}, kConstraint, {"actualSeqKvLenOptional[1] = 2"});
  refused({q, k, stat, {2, 6}, {4, 9}, "TND", nullptr, 0, 0.5}, kConstraint, {"keepProb = 0.5"});
}

// More scores than 64 bits count. Strides of 0 give such tensors without memory.
TEST_F(FlashSequencesRulesTest, MoreScoresThanCanBeCounted) {
  using enum FlashTensor;
  constexpr int64_t kRows = int64_t{1} << 30, kHeads = 1024;
  const auto expanded = [](std::vector<int64_t> dims) {
    return Layout{.dims = std::move(dims), .strides = {0, 0, 0}};
  };
  for (const std::vector<int64_t>& ends :
       {std::vector<int64_t>{kRows}, {kRows >> 1, kRows}, {0, kRows}}) {
    FlashSequences call;
    call.version = 2;
    call.heads = kHeads;
    call.query_ends = call.key_ends = ends;
    for (FlashTensor id : {kQuery, kDy, kOut, kDq}) call.Set(id, expanded({kRows, kHeads, 1}));
    for (FlashTensor id : {kKey, kValue, kDk, kDv}) call.Set(id, expanded({kRows, 1, 1}));
    for (FlashTensor id : {kMax, kSum}) call.Set(id, expanded({kRows, kHeads, 8}));
    ExpectRefused(call.Forward(), 561002, {"scores", "2^63"});
    ExpectRefused(call.Gradient(), 561002, {"scores", "2^63"});
  }
}

// A right call of version 2, or of 5: six rows and keys of two sequences.
FlashSequences RightCall(int version) {
  using enum FlashTensor;
  FlashSequences call;
  call.version = version;
  call.heads = 2;
  call.query_ends = call.key_ends = {2, 6};
  const aclDataType type = version == 5 ? ACL_FLOAT16 : ACL_FLOAT;
  for (FlashTensor id : {kQuery, kKey, kValue, kDy, kOut, kDq, kDk, kDv}) {
    call.Set(id, {.dims = {6, 2, 16}, .dtype = type});
  }
  for (FlashTensor id : {kMax, kSum}) call.Set(id, {.dims = {6, 2, 8}});
  return call;
}

TEST_F(FlashSequencesRulesTest, WhatLaterVersionsRefuse) {
  using enum FlashTensor;
  constexpr int kInvalid = 161002, kConstraint = 561002, kNull = 161001;
  const auto refused = [&](const FlashSequences& call, int code,
                           std::initializer_list<std::string_view> words) {
    ExpectRefused(call.Forward(), code, words);
    ExpectRefused(call.Gradient(), code, words);
  };
  {
    FlashSequences call = RightCall(2);
    call.pse_type = 4;
    refused(call, kConstraint, {"pseType = 4", "0 to 3"});
    call.pse_type = 0;
    call.Set(kPse, {.dims = {41}});
    refused(call, kConstraint, {"[41], expected [40], the scores"});
    call.tensors.erase(kPse);
    call.pse_type = 2;
    refused(call, kInvalid, {"pseType = 2, expected 1", "null"});
    call.Set(kPse, {.dims = {3, 2}});
    refused(call, kConstraint, {"[3, 2]", "[2] or [2, 2]"});
    call.Set(kPse, {.dims = {2, 2}, .dtype = ACL_FLOAT16});
    refused(call, kInvalid, {"FLOAT16, expected FLOAT"});
    call.Set(kPse, {.dims = {2, 2}});
    call.key_ends = {3, 6};
    refused(call, kConstraint, {"sequence 0 has 2 rows", "3 keys", "pseType = 2"});
    call.Set(kMask, {.dims = {2048, 2048}, .dtype = ACL_BOOL});
    call.sparse_mode = 8;
    call.query_start = {2};
    refused(call, kConstraint, {"sequence 0 has 2 rows", "at 0", "3 keys"});
    call.key_start = {0};
    refused(call, kConstraint, {"sequence 0 has 2 rows", "at 2", "3 keys"});
    call.sparse_mode = 7;
    call.key_ends = {2, 6};
    refused(call, kConstraint, {"expected null as sparseMode = 7"});
  }
  for (int version : {4, 5}) {
    FlashSequences call = RightCall(version);
    call.softmax_layout = "TND";
    refused(call, kInvalid, {"\"TND\", expected \"\" or \"same_as_input\""});
    call.softmax_layout = "same_as_input";
    for (FlashTensor id : {kMax, kSum}) call.Set(id, {.dims = {2, 6, 8}});
    refused(call, kInvalid, {"[2, 6, 8], expected [6, 2, 8]"});
    call.null_softmax_layout = true;
    if (version == 4) refused(call, kNull, {"null, expected a text"});
    if (version == 5) RunTwoPhase(call.Forward(), call.ForwardRun());
  }
  {
    FlashSequences call = RightCall(5);
    call.Set(kMask, {.dims = {6, 6}, .dtype = ACL_BOOL});
    call.sparse_mode = 5;
    call.prefix = {2, 2};
    refused(call, kConstraint, {"sparseMode = 5"});
    call.sparse_mode = 0;
    call.Set(kSink, {.dims = {3}});
    refused(call, kConstraint, {"[3], expected [2]"});
    call.Set(kSink, {.dims = {2}});
    ExpectRefused(call.Gradient(), kNull, {"dsinkOut is null"});
    call.Set(kDsink, {.dims = {3}});
    ExpectRefused(call.Gradient(), kInvalid, {"dsinkOut.shape = [3], expected [2]"});
    call.tensors.erase(kSink);
    ExpectRefused(call.Gradient(), kInvalid, {"dsinkOut.shape = [3], expected null or empty"});
  }
  {
    FlashSequences call = RightCall(4);
    call.Set(kMask, {.dims = {3072, 2048}, .dtype = ACL_BOOL});
    call.sparse_mode = 6;
    call.query_ends.assign(1025, 6);
    call.key_ends.assign(1025, 6);
    call.prefix.assign(1025, 0);
    refused(call, kConstraint, {"1025 values, expected at most 1024"});
  }
  {
    FlashSequences call = RightCall(4);
    call.query_ends.assign(2049, 6);
    call.key_ends.assign(2049, 6);
    refused(call, kConstraint, {"2049 values", "1 to 2048"});
    FlashSequences fifth = RightCall(5);
    fifth.query_ends.assign(2049, 6);
    fifth.key_ends.assign(2049, 6);
    RunTwoPhase(fifth.Forward(), fifth.ForwardRun());
    fifth.query_ends.assign(20001, 6);
    fifth.key_ends.assign(20001, 6);
    refused(fifth, kConstraint, {"20001 values", "1 to 20000"});
  }
}

}  // namespace
}  // namespace anyacl::test
