// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "nnop/promotion.h"
#include "ops/generators/random.h"

namespace anyacl::generators {
namespace {

// The fp32 numbers that are rounded, or cut to integers, to elements of the type.
UniformForm FormOf(aclDataType dtype, double from, double to) {
  const bool whole = CategoryOf(dtype) == Category::kInteger;
  const aclDataType number = whole || dtype == ACL_DOUBLE ? ACL_FLOAT : dtype;
  const auto fp32 = [](double x) { return static_cast<float>(x); };
  UniformForm form{};
  form.bits = dtype == ACL_FLOAT16 ? 10 : dtype == ACL_BF16 ? 7 : 23;
  form.fp16 = dtype == ACL_FLOAT16;
  form.whole = whole;
  form.range = fp32(to) - fp32(from);
  form.from = fp32(from);
  if (form.fp16) {
    form.range = fp32(Nearest(dtype, form.range));
    form.from = fp32(Nearest(dtype, form.from));
  }
  form.low = fp32(SmallestFrom(number, from));
  form.high = fp32(LargestBelow(number, to));
  if (from == to) form.low = form.high = fp32(Nearest(number, from));
  // Where the interval has no number of the type, the end remains excluded.
  if (form.low > form.high) form.low = form.high;
  return form;
}

class UniformPlan final : public Plan {
 public:
  UniformPlan(const Operands& operands, double from, double to)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Element::kFp32),
        form_(FormOf(operands[kOut].dtype(), from, to)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.Read(bindings);
    const auto make = anyacl::Kernels().generators.uniform;
    ForBlocks(out_.count(), [&](int64_t first, int64_t count) {
      MakeFloats(out_, bindings, first, count,
                 [&](float* numbers) { make(sequence, form_, first, count, numbers); });
    });
    return {};
  }

 private:
  const Seeds seeds_;
  const Elements out_;
  const UniformForm form_;
};

// The shares of fp32, scaled in double.
class DoubleUniformPlan final : public Plan {
 public:
  DoubleUniformPlan(const Operands& operands, double from, double to)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Element::kFp64),
        from_(from),
        range_(to - from),
        high_(from < to ? LargestBelow(ACL_DOUBLE, to) : from) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.Read(bindings);
    const auto make = anyacl::Kernels().generators.uniform;
    ForBlocks(out_.count(), [&](int64_t first, int64_t count) {
      Floats shares;
      make(sequence, kShares, first, count, shares.at);
      alignas(64) double numbers[kBlock];
      for (int64_t i = 0; i < count; ++i) {
        numbers[i] = std::min(shares.at[i] * range_ + from_, high_);
      }
      out_.Store(bindings, first, count, numbers);
    });
    return {};
  }

 private:
  static constexpr UniformForm kShares = {23, 1.0f, 0.0f, 0.0f, 1.0f, false, false};

  const Seeds seeds_;
  const Elements out_;
  const double from_, range_, high_;
};

Status CheckFloatRange(const Operands& operands) {
  const double from = operands.Real(kFrom), to = operands.Real(kTo);
  const int code = operands.spec().codes.shape;
  if (!(from <= to)) return Fail(code, "from = {}, expected a number up to to = {}", from, to);
  const aclDataType dtype = operands[kOut].dtype();
  const Limits limits = LimitsOf(dtype);
  if (from < limits.lowest) {
    return Fail(code, "from = {}, expected {} or more as selfRef.dtype = {}", from, limits.lowest,
                NameOf(dtype));
  }
  if (to > limits.highest) {
    return Fail(code, "to = {}, expected up to {} as selfRef.dtype = {}", to, limits.highest,
                NameOf(dtype));
  }
  if (CategoryOf(dtype) == Category::kInteger || to - from <= limits.highest) return {};
  return Fail(code, "to - from = {}, expected up to {} as selfRef.dtype = {}", to - from,
              limits.highest, NameOf(dtype));
}

}  // namespace

Status PrepareUniform(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckFloatRange(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const double from = operands.Real(kFrom), to = operands.Real(kTo);
  if (operands[kOut].dtype() == ACL_DOUBLE) {
    call->plan = std::make_shared<DoubleUniformPlan>(operands, from, to);
  } else {
    call->plan = std::make_shared<UniformPlan>(operands, from, to);
  }
  return {};
}

}  // namespace anyacl::generators
