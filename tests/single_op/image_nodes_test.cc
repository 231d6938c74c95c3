// SPDX-License-Identifier: Apache-2.0
// Images by name: regions, samples at offsets, convolutions and their gradients; norms, dropout,
// choices and ranges.
#include <cmath>
#include <numeric>

#include "acl/acl.h"
#include "acl/error_codes/rt_error_codes.h"
#include "node.h"
#include "reference/detection.h"

namespace anyacl::test {
namespace {

using Values = std::vector<double>;

using ImageNodeTest = NodeTest;

TEST_F(ImageNodeTest, RegionsOfImages) {
  constexpr int64_t kHeight = 7, kWidth = 6, kRows = 2, kColumns = 3;
  const Values image = Numbers(2 * kHeight * kWidth), gradient = Numbers(2 * kRows * kColumns);
  const Values regions = {1, 3, -2, 19, 17, 0, 0, 4, 2, 5};
  for (int64_t mode : {0, 1, 2, 3}) {
    SCOPED_TRACE(mode);
    Node node("ROIAlign"), slope("ROIAlignGrad");
    node.In({2, 1, kHeight, kWidth}, image).In({2, 5}, regions).Out({2, 1, kRows, kColumns});
    slope.In({2, 1, kRows, kColumns}, gradient).In({2, 5}, regions).Out({2, 1, kHeight, kWidth});
    slope.Ints("xdiff_shape", {2, 1, kHeight, kWidth});
    for (Node* each : {&node, &slope}) {
      each->Real("spatial_scale", 0.25F).Int("pooled_height", kRows).Int("pooled_width", kColumns);
      each->Int("sample_num", 2).Int("roi_end_mode", mode);
    }
    const RegionCase c = {.height = kHeight,
                          .width = kWidth,
                          .rows = kRows,
                          .columns = kColumns,
                          .scale = 0.25,
                          .ratio = 2,
                          .aligned = mode >= 2};
    Values expected, by_image(2 * kHeight * kWidth);
    for (size_t k = 0; k < 2; ++k) {
      double corners[4];
      for (size_t i = 0; i < 4; ++i) {
        corners[i] = regions[5 * k + 1 + i] + (mode == 1 && i >= 2 ? 1 : 0);
      }
      const auto plane = static_cast<size_t>(regions[5 * k]) * kHeight * kWidth;
      const Values means = RegionOf(c, corners, &image[plane], false);
      expected.insert(expected.end(), means.begin(), means.end());
      const int64_t samples = 4;
      ForRegion(c, corners, [&](int64_t bin, int64_t, int64_t element, double weight) {
        const double g = gradient[k * kRows * kColumns + static_cast<size_t>(bin)];
        by_image[plane + static_cast<size_t>(element)] += g * weight / samples;
      });
    }
    ExpectNear(Run(node), expected, 1e-6, "regions");
    ExpectNear(Run(slope), by_image, 1e-6, "gradient");
  }
  Node nowhere("ROIAlign"), mode("ROIAlign");
  nowhere.In({1, 1, 2, 2}).In({1, 5}, {1, 0, 0, 1, 1}).Out({1, 1, 1, 1}).Real("spatial_scale", 1);
  nowhere.Int("pooled_height", 1).Int("pooled_width", 1);
  ExpectTaskFails(nowhere, {"region 0 = 1", "0 to 0"});
  mode.In({1, 1, 2, 2})
      .In({1, 5})
      .Out({1, 1, 1, 1})
      .Real("spatial_scale", 1)
      .Int("roi_end_mode", 4);
  mode.Int("pooled_height", 1).Int("pooled_width", 1);
  ExpectRefused(mode, {"roi_end_mode is 4", "0 to 3"});
}

// Two deformable groups of two channels, taps of 2 x 3, channels last.
struct OffsetsCase {
  static constexpr int64_t kHeight = 6, kWidth = 7, kChannels = 4, kGroups = 2, kTaps = 6;
  static constexpr int64_t kOutHeight = 3, kOutWidth = 6, kOffsets = 3 * kGroups * kTaps;

  // The sample of channel c at row v and column u of the image of samples.
  double SampleAt(const Values& x, const Values& offsets, int64_t v, int64_t u, int64_t c) const {
    const int64_t i = v / 2, k = v % 2, j = u / 3, l = u % 3, group = c / 2;
    const auto offset = [&](int64_t part) {
      return offsets[static_cast<size_t>((i * kOutWidth + j) * kOffsets +
                                         (part * kGroups + group) * kTaps + k * 3 + l)];
    };
    double sum = 0;
    // Strides of 2 and 1, one row above and two columns before, every second column.
    ForElements(kHeight, kWidth, static_cast<double>(2 * i - 1 + k) + offset(1),
                static_cast<double>(j - 2 + 2 * l) + offset(0), [&](int64_t at, double weight) {
                  sum += weight * x[static_cast<size_t>(at * kChannels + c)];
                });
    return sum * offset(2);
  }
  Values Samples(const Values& x, const Values& offsets) const {
    Values all;
    for (int64_t i = 0; i < kOutHeight * 2 * kOutWidth * 3 * kChannels; ++i) {
      const int64_t c = i % kChannels, u = i / kChannels % (kOutWidth * 3);
      all.push_back(SampleAt(x, offsets, i / kChannels / (kOutWidth * 3), u, c));
    }
    return all;
  }
  static void SetAttributes(Node& node) {
    node.Ints("ksize", {2, 3}).Ints("strides", {1, 2, 1, 1}).Ints("pads", {1, 0, 2, 1});
    node.Ints("dilations", {1, 1, 2, 1}).Int("deformable_groups", kGroups);
    node.Text("data_format", "NHWC").Bool("modulated", true);
  }
};

TEST_F(ImageNodeTest, SamplesAtOffsetsAndTheirGradients) {
  const OffsetsCase c;
  const std::vector<int64_t> image = {1, c.kHeight, c.kWidth, c.kChannels};
  const std::vector<int64_t> moves = {1, c.kOutHeight, c.kOutWidth, c.kOffsets};
  const std::vector<int64_t> sampled = {1, 2 * c.kOutHeight, 3 * c.kOutWidth, c.kChannels};
  Values x = Numbers(c.kHeight * c.kWidth * c.kChannels);
  Values offsets;  // none of them at an element, where there is no gradient
  for (int64_t i = 0; i < c.kOutHeight * c.kOutWidth * c.kOffsets; ++i) {
    offsets.push_back(static_cast<double>(random().Int(-20, 20)) / 8 + 1.0 / 16);
  }
  Node node("DeformableOffsets");
  node.In(image, x).In(moves, offsets).Out(sampled);
  OffsetsCase::SetAttributes(node);
  ExpectNear(Run(node), c.Samples(x, offsets), 1e-6, "samples");

  const Values g = Numbers(static_cast<int64_t>(c.Samples(x, offsets).size()));
  Node slope("DeformableOffsetsGrad");
  slope.In(sampled, g).In(image, x).In(moves, offsets).Out(image).Out(moves);
  OffsetsCase::SetAttributes(slope);
  ASSERT_EQ(slope.Run(stream()), 0) << aclGetRecentErrMsg();
  for (size_t side : {0, 1}) {
    Values& moved = side == 0 ? x : offsets;
    Values expected;
    for (double& value : moved) {
      const double old = value, step = 1e-3;
      double sums[2] = {};
      for (int at : {0, 1}) {
        value = old + (at == 1 ? step : -step);
        const Values samples = c.Samples(x, offsets);
        sums[at] = std::inner_product(g.begin(), g.end(), samples.begin(), 0.0);
      }
      value = old;
      expected.push_back((sums[1] - sums[0]) / (2 * step));
    }
    ExpectNear(slope.Result(side, stream()), expected, 1e-5, side == 0 ? "by x" : "by offsets");
  }
  Node plain("DeformableOffsets");
  plain.In({1, 2, 2, 1}).In({1, 2, 2, 3}).Out({1, 2, 2, 1}).Ints("ksize", {1, 1});
  plain.Ints("strides", {1, 1, 1, 1}).Ints("pads", {0, 0, 0, 0}).Ints("dilations", {1, 1, 1, 1});
  plain.Bool("modulated", false);
  ExpectRefused(plain, {"modulated"});
}

// Large images from small ones: y[2 i + k] += x[i] w[k].
TEST_F(ImageNodeTest, TransposedConvolutions) {
  for (int64_t extra : {0, 1}) {
    Node node("Conv2DTranspose");
    node.Host({4}, {1, 1, 1, double(5 + extra)}, ACL_INT32);
    node.In({1, 1, 1, 2}, {1, 10}).In({1, 1, 1, 3}, {1, 2, 3}).In({1}, {0.5});
    node.Out({1, 1, 1, 5 + extra});
    node.Ints("strides", {1, 1, 1, 2}).Ints("pads", {0, 0, 0, 0}).Ints("dilations", {1, 1, 1, 1});
    node.Ints("output_padding", {0, 0, 0, extra}).Int("groups", 1).Text("data_format", "NCHW");
    Values expected = {1.5, 2.5, 13.5, 20.5, 30.5};
    if (extra == 1) expected.push_back(0.5);
    EXPECT_EQ(Run(node), expected);
  }
  Node deep("Conv3DTranspose"), padded("Conv2DTranspose");
  deep.Host({5}, {1, 1, 2, 1, 1}, ACL_INT32).In({1, 1, 1, 1, 1}, {3}).In({1, 1, 2, 1, 1}, {1, 2});
  deep.Out({1, 1, 2, 1, 1}).Ints("strides", {1, 1, 1, 1, 1}).Ints("pads", {0, 0, 0, 0, 0, 0});
  deep.Ints("output_padding", {0, 0, 0, 0, 0}).Text("data_format", "NCDHW");
  EXPECT_EQ(Run(deep), (Values{3, 6}));
  padded.Host({4}, {1, 1, 1, 1}, ACL_INT32).In({1, 1, 1, 1}).In({1, 1, 1, 1}).Out({1, 1, 1, 1});
  padded.Ints("strides", {1, 1, 1, 1}).Ints("pads", {0, 0, 0, 0});
  padded.Ints("output_padding", {1, 0, 0, 0});
  ExpectRefused(padded, {"output_padding = [1, 0, 0, 0]", "0, 0 and 2 elements"});
}

// y[i] = x[2 i] w[0] + x[2 i + 1] w[1].
TEST_F(ImageNodeTest, GradientsOfConvolutions) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    Node input("Conv2DBackpropInput"), weight("Conv2DBackpropFilter");
    input.Host({4}, {1, 1, 1, 5}, ACL_INT32).In({1, 1, 1, 2}, {2, 3}, type);
    input.In({1, 1, 1, 2}, {1, 10}, type).Out({1, 1, 1, 5}, type);
    weight.In({1, 1, 1, 5}, {1, 2, 3, 4, 5}, type).Host({4}, {1, 1, 1, 2}, ACL_INT32);
    weight.In({1, 1, 1, 2}, {1, 10}, type).Out({1, 1, 1, 2}, type);
    for (Node* node : {&input, &weight}) {
      node->Ints("strides", {1, 1, 1, 2}).Ints("pads", {0, 0, 0, 0}).Int("groups", 1);
      node->Ints("dilations", {1, 1, 1, 1}).Text("data_format", "NCHW");
    }
    EXPECT_EQ(Run(input), (Values{2, 3, 20, 30, 0}));
    EXPECT_EQ(Run(weight), (Values{31, 42}));
  }
  Node deep("Conv3DBackpropFilter"), strides("Conv2DBackpropInput");
  deep.In({1, 1, 2, 1, 1}, {5, 6}).Host({5}, {1, 1, 2, 1, 1}, ACL_INT32).In({1, 1, 1, 1, 1}, {2});
  deep.Out({1, 1, 2, 1, 1}).Ints("strides", {1, 1, 1, 1, 1}).Ints("pads", {0, 0, 0, 0, 0, 0});
  deep.Text("data_format", "NCDHW");
  EXPECT_EQ(Run(deep), (Values{10, 12}));
  strides.Host({4}, {1, 1, 1, 1}, ACL_INT32).In({1, 1, 1, 1}).In({1, 1, 1, 1}).Out({1, 1, 1, 1});
  strides.Ints("strides", {2, 1, 1, 1}).Ints("pads", {0, 0, 0, 0});
  ExpectRefused(strides, {"strides = [2, 1, 1, 1]", "1, 1 and 2"});
}

TEST_F(ImageNodeTest, Norms) {
  Node layer("LayerNormV3");
  layer.In({2, 3}, {1, 2, 3, 4, 4, 4}).In({3}, {1, 2, 3}).In({3}, {0, 0, 1});
  layer.Out({2, 3}).Out({2, 1}).Out({2, 1});
  layer.Int("begin_norm_axis", 1).Int("begin_params_axis", 1).Real("epsilon", 0.5F);
  const double rstd = 1 / std::sqrt(2.0 / 3 + 0.5);
  ExpectNear(Run(layer), {-rstd, 0, 3 * rstd + 1, 0, 0, 1}, 1e-6, "y");
  EXPECT_EQ(layer.Result(1, stream()), (Values{2, 4}));
  ExpectNear(layer.Result(2, stream()), {rstd, 1 / std::sqrt(0.5)}, 1e-6, "rstd");

  const Values x = Numbers(2 * 3 * 5);
  const int64_t lengths[] = {2, 5};
  for (bool all : {false, true}) {
    Node node("NormalizeBatch");
    node.In({2, 3, 5}, x).In({2}, {2, 5}, ACL_INT32).Out({2, 3, 5});
    node.Text("normalize_type", all ? "all_features" : "per_feature").Real("epsilon", 0.125F);
    Values expected;
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t n = i / 15, first = all ? n * 3 : i / 5, rows = all ? 3 : 1;
      double sum = 0, squares = 0, count = 0;
      const auto visit = [&](const auto& f) {
        for (size_t r = first; r < first + rows; ++r) {
          for (int64_t k = 0; k < lengths[n]; ++k) f(x[r * 5 + static_cast<size_t>(k)]);
        }
      };
      visit([&](double v) { sum += v, ++count; });
      visit([&](double v) { squares += (v - sum / count) * (v - sum / count); });
      expected.push_back((x[i] - sum / count) / (std::sqrt(squares / (count - 1)) + 0.125));
    }
    ExpectNear(Run(node), expected, 1e-5, "sequences");
  }
  Node outside("NormalizeBatch"), axes("LayerNormV3");
  outside.In({1, 1, 2}).In({1}, {3}, ACL_INT32).Out({1, 1, 2});
  ExpectTaskFails(outside, {"seq_len[0] = 3", "1 to 2"});
  axes.In({2, 3}).In({3}).In({3}).Out({2, 3}).Out({2, 1}).Out({2, 1});
  axes.Int("begin_norm_axis", 1).Int("begin_params_axis", 0);
  ExpectRefused(axes, {"begin_params_axis = 0"});
}

TEST_F(ImageNodeTest, SoftmaxOfASumWithDropout) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const Values a = Numbers(12, type), b = Numbers(12, type), g = Numbers(12, type);
    Values mask = {1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1};
    const Values kept = mask;
    mask.resize(128, 1);
    Node node("AxpyWithSoftmaxAndDropOutDoMask");
    node.In({3, 4}, a, type).In({3, 4}, b, type).In({128}, mask, ACL_UINT8);
    node.Out({3, 4}, type).Out({3, 4}, type);
    node.Real("alpha", 0.5F).Real("input_keep_prob", 0.75F).Ints("axis", {-1});
    Values softmax, dropped, slopes;
    for (size_t i = 0; i < 12; ++i) {
      double sum = 0;
      for (size_t k = i / 4 * 4; k < i / 4 * 4 + 4; ++k) sum += std::exp(a[k] + b[k] / 2);
      softmax.push_back(std::exp(a[i] + b[i] / 2) / sum);
      dropped.push_back(softmax[i] * kept[i] / 0.75);
    }
    const double tolerance = type == ACL_FLOAT ? 1e-6 : 1e-3;
    ExpectNear(Run(node), softmax, tolerance, "softmax");
    ExpectNear(node.Result(1, stream()), dropped, tolerance, "dropped");
    const Values held = node.Result(0, stream());
    for (size_t i = 0; i < 12; ++i) {
      double mean = 0;
      for (size_t k = i / 4 * 4; k < i / 4 * 4 + 4; ++k) mean += held[k] * g[k] * kept[k] / 0.75;
      slopes.push_back(0.5 * held[i] * (g[i] * kept[i] / 0.75 - mean));
    }
    Node slope("DropoutWithMulsAndSoftmaxGrad");
    slope.In({3, 4}, g, type).In({128}, mask, ACL_UINT8).In({3, 4}, held, type).Out({3, 4}, type);
    slope.Real("alpha", 0.5F).Real("input_keep_prob", 0.75F).Ints("axes", {-1});
    ExpectNear(Run(slope), slopes, tolerance, "gradient");
  }
  Node few("AxpyWithSoftmaxAndDropOutDoMask"), never("AxpyWithSoftmaxAndDropOutDoMask");
  few.In({3}).In({3}).In({2}, {1, 1}, ACL_UINT8).Out({3}).Out({3}).Real("input_keep_prob", 0.5F);
  ExpectRefused(few, {"mask.shape = [2]", "3 elements"});
  never.In({3}).In({3}).In({3}, {}, ACL_UINT8).Out({3}).Out({3}).Real("input_keep_prob", 0);
  ExpectRefused(never, {"input_keep_prob = 0"});
}

TEST_F(ImageNodeTest, ChoosesAmongTrueElements) {
  Values x(40 * 50);
  for (size_t i = 0; i < x.size(); i += 3) x[i] = 1;
  std::vector<Values> orders;
  for (int64_t seed : {7, 7, 8, 0, 0}) {
    Node node("RandomChoiceWithMask");
    node.In({40, 50}, x, ACL_BOOL).Out({700, 2}, ACL_INT32).Out({700}, ACL_BOOL);
    node.Int("count", 700).Int("seed", seed).Int("seed2", 0);
    orders.push_back(Run(node));
    const Values valid = node.Result(1, stream());
    std::vector<int> seen(x.size());
    for (size_t i = 0; i < 700; ++i) {
      const auto at = static_cast<size_t>(orders.back()[2 * i] * 50 + orders.back()[2 * i + 1]);
      EXPECT_EQ(valid[i], i < 667);
      if (i < 667) {
        EXPECT_EQ(x[at], 1);
        EXPECT_EQ(seen[at]++, 0);
      } else {
        EXPECT_EQ(at, 0U);
      }
    }
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_NE(orders[0], orders[2]);
  EXPECT_NE(orders[3], orders[4]);
  Node shape("RandomChoiceWithMask"), empty("RandomChoiceWithMask");
  shape.In({4}, {}, ACL_BOOL).Out({2, 2}, ACL_INT32).Out({2}, ACL_BOOL).Int("count", 2);
  ExpectRefused(shape, {"y.shape = [2, 2]", "[2, 1]"});
  empty.In({0}, {}, ACL_BOOL).Out({2, 1}, ACL_INT32).Out({2}, ACL_BOOL).Int("count", 2);
  EXPECT_EQ(Run(empty), (Values{0, 0}));
}

TEST_F(ImageNodeTest, FillsRanges) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8}) {
    Node rows("MaskedFillRange"), all("MaskedFillRange"), deep("MaskedFillRange");
    // Range 1 comes after range 0.
    rows.In({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}, type).In({2, 2}, {0, 1, 1, 4}, ACL_INT32);
    rows.In({2, 2}, {2, 4, 3, 4}, ACL_INT32).In({2}, {-1, -2}, type).Out({2, 4}, type);
    rows.Int("axis", 1);
    EXPECT_EQ(Run(rows), (Values{-1, -2, -2, 4, 5, -1, -1, -1}));
    all.In({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, type).In({1, 1}, {1}, ACL_INT32);
    all.In({1, 1}, {2}, ACL_INT32).In({1}, {9}, type).Out({2, 2, 2}, type).Int("axis", 1);
    EXPECT_EQ(Run(all), (Values{1, 2, 9, 9, 5, 6, 9, 9}));
    deep.In({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, type).In({1, 2}, {0, 1}, ACL_INT32);
    deep.In({1, 2}, {1, 2}, ACL_INT32).In({1}, {9}, type).Out({2, 2, 2}, type);
    EXPECT_EQ(Run(deep), (Values{9, 2, 9, 4, 5, 9, 7, 9}));
  }
  for (const Values& range : {Values{-1, 1}, {0, 5}}) {
    Node outside("MaskedFillRange");
    outside.In({4}).In({1, 1}, {range[0]}, ACL_INT32).In({1, 1}, {range[1]}, ACL_INT32);
    outside.In({1}, {1}).Out({4});
    ExpectTaskFails(outside, {"range 0 of column 0", "within 0 to 4"});
  }
  Node many("MaskedFillRange");
  many.In({2, 4}).In({1, 3}, {}, ACL_INT32).In({1, 3}, {}, ACL_INT32).In({1}).Out({2, 4});
  ExpectRefused(many, {"start.shape = [1, 3]", "at most 2 columns"});
}

TEST_F(ImageNodeTest, ZerosAndAnActivation) {
  Node status("NPUAllocFloatStatus"), slope("SwishGrad");
  status.Out({8});
  EXPECT_EQ(Run(status), Values(8, 0));
  const Values x = {-3, -0.25, 0, 0.5, 4};
  slope.In({5}, Values(5, 2)).In({5}, x).In({5}).Out({5});
  Values slopes;
  for (double value : x) {
    const double s = 1 / (1 + std::exp(-value));
    slopes.push_back(2 * s * (1 + value * (1 - s)));
  }
  ExpectNear(Run(slope), slopes, 1e-6, "SwishGrad");
}

}  // namespace
}  // namespace anyacl::test
