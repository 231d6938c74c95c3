// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise/chain.h"

#include <algorithm>
#include <type_traits>

#include "ops/blocks/walk.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {
namespace {

constexpr size_t kMaxNumbers = 12;

class ChainPlan final : public Plan {
 public:
  explicit ChainPlan(Chain chain) : chain_(std::move(chain)) {
    std::vector<TensorView> views;
    for (const ChainOutput& output : chain_.outputs) views.push_back(output.view);
    views.insert(views.end(), chain_.inputs.begin(), chain_.inputs.end());
    chain_.groups.sizes.given() ? CoalesceInOrder(views) : Coalesce(views);
    for (const TensorView& view : views) doubles_ |= view.dtype == ACL_DOUBLE;
    auto from = views.begin();
    for (ChainOutput& output : chain_.outputs) output.view = *from++;
    for (TensorView& input : chain_.inputs) input = *from++;
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t count = chain_.outputs[0].view.elements();
    if (chain_.groups.sizes.given()) {
      if (Status s = CountGroups(bindings, &count); !s.ok()) return s;
    }
    ParallelFor(
        (count + blocks::kWalkBlock - 1) / blocks::kWalkBlock, 1, [&](int64_t begin, int64_t end) {
          for (int64_t block = begin; block < end; ++block) {
            const int64_t size = std::min(blocks::kWalkBlock, count - block * blocks::kWalkBlock);
            doubles_ ? RunBlock<double>(bindings, block, size)
                     : RunBlock<float>(bindings, block, size);
          }
        });
    if (chain_.groups.clears) Clear(bindings, count);
    return {};
  }

 private:
  // The elements from `first` on.
  void Clear(const Bindings& bindings, int64_t first) const {
    const int64_t count = chain_.outputs[0].view.elements() - first;
    ParallelFor(
        (count + blocks::kWalkBlock - 1) / blocks::kWalkBlock, 1, [&](int64_t begin, int64_t end) {
          static constexpr float kZeros[blocks::kWalkBlock] = {};
          const int64_t last = std::min(count, end * blocks::kWalkBlock);
          for (int64_t at = begin * blocks::kWalkBlock; at < last; at += blocks::kWalkBlock) {
            Store(bindings, first + at, std::min(blocks::kWalkBlock, last - at),
                  [](const ChainOutput&) { return kZeros; });
          }
        });
  }

  // numbers_of(output): `size` numbers, those from element `begin` on.
  template <class NumbersOf>
  void Store(const Bindings& bindings, int64_t begin, int64_t size,
             const NumbersOf& numbers_of) const {
    for (const ChainOutput& output : chain_.outputs) {
      const auto* from = numbers_of(output);
      const auto store =
          blocks::Storer(kElementOf<std::remove_cvref_t<decltype(*from)>>, output.view.dtype);
      blocks::ForTiles(
          output.view, output.view.Address(bindings), begin, begin + size,
          [&](const blocks::Tile& tile, int64_t before) { store(from + before, tile); });
    }
  }

  // The elements of all groups.
  Status CountGroups(const Bindings& bindings, int64_t* count) const {
    const auto& [sizes, most, each, clears] = chain_.groups;
    int64_t rows = 0;
    for (int64_t i = 0; i < sizes.sizes[0]; ++i) {
      const int64_t size =
          reinterpret_cast<const int64_t*>(sizes.Address(bindings))[i * sizes.strides[0]];
      if (size < 0 || size > most - rows) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                    "groupIndexOptional[{}] = {}, expected 0 to {}, as x has {} rows", i, size,
                    most - rows, most);
      }
      rows += size;
    }
    *count = rows * each;
    return {};
  }

  template <class T>
  void RunBlock(const Bindings& bindings, int64_t block, int64_t size) const {
    alignas(64) T numbers[kMaxNumbers][blocks::kWalkBlock];
    const int64_t begin = block * blocks::kWalkBlock, end = begin + size;
    size_t next = 0;
    for (const TensorView& view : chain_.inputs) {
      T* to = numbers[next++];
      const auto load = blocks::Loader(kElementOf<T>, view.dtype);
      blocks::ForTiles(view, view.Address(bindings), begin, end,
                       [&](const blocks::Tile& tile, int64_t before) { load(tile, to + before); });
    }
    for (const ChainStep& step : chain_.steps) {
      Block call = {};
      for (size_t i = 0; i < step.of.size(); ++i) call.in[i] = numbers[step.of[i]];
      for (int64_t& one : call.step) one = 1;
      call.out = numbers[next++];
      call.count = size;
      call.p = {static_cast<float>(step.p), step.p, 0};
      call.q = {static_cast<float>(step.q), step.q, 0};
      anyacl::Kernels().elementwise.Find(step.op, kElementOf<T>)(call);
    }
    Store(bindings, begin, size,
          [&](const ChainOutput& output) -> const T* { return numbers[output.number]; });
  }

  Chain chain_;
  bool doubles_ = false;
};

}  // namespace

std::shared_ptr<const Plan> MakeChainPlan(Chain chain) {
  return std::make_shared<ChainPlan>(std::move(chain));
}

}  // namespace anyacl::elementwise
