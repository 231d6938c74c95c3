// SPDX-License-Identifier: Apache-2.0
// Layout TND: sequences of any lengths, whose rows follow each other. Each is a call of its own on
// parts of the tensors, one after the other, since what a call needs follows from its lengths.
// 161002 for types and for shapes without a meaning, 561002 for constraints.
#include <algorithm>
#include <string_view>
#include <vector>

#include "attention/plan.h"
#include "ops/flash_attention/gradient.h"
#include "ops/flash_attention/in_turn.h"
#include "ops/flash_attention/op.h"
#include "ops/flash_attention/ropes.h"
#include "ops/flash_attention/sink.h"

namespace anyacl::flash_attention {
namespace {

using attention::Params;
using attention::TokensOf;

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
constexpr int64_t kMaxSequences = 2048;
constexpr int64_t kMaxSequencesWithSink = 20000;  // of versions that have one
constexpr size_t kMaxPrefixes = 1024;

struct Sequence {
  int64_t first_row, rows;
  int64_t first_column, columns;
  int64_t first_score;  // of all heads' scores: a bit of dropMask
};

// Where sequences end becomes where each lies. Behind the last that has any, zeros stand for
// sequences of nothing.
Status ReadEnds(const Operands& operands, int id, int64_t total, const char* total_of,
                std::vector<int64_t>* ends) {
  const auto values = operands.Ints(id);
  int64_t before = 0;
  const auto last =
      std::find_if(values.rbegin(), values.rend(), [](int64_t end) { return end != 0; });
  const auto count = static_cast<size_t>(values.rend() - last);
  for (size_t i = 0; i < count; ++i) {
    if (values[i] < before || values[i] > total) {
      return Fail(kConstraint, "{}[{}] = {}, expected {} to {}, the rows of {}",
                  operands.NameOf(id), i, values[i], before, total, total_of);
    }
    before = values[i];
  }
  ends->assign(values.size(), before);
  std::copy_n(values.begin(), count, ends->begin());
  return {};
}

Status ReadSequences(const Operands& operands, const Sizes& s, std::vector<Sequence>* sequences) {
  std::vector<int64_t> rows, columns;
  if (Status status = ReadEnds(operands, kQueryEnds, s.query, "query", &rows); !status.ok()) {
    return status;
  }
  if (Status status = ReadEnds(operands, kKeyEnds, s.key, operands.NameOf(kKey), &columns);
      !status.ok()) {
    return status;
  }
  const auto count = static_cast<int64_t>(rows.size());
  const int64_t most = HasRow(operands, kSink) ? kMaxSequencesWithSink : kMaxSequences;
  if (count < 1 || count > most || rows.size() != columns.size()) {
    return Fail(kConstraint, "{} has {} values and {} has {}, expected the same number, 1 to {}",
                operands.NameOf(kQueryEnds), rows.size(), operands.NameOf(kKeyEnds), columns.size(),
                most);
  }
  int64_t row = 0, column = 0, score = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Sequence q{row, rows[i] - row, column, columns[i] - column, score};
    const auto scores = ElementCount(Dims{s.heads, q.rows, q.columns});
    if (!scores || __builtin_add_overflow(score, *scores, &score)) {
      return Fail(kConstraint, "sequence {} has {} rows and {} keys, expected scores below 2^63", i,
                  q.rows, q.columns);
    }
    sequences->push_back(q);
    row = rows[i];
    column = columns[i];
  }
  return {};
}

// How the statistics of a sequence lie: by head, or as the rows of query do.
Status ReadStatisticsLayout(const Operands& operands, Sizes* s) {
  const std::string_view text =
      operands.Given(kSoftmaxLayout) ? operands.Text(kSoftmaxLayout) : std::string_view();
  s->statistics_by_head = text.empty();
  if (text.empty() || text == "same_as_input") return {};
  return Fail(kInvalid, "{} = \"{}\", expected same_as_input or nothing",
              operands.NameOf(kSoftmaxLayout), text);
}

Status ReadSizes(const Operands& operands, Sizes* s) {
  const std::string_view text = operands.Text(kInputLayout);
  if (text != "TND") return Fail(kInvalid, "inputLayout = \"{}\", expected TND", text);
  s->layout = Layout::kTnd;
  if (Status status = ReadStatisticsLayout(operands, s); !status.ok()) return status;
  for (int id : {kQuery, kKey, kValue}) {
    const Dims& shape = operands[id].shape();
    if (shape.rank() == 3) continue;
    return Fail(kInvalid, "{}.shape = {}, expected [T, N, D]", operands.NameOf(id),
                shape.ToString());
  }
  s->batch = 1;
  return {};
}

// Of sequences with at most so many rows and columns.
struct Largest {
  int64_t rows = 0, columns = 0;
};

// [B or 1, N or 1, rows or more, columns or more], or the last two of these.
Status CheckPlanes(const Operands& operands, int id, int64_t batch, int64_t heads, bool heads_vary,
                   const Largest& most, bool one_row) {
  const Dims& shape = operands[id].shape();
  const size_t rank = shape.rank();
  bool fits = rank == 4 || (rank == 2 && !heads_vary);
  if (fits && rank == 4) {
    fits = (shape[0] == 1 || shape[0] == batch) &&
           (shape[1] == heads || (shape[1] == 1 && !heads_vary));
  }
  if (fits) {
    fits = (shape[rank - 2] >= most.rows || (one_row && shape[rank - 2] == 1)) &&
           shape[rank - 1] >= most.columns;
  }
  if (fits) return {};
  return Fail(kConstraint,
              "{}.shape = {}, expected planes of {} x {} or more for B = {} sequences and N = {}",
              operands.NameOf(id), shape.ToString(), most.rows, most.columns, batch, heads);
}

Status CheckMask(const Operands& operands, const Sizes& s, std::span<const Sequence> sequences,
                 const Largest& most) {
  if (!Has(operands, kAttenMask)) return {};
  const int64_t mode = operands.Int(kSparseMode);
  if (mode < 0 || mode > 8) return Fail(kConstraint, "sparseMode = {}, expected 0 to 8", mode);
  if (mode == 5 && HasRow(operands, kSink)) {
    return Fail(kConstraint, "sparseMode = 5, expected another one for sequences");
  }
  if (mode == 7 && Has(operands, kPse)) {
    return Fail(kConstraint, "{} is given, expected null as sparseMode = 7", operands.NameOf(kPse));
  }
  const auto batch = static_cast<int64_t>(sequences.size());
  if (mode < 2 || mode == 5) {
    if (Status status = CheckPlanes(operands, kAttenMask, batch, s.heads, false, most, false);
        !status.ok()) {
      return status;
    }
  } else if (Status status = CheckCompressedMask(operands); !status.ok()) {
    return status;
  }
  if (mode != 5 && mode != 6) return {};
  if (sequences.size() > kMaxPrefixes) {
    return Fail(kConstraint, "{} has {} values, expected at most {} as sparseMode = {}",
                operands.NameOf(kQueryEnds), sequences.size(), kMaxPrefixes, mode);
  }
  const auto prefix = operands.Ints(kPrefix);
  if (prefix.size() != sequences.size()) {
    return Fail(kConstraint, "prefixOptional has {} values, expected {} as sparseMode = {}",
                prefix.size(), batch, mode);
  }
  for (size_t i = 0; i < prefix.size(); ++i) {
    const Sequence& q = sequences[i];
    const int64_t least = std::max<int64_t>(0, q.columns - q.rows);
    if (prefix[i] >= least && prefix[i] <= q.columns) continue;
    return Fail(kConstraint, "prefixOptional[{}] = {}, expected {} to {}", i, prefix[i], least,
                q.columns);
  }
  return {};
}

// Of slopes, whose distances count from the start of each sequence. In mode 8 the first one may be
// the last rows of a longer one, whose place the starts tell.
Status CheckLengths(const Operands& operands, std::span<const Sequence> sequences) {
  const bool cut = Has(operands, kAttenMask) && operands.Int(kSparseMode) == 8;
  for (size_t i = 0; i < sequences.size(); ++i) {
    const Sequence& q = sequences[i];
    const int64_t shift = cut && i == 0 ? StartShift(operands) : 0;
    if (q.rows + shift == q.columns) continue;
    return Fail(kConstraint,
                "sequence {} has {} rows, the first one at {}, and {} keys, expected to end at the "
                "same place as pseType = {}",
                i, q.rows, shift, q.columns, operands.Int(kPseType));
  }
  return {};
}

// The planes of all heads of a sequence one after the other, in one dimension.
bool IsFlat(const Operands& operands) {
  return operands[kPse].shape().rank() == 1 && !HasSlopes(operands);
}

int64_t ScoresOf(const Sizes& s, std::span<const Sequence> sequences) {
  const Sequence& last = sequences.back();
  return last.first_score + s.heads * last.rows * last.columns;
}

Status CheckPse(const Operands& operands, const Sizes& s, std::span<const Sequence> sequences,
                const Largest& most) {
  if (Status status = CheckPseType(operands); !status.ok() || !Has(operands, kPse)) return status;
  const auto batch = static_cast<int64_t>(sequences.size());
  if (IsFlat(operands)) {
    const Dims expected{ScoresOf(s, sequences)};
    if (operands[kPse].shape() == expected) return {};
    return Fail(kConstraint, "{}.shape = {}, expected {}, the scores of all sequences",
                operands.NameOf(kPse), operands[kPse].shape().ToString(), expected.ToString());
  }
  if (!HasSlopes(operands)) {
    return CheckPlanes(operands, kPse, batch, s.heads, true, most, true);
  }
  const int64_t size = std::max(most.rows, most.columns);
  if (Status status = CheckSlopes(operands, batch, s.heads, size); !status.ok()) return status;
  return CheckLengths(operands, sequences);
}

Status CheckDropout(const Operands& operands, const Sizes& s, std::span<const Sequence> sequences) {
  const int64_t bits = ScoresOf(s, sequences);
  return CheckDropBits(operands, bits, bits == 0);
}

struct Problem {
  Sizes sizes;
  std::vector<Sequence> sequences;
};

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
  int64_t Of(size_t index) const {
    if (mode < 7) return mode;
    return index == band ? 4 : mode == 7 ? 3 : 2;
  }
};

Params PartOf(const Operands& operands, const Params& whole, const Problem& problem,
              const Modes& modes, size_t index) {
  const Sequence& q = problem.sequences[index];
  Params p = whole;
  p.query_size = q.rows;
  p.kv_size = p.max_kv_length = q.columns;
  p.no_columns = whole.no_columns || q.columns == 0;
  p.query = Part(whole.query, q.first_row, q.rows);
  if (problem.sizes.statistics_by_head) {
    p.statistics_start = q.first_row * whole.heads();
  } else {
    p.max = Part(whole.max, q.first_row, q.rows);
    p.sum = Part(whole.sum, q.first_row, q.rows);
  }
  if (p.pse.given()) {
    p.pse = IsFlat(operands) ? FlatPse(whole.pse, q) : OfSequence(whole.pse, index);
  }
  if (p.slopes.given()) p.slopes = OfSequence(whole.slopes, index);
  if (modes.mode >= 7 && Has(operands, kAttenMask)) {
    p.window = WindowOf(operands, modes.Of(index));
    if (index > 0) p.slope_shift = 0;
  }
  if (p.mask.given()) p.mask = OfSequence(whole.mask, index);
  p.drop_start = q.first_score;
  if (p.first_columns != nullptr) {
    p.first_columns = std::make_shared<const IntArray>(IntArray{operands.Ints(kPrefix)[index]});
  }
  return p;
}

// All but the results.
Status CheckInputs(Operands& operands, Problem* p) {
  if (Status s = ReadSizes(operands, &p->sizes); !s.ok()) return s;
  if (Status s = CheckShapes(operands, &p->sizes); !s.ok()) return s;
  if (Status s = CheckRopes(operands, &p->sizes); !s.ok()) return s;
  if (Status s = CheckSink(operands, p->sizes); !s.ok()) return s;
  if (Status s = ReadSequences(operands, p->sizes, &p->sequences); !s.ok()) return s;
  Largest most;
  for (const Sequence& q : p->sequences) {
    most.rows = std::max(most.rows, q.rows);
    most.columns = std::max(most.columns, q.columns);
  }
  if (Status s = CheckPse(operands, p->sizes, p->sequences, most); !s.ok()) return s;
  if (Status s = CheckDropout(operands, p->sizes, p->sequences); !s.ok()) return s;
  if (Status s = CheckMask(operands, p->sizes, p->sequences, most); !s.ok()) return s;
  return CheckReserved(operands);
}

// Of all rows; those of each sequence are parts.
Params WholeOf(const Operands& operands, const Sizes& sizes, const JoinedRows& joined) {
  Params whole = CommonParams(operands, sizes);
  whole.dim = std::max<int64_t>(1, sizes.dim + sizes.rope_dim);
  whole.query = joined.query;
  return whole;
}

template <class Make>
std::vector<std::shared_ptr<const Plan>> MakeParts(const Operands& operands, const Problem& problem,
                                                   const Params& whole, const Make& make) {
  const Modes modes(operands.Int(kSparseMode), problem.sequences);
  std::vector<std::shared_ptr<const Plan>> parts;
  for (size_t i = 0; i < problem.sequences.size(); ++i) {
    const Sequence& q = problem.sequences[i];
    if (q.rows == 0 && q.columns == 0) continue;
    auto part = make(PartOf(operands, whole, problem, modes, i), q);
    if (part != nullptr) parts.push_back(std::move(part));
  }
  return parts;
}

void Finish(std::vector<std::shared_ptr<const Plan>> parts, const JoinedRows& joined,
            PreparedCall* call) {
  if (parts.empty()) return;
  call->plan = joined.Around(std::make_shared<PlansInTurn>(std::move(parts)));
}

JoinedRows JoinedOf(const Operands& operands, const Problem& problem) {
  const Sequence& last = problem.sequences.back();
  return {operands, problem.sizes, last.first_row + last.rows, last.first_column + last.columns};
}

}  // namespace

Status PrepareSequences(Operands& operands, PreparedCall* call) {
  Problem problem;
  bool nothing_to_do = false;
  if (Status s = CheckTypesOf(operands, {kSoftmaxMax, kSoftmaxSum, kAttention}, &nothing_to_do);
      !s.ok() || nothing_to_do) {
    return s;
  }
  if (Status s = CheckInputs(operands, &problem); !s.ok()) return s;
  const Sizes& sizes = problem.sizes;
  if (Status s = CheckResults(operands, sizes); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  const JoinedRows joined = JoinedOf(operands, problem);
  const TensorView out = RowsOf(operands, kAttention, sizes, sizes.value_dim);
  const TensorView values = RowsOf(operands, kValue, sizes, sizes.value_dim);
  auto parts = MakeParts(operands, problem, WholeOf(operands, sizes, joined),
                         [&](Params p, const Sequence& q) -> std::shared_ptr<const Plan> {
                           if (q.rows == 0) return nullptr;
                           p.out = Part(out, q.first_row, q.rows);
                           p.keys = {TokensOf(Part(joined.key, q.first_column, q.columns))};
                           p.values = {TokensOf(Part(values, q.first_column, q.columns))};
                           return attention::MakePlan(std::move(p));
                         });
  Finish(std::move(parts), joined, call);
  return {};
}

Status PrepareSequencesGradient(Operands& operands, PreparedCall* call) {
  Problem problem;
  bool nothing_to_do = false;
  if (Status s = CheckTypesOf(operands, {kDq, kDk, kDv, kDqRope, kDkRope, kDsink}, &nothing_to_do);
      !s.ok() || nothing_to_do) {
    return s;
  }
  if (Status s = CheckInputs(operands, &problem); !s.ok()) return s;
  const Sizes& sizes = problem.sizes;
  if (Status s = CheckGradients(operands, sizes); !s.ok()) return s;
  if (operands.Given(kDpse) && !ElementCount(operands[kDpse].shape())) {
    return Fail(kInvalid, "dpseOut.shape = {}, expected sizes of 0 or more",
                operands[kDpse].shape().ToString());
  }
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  const JoinedRows joined = JoinedOf(operands, problem);
  const Params whole = WholeOf(operands, sizes, joined);
  const auto rows = [&](int id) { return RowsOf(operands, id, sizes, sizes.value_dim); };
  const TensorView value = rows(kValue), dy = rows(kDy), out = rows(kAttention), dv = rows(kDv);
  auto parts = MakeParts(operands, problem, whole, [&](Params p, const Sequence& q) {
    const auto of_rows = [&](const TensorView& v) { return Part(v, q.first_row, q.rows); };
    const auto of_columns = [&](const TensorView& v) { return Part(v, q.first_column, q.columns); };
    return MakeGradient({.common = std::move(p),
                         .dim = sizes.dim + sizes.rope_dim,
                         .key = of_columns(joined.key),
                         .value = of_columns(value),
                         .dy = of_rows(dy),
                         .out = of_rows(out),
                         .dq = of_rows(joined.dq),
                         .dk = of_columns(joined.dk),
                         .dv = of_columns(dv),
                         .dpse = {}});
  });
  std::vector<RowRange> ranges;
  for (const Sequence& q : problem.sequences) ranges.push_back({q.first_row, q.rows});
  if (auto sink = MakeSinkGradient(operands, sizes, whole, std::move(ranges))) {
    parts.push_back(std::move(sink));
  }
  Finish(std::move(parts), joined, call);
  return {};
}

}  // namespace anyacl::flash_attention
