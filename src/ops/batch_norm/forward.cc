// SPDX-License-Identifier: Apache-2.0
// The normalisation. The variance is that of deviations from the mean of a piece, or of a chunk of
// rows, moved to that of the channel (Chan, Golub and LeVeque 1979).
#include <cmath>

#include "ops/batch_norm/checks.h"
#include "ops/batch_norm/operators.h"
#include "ops/batch_norm/passes.h"

namespace anyacl::batch_norm {
namespace {

// Whose statistics the factors are of.
enum class Statistics { kOwn, kRunning, kGiven };

struct ForwardProblem {
  TensorView x, out;  // out is absent where the statistics alone are wanted
  int channel_dim;
  // kGiven: running_var holds 1 / sqrt(variance + eps).
  TensorView weight, bias, running_mean, running_var, save_mean, save_invstd;
  Statistics statistics;
  double momentum, eps;

  bool own() const { return statistics == Statistics::kOwn; }
};

enum : size_t { kSource, kTarget };

class ForwardPlan final : public BookedPlan {
 public:
  explicit ForwardPlan(const ForwardProblem& problem)
      : p_(problem),
        channels_({p_.x, p_.out}, p_.channel_dim),
        passes_(channels_, p_.own() && !channels_.side_by_side(), book_),
        factors_(channels_.channels(), book_) {
    const auto n = static_cast<size_t>(channels_.channels());
    weight_ = book_.Book<float>(n);
    bias_ = book_.Book<float>(n);
    for (auto* slot : {&means_, &variances_, &invstds_}) *slot = book_.Book<double>(n);
    if (!p_.own() || !channels_.side_by_side()) return;
    for (auto* slot : {&centres_, &sums_, &squares_}) {
      *slot = book_.Book<float>(n * static_cast<size_t>(channels_.chunks()));
    }
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t n = channels_.channels();
    ReadNumbers(bindings, p_.weight, 1.0f, n, weight_.In(bindings));
    ReadNumbers(bindings, p_.bias, 0.0f, n, bias_.In(bindings));
    if (!p_.own()) {
      UseRunning(bindings);
      Write(bindings);
      return {};
    }
    if (channels_.side_by_side()) {
      FindSideBySide(bindings);
      Write(bindings);
    } else {
      passes_.Run<Buffers>(
          bindings,
          [&](const Piece& piece, Buffers& b, const Piece& next) {
            return MomentsOf(bindings, piece, b, next);
          },
          [&](int64_t c, const Sums* parts) { Join(bindings, c, parts); },
          [&](const Piece& piece, Buffers& b, bool is_read) {
            WritePiece(bindings, piece, b, is_read);
          });
    }
    Save(bindings);
    return {};
  }

 private:
  // What a piece goes through, unless it is plain.
  struct Buffers {
    alignas(64) float x[kPiece];
    alignas(64) float out[kPiece];
  };

  // The factors of a channel whose statistics are known.
  void SetOwn(const Bindings& bindings, int64_t c, double mean, double variance) const {
    const double invstd = 1 / std::sqrt(variance + p_.eps);
    means_.In(bindings)[c] = mean;
    variances_.In(bindings)[c] = variance;
    invstds_.In(bindings)[c] = invstd;
    SetFactors(bindings, c, mean, invstd);
  }

  void SetFactors(const Bindings& bindings, int64_t c, double mean, double invstd) const {
    const Factors<float*> f = factors_.In(bindings);
    const double scale = double{weight_.In(bindings)[c]} * invstd;
    const auto centre = static_cast<float>(mean);
    f.centre[c] = centre;
    f.b[c] = static_cast<float>(scale);
    // What rounding the centre left of the mean.
    f.c[c] = static_cast<float>(double{bias_.In(bindings)[c]} + (double{centre} - mean) * scale);
  }

  void UseRunning(const Bindings& bindings) const {
    const int64_t n = channels_.channels();
    const Factors<float*> f = factors_.In(bindings);
    float* means = f.a;
    float* spreads = f.c;
    ReadNumbers(bindings, p_.running_mean, 0.0f, n, means);
    ReadNumbers(bindings, p_.running_var, 1.0f, n, spreads);
    const bool given = p_.statistics == Statistics::kGiven;
    for (int64_t c = 0; c < n; ++c) {
      const double spread = spreads[c];
      SetFactors(bindings, c, means[c], given ? spread : 1 / std::sqrt(spread + p_.eps));
    }
  }

  // The mean of a piece and the sum of the squares of the deviations from it.
  Sums MomentsOf(const Bindings& bindings, const Piece& piece, Buffers& b,
                 const Piece& next) const {
    const bool plain = channels_.IsPlain(piece);
    const ElementKernels& kernels = channels_.KernelsFor(plain);
    if (!plain) channels_.Read(bindings, kSource, piece, b.x);
    const void* x =
        plain ? channels_.Address(bindings, kSource, piece) : static_cast<const void*>(b.x);
    const auto n = static_cast<double>(piece.n());
    const auto centre = static_cast<float>(kernels.sum(x, piece.n()) / n);
    const Sums about = kernels.moments(x, piece.n(), centre,
                                       plain ? channels_.Address(bindings, kSource, next) : x);
    const double off = about.first / n;
    return {double{centre} + off, about.second - about.first * off};
  }

  void Join(const Bindings& bindings, int64_t c, const Sums* parts) const {
    double count = 0, mean = 0, squares = 0;
    for (int64_t p = 0; p < channels_.pieces(); ++p) {
      const auto more = static_cast<double>(channels_.PieceOf(c, p).n());
      const double distance = parts[p].first - mean;
      const double share = more / (count + more);
      squares += parts[p].second + distance * distance * count * share;
      mean = p == 0 ? parts[0].first : mean + distance * share;
      count += more;
    }
    SetOwn(bindings, c, mean, squares / count);
  }

  // Of each chunk of rows as of a piece, while the caches hold it; then joined as pieces are.
  void FindSideBySide(const Bindings& bindings) const {
    const int64_t n = channels_.channels();
    const ElementKernels& kernels = channels_.TileKernels();
    float* centres = centres_.In(bindings);
    float* sums = sums_.In(bindings);
    float* squares = squares_.In(bindings);
    passes_.ForTiles([&](const Tile& tile) {
      alignas(64) float buffer[kPiece];
      const Matrix x = channels_.Read(bindings, kSource, tile, buffer);
      const int64_t at = tile.row / kChunkRows * n + tile.channel;
      kernels.column_sums(x, tile.rows, tile.n, centres + at);
      const float share = 1.0f / static_cast<float>(tile.rows);
      for (int64_t c = 0; c < tile.n; ++c) centres[at + c] *= share;
      kernels.column_moments(x, tile.rows, tile.n, centres + at, sums + at, squares + at);
    });
    constexpr int64_t kWorth = 1024;  // channels of a chunk: 5 us
    ParallelFor(n, std::max<int64_t>(64, kWorth / channels_.chunks()),
                [&](int64_t begin, int64_t end) { JoinChunks(bindings, begin, end); });
  }

  void JoinChunks(const Bindings& bindings, int64_t begin, int64_t end) const {
    double* const means = means_.In(bindings);
    double* const variances = variances_.In(bindings);
    std::fill(means + begin, means + end, 0.0);
    std::fill(variances + begin, variances + end, 0.0);
    double count = 0;
    for (int64_t i = 0; i < channels_.chunks(); ++i) {
      const int64_t at = i * channels_.channels();
      const float* const centres = centres_.In(bindings) + at;
      const float* const sums = sums_.In(bindings) + at;
      const float* const squares = squares_.In(bindings) + at;
      const auto rows =
          static_cast<double>(std::min(kChunkRows, channels_.count() - i * kChunkRows));
      const double share = rows / (count + rows);
      for (int64_t c = begin; c < end; ++c) {
        const double off = double{sums[c]} / rows;
        const double own = double{squares[c]} - double{sums[c]} * off;
        const double mean = double{centres[c]} + off;
        const double distance = mean - means[c];
        variances[c] += own + distance * distance * count * share;
        means[c] = i == 0 ? mean : means[c] + distance * share;
      }
      count += rows;
    }
    for (int64_t c = begin; c < end; ++c) SetOwn(bindings, c, means[c], variances[c] / count);
  }

  void Write(const Bindings& bindings) const {
    if (!p_.out.given()) return;
    if (!channels_.side_by_side()) {
      return passes_.ForPieces<Buffers>([&](const Piece& piece, Buffers& b, bool is_read) {
        WritePiece(bindings, piece, b, is_read);
      });
    }
    const Factors<float*> f = factors_.In(bindings);
    passes_.ForTiles([&](const Tile& tile) {
      alignas(64) float from[kPiece], to[kPiece];
      const Matrix x = channels_.Read(bindings, kSource, tile, from);
      channels_.TileKernels().column_affine(x, tile.rows, tile.n, From(f, tile.channel),
                                            channels_.Target(bindings, kTarget, tile, to));
      channels_.Written(bindings, kTarget, tile, to);
    });
  }

  void WritePiece(const Bindings& bindings, const Piece& piece, Buffers& b, bool is_read) const {
    if (!p_.out.given()) return;
    const bool plain = channels_.IsPlain(piece);
    const ElementKernels& kernels = channels_.KernelsFor(plain);
    const Factors<float> f = At(factors_.In(bindings), piece.channel);
    if (plain) {
      return kernels.affine(channels_.Address(bindings, kSource, piece), piece.n(), f,
                            channels_.Address(bindings, kTarget, piece), channels_.past_caches());
    }
    if (!is_read) channels_.Read(bindings, kSource, piece, b.x);
    channels_.Write(
        bindings, kTarget, piece, b.out,
        [&](const ElementKernels& typed, Matrix to) {
          typed.scatter_affine(b.x, piece.rows, piece.cols, f, to);
        },
        [&](float* to) { kernels.affine(b.x, piece.n(), f, to, false); });
  }

  void Save(const Bindings& bindings) const {
    const int64_t n = channels_.channels();
    const auto count = static_cast<double>(channels_.count());
    double* means = means_.In(bindings);
    double* variances = variances_.In(bindings);
    const Factors<float*> f = factors_.In(bindings);  // which are used up
    WriteNumbers(bindings, p_.save_mean, n, means);
    if (p_.running_mean.given()) {
      ReadNumbers(bindings, p_.running_mean, 0.0f, n, f.a);
      Blend(f.a, means, n);
      WriteNumbers(bindings, p_.running_mean, n, means);
    }
    WriteNumbers(bindings, p_.save_invstd, n, invstds_.In(bindings));
    if (!p_.running_var.given()) return;
    ReadNumbers(bindings, p_.running_var, 1.0f, n, f.a);
    for (int64_t c = 0; c < n; ++c) variances[c] = variances[c] * count / (count - 1);
    Blend(f.a, variances, n);
    WriteNumbers(bindings, p_.running_var, n, variances);
  }

  // now = (1 - momentum) * before + momentum * now
  void Blend(const float* before, double* now, int64_t n) const {
    for (int64_t c = 0; c < n; ++c) {
      now[c] = (1 - p_.momentum) * double{before[c]} + p_.momentum * now[c];
    }
  }

  const ForwardProblem p_;
  const Channels channels_;
  const Passes passes_;
  const FactorSlots factors_;
  WorkspaceSlot<float> weight_, bias_;
  WorkspaceSlot<float> centres_, sums_, squares_;  // of each chunk's channels
  WorkspaceSlot<double> means_, variances_, invstds_;
};

// Statistics of no elements.
class NothingPlan final : public Plan {
 public:
  explicit NothingPlan(const ForwardProblem& problem) : p_(problem) {}
  Status Run(const Bindings& bindings, const StopToken&) const override {
    for (const TensorView& view : {p_.save_mean, p_.save_invstd}) {
      for (int64_t c = 0; view.given() && c < view.sizes[0]; ++c) {
        const double nan = std::nan("");
        WriteNumbers(bindings, Sliced(view, 0, c, 1), 1, &nan);
      }
    }
    return {};
  }

 private:
  const ForwardProblem p_;
};

void MakePlan(const Operands& operands, const ForwardProblem& problem, PreparedCall* call) {
  if (!operands[kInput].IsEmpty()) {
    call->plan = std::make_shared<ForwardPlan>(problem);
  } else if (problem.own()) {
    call->plan = std::make_shared<NothingPlan>(problem);
  }
}

}  // namespace

Status PrepareForward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  constexpr int kLike[] = {kOutput};
  const bool training = operands.Flag(kTraining);
  if (Status s = KeepSaved(operands, training); !s.ok()) return s;
  if (Status s = CheckChannels(operands, kInput, kLike); !s.ok()) return s;
  const auto view = [&](int id) { return ViewOf(operands, id); };
  ForwardProblem problem = {view(kInput),
                            view(kOutput),
                            ChannelDim(operands, kInput),
                            view(kWeight),
                            view(kBias),
                            view(kRunningMean),
                            view(kRunningVar),
                            view(kSaveMean),
                            view(kSaveInvstd),
                            training ? Statistics::kOwn : Statistics::kRunning,
                            operands.Real(kMomentum),
                            operands.Real(kEps)};
  MakePlan(operands, problem, call);
  return {};
}

Status PrepareStats(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSomeChannels(operands, kInput, {}); !s.ok()) return s;
  ForwardProblem problem = {};
  problem.x = ViewOf(operands, kInput);
  problem.channel_dim = ChannelDim(operands, kInput);
  problem.save_mean = ViewOf(operands, kSaveMean);
  problem.save_invstd = ViewOf(operands, kSaveInvstd);
  problem.statistics = Statistics::kOwn;
  problem.eps = operands.Real(kEps);
  MakePlan(operands, problem, call);
  return {};
}

Status PrepareElemt(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  constexpr int kLike[] = {kOutput};
  if (Status s = CheckSomeChannels(operands, kInput, kLike); !s.ok()) return s;
  ForwardProblem problem = {};
  problem.x = ViewOf(operands, kInput);
  problem.out = ViewOf(operands, kOutput);
  problem.channel_dim = ChannelDim(operands, kInput);
  problem.weight = ViewOf(operands, kWeight);
  problem.bias = ViewOf(operands, kBias);
  problem.running_mean = ViewOf(operands, kRunningMean);
  problem.running_var = ViewOf(operands, kRunningVar);
  problem.statistics = Statistics::kGiven;
  MakePlan(operands, problem, call);
  return {};
}

}  // namespace anyacl::batch_norm
