// SPDX-License-Identifier: Apache-2.0
// Layout TND: sequences of any lengths, whose rows follow each other. Each is a call of its own on
// parts of the tensors, one after the other, since what a call needs follows from its lengths.
// 161002 for types and for shapes without a meaning, 561002 for constraints.
#include <algorithm>
#include <string_view>
#include <vector>

#include "attention/plan.h"
#include "ops/flash_attention/gradient.h"
#include "ops/flash_attention/op.h"

namespace anyacl::flash_attention {
namespace {

using attention::Params;
using attention::TokensOf;

constexpr int kInvalid = ACLNN_ERR_PARAM_INVALID;
constexpr int64_t kMaxSequences = 2048;

struct Sequence {
  int64_t first_row, rows;
  int64_t first_column, columns;
  int64_t first_bit;  // of dropMask
};

// Where sequences end becomes where each lies.
Status ReadEnds(const Operands& operands, int id, int64_t total, const char* total_of,
                std::vector<int64_t>* ends) {
  const auto values = operands.Ints(id);
  int64_t before = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < before || values[i] > total) {
      return Fail(kConstraint, "{}[{}] = {}, expected {} to {}, the rows of {}",
                  operands.NameOf(id), i, values[i], before, total, total_of);
    }
    before = values[i];
  }
  ends->assign(values.begin(), values.end());
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
  if (count < 1 || count > kMaxSequences || rows.size() != columns.size()) {
    return Fail(kConstraint, "{} has {} values and {} has {}, expected the same number, 1 to {}",
                operands.NameOf(kQueryEnds), rows.size(), operands.NameOf(kKeyEnds), columns.size(),
                kMaxSequences);
  }
  int64_t row = 0, column = 0, bit = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    sequences->push_back({row, rows[i] - row, column, columns[i] - column, bit});
    bit += s.heads * (rows[i] - row) * (columns[i] - column);
    row = rows[i];
    column = columns[i];
  }
  return {};
}

Status ReadSizes(const Operands& operands, Sizes* s) {
  const std::string_view text = operands.Text(kInputLayout);
  if (text != "TND") return Fail(kInvalid, "inputLayout = \"{}\", expected TND", text);
  s->layout = Layout::kTnd;
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

bool Has(const Operands& operands, int id) { return operands.Given(id) && !operands[id].IsEmpty(); }

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
  if (mode < 0 || mode > 6) return Fail(kConstraint, "sparseMode = {}, expected 0 to 6", mode);
  const auto batch = static_cast<int64_t>(sequences.size());
  if (mode < 2 || mode == 5) {
    if (Status status = CheckPlanes(operands, kAttenMask, batch, s.heads, false, most, false);
        !status.ok()) {
      return status;
    }
  } else if (Status status = CheckCompressedMask(operands); !status.ok()) {
    return status;
  }
  if (mode < 5) return {};
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

Status CheckDropout(const Operands& operands, const Sizes& s, std::span<const Sequence> sequences) {
  const Sequence& last = sequences.back();
  const int64_t bits = last.first_bit + s.heads * last.rows * last.columns;
  return CheckDropBits(operands, bits, bits == 0);
}

// A part of the whole's rows.
TensorView Part(const TensorView& rows, int64_t first, int64_t count) {
  return Sliced(rows, 2, first, count);
}

// Of a tensor whose first dimension is that of the sequences, or one.
TensorView OfSequence(TensorView planes, size_t index) {
  planes.offset += static_cast<int64_t>(index) * planes.strides[0];
  return planes;
}

Params PartOf(const Operands& operands, const Params& whole, const Sequence& q, size_t index) {
  Params p = whole;
  p.query_size = q.rows;
  p.kv_size = p.max_kv_length = q.columns;
  p.no_columns = whole.no_columns || q.columns == 0;
  p.query = Part(whole.query, q.first_row, q.rows);
  p.max = Part(whole.max, q.first_row, q.rows);
  p.sum = Part(whole.sum, q.first_row, q.rows);
  if (p.pse.given()) p.pse = OfSequence(whole.pse, index);
  if (p.mask.given()) p.mask = OfSequence(whole.mask, index);
  p.drop_start = q.first_bit;
  if (p.first_columns != nullptr) {
    p.first_columns = std::make_shared<const IntArray>(IntArray{operands.Ints(kPrefix)[index]});
  }
  return p;
}

class SequencesPlan final : public Plan {
 public:
  explicit SequencesPlan(std::vector<std::shared_ptr<const Plan>> parts)
      : parts_(std::move(parts)) {
    for (const auto& part : parts_) most_ = std::max(most_, part->workspace_size());
  }
  uint64_t workspace_size() const override { return most_; }
  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    for (const auto& part : parts_) {
      if (Status s = part->Run(bindings, stop); !s.ok()) return s;
    }
    return {};
  }

 private:
  std::vector<std::shared_ptr<const Plan>> parts_;
  uint64_t most_ = 0;
};

struct Problem {
  Sizes sizes;
  std::vector<Sequence> sequences;
};

// All but the results.
Status CheckInputs(Operands& operands, Problem* p) {
  if (Status s = ReadSizes(operands, &p->sizes); !s.ok()) return s;
  if (Status s = CheckShapes(operands, &p->sizes); !s.ok()) return s;
  if (Status s = ReadSequences(operands, p->sizes, &p->sequences); !s.ok()) return s;
  Largest most;
  for (const Sequence& q : p->sequences) {
    most.rows = std::max(most.rows, q.rows);
    most.columns = std::max(most.columns, q.columns);
  }
  const auto batch = static_cast<int64_t>(p->sequences.size());
  if (Has(operands, kPse)) {
    Status s = CheckPlanes(operands, kPse, batch, p->sizes.heads, true, most, true);
    if (!s.ok()) return s;
  }
  if (Status s = CheckDropout(operands, p->sizes, p->sequences); !s.ok()) return s;
  if (Status s = CheckMask(operands, p->sizes, p->sequences, most); !s.ok()) return s;
  return CheckReserved(operands);
}

template <class Make>
void MakeParts(const Operands& operands, const Problem& problem, PreparedCall* call,
               const Make& make) {
  const Params whole = CommonParams(operands, problem.sizes);
  std::vector<std::shared_ptr<const Plan>> parts;
  for (size_t i = 0; i < problem.sequences.size(); ++i) {
    const Sequence& q = problem.sequences[i];
    if (q.rows == 0 && q.columns == 0) continue;
    if (auto part = make(PartOf(operands, whole, q, i), q)) parts.push_back(std::move(part));
  }
  if (!parts.empty()) call->plan = std::make_shared<SequencesPlan>(std::move(parts));
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
  const TensorView out = RowsOf(operands, kAttention, sizes, sizes.value_dim);
  const TensorView keys = RowsOf(operands, kKey, sizes, sizes.dim);
  const TensorView values = RowsOf(operands, kValue, sizes, sizes.value_dim);
  MakeParts(operands, problem, call,
            [&](Params p, const Sequence& q) -> std::shared_ptr<const Plan> {
              if (q.rows == 0) return nullptr;
              p.out = Part(out, q.first_row, q.rows);
              p.keys = {TokensOf(Part(keys, q.first_column, q.columns))};
              p.values = {TokensOf(Part(values, q.first_column, q.columns))};
              return attention::MakePlan(std::move(p));
            });
  return {};
}

Status PrepareSequencesGradient(Operands& operands, PreparedCall* call) {
  Problem problem;
  bool nothing_to_do = false;
  if (Status s = CheckTypesOf(operands, {kDq, kDk, kDv}, &nothing_to_do);
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
  const auto rows = [&](int id, int64_t dim) { return RowsOf(operands, id, sizes, dim); };
  const TensorView key = rows(kKey, sizes.dim), value = rows(kValue, sizes.value_dim);
  const TensorView dy = rows(kDy, sizes.value_dim), out = rows(kAttention, sizes.value_dim);
  const TensorView dq = rows(kDq, sizes.dim), dk = rows(kDk, sizes.dim);
  const TensorView dv = rows(kDv, sizes.value_dim);
  MakeParts(operands, problem, call, [&](Params p, const Sequence& q) {
    const auto of_rows = [&](const TensorView& v) { return Part(v, q.first_row, q.rows); };
    const auto of_columns = [&](const TensorView& v) { return Part(v, q.first_column, q.columns); };
    return MakeGradient({.common = std::move(p),
                         .dim = sizes.dim,
                         .key = of_columns(key),
                         .value = of_columns(value),
                         .dy = of_rows(dy),
                         .out = of_rows(out),
                         .dq = of_rows(dq),
                         .dk = of_columns(dk),
                         .dv = of_columns(dv),
                         .dpse = {}});
  });
  return {};
}

}  // namespace anyacl::flash_attention
