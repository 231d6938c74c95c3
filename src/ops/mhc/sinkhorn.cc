// SPDX-License-Identifier: Apache-2.0
// aclnnMhcSinkhorn and its gradient. Entry (i, j) of the matrices of some tokens is a row of
// numbers, so that every operation is one on rows; threads share the tokens.
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/mhc/checks.h"
#include "ops/mhc/kept.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::mhc {
namespace {

using elementwise::Op;

constexpr int64_t kBlockNumbers = 4096;  // of matrices at a time: half of L1

struct SinkhornParams {
  TensorView from, to;  // [T][n * n]
  TensorView norms, sums;
  int64_t streams = 0, iterations = 0;
  float eps = 0;
};

// Entries of the matrices of `count` tokens.
class Matrices {
 public:
  Matrices(float* numbers, int64_t streams, int64_t count)
      : numbers_(numbers), streams_(streams), count_(count) {}

  float* At(int64_t i, int64_t j) const { return numbers_ + (i * streams_ + j) * count_; }
  void Load(const float* from) const {
    for (int64_t m = 0; m < streams_ * streams_; ++m) {
      blocks::LoadRow(ACL_FLOAT, reinterpret_cast<const char*>(from + m), streams_ * streams_,
                      count_, numbers_ + m * count_);
    }
  }
  void Store(float* to) const {
    for (int64_t m = 0; m < streams_ * streams_; ++m) {
      StoreRow(numbers_ + m * count_, to + m, streams_ * streams_);
    }
  }
  void StoreRow(const float* row, float* to, int64_t step) const {
    blocks::StoreRow(row, count_, ACL_FLOAT, reinterpret_cast<char*>(to), step);
  }
  void LoadRow(const float* from, int64_t step, float* row) const {
    blocks::LoadRow(ACL_FLOAT, reinterpret_cast<const char*>(from), step, count_, row);
  }
  // Numbers of a step that are kept.
  void LoadKept(const KeptPlaces& kept, int64_t step) const {
    for (int64_t i = 0; i < streams_; ++i) {
      for (int64_t j = 0; j < streams_; ++j) {
        LoadRow(kept.Norm(step, i) + j, kKeptColumns, At(i, j));
      }
    }
  }
  void Keep(const KeptPlaces& kept, int64_t step) const {
    for (int64_t i = 0; i < streams_; ++i) {
      for (int64_t j = 0; j < streams_; ++j) {
        StoreRow(At(i, j), kept.Norm(step, i) + j, kKeptColumns);
      }
      Fill(0, streams_, kept.Norm(step, i));
    }
  }
  // Columns `first` on of what each token has [8] of.
  void Fill(float value, int64_t first, float* to) const {
    for (int64_t t = 0; t < count_; ++t) {
      std::fill(to + t * kKeptColumns + first, to + (t + 1) * kKeptColumns, value);
    }
  }

 private:
  float* const numbers_;
  const int64_t streams_, count_;
};

// What the two plans share: blocks of tokens, cut where runs are.
class MatricesPlan : public BookedPlan {
 public:
  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t tokens = p_.from.sizes[0];
    ParallelFor(CeilDivide(tokens, width_), 1, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const scratch = scratch_.In(bindings) + slot * scratch_floats();
      const int64_t last = std::min(tokens, end * width_);
      for (int64_t first = begin * width_; first < last;) {
        const KeptRun run = runs_.Of(first);
        const int64_t count = std::min({width_, last - first, run.first + run.count - first});
        RunTokens(bindings, run, first, count, scratch);
        first += count;
      }
    });
    return {};
  }

 protected:
  MatricesPlan(const SinkhornParams& params, int64_t matrices)
      : p_(params),
        n_(p_.streams),
        width_(kBlockNumbers / (n_ * n_)),
        rows_(matrices * n_ * n_ + 2),
        runs_(p_.from.sizes[0], n_) {
    scratch_ = book_.Book<float>(ThreadCount(), scratch_floats());
  }

  virtual void RunTokens(const Bindings& bindings, const KeptRun& run, int64_t first, int64_t count,
                         float* scratch) const = 0;

  static float* FloatsOf(const TensorView& view, const Bindings& bindings) {
    return view.given() ? reinterpret_cast<float*>(view.Address(bindings)) : nullptr;
  }

  const SinkhornParams p_;
  const int64_t n_;

 private:
  int64_t scratch_floats() const { return rows_ * width_; }

  const int64_t width_, rows_;
  const KeptRuns runs_;
  WorkspaceSlot<float> scratch_;
};

class SinkhornPlan final : public MatricesPlan {
 public:
  explicit SinkhornPlan(const SinkhornParams& params) : MatricesPlan(params, 1) {}

 private:
  void RunTokens(const Bindings& bindings, const KeptRun& run, int64_t first, int64_t count,
                 float* scratch) const override {
    const Matrices y(scratch, n_, count);
    float* const sum = y.At(n_, 0);
    const blocks::Rows rows(count);
    const blocks::Rows all(n_ * n_ * count);
    const bool norms = p_.norms.given(), sums = p_.sums.given();
    const KeptPlaces kept(FloatsOf(p_.norms, bindings), FloatsOf(p_.sums, bindings), n_,
                          p_.iterations, run, first);
    y.Load(FloatsOf(p_.from, bindings) + first * n_ * n_);
    for (int64_t i = 0; i < n_; ++i) Softmax(y, i, rows, sum);
    if (norms) y.Keep(kept, 0);
    all(Op::kAddScalar, y.At(0, 0), y.At(0, 0), nullptr, nullptr, p_.eps);
    for (int64_t k = 0; k < p_.iterations; ++k) {
      if (sums) KeepOnes(kept, k, count);
      for (int64_t i = 0; i < n_ && k > 0; ++i) {
        Divide(y, i, 0, 0, 1, rows, sum);
        if (sums) y.StoreRow(sum, kept.RowSums(k, i), 1);
      }
      if (norms && k > 0) y.Keep(kept, 2 * k);
      for (int64_t j = 0; j < n_; ++j) {
        Divide(y, 0, j, 1, 0, rows, sum);
        if (sums) y.StoreRow(sum, kept.ColumnSums(k) + j, kKeptColumns);
      }
      if (sums) y.Fill(0, n_, kept.ColumnSums(k));
      if (norms) y.Keep(kept, 2 * k + 1);
    }
    y.Store(FloatsOf(p_.to, bindings) + first * n_ * n_);
  }

  void Softmax(const Matrices& y, int64_t i, const blocks::Rows& rows, float* sum) const {
    float* const max = sum;
    rows(Op::kMaximum, max, y.At(i, 0), y.At(i, 1));
    for (int64_t j = 2; j < n_; ++j) rows(Op::kMaximum, max, max, y.At(i, j));
    for (int64_t j = 0; j < n_; ++j) {
      rows(Op::kSub, y.At(i, j), y.At(i, j), max);
      rows(Op::kExp, y.At(i, j), y.At(i, j));
    }
    rows(Op::kAdd, sum, y.At(i, 0), y.At(i, 1));
    for (int64_t j = 2; j < n_; ++j) rows(Op::kAdd, sum, sum, y.At(i, j));
    for (int64_t j = 0; j < n_; ++j) rows(Op::kDiv, y.At(i, j), y.At(i, j), sum);
  }

  // The entries from (i, j) on, in steps of (di, dj), by their sum.
  void Divide(const Matrices& y, int64_t i, int64_t j, int64_t di, int64_t dj,
              const blocks::Rows& rows, float* sum) const {
    rows(Op::kAdd, sum, y.At(i, j), y.At(i + di, j + dj));
    for (int64_t k = 2; k < n_; ++k) rows(Op::kAdd, sum, sum, y.At(i + k * di, j + k * dj));
    rows(Op::kAddScalar, sum, sum, nullptr, nullptr, p_.eps);
    for (int64_t k = 0; k < n_; ++k) {
      float* const entry = y.At(i + k * di, j + k * dj);
      rows(Op::kDiv, entry, entry, sum);
    }
  }

  // In place of the sums of rows that there are not.
  void KeepOnes(const KeptPlaces& kept, int64_t iteration, int64_t count) const {
    for (int64_t i = iteration == 0 ? 0 : n_; i < kKeptColumns; ++i) {
      std::fill_n(kept.RowSums(iteration, i), count, 1.0f);
    }
  }
};

class SinkhornBackwardPlan final : public MatricesPlan {
 public:
  explicit SinkhornBackwardPlan(const SinkhornParams& params) : MatricesPlan(params, 2) {}

 private:
  void RunTokens(const Bindings& bindings, const KeptRun& run, int64_t first, int64_t count,
                 float* scratch) const override {
    const Matrices g(scratch, n_, count);
    const Matrices norm(g.At(n_, 0), n_, count);
    float* const dot = norm.At(n_, 0);
    float* const sum = dot + count;
    const blocks::Rows rows(count);
    const KeptPlaces kept(FloatsOf(p_.norms, bindings), FloatsOf(p_.sums, bindings), n_,
                          p_.iterations, run, first);
    // d becomes d - (sum of d * norm over the entries from (i, j) on, in steps of (di, dj)).
    const auto subtract = [&](int64_t i, int64_t j, int64_t di, int64_t dj) {
      rows(Op::kMul, dot, g.At(i, j), norm.At(i, j));
      for (int64_t k = 1; k < n_; ++k) {
        rows(Op::kAddcmul, dot, dot, g.At(i + k * di, j + k * dj), norm.At(i + k * di, j + k * dj));
      }
      for (int64_t k = 0; k < n_; ++k) {
        rows(Op::kSub, g.At(i + k * di, j + k * dj), g.At(i + k * di, j + k * dj), dot);
      }
    };
    g.Load(FloatsOf(p_.from, bindings) + first * n_ * n_);
    for (int64_t k = p_.iterations - 1; k >= 0; --k) {
      norm.LoadKept(kept, 2 * k + 1);
      for (int64_t j = 0; j < n_; ++j) {
        subtract(0, j, 1, 0);
        g.LoadRow(kept.ColumnSums(k) + j, kKeptColumns, sum);
        for (int64_t i = 0; i < n_; ++i) rows(Op::kDiv, g.At(i, j), g.At(i, j), sum);
      }
      norm.LoadKept(kept, 2 * k);
      for (int64_t i = 0; i < n_; ++i) {
        subtract(i, 0, 0, 1);
        if (k > 0) g.LoadRow(kept.RowSums(k, i), 1, sum);
        for (int64_t j = 0; j < n_; ++j) {
          // At last the gradient of the softmax, which is what was kept first.
          rows(k > 0 ? Op::kDiv : Op::kMul, g.At(i, j), g.At(i, j), k > 0 ? sum : norm.At(i, j));
        }
      }
    }
    g.Store(FloatsOf(p_.to, bindings) + first * n_ * n_);
  }
};

// The tensors as contiguous ones.
template <class SinkhornLike>
Status Compose(Operands& operands, int from, int to, SinkhornParams p, PreparedCall* call) {
  const Dims matrices = {TokensOf(operands), p.streams * p.streams};
  Steps steps(operands);
  PlanStep step;
  InnerTensor source;
  if (Status s = steps.Contiguous(from, matrices, &source); !s.ok()) return s;
  p.from = step.View(source);
  for (const auto& [id, view] : {std::pair{kNorms, &p.norms}, {kSums, &p.sums}}) {
    if (!operands.Given(id)) continue;
    const Dims& shape = operands[id].shape();
    InnerTensor kept;
    if (operands.RowOf(id)->direction == Direction::kOutput) {
      kept = steps.Result(id, shape);
    } else if (Status s = steps.Contiguous(id, shape, &kept); !s.ok()) {
      return s;
    }
    *view = step.View(kept);
  }
  p.to = step.View(steps.Result(to, matrices));
  step.AddTo(steps, std::make_shared<SinkhornLike>(p));
  return steps.Finish(call);
}

}  // namespace

Status PrepareSinkhorn(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensors(operands); !s.ok()) return s;
  SinkhornParams p;
  p.streams = operands.Size("N");
  p.iterations = operands.Int(kIterations);
  p.eps = static_cast<float>(operands.Real(kEps));
  if (Status s = CheckKept(operands, p.iterations); !s.ok()) return s;
  return Compose<SinkhornPlan>(operands, kX, kOut, p, call);
}

Status PrepareSinkhornBackward(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensors(operands); !s.ok()) return s;
  SinkhornParams p;
  p.streams = operands.Size("N");
  if (Status s = CountKept(operands, &p.iterations); !s.ok()) return s;
  return Compose<SinkhornBackwardPlan>(operands, kGradOut, kOut, p, call);
}

}  // namespace anyacl::mhc
