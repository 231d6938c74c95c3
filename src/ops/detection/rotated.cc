// SPDX-License-Identifier: Apache-2.0
// How much turned boxes overlap, called by name: what one leaves of the other, cut off side by
// side.
#include <algorithm>
#include <cmath>

#include "ops/detection/nodes.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::detection {
namespace {

struct Point {
  double x, y;
};

// A convex one: a box, to which each of the four sides that cut it adds at most one corner.
struct Polygon {
  static constexpr int kMost = 8;
  int count = 0;
  Point corners[kMost];

  void Add(const Point& corner) {
    if (count < kMost) corners[count++] = corner;
  }
  double Area() const {
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      const Point &a = corners[i], &b = corners[(i + 1) % count];
      sum += a.x * b.y - a.y * b.x;
    }
    return sum / 2;
  }
};

struct TurnedBox {
  Point centre;
  double width, height;
  Polygon corners;

  double area() const { return width * height; }
};

// Box i of [5, n].
TurnedBox TurnedBoxAt(const float* boxes, int64_t n, int64_t i, bool two_corners) {
  double number[5];
  for (int k = 0; k < 5; ++k) number[k] = static_cast<double>(boxes[k * n + i]);
  TurnedBox box;
  box.centre = {number[0], number[1]};
  box.width = number[2];
  box.height = number[3];
  if (two_corners) {
    box.centre = {(number[0] + number[2]) / 2, (number[1] + number[3]) / 2};
    box.width = number[2] - number[0];
    box.height = number[3] - number[1];
  }
  const double cosine = std::cos(number[4] * kDegree), sine = std::sin(number[4] * kDegree);
  for (int k = 0; k < 4; ++k) {  // counterclockwise
    const double across = (k == 1 || k == 2 ? 0.5 : -0.5) * box.width;
    const double up = (k >= 2 ? 0.5 : -0.5) * box.height;
    box.corners.Add(
        {box.centre.x + across * cosine - up * sine, box.centre.y + across * sine + up * cosine});
  }
  return box;
}

// What lies to the left of the way from `from` to `to`.
Polygon LeftOf(const Polygon& polygon, const Point& from, const Point& to) {
  const auto side = [&](const Point& p) {
    return (to.x - from.x) * (p.y - from.y) - (to.y - from.y) * (p.x - from.x);
  };
  Polygon left;
  for (int i = 0; i < polygon.count; ++i) {
    const Point &a = polygon.corners[i], &b = polygon.corners[(i + 1) % polygon.count];
    const double here = side(a), there = side(b);
    if (here >= 0) left.Add(a);
    if ((here > 0 && there < 0) || (here < 0 && there > 0)) {
      const double part = here / (here - there);
      left.Add({a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)});
    }
  }
  return left;
}

double SharedOf(const TurnedBox& a, const TurnedBox& b) {
  if (!(a.width > 0 && a.height > 0 && b.width > 0 && b.height > 0)) return 0;
  Polygon shared = a.corners;
  for (int k = 0; k < 4 && shared.count > 0; ++k) {
    shared = LeftOf(shared, b.corners.corners[k], b.corners.corners[(k + 1) % 4]);
  }
  return std::max(shared.Area(), 0.0);
}

Status PrepareRotated(Operands& operands, bool of_union, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (of_union) {
    if (Status s = operands.CheckText(kMode, {"iou"}); !s.ok()) return s;
  }
  if (operands[kOut].IsEmpty()) return {};
  const int64_t n = operands.Size("N"), others = operands.Size("K"), images = operands.Size("B");
  const bool two_corners = operands.Flag(kCentred);
  Steps steps(operands);
  InnerTensor boxes, queries;
  if (Status s = steps.ContiguousAs(kBoxes, ACL_FLOAT, &boxes); !s.ok()) return s;
  if (Status s = steps.ContiguousAs(kTruth, ACL_FLOAT, &queries); !s.ok()) return s;
  const InnerTensor out = steps.ContiguousResultAs(kOut, ACL_FLOAT);
  steps.Add([=](const Bindings& bindings, char*, const StopToken&) -> Status {
    const auto* a = reinterpret_cast<const float*>(boxes.Address(bindings));
    const auto* b = reinterpret_cast<const float*>(queries.Address(bindings));
    auto* to = reinterpret_cast<float*>(out.Address(bindings));
    ParallelFor(images * n * others, 32, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t image = i / others / n;
        const TurnedBox box = TurnedBoxAt(a + image * 5 * n, n, i / others % n, two_corners);
        const TurnedBox query =
            TurnedBoxAt(b + image * 5 * others, others, i % others, two_corners);
        const double shared = SharedOf(box, query);
        const double whole = box.area() + query.area() - shared;
        to[i] = static_cast<float>(!of_union ? shared : shared > 0 ? shared / whole : 0);
      }
    });
    return {};
  });
  return steps.Finish(call);
}

}  // namespace

Status PrepareRotatedOverlaps(Operands& operands, PreparedCall* call) {
  return PrepareRotated(operands, false, call);
}
Status PrepareRotatedIou(Operands& operands, PreparedCall* call) {
  return PrepareRotated(operands, true, call);
}

}  // namespace anyacl::detection
