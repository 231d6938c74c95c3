// SPDX-License-Identifier: Apache-2.0
// FusedAddTopkDiv: which experts a token goes to, and with what weights. Threads share tokens.
#include <algorithm>
#include <cmath>

#include "acl/error_codes/rt_error_codes.h"
#include "base/element_width.h"
#include "nnop/workspace.h"
#include "ops/atb/operators.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/entries.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::atb_operations {
namespace {

struct AddTopKParams {
  TensorView x{}, bias{};           // [T, E], [E]
  TensorView copies{}, table{};     // [E], [E, C] if there are several of an expert
  TensorView weights{}, experts{};  // [T, k]
  int64_t groups = 1, groups_chosen = 1, summed = 1, k = 1;
  bool normalises = true;
  float scale = 1;
};

class AddTopkPlan final : public BookedPlan {
 public:
  explicit AddTopkPlan(const AddTopKParams& params)
      : p_(params), tokens_(p_.x.sizes[0]), count_(p_.x.sizes[1]) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), tokens_));
    const auto n = static_cast<size_t>(count_);
    numbers_ = book_.Book<float>(slots, 3 * n);
    entries_ = book_.Book<uint64_t>(slots, n);
    bias_ = book_.Book<float>(n);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    if (Status s = CheckCopies(bindings); !s.ok()) return s;
    blocks::LoadRow(p_.bias.dtype, p_.bias.Address(bindings), p_.bias.strides[0], count_,
                    bias_.In(bindings));
    constexpr int64_t kWorth = 1 << 10;  // elements that are sorted: 5 us
    ParallelFor(tokens_, std::max<int64_t>(1, kWorth / count_),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * 3 * count_;
                  uint64_t* const entries = entries_.In(bindings) + slot * count_;
                  for (int64_t token = begin; token < end; ++token) {
                    RunToken(bindings, token, numbers, entries);
                  }
                });
    return {};
  }

 private:
  int64_t CopiesOf(const Bindings& bindings, int64_t expert) const {
    const char* const at = p_.copies.Address(bindings) + expert * p_.copies.strides[0] * 4;
    return std::max<int64_t>(1, LoadElement<int32_t>(at));
  }
  Status CheckCopies(const Bindings& bindings) const {
    if (!p_.copies.given()) return {};
    for (int64_t expert = 0; expert < count_; ++expert) {
      if (CopiesOf(bindings, expert) <= p_.table.sizes[1]) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "mappingNum[{}] = {}, expected at most {}: mappingTable.shape[1]", expert,
                  CopiesOf(bindings, expert), p_.table.sizes[1]);
    }
    return {};
  }

  // The first `chosen` entries are of the largest values, of equal ones the first.
  static void Choose(const float* values, int64_t count, int64_t chosen, uint64_t* entries) {
    for (int64_t i = 0; i < count; ++i) entries[i] = blocks::FallingEntryOf(values[i], i);
    blocks::SortFirst(entries, chosen, count);
  }

  // Of the values all but those of the groups with the largest sums become 0.
  void ChooseGroups(float* values, float* sums, uint64_t* entries) const {
    const int64_t size = count_ / p_.groups;
    for (int64_t g = 0; g < p_.groups; ++g) {
      const float* const group = values + g * size;
      Choose(group, size, p_.summed, entries);
      sums[g] = 0;
      for (int64_t i = 0; i < p_.summed; ++i) sums[g] += group[blocks::PlaceOf(entries[i])];
    }
    Choose(sums, p_.groups, p_.groups, entries);
    for (int64_t i = p_.groups_chosen; i < p_.groups; ++i) {
      std::fill_n(values + blocks::PlaceOf(entries[i]) * size, size, 0.0F);
    }
  }

  void RunToken(const Bindings& bindings, int64_t token, float* numbers, uint64_t* entries) const {
    using elementwise::Op;
    const blocks::Rows rows(count_);
    float* const weights = numbers;
    float* const values = weights + count_;
    blocks::LoadRow(p_.x.dtype, p_.x.Address(bindings) + token * p_.x.strides[0] * BytesOf(p_.x),
                    p_.x.strides[1], count_, weights);
    rows(Op::kSigmoid, weights, weights);
    rows(Op::kAdd, values, weights, bias_.In(bindings));
    float* const others = values + count_;  // of groups, then of what is chosen
    ChooseGroups(values, others, entries);
    Choose(values, count_, p_.k, entries);
    float sum = 0;
    for (int64_t i = 0; i < p_.k; ++i) sum += others[i] = weights[blocks::PlaceOf(entries[i])];
    for (int64_t i = 0; i < p_.k && p_.normalises; ++i) others[i] = others[i] / sum * p_.scale;
    const auto row = [&](const TensorView& view) {
      return view.Address(bindings) + token * view.strides[0] * BytesOf(view);
    };
    blocks::StoreRow(others, p_.k, ACL_FLOAT, row(p_.weights), p_.weights.strides[1]);
    for (int64_t i = 0; i < p_.k; ++i) {
      const int32_t expert = CopyOf(bindings, token, blocks::PlaceOf(entries[i]));
      StoreElement(row(p_.experts) + i * p_.experts.strides[1] * 4, expert);
    }
  }

  // The name of a copy of an expert: tokens take them in turn.
  int32_t CopyOf(const Bindings& bindings, int64_t token, int32_t expert) const {
    if (!p_.copies.given()) return expert;
    const int64_t copy = token % CopiesOf(bindings, expert);
    const int64_t at = expert * p_.table.strides[0] + copy * p_.table.strides[1];
    return LoadElement<int32_t>(p_.table.Address(bindings) + at * 4);
  }

  const AddTopKParams p_;
  const int64_t tokens_, count_;
  WorkspaceSlot<float> numbers_, bias_;
  WorkspaceSlot<uint64_t> entries_;
};

Status CheckNumber(const Operands& operands, int id, int64_t most, const char* what) {
  const int64_t value = operands.Int(id);
  if (value >= 1 && value <= most) return {};
  return Fail(operands.spec().codes.shape, "{} = {}, expected 1 to {}: {}", operands.NameOf(id),
              value, most, what);
}

}  // namespace

Status PrepareAddTopk(Operands& operands, PreparedCall* call) {
  // As op-plugin's test has it: without elements of either no expert has copies.
  const auto is_empty = [&](int id) { return operands.Given(id) && operands[id].IsEmpty(); };
  if (is_empty(kCopies) || is_empty(kCopyTable)) {
    operands.Drop(kCopies);
    operands.Drop(kCopyTable);
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t experts = operands.Size("E"), groups = operands.Int(kGroups);
  if (experts > INT32_MAX) {  // indices are INT32
    return Fail(operands.spec().codes.shape, "x.shape[1] = {}, expected at most {}", experts,
                INT32_MAX);
  }
  if (Status s = CheckNumber(operands, kGroups, experts, "the columns of x"); !s.ok()) return s;
  if (experts % groups != 0) {
    return Fail(operands.spec().codes.shape, "groupNum = {}, expected a divisor of {}: x.shape[1]",
                groups, experts);
  }
  if (Status s = CheckNumber(operands, kGroupsChosen, groups, "groupNum"); !s.ok()) return s;
  if (Status s = CheckNumber(operands, kExpertsSummed, experts / groups, "the experts of a group");
      !s.ok()) {
    return s;
  }
  if (operands.Given(kCopies) != operands.Given(kCopyTable)) {
    const bool table = operands.Given(kCopies);
    return Fail(operands.spec().codes.null, "{} is null, expected a tensor beside {}",
                operands.NameOf(table ? kCopyTable : kCopies),
                operands.NameOf(table ? kCopies : kCopyTable));
  }
  const int64_t k = operands.Size("k");
  if (k > experts) {
    return Fail(operands.spec().codes.shape, "k = {}, expected 1 to {}: the columns of x", k,
                experts);
  }
  if (operands[kX].IsEmpty()) return {};
  const auto view = [&](int id) { return ViewOf(operands, id); };
  call->plan = std::make_shared<AddTopkPlan>(
      AddTopKParams{.x = view(kX),
                    .bias = view(kBias),
                    .copies = view(kCopies),
                    .table = view(kCopyTable),
                    .weights = view(kOut),
                    .experts = view(kExpertsOut),
                    .groups = groups,
                    .groups_chosen = operands.Int(kGroupsChosen),
                    .summed = operands.Int(kExpertsSummed),
                    .k = k,
                    .normalises = operands.Flag(kNormalises),
                    .scale = static_cast<float>(operands.Real(kFactor))});
  return {};
}

}  // namespace anyacl::atb_operations
