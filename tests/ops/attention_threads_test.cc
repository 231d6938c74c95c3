// SPDX-License-Identifier: Apache-2.0
// The results of fixed problems, as hashes, are the same for every ANYACL_THREADS and on every
// tier: sums are taken in an order that depends on the problem alone, and exp is the library's own.
// Products of bf16 have bits of their own on tiers with instructions for them, whatever the
// number of threads.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "ops/attention_problem.h"
#include "ops/flash_attention_case.h"
#include "support/fixed.h"

namespace anyacl::test {
namespace {

// What the machine and ANYACL_ISA leave of instructions for bf16.
enum class Bf16 { kNone, kProducts, kMatrix };
Bf16 Bf16OfTier() {
  std::ifstream info("/proc/cpuinfo");
  const std::string text{std::istreambuf_iterator<char>(info), {}};
  const auto has = [&](const char* flag) { return text.find(flag) != std::string::npos; };
  const char* variable = std::getenv("ANYACL_ISA");
  const std::string wanted = variable == nullptr || *variable == 0 ? "amx" : variable;
  if (wanted == "amx" && has(" amx_bf16")) return Bf16::kMatrix;
  // Intel's is slow, and left alone unless it is asked for.
  const bool products = wanted == "avx512_bf16" || (wanted == "amx" && !has("GenuineIntel"));
  return products && has(" avx512_bf16") ? Bf16::kProducts : Bf16::kNone;
}

template <class T>
const T& OfTier(const T& none, const T& products, const T& matrix) {
  const Bf16 tier = Bf16OfTier();
  return tier == Bf16::kMatrix ? matrix : tier == Bf16::kProducts ? products : none;
}

class AttentionThreadsTest : public AttentionTest {
 protected:
  AttentionThreadsTest() : fixed_(77) {}
  uint64_t Result(const AttentionOptions& options) {
    AttentionProblem p = MakeProblem(options, fixed_);
    sizes_differ_ = options.kv_type == ACL_BF16;  // or sums would be exact in any order
    for (double& x : p.reference.q) x = Number(options.query_type);
    for (auto* values : {&p.reference.k, &p.reference.v}) {
      for (double& x : *values) x = Number(options.kv_type);
    }
    for (auto* scales : {&p.reference.key_scale, &p.reference.value_scale}) {
      for (double& x : scales->values) x = Number(ACL_INT8) / 4096;
    }
    const AttentionOutput output = Run(p);
    return Fingerprint(output.lse.data(), options.lse ? output.lse.size() * sizeof(float) : 0,
                       Fingerprint(output.bytes));
  }

 private:
  double Number(aclDataType type) {
    const auto number = static_cast<double>(int64_t{sequence_.Bits(8)} - 128);
    if (type == ACL_INT4) return std::floor(number / 16);
    if (type == ACL_INT8) return number;
    if (!sizes_differ_) return number / 64;
    return std::ldexp(number, -6 - static_cast<int>(sequence_.Bits(3)));
  }
  Random fixed_;
  FixedSequence sequence_;
  bool sizes_differ_ = false;
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

// One of three results: that of the tier with matrix registers, of others with an instruction for
// products of bf16, and of those without.
TEST_F(AttentionThreadsTest, BitsOfBf16CachesDoNotDependOnThreads) {
  AttentionOptions bf16;
  bf16.query_type = bf16.kv_type = bf16.out_type = ACL_BF16;
  bf16.dim = 64;
  bf16.lse = true;
  bf16.scale = 8;  // few columns weigh, whose roundings show
  AttentionOptions decode = bf16;
  decode.kv_size = 2100;
  decode.kv_lengths = {2100, 700};
  AttentionOptions split = bf16;  // rows of prefill, few enough that their columns are split
  split.query_size = 20;
  split.kv_size = 1200;
  AttentionOptions prompt = bf16;
  prompt.query_size = prompt.kv_size = 200;
  prompt.sparse_mode = 3;
  const std::vector<uint64_t> results = {Result(decode), Result(split), Result(prompt)};
  const std::vector<uint64_t> with = {11952153206839199095u, 7467829416053364704u,
                                      11709126714110634226u};
  const std::vector<uint64_t> without = {13924955528174361475u, 901767301567341227u,
                                         7964762916433898348u};
  const std::vector<uint64_t> matrix = {with[0], 5858245042775212086u, 4584243201180094092u};
  EXPECT_EQ(results, OfTier(without, with, matrix));
}

class FlashAttentionThreadsTest : public FlashAttentionTest {
 protected:
  // Of all results of both calls. One head's columns are split, and so are two heads'.
  // `third`: of the third versions, with slopes and a sink.
  uint64_t Result(aclDataType dtype, int64_t heads, bool third = false) {
    const int64_t rows = third ? 700 : 150;
    FlashCase c = FlashOf(1, heads, heads == 1 ? 1 : heads / 2, rows, 700, 40, 40);
    c.dtype = dtype;
    FlashProblem& p = c.problem;
    p.scale = 0.125;
    const auto fill = [&](std::vector<double>& values, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const auto number = static_cast<double>(int64_t{sequence_.Bits(8)} - 128);
        values.push_back(std::ldexp(number, -6 - static_cast<int>(sequence_.Bits(2))));
      }
    };
    fill(p.q, heads * p.query * p.dim);
    fill(p.k, p.kv_heads * p.key * p.dim);
    fill(p.v, p.kv_heads * p.key * p.dim);
    fill(p.dy, heads * p.query * p.dim);
    if (third) {
      c.third = true;
      c.pse_type = 3;
      c.slopes = {{heads}, {}};
      fill(c.slopes.values, heads);
      fill(p.sink, heads);
    }
    CompressFlash(c, 3);
    p.keep_prob = 0.5;
    p.drop = sequence_.Bytes(static_cast<size_t>(heads * p.query * p.key / 8));
    FlashTensors tensors(c);
    RunForward(tensors);
    RunGradient(tensors);
    uint64_t hash = Fingerprint(nullptr, 0);
    using enum FlashTensor;
    for (FlashTensor id : {kOut, kMax, kSum, kDq, kDk, kDv}) {
      hash = Fingerprint(tensors.At(id).ElementBytes(), hash);
    }
    if (third) hash = Fingerprint(tensors.At(kDsink).ElementBytes(), hash);
    return hash;
  }

 private:
  FixedSequence sequence_;
};

TEST_F(FlashAttentionThreadsTest, BitsDoNotDependOnThreads) {
  EXPECT_EQ(Result(ACL_FLOAT, 1), 1510858573079895111u);
  EXPECT_EQ(Result(ACL_FLOAT16, 4), 15753415220104271163u);
}

TEST_F(FlashAttentionThreadsTest, BitsOfSlopesAndSinksDoNotDependOnThreads) {
  EXPECT_EQ(Result(ACL_FLOAT16, 2, true), 3286316667106597007u);
}

TEST_F(FlashAttentionThreadsTest, BitsOfBf16DoNotDependOnThreads) {
  const std::vector<uint64_t> results = {Result(ACL_BF16, 1), Result(ACL_BF16, 4)};
  const std::vector<uint64_t> with = {15156761351120030696u, 7976981078997584724u};
  const std::vector<uint64_t> without = {144896729552318807u, 4453629350827869427u};
  const std::vector<uint64_t> matrix = {8121476123711488037u, 13502126651591052283u};
  EXPECT_EQ(results, OfTier(without, with, matrix));
}

}  // namespace
}  // namespace anyacl::test
