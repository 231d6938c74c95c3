// SPDX-License-Identifier: Apache-2.0
// Members are cut into chunks; threads share the chunks of all members, so that many small tensors
// cost a loop step each and no thread. Kernels read and write tensors directly whose elements are
// of the right type and follow each other; others go through buffers that the first cache holds.
#include "ops/foreach/plan.h"

#include <algorithm>

#include "nnop/ordered_plan.h"
#include "nnop/promotion.h"
#include "ops/blocks/walk.h"
#include "ops/foreach/scalars.h"
#include "runtime/parallel.h"

namespace anyacl::foreach {
namespace {

using blocks::kWalkBlock;
using elementwise::Block;
using elementwise::BlockFunction;
using elementwise::Op;

constexpr int64_t kChunk = 8 * kWalkBlock;  // elements: 2 us or more

// The numbers that elements of a type become.
Element WideForm(aclDataType dtype) { return blocks::NumberOf(ElementOf(dtype)); }

BlockFunction Find(Op op, Element form) { return Kernels().elementwise.Find(op, form); }

class ListPlan final : public Plan {
 public:
  explicit ListPlan(const ListProblem& problem) : p_(problem) {
    int64_t elements = 0;
    for (Member& member : p_.members) {
      TensorView views[kMaxInputs + 1] = {member.out, member.in[0], member.in[1], member.in[2]};
      Coalesce(views);
      member.out = views[0];
      std::copy_n(views + 1, kMaxInputs, member.in);
      const int64_t count = member.out.elements();
      elements += count;
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + (count + kChunk - 1) / kChunk);
      kernels_.push_back(Choose(member));
    }
    const int64_t chunks = ends_.empty() ? 0 : ends_.back();
    grain_ = std::max<int64_t>(1, kChunk * chunks / std::max<int64_t>(1, elements));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(ends_.empty() ? 0 : ends_.back(), grain_, [&](int64_t begin, int64_t end) {
      auto at =
          static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), begin) - ends_.begin());
      for (int64_t i = begin; i < end; ++i) {
        while (i >= ends_[at]) ++at;
        RunChunk(bindings, at, i - (at > 0 ? ends_[at - 1] : 0));
      }
    });
    return {};
  }

 private:
  // How the elements of a member are computed.
  struct Kernel {
    BlockFunction function;
    bool direct;  // where they lie
  };

  Kernel Choose(const Member& member) const {
    bool dense = member.out.IsContiguous();
    bool same = true;
    for (int i = 0; i < p_.inputs; ++i) {
      dense &= member.in[i].IsContiguous();
      same &= member.in[i].dtype == member.out.dtype;
    }
    const aclDataType dtype = member.in[0].dtype;
    const BlockFunction own = dense && same ? Find(p_.op, ElementOf(dtype)) : nullptr;
    return {own != nullptr ? own : Find(p_.op, WideForm(dtype)), own != nullptr};
  }

  elementwise::Scalar ScalarOf(const Bindings& bindings, const Member& member) const {
    if (!p_.scalars.given()) return member.p;
    const int64_t at = p_.scalars.OffsetOf(static_cast<int64_t>(member.index));
    const ScalarValue value = ReadNumber(
        p_.scalars.dtype, p_.scalars.Address(bindings) + at * blocks::BytesOf(p_.scalars.dtype));
    return {static_cast<float>(value.real), value.real, value.integer};
  }

  void RunChunk(const Bindings& bindings, size_t index, int64_t chunk) const {
    const Member& member = p_.members[index];
    const Kernel& kernel = kernels_[index];
    const int64_t begin = chunk * kChunk;
    const int64_t count = std::min(kChunk, member.out.elements() - begin);
    Block block = {};
    for (int64_t& step : block.step) step = 1;
    block.p = ScalarOf(bindings, member);
    block.q = member.q;
    if (kernel.direct) {
      const int64_t at = begin * blocks::BytesOf(member.out.dtype);
      for (int i = 0; i < p_.inputs; ++i) block.in[i] = member.in[i].Address(bindings) + at;
      block.out = member.out.Address(bindings) + at;
      block.count = count;
      return kernel.function(block);
    }
    const Element number = WideForm(member.in[0].dtype);
    alignas(64) char buffers[kMaxInputs][kWalkBlock * 8];
    const int64_t bytes = BytesOf(number);
    for (int64_t b = begin / kWalkBlock; b * kWalkBlock < begin + count; ++b) {
      for (int i = 0; i < p_.inputs; ++i) {
        const auto load = blocks::Loader(number, member.in[i].dtype);
        blocks::Walk::ForTiles(bindings, member.in[i], b, [&](const blocks::Tile& t, int64_t at) {
          load(t, buffers[i] + at * bytes);
        });
        block.in[i] = buffers[i];
      }
      block.out = buffers[0];
      block.count = std::min(kWalkBlock, begin + count - b * kWalkBlock);
      kernel.function(block);
      const auto store = blocks::Storer(number, member.out.dtype);
      blocks::Walk::ForTiles(bindings, member.out, b, [&](const blocks::Tile& t, int64_t at) {
        store(buffers[0] + at * bytes, t);
      });
    }
  }

  ListProblem p_;
  std::vector<int64_t> ends_;  // of each member's chunks among all
  std::vector<Kernel> kernels_;
  int64_t grain_ = 1;
};

}  // namespace

bool CanCompute(Op op, aclDataType dtype) { return Find(op, WideForm(dtype)) != nullptr; }

std::shared_ptr<const Plan> MakeListPlans(const std::vector<ListProblem>& problems) {
  std::vector<std::shared_ptr<const Plan>> plans;
  for (const ListProblem& problem : problems) plans.push_back(std::make_shared<ListPlan>(problem));
  return InOrder(std::move(plans));
}

}  // namespace anyacl::foreach
