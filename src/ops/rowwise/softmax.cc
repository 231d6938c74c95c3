// SPDX-License-Identifier: Apache-2.0
// Softmax, its logarithm, and their gradients. Exponentials are taken relative to the largest
// element of their piece and scaled to the row's; they are taken once where there is room to keep
// them.
#include <cmath>

#include "ops/rowwise/operators.h"
#include "ops/rowwise/two_passes.h"

namespace anyacl::rowwise {
namespace {

// The same in double, which needs no vectors: clients use it to check others.
double MaxOf(const void* data, int64_t n) {
  const auto* x = static_cast<const double*>(data);
  double max = -INFINITY;
  for (int64_t i = 0; i < n; ++i) max = max != max ? max : max > x[i] ? max : x[i];
  return max;
}
double ExpSum(const void* data, int64_t n, double m, double* to) {
  const auto* x = static_cast<const double*>(data);
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double e = std::exp(x[i] - m);
    if (to != nullptr) to[i] = e;
    sum += e;
  }
  return sum;
}
void Scale(const double* e, int64_t n, double f, const Target& target) {
  auto* to = static_cast<double*>(target.data);
  for (int64_t i = 0; i < n; ++i) to[i] = e[i] * f;
}
void ExpScale(const void* data, int64_t n, double m, double f, const Target& target) {
  const auto* x = static_cast<const double*>(data);
  auto* to = static_cast<double*>(target.data);
  for (int64_t i = 0; i < n; ++i) to[i] = std::exp(x[i] - m) * f;
}
void Shift(const void* data, int64_t n, double a, double b, const Target& target) {
  const auto* x = static_cast<const double*>(data);
  auto* to = static_cast<double*>(target.data);
  for (int64_t i = 0; i < n; ++i) to[i] = (x[i] - a) - b;
}

constexpr SoftmaxKernels<double> kInDouble = {MaxOf, ExpSum, Scale, ExpScale, Shift};

const SoftmaxKernels<float>& KernelsOf(float, const Rows& rows) { return rows.kernels().softmax; }
const SoftmaxKernels<double>& KernelsOf(double, const Rows&) { return kInDouble; }

template <class T>
class SoftmaxWork {
 public:
  using Number = T;
  struct Part {
    T max;
    double sum;  // of e^(x - shift)
    // A piece of nothing but minus infinity has zeros where others are larger.
    T shift() const { return max == -INFINITY ? T() : max; }
  };
  using Total = Part;  // shift: max
  struct Buffers {
    alignas(64) T in[kPiece];
    alignas(64) T out[kPiece];
    const void* x;
  };
  static constexpr bool kKeeps = true;

  SoftmaxWork(const Rows& rows, const Bindings& bindings, bool logarithm)
      : rows_(rows), bindings_(bindings), k_(KernelsOf(T(), rows)), logarithm_(logarithm) {}

  void Fold(const Piece<T>& piece, Buffers& b, Part* parts) const {
    const int64_t n = piece.count;
    b.x = rows_.Read(bindings_, 0, piece.group, piece.begin, n, b.in);
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      const void* x = RowAt<T>(b.x, r, n);
      T* kept = piece.kept == nullptr || logarithm_ ? nullptr : piece.kept + r * n;
      parts[r].max = k_.max(x, n);
      parts[r].sum = k_.exp_sum(x, n, parts[r].shift(), kept);
    }
  }

  Total Join(const Group&, int64_t, const Part* parts, int64_t pieces) const {
    Total total = {parts[0].max, 0};
    for (int64_t p = 1; p < pieces; ++p) {
      const T max = parts[p].max;
      total.max = total.max != total.max ? total.max : total.max > max ? total.max : max;
    }
    for (int64_t p = 0; p < pieces; ++p) total.sum += parts[p].sum * Below(parts[p], total);
    return total;
  }

  void Write(const Piece<T>& piece, Buffers& b, const Part* parts, const Total* totals) const {
    const int64_t n = piece.count;
    const bool reads = logarithm_ || piece.kept == nullptr;
    if (reads && !piece.is_read) {
      b.x = rows_.Read(bindings_, 0, piece.group, piece.begin, n, b.in);
    }
    const Target out = rows_.To(bindings_, 1, piece.group, piece.begin, b.out);
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      const Target to = RowAt<T>(out, r, n);
      const void* x = RowAt<T>(b.x, r, n);
      if (logarithm_) {
        k_.shift(x, n, totals[r].max, static_cast<T>(std::log(totals[r].sum)), to);
        continue;
      }
      const T factor = static_cast<T>(Below(parts[r], totals[r]) / totals[r].sum);
      if (reads) {
        k_.exp_scale(x, n, parts[r].shift(), factor, to);
      } else {
        k_.scale(piece.kept + r * n, n, factor, to);
      }
    }
    rows_.Written(bindings_, 1, piece.group, piece.begin, n, b.out);
  }

 private:
  // What the piece's exponentials are to be multiplied by in the row: at most 1.
  static double Below(const Part& part, const Total& total) {
    return std::exp(static_cast<double>(part.max) - static_cast<double>(total.max));
  }

  const Rows& rows_;
  const Bindings& bindings_;
  const SoftmaxKernels<T>& k_;
  const bool logarithm_;
};

class GradWork {
 public:
  using Number = float;
  using Part = double;
  using Total = double;
  struct Buffers {
    alignas(64) float g_in[kPiece];
    alignas(64) float y_in[kPiece];
    alignas(64) float out[kPiece];
    const void* g;
    const void* y;
  };
  static constexpr bool kKeeps = false;

  GradWork(const Rows& rows, const Bindings& bindings, bool logarithm)
      : rows_(rows), bindings_(bindings), k_(rows.kernels()), logarithm_(logarithm) {}

  void Fold(const Piece<float>& piece, Buffers& b, Part* parts) const {
    Read(piece, b);
    const int64_t n = piece.count;
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      const void* g = RowAt<float>(b.g, r, n);
      parts[r] = logarithm_ ? k_.sum(g, n) : k_.dot(g, RowAt<float>(b.y, r, n), n);
    }
  }

  Total Join(const Group&, int64_t, const Part* parts, int64_t pieces) const {
    double sum = 0;
    for (int64_t p = 0; p < pieces; ++p) sum += parts[p];
    return sum;
  }

  void Write(const Piece<float>& piece, Buffers& b, const Part*, const Total* totals) const {
    if (!piece.is_read) Read(piece, b);
    const int64_t n = piece.count;
    const auto write = logarithm_ ? k_.log_softmax_grad : k_.softmax_grad;
    const Target out = rows_.To(bindings_, 2, piece.group, piece.begin, b.out);
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      write(RowAt<float>(b.g, r, n), RowAt<float>(b.y, r, n), n, static_cast<float>(totals[r]),
            RowAt<float>(out, r, n));
    }
    rows_.Written(bindings_, 2, piece.group, piece.begin, n, b.out);
  }

 private:
  void Read(const Piece<float>& piece, Buffers& b) const {
    b.g = rows_.Read(bindings_, 0, piece.group, piece.begin, piece.count, b.g_in);
    b.y = rows_.Read(bindings_, 1, piece.group, piece.begin, piece.count, b.y_in);
  }

  const Rows& rows_;
  const Bindings& bindings_;
  const RowKernels& k_;
  const bool logarithm_;
};

template <class Work>
class RowPlan final : public BookedPlan {
 public:
  RowPlan(Rows rows, bool logarithm)
      : rows_(std::move(rows)), passes_(rows_, book_), logarithm_(logarithm) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    passes_.Run(bindings, Work(rows_, bindings, logarithm_));
    return {};
  }

 private:
  const Rows rows_;
  const TwoPasses<Work> passes_;
  const bool logarithm_;
};

Status FindDim(const Operands& operands, int* dim) {
  const size_t rank = std::max<size_t>(operands[kX].shape().rank(), 1);
  return CheckDim(operands, "dim", operands.Int(kDim), rank, dim);
}

Status PrepareForward(Operands& operands, PreparedCall* call, bool logarithm) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  if (Status s = FindDim(operands, &dim); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView x = ViewOf(operands, kX), out = ViewOf(operands, kOut);
  Rows rows({RowsAlong(x, dim), RowsAlong(out, dim)});
  if (x.dtype == ACL_DOUBLE || out.dtype == ACL_DOUBLE) {
    call->plan = std::make_shared<RowPlan<SoftmaxWork<double>>>(std::move(rows), logarithm);
  } else {
    call->plan = std::make_shared<RowPlan<SoftmaxWork<float>>>(std::move(rows), logarithm);
  }
  return {};
}

Status PrepareBackward(Operands& operands, PreparedCall* call, bool logarithm) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  if (Status s = FindDim(operands, &dim); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Rows rows({RowsAlong(ViewOf(operands, kX), dim), RowsAlong(ViewOf(operands, kX2), dim),
             RowsAlong(ViewOf(operands, kOut), dim)});
  call->plan = std::make_shared<RowPlan<GradWork>>(std::move(rows), logarithm);
  return {};
}

}  // namespace

Status PrepareSoftmax(Operands& operands, PreparedCall* call) {
  return PrepareForward(operands, call, false);
}
Status PrepareLogSoftmax(Operands& operands, PreparedCall* call) {
  return PrepareForward(operands, call, true);
}
Status PrepareSoftmaxBackward(Operands& operands, PreparedCall* call) {
  return PrepareBackward(operands, call, false);
}
Status PrepareLogSoftmaxBackward(Operands& operands, PreparedCall* call) {
  return PrepareBackward(operands, call, true);
}

}  // namespace anyacl::rowwise
