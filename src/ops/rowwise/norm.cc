// SPDX-License-Identifier: Apache-2.0
// RmsNorm, GemmaRmsNorm, AddRmsNorm, also in place, and LayerNorm.
#include <cmath>

#include "ops/rowwise/columns.h"
#include "ops/rowwise/operators.h"
#include "ops/rowwise/row_checks.h"
#include "ops/rowwise/two_passes.h"
#include "ops/steps.h"

namespace anyacl::rowwise {
namespace {

// The parts of a call.
enum : int { kPartX, kPartX2, kPartOut, kPartSum, kPartMean, kPartRstd };

struct NormProblem {
  std::vector<Part> parts;
  TensorView gamma, beta;
  double eps = 0;
  bool centres = false;   // LayerNorm
  float gamma_added = 0;  // GemmaRmsNorm's gamma lacks 1
};

// Pieces of a layer norm are centred on their mean in fp32; what they give is moved to the centre
// of the first one, in double, and the rest of the mean is taken out again. Rms norms are centred
// on 0.
class NormWork {
 public:
  using Number = float;
  struct Part {
    float centre;
    Moments about;
  };
  using Total = Norm;
  struct Buffers {
    alignas(64) float x_in[kBuffer];
    alignas(64) float x2_in[kBuffer];
    alignas(64) float out[kBuffer];
    const void* x;
  };
  static constexpr int64_t kKept = 0;

  NormWork(const Rows& rows, const Bindings& bindings, const NormProblem& problem,
           const Norm& columns)
      : rows_(rows), bindings_(bindings), k_(rows.kernels()), p_(problem), columns_(columns) {}

  void Fold(const Piece<float>& piece, Buffers& b, Part* parts) const {
    ReadX(piece, b);
    const int64_t n = piece.count;
    const auto row = [&](int64_t r) { return rows_.RowAt<float>(b.x, r, n); };
    for (int64_t r = 0; r < piece.group.rows; ++r) parts[r].centre = CentreOf(row(r), n);
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      parts[r].about = k_.moments(row(r), n, parts[r].centre);
    }
  }

  Total Join(const Group& group, int64_t row, const Part* parts, int64_t pieces) const {
    const auto n = static_cast<double>(rows_.n());
    const auto centre = static_cast<double>(parts[0].centre);
    Moments sum = {0, 0};
    for (int64_t p = 0; p < pieces; ++p) {
      const auto count = static_cast<double>(std::min(kPiece, rows_.n() - p * kPiece));
      const double off = static_cast<double>(parts[p].centre) - centre;
      sum.sum += parts[p].about.sum + count * off;
      sum.squares += parts[p].about.squares + off * (2 * parts[p].about.sum + count * off);
    }
    Norm norm = columns_;
    double mean_square = sum.squares / n;
    if (p_.centres) {
      const double off = sum.sum / n;
      // The centre of a lone piece is near enough to its mean.
      norm.mean = static_cast<float>(pieces > 1 ? centre + off : centre);
      // What it leaves of the mean, so that rounding that costs nothing.
      norm.residual = static_cast<float>(centre - static_cast<double>(norm.mean) + off);
      mean_square -= off * off;
      rows_.WriteNumber(bindings_, kPartMean, group, row, centre + off);
    }
    const double rstd = 1 / std::sqrt(mean_square + p_.eps);
    norm.rstd = static_cast<float>(rstd);
    rows_.WriteNumber(bindings_, kPartRstd, group, row, rstd);
    return norm;
  }

  void Write(const Piece<float>& piece, Buffers& b, const Part*, const Total* totals) const {
    if (!piece.is_read) ReadX(piece, b);
    const int64_t n = piece.count;
    if (rows_.Given(kPartSum)) {
      rows_.Copy(bindings_, kPartSum, piece.group, piece.begin, n, b.x);
    }
    const Target out = rows_.To(bindings_, kPartOut, piece.group, piece.begin, b.out);
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      Norm norm = totals[r];
      norm.gamma = ColumnsFrom(norm.gamma, piece.begin, norm.wide, rows_.type());
      norm.beta = ColumnsFrom(norm.beta, piece.begin, norm.wide, rows_.type());
      k_.normalize(rows_.RowAt<float>(b.x, r, n), n, norm, rows_.RowAt<float>(out, r, n));
    }
    rows_.Written(bindings_, kPartOut, piece.group, piece.begin, n, b.out);
  }

 private:
  float CentreOf(const void* x, int64_t n) const {
    if (!p_.centres) return 0.0f;
    return static_cast<float>(k_.sum(x, n) / static_cast<double>(n));
  }

  // The data to normalise; of AddRmsNorm the sum, rounded to its type as xOut holds it.
  void ReadX(const Piece<float>& piece, Buffers& b) const {
    const auto read = [&](int part, float* buffer) {
      return rows_.Read(bindings_, part, piece.group, piece.begin, piece.count, buffer);
    };
    b.x = read(kPartX, b.x_in);
    if (!rows_.Given(kPartX2)) return;
    const int64_t n = piece.group.rows * piece.count;
    k_.add(b.x, read(kPartX2, b.x2_in), n, {b.x_in, false});
    b.x = b.x_in;
    const aclDataType dtype = p_.parts[kPartOut].kept.dtype;
    if (rows_.direct() || dtype == ACL_FLOAT) return;
    alignas(64) uint16_t rounded[kBuffer];
    const blocks::Tile tile = {reinterpret_cast<char*>(rounded), 1, n, n, 1, false};
    blocks::Storer(Element::kFp32, dtype)(b.x_in, tile);
    blocks::Loader(Element::kFp32, dtype)(tile, b.x_in);
  }

  const Rows& rows_;
  const Bindings& bindings_;
  const RowKernels& k_;
  const NormProblem& p_;
  const Norm& columns_;
};

class NormPlan final : public BookedPlan {
 public:
  explicit NormPlan(const NormProblem& problem)
      : p_(problem),
        rows_(problem.parts, {.in_groups = true}),
        wide_(p_.gamma_added != 0 || !Columns::AreOf(rows_, p_.gamma) ||
              !Columns::AreOf(rows_, p_.beta)),
        gamma_(p_.gamma, wide_, book_, p_.gamma_added),
        beta_(p_.beta, wide_, book_),
        passes_(rows_, book_) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Norm columns = {0, 0, 0, gamma_.In(bindings), beta_.In(bindings), wide_};
    passes_.Run(bindings, NormWork(rows_, bindings, p_, columns));
    return {};
  }

 private:
  const NormProblem p_;
  const Rows rows_;
  const bool wide_;
  const Columns gamma_, beta_;
  const TwoPasses<NormWork> passes_;
};

Status Make(Operands& operands, PreparedCall* call, size_t row_rank, bool centres,
            float gamma_added = 0) {
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
  problem.gamma_added = gamma_added;
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

template <int kGammaAdded>
Status PrepareRmsNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims gamma = operands[kGamma].shape();
  if (Status s = CheckRow(operands, "gamma.shape", gamma); !s.ok()) return s;
  return Make(operands, call, gamma.rank(), false, kGammaAdded);
}
template Status PrepareRmsNorm<0>(Operands&, PreparedCall*);
template Status PrepareRmsNorm<1>(Operands&, PreparedCall*);

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

Status PrepareInplaceAddRmsNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const InnerTensor norm = TensorOf(operands, kX), sum = TensorOf(operands, kX2);
  Steps steps(operands);
  const Status s =
      steps.Call("aclnnAddRmsNorm", {norm, sum, TensorOf(operands, kGamma), operands.Real(kEps),
                                     norm, TensorOf(operands, kRstd), sum});
  if (!s.ok()) return s;
  return steps.Finish(call);
}

Status PrepareLayerNorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands.HasRow(kImplMode) && operands.Int(kImplMode) == 2) {
    for (int id : {kX, kGamma, kBeta}) {
      if (!operands.Given(id) || operands[id].dtype() == ACL_FLOAT16) continue;
      return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected FLOAT16 as implMode = 2",
                  operands.NameOf(id), NameOf(operands[id].dtype()));
    }
  }
  constexpr int kColumns[] = {kGamma, kBeta};
  Dims row;
  if (Status s = ReadNormalizedShape(operands, kColumns, &row); !s.ok()) return s;
  return Make(operands, call, row.rank(), true);
}

}  // namespace anyacl::rowwise
