// SPDX-License-Identifier: Apache-2.0
// The gradients. Per group: the sums of dy and dy * xh of each channel, the group's means c1 and c2
// of them weighted by gamma, then dx. The channels' sums stay in the workspace; summed over the
// batch they are the gradients of beta and gamma.
//
// Channels of a large area are cut into chunks, each with sums of its own, so that threads can
// share a group. All sums of sums are taken in the order of the chunks: who computed which does not
// show.
#include <algorithm>

#include "base/cpu.h"
#include "kernels.h"
#include "nnop/workspace.h"
#include "ops/group_norm/op.h"
#include "ops/group_norm/values.h"
#include "runtime/parallel.h"

namespace anyacl::group_norm {
namespace {

// A chunk of fp32 dy and x is 256 KiB, and takes 8 us in the caches.
constexpr int64_t kChunk = int64_t{1} << 15;
static_assert(kChunk % kBlock == 0);

// The device addresses and the workspace of one run.
struct Run {
  const Bindings& bindings;
  float* gamma;
  Sums* sums;

  const char* In(const Place& place) const { return Data(bindings, place); }
  char* Out(const Place& place) const { return Data(bindings, place); }
};

class BackwardPlan final : public Plan {
 public:
  explicit BackwardPlan(const BackwardParams& params)
      : p_(params),
        s_(params.sizes),
        kernels_(Kernels().select_group_norm_backward(params.x.element)),
        chunks_(s_.area / kChunk + (s_.area % kChunk != 0)),
        stream_(Streams(params)) {
    if (s_.empty()) return;
    gamma_ = book_.Book<float>(static_cast<size_t>(s_.channels));
    sums_ = book_.Book<Sums>(static_cast<size_t>(s_.batch * s_.channels * chunks_));
  }

  uint64_t workspace_size() const { return book_.size(); }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const group_norm::Run run = {bindings, gamma_.In(bindings), sums_.In(bindings)};
    if (!s_.empty()) {
      for (int64_t c = 0; c < s_.channels; ++c) {
        run.gamma[c] = p_.gamma.given() ? ReadValue(p_.gamma, run.In(p_.gamma), c) : 1.0f;
      }
      if (SplitsGroups()) {
        RunSplitGroups(run);
      } else {
        RunWholeGroups(run);
      }
    }
    if (p_.dgamma.given() || p_.dbeta.given()) WriteParameterGradients(run);
    return {};
  }

 private:
  // Of one group: chunks of its channels, counted through.
  int64_t Items() const { return s_.group_channels() * chunks_; }

  // Groups that fit into a core's L2 are left to one thread each, which finds dy and x there in the
  // second pass. A larger one is shared, so that only one at a time occupies the shared cache; and
  // so are groups too few to occupy all threads.
  bool SplitsGroups() const {
    const int64_t bytes = 2 * s_.group_elements() * ElementBytes(p_.x.element);
    const bool few = s_.batch * s_.groups < 2 * ThreadCount();
    return s_.group_elements() > kChunk && (few || bytes > Caches().level2);
  }

  void RunWholeGroups(const group_norm::Run& run) const {
    const int64_t grain = std::max<int64_t>(1, kChunk / s_.group_elements());
    ParallelFor(s_.batch * s_.groups, grain, [&](int64_t begin, int64_t end) {
      for (int64_t group = begin; group < end; ++group) {
        SumItems(run, group, 0, Items());
        if (p_.dx.given()) WriteItems(run, group, Weigh(run, group), 0, Items());
      }
    });
  }

  void RunSplitGroups(const group_norm::Run& run) const {
    const int64_t grain = std::max<int64_t>(1, kChunk / std::min(s_.area, kChunk));
    const int64_t items = Items();
    for (int64_t group = 0; group < s_.batch * s_.groups; ++group) {
      ParallelFor(items, grain,
                  [&](int64_t begin, int64_t end) { SumItems(run, group, begin, end); });
      if (!p_.dx.given()) continue;
      const Means means = Weigh(run, group);
      ParallelFor(items, grain,
                  [&](int64_t begin, int64_t end) { WriteItems(run, group, means, begin, end); });
    }
  }

  struct Means {
    double c1, c2;
  };

  Means Weigh(const group_norm::Run& run, int64_t group) const {
    const int64_t first_row = group * s_.group_channels();
    const float* gamma = Gamma(run, group);
    Means total = {0, 0};
    for (int64_t d = 0; d < s_.group_channels(); ++d) {
      const Sums sums = RowSums(run, first_row + d);
      total.c1 += double{gamma[d]} * sums.dy;
      total.c2 += double{gamma[d]} * sums.dy_xh;
    }
    const auto count = static_cast<double>(s_.group_elements());
    return {total.c1 / count, total.c2 / count};
  }

  // Of the channels of a group.
  const float* Gamma(const group_norm::Run& run, int64_t group) const {
    return run.gamma + group % s_.groups * s_.group_channels();
  }

  // Of a whole channel of one batch element.
  Sums RowSums(const group_norm::Run& run, int64_t row) const {
    Sums total = {};
    for (int64_t i = row * chunks_; i < (row + 1) * chunks_; ++i) {
      total.dy += run.sums[i].dy;
      total.dy_xh += run.sums[i].dy_xh;
    }
    return total;
  }

  // Calls visit(item, row, element, rows, cols) for pieces that make up the items: rows of the
  // group that follow each other, or a chunk of one; `element` counts within the whole tensor.
  template <class Visit>
  void ForPieces(int64_t group, int64_t begin, int64_t end, Visit visit) const {
    const int64_t first_element = group * s_.group_elements();
    if (chunks_ == 1)
      return visit(begin, begin, first_element + begin * s_.area, end - begin, s_.area);
    for (int64_t item = end; item-- > begin;) {
      const int64_t row = item / chunks_;
      const int64_t in_row = item % chunks_ * kChunk;
      visit(item, row, first_element + row * s_.area + in_row, 1,
            std::min(kChunk, s_.area - in_row));
    }
  }

  Slab SlabOf(const group_norm::Run& run, int64_t group) const {
    Slab slab{};
    slab.mean = ReadValue(p_.mean, run.In(p_.mean), group);
    slab.rstd = ReadValue(p_.rstd, run.In(p_.rstd), group);
    return slab;
  }

  void SumItems(const group_norm::Run& run, int64_t group, int64_t begin, int64_t end) const {
    Slab slab = SlabOf(run, group);
    Sums* sums = run.sums + group * Items();
    ForPieces(group, begin, end,
              [&](int64_t item, int64_t, int64_t element, int64_t rows, int64_t cols) {
                if (p_.dy.map.IsDense() && p_.x.map.IsDense()) {
                  slab.dy = Address(p_.dy, run.In(p_.dy), element);
                  slab.x = Address(p_.x, run.In(p_.x), element);
                  slab.rows = rows;
                  slab.cols = cols;
                  return kernels_.sum_products(slab, sums + item);
                }
                for (int64_t r = 0; r < rows; ++r) {
                  sums[item + r] = SumGathered(run, slab, element + r * cols, cols);
                }
              });
  }

  // Block by block through a buffer: the same sums in the same order.
  Sums SumGathered(const group_norm::Run& run, Slab slab, int64_t element, int64_t cols) const {
    Buffer dy, x;
    Sums total = {};
    slab.rows = 1;
    for (int64_t j = 0; j < cols; j += kBlock) {
      slab.cols = std::min(kBlock, cols - j);
      slab.dy = dy.Load(p_.dy, run.In(p_.dy), element + j, slab.cols);
      slab.x = x.Load(p_.x, run.In(p_.x), element + j, slab.cols);
      Sums block;
      kernels_.sum_products(slab, &block);
      total.dy += block.dy;
      total.dy_xh += block.dy_xh;
    }
    return total;
  }

  void WriteItems(const group_norm::Run& run, int64_t group, const Means& means, int64_t begin,
                  int64_t end) const {
    Slab slab = SlabOf(run, group);
    const double rstd = slab.rstd;
    Gradient gradient{};
    gradient.c1 = static_cast<float>(rstd * means.c1);
    gradient.c2 = static_cast<float>(rstd * means.c2);
    gradient.stream = stream_;
    const float* gamma = Gamma(run, group);
    ForPieces(group, begin, end,
              [&](int64_t, int64_t row, int64_t element, int64_t rows, int64_t cols) {
                gradient.gamma = gamma + row;
                if (p_.dy.map.IsDense() && p_.x.map.IsDense() && p_.dx.map.IsDense()) {
                  slab.dy = Address(p_.dy, run.In(p_.dy), element);
                  slab.x = Address(p_.x, run.In(p_.x), element);
                  slab.rows = rows;
                  slab.cols = cols;
                  gradient.dx = Address(p_.dx, run.Out(p_.dx), element);
                  return kernels_.write_gradient(slab, gradient);
                }
                for (int64_t r = 0; r < rows; ++r, ++gradient.gamma) {
                  WriteGathered(run, slab, gradient, element + r * cols, cols);
                }
              });
  }

  void WriteGathered(const group_norm::Run& run, Slab slab, Gradient gradient, int64_t element,
                     int64_t cols) const {
    Buffer dy, x, dx;
    slab.rows = 1;
    gradient.stream = false;
    for (int64_t j = 0; j < cols; j += kBlock) {
      slab.cols = std::min(kBlock, cols - j);
      slab.dy = dy.Load(p_.dy, run.In(p_.dy), element + j, slab.cols);
      slab.x = x.Load(p_.x, run.In(p_.x), element + j, slab.cols);
      gradient.dx = dx.memory;
      kernels_.write_gradient(slab, gradient);
      dx.Store(p_.dx, run.Out(p_.dx), element + j, slab.cols);
    }
  }

  // The sums over the batch, rounded once. Of an empty batch or area they are 0.
  void WriteParameterGradients(const group_norm::Run& run) const {
    const int64_t batch = s_.empty() ? 0 : s_.batch;
    // About 2 us: 6 ns for each channel, 1.5 ns for each of its sums.
    const int64_t grain = std::max<int64_t>(1, 1400 / (4 + batch * chunks_));
    ParallelFor(s_.channels, grain, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) {
        Sums total = {};
        for (int64_t n = 0; n < batch; ++n) {
          const Sums sums = RowSums(run, n * s_.channels + c);
          total.dy += sums.dy;
          total.dy_xh += sums.dy_xh;
        }
        if (p_.dgamma.given()) WriteValue(p_.dgamma, run.Out(p_.dgamma), c, total.dy_xh);
        if (p_.dbeta.given()) WriteValue(p_.dbeta, run.Out(p_.dbeta), c, total.dy);
      }
    });
  }

  // Stores past the caches save reading the lines that they replace, but evict the result: only
  // where dx would leave the caches anyway.
  static bool Streams(const BackwardParams& p) {
    const int64_t elements = p.sizes.batch * p.sizes.channels * p.sizes.area;
    return elements * ElementBytes(p.x.element) > Caches().last / 2;
  }

  const BackwardParams p_;
  const Sizes s_;
  const BackwardKernels kernels_;
  const int64_t chunks_;  // per row
  const bool stream_;
  WorkspaceBook book_;
  Booking<float> gamma_;
  Booking<Sums> sums_;
};

}  // namespace

std::shared_ptr<const Plan> MakeBackwardPlan(const BackwardParams& params,
                                             uint64_t* workspace_size) {
  const bool parameters = params.dgamma.given() || params.dbeta.given();
  const bool nothing = params.sizes.empty() ? !parameters : !parameters && !params.dx.given();
  if (params.sizes.channels == 0 || nothing) return nullptr;
  auto plan = std::make_shared<BackwardPlan>(params);
  *workspace_size = plan->workspace_size();
  return plan;
}

}  // namespace anyacl::group_norm
