// SPDX-License-Identifier: Apache-2.0
// Which experts a token goes to. They are ordered by x itself: softmax keeps the order, and x tells
// apart what rounding makes equal. So the choice is the same on every instruction set.
#include <algorithm>
#include <cmath>

#include "kernels.h"
#include "nnop/copy_runs.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/entries.h"
#include "ops/moe/operators.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

struct GatingParams {
  TensorView x{}, finished{}, y{}, expert{}, row{}, softmax{};
  int64_t rows, experts, k;
  bool of_chosen;
};

class GatingPlan final : public BookedPlan {
 public:
  explicit GatingPlan(const GatingParams& params) : p_(params) {
    const auto pieces = static_cast<size_t>(std::min(ThreadCount(), p_.rows) * p_.experts);
    numbers_ = book_.Book<float>(pieces);
    powers_ = book_.Book<float>(pieces);
    entries_ = book_.Book<uint64_t>(pieces);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    constexpr int64_t kWorth = 1 << 12;  // elements: 10 us
    ParallelFor(p_.rows, std::max<int64_t>(1, kWorth / p_.experts),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  const int64_t piece = slot * p_.experts;
                  for (int64_t row = begin; row < end; ++row) {
                    RunRow(bindings, row, numbers_.In(bindings) + piece,
                           powers_.In(bindings) + piece, entries_.In(bindings) + piece);
                  }
                });
    return {};
  }

 private:
  // The first element of a row, whose elements are its last dimension.
  static char* RowAt(const Bindings& bindings, const TensorView& view, int64_t row) {
    return view.Address(bindings) + view.OffsetOf(row, view.rank - 1) * BytesOf(view);
  }
  static int64_t StepOf(const TensorView& view) { return view.strides[view.rank - 1]; }

  // e^(x - max) into powers; what they are to be multiplied by.
  static float Softmax(const float* x, int64_t count, float* powers) {
    const auto& kernels = Kernels().rowwise.Of(Element::kFp32).softmax;
    const float max = kernels.max(x, count);
    // Nothing but minus infinity has no softmax: 0 times infinity.
    const double sum = kernels.exp_sum(x, count, max == -INFINITY ? 0 : max, powers);
    return static_cast<float>(1 / sum);
  }

  void RunRow(const Bindings& bindings, int64_t row, float* numbers, float* powers,
              uint64_t* entries) const {
    const int64_t experts = p_.experts, k = p_.k;
    blocks::LoadRow(p_.x.dtype, RowAt(bindings, p_.x, row), StepOf(p_.x), experts, numbers);
    for (int64_t i = 0; i < experts; ++i) entries[i] = blocks::FallingEntryOf(numbers[i], i);
    blocks::SortFirst(entries, k, experts);
    if (p_.of_chosen) {
      // In the order of the choice, in the front of the powers' piece: k is at most experts.
      for (int64_t i = 0; i < k; ++i) powers[i] = numbers[blocks::PlaceOf(entries[i])];
      const float factor = Softmax(powers, k, numbers);
      for (int64_t i = 0; i < k; ++i) numbers[i] *= factor;
    } else {
      const float factor = Softmax(numbers, experts, powers);
      for (int64_t i = 0; i < experts; ++i) powers[i] *= factor;
      if (p_.softmax.given()) {
        blocks::StoreRow(powers, experts, ACL_FLOAT, RowAt(bindings, p_.softmax, row),
                         StepOf(p_.softmax));
      }
      for (int64_t i = 0; i < k; ++i) numbers[i] = powers[blocks::PlaceOf(entries[i])];
    }
    blocks::StoreRow(numbers, k, p_.y.dtype, RowAt(bindings, p_.y, row), StepOf(p_.y));
    WriteNumbers(bindings, row, entries);
  }

  void WriteNumbers(const Bindings& bindings, int64_t row, const uint64_t* entries) const {
    const bool finished =
        p_.finished.given() &&
        LoadElement<uint8_t>(p_.finished.Address(bindings) + p_.finished.OffsetOf(row)) != 0;
    char* const expert = RowAt(bindings, p_.expert, row);
    for (int64_t i = 0; i < p_.k; ++i) {
      const int64_t number = finished ? p_.experts : blocks::PlaceOf(entries[i]);
      StoreElement(expert + i * StepOf(p_.expert) * 4, static_cast<int32_t>(number));
    }
    if (!p_.row.given()) return;
    char* const places = RowAt(bindings, p_.row, row);
    for (int64_t i = 0; i < p_.k; ++i) {
      StoreElement(places + i * StepOf(p_.row) * 4, static_cast<int32_t>(i * p_.rows + row));
    }
  }

  const GatingParams p_;
  WorkspaceSlot<float> numbers_, powers_;
  WorkspaceSlot<uint64_t> entries_;
};

// Alternatives of ranks do not say that all tensors take the same.
Status CheckShapesAgree(const Operands& operands, bool writes_softmax) {
  const Dims& x = operands[kX].shape();
  Dims rows;
  for (size_t i = 0; i + 1 < x.rank(); ++i) rows.push_back(x[i]);
  for (size_t i = 0; i < x.rank(); ++i) {
    if (x[i] <= INT32_MAX) continue;
    return Fail(operands.spec().codes.shape, "x.shape[{}] = {}, expected at most {}", i, x[i],
                INT32_MAX);
  }
  if (operands.Int(kK) > x.back()) {
    return Fail(operands.spec().codes.shape, "k is {}, expected 0 to {}: x.shape = {}",
                operands.Int(kK), x.back(), x.ToString());
  }
  if (operands.Given(kFinished)) {
    if (Status s = CheckShapeIs(operands, kFinished, rows); !s.ok()) return s;
  }
  rows.push_back(operands.Int(kK));
  for (int id : {kY, kExpert, kRow}) {
    if (!operands[id].given()) continue;
    if (Status s = CheckShapeIs(operands, id, rows); !s.ok()) return s;
  }
  return writes_softmax ? CheckShapeIs(operands, kSoftmax, x) : Status{};
}

}  // namespace

Status PrepareGatingTopKSoftmax(Operands& operands, PreparedCall* call) {
  const bool second = operands.spec().params.size() == std::size(kGatingTopKSoftmaxV2Params);
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool of_chosen = second && operands.Int(kRenorm) == 1;
  const bool writes_softmax = second && !of_chosen && operands.Flag(kOutputSoftmax);
  if (writes_softmax && !operands.Given(kSoftmax)) {
    return Fail(operands.spec().codes.null,
                "softmaxResultOutOptional is null, expected a tensor as outputSoftmaxResultFlag is "
                "true");
  }
  if (Status s = CheckShapesAgree(operands, writes_softmax); !s.ok()) return s;
  const Dims& x = operands[kX].shape();
  if (operands[kX].IsEmpty() || (operands.Int(kK) == 0 && !writes_softmax)) return {};
  GatingParams params = {.x = ViewOf(operands, kX),
                         .y = ViewOf(operands, kY),
                         .expert = ViewOf(operands, kExpert),
                         .rows = ViewOf(operands, kX).elements() / x.back(),
                         .experts = x.back(),
                         .k = operands.Int(kK),
                         .of_chosen = of_chosen};
  if (operands.Given(kFinished)) params.finished = ViewOf(operands, kFinished);
  if (!second) params.row = ViewOf(operands, kRow);
  if (writes_softmax) params.softmax = ViewOf(operands, kSoftmax);
  call->plan = std::make_shared<GatingPlan>(params);
  return {};
}

}  // namespace anyacl::moe
