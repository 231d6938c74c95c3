// SPDX-License-Identifier: Apache-2.0
// RmsNorm, AddRmsNorm and LayerNorm.
#include <cmath>

#include "nnop/workspace.h"
#include "ops/rowwise/operators.h"
#include "ops/rowwise/rows.h"

namespace anyacl::rowwise {
namespace {

// The parts of a call.
enum : int { kPartX, kPartX2, kPartOut, kPartSum, kPartMean, kPartRstd };

// Columns that all rows share, as fp32: in the tensor itself or a copy of it.
class Columns {
 public:
  Columns(const TensorView& view, WorkspaceBook& book) {
    if (!view.given()) return;
    rows_.emplace(std::vector<Part>{RowsOf(view, view.rank)});
    if (!InPlace(view)) copy_ = book.Book<float>(static_cast<size_t>(rows_->n()));
  }

  // Null if there are none.
  const float* In(const Bindings& bindings) const {
    if (!rows_) return nullptr;
    const int64_t none[1] = {0};
    float* copy = copy_ ? copy_->In(bindings) : nullptr;
    return rows_->Read(bindings, 0, Group{1, none}, 0, rows_->n(), copy);
  }

 private:
  static bool InPlace(const TensorView& view) {
    return view.dtype == ACL_FLOAT && view.IsContiguous();
  }

  std::optional<Rows> rows_;
  std::optional<WorkspaceSlot<float>> copy_;
};

struct NormProblem {
  std::vector<Part> parts;
  TensorView gamma, beta;
  double eps = 0;
  bool centres = false;  // LayerNorm
};

class NormPlan final : public BookedPlan {
 public:
  explicit NormPlan(const NormProblem& problem)
      : rows_(problem.parts),
        gamma_(problem.gamma, book_),
        beta_(problem.beta, book_),
        out_dtype_(problem.parts[kPartOut].kept.dtype),
        eps_(problem.eps),
        centres_(problem.centres) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const float* gamma = gamma_.In(bindings);
    const float* beta = beta_.In(bindings);
    rows_.ForGroups([&](const Group& group) { OneGroup(bindings, group, gamma, beta); });
    return {};
  }

 private:
  struct Buffers {
    alignas(64) float x[kPiece];
    alignas(64) float x2[kPiece];
    alignas(64) float out[kPiece];
  };

  // The data to normalise; of AddRmsNorm the sum, rounded to its type as xOut holds it.
  const float* ReadX(const Bindings& bindings, const Group& group, int64_t at, int64_t count,
                     Buffers& b) const {
    const float* x = rows_.Read(bindings, kPartX, group, at, count, b.x);
    if (!rows_.Given(kPartX2)) return x;
    const float* x2 = rows_.Read(bindings, kPartX2, group, at, count, b.x2);
    const int64_t n = group.rows * count;
    Kernels().rowwise.add(x, x2, n, b.x);
    if (out_dtype_ == ACL_FLOAT) return b.x;
    alignas(64) uint16_t rounded[kPiece];
    const blocks::Element element = *blocks::ElementOf(out_dtype_);
    const blocks::Tile tile = {reinterpret_cast<char*>(rounded), 1, n, n, 1, false};
    blocks::Storer(blocks::Number::kFp32, element)(b.x, tile);
    blocks::Loader(blocks::Number::kFp32, element)(tile, b.x);
    return b.x;
  }

  // `moments(centre)` sums over the row.
  template <class MomentsOf>
  Norm NormOf(const Bindings& bindings, const Group& group, int64_t row,
              const MomentsOf& moments) const {
    const auto n = static_cast<double>(rows_.n());
    Norm norm = {};
    double mean_square = 0;
    if (centres_) {
      const double mean = moments(0.0f).sum / n;
      norm.mean = static_cast<float>(mean);
      // The deviations' own mean is taken out again, so that rounding the mean costs nothing.
      const Moments about = moments(norm.mean);
      const double off = about.sum / n;
      norm.residual = static_cast<float>(off);
      mean_square = about.squares / n - off * off;
      rows_.WriteNumber(bindings, kPartMean, group, row, static_cast<double>(norm.mean) + off);
    } else {
      mean_square = moments(0.0f).squares / n;
    }
    const double rstd = 1 / std::sqrt(mean_square + eps_);
    norm.rstd = static_cast<float>(rstd);
    rows_.WriteNumber(bindings, kPartRstd, group, row, rstd);
    return norm;
  }

  void OneGroup(const Bindings& bindings, const Group& group, const float* gamma,
                const float* beta) const {
    const KernelSet& k = Kernels().rowwise;
    Buffers b;
    const int64_t n = rows_.n();
    if (rows_.short_rows()) {
      const float* x = ReadX(bindings, group, 0, n, b);
      if (rows_.Given(kPartSum)) rows_.Write(bindings, kPartSum, group, 0, n, x);
      for (int64_t r = 0; r < group.rows; ++r) {
        const float* row = x + r * n;
        Norm norm = NormOf(bindings, group, r, [&](float c) { return k.moments(row, n, c); });
        norm.gamma = gamma;
        norm.beta = beta;
        k.normalize(row, n, norm, b.out + r * n);
      }
      return rows_.Write(bindings, kPartOut, group, 0, n, b.out);
    }
    Norm norm = NormOf(bindings, group, 0, [&](float c) {
      Moments sum = {};
      for (int64_t at = 0; at < n; at += kPiece) {
        const int64_t count = std::min(kPiece, n - at);
        const Moments part = k.moments(ReadX(bindings, group, at, count, b), count, c);
        sum.sum += part.sum;
        sum.squares += part.squares;
      }
      return sum;
    });
    for (int64_t at = 0; at < n; at += kPiece) {
      const int64_t count = std::min(kPiece, n - at);
      const float* x = ReadX(bindings, group, at, count, b);
      norm.gamma = gamma != nullptr ? gamma + at : nullptr;
      norm.beta = beta != nullptr ? beta + at : nullptr;
      k.normalize(x, count, norm, b.out);
      // Last: xOut may be x1, and yOut x2.
      if (rows_.Given(kPartSum)) rows_.Write(bindings, kPartSum, group, at, count, x);
      rows_.Write(bindings, kPartOut, group, at, count, b.out);
    }
  }

  const Rows rows_;
  const Columns gamma_, beta_;
  const aclDataType out_dtype_;
  const double eps_;
  const bool centres_;
};

Dims WithoutOnes(const int64_t* sizes, size_t rank) {
  Dims dims;
  for (size_t i = 0; i < rank; ++i) {
    if (sizes[i] != 1) dims.push_back(sizes[i]);
  }
  return dims;
}

// One number per row, whatever dimensions of size 1 stand where: clients leave them out.
Status CheckPerRow(const Operands& operands, int id, size_t row_rank) {
  if (!operands.Given(id)) return {};
  const Dims& x = operands[kX].shape();
  const Dims& shape = operands[id].shape();
  const size_t kept = x.rank() - row_rank;
  const Dims expected = WithoutOnes(x.begin(), kept);
  if (WithoutOnes(shape.begin(), shape.rank()) == expected) return {};
  Dims whole(x.begin(), kept);
  for (size_t i = 0; i < row_rank; ++i) whole.push_back(1);
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {} as {}.shape = {}",
              operands.NameOf(id), shape.ToString(), whole.ToString(), operands.NameOf(kX),
              x.ToString());
}

// That `row` is the last dimensions of x.
Status CheckRow(const Operands& operands, const char* name, const Dims& row) {
  const Dims& x = operands[kX].shape();
  const bool fits = row.rank() >= 1 && row.rank() <= x.rank() &&
                    std::equal(row.begin(), row.end(), x.end() - row.rank());
  if (fits) return {};
  return Fail(operands.spec().codes.shape, "{} = {}, expected the last sizes of {}.shape = {}",
              name, row.ToString(), operands.NameOf(kX), x.ToString());
}

Status Make(Operands& operands, PreparedCall* call, size_t row_rank, bool centres) {
  for (int id : {kMean, kRstd}) {
    if (id == kMean && !centres) continue;
    if (Status s = CheckPerRow(operands, id, row_rank); !s.ok()) return s;
  }
  const double eps = operands.Real(kEps);
  if (!(eps >= 0)) {
    return Fail(operands.spec().codes.shape, "{} = {}, expected 0 or more", operands.NameOf(kEps),
                eps);
  }
  NormProblem problem;
  problem.eps = eps;
  problem.centres = centres;
  const auto view = [&](int id) {
    return operands.SlotIndex(id) >= 0 ? ViewOf(operands, id) : TensorView();
  };
  const TensorView x = view(kX);
  const auto rank = static_cast<int>(row_rank);
  const TensorView kept = RowsOf(x, rank).kept;
  problem.parts = {RowsOf(x, rank),           RowsOf(view(kX2), rank),
                   RowsOf(view(kOut), rank),  RowsOf(view(kSumOut), rank),
                   PerRow(view(kMean), kept), PerRow(view(kRstd), kept)};
  problem.gamma = view(kGamma);
  problem.beta = view(kBeta);
  if (kept.elements() > 0) call->plan = std::make_shared<NormPlan>(problem);
  return {};
}

}  // namespace

Status PrepareRmsNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims gamma = operands[kGamma].shape();
  if (Status s = CheckRow(operands, "gamma.shape", gamma); !s.ok()) return s;
  return Make(operands, call, gamma.rank(), false);
}

Status PrepareAddRmsNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands.Given(kRstd) && !operands.Given(kSumOut)) {
    return Fail(operands.spec().codes.null, "xOut is null, expected a tensor as rstdOut is given");
  }
  Dims gamma = operands[kGamma].shape();
  // A gamma of shape [1, row] has one dimension of rows too many.
  const Dims& x = operands[kX].shape();
  if (gamma.rank() == 2 && gamma[0] == 1 && x.rank() >= 1 && gamma[1] == x.back()) {
    gamma = Dims{gamma[1]};
  }
  if (Status s = CheckRow(operands, "gamma.shape", gamma); !s.ok()) return s;
  return Make(operands, call, gamma.rank(), false);
}

Status PrepareLayerNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const auto sizes = operands.Ints(kNormalizedShape);
  if (sizes.size() > TensorView::kMaxRank) {
    return Fail(operands.spec().codes.shape, "normalizedShape has {} sizes, expected at most {}",
                sizes.size(), TensorView::kMaxRank);
  }
  const Dims row(sizes.data(), sizes.size());
  if (Status s = CheckRow(operands, "normalizedShape", row); !s.ok()) return s;
  for (int id : {kGamma, kBeta}) {
    if (!operands.Given(id) || operands[id].shape() == row) continue;
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {} as normalizedShape",
                operands.NameOf(id), operands[id].shape().ToString(), row.ToString());
  }
  return Make(operands, call, row.rank(), true);
}

}  // namespace anyacl::rowwise
