// SPDX-License-Identifier: Apache-2.0
// How much boxes overlap. Corners are fp32 numbers, what is made of them double.
#include <algorithm>

#include "base/format.h"
#include "ops/detection/nodes.h"
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

// `shared_eps` is added to the sizes of what they share, `eps` to their own.
double OverlapOf(const float* box, const float* truth, bool of_truth, double eps,
                 double shared_eps) {
  double shared = 1;
  for (int axis : {0, 1}) {
    const double from = Most(static_cast<double>(box[axis]), static_cast<double>(truth[axis]));
    const double to =
        Least(static_cast<double>(box[axis + 2]), static_cast<double>(truth[axis + 2]));
    shared *= Most(to - from + shared_eps, 0);
  }
  const double whole =
      of_truth ? AreaOf(truth, eps) : AreaOf(box, eps) + AreaOf(truth, eps) - shared;
  return shared / whole;
}

Status ReadOptions(const Operands& operands, bool* of_truth, double* eps) {
  size_t mode = 0;
  if (Status s = operands.CheckText(kMode, {"iou", "iof"}, &mode); !s.ok()) return s;
  *of_truth = mode == 1;
  *eps = operands.Real(kEps);
  if (*eps >= 0) return {};
  return Fail(operands.spec().codes.shape, "eps = {}, expected 0 or more", *eps);
}

// Element i of the result is overlap(all boxes, all truths, i).
template <class Overlap>
Status PlanOverlaps(Operands& operands, int64_t count, const Overlap& overlap, PreparedCall* call) {
  Steps steps(operands);
  InnerTensor boxes, truth;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &boxes); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kTruth, ACL_FLOAT, &truth); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* a = reinterpret_cast<const float*>(boxes.Address(bindings));
    const auto* b = reinterpret_cast<const float*>(truth.Address(bindings));
    auto* to = reinterpret_cast<float*>(out.Address(bindings));
    ParallelFor(count, 2048, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = static_cast<float>(overlap(a, b, i));
    });
    return {};
  });
  return steps.Finish(call);
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
  bool of_truth = false;
  double eps = 0;
  if (Status s = ReadOptions(operands, &of_truth, &eps); !s.ok()) return s;
  const bool aligned = operands.Flag(kAligned);
  const int64_t rows = operands.Size("M"), truths = operands.Size("N");
  if (aligned && truths != rows) {
    return Fail(operands.spec().codes.shape,
                "gtBoxes.shape = {}, expected [{}, 4] as of bBoxes, since aligned is true",
                operands[kTruth].shape().ToString(), rows);
  }
  const int64_t columns = aligned ? 1 : truths;
  if (Status s = CheckShapeIs(operands, kOut, {rows, columns}); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};

  return PlanOverlaps(
      operands, rows * columns,
      [=](const float* box, const float* truth, int64_t i) {
        const int64_t row = i / columns, other = aligned ? row : i % columns;
        return OverlapOf(box + kCorners * row, truth + kCorners * other, of_truth, eps, eps);
      },
      call);
}

// What two boxes share has no eps here; a row of the result is one of gtboxes.
Status PrepareIouNode(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  bool of_truth = false;
  double eps = 0;
  if (Status s = ReadOptions(operands, &of_truth, &eps); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  const int64_t rows = operands.Size("M"), columns = operands.Size("N");
  return PlanOverlaps(
      operands, rows * columns,
      [=](const float* box, const float* truth, int64_t i) {
        return OverlapOf(box + kCorners * (i % columns), truth + kCorners * (i / columns), of_truth,
                         eps, 0);
      },
      call);
}

}  // namespace anyacl::detection
