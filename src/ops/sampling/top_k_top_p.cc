// SPDX-License-Identifier: Apache-2.0
// Logits of which those stay that a next token is chosen from. A row is filtered by k without
// sorting it; only what is left is sorted for p. Threads share rows.
#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/entries.h"
#include "ops/blocks/first_entries.h"
#include "ops/blocks/radix_sort.h"
#include "ops/sampling/operators.h"
#include "runtime/parallel.h"

namespace anyacl::sampling {
namespace {

struct TopKTopPParams {
  TensorView logits{}, p{}, k{}, out{};
};

using Entry = blocks::Narrow;  // of blocks::EntryOf: the smallest first

class TopKTopPPlan final : public BookedPlan {
 public:
  explicit TopKTopPPlan(const TopKTopPParams& params)
      : p_(params), rows_(p_.logits.sizes[0]), length_(p_.logits.sizes[1]) {
    const auto pieces = static_cast<size_t>(std::min(ThreadCount(), rows_) * length_);
    logits_ = book_.Book<float>(pieces);
    powers_ = book_.Book<float>(pieces);
    entries_ = book_.Book<Entry>(2 * pieces);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    constexpr int64_t kWorth = 1 << 10;  // elements: some 20 us
    ParallelFor(rows_, std::max<int64_t>(1, kWorth / length_),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  const int64_t piece = slot * length_;
                  for (int64_t row = begin; row < end; ++row) {
                    RunRow(bindings, row, logits_.In(bindings) + piece,
                           powers_.In(bindings) + piece, entries_.In(bindings) + 2 * piece);
                  }
                });
    return {};
  }

 private:
  void RunRow(const Bindings& bindings, int64_t row, float* logits, float* powers,
              Entry* entries) const {
    const TensorView& from = p_.logits;
    blocks::LoadRow(from.dtype, from.Address(bindings) + row * from.strides[0] * BytesOf(from),
                    from.strides[1], length_, logits);
    int64_t left = length_;
    if (p_.k.given()) {
      const char* const at = p_.k.Address(bindings) + row * p_.k.strides[0] * 4;
      left = KeepLargest(LoadElement<int32_t>(at), logits, powers, entries);
    } else {
      TakeAll(logits, entries);
    }
    if (p_.p.given()) {
      const char* const at = p_.p.Address(bindings) + row * p_.p.strides[0] * BytesOf(p_.p);
      FilterByMass(Rest(blocks::LoadOne<float>(p_.p.dtype, at)), left, logits, powers, entries);
    }
    const TensorView& to = p_.out;
    blocks::StoreRow(logits, length_, to.dtype,
                     to.Address(bindings) + row * to.strides[0] * BytesOf(to), to.strides[1]);
  }

  // 1 - p as a number of p's type.
  float Rest(float p) const {
    char held[4];
    blocks::StoreOne(1 - p, p_.p.dtype, held);
    return blocks::LoadOne<float>(p_.p.dtype, held);
  }

  // What is at least the k-th largest stays, and has an entry; how many do.
  int64_t KeepLargest(int64_t k, float* logits, float* kept, Entry* entries) const {
    if (k <= 0 || k >= length_) return TakeAll(logits, entries);
    const Falling falling(logits, length_);
    blocks::KeepFirst(falling, k, length_, entries);
    const float least = logits[entries[k - 1].place()];
    if (std::isnan(least)) return TakeAll(logits, entries);  // nothing is less
    int64_t left = 0;
    const float bound = std::nextafter(least, -INFINITY);
    for (int64_t at = 0; at < length_; at += sorting::kBlock) {
      const sorting::Places found = falling.FindAbove(at, bound);
      at = found.at;
      for (uint64_t rest = found.mask; rest != 0; rest &= rest - 1) {
        const int64_t place = at + std::countr_zero(rest);
        kept[left] = logits[place];
        entries[left++] = {blocks::EntryOf(logits[place], place)};
      }
    }
    std::fill_n(logits, length_, -INFINITY);
    for (int64_t e = 0; e < left; ++e) logits[entries[e].place()] = kept[e];
    return left;
  }

  // Logits as KeepFirst takes them, the largest first.
  class Falling {
   public:
    Falling(const float* logits, int64_t length) : logits_(logits), length_(length) {}
    void Load(int64_t begin, int64_t end, Entry* to) const {
      for (; begin < end; ++begin) *to++ = {blocks::FallingEntryOf(logits_[begin], begin)};
    }
    static bool finds() { return true; }
    sorting::Places Find(int64_t at, Entry entry) const {
      return FindAbove(at, logits_[entry.place()]);
    }
    // Something above `bound`, or a NaN.
    sorting::Places FindAbove(int64_t at, float bound) const {
      constexpr auto kForm = static_cast<size_t>(Element::kFp32);
      return Kernels().sorting.find_beyond[kForm](
          {.row = logits_, .begin = at, .end = length_, .bound = bound, .above = true});
    }

   private:
    const float* const logits_;
    const int64_t length_;
  };

  int64_t TakeAll(const float* logits, Entry* entries) const {
    for (int64_t i = 0; i < length_; ++i) entries[i] = {blocks::EntryOf(logits[i], i)};
    return length_;
  }

  // From the smallest on, until their share of the softmax is above `rest`; the largest stays.
  void FilterByMass(float rest, int64_t left, float* logits, float* powers, Entry* entries) const {
    const auto& softmax = Kernels().rowwise.fp32.softmax;
    const float max = softmax.max(logits, length_);
    const double sum = softmax.exp_sum(logits, length_, max == -INFINITY ? 0 : max, powers);
    blocks::SortEntries(entries, entries + length_, left, 32, false, nullptr);
    // What k has left out has no share: it is masked already.
    double share = 0;
    for (int64_t i = 0; i + 1 < left; ++i) {
      const int64_t place = entries[i].place();
      share += double{powers[place]} / sum;
      // A share that is no number filters nothing.
      if (!(share <= double{rest})) return;
      logits[place] = -INFINITY;
    }
  }

  const TopKTopPParams p_;
  const int64_t rows_, length_;
  WorkspaceSlot<float> logits_, powers_;
  WorkspaceSlot<Entry> entries_;  // and as many to sort them
};

}  // namespace

Status PrepareTopKTopP(Operands& operands, PreparedCall* call) {
  if (!operands.Given(kP) && !operands.Given(kK)) {
    return Fail(operands.spec().codes.null, "p and k are null, expected a tensor for one of them");
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  TopKTopPParams params = {.logits = ViewOf(operands, kLogits), .out = ViewOf(operands, kOut)};
  if (operands.Given(kP)) params.p = ViewOf(operands, kP);
  if (operands.Given(kK)) params.k = ViewOf(operands, kK);
  call->plan = std::make_shared<TopKTopPPlan>(params);
  return {};
}

}  // namespace anyacl::sampling
