// SPDX-License-Identifier: Apache-2.0
// Layout TND: each sequence is a call of its own on parts of the tensors, one after the other,
// since what a call needs follows from its lengths.
#include <algorithm>
#include <functional>

#include "attention/plan.h"
#include "ops/flash_attention/gradient.h"
#include "ops/flash_attention/in_turn.h"
#include "ops/flash_attention/ropes.h"
#include "ops/flash_attention/sequences.h"
#include "ops/flash_attention/sink.h"

namespace anyacl::flash_attention {
namespace {

using attention::Params;
using attention::TokensOf;

// A part of the whole's rows.
TensorView Part(const TensorView& rows, int64_t first, int64_t count) {
  return Sliced(rows, 2, first, count);
}

// Of a tensor whose first dimension is that of the sequences, or one.
TensorView OfSequence(TensorView planes, size_t index) {
  planes.offset += static_cast<int64_t>(index) * planes.strides[0];
  return planes;
}

// Of numbers in one dimension [head][row][column] of a sequence.
TensorView FlatPse(TensorView pse, const Sequence& q) {
  const int64_t step = pse.strides[3];
  pse.offset += q.first_score * step;
  pse.strides[1] = q.rows * q.columns * step;
  pse.strides[2] = q.columns * step;
  return pse;
}

// Modes 7 and 8 are of parts of sequences: the rows of the last one that has any, or of the first
// one, are a part and have a band, the others what the whole would have.
struct Modes {
  int64_t mode;
  size_t band;  // the sequence, of modes 7 and 8

  Modes(int64_t given, std::span<const Sequence> sequences) : mode(given), band(0) {
    const auto some = [](const Sequence& q) { return q.rows > 0; };
    if (mode == 7) {
      const auto last = std::find_if(sequences.rbegin(), sequences.rend(), some);
      band = static_cast<size_t>(sequences.rend() - last) - 1;
    } else {
      const auto first = std::find_if(sequences.begin(), sequences.end(), some);
      band = static_cast<size_t>(first - sequences.begin());
    }
  }
  int64_t Of(bool with_band) const { return with_band ? 4 : mode == 7 ? 3 : 2; }
};

// The problems of the sequences, parts of the whole.
class Parts {
 public:
  Parts(const Operands& operands, const Problem& problem, Params whole)
      : whole_(std::move(whole)),
        sequences_(problem.sequences),
        by_head_(problem.sizes.statistics_by_head),
        flat_(Has(operands, kPse) && IsFlat(operands)),
        modes_(operands.Int(kSparseMode), sequences_),
        cut_(modes_.mode >= 7 && Has(operands, kAttenMask)) {
    if (!cut_) return;
    for (const bool band : {false, true}) windows_[band] = WindowOf(operands, modes_.Of(band));
  }

  const Params& whole() const { return whole_; }
  size_t count() const { return sequences_.size(); }
  const Sequence& At(size_t index) const { return sequences_[index]; }
  Params Of(size_t index) const;

 private:
  Params whole_;
  std::vector<Sequence> sequences_;
  bool by_head_, flat_;
  Modes modes_;
  bool cut_;
  attention::Window windows_[2];  // of parts of sequences: without a band, with one
};

Params Parts::Of(size_t index) const {
  const Sequence& q = sequences_[index];
  Params p = whole_;
  p.query_size = q.rows;
  p.kv_size = p.max_kv_length = q.columns;
  p.no_columns = whole_.no_columns || q.columns == 0;
  p.query = Part(whole_.query, q.first_row, q.rows);
  if (by_head_) {
    p.statistics_start = q.first_row * whole_.heads();
  } else {
    p.max = Part(whole_.max, q.first_row, q.rows);
    p.sum = Part(whole_.sum, q.first_row, q.rows);
  }
  if (p.pse.given()) p.pse = flat_ ? FlatPse(whole_.pse, q) : OfSequence(whole_.pse, index);
  if (p.slopes.given()) p.slopes = OfSequence(whole_.slopes, index);
  if (cut_) {
    p.window = windows_[index == modes_.band];
    if (index > 0) p.slope_shift = 0;
  }
  if (p.mask.given()) p.mask = OfSequence(whole_.mask, index);
  p.drop_start = q.first_score;
  if (p.first_columns != nullptr) {
    p.first_columns = std::make_shared<const IntArray>(IntArray{(*whole_.first_columns)[index]});
  }
  return p;
}

// The plans of the sequences. Those of the first ones are kept, the others made again when they
// run: 20000 at once would take 100 MB.
class SequencesPlan final : public Plan {
 public:
  // Null of a sequence without work.
  using Make = std::function<std::shared_ptr<const Plan>(size_t index)>;

  // `least` bytes of workspace.
  SequencesPlan(size_t count, Make make, uint64_t least)
      : count_(count), make_(std::move(make)), most_(least) {
    for (size_t i = 0; i < count_; ++i) {
      auto part = make_(i);
      if (part != nullptr) most_ = std::max(most_, part->workspace_size());
      if (i < kMostKept) kept_.push_back(std::move(part));
    }
  }
  uint64_t workspace_size() const override { return most_; }
  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    for (size_t i = 0; i < count_; ++i) {
      const auto part = i < kept_.size() ? kept_[i] : make_(i);
      if (part == nullptr) continue;
      if (Status s = part->Run(bindings, stop); !s.ok()) return s;
    }
    return {};
  }

 private:
  static constexpr size_t kMostKept = 256;  // 1.3 MB

  const size_t count_;
  const Make make_;
  std::vector<std::shared_ptr<const Plan>> kept_;
  uint64_t most_;
};

// Of all rows; those of each sequence are parts.
Params WholeOf(const Operands& operands, const Sizes& sizes, const JoinedRows& joined) {
  Params whole = CommonParams(operands, sizes);
  whole.dim = std::max<int64_t>(1, sizes.dim + sizes.rope_dim);
  whole.query = joined.query;
  return whole;
}

JoinedRows JoinedOf(const Operands& operands, const Problem& problem) {
  const Sequence& last = problem.sequences.back();
  return {operands, problem.sizes, last.first_row + last.rows, last.first_column + last.columns};
}

bool HasWork(const Problem& problem) {
  return std::any_of(problem.sequences.begin(), problem.sequences.end(),
                     [](const Sequence& q) { return q.rows > 0 || q.columns > 0; });
}

// `most`: in a workspace for any lengths.
Status Prepare(Operands& operands, bool most, PreparedCall* call) {
  Problem problem;
  bool nothing_to_do = false;
  if (Status s = CheckTypesOf(operands, {kSoftmaxMax, kSoftmaxSum, kAttention}, &nothing_to_do);
      !s.ok() || nothing_to_do) {
    return s;
  }
  if (Status s = CheckSequences(operands, &problem); !s.ok()) return s;
  const Sizes& sizes = problem.sizes;
  if (Status s = CheckResults(operands, sizes); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  if (!HasWork(problem) && !most) return {};
  const JoinedRows joined = JoinedOf(operands, problem);
  Params whole = WholeOf(operands, sizes, joined);
  whole.out = RowsOf(operands, kAttention, sizes, sizes.value_dim);
  whole.keys = {TokensOf(joined.key)};
  whole.values = {TokensOf(RowsOf(operands, kValue, sizes, sizes.value_dim))};
  const uint64_t least = most ? attention::MostWorkspace(whole, sizes.query, sizes.key) : 0;
  auto make = [parts = Parts(operands, problem, whole), key = joined.key,
               value = RowsOf(operands, kValue, sizes, sizes.value_dim)](
                  size_t index) -> std::shared_ptr<const Plan> {
    const Sequence& q = parts.At(index);
    if (q.rows == 0) return nullptr;
    Params p = parts.Of(index);
    p.out = Part(parts.whole().out, q.first_row, q.rows);
    p.keys = {TokensOf(Part(key, q.first_column, q.columns))};
    p.values = {TokensOf(Part(value, q.first_column, q.columns))};
    return attention::MakePlan(std::move(p));
  };
  call->plan = joined.Around(
      std::make_shared<SequencesPlan>(problem.sequences.size(), std::move(make), least));
  return {};
}

// What the gradients of the sequences are parts of.
GradientParams WholeGradient(const Operands& operands, const Sizes& sizes,
                             const JoinedRows& joined) {
  const auto rows = [&](int id) { return RowsOf(operands, id, sizes, sizes.value_dim); };
  return {.common = WholeOf(operands, sizes, joined),
          .dim = sizes.dim + sizes.rope_dim,
          .key = joined.key,
          .value = rows(kValue),
          .dy = rows(kDy),
          .out = rows(kAttention),
          .dq = joined.dq,
          .dk = joined.dk,
          .dv = rows(kDv),
          .dpse = {}};
}

SequencesPlan::Make MakerOf(Parts parts, GradientParams whole) {
  return [parts = std::move(parts),
          whole = std::move(whole)](size_t index) -> std::shared_ptr<const Plan> {
    const Sequence& q = parts.At(index);
    if (q.rows == 0 && q.columns == 0) return nullptr;
    const auto of_rows = [&](const TensorView& v) { return Part(v, q.first_row, q.rows); };
    const auto of_columns = [&](const TensorView& v) { return Part(v, q.first_column, q.columns); };
    return MakeGradient({.common = parts.Of(index),
                         .dim = whole.dim,
                         .key = of_columns(whole.key),
                         .value = of_columns(whole.value),
                         .dy = of_rows(whole.dy),
                         .out = of_rows(whole.out),
                         .dq = of_rows(whole.dq),
                         .dk = of_columns(whole.dk),
                         .dv = of_columns(whole.dv),
                         .dpse = {}});
  };
}

Status PrepareBack(Operands& operands, bool most, PreparedCall* call) {
  Problem problem;
  bool nothing_to_do = false;
  if (Status s = CheckTypesOf(operands, {kDq, kDk, kDv, kDqRope, kDkRope, kDsink}, &nothing_to_do);
      !s.ok() || nothing_to_do) {
    return s;
  }
  if (Status s = CheckSequences(operands, &problem); !s.ok()) return s;
  const Sizes& sizes = problem.sizes;
  if (Status s = CheckGradients(operands, sizes); !s.ok()) return s;
  if (operands.Given(kDpse) && !ElementCount(operands[kDpse].shape())) {
    return Fail(kInvalid, "dpseOut.shape = {}, expected sizes of 0 or more",
                operands[kDpse].shape().ToString());
  }
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  const JoinedRows joined = JoinedOf(operands, problem);
  const GradientParams whole = WholeGradient(operands, sizes, joined);
  std::vector<RowRange> ranges;
  for (const Sequence& q : problem.sequences) ranges.push_back({q.first_row, q.rows});
  std::vector<std::shared_ptr<const Plan>> plans;
  if (HasWork(problem) || most) {
    const uint64_t least = most ? MostWorkspace(whole) : 0;
    plans.push_back(std::make_shared<SequencesPlan>(
        problem.sequences.size(), MakerOf(Parts(operands, problem, whole.common), whole), least));
  }
  if (auto sink = MakeSinkGradient(operands, sizes, whole.common, std::move(ranges))) {
    plans.push_back(std::move(sink));
  }
  if (plans.empty()) return {};
  call->plan = joined.Around(std::make_shared<PlansInTurn>(std::move(plans)));
  return {};
}

}  // namespace

Status PrepareSequences(Operands& operands, PreparedCall* call) {
  return Prepare(operands, false, call);
}
Status PrepareMostSequences(Operands& operands, PreparedCall* call) {
  return Prepare(operands, true, call);
}
Status PrepareSequencesGradient(Operands& operands, PreparedCall* call) {
  return PrepareBack(operands, false, call);
}
Status PrepareMostSequencesGradient(Operands& operands, PreparedCall* call) {
  return PrepareBack(operands, true, call);
}

}  // namespace anyacl::flash_attention
