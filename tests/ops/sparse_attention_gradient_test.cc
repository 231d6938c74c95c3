// SPDX-License-Identifier: Apache-2.0
// The gradients of attention over chosen keys, against the document's formulas in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_sparse_flash_attention_grad.h"
#include "ops/sparse_case.h"
#include "ops/thread_bits.h"
#include "reference/sparse_attention.h"
#include "support/fixed.h"

namespace anyacl::test::sparse_attention_gradient {
namespace {

using namespace sparse;

constexpr int64_t kDim = 512, kRope = 64;

struct Case {
  Sequences sequences = {};
  aclDataType type = ACL_BF16;
  int64_t heads = 4, block = 1, list = 9;
  double scale = 0.06;
  bool ropes = true, values = true, strided = false;
};

class SparseAttentionGradientTest : public SparseTest {
 protected:
  using Held = std::unique_ptr<Tensor>;
  struct Call {
    Held query, key, value, dout, query_lengths, key_lengths, query_rope, key_rope;
    double scale;
    int64_t block, mode;
    std::string layout;
    Held indices = {}, out = {}, max = {}, sum = {};
    Held dquery = {}, dkey = {}, dvalue = {}, dquery_rope = {}, dkey_rope = {};
    int64_t before = INT64_MAX, after = INT64_MAX;

    aclnnStatus PhaseOne(uint64_t* s, aclOpExecutor** e) {
      return aclnnSparseFlashAttentionGradGetWorkspaceSize(
          HandleOf(query), HandleOf(key), HandleOf(value), HandleOf(indices), HandleOf(dout),
          HandleOf(out), HandleOf(max), HandleOf(sum), HandleOf(query_lengths),
          HandleOf(key_lengths), HandleOf(query_rope), HandleOf(key_rope), scale, block,
          layout.data(), mode, before, after, true, HandleOf(dquery), HandleOf(dkey),
          HandleOf(dvalue), HandleOf(dquery_rope), HandleOf(dkey_rope), s, e);
    }
  };
  struct Data {
    Numbers query, key, value, dout, out, max, sum, query_rope, key_rope;
    std::vector<Integers> lists;
  };

  // The forward results of a row of queries over its keys.
  static void Attend(const Case& c, Data* data, size_t row, const std::vector<int64_t>& keys) {
    Numbers scores;
    for (int64_t key : keys) scores.push_back(Score(c, *data, row, static_cast<size_t>(key)));
    const Attention attention = AttentionOf(scores);
    data->max[row] = AsHeld(ACL_FLOAT, keys.empty() ? 0 : attention.most);
    data->sum[row] = AsHeld(ACL_FLOAT, attention.total);
    if (keys.empty()) return;
    Sums out(kDim);
    for (size_t k = 0; k < keys.size(); ++k) {
      const double p = attention.probabilities[k];
      out.AddLine(0, p, p, data->value.data() + keys[k] * kDim, kDim);
    }
    for (size_t d = 0; d < kDim; ++d) data->out[row * kDim + d] = AsHeld(c.type, out.sums[d]);
  }
  static double Score(const Case& c, const Data& data, size_t row, size_t key) {
    double score = DotOf(&data.query[row * kDim], &data.key[key * kDim], kDim).sum;
    if (c.ropes) {
      score += DotOf(&data.query_rope[row * kRope], &data.key_rope[key * kRope], kRope).sum;
    }
    return score * c.scale;
  }

  template <class Visit>
  static void ForTokens(const Case& c, const Data& data, const Visit& visit) {
    const Sequences& s = c.sequences;
    for (int64_t b = 0; b < s.batch(); ++b) {
      for (int64_t i = 0; i < s.Queries(b); ++i) {
        const int64_t token = s.QueryRow(b, i);
        visit(token, RowsOf(s, data.lists[static_cast<size_t>(token)], c.block, b, i));
      }
    }
  }

  Call Prepared(const Case& c, Data* data) {
    const Sequences& s = c.sequences;
    const bool strided = c.strided;
    const Shape of_tokens = s.QueryShape({c.heads, kDim}), of_keys = s.KeyShape(kDim);
    const Shape of_ropes = s.QueryShape({c.heads, kRope});
    const Shape statistic = s.ragged() ? Shape{1, s.QueryShape({})[0], c.heads}
                                       : Shape{s.batch(), 1, s.query_size, c.heads};
    Call call{.query = Filled(of_tokens, c.type, &data->query, strided),
              .key = Filled(of_keys, c.type, &data->key, strided),
              .value = Filled(of_keys, c.type, &data->value, strided),
              .dout = Filled(of_tokens, c.type, &data->dout, strided),
              .query_lengths = QueryLengths(s),
              .key_lengths = KeyLengths(s),
              .query_rope = Filled(of_ropes, c.type, &data->query_rope, strided),
              .key_rope = Filled(s.KeyShape(kRope), c.type, &data->key_rope, strided),
              .scale = c.scale,
              .block = c.block,
              .mode = s.causal ? 3 : 0,
              .layout = s.query_layout};
    data->lists = DrawLists(s, c.block, c.list);
    call.indices = std::make_unique<Tensor>(
        Holding(s.QueryShape({1, c.list}), ACL_INT32, Flat(data->lists), strided));
    if (!c.values) data->value = data->key;
    data->max.assign(CountOf(statistic), 0);
    data->sum = data->max;
    data->out.assign(data->query.size(), 0);
    ForTokens(c, *data, [&](int64_t token, const std::vector<int64_t>& keys) {
      for (int64_t n = 0; n < c.heads; ++n) {
        Attend(c, data, static_cast<size_t>(token * c.heads + n), keys);
      }
    });
    call.out = std::make_unique<Tensor>(Holding(of_tokens, c.type, data->out, strided));
    call.max = std::make_unique<Tensor>(Holding(statistic, ACL_FLOAT, data->max, strided));
    call.sum = std::make_unique<Tensor>(Holding(statistic, ACL_FLOAT, data->sum, strided));
    const auto made = [&](const Shape& shape) {
      return std::make_unique<Tensor>(Made(shape, c.type, strided));
    };
    call.dquery = made(of_tokens);
    call.dkey = made(of_keys);
    call.dvalue = made(of_keys);
    call.dquery_rope = made(c.ropes ? of_ropes : Shape{0});
    call.dkey_rope = made(c.ropes ? s.KeyShape(kRope) : Shape{0});
    if (!c.values) call.value = nullptr, call.dvalue = nullptr;
    if (!c.ropes) call.query_rope = nullptr, call.key_rope = nullptr;
    return call;
  }

  struct Gradients {
    Sums query, key, value, query_rope, key_rope;
  };
  static void AddRow(const Case& c, const Data& data, size_t row, const std::vector<int64_t>& keys,
                     Gradients* g) {
    const double* const dout = &data.dout[row * kDim];
    const auto [delta, delta_size] = DotOf(dout, &data.out[row * kDim], kDim);
    Numbers weights;
    double total = 0;
    for (int64_t key : keys) {
      weights.push_back(std::exp(Score(c, data, row, static_cast<size_t>(key))));
      total += weights.back();
    }
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto key = static_cast<size_t>(keys[i]);
      const double p = weights[i] / total;
      const auto [product, product_size] = DotOf(dout, &data.value[key * kDim], kDim);
      const double ds = p * (product - delta) * c.scale;
      const double size = (delta_size + product_size) * p * c.scale;
      g->query.AddLine(row * kDim, ds, size, &data.key[key * kDim], kDim);
      g->key.AddLine(key * kDim, ds, size, &data.query[row * kDim], kDim);
      (c.values ? g->value : g->key).AddLine(key * kDim, p, p, dout, kDim);
      if (!c.ropes) continue;
      g->query_rope.AddLine(row * kRope, ds, size, &data.key_rope[key * kRope], kRope);
      g->key_rope.AddLine(key * kRope, ds, size, &data.query_rope[row * kRope], kRope);
    }
  }

  void Check(const Case& c) {
    SCOPED_TRACE(ToString(c.sequences) + " type " + std::to_string(c.type) + " heads " +
                 std::to_string(c.heads) + " blocks of " + std::to_string(c.block) + " ropes " +
                 std::to_string(c.ropes) + " values " + std::to_string(c.values));
    Data data;
    Call call = Prepared(c, &data);
    RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
                aclnnSparseFlashAttentionGrad);
    Gradients g{Sums(data.query.size()), Sums(data.key.size()), Sums(data.key.size()),
                Sums(data.query_rope.size()), Sums(data.key_rope.size())};
    ForTokens(c, data, [&](int64_t token, const std::vector<int64_t>& keys) {
      for (int64_t n = 0; n < c.heads; ++n) {
        AddRow(c, data, static_cast<size_t>(token * c.heads + n), keys, &g);
      }
    });
    ExpectSums("query", *call.dquery, g.query);
    ExpectSums("key", *call.dkey, g.key);
    if (c.values) ExpectSums("value", *call.dvalue, g.value);
    if (!c.ropes) return;
    ExpectSums("query rope", *call.dquery_rope, g.query_rope);
    ExpectSums("key rope", *call.dkey_rope, g.key_rope);
  }
};

TEST_F(SparseAttentionGradientTest, IsTheFormulaInEveryLayout) {
  for (const Sequences& s : AllLayouts()) {
    if (s.paged()) continue;
    Check({.sequences = s});
    Check({.sequences = s, .type = ACL_FLOAT16, .heads = 1, .block = 4, .strided = true});
    Check({.sequences = s, .heads = 3, .block = 16, .list = 3, .ropes = false});
    Check({.sequences = s, .type = ACL_FLOAT16, .list = 100, .values = false, .strided = true});
    Check({.sequences = s, .heads = 2, .ropes = false, .values = false});
  }
}

TEST_F(SparseAttentionGradientTest, ManyHeadsAndManyKeys) {
  for (aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    Check({.sequences = {.query_layout = "TND",
                         .key_layout = "TND",
                         .queries = {2, 1},
                         .keys = {300, 130},
                         .causal = true},
           .type = type,
           .heads = 128,
           .list = 200});
  }
}

TEST_F(SparseAttentionGradientTest, HasTheSameBitsForAnyNumberOfThreads) {
  const Case c = {.sequences = {.queries = {5}, .keys = {300}, .query_size = 5, .key_size = 300},
                  .heads = 64,
                  .list = 200,
                  .scale = 0.001};
  Data data;
  Call call = Prepared(c, &data);
  uint64_t seed = 0;
  for (const auto& [tensor, numbers] : {std::pair{&call.query, &data.query},
                                        {&call.key, &data.key},
                                        {&call.value, &data.value},
                                        {&call.dout, &data.dout},
                                        {&call.out, &data.out},
                                        {&call.query_rope, &data.query_rope},
                                        {&call.key_rope, &data.key_rope}}) {
    WriteAs(**tensor, FixedNumbers(static_cast<int64_t>(numbers->size()), ++seed));
  }
  WriteAs(*call.max, Numbers(data.max.size(), 1));
  WriteAs(*call.sum, Numbers(data.sum.size(), 100));
  Numbers lists;
  for (int i = 0; i < 5 * 200; ++i) lists.push_back(i * 7 % 300);
  WriteAs(*call.indices, lists);
  RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
              aclnnSparseFlashAttentionGrad);
  uint64_t bits = Fingerprint(call.dquery->ElementBytes());
  for (const Held* result : {&call.dkey, &call.dvalue, &call.dquery_rope, &call.dkey_rope}) {
    bits = Fingerprint((*result)->ElementBytes(), bits);
  }
  ExpectTheSameBitsForAnyNumberOfThreads(bits);
}

TEST_F(SparseAttentionGradientTest, KeysThatAreNamedTwiceCountTwice) {
  const Case c = {.sequences = {.queries = {2}, .keys = {6}, .query_size = 2, .key_size = 6},
                  .list = 4};
  Data data;
  Call call = Prepared(c, &data);
  data.lists = {{3, 3, 1, -1}, {0, 5, 0, 0}};
  WriteAs(*call.indices, Flat(data.lists));
  ForTokens(c, data, [&](int64_t token, const std::vector<int64_t>& keys) {
    for (int64_t n = 0; n < c.heads; ++n) {
      Attend(c, &data, static_cast<size_t>(token * c.heads + n), keys);
    }
  });
  WriteAs(*call.out, data.out);
  WriteAs(*call.max, data.max);
  WriteAs(*call.sum, data.sum);
  RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
              aclnnSparseFlashAttentionGrad);
  Gradients g{Sums(data.query.size()), Sums(data.key.size()), Sums(data.key.size()),
              Sums(data.query_rope.size()), Sums(data.key_rope.size())};
  ForTokens(c, data, [&](int64_t token, const std::vector<int64_t>& keys) {
    for (int64_t n = 0; n < c.heads; ++n) {
      AddRow(c, data, static_cast<size_t>(token * c.heads + n), keys, &g);
    }
  });
  ExpectSums("query", *call.dquery, g.query);
  ExpectSums("key", *call.dkey, g.key);
  ExpectSums("value", *call.dvalue, g.value);
}

TEST_F(SparseAttentionGradientTest, RefusesWhatDoesNotFit) {
  Data data;
  constexpr int kShape = ACLNN_ERR_INNER_TILING_ERROR, kNull = ACLNN_ERR_PARAM_NULLPTR;
  const auto refused = [&](const Case& c, const std::function<void(Call&)>& change, int code,
                           std::initializer_list<std::string_view> words) {
    Call call = Prepared(c, &data);
    change(call);
    ExpectRefused([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); }, code, words);
  };
  const auto made = [](const Shape& shape) {
    return std::make_unique<Tensor>(Made(shape, ACL_BF16));
  };
  const Case plain = {};
  refused(plain, [](Call& c) { c.value = nullptr; }, kNull,
          {"value is null", "dValueOut is given"});
  refused(plain, [](Call& c) { c.dvalue = nullptr; }, kNull,
          {"dValueOut is null", "value is given"});
  refused(plain, [](Call& c) { c.query_rope = nullptr; }, kNull,
          {"queryRopeOptional is null", "keyRopeOptional"});
  refused(plain, [](Call& c) { c.dkey_rope = nullptr; }, kNull,
          {"dKeyRopeOutOptional is null", "queryRopeOptional is given"});
  refused(plain, [](Call& c) { c.layout = "BNSD"; }, kShape, {"layoutOptional = \"BNSD\""});
  refused(plain, [](Call& c) { c.mode = 1; }, kShape, {"sparseMode = 1"});
  refused(plain, [](Call& c) { c.before = 5; }, kShape, {"preTokens = 5"});
  refused(plain, [](Call& c) { c.after = 74; }, kShape, {"nextTokens = 74"});
  refused(plain, [](Call& c) { c.block = 3; }, kShape, {"sparseBlockSize = 3", "a power of two"});
  refused({.heads = 129}, [](Call&) {}, kShape, {"N1 = 129", "at most 128"});
  const auto shape = [&](Held Call::*tensor, const Shape& dims, std::string_view word) {
    refused(plain, [&](Call& c) { c.*tensor = made(dims); }, kShape, {word});
  };
  shape(&Call::query, {2, 6, 4, 256}, "query.shape = [2, 6, 4, 256]");
  shape(&Call::key, {2, 75, 2, 512}, "key.shape = [2, 75, 2, 512]");
  shape(&Call::value, {2, 74, 1, 512}, "value.shape = [2, 74, 1, 512]");
  shape(&Call::dout, {2, 6, 3, 512}, "dOut.shape = [2, 6, 3, 512]");
  shape(&Call::out, {2, 5, 4, 512}, "out.shape = [2, 5, 4, 512]");
  shape(&Call::query_rope, {2, 6, 4, 32}, "queryRopeOptional.shape = [2, 6, 4, 32]");
  shape(&Call::key_rope, {2, 75, 1, 32}, "keyRopeOptional.shape = [2, 75, 1, 32]");
  shape(&Call::dquery, {2, 6, 4, 511}, "dQueryOut.shape = [2, 6, 4, 511]");
  shape(&Call::dkey, {1, 75, 1, 512}, "dKeyOut.shape = [1, 75, 1, 512]");
  shape(&Call::dvalue, {2, 75, 1, 511}, "dValueOut.shape = [2, 75, 1, 511]");
  shape(&Call::dquery_rope, {2, 6, 4, 63}, "dQueryRopeOutOptional.shape = [2, 6, 4, 63]");
  shape(&Call::dkey_rope, {2, 75, 1, 63}, "dKeyRopeOutOptional.shape = [2, 75, 1, 63]");
  refused(plain,
          [](Call& c) {
            c.max = std::make_unique<Tensor>(Made({2, 6, 1, 4}, ACL_FLOAT));
          },
          kShape, {"softmaxMax.shape = [2, 6, 1, 4]", "[2, 1, 6, 4]"});
  refused(plain,
          [](Call& c) {
            c.sum = std::make_unique<Tensor>(Made({2, 6, 1, 4}, ACL_FLOAT));
          },
          kShape, {"softmaxSum.shape = [2, 6, 1, 4]", "[2, 1, 6, 4]"});
  refused(plain,
          [](Call& c) {
            c.indices = std::make_unique<Tensor>(Made({2, 6, 9}, ACL_INT32));
          },
          kShape, {"sparseIndices.shape = [2, 6, 9]", "[2, 6, 1, 9]"});
  Case ragged = plain;
  ragged.sequences.query_layout = ragged.sequences.key_layout = "TND";
  refused(ragged, [](Call& c) { c.key_lengths = nullptr; }, kNull,
          {"actualSeqLengthskvOptional is null", "TND"});
}

TEST_F(SparseAttentionGradientTest, AllTokensAndNoTokensAreCalls) {
  Data data;
  Call call = Prepared({}, &data);
  call.before = INT32_MAX, call.after = 75;
  RunTwoPhase([&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); },
              aclnnSparseFlashAttentionGrad);
  call.query = std::make_unique<Tensor>(Made({2, 0, 4, 512}, ACL_BF16));
  const Phase1 phase1 = [&](uint64_t* w, aclOpExecutor** e) { return call.PhaseOne(w, e); };
  RunTwoPhase(phase1, aclnnSparseFlashAttentionGrad);
  // What does not depend on tokens is looked at.
  call.block = 3;
  ExpectRefused(phase1, ACLNN_ERR_INNER_TILING_ERROR, {"sparseBlockSize = 3"});
  call.block = 1, call.mode = 1;
  ExpectRefused(phase1, ACLNN_ERR_INNER_TILING_ERROR, {"sparseMode = 1"});
  call.mode = 0, call.layout = "BNSD";
  ExpectRefused(phase1, ACLNN_ERR_INNER_TILING_ERROR, {"layoutOptional = \"BNSD\""});
}

TEST_F(SparseAttentionGradientTest, DeviceDataIsLookedAt) {
  Data data;
  Call call = Prepared({}, &data);
  Numbers all = ReadAs(*call.indices);
  all[1] = 70;
  WriteAs(*call.indices, all);
  ExpectTaskFails([&](uint64_t* s, aclOpExecutor** e) { return call.PhaseOne(s, e); },
                  aclnnSparseFlashAttentionGrad,
                  "sparseIndices[1] of token 0 = 70, expected -1, or 0 to 69");
}

}  // namespace
}  // namespace anyacl::test::sparse_attention_gradient
