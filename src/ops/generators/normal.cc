// SPDX-License-Identifier: Apache-2.0
#include "ops/generators/random.h"

namespace anyacl::generators {
namespace {

Rounding RoundingOf(aclDataType dtype) {
  if (dtype == ACL_FLOAT16) return Rounding::kFp16;
  return dtype == ACL_BF16 ? Rounding::kBf16 : Rounding::kNone;
}

class NormalPlan final : public Plan {
 public:
  explicit NormalPlan(const Operands& operands)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Number::kFp32),
        rounding_(RoundingOf(operands[kOut].dtype())) {
    const aclDataType dtype = operands[kOut].dtype();
    mean_ = static_cast<float>(Nearest(dtype, operands.Real(kMean)));
    deviation_ = static_cast<float>(Nearest(dtype, operands.Real(kDeviation)));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.Read(bindings);
    const KernelSet& kernels = anyacl::Kernels().generators;
    ForBlocks(out_.count(), [&](int64_t first, int64_t count) {
      MakeFloats(out_, bindings, first, count, [&](float* numbers) {
        kernels.normal(sequence, first, count, numbers);
        kernels.affine({&deviation_, 0, &mean_, 0, rounding_}, count, numbers);
      });
    });
    return {};
  }

 private:
  const Seeds seeds_;
  const Elements out_;
  const Rounding rounding_;
  float mean_, deviation_;
};

// The numbers of fp32, moved and scaled in double.
class DoubleNormalPlan final : public Plan {
 public:
  explicit DoubleNormalPlan(const Operands& operands)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Number::kFp64),
        mean_(operands.Real(kMean)),
        deviation_(operands.Real(kDeviation)) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.Read(bindings);
    const auto make = anyacl::Kernels().generators.normal;
    ForBlocks(out_.count(), [&](int64_t first, int64_t count) {
      Floats plain;
      make(sequence, first, count, plain.at);
      alignas(64) double numbers[kBlock];
      for (int64_t i = 0; i < count; ++i) numbers[i] = plain.at[i] * deviation_ + mean_;
      out_.Store(bindings, first, count, numbers);
    });
    return {};
  }

 private:
  const Seeds seeds_;
  const Elements out_;
  const double mean_, deviation_;
};

}  // namespace

Status PrepareNormal(Operands& operands, PreparedCall* call) {
  const double deviation = operands.Real(kDeviation);
  if (!(deviation >= 0.0)) {
    return Fail(operands.spec().codes.shape, "std = {}, expected 0 or more", deviation);
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  if (operands[kOut].dtype() == ACL_DOUBLE) {
    call->plan = std::make_shared<DoubleNormalPlan>(operands);
  } else {
    call->plan = std::make_shared<NormalPlan>(operands);
  }
  return {};
}

}  // namespace anyacl::generators
