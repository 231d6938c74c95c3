// SPDX-License-Identifier: Apache-2.0
// The results of fixed problems, as hashes, are the same for every ANYACL_THREADS and on every
// tier: sums are taken in an order that depends on the problem alone, and exp is the library's own.
#include <cmath>

#include "ops/attention_problem.h"

namespace anyacl::test {
namespace {

uint64_t Hash(uint64_t hash, const std::vector<uint8_t>& bytes) {
  for (uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001b3u;  // FNV-1a
  return hash;
}

class AttentionThreadsTest : public AttentionTest {
 protected:
  AttentionThreadsTest() : fixed_(77) {}
  uint64_t Result(const AttentionOptions& options) {
    AttentionProblem p = MakeProblem(options, fixed_);
    for (double& x : p.reference.q) x = Number(options.query_type);
    for (auto* values : {&p.reference.k, &p.reference.v}) {
      for (double& x : *values) x = Number(options.kv_type);
    }
    for (auto* scales : {&p.reference.key_scale, &p.reference.value_scale}) {
      for (double& x : scales->values) x = Number(ACL_INT8) / 4096;
    }
    return Hash(0xcbf29ce484222325u, Run(p).bytes);
  }

 private:
  // The same on every system, which distributions of the standard library are not.
  double Number(aclDataType type) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const auto number = static_cast<double>(static_cast<int64_t>(state_ >> 56) - 128);
    if (type == ACL_INT4) return std::floor(number / 16);
    return type == ACL_INT8 ? number : number / 64;
  }
  Random fixed_;
  uint64_t state_ = 1;
};

// The arithmetic in fp32 and in integers is the same on all tiers, too.
TEST_F(AttentionThreadsTest, BitsDoNotDependOnThreads) {
  AttentionOptions decode;
  decode.batch = 3;
  decode.kv_size = 4000;
  decode.kv_lengths = {4000, 700, 2222};
  AttentionOptions prompt;
  prompt.query_size = 300;
  prompt.kv_size = 300;
  prompt.sparse_mode = 3;
  AttentionOptions int8 = prompt;
  int8.query_type = int8.kv_type = ACL_INT8;
  AttentionOptions cache8 = decode;
  cache8.query_type = cache8.out_type = ACL_BF16;
  cache8.kv_type = ACL_INT8;
  cache8.dim = 128;
  cache8.antiquant = Antiquant::kSeparate;
  AttentionOptions cache4 = cache8;
  cache4.kv_type = ACL_INT4;
  EXPECT_EQ(Result(decode), 6125729661674741905u);
  EXPECT_EQ(Result(prompt), 14586592525828917957u);
  EXPECT_EQ(Result(int8), 3372356103619016795u);
  EXPECT_EQ(Result(cache8), 18279397089808884078u);
  EXPECT_EQ(Result(cache4), 12376740917302963246u);
}

}  // namespace
}  // namespace anyacl::test
