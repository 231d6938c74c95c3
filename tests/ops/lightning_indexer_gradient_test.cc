// SPDX-License-Identifier: Apache-2.0
// The gradients of the indexer's scores, against the document's formulas in double precision: whole
// numbers, of which many products are 0, and others.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_lightning_indexer_grad.h"
#include "ops/sparse_case.h"
#include "ops/thread_bits.h"
#include "support/fixed.h"

namespace anyacl::test::lightning_indexer_gradient {
namespace {

using namespace sparse;

constexpr int64_t kDim = 128;

struct Case {
  Sequences sequences = {};
  aclDataType type = ACL_BF16;
  int64_t heads = 5, list = 9;
  bool whole = true, strided = false, with_head = false;
};

class LightningIndexerGradientTest : public SparseTest {
 protected:
  using Held = std::unique_ptr<Tensor>;
  struct Call {
    Held query, key, dscores, indices, weights, query_lengths, key_lengths, dquery, dkey, dweights;
    std::string layout;
    int64_t mode, heads = 0, before = INT64_MAX, after = INT64_MAX;

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      return aclnnLightningIndexerGradGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(dscores), HandleOf(indices), HandleOf(weights),
          HandleOf(query_lengths), HandleOf(key_lengths), heads, layout.data(), mode, before, after,
          false, HandleOf(dquery), HandleOf(dkey), HandleOf(dweights), s, e);
    }
  };
  struct Data {
    Numbers query, key, weights, dscores;
    std::vector<Integers> lists;
  };

  Held Numbered(const Case& c, const Shape& shape, Numbers* numbers) {
    *numbers = Drawn(c.type, CountOf(shape), -2.5, 2.5);
    for (double& x : *numbers) x = c.whole ? std::nearbyint(x) : x;
    const bool strided = c.strided;
    return std::make_unique<Tensor>(Holding(shape, c.type, *numbers, strided));
  }

  Call Prepared(const Case& c, Data* data) {
    const Sequences& s = c.sequences;
    const Shape of_tokens = s.QueryShape({c.heads, kDim}), of_keys = s.KeyShape(kDim);
    const Shape list = c.with_head ? s.QueryShape({1, c.list}) : s.QueryShape({c.list});
    data->lists = DrawLists(s, 1, c.list);
    const auto made = [&](const Shape& shape) {
      return std::make_unique<Tensor>(Made(shape, c.type, c.strided));
    };
    return {
        .query = Numbered(c, of_tokens, &data->query),
        .key = Numbered(c, of_keys, &data->key),
        .dscores = Numbered(c, list, &data->dscores),
        .indices = std::make_unique<Tensor>(Holding(list, ACL_INT32, Flat(data->lists), c.strided)),
        .weights = Numbered(c, s.QueryShape({c.heads}), &data->weights),
        .query_lengths = QueryLengths(s),
        .key_lengths = KeyLengths(s),
        .dquery = made(of_tokens),
        .dkey = made(of_keys),
        .dweights = made(s.QueryShape({c.heads})),
        .layout = s.query_layout,
        .mode = s.causal ? 3 : 0};
  }

  struct Gradients {
    Sums query, key, weights;
  };
  // What entry `k` of a token's list adds, whose key is row `key`.
  static void AddEntry(const Case& c, const Data& data, size_t token, size_t k, size_t key,
                       Gradients* g) {
    const double dscore = data.dscores[token * static_cast<size_t>(c.list) + k];
    for (size_t n = 0; n < static_cast<size_t>(c.heads); ++n) {
      const size_t row = token * static_cast<size_t>(c.heads) + n;
      double product = 0, size = 0;
      for (size_t d = 0; d < kDim; ++d) {
        const double term = data.query[row * kDim + d] * data.key[key * kDim + d];
        product += term, size += std::abs(term);
      }
      g->weights.Add(row, std::max(0.0, product) * dscore, size * dscore);
      const double ds = product > 0 ? dscore * data.weights[row] : 0;
      // Where fp32 may have another sign.
      const double most = !c.whole && std::abs(product) < size * 0x1p-18 ? 0x1p20 : 1;
      for (size_t d = 0; d < kDim; ++d) {
        const double q = data.query[row * kDim + d], k_d = data.key[key * kDim + d];
        g->query.Add(row * kDim + d, ds * k_d, most * ds * k_d);
        g->key.Add(key * kDim + d, ds * q, most * ds * q);
      }
    }
  }

  void Check(const Case& c) {
    const Sequences& s = c.sequences;
    SCOPED_TRACE(ToString(s) + " type " + std::to_string(c.type) + " heads " +
                 std::to_string(c.heads) + " whole " + std::to_string(c.whole));
    Data data;
    Call call = Prepared(c, &data);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnLightningIndexerGrad);
    Gradients g{Sums(data.query.size()), Sums(data.key.size()), Sums(data.weights.size())};
    for (int64_t b = 0; b < s.batch(); ++b) {
      for (int64_t i = 0; i < s.Queries(b); ++i) {
        const auto token = static_cast<size_t>(s.QueryRow(b, i));
        const std::vector<int64_t> rows = RowsOf(s, data.lists[token], 1, b, i);
        for (size_t k = 0; k < rows.size(); ++k) {
          AddEntry(c, data, token, k, static_cast<size_t>(rows[k]), &g);
        }
      }
    }
    ExpectSums("query", *call.dquery, g.query);
    ExpectSums("key", *call.dkey, g.key);
    ExpectSums("weights", *call.dweights, g.weights);
  }
};

TEST_F(LightningIndexerGradientTest, IsTheFormulaInEveryLayout) {
  for (const Sequences& s : AllLayouts()) {
    if (s.paged()) continue;
    for (bool whole : {false, true}) {
      Check({.sequences = s, .whole = whole});
      Check({.sequences = s, .type = ACL_FLOAT16, .heads = 1, .whole = whole, .strided = true});
      Check({.sequences = s, .heads = 64, .list = 100, .whole = whole, .with_head = true});
    }
  }
}

// What lists are made up with must not show: 9 entries are computed as 64.
TEST_F(LightningIndexerGradientTest, InfiniteQueriesHaveTheGradientsOfTheFormula) {
  const Case c = {.sequences = {.queries = {1}, .keys = {9}, .query_size = 1, .key_size = 9},
                  .heads = 1};
  for (double large : {static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    Data data;
    Call call = Prepared(c, &data);
    data.query.assign(data.query.size(), 1);
    data.query[3] = large;
    WriteAs(*call.query, data.query);
    WriteAs(*call.key, Numbers(data.key.size(), 1));
    WriteAs(*call.weights, {2});
    WriteAs(*call.dscores, Numbers(data.dscores.size(), 0.5));
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnLightningIndexerGrad);
    // All products are infinite, or NaN, and not below 0: 9 * 2 * 0.5 * 1.
    for (double number : ReadAs(*call.dquery)) ASSERT_EQ(number, 9);
  }
}

TEST_F(LightningIndexerGradientTest, HasTheSameBitsForAnyNumberOfThreads) {
  const Case c = {.sequences = {.queries = {5}, .keys = {300}, .query_size = 5, .key_size = 300},
                  .heads = 64,
                  .list = 200};
  Data data;
  Call call = Prepared(c, &data);
  const auto fill = [](Tensor& tensor, size_t count, uint64_t seed) {
    WriteAs(tensor, FixedNumbers(static_cast<int64_t>(count), seed));
  };
  fill(*call.query, data.query.size(), 1);
  fill(*call.key, data.key.size(), 2);
  fill(*call.weights, data.weights.size(), 3);
  fill(*call.dscores, data.dscores.size(), 4);
  Numbers lists;
  for (int i = 0; i < 5 * 200; ++i) lists.push_back(i * 7 % 300);
  WriteAs(*call.indices, lists);
  RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
              aclnnLightningIndexerGrad);
  uint64_t bits = Fingerprint(call.dquery->ElementBytes());
  bits = Fingerprint(call.dkey->ElementBytes(), bits);
  ExpectTheSameBitsForAnyNumberOfThreads(Fingerprint(call.dweights->ElementBytes(), bits));
}

TEST_F(LightningIndexerGradientTest, EntriesKeepTheirNumbers) {
  // The second entry's key is none that token 0 sees; it counts all the same, as on the device, and
  // a key that is named twice counts twice.
  const Case c = {
      .sequences = {.queries = {2}, .keys = {6}, .causal = true, .query_size = 2, .key_size = 6},
      .list = 4};
  Data data;
  Call call = Prepared(c, &data);
  data.lists = {{3, 5, 1, -1}, {0, 5, 0, 0}};
  WriteAs(*call.indices, Flat(data.lists));
  RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
              aclnnLightningIndexerGrad);
  Gradients g{Sums(data.query.size()), Sums(data.key.size()), Sums(data.weights.size())};
  for (size_t token = 0; token < 2; ++token) {
    for (size_t k = 0; k < 4 && data.lists[token][k] >= 0; ++k) {
      AddEntry(c, data, token, k, static_cast<size_t>(data.lists[token][k]), &g);
    }
  }
  ExpectSums("query", *call.dquery, g.query);
  ExpectSums("key", *call.dkey, g.key);
  ExpectSums("weights", *call.dweights, g.weights);
}

TEST_F(LightningIndexerGradientTest, RefusesWhatDoesNotFit) {
  Data data;
  constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID, kNull = ACLNN_ERR_PARAM_NULLPTR;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &data);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  const Case plain = {};
  refused(plain, [](Call& c) { c.layout = "BNSD"; }, kInvalid, {"layout = \"BNSD\"", "TND"});
  refused(plain, [](Call& c) { c.mode = 2; }, kInvalid, {"sparseMode = 2"});
  refused(plain, [](Call& c) { c.before = 7; }, kInvalid, {"preTokens = 7"});
  refused(plain, [](Call& c) { c.after = -1; }, kInvalid, {"nextTokens = -1"});
  refused(plain, [](Call& c) { c.heads = 4; }, kInvalid, {"headNum = 4", "0, or 5"});
  refused({.heads = 65}, [](Call&) {}, kInvalid, {"N1 = 65", "at most 64"});
  const auto shape = [&](Held Call::*tensor, const Shape& dims, std::string_view word,
                         aclDataType type = ACL_BF16) {
    refused(plain, [&](Call& c) { c.*tensor = std::make_unique<Tensor>(Made(dims, type)); },
            kInvalid, {word});
  };
  shape(&Call::query, {2, 6, 5, 64}, "query.shape = [2, 6, 5, 64]");
  shape(&Call::key, {2, 75, 2, 128}, "key.shape = [2, 75, 2, 128]");
  shape(&Call::dscores, {2, 6, 8}, "dy.shape = [2, 6, 8]");
  shape(&Call::dscores, {2, 6, 5, 9}, "dy.shape = [2, 6, 5, 9]");
  shape(&Call::indices, {2, 6, 0}, "sparseIndices.shape = [2, 6, 0]", ACL_INT32);
  shape(&Call::indices, {2, 5, 9}, "sparseIndices.shape = [2, 5, 9]", ACL_INT32);
  shape(&Call::weights, {2, 6, 4}, "weights.shape = [2, 6, 4]");
  shape(&Call::dquery, {2, 6, 5, 127}, "dQuery.shape = [2, 6, 5, 127]");
  shape(&Call::dkey, {2, 74, 1, 128}, "dKey.shape = [2, 74, 1, 128]");
  shape(&Call::dweights, {2, 6, 5, 1}, "dWeights.shape = [2, 6, 5, 1]");
  Case ragged = plain;
  ragged.sequences.query_layout = ragged.sequences.key_layout = "TND";
  refused(ragged, [](Call& c) { c.query_lengths = nullptr; }, kNull,
          {"actualSeqLengthsQuery is null", "TND"});
}

TEST_F(LightningIndexerGradientTest, DeviceDataIsLookedAt) {
  Data data;
  Call call = Prepared({}, &data);
  call.heads = 5;
  for (double wrong : {70.0, -2.0}) {
    Numbers all = Flat(data.lists);
    all[2] = wrong;
    WriteAs(*call.indices, all);
    ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                    aclnnLightningIndexerGrad,
                    "sparseIndices[2] of token 0 = " + std::to_string(static_cast<int>(wrong)) +
                        ", expected -1, or 0 to 69");
  }
}

}  // namespace
}  // namespace anyacl::test::lightning_indexer_gradient
