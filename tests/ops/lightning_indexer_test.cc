// SPDX-License-Identifier: Apache-2.0
// The keys that scores choose, against the document's formula in double precision: whole numbers,
// whose order is exact, and others, whose order is right but for roundings.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_lightning_indexer.h"
#include "ops/sparse_case.h"
#include "reference/sparse_attention.h"
#include "support/fixed.h"

namespace anyacl::test::lightning_indexer {
namespace {

using namespace sparse;

constexpr int64_t kDim = 128;

struct Choice {
  Sequences sequences = {};
  aclDataType type = ACL_BF16, weight_type = ACL_BF16;
  int64_t heads = 5, count = 7;
  bool values = false, whole = true, strided = false;
};

class LightningIndexerTest : public SparseTest {
 protected:
  struct Call {
    std::unique_ptr<Tensor> query, key, weights, query_lengths, key_lengths, table, indices, values;
    std::string query_layout, key_layout;
    int64_t count, mode;
    bool returns;
    int64_t before = INT64_MAX, after = INT64_MAX;
    const aclTensor* table_within = nullptr;

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      return aclnnLightningIndexerGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(weights), HandleOf(query_lengths),
          HandleOf(key_lengths), table_within != nullptr ? table_within : HandleOf(table),
          query_layout.data(), key_layout.data(), count, mode, before, after, returns,
          HandleOf(indices), HandleOf(values), s, e);
    }
  };

  Numbers Draw(aclDataType type, const Shape& shape, bool whole) {
    Numbers numbers = Drawn(type, CountOf(shape), -2.5, 2.5);
    if (whole) {
      for (double& x : numbers) x = std::nearbyint(x);
    }
    return numbers;
  }
  static std::unique_ptr<Tensor> Held(const Shape& shape, aclDataType type, const Numbers& numbers,
                                      bool strided) {
    return std::make_unique<Tensor>(Holding(shape, type, numbers, strided));
  }

  Call Prepared(const Choice& c, Numbers* query, Numbers* key, Numbers* weights) {
    const Sequences& s = c.sequences;
    const Shape query_shape = s.QueryShape({c.heads, kDim}), key_shape = s.KeyShape(kDim);
    const Shape weight_shape = s.QueryShape({c.heads}), out = s.QueryShape({1, c.count});
    *query = Draw(c.type, query_shape, c.whole);
    *key = Draw(c.type, key_shape, c.whole);
    *weights = Draw(c.weight_type, weight_shape, c.whole);
    const bool strided = c.strided;
    return {Held(query_shape, c.type, *query, strided),
            Held(key_shape, c.type, *key, strided),
            Held(weight_shape, c.weight_type, *weights, strided),
            QueryLengths(s),
            KeyLengths(s),
            Table(s),
            std::make_unique<Tensor>(Made(out, ACL_INT32, strided)),
            std::make_unique<Tensor>(c.values ? Made(out, c.type, strided) : Made({0}, c.type)),
            s.query_layout,
            s.key_layout,
            c.count,
            s.causal ? 3 : 0,
            c.values};
  }

  // Scores of the keys that token i of sequence b sees.
  static Numbers Scores(const Choice& c, const Numbers& query, const Numbers& key,
                        const Numbers& weights, int64_t b, int64_t i) {
    const Sequences& s = c.sequences;
    Numbers scores;
    const int64_t visible = s.Visible(b, i), query_row = s.QueryRow(b, i);
    for (int64_t j = 0; j < visible; ++j) {
      scores.push_back(IndexerScore(query.data() + query_row * c.heads * kDim,
                                    weights.data() + query_row * c.heads,
                                    key.data() + s.KeyRow(b, j) * kDim, c.heads, kDim));
    }
    return scores;
  }

  void Check(const Choice& c) {
    const Sequences& s = c.sequences;
    SCOPED_TRACE(ToString(s) + " type " + std::to_string(c.type) + " heads " +
                 std::to_string(c.heads) + " count " + std::to_string(c.count));
    Numbers query, key, weights;
    Call call = Prepared(c, &query, &key, &weights);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnLightningIndexer);
    const Numbers indices = ReadAs(*call.indices), values = ReadAs(*call.values);
    std::vector<bool> written(indices.size());
    for (int64_t b = 0; b < s.batch(); ++b) {
      for (int64_t i = 0; i < s.Queries(b); ++i) {
        const auto first = static_cast<size_t>(s.QueryRow(b, i) * c.count);
        CheckRow(c, Scores(c, query, key, weights, b, i), &indices[first],
                 c.values ? &values[first] : nullptr);
        std::fill_n(written.begin() + static_cast<std::ptrdiff_t>(first), c.count, true);
      }
    }
    for (size_t at = 0; at < indices.size(); ++at) {
      if (!written[at]) {
        ASSERT_EQ(indices[at], -1) << at;
      }
    }
    EXPECT_TRUE(call.indices->GuardsIntact());
    EXPECT_TRUE(call.values->GuardsIntact());
  }

  static void CheckRow(const Choice& c, const Numbers& scores, const double* indices,
                       const double* values) {
    const double error = c.whole ? 0 : ErrorOf(scores);
    ExpectChosen(scores, indices, static_cast<size_t>(c.count), error);
    for (size_t k = 0; values != nullptr && k < static_cast<size_t>(c.count); ++k) {
      if (k >= scores.size()) {
        ASSERT_EQ(values[k], -INFINITY) << k;
        continue;
      }
      const double score = scores[static_cast<size_t>(indices[k])];
      ASSERT_NEAR(values[k], score, error + HalfUnitOf(c.type, score)) << k;
    }
  }
};

TEST_F(LightningIndexerTest, ChoosesTheLargestScoresInEveryLayout) {
  for (const Sequences& s : AllLayouts()) {
    Check({.sequences = s});
    Check({.sequences = s, .type = ACL_FLOAT16, .weight_type = ACL_FLOAT16, .heads = 1});
    Check({.sequences = s, .weight_type = ACL_FLOAT, .heads = 64, .count = 100});
    Check({.sequences = s, .heads = 17, .count = 1, .whole = false});
    Check({.sequences = s, .type = ACL_FLOAT16, .weight_type = ACL_FLOAT, .whole = false});
    Check({.sequences = s, .strided = true});
    if (s.paged()) continue;
    Check({.sequences = s, .values = true, .strided = true});
    Check({.sequences = s, .count = 50, .values = true, .whole = false});
  }
}

TEST_F(LightningIndexerTest, ManyTokensAndManyKeys) {
  // More tokens than are taken at a time, and more keys.
  for (const char* layout : {"BSND", "TND"}) {
    Check({.sequences = {.query_layout = layout,
                         .key_layout = layout,
                         .queries = {37},
                         .keys = {700},
                         .causal = true,
                         .query_size = 40,
                         .key_size = 701},
           .heads = 64,
           .count = 64});
  }
  Check({.sequences = {.query_layout = "TND",
                       .key_layout = "PA_BSND",
                       .queries = {1, 1, 1},
                       .keys = {9001, 17, 4100},
                       .causal = true,
                       .block_size = 128},
         .heads = 2,
         .count = 2048});
  Check({.sequences = {.queries = {1}, .keys = {3300}, .query_size = 1, .key_size = 3300},
         .heads = 1,
         .count = 3072});
}

TEST_F(LightningIndexerTest, ManySequencesOfOneToken) {
  // More than are chosen from at a time, some of them without keys.
  Integers keys;
  for (int32_t b = 0; b < 35; ++b) keys.push_back(b % 7 == 3 ? 0 : 1 + b * 11 % 90);
  for (bool causal : {false, true}) {
    Check({.sequences = {.query_layout = "TND",
                         .key_layout = "PA_BSND",
                         .queries = Integers(35, 1),
                         .keys = keys,
                         .causal = causal},
           .count = 30});
  }
}

TEST_F(LightningIndexerTest, HasTheSameBitsOnEveryTierAndForAnyNumberOfThreads) {
  for (aclDataType type : {ACL_BF16, ACL_FLOAT16}) {
    const Choice c = {.sequences = {.query_layout = "TND",
                                    .key_layout = "TND",
                                    .queries = {20, 3},
                                    .keys = {600, 90},
                                    .causal = true},
                      .type = type,
                      .weight_type = ACL_FLOAT,
                      .heads = 64,
                      .count = 90,
                      .values = true};
    Numbers query, key, weights;
    Call call = Prepared(c, &query, &key, &weights);
    // Thirds: sums of their products are rounded at every step.
    const auto fill = [](Tensor& tensor, size_t count, uint64_t seed) {
      WriteAs(tensor, FixedNumbers(static_cast<int64_t>(count), seed));
    };
    fill(*call.query, query.size(), 1);
    fill(*call.key, key.size(), 2);
    fill(*call.weights, weights.size(), 3);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnLightningIndexer);
    const uint64_t bits = Fingerprint(call.values->Bytes(), Fingerprint(call.indices->Bytes()));
    EXPECT_EQ(bits, type == ACL_BF16 ? 0x9aa45880c62fd80a : 0x377c37496c0dc5bc) << std::hex << bits;
  }
}

// Results of the first sixteen tokens are stored before the others' scores are computed.
TEST_F(LightningIndexerTest, TheTableMayLieWithinTheResult) {
  const Choice c = {.sequences = ManyPaged()};
  Numbers query, key, weights;
  Call call = Prepared(c, &query, &key, &weights);
  CheckTableWithin(call, *call.indices, [&] {
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnLightningIndexer);
  });
}

// Lengths of a stride of 0 may be more than the host has memory for.
TEST_F(LightningIndexerTest, SequencesAreInTheWorkspace) {
  const Choice c = {.sequences = {.query_layout = "TND", .key_layout = "TND"}};
  Numbers query, key, weights;
  Call call = Prepared(c, &query, &key, &weights);
  constexpr int64_t kMany = int64_t{1} << 36;
  call.query_lengths = std::make_unique<Tensor>(
      Layout{.dims = {kMany}, .dtype = ACL_INT32, .strides = {0}, .storage = {1}});
  call.key_lengths = std::make_unique<Tensor>(
      Layout{.dims = {kMany}, .dtype = ACL_INT32, .strides = {0}, .storage = {1}});
  const test::Prepared prepared =
      Prepare([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); });
  ASSERT_OK(prepared.code);
  EXPECT_GE(prepared.workspace_size, static_cast<uint64_t>(kMany));
}

TEST_F(LightningIndexerTest, NanIsTheLargestScoreAndEqualOnesComeInTheirOrder) {
  Choice c = {.sequences = {.queries = {1}, .keys = {20}, .query_size = 1, .key_size = 20},
              .heads = 1,
              .count = 20};
  Numbers query, key, weights;
  Call call = Prepared(c, &query, &key, &weights);
  WriteAs(*call.query, Numbers(query.size(), 1));
  WriteAs(*call.weights, {1});
  // Scores 0 (of negative products, too), NaN for key 7, 128 for keys 3 and 12.
  Numbers keys(key.size(), -1);
  std::fill_n(keys.begin() + 7 * kDim, 1, NAN);
  std::fill_n(keys.begin() + 3 * kDim, kDim, 1);
  std::fill_n(keys.begin() + 12 * kDim, kDim, 1);
  WriteAs(*call.key, keys);
  RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
              aclnnLightningIndexer);
  EXPECT_EQ(ReadAs(*call.indices),
            (Numbers{7, 3, 12, 0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18, 19}));
}

TEST_F(LightningIndexerTest, RefusesWhatDoesNotFit) {
  Numbers query, key, weights;
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  const auto refused = [&](const Choice& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &query, &key, &weights);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  const Choice plain = {};
  const Choice paged = {.sequences = {.key_layout = "PA_BSND"}};
  const Choice ragged = {.sequences = {.query_layout = "TND", .key_layout = "TND"}};
  const auto made = [](const Shape& shape, aclDataType type) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  refused(plain, [](Call& c) { c.query_layout = "BNSD"; }, kInvalid,
          {"layoutQueryOptional = \"BNSD\"", "\"BSND\" or \"TND\""});
  refused(plain, [](Call& c) { c.key_layout = "TND"; }, kInvalid,
          {"layoutKeyOptional = \"TND\"", "PA_BSND or BSND"});
  refused(plain, [](Call& c) { c.mode = 1; }, kInvalid, {"sparseMode = 1", "0 or 3"});
  refused(plain, [](Call& c) { c.before = 7; }, kInvalid, {"preTokens = 7"});
  refused(plain, [](Call& c) { c.after = -1; }, kInvalid, {"nextTokens = -1"});
  for (int64_t count : {0, -1, 2049, 9216}) {
    refused(plain, [&](Call& c) { c.count = count; }, kInvalid,
            {"sparseCount = " + std::to_string(count), "1 to 2048"});
  }
  refused(plain,
          [&](Call& c) {
            c.weights = made({2, 6, 5}, ACL_FLOAT16);
          },
          kInvalid, {"weights.dtype = FLOAT16", "BF16 as query"});
  refused(plain,
          [&](Call& c) {
            c.key = made({2, 75, 1, 128}, ACL_FLOAT16);
          },
          kInvalid, {"key.dtype = FLOAT16"});
  refused(plain,
          [&](Call& c) {
            c.query = made({12, 5, 128}, ACL_BF16);
          },
          kInvalid, {"query.shape = [12, 5, 128]", "4 dimensions as of BSND"});
  refused(plain,
          [&](Call& c) {
            c.query = made({2, 6, 5, 64}, ACL_BF16);
          },
          kInvalid, {"query.shape = [2, 6, 5, 64]", "D = 128"});
  refused(plain,
          [&](Call& c) {
            c.query = made({2, 6, 65, 128}, ACL_BF16);
          },
          kInvalid, {"N1 = 65", "at most 64"});
  refused(plain,
          [&](Call& c) {
            c.query = made({2, 0, 5, 128}, ACL_BF16);
          },
          kInvalid, {"query.shape = [2, 0, 5, 128]", "rows"});
  refused(plain,
          [&](Call& c) {
            c.key = made({2, 75, 2, 128}, ACL_BF16);
          },
          kInvalid, {"key.shape = [2, 75, 2, 128]", "one head"});
  refused(plain,
          [&](Call& c) {
            c.key = made({3, 75, 1, 128}, ACL_BF16);
          },
          kInvalid, {"B = 3", "expected 2"});
  refused(plain,
          [&](Call& c) {
            c.weights = made({2, 6, 4}, ACL_BF16);
          },
          kInvalid, {"weights.shape = [2, 6, 4]", "[2, 6, 5]"});
  refused(plain,
          [&](Call& c) {
            c.indices = made({2, 6, 1, 8}, ACL_INT32);
          },
          kInvalid, {"sparseIndicesOut.shape = [2, 6, 1, 8]", "[2, 6, 1, 7]"});
  refused(plain, [&](Call& c) { c.returns = true; }, kInvalid,
          {"sparseValuesOut.shape = [0]", "[2, 6, 1, 7]"});
  refused(plain, [&](Call& c) { c.returns = true, c.values = nullptr; }, kNull,
          {"sparseValuesOut is null", "returnValues"});
  refused(paged, [&](Call& c) { c.returns = true; }, kInvalid,
          {"returnValues is true", "layoutKeyOptional is PA_BSND"});
  refused(plain, [&](Call& c) { c.query_lengths = made({3}, ACL_INT32); }, kInvalid,
          {"actualSeqLengthsQueryOptional.shape = [3]", "[2]"});
  refused(plain,
          [&](Call& c) {
            c.table = made({2, 3}, ACL_INT32);
          },
          kInvalid, {"blockTableOptional is given", "PA_BSND"});
  refused(paged, [&](Call& c) { c.table = nullptr; }, kNull, {"blockTableOptional is null"});
  refused(paged,
          [&](Call& c) {
            c.table = made({3, 6}, ACL_INT32);
          },
          kInvalid, {"blockTableOptional.shape = [3, 6]"});
  refused(paged, [&](Call& c) { c.key_lengths = nullptr; }, kNull,
          {"actualSeqLengthsKeyOptional is null", "PA_BSND"});
  refused(paged,
          [&](Call& c) {
            c.key = made({9, 24, 1, 128}, ACL_BF16);
          },
          kInvalid, {"blockSize = 24", "a multiple of 16 up to 1024"});
  refused(paged,
          [&](Call& c) {
            c.key = made({9, 1040, 1, 128}, ACL_BF16);
          },
          kInvalid, {"blockSize = 1040"});
  refused(ragged, [&](Call& c) { c.query_lengths = nullptr; }, kNull,
          {"actualSeqLengthsQueryOptional is null", "TND"});
  refused(ragged, [&](Call& c) { c.key_lengths = made({1}, ACL_INT32); }, kInvalid,
          {"actualSeqLengthsKeyOptional.shape = [1]", "[2]"});
  refused(plain, [](Call& c) { c.query = nullptr; }, kNull, {"query is null"});
}

TEST_F(LightningIndexerTest, DeviceDataIsLookedAt) {
  Numbers query, key, weights;
  const auto fails = [&](const Choice& c, const std::function<void(Call&)>& change,
                         std::string_view word) {
    Call call = Prepared(c, &query, &key, &weights);
    change(call);
    ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                    aclnnLightningIndexer, word);
  };
  fails(
      {},
      [](Call& c) {
        c.query_lengths = LengthsOf({3, 7}, false);
      },
      "actualSeqLengthsQueryOptional[1] = 7, expected 0 to 6");
  fails(
      {},
      [](Call& c) {
        c.key_lengths = LengthsOf({-1, 7}, false);
      },
      "actualSeqLengthsKeyOptional[0] = -1, expected 0 to 75");
  const Choice ragged = {.sequences = {.query_layout = "TND", .key_layout = "TND"}};
  fails(
      ragged,
      [](Call& c) {
        c.query_lengths = LengthsOf({5, 3}, false);
      },
      "actualSeqLengthsQueryOptional[1] = 3, expected 5 to 10");
  const Choice paged = {.sequences = {.key_layout = "PA_BSND"}};
  for (int block : {-1, 15}) {
    fails(
        paged,
        [&](Call& c) {
          Numbers blocks = ReadAs(*c.table);
          ASSERT_EQ(paged.sequences.blocks(), 15);
          blocks[2] = block;
          WriteAs(*c.table, blocks);
        },
        "blockTableOptional[0][2] = " + std::to_string(block) + ", expected 0 to 14");
  }
  fails(
      paged,
      [](Call& c) {
        c.key_lengths = LengthsOf({97, 7}, false);
      },
      "actualSeqLengthsKeyOptional[0] = 97, expected 0 to 96");
}

}  // namespace
}  // namespace anyacl::test::lightning_indexer
