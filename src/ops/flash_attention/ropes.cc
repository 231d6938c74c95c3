// SPDX-License-Identifier: Apache-2.0
#include "ops/flash_attention/ropes.h"

#include <array>
#include <vector>

#include "nnop/copy.h"
#include "nnop/workspace.h"

namespace anyacl::flash_attention {
namespace {

constexpr int64_t kUnit = 8;  // of D
constexpr int64_t kMostElements = int64_t{1} << 47;

// An empty tensor of another rank stands for none, one of negative sizes for nothing.
bool GivenRope(const Operands& operands, int id) {
  if (!operands.Given(id)) return false;
  const Dims& shape = operands[id].shape();
  return shape.rank() == 3 || !operands[id].IsEmpty() || !ElementCount(shape);
}

Status CheckPair(const Operands& operands, int id, int other, bool both) {
  if (GivenRope(operands, id) == both) return {};
  return Fail(both ? ACLNN_ERR_PARAM_NULLPTR : kInvalid, "{} is {}, expected {} as {} is {}",
              operands.NameOf(id), both ? "null" : "given", both ? "a tensor" : "null",
              operands.NameOf(other), both ? "given" : "null");
}

Status CheckShape(const Operands& operands, int id, const Dims& expected) {
  if (operands[id].shape() == expected) return {};
  return Fail(kConstraint, "{}.shape = {}, expected {}", operands.NameOf(id),
              operands[id].shape().ToString(), expected.ToString());
}

Status CheckDims(const Operands& operands, Sizes* s) {
  const Dims& rope = operands[kQueryRope].shape();
  if (rope.rank() != 3) {
    return Fail(kInvalid, "{}.shape = {}, expected [T, N, D]", operands.NameOf(kQueryRope),
                rope.ToString());
  }
  s->rope_dim = rope.back();
  const Dims query{s->query, s->heads, s->rope_dim}, key{s->key, s->kv_heads, s->rope_dim};
  if (Status status = CheckShape(operands, kQueryRope, query); !status.ok()) return status;
  if (Status status = CheckShape(operands, kKeyRope, key); !status.ok()) return status;
  if (s->rope_dim > s->value_dim) {
    return Fail(kInvalid, "D of {} is {}, expected at most {} as of value",
                operands.NameOf(kQueryRope), s->rope_dim, s->value_dim);
  }
  if (s->dim % kUnit != 0 || s->rope_dim % kUnit != 0) {
    return Fail(kConstraint, "D of query is {} and that of {} {}, expected multiples of {}", s->dim,
                operands.NameOf(kQueryRope), s->rope_dim, kUnit);
  }
  const int64_t dim = s->dim + s->rope_dim;
  if (dim > attention::kMaxDim) {
    return Fail(kInvalid, "D of query and {} together is {}, expected at most {}",
                operands.NameOf(kQueryRope), dim, attention::kMaxDim);
  }
  for (const Dims& joined : {Dims{s->query, s->heads, dim}, Dims{s->key, s->kv_heads, dim}}) {
    if (ElementCount(joined).value_or(INT64_MAX) <= kMostElements) continue;
    return Fail(kInvalid, "rows of shape {}, ropes in them, are more than any memory holds",
                joined.ToString());
  }
  return {};
}

Status CheckResults(const Operands& operands) {
  for (const auto& [id, input] : {std::pair{kDqRope, kQueryRope}, {kDkRope, kKeyRope}}) {
    if (!operands.HasRow(id)) continue;
    const bool given = GivenRope(operands, input);
    if (Status s = CheckPair(operands, id, input, given); !s.ok()) return s;
    if (!given) continue;
    if (Status s = CheckShape(operands, id, operands[input].shape()); !s.ok()) return s;
  }
  return {};
}

// Copies into pieces of the workspace that other tensors' slots follow, a plan on them, and copies
// out of them.
class RopesPlan final : public BookedPlan {
 public:
  RopesPlan(std::shared_ptr<const Plan> plan, const std::vector<size_t>& bytes, CopyList in,
            CopyList out)
      : plan_(std::move(plan)), in_(std::move(in)), out_(std::move(out)) {
    for (size_t size : bytes) pieces_.push_back(book_.Book<char>(size));
    scratch_ = book_.Book<char>(plan_->workspace_size());
  }

  Status Run(const Bindings& bindings, const StopToken& stop) const override {
    std::vector<char*> data(bindings.data.begin(), bindings.data.end());
    for (const auto& piece : pieces_) data.push_back(piece.In(bindings));
    const Bindings joined{data, scratch_.In(bindings), nullptr};
    in_.Run(joined);
    if (Status s = plan_->Run(joined, stop); !s.ok()) return s;
    out_.Run(joined);
    return {};
  }

 private:
  const std::shared_ptr<const Plan> plan_;
  const CopyList in_, out_;
  std::vector<WorkspaceSlot<char>> pieces_;
  WorkspaceSlot<char> scratch_;
};

}  // namespace

Status CheckRopes(const Operands& operands, Sizes* s) {
  if (!operands.HasRow(kQueryRope)) return {};
  const bool given = GivenRope(operands, kQueryRope);
  if (given != GivenRope(operands, kKeyRope)) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "one of {} and {} is null, expected both or none",
                operands.NameOf(kQueryRope), operands.NameOf(kKeyRope));
  }
  if (!given) return CheckResults(operands);
  if (Status status = CheckDims(operands, s); !status.ok()) return status;
  for (int id : {kPse, kDropMask}) {
    if (!Has(operands, id)) continue;
    return Fail(kInvalid, "{}.shape = {}, expected null beside {}", operands.NameOf(id),
                operands[id].shape().ToString(), operands.NameOf(kQueryRope));
  }
  if (operands.Real(kKeepProb) != 1) {
    return Fail(kInvalid, "keepProb = {}, expected 1 beside {}", operands.Real(kKeepProb),
                operands.NameOf(kQueryRope));
  }
  if (!Has(operands, kAttenMask)) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "{} is {}, expected a mask beside {}",
                operands.NameOf(kAttenMask), operands.Given(kAttenMask) ? "empty" : "null",
                operands.NameOf(kQueryRope));
  }
  if (operands.Int(kSparseMode) == 6 && operands.HasRow(kSink)) {
    return Fail(kInvalid, "sparseMode = 6, expected another one beside {}",
                operands.NameOf(kQueryRope));
  }
  return CheckResults(operands);
}

JoinedRows::JoinedRows(const Operands& operands, const Sizes& sizes, int64_t rows, int64_t columns)
    : operands_(operands), sizes_(sizes), rows_(rows), columns_(columns) {
  slots_ = static_cast<int>(operands.Slots().size());
  query = Piece(kQuery, sizes.query, sizes.heads);
  key = Piece(kKey, sizes.key, sizes.kv_heads);
  if (!operands.HasRow(kDq)) return;
  dq = Piece(kDq, sizes.query, sizes.heads);
  dk = Piece(kDk, sizes.key, sizes.kv_heads);
}

// The tensor itself, or room for it and its rope.
TensorView JoinedRows::Piece(int id, int64_t rows, int64_t heads) {
  TensorView view = RowsOf(operands_, id, sizes_, sizes_.dim);
  if (sizes_.rope_dim == 0) return view;
  const int64_t dim = sizes_.dim + sizes_.rope_dim;
  view.slot = slots_++;
  view.offset = 0;
  const std::array<int64_t, 4> all{1, heads, rows, dim}, steps{0, dim, heads * dim, 1};
  std::copy(all.begin(), all.end(), view.sizes);
  std::copy(steps.begin(), steps.end(), view.strides);
  return view;
}

std::shared_ptr<const Plan> JoinedRows::Around(std::shared_ptr<const Plan> plan) const {
  if (sizes_.rope_dim == 0) return plan;
  std::vector<size_t> bytes;
  CopyList in, out;
  const auto add = [&](const TensorView& piece, int id, int rope_id, int64_t count, bool result) {
    bytes.push_back(static_cast<size_t>(piece.elements() * BytesOf(piece)));
    const auto copy = [&](int tensor, int64_t begin, int64_t dim) {
      const TensorView part = Sliced(Sliced(piece, 3, begin, dim), 2, 0, count);
      const TensorView own = Sliced(RowsOf(operands_, tensor, sizes_, dim), 2, 0, count);
      const TensorView &to = result ? own : part, &from = result ? part : own;
      (result ? out : in).Add(LoopsOf(to, from), to.slot, from.slot);
    };
    copy(id, 0, sizes_.dim);
    copy(rope_id, sizes_.dim, sizes_.rope_dim);
  };
  add(query, kQuery, kQueryRope, sizes_.query, false);
  add(key, kKey, kKeyRope, sizes_.key, false);
  if (dq.given()) {
    add(dq, kDq, kDqRope, rows_, true);
    add(dk, kDk, kDkRope, columns_, true);
  }
  return std::make_shared<RopesPlan>(std::move(plan), bytes, std::move(in), std::move(out));
}

}  // namespace anyacl::flash_attention
