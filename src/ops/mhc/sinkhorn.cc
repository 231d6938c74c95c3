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

// Rows of a number of each of `count` tokens: those of entries of matrices, or of sums. Rows come
// in eights, as what is kept of a token does: it is turned block by block, because storing number
// by number would take longer than all else.
class TokenRows {
 public:
  TokenRows(float* numbers, int64_t count) : numbers_(numbers), count_(count) {}

  float* At(int64_t row) const { return numbers_ + row * count_; }
  // `rows` numbers of each of `tokens` from `first` on, which lie `step` apart from token to token.
  void Load(const float* from, int64_t step, int64_t row, int64_t rows, int64_t first,
            int64_t tokens) const {
    char* const bytes = reinterpret_cast<char*>(const_cast<float*>(from));
    blocks::Copier(sizeof(float))({bytes, rows, tokens, 1, step, false},
                                  {BytesAt(row, first), rows, tokens, count_, 1, false});
  }
  void Store(int64_t row, int64_t rows, int64_t first, int64_t tokens, float* to,
             int64_t step) const {
    blocks::Copier(sizeof(float))({BytesAt(row, first), tokens, rows, 1, count_, false},
                                  {reinterpret_cast<char*>(to), tokens, rows, step, 1, false});
  }

 private:
  char* BytesAt(int64_t row, int64_t token) const {
    return reinterpret_cast<char*>(At(row) + token);
  }

  float* const numbers_;
  const int64_t count_;
};

// What the two plans share: blocks of tokens.
class MatricesPlan : public BookedPlan {
 public:
  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t tokens = p_.from.sizes[0];
    ParallelFor(CeilDivide(tokens, width_), 1, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const scratch = scratch_.In(bindings) + slot * scratch_floats();
      for (int64_t block = begin; block < end; ++block) {
        const int64_t first = block * width_;
        RunTokens(bindings, first, std::min(width_, tokens - first), scratch);
      }
    });
    return {};
  }

 protected:
  // `columns` of a line of a matrix have rows; there are so many other rows.
  MatricesPlan(const SinkhornParams& params, int64_t columns, int64_t matrices, int64_t others)
      : p_(params),
        n_(p_.streams),
        columns_(columns),
        width_(kBlockNumbers / RowOf(n_, 0) / 16 * 16),
        rows_(matrices * RowOf(n_, 0) + others),
        runs_(p_.from.sizes[0], n_) {
    scratch_ = book_.Book<float>(ThreadCount(), scratch_floats());
  }

  // The place of entry (i, j) among the rows.
  int64_t RowOf(int64_t i, int64_t j) const { return i * columns_ + j; }

  virtual void RunTokens(const Bindings& bindings, int64_t first, int64_t count,
                         float* scratch) const = 0;

  // Calls visit(places, first token of a block, how many) for its parts of one run each.
  template <class Visit>
  void ForRuns(const Bindings& bindings, int64_t first, int64_t count, const Visit& visit) const {
    for (int64_t token = 0; token < count;) {
      const KeptRun run = runs_.Of(first + token);
      const int64_t tokens = std::min(count - token, run.first + run.count - first - token);
      visit(KeptPlaces(FloatsOf(p_.norms, bindings), FloatsOf(p_.sums, bindings), n_, p_.iterations,
                       run, first + token),
            token, tokens);
      token += tokens;
    }
  }

  void Load(const Bindings& bindings, int64_t first, int64_t count, const TokenRows& to) const {
    const float* const from = FloatsOf(p_.from, bindings) + first * n_ * n_;
    for (int64_t i = 0; i < n_; ++i) to.Load(from + i * n_, n_ * n_, RowOf(i, 0), n_, 0, count);
  }
  void Store(const TokenRows& from, const Bindings& bindings, int64_t first, int64_t count) const {
    float* const to = FloatsOf(p_.to, bindings) + first * n_ * n_;
    for (int64_t i = 0; i < n_; ++i) from.Store(RowOf(i, 0), n_, 0, count, to + i * n_, n_ * n_);
  }

  const SinkhornParams p_;
  const int64_t n_, columns_;

 private:
  static float* FloatsOf(const TensorView& view, const Bindings& bindings) {
    return view.given() ? reinterpret_cast<float*>(view.Address(bindings)) : nullptr;
  }
  int64_t scratch_floats() const { return rows_ * width_; }

  const int64_t width_, rows_;
  const KeptRuns runs_;
  WorkspaceSlot<float> scratch_;
};

class SinkhornPlan final : public MatricesPlan {
 public:
  explicit SinkhornPlan(const SinkhornParams& params)
      : MatricesPlan(params, kKeptColumns, 1, kKeptColumns) {}

 private:
  void RunTokens(const Bindings& bindings, int64_t first, int64_t count,
                 float* scratch) const override {
    const TokenRows y(scratch, count);
    const TokenRows totals(y.At(RowOf(n_, 0)), count);
    const blocks::Rows rows(count), of_line(n_ * count);
    // Behind the columns of matrices and sums.
    for (int64_t i = 0; i <= n_; ++i) {
      std::fill(y.At(RowOf(i, n_)), y.At(RowOf(i + 1, 0)), 0.0f);
    }
    Load(bindings, first, count, y);
    for (int64_t i = 0; i < n_; ++i) Softmax(y, i, rows, totals.At(0));
    Keep(bindings, first, count, y, 0);
    for (int64_t i = 0; i < n_; ++i) {
      float* const line = y.At(RowOf(i, 0));
      of_line(Op::kAddScalar, line, line, nullptr, nullptr, p_.eps);
    }
    for (int64_t k = 0; k < p_.iterations; ++k) {
      if (k > 0) {
        for (int64_t i = 0; i < n_; ++i) Divide(y, i, 0, 0, 1, rows, totals.At(i));
        Keep(bindings, first, count, y, 2 * k);
      }
      KeepRowSums(bindings, first, count, totals, k);
      for (int64_t j = 0; j < n_; ++j) Divide(y, 0, j, 1, 0, rows, totals.At(j));
      KeepColumnSums(bindings, first, count, totals, k);
      Keep(bindings, first, count, y, 2 * k + 1);
    }
    Store(y, bindings, first, count);
  }

  void Keep(const Bindings& bindings, int64_t first, int64_t count, const TokenRows& y,
            int64_t step) const {
    if (!p_.norms.given()) return;
    ForRuns(bindings, first, count, [&](const KeptPlaces& kept, int64_t token, int64_t tokens) {
      for (int64_t i = 0; i < n_; ++i) {
        y.Store(RowOf(i, 0), kKeptColumns, token, tokens, kept.Norm(step, i), kKeptColumns);
      }
    });
  }
  // Ones in place of the sums that there are not.
  void KeepRowSums(const Bindings& bindings, int64_t first, int64_t count, const TokenRows& totals,
                   int64_t k) const {
    if (!p_.sums.given()) return;
    ForRuns(bindings, first, count, [&](const KeptPlaces& kept, int64_t token, int64_t tokens) {
      for (int64_t i = 0; i < kKeptColumns; ++i) {
        if (k > 0 && i < n_) {
          std::copy_n(totals.At(i) + token, tokens, kept.RowSums(k, i));
        } else {
          std::fill_n(kept.RowSums(k, i), tokens, 1.0f);
        }
      }
    });
  }
  void KeepColumnSums(const Bindings& bindings, int64_t first, int64_t count,
                      const TokenRows& totals, int64_t k) const {
    if (!p_.sums.given()) return;
    ForRuns(bindings, first, count, [&](const KeptPlaces& kept, int64_t token, int64_t tokens) {
      totals.Store(0, kKeptColumns, token, tokens, kept.ColumnSums(k), kKeptColumns);
    });
  }

  void Softmax(const TokenRows& y, int64_t i, const blocks::Rows& rows, float* sum) const {
    const auto entry = [&](int64_t j) { return y.At(RowOf(i, j)); };
    float* const max = sum;
    rows(Op::kMaximum, max, entry(0), entry(1));
    for (int64_t j = 2; j < n_; ++j) rows(Op::kMaximum, max, max, entry(j));
    for (int64_t j = 0; j < n_; ++j) {
      rows(Op::kSub, entry(j), entry(j), max);
      rows(Op::kExp, entry(j), entry(j));
    }
    rows(Op::kAdd, sum, entry(0), entry(1));
    for (int64_t j = 2; j < n_; ++j) rows(Op::kAdd, sum, sum, entry(j));
    for (int64_t j = 0; j < n_; ++j) rows(Op::kDiv, entry(j), entry(j), sum);
  }

  // The entries from (i, j) on, in steps of (di, dj), by their sum.
  void Divide(const TokenRows& y, int64_t i, int64_t j, int64_t di, int64_t dj,
              const blocks::Rows& rows, float* sum) const {
    const auto entry = [&](int64_t k) { return y.At(RowOf(i + k * di, j + k * dj)); };
    rows(Op::kAdd, sum, entry(0), entry(1));
    for (int64_t k = 2; k < n_; ++k) rows(Op::kAdd, sum, sum, entry(k));
    rows(Op::kAddScalar, sum, sum, nullptr, nullptr, p_.eps);
    for (int64_t k = 0; k < n_; ++k) rows(Op::kDiv, entry(k), entry(k), sum);
  }
};

class SinkhornBackwardPlan final : public MatricesPlan {
 public:
  explicit SinkhornBackwardPlan(const SinkhornParams& params)
      : MatricesPlan(params, params.streams, 2, params.streams + 1) {}

 private:
  void RunTokens(const Bindings& bindings, int64_t first, int64_t count,
                 float* scratch) const override {
    const TokenRows g(scratch, count);
    const TokenRows norm(g.At(RowOf(n_, 0)), count);
    const TokenRows sums(norm.At(RowOf(n_, 0)), count);
    float* const dot = sums.At(n_);
    const blocks::Rows rows(count);
    // d becomes d - (sum of d * norm over the entries from (i, j) on, in steps of (di, dj)).
    const auto subtract = [&](int64_t i, int64_t j, int64_t di, int64_t dj) {
      const auto entry = [&](int64_t k) { return RowOf(i + k * di, j + k * dj); };
      rows(Op::kMul, dot, g.At(entry(0)), norm.At(entry(0)));
      for (int64_t k = 1; k < n_; ++k) {
        rows(Op::kAddcmul, dot, dot, g.At(entry(k)), norm.At(entry(k)));
      }
      for (int64_t k = 0; k < n_; ++k) rows(Op::kSub, g.At(entry(k)), g.At(entry(k)), dot);
    };
    Load(bindings, first, count, g);
    for (int64_t k = p_.iterations - 1; k >= 0; --k) {
      LoadKept(bindings, first, count, 2 * k + 1, norm, sums);
      for (int64_t j = 0; j < n_; ++j) {
        subtract(0, j, 1, 0);
        for (int64_t i = 0; i < n_; ++i) {
          rows(Op::kDiv, g.At(RowOf(i, j)), g.At(RowOf(i, j)), sums.At(j));
        }
      }
      LoadKept(bindings, first, count, 2 * k, norm, sums);
      for (int64_t i = 0; i < n_; ++i) {
        subtract(i, 0, 0, 1);
        for (int64_t j = 0; j < n_; ++j) {
          // At last the gradient of the softmax, which is what was kept first.
          float* const entry = g.At(RowOf(i, j));
          rows(k > 0 ? Op::kDiv : Op::kMul, entry, entry,
               k > 0 ? sums.At(i) : norm.At(RowOf(i, j)));
        }
      }
    }
    Store(g, bindings, first, count);
  }

  // The numbers of a step and the sums that they were divided by.
  void LoadKept(const Bindings& bindings, int64_t first, int64_t count, int64_t step,
                const TokenRows& norm, const TokenRows& sums) const {
    const int64_t k = step / 2;
    ForRuns(bindings, first, count, [&](const KeptPlaces& kept, int64_t token, int64_t tokens) {
      for (int64_t i = 0; i < n_; ++i) {
        norm.Load(kept.Norm(step, i), kKeptColumns, RowOf(i, 0), n_, token, tokens);
        if (step % 2 == 0) std::copy_n(kept.RowSums(k, i), tokens, sums.At(i) + token);
      }
      if (step % 2 == 1) sums.Load(kept.ColumnSums(k), kKeptColumns, 0, n_, token, tokens);
    });
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
