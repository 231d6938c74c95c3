// SPDX-License-Identifier: Apache-2.0
// The leaky ReLU of random slopes.
#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "ops/generators/random.h"

namespace anyacl::generators {
namespace {

// noise = x > 0 ? 1 : a number of [lower, upper), out = x noise.
class RandomReluPlan final : public Plan {
 public:
  RandomReluPlan(const Operands& operands, int out, float lower, float upper)
      : seeds_(operands),
        in_(ViewOf(operands, kSelf), Element::kFp32),
        noise_(ViewOf(operands, kMask), Element::kFp32),
        out_(ViewOf(operands, out), Element::kFp32),
        form_{23,    upper - lower, lower, std::min(lower, upper), std::max(lower, upper),
              false, false} {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.Read(bindings);
    const auto make = anyacl::Kernels().generators.uniform;
    ForBlocks(in_.count(), [&](int64_t first, int64_t count) {
      Floats x, slopes;
      in_.Load(bindings, first, count, x.at);
      make(sequence, form_, first, count, slopes.at);
      for (int64_t i = 0; i < count; ++i) slopes.at[i] = x.at[i] > 0 ? 1.0f : slopes.at[i];
      noise_.Store(bindings, first, count, slopes.at);
      for (int64_t i = 0; i < count; ++i) x.at[i] *= slopes.at[i];
      out_.Store(bindings, first, count, x.at);
    });
    return {};
  }

 private:
  const Seeds seeds_;
  const Elements in_, noise_, out_;
  const UniformForm form_;
};

class MeanReluPlan final : public Plan {
 public:
  MeanReluPlan(const Operands& operands, int out, float slope)
      : in_(ViewOf(operands, kSelf), Element::kFp32),
        out_(ViewOf(operands, out), Element::kFp32),
        slope_(slope) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ForBlocks(in_.count(), [&](int64_t first, int64_t count) {
      Floats x;
      in_.Load(bindings, first, count, x.at);
      for (int64_t i = 0; i < count; ++i) x.at[i] = x.at[i] > 0 ? x.at[i] : x.at[i] * slope_;
      out_.Store(bindings, first, count, x.at);
    });
    return {};
  }

 private:
  const Elements in_, out_;
  const float slope_;
};

}  // namespace

Status PrepareRandomRelu(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  ScalarValue lower, upper;
  if (Status s = ReadScalar(operands, kFrom, &lower); !s.ok()) return s;
  if (Status s = ReadScalar(operands, kTo, &upper); !s.ok()) return s;
  const int out = operands.Given(kOut) ? kOut : kSelf;
  if (Status s = CheckShapeIs(operands, out, operands[kSelf].shape()); !s.ok()) return s;
  if (operands[kSelf].IsEmpty()) return {};
  if (!operands.Flag(kTrain)) {
    const double slope = (lower.real + upper.real) / 2;
    call->plan = std::make_shared<MeanReluPlan>(operands, out, static_cast<float>(slope));
    return {};
  }
  if (!(lower.real <= upper.real)) {
    return Fail(operands.spec().codes.shape, "lower = {}, expected a number up to upper = {}",
                lower.real, upper.real);
  }
  if (Status s = CheckShapeIs(operands, kMask, operands[kSelf].shape()); !s.ok()) return s;
  call->plan = std::make_shared<RandomReluPlan>(operands, out, static_cast<float>(lower.real),
                                                static_cast<float>(upper.real));
  return {};
}

}  // namespace anyacl::generators
