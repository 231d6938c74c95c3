// SPDX-License-Identifier: Apache-2.0
// Slices along a dimension whose norm is above a limit are scaled down to it.
#include <algorithm>
#include <cmath>

#include "nnop/scalar.h"
#include "ops/blocks/walk.h"
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
        most_(most) {
    TensorView views[] = {WithoutDim(out, dim), WithoutDim(self, dim)};
    Coalesce(views);
    out_ = views[0];
    self_ = views[1];
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    ParallelFor(count_, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) RunSlice(bindings, i);
    });
    return {};
  }

 private:
  void RunSlice(const Bindings& bindings, int64_t index) const {
    TensorView self = self_, out = out_;
    self.offset += index * self_step_;
    out.offset += index * out_step_;
    const auto load = blocks::Loader(Element::kFp32, self.dtype);
    const auto store = blocks::Storer(Element::kFp32, out.dtype);
    constexpr int64_t kBlock = blocks::kWalkBlock;
    const int64_t elements = self.elements();
    alignas(64) float numbers[kBlock];
    double sum = 0;
    const auto read = [&](int64_t block) {
      blocks::Walk::ForTiles(bindings, self, block, [&](const blocks::Tile& tile, int64_t at) {
        load(tile, numbers + at);
      });
      return std::min(kBlock, elements - block * kBlock);
    };
    for (int64_t block = 0; block * kBlock < elements; ++block) {
      const int64_t size = read(block);
      for (int64_t i = 0; i < size; ++i) sum = Added(sum, std::fabs(numbers[i]));
    }
    const double norm = Root(sum);
    const auto scale = static_cast<float>(norm > most_ ? most_ / (norm + kLeast) : 1);
    for (int64_t block = 0; block * kBlock < elements; ++block) {
      const int64_t size = read(block);
      for (int64_t i = 0; i < size; ++i) numbers[i] *= scale;
      blocks::Walk::ForTiles(bindings, out, block, [&](const blocks::Tile& tile, int64_t at) {
        store(numbers + at, tile);
      });
    }
  }

  double Added(double sum, double size) const {
    if (power_ == 2) return sum + size * size;
    if (power_ == 1) return sum + size;
    if (power_ == 0) return sum + (size != 0);
    if (std::isinf(power_)) return size > sum || std::isnan(size) ? size : sum;
    return sum + std::pow(size, power_);
  }
  double Root(double sum) const {
    if (power_ == 2) return std::sqrt(sum);
    const bool whole = power_ == 0 || power_ == 1 || std::isinf(power_);
    return whole ? sum : std::pow(sum, 1 / power_);
  }

  const int64_t count_, self_step_, out_step_;
  const double power_, most_;
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
