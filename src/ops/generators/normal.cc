// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "ops/generators/random.h"

namespace anyacl::generators {
namespace {

// The means or the deviations of a call: one for all, or those of a tensor that broadcasts to out.
template <class T>
class Parameter {
 public:
  Parameter(const Operands& operands, int id, int tensor_id) {
    const TensorView out = ViewOf(operands, kOut);
    if (!operands[tensor_id].given()) {
      one_ = static_cast<T>(Nearest(out.dtype, operands.Real(id)));
      return;
    }
    const std::span<const int64_t> sizes(out.sizes, static_cast<size_t>(out.rank));
    each_.emplace(*Broadcast(ViewOf(operands, tensor_id), sizes), kElementOf<T>);
  }

  int64_t step() const { return each_ ? 1 : 0; }
  // Those of a block; `buffer` holds kBlock.
  const T* Read(const Bindings& bindings, int64_t first, int64_t count, T* buffer) const {
    if (!each_) return &one_;
    each_->Load(bindings, first, count, buffer);
    return buffer;
  }

 private:
  T one_ = 0;
  std::optional<Elements> each_;
};

class NormalPlan final : public Plan {
 public:
  explicit NormalPlan(const Operands& operands)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Element::kFp32),
        type_(ElementOf(operands[kOut].dtype())),
        mean_(operands, kMean, kMeanTensor),
        deviation_(operands, kDeviation, kDeviationTensor) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.Read(bindings);
    const KernelSet& kernels = anyacl::Kernels().generators;
    ForBlocks(out_.count(), [&](int64_t first, int64_t count) {
      Floats means, deviations;
      const float* const mean = mean_.Read(bindings, first, count, means.at);
      const float* const deviation = deviation_.Read(bindings, first, count, deviations.at);
      MakeFloats(out_, bindings, first, count, [&](float* numbers) {
        kernels.normal(sequence, first, count, numbers);
        kernels.affine({deviation, deviation_.step(), mean, mean_.step(), type_}, count, numbers);
      });
    });
    return {};
  }

 private:
  const Seeds seeds_;
  const Elements out_;
  const Element type_;
  const Parameter<float> mean_, deviation_;
};

// The numbers of fp32, moved and scaled in double.
class DoubleNormalPlan final : public Plan {
 public:
  explicit DoubleNormalPlan(const Operands& operands)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Element::kFp64),
        mean_(operands, kMean, kMeanTensor),
        deviation_(operands, kDeviation, kDeviationTensor) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.Read(bindings);
    const auto make = anyacl::Kernels().generators.normal;
    ForBlocks(out_.count(), [&](int64_t first, int64_t count) {
      Floats plain;
      make(sequence, first, count, plain.at);
      alignas(64) double numbers[kBlock], means[kBlock], deviations[kBlock];
      const double* const mean = mean_.Read(bindings, first, count, means);
      const double* const deviation = deviation_.Read(bindings, first, count, deviations);
      for (int64_t i = 0; i < count; ++i) {
        numbers[i] = plain.at[i] * deviation[i * deviation_.step()] + mean[i * mean_.step()];
      }
      out_.Store(bindings, first, count, numbers);
    });
    return {};
  }

 private:
  const Seeds seeds_;
  const Elements out_;
  const Parameter<double> mean_, deviation_;
};

// out has the shape that mean and std broadcast to.
Status CheckBroadcast(const Operands& operands) {
  Dims shape = operands[kOut].shape();
  const bool mean = operands[kMeanTensor].given(), deviation = operands[kDeviationTensor].given();
  if (!mean && !deviation) return {};
  const int code = operands.spec().codes.shape;
  if (mean && deviation) {
    const auto both =
        BroadcastShape(operands[kMeanTensor].shape(), operands[kDeviationTensor].shape());
    if (!both) {
      return Fail(code, "mean.shape = {} and std.shape = {} do not broadcast to one shape",
                  operands[kMeanTensor].shape().ToString(),
                  operands[kDeviationTensor].shape().ToString());
    }
    if (*both == shape) return {};
    return Fail(code, "out.shape = {}, expected {}, which mean and std broadcast to",
                shape.ToString(), both->ToString());
  }
  const int id = mean ? kMeanTensor : kDeviationTensor;
  const auto with = BroadcastShape(operands[id].shape(), shape);
  if (with && *with == shape) return {};
  return Fail(code, "{}.shape = {}, expected one that broadcasts to out.shape = {}",
              operands.NameOf(id), operands[id].shape().ToString(), shape.ToString());
}

}  // namespace

Status PrepareNormal(Operands& operands, PreparedCall* call) {
  if (!operands[kDeviationTensor].given()) {
    const double deviation = operands.Real(kDeviation);
    if (!(deviation >= 0.0)) {
      return Fail(operands.spec().codes.shape, "std = {}, expected 0 or more", deviation);
    }
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckBroadcast(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  if (operands[kOut].dtype() == ACL_DOUBLE) {
    call->plan = std::make_shared<DoubleNormalPlan>(operands);
  } else {
    call->plan = std::make_shared<NormalPlan>(operands);
  }
  return {};
}

}  // namespace anyacl::generators
