// SPDX-License-Identifier: Apache-2.0
// TopKTopPSample: rows are sorted, the largest first, only as far as k and p ask for it; then one
// of what is left is chosen. Threads share rows.
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

constexpr int64_t kMostK = 1024;

struct SampleParams {
  TensorView logits{}, k{}, p{}, q{}, index{};
  TensorView left{};  // logitsTopKPSelect
  float eps = 0;
};

class SamplePlan final : public BookedPlan {
 public:
  explicit SamplePlan(const SampleParams& params)
      : p_(params), rows_(p_.logits.sizes[0]), length_(p_.logits.sizes[1]) {
    const auto pieces = static_cast<size_t>(std::min(ThreadCount(), rows_) * length_);
    logits_ = book_.Book<float>(pieces);
    powers_ = book_.Book<float>(pieces);
    other_ = book_.Book<float>(pieces);
    entries_ = book_.Book<uint64_t>(pieces);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    constexpr int64_t kWorth = 1 << 10;  // elements: some 20 us
    ParallelFor(rows_, std::max<int64_t>(1, kWorth / length_),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  const int64_t at = slot * length_;
                  const Piece piece = {logits_.In(bindings) + at, powers_.In(bindings) + at,
                                       other_.In(bindings) + at, entries_.In(bindings) + at};
                  for (int64_t row = begin; row < end; ++row) RunRow(bindings, row, piece);
                });
    return {};
  }

 private:
  struct Piece {
    float* logits;
    float* powers;  // e^(logit - max), or what stands for it, of what is left
    float* other;   // logits in their order, then q, then what is written
    uint64_t* entries;
  };

  void RunRow(const Bindings& bindings, int64_t row, const Piece& piece) const {
    Load(bindings, p_.logits, row, length_, piece.logits);
    const int32_t k = LoadElement<int32_t>(p_.k.Address(bindings) + row * p_.k.strides[0] * 4);
    const float p = blocks::LoadOne<float>(
        p_.p.dtype, p_.p.Address(bindings) + row * p_.p.strides[0] * BytesOf(p_.p));
    const bool by_k = k >= 1 && k <= std::min(kMostK, length_), by_p = p > 0 && p < 1;
    int64_t left = length_;
    if (by_k || by_p) {
      for (int64_t i = 0; i < length_; ++i) {
        piece.entries[i] = blocks::FallingEntryOf(piece.logits[i], i);
      }
      left = by_k ? KeepLargest(k, by_p ? p : 2, piece) : KeepMass(p, piece);
    } else {
      Powers(piece.logits, length_, piece.powers);
    }
    const int64_t chosen = Choose(bindings, row, left, piece);
    const auto place = [&](int64_t i) {
      return by_k || by_p ? blocks::PlaceOf(piece.entries[i]) : i;
    };
    StoreElement(p_.index.Address(bindings) + row * p_.index.strides[0] * 8, place(chosen));
    if (!p_.left.given()) return;
    std::fill_n(piece.other, length_, 0.0f);
    for (int64_t i = 0; i < left; ++i) piece.other[place(i)] = piece.logits[place(i)];
    blocks::StoreRow(piece.other, length_, ACL_FLOAT,
                     p_.left.Address(bindings) + row * p_.left.strides[0] * 4, p_.left.strides[1]);
  }

  static void Load(const Bindings& bindings, const TensorView& view, int64_t row, int64_t count,
                   float* to) {
    blocks::LoadRow(view.dtype, view.Address(bindings) + row * view.strides[0] * BytesOf(view),
                    view.strides[1], count, to);
  }

  // e^(x - max), and their sum.
  static double Powers(const float* x, int64_t count, float* powers) {
    const auto& softmax = Kernels().rowwise.fp32.softmax;
    const float max = softmax.max(x, count);
    return softmax.exp_sum(x, count, max == -INFINITY ? 0 : max, powers);
  }

  // The k largest; of these the ones before which at most p lies. How many stay.
  int64_t KeepLargest(int64_t k, float p, const Piece& piece) const {
    uint64_t* const entries = piece.entries;
    if (k < length_) std::nth_element(entries, entries + k, entries + length_);
    std::sort(entries, entries + k);
    for (int64_t i = 0; i < k; ++i) piece.other[i] = piece.logits[blocks::PlaceOf(entries[i])];
    const double sum = Powers(piece.other, k, piece.powers);
    double before = 0;
    for (int64_t i = 0; i < k; ++i) {
      if (before > double{p}) return i;
      before += double{piece.powers[i]} / sum;
    }
    return k;
  }

  // From the largest on those before which at most p of the softmax lies. The document takes the
  // softmax of their shares for what is chosen by.
  int64_t KeepMass(float p, const Piece& piece) const {
    uint64_t* const entries = piece.entries;
    const double sum = Powers(piece.logits, length_, piece.powers);
    double before = 0;
    int64_t left = 0;
    for (int64_t sorted = 0; left < length_ && !(before > double{p}); ++left) {
      if (left == sorted) {
        // Most rows end within the first part, which grows if they do not.
        sorted = std::min(length_, std::max<int64_t>(64, 4 * sorted));
        if (sorted < length_) std::nth_element(entries + left, entries + sorted, entries + length_);
        std::sort(entries + left, entries + sorted);
      }
      const double share = double{piece.powers[blocks::PlaceOf(entries[left])]} / sum;
      piece.other[left] = static_cast<float>(share);
      before += share;
    }
    Powers(piece.other, left, piece.powers);
    return left;
  }

  // The first with the largest quotient; a number that is none is the largest.
  int64_t Choose(const Bindings& bindings, int64_t row, int64_t left, const Piece& piece) const {
    if (p_.q.given()) Load(bindings, p_.q, row, left, piece.other);
    double sum = 0;
    for (int64_t i = 0; i < left; ++i) sum += double{piece.powers[i]};
    int64_t best = 0;
    float most = -INFINITY;
    for (int64_t i = 0; i < left; ++i) {
      auto share = static_cast<float>(double{piece.powers[i]} / sum);
      if (p_.q.given()) share /= piece.other[i] + p_.eps;
      if (std::isnan(share)) return i;
      if (share > most) {
        most = share;
        best = i;
      }
    }
    return best;
  }

  const SampleParams p_;
  const int64_t rows_, length_;
  WorkspaceSlot<float> logits_, powers_, other_;
  WorkspaceSlot<uint64_t> entries_;
};

}  // namespace

Status PrepareTopKTopPSample(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& shape = operands[kLogits].shape();
  constexpr int64_t kMostLogits = int64_t{1} << 20;
  if (shape[0] < 1 || shape[1] < 1 || shape[1] > kMostLogits) {
    return Fail(operands.spec().codes.shape, "logits.shape = {}, expected 1 row or more of 1 to {}",
                shape.ToString(), kMostLogits);
  }
  SampleParams params = {.logits = ViewOf(operands, kLogits),
                         .k = ViewOf(operands, kK),
                         .p = ViewOf(operands, kP),
                         .index = ViewOf(operands, kIndex),
                         .eps = static_cast<float>(operands.Real(kEps))};
  if (operands.Given(kQ)) params.q = ViewOf(operands, kQ);
  if (operands.Flag(kNeedLogits)) params.left = ViewOf(operands, kOut);
  call->plan = std::make_shared<SamplePlan>(params);
  return {};
}

}  // namespace anyacl::sampling
