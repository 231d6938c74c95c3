// SPDX-License-Identifier: Apache-2.0
// aclnnDenseLightningIndexerGradKLLoss: what the indexer's scores I of all keys that a token sees
// should be like: the mean of the attention that the heads of query pay to them.
//   p = mean over heads of exp(scale * q . k - max) / sum,   softmax(I) = exp(I - max) / sum
//   loss += sum of p * log(p / softmax(I)),   dI = softmax(I) - p
// Maxima and sums are given, so that some tokens of a sequence meet its keys piece by piece. Rows
// are brought together and made up with zeros: all products have one shape.
#include <algorithm>

#include "base/division.h"
#include "gemm/batched.h"
#include "kernels.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/sparse_attention/chosen.h"
#include "ops/sparse_attention/loss_checks.h"
#include "runtime/parallel.h"

namespace anyacl::sparse_attention {
namespace {

using elementwise::Op;

constexpr int64_t kHeadDim = 128, kMostDenseHeads = 128;
constexpr int64_t kDenseTokens = 64;
// Of fp32, 4 MiB: products of all heads that stay in L2 and L3.
constexpr int64_t kDenseProducts = 1 << 20;
constexpr int64_t kDenseStep = 64, kMostDenseColumns = 2048;
constexpr float kLeast = 1e-8f;  // under a logarithm

struct DenseLossParams {
  Geometry geometry;
  SplitRows query, query_rope, max, sum, key, key_rope;
  SplitRows query_index, key_index, weights, max_index, sum_index;
  SplitRows dquery, dkey, dweights;
  TensorView loss;
  int64_t heads = 0;  // of the indexer
  float scale = 1;

  int64_t width() const { return kHeadDim + (key_rope.given() ? kRopeDim : 0); }
  int64_t tokens() const {
    return std::clamp<int64_t>(CeilDivide(geometry.tokens, geometry.batch), 1, kDenseTokens);
  }
  int64_t columns() const {
    const int64_t most = kDenseProducts / (tokens() * std::max(geometry.heads, heads));
    return std::min(RoundUp(std::clamp(most, kDenseStep, kMostDenseColumns), kDenseStep),
                    RoundUp(geometry.key_size, kDenseStep));
  }
};

class DenseLossPlan final : public BookedPlan {
 public:
  explicit DenseLossPlan(const DenseLossParams& params)
      : p_(params),
        tokens_(p_.tokens()),
        columns_(p_.columns()),
        width_(p_.width()),
        own_(p_.heads),
        sequences_(g(), &book_),
        attention_of_(AttentionOf()),
        scores_of_(ScoresOf(Sizes(), 1)),
        queries_of_(Added(QueriesOf(Sizes()))),
        keys_of_(KeysOf(Sizes())),
        key_sums_(&book_, p_.key_index.sizes[0], kIndexerDim) {
    const int64_t rows = tokens_ * own_;
    queries_ = book_.Book<uint16_t>(g().heads * tokens_, width_);
    keys_ = book_.Book<uint16_t>(g().heads * columns_, width_);
    attention_ = book_.Book<float>(g().heads * tokens_, columns_);
    own_queries_ = book_.Book<uint16_t>(rows, kIndexerDim);
    own_keys_ = book_.Book<uint16_t>(columns_, kIndexerDim);
    key_rows_ = book_.Book<int32_t>(columns_, int64_t{1});
    products_ = book_.Book<float>(rows, columns_);
    weights_ = book_.Book<float>(rows, int64_t{1});
    dweights_ = book_.Book<double>(rows, int64_t{1});
    losses_ = book_.Book<double>(tokens_, int64_t{1});
    dqueries_ = book_.Book<float>(rows, kIndexerDim);
    parts_ = book_.Book<float>(columns_, kIndexerDim);
    rows_ = book_.Book<float>(std::min(ThreadCount(), tokens_), 4 * columns_);
    scratch_ =
        book_.Book<char>(std::max({attention_of_.workspace_bytes(), scores_of_.workspace_bytes(),
                                   queries_of_.workspace_bytes(), keys_of_.workspace_bytes()}));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = sequences_.Read(bindings); !s.ok()) return s;
    key_sums_.Clear(bindings);
    double loss = 0;
    for (const Sequence& s : sequences_.All(bindings)) {
      for (int64_t first = 0; first < s.rows; first += tokens_) {
        const Block block = {s, first, std::min(tokens_, s.rows - first),
                             std::clamp<int64_t>(s.count - first, 0, tokens_)};
        loss += AddTokens(bindings, block);
      }
    }
    StoreSums(key_sums_, bindings, 0, p_.dkey);
    *reinterpret_cast<float*>(p_.loss.Address(bindings)) = static_cast<float>(loss);
    return {};
  }

 private:
  // Tokens of a sequence, of which the first `count` are there.
  struct Block {
    const Sequence& sequence;
    int64_t first, rows, count;

    int64_t TokenAt(int64_t t) const { return sequence.first + first + t; }
  };

  const Geometry& g() const { return p_.geometry; }
  Element type() const { return ElementOf(p_.query.dtype); }
  TokenSizes Sizes() const { return {type(), tokens_ * own_, columns_, kIndexerDim}; }

  // [head][token][key]
  gemm::Problem AttentionOf() const {
    gemm::Problem p = gemm::ProblemOf({g().heads, tokens_, columns_, width_},
                                      {type(), width_, 1, tokens_ * width_},
                                      {type(), 1, width_, columns_ * width_});
    p.alpha = p_.scale;
    return p;
  }

  // What the block adds to the loss.
  double AddTokens(const Bindings& bindings, const Block& block) const {
    LoadQueries(bindings, block);
    const int64_t rows = tokens_ * own_;
    std::fill_n(dweights_.In(bindings), rows, 0.0);
    std::fill_n(dqueries_.In(bindings), rows * kIndexerDim, 0.0f);
    std::fill_n(losses_.In(bindings), tokens_, 0.0);
    const int64_t visible = block.sequence.Visible(g(), block.first + block.count - 1);
    for (int64_t begin = 0; begin < visible && block.count > 0; begin += columns_) {
      AddKeys(bindings, block, begin, std::min(columns_, visible - begin));
    }
    double loss = 0;
    float* const dweights = weights_.In(bindings);
    std::copy_n(dweights_.In(bindings), rows, dweights);
    for (int64_t t = 0; t < block.rows; ++t) {
      loss += losses_.In(bindings)[t];
      const int64_t token = block.TokenAt(t);
      blocks::StoreRow(dweights + t * own_, own_, p_.dweights.dtype,
                       RowAt(p_.dweights, bindings, token, 0), p_.dweights.strides[1]);
      for (int64_t n = 0; n < own_; ++n) {
        blocks::StoreRow(dqueries_.In(bindings) + (t * own_ + n) * kIndexerDim, kIndexerDim,
                         p_.dquery.dtype, RowAt(p_.dquery, bindings, token, n),
                         p_.dquery.strides[2]);
      }
    }
    return loss;
  }

  // A row and, behind it, its rope; zeros for none.
  void LoadRow(const Bindings& bindings, const SplitRows& rows, const SplitRows& ropes, int64_t row,
               int64_t head, uint16_t* to) const {
    if (row < 0) {
      std::fill_n(to, rows.sizes[2] + (ropes.given() ? kRopeDim : 0), uint16_t{0});
      return;
    }
    CopyNumbers(RowAt(rows, bindings, row, head), rows.strides[2], rows.sizes[2],
                reinterpret_cast<char*>(to), 2);
    if (!ropes.given()) return;
    CopyNumbers(RowAt(ropes, bindings, row, head), ropes.strides[2], kRopeDim,
                reinterpret_cast<char*>(to + rows.sizes[2]), 2);
  }

  void LoadQueries(const Bindings& bindings, const Block& block) const {
    ParallelFor(tokens_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const int64_t token = t < block.count ? block.TokenAt(t) : -1;
        for (int64_t n = 0; n < g().heads; ++n) {
          LoadRow(bindings, p_.query, p_.query_rope, token, n,
                  queries_.In(bindings) + (n * tokens_ + t) * width_);
        }
        for (int64_t n = 0; n < own_; ++n) {
          LoadRow(bindings, p_.query_index, {}, token, n,
                  own_queries_.In(bindings) + (t * own_ + n) * kIndexerDim);
        }
        if (token < 0) continue;
        blocks::LoadRow(p_.weights.dtype, RowAt(p_.weights, bindings, token, 0),
                        p_.weights.strides[1], own_, weights_.In(bindings) + t * own_);
      }
    });
  }

  void LoadKeys(const Bindings& bindings, const Sequence& s, int64_t first, int64_t count) const {
    ParallelFor(columns_, 16, [&](int64_t begin, int64_t end) {
      for (int64_t j = begin; j < end; ++j) {
        const int64_t row = j < count ? s.first_key + first + j : -1;
        for (int64_t n = 0; n < g().heads; ++n) {
          LoadRow(bindings, p_.key, p_.key_rope, row, n,
                  keys_.In(bindings) + (n * columns_ + j) * width_);
        }
        LoadRow(bindings, p_.key_index, {}, row, 0, own_keys_.In(bindings) + j * kIndexerDim);
        key_rows_.In(bindings)[j] = static_cast<int32_t>(row);
      }
    });
  }

  void AddKeys(const Bindings& bindings, const Block& block, int64_t first, int64_t count) const {
    LoadKeys(bindings, block.sequence, first, count);
    char* const scratch = scratch_.In(bindings);
    float* const products = products_.In(bindings);
    attention_of_.Run(
        {.a = queries_.In(bindings), .b = keys_.In(bindings), .c = attention_.In(bindings)},
        scratch);
    scores_of_.Run({.a = own_queries_.In(bindings), .b = own_keys_.In(bindings), .c = products},
                   scratch);
    ParallelFor(tokens_, 1, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const rows = rows_.In(bindings) + slot * 4 * columns_;
      for (int64_t t = begin; t < end; ++t) {
        const int64_t visible = block.sequence.Visible(g(), block.first + t);
        const int64_t seen = t < block.count ? std::clamp<int64_t>(visible - first, 0, count) : 0;
        Compare(bindings, block, t, seen, rows);
        Derive(bindings, t, rows, rows + columns_);
      }
    });
    queries_of_.Run({.a = products,
                     .b = own_keys_.In(bindings),
                     .d = dqueries_.In(bindings),
                     .c = dqueries_.In(bindings)},
                    scratch);
    keys_of_.Run({.a = products, .b = own_queries_.In(bindings), .c = parts_.In(bindings)},
                 scratch);
    key_sums_.Add(bindings, {key_rows_.In(bindings), static_cast<size_t>(count)},
                  parts_.In(bindings), 0, kIndexerDim);
  }

  // The gradients of a token's scores, of which it sees the first `seen`: of others 0.
  void Compare(const Bindings& bindings, const Block& block, int64_t t, int64_t seen,
               float* gradients) const {
    std::fill(gradients + seen, gradients + columns_, 0.0f);
    if (seen == 0) return;
    const int64_t token = block.TokenAt(t);
    const blocks::Rows rows(seen);
    float* const wanted = gradients + columns_;
    float* const logarithms = wanted + columns_;
    float* const other = logarithms + columns_;
    Attend(bindings, token, t, seen, wanted);
    Kernels().sparse_attention.sum_rectified(products_.In(bindings) + t * own_ * columns_, columns_,
                                             weights_.In(bindings) + t * own_, own_, columns_,
                                             other);
    // softmax(I)
    rows(Op::kAddScalar, gradients, other, nullptr, nullptr,
         -NumberAt(p_.max_index, bindings, token, 0));
    rows(Op::kExp, gradients, gradients);
    rows(Op::kMulScalar, gradients, gradients, nullptr, nullptr,
         1 / NumberAt(p_.sum_index, bindings, token, 0));
    std::transform(wanted, wanted + seen, logarithms, AtLeast);
    std::transform(gradients, gradients + seen, other, AtLeast);
    rows(Op::kDiv, logarithms, logarithms, other);
    rows(Op::kLog, logarithms, logarithms);
    losses_.In(bindings)[t] += Kernels().rowwise.fp32.dot(wanted, logarithms, seen);
    rows(Op::kSub, gradients, gradients, wanted);
  }
  static float AtLeast(float number) { return number < kLeast ? kLeast : number; }

  static float NumberAt(const SplitRows& rows, const Bindings& bindings, int64_t row,
                        int64_t head) {
    return *reinterpret_cast<const float*>(RowAt(rows, bindings, row, head));
  }

  // The mean of what the heads pay to each key.
  void Attend(const Bindings& bindings, int64_t token, int64_t t, int64_t seen,
              float* wanted) const {
    const blocks::Rows rows(seen);
    std::fill_n(wanted, seen, 0.0f);
    for (int64_t n = 0; n < g().heads; ++n) {
      float* const x = attention_.In(bindings) + (n * tokens_ + t) * columns_;
      const float sum = NumberAt(p_.sum, bindings, token, n) * static_cast<float>(g().heads);
      rows(Op::kAddScalar, x, x, nullptr, nullptr, -NumberAt(p_.max, bindings, token, n));
      rows(Op::kExp, x, x);
      rows(Op::kAddScaled, wanted, wanted, x, nullptr, 1 / sum);
    }
  }

  // A token's products become the gradients ds.
  void Derive(const Bindings& bindings, int64_t t, const float* gradients, float* other) const {
    const blocks::Rows rows(columns_);
    for (int64_t n = 0; n < own_; ++n) {
      const int64_t row = t * own_ + n;
      float* const products = products_.In(bindings) + row * columns_;
      rows(Op::kRelu, other, products);
      dweights_.In(bindings)[row] += Kernels().rowwise.fp32.dot(other, gradients, columns_);
      rows(Op::kMulScalar, other, gradients, nullptr, nullptr, weights_.In(bindings)[row]);
      rows(Op::kThresholdGrad, products, other, products, nullptr, 0);
    }
  }

  const DenseLossParams p_;
  const int64_t tokens_, columns_, width_, own_;
  const Sequences sequences_;
  const gemm::Plan attention_of_, scores_of_, queries_of_, keys_of_;
  const blocks::RowSums key_sums_;
  WorkspaceSlot<uint16_t> queries_, keys_, own_queries_, own_keys_;
  WorkspaceSlot<int32_t> key_rows_;
  WorkspaceSlot<float> attention_, products_, weights_, dqueries_, parts_, rows_;
  WorkspaceSlot<double> dweights_, losses_;
  WorkspaceSlot<char> scratch_;
};

// [B][N1][S1][1] or [N1][T1][1] as rows [T][N1].
SplitRows SplitHeads(const Operands& operands, const Geometry& g, int id) {
  const TensorView view = ViewOf(operands, id);
  if (g.ragged) return {WithoutDim(Permuted(view, std::array<int64_t, 3>{1, 0, 2}), 2)};
  return Split(WithoutDim(Permuted(view, std::array<int64_t, 4>{0, 2, 1, 3}), 3), true);
}

}  // namespace

Status PrepareDenseLoss(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  DenseLossParams p;
  Geometry& g = p.geometry;
  if (Status s = CheckLayouts(operands, &g); !s.ok()) return s;
  if (Status s = CheckIsCausal(operands, g); !s.ok()) return s;
  const GeometryLimits limits = {
      .dim = kHeadDim, .heads = kMostDenseHeads, .any_window_of_all = true, .key_has_heads = true};
  if (Status s = CheckGeometry(operands, limits, &g); !s.ok()) return s;
  if (Status s = CheckRopes(operands, g); !s.ok()) return s;
  if (Status s = CheckIndexer(operands, g, &p.heads); !s.ok()) return s;
  const Dims statistic =
      g.ragged ? Dims{g.heads, g.tokens, 1} : Dims{g.batch, g.heads, g.query_size, 1};
  for (int id : {kMax, kSum}) {
    if (Status s = CheckShapeIs(operands, id, statistic); !s.ok()) return s;
  }
  for (int id : {kMaxIndex, kSumIndex}) {
    if (Status s = CheckRowStatistic(operands, g, id); !s.ok()) return s;
  }
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  const std::pair<int, SplitRows*> of_rows[] = {
      {kQuery, &p.query},      {kQueryRope, &p.query_rope},   {kKey, &p.key},
      {kKeyRope, &p.key_rope}, {kQueryIndex, &p.query_index}, {kKeyIndex, &p.key_index},
      {kWeights, &p.weights},  {kDQuery, &p.dquery},          {kDKey, &p.dkey},
      {kDWeights, &p.dweights}};
  for (const auto& [id, rows] : of_rows) {
    if (operands.Given(id)) *rows = Split(ViewOf(operands, id), !g.ragged);
  }
  p.max = SplitHeads(operands, g, kMax);
  p.sum = SplitHeads(operands, g, kSum);
  p.max_index = SplitStatistic(operands, g, kMaxIndex);
  p.sum_index = SplitStatistic(operands, g, kSumIndex);
  p.loss = ViewOf(operands, kLoss);
  p.scale = static_cast<float>(operands.Real(kScale));
  call->plan = std::make_shared<DenseLossPlan>(p);
  return {};
}

}  // namespace anyacl::sparse_attention
