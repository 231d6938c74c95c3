// SPDX-License-Identifier: Apache-2.0
// Slices along a dimension whose norm is above a limit are scaled down to it.
#include <algorithm>
#include <cmath>

#include "nnop/scalar.h"
#include "ops/blocks/rows.h"
#include "ops/blocks/walk.h"
#include "ops/reduction/folding.h"
#include "ops/reduction/operators.h"
#include "runtime/parallel.h"

namespace anyacl::reduction {
namespace {

// What PyTorch adds to a norm before it divides by it.
constexpr double kLeast = 1e-7;

class RenormPlan final : public Plan {
 public:
  RenormPlan(const TensorView& self, const TensorView& out, int dim, double power, double most)
      : count_(self.sizes[dim]),
        self_step_(self.strides[dim]),
        out_step_(out.strides[dim]),
        power_(power),
        most_(most),
        fold_(FoldOfNorm(power)) {
    TensorView views[] = {WithoutDim(out, dim), WithoutDim(self, dim)};
    Coalesce(views);
    out_ = views[0];
    self_ = views[1];
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t grain = std::max<int64_t>(1, 4096 / std::max<int64_t>(self_.elements(), 1));
    ParallelFor(count_, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) RunSlice(bindings, i);
    });
    return {};
  }

 private:
  void RunSlice(const Bindings& bindings, int64_t index) const {
    TensorView self = self_, out = out_;
    self.offset += index * self_step_;
    out.offset += index * out_step_;
    const blocks::Walk walk({out, self});
    alignas(64) float buffer[blocks::kWalkBlock], scaled[blocks::kWalkBlock];
    Cell total = Identity<float>(fold_);
    for (int64_t block = 0; block < walk.blocks(); ++block) {
      const float* const numbers = walk.Read(bindings, 1, block, buffer);
      KernelsOf(float(), fold_)
          .run(numbers, Element::kFp32, walk.SizeOf(block), static_cast<float>(power_), &total);
    }
    const double norm = Root(total.real);
    const auto scale = static_cast<float>(norm > most_ ? most_ / (norm + kLeast) : 1);
    for (int64_t block = 0; block < walk.blocks(); ++block) {
      const float* const numbers = walk.Read(bindings, 1, block, buffer);
      float* const to = walk.Target(bindings, 0, block, scaled);
      blocks::Rows(walk.SizeOf(block))(elementwise::Op::kMulScalar, to, numbers, nullptr, nullptr,
                                       scale);
      walk.Written(bindings, 0, block, to, scaled);
    }
  }

  double Root(double sum) const {
    if (power_ == 2) return std::sqrt(sum);
    return fold_ == Fold::kPowerSum ? std::pow(sum, 1 / power_) : sum;
  }

  const int64_t count_, self_step_, out_step_;
  const double power_, most_;
  const Fold fold_;
  TensorView self_, out_;
};

Status ReadPositive(const Operands& operands, int id, double* value) {
  ScalarValue scalar;
  if (Status s = ReadScalar(operands, id, &scalar); !s.ok()) return s;
  *value = scalar.real;
  if (scalar.real >= 0) return {};
  return Fail(operands.spec().codes.shape, "{} = {}, expected 0 or more", operands.NameOf(id),
              scalar.real);
}

}  // namespace

Status PrepareRenorm(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& shape = operands[kSelf].shape();
  if (shape.rank() < 2) {
    return Fail(operands.spec().codes.shape, "{}.shape = {}, expected at least 2 dimensions",
                operands.NameOf(kSelf), shape.ToString());
  }
  int dim = 0;
  if (Status s = CheckDim(operands, "dim", operands.Int(kDims), shape.rank(), &dim); !s.ok()) {
    return s;
  }
  double power = 0, most = 0;
  if (Status s = ReadPositive(operands, kPower, &power); !s.ok()) return s;
  if (Status s = ReadPositive(operands, kMost, &most); !s.ok()) return s;
  if (operands[kSelf].IsEmpty()) return {};
  const TensorView self = ViewOf(operands, kSelf);
  const TensorView out = operands.Given(kOut) ? ViewOf(operands, kOut) : self;
  call->plan = std::make_shared<RenormPlan>(self, out, dim, power, most);
  return {};
}

}  // namespace anyacl::reduction
