// SPDX-License-Identifier: Apache-2.0
// PromptFlashAttention and IncreFlashAttention, by the bits of FusedInferAttentionScore.
#include <functional>

#include "aclnnop/aclnn_incre_flash_attention.h"
#include "aclnnop/aclnn_incre_flash_attention_v2.h"
#include "aclnnop/aclnn_incre_flash_attention_v3.h"
#include "aclnnop/aclnn_incre_flash_attention_v4.h"
#include "aclnnop/aclnn_prompt_flash_attention.h"
#include "aclnnop/aclnn_prompt_flash_attention_v2.h"
#include "aclnnop/aclnn_prompt_flash_attention_v3.h"
#include "ops/attention_problem.h"

namespace anyacl::test {
namespace {

// The operators before FusedInferAttentionScore are its two branches.
class OlderAttentionTest : public AttentionTest {
 protected:
  // Runs a call with the values of `problem`, and compares the bits with `expected`.
  void ExpectSameBits(const AttentionProblem& problem, const AttentionOutput& expected,
                      const std::function<Phase1(const AttentionObjects&)>& phase_one,
                      Phase2 phase_two) {
    AttentionObjects objects(problem.call);
    WriteValues(problem, objects);
    RunTwoPhase(phase_one(objects), phase_two);
    EXPECT_EQ(ReadOutput(problem, objects).out, expected.out);
  }
};

TEST_F(OlderAttentionTest, PromptFlashAttentionIsTheBranchOfSeveralRows) {
  AttentionOptions o = Prompt();
  o.lse = false;
  o.layout = "BSND";
  o.mask = o.pse = true;
  o.query_lengths = std::vector<int64_t>{20, 37};
  for (bool lengths : {false, true}) {
    if (lengths) o.kv_lengths = std::vector<int64_t>{150, 99};
    const AttentionProblem p = MakeProblem(o, random());
    const AttentionOutput expected = Run(p);
    const AttentionCall& c = p.call;
    std::string layout = o.layout;
    const auto h = [](const AttentionObjects& a, size_t which) { return a.Handle(which); };
    if (!lengths) {
      ExpectSameBits(
          p, expected,
          [&](const AttentionObjects& a) -> Phase1 {
            return [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnPromptFlashAttentionGetWorkspaceSize(
                  h(a, kQuery), a.key[0]->handle(), a.value[0]->handle(), h(a, kPse), h(a, kMask),
                  a.query_lengths, c.num_heads, c.scale, c.pre_tokens, c.next_tokens, layout.data(),
                  c.num_kv_heads, h(a, kOut), size, executor);
            };
          },
          aclnnPromptFlashAttention);
    }
    ExpectSameBits(
        p, expected,
        [&](const AttentionObjects& a) -> Phase1 {
          return [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnPromptFlashAttentionV2GetWorkspaceSize(
                h(a, kQuery), a.key[0]->handle(), a.value[0]->handle(), h(a, kPse), h(a, kMask),
                a.query_lengths, a.kv_lengths, nullptr, nullptr, nullptr, nullptr, nullptr,
                c.num_heads, c.scale, c.pre_tokens, c.next_tokens, layout.data(), c.num_kv_heads,
                c.sparse_mode, h(a, kOut), size, executor);
          };
        },
        aclnnPromptFlashAttentionV2);
    ExpectSameBits(
        p, expected,
        [&](const AttentionObjects& a) -> Phase1 {
          return [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnPromptFlashAttentionV3GetWorkspaceSize(
                h(a, kQuery), a.key[0]->handle(), a.value[0]->handle(), h(a, kPse), h(a, kMask),
                a.query_lengths, a.kv_lengths, nullptr, nullptr, nullptr, nullptr, nullptr,
                c.num_heads, c.scale, c.pre_tokens, c.next_tokens, layout.data(), c.num_kv_heads,
                c.sparse_mode, 1, h(a, kOut), size, executor);
          };
        },
        aclnnPromptFlashAttentionV3);
  }
}

TEST_F(OlderAttentionTest, IncreFlashAttentionIsTheBranchOfOneRow) {
  AttentionOptions o = OneToken();
  o.lse = false;
  o.layout = "BSH";
  o.mask = true;
  o.kv_lengths = std::vector<int64_t>{300, 99};
  for (Cache cache : {Cache::kContiguous, Cache::kList, Cache::kPagedRows}) {
    o.cache = cache;
    const AttentionProblem p = MakeProblem(o, random());
    const AttentionOutput expected = Run(p);
    const AttentionCall& c = p.call;
    std::string layout = o.layout;
    const auto h = [](const AttentionObjects& a, size_t which) { return a.Handle(which); };
    if (cache != Cache::kPagedRows) {
      ExpectSameBits(
          p, expected,
          [&](const AttentionObjects& a) -> Phase1 {
            return [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnIncreFlashAttentionGetWorkspaceSize(
                  h(a, kQuery), a.key_list, a.value_list, nullptr, h(a, kMask), a.kv_lengths,
                  c.num_heads, c.scale, layout.data(), c.num_kv_heads, h(a, kOut), size, executor);
            };
          },
          aclnnIncreFlashAttention);
      ExpectSameBits(
          p, expected,
          [&](const AttentionObjects& a) -> Phase1 {
            return [&](uint64_t* size, aclOpExecutor** executor) {
              return aclnnIncreFlashAttentionV2GetWorkspaceSize(
                  h(a, kQuery), a.key_list, a.value_list, nullptr, h(a, kMask), a.kv_lengths,
                  nullptr, nullptr, nullptr, nullptr, nullptr, c.num_heads, c.scale, layout.data(),
                  c.num_kv_heads, h(a, kOut), size, executor);
            };
          },
          aclnnIncreFlashAttentionV2);
    }
    ExpectSameBits(
        p, expected,
        [&](const AttentionObjects& a) -> Phase1 {
          return [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIncreFlashAttentionV3GetWorkspaceSize(
                h(a, kQuery), a.key_list, a.value_list, nullptr, h(a, kMask), a.kv_lengths, nullptr,
                nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, h(a, kTable), c.num_heads,
                c.scale, layout.data(), c.num_kv_heads, c.block_size, 1, h(a, kOut), size,
                executor);
          };
        },
        aclnnIncreFlashAttentionV3);
    ExpectSameBits(
        p, expected,
        [&](const AttentionObjects& a) -> Phase1 {
          return [&](uint64_t* size, aclOpExecutor** executor) {
            return aclnnIncreFlashAttentionV4GetWorkspaceSize(
                h(a, kQuery), a.key_list, a.value_list, nullptr, h(a, kMask), a.kv_lengths, nullptr,
                nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, h(a, kTable), nullptr,
                c.num_heads, c.scale, layout.data(), c.num_kv_heads, c.block_size, 1, h(a, kOut),
                size, executor);
          };
        },
        aclnnIncreFlashAttentionV4);
  }
}

}  // namespace
}  // namespace anyacl::test
