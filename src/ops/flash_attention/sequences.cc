// SPDX-License-Identifier: Apache-2.0
// Layout TND: sequences of any lengths, whose rows follow each other.
// 161002 for types and for shapes without a meaning, 561002 for constraints.
#include "ops/flash_attention/sequences.h"

#include <algorithm>
#include <vector>

#include "ops/flash_attention/ropes.h"

namespace anyacl::flash_attention {
namespace {

constexpr int64_t kMaxSequences = 2048;
constexpr int64_t kMaxSequencesWithSink = 20000;  // of versions that have one
constexpr size_t kMaxPrefixes = 1024;

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
  const int64_t most = operands.HasRow(kSink) ? kMaxSequencesWithSink : kMaxSequences;
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
  size_t layout = 0;
  Status known = operands.CheckText(kSoftmaxLayout, {"", "same_as_input"}, &layout);
  s->statistics_by_head = layout == 0;
  return known;
}

Status ReadSizes(const Operands& operands, Sizes* s) {
  if (Status known = operands.CheckText(kInputLayout, {"TND"}); !known.ok()) return known;
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
  if (mode == 5 && operands.HasRow(kSink)) {
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

}  // namespace

bool IsFlat(const Operands& operands) {
  return operands[kPse].shape().rank() == 1 && !HasSlopes(operands);
}

Status CheckSequences(Operands& operands, Problem* p) {
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

}  // namespace anyacl::flash_attention
