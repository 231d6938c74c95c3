// SPDX-License-Identifier: Apache-2.0
// How much boxes overlap. Corners are fp32 numbers, what is made of them double.
#include <algorithm>

#include "base/format.h"
#include "ops/detection/operators.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::detection {
namespace {

constexpr int64_t kCorners = 4;  // x0, y0, x1, y1

// No number wins.
double Least(double a, double b) { return a < b || a != a ? a : b; }
double Most(double a, double b) { return a > b || a != a ? a : b; }

double AreaOf(const float* box, double eps) {
  const double width = static_cast<double>(box[2]) - static_cast<double>(box[0]) + eps;
  return width * (static_cast<double>(box[3]) - static_cast<double>(box[1]) + eps);
}

double OverlapOf(const float* box, const float* truth, bool of_truth, double eps) {
  double shared = 1;
  for (int axis : {0, 1}) {
    const double from = Most(static_cast<double>(box[axis]), static_cast<double>(truth[axis]));
    const double to =
        Least(static_cast<double>(box[axis + 2]), static_cast<double>(truth[axis + 2]));
    shared *= Most(to - from + eps, 0);
  }
  const double whole =
      of_truth ? AreaOf(truth, eps) : AreaOf(box, eps) + AreaOf(truth, eps) - shared;
  return shared / whole;
}

}  // namespace

Status CheckFormatIs(const Operands& operands, std::initializer_list<int> ids, aclFormat format) {
  for (int id : ids) {
    if (!operands[id].given() || operands[id].layout->format == format) continue;
    return Fail(operands.spec().codes.format, "{}.format = {}, expected {}", operands.NameOf(id),
                NameOf(operands[id].layout->format), NameOf(format));
  }
  return {};
}

Status PrepareIou(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckFormatIs(operands, {kBoxes, kTruth, kOut}, ACL_FORMAT_ND); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  size_t mode = 0;
  if (Status s = operands.CheckText(kMode, {"iou", "iof"}, &mode); !s.ok()) return s;
  const double eps = operands.Real(kEps);
  if (!(eps >= 0)) return Fail(code, "eps = {}, expected 0 or more", eps);
  const bool aligned = operands.Flag(kAligned);
  const int64_t rows = operands.Size("M"), truths = operands.Size("N");
  if (aligned && truths != rows) {
    return Fail(code, "gtBoxes.shape = {}, expected [{}, 4] as of bBoxes, since aligned is true",
                operands[kTruth].shape().ToString(), rows);
  }
  const int64_t columns = aligned ? 1 : truths;
  if (Status s = CheckShapeIs(operands, kOut, {rows, columns}); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};

  Steps steps(operands);
  InnerTensor boxes, truth;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &boxes); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kTruth, ACL_FLOAT, &truth); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* a = reinterpret_cast<const float*>(boxes.Address(bindings));
    const auto* b = reinterpret_cast<const float*>(truth.Address(bindings));
    auto* overlap = reinterpret_cast<float*>(out.Address(bindings));
    ParallelFor(rows * columns, 2048, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t row = i / columns, other = aligned ? row : i % columns;
        overlap[i] =
            static_cast<float>(OverlapOf(a + kCorners * row, b + kCorners * other, mode == 1, eps));
      }
    });
    return {};
  });
  return steps.Finish(call);
}

}  // namespace anyacl::detection
