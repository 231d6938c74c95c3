// SPDX-License-Identifier: Apache-2.0
// Softmax, its logarithm, and their gradients. Exponentials are taken relative to the largest
// element of their piece and scaled to the row's; they are taken once where there is room to keep
// them. Scaled ones with a mask are made of their parts in fp32 where they are read.
#include <cmath>
#include <type_traits>

#include "ops/blocks/rows.h"
#include "ops/rowwise/operators.h"
#include "ops/rowwise/two_passes.h"
#include "ops/steps.h"

namespace anyacl::rowwise {
namespace {

struct Options {
  bool logarithm = false;
  // Of numbers: x is scale * x, then the parts behind the output are added, or, of BOOL, say where
  // kMasked stands; its gradient is scaled alike and 0 there.
  bool combines = false;
  float scale = 1;
  bool hides = false;  // the part is BOOL
};
constexpr float kMasked = -10000;

// The numbers of a piece that a part says are hidden become `value`.
void Hide(const Rows& rows, const Bindings& bindings, int part, const Piece<float>& piece,
          float value, float* x) {
  alignas(64) float buffer[kBuffer];
  const float* const hidden =
      rows.Numbers(bindings, part, piece.group, piece.begin, piece.count, buffer);
  for (int64_t i = 0; i < piece.group.rows * piece.count; ++i) x[i] = hidden[i] != 0 ? value : x[i];
}

// x of a softmax, made of its parts.
const float* Combined(const Rows& rows, const Bindings& bindings, const Piece<float>& piece,
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

// Of rows that lie side by side.
class SoftmaxAcross : public SoftmaxWork<float> {
 public:
  using SoftmaxWork::SoftmaxWork;
  struct Buffers {};
  static constexpr int64_t kKept = kAcross * kPiece;

  void Fold(const Piece<float>& piece, Buffers&, Part* parts) const {
    const int64_t rows = piece.group.rows;
    float shifts[kAcross];
    double sums[kAcross];
    rows_.across().max(From(piece.group), piece.count, shifts);
    for (int64_t r = 0; r < rows; ++r) {
      parts[r].max = shifts[r];
      shifts[r] = parts[r].shift();
    }
    rows_.across().exp_sum(From(piece.group), piece.count, shifts,
                           logarithm_ ? nullptr : piece.kept, sums);
    for (int64_t r = 0; r < rows; ++r) parts[r].sum = sums[r];
  }

  void Write(const Piece<float>& piece, Buffers&, const Part* parts, const Total* totals) const {
    const int64_t rows = piece.group.rows;
    const AcrossTarget to = rows_.AcrossAt(bindings_, 1, piece.group);
    float first[kAcross], second[kAcross];
    for (int64_t r = 0; r < rows; ++r) {
      first[r] = logarithm_ ? totals[r].max : FactorOf(parts[r], totals[r]);
      second[r] = logarithm_ ? LogOf(totals[r]) : 0;
    }
    if (logarithm_) {
      rows_.across().shift(From(piece.group), piece.count, first, second, to);
    } else {
      rows_.across().scale(piece.kept, piece.count, rows, first, to);
    }
  }

 private:
  Across From(const Group& group) const {
    const AcrossTarget at = rows_.AcrossAt(bindings_, 0, group);
    return {at.data, at.pitch, group.rows};
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

  void Fold(const Piece<float>& piece, Buffers&, Part* parts) const {
    const Across g = At(0, piece.group);
    logarithm_ ? rows_.across().sum(g, piece.count, parts)
               : rows_.across().dot(g, At(1, piece.group), piece.count, parts);
  }

  void Write(const Piece<float>& piece, Buffers&, const Part*, const Total* totals) const {
    float sums[kAcross];
    for (int64_t r = 0; r < piece.group.rows; ++r) sums[r] = static_cast<float>(totals[r]);
    const AcrossKernels& k = rows_.across();
    const auto write = logarithm_ ? k.log_softmax_grad : k.softmax_grad;
    write(At(0, piece.group), At(1, piece.group), piece.count, sums,
          rows_.AcrossAt(bindings_, 2, piece.group));
  }

 private:
  Across At(int part, const Group& group) const {
    const AcrossTarget at = rows_.AcrossAt(bindings_, part, group);
    return {at.data, at.pitch, group.rows};
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
  Rows rows({RowsAlong(x, dim), RowsAlong(out, dim)}, {.in_groups = true, .across = true});
  if (x.dtype == ACL_DOUBLE || out.dtype == ACL_DOUBLE) {
    call->plan =
        std::make_shared<RowPlan<SoftmaxWork<double>>>(std::move(rows), Options{logarithm});
  } else if (rows.across_rows()) {
    call->plan = std::make_shared<RowPlan<SoftmaxAcross>>(std::move(rows), Options{logarithm});
  } else {
    call->plan = std::make_shared<RowPlan<SoftmaxWork<float>>>(std::move(rows), Options{logarithm});
  }
  return {};
}

Status PrepareBackward(Operands& operands, PreparedCall* call, bool logarithm) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  int dim = 0;
  if (Status s = FindDim(operands, &dim); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  if (operands[kOut].dtype() == ACL_DOUBLE) {
    Steps steps(operands);
    if (Status s = steps.Call(logarithm ? "aclnnLogSoftmaxBackward" : "aclnnSoftmaxBackward",
                              {TensorOf(operands, kX), TensorOf(operands, kX2), int64_t{dim},
                               steps.ResultAs(kOut, ACL_FLOAT)});
        !s.ok()) {
      return s;
    }
    return steps.Finish(call);
  }
  Rows rows({RowsAlong(ViewOf(operands, kX), dim), RowsAlong(ViewOf(operands, kX2), dim),
             RowsAlong(ViewOf(operands, kOut), dim)},
            {.in_groups = true, .across = true});
  if (rows.across_rows()) {
    call->plan = std::make_shared<RowPlan<GradAcross>>(std::move(rows), Options{logarithm});
  } else {
    call->plan = std::make_shared<RowPlan<GradWork>>(std::move(rows), Options{logarithm});
  }
  return {};
}

// A tensor as one of x's shape, or of a longer one that x is seen in.
TensorView Spread(const TensorView& view, const TensorView& x) {
  return *Broadcast(view, {x.sizes, static_cast<size_t>(x.rank)});
}

constexpr int64_t kMostColumns = 4096;  // of scaled softmax with a mask

// The last dimension, and the mask: x's shape with any of the first two sizes 1.
Status CheckScaledMasked(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kX].shape();
  const Dims& mask = operands[kMask].shape();
  if (x.back() < 1 || x.back() > kMostColumns) {
    return Fail(code, "{}.shape[3] = {}, expected 1 to {}", operands.NameOf(kX), x.back(),
                kMostColumns);
  }
  bool fits = mask.rank() == x.rank();
  for (size_t i = 0; fits && i < x.rank(); ++i) fits = mask[i] == x[i] || (i < 2 && mask[i] == 1);
  if (!fits) {
    return Fail(code, "mask.shape = {}, expected {}, or 1 for the first two sizes", mask.ToString(),
                x.ToString());
  }
  if (!operands.Flag(kTriangle)) return {};
  return Fail(code, "fixTriuMask = true, expected false");
}

// x, the mask and the bias as [B, W, N, S1, S2].
struct Windows {
  TensorView x, out, mask, bias;
};
Status ReadWindows(const Operands& operands, Windows* w) {
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kX].shape();
  if (x.rank() != 4 && x.rank() != 5) {
    return Fail(code, "x.shape = {}, expected four or five dimensions", x.ToString());
  }
  const Dims tail(x.end() - 3, 3);  // N, S1, S2
  const auto fails = [&](int id, const char* expected) {
    return Fail(code, "{}.shape = {}, expected {} as x.shape = {}", operands.NameOf(id),
                operands[id].shape().ToString(), expected, x.ToString());
  };
  const Dims& bias = operands[kBias].shape();
  bool fits = bias.rank() >= 3 && bias.rank() <= 5;
  for (size_t i = 0; fits && i < bias.rank(); ++i) {
    const size_t front = bias.rank() - 3;
    fits = bias[i] == (i < front ? 1 : tail[i - front]);
  }
  if (!fits) return fails(kBias, "[N, S1, S2], [1, N, S1, S2] or [1, 1, N, S1, S2]");
  int64_t windows = x.rank() == 5 ? x[1] : 1;
  if (operands.Given(kMask)) {
    const Dims& mask = operands[kMask].shape();
    fits = mask.rank() >= 3 && mask.rank() <= 5;
    if (fits) {
      const size_t first = mask.rank() == 5 ? 1 : 0;
      const int64_t found = mask[first];
      fits = x.rank() == 5 ? found == windows : found > 0 ? x[0] % found == 0 : x[0] == 0;
      fits &= first == 0 || mask[0] == 1;
      fits &= mask.rank() == 3 || mask[first + 1] == 1;
      fits &= mask[mask.rank() - 2] == tail[1] && mask[mask.rank() - 1] == tail[2];
      if (x.rank() == 4) windows = std::max<int64_t>(1, found);
    }
    if (!fits) return fails(kMask, "[W, S1, S2], [W, 1, S1, S2] or [1, W, 1, S1, S2]");
  }
  const auto split = [&](int id) {
    TensorView view = ViewOf(operands, id);
    if (view.rank == 5) return view;
    view = WithDim(view, 0);
    view.sizes[0] = view.sizes[1] / windows;
    view.strides[0] = view.strides[1] * windows;
    view.sizes[1] = windows;
    return view;
  };
  w->x = split(kX);
  w->out = split(kOut);
  w->bias = Spread(ViewOf(operands, kBias), w->x);
  if (!operands.Given(kMask)) return {};
  TensorView mask = ViewOf(operands, kMask);
  if (mask.rank == 3) mask = WithDim(mask, 1);
  w->mask = Spread(mask, w->x);
  return {};
}

}  // namespace

Status PrepareMaskedSoftmaxWithBias(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  Windows w;
  if (Status s = ReadWindows(operands, &w); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Rows rows({RowsOf(w.x, 1), RowsOf(w.out, 1), RowsOf(w.mask, 1), RowsOf(w.bias, 1)},
            {.as_numbers = true});
  const Options options = {.combines = true, .scale = static_cast<float>(operands.Real(kScale))};
  call->plan = std::make_shared<RowPlan<SoftmaxWork<float>>>(std::move(rows), options);
  return {};
}

Status PrepareScaledMaskedSoftmax(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckScaledMasked(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView x = ViewOf(operands, kX);
  Rows rows({RowsOf(x, 1), RowsOf(ViewOf(operands, kOut), 1),
             RowsOf(Spread(ViewOf(operands, kMask), x), 1)},
            {.as_numbers = true});
  const Options options = {
      .combines = true, .scale = static_cast<float>(operands.Real(kScale)), .hides = true};
  call->plan = std::make_shared<RowPlan<SoftmaxWork<float>>>(std::move(rows), options);
  return {};
}

Status PrepareScaledMaskedSoftmaxBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckScaledMasked(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const TensorView g = ViewOf(operands, kX);
  Rows rows({RowsOf(g, 1), RowsOf(ViewOf(operands, kX2), 1), RowsOf(ViewOf(operands, kOut), 1),
             RowsOf(Spread(ViewOf(operands, kMask), g), 1)},
            {.as_numbers = true});
  const Options options = {.combines = true, .scale = static_cast<float>(operands.Real(kScale))};
  call->plan = std::make_shared<RowPlan<GradWork>>(std::move(rows), options);
  return {};
}

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
