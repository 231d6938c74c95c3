// SPDX-License-Identifier: Apache-2.0
// How much boxes overlap, as losses measure it, and the gradients of that, called by name. Numbers
// are fp32, what is made of them double.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ops/detection/nodes.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::detection {
namespace {

// Added to what is divided by, and to heights in angles.
constexpr double kTiny = 1e-9;
constexpr double kAngleFactor = 4 / (std::numbers::pi * std::numbers::pi);

// general: less the part of the hull that is not of the union; distance: less the squares of the
// centres' distance by the hull's diagonal; complete: less the difference of angles, too.
enum class Measure { kGeneral, kDistance, kComplete };

// By axes.
struct Box {
  double from[2], to[2];

  double size(int axis) const { return to[axis] - from[axis]; }
  double area() const { return size(0) * size(1); }
};
using Slopes = Box;  // of a result by each corner

// Column i of `boxes`, [4, n].
Box BoxAt(const float* boxes, int64_t n, int64_t i, bool centred) {
  Box box;
  for (int axis : {0, 1}) {
    const auto a = static_cast<double>(boxes[axis * n + i]);
    const auto b = static_cast<double>(boxes[(axis + 2) * n + i]);
    box.from[axis] = centred ? a - b / 2 : a;
    box.to[axis] = centred ? a + b / 2 : b;
  }
  return box;
}

void StoreSlopes(const Slopes& slopes, int64_t n, int64_t i, bool centred, float* to) {
  for (int axis : {0, 1}) {
    const double a = slopes.from[axis], b = slopes.to[axis];
    to[axis * n + i] = static_cast<float>(centred ? a + b : a);
    to[(axis + 2) * n + i] = static_cast<float>(centred ? (b - a) / 2 : b);
  }
}

struct Pair {
  Pair(const Box& box, const Box& truth) : box(box), truth(truth) {
    for (int axis : {0, 1}) {
      hull[axis] =
          std::max(box.to[axis], truth.to[axis]) - std::min(box.from[axis], truth.from[axis]);
      both[axis] =
          std::min(box.to[axis], truth.to[axis]) - std::max(box.from[axis], truth.from[axis]);
      apart[axis] = (truth.from[axis] + truth.to[axis]) / 2 - (box.from[axis] + box.to[axis]) / 2;
    }
    shared = both[0] > 0 && both[1] > 0 ? both[0] * both[1] : 0;
    whole = box.area() + truth.area() - shared;
  }

  double overlap() const { return shared / (whole + kTiny); }
  double squared_distance() const { return apart[0] * apart[0] + apart[1] * apart[1]; }
  double squared_diagonal() const { return hull[0] * hull[0] + hull[1] * hull[1] + kTiny; }
  // Of the angles of diagonals.
  double turn() const { return AngleOf(truth) - AngleOf(box); }
  static double AngleOf(const Box& box) { return std::atan(box.size(0) / (box.size(1) + kTiny)); }
  // What the square of the turn counts for.
  double weight_of_turn() const {
    const double square = kAngleFactor * turn() * turn();
    return square / (1 + kTiny - overlap() + square);
  }

  const Box box, truth;
  double hull[2], both[2], apart[2];
  double shared, whole;
};

double Value(Measure measure, const Pair& pair) {
  if (measure == Measure::kGeneral) {
    const double hull = pair.hull[0] * pair.hull[1];
    return pair.overlap() - (hull - pair.whole) / (hull + kTiny);
  }
  const double value = pair.overlap() - pair.squared_distance() / pair.squared_diagonal();
  if (measure == Measure::kDistance) return value;
  return value - pair.weight_of_turn() * kAngleFactor * pair.turn() * pair.turn();
}

// The slope of the larger, or smaller, of two numbers goes to the one that it is, or half to each.
void Share(double a, double b, bool larger, double slope, double* to_a, double* to_b) {
  if (a == b) {
    *to_a += slope / 2;
    *to_b += slope / 2;
  } else {
    *((a > b) == larger ? to_a : to_b) += slope;
  }
}

void AddArea(const Box& box, double slope, Slopes* slopes) {
  for (int axis : {0, 1}) {
    slopes->from[axis] -= slope * box.size(1 - axis);
    slopes->to[axis] += slope * box.size(1 - axis);
  }
}

void AddAngle(const Box& box, double slope, Slopes* slopes) {
  const double width = box.size(0), height = box.size(1) + kTiny;
  const double squares = width * width + height * height;
  const double by[2] = {slope * height / squares, -slope * width / squares};
  for (int axis : {0, 1}) {
    slopes->from[axis] -= by[axis];
    slopes->to[axis] += by[axis];
  }
}

// The weight of the turn counts as a constant.
void AddGradient(Measure measure, const Pair& pair, double g, Slopes* box, Slopes* truth) {
  const double whole = pair.whole + kTiny;
  double by_whole = -g * pair.shared / (whole * whole), by_hull[2] = {};
  if (measure == Measure::kGeneral) {
    const double area = pair.hull[0] * pair.hull[1], hull = area + kTiny;
    by_whole += g / hull;
    const double by_area = g * ((area - pair.whole) / hull - 1) / hull;
    for (int axis : {0, 1}) by_hull[axis] = by_area * pair.hull[1 - axis];
  } else {
    const double diagonal = pair.squared_diagonal();
    const double by_diagonal = g * pair.squared_distance() / (diagonal * diagonal);
    for (int axis : {0, 1}) {
      by_hull[axis] = 2 * by_diagonal * pair.hull[axis];
      const double by_corner = g * pair.apart[axis] / diagonal;
      for (double* slope : {&box->from[axis], &box->to[axis]}) *slope += by_corner;
      for (double* slope : {&truth->from[axis], &truth->to[axis]}) *slope -= by_corner;
    }
  }
  if (measure == Measure::kComplete) {
    const double by_turn = -2 * g * pair.weight_of_turn() * kAngleFactor * pair.turn();
    AddAngle(pair.truth, by_turn, truth);
    AddAngle(pair.box, -by_turn, box);
  }
  AddArea(pair.box, by_whole, box);
  AddArea(pair.truth, by_whole, truth);
  const double by_shared = pair.shared > 0 ? g / whole - by_whole : 0;
  const Box &a = pair.box, &b = pair.truth;
  for (int axis : {0, 1}) {
    const double by_both = by_shared * pair.both[1 - axis];
    Share(a.to[axis], b.to[axis], false, by_both, &box->to[axis], &truth->to[axis]);
    Share(a.from[axis], b.from[axis], true, -by_both, &box->from[axis], &truth->from[axis]);
    Share(a.to[axis], b.to[axis], true, by_hull[axis], &box->to[axis], &truth->to[axis]);
    Share(a.from[axis], b.from[axis], false, -by_hull[axis], &box->from[axis], &truth->from[axis]);
  }
}

Status PreparePairs(Operands& operands, Measure measure, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckText(kMode, {"iou"}); !s.ok()) return s;
  const int64_t boxes = operands.Size("N"), truths = operands.Size("M");
  const bool crossed = operands.Flag(kCrossed), centred = operands.Flag(kCentred);
  if (!crossed && boxes != truths) {
    return Fail(operands.spec().codes.shape,
                "gtboxes.shape = {}, expected [4, {}] as of bboxes, since is_cross is false",
                operands[kTruth].shape().ToString(), boxes);
  }
  const int64_t rows = crossed ? truths : 1;
  if (Status s = CheckShapeIs(operands, kOut, {rows, boxes}); !s.ok()) return s;
  if (operands[kOut].IsEmpty()) return {};
  Steps steps(operands);
  InnerTensor box, truth;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &box); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kTruth, ACL_FLOAT, &truth); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  const bool has_angles = measure == Measure::kComplete;
  const InnerTensor angles =
      has_angles ? steps.ContiguousResultAs(kAngles, ACL_FLOAT) : InnerTensor{};
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* a = reinterpret_cast<const float*>(box.Address(bindings));
    const auto* b = reinterpret_cast<const float*>(truth.Address(bindings));
    auto* overlap = reinterpret_cast<float*>(out.Address(bindings));
    auto* turn = has_angles ? reinterpret_cast<float*>(angles.Address(bindings)) : nullptr;
    ParallelFor(rows * boxes, 512, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t column = i % boxes;
        const Pair pair(BoxAt(a, boxes, column, centred),
                        BoxAt(b, truths, crossed ? i / boxes : column, centred));
        overlap[i] = static_cast<float>(Value(measure, pair));
        if (turn != nullptr) turn[i] = static_cast<float>(pair.turn());
      }
    });
    return {};
  });
  return steps.Finish(call);
}

Status PreparePairGradient(Operands& operands, Measure measure, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckText(kMode, {"iou"}); !s.ok()) return s;
  const int64_t boxes = operands.Size("N");
  const bool centred = operands.Flag(kCentred);
  if (ElementCount(operands[kGradOutput].shape()) != boxes) {
    return Fail(operands.spec().codes.shape, "dy.shape = {}, expected {} numbers",
                operands[kGradOutput].shape().ToString(), boxes);
  }
  if (boxes == 0) return {};
  Steps steps(operands);
  InnerTensor gradient, box, truth;
  if (Status s = steps.ContiguousAs(kGradOutput, ACL_FLOAT, &gradient); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &box); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kTruth, ACL_FLOAT, &truth); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  const InnerTensor out_truth = steps.ContiguousResultAs(kGradTruth, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* g = reinterpret_cast<const float*>(gradient.Address(bindings));
    const auto* a = reinterpret_cast<const float*>(box.Address(bindings));
    const auto* b = reinterpret_cast<const float*>(truth.Address(bindings));
    auto* to_a = reinterpret_cast<float*>(out.Address(bindings));
    auto* to_b = reinterpret_cast<float*>(out_truth.Address(bindings));
    ParallelFor(boxes, 256, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Pair pair(BoxAt(a, boxes, i, centred), BoxAt(b, boxes, i, centred));
        Slopes by_box = {}, by_truth = {};
        AddGradient(measure, pair, static_cast<double>(g[i]), &by_box, &by_truth);
        StoreSlopes(by_box, boxes, i, centred, to_a);
        StoreSlopes(by_truth, boxes, i, centred, to_b);
      }
    });
    return {};
  });
  return steps.Finish(call);
}

}  // namespace

Status PrepareGeneralIou(Operands& operands, PreparedCall* call) {
  return PreparePairs(operands, Measure::kGeneral, call);
}
Status PrepareDistanceIou(Operands& operands, PreparedCall* call) {
  return PreparePairs(operands, Measure::kDistance, call);
}
Status PrepareCompleteIou(Operands& operands, PreparedCall* call) {
  return PreparePairs(operands, Measure::kComplete, call);
}
Status PrepareGeneralIouGrad(Operands& operands, PreparedCall* call) {
  return PreparePairGradient(operands, Measure::kGeneral, call);
}
Status PrepareDistanceIouGrad(Operands& operands, PreparedCall* call) {
  return PreparePairGradient(operands, Measure::kDistance, call);
}
Status PrepareCompleteIouGrad(Operands& operands, PreparedCall* call) {
  return PreparePairGradient(operands, Measure::kComplete, call);
}

}  // namespace anyacl::detection
