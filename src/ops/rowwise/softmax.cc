// SPDX-License-Identifier: Apache-2.0
// Softmax, its logarithm, and their gradients. Rows of up to kPiece elements are read once, longer
// ones piece by piece for each pass; the sums, and so the bits, are the same.
#include <cmath>

#include "ops/rowwise/operators.h"
#include "ops/rowwise/rows.h"

namespace anyacl::rowwise {
namespace {

// The same in double, which needs no vectors: clients use it to check others.
double MaxOf(const double* x, int64_t n) {
  double max = -INFINITY;
  for (int64_t i = 0; i < n; ++i) max = max != max ? max : max > x[i] ? max : x[i];
  return max;
}
double ExpSum(const double* x, int64_t n, double m, double* to) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double e = std::exp(x[i] - m);
    if (to != nullptr) to[i] = e;
    sum += e;
  }
  return sum;
}
void Scale(const double* x, int64_t n, double f, double* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = x[i] * f;
}
void ExpScale(const double* x, int64_t n, double m, double f, double* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = std::exp(x[i] - m) * f;
}
void Shift(const double* x, int64_t n, double a, double b, double* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = (x[i] - a) - b;
}

constexpr SoftmaxKernels<double> kInDouble = {MaxOf, ExpSum, Scale, ExpScale, Shift};

const SoftmaxKernels<float>& KernelsOf(float) { return Kernels().rowwise.softmax; }
const SoftmaxKernels<double>& KernelsOf(double) { return kInDouble; }

// Calls visit(begin, count) for the pieces of a row.
template <class Visit>
void ForPieces(int64_t n, const Visit& visit) {
  for (int64_t at = 0; at < n; at += kPiece) visit(at, std::min(kPiece, n - at));
}

template <class T>
class SoftmaxPlan final : public Plan {
 public:
  SoftmaxPlan(Rows rows, bool logarithm)
      : rows_(std::move(rows)), k_(KernelsOf(T())), logarithm_(logarithm) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    rows_.ForGroups([&](const Group& group) {
      if (rows_.short_rows()) {
        ShortRows(bindings, group);
      } else {
        LongRow(bindings, group);
      }
    });
    return {};
  }

 private:
  static T Reciprocal(double sum) { return static_cast<T>(1 / sum); }

  void ShortRows(const Bindings& bindings, const Group& group) const {
    alignas(64) T in[kPiece];
    alignas(64) T out[kPiece];
    const int64_t n = rows_.n();
    const T* x = rows_.Read(bindings, 0, group, 0, n, in);
    for (int64_t r = 0; r < group.rows; ++r) {
      const T* row = x + r * n;
      T* to = out + r * n;
      const T m = k_.max(row, n);
      const double sum = k_.exp_sum(row, n, m, logarithm_ ? nullptr : to);
      if (logarithm_) {
        k_.shift(row, n, m, static_cast<T>(std::log(sum)), to);
      } else {
        k_.scale(to, n, Reciprocal(sum), to);
      }
    }
    rows_.Write(bindings, 1, group, 0, n, out);
  }

  void LongRow(const Bindings& bindings, const Group& group) const {
    alignas(64) T in[kPiece];
    alignas(64) T out[kPiece];
    T m = static_cast<T>(-INFINITY);
    double sum = 0;
    const auto read = [&](int64_t at, int64_t count) {
      return rows_.Read(bindings, 0, group, at, count, in);
    };
    ForPieces(rows_.n(), [&](int64_t at, int64_t count) {
      const T max = k_.max(read(at, count), count);
      m = m != m ? m : m > max ? m : max;
    });
    ForPieces(rows_.n(), [&](int64_t at, int64_t count) {
      sum += k_.exp_sum(read(at, count), count, m, nullptr);
    });
    const T factor = Reciprocal(sum);
    const T log = static_cast<T>(std::log(sum));
    ForPieces(rows_.n(), [&](int64_t at, int64_t count) {
      const T* x = read(at, count);
      if (logarithm_) {
        k_.shift(x, count, m, log, out);
      } else {
        k_.exp_scale(x, count, m, factor, out);
      }
      rows_.Write(bindings, 1, group, at, count, out);
    });
  }

  const Rows rows_;
  const SoftmaxKernels<T>& k_;
  const bool logarithm_;
};

class GradPlan final : public Plan {
 public:
  GradPlan(Rows rows, bool logarithm) : rows_(std::move(rows)), logarithm_(logarithm) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    rows_.ForGroups([&](const Group& group) { OneGroup(bindings, group); });
    return {};
  }

 private:
  void OneGroup(const Bindings& bindings, const Group& group) const {
    const KernelSet& k = Kernels().rowwise;
    alignas(64) float g_buffer[kPiece];
    alignas(64) float y_buffer[kPiece];
    alignas(64) float out[kPiece];
    const float* g = nullptr;
    const float* y = nullptr;
    const auto read = [&](int64_t at, int64_t count) {
      g = rows_.Read(bindings, 0, group, at, count, g_buffer);
      y = rows_.Read(bindings, 1, group, at, count, y_buffer);
    };
    const auto sum_of = [&](const float* a, const float* b, int64_t count) {
      return logarithm_ ? k.moments(a, count, 0.0f).sum : k.dot(a, b, count);
    };
    const auto write = logarithm_ ? k.log_softmax_grad : k.softmax_grad;
    const int64_t n = rows_.n();
    if (rows_.short_rows()) {
      read(0, n);
      for (int64_t r = 0; r < group.rows; ++r) {
        const int64_t at = r * n;
        write(g + at, y + at, n, static_cast<float>(sum_of(g + at, y + at, n)), out + at);
      }
      return rows_.Write(bindings, 2, group, 0, n, out);
    }
    double sum = 0;
    ForPieces(n, [&](int64_t at, int64_t count) {
      read(at, count);
      sum += sum_of(g, y, count);
    });
    ForPieces(n, [&](int64_t at, int64_t count) {
      read(at, count);
      write(g, y, count, static_cast<float>(sum), out);
      rows_.Write(bindings, 2, group, at, count, out);
    });
  }

  const Rows rows_;
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
    call->plan = std::make_shared<SoftmaxPlan<double>>(std::move(rows), logarithm);
  } else {
    call->plan = std::make_shared<SoftmaxPlan<float>>(std::move(rows), logarithm);
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
  call->plan = std::make_shared<GradPlan>(std::move(rows), logarithm);
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
