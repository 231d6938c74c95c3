// SPDX-License-Identifier: Apache-2.0
// Attention over chosen keys, against the document's formula in double precision.
#include <cmath>
#include <optional>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_sparse_flash_attention.h"
#include "aclnnop/aclnn_sparse_flash_attention_v2.h"
#include "ops/sparse_case.h"
#include "reference/sparse_attention.h"

namespace anyacl::test::sparse_flash_attention {
namespace {

using namespace sparse;

constexpr int64_t kDim = 512, kRope = 64;

struct Case {
  Sequences sequences = {};
  aclDataType type = ACL_BF16;
  int64_t heads = 4, block = 1, list = 9;
  double scale = 0.06;
  bool lse = false, strided = false;
  bool second = false, sinks = false;  // the second version
};

class SparseFlashAttentionTest : public SparseTest {
 protected:
  struct Call {
    std::unique_ptr<Tensor> query, key, value, indices, table, query_lengths, key_lengths,
        query_rope, key_rope, out, max, sum;
    std::string query_layout, key_layout;
    double scale;
    int64_t block, mode;
    bool lse;
    const aclTensor* table_within = nullptr;
    bool second;
    std::unique_ptr<Tensor> sink = nullptr;
    int64_t attention_mode = 2, before = INT64_MAX, after = INT64_MAX;

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      if (second) {
        return aclnnSparseFlashAttentionV2GetWorkspaceSize(
            HandleOf(query), HandleOf(key), HandleOf(value), HandleOf(indices), HandleOf(table),
            HandleOf(query_lengths), HandleOf(key_lengths), HandleOf(query_rope),
            HandleOf(key_rope), HandleOf(sink), scale, block, query_layout.data(),
            key_layout.data(), mode, before, after, attention_mode, lse, HandleOf(out),
            HandleOf(max), HandleOf(sum), s, e);
      }
      return aclnnSparseFlashAttentionGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(value), HandleOf(indices),
          table_within != nullptr ? table_within : HandleOf(table), HandleOf(query_lengths),
          HandleOf(key_lengths), HandleOf(query_rope), HandleOf(key_rope), scale, block,
          query_layout.data(), key_layout.data(), mode, before, after, attention_mode, lse,
          HandleOf(out), HandleOf(max), HandleOf(sum), s, e);
    }
  };

  struct Data {
    Numbers query, key, value, query_rope, key_rope, sink;
    std::vector<Integers> lists;  // of each row of queries
  };

  std::unique_ptr<Tensor> Lists(const Case& c, Data* data) {
    data->lists = DrawLists(c.sequences, c.block, c.list);
    return std::make_unique<Tensor>(
        Holding(c.sequences.QueryShape({1, c.list}), ACL_INT32, Flat(data->lists)));
  }

  Call Prepared(const Case& c, Data* data) {
    const Sequences& s = c.sequences;
    const bool strided = c.strided && !s.paged();
    const Shape numbers = s.ragged() ? Shape{1, s.QueryShape({})[0], c.heads}
                                     : Shape{s.batch(), 1, s.query_size, c.heads};
    const auto statistic = [&] {
      return std::make_unique<Tensor>(Made(c.lse ? numbers : Shape{0}, ACL_FLOAT, strided));
    };
    Call call{
        .query = Filled(s.QueryShape({c.heads, kDim}), c.type, &data->query, strided),
        .key = Filled(s.KeyShape(kDim), c.type, &data->key, strided),
        .value = Filled(s.KeyShape(kDim), c.type, &data->value, strided),
        .indices = Lists(c, data),
        .table = Table(s),
        .query_lengths = QueryLengths(s),
        .key_lengths = KeyLengths(s),
        .query_rope = Filled(s.QueryShape({c.heads, kRope}), c.type, &data->query_rope, strided),
        .key_rope = Filled(s.KeyShape(kRope), c.type, &data->key_rope, strided),
        .out = std::make_unique<Tensor>(Made(s.QueryShape({c.heads, kDim}), c.type, strided)),
        .max = statistic(),
        .sum = statistic(),
        .query_layout = s.query_layout,
        .key_layout = s.key_layout,
        .scale = c.scale,
        .block = c.block,
        .mode = s.causal ? 3 : 0,
        .lse = c.lse,
        .second = c.second};
    if (c.sinks) call.sink = Filled({c.heads}, ACL_FLOAT, &data->sink, strided, 3);
    return call;
  }

  // The keys that token i of sequence b attends to.
  static std::vector<int64_t> KeysOf(const Case& c, const Data& data, int64_t b, int64_t i) {
    const Integers& list = data.lists[static_cast<size_t>(c.sequences.QueryRow(b, i))];
    return RowsOf(c.sequences, list, c.block, b, i);
  }

  void Check(const Case& c) {
    const Sequences& s = c.sequences;
    SCOPED_TRACE(ToString(s) + " type " + std::to_string(c.type) + " heads " +
                 std::to_string(c.heads) + " blocks of " + std::to_string(c.block));
    Data data;
    Call call = Prepared(c, &data);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                c.second ? aclnnSparseFlashAttentionV2 : aclnnSparseFlashAttention);
    const Numbers out = ReadAs(*call.out), max = ReadAs(*call.max), sum = ReadAs(*call.sum);
    std::vector<bool> written(out.size());
    for (int64_t b = 0; b < s.batch(); ++b) {
      for (int64_t i = 0; i < s.Queries(b); ++i) {
        const int64_t row = s.QueryRow(b, i);
        for (int64_t n = 0; n < c.heads; ++n) {
          const auto at = static_cast<size_t>((row * c.heads + n) * kDim);
          std::fill_n(written.begin() + static_cast<std::ptrdiff_t>(at), kDim, true);
          const size_t number = at / kDim;
          CheckRow(c, data, KeysOf(c, data, b, i), number, &out[at], c.lse ? &max[number] : nullptr,
                   c.lse ? &sum[number] : nullptr);
        }
      }
    }
    for (size_t at = 0; at < out.size(); ++at) {
      if (!written[at]) {
        ASSERT_EQ(out[at], 0) << at;
      }
    }
    EXPECT_TRUE(call.out->GuardsIntact());
    EXPECT_TRUE(call.max->GuardsIntact());
    EXPECT_TRUE(call.sum->GuardsIntact());
  }

  static void CheckRow(const Case& c, const Data& data, const std::vector<int64_t>& keys,
                       size_t row, const double* out, const double* max, const double* sum) {
    Numbers scores;
    for (int64_t key : keys) {
      const double own = DotOf(&data.query[row * kDim], data.key.data() + key * kDim, kDim).sum;
      const double rope =
          DotOf(&data.query_rope[row * kRope], data.key_rope.data() + key * kRope, kRope).sum;
      scores.push_back((own + rope) * c.scale);
    }
    std::optional<double> sink;
    if (c.sinks) sink = data.sink[row % static_cast<size_t>(c.heads)];
    const Attention attention = AttentionOf(scores, sink);
    if (max != nullptr) {
      ASSERT_NEAR(*max, keys.empty() ? 0 : attention.most, 1e-4);
      ASSERT_NEAR(*sum, attention.total, 1e-3 * attention.total);
    }
    Sums sums(kDim);
    for (size_t k = 0; k < keys.size(); ++k) {
      const double p = attention.probabilities[k];
      sums.AddLine(0, p, p, data.value.data() + keys[k] * kDim, kDim);
    }
    for (size_t d = 0; d < kDim; ++d) {
      const double expected = sums.sums[d];
      // Probabilities are rounded to bf16 where caches have it.
      const double error = sums.sizes[d] * (c.type == ACL_BF16 ? 0x1p-8 : 0x1p-12);
      ASSERT_NEAR(out[d], expected, error + 1.01 * HalfUnitOf(c.type, expected)) << row << " " << d;
    }
  }
};

TEST_F(SparseFlashAttentionTest, AttendsToChosenKeysInEveryLayout) {
  for (const Sequences& s : AllLayouts()) {
    Check({.sequences = s});
    Check({.sequences = s, .type = ACL_FLOAT16, .heads = 1, .block = 4, .strided = true});
    Check({.sequences = s, .heads = 16, .block = 16, .list = 3});
    Check({.sequences = s, .type = ACL_FLOAT16, .list = 100});
    Check({.sequences = s, .heads = 3, .block = 2, .second = true, .sinks = true});
    Check({.sequences = s, .type = ACL_FLOAT16, .heads = 5, .second = true});
    if (s.paged()) continue;
    Check({.sequences = s, .lse = true, .strided = true, .second = true, .sinks = true});
    Check({.sequences = s, .block = 2, .lse = true, .strided = true});
    Check({.sequences = s, .type = ACL_FLOAT16, .lse = true});
  }
}

TEST_F(SparseFlashAttentionTest, ManyTokensManyHeadsAndManyKeys) {
  // More tokens than are taken at a time, in sequences that lie apart; a token of each.
  for (int64_t size : {1, 40}) {
    const auto queries = static_cast<int32_t>(size);
    Check({.sequences = {.queries = {queries, queries, queries / 2},
                         .keys = {50, 44, 50},
                         .query_size = size,
                         .key_size = 50},
           .lse = true,
           .strided = true});
  }
  // The same of one tensor; more keys than one split has.
  Check({.sequences = {.query_layout = "TND",
                       .key_layout = "TND",
                       .queries = {31, 9},
                       .keys = {50, 9},
                       .causal = true},
         .list = 12,
         .lse = true});
  Check({.sequences = {.query_layout = "TND",
                       .key_layout = "PA_BSND",
                       .queries = {1, 1},
                       .keys = {1900, 33},
                       .causal = true,
                       .block_size = 128},
         .heads = 128,
         .block = 128,
         .list = 12,
         .second = true,
         .sinks = true});
  Check({.sequences = {.queries = {2}, .keys = {2100}, .query_size = 2, .key_size = 2100},
         .type = ACL_FLOAT16,
         .heads = 64,
         .list = 2048});
}

TEST_F(SparseFlashAttentionTest, ListsEndAtMinusOneAndAreNoLongerThanWhatIsSeen) {
  Case c = {.sequences = {.queries = {2}, .keys = {5}, .query_size = 2, .key_size = 5}, .list = 9};
  Data data;
  Call call = Prepared(c, &data);
  // Behind -1, and behind five entries, nothing is read.
  data.lists = {{3, -1, 77, 1, 2, 0, 0, 0, 0}, {4, 0, 1, 2, 3, 99, -7, 0, 0}};
  WriteAs(*call.indices, Flat(data.lists));
  RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
              aclnnSparseFlashAttention);
  data.lists[1].resize(5);
  const Numbers out = ReadAs(*call.out);
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t n = 0; n < c.heads; ++n) {
      const auto row = static_cast<size_t>(i * c.heads + n);
      CheckRow(c, data, KeysOf(c, data, 0, i), row, &out[row * kDim], nullptr, nullptr);
    }
  }
}

TEST_F(SparseFlashAttentionTest, BlocksNamedTwiceGiveNoMoreKeysThanAreSeen) {
  // As many tokens as are taken at a time, of 129 keys each: two blocks, the last one of one key.
  Case c = {.sequences = {.queries = {32}, .keys = {129}, .query_size = 32, .key_size = 129},
            .type = ACL_FLOAT16,
            .heads = 2,
            .block = 128,
            .list = 2};
  Data data;
  Call call = Prepared(c, &data);
  Numbers flat;
  for (size_t token = 0; token < data.lists.size(); ++token) {
    data.lists[token] = token % 2 == 0 ? Integers{0, 0} : Integers{1, 1};
    flat.insert(flat.end(), data.lists[token].begin(), data.lists[token].end());
  }
  WriteAs(*call.indices, flat);
  RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
              aclnnSparseFlashAttention);
  const Numbers out = ReadAs(*call.out);
  for (int64_t i = 0; i < 32; ++i) {
    std::vector<int64_t> keys = KeysOf(c, data, 0, i);
    keys.resize(std::min<size_t>(keys.size(), 129));
    for (int64_t n = 0; n < c.heads; ++n) {
      const auto row = static_cast<size_t>(i * c.heads + n);
      CheckRow(c, data, keys, row, &out[row * kDim], nullptr, nullptr);
    }
  }
  EXPECT_TRUE(call.out->GuardsIntact());
}

TEST_F(SparseFlashAttentionTest, TheTableMayLieWithinTheResult) {
  const Case c = {.sequences = ManyPaged()};
  Data data;
  Call call = Prepared(c, &data);
  CheckTableWithin(call, *call.out, [&] {
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnSparseFlashAttention);
  });
}

TEST_F(SparseFlashAttentionTest, RefusesWhatDoesNotFit) {
  Data data;
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &data);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  const Case plain = {};
  const Case paged = {.sequences = {.key_layout = "PA_BSND"}};
  const auto made = [](const Shape& shape, aclDataType type) {
    return std::make_unique<Tensor>(Made(shape, type));
  };
  refused(plain, [](Call& c) { c.key_layout = "TND"; }, kInvalid, {"layoutKv = \"TND\""});
  refused(plain, [](Call& c) { c.mode = 4; }, kInvalid, {"sparseMode = 4"});
  refused(plain, [](Call& c) { c.attention_mode = 0; }, kInvalid, {"attentionMode = 0", "2"});
  for (int64_t block : {0, 3, 256, -4}) {
    refused(plain, [&](Call& c) { c.block = block; }, kInvalid,
            {"sparseBlockSize = " + std::to_string(block), "a power of two"});
  }
  refused(paged, [](Call& c) { c.block = 32; }, kInvalid,
          {"sparseBlockSize = 32", "a divisor of the 16 keys"});
  refused({.heads = 3}, [](Call&) {}, kInvalid, {"N1 = 3", "a power of two"});
  refused({.heads = 256}, [](Call&) {}, kInvalid, {"N1 = 256", "at most 128"});
  refused(paged, [](Call& c) { c.lse = true; }, kInvalid,
          {"returnSoftmaxLse is true", "layoutKv is PA_BSND"});
  refused(plain, [](Call& c) { c.lse = true; }, kInvalid,
          {"softmaxMaxOut.shape = [0]", "[2, 1, 6, 4]"});
  refused(plain, [](Call& c) { c.lse = true, c.max = nullptr; }, kNull,
          {"softmaxMaxOut is null", "returnSoftmaxLse"});
  refused(plain, [](Call& c) { c.query_rope = nullptr; }, kNull, {"queryRope is null"});
  refused(plain, [](Call& c) { c.key_rope = nullptr; }, kNull, {"keyRope is null"});
  refused(plain, [](Call& c) { c.indices = nullptr; }, kNull, {"sparseIndices is null"});
  const Case second = {.second = true, .sinks = true};
  refused(second, [&](Call& c) { c.sink = made({3}, ACL_FLOAT); }, kInvalid,
          {"sinksOptional.shape = [3]", "[4]"});
  refused(second, [&](Call& c) { c.sink = made({4}, ACL_BF16); }, kInvalid,
          {"sinksOptional.dtype = BF16", "FLOAT"});
  refused(second, [](Call& c) { c.key_rope = nullptr; }, kNull, {"keyRopeOptional is null"});
  refused(second, [](Call& c) { c.block = 3; }, kInvalid, {"sparseBlockSizeOptional = 3"});
  refused({.heads = 129, .second = true}, [](Call&) {}, kInvalid, {"N1 = 129", "at most 128"});
  refused(plain,
          [&](Call& c) {
            c.value = made({2, 74, 1, 512}, ACL_BF16);
          },
          kInvalid, {"value.shape = [2, 74, 1, 512]", "[2, 75, 1, 512]"});
  refused(plain,
          [&](Call& c) {
            c.key_rope = made({2, 75, 1, 32}, ACL_BF16);
          },
          kInvalid, {"keyRope.shape = [2, 75, 1, 32]", "[2, 75, 1, 64]"});
  refused(plain,
          [&](Call& c) {
            c.query_rope = made({2, 6, 3, 64}, ACL_BF16);
          },
          kInvalid, {"queryRope.shape = [2, 6, 3, 64]", "[2, 6, 4, 64]"});
  refused(plain,
          [&](Call& c) {
            c.out = made({2, 6, 4, 576}, ACL_BF16);
          },
          kInvalid, {"attentionOutOut.shape = [2, 6, 4, 576]", "[2, 6, 4, 512]"});
  refused(plain,
          [&](Call& c) {
            c.indices = made({2, 6, 2, 9}, ACL_INT32);
          },
          kInvalid, {"sparseIndices.shape = [2, 6, 2, 9]", "[2, 6, 1, 9]"});
  refused(plain,
          [&](Call& c) {
            c.indices = made({2, 6, 1, 0}, ACL_INT32);
          },
          kInvalid, {"sparseIndices.shape = [2, 6, 1, 0]", "blocks"});
  refused(plain,
          [&](Call& c) {
            c.query = made({2, 6, 4, 128}, ACL_BF16);
          },
          kInvalid, {"query.shape = [2, 6, 4, 128]", "D = 512"});
  refused(plain,
          [&](Call& c) {
            c.value = made({2, 75, 1, 512}, ACL_FLOAT16);
          },
          kInvalid, {"value.dtype = FLOAT16"});
}

TEST_F(SparseFlashAttentionTest, DeviceDataIsLookedAt) {
  Data data;
  const auto fails = [&](const Case& c, const Numbers& first, std::string_view word) {
    Call call = Prepared(c, &data);
    Numbers all = ReadAs(*call.indices);
    std::copy(first.begin(), first.end(), all.begin());
    WriteAs(*call.indices, all);
    ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                    aclnnSparseFlashAttention, word);
  };
  fails({}, {0, 70}, "sparseIndices[1] of token 0 = 70, expected -1, or 0 to 69");
  fails({.block = 16}, {-2}, "sparseIndices[0] of token 0 = -2, expected -1, or 0 to 4");
}

}  // namespace
}  // namespace anyacl::test::sparse_flash_attention
