// SPDX-License-Identifier: Apache-2.0
// The keys that scores of INT8 numbers choose, against the document's formula in double precision:
// numbers whose scores are exact in fp32, and others, whose order is right but for roundings.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_quant_lightning_indexer.h"
#include "ops/sparse_case.h"

namespace anyacl::test::quant_lightning_indexer {
namespace {

using namespace sparse;

constexpr int64_t kDim = 128;

struct Choice {
  Sequences sequences = {};
  aclDataType weight_type = ACL_FLOAT16, scale_type = ACL_FLOAT16;
  int64_t heads = 5, count = 7;
  bool exact = true, strided = false;
  bool apart = false;  // blocks of keys do not follow each other
};

class QuantLightningIndexerTest : public SparseTest {
 protected:
  using Held = std::unique_ptr<Tensor>;
  struct Call {
    Held query, key, weights, query_scale, key_scale, query_lengths, key_lengths, table, out;
    std::string query_layout, key_layout;
    const aclTensor* table_within = nullptr;
    int64_t count, mode, query_quant = 0, key_quant = 0, before = INT64_MAX, after = INT64_MAX;

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      return aclnnQuantLightningIndexerGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(weights), HandleOf(query_scale),
          HandleOf(key_scale), HandleOf(query_lengths), HandleOf(key_lengths),
          table_within != nullptr ? table_within : HandleOf(table), query_quant, key_quant,
          query_layout.data(), key_layout.data(), count, mode, before, after, HandleOf(out), s, e);
    }
  };
  struct Data {
    Numbers query, key, weights, query_scale, key_scale;
  };

  Numbers Integral(const Shape& shape, int64_t most) {
    Numbers numbers;
    for (size_t i = 0; i < CountOf(shape); ++i) {
      numbers.push_back(static_cast<double>(random().Int(-most, most)));
    }
    return numbers;
  }
  // Of queries and keys; powers of two where scores are to be exact.
  Numbers Scales(const Choice& c, const Shape& shape) {
    if (!c.exact) return Drawn(c.scale_type, CountOf(shape), 0.001, 0.01);
    Numbers numbers;
    for (size_t i = 0; i < CountOf(shape); ++i) {
      numbers.push_back(std::ldexp(1, -static_cast<int>(random().Int(0, 1))));
    }
    return numbers;
  }
  // Rows of keys with room behind each block.
  Held Keys(const Choice& c, const Shape& shape, aclDataType type, const Numbers& numbers) {
    Layout layout{.dims = shape, .dtype = type};
    layout.strides = ContiguousStrides(shape);
    if (c.apart) layout.strides[0] = layout.strides[0] * 2 + 3;
    auto tensor = std::make_unique<Tensor>(layout);
    WriteAs(*tensor, numbers);
    return tensor;
  }

  Call Prepared(const Choice& c, Data* data) {
    const Sequences& s = c.sequences;
    const bool strided = c.strided;
    const Shape query = s.QueryShape({c.heads, kDim}), weights = s.QueryShape({c.heads});
    Shape key = s.KeyShape(kDim), key_scale = key;
    key_scale.pop_back();
    data->query = Integral(query, c.exact ? 5 : 127);
    data->key = Integral(key, c.exact ? 5 : 127);
    data->weights = c.exact ? Integral(weights, 3) : Drawn(c.weight_type, CountOf(weights), -1, 1);
    data->query_scale = Scales(c, weights);
    data->key_scale = Scales(c, key_scale);
    const auto held = [&](const Shape& shape, aclDataType type, const Numbers& numbers) {
      return std::make_unique<Tensor>(Holding(shape, type, numbers, strided));
    };
    return {.query = held(query, ACL_INT8, data->query),
            .key = Keys(c, key, ACL_INT8, data->key),
            .weights = held(weights, c.weight_type, data->weights),
            .query_scale = held(weights, c.scale_type, data->query_scale),
            .key_scale = Keys(c, key_scale, c.scale_type, data->key_scale),
            .query_lengths = QueryLengths(s),
            .key_lengths = KeyLengths(s),
            .table = Table(s),
            .out = std::make_unique<Tensor>(Made(s.QueryShape({1, c.count}), ACL_INT32, strided)),
            .query_layout = s.query_layout,
            .key_layout = s.key_layout,
            .count = c.count,
            .mode = s.causal ? 3 : 0};
  }

  static Numbers Scores(const Choice& c, const Data& data, int64_t b, int64_t i) {
    const Sequences& s = c.sequences;
    Numbers scores;
    for (int64_t j = 0; j < s.Visible(b, i); ++j) {
      const auto key = static_cast<size_t>(s.KeyRow(b, j));
      double score = 0;
      for (int64_t n = 0; n < c.heads; ++n) {
        const auto row = static_cast<size_t>(s.QueryRow(b, i) * c.heads + n);
        double product = 0;
        for (size_t d = 0; d < kDim; ++d) {
          product += data.query[row * kDim + d] * data.key[key * kDim + d];
        }
        const double scaled = data.query_scale[row] * data.key_scale[key] * product;
        score += data.weights[row] * std::max(0.0, scaled);
      }
      scores.push_back(score);
    }
    return scores;
  }

  void Check(const Choice& c) {
    const Sequences& s = c.sequences;
    SCOPED_TRACE(ToString(s) + " heads " + std::to_string(c.heads) + " count " +
                 std::to_string(c.count) + " exact " + std::to_string(c.exact));
    Data data;
    Call call = Prepared(c, &data);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnQuantLightningIndexer);
    const Numbers indices = ReadAs(*call.out);
    std::vector<bool> written(indices.size());
    for (int64_t b = 0; b < s.batch(); ++b) {
      for (int64_t i = 0; i < s.Queries(b); ++i) {
        const auto first = static_cast<size_t>(s.QueryRow(b, i) * c.count);
        const Numbers scores = Scores(c, data, b, i);
        // Heads may cancel each other.
        ExpectChosen(scores, &indices[first], static_cast<size_t>(c.count),
                     c.exact ? 0 : 8 * ErrorOf(scores));
        std::fill_n(written.begin() + static_cast<std::ptrdiff_t>(first), c.count, true);
      }
    }
    for (size_t at = 0; at < indices.size(); ++at) {
      if (!written[at]) {
        ASSERT_EQ(indices[at], -1) << at;
      }
    }
    EXPECT_TRUE(call.out->GuardsIntact());
  }
};

TEST_F(QuantLightningIndexerTest, ChoosesTheLargestScoresInEveryLayout) {
  for (const Sequences& s : AllLayouts()) {
    Check({.sequences = s, .apart = s.paged()});
    Check({.sequences = s,
           .weight_type = ACL_BF16,
           .scale_type = ACL_FLOAT,
           .heads = 64,
           .count = 100,
           .strided = true});
    Check({.sequences = s, .heads = 1, .count = 1, .exact = false});
    Check(
        {.sequences = s, .scale_type = ACL_FLOAT, .heads = 17, .exact = false, .apart = s.paged()});
  }
}

TEST_F(QuantLightningIndexerTest, ManyTokensAndManyKeys) {
  Check({.sequences = {.query_layout = "TND",
                       .key_layout = "TND",
                       .queries = {37},
                       .keys = {700},
                       .causal = true},
         .heads = 64,
         .count = 64});
  Check({.sequences = {.query_layout = "TND",
                       .key_layout = "PA_BSND",
                       .queries = {1, 1, 1},
                       .keys = {9001, 17, 4100},
                       .causal = true,
                       .block_size = 128},
         .heads = 2,
         .count = 2048,
         .apart = true});
}

TEST_F(QuantLightningIndexerTest, RefusesWhatDoesNotFit) {
  Data data;
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  const auto refused = [&](const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared({}, &data);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  refused([](Call& c) { c.query_quant = 1; }, kInvalid, {"queryQuantMode = 1", "expected 0"});
  refused([](Call& c) { c.key_quant = 2; }, kInvalid, {"keyQuantMode = 2", "expected 0"});
  for (int64_t count : {0, 2049, 3072}) {
    refused([&](Call& c) { c.count = count; }, kInvalid,
            {"sparseCount = " + std::to_string(count), "1 to 2048"});
  }
  refused([](Call& c) { c.key_scale = nullptr; }, kNull, {"keyDequantScale is null"});
  const auto shape = [&](Held Call::*tensor, const Shape& dims, aclDataType type,
                         std::string_view word) {
    refused([&](Call& c) { c.*tensor = std::make_unique<Tensor>(Made(dims, type)); }, kInvalid,
            {word});
  };
  shape(&Call::query_scale, {2, 6, 4}, ACL_FLOAT16, "queryDequantScale.shape = [2, 6, 4]");
  shape(&Call::key_scale, {2, 74, 1}, ACL_FLOAT16, "keyDequantScale.shape = [2, 74, 1]");
  shape(&Call::weights, {2, 6, 4}, ACL_FLOAT16, "weights.shape = [2, 6, 4]");
  shape(&Call::weights, {2, 6, 5}, ACL_FLOAT, "weights.dtype = FLOAT");
  shape(&Call::query, {2, 6, 5, 128}, ACL_FLOAT16, "query.dtype = FLOAT16");
  shape(&Call::out, {2, 6, 1, 8}, ACL_INT32, "out.shape = [2, 6, 1, 8]");
}

TEST_F(QuantLightningIndexerTest, TheTableMayLieWithinTheResult) {
  const Choice c = {.sequences = ManyPaged()};
  Data data;
  Call call = Prepared(c, &data);
  CheckTableWithin(call, *call.out, [&] {
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnQuantLightningIndexer);
  });
}

TEST_F(QuantLightningIndexerTest, DeviceDataIsLookedAt) {
  Data data;
  const Choice paged = {.sequences = {.key_layout = "PA_BSND"}};
  const auto fails = [&](const std::function<void(Call&)>& change, std::string_view word) {
    Call call = Prepared(paged, &data);
    change(call);
    ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                    aclnnQuantLightningIndexer, word);
  };
  fails(
      [](Call& c) {
        c.query_lengths = LengthsOf({3, 7}, false);
      },
      "actualSeqLengthsQueryOptional[1] = 7, expected 0 to 6");
  fails(
      [](Call& c) {
        c.key_lengths = LengthsOf({97, 7}, false);
      },
      "actualSeqLengthsKeyOptional[0] = 97, expected 0 to 96");
  for (int block : {-1, 15}) {
    fails(
        [&](Call& c) {
          Numbers blocks = ReadAs(*c.table);
          blocks[2] = block;
          WriteAs(*c.table, blocks);
        },
        "blockTableOptional[0][2] = " + std::to_string(block) + ", expected 0 to 14");
  }
}

}  // namespace
}  // namespace anyacl::test::quant_lightning_indexer
