// SPDX-License-Identifier: Apache-2.0
// Overlaps of boxes and regions of images, against the formulas in double precision.
#include "reference/detection.h"

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_iou.h"
#include "aclnnop/aclnn_roi_align.h"
#include "aclnnop/aclnn_roi_align_v2.h"
#include "aclnnop/aclnn_roi_align_v2_backward.h"
#include "ops/detection_case.h"

namespace anyacl::test {
namespace {

// ---- boxes

class IouTest : public DetectionTest {
 protected:
  // Corners in eighths, which all types hold.
  Numbers Boxes(int64_t count) {
    Numbers boxes;
    for (int64_t i = 0; i < count; ++i) {
      const auto eighths = [&](int64_t low) {
        return static_cast<double>(random().Int(low, low + 64)) / 8;
      };
      const double x = eighths(0), y = eighths(0);
      for (double corner : {x, y, x + eighths(8), y + eighths(8)}) boxes.push_back(corner);
    }
    return boxes;
  }
  Phase1 Call(const Tensor& boxes, const Tensor& truth, const char* mode, float eps, bool aligned,
              const Tensor& out) {
    return [&boxes, &truth, mode, eps, aligned, &out](uint64_t* s, aclOpExecutor** e) {
      return aclnnIouGetWorkspaceSize(boxes.handle(), truth.handle(), mode, eps, aligned,
                                      out.handle(), s, e);
    };
  }
};

TEST_F(IouTest, Overlaps) {
  for (aclDataType type : kFloatTypes) {
    for (bool strided : {false, true}) {
      for (bool aligned : {false, true}) {
        for (bool of_truth : {false, true}) {
          for (float eps : {0.0F, 1.0F}) {
            const int64_t m = 37, n = aligned ? m : 70;
            const Numbers a = AsHeld(type, Boxes(m)), b = AsHeld(type, Boxes(n));
            const Tensor boxes = Holding({m, 4}, type, a, strided);
            const Tensor truth = Holding({n, 4}, type, b, strided);
            const Tensor out = Made({m, aligned ? 1 : n}, type, strided);
            RunTwoPhase(Call(boxes, truth, of_truth ? "iof" : "iou", eps, aligned, out), aclnnIou);
            Numbers expected;
            for (int64_t i = 0; i < m; ++i) {
              for (int64_t j = aligned ? i : 0; j < (aligned ? i + 1 : n); ++j) {
                expected.push_back(OverlapOf(a.data() + 4 * i, b.data() + 4 * j, of_truth, eps));
              }
            }
            ExpectNear(out, expected, 1e-12);
          }
        }
      }
    }
  }
}

TEST_F(IouTest, DocumentsExampleAndNoNumbers) {
  const float nan = std::nanf("");
  Tensor boxes({.dims = {3, 4}}), truth({.dims = {3, 4}}), out({.dims = {3, 1}});
  boxes.Write(std::vector<float>{1, 1, 5, 3, 1, nan, 5, 3, 2, 2, 2, 2});
  truth.Write(std::vector<float>{4, 2, 9, 5, 4, 2, 9, 5, 2, 2, 2, 2});
  RunTwoPhase(Call(boxes, truth, "iou", 0, true, out), aclnnIou);
  const std::vector<float> overlaps = out.Read<float>();
  EXPECT_FLOAT_EQ(overlaps[0], 1.0F / 22);
  EXPECT_TRUE(std::isnan(overlaps[1]));
  EXPECT_TRUE(std::isnan(overlaps[2]));  // nothing of nothing
}

TEST_F(IouTest, WrongCallsAndNone) {
  const Tensor boxes({.dims = {3, 4}}), truth({.dims = {2, 4}}), out({.dims = {3, 2}});
  const Tensor none({.dims = {0, 4}}), empty({.dims = {3, 0}}), column({.dims = {3, 1}});
  const Tensor named({.dims = {3, 4}, .format = ACL_FORMAT_NCHW});
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(Call(boxes, truth, "giou", 0, false, out), code, {"mode", "giou"});
  ExpectRefused(Call(boxes, truth, nullptr, 0, false, out), code, {"mode"});
  ExpectRefused(Call(boxes, truth, "iou", -1, false, out), code, {"eps", "0 or more"});
  ExpectRefused(Call(boxes, truth, "iou", NAN, false, out), code, {"eps", "0 or more"});
  ExpectRefused(Call(boxes, truth, "iou", 0, true, column), code, {"gtBoxes", "aligned"});
  ExpectRefused(Call(boxes, boxes, "iou", 0, true, out), code, {"overlap"});
  ExpectRefused(Call(boxes, truth, "iou", 0, false, column), code, {"overlap"});
  ExpectRefused(Call(named, truth, "iou", 0, false, out), code, {"bBoxes", "NCHW", "ND"});
  RunTwoPhase(Call(boxes, none, "iou", 0, false, empty), aclnnIou);
}

// ---- regions

class RoiAlignTest : public DetectionTest {
 protected:
  static constexpr int64_t kImages = 3, kChannels = 19;
  static constexpr int64_t kRegions = 7;

  // The image and the corners of each region, partly outside; sizes of which rounding up is the
  // same in fp32.
  Numbers Boxes(const RegionCase& c, bool forward) {
    Numbers boxes;
    for (int64_t k = 0; k < kRegions; ++k) {
      boxes.push_back(static_cast<double>(random().Int(0, kImages - 1)) + (k % 2 == 0 ? 0 : 0.5));
      const auto eighths = [&](int64_t low, int64_t high) {
        return static_cast<double>(2 * random().Int(4 * low, 4 * high) + 1) / 8 / c.scale;
      };
      const double x = eighths(-2, c.width), y = eighths(-2, c.height);
      const int64_t least = forward ? 0 : -1;
      for (double at : {x, y, x + eighths(least, c.width), y + eighths(least, c.height)}) {
        boxes.push_back(at);
      }
    }
    return boxes;
  }
};

TEST_F(RoiAlignTest, ResultsAndGradients) {
  for (const RegionCase& base : {RegionCase{11, 9, 3, 2, 0.5}, RegionCase{6, 6, 1, 1, 1, 1},
                                 RegionCase{5, 17, 4, 7, 0.25, 3}, RegionCase{1, 1, 2, 2, 2}}) {
    for (bool aligned : {false, true}) {
      for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
        for (bool strided : {false, true}) {
          RegionCase c = base;
          c.aligned = aligned;
          const Shape in = {kImages, kChannels, c.height, c.width};
          const Shape out = {kRegions, kChannels, c.rows, c.columns};
          const Numbers x = Some(in, type), g = Some(out, ACL_FLOAT);
          const Numbers boxes = Boxes(c, !aligned);
          ASSERT_EQ(AsHeld(type, boxes), boxes);
          const Tensor self = Image(in, type, strided, x), y = Image(out, type, strided);
          const Tensor regions = Holding({kRegions, 5}, type, boxes, strided);
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return aclnnRoiAlignV2GetWorkspaceSize(self.handle(), regions.handle(), c.rows,
                                                       c.columns, static_cast<float>(c.scale),
                                                       c.ratio, aligned, y.handle(), s, e);
              },
              aclnnRoiAlignV2);
          Numbers expected, by_self(x.size());
          for (int64_t k = 0; k < kRegions; ++k) {
            const double* const box = boxes.data() + 5 * k;
            for (int64_t ch = 0; ch < kChannels; ++ch) {
              const int64_t plane = static_cast<int64_t>(box[0]) * kChannels + ch;
              const double* const from = x.data() + plane * c.height * c.width;
              const Numbers bins = RegionOf(c, box + 1, from, false);
              expected.insert(expected.end(), bins.begin(), bins.end());
              const double* const back = g.data() + (k * kChannels + ch) * c.rows * c.columns;
              double* const to = by_self.data() + plane * c.height * c.width;
              int64_t samples = 1;
              samples = ForRegion(c, box + 1, [](int64_t, int64_t, int64_t, double) {});
              ForRegion(c, box + 1, [&](int64_t bin, int64_t, int64_t at, double weight) {
                to[at] += back[bin] * weight / static_cast<double>(samples);
              });
            }
          }
          ExpectNear(y, expected);
          if (type != ACL_FLOAT) continue;
          const Tensor gradient = Image(out, type, strided, g), dx = Image(in, type, strided);
          const IntArrayHandle shape(in);
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return aclnnRoiAlignV2BackwardGetWorkspaceSize(
                    gradient.handle(), regions.handle(), shape.get(), c.rows, c.columns,
                    static_cast<float>(c.scale), c.ratio, aligned, dx.handle(), s, e);
              },
              aclnnRoiAlignV2Backward);
          ExpectNear(dx, by_self);
        }
      }
    }
  }
}

TEST_F(RoiAlignTest, MeansAndLargest) {
  for (bool largest : {false, true}) {
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
      for (int64_t ratio : {0, 2}) {
        const RegionCase c = {8, 7, 3, 2, 0.5, ratio};
        const Shape in = {kImages, kChannels, c.height, c.width};
        const Numbers x = Some(in, type), boxes = Boxes(c, true);
        Numbers corners, images, expected;
        for (int64_t k = 0; k < kRegions; ++k) {
          const double* const box = boxes.data() + 5 * k;
          images.push_back(std::floor(box[0]));
          corners.insert(corners.end(), box + 1, box + 5);
          for (int64_t ch = 0; ch < kChannels; ++ch) {
            const int64_t plane = static_cast<int64_t>(box[0]) * kChannels + ch;
            const Numbers bins =
                RegionOf(c, box + 1, x.data() + plane * c.height * c.width, largest);
            expected.insert(expected.end(), bins.begin(), bins.end());
          }
        }
        const bool strided = ratio == 0;
        const Tensor self = Image(in, type, strided, x);
        const Tensor y = Image({kRegions, kChannels, c.rows, c.columns}, type, strided);
        const Tensor rois = Holding({kRegions, 4}, type, corners, strided);
        const Tensor batch = Holding({kRegions}, ACL_INT32, images, strided);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnRoiAlignGetWorkspaceSize(
                  self.handle(), rois.handle(), batch.handle(), largest ? "max" : "avg",
                  static_cast<int>(c.rows), static_cast<int>(c.columns), static_cast<int>(ratio),
                  0.5F, y.handle(), s, e);
            },
            aclnnRoiAlign);
        ExpectNear(y, expected);
      }
    }
  }
}

TEST_F(RoiAlignTest, RegionsFarAwayOrOfNoNumbersAreZeros) {
  const Tensor self = Image({1, 2, 3, 4}, ACL_FLOAT, false, Numbers(24, 1));
  const float far = 3e38F, nan = std::nanf("");
  Tensor boxes({.dims = {6, 5}});
  boxes.Write(std::vector<float>{0, nan, 0, 2,   2, 0, 0, 0, INFINITY, 2, 0, -INFINITY, 0, 2,   2,
                                 0, far, 0, far, 2, 0, 0, 0, nan,      2, 0, -far,      0, far, 2});
  for (bool aligned : {false, true}) {
    const Tensor y = Image({6, 2, 2, 2}, ACL_FLOAT, false);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRoiAlignV2GetWorkspaceSize(self.handle(), boxes.handle(), 2, 2, 1.0F, 0,
                                                 aligned, y.handle(), s, e);
        },
        aclnnRoiAlignV2);
    EXPECT_EQ(ReadAs(y), Numbers(48, 0));
  }
}

TEST_F(RoiAlignTest, ImagesThatThereAreNot) {
  const Tensor self = Image({2, 1, 3, 3}, ACL_FLOAT, false, Numbers(18, 1));
  const Tensor y = Image({2, 1, 2, 2}, ACL_FLOAT, false),
               dx = Image({2, 1, 3, 3}, ACL_FLOAT, false);
  const Tensor g = Image({2, 1, 2, 2}, ACL_FLOAT, false, Numbers(8, 1));
  const std::vector<uint8_t> untouched = y.Bytes();
  const IntArrayHandle shape({2, 1, 3, 3});
  for (double image : {-0.5, 2.0, 1e30, static_cast<double>(std::nanf(""))}) {
    const Tensor boxes = Holding({2, 5}, ACL_FLOAT, {1.5, 0, 0, 2, 2, image, 0, 0, 2, 2});
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRoiAlignV2GetWorkspaceSize(self.handle(), boxes.handle(), 2, 2, 1.0F, 0, true,
                                                 y.handle(), s, e);
        },
        aclnnRoiAlignV2, "0 to 1");
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRoiAlignV2BackwardGetWorkspaceSize(g.handle(), boxes.handle(), shape.get(), 2,
                                                         2, 1.0F, 0, true, dx.handle(), s, e);
        },
        aclnnRoiAlignV2Backward, "0 to 1");
  }
  for (double image : {-1.0, 2.0}) {
    const Tensor rois = Holding({2, 4}, ACL_FLOAT, {0, 0, 2, 2, 0, 0, 2, 2});
    const Tensor batch = Holding({2}, ACL_INT32, {0, image});
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnRoiAlignGetWorkspaceSize(self.handle(), rois.handle(), batch.handle(), "max",
                                               2, 2, 0, 1.0F, y.handle(), s, e);
        },
        aclnnRoiAlign, "0 to 1");
  }
  EXPECT_EQ(y.Bytes(), untouched);
  EXPECT_TRUE(dx.GuardsIntact());
}

TEST_F(RoiAlignTest, EmptyOnesAndWrongCalls) {
  const Tensor nothing = Image({1, 2, 0, 6}, ACL_FLOAT, false);
  const Tensor rois = Holding({1, 4}, ACL_FLOAT, {0, 0, 2, 2});
  const Tensor batch = Holding({1}, ACL_INT32, {0}),
               boxes = Holding({1, 5}, ACL_FLOAT, {0, 0, 0, 2, 2});
  const Tensor y = Image({1, 2, 3, 3}, ACL_FLOAT, true), x = Image({1, 2, 6, 6}, ACL_FLOAT, true);
  const auto first = [&](const Tensor& self, const Tensor& out, const char* mode, float scale) {
    return [&, mode, scale](uint64_t* s, aclOpExecutor** e) {
      return aclnnRoiAlignGetWorkspaceSize(self.handle(), rois.handle(), batch.handle(), mode, 3, 3,
                                           0, scale, out.handle(), s, e);
    };
  };
  RunTwoPhase(first(nothing, y, "avg", 1), aclnnRoiAlign);
  EXPECT_EQ(ReadAs(y), Numbers(18, 0));
  EXPECT_TRUE(y.GuardsIntact());
  const Tensor plain({.dims = {1, 2, 3, 3}});
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(first(x, y, "sum", 1), code, {"mode", "sum"});
  ExpectRefused(first(x, y, nullptr, 1), code, {"mode"});
  ExpectRefused(first(x, y, "avg", 0), code, {"spatialScale", "0"});
  ExpectRefused(first(x, y, "avg", NAN), code, {"spatialScale"});
  ExpectRefused(first(x, plain, "avg", 1), code, {"out", "ND", "NCHW"});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnRoiAlignV2GetWorkspaceSize(nothing.handle(), boxes.handle(), 3, 3, 1.0F, 0,
                                               false, y.handle(), s, e);
      },
      code, {"self"});
  const Tensor no_gradient = Image({1, 2, 0, 3}, ACL_FLOAT, false);
  const auto back = [&](const Tensor& gradient, int64_t rows, const Shape& shape) {
    return [&, rows, shape](uint64_t* s, aclOpExecutor** e) {
      const IntArrayHandle sizes(shape);
      return aclnnRoiAlignV2BackwardGetWorkspaceSize(gradient.handle(), boxes.handle(), sizes.get(),
                                                     rows, 3, 1.0F, 0, true, x.handle(), s, e);
    };
  };
  RunTwoPhase(back(no_gradient, 0, {1, 2, 6, 6}), aclnnRoiAlignV2Backward);
  EXPECT_EQ(ReadAs(x), Numbers(72, 0));
  for (const Shape& shape : {Shape{1, 2, 6}, Shape{1, 2, 6, 7}, Shape{1, 2, 6, 6, 1}}) {
    ExpectRefused(back(y, 3, shape), code, {"inputShape"});
  }
}

}  // namespace
}  // namespace anyacl::test
