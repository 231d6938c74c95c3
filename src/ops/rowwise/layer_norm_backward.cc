// SPDX-License-Identifier: Apache-2.0
// The gradients of layer norms, also of those of sums, and of rms norms, which have no mean. A sum
// is made of its parts where it is needed, in fp32. Rows are taken in blocks: each
// row's two sums, then its gradient, while what it gives to the gradients of weight and bias goes
// into a block's sums by column, in fp32. Those of the blocks are then joined in double, in their
// order. The shape alone decides on blocks and pieces. Where there are few blocks of long rows,
// threads share their pieces.
#include "nnop/output_mask.h"
#include "ops/blocks/rows.h"
#include "ops/rowwise/columns.h"
#include "ops/rowwise/operators.h"
#include "ops/rowwise/row_checks.h"

namespace anyacl::rowwise {
namespace {

// The parts of a call; the lead is what is always given.
enum : int {
  kBackwardG,
  kBackwardX,
  kBackwardDx,
  kBackwardMean,
  kBackwardRstd,
  kBackwardAddend,  // of the sum whose other part is x
  kBackwardDsum,    // added to the gradient
  kBackwardScaled,  // the gradient of x, where x has a factor in the sum
};

// Groups of rows in a block: with 64, what is kept for columns is 1 % of what is read.
constexpr int64_t kManyRows = 1024;
constexpr int64_t kLargeBlock = 64;
constexpr int64_t kSmallBlock = 16;
// Columns that are joined together.
constexpr int64_t kJoined = 512;

struct BackwardProblem {
  std::vector<Part> parts;
  TensorView gamma, dgamma, dbeta;
  float factor = 1;  // of x in the sum
};

class NormBackwardPlan final : public BookedPlan {
 public:
  explicit NormBackwardPlan(const BackwardProblem& problem)
      : p_(problem),
        rows_(problem.parts, {.as_numbers = IsOfSum(problem)}),
        wide_(!Columns::AreOf(rows_, p_.gamma)),
        gamma_(p_.gamma, wide_, book_),
        pieces_(rows_.pieces()),
        block_(rows_.groups() >= kManyRows ? kLargeBlock : kSmallBlock),
        blocks_((rows_.groups() + block_ - 1) / block_),
        shares_(pieces_ > 1 && !SharesBlocks(blocks_)) {
    if (rows_.Given(kBackwardDx) && pieces_ > 1) {
      const int64_t owners = shares_ ? rows_.groups() : ThreadCount();
      sums_ = book_.Book<Moments>(static_cast<size_t>(owners * pieces_));
    }
    const auto columns = static_cast<size_t>(blocks_ * rows_.n());
    if (p_.dgamma.given()) {
      dgamma_.emplace(std::vector<Part>{RowsOf(p_.dgamma, p_.dgamma.rank)});
      sums_xh_by_column_ = book_.Book<float>(columns);
    }
    if (p_.dbeta.given()) {
      dbeta_.emplace(std::vector<Part>{RowsOf(p_.dbeta, p_.dbeta.rank)});
      sums_by_column_ = book_.Book<float>(columns);
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const void* gamma = gamma_.In(bindings);
    if (shares_) {
      ShareRows(bindings, gamma);
    } else {
      const int64_t work = block_ * rows_.n();
      ParallelFor(blocks_, std::max<int64_t>(1, kWorth / std::max<int64_t>(1, work)),
                  [&](int64_t begin, int64_t end, int64_t slot) {
                    Buffers buffers;
                    for (int64_t b = begin; b < end; ++b)
                      TakeBlock(bindings, gamma, b, slot, buffers);
                    rows_.Fence();
                  });
    }
    if (dgamma_) Join(bindings, *dgamma_, sums_xh_by_column_.In(bindings));
    if (dbeta_) Join(bindings, *dbeta_, sums_by_column_.In(bindings));
    return {};
  }

 private:
  static constexpr int64_t kWorth = 1 << 13;  // elements: 3 us in the caches

  struct Buffers {
    alignas(64) float g[kBuffer];
    alignas(64) float x[kBuffer];
    alignas(64) float dx[kBuffer];
    alignas(64) float other[kBuffer];  // of sums
  };

  static bool IsOfSum(const BackwardProblem& problem) {
    return problem.parts.size() > kBackwardAddend;
  }

  // Whether blocks keep all threads busy.
  static bool SharesBlocks(int64_t blocks) {
    const int64_t threads = ThreadCount();
    return blocks >= 4 * threads || (blocks >= threads && blocks % threads == 0);
  }

  // A piece of a group of rows: `count` elements of each from `begin` on.
  struct Piece {
    const Group& group;
    int64_t begin;
    int64_t count;
  };
  Piece PieceOf(const Group& group, int64_t piece) const {
    const int64_t begin = piece * kPiece;
    return {group, begin, std::min(kPiece, rows_.n() - begin)};
  }

  template <class Body>
  void ForGroups(int64_t block, const Body& body) const {
    const int64_t end = std::min(rows_.groups(), (block + 1) * block_);
    for (int64_t i = block * block_; i < end; ++i) {
      rows_.WithGroup(i, [&](const Group& group) { body(i, group); });
    }
  }

  NormGrad GradOf(const Bindings& bindings, const void* gamma, const Group& group, int64_t row,
                  int64_t begin) const {
    NormGrad grad = {};
    if (rows_.Given(kBackwardMean)) {
      grad.mean = static_cast<float>(rows_.ReadNumber(bindings, kBackwardMean, group, row));
    }
    grad.rstd = static_cast<float>(rows_.ReadNumber(bindings, kBackwardRstd, group, row));
    grad.gamma = ColumnsFrom(gamma, begin, wide_, rows_.type());
    grad.wide = wide_;
    return grad;
  }

  // Both sums of each row of a piece.
  void Sum(const Bindings& bindings, const void* gamma, const Piece& piece, const void* g,
           const void* x, Moments* sums, int64_t stride) const {
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      const NormGrad grad = GradOf(bindings, gamma, piece.group, r, piece.begin);
      sums[r * stride] =
          rows_.kernels().norm_grad_sums(rows_.RowAt<float>(g, r, piece.count),
                                         rows_.RowAt<float>(x, r, piece.count), piece.count, grad);
    }
  }

  // The gradient of a piece, given the sums of its rows' pieces; `first`: of its block.
  void Write(const Bindings& bindings, const void* gamma, int64_t block, bool first,
             const Piece& piece, const void* g, const void* x, const Moments* sums,
             Buffers& b) const {
    const bool wanted = rows_.Given(kBackwardDx);
    const Target to = wanted ? rows_.To(bindings, kBackwardDx, piece.group, piece.begin, b.dx)
                             : Target{nullptr, false};
    const auto n = static_cast<double>(rows_.n());
    const int64_t columns = block * rows_.n() + piece.begin;
    for (int64_t r = 0; r < piece.group.rows; ++r) {
      NormGrad grad = GradOf(bindings, gamma, piece.group, r, piece.begin);
      if (wanted) {
        Moments total = {0, 0};
        for (int64_t p = 0; p < pieces_; ++p) {
          total.sum += sums[r * pieces_ + p].sum;
          total.squares += sums[r * pieces_ + p].squares;
        }
        if (rows_.Given(kBackwardMean)) grad.c1 = static_cast<float>(total.sum / n);
        grad.c2 = static_cast<float>(total.squares / n);
      }
      grad.first = first && r == 0;
      if (p_.dgamma.given()) grad.sums_xh = sums_xh_by_column_.In(bindings) + columns;
      if (p_.dbeta.given()) grad.sums = sums_by_column_.In(bindings) + columns;
      rows_.kernels().norm_grad(rows_.RowAt<float>(g, r, piece.count),
                                rows_.RowAt<float>(x, r, piece.count), piece.count, grad,
                                wanted ? rows_.RowAt<float>(to, r, piece.count) : to);
    }
    if (wanted) WriteGradient(bindings, piece, b);
  }

  void WriteGradient(const Bindings& bindings, const Piece& piece, Buffers& b) const {
    if (!IsOfSum(p_)) {
      return rows_.Written(bindings, kBackwardDx, piece.group, piece.begin, piece.count, b.dx);
    }
    const blocks::Rows numbers(piece.group.rows * piece.count);
    if (rows_.Given(kBackwardDsum)) {
      const float* const more =
          rows_.Numbers(bindings, kBackwardDsum, piece.group, piece.begin, piece.count, b.other);
      numbers(elementwise::Op::kAdd, b.dx, b.dx, more);
    }
    rows_.Write(bindings, kBackwardDx, piece.group, piece.begin, piece.count, b.dx);
    if (!rows_.Given(kBackwardScaled)) return;
    numbers(elementwise::Op::kMulScalar, b.dx, b.dx, nullptr, nullptr, p_.factor);
    rows_.Write(bindings, kBackwardScaled, piece.group, piece.begin, piece.count, b.dx);
  }

  const void* ReadG(const Bindings& bindings, const Piece& piece, Buffers& b) const {
    return rows_.Read(bindings, kBackwardG, piece.group, piece.begin, piece.count, b.g);
  }
  const void* ReadX(const Bindings& bindings, const Piece& piece, Buffers& b) const {
    if (!IsOfSum(p_)) {
      return rows_.Read(bindings, kBackwardX, piece.group, piece.begin, piece.count, b.x);
    }
    const blocks::Rows numbers(piece.group.rows * piece.count);
    const auto read = [&](int part, float* buffer) {
      return rows_.Numbers(bindings, part, piece.group, piece.begin, piece.count, buffer);
    };
    const float* x = read(kBackwardX, b.x);
    if (p_.factor != 1) {
      numbers(elementwise::Op::kMulScalar, b.x, x, nullptr, nullptr, p_.factor);
      x = b.x;
    }
    numbers(elementwise::Op::kAdd, b.x, x, read(kBackwardAddend, b.other));
    return b.x;
  }

  // One thread has both passes of a block's rows.
  void TakeBlock(const Bindings& bindings, const void* gamma, int64_t block, int64_t slot,
                 Buffers& b) const {
    const bool wanted = rows_.Given(kBackwardDx);
    ForGroups(block, [&](int64_t index, const Group& group) {
      Moments lone[kMaxGroup];
      // Only lone pieces come in groups of several rows.
      Moments* sums = pieces_ > 1 && wanted ? sums_.In(bindings) + slot * pieces_ : lone;
      const bool first = index == block * block_;
      for (int64_t p = 0; p < pieces_ && pieces_ > 1 && wanted; ++p) {
        const Piece piece = PieceOf(group, p);
        Sum(bindings, gamma, piece, ReadG(bindings, piece, b), ReadX(bindings, piece, b), sums + p,
            1);
      }
      for (int64_t p = 0; p < pieces_; ++p) {
        const Piece piece = PieceOf(group, p);
        const void* g = ReadG(bindings, piece, b);
        const void* x = ReadX(bindings, piece, b);
        if (pieces_ == 1 && wanted) Sum(bindings, gamma, piece, g, x, sums, 1);
        Write(bindings, gamma, block, first, piece, g, x, sums, b);
      }
    });
  }

  void ShareRows(const Bindings& bindings, const void* gamma) const {
    if (rows_.Given(kBackwardDx)) {
      ParallelFor(rows_.groups() * pieces_, 2, [&](int64_t begin, int64_t end) {
        Buffers b;
        for (int64_t i = begin; i < end; ++i) {
          rows_.WithGroup(i / pieces_, [&](const Group& group) {
            const Piece piece = PieceOf(group, i % pieces_);
            Sum(bindings, gamma, piece, ReadG(bindings, piece, b), ReadX(bindings, piece, b),
                sums_.In(bindings) + i, 1);
          });
        }
      });
    }
    ParallelFor(blocks_ * pieces_, 1, [&](int64_t begin, int64_t end) {
      Buffers b;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t block = i / pieces_;
        ForGroups(block, [&](int64_t index, const Group& group) {
          const Piece piece = PieceOf(group, i % pieces_);
          const Moments* sums =
              rows_.Given(kBackwardDx) ? sums_.In(bindings) + index * pieces_ : nullptr;
          Write(bindings, gamma, block, index == block * block_, piece, ReadG(bindings, piece, b),
                ReadX(bindings, piece, b), sums, b);
        });
      }
      rows_.Fence();
    });
  }

  // What the blocks gave for each column.
  void Join(const Bindings& bindings, const Rows& out, const float* sums) const {
    const int64_t none[1] = {0};
    const Group all = {0, 1, none};
    const int64_t n = rows_.n();
    ParallelFor((n + kJoined - 1) / kJoined, std::max<int64_t>(1, 16 / blocks_),
                [&](int64_t begin, int64_t end) {
                  for (int64_t at = begin * kJoined; at < std::min(n, end * kJoined);
                       at += kJoined) {
                    const int64_t count = std::min(kJoined, n - at);
                    double totals[kJoined];
                    std::fill_n(totals, count, 0.0);
                    for (int64_t b = 0; b < blocks_; ++b) {
                      const float* from = sums + b * n + at;
                      for (int64_t i = 0; i < count; ++i) totals[i] += static_cast<double>(from[i]);
                    }
                    out.Write(bindings, 0, all, at, count, totals);
                  }
                });
  }

  const BackwardProblem p_;
  const Rows rows_;
  const bool wide_;
  const Columns gamma_;
  std::optional<Rows> dgamma_, dbeta_;
  const int64_t pieces_;
  const int64_t block_;  // groups
  const int64_t blocks_;
  const bool shares_;
  WorkspaceSlot<Moments> sums_;
  WorkspaceSlot<float> sums_xh_by_column_, sums_by_column_;
};

constexpr int kGradients[] = {kOut, kGradGamma, kGradBeta};

// The sum of no rows.
class ZeroPlan final : public Plan {
 public:
  ZeroPlan(const TensorView& dgamma, const TensorView& dbeta) {
    for (const TensorView& view : {dgamma, dbeta}) {
      if (view.given()) rows_.emplace_back(std::vector<Part>{RowsOf(view, view.rank)});
    }
  }
  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t none[1] = {0};
    const float zeros[kJoined] = {};
    for (const Rows& rows : rows_) {
      for (int64_t at = 0; at < rows.n(); at += kJoined) {
        rows.Write(bindings, 0, {0, 1, none}, at, std::min(kJoined, rows.n() - at), zeros);
      }
    }
    return {};
  }

 private:
  std::vector<Rows> rows_;
};

// `factor`: of x in a sum.
Status MakeBackward(const Operands& operands, PreparedCall* call, int rank, float factor = 1) {
  const auto view = [&](int id) { return ViewOf(operands, id); };
  const TensorView kept = RowsOf(view(kX), rank).kept;
  BackwardProblem problem;
  problem.parts = {RowsOf(view(kX2), rank), RowsOf(view(kX), rank), RowsOf(view(kOut), rank),
                   PerRow(view(kMean), kept), PerRow(view(kRstd), kept)};
  if (operands.Given(kAddend)) {
    for (int id : {kAddend, kDsum, kScaledOut}) {
      problem.parts.push_back(RowsOf(view(id), rank));
    }
    problem.factor = factor;
  }
  problem.gamma = view(kGamma);
  problem.dgamma = view(kGradGamma);
  problem.dbeta = view(kGradBeta);
  const bool columns = problem.dgamma.given() || problem.dbeta.given();
  const int64_t n = problem.parts[kBackwardG].row.elements();
  if (n == 0 || (!columns && !operands.Given(kOut))) return {};
  if (kept.elements() > 0) {
    call->plan = std::make_shared<NormBackwardPlan>(problem);
  } else if (columns) {
    call->plan = std::make_shared<ZeroPlan>(problem.dgamma, problem.dbeta);
  }
  return {};
}

}  // namespace

Status PrepareLayerNormBackward(Operands& operands, PreparedCall* call) {
  if (Status s = KeepWanted(operands, kOutputMask, kGradients); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  constexpr int kColumns[] = {kGamma, kBeta, kGradGamma, kGradBeta};
  Dims row;
  if (Status s = ReadNormalizedShape(operands, kColumns, &row); !s.ok()) return s;
  for (int id : {kMean, kRstd}) {
    if (Status s = CheckPerRow(operands, id, row.rank()); !s.ok()) return s;
  }
  return MakeBackward(operands, call, static_cast<int>(row.rank()));
}

Status PrepareRmsNormGrad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims gamma = operands[kGamma].shape();
  if (Status s = CheckRow(operands, "gamma.shape", gamma); !s.ok()) return s;
  if (Status s = CheckPerRow(operands, kRstd, gamma.rank()); !s.ok()) return s;
  return MakeBackward(operands, call, static_cast<int>(gamma.rank()));
}

Status PrepareAddLayerNormGrad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims gamma = operands[kGamma].shape();
  if (operands[kX].IsEmpty()) {
    return Fail(operands.spec().codes.shape, "x1.shape = {}, expected elements",
                operands[kX].shape().ToString());
  }
  if (Status s = CheckRow(operands, "gamma.shape", gamma); !s.ok()) return s;
  for (int id : {kRstd, kMean}) {
    if (Status s = CheckPerRow(operands, id, gamma.rank()); !s.ok()) return s;
  }
  return MakeBackward(operands, call, static_cast<int>(gamma.rank()));
}

Status PrepareDeepNormGrad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims gamma = operands[kGamma].shape();
  if (operands[kX].shape().rank() < 2) {
    return Fail(operands.spec().codes.shape, "x.shape = {}, expected two dimensions or more",
                operands[kX].shape().ToString());
  }
  if (Status s = CheckRow(operands, "gamma.shape", gamma); !s.ok()) return s;
  for (int id : {kMean, kRstd}) {
    if (Status s = CheckPerRow(operands, id, gamma.rank()); !s.ok()) return s;
  }
  return MakeBackward(operands, call, static_cast<int>(gamma.rank()),
                      static_cast<float>(operands.Real(kAlpha)));
}

}  // namespace anyacl::rowwise
