// SPDX-License-Identifier: Apache-2.0
// Boxes by name: overlaps and their gradients, differences, responsibility.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "acl/acl.h"
#include "acl/error_codes/rt_error_codes.h"
#include "node.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;
constexpr double kTiny = 1e-9;

class BoxNodeTest : public NodeTest {
 protected:
  // Columns: x, y, width, height, or corners; many overlap.
  Values Boxes(int64_t count, bool centred) {
    Values boxes(static_cast<size_t>(4 * count));
    for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
      const auto n = static_cast<size_t>(count);
      for (size_t axis : {0, 1}) {
        const double at = static_cast<double>(random().Int(0, 16)) / 4;
        const double size = static_cast<double>(random().Int(2, 16)) / 4;
        boxes[axis * n + i] = at;
        boxes[(axis + 2) * n + i] = centred ? size : at + size;
      }
    }
    return boxes;
  }
};

// x0, y0, x1, y1 of column i.
std::array<double, 4> CornersOf(const Values& boxes, size_t i, bool centred) {
  const size_t n = boxes.size() / 4;
  std::array<double, 4> c;
  for (size_t axis : {0, 1}) {
    const double a = boxes[axis * n + i], b = boxes[(axis + 2) * n + i];
    c[axis] = centred ? a - b / 2 : a;
    c[axis + 2] = centred ? a + b / 2 : b;
  }
  return c;
}

// 'G', 'D' or 'C' before IoU. `weight`: a constant for what the angles count for; below 0: theirs.
double Overlap(char kind, const std::array<double, 4>& a, const std::array<double, 4>& b,
               double* weight) {
  const double across = std::min(a[2], b[2]) - std::max(a[0], b[0]);
  const double down = std::min(a[3], b[3]) - std::max(a[1], b[1]);
  const double shared = std::max(across, 0.0) * std::max(down, 0.0);
  const double whole = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared;
  const double overlap = shared / (whole + kTiny);
  const double width = std::max(a[2], b[2]) - std::min(a[0], b[0]);
  const double height = std::max(a[3], b[3]) - std::min(a[1], b[1]);
  if (kind == 'G') return overlap - (width * height - whole) / (width * height + kTiny);
  const double x = (a[0] + a[2] - b[0] - b[2]) / 2, y = (a[1] + a[3] - b[1] - b[3]) / 2;
  const double distance = (x * x + y * y) / (width * width + height * height + kTiny);
  if (kind == 'D') return overlap - distance;
  const double turn = std::atan((b[2] - b[0]) / (b[3] - b[1] + kTiny)) -
                      std::atan((a[2] - a[0]) / (a[3] - a[1] + kTiny));
  const double v = 4 / (std::numbers::pi * std::numbers::pi) * turn * turn;
  if (*weight < 0) *weight = v / (1 + kTiny - overlap + v);
  return overlap - distance - *weight * v;
}

TEST_F(BoxNodeTest, OverlapsOfPairsAndOfAll) {
  constexpr int64_t kCount = 37, kOthers = 5;
  for (char kind : {'G', 'D', 'C'}) {
    for (bool centred : {true, false}) {
      for (bool crossed : {true, false}) {
        SCOPED_TRACE(::testing::Message() << kind << centred << crossed);
        const int64_t others = crossed ? kOthers : kCount, rows = crossed ? kOthers : 1;
        const Values a = Boxes(kCount, centred), b = Boxes(others, centred);
        Node node(std::string(1, kind) + "IoU");
        node.In({4, kCount}, a).In({4, others}, b).Out({rows, kCount});
        node.Bool("trans", centred).Bool("is_cross", crossed).Text("mode", "iou");
        if (kind == 'C') node.Out({rows, kCount}).Bool("atan_sub_flag", true);
        Values expected;
        for (int64_t i = 0; i < rows * kCount; ++i) {
          double weight = -1;
          expected.push_back(Overlap(
              kind, CornersOf(a, static_cast<size_t>(i % kCount), centred),
              CornersOf(b, static_cast<size_t>(crossed ? i / kCount : i), centred), &weight));
        }
        ExpectNear(Run(node), expected, 1e-6, "overlaps");
      }
    }
  }
}

TEST_F(BoxNodeTest, GradientsOfOverlaps) {
  constexpr int64_t kCount = 300;
  for (char kind : {'G', 'D', 'C'}) {
    for (bool centred : {true, false}) {
      SCOPED_TRACE(::testing::Message() << kind << centred);
      Values a = Boxes(kCount, centred), b = Boxes(kCount, centred);
      // No two corners are equal, where there is no gradient.
      for (double& value : a) value += 1.0 / 32;
      if (centred) {
        for (size_t i = 2 * kCount; i < 4 * kCount; ++i) a[i] += 1.0 / 64;
      }
      const Values g = Numbers(kCount);
      Node node(std::string(1, kind) + "IoUGrad");
      node.In({kCount}, g).In({4, kCount}, a).In({4, kCount}, b);
      if (kind == 'C') node.In({1, kCount});
      node.Out({4, kCount}).Out({4, kCount});
      node.Bool("trans", centred).Bool("is_cross", false).Text("mode", "iou");
      ASSERT_EQ(node.Run(stream()), 0) << aclGetRecentErrMsg();
      for (size_t side : {0, 1}) {
        Values expected;
        for (size_t i = 0; i < 4 * kCount; ++i) {
          Values& moved = side == 0 ? a : b;
          const size_t box = i % kCount;
          const double old = moved[i], step = 1e-5;
          double weight = -1, values[2];
          Overlap(kind, CornersOf(a, box, centred), CornersOf(b, box, centred), &weight);
          for (int at : {0, 1}) {
            moved[i] = old + (at == 1 ? step : -step);
            values[at] =
                Overlap(kind, CornersOf(a, box, centred), CornersOf(b, box, centred), &weight);
          }
          moved[i] = old;
          expected.push_back(g[box] * (values[1] - values[0]) / (2 * step));
        }
        ExpectNear(node.Result(side, stream()), expected, 1e-5, side == 0 ? "dbboxes" : "dgtboxes");
      }
    }
  }
}

// Equal corners: half to each.
TEST_F(BoxNodeTest, GradientOfEqualBoxes) {
  Node node("GIoUGrad");
  node.In({1, 1}, {1}).In({4, 1}, {0, 0, 2, 2}).In({4, 1}, {0, 0, 2, 2}).Out({4, 1}).Out({4, 1});
  node.Bool("trans", false).Bool("is_cross", false).Text("mode", "iou");
  const Values box = Run(node), truth = node.Result(1, stream());
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(box[i] + truth[i], 0, 1e-6);
}

TEST_F(BoxNodeTest, OverlapsAddToAreasAlone) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const char* mode : {"iou", "iof"}) {
      Node node("Iou");
      node.In({3, 4}, {0, 0, 10, 10, 10, 10, 20, 20, 32, 32, 38, 42}, type);
      node.In({2, 4}, {0, 0, 10, 20, 10, 10, 20, 20}, type).Out({2, 3}, type);
      node.Text("mode", mode).Real("eps", 0.25F);
      const double whole[2] = {10.25 * 20.25, 10.25 * 10.25};
      const bool of_truth = mode == std::string_view("iof");
      const double first = of_truth ? whole[0] : whole[0] + 10.25 * 10.25 - 100;
      const double second = of_truth ? whole[1] : 2 * whole[1] - 100;
      ExpectNear(Run(node), {100 / first, 0, 0, 0, 100 / second, 0},
                 type == ACL_FLOAT ? 1e-6 : 1e-3, mode);
    }
  }
}

TEST_F(BoxNodeTest, WhatOverlapsRefuse) {
  Node crossed("GIoUGrad"), mode("CIoU"), counts("DIoU"), gradient("DIoUGrad");
  crossed.In({1}).In({4, 1}).In({4, 1}).Out({4, 1}).Out({4, 1}).Bool("is_cross", true);
  ExpectRefused(crossed, {"is_cross", "expected to be 0"});
  mode.In({4, 1}).In({4, 1}).Out({1, 1}).Out({1, 1}).Text("mode", "iof");
  ExpectRefused(mode, {"mode", "iof"});
  counts.In({4, 2}).In({4, 3}).Out({1, 2}).Bool("is_cross", false);
  ExpectRefused(counts, {"gtboxes.shape = [4, 3]", "is_cross is false"});
  gradient.In({2}).In({4, 1}).In({4, 1}).Out({4, 1}).Out({4, 1});
  ExpectRefused(gradient, {"dy.shape = [2]", "1 numbers"});
  Node empty("GIoU");
  empty.In({4, 0}).In({4, 0}).Out({1, 0}).Bool("is_cross", false);
  EXPECT_EQ(Run(empty), Values());
}

TEST_F(BoxNodeTest, DifferencesOfBoxesAndBack) {
  const Values anchors = {1, 2, 3, 4, 3, 4, 5, 8}, truths = {5, 6, 9, 8, 7, 8, 9, 19};
  const float means[] = {0.5, 0.25, 0, -0.5}, deviations[] = {0.5, 0.25, 2, 1};
  Values expected;
  for (size_t i = 0; i < 2; ++i) {
    double raw[4];
    for (size_t axis : {0, 1}) {
      const double* const a = &anchors[4 * i + axis];
      const double* const t = &truths[4 * i + axis];
      raw[axis] = ((t[0] + t[2]) / 2 - (a[0] + a[2]) / 2) / (a[2] - a[0] + 1);
      raw[axis + 2] = std::log((t[2] - t[0] + 1) / (a[2] - a[0] + 1));
    }
    for (size_t k = 0; k < 4; ++k) {
      expected.push_back((raw[k] - static_cast<double>(means[k])) /
                         static_cast<double>(deviations[k]));
    }
  }
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    Node encode("BoundingBoxEncode"), decode("BoundingBoxDecode");
    encode.In({2, 4}, anchors, type).In({2, 4}, truths, type).Out({2, 4}, type);
    encode.Reals("means", {means, means + 4}).Reals("stds", {deviations, deviations + 4});
    const double tolerance = type == ACL_FLOAT ? 1e-6 : 1e-2;
    const Values deltas = Run(encode);
    ExpectNear(deltas, expected, tolerance, "deltas");
    decode.In({2, 4}, anchors, type).In({2, 4}, deltas, type).Out({2, 4}, type);
    decode.Reals("means", {means, means + 4}).Reals("stds", {deviations, deviations + 4});
    decode.Ints("max_shape", {16, 100}).Real("wh_ratio_clip", 0.016F);
    Values boxes = truths;
    boxes[7] = 15;  // the last row of the picture
    ExpectNear(Run(decode), boxes, tolerance, "boxes");
  }
  // Sizes grow by 1 / 0.5 at most.
  Node clipped("BoundingBoxDecode");
  clipped.In({1, 4}, {0, 0, 9, 9}).In({1, 4}, {0, 0, 5, -5}).Out({1, 4});
  clipped.Reals("means", {0, 0, 0, 0}).Reals("stds", {1, 1, 1, 1});
  clipped.Ints("max_shape", {50, 50}).Real("wh_ratio_clip", 0.5F);
  ExpectNear(Run(clipped), {0, 2.5, 14, 6.5}, 1e-6, "clipped");
  Node zero("BoundingBoxEncode"), few("BoundingBoxDecode");
  zero.In({1, 4}).In({1, 4}).Out({1, 4}).Reals("means", {0, 0, 0, 0}).Reals("stds", {1, 0, 1, 1});
  ExpectRefused(zero, {"stds[1] = 0"});
  few.In({1, 4}).In({1, 4}).Out({1, 4}).Reals("means", {0, 0, 0, 0}).Reals("stds", {1, 1, 1, 1});
  ExpectRefused(few, {"max_shape = []"});
}

TEST_F(BoxNodeTest, DifferencesByCellsAndOfTurnedBoxes) {
  Node cells("YoloBoxesEncode");
  cells.In({2, 4}, {0, 0, 4, 4, 0, 0, 4, 4}).In({2, 4}, {1, 0, 3, 8, 100, -100, 90, -90});
  cells.In({2}, {8, 8}, ACL_INT32).Out({2, 4}).Text("performance_mode", "high_precision");
  ExpectNear(
      Run(cells),
      {0.5, 0.75, std::log(0.5), std::log(2.0), 1 - 1e-6, 1e-6, std::log(1e-6), std::log(2.5)},
      1e-6, "cells");
  // As in op-plugin's documents.
  Node encode("RotatedBoxEncode"), decode("RotatedBoxDecode"), weighted("RotatedBoxEncode");
  encode.In({1, 5, 1}, {30.69, 32.6, 45.94, 59.88, -44.53}, ACL_FLOAT16);
  encode.In({1, 5, 1}, {30.44, 18.72, 33.22, 45.56, 8.5}, ACL_FLOAT16).Out({1, 5, 1}, ACL_FLOAT16);
  encode.Reals("weight", {1, 1, 1, 1, 1});
  ExpectNear(Run(encode), {-0.4253, -0.5166, -1.7021, -0.0162, 1.1328}, 1e-3, "encoded");
  decode.In({1, 5, 1}, {4.137, 33.72, 29.4, 54.06, 41.28}, ACL_FLOAT16);
  decode.In({1, 5, 1}, {0.0244, -1.992, 0.2109, 0.315, -37.25}, ACL_FLOAT16);
  decode.Out({1, 5, 1}, ACL_FLOAT16).Reals("weight", {1, 1, 1, 1, 1});
  ExpectNear(Run(decode), {1.7861, -10.5781, 33, 17.2969, -88.4375}, 1e-3, "decoded");
  weighted.In({1, 5, 1}).In({1, 5, 1}).Out({1, 5, 1}).Reals("weight", {1, 1, 1, 1, 2});
  ExpectRefused(weighted, {"weight"});
}

TEST_F(BoxNodeTest, ResponsibleCells) {
  Node node("AnchorResponseFlags");
  // Centres (3, 5) and far outside, and no number.
  node.In({3, 4}, {2, 4, 4, 6, -90, 900, -90, 900, NAN, 0, 0, 0}).Out({2 * 3 * 2}, ACL_UINT8);
  node.Ints("featmap_size", {2, 3}).Ints("strides", {2, 4}).Int("num_base_anchors", 2);
  // Rows of cells, twice each: (1, 1) and (0, 1), (0, 0).
  EXPECT_EQ(Run(node), (Values{1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0}));
  Node none("AnchorResponseFlags"), wrong("AnchorResponseFlags");
  none.In({0, 4}).Out({4}, ACL_UINT8);
  none.Ints("featmap_size", {2, 2}).Ints("strides", {1, 1}).Int("num_base_anchors", 1);
  EXPECT_EQ(Run(none), Values(4, 0));
  wrong.In({1, 4}).Out({5}, ACL_UINT8);
  wrong.Ints("featmap_size", {2, 2}).Ints("strides", {1, 1}).Int("num_base_anchors", 1);
  ExpectRefused(wrong, {"flags.shape = [5]"});
}

TEST_F(BoxNodeTest, AssignsBoxes) {
  const Values overlaps = {0.9, 0.2, 0.5, 0.9, 0.1, 0.3, 0.3, 0};
  for (bool all : {true, false}) {
    Node node("GridAssignPositive");
    node.In({4}, {-1, -1, 0, -1}).In({2, 4}, overlaps).In({4}, {1, 1, 1, 0}, ACL_UINT8);
    node.In({4}, {0.9, 0.3, 0.5, 0.9}).In({4}, {0, 1, 0, 0}, ACL_INT32);
    node.In({2}, {AsHeld(ACL_FLOAT, 0.9), AsHeld(ACL_FLOAT, 0.3)}).In({2}, {0, 2}, ACL_INT32);
    node.In({}, {128}, ACL_INT32).Out({4});
    node.Real("pos_iou_thr", 0.4F).Real("min_pos_iou", 0.1F).Bool("gt_max_assign_all", all);
    EXPECT_EQ(Run(node), all ? (Values{1, 2, 2, -1}) : (Values{1, -1, 2, -1}));
  }
  Node outside("GridAssignPositive");
  outside.In({1}).In({1, 1}).In({1}, {1}, ACL_UINT8).In({1}).In({1}, {0}, ACL_INT32).In({1}, {1});
  outside.In({1}, {7}, ACL_INT32).In({1}, {1}, ACL_INT32).Out({1}).Bool("gt_max_assign_all", false);
  ExpectTaskFails(outside, {"gt_argmax_overlaps[0] = 7", "0 to 0"});
}

// By the points of a fine grid that lie in both boxes.
TEST_F(BoxNodeTest, OverlapsOfTurnedBoxes) {
  const auto inside = [](const double* box, double x, double y) {
    const double turn = box[4] * std::numbers::pi / 180, cosine = std::cos(turn);
    const double sine = std::sin(turn), right = x - box[0], up = y - box[1];
    return std::fabs(right * cosine + up * sine) < box[2] / 2 &&
           std::fabs(up * cosine - right * sine) < box[3] / 2;
  };
  const double a[2][5] = {{5, 5, 6, 3, 30}, {4, 6, 2, 7, -75}};
  const double b[3][5] = {{5, 5, 6, 3, 30}, {6, 4, 5, 4, 100}, {90, 90, 1, 1, 0}};
  for (bool corners : {false, true}) {
    Values first(10), second(15), shared, parts;
    const auto place = [&](const double(&box)[5], Values& to, size_t n, size_t i) {
      for (size_t k = 0; k < 5; ++k) to[k * n + i] = box[k];
      for (size_t k = 0; corners && k < 2; ++k) {
        to[k * n + i] = box[k] - box[k + 2] / 2;
        to[(k + 2) * n + i] = box[k] + box[k + 2] / 2;
      }
    };
    for (size_t i = 0; i < 2; ++i) place(a[i], first, 2, i);
    for (size_t i = 0; i < 3; ++i) place(b[i], second, 3, i);
    for (const auto& box : a) {
      for (const auto& query : b) {
        constexpr int kSteps = 1000;
        double count = 0;
        for (int p = 0; p < kSteps * kSteps; ++p) {
          const double x = (p % kSteps + 0.5) / 100, y = (p / kSteps + 0.5) / 100;
          count += inside(box, x, y) && inside(query, x, y) ? 1 : 0;
        }
        shared.push_back(count / 10000);
        parts.push_back(shared.back() / (box[2] * box[3] + query[2] * query[3] - shared.back()));
      }
    }
    Node overlaps("RotatedOverlaps"), iou("RotatedIou");
    for (Node* node : {&overlaps, &iou}) {
      node->In({1, 5, 2}, first).In({1, 5, 3}, second).Out({1, 2, 3}).Bool("trans", corners);
    }
    iou.Text("mode", "iou").Bool("is_cross", true).Real("value", 0);
    ExpectNear(Run(overlaps), shared, 3e-3, "overlaps");
    ExpectNear(Run(iou), parts, 3e-3, "parts of unions");
  }
  Node flat("RotatedIou"), pairs("RotatedIou");
  flat.In({1, 5, 1}, {1, 1, 0, 2, 0}).In({1, 5, 1}, {1, 1, 2, 2, 0}).Out({1, 1, 1});
  EXPECT_EQ(Run(flat), Values{0});
  pairs.In({1, 5, 1}).In({1, 5, 1}).Out({1, 1, 1}).Bool("is_cross", false);
  ExpectRefused(pairs, {"is_cross"});
}

}  // namespace
}  // namespace anyacl::test
