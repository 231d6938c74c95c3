// SPDX-License-Identifier: Apache-2.0
// Logits of which those stay that a next token is chosen from. A row is filtered by k without
// sorting it; only what is left is sorted for p. Threads share rows.
#include <algorithm>
#include <cmath>

#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/entries.h"
#include "ops/sampling/operators.h"
#include "runtime/parallel.h"

namespace anyacl::sampling {
namespace {

struct TopKTopPParams {
  TensorView logits{}, p{}, k{}, out{};
};

class TopKTopPPlan final : public BookedPlan {
 public:
  explicit TopKTopPPlan(const TopKTopPParams& params)
      : p_(params), rows_(p_.logits.sizes[0]), length_(p_.logits.sizes[1]) {
    const auto pieces = static_cast<size_t>(std::min(ThreadCount(), rows_) * length_);
    logits_ = book_.Book<float>(pieces);
    powers_ = book_.Book<float>(pieces);
    entries_ = book_.Book<uint64_t>(pieces);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    constexpr int64_t kWorth = 1 << 10;  // elements: some 20 us
    ParallelFor(rows_, std::max<int64_t>(1, kWorth / length_),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  const int64_t piece = slot * length_;
                  for (int64_t row = begin; row < end; ++row) {
                    RunRow(bindings, row, logits_.In(bindings) + piece,
                           powers_.In(bindings) + piece, entries_.In(bindings) + piece);
                  }
                });
    return {};
  }

 private:
  void RunRow(const Bindings& bindings, int64_t row, float* logits, float* powers,
              uint64_t* entries) const {
    const TensorView& from = p_.logits;
    blocks::LoadRow(from.dtype, from.Address(bindings) + row * from.strides[0] * BytesOf(from),
                    from.strides[1], length_, logits);
    int64_t left = length_;
    if (p_.k.given()) {
      const char* const at = p_.k.Address(bindings) + row * p_.k.strides[0] * 4;
      left = KeepLargest(LoadElement<int32_t>(at), logits, entries);
    } else {
      for (int64_t i = 0; i < length_; ++i) entries[i] = blocks::EntryOf(logits[i], i);
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
  int64_t KeepLargest(int64_t k, float* logits, uint64_t* entries) const {
    for (int64_t i = 0; i < length_; ++i) entries[i] = blocks::EntryOf(logits[i], i);
    if (k <= 0 || k >= length_) return length_;
    std::nth_element(entries, entries + length_ - k, entries + length_);
    const float least = logits[blocks::PlaceOf(entries[length_ - k])];
    int64_t left = 0;
    for (int64_t i = 0; i < length_; ++i) {
      if (logits[i] < least) {
        logits[i] = -INFINITY;
      } else {
        entries[left++] = blocks::EntryOf(logits[i], i);
      }
    }
    return left;
  }

  // From the smallest on, until their share of the softmax is above `rest`; the largest stays.
  void FilterByMass(float rest, int64_t left, float* logits, float* powers,
                    uint64_t* entries) const {
    const auto& softmax = Kernels().rowwise.fp32.softmax;
    const float max = softmax.max(logits, length_);
    const double sum = softmax.exp_sum(logits, length_, max == -INFINITY ? 0 : max, powers);
    std::sort(entries, entries + left);
    // What k has left out has no share: it is masked already.
    double share = 0;
    for (int64_t i = 0; i + 1 < left; ++i) {
      const int64_t place = blocks::PlaceOf(entries[i]);
      share += double{powers[place]} / sum;
      // A share that is no number filters nothing.
      if (!(share <= double{rest})) return;
      logits[place] = -INFINITY;
    }
  }

  const TopKTopPParams p_;
  const int64_t rows_, length_;
  WorkspaceSlot<float> logits_, powers_;
  WorkspaceSlot<uint64_t> entries_;
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
