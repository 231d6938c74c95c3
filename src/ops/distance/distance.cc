// SPDX-License-Identifier: Apache-2.0
// Distances of rows, in double: pairs of rows lie side by side in the lanes of vectors, of
// gradients the numbers of a row.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "base/division.h"
#include "kernels.h"
#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "ops/distance/norm.h"
#include "ops/distance/operators.h"
#include "runtime/parallel.h"

namespace anyacl::distance {
namespace {

// Of one input that are compared with kLanes of the other one, and numbers of a row at a time.
constexpr int64_t kRows = 64;
constexpr int64_t kBlock = 64;
// Of gradients: rows that share numbers of others, and how many others at a time.
constexpr int64_t kSlopeRows = 4;
constexpr int64_t kOthers = 16;

// For which there are kernels.
std::optional<Norm> NormOf(double p) {
  if (p == 0) return kCount;
  if (p == 1) return kSum;
  if (p == 2) return kSquares;
  if (std::isinf(p)) return kLargest;
  return std::nullopt;
}

// Units of so many numbers that amount to some microseconds.
int64_t GrainOf(int64_t numbers) { return std::max<int64_t>(1, 32768 / (numbers + 1)); }

// A row of `view` along its last dimension, counted in row-major order, from a number of it on.
char* AddressOf(const Bindings& bindings, const TensorView& view, int64_t row, int64_t number) {
  const int last = view.rank - 1;
  return view.Address(bindings) +
         (view.OffsetOf(row, last) + number * view.strides[last]) * BytesOf(view);
}

// to[i, j] = number first + i of the row that lies j steps behind row `row`; zeros fill what
// kernels read behind them.
void LoadLanes(const Bindings& bindings, const TensorView& view, int64_t row, int64_t step,
               int64_t lanes, int64_t first, int64_t count, double* to) {
  blocks::Loader(Element::kFp64, view.dtype)({AddressOf(bindings, view, row, first), count, lanes,
                                              view.strides[view.rank - 1], step, false},
                                             to);
  std::fill_n(to + count * lanes, kLanes, 0.0);
}

// to[j, i] = number first + i of row row + j, zeros up to row kLanes and behind it.
void LoadRows(const Bindings& bindings, const TensorView& view, int64_t row, int64_t rows,
              int64_t first, int64_t count, double* to) {
  blocks::Loader(Element::kFp64, view.dtype)(
      {AddressOf(bindings, view, row, first), rows, count, view.strides[view.rank - 2],
       view.strides[view.rank - 1], false},
      to);
  std::fill_n(to + rows * count, (kLanes - rows) * count + kLanes, 0.0);
}

enum class Pairs {
  kAll,     // each row of x1 with each row of x2
  kWithin,  // each row with all behind it: out has one dimension
  kGiven,   // row j of x1 with row j of x2
};

class PairsPlan final : public Plan {
 public:
  PairsPlan(const TensorView& x1, const TensorView& x2, const TensorView& out, double p,
            Pairs pairs)
      : x1_(x1), x2_(x2), out_(out), p_(p), norm_(NormOf(p)), pairs_(pairs) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t step = norm_ ? kRows : kRows / 16, blocks = CeilDivide(rows_, step);
    const int64_t tiles = CeilDivide(others_, kLanes);
    const int64_t batch = pairs_ == Pairs::kWithin ? 1 : out_.elements() / (rows_ * others_);
    const int64_t work = std::min(rows_, step) * std::min(others_, kLanes) * columns_;
    ParallelFor(batch * blocks * tiles, GrainOf(work), [&](int64_t begin, int64_t end) {
      const auto scratch = std::make_unique_for_overwrite<Scratch>();
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t first = unit / tiles % blocks * step, other = unit % tiles * kLanes;
        Compute(bindings, unit / tiles / blocks, first, std::min(step, rows_ - first), other,
                std::min(kLanes, others_ - other), scratch.get());
      }
    });
    return {};
  }

 private:
  struct Scratch {
    double a[kRows * kBlock];  // no fewer than b has
    double b[(kBlock + 1) * kLanes];
    double sums[kRows * kLanes];
  };

  void Compute(const Bindings& bindings, int64_t batch, int64_t first, int64_t rows, int64_t other,
               int64_t lanes, Scratch* s) const {
    // Of whose pairs all are those of the other order.
    if (pairs_ == Pairs::kWithin && first >= other + lanes - 1) return;
    const KernelSet& kernels = Kernels().distance;
    const bool given = pairs_ == Pairs::kGiven;
    const int dim = x1_.rank - 2;
    std::fill_n(s->sums, rows * kLanes, 0.0);
    for (int64_t m = 0; m < columns_; m += kBlock) {
      const int64_t count = std::min(kBlock, columns_ - m);
      if (given) {
        LoadRows(bindings, x1_, other, lanes, m, count, s->a);
        LoadRows(bindings, x2_, other, lanes, m, count, s->b);
      } else {
        blocks::Loader(Element::kFp64, x1_.dtype)(
            {AddressOf(bindings, x1_, batch * rows_ + first, m), rows, count, x1_.strides[dim],
             x1_.strides[dim + 1], false},
            s->a);
        LoadLanes(bindings, x2_, batch * others_ + other, x2_.strides[dim], lanes, m, count, s->b);
      }
      const SumArgs args = {s->a, count, s->b, rows, count, lanes, s->sums};
      if (norm_) {
        (given ? kernels.add_pairs : kernels.add)[*norm_](args);
      } else {
        AddPowers(args, given, p_);
      }
    }
    if (norm_ == kSquares) kernels.root(s->sums, rows * kLanes);
    const auto store = blocks::Storer(Element::kFp64, out_.dtype);
    for (int64_t r = 0; r < rows; ++r) {
      double* const sums = s->sums + r * kLanes;
      for (int64_t j = 0; j < lanes && !norm_; ++j) sums[j] = std::pow(sums[j], 1 / p_);
      const int64_t row = first + r;
      // Before a row's pairs are those of the rows before it, each with all rows behind it.
      const bool within = pairs_ == Pairs::kWithin;
      const int64_t skipped = within ? std::max<int64_t>(0, row + 1 - other) : 0;
      if (skipped >= lanes) break;
      const int64_t at = other + skipped;
      char* const to =
          within ? AddressOf(bindings, out_, 0, row * (2 * rows_ - row - 1) / 2 + at - row - 1)
                 : AddressOf(bindings, out_, batch * rows_ + row, at);
      store(sums + skipped, {to, 1, lanes - skipped, 0, out_.strides[out_.rank - 1], false});
    }
  }

  const TensorView x1_, x2_, out_;
  const double p_;
  const std::optional<Norm> norm_;
  const Pairs pairs_;
  const int64_t rows_ = pairs_ == Pairs::kGiven ? 1 : x1_.sizes[x1_.rank - 2];
  const int64_t others_ = x2_.sizes[x2_.rank - 2];
  const int64_t columns_ = x2_.sizes[x2_.rank - 1];
};

// Of views [.., P, R, M] but out, [.., P, M]: kBlock of M side by side, one of R after the other.
class GradientPlan final : public Plan {
 public:
  GradientPlan(const TensorView& grad, const TensorView& x1, const TensorView& x2,
               const TensorView& norms, const TensorView& out, double p)
      : grad_(grad), x1_(x1), x2_(x2), norms_(norms), out_(out), p_(p), norm_(NormOf(p)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t tiles = CeilDivide(rows_, step_), blocks = CeilDivide(columns_, kBlock);
    const int64_t work = std::min(rows_, step_) * std::min(columns_, kBlock) * others_;
    ParallelFor(out_.elements() / (rows_ * columns_) * tiles * blocks, GrainOf(work),
                [&](int64_t begin, int64_t end) {
                  const auto scratch = std::make_unique_for_overwrite<Scratch>();
                  for (int64_t unit = begin; unit < end; ++unit) {
                    const int64_t row = unit / blocks % tiles * step_;
                    Compute(bindings, unit / blocks / tiles * rows_ + row,
                            std::min(step_, rows_ - row), unit % blocks * kBlock, scratch.get());
                  }
                });
    return {};
  }

 private:
  using Numbers = double[kOthers * kBlock + kLanes];
  struct alignas(64) Scratch {
    Numbers a, b, g, norm;
    double sums[kSlopeRows][kBlock + kLanes];
  };

  void Compute(const Bindings& bindings, int64_t row, int64_t rows, int64_t first,
               Scratch* s) const {
    const int64_t lanes = std::min(kBlock, columns_ - first);
    const auto loader = [&](const TensorView& view) {
      // Without other rows there is no place of one.
      return [&view, data = others_ > 0 ? AddressOf(bindings, view, row * others_, first) : nullptr,
              load = blocks::Loader(Element::kFp64, view.dtype)](
                 int64_t r, int64_t k, int64_t count, int64_t numbers, double* to) {
        const int64_t* const strides = &view.strides[view.rank - 3];
        load({data + (r * strides[0] + k * strides[1]) * blocks::BytesOf(view.dtype), count,
              numbers, strides[1], strides[2], false},
             to);
        std::fill_n(to + count * numbers, kLanes, 0.0);
      };
    };
    const auto load_a = loader(x1_), load_b = loader(x2_), load_g = loader(grad_),
               load_norm = loader(norms_);
    std::fill_n(s->sums[0], rows * std::size(s->sums[0]), 0.0);
    for (int64_t k = 0; k < others_; k += kOthers) {
      const int64_t count = std::min(kOthers, others_ - k), pairs = each_ ? lanes : 1;
      load_b(0, k, count, lanes, s->b);
      for (int64_t r = 0; r < rows; ++r) {
        load_a(r, k, x1_is_one_ ? 1 : count, lanes, s->a);
        load_g(r, k, count, pairs, s->g);
        load_norm(r, k, count, pairs, s->norm);
        SlopeArgs args = {
            s->a,      x1_is_one_ ? 0 : lanes, s->b, lanes, s->g, s->norm, each_, count, lanes,
            s->sums[r]};
        if (norm_ == kLargest) Round(&args, s->a);
        if (norm_) {
          Kernels().distance.add_slopes[*norm_](args);
        } else {
          AddPowerSlopes(args, p_);
        }
      }
    }
    const auto store = blocks::Storer(Element::kFp64, out_.dtype);
    for (int64_t r = 0; r < rows; ++r) {
      store(s->sums[r], {AddressOf(bindings, out_, row + r, first), 1, lanes, 0,
                         out_.strides[out_.rank - 1], false});
    }
  }

  // Differences as the norm was rounded, so that the largest one is recognised.
  void Round(SlopeArgs* args, double* d) const {
    static constexpr double kZeros[kBlock + kLanes] = {};
    alignas(8) char rounded[sizeof(Numbers)];
    for (int64_t i = args->count - 1; i >= 0; --i) {  // d may be a's only row
      for (int64_t j = 0; j < args->lanes; ++j) {
        d[i * args->lanes + j] = args->a[i * args->a_step + j] - args->b[i * args->b_step + j];
      }
    }
    blocks::StoreRow(d, args->count * args->lanes, norms_.dtype, rounded, 1);
    blocks::LoadRow(norms_.dtype, rounded, 1, args->count * args->lanes, d);
    args->a = d;
    args->a_step = args->lanes;
    args->b = kZeros;
    args->b_step = 0;
  }

  const TensorView grad_, x1_, x2_, norms_, out_;
  const double p_;
  const std::optional<Norm> norm_;
  const int64_t rows_ = out_.sizes[out_.rank - 2];
  const int64_t others_ = x1_.sizes[x1_.rank - 2];
  const int64_t columns_ = out_.sizes[out_.rank - 1];
  // All rows have the same others; a row is one, its pairs' gradients and norms are.
  const int64_t step_ = x2_.strides[x2_.rank - 3] == 0 ? kSlopeRows : 1;
  const bool x1_is_one_ = x1_.strides[x1_.rank - 2] == 0;
  const bool each_ = grad_.strides[grad_.rank - 1] != 0 || norms_.strides[norms_.rank - 1] != 0;
};

Status ReadPower(const Operands& operands, bool below, double* p) {
  *p = operands.Real(kP);
  if (below && *p == -1) *p = INFINITY;
  if (*p >= 0) return {};
  return Fail(operands.spec().codes.shape, "p = {}, expected 0 or more", *p);
}

// Any of the dimensions but the last one has none.
bool HasNoRows(const Dims& shape) {
  return std::find(shape.begin(), shape.end() - 1, 0) != shape.end() - 1;
}

}  // namespace

Status PreparePdist(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  double p = 0;
  if (Status s = ReadPower(operands, false, &p); !s.ok()) return s;
  const int64_t rows = operands[kSelf].shape()[0];
  if (Status s = CheckShapeIs(operands, kOut,
                              {rows < 2        ? 0
                               : rows % 2 == 0 ? rows / 2 * (rows - 1)
                                               : (rows - 1) / 2 * rows});
      !s.ok()) {
    return s;
  }
  if (operands[kOut].IsEmpty()) return {};
  const TensorView self = ViewOf(operands, kSelf);
  call->plan = std::make_shared<PairsPlan>(self, self, ViewOf(operands, kOut), p, Pairs::kWithin);
  return {};
}

Status PrepareDistances(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  double p = 0;
  if (Status s = ReadPower(operands, false, &p); !s.ok()) return s;
  if (std::fabs(p - 2) < 1e-6 && operands.Int(kMode) != 2) {
    return Fail(code, "compute_mode = {}, expected 2 as p = 2", operands.Int(kMode));
  }
  const Dims &a = operands[kSelf].shape(), &b = operands[kOther].shape();
  // As on devices, which then do not look whether the shapes fit.
  if (HasNoRows(a) || HasNoRows(b)) return {};
  const std::optional<Dims> batch =
      BroadcastShape(Dims(a.begin(), a.rank() - 2), Dims(b.begin(), b.rank() - 2));
  if (!batch) {
    return Fail(code, "x1.shape = {} and x2.shape = {}, expected leading sizes that broadcast",
                a.ToString(), b.ToString());
  }
  Dims first = *batch, second = *batch, out = *batch;
  const int64_t rows = operands.Size("P"), others = operands.Size("R");
  for (int64_t size : {rows, a.back()}) first.push_back(size);
  for (int64_t size : {others, a.back()}) second.push_back(size);
  for (int64_t size : {rows, others}) out.push_back(size);
  if (Status s = CheckShapeIs(operands, kOut, out); !s.ok()) return s;
  const auto spread = [&](int id, const Dims& shape) {
    return *Broadcast(ViewOf(operands, id), {shape.begin(), shape.rank()});
  };
  TensorView x1 = spread(kSelf, first), x2 = spread(kOther, second);
  TensorView distances = ViewOf(operands, kOut);
  if (others < kLanes && rows > others) {  // of which lanes are better filled
    std::swap(x1, x2);
    const int last = distances.rank - 1;
    std::swap(distances.sizes[last], distances.sizes[last - 1]);
    std::swap(distances.strides[last], distances.strides[last - 1]);
  }
  call->plan = std::make_shared<PairsPlan>(x1, x2, distances, p, Pairs::kAll);
  return {};
}

Status PrepareDistancesGradient(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  double p = 0;
  if (Status s = ReadPower(operands, true, &p); !s.ok()) return s;
  const Dims &grad = operands[kGrad].shape(), &other = operands[kOther].shape();
  const Dims batch(grad.begin(), grad.rank() - 2);
  if (BroadcastShape(batch, Dims(other.begin(), other.rank() - 2)) != batch) {
    return Fail(operands.spec().codes.shape,
                "x2.shape = {}, expected leading sizes that broadcast to those of grad.shape = {}",
                other.ToString(), grad.ToString());
  }
  if (operands[kOut].IsEmpty()) return {};
  Dims pairs = grad;
  pairs.push_back(operands.Size("M"));
  // With a dimension for the other input's rows, or of the numbers of a row.
  const auto spread = [&](int id, int from_end) {
    const TensorView view = ViewOf(operands, id);
    return *Broadcast(WithDim(view, view.rank - from_end), {pairs.begin(), pairs.rank()});
  };
  call->plan = std::make_shared<GradientPlan>(spread(kGrad, 0), spread(kSelf, 1), spread(kOther, 2),
                                              spread(kDistance, 0), ViewOf(operands, kOut), p);
  return {};
}

Status PrepareCdist(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  double p = 0;
  if (Status s = ReadPower(operands, true, &p); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  // Dense, as tensors of calls by name are: the pairs of all rows in one go.
  const int64_t pairs = ViewOf(operands, kOut).elements(), size = operands[kSelf].shape().back();
  const auto rows = [&](int id) { return Reshaped(ViewOf(operands, id), {pairs, size}); };
  call->plan = std::make_shared<PairsPlan>(
      rows(kSelf), rows(kOther), Reshaped(ViewOf(operands, kOut), {1, pairs}), p, Pairs::kGiven);
  return {};
}

Status PrepareCdistGradient(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  double p = 0;
  if (Status s = ReadPower(operands, true, &p); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<GradientPlan>(ViewOf(operands, kGrad), ViewOf(operands, kSelf),
                                              ViewOf(operands, kOther), ViewOf(operands, kDistance),
                                              ViewOf(operands, kOut), p);
  return {};
}

}  // namespace anyacl::distance
