// SPDX-License-Identifier: Apache-2.0
// Attention over parts of the keys joined by the logarithms of its sums, in fp32, the parts in
// their order. Threads share rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/attention_update/operators.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "runtime/parallel.h"

namespace anyacl::attention_update {
namespace {

constexpr size_t kMostParts = 128;
constexpr int64_t kMostColumns = 512, kColumnStep = 8;

struct Params {
  std::vector<TensorView> lse, parts;
  TensorView out{}, lse_out{};
};

class UpdatePlan final : public BookedPlan {
 public:
  explicit UpdatePlan(Params params)
      : p_(std::move(params)), rows_(p_.out.sizes[0]), columns_(p_.out.sizes[1]) {
    const int64_t slots = std::min(ThreadCount(), rows_);
    numbers_ = book_.Book<float>(slots, 2 * columns_);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    constexpr int64_t kWorth = 1 << 14;  // elements: 5 us
    const int64_t each = columns_ * static_cast<int64_t>(p_.parts.size());
    ParallelFor(rows_, std::max<int64_t>(1, kWorth / each),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  float* const numbers = numbers_.In(bindings) + slot * 2 * columns_;
                  for (int64_t row = begin; row < end; ++row) Join(bindings, row, numbers);
                });
    return {};
  }

 private:
  static char* AtRow(const TensorView& view, const Bindings& bindings, int64_t row) {
    return view.Address(bindings) + row * view.strides[0] * BytesOf(view);
  }

  void Join(const Bindings& bindings, int64_t row, float* sum) const {
    const size_t parts = p_.parts.size();
    std::array<float, kMostParts> shares{};
    float most = -INFINITY;
    for (size_t i = 0; i < parts; ++i) {
      shares[i] = LoadElement<float>(AtRow(p_.lse[i], bindings, row));
      // Attention gives a row without keys an infinite sum: it takes no part.
      if (shares[i] == INFINITY) shares[i] = -INFINITY;
      most = std::max(most, shares[i]);
    }
    float total = 0;
    for (size_t i = 0; i < parts; ++i) {
      shares[i] = shares[i] == -INFINITY ? 0 : std::exp(shares[i] - most);
      total += shares[i];
    }
    const blocks::Rows rows(columns_);
    using elementwise::Op;
    std::fill_n(sum, columns_, 0.0f);
    for (size_t i = 0; i < parts; ++i) {
      // A part without keys may hold anything.
      if (shares[i] == 0) continue;
      rows(Op::kAddScaled, sum, sum, Numbers(bindings, i, row, sum + columns_), nullptr,
           shares[i] / total);
    }
    blocks::StoreRow(sum, columns_, p_.out.dtype, AtRow(p_.out, bindings, row), p_.out.strides[1]);
    if (!p_.lse_out.given()) return;
    const float lse = total == 0 ? INFINITY : most + std::log(total);
    blocks::StoreOne(lse, ACL_FLOAT, AtRow(p_.lse_out, bindings, row));
  }

  // A part's row, in its place or in the buffer.
  const float* Numbers(const Bindings& bindings, size_t part, int64_t row, float* buffer) const {
    const TensorView& view = p_.parts[part];
    const char* const from = AtRow(view, bindings, row);
    if (view.dtype == ACL_FLOAT && view.strides[1] == 1) {
      return reinterpret_cast<const float*>(from);
    }
    blocks::LoadRow(view.dtype, from, view.strides[1], columns_, buffer);
    return buffer;
  }

  const Params p_;
  const int64_t rows_, columns_;
  WorkspaceSlot<float> numbers_;
};

Status CheckParts(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const auto count = [&](int id) { return operands.Given(id) ? operands.List(id).size() : 0; };
  const size_t parts = count(kLse);
  if (parts < 1 || parts > kMostParts) {
    return Fail(code, "lse has {} tensors, expected 1 to {}", parts, kMostParts);
  }
  if (count(kLocalOut) != parts) {
    return Fail(code, "localOut has {} tensors, expected {} as lse has", count(kLocalOut), parts);
  }
  for (const Operand& part : operands.List(kLocalOut)) {
    if (part.dtype() == operands[kLocalOut].dtype()) continue;
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as localOut[0].dtype",
                part.Name(), NameOf(part.dtype()), NameOf(operands[kLocalOut].dtype()));
  }
  return {};
}

}  // namespace

Status Prepare(Operands& operands, PreparedCall* call) {
  if (Status s = CheckParts(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const bool writes_lse = operands.Int(kUpdateType) == 1;
  if (writes_lse != operands.Given(kLseOut)) {
    return Fail(code, "lseOut is {}, expected {} as updateType = {}", writes_lse ? "null" : "given",
                writes_lse ? "a tensor" : "null", operands.Int(kUpdateType));
  }
  if (operands[kOut].IsEmpty()) return {};
  const int64_t columns = operands.Size("D");
  if (columns % kColumnStep != 0 || columns > kMostColumns) {
    return Fail(code, "localOut[0].shape[1] = {}, expected a multiple of {} up to {}", columns,
                kColumnStep, kMostColumns);
  }
  Params params;
  for (size_t i = 0; i < operands.List(kLse).size(); ++i) {
    params.lse.push_back(ViewOf(operands, kLse, i));
    params.parts.push_back(ViewOf(operands, kLocalOut, i));
  }
  params.out = ViewOf(operands, kOut);
  params.lse_out = ViewOf(operands, kLseOut);
  call->plan = std::make_shared<UpdatePlan>(std::move(params));
  return {};
}

}  // namespace anyacl::attention_update
