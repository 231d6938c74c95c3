// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "nnop/promotion.h"
#include "nnop/scalar.h"
#include "nnop/view.h"
#include "ops/blocks/convert.h"
#include "ops/generators/operators.h"
#include "runtime/parallel.h"

namespace anyacl::generators {
namespace {

constexpr int64_t kLinspaceBlock = 1024;

// In double, from whichever end is nearer, so that both are met; integers towards zero. With a base
// its powers.
class LinspacePlan final : public Plan {
 public:
  LinspacePlan(const TensorView& out, double start, double end, std::optional<double> base = {})
      : out_(out),
        base_(base),
        start_(start),
        end_(end),
        step_(out.sizes[0] > 1 ? (end - start) / static_cast<double>(out.sizes[0] - 1) : 0) {}

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t stride = out_.strides[0] * (BitsOf(out_.dtype) / 8);
    const int64_t last = out_.sizes[0] - 1;
    char* const out = out_.Address(bindings);
    ParallelFor(out_.sizes[0], 4 * kLinspaceBlock, [&](int64_t begin, int64_t end) {
      double block[kLinspaceBlock];
      for (; begin < end; begin += kLinspaceBlock) {
        const int64_t count = std::min(kLinspaceBlock, end - begin);
        for (int64_t i = 0; i < count; ++i) {
          const int64_t at = begin + i;
          block[i] = last == 0 || at < (last + 1) / 2
                         ? start_ + static_cast<double>(at) * step_
                         : end_ - static_cast<double>(last - at) * step_;
          if (base_) block[i] = std::pow(*base_, block[i]);
        }
        blocks::ConvertElements(ACL_DOUBLE, reinterpret_cast<const char*>(block), sizeof(double),
                                out_.dtype, out + begin * stride, stride, count);
      }
    });
    return {};
  }

 private:
  const TensorView out_;
  const std::optional<double> base_;
  const double start_, end_, step_;
};

}  // namespace

Status PrepareLinspace(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  ScalarValue start, end;
  if (Status s = ReadScalar(operands, kStart, &start); !s.ok()) return s;
  if (Status s = ReadScalar(operands, kEnd, &end); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  // Ends become numbers of out's type, as PyTorch's do: of integers that matters.
  if (CategoryOf(operands[kOut].dtype()) == Category::kInteger) {
    start.real = std::trunc(start.real);
    end.real = std::trunc(end.real);
  }
  call->plan = std::make_shared<LinspacePlan>(ViewOf(operands, kOut), start.real, end.real);
  return {};
}

Status PrepareLogSpace(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  ScalarValue start, end;
  if (Status s = ReadScalar(operands, kStart, &start); !s.ok()) return s;
  if (Status s = ReadScalar(operands, kEnd, &end); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<LinspacePlan>(ViewOf(operands, kOut), start.real, end.real,
                                              operands.Real(kBase));
  return {};
}

Status PrepareLogSpaceNode(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands.Int(kSteps) != operands[kOut].shape()[0]) {
    return Fail(operands.spec().codes.shape, "steps = {}, expected {} as y.shape",
                operands.Int(kSteps), operands[kOut].shape()[0]);
  }
  if (operands[kOut].IsEmpty()) return {};
  call->plan = std::make_shared<LinspacePlan>(ViewOf(operands, kOut), operands.Real(kStart),
                                              operands.Real(kEnd), operands.Real(kBase));
  return {};
}

}  // namespace anyacl::generators
