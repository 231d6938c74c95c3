// SPDX-License-Identifier: Apache-2.0
// PdistForward, and the gradient of Chamfer distances: of each pair of nearest points both get
// their share, summed in fp32 in the order of the points, first those of xyz1. Threads share the
// batch.
#include <algorithm>

#include "nnop/scalar.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/distance/operators.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::distance {
namespace {

// One set of points, and what is known of each of them.
struct Points {
  TensorView points, nearest, grad, out;
  const char* name;  // of `nearest`
};

class ChamferGradientPlan final : public BookedPlan {
 public:
  ChamferGradientPlan(const Points& first, const Points& second)
      : first_(first), second_(second), count_(first.points.sizes[0]) {
    const auto slots = static_cast<size_t>(std::min(ThreadCount(), count_));
    size_ = 2 * (first.points.sizes[1] + second.points.sizes[1]);
    sums_ = book_.Book<float>(slots, static_cast<size_t>(size_));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    // Before anything is written.
    if (Status s = Check(bindings, first_, second_.points.sizes[1]); !s.ok()) return s;
    if (Status s = Check(bindings, second_, first_.points.sizes[1]); !s.ok()) return s;
    const int64_t grain = std::max<int64_t>(1, 1024 / std::max<int64_t>(1, size_));
    ParallelFor(count_, grain, [&](int64_t begin, int64_t end, int64_t slot) {
      float* const sums = sums_.In(bindings) + slot * size_;
      float* const others = sums + 2 * first_.points.sizes[1];
      for (int64_t b = begin; b < end; ++b) {
        std::fill_n(sums, size_, 0.0f);
        Add(bindings, b, first_, second_, sums, others);
        Add(bindings, b, second_, first_, others, sums);
        Store(bindings, b, first_.out, sums);
        Store(bindings, b, second_.out, others);
      }
    });
    return {};
  }

 private:
  template <class T>
  static T At(const Bindings& bindings, const TensorView& view, int64_t b, int64_t i,
              int64_t k = 0) {
    const int64_t at = b * view.strides[0] + i * view.strides[1] + k * view.strides[2];
    return blocks::LoadOne<T>(view.dtype, view.Address(bindings) + at * BytesOf(view));
  }

  Status Check(const Bindings& bindings, const Points& points, int64_t limit) const {
    for (int64_t b = 0; b < count_; ++b) {
      for (int64_t i = 0; i < points.nearest.sizes[1]; ++i) {
        const auto place = At<int64_t>(bindings, points.nearest, b, i);
        if (place >= 0 && place < limit) continue;
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "{}[{}, {}] = {}, expected 0 to {}", points.name,
                    b, i, place, limit - 1);
      }
    }
    return {};
  }

  // The distances of `from`'s points.
  static void Add(const Bindings& bindings, int64_t b, const Points& from, const Points& to,
                  float* sums, float* others) {
    for (int64_t i = 0; i < from.points.sizes[1]; ++i) {
      const auto place = At<int64_t>(bindings, from.nearest, b, i);
      const float twice = 2 * At<float>(bindings, from.grad, b, i);
      for (int64_t k = 0; k < 2; ++k) {
        const float d =
            At<float>(bindings, from.points, b, i, k) - At<float>(bindings, to.points, b, place, k);
        sums[2 * i + k] += twice * d;
        others[2 * place + k] -= twice * d;
      }
    }
  }

  static void Store(const Bindings& bindings, int64_t b, const TensorView& out, const float* sums) {
    char* const to = out.Address(bindings);
    for (int64_t i = 0; i < out.sizes[1]; ++i) {
      const int64_t at = b * out.strides[0] + i * out.strides[1];
      blocks::StoreRow(sums + 2 * i, 2, out.dtype, to + at * BytesOf(out), out.strides[2]);
    }
  }

  const Points first_, second_;
  const int64_t count_;
  int64_t size_ = 0;
  WorkspaceSlot<float> sums_;
};

}  // namespace

Status PreparePdistForward(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  ScalarValue p;
  if (Status s = ReadScalar(operands, kP, &p); !s.ok()) return s;
  Steps steps(operands);
  if (Status s =
          steps.Call("aclnnPdist", {TensorOf(operands, kSelf), p.real, TensorOf(operands, kOut)});
      !s.ok()) {
    return s;
  }
  if (operands[kOut].IsEmpty()) return {};
  return steps.Finish(call);
}

Status PrepareChamferGradient(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (operands[kSelf].IsEmpty() && operands[kOther].IsEmpty()) return {};
  const auto points = [&](int xyz, int nearest, int grad, int out) {
    return Points{ViewOf(operands, xyz), ViewOf(operands, nearest), ViewOf(operands, grad),
                  ViewOf(operands, out), operands.NameOf(nearest)};
  };
  call->plan = std::make_shared<ChamferGradientPlan>(
      points(kSelf, kIndex, kGrad, kOut), points(kOther, kOtherIndex, kOtherGrad, kOtherOut));
  return {};
}

}  // namespace anyacl::distance
