// SPDX-License-Identifier: Apache-2.0
// The gradients: the sums of g and of g * (x - mean) of each channel, then gradInput.
#include <cmath>

#include "nnop/output_mask.h"
#include "ops/batch_norm/checks.h"
#include "ops/batch_norm/operators.h"
#include "ops/batch_norm/passes.h"

namespace anyacl::batch_norm {
namespace {

struct BackwardProblem {
  TensorView g, x, dx;
  int channel_dim;
  TensorView weight, mean, spread, dweight, dbias;
  bool training;  // spread is 1 / sqrt(variance + eps), else a variance
  double eps;
  // The sums of g and of g * (x - mean): results, or, where `counter` is given, those of more
  // elements than g has, as many as its sum says.
  TensorView sum_dy = {}, sum_dy_xmu = {};
  TensorView counter = {};

  bool Folds() const {
    if (counter.given()) return false;
    return training || dweight.given() || dbias.given();
  }
};

enum : size_t { kG, kX, kDx };

class BackwardPlan final : public BookedPlan {
 public:
  explicit BackwardPlan(const BackwardProblem& problem)
      : p_(problem),
        channels_({p_.g, p_.x, p_.dx}, p_.channel_dim),
        folds_(p_.Folds()),
        passes_(channels_, folds_, book_),
        factors_(channels_.channels(), book_) {
    const auto n = static_cast<size_t>(channels_.channels());
    for (auto* slot : {&weight_, &mean_, &spread_}) *slot = book_.Book<float>(n);
    for (auto* slot : {&dweight_, &dbias_, &products_}) *slot = book_.Book<double>(n);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t n = channels_.channels();
    ReadNumbers(bindings, p_.weight, 1.0f, n, weight_.In(bindings));
    ReadNumbers(bindings, p_.mean, 0.0f, n, mean_.In(bindings));
    ReadNumbers(bindings, p_.spread, 1.0f, n, spread_.In(bindings));
    if (p_.counter.given()) {
      UseGiven(bindings);
      Write(bindings);
      return {};
    }
    const auto count = static_cast<double>(channels_.count());
    if (!folds_) {
      for (int64_t c = 0; c < n; ++c) SetFactors(bindings, c, {0, 0}, count);
      Write(bindings);
      return {};
    }
    if (channels_.side_by_side()) {
      const Sums* sums =
          passes_.SumTiles(bindings, [&](const Tile& tile, float* first, float* second) {
            SumTile(bindings, tile, first, second);
          });
      for (int64_t c = 0; c < n; ++c) SetFactors(bindings, c, sums[c], count);
      Write(bindings);
    } else {
      passes_.Run<Buffers>(
          bindings,
          [&](const Piece& piece, Buffers& b, const Piece&) {
            return SumPiece(bindings, piece, b);
          },
          [&](int64_t c, const Sums* parts) {
            Sums total = {0, 0};
            for (int64_t p = 0; p < channels_.pieces(); ++p) {
              total.first += parts[p].first;
              total.second += parts[p].second;
            }
            SetFactors(bindings, c, total, count);
          },
          [&](const Piece& piece, Buffers& b, bool is_read) {
            WritePiece(bindings, piece, b, is_read);
          });
    }
    WriteNumbers(bindings, p_.dweight, n, dweight_.In(bindings));
    WriteNumbers(bindings, p_.dbias, n, dbias_.In(bindings));
    WriteNumbers(bindings, p_.sum_dy, n, dbias_.In(bindings));
    WriteNumbers(bindings, p_.sum_dy_xmu, n, products_.In(bindings));
    return {};
  }

 private:
  // What a piece goes through, unless it is plain.
  struct Buffers {
    alignas(64) float g[kPiece];
    alignas(64) float x[kPiece];
    alignas(64) float out[kPiece];
  };

  // gradInput = a g + b (x - centre) + c, or (g - centre) b + c where statistics are given.
  void SetFactors(const Bindings& bindings, int64_t c, const Sums& sums, double count) const {
    const double spread = spread_.In(bindings)[c];
    const double rstd = p_.training ? spread : 1 / std::sqrt(spread + p_.eps);
    const double a = double{weight_.In(bindings)[c]} * rstd;
    products_.In(bindings)[c] = sums.second;
    dweight_.In(bindings)[c] = sums.second * rstd;
    dbias_.In(bindings)[c] = sums.first;
    const Factors<float*> f = factors_.In(bindings);
    f.centre[c] = p_.training ? mean_.In(bindings)[c] : 0.0f;
    f.a[c] = static_cast<float>(a);
    f.b[c] = static_cast<float>(p_.training ? -a * rstd * rstd * sums.second / count : a);
    f.c[c] = p_.training ? static_cast<float>(-a * sums.first / count) : 0.0f;
  }

  void UseGiven(const Bindings& bindings) const {
    const int64_t n = channels_.channels();
    double* sums = dbias_.In(bindings);
    double* products = products_.In(bindings);
    ReadNumbers(bindings, p_.sum_dy, n, sums);
    ReadNumbers(bindings, p_.sum_dy_xmu, n, products);
    const double count = Total(bindings, p_.counter);
    for (int64_t c = 0; c < n; ++c) SetFactors(bindings, c, {sums[c], products[c]}, count);
  }

  Sums SumPiece(const Bindings& bindings, const Piece& piece, Buffers& b) const {
    const float mean = mean_.In(bindings)[piece.channel];
    const bool plain = channels_.IsPlain(piece);
    const ElementKernels& kernels = channels_.KernelsFor(plain);
    if (plain) {
      return kernels.products(channels_.Address(bindings, kG, piece),
                              channels_.Address(bindings, kX, piece), piece.n(), mean);
    }
    channels_.Read(bindings, kG, piece, b.g);
    channels_.Read(bindings, kX, piece, b.x);
    return kernels.products(b.g, b.x, piece.n(), mean);
  }

  void SumTile(const Bindings& bindings, const Tile& tile, float* first, float* second) const {
    alignas(64) float g_buffer[kPiece], x_buffer[kPiece];
    const Matrix g = channels_.Read(bindings, kG, tile, g_buffer);
    const Matrix x = channels_.Read(bindings, kX, tile, x_buffer);
    channels_.TileKernels().column_products(g, x, tile.rows, tile.n,
                                            mean_.In(bindings) + tile.channel, first, second);
  }

  void WritePiece(const Bindings& bindings, const Piece& piece, Buffers& b, bool is_read) const {
    if (!p_.dx.given()) return;
    const Factors<float> f = At(factors_.In(bindings), piece.channel);
    const bool plain = channels_.IsPlain(piece);
    const ElementKernels& kernels = channels_.KernelsFor(plain);
    if (plain) {
      const void* g = channels_.Address(bindings, kG, piece);
      const void* x = channels_.Address(bindings, kX, piece);
      void* dx = channels_.Address(bindings, kDx, piece);
      return p_.training ? kernels.combine(g, x, piece.n(), f, dx, channels_.past_caches())
                         : kernels.affine(g, piece.n(), f, dx, channels_.past_caches());
    }
    if (!is_read) channels_.Read(bindings, kG, piece, b.g);
    if (!is_read && p_.training) channels_.Read(bindings, kX, piece, b.x);
    channels_.Write(
        bindings, kDx, piece, b.out,
        [&](const ElementKernels& typed, Matrix to) {
          p_.training ? typed.scatter_combine(b.g, b.x, piece.rows, piece.cols, f, to)
                      : typed.scatter_affine(b.g, piece.rows, piece.cols, f, to);
        },
        [&](float* to) {
          p_.training ? kernels.combine(b.g, b.x, piece.n(), f, to, false)
                      : kernels.affine(b.g, piece.n(), f, to, false);
        });
  }

  void Write(const Bindings& bindings) const {
    if (!p_.dx.given()) return;
    if (!channels_.side_by_side()) {
      return passes_.ForPieces<Buffers>([&](const Piece& piece, Buffers& b, bool is_read) {
        WritePiece(bindings, piece, b, is_read);
      });
    }
    const Factors<float*> f = factors_.In(bindings);
    const ElementKernels& kernels = channels_.TileKernels();
    passes_.ForTiles([&](const Tile& tile) {
      alignas(64) float g_buffer[kPiece], x_buffer[kPiece], to[kPiece];
      const Matrix g = channels_.Read(bindings, kG, tile, g_buffer);
      const Matrix dx = channels_.Target(bindings, kDx, tile, to);
      const Factors<const float*> factors = From(f, tile.channel);
      if (p_.training) {
        kernels.column_combine(g, channels_.Read(bindings, kX, tile, x_buffer), tile.rows, tile.n,
                               factors, dx);
      } else {
        kernels.column_affine(g, tile.rows, tile.n, factors, dx);
      }
      channels_.Written(bindings, kDx, tile, to);
    });
  }

  const BackwardProblem p_;
  const Channels channels_;
  const bool folds_;
  const Passes passes_;
  const FactorSlots factors_;
  WorkspaceSlot<float> weight_, mean_, spread_;
  WorkspaceSlot<double> dweight_, dbias_, products_;
};

// Sums over no elements.
class ZeroPlan final : public Plan {
 public:
  explicit ZeroPlan(const BackwardProblem& p)
      : views_{p.dweight, p.dbias, p.sum_dy, p.sum_dy_xmu} {}
  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (const TensorView& view : views_) {
      for (int64_t c = 0; view.given() && c < view.sizes[0]; ++c) {
        const double zero = 0;
        WriteNumbers(bindings, Sliced(view, 0, c, 1), 1, &zero);
      }
    }
    return {};
  }

 private:
  const TensorView views_[4];
};

void MakePlan(bool empty, const BackwardProblem& problem, PreparedCall* call) {
  if (empty) {
    call->plan = std::make_shared<ZeroPlan>(problem);
  } else {
    call->plan = std::make_shared<BackwardPlan>(problem);
  }
}

// An output that a flag asks for; one that no flag asks for is not looked at.
Status KeepIf(Operands& operands, int flag, int output) {
  if (operands.Flag(flag)) return operands.Require(output);
  operands.Drop(output);
  return {};
}

constexpr int kGradients[] = {kOutput, kGradWeight, kGradBias};

// The sums of x and of x * (x - 0).
void MakeSumsPlan(const Operands& operands, PreparedCall* call) {
  BackwardProblem problem = {};
  problem.g = problem.x = ViewOf(operands, kInput);
  problem.channel_dim = ChannelDim(operands, kInput);
  problem.dweight = ViewOf(operands, kGradWeight);
  problem.dbias = ViewOf(operands, kGradBias);
  problem.training = true;
  MakePlan(operands[kInput].IsEmpty(), problem, call);
}

}  // namespace

Status PrepareBackward(Operands& operands, PreparedCall* call) {
  if (Status s = KeepWanted(operands, kOutputMask, kGradients); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  constexpr int kLike[] = {kInput, kOutput};
  const bool training = operands.Flag(kTraining);
  if (Status s = KeepSaved(operands, training); !s.ok()) return s;
  if (Status s = CheckChannels(operands, kGradOut, kLike); !s.ok()) return s;
  const auto view = [&](int id) { return ViewOf(operands, id); };
  const BackwardProblem problem = {view(kGradOut),
                                   view(kInput),
                                   view(kOutput),
                                   ChannelDim(operands, kGradOut),
                                   view(kWeight),
                                   view(training ? kSaveMean : kRunningMean),
                                   view(training ? kSaveInvstd : kRunningVar),
                                   view(kGradWeight),
                                   view(kGradBias),
                                   training,
                                   operands.Real(kEps)};
  if (!problem.dx.given() && !problem.dweight.given() && !problem.dbias.given()) return {};
  MakePlan(operands[kGradOut].IsEmpty(), problem, call);
  return {};
}

Status PrepareReduceBackward(Operands& operands, PreparedCall* call) {
  constexpr int kWanted[][2] = {
      {kInputG, kSumDy}, {kInputG, kSumDyXmu}, {kWeightG, kGradWeight}, {kBiasG, kGradBias}};
  for (const auto& [flag, output] : kWanted) {
    if (Status s = KeepIf(operands, flag, output); !s.ok()) return s;
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  constexpr int kLike[] = {kInput};
  if (Status s = CheckSomeChannels(operands, kGradOut, kLike); !s.ok()) return s;
  BackwardProblem problem = {};
  problem.g = ViewOf(operands, kGradOut);
  problem.x = ViewOf(operands, kInput);
  problem.channel_dim = ChannelDim(operands, kGradOut);
  problem.mean = ViewOf(operands, kRunningMean);
  problem.spread = ViewOf(operands, kRunningVar);
  problem.dweight = ViewOf(operands, kGradWeight);
  problem.dbias = ViewOf(operands, kGradBias);
  problem.training = true;
  problem.sum_dy = ViewOf(operands, kSumDy);
  problem.sum_dy_xmu = ViewOf(operands, kSumDyXmu);
  MakePlan(operands[kGradOut].IsEmpty(), problem, call);
  return {};
}

Status PrepareElemtBackward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  constexpr int kLike[] = {kInput, kOutput};
  if (Status s = CheckSomeChannels(operands, kGradOut, kLike); !s.ok()) return s;
  if (operands[kGradOut].IsEmpty()) return {};
  BackwardProblem problem = {};
  problem.g = ViewOf(operands, kGradOut);
  problem.x = ViewOf(operands, kInput);
  problem.dx = ViewOf(operands, kOutput);
  problem.channel_dim = ChannelDim(operands, kGradOut);
  problem.weight = ViewOf(operands, kWeight);
  problem.mean = ViewOf(operands, kRunningMean);
  problem.spread = ViewOf(operands, kRunningVar);
  problem.training = true;
  problem.sum_dy = ViewOf(operands, kSumDy);
  problem.sum_dy_xmu = ViewOf(operands, kSumDyXmu);
  problem.counter = ViewOf(operands, kCounts);
  call->plan = std::make_shared<BackwardPlan>(problem);
  return {};
}

Status PrepareTrainingReduce(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSomeChannels(operands, kInput, {}); !s.ok()) return s;
  MakeSumsPlan(operands, call);
  return {};
}

Status PrepareReduce(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckChannels(operands, kInput, {}); !s.ok()) return s;
  MakeSumsPlan(operands, call);
  return {};
}

}  // namespace anyacl::batch_norm
