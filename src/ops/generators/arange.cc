// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "nnop/view.h"
#include "ops/blocks/convert.h"
#include "ops/generators/operators.h"
#include "runtime/parallel.h"

namespace anyacl::generators {
namespace {

constexpr int64_t kArangeBlock = 1024;

// start + i * step in double, or modulo 2^64 for integers, rounded once to the type of out.
class ArangePlan final : public Plan {
 public:
  ArangePlan(const TensorView& out, const ScalarValue& start, const ScalarValue& step)
      : out_(Joined(out)),
        whole_(CategoryOf(out.dtype) == Category::kInteger),
        start_(start.real),
        step_(step.real),
        whole_start_(static_cast<uint64_t>(start.integer)),
        whole_step_(static_cast<uint64_t>(step.integer)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    // Four blocks take some 4 us.
    ParallelFor(out_.elements(), 4 * kArangeBlock, [&](int64_t begin, int64_t end) {
      for (; begin < end; begin += kArangeBlock) {
        const int64_t count = std::min(kArangeBlock, end - begin);
        whole_ ? Whole(begin, count, bindings) : Real(begin, count, bindings);
      }
    });
    return {};
  }

 private:
  void Real(int64_t first, int64_t count, const Bindings& bindings) const {
    double block[kArangeBlock];
    for (int64_t i = 0; i < count; ++i) block[i] = start_ + static_cast<double>(first + i) * step_;
    Store(ACL_DOUBLE, block, first, count, bindings);
  }
  void Whole(int64_t first, int64_t count, const Bindings& bindings) const {
    uint64_t block[kArangeBlock];
    for (int64_t i = 0; i < count; ++i) {
      block[i] = whole_start_ + static_cast<uint64_t>(first + i) * whole_step_;
    }
    Store(ACL_INT64, block, first, count, bindings);
  }
  // Numbers of eight bytes into the elements from `first` on, in row-major order.
  template <class Number>
  void Store(aclDataType type, const Number* block, int64_t first, int64_t count,
             const Bindings& bindings) const {
    const int64_t bytes = BytesOf(out_), last = out_.rank - 1;
    char* const out = out_.Address(bindings);
    ForTiles(out_, first, first + count,
             [&](int64_t offset, int64_t rows, int64_t columns, int64_t before) {
               for (int64_t row = 0; row < rows; ++row) {
                 const int64_t at = offset + (rows > 1 ? row * out_.strides[last - 1] : 0);
                 blocks::ConvertElements(
                     type, reinterpret_cast<const char*>(block + before + row * columns),
                     sizeof(Number), out_.dtype, out + at * bytes, out_.strides[last] * bytes,
                     columns);
               }
             });
  }

  static TensorView Joined(TensorView view) {
    CoalesceInOrder(std::span(&view, 1));
    return AtLeastVector(view);
  }

  const TensorView out_;
  const bool whole_;
  const double start_, step_;
  const uint64_t whole_start_, whole_step_;
};

Status CheckScalars(const Operands& operands) {
  static constexpr DTypeSet kTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                      ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};
  for (int id : {kStart, kEnd, kStep}) {
    const aclDataType dtype = operands.ScalarAt(id)->dtype;
    if (kTypes.Contains(dtype)) continue;
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {}", operands.NameOf(id),
                NameOf(dtype), kTypes.ToString());
  }
  return {};
}

// The step leads from start to end. How many steps out holds is the client's to say: a difference
// from the sizes that follow from the scalars is told in the log, as on a device.
template <class Number>
Status CheckDirection(const Operands& operands, Number start, Number end, Number step) {
  const bool leads = (step > 0 && start <= end) || (step < 0 && start >= end);
  if (leads) return {};
  return Fail(operands.spec().codes.shape,
              "start = {}, end = {}, step = {}, expected a step from start towards end", start, end,
              step);
}

void WarnOfOtherSize(const Operands& operands, double start, double end, double step,
                     bool with_end) {
  const double steps = (end - start) / step;
  const double expected = with_end ? std::floor(steps) + 1 : std::ceil(steps);
  const auto size = static_cast<double>(ElementCount(operands[kOut].shape()).value_or(0));
  if (size != expected) Warn("out has {} elements, expected {}", size, expected);
}

Status Prepare(Operands& operands, bool with_end, PreparedCall* call) {
  if (Status s = CheckScalars(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const ScalarValue start = *ValueOf(*operands.ScalarAt(kStart));
  const ScalarValue end = *ValueOf(*operands.ScalarAt(kEnd));
  const ScalarValue step = *ValueOf(*operands.ScalarAt(kStep));
  const bool whole = CategoryOf(operands[kOut].dtype()) == Category::kInteger;
  const Status direction = whole
                               ? CheckDirection(operands, start.integer, end.integer, step.integer)
                               : CheckDirection(operands, start.real, end.real, step.real);
  if (!direction.ok()) return direction;
  WarnOfOtherSize(operands, start.real, end.real, step.real, with_end);
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<ArangePlan>(ViewOf(operands, kOut), start, step);
  return {};
}

}  // namespace

Status PrepareArange(Operands& operands, PreparedCall* call) {
  return Prepare(operands, false, call);
}
Status PrepareRange(Operands& operands, PreparedCall* call) {
  return Prepare(operands, true, call);
}

}  // namespace anyacl::generators
