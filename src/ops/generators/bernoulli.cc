// SPDX-License-Identifier: Apache-2.0
#include "nnop/scalar.h"
#include "ops/generators/random.h"

namespace anyacl::generators {
namespace {

class BernoulliPlan final : public Plan {
 public:
  BernoulliPlan(const Operands& operands, float prob)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Element::kFp32),
        threshold_(WordsWhere([prob](float unit) { return unit <= prob; })) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.ReadRisingHigh(bindings);
    const auto make = anyacl::Kernels().generators.below;
    ForBlocks(out_.count(), [&](int64_t first, int64_t count) {
      MakeFloats(out_, bindings, first, count,
                 [&](float* numbers) { make(sequence, threshold_, first, count, numbers); });
    });
    return {};
  }

 private:
  const Seeds seeds_;
  const Elements out_;
  const int64_t threshold_;
};

// Element i has the probability prob[i], both counted in row-major order; all have that of a lone
// element. Beyond prob's end, where the document leaves the result open, it is 0.
class BernoulliTensorPlan final : public Plan {
 public:
  explicit BernoulliTensorPlan(const Operands& operands)
      : seeds_(operands),
        out_(ViewOf(operands, kOut), Element::kFp32),
        probs_(ViewOf(operands, kProbTensor), Element::kFp32),
        given_(probs_.count()) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const Sequence sequence = seeds_.ReadRisingHigh(bindings);
    const auto make = anyacl::Kernels().generators.unit;
    ForBlocks(out_.count(), [&](int64_t first, int64_t count) {
      Floats probs, numbers;
      LoadProbs(bindings, first, count, probs.at);
      make(sequence, first, count, numbers.at);
      for (int64_t i = 0; i < count; ++i) {
        numbers.at[i] = numbers.at[i] <= probs.at[i] ? 1.0f : 0.0f;
      }
      out_.Store(bindings, first, count, numbers.at);
    });
    return {};
  }

 private:
  void LoadProbs(const Bindings& bindings, int64_t first, int64_t count, float* probs) const {
    if (given_ == 1) {
      probs_.Load(bindings, 0, 1, probs);
      std::fill(probs + 1, probs + count, *probs);
      return;
    }
    const int64_t some = std::clamp<int64_t>(given_ - first, 0, count);
    if (some > 0) probs_.Load(bindings, first, some, probs);
    std::fill(probs + some, probs + count, 0.0f);
  }

  const Seeds seeds_;
  const Elements out_, probs_;
  const int64_t given_;
};

Status CheckOffset(const Operands& operands) {
  const int64_t offset = operands.Int(kOffset);
  if (offset % 4 == 0) return {};
  return Fail(operands.spec().codes.shape, "offset = {}, expected a multiple of 4", offset);
}

}  // namespace

Status PrepareBernoulli(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  static constexpr DTypeSet kTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
  const aclDataType dtype = operands.ScalarAt(kProb)->dtype;
  if (!kTypes.Contains(dtype)) {
    return Fail(operands.spec().codes.dtype, "prob.dtype = {}, expected {}", NameOf(dtype),
                kTypes.ToString());
  }
  const double prob = ValueOf(*operands.ScalarAt(kProb))->real;
  if (!(prob >= 0 && prob <= 1)) {
    return Fail(operands.spec().codes.shape, "prob = {}, expected 0 to 1", prob);
  }
  if (Status s = CheckOffset(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<BernoulliPlan>(operands, static_cast<float>(prob));
  return {};
}

Status PrepareBernoulliTensor(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckOffset(operands); !s.ok()) return s;
  if (operands[kOut].IsEmpty() || operands[kProbTensor].IsEmpty()) return {};
  call->plan = std::make_shared<BernoulliTensorPlan>(operands);
  return {};
}

}  // namespace anyacl::generators
