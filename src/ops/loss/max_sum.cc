// SPDX-License-Identifier: Apache-2.0
// Cross entropy in parts: products of the matrix engine, whose logits stay in fp32, and what is
// done with them row by row. Threads share rows.
#include <algorithm>
#include <cmath>

#include "nnop/copy_runs.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/loss/rows_max_sum.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::loss::max_sum {
namespace {

using elementwise::Op;

constexpr int64_t kKeepTypes = 0;    // of the matrix engine
constexpr int64_t kPerByte = 8;      // rows of a mask
constexpr int64_t kTile = 1024;      // columns at a time
constexpr int64_t kWorth = 1 << 12;  // numbers: some 5 us

// Of a vector.
template <class Number>
Number NumberAt(const Bindings& bindings, const TensorView& view, int64_t i) {
  const char* const at = view.Address(bindings) + i * view.strides[0] * BytesOf(view);
  return blocks::LoadOne<Number>(view.dtype, at);
}
template <class Number>
void SetNumber(const Bindings& bindings, const TensorView& view, int64_t i, Number number) {
  blocks::StoreOne(number, view.dtype,
                   view.Address(bindings) + i * view.strides[0] * BytesOf(view));
}
// A bit for each row, or a BOOL.
bool BitAt(const Bindings& bindings, const TensorView& mask, int64_t row) {
  const int64_t rows = mask.dtype == ACL_BOOL ? 1 : kPerByte;  // of a byte
  const auto byte = LoadElement<uint8_t>(mask.Address(bindings) + row / rows * mask.strides[0]);
  return (byte >> (row % rows) & 1) != 0;
}

float* RowOf(const Bindings& bindings, const InnerTensor& rows, int64_t row) {
  return reinterpret_cast<float*>(rows.Address(bindings)) + row * rows.layout.shape[1];
}

// x = e^(x - max) / sum.
void Normalise(const blocks::Rows& numbers, float* x, float max, float sum) {
  numbers(Op::kAddScalar, x, x, nullptr, nullptr, -max);
  numbers(Op::kExp, x, x);
  numbers(Op::kDivScalar, x, x, nullptr, nullptr, sum);
}

// What is known of the logits of one rank.
struct OnlineMaxSum {
  InnerTensor logits;  // [N, V], FLOAT
  TensorView target{}, max{}, sum{}, predicted{}, mask{}, masked_target{};
  int64_t start = 0, end = 0;
  const char* target_name = "";

  int64_t classes() const { return logits.layout.shape[1]; }

  // Of the rank, though it may lack the class.
  bool IsOwn(int64_t named) const { return named >= start && named <= end; }

  // Its classes may end before `end`.
  Status CheckTargets(const Bindings& bindings) const {
    for (int64_t row = 0; row < target.sizes[0]; ++row) {
      const auto named = NumberAt<int64_t>(bindings, target, row);
      if (!IsOwn(named) || named - start < classes()) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}] = {}, expected less than {} + {} classes",
                  target_name, row, named, start, classes());
    }
    return {};
  }

  // `place`: of the row's class; that of a foreign one is 0.
  void RunRow(const Bindings& bindings, int64_t row, bool foreign, int64_t place) const {
    const auto& softmax = Kernels().rowwise.fp32.softmax;
    const float* const x = RowOf(bindings, logits, row);
    const float most = softmax.max(x, classes());
    SetNumber(bindings, max, row, most);
    SetNumber(bindings, sum, row, softmax.exp_sum(x, classes(), most, nullptr));
    SetNumber(bindings, masked_target, row, place);
    SetNumber(bindings, predicted, row, foreign ? 0 : x[place] - most);
  }

  void Run(const Bindings& bindings) const {
    const int64_t rows = target.sizes[0], bytes = (rows + kPerByte - 1) / kPerByte;
    ParallelFor(bytes, 1, [&](int64_t begin, int64_t stop) {
      for (int64_t byte = begin; byte < stop; ++byte) {
        uint32_t bits = 0xFF;
        for (int64_t row = byte * kPerByte; row < std::min(rows, (byte + 1) * kPerByte); ++row) {
          const auto named = NumberAt<int64_t>(bindings, target, row);
          // It may have changed since it was checked, where an output lies over it.
          const bool foreign = !IsOwn(named) || named - start >= classes();
          if (!foreign) bits &= ~(1u << (row % kPerByte));
          RunRow(bindings, row, foreign, foreign ? 0 : named - start);
        }
        SetNumber(bindings, mask, byte, static_cast<int32_t>(bits));
      }
    });
  }
};

class LossWithMaxSumPlan final : public Plan {
 public:
  explicit LossWithMaxSumPlan(const Operands& operands)
      : max_(ViewOf(operands, kMax)),
        sum_(ViewOf(operands, kSum)),
        predicted_(ViewOf(operands, kPredicted)),
        loss_(ViewOf(operands, kOut)) {
    if (!operands.Given(kSoftmax)) return;
    logits_ = ViewOf(operands, kLogits);
    softmax_ = ViewOf(operands, kSoftmax);
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t columns = softmax_.given() ? softmax_.sizes[1] : 0;
    ParallelFor(loss_.sizes[0], std::max<int64_t>(1, kWorth / (columns + 16)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) RunRow(bindings, row, columns);
                });
    return {};
  }

 private:
  void RunRow(const Bindings& bindings, int64_t row, int64_t columns) const {
    const auto sum = NumberAt<float>(bindings, sum_, row);
    SetNumber(bindings, loss_, row,
              std::log(double{sum}) - double{NumberAt<float>(bindings, predicted_, row)});
    const auto max = columns == 0 ? 0 : NumberAt<float>(bindings, max_, row);
    alignas(64) float v[kTile];
    for (int64_t column = 0; column < columns; column += kTile) {
      const int64_t n = std::min(kTile, columns - column);
      const auto at = [&](const TensorView& view) {
        return view.Address(bindings) +
               (row * view.strides[0] + column * view.strides[1]) * BytesOf(view);
      };
      blocks::LoadRow(logits_.dtype, at(logits_), logits_.strides[1], n, v);
      Normalise(blocks::Rows(n), v, max, sum);
      blocks::StoreRow(v, n, ACL_FLOAT, at(softmax_), softmax_.strides[1]);
    }
  }

  TensorView max_, sum_, predicted_, loss_, logits_{}, softmax_{};
};

// The gradient of logits: `rows` holds them, or the softmax, and takes it.
struct LogitsGradient {
  InnerTensor rows;  // [N, V], FLOAT
  TensorView grad{}, mask{}, target{}, max{}, sum{};
  const char* target_name = "";

  Status Run(const Bindings& bindings) const {
    const int64_t count = grad.sizes[0], classes = rows.layout.shape[1];
    for (int64_t row = 0; row < count; ++row) {
      const auto place = NumberAt<int64_t>(bindings, target, row);
      if (BitAt(bindings, mask, row) || (place >= 0 && place < classes)) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}] = {}, expected 0 to {} for {} classes",
                  target_name, row, place, classes - 1, classes);
    }
    ParallelFor(count, std::max<int64_t>(1, kWorth / classes), [&](int64_t begin, int64_t end) {
      const blocks::Rows numbers(classes);
      for (int64_t row = begin; row < end; ++row) {
        float* const x = RowOf(bindings, rows, row);
        if (max.given()) {
          Normalise(numbers, x, NumberAt<float>(bindings, max, row),
                    NumberAt<float>(bindings, sum, row));
        }
        if (!BitAt(bindings, mask, row)) x[NumberAt<int64_t>(bindings, target, row)] -= 1;
        numbers(Op::kMulScalar, x, x, nullptr, nullptr, NumberAt<float>(bindings, grad, row));
      }
    });
    return {};
  }
};

Status CheckSmoothing(const Operands& operands) {
  if (operands.Real(kSmoothing) == 0) return {};
  return Fail(operands.spec().codes.shape, "labelSmoothing = {}, expected 0",
              operands.Real(kSmoothing));
}

int64_t BytesOfMask(const Operands& operands) {
  return (operands[kSelf].shape()[0] + kPerByte - 1) / kPerByte;
}

Status CheckClasses(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  const Dims& input = operands[kSelf].shape();
  constexpr int64_t kMostNumbers = 65534;
  if (input[1] > kMostNumbers) {
    return Fail(code, "input.shape[1] = {}, expected at most {}", input[1], kMostNumbers);
  }
  const int64_t classes = operands[kMatrix].shape()[0];
  if (classes == 0) return Fail(code, "weight.shape[0] = 0, expected 1 class or more");
  const int64_t start = operands.Int(kStart), end = operands.Int(kEnd);
  if (end < start) {
    return Fail(code, "vocabEndIndex = {}, expected vocabStartIndex = {} or more", end, start);
  }
  return CheckShapeIs(operands, kMask, {BytesOfMask(operands)});
}

}  // namespace

Status PrepareOnlineMaxSum(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckClasses(operands); !s.ok()) return s;
  const int64_t rows = operands[kSelf].shape()[0], classes = operands[kMatrix].shape()[0];
  if (rows == 0) return {};
  Steps steps(operands);
  const OnlineMaxSum known = {.logits = steps.Piece("input @ weight^T", ACL_FLOAT, {rows, classes}),
                              .target = ViewOf(operands, kTarget),
                              .max = ViewOf(operands, kMax),
                              .sum = ViewOf(operands, kSum),
                              .predicted = ViewOf(operands, kPredicted),
                              .mask = ViewOf(operands, kMask),
                              .masked_target = ViewOf(operands, kMaskedTarget),
                              .start = operands.Int(kStart),
                              .end = operands.Int(kEnd),
                              .target_name = operands.NameOf(kTarget)};
  steps.Add([known](const Bindings& bindings, char*, const StopToken&) {
    return known.CheckTargets(bindings);
  });
  if (Status s =
          steps.Call("aclnnMm", {TensorOf(operands, kSelf), TensorOf(operands, kMatrix).Turned(),
                                 known.logits, kKeepTypes});
      !s.ok()) {
    return s;
  }
  if (operands.Given(kLogits)) {
    if (Status s = steps.Copy(TensorOf(operands, kLogits), known.logits); !s.ok()) return s;
  }
  steps.Add([known](const Bindings& bindings, char*, const StopToken&) {
    known.Run(bindings);
    return Status();
  });
  return steps.Finish(call);
}

Status PrepareLossWithMaxSum(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSmoothing(operands); !s.ok()) return s;
  if (operands.Given(kSoftmax) && !operands.Given(kLogits)) {
    return Fail(operands.spec().codes.shape,
                "softMaxOutOptional is given, expected null as vocabParallelLogitsOptional is");
  }
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<LossWithMaxSumPlan>(operands);
  return {};
}

Status PrepareLinearGradient(Operands& operands, PreparedCall* call) {
  if (!operands.Given(kSoftmax)) {
    for (int id : {kMax, kSum}) {
      if (operands.Given(id)) continue;
      return Fail(operands.spec().codes.null,
                  "{} is null, expected a tensor as softmaxOptional is null", operands.NameOf(id));
    }
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSmoothing(operands); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const int64_t rows = operands[kSelf].shape()[0], classes = operands[kMatrix].shape()[0];
  constexpr int64_t kLeastClasses = 128;
  if (classes < kLeastClasses) {
    return Fail(code, "weight.shape[0] = {}, expected at least {}", classes, kLeastClasses);
  }
  if (operands[kMask].dtype() == ACL_BOOL) {
    if (Status s = CheckShapeIs(operands, kMask, {rows}); !s.ok()) return s;
  } else if (const int64_t bytes = operands[kMask].shape()[0]; bytes < BytesOfMask(operands)) {
    return Fail(code, "targetMask.shape[0] = {}, expected at least {}: a bit for each of {} rows",
                bytes, BytesOfMask(operands), rows);
  }
  Steps steps(operands);
  LogitsGradient gradient = {
      .rows = steps.Piece("the logits' gradient", ACL_FLOAT, {rows, classes}),
      .grad = ViewOf(operands, kGradOutput),
      .mask = ViewOf(operands, kMask),
      .target = ViewOf(operands, kTarget),
      .target_name = operands.NameOf(kTarget)};
  const InnerTensor input = TensorOf(operands, kSelf), weight = TensorOf(operands, kMatrix);
  if (operands.Given(kSoftmax)) {
    if (Status s = steps.Copy(gradient.rows, TensorOf(operands, kSoftmax)); !s.ok()) return s;
  } else {
    gradient.max = ViewOf(operands, kMax);
    gradient.sum = ViewOf(operands, kSum);
    Status s = steps.Call("aclnnMm", {input, weight.Turned(), gradient.rows, kKeepTypes});
    if (!s.ok()) return s;
  }
  steps.Add([gradient](const Bindings& bindings, char*, const StopToken&) {
    return gradient.Run(bindings);
  });
  Status s = steps.Call("aclnnMm", {gradient.rows, weight, TensorOf(operands, kOut), kKeepTypes});
  if (!s.ok()) return s;
  s = steps.Call("aclnnMm",
                 {gradient.rows.Turned(), input, TensorOf(operands, kMatrixGrad), kKeepTypes});
  if (!s.ok()) return s;
  return steps.Finish(call);
}

}  // namespace anyacl::loss::max_sum
