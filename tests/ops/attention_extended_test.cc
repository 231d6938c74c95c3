// SPDX-License-Identifier: Apache-2.0
// FusedInferAttentionScore V3, V4 and V5: ropes and latent heads, ragged layouts, layouts of the
// output, sinks, tree masks.
#include "ops/attention_extended_case.h"
#include "ops/attention_problem.h"

namespace anyacl::test {
namespace {

class AttentionExtendedTest : public AttentionTest {
 protected:
  void Check(const ExtendedOptions& options) {
    SCOPED_TRACE(NameOf(options));
    const ExtendedProblem problem = MakeExtended(options, random());
    AttentionObjects objects(problem.call);
    WriteExtended(problem, objects);
    RunTwoPhase(objects.PhaseOne(), objects.PhaseTwo());
    EXPECT_TRUE(objects.GuardsIntact());
    ExpectExtended(problem, objects);
  }
};

// Enough for first phases; what is larger has no memory.
constexpr int64_t kMaxBytes = 1 << 16;

TEST_F(AttentionExtendedTest, LatentHeadsInEveryLayoutAndEveryFormOfPages) {
  int turn = 0;
  for (const char* layout :
       {"BSH", "BSND", "BNSD", "BSH_NBSD", "BSND_NBSD", "BNSD_NBSD", "TND", "TND_NTD"}) {
    for (size_t pages : {3u, 4u, 5u}) {
      ExtendedOptions o = Latent();
      o.version = 3 + turn % 3;
      o.layout = layout;
      o.pages = pages;
      o.type = o.kv_type = turn % 2 == 0 ? ACL_BF16 : ACL_FLOAT16;
      constexpr int64_t kModes[] = {0, 3, 4, 9};
      o.sparse_mode = kModes[turn % 4];
      if (o.sparse_mode == 4) o.pre_tokens = 40, o.next_tokens = 1;
      o.strided = turn % 3 == 0;
      o.heads = int64_t{1} << (turn % 5);
      if (o.Ragged() && turn % 2 == 0) o.query_lengths = {3, 1};
      Check(o);
      ++turn;
    }
  }
}

// 128 heads share one of the keys: more rows than a block has, split over the columns.
TEST_F(AttentionExtendedTest, ManyLatentHeadsOverManyColumns) {
  for (int64_t heads : {128, 2}) {
    ExtendedOptions o = Latent();
    if (heads == 2) o.type = o.kv_type = ACL_FLOAT16;
    o.layout = "BNSD_NBSD";
    o.heads = heads;
    o.query_lengths = {1, 1};
    o.kv_lengths = {10, 1300};
    o.block_size = 128;
    Check(o);
  }
}

TEST_F(AttentionExtendedTest, RopedHeadsOfPrompts) {
  int turn = 0;
  for (const char* layout :
       {"TND", "NTD", "NTD_TND", "BSH", "BSND", "BNSD", "BSH_BNSD", "BSND_BNSD", "BNSD_BSND"}) {
    ExtendedOptions o;
    o.layout = layout;
    o.type = o.kv_type = turn % 2 == 0 ? ACL_BF16 : ACL_FLOAT16;
    o.rope = true;
    o.kv_heads = turn % 3 == 0 ? 4 : 2;
    o.query_lengths = {30, 1, 17};
    o.kv_lengths = {30, 9, 150};
    o.sparse_mode = turn % 2 == 0 ? 3 : 0;
    o.strided = turn % 4 == 1;
    Check(o);
    o.pages = turn % 3 + 3;
    Check(o);
    ++turn;
  }
}

TEST_F(AttentionExtendedTest, RaggedRowsOfSeveralSizesOfHeads) {
  int turn = 0;
  for (const auto& [dim, value_dim] :
       {std::pair(16, 16), {64, 64}, {128, 128}, {192, 128}, {192, 192}, {256, 256}}) {
    for (const char* layout : {"TND", "NTD", "TND_NTD", "NTD_TND"}) {
      ExtendedOptions o;
      o.layout = layout;
      o.type = o.kv_type = turn % 2 == 0 ? ACL_BF16 : ACL_FLOAT16;
      o.dim = dim;
      o.value_dim = value_dim;
      o.query_lengths = {1, 0, 19, 1, 3};
      o.kv_lengths = {7, 4, 90, 0, 2};
      o.query_slack = turn % 3;
      constexpr int64_t kModes[] = {0, 2, 3, 4};
      o.sparse_mode = kModes[turn / 2 % 4];
      if (o.sparse_mode == 4) o.pre_tokens = 20, o.next_tokens = 3;
      o.pages = turn % 4 == 0 ? 0 : static_cast<size_t>(turn % 4) + 2;
      Check(o);
      ++turn;
    }
  }
}

TEST_F(AttentionExtendedTest, ValuesOfOtherSizeUnderFullMasks) {
  for (const char* layout : {"BSH", "BSND", "BNSD", "BNSD_BSND", "BSH_BNSD", "BSND_BNSD"}) {
    ExtendedOptions o;
    o.layout = layout;
    o.type = o.kv_type = ACL_FLOAT16;
    o.dim = 192;
    o.query_lengths = {5, 2};
    o.kv_lengths = {40, 70};
    o.mask = true;
    Check(o);
    o.pre_tokens = 30;
    o.next_tokens = 9;
    o.inner_precise = 2;
    Check(o);
    o.sparse_mode = 1;
    Check(o);
  }
}

// All blocks are of no rows, and a block still has some length.
TEST_F(AttentionExtendedTest, RowsThatNoLengthCovers) {
  for (const char* layout : {"TND", "NTD"}) {
    for (const bool rope : {false, true}) {
      ExtendedOptions o;
      o.layout = layout;
      o.rope = rope;
      o.dim = rope ? 128 : 192;
      o.query_lengths = {0};
      o.query_slack = 3;
      o.kv_lengths = {29};
      Check(o);
    }
  }
}

// A single row decides by itself where its columns are.
TEST_F(AttentionExtendedTest, OneRowOverManyColumns) {
  ExtendedOptions o;
  o.query_lengths = {1, 1, 1};
  o.kv_lengths = {3000, 1, 1100};
  for (size_t pages : {0u, 3u, 4u}) {
    o.pages = pages;
    o.block_size = 128;
    Check(o);
  }
}

TEST_F(AttentionExtendedTest, SinksTakeAShareOfEveryRow) {
  int turn = 0;
  for (const char* layout : {"TND", "BSND", "BNSD", "BSH", "NTD_TND"}) {
    for (const auto& [dim, value_dim] : {std::pair(64, 64), {128, 128}, {192, 128}}) {
      ExtendedOptions o;
      o.layout = layout;
      o.type = o.kv_type = turn % 2 == 0 ? ACL_BF16 : ACL_FLOAT16;
      o.dim = dim;
      o.value_dim = value_dim;
      o.sink = true;
      o.query_lengths = turn % 3 == 0 ? std::vector<int64_t>{1, 1} : std::vector<int64_t>{12, 7};
      o.kv_lengths = {2300, 9};
      o.sparse_mode = turn % 3 == 1 ? 3 : 0;
      Check(o);
      ++turn;
    }
  }
}

TEST_F(AttentionExtendedTest, TreeMasksCoverTheLastColumns) {
  for (const char* layout : {"TND", "BSND", "BNSD", "BSH"}) {
    ExtendedOptions o;
    o.layout = layout;
    o.sparse_mode = 9;
    o.query_lengths = {5, 3, 9};
    o.kv_lengths = {5, 64, 200};
    Check(o);
    o.pages = 4;
    Check(o);
  }
}

TEST_F(AttentionExtendedTest, Int8LatentHeadsWithScalesOfRows) {
  for (const char* layout : {"BSH", "BSND", "BSH_NBSD", "BSND_NBSD", "TND", "TND_NTD", "BNSD"}) {
    ExtendedOptions o = Latent();
    o.layout = layout;
    o.type = o.kv_type = ACL_INT8;
    o.pages = 5;
    o.block_size = 128;
    o.sparse_mode = o.Ragged() ? 3 : 0;
    Check(o);
  }
}

TEST_F(AttentionExtendedTest, Int8CachesInFractalsUnderBf16Queries) {
  for (const char* layout : {"BSH", "BSND", "BNSD", "TND"}) {
    for (bool per_token : {false, true}) {
      for (int64_t rows : {1, 9}) {
        ExtendedOptions o;
        o.layout = layout;
        o.kv_type = ACL_INT8;
        o.pages = 5;
        o.block_size = 128;
        o.per_token = per_token;
        o.inner_precise = 1;
        o.query_lengths = {rows, rows};
        o.kv_lengths = {300, 140};
        Check(o);
      }
    }
  }
}

TEST_F(AttentionExtendedTest, LaterVersionsOfAKnownCallHaveItsBits) {
  for (AttentionOptions o : {Prompt(), OneToken()}) {
    for (Cache cache : {Cache::kContiguous, Cache::kPagedRows}) {
      o.cache = cache;
      o.kv_lengths = std::vector<int64_t>{37, 20};
      const AttentionProblem p = MakeProblem(o, random());
      const AttentionOutput expected = Run(p);
      for (int version : {3, 4, 5}) {
        AttentionProblem later = p;
        later.call.version = version;
        ExpectSame(Run(later), expected);
      }
    }
  }
}

// V4 has dropped some bounds of V2.
TEST_F(AttentionExtendedTest, TheFourthVersionTakesMore) {
  AttentionOptions o = OneToken();
  o.dim = 64;
  o.inner_precise = 2;
  o.heads = 128;
  o.kv_heads = 1;
  o.cache = Cache::kPagedHeads;
  o.layout = "BSND";
  o.block_size = 1024;
  o.kv_lengths = std::vector<int64_t>{300, 7};
  for (int64_t rows : {1, 3}) {
    o.query_size = rows;
    AttentionProblem p = MakeProblem(o, random());
    p.call.version = 4;
    ExpectMatches(p, Run(p));
    p.call.version = 2;
    const AttentionObjects objects(p.call);
    ExpectRefused(objects.PhaseOne(), 561002, {});
  }
}

TEST_F(AttentionExtendedTest, TheMostWorkspaceIsEnoughForAllLengths) {
  struct Case {
    const char* layout;
    int64_t heads, kv_heads, dim;
    bool rope;
    size_t pages;
  };
  for (const Case& c : {Case{"TND", 8, 2, 128, false, 3}, Case{"TND_NTD", 16, 1, 512, true, 4},
                        Case{"BNSD_NBSD", 128, 1, 512, true, 4}, Case{"BSND", 4, 4, 64, false, 0},
                        Case{"TND", 4, 2, 128, false, 0}}) {
    for (int version : {3, 4}) {
      ExtendedOptions o;
      o.version = version;
      o.layout = c.layout;
      o.heads = c.heads;
      o.kv_heads = c.kv_heads;
      o.dim = o.value_dim = c.dim;
      o.rope = c.rope;
      o.pages = c.pages;
      o.block_size = 128;
      o.query_lengths = {20, 20};
      o.kv_lengths = {5000, 3000};
      const ExtendedProblem p = MakeExtendedCall(o, random());
      const AttentionObjects objects(p.call, kMaxBytes);
      SCOPED_TRACE(NameOf(o));
      const Prepared most = Prepare(objects.PhaseMost());
      ASSERT_OK(most.code) << TakeMessages();
      EXPECT_OK(aclDestroyAclOpExecutor(most.executor));
      for (int64_t length : {1, 64, 1024, 1088, 3000, 5000}) {
        AttentionCall call = p.call;
        const bool sums = o.Ragged() && o.pages == 0;
        call.kv_lengths = {length, std::min<int64_t>(sums ? 8000 : 3000, 2 * length)};
        if (o.Ragged()) call.query_lengths = {std::min<int64_t>(length, 39), 40};
        const AttentionObjects other(call, kMaxBytes);
        const Prepared prepared = Prepare(other.PhaseOne());
        ASSERT_OK(prepared.code) << TakeMessages();
        EXPECT_LE(prepared.workspace_size, most.workspace_size) << length;
        EXPECT_OK(aclDestroyAclOpExecutor(prepared.executor));
      }
    }
  }
}

TEST_F(AttentionExtendedTest, TheReservedScaleOfRopesChangesNothing) {
  const ExtendedProblem p = MakeExtended(Latent(), random());
  ExtendedProblem other = p;
  other.call.tensors[kKeyRopeScale] = Layout{.dims = {1, 1, 1, 16}, .dtype = ACL_FLOAT16};
  AttentionObjects objects(other.call);
  WriteExtended(other, objects);
  RunTwoPhase(objects.PhaseOne(), objects.PhaseTwo());
  ExpectExtended(p, objects);
}

}  // namespace
}  // namespace anyacl::test
