// SPDX-License-Identifier: Apache-2.0
// The normalisation. Per group: the moments of its items, merged in double into mean and variance,
// then out, of an activated norm as numbers up to its rounding.
#include <cmath>
#include <limits>

#include "nnop/workspace.h"
#include "ops/blocks/rows.h"
#include "ops/group_norm/choose_kernels.h"
#include "ops/group_norm/groups.h"
#include "ops/group_norm/op.h"

namespace anyacl::group_norm {
namespace {

class ForwardRun {
 public:
  ForwardRun(const ForwardParams& params, const Groups& groups, const group_norm::Kernels& kernels,
             const Bindings& bindings, float* gamma, float* beta, Moments* moments)
      : p_(params),
        s_(params.sizes),
        groups_(groups),
        kernels_(kernels),
        x_(params.x, bindings),
        out_(params.out, bindings),
        mean_(params.mean, bindings),
        rstd_(params.rstd, bindings),
        past_caches_(GoesPastCaches(params.sizes, ElementOf(params.x.dtype), 2)),
        gamma_(gamma),
        beta_(beta),
        moments_(moments) {
    ReadParameters(p_.gamma, bindings, 1.0f, s_.channels, gamma_);
    ReadParameters(p_.beta, bindings, 0.0f, s_.channels, beta_);
  }

  void WriteAll() const {
    groups_.ForEach(
        [&](int64_t group, int64_t begin, int64_t end) { FindMoments(group, begin, end); },
        [&](int64_t group) { return WriteStatistics(group); },
        [&](int64_t group, const Statistics& statistics, int64_t begin, int64_t end) {
          WriteItems(group, statistics, begin, end);
        });
  }

 private:
  struct Statistics {
    double mean, rstd;
  };

  void FindMoments(int64_t group, int64_t begin, int64_t end) const {
    Moments* moments = moments_ + group * groups_.items();
    groups_.ForPieces(group, begin, end, [&](const Piece& piece) {
      if (x_.dense()) {
        Slab slab{};
        slab.x = x_.Address(piece.element);
        slab.rows = piece.rows;
        slab.cols = piece.cols;
        slab.ahead = groups_.FirstPassAhead(past_caches_);
        return kernels_.find_moments(slab, moments + piece.item);
      }
      for (int64_t r = 0; r < piece.rows; ++r) {
        moments[piece.item + r] = GatheredMoments(piece.element + r * piece.cols, piece.cols);
      }
    });
  }

  // Block by block through a buffer, merged as the kernel does it.
  Moments GatheredMoments(int64_t element, int64_t cols) const {
    Buffer x;
    Slab slab{};
    slab.rows = 1;
    Moments total = {};
    for (int64_t j = 0; j < cols; j += kBlock) {
      slab.cols = std::min(kBlock, cols - j);
      slab.x = x_.Load(element + j, slab.cols, x);
      Moments block;
      kernels_.find_moments(slab, &block);
      if (j == 0) {
        total = block;
      } else {
        Merge(total, static_cast<double>(j), block, static_cast<double>(slab.cols));
      }
    }
    return total;
  }

  Statistics WriteStatistics(int64_t group) const {
    const Moments* items = moments_ + group * groups_.items();
    Moments total = items[0];
    auto count = static_cast<double>(groups_.ItemElements(0));
    for (int64_t i = 1; i < groups_.items(); ++i) {
      const auto more = static_cast<double>(groups_.ItemElements(i));
      Merge(total, count, items[i], more);
      count += more;
    }
    const double variance = total.squares / count;
    const Statistics statistics = {total.mean, 1.0 / std::sqrt(variance + p_.eps)};
    mean_.Set(group, statistics.mean);
    rstd_.Set(group, statistics.rstd);
    return statistics;
  }

  void WriteItems(int64_t group, const Statistics& statistics, int64_t begin, int64_t end) const {
    Slab slab{};
    slab.mean = static_cast<float>(statistics.mean);
    slab.rstd = static_cast<float>(statistics.rstd);
    Output output{};
    output.residual = static_cast<float>(statistics.mean - static_cast<double>(slab.mean));
    const int64_t channel = group % s_.groups * s_.group_channels();
    groups_.ForPieces(group, begin, end, [&](const Piece& piece) {
      output.gamma = gamma_ + channel + piece.row;
      output.beta = beta_ + channel + piece.row;
      if (p_.activates) return WriteActivated(slab, output, piece);
      if (x_.dense() && out_.dense()) {
        slab.x = x_.Address(piece.element);
        slab.rows = piece.rows;
        slab.cols = piece.cols;
        slab.ahead = groups_.SecondPassAhead(past_caches_);
        output.out = out_.Address(piece.element);
        output.past_caches = past_caches_;
        return kernels_.normalize(slab, output);
      }
      for (int64_t r = 0; r < piece.rows; ++r, ++output.gamma, ++output.beta) {
        WriteGathered(nullptr, x_, out_, slab, piece.element + r * piece.cols, piece.cols,
                      [&](const Slab& block, void* to) {
                        output.out = to;
                        kernels_.normalize(block, output);
                      });
      }
    });
  }

  void WriteActivated(Slab slab, Output output, const Piece& piece) const {
    const auto& numbers = anyacl::Kernels().group_norm.fp32;
    alignas(64) float y[kBlock];
    slab.x = output.out = y;
    slab.rows = 1;
    for (int64_t r = 0; r < piece.rows; ++r, ++output.gamma, ++output.beta) {
      for (int64_t j = 0; j < piece.cols; j += kBlock) {
        const int64_t at = piece.element + r * piece.cols + j;
        slab.cols = std::min(kBlock, piece.cols - j);
        x_.LoadNumbers(at, slab.cols, y);
        numbers.normalize(slab, output);
        const auto op = p_.swish == 1 ? elementwise::Op::kSilu : elementwise::Op::kSwish;
        blocks::Rows(slab.cols)(op, y, y, nullptr, nullptr, p_.swish);
        out_.StoreNumbers(at, slab.cols, y);
      }
    }
  }

  const ForwardParams& p_;
  const Sizes& s_;
  const Groups& groups_;
  const group_norm::Kernels& kernels_;
  const Elements x_, out_, mean_, rstd_;
  const bool past_caches_;
  float* const gamma_;
  float* const beta_;
  Moments* const moments_;
};

class ForwardPlan final : public BookedPlan {
 public:
  explicit ForwardPlan(const ForwardParams& params)
      : p_(params),
        groups_(params.sizes, ElementOf(params.x.dtype), 1),
        kernels_(ChooseKernels(ElementOf(params.x.dtype))) {
    const Sizes& s = p_.sizes;
    if (s.empty()) return;
    gamma_ = book_.Book<float>(static_cast<size_t>(s.channels));
    beta_ = book_.Book<float>(static_cast<size_t>(s.channels));
    moments_ = book_.Book<Moments>(static_cast<size_t>(s.batch * s.channels * groups_.chunks()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (!p_.sizes.empty()) {
      ForwardRun(p_, groups_, kernels_, bindings, gamma_.In(bindings), beta_.In(bindings),
                 moments_.In(bindings))
          .WriteAll();
      return {};
    }
    const Elements mean(p_.mean, bindings), rstd(p_.rstd, bindings);
    for (int64_t group = 0; group < groups_.count(); ++group) {
      mean.Set(group, 0.0);
      rstd.Set(group, std::numeric_limits<double>::quiet_NaN());
    }
    return {};
  }

 private:
  const ForwardParams p_;
  const Groups groups_;
  const group_norm::Kernels kernels_;
  WorkspaceSlot<float> gamma_, beta_;
  WorkspaceSlot<Moments> moments_;
};

}  // namespace

std::shared_ptr<const Plan> MakeForward(const ForwardParams& params) {
  return std::make_shared<ForwardPlan>(params);
}

Status PrepareForward(Operands& operands, PreparedCall* call) {
  ForwardParams params;
  if (Status s = CheckForward(operands, &params); !s.ok()) return s;
  if (params.sizes.batch != 0) call->plan = MakeForward(params);
  return {};
}

}  // namespace anyacl::group_norm
