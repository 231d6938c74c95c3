// SPDX-License-Identifier: Apache-2.0
// What softmax, its logarithm and their gradients do to pieces of rows. Exponentials are taken
// relative to the largest element of their piece and scaled to the row's; they are taken once where
// there is room to keep them. Scaled ones with a mask are made of their parts in fp32 where they
// are read.
#pragma once

#include <cmath>
#include <type_traits>

#include "ops/blocks/rows.h"
#include "ops/rowwise/two_passes.h"

namespace anyacl::rowwise {

struct Options {
  bool logarithm = false;
  // Of numbers: x is scale * x, then the parts behind the output are added, or, of BOOL, say where
  // kMasked stands; its gradient is scaled alike and 0 there.
  bool combines = false;
  float scale = 1;
  bool hides = false;  // the part is BOOL
};
inline constexpr float kMasked = -10000;

// The numbers of a piece that a part says are hidden become `value`.
inline void Hide(const Rows& rows, const Bindings& bindings, int part, const Piece<float>& piece,
                 float value, float* x) {
  alignas(64) float buffer[kBuffer];
  const float* const hidden =
      rows.Numbers(bindings, part, piece.group, piece.begin, piece.count, buffer);
  for (int64_t i = 0; i < piece.group.rows * piece.count; ++i) x[i] = hidden[i] != 0 ? value : x[i];
}

// x of a softmax, made of its parts.
inline const float* Combined(const Rows& rows, const Bindings& bindings, const Piece<float>& piece,
                             const Options& options, float* to) {
  const blocks::Rows numbers(piece.group.rows * piece.count);
  const auto read = [&](int part, float* buffer) {
    return rows.Numbers(bindings, part, piece.group, piece.begin, piece.count, buffer);
  };
  numbers(elementwise::Op::kMulScalar, to, read(0, to), nullptr, nullptr, options.scale);
  if (options.hides) {
    Hide(rows, bindings, 2, piece, kMasked, to);
    return to;
  }
  alignas(64) float buffer[kBuffer];
  for (int part : {2, 3}) {
    if (rows.Given(part)) numbers(elementwise::Op::kAdd, to, to, read(part, buffer));
  }
  return to;
}

// The same in double, which needs no vectors: clients use it to check others.
inline double MaxOf(const void* data, int64_t n) {
  const auto* x = static_cast<const double*>(data);
  double max = -INFINITY;
  for (int64_t i = 0; i < n; ++i) max = max != max ? max : max > x[i] ? max : x[i];
  return max;
}
inline double ExpSum(const void* data, int64_t n, double m, double* to) {
  const auto* x = static_cast<const double*>(data);
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double e = std::exp(x[i] - m);
    if (to != nullptr) to[i] = e;
    sum += e;
  }
  return sum;
}
inline void Scale(const double* e, int64_t n, double f, const Target& target) {
  auto* to = static_cast<double*>(target.data);
  for (int64_t i = 0; i < n; ++i) to[i] = e[i] * f;
}
inline void ExpScale(const void* data, int64_t n, double m, double f, const Target& target) {
  const auto* x = static_cast<const double*>(data);
  auto* to = static_cast<double*>(target.data);
  for (int64_t i = 0; i < n; ++i) to[i] = std::exp(x[i] - m) * f;
}
inline void Shift(const void* data, int64_t n, double a, double b, const Target& target) {
  const auto* x = static_cast<const double*>(data);
  auto* to = static_cast<double*>(target.data);
  for (int64_t i = 0; i < n; ++i) to[i] = (x[i] - a) - b;
}

inline constexpr SoftmaxKernels<double> kInDouble = {MaxOf, ExpSum, Scale, ExpScale, Shift};

inline const SoftmaxKernels<float>& KernelsOf(float, const Rows& rows) {
  return rows.kernels().softmax;
}
inline const SoftmaxKernels<double>& KernelsOf(double, const Rows&) { return kInDouble; }

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
    alignas(64) T in[kBuffer];
    alignas(64) T out[kBuffer];
    const void* x;
  };
  static constexpr int64_t kKept = kBuffer;

  SoftmaxWork(const Rows& rows, const Bindings& bindings, const Options& options)
      : rows_(rows),
        bindings_(bindings),
        k_(KernelsOf(T(), rows)),
        options_(options),
        logarithm_(options.logarithm) {}

  void Fold(const Piece<T>& piece, Buffers& b, Part* parts) const {
    const int64_t n = piece.count;
    b.x = Read(piece, b);
    const int64_t rows = piece.group.rows;
    for (int64_t r = 0; r < rows; ++r) parts[r].max = k_.max(rows_.RowAt<T>(b.x, r, n), n);
    for (int64_t r = 0; r < rows; ++r) {
      T* kept = piece.kept == nullptr || logarithm_ ? nullptr : piece.kept + r * n;
      parts[r].sum = k_.exp_sum(rows_.RowAt<T>(b.x, r, n), n, parts[r].shift(), kept);
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
    if (reads && !piece.is_read) b.x = Read(piece, b);
    const Target out = rows_.To(bindings_, 1, piece.group, piece.begin, b.out);
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      const Target to = rows_.RowAt<T>(out, r, n);
      const void* x = rows_.RowAt<T>(b.x, r, n);
      if (logarithm_) {
        k_.shift(x, n, totals[r].max, LogOf(totals[r]), to);
        continue;
      }
      const T factor = FactorOf(parts[r], totals[r]);
      if (reads) {
        k_.exp_scale(x, n, parts[r].shift(), factor, to);
      } else {
        k_.scale(piece.kept + r * n, n, factor, to);
      }
    }
    rows_.Written(bindings_, 1, piece.group, piece.begin, n, b.out);
  }

 protected:
  static T LogOf(const Total& total) { return static_cast<T>(std::log(total.sum)); }
  static T FactorOf(const Part& part, const Total& total) {
    return static_cast<T>(Below(part, total) / total.sum);
  }

  const Rows& rows_;
  const Bindings& bindings_;
  const SoftmaxKernels<T>& k_;
  const Options options_;
  const bool logarithm_;

 private:
  const void* Read(const Piece<T>& piece, Buffers& b) const {
    if constexpr (std::is_same_v<T, float>) {
      if (options_.combines) return Combined(rows_, bindings_, piece, options_, b.in);
    }
    return rows_.Read(bindings_, 0, piece.group, piece.begin, piece.count, b.in);
  }

  // What the piece's exponentials are to be multiplied by in the row: at most 1.
  static double Below(const Part& part, const Total& total) {
    return std::exp(static_cast<double>(part.max) - static_cast<double>(total.max));
  }
};

// Of rows that lie side by side. Both passes work on strips: lines a multiple of 4 KB apart push
// each other out of the caches.
class SoftmaxAcross : public SoftmaxWork<float> {
 public:
  using SoftmaxWork::SoftmaxWork;
  struct Buffers {};
  static int64_t Booked(const Rows& rows) { return rows.across_numbers(); }

  void Fold(const Piece<float>& piece, Buffers&, Part* parts) const {
    const int64_t rows = piece.group.rows, n = piece.count;
    const AcrossKernels& k = rows_.across();
    float shifts[kAcross];
    double sums[kAcross];
    k.read(rows_.AcrossAt(bindings_, 0, piece.group), n, piece.kept);
    k.max(piece.kept, n, rows, shifts);
    for (int64_t r = 0; r < rows; ++r) {
      parts[r].max = shifts[r];
      shifts[r] = parts[r].shift();
    }
    k.exp_sum(piece.kept, n, rows, shifts, logarithm_ ? nullptr : piece.kept, sums);
    for (int64_t r = 0; r < rows; ++r) parts[r].sum = sums[r];
  }

  void Write(const Piece<float>& piece, Buffers&, const Part* parts, const Total* totals) const {
    const Across to = rows_.AcrossAt(bindings_, 1, piece.group);
    float first[kAcross], second[kAcross];
    for (int64_t r = 0; r < to.rows; ++r) {
      first[r] = logarithm_ ? totals[r].max : FactorOf(parts[r], totals[r]);
      second[r] = logarithm_ ? LogOf(totals[r]) : 0;
    }
    if (logarithm_) {
      rows_.across().shift(piece.kept, piece.count, first, second, to);
    } else {
      rows_.across().scale(piece.kept, piece.count, first, to);
    }
  }
};

class GradWork {
 public:
  using Number = float;
  using Part = double;
  using Total = double;
  struct Buffers {
    alignas(64) float g_in[kBuffer];
    alignas(64) float y_in[kBuffer];
    alignas(64) float out[kBuffer];
    const void* g;
    const void* y;
  };
  static constexpr int64_t kKept = 0;

  GradWork(const Rows& rows, const Bindings& bindings, const Options& options)
      : rows_(rows),
        bindings_(bindings),
        k_(rows.kernels()),
        options_(options),
        logarithm_(options.logarithm) {}

  void Fold(const Piece<float>& piece, Buffers& b, Part* parts) const {
    Read(piece, b);
    const int64_t n = piece.count;
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      const void* g = rows_.RowAt<float>(b.g, r, n);
      parts[r] = logarithm_ ? k_.sum(g, n) : k_.dot(g, rows_.RowAt<float>(b.y, r, n), n);
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
      write(rows_.RowAt<float>(b.g, r, n), rows_.RowAt<float>(b.y, r, n), n,
            static_cast<float>(totals[r]), rows_.RowAt<float>(out, r, n));
    }
    if (options_.combines) {
      const blocks::Rows numbers(piece.group.rows * n);
      numbers(elementwise::Op::kMulScalar, b.out, b.out, nullptr, nullptr, options_.scale);
      Hide(rows_, bindings_, 3, piece, 0, b.out);
    }
    rows_.Written(bindings_, 2, piece.group, piece.begin, n, b.out);
  }

 protected:
  const Rows& rows_;
  const Bindings& bindings_;
  const RowKernels& k_;
  const Options options_;
  const bool logarithm_;

 private:
  void Read(const Piece<float>& piece, Buffers& b) const {
    b.g = rows_.Read(bindings_, 0, piece.group, piece.begin, piece.count, b.g_in);
    b.y = rows_.Read(bindings_, 1, piece.group, piece.begin, piece.count, b.y_in);
  }
};

// Of rows that lie side by side.
class GradAcross : public GradWork {
 public:
  using GradWork::GradWork;
  struct Buffers {};
  static int64_t Booked(const Rows& rows) { return 2 * rows.across_numbers(); }

  void Fold(const Piece<float>& piece, Buffers&, Part* parts) const {
    const int64_t rows = piece.group.rows, n = piece.count;
    const AcrossKernels& k = rows_.across();
    float *const g = piece.kept, *const y = g + rows_.across_numbers();
    k.read(rows_.AcrossAt(bindings_, 0, piece.group), n, g);
    k.read(rows_.AcrossAt(bindings_, 1, piece.group), n, y);
    logarithm_ ? k.sum(g, n, rows, parts) : k.dot(g, y, n, rows, parts);
  }

  void Write(const Piece<float>& piece, Buffers&, const Part*, const Total* totals) const {
    float sums[kAcross];
    for (int64_t r = 0; r < piece.group.rows; ++r) sums[r] = static_cast<float>(totals[r]);
    const AcrossKernels& k = rows_.across();
    const auto write = logarithm_ ? k.log_softmax_grad : k.softmax_grad;
    write(piece.kept, piece.kept + rows_.across_numbers(), piece.count, sums,
          rows_.AcrossAt(bindings_, 2, piece.group));
  }
};

template <class Work>
class RowPlan final : public BookedPlan {
 public:
  RowPlan(Rows rows, const Options& options)
      : rows_(std::move(rows)), passes_(rows_, book_), options_(options) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    passes_.Run(bindings, Work(rows_, bindings, options_));
    return {};
  }

 private:
  const Rows rows_;
  const TwoPasses<Work> passes_;
  const Options options_;
};

}  // namespace anyacl::rowwise
