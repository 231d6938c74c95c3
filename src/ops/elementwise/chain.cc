// SPDX-License-Identifier: Apache-2.0
#include "ops/elementwise/chain.h"

#include <algorithm>
#include <type_traits>

#include "base/division.h"
#include "ops/blocks/walk.h"
#include "runtime/parallel.h"

namespace anyacl::elementwise {
namespace {

constexpr size_t kMaxNumbers = 12;
// Elements of a row from which on they are worth the calls of blocks of their own.
constexpr int64_t kLongRow = 512;
// Blocks of a row are about as long as each other: whole lines of memory.
constexpr int64_t kBlockStep = 64;

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
    const TensorView& lead = views[0];
    if (lead.rank > 0 && lead.sizes[lead.rank - 1] >= kLongRow) row_ = lead.sizes[lead.rank - 1];
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int64_t count = chain_.outputs[0].view.elements();
    if (chain_.groups.sizes.given()) {
      if (Status s = CountGroups(bindings, &count); !s.ok()) return s;
    }
    const int64_t line = row_ > 0 && count % row_ == 0 ? row_ : count;
    if (line > 0) {
      const int64_t blocks = CeilDivide(line, blocks::kWalkBlock);
      const int64_t most = RoundUp(CeilDivide(line, blocks), kBlockStep);
      const int64_t grain = std::max<int64_t>(1, blocks::kWalkBlock / line);
      ParallelFor(count / line * blocks, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const int64_t at = i % blocks * most, first = i / blocks * line + at;
          const int64_t size = std::min(most, line - at);
          doubles_ ? RunBlock<double>(bindings, first, size)
                   : RunBlock<float>(bindings, first, size);
        }
      });
    }
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

  // numbers_of(output): `size` numbers, those from element `begin` on; null if they are there.
  template <class NumbersOf>
  void Store(const Bindings& bindings, int64_t begin, int64_t size,
             const NumbersOf& numbers_of) const {
    for (const ChainOutput& output : chain_.outputs) {
      const auto* from = numbers_of(output);
      if (from == nullptr) continue;
      const auto store =
          blocks::Storer(kElementOf<std::remove_cvref_t<decltype(*from)>>, output.view.dtype);
      blocks::ForTiles(output.view, output.view.Address(bindings), begin, begin + size,
                       [&](const blocks::Tile& tile, int64_t before) {
                         // An input may be its own result.
                         if (from + before != static_cast<const void*>(tile.data))
                           store(from + before, tile);
                       });
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

  // `size` elements from `begin` on where they are numbers side by side; else null.
  template <class T>
  T* Dense(const Bindings& bindings, const TensorView& view, int64_t begin, int64_t size) const {
    if (ElementOf(view.dtype) != kElementOf<T>) return nullptr;
    T* const data = reinterpret_cast<T*>(view.Address(bindings));
    if (view.IsContiguous()) return data + begin;
    const int last = view.rank - 1;
    if (row_ < size || view.strides[last] != 1 || begin % row_ > row_ - size) return nullptr;
    return data + view.OffsetOf(begin / row_, last) + begin % row_;
  }

  template <class T>
  void RunBlock(const Bindings& bindings, int64_t begin, int64_t size) const {
    alignas(64) T buffers[kMaxNumbers][blocks::kWalkBlock];
    const T* numbers[kMaxNumbers];
    size_t next = 0;
    for (const TensorView& view : chain_.inputs) {
      T* const to = buffers[next];
      const T* const dense = Dense<T>(bindings, view, begin, size);
      numbers[next++] = dense != nullptr ? dense : to;
      if (dense != nullptr) continue;
      const auto load = blocks::Loader(kElementOf<T>, view.dtype);
      blocks::ForTiles(view, view.Address(bindings), begin, begin + size,
                       [&](const blocks::Tile& tile, int64_t before) { load(tile, to + before); });
    }
    // What is computed last may go where it belongs: nothing is read any more.
    const ChainOutput* written = nullptr;
    for (const ChainStep& step : chain_.steps) {
      Block call = {};
      for (size_t i = 0; i < step.of.size(); ++i) call.in[i] = numbers[step.of[i]];
      for (int64_t& one : call.step) one = 1;
      T* to = buffers[next];
      const ChainOutput& output = chain_.outputs.back();
      if (&step == &chain_.steps.back() && output.number == next) {
        if (T* const dense = Dense<T>(bindings, output.view, begin, size)) {
          to = dense;
          written = &output;
        }
      }
      numbers[next++] = to;
      call.out = to;
      call.count = size;
      call.p = {static_cast<float>(step.p), step.p, 0};
      call.q = {static_cast<float>(step.q), step.q, 0};
      anyacl::Kernels().elementwise.Find(step.op, kElementOf<T>)(call);
    }
    Store(bindings, begin, size, [&](const ChainOutput& output) -> const T* {
      return &output != written ? numbers[output.number] : nullptr;
    });
  }

  Chain chain_;
  bool doubles_ = false;
  // The last dimension, where it is long enough for blocks within it; else 0.
  int64_t row_ = 0;
};

}  // namespace

std::shared_ptr<const Plan> MakeChainPlan(Chain chain) {
  return std::make_shared<ChainPlan>(std::move(chain));
}

}  // namespace anyacl::elementwise
