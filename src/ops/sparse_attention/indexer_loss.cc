// SPDX-License-Identifier: Apache-2.0
// aclnnSparseLightningIndexerGradKLLoss: token by token, what the indexer's scores I of chosen keys
// should be like: the attention p that all heads together pay to them.
//   p = sum over heads of exp(scale * q . k - max) / sum, divided by its sum over the keys
//   loss += sum of p * log(p / softmax(I)),   dI = softmax(I) - p
#include <algorithm>
#include <cmath>

#include "kernels.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/sparse_attention/indexer_gradient.h"
#include "ops/sparse_attention/lists.h"
#include "ops/sparse_attention/loss_checks.h"
#include "runtime/parallel.h"

namespace anyacl::sparse_attention {
namespace {

using elementwise::Op;

struct LossParams {
  Geometry geometry;
  KeyLists lists;
  SplitRows query, query_rope, max, sum, key, key_rope;
  TensorView loss;
  IndexerTensors indexer;
  float scale = 1;

  int64_t width() const { return kDim + (key_rope.given() ? kRopeDim : 0); }
};

class LossPlan final : public BookedPlan {
 public:
  explicit LossPlan(const LossParams& params)
      : p_(params),
        heads_(p_.geometry.heads),
        width_(p_.width()),
        sequences_(p_.geometry, &book_),
        gradient_(p_.indexer, &book_),
        scores_of_(p_.indexer.most, [&](int64_t keys) {
          return ScoresOf({ElementOf(p_.query.dtype), heads_, keys, width_}, p_.scale);
        }) {
    const auto heads = static_cast<size_t>(heads_), width = static_cast<size_t>(width_);
    const auto keys = static_cast<size_t>(gradient_.Padded(p_.indexer.most));
    rows_ = book_.Book<int32_t>(keys);
    queries_ = book_.Book<uint16_t>(heads * width);
    keys_ = book_.Book<uint16_t>(keys * width);
    attention_ = book_.Book<float>(heads * keys);
    wanted_ = book_.Book<double>(keys);
    scores_ = book_.Book<float>(keys);
    scratch_ = book_.Book<char>(scores_of_.workspace_bytes());
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = sequences_.Read(bindings); !s.ok()) return s;
    const std::span<const Sequence> sequences = sequences_.All(bindings);
    gradient_.Clear(bindings);
    double loss = 0;
    for (size_t b = 0; b < sequences.size(); ++b) {
      const Sequence& s = sequences[b];
      const KeyRows keys = sequences_.KeysOf(bindings, b);
      for (int64_t token = s.first; token < s.first + s.rows; ++token) {
        int64_t count = 0;
        if (Status bad = SelectKeys(p_.geometry, p_.lists, bindings, s, keys, token,
                                    rows_.In(bindings), &count);
            !bad.ok()) {
          return bad;
        }
        loss += AddToken(bindings, token, {rows_.In(bindings), static_cast<size_t>(count)});
      }
    }
    gradient_.StoreKeys(bindings);
    *reinterpret_cast<float*>(p_.loss.Address(bindings)) = static_cast<float>(loss);
    return {};
  }

 private:
  // The token's part of the loss.
  double AddToken(const Bindings& bindings, int64_t token, std::span<const int32_t> rows) const {
    if (rows.empty()) {
      gradient_.StoreZeros(bindings, token);
      return 0;
    }
    const auto count = static_cast<int64_t>(rows.size());
    Attend(bindings, token, rows);
    gradient_.Multiply(bindings, token, rows);
    float* const scores = scores_.In(bindings);
    const int64_t padded = gradient_.Padded(count);
    Kernels().sparse_attention.sum_rectified(gradient_.products(bindings), padded,
                                             gradient_.weights(bindings), p_.indexer.heads, padded,
                                             scores);
    const double loss = Compare(wanted_.In(bindings), count, scores);
    gradient_.Add(bindings, token, rows, scores);
    return loss;
  }

  // What all heads pay to each key.
  void Attend(const Bindings& bindings, int64_t token, std::span<const int32_t> rows) const {
    const auto count = static_cast<int64_t>(rows.size());
    const int64_t padded = gradient_.Padded(count);
    GatherHeads(p_.query, bindings, token, heads_, queries_.In(bindings), width_);
    GatherKeys(p_.key, bindings, rows.data(), count, padded, keys_.In(bindings), width_);
    if (p_.key_rope.given()) {
      GatherHeads(p_.query_rope, bindings, token, heads_, queries_.In(bindings) + kDim, width_);
      GatherKeys(p_.key_rope, bindings, rows.data(), count, padded, keys_.In(bindings) + kDim,
                 width_);
    }
    float* const attention = attention_.In(bindings);
    scores_of_.Run(padded, {.a = queries_.In(bindings), .b = keys_.In(bindings), .c = attention},
                   scratch_.In(bindings));
    const auto statistic = [&](const SplitRows& view, int64_t head) {
      return *reinterpret_cast<const float*>(RowAt(view, bindings, token, head));
    };
    ParallelFor(heads_, 1, [&](int64_t begin, int64_t end) {
      const blocks::Rows numbers(count);
      for (int64_t n = begin; n < end; ++n) {
        float* const x = attention + n * padded;
        numbers(Op::kAddScalar, x, x, nullptr, nullptr, -statistic(p_.max, n));
        numbers(Op::kExp, x, x);
        numbers(Op::kMulScalar, x, x, nullptr, nullptr, 1 / statistic(p_.sum, n));
      }
    });
    double* const wanted = wanted_.In(bindings);
    ParallelFor(count, 256, [&](int64_t begin, int64_t end) {
      std::fill(wanted + begin, wanted + end, 0.0);
      for (int64_t n = 0; n < heads_; ++n) {
        for (int64_t l = begin; l < end; ++l) wanted[l] += double{attention[n * padded + l]};
      }
    });
  }

  // Scores become their gradients.
  static double Compare(const double* wanted, int64_t count, float* scores) {
    double all = 0, exponentials = 0, loss = 0;
    const double most = double{*std::max_element(scores, scores + count)};
    for (int64_t l = 0; l < count; ++l) {
      all += wanted[l];
      exponentials += std::exp(double{scores[l]} - most);
    }
    for (int64_t l = 0; l < count; ++l) {
      const double p = wanted[l] / all, log_softmax = scores[l] - most - std::log(exponentials);
      if (p != 0) loss += p * (std::log(p) - log_softmax);
      scores[l] = static_cast<float>(std::exp(log_softmax) - p);
    }
    return loss;
  }

  const LossParams p_;
  const int64_t heads_, width_;
  const Sequences sequences_;
  const IndexerGradient gradient_;
  const ProductsOfKeys scores_of_;
  WorkspaceSlot<int32_t> rows_;
  WorkspaceSlot<uint16_t> queries_, keys_;
  WorkspaceSlot<float> attention_, scores_;
  WorkspaceSlot<double> wanted_;
  WorkspaceSlot<char> scratch_;
};

}  // namespace

Status PrepareIndexerLoss(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  LossParams p;
  Geometry& g = p.geometry;
  if (Status s = CheckLayouts(operands, &g); !s.ok()) return s;
  if (Status s = CheckIsCausal(operands, g); !s.ok()) return s;
  if (operands[kQuery].IsEmpty()) return {};
  const GeometryLimits limits = {.dim = kDim, .heads = kMostHeads, .any_window_of_all = true};
  if (Status s = CheckGeometry(operands, limits, &g); !s.ok()) return s;
  if (Status s = CheckRopes(operands, g); !s.ok()) return s;
  IndexerTensors& t = p.indexer;
  if (Status s = CheckIndexer(operands, g, &t.heads); !s.ok()) return s;
  if (Status s = CheckLists(operands, g, kIndices, false, &p.lists); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  p.lists.indices = ViewLists(operands, g, kIndices);
  if (Status s = CheckStatistic(operands, g, kMax); !s.ok()) return s;
  p.max = SplitStatistic(operands, g, kMax);
  if (Status s = CheckStatistic(operands, g, kSum); !s.ok()) return s;
  p.sum = SplitStatistic(operands, g, kSum);
  const std::pair<int, SplitRows*> of_rows[] = {
      {kQuery, &p.query},      {kQueryRope, &p.query_rope}, {kKey, &p.key},
      {kKeyRope, &p.key_rope}, {kQueryIndex, &t.query},     {kKeyIndex, &t.key},
      {kWeights, &t.weights},  {kDQuery, &t.dquery},        {kDKey, &t.dkey},
      {kDWeights, &t.dweights}};
  for (const auto& [id, rows] : of_rows) {
    if (!operands.Given(id)) continue;
    *rows = Split(ViewOf(operands, id), !g.ragged);
  }
  p.loss = ViewOf(operands, kLoss);
  t.most = p.lists.MostKeys(g);
  p.scale = static_cast<float>(operands.Real(kScale));
  call->plan = std::make_shared<LossPlan>(p);
  return {};
}

}  // namespace anyacl::sparse_attention
