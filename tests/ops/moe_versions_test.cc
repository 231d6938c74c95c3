// SPDX-License-Identifier: Apache-2.0
// What the first versions of dispatch and combine, and combine with a norm, refuse.
#include <limits>
#include <string>
#include <string_view>

#include "aclnn/opdev/op_errno.h"
#include "ops/moe_rank.h"
#include "ops/moe_threads.h"

namespace anyacl::test {
namespace {

using MoeVersionsTest = MoeThreadsTest;

// Combine by copy, with what dispatch would not have written.
TEST_F(MoeVersionsTest, WrongCopiesFail) {
  constexpr int64_t kTokens = 2;
  const MoeShape shape = {.tokens = {kTokens, kTokens}, .chosen = 1, .routed = 2, .by_copy = true};
  // Both tokens of both ranks are expert 0's, which has four rows.
  const struct {
    std::vector<int32_t> counts, indices, ids;
    std::string_view words;
    std::vector<int32_t> counts_of_1 = {0, 0};
  } cases[] = {
      {{2, 4}, {0, 1}, {0, 0}, ""},
      {{2, 4}, {1, 0}, {0, 0}, ""},
      {{2, 1}, {0, 1}, {0, 0}, "epSendCounts[1] is 1, expected 2 to the 4 rows of expandX"},
      {{2, 5}, {0, 1}, {0, 0}, "epSendCounts[1] is 5, expected 2 to the 4 rows of expandX"},
      {{-1, 4}, {0, 1}, {0, 0}, "epSendCounts[0] is -1, expected 0 to the 4 rows of expandX"},
      {{1, 2},
       {0, 1},
       {0, 0},
       "row 0 of token 1 is number 1 of those from expert 0 of rank 0 on host-0"},
      {{2, 4},
       {0, 2},
       {0, 0},
       "row 0 of token 1 is number 2 of those from expert 0 of rank 0 on host-0"},
      {{2, 4},
       {0, -1},
       {0, 0},
       "row 0 of token 1 is number -1 of those from expert 0 of rank 0 on host-0"},
      {{2, 4},
       {1, 1},
       {0, 0},
       "row 0 of token 1 is number 1 of those from expert 0 of rank 0 on host-0"},
      {{2, 4},
       {0, 0},
       {0, 1},
       "row 0 of token 1 is number 0 of those from expert 0 of rank 1 on host-1"},
      {{2, 4}, {0, 1}, {0, 2}, "expertIds[1][0] is 2, expected 0 to 1"},
      // A token each for both experts.
      {{1, 2}, {0, 0}, {0, 1}, "", {1, 2}},
      {{2, 3},
       {0, 0},
       {0, 1},
       "rank 0 on host-0 of communicator \"moe\" returns 2 rows of its expert 0",
       {1, 2}},
      {{1, 3}, {0, 0}, {0, 1}, "no token is number 1 of them, expected 1", {1, 2}},
      {{1, 2},
       {0, 0},
       {0, 1},
       "rank 1 on host-1 of communicator \"moe\" returns 2 rows of its expert 0",
       {2, 3}},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.words);
    World world(kName, std::vector<uint64_t>(2, kArea), false);
    std::string messages[2];
    int codes[2] = {};
    RunThreads(2, [&](int64_t r, aclrtStream stream) {
      MoeRank rank(shape, 5, r, kName);
      rank.Make(0);
      rank.tensors().counts.Write(r == 0 ? one.counts : one.counts_of_1);
      rank.tensors().assist.Write(one.indices);
      rank.tensors().expert_ids.Write(one.ids);
      TakeMessages();
      ASSERT_OK(rank.Combine(stream));
      codes[r] = aclrtSynchronizeStream(stream);
      messages[r] = TakeMessages();
    });
    // A rank that has all it wants may be through before the other one fails.
    for (const int code : codes) {
      EXPECT_TRUE(code == ACL_SUCCESS || (code == 507018 && !one.words.empty())) << code;
    }
    EXPECT_EQ(codes[0] == 507018 || codes[1] == 507018, !one.words.empty());
    const std::string all = messages[0] + messages[1];
    EXPECT_NE(all.find(one.words), std::string::npos) << all;
  }
}

TEST_F(MoeVersionsTest, RefusalsOfTheNorm) {
  World world(kName, std::vector<uint64_t>(2, kArea), false);
  const struct {
    int64_t hidden;
    float epsilon;
    int64_t comm_quant;
    std::string_view words;
  } cases[] = {
      {64, std::numeric_limits<float>::quiet_NaN(), 0, "normEps"},
      {64, std::numeric_limits<float>::infinity(), 0, "normEps"},
      {64, 1e-6f, 2, "commQuantMode"},
      {8193, 1e-6f, 0, "8193, expected 1 to 8192"},
  };
  for (const auto& wrong : cases) {
    SCOPED_TRACE(wrong.words);
    MoeRank rank({.hidden = wrong.hidden, .dtype = ACL_BF16, .norm = true}, 5, 0, kName);
    rank.arguments.epsilon = wrong.epsilon;
    rank.arguments.comm_quant = wrong.comm_quant;
    TakeMessages();
    EXPECT_EQ(rank.Combine(stream()), ACLNN_ERR_INNER_TILING_ERROR);
    const std::string message = TakeMessages();
    EXPECT_NE(message.find(wrong.words), std::string::npos) << message;
  }
}

// The pairs of two versions do not mix.
TEST_F(MoeVersionsTest, VersionsDoNotMix) {
  World world(kName, std::vector<uint64_t>(2, kArea), false);
  RunThreads(2, [&](int64_t r, aclrtStream stream) {
    MoeRank rank({.by_copy = r == 0}, 5, r, kName);
    TakeMessages();
    ASSERT_OK(rank.Dispatch(stream));
    EXPECT_EQ(aclrtSynchronizeStream(stream), 507018);
    EXPECT_NE(TakeMessages(), "");
  });
  EXPECT_NE(world.aborted(), "");
}

// What the first versions refuse beyond the second ones.
TEST_F(MoeVersionsTest, RefusalsOfTheFirstVersions) {
  World world(kName, std::vector<uint64_t>(3, kArea), false);
  const struct {
    MoeShape shape;
    std::string_view words;
  } cases[] = {
      {{.tokens = {3, 3, 3}, .routed = 6, .mask = MoeMask::kTokens}, "xActiveMask is given"},
      {{.tokens = {3, 3, 3}, .routed = 4, .shared = 1, .shared_ranks = 2},
       "a divisor of epWorldSize"},
      {{.tokens = {3, 3, 3}, .routed = 516}, "moeExpertNum"},
      {{.tokens = {3, 3, 3}, .routed = 2, .shared = 2, .shared_ranks = 2}, "sharedExpertNum"},
      {{.tokens = {3, 3, 3}, .hidden = 7169, .routed = 6}, "7169, expected 1 to 7168"},
  };
  for (const auto& wrong : cases) {
    SCOPED_TRACE(wrong.words);
    MoeShape shape = wrong.shape;
    shape.by_copy = true;
    MoeRank rank(shape, 5, 0, kName);
    for (const bool combines : {false, true}) {
      TakeMessages();
      EXPECT_EQ(combines ? rank.Combine(stream()) : rank.Dispatch(stream()),
                ACLNN_ERR_INNER_TILING_ERROR);
      const std::string message = TakeMessages();
      EXPECT_NE(message.find(wrong.words), std::string::npos) << message;
    }
  }
  const MoeShape shape = {.tokens = {3, 3, 3}, .routed = 6, .by_copy = true};
  MoeRank rank(shape, 5, 0, kName);
  rank.Make(0);
  Tensor& indices = rank.tensors().assist;
  std::destroy_at(&indices);
  std::construct_at(&indices, Layout{.dims = {5}, .dtype = ACL_INT32});
  EXPECT_EQ(rank.Dispatch(stream()), ACLNN_ERR_INNER_TILING_ERROR);
  EXPECT_NE(TakeMessages().find(".shape[0] = 5, expected at least 6: one for each of expertIds"),
            std::string::npos);
}

}  // namespace
}  // namespace anyacl::test
