// SPDX-License-Identifier: Apache-2.0
// What the indexer's scores should be like, and the gradients of that, against the document's
// formulas in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_sparse_lightning_indexer_grad_kl_loss.h"
#include "ops/sparse_case.h"

namespace anyacl::test::indexer_loss {
namespace {

using namespace sparse;

constexpr size_t kDim = 512, kRope = 64, kIndexDim = 128;

struct Case {
  Sequences sequences = {};
  aclDataType type = ACL_BF16, weight_type = ACL_BF16;
  int64_t heads = 4, indexer_heads = 3, list = 9;
  bool ropes = true, strided = false;
};

class IndexerLossTest : public SparseTest {
 protected:
  using Held = std::unique_ptr<Tensor>;
  struct Call {
    Held query, key, query_index, key_index, weights, query_rope, key_rope;
    std::vector<int64_t> query_ends, key_ends;
    std::string layout;
    Held indices = {}, max = {}, sum = {}, dquery = {}, dkey = {}, dweights = {}, loss = {};
    int64_t mode = 3, before = INT64_MAX;
    static constexpr double kScale = 0.06;

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      aclIntArray* const queries = aclCreateIntArray(query_ends.data(), query_ends.size());
      aclIntArray* const keys = aclCreateIntArray(key_ends.data(), key_ends.size());
      const aclnnStatus status = aclnnSparseLightningIndexerGradKLLossGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(query_index), HandleOf(key_index),
          HandleOf(weights), HandleOf(indices), HandleOf(max), HandleOf(sum), HandleOf(query_rope),
          HandleOf(key_rope), queries, keys, kScale, layout.data(), mode, before, INT64_MAX, true,
          HandleOf(dquery), HandleOf(dkey), HandleOf(dweights), HandleOf(loss), s, e);
      aclDestroyIntArray(queries);
      aclDestroyIntArray(keys);
      return status;
    }
  };
  struct Data {
    Numbers query, key, query_index, key_index, weights, query_rope, key_rope, max, sum;
    std::vector<Integers> lists;
  };

  static std::vector<int64_t> Ends(const Integers& lengths, bool given, bool ends) {
    std::vector<int64_t> array;
    if (!given) return array;
    array.assign(lengths.begin(), lengths.end());
    if (ends) std::partial_sum(array.begin(), array.end(), array.begin());
    return array;
  }

  Call Prepared(const Case& c, Data* data) {
    const Sequences& s = c.sequences;
    const bool strided = c.strided;
    const auto filled = [&](const Shape& shape, Numbers* numbers, double most = 1) {
      return Filled(shape, c.type, numbers, strided, most);
    };
    const Shape weights = s.QueryShape({c.indexer_heads});
    const Shape query_index = s.QueryShape({c.indexer_heads, kIndexDim});
    Call call{.query = filled(s.QueryShape({c.heads, kDim}), &data->query),
              .key = filled(s.KeyShape(kDim), &data->key),
              .query_index = filled(query_index, &data->query_index, 0.5),
              .key_index = filled(s.KeyShape(kIndexDim), &data->key_index, 0.5),
              .weights = Filled(weights, c.weight_type, &data->weights, strided, 0.7),
              .query_rope = filled(s.QueryShape({c.heads, kRope}), &data->query_rope),
              .key_rope = filled(s.KeyShape(kRope), &data->key_rope),
              .query_ends = Ends(s.queries, s.HasQueryLengths(), s.ragged()),
              .key_ends = Ends(s.keys, s.HasKeyLengths(), s.ragged()),
              .layout = s.query_layout};
    data->lists = DrawLists(s, 1, c.list);
    const Shape statistic = s.ragged() ? Shape{1, s.QueryShape({})[0], c.heads}
                                       : Shape{s.batch(), 1, s.query_size, c.heads};
    data->max.assign(CountOf(statistic), 0);
    data->sum.assign(CountOf(statistic), 1);
    ForTokens(c, *data, [&](size_t token, const std::vector<int64_t>& keys) {
      for (size_t n = 0; n < static_cast<size_t>(c.heads); ++n) {
        const size_t row = token * static_cast<size_t>(c.heads) + n;
        double most = -INFINITY, total = 0;
        for (int64_t key : keys) most = std::max(most, Score(c, *data, row, key));
        for (int64_t key : keys) total += std::exp(Score(c, *data, row, key) - most);
        data->max[row] = AsHeld(ACL_FLOAT, keys.empty() ? 0 : most);
        data->sum[row] = AsHeld(ACL_FLOAT, total);
      }
    });
    const auto made = [&](const Shape& shape, aclDataType type) {
      return std::make_unique<Tensor>(Made(shape, type, strided));
    };
    call.indices = std::make_unique<Tensor>(
        Holding(s.QueryShape({1, c.list}), ACL_INT32, Flat(data->lists), strided));
    call.max = std::make_unique<Tensor>(Holding(statistic, ACL_FLOAT, data->max, strided));
    call.sum = std::make_unique<Tensor>(Holding(statistic, ACL_FLOAT, data->sum, strided));
    call.dquery = made(query_index, c.type);
    call.dkey = made(s.KeyShape(kIndexDim), c.type);
    call.dweights = made(weights, c.weight_type);
    call.loss = std::make_unique<Tensor>(Made({1}, ACL_FLOAT));
    if (!c.ropes) call.query_rope = nullptr, call.key_rope = nullptr;
    return call;
  }

  template <class Visit>
  static void ForTokens(const Case& c, const Data& data, const Visit& visit) {
    const Sequences& s = c.sequences;
    for (int64_t b = 0; b < s.batch(); ++b) {
      for (int64_t i = 0; i < s.Queries(b); ++i) {
        const auto token = static_cast<size_t>(s.QueryRow(b, i));
        visit(token, RowsOf(s, data.lists[token], 1, b, i));
      }
    }
  }
  static double Score(const Case& c, const Data& data, size_t row, int64_t named) {
    const auto key = static_cast<size_t>(named);
    double score = 0;
    for (size_t d = 0; d < kDim; ++d) {
      score += data.query[row * kDim + d] * data.key[key * kDim + d];
    }
    for (size_t d = 0; d < kRope && c.ropes; ++d) {
      score += data.query_rope[row * kRope + d] * data.key_rope[key * kRope + d];
    }
    return score * Call::kScale;
  }

  struct Gradients {
    Sums query, key, weights;
    double loss = 0;
  };
  static void AddToken(const Case& c, const Data& data, size_t token,
                       const std::vector<int64_t>& keys, Gradients* g) {
    const auto heads = static_cast<size_t>(c.heads), own = static_cast<size_t>(c.indexer_heads);
    Numbers wanted(keys.size()), scores(keys.size());
    std::vector<Numbers> products(own, Numbers(keys.size()));
    double all = 0, exponentials = 0;
    for (size_t l = 0; l < keys.size(); ++l) {
      const auto key = static_cast<size_t>(keys[l]);
      for (size_t n = 0; n < heads; ++n) {
        const size_t row = token * heads + n;
        wanted[l] += std::exp(Score(c, data, row, keys[l]) - data.max[row]) / data.sum[row];
      }
      for (size_t n = 0; n < own; ++n) {
        for (size_t d = 0; d < kIndexDim; ++d) {
          products[n][l] += data.query_index[(token * own + n) * kIndexDim + d] *
                            data.key_index[key * kIndexDim + d];
        }
        scores[l] += data.weights[token * own + n] * std::max(0.0, products[n][l]);
      }
      all += wanted[l];
      exponentials += std::exp(scores[l]);
    }
    for (size_t l = 0; l < keys.size(); ++l) {
      const auto key = static_cast<size_t>(keys[l]);
      const double p = wanted[l] / all, softmax = std::exp(scores[l]) / exponentials;
      g->loss += p * std::log(p / softmax);
      const double gradient = softmax - p, size = softmax + p;
      for (size_t n = 0; n < own; ++n) {
        const size_t row = token * own + n;
        const double positive = std::max(0.0, products[n][l]);
        g->weights.Add(row, positive * gradient, (positive + 1) * size);
        const double weight = data.weights[row];
        const double ds = products[n][l] > 0 ? weight * gradient : 0;
        // Where fp32 may have another sign.
        const double most = std::abs(products[n][l]) < 1e-4 ? 0x1p20 : 1;
        for (size_t d = 0; d < kIndexDim; ++d) {
          const double q = data.query_index[row * kIndexDim + d];
          const double k = data.key_index[key * kIndexDim + d];
          g->query.Add(row * kIndexDim + d, ds * k, most * weight * size * k);
          g->key.Add(key * kIndexDim + d, ds * q, most * weight * size * q);
        }
      }
    }
  }

  void Check(const Case& c) {
    SCOPED_TRACE(ToString(c.sequences) + " type " + std::to_string(c.type) + " heads " +
                 std::to_string(c.heads) + "," + std::to_string(c.indexer_heads) + " ropes " +
                 std::to_string(c.ropes));
    Data data;
    Call call = Prepared(c, &data);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnSparseLightningIndexerGradKLLoss);
    Gradients g{Sums(data.query_index.size()), Sums(data.key_index.size()),
                Sums(data.weights.size())};
    ForTokens(c, data, [&](size_t token, const std::vector<int64_t>& keys) {
      AddToken(c, data, token, keys, &g);
    });
    ExpectSums("query", *call.dquery, g.query);
    ExpectSums("key", *call.dkey, g.key);
    ExpectSums("weights", *call.dweights, g.weights);
    EXPECT_GT(g.loss, 0);
    EXPECT_NEAR(ReadAs(*call.loss)[0], g.loss, 1e-4 * g.loss + 1e-6);
  }
};

TEST_F(IndexerLossTest, IsTheFormulaInEveryLayout) {
  for (const Sequences& s : AllLayouts()) {
    if (s.paged() || !s.causal) continue;
    Check({.sequences = s});
    Check({.sequences = s,
           .type = ACL_FLOAT16,
           .weight_type = ACL_FLOAT,
           .heads = 1,
           .indexer_heads = 1,
           .strided = true});
    Check({.sequences = s,
           .weight_type = ACL_FLOAT,
           .heads = 5,
           .indexer_heads = 64,
           .list = 100,
           .ropes = false});
  }
  Check({.sequences = {.query_layout = "TND",
                       .key_layout = "TND",
                       .queries = {2, 1},
                       .keys = {300, 130},
                       .causal = true},
         .heads = 64,
         .indexer_heads = 16,
         .list = 200});
}

TEST_F(IndexerLossTest, RefusesWhatDoesNotFit) {
  Data data;
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  Case plain;
  plain.sequences.causal = true;
  Case ragged = plain;
  ragged.sequences.query_layout = ragged.sequences.key_layout = "TND";
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &data);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  refused(plain, [](Call& c) { c.mode = 0; }, kInvalid, {"sparseMode = 0", "expected 3"});
  refused(plain, [](Call& c) { c.before = 3; }, kInvalid, {"pre_tokens = 3"});
  refused(plain, [](Call& c) { c.key_rope = nullptr; }, kNull, {"queryRope", "both or neither"});
  refused(plain, [](Call& c) { c.query_ends = {3}; }, kInvalid,
          {"actualSeqLengthsQuery has size 1", "expected 2"});
  refused(ragged, [](Call& c) { c.key_ends = {}; }, kNull,
          {"actualSeqLengthsKey is null or empty", "TND"});
  const auto shape = [&](Held Call::*tensor, const Shape& dims, aclDataType type,
                         std::string_view word) {
    refused(plain, [&](Call& c) { c.*tensor = std::make_unique<Tensor>(Made(dims, type)); },
            kInvalid, {word});
  };
  shape(&Call::query_index, {2, 6, 65, 128}, ACL_BF16, "queryIndex.shape = [2, 6, 65, 128]");
  shape(&Call::query_index, {2, 6, 3, 64}, ACL_BF16, "queryIndex.shape = [2, 6, 3, 64]");
  shape(&Call::key_index, {2, 75, 1, 64}, ACL_BF16, "keyIndex.shape = [2, 75, 1, 64]");
  shape(&Call::weights, {2, 6, 4}, ACL_BF16, "weights.shape = [2, 6, 4]");
  shape(&Call::dweights, {2, 6, 4}, ACL_BF16, "dWeights.shape = [2, 6, 4]");
  shape(&Call::dkey, {2, 75, 1, 512}, ACL_BF16, "dKeyIndex.shape = [2, 75, 1, 512]");
  shape(&Call::loss, {2}, ACL_FLOAT, "loss.shape = [2]");
  refused(plain,
          [](Call& c) {
            c.weights = std::make_unique<Tensor>(Made({2, 6, 3}, ACL_FLOAT16));
            c.dweights = std::make_unique<Tensor>(Made({2, 6, 3}, ACL_FLOAT16));
          },
          kInvalid, {"weights.dtype = FLOAT16", "BF16 as query, or FLOAT"});
}

TEST_F(IndexerLossTest, LengthsAreLookedAt) {
  Data data;
  Case c;
  c.sequences.causal = true;
  Call call = Prepared(c, &data);
  call.key_ends[1] = 76;
  ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                  aclnnSparseLightningIndexerGradKLLoss,
                  "actualSeqLengthsKey[1] = 76, expected 0 to 75");
}

}  // namespace
}  // namespace anyacl::test::indexer_loss
