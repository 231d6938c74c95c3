// SPDX-License-Identifier: Apache-2.0
// SoftmaxCrossEntropyWithLogits: what the logarithm of a row's softmax costs under its labels, and
// the gradient of that. Everything is fp32 until it is stored.
#include <cmath>

#include "ops/rowwise/operators.h"
#include "ops/rowwise/two_passes.h"

namespace anyacl::rowwise {
namespace {

enum : int { kEntropyX, kEntropyLabels, kEntropyLoss, kEntropyGradient };

class CrossEntropyWork {
 public:
  using Number = float;
  struct Part {
    float max;
    double sum;       // of e^(x - shift)
    double labels;    // sum
    double weighted;  // sum of labels * (x - shift)
    float shift() const { return max == -INFINITY ? 0.0f : max; }
  };
  struct Total {
    float max;
    double sum;
  };
  struct Buffers {
    alignas(64) float x[kBuffer];
    alignas(64) float labels[kBuffer];
    alignas(64) float out[kBuffer];
  };
  static constexpr int64_t kKept = 0;

  CrossEntropyWork(const Rows& rows, const Bindings& bindings)
      : rows_(rows), bindings_(bindings), k_(Kernels().rowwise.fp32) {}

  void Fold(const Piece<float>& piece, Buffers& b, Part* parts) const {
    Read(piece, b);
    const int64_t n = piece.count;
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      const float* x = b.x + r * n;
      const float* labels = b.labels + r * n;
      Part& part = parts[r];
      part.max = k_.softmax.max(x, n);
      part.sum = k_.softmax.exp_sum(x, n, part.shift(), nullptr);
      part.labels = k_.sum(labels, n);
      k_.softmax.shift(x, n, part.shift(), 0.0f, {b.out, false});
      part.weighted = k_.dot(labels, b.out, n);
    }
  }

  Total Join(const Group& group, int64_t row, const Part* parts, int64_t pieces) const {
    Total total = {parts[0].max, 0};
    for (int64_t p = 1; p < pieces; ++p) {
      const float max = parts[p].max;
      total.max = total.max != total.max ? total.max : total.max > max ? total.max : max;
    }
    for (int64_t p = 0; p < pieces; ++p) total.sum += parts[p].sum * Below(parts[p], total);
    double loss = 0;
    for (int64_t p = 0; p < pieces; ++p) {
      const double moved = static_cast<double>(total.max) - static_cast<double>(parts[p].shift());
      loss += parts[p].labels * (std::log(total.sum) + moved) - parts[p].weighted;
    }
    rows_.WriteNumber(bindings_, kEntropyLoss, group, row, loss);
    return total;
  }

  void Write(const Piece<float>& piece, Buffers& b, const Part* parts, const Total* totals) const {
    if (!piece.is_read) Read(piece, b);
    const int64_t n = piece.count;
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      const auto factor = static_cast<float>(Below(parts[r], totals[r]) / totals[r].sum);
      float* const x = b.x + r * n;
      k_.softmax.exp_scale(x, n, parts[r].shift(), factor, {x, false});
      // labels * -1 + softmax
      const Norm less = {0, 0, -1, nullptr, x, true};
      k_.normalize(b.labels + r * n, n, less, {b.out + r * n, false});
    }
    rows_.Write(bindings_, kEntropyGradient, piece.group, piece.begin, n, b.out);
  }

 private:
  static double Below(const Part& part, const Total& total) {
    return std::exp(static_cast<double>(part.max) - static_cast<double>(total.max));
  }

  void Read(const Piece<float>& piece, Buffers& b) const {
    const auto read = [&](int part, float* to) {
      const float* from = rows_.Numbers(bindings_, part, piece.group, piece.begin, piece.count, to);
      if (from != to) std::copy_n(from, piece.group.rows * piece.count, to);
    };
    read(kEntropyX, b.x);
    read(kEntropyLabels, b.labels);
  }

  const Rows& rows_;
  const Bindings& bindings_;
  const RowKernels& k_;
};

class CrossEntropyPlan final : public BookedPlan {
 public:
  explicit CrossEntropyPlan(Rows rows) : rows_(std::move(rows)), passes_(rows_, book_) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    passes_.Run(bindings, CrossEntropyWork(rows_, bindings));
    return {};
  }

 private:
  const Rows rows_;
  const TwoPasses<CrossEntropyWork> passes_;
};

}  // namespace

Status PrepareCrossEntropy(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kX].IsEmpty()) return {};
  const Part x = RowsOf(ViewOf(operands, kX), 1);
  call->plan = std::make_shared<CrossEntropyPlan>(
      Rows({x, RowsOf(ViewOf(operands, kX2), 1), PerRow(ViewOf(operands, kRstd), x.kept),
            RowsOf(ViewOf(operands, kOut), 1)}));
  return {};
}

}  // namespace anyacl::rowwise
