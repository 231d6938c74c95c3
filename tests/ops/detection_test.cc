// SPDX-License-Identifier: Apache-2.0
// What detectors of objects compute, against the formulas in double precision.
#include "reference/detection.h"

#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_deformable_conv2d.h"
#include "aclnnop/aclnn_iou.h"
#include "aclnnop/aclnn_multi_scale_deformable_attention_grad.h"
#include "aclnnop/aclnn_multi_scale_deformable_attn_function.h"
#include "aclnnop/aclnn_roi_align.h"
#include "aclnnop/aclnn_roi_align_v2.h"
#include "aclnnop/aclnn_roi_align_v2_backward.h"
#include "ops/image_case.h"
#include "ops/moe_case.h"
#include "reference/convolution.h"

namespace anyacl::test {
namespace {

using namespace moe;

int64_t CountOf(const Shape& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

class DetectionTest : public MoeTest {
 protected:
  // Random numbers as the type holds them.
  Numbers Some(const Shape& shape, aclDataType type, double low = -2, double high = 2) {
    return Drawn(type, static_cast<size_t>(CountOf(shape)), low, high);
  }
  static Tensor Image(const Shape& shape, aclDataType type, bool strided,
                      const Numbers& values = {}) {
    Layout layout = Made(shape, type, strided).layout();
    layout.format = ACL_FORMAT_NCHW;
    Tensor tensor(layout);
    if (!values.empty()) WriteAs(tensor, values);
    return tensor;
  }
  static void ExpectNear(const Tensor& out, const Numbers& expected, double bound = 1e-5) {
    const Numbers results = ReadAs(out);
    ASSERT_EQ(results.size(), expected.size());
    const double place = 1.01 * LastPlace(out.layout().dtype);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_NEAR(results[i], expected[i], bound + place * std::fabs(expected[i])) << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

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

// ---- attention

struct AttentionCase {
  int64_t batch, queries, heads, channels, points;
  std::vector<Shape> levels;
};

class DeformableAttentionTest : public DetectionTest {
 protected:
  static Tensor Indices(const Shape& shape, const std::vector<int64_t>& values, bool wide) {
    return Holding(shape, wide ? ACL_INT64 : ACL_INT32, {values.begin(), values.end()}, wide);
  }

  // What the levels are, after a key that is in none.
  struct Pyramid {
    explicit Pyramid(const AttentionCase& c) {
      for (const Shape& level : c.levels) {
        starts.push_back(keys);
        sizes.insert(sizes.end(), level.begin(), level.end());
        keys += level[0] * level[1];
      }
    }
    int64_t keys = 1;
    std::vector<int64_t> starts, sizes;
  };

  // The attention of one point as a sum over keys, with all numbers of the call.
  static void ForKeys(const AttentionCase& c, const Pyramid& p, const Numbers& location,
                      int64_t point, const std::function<void(int64_t, double)>& visit) {
    const auto level = static_cast<size_t>(point / c.points) % c.levels.size();
    const Shape& size = c.levels[level];
    const double x = location[2 * static_cast<size_t>(point)];
    const double y = location[2 * static_cast<size_t>(point) + 1];
    ForElements(size[0], size[1], y * static_cast<double>(size[0]) - 0.5,
                x * static_cast<double>(size[1]) - 0.5,
                [&](int64_t element, double weight) { visit(p.starts[level] + element, weight); });
  }

  void Check(const AttentionCase& c, aclDataType type, bool strided) {
    const Pyramid p(c);
    const auto levels = static_cast<int64_t>(c.levels.size());
    const Shape v_shape = {c.batch, p.keys, c.heads, c.channels};
    const Shape w_shape = {c.batch, c.queries, c.heads, levels, c.points};
    Shape l_shape = w_shape;
    l_shape.push_back(2);
    const Shape o_shape = {c.batch, c.queries, c.heads * c.channels};
    const Numbers v = Some(v_shape, type), w = Some(w_shape, type);
    const Numbers l = Some(l_shape, type, -0.3, 1.3), g = Some(o_shape, type);
    const Tensor value = Holding(v_shape, type, v, strided);
    const Tensor weight = Holding(w_shape, type, w, strided);
    const Tensor location = Holding(l_shape, type, l, strided);
    const Tensor gradient = Holding(o_shape, type, g, strided);
    const Tensor sizes = Indices({levels, 2}, p.sizes, strided);
    const Tensor starts = Indices({levels}, p.starts, !strided);
    const Tensor out = Made(o_shape, type, strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
              value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
              out.handle(), s, e);
        },
        aclnnMultiScaleDeformableAttnFunction);
    const Tensor dv = Made(v_shape, type, strided), dl = Made(l_shape, ACL_FLOAT, strided);
    const Tensor dw = Made(w_shape, type, strided);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMultiScaleDeformableAttentionGradGetWorkspaceSize(
              value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
              gradient.handle(), dv.handle(), dl.handle(), dw.handle(), s, e);
        },
        aclnnMultiScaleDeformableAttentionGrad);

    Numbers expected(g.size()), by_value(v.size()), by_weight(w.size()), by_location(l.size());
    for (int64_t i = 0; i < weight.count(); ++i) {
      const auto at = static_cast<size_t>(i);
      const int64_t head = i / (levels * c.points) % c.heads;
      const int64_t query = i / (levels * c.points * c.heads);  // of all batches
      const int64_t row = query * c.heads * c.channels + head * c.channels;
      const auto first = [&](int64_t key) {
        return ((query / c.queries * p.keys + key) * c.heads + head) * c.channels;
      };
      // The gradient times the value at the point.
      const auto product = [&](const Numbers& where) {
        double sum = 0;
        ForKeys(c, p, where, i, [&](int64_t key, double part) {
          for (int64_t ch = 0; ch < c.channels; ++ch) {
            sum +=
                part * g[static_cast<size_t>(row + ch)] * v[static_cast<size_t>(first(key) + ch)];
          }
        });
        return sum;
      };
      ForKeys(c, p, l, i, [&](int64_t key, double part) {
        for (int64_t ch = 0; ch < c.channels; ++ch) {
          const auto from = static_cast<size_t>(first(key) + ch);
          expected[static_cast<size_t>(row + ch)] += w[at] * part * v[from];
          by_value[from] += w[at] * part * g[static_cast<size_t>(row + ch)];
        }
      });
      by_weight[at] = product(l);
      for (size_t axis : {2 * at, 2 * at + 1}) {
        // On an element, where the slope changes, that behind it.
        constexpr double kStep = 1e-7;
        Numbers moved = l;
        moved[axis] += kStep;
        by_location[axis] = w[at] * (product(moved) - by_weight[at]) / kStep;
      }
    }
    ExpectNear(out, expected, 2e-5);
    ExpectNear(dv, by_value, 2e-5);
    ExpectNear(dw, by_weight, 2e-5);
    ExpectNear(dl, by_location, 1e-3);
  }
};

TEST_F(DeformableAttentionTest, ResultsAndGradients) {
  for (bool strided : {false, true}) {
    Check({2, 33, 3, 16, 4, {{5, 7}, {3, 2}, {1, 1}}}, ACL_FLOAT, strided);
    Check({1, 32, 2, 8, 1, {{4, 9}}}, ACL_FLOAT, strided);
    Check({2, 32, 1, 8, 3, {{6, 5}, {3, 3}}}, ACL_FLOAT16, strided);
    Check({2, 32, 1, 8, 2, {{5, 3}, {3, 6}}}, ACL_BF16, strided);
  }
}

TEST_F(DeformableAttentionTest, LevelsThatThereAreNot) {
  const Shape v_shape = {1, 6, 1, 8}, w_shape = {1, 32, 1, 1, 1}, l_shape = {1, 32, 1, 1, 1, 2};
  const Tensor value = Holding(v_shape, ACL_FLOAT, Numbers(48, 1));
  const Tensor weight = Holding(w_shape, ACL_FLOAT, Numbers(32, 1));
  const Tensor middle = Holding(l_shape, ACL_FLOAT, Numbers(64, 0.75));
  const Tensor corner = Holding(l_shape, ACL_FLOAT, Numbers(64, 0));
  const Tensor gradient = Holding({1, 32, 8}, ACL_FLOAT, Numbers(256, 1));
  const Tensor out({.dims = {1, 32, 8}}), dv({.dims = v_shape}), dw({.dims = w_shape});
  const Tensor dl({.dims = l_shape});
  const std::vector<uint8_t> untouched = out.Bytes(), unchanged = dv.Bytes();
  struct Wrong {
    int64_t height, width, start;
    const char* word;
  };
  const int64_t large = INT64_MAX, most = INT32_MAX;
  const auto forward = [&](const Tensor& sizes, const Tensor& starts, const Tensor& location) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
          value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
          out.handle(), s, e);
    };
  };
  for (const Wrong& w : {Wrong{-1, 2, 0, "spatialShape"}, Wrong{large, large, 0, "spatialShape"},
                         Wrong{2, most + 1, 0, "spatialShape"}, Wrong{2, 3, -1, "levelStartIndex"},
                         Wrong{2, 3, 7, "levelStartIndex"}, Wrong{2, 3, 1, "location"},
                         Wrong{most, most, 0, "location"}, Wrong{3, 3, 0, "location"}}) {
    const Tensor sizes = Indices({1, 2}, {w.height, w.width}, true);
    const Tensor starts = Indices({1}, {w.start}, true);
    ExpectTaskFails(forward(sizes, starts, middle), aclnnMultiScaleDeformableAttnFunction, w.word);
    ExpectTaskFails(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMultiScaleDeformableAttentionGradGetWorkspaceSize(
              value.handle(), sizes.handle(), starts.handle(), middle.handle(), weight.handle(),
              gradient.handle(), dv.handle(), dl.handle(), dw.handle(), s, e);
        },
        aclnnMultiScaleDeformableAttentionGrad, w.word);
  }
  EXPECT_EQ(out.Bytes(), untouched);
  EXPECT_EQ(dv.Bytes(), unchanged);
  // CANN's example programs name sizes that they have not, and meet the first key alone.
  const Tensor sizes = Indices({1, 2}, {most, most}, true), starts = Indices({1}, {0}, true);
  RunTwoPhase(forward(sizes, starts, corner), aclnnMultiScaleDeformableAttnFunction);
  EXPECT_EQ(ReadAs(out), Numbers(256, 0.25));
}

TEST_F(DeformableAttentionTest, PositionsThatAreNoNumbersAndLimits) {
  const auto call = [&](const Shape& v_shape, const Shape& l_shape, const Tensor& location,
                        const Tensor& out) {
    return [=, &location, &out](uint64_t* s, aclOpExecutor** e) {
      Shape w_shape = l_shape;
      w_shape.pop_back();
      const Tensor value({.dims = v_shape}), weight({.dims = w_shape});
      const Tensor sizes({.dims = {l_shape[3], 2}, .dtype = ACL_INT32});
      const Tensor starts({.dims = {l_shape[3]}, .dtype = ACL_INT32});
      return aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
          value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
          out.handle(), s, e);
    };
  };
  const auto refused = [&](const Shape& v_shape, const Shape& l_shape, const char* word) {
    const Tensor location({.dims = l_shape});
    const Tensor out({.dims = {v_shape[0], l_shape[1], v_shape[2] * v_shape[3]}});
    ExpectRefused(call(v_shape, l_shape, location, out), ACLNN_ERR_PARAM_INVALID, {word});
  };
  refused({1, 6, 1, 8}, {1, 31, 1, 1, 1, 2}, "queries");
  refused({1, 6, 17, 8}, {1, 32, 17, 1, 1, 2}, "heads");
  refused({1, 6, 1, 8}, {1, 32, 1, 17, 1, 2}, "levels");
  refused({1, 6, 1, 8}, {1, 32, 1, 1, 17, 2}, "points");
  refused({1, 6, 1, 264}, {1, 32, 1, 1, 1, 2}, "channels");
  refused({1, 6, 1, 12}, {1, 32, 1, 1, 1, 2}, "value");

  Numbers where(64, 0.5);
  where[0] = NAN;
  where[3] = INFINITY;
  where[4] = -1e30;
  const Tensor value = Holding({1, 1, 1, 8}, ACL_FLOAT, Numbers(8, 3));
  const Tensor location = Holding({1, 32, 1, 1, 1, 2}, ACL_FLOAT, where);
  const Tensor weight = Holding({1, 32, 1, 1, 1}, ACL_FLOAT, Numbers(32, 1));
  const Tensor sizes = Indices({1, 2}, {1, 1}, false), starts = Indices({1}, {0}, false);
  const Tensor out({.dims = {1, 32, 8}});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMultiScaleDeformableAttnFunctionGetWorkspaceSize(
            value.handle(), sizes.handle(), starts.handle(), location.handle(), weight.handle(),
            out.handle(), s, e);
      },
      aclnnMultiScaleDeformableAttnFunction);
  Numbers expected(256, 3);
  std::fill_n(expected.begin(), 24, 0.0);
  EXPECT_EQ(ReadAs(out), expected);
}

// ---- convolution

class DeformableConvTest : public DetectionTest {
 protected:
  struct Case {
    Shape x, weight;                  // weight: [O, C / groups, K, L]
    Shape stride, padding, dilation;  // padding: above, below, left, right
    int64_t groups = 1, deformable = 1;
  };

  Phase1 Call(const Case& c, const Tensor& x, const Tensor& weight, const Tensor& offset,
              const aclTensor* bias, const Tensor& out, const aclTensor* sampled,
              bool modulated = true) {
    return [=, &x, &weight, &offset, &out](uint64_t* s, aclOpExecutor** e) {
      const IntArrayHandle kernel({c.weight[2], c.weight[3]}), padding(c.padding);
      const IntArrayHandle stride({1, 1, c.stride[0], c.stride[1]});
      const IntArrayHandle dilation({1, 1, c.dilation[0], c.dilation[1]});
      return aclnnDeformableConv2dGetWorkspaceSize(
          x.handle(), weight.handle(), offset.handle(), bias, kernel.get(), stride.get(),
          padding.get(), dilation.get(), c.groups, c.deformable, modulated, out.handle(),
          const_cast<aclTensor*>(sampled), s, e);
    };
  }

  void Check(const Case& c, aclDataType type, bool strided, bool has_bias, bool has_samples) {
    const int64_t k = c.weight[2], l = c.weight[3], taps = c.deformable * k * l;
    const auto size = [&](size_t axis) {
      return (c.x[axis + 2] + c.padding[2 * axis] + c.padding[2 * axis + 1] -
              (c.weight[axis + 2] - 1) * c.dilation[axis] - 1) /
                 c.stride[axis] +
             1;
    };
    const int64_t rows = size(0), columns = size(1), area = rows * columns;
    const Shape o_shape = {c.x[0], 3 * taps, rows, columns};
    const Shape s_shape = {c.x[0], c.x[1], rows * k, columns * l};
    const Shape y_shape = {c.x[0], c.weight[0], rows, columns};
    const Numbers xs = Some(c.x, type), ws = Some(c.weight, type), os = Some(o_shape, type);
    const Numbers bs = Some({c.weight[0]}, type);
    const Tensor x = Image(c.x, type, strided, xs), weight = Image(c.weight, type, strided, ws);
    const Tensor offset = Image(o_shape, type, strided, os), out = Image(y_shape, type, strided);
    const Tensor sampled = Image(s_shape, type, strided);
    const Tensor bias = Holding({c.weight[0]}, type, bs, strided);
    RunTwoPhase(Call(c, x, weight, offset, has_bias ? bias.handle() : nullptr, out,
                     has_samples ? sampled.handle() : nullptr),
                aclnnDeformableConv2d);
    Numbers samples;
    for (int64_t i = 0; i < sampled.count(); ++i) {
      const int64_t across = i % s_shape[3], down = i / s_shape[3] % s_shape[2];
      const int64_t channel = i / s_shape[3] / s_shape[2] % c.x[1];
      const int64_t n = i / s_shape[3] / s_shape[2] / c.x[1];
      const int64_t group = channel / (c.x[1] / c.deformable);
      const int64_t tap = (group * k + down % k) * l + across % l;
      const auto told = [&](int64_t part) {
        return os[static_cast<size_t>((n * 3 * taps + part * taps + tap) * area +
                                      down / k * columns + across / l)];
      };
      const auto place = [&](size_t axis, int64_t at, int64_t of_tap) {
        return static_cast<double>(at * c.stride[axis] - c.padding[2 * axis] +
                                   of_tap * c.dilation[axis]);
      };
      double sum = 0;
      ForElements(c.x[2], c.x[3], place(0, down / k, down % k) + told(1),
                  place(1, across / l, across % l) + told(0), [&](int64_t at, double part) {
                    sum += part *
                           xs[static_cast<size_t>((n * c.x[1] + channel) * c.x[2] * c.x[3] + at)];
                  });
      samples.push_back(sum * told(2));
    }
    if (has_samples) ExpectNear(sampled, samples);
    const ConvolutionCase plain = {.input = s_shape,
                                   .weight = c.weight,
                                   .stride = {k, l},
                                   .padding = {0, 0},
                                   .dilation = {1, 1},
                                   .groups = c.groups};
    ExpectNear(out, ConvolutionOf(plain, samples, ws, has_bias ? bs : Numbers{}).values, 1e-4);
  }
};

TEST_F(DeformableConvTest, Results) {
  const Case usual = {{2, 6, 7, 8}, {4, 6, 3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}};
  const Case grouped = {{1, 6, 9, 5}, {4, 3, 3, 2}, {2, 1}, {2, 1, 0, 3}, {2, 3}, 2, 3};
  const Case single = {{3, 4, 1, 5}, {2, 4, 1, 1}, {1, 2}, {0, 0, -1, 1}, {1, 1}, 1, 4};
  for (const Case& c : {usual, grouped, single}) {
    for (aclDataType type : kFloatTypes) {
      for (bool strided : {false, true}) {
        Check(c, type, strided, strided, true);
        Check(c, type, strided, !strided, false);
      }
    }
  }
}

TEST_F(DeformableConvTest, WrongCallsEmptyOnesAndNoNumbers) {
  const Case c = {{1, 2, 3, 3}, {2, 2, 1, 1}, {1, 1}, {0, 0, 0, 0}, {1, 1}};
  const Tensor x = Image(c.x, ACL_FLOAT, false, Numbers(18, 1));
  const Tensor weight = Image(c.weight, ACL_FLOAT, false, Numbers(4, 1));
  Numbers moved(27, 0);
  std::fill_n(moved.begin() + 18, 9, 1.0);
  moved[0] = NAN;
  moved[1] = 1e30;
  const Tensor offset = Image({1, 3, 3, 3}, ACL_FLOAT, false, moved);
  const Tensor out = Image({1, 2, 3, 3}, ACL_FLOAT, false);
  const int code = ACLNN_ERR_PARAM_INVALID;
  const auto refused = [&](const Case& wrong, std::initializer_list<std::string_view> words) {
    ExpectRefused(Call(wrong, x, weight, offset, nullptr, out, nullptr), code, words);
  };
  RunTwoPhase(Call(c, x, weight, offset, nullptr, out, nullptr), aclnnDeformableConv2d);
  EXPECT_EQ(ReadAs(out), Numbers({0, 0, 2, 2, 2, 2, 2, 2, 2, 0, 0, 2, 2, 2, 2, 2, 2, 2}));
  ExpectRefused(Call(c, x, weight, offset, nullptr, out, nullptr, false), code, {"modulated"});
  Case wrong = c;
  wrong.stride = {0, 1};
  refused(wrong, {"stride"});
  wrong = c;
  wrong.dilation = {1, INT64_MAX};
  refused(wrong, {"dilation"});
  wrong = c;
  wrong.padding = {INT64_MAX, INT64_MAX, 0, 0};
  refused(wrong, {"padding"});
  wrong.padding = {1, 0, 0};
  refused(wrong, {"padding"});
  wrong = c;
  wrong.padding = {1, 0, 0, 0};
  refused(wrong, {"offset"});
  wrong = c;
  wrong.deformable = 3;
  refused(wrong, {"deformableGroups"});
  wrong = c;
  wrong.weight = {2, 2, 64, 64};
  refused(wrong, {"kernelSize", "2048"});
  wrong.weight = {2, 2, INT64_MAX, 2};
  refused(wrong, {"kernelSize"});
  const Tensor plain({.dims = {1, 2, 3, 3}}), named = Image({2}, ACL_FLOAT, false);
  ExpectRefused(Call(c, x, weight, offset, nullptr, plain, nullptr), code, {"out", "NCHW"});
  ExpectRefused(Call(c, x, weight, offset, named.handle(), out, nullptr), code, {"biasOptional"});
  Case none = c;
  none.x = {0, 2, 3, 3};
  const Tensor no_x = Image(none.x, ACL_FLOAT, false), no_out = Image(none.x, ACL_FLOAT, false);
  const Tensor no_offset = Image({0, 3, 3, 3}, ACL_FLOAT, false);
  RunTwoPhase(Call(none, no_x, weight, no_offset, nullptr, no_out, nullptr), aclnnDeformableConv2d);
}

}  // namespace
}  // namespace anyacl::test
