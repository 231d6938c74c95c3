// SPDX-License-Identifier: Apache-2.0
// The gradients. Per group: the sums of dy and dy * xh of each channel, the group's means c1 and c2
// of them weighted by gamma, then dx. The channels' sums stay in the workspace; summed over the
// batch they are the gradients of beta and gamma. Behind an activation dy is made from the given
// gradient and the norm, block by block and in both passes.
#include "nnop/workspace.h"
#include "ops/blocks/rows.h"
#include "ops/group_norm/choose_kernels.h"
#include "ops/group_norm/groups.h"
#include "ops/group_norm/op.h"

namespace anyacl::group_norm {
namespace {

void Add(const Sums& more, Sums* sums) {
  sums->dy += more.dy;
  sums->dy_xh += more.dy_xh;
}

// One run: the plan's problem with its addresses.
class BackwardRun {
 public:
  BackwardRun(const BackwardParams& params, const Groups& groups,
              const group_norm::Kernels& kernels, const Bindings& bindings, float* gamma,
              float* beta, Sums* sums)
      : p_(params),
        s_(params.sizes),
        groups_(groups),
        kernels_(kernels),
        dy_(params.dy, bindings),
        x_(params.x, bindings),
        dx_(params.dx, bindings),
        mean_(params.mean, bindings),
        rstd_(params.rstd, bindings),
        past_caches_(GoesPastCaches(params.sizes, ElementOf(params.x.dtype), 3)),
        gamma_(gamma),
        beta_(beta),
        sums_(sums) {
    ReadParameters(p_.gamma, bindings, 1.0f, s_.channels, gamma_);
    if (p_.activates) ReadParameters(p_.beta, bindings, 0.0f, s_.channels, beta_);
  }

  void WriteDx() const {
    groups_.ForEach([&](int64_t group, int64_t begin, int64_t end) { SumItems(group, begin, end); },
                    [&](int64_t group) { return Weigh(group); },
                    [&](int64_t group, const Means& means, int64_t begin, int64_t end) {
                      if (p_.dx.given()) WriteItems(group, means, begin, end);
                    });
  }

  // The sums over the batch of one channel.
  Sums ChannelSums(int64_t channel) const {
    Sums total = {};
    for (int64_t n = 0; n < s_.batch; ++n) {
      const int64_t row = n * s_.channels + channel;
      // Part of them are in another core's cache.
      __builtin_prefetch(sums_ + (row + kRowsAhead) * groups_.chunks());
      Add(RowSums(row), &total);
    }
    return total;
  }

 private:
  static constexpr int64_t kRowsAhead = 64;

  struct Means {
    double c1, c2;
  };

  Means Weigh(int64_t group) const {
    const int64_t first_row = group * s_.group_channels();
    const float* gamma = Gamma(group);
    Means total = {0, 0};
    for (int64_t d = 0; d < s_.group_channels(); ++d) {
      const Sums sums = RowSums(first_row + d);
      total.c1 += double{gamma[d]} * sums.dy;
      total.c2 += double{gamma[d]} * sums.dy_xh;
    }
    const auto count = static_cast<double>(s_.group_elements());
    return {total.c1 / count, total.c2 / count};
  }

  // Of the channels of a group.
  const float* Gamma(int64_t group) const {
    return gamma_ + group % s_.groups * s_.group_channels();
  }

  // Of a whole channel of one batch element.
  Sums RowSums(int64_t row) const {
    const int64_t chunks = groups_.chunks();
    const Sums* items = sums_ + row * chunks;
    Sums total = items[0];
    for (int64_t i = 1; i < chunks; ++i) Add(items[i], &total);
    return total;
  }

  Slab SlabOf(int64_t group) const {
    Slab slab{};
    slab.mean = mean_.At(group);
    slab.rstd = rstd_.At(group);
    return slab;
  }

  void SumItems(int64_t group, int64_t begin, int64_t end) const {
    Slab slab = SlabOf(group);
    Sums* sums = sums_ + group * groups_.items();
    groups_.ForPieces(group, begin, end, [&](const Piece& piece) {
      if (p_.activates) return SumActivated(slab, group, piece, sums + piece.item);
      if (dy_.dense() && x_.dense()) {
        slab.dy = dy_.Address(piece.element);
        slab.x = x_.Address(piece.element);
        slab.rows = piece.rows;
        slab.cols = piece.cols;
        slab.ahead = groups_.FirstPassAhead(past_caches_);
        return kernels_.sum_products(slab, sums + piece.item);
      }
      for (int64_t r = 0; r < piece.rows; ++r) {
        sums[piece.item + r] = SumGathered(slab, piece.element + r * piece.cols, piece.cols);
      }
    });
  }

  // Block by block through buffers: the same sums in the same order.
  Sums SumGathered(Slab slab, int64_t element, int64_t cols) const {
    Buffer dy, x;
    Sums total = {};
    slab.rows = 1;
    for (int64_t j = 0; j < cols; j += kBlock) {
      slab.cols = std::min(kBlock, cols - j);
      slab.dy = dy_.Load(element + j, slab.cols, dy);
      slab.x = x_.Load(element + j, slab.cols, x);
      Sums block;
      kernels_.sum_products(slab, &block);
      Add(block, &total);
    }
    return total;
  }

  // The numbers of a block of an activated norm: x, and dy of the norm itself.
  struct Numbers {
    alignas(64) float x[kBlock];
    alignas(64) float dy[kBlock];
    alignas(64) float y[kBlock];
  };

  // visit(slab of a block's numbers, row of the piece, first element)
  template <class Visit>
  void ForBlocks(Slab slab, int64_t group, const Piece& piece, const Visit& visit) const {
    Numbers b;
    slab.x = b.x;
    slab.dy = b.dy;
    slab.rows = 1;
    const int64_t channel = group % s_.groups * s_.group_channels() + piece.row;
    for (int64_t r = 0; r < piece.rows; ++r) {
      const Output norm = {b.y, gamma_ + channel + r, beta_ + channel + r, 0, false};
      for (int64_t j = 0; j < piece.cols; j += kBlock) {
        const int64_t at = piece.element + r * piece.cols + j;
        slab.cols = std::min(kBlock, piece.cols - j);
        x_.LoadNumbers(at, slab.cols, b.x);
        dy_.LoadNumbers(at, slab.cols, b.dy);
        kernels_.normalize(slab, norm);
        blocks::Rows(slab.cols)(elementwise::Op::kSwishGrad, b.dy, b.dy, b.y, nullptr, p_.swish);
        visit(slab, r, at);
      }
    }
  }

  void SumActivated(const Slab& slab, int64_t group, const Piece& piece, Sums* sums) const {
    std::fill_n(sums, piece.rows, Sums{});
    ForBlocks(slab, group, piece, [&](const Slab& block, int64_t row, int64_t) {
      Sums more;
      kernels_.sum_products(block, &more);
      Add(more, sums + row);
    });
  }

  void WriteActivated(const Slab& slab, Gradient gradient, int64_t group,
                      const Piece& piece) const {
    alignas(64) float dx[kBlock];
    gradient.dx = dx;
    const float* const gamma = gradient.gamma;
    ForBlocks(slab, group, piece, [&](const Slab& block, int64_t row, int64_t at) {
      gradient.gamma = gamma + row;
      kernels_.write_gradient(block, gradient);
      dx_.StoreNumbers(at, block.cols, dx);
    });
  }

  void WriteItems(int64_t group, const Means& means, int64_t begin, int64_t end) const {
    Slab slab = SlabOf(group);
    const double rstd = slab.rstd;
    Gradient gradient{};
    gradient.c1 = static_cast<float>(rstd * means.c1);
    gradient.c2 = static_cast<float>(rstd * means.c2);
    groups_.ForPieces(group, begin, end, [&](const Piece& piece) {
      gradient.gamma = Gamma(group) + piece.row;
      if (p_.activates) return WriteActivated(slab, gradient, group, piece);
      if (dy_.dense() && x_.dense() && dx_.dense()) {
        slab.dy = dy_.Address(piece.element);
        slab.x = x_.Address(piece.element);
        slab.rows = piece.rows;
        slab.cols = piece.cols;
        slab.ahead = groups_.SecondPassAhead(past_caches_);
        gradient.dx = dx_.Address(piece.element);
        gradient.past_caches = past_caches_;
        return kernels_.write_gradient(slab, gradient);
      }
      for (int64_t r = 0; r < piece.rows; ++r, ++gradient.gamma) {
        WriteGathered(&dy_, x_, dx_, slab, piece.element + r * piece.cols, piece.cols,
                      [&](const Slab& block, void* to) {
                        gradient.dx = to;
                        kernels_.write_gradient(block, gradient);
                      });
      }
    });
  }

  const BackwardParams& p_;
  const Sizes& s_;
  const Groups& groups_;
  const group_norm::Kernels& kernels_;
  const Elements dy_, x_, dx_, mean_, rstd_;
  const bool past_caches_;
  float* const gamma_;
  float* const beta_;
  Sums* const sums_;
};

class BackwardPlan final : public BookedPlan {
 public:
  explicit BackwardPlan(const BackwardParams& params)
      : p_(params),
        groups_(params.sizes, ElementOf(params.x.dtype), 2),
        kernels_(ChooseKernels(params.activates ? Element::kFp32 : ElementOf(params.x.dtype))) {
    const Sizes& s = p_.sizes;
    if (s.empty()) return;
    gamma_ = book_.Book<float>(static_cast<size_t>(s.channels));
    beta_ = book_.Book<float>(static_cast<size_t>(p_.activates ? s.channels : 0));
    sums_ = book_.Book<Sums>(static_cast<size_t>(s.batch * s.channels * groups_.chunks()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Elements dgamma(p_.dgamma, bindings), dbeta(p_.dbeta, bindings);
    const auto write = [&](int64_t channel, const Sums& sums) {
      if (p_.dgamma.given()) dgamma.Set(channel, sums.dy_xh);
      if (p_.dbeta.given()) dbeta.Set(channel, sums.dy);
    };
    if (p_.sizes.empty()) {  // sums of nothing
      for (int64_t c = 0; c < p_.sizes.channels; ++c) write(c, {});
      return {};
    }
    const BackwardRun run(p_, groups_, kernels_, bindings, gamma_.In(bindings), beta_.In(bindings),
                          sums_.In(bindings));
    run.WriteDx();
    if (!p_.dgamma.given() && !p_.dbeta.given()) return {};
    // About 2 us: 6 ns for each channel, 1.5 ns for each of its sums.
    const int64_t grain = std::max<int64_t>(1, 1400 / (4 + p_.sizes.batch * groups_.chunks()));
    ParallelFor(p_.sizes.channels, grain, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) write(c, run.ChannelSums(c));
    });
    return {};
  }

 private:
  const BackwardParams p_;
  const Groups groups_;
  const group_norm::Kernels kernels_;
  WorkspaceSlot<float> gamma_, beta_;
  WorkspaceSlot<Sums> sums_;
};

}  // namespace

std::shared_ptr<const Plan> MakeBackward(const BackwardParams& params) {
  return std::make_shared<BackwardPlan>(params);
}

Status PrepareBackward(Operands& operands, PreparedCall* call) {
  BackwardParams params;
  if (Status s = CheckBackward(operands, &params); !s.ok()) return s;
  const bool parameters = params.dgamma.given() || params.dbeta.given();
  const bool nothing = params.sizes.empty() ? !parameters : !parameters && !params.dx.given();
  if (params.sizes.channels == 0 || nothing) return {};
  call->plan = MakeBackward(params);
  return {};
}

}  // namespace anyacl::group_norm
