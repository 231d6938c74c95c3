// SPDX-License-Identifier: Apache-2.0
// Distances of rows. A row is read into fp32 numbers, which hold every type.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/half.h"
#include "nnop/operands.h"
#include "nnop/view.h"
#include "ops/blocks/blocks.h"
#include "ops/distance/norm.h"
#include "ops/distance/operators.h"
#include "runtime/parallel.h"

namespace anyacl::distance {
namespace {

// Numbers of row `index` of all rows along the last dimension; of the last dimension alone of
// views with one.
blocks::Tile RowTile(const Bindings& bindings, const TensorView& view, int64_t index) {
  const int last = view.rank - 1;
  int64_t at = 0;
  for (int i = last - 1; i >= 0; index /= view.sizes[i--]) {
    at += index % view.sizes[i] * view.strides[i];
  }
  return {view.Address(bindings) + at * blocks::BytesOf(view.dtype),
          1,
          view.sizes[last],
          0,
          view.strides[last],
          false};
}

void Read(const Bindings& bindings, const TensorView& view, int64_t row, std::vector<float>* to) {
  to->resize(static_cast<size_t>(view.sizes[view.rank - 1]));
  blocks::Loader(Element::kFp32, view.dtype)(RowTile(bindings, view, row), to->data());
}

// One number of a view, counted in row-major order.
void Store(const Bindings& bindings, const TensorView& view, int64_t index, double value) {
  blocks::StoreOne(value, view.dtype,
                   view.Address(bindings) + view.OffsetOf(index) * BytesOf(view));
}

// Rows that amount to a few microseconds.
int64_t GrainOf(int64_t columns) { return std::max<int64_t>(1, 4096 / (columns + 1)); }

class PairsPlan final : public Plan {
 public:
  // Each of `rows` rows of x1 with each of `others` rows of x2; both are 1 where the inputs have a
  // row for each pair.
  PairsPlan(const TensorView& x1, const TensorView& x2, const TensorView& out, double p,
            int64_t rows = 1, int64_t others = 1)
      : x1_(x1), x2_(x2), out_(out), p_(p), rows_(rows), others_(others) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t columns = x1_.sizes[x1_.rank - 1];
    ParallelFor(out_.elements(), GrainOf(columns), [&](int64_t begin, int64_t end) {
      std::vector<float> a, b;
      for (int64_t pair = begin; pair < end; ++pair) {
        if (pair == begin || pair % others_ == 0) Read(bindings, x1_, pair / others_, &a);
        Read(bindings, x2_, pair / others_ / rows_ * others_ + pair % others_, &b);
        Store(bindings, out_, pair, NormOf(a.data(), b.data(), columns, p_));
      }
    });
    return {};
  }

 private:
  const TensorView x1_, x2_, out_;
  const double p_;
  const int64_t rows_, others_;
};

class WithinPlan final : public Plan {
 public:
  WithinPlan(const TensorView& x, const TensorView& out, double p) : x_(x), out_(out), p_(p) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t rows = x_.sizes[0], columns = x_.sizes[1];
    ParallelFor(rows - 1, 1, [&](int64_t begin, int64_t end) {
      std::vector<float> a, b;
      for (int64_t i = begin; i < end; ++i) {
        Read(bindings, x_, i, &a);
        // Before this row's pairs are those of i rows, each with all rows behind it.
        const int64_t first = i * (2 * rows - i - 1) / 2;
        for (int64_t j = i + 1; j < rows; ++j) {
          Read(bindings, x_, j, &b);
          Store(bindings, out_, first + j - i - 1, NormOf(a.data(), b.data(), columns, p_));
        }
      }
    });
    return {};
  }

 private:
  const TensorView x_, out_;
  const double p_;
};

class GradientPlan final : public Plan {
 public:
  GradientPlan(const TensorView& grad, const TensorView& x1, const TensorView& x2,
               const TensorView& norms, const TensorView& out, double p)
      : grad_(grad), x1_(x1), x2_(x2), norms_(norms), out_(out), p_(p) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t columns = out_.sizes[out_.rank - 1], pairs = x1_.sizes[x1_.rank - 2];
    const auto store = blocks::Storer(Element::kFp64, out_.dtype);
    ParallelFor(out_.elements() / columns, GrainOf(columns * pairs),
                [&](int64_t begin, int64_t end) {
                  std::vector<float> g, a, b, norm;
                  std::vector<double> sums;
                  for (int64_t row = begin; row < end; ++row) {
                    sums.assign(static_cast<size_t>(columns), 0);
                    for (int64_t k = 0; k < pairs; ++k) {
                      const int64_t pair = row * pairs + k;
                      Read(bindings, grad_, pair, &g);
                      Read(bindings, x1_, pair, &a);
                      Read(bindings, x2_, pair, &b);
                      Read(bindings, norms_, pair, &norm);
                      for (size_t i = 0; i < sums.size(); ++i) {
                        const double difference =
                            Rounded(static_cast<double>(a[i]) - static_cast<double>(b[i]));
                        sums[i] += static_cast<double>(g[i]) *
                                   SlopeOf(difference, static_cast<double>(norm[i]), p_);
                      }
                    }
                    store(sums.data(), RowTile(bindings, out_, row));
                  }
                });
    return {};
  }

 private:
  // As the norm was, so that the largest difference is recognised.
  double Rounded(double difference) const {
    if (!std::isinf(p_)) return difference;
    if (norms_.dtype == ACL_FLOAT) return static_cast<double>(static_cast<float>(difference));
    if (norms_.dtype == ACL_BF16) {
      return static_cast<double>(FloatFromBf16(Bf16FromDouble(difference)));
    }
    return static_cast<double>(FloatFromFp16(Fp16FromDouble(difference)));
  }

  const TensorView grad_, x1_, x2_, norms_, out_;
  const double p_;
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
  call->plan = std::make_shared<WithinPlan>(ViewOf(operands, kSelf), ViewOf(operands, kOut), p);
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
  call->plan = std::make_shared<PairsPlan>(spread(kSelf, first), spread(kOther, second),
                                           ViewOf(operands, kOut), p, rows, others);
  return {};
}

Status PrepareDistancesGradient(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  double p = 0;
  if (Status s = ReadPower(operands, true, &p); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Dims pairs = operands[kGrad].shape();
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
  call->plan = std::make_shared<PairsPlan>(ViewOf(operands, kSelf), ViewOf(operands, kOther),
                                           ViewOf(operands, kOut), p);
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
