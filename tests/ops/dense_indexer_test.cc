// SPDX-License-Identifier: Apache-2.0
// The dense loss of an indexer, its gradients, and the statistics that it needs, against the
// documents' formulas in double precision; gradients also as what a change of the inputs does.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_dense_lightning_indexer_grad_kl_loss.h"
#include "aclnnop/aclnn_dense_lightning_indexer_softmax_lse.h"
#include "ops/sparse_case.h"

namespace anyacl::test {
namespace {

using namespace sparse;

constexpr size_t kDim = 128, kRope = 64;

struct Case {
  Sequences sequences = {};
  aclDataType type = ACL_BF16, weight_type = ACL_BF16;
  int64_t heads = 4, own_heads = 3;
  bool ropes = true, strided = false;
};

// Of all tokens, rows of numbers; keys of a token are the first of its sequence.
struct Data {
  Numbers query, key, own_query, own_key, weights, query_rope, key_rope;
  Numbers max, sum, own_max, own_sum;  // [token][head], [token]
};

class DenseIndexerTest : public SparseTest {
 protected:
  using Held = std::unique_ptr<Tensor>;
  static constexpr double kScale = 0.09;

  struct Call {
    Held query, key, own_query, own_key, weights, query_rope, key_rope;
    std::vector<int64_t> query_ends, key_ends;
    std::string layout;
    Held max = {}, sum = {}, own_max = {}, own_sum = {};
    Held dquery = {}, dkey = {}, dweights = {}, loss = {}, max_out = {}, sum_out = {};
    int64_t mode = 3, before = INT64_MAX, after = INT64_MAX;

    template <class F>
    aclnnStatus WithEnds(const F& call) {
      aclIntArray* const queries = aclCreateIntArray(query_ends.data(), query_ends.size());
      aclIntArray* const keys = aclCreateIntArray(key_ends.data(), key_ends.size());
      const aclnnStatus status = call(queries, keys);
      aclDestroyIntArray(queries);
      aclDestroyIntArray(keys);
      return status;
    }
    Phase1 Loss() {
      return [this](uint64_t* s, aclOpExecutor** e) {
        return WithEnds([&](aclIntArray* queries, aclIntArray* keys) {
          return aclnnDenseLightningIndexerGradKLLossGetWorkspaceSize(
              HandleOf(query), HandleOf(key), HandleOf(own_query), HandleOf(own_key),
              HandleOf(weights), HandleOf(max), HandleOf(sum), HandleOf(own_max), HandleOf(own_sum),
              HandleOf(query_rope), HandleOf(key_rope), queries, keys, kScale, layout.data(), mode,
              before, after, HandleOf(dquery), HandleOf(dkey), HandleOf(dweights), HandleOf(loss),
              s, e);
        });
      };
    }
    Phase1 Statistics() {
      return [this](uint64_t* s, aclOpExecutor** e) {
        return WithEnds([&](aclIntArray* queries, aclIntArray* keys) {
          return aclnnDenseLightningIndexerSoftmaxLseGetWorkspaceSize(
              HandleOf(own_query), HandleOf(own_key), HandleOf(weights), queries, keys,
              layout.data(), mode, before, after, HandleOf(max_out), HandleOf(sum_out), s, e);
        });
      };
    }
  };

  static std::vector<int64_t> Ends(const Integers& lengths, bool given, bool ends) {
    std::vector<int64_t> array;
    if (!given) return array;
    array.assign(lengths.begin(), lengths.end());
    if (ends) std::partial_sum(array.begin(), array.end(), array.begin());
    return array;
  }
  static Shape HeadKeys(const Sequences& s, int64_t heads, int64_t dim) {
    Shape shape = s.KeyShape(dim);
    shape[shape.size() - 2] = heads;
    return shape;
  }
  static Shape RowShape(const Sequences& s) {
    return s.ragged() ? Shape{1, s.QueryShape({})[0]} : Shape{s.batch(), 1, s.query_size};
  }

  // Calls visit(token, the rows of its keys).
  template <class Visit>
  static void ForTokens(const Case& c, const Visit& visit) {
    const Sequences& s = c.sequences;
    for (int64_t b = 0; b < s.batch(); ++b) {
      for (int64_t i = 0; i < s.Queries(b); ++i) {
        std::vector<size_t> keys;
        for (int64_t j = 0; j < s.Visible(b, i); ++j) {
          keys.push_back(static_cast<size_t>(s.KeyRow(b, j)));
        }
        if (!keys.empty()) visit(static_cast<size_t>(s.QueryRow(b, i)), keys);
      }
    }
  }
  static double Dot(const Numbers& a, size_t row, const Numbers& b, size_t other, size_t count) {
    return DotOf(&a[row * count], &b[other * count], static_cast<int64_t>(count)).sum;
  }
  static double Attention(const Case& c, const Data& data, size_t token, size_t n, size_t key) {
    const auto heads = static_cast<size_t>(c.heads);
    double score = Dot(data.query, token * heads + n, data.key, key * heads + n, kDim);
    if (c.ropes) {
      score += Dot(data.query_rope, token * heads + n, data.key_rope, key * heads + n, kRope);
    }
    return score * kScale;
  }
  static double Product(const Case& c, const Data& data, size_t token, size_t n, size_t key) {
    return Dot(data.own_query, token * static_cast<size_t>(c.own_heads) + n, data.own_key, key,
               kDim);
  }
  static double OwnScore(const Case& c, const Data& data, size_t token, size_t key) {
    const auto heads = static_cast<size_t>(c.own_heads);
    double score = 0;
    for (size_t n = 0; n < heads; ++n) {
      score += data.weights[token * heads + n] * std::max(0.0, Product(c, data, token, n, key));
    }
    return score;
  }

  // The largest of some scores and the sum of their exponentials.
  template <class Score>
  static std::pair<double, double> Statistic(const std::vector<size_t>& keys, const Score& score) {
    Numbers scores;
    double most = -INFINITY, total = 0;
    for (size_t key : keys) {
      scores.push_back(score(key));
      most = std::max(most, scores.back());
    }
    for (double one : scores) total += std::exp(one - most);
    return {most, total};
  }
  static void AddStatistics(const Case& c, Data* data) {
    const size_t tokens = CountOf(c.sequences.QueryShape({}));
    const auto heads = static_cast<size_t>(c.heads);
    data->max.assign(tokens * heads, 0);
    data->sum.assign(tokens * heads, 0);
    data->own_max.assign(tokens, 0);
    data->own_sum.assign(tokens, 0);
    ForTokens(c, [&](size_t token, const std::vector<size_t>& keys) {
      for (size_t n = 0; n < heads; ++n) {
        std::tie(data->max[token * heads + n], data->sum[token * heads + n]) =
            Statistic(keys, [&](size_t key) { return Attention(c, *data, token, n, key); });
      }
      std::tie(data->own_max[token], data->own_sum[token]) =
          Statistic(keys, [&](size_t key) { return OwnScore(c, *data, token, key); });
    });
  }
  // [token][head] as [B][N1][S1][1] or [N1][T1][1].
  static Numbers ByHead(const Case& c, const Numbers& numbers) {
    const auto heads = static_cast<size_t>(c.heads);
    const size_t rows =
        c.sequences.ragged() ? numbers.size() / heads : static_cast<size_t>(c.sequences.query_size);
    Numbers turned;
    for (size_t first = 0; first < numbers.size(); first += rows * heads) {
      for (size_t n = 0; n < heads; ++n) {
        for (size_t i = 0; i < rows; ++i) turned.push_back(numbers[first + i * heads + n]);
      }
    }
    return turned;
  }

  Call Prepared(const Case& c, Data* data) {
    const Sequences& s = c.sequences;
    const bool strided = c.strided;
    const auto filled = [&](const Shape& shape, Numbers* numbers, double most = 1) {
      return Filled(shape, c.type, numbers, strided, most);
    };
    const Shape weights = s.QueryShape({c.own_heads});
    const Shape own_query = s.QueryShape({c.own_heads, kDim}), own_key = s.KeyShape(kDim);
    Call call{.query = filled(s.QueryShape({c.heads, kDim}), &data->query),
              .key = filled(HeadKeys(s, c.heads, kDim), &data->key),
              .own_query = filled(own_query, &data->own_query, 0.5),
              .own_key = filled(own_key, &data->own_key, 0.5),
              .weights = Filled(weights, c.weight_type, &data->weights, strided, 0.7),
              .query_rope = filled(s.QueryShape({c.heads, kRope}), &data->query_rope),
              .key_rope = filled(HeadKeys(s, c.heads, kRope), &data->key_rope),
              .query_ends = Ends(s.queries, s.HasQueryLengths(), s.ragged()),
              .key_ends = Ends(s.keys, s.HasKeyLengths(), s.ragged()),
              .layout = s.query_layout};
    AddStatistics(c, data);
    const Shape by_head = s.ragged() ? Shape{c.heads, s.QueryShape({})[0], 1}
                                     : Shape{s.batch(), c.heads, s.query_size, 1};
    const auto held = [&](const Shape& shape, const Numbers& numbers) {
      return std::make_unique<Tensor>(
          Holding(shape, ACL_FLOAT, AsHeld(ACL_FLOAT, numbers), strided));
    };
    const auto made = [&](const Shape& shape, aclDataType type) {
      return std::make_unique<Tensor>(Made(shape, type, strided));
    };
    call.max = held(by_head, ByHead(c, data->max));
    call.sum = held(by_head, ByHead(c, data->sum));
    call.own_max = held(RowShape(s), data->own_max);
    call.own_sum = held(RowShape(s), data->own_sum);
    call.max_out = made(RowShape(s), ACL_FLOAT);
    call.sum_out = made(RowShape(s), ACL_FLOAT);
    call.dquery = made(own_query, c.type);
    call.dkey = made(own_key, c.type);
    call.dweights = made(weights, c.weight_type);
    call.loss = std::make_unique<Tensor>(Made({1}, ACL_FLOAT));
    if (!c.ropes) call.query_rope = nullptr, call.key_rope = nullptr;
    return call;
  }

  // p of a key, the mean over the heads.
  static double Wanted(const Case& c, const Data& data, size_t token, size_t key) {
    const auto heads = static_cast<size_t>(c.heads);
    double wanted = 0;
    for (size_t n = 0; n < heads; ++n) {
      const size_t row = token * heads + n;
      wanted += std::exp(Attention(c, data, token, n, key) - data.max[row]) / data.sum[row];
    }
    return wanted / static_cast<double>(heads);
  }
  static double LossOf(const Case& c, const Data& data) {
    double loss = 0;
    ForTokens(c, [&](size_t token, const std::vector<size_t>& keys) {
      const auto [most, total] =
          Statistic(keys, [&](size_t key) { return OwnScore(c, data, token, key); });
      for (size_t key : keys) {
        const double p = Wanted(c, data, token, key);
        const double softmax = std::exp(OwnScore(c, data, token, key) - most) / total;
        loss += p * (std::log(std::max(p, 1e-8)) - std::log(std::max(softmax, 1e-8)));
      }
    });
    return loss;
  }

  struct Gradients {
    Sums query, key, weights;
  };
  static void AddToken(const Case& c, const Data& data, size_t token,
                       const std::vector<size_t>& keys, Gradients* g) {
    const auto own = static_cast<size_t>(c.own_heads);
    for (size_t key : keys) {
      const double p = Wanted(c, data, token, key);
      const double softmax =
          std::exp(OwnScore(c, data, token, key) - data.own_max[token]) / data.own_sum[token];
      const double gradient = softmax - p, size = softmax + p;
      for (size_t n = 0; n < own; ++n) {
        const size_t row = token * own + n;
        const double product = Product(c, data, token, n, key), weight = data.weights[row];
        const double positive = std::max(0.0, product);
        g->weights.Add(row, positive * gradient, (positive + 1) * size);
        const double ds = product > 0 ? weight * gradient : 0;
        // Where fp32 may have another sign.
        const double most = std::abs(product) < 1e-4 ? 0x1p20 : 1;
        const double most_of_ds = most * weight * size;
        g->query.AddLine(row * kDim, ds, most_of_ds, &data.own_key[key * kDim], kDim);
        g->key.AddLine(key * kDim, ds, most_of_ds, &data.own_query[row * kDim], kDim);
      }
    }
  }

  void Check(const Case& c) {
    SCOPED_TRACE(ToString(c.sequences) + " type " + std::to_string(c.type) + " heads " +
                 std::to_string(c.heads) + "," + std::to_string(c.own_heads) + " ropes " +
                 std::to_string(c.ropes));
    Data data;
    Call call = Prepared(c, &data);
    RunTwoPhase(call.Statistics(), aclnnDenseLightningIndexerSoftmaxLse);
    CheckStatistics(data, call);
    RunTwoPhase(call.Loss(), aclnnDenseLightningIndexerGradKLLoss);
    Gradients g{Sums(data.own_query.size()), Sums(data.own_key.size()), Sums(data.weights.size())};
    ForTokens(c, [&](size_t token, const std::vector<size_t>& keys) {
      AddToken(c, data, token, keys, &g);
    });
    ExpectSums("query", *call.dquery, g.query);
    ExpectSums("key", *call.dkey, g.key);
    ExpectSums("weights", *call.dweights, g.weights);
    const double loss = LossOf(c, data);
    EXPECT_GT(loss, 0);
    EXPECT_NEAR(ReadAs(*call.loss)[0], loss, 1e-4 * loss + 1e-6);
  }
  static void CheckStatistics(const Data& data, const Call& call) {
    const Numbers max = ReadAs(*call.max_out), sum = ReadAs(*call.sum_out);
    const double error = ErrorOf(data.own_max);
    ASSERT_EQ(max.size(), data.own_max.size());
    for (size_t i = 0; i < max.size(); ++i) {
      ASSERT_NEAR(max[i], data.own_max[i], error) << i;
      ASSERT_NEAR(sum[i], data.own_sum[i], data.own_sum[i] * 2 * error) << i;
    }
    EXPECT_TRUE(call.max_out->GuardsIntact());
    EXPECT_TRUE(call.sum_out->GuardsIntact());
  }
};

TEST_F(DenseIndexerTest, IsTheFormulaInEveryLayout) {
  for (const Sequences& s : AllLayouts()) {
    if (s.paged() || !s.causal) continue;
    Check({.sequences = s});
    Check({.sequences = s,
           .type = ACL_FLOAT16,
           .weight_type = ACL_FLOAT,
           .heads = 1,
           .own_heads = 1,
           .strided = true});
    Check({.sequences = s, .weight_type = ACL_FLOAT, .heads = 5, .own_heads = 17, .ropes = false});
  }
}

TEST_F(DenseIndexerTest, ManyTokensAndManyKeys) {
  // More tokens than are taken at a time, and, of so many heads, more keys.
  for (const char* layout : {"BSND", "TND"}) {
    Check({.sequences = {.query_layout = layout,
                         .key_layout = layout,
                         .queries = {70},
                         .keys = {210},
                         .causal = true,
                         .query_size = 72,
                         .key_size = 211},
           .heads = 16,
           .own_heads = 64});
  }
}

TEST_F(DenseIndexerTest, GradientsAreWhatAChangeDoes) {
  const Case c{
      .sequences = {.queries = {3}, .keys = {5}, .causal = true, .query_size = 3, .key_size = 5},
      .type = ACL_FLOAT16,
      .weight_type = ACL_FLOAT,
      .own_heads = 2};
  Data data;
  Call call = Prepared(c, &data);
  RunTwoPhase(call.Loss(), aclnnDenseLightningIndexerGradKLLoss);
  const auto check = [&](Numbers Data::*of, const Tensor& result) {
    const Numbers actual = ReadAs(result);
    for (size_t i = 0; i < actual.size(); i += 7) {
      Data moved = data;
      (moved.*of)[i] += 1e-5;
      const double above = LossOf(c, moved);
      (moved.*of)[i] -= 2e-5;
      const double slope = (above - LossOf(c, moved)) / 2e-5;
      EXPECT_NEAR(actual[i], slope, 2e-4 + HalfUnitOf(result.layout().dtype, slope)) << i;
    }
  };
  check(&Data::own_query, *call.dquery);
  check(&Data::own_key, *call.dkey);
  check(&Data::weights, *call.dweights);
}

TEST_F(DenseIndexerTest, RefusesWhatDoesNotFit) {
  Data data;
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  constexpr int kTiling = ACLNN_ERR_INNER_TILING_ERROR;
  Case plain;
  plain.sequences.causal = true;
  Case ragged = plain;
  ragged.sequences.query_layout = ragged.sequences.key_layout = "TND";
  const auto refused = [&](const Case& c, bool loss, const std::function<void(Call&)>& change,
                           int code, std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &data);
    change(call);
    ExpectRefused(loss ? call.Loss() : call.Statistics(), code, words);
  };
  for (bool loss : {false, true}) {
    refused(plain, loss, [](Call& c) { c.mode = 0; }, kTiling, {"sparseMode = 0", "expected 3"});
    refused(plain, loss, [](Call& c) { c.before = 3; }, kTiling, {"preTokens = 3"});
    refused(plain, loss, [](Call& c) { c.after = 3; }, kTiling, {"nextTokens = 3"});
    refused(plain, loss, [](Call& c) { c.layout = "SBH"; }, kTiling,
            {"SBH", "\"BSND\" or \"TND\""});
    refused(plain, loss, [](Call& c) { c.query_ends = {3}; }, kTiling,
            {"has size 1", "expected 2"});
    refused(ragged, loss, [](Call& c) { c.key_ends = {}; }, kNull, {"null or empty", "TND"});
    refused(plain, loss,
            [](Call& c) {
              c.weights = std::make_unique<Tensor>(Made({2, 6, 3}, ACL_FLOAT16));
              c.dweights = std::make_unique<Tensor>(Made({2, 6, 3}, ACL_FLOAT16));
            },
            kInvalid, {"FLOAT16", "or FLOAT"});
  }
  refused(plain, true, [](Call& c) { c.key_rope = nullptr; }, kNull,
          {"queryRope", "both or neither"});
  const auto shape = [&](bool loss, Held Call::*tensor, const Shape& dims, aclDataType type,
                         std::string_view word) {
    refused(plain, loss, [&](Call& c) { c.*tensor = std::make_unique<Tensor>(Made(dims, type)); },
            kTiling, {word});
  };
  shape(false, &Call::own_query, {2, 6, 65, 128}, ACL_BF16, "queryIndex.shape = [2, 6, 65, 128]");
  shape(false, &Call::own_key, {2, 75, 2, 128}, ACL_BF16, "keyIndex.shape = [2, 75, 2, 128]");
  shape(false, &Call::max_out, {2, 6}, ACL_FLOAT, "softmaxMaxOut.shape = [2, 6]");
  shape(false, &Call::sum_out, {2, 2, 6}, ACL_FLOAT, "softmaxSumOut.shape = [2, 2, 6]");
  shape(true, &Call::query, {2, 6, 4, 64}, ACL_BF16, "query.shape = [2, 6, 4, 64]");
  shape(true, &Call::key, {2, 75, 1, 128}, ACL_BF16, "key.shape = [2, 75, 1, 128]");
  shape(true, &Call::own_key, {2, 75, 4, 128}, ACL_BF16, "keyIndex.shape = [2, 75, 4, 128]");
  shape(true, &Call::max, {2, 4, 6}, ACL_FLOAT, "softmaxMax.shape = [2, 4, 6]");
  shape(true, &Call::own_sum, {2, 6}, ACL_FLOAT, "softmaxSumIndex.shape = [2, 6]");
  shape(true, &Call::query, {0, 6, 4, 128}, ACL_BF16, "query.shape = [0, 6, 4, 128]");
}

TEST_F(DenseIndexerTest, NoQueriesHaveNoStatistics) {
  Data data;
  Case c;
  c.sequences.causal = true;
  Call call = Prepared(c, &data);
  call.own_query = std::make_unique<Tensor>(Made({0, 6, 3, 128}, ACL_BF16));
  RunTwoPhase(call.Statistics(), aclnnDenseLightningIndexerSoftmaxLse);
}

TEST_F(DenseIndexerTest, LengthsAreLookedAt) {
  Data data;
  Case c;
  c.sequences.causal = true;
  Call call = Prepared(c, &data);
  call.key_ends[1] = 76;
  ExpectTaskFails(call.Loss(), aclnnDenseLightningIndexerGradKLLoss,
                  "actualSeqLengthsKey[1] = 76, expected 0 to 75");
  ExpectTaskFails(call.Statistics(), aclnnDenseLightningIndexerSoftmaxLse,
                  "actualSeqLengthsKeyOptional[1] = 76, expected 0 to 75");
}

}  // namespace
}  // namespace anyacl::test
