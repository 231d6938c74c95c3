// SPDX-License-Identifier: Apache-2.0
// Maximum pooling and its gradients against plain loops.
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_adaptive_max_pool2d.h"
#include "aclnnop/aclnn_adaptive_max_pool2d_backward.h"
#include "aclnnop/aclnn_adaptive_max_pool3d.h"
#include "aclnnop/aclnn_adaptive_max_pool3d_backward.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax.h"
#include "aclnnop/aclnn_max_pool3d_with_argmax_backward.h"
#include "ops/max_pool_case.h"
#include "reference/resampling.h"

namespace anyacl::test::max_pool {
namespace {

struct PoolCase {
  Shape in;  // spatial
  Pooling pooling;
};
const std::vector<PoolCase>& PoolCases() {
  static const std::vector<PoolCase> kCases = {
      {{6, 8}, {{2, 2}, {2, 2}, {0, 0}, {1, 1}}},
      {{7, 9}, {{3, 3}, {2, 2}, {1, 1}, {1, 1}}},
      {{7, 9}, {{3, 2}, {2, 3}, {1, 1}, {1, 1}, true}},
      {{9, 41}, {{2, 3}, {1, 1}, {1, 1}, {2, 3}}},
      {{9, 41}, {{4, 5}, {3, 7}, {2, 2}, {1, 2}, true}},
      // More rows than are kept: window by window.
      {{33, 2000}, {{33, 3}, {1, 1}, {0, 1}, {1, 1}}},
      {{5, 6, 7}, {{2, 3, 2}, {2, 1, 2}, {1, 1, 0}, {1, 1, 1}}},
      {{5, 6, 7}, {{3, 2, 3}, {1, 2, 2}, {1, 1, 1}, {2, 1, 1}, true}},
      {{3, 4, 9}, {{3, 3, 3}, {2, 2, 2}, {1, 1, 1}, {1, 1, 1}}},
  };
  return kCases;
}

// Few different numbers, so that many are equal, with -inf and sometimes NaN among them.
std::vector<double> FillCoarsely(Tensor& tensor, Random& random, bool nan) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.count(); ++i) {
    const int64_t k = random.Int(0, 12);
    values.push_back(k == 0          ? -std::numeric_limits<double>::infinity()
                     : k == 1 && nan ? std::nan("")
                                     : static_cast<double>(k));
  }
  WriteAs(tensor, values);
  return values;
}

std::vector<int64_t> IndicesOf(const Tensor& tensor) {
  if (tensor.layout().dtype == ACL_INT64) return tensor.Read<int64_t>();
  const std::vector<int32_t> narrow = tensor.Read<int32_t>();
  return {narrow.begin(), narrow.end()};
}

class MaxPoolTest : public MaxPoolCase {
 protected:
  // dx[place] += dy, of an image each.
  static std::vector<double> Scattered(const Shape& in, const Shape& out, size_t spatial,
                                       const std::vector<int64_t>& places,
                                       const std::vector<double>& from) {
    int64_t area = 1, small = 1;
    for (size_t d = in.size() - spatial; d < in.size(); ++d) area *= in[d];
    for (size_t d = out.size() - spatial; d < out.size(); ++d) small *= out[d];
    std::vector<double> sums(static_cast<size_t>(
        area * (static_cast<int64_t>(from.size()) / std::max<int64_t>(1, small))));
    for (size_t i = 0; i < from.size(); ++i) {
      sums[static_cast<size_t>(static_cast<int64_t>(i) / small * area + places[i])] += from[i];
    }
    return sums;
  }

  void ExpectGradient(const Tensor& dx, const std::vector<double>& expected) {
    const std::vector<double> results = ReadAs(dx);
    const aclDataType type = dx.layout().dtype;
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_NEAR(results[i], expected[i], 1e-4 + 1.01 * LastPlace(type) * std::fabs(expected[i]))
          << i;
    }
    EXPECT_TRUE(dx.GuardsIntact());
  }
};

struct Arrays {
  explicit Arrays(const Pooling& p)
      : kernel(p.kernel), stride(p.stride), padding(p.padding), dilation(p.dilation) {}
  IntArrayHandle kernel, stride, padding, dilation;
};

TEST_F(MaxPoolTest, ValuesPlacesAndGradients) {
  for (const PoolCase& c : PoolCases()) {
    const size_t spatial = c.in.size();
    const Pooling& p = c.pooling;
    const Arrays a(p);
    Shape in = {2, 3}, out = {2, 3};
    for (size_t i = 0; i < spatial; ++i) {
      in.push_back(c.in[i]);
      out.push_back(PooledSize(p, i, c.in[i]));
    }
    const WindowRule rule = [&](size_t axis, int64_t j) {
      return WindowOf(p, axis, j, c.in[axis]);
    };
    int k = 0;
    for (aclDataType type : kFloatTypes) {
      for (Lie lie : kLies) {
        SCOPED_TRACE(::testing::PrintToString(in) + ::testing::PrintToString(p.kernel));
        const aclDataType index = ++k % 2 == 0 ? ACL_INT32 : ACL_INT64;
        Tensor x(Lying(in, type, lie)), y(Lying(out, type, lie)), at(Lying(out, index, lie));
        Tensor dy(Lying(out, type, lie)), dx(Lying(in, type, lie));
        const Largest expected =
            LargestOf(in, out, spatial, rule, FillCoarsely(x, random(), k % 3 == 0));
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return (spatial == 2 ? aclnnMaxPool2dWithIndicesGetWorkspaceSize
                                   : aclnnMaxPool3dWithArgmaxGetWorkspaceSize)(
                  x.handle(), a.kernel.get(), a.stride.get(), a.padding.get(), a.dilation.get(),
                  p.ceil_mode, y.handle(), at.handle(), s, e);
            },
            spatial == 2 ? aclnnMaxPool2dWithIndices : aclnnMaxPool3dWithArgmax);
        ExpectSame(y, expected.values);
        EXPECT_EQ(IndicesOf(at), expected.places);
        EXPECT_TRUE(at.GuardsIntact());
        const std::vector<double> gradient = FillRandomly(dy, random());
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return (spatial == 2 ? aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize
                                   : aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize)(
                  dy.handle(), x.handle(), at.handle(), a.kernel.get(), a.stride.get(),
                  a.padding.get(), a.dilation.get(), p.ceil_mode, dx.handle(), s, e);
            },
            spatial == 2 ? aclnnMaxPool2dWithIndicesBackward : aclnnMaxPool3dWithArgmaxBackward);
        ExpectGradient(dx, Scattered(in, out, spatial, expected.places, gradient));
      }
    }
  }
}

// The mask is the operator's own affair; its size is CANN's, and the gradient reads it.
// Paddings of their own on all four sides.
TEST_F(MaxPoolTest, WithoutPlaces) {
  struct PlainCase {
    int64_t h, w;
    Shape kernel, strides, pads;
    int64_t ceil_mode, out_h, out_w;
  };
  for (const PlainCase& c : {PlainCase{6, 8, {2}, {2}, {}, 0, 3, 4},
                             {6, 8, {2, 3}, {}, {}, 0, 5, 6},
                             {7, 9, {3, 2}, {2, 3}, {1}, 0, 4, 4},
                             {7, 9, {3, 3}, {2, 2}, {1, 0}, 1, 4, 4},
                             {5, 6, {3, 4}, {2, 2}, {0, 1, 2, 3}, 0, 3, 4},
                             {5, 6, {3, 4}, {3, 3}, {2, 0, 1, 4}, 1, 3, 2},
                             {4, 100, {3, 3}, {1, 1}, {1, 1, 0, 2}, 0, 3, 101}}) {
    for (aclDataType type : kFloatTypes) {
      for (Lie lie : kLies) {
        SCOPED_TRACE(::testing::PrintToString(c.kernel) + ::testing::PrintToString(c.pads));
        Tensor x(Lying({2, 3, c.h, c.w}, type, lie));
        const Tensor y(Lying({2, 3, c.out_h, c.out_w}, type, lie));
        const std::vector<double> values = FillCoarsely(x, random(), false);
        const IntArrayHandle kernel(c.kernel), strides(c.strides), pads(c.pads), dilations({1});
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnMaxPoolGetWorkspaceSize(x.handle(), kernel.get(), strides.get(), 0,
                                                  pads.get(), dilations.get(), c.ceil_mode,
                                                  y.handle(), s, e);
            },
            aclnnMaxPool);
        const auto of = [](const Shape& shape, size_t i, int64_t none) {
          return shape.empty() ? none : shape[i % shape.size()];
        };
        std::vector<double> expected;
        for (int64_t i = 0; i < 6 * c.out_h * c.out_w; ++i) {
          const int64_t image = i / c.out_w / c.out_h;
          const int64_t top = i / c.out_w % c.out_h * of(c.strides, 0, 1) - of(c.pads, 0, 0);
          const int64_t left = i % c.out_w * of(c.strides, 1, 1) - of(c.pads, 1, 0);
          double largest = -std::numeric_limits<double>::infinity();
          for (int64_t h = top; h < top + of(c.kernel, 0, 1); ++h) {
            for (int64_t w = left; w < left + of(c.kernel, 1, 1); ++w) {
              if (h < 0 || h >= c.h || w < 0 || w >= c.w) continue;
              largest = std::max(largest, values[static_cast<size_t>((image * c.h + h) * c.w + w)]);
            }
          }
          expected.push_back(largest);
        }
        ExpectSame(y, expected);
      }
    }
  }
  const Tensor x({.dims = {1, 4, 4}}), y({.dims = {1, 2, 2}});
  const auto call = [&](const Shape& kernel, const Shape& pads, const Shape& dilations,
                        int64_t auto_pad) {
    return [&, kernel, pads, dilations, auto_pad](uint64_t* s, aclOpExecutor** e) {
      const IntArrayHandle k(kernel), p(pads), d(dilations), strides({2, 2});
      return aclnnMaxPoolGetWorkspaceSize(x.handle(), k.get(), strides.get(), auto_pad, p.get(),
                                          d.get(), 0, y.handle(), s, e);
    };
  };
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(call({2, 2}, {1, 1, 1}, {}, 0), code, {"pads has 3 elements"});
  ExpectRefused(call({2, 2}, {0, 0, -1, 0}, {}, 0), code, {"pads = [0, 0, -1, 0]"});
  ExpectRefused(call({2, 2}, {2, 0, 1, 0}, {}, 0), code, {"at most the window"});
  ExpectRefused(call({2, 2}, {0}, {2, 2}, 0), code, {"dilations = [2, 2]"});
  ExpectRefused(call({2, 2}, {0}, {1}, 1), code, {"autoPad is 1"});
  ExpectRefused(call({3, 3}, {0}, {1}, 0), code, {"expected 1 windows"});
  ExpectRefused(call({0, 2}, {0}, {1}, 0), code, {"kernelShape"});
}

TEST_F(MaxPoolTest, GradientsByMasks) {
  for (const PoolCase& c : PoolCases()) {
    if (c.in.size() != 2) continue;
    const Pooling& p = c.pooling;
    const Arrays a(p);
    for (bool batch : {true, false}) {
      Shape in = batch ? Shape{2, 3} : Shape{3}, out = in, mask = in;
      for (size_t i = 0; i < 2; ++i) {
        in.push_back(c.in[i]);
        out.push_back(PooledSize(p, i, c.in[i]));
      }
      mask.push_back(p.kernel[0] * p.kernel[1]);
      const int64_t windows = out[out.size() - 1] * out[out.size() - 2];
      mask.push_back(((windows + 15) / 16 + 1) * 32);
      SCOPED_TRACE(::testing::PrintToString(in) + ::testing::PrintToString(p.kernel));
      const WindowRule rule = [&](size_t axis, int64_t j) {
        return WindowOf(p, axis, j, c.in[axis]);
      };
      Tensor x({.dims = in}), y({.dims = out}), bits({.dims = mask, .dtype = ACL_INT8});
      Tensor dy({.dims = out}), dx({.dims = in});
      const Largest expected = LargestOf(in, out, 2, rule, FillCoarsely(x, random(), true));
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnMaxPool2dWithMaskGetWorkspaceSize(
                x.handle(), a.kernel.get(), a.stride.get(), a.padding.get(), a.dilation.get(),
                p.ceil_mode, y.handle(), bits.handle(), s, e);
          },
          aclnnMaxPool2dWithMask);
      ExpectSame(y, expected.values);
      const std::vector<double> gradient = FillRandomly(dy, random());
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
                dy.handle(), x.handle(), bits.handle(), a.kernel.get(), a.stride.get(),
                a.padding.get(), a.dilation.get(), p.ceil_mode, dx.handle(), s, e);
          },
          aclnnMaxPool2dWithMaskBackward);
      ExpectGradient(dx, Scattered(in, out, 2, expected.places, gradient));
      // torch's own indices, as its tests hand them over.
      Tensor at({.dims = out, .dtype = ACL_INT64});
      at.Write(expected.places);
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnMaxPool2dWithMaskBackwardGetWorkspaceSize(
                dy.handle(), x.handle(), at.handle(), a.kernel.get(), a.stride.get(),
                a.padding.get(), a.dilation.get(), p.ceil_mode, dx.handle(), s, e);
          },
          aclnnMaxPool2dWithMaskBackward);
      ExpectGradient(dx, Scattered(in, out, 2, expected.places, gradient));
    }
  }
}

TEST_F(MaxPoolTest, AdaptiveWindows) {
  const std::pair<Shape, Shape> sizes[] = {{{7, 7}, {1, 1}},       {{8, 12}, {4, 3}},
                                           {{7, 5}, {3, 4}},       {{3, 4}, {5, 9}},
                                           {{5, 6, 7}, {2, 6, 3}}, {{4, 3, 2}, {1, 1, 1}}};
  for (const auto& [from, to] : sizes) {
    const size_t spatial = from.size();
    Shape in = {2, 3}, out = {2, 3};
    in.insert(in.end(), from.begin(), from.end());
    out.insert(out.end(), to.begin(), to.end());
    const WindowRule rule = [&](size_t axis, int64_t j) {
      return AdaptiveWindowOf(j, in[axis + 2], out[axis + 2]);
    };
    for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
      if (type == ACL_DOUBLE && spatial == 3) continue;
      SCOPED_TRACE(::testing::PrintToString(in) + ::testing::PrintToString(out));
      const IntArrayHandle size(to);
      Tensor x(Lying(in, type, Lie::kGaps)), y(Lying(out, type, Lie::kGaps));
      Tensor at(Lying(out, ACL_INT64, Lie::kChannelsLast));
      const Largest expected = LargestOf(in, out, spatial, rule, FillCoarsely(x, random(), true));
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return (spatial == 2 ? aclnnAdaptiveMaxPool2dGetWorkspaceSize
                                 : aclnnAdaptiveMaxPool3dGetWorkspaceSize)(
                x.handle(), size.get(), y.handle(), at.handle(), s, e);
          },
          spatial == 2 ? aclnnAdaptiveMaxPool2d : aclnnAdaptiveMaxPool3d);
      ExpectSame(y, expected.values);
      EXPECT_EQ(IndicesOf(at), expected.places);
      if (type == ACL_DOUBLE) continue;
      Tensor dy({.dims = out, .dtype = type}), dx({.dims = in, .dtype = type});
      const std::vector<double> gradient = FillRandomly(dy, random());
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return (spatial == 2 ? aclnnAdaptiveMaxPool2dBackwardGetWorkspaceSize
                                 : aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize)(
                dy.handle(), x.handle(), at.handle(), dx.handle(), s, e);
          },
          spatial == 2 ? aclnnAdaptiveMaxPool2dBackward : aclnnAdaptiveMaxPool3dBackward);
      ExpectGradient(dx, Scattered(in, out, spatial, expected.places, gradient));
    }
  }
}

// NHWC, which the document of AdaptiveMaxPool2d has: as the same images with channels second.
TEST_F(MaxPoolTest, AdaptiveWindowsOfImagesWithChannelsLast) {
  constexpr int64_t kBatch = 2, kChannels = 3;
  const auto turned = [](const auto& values, int64_t height, int64_t width) {
    auto result = values;
    size_t to = 0;
    for (int64_t n = 0; n < kBatch; ++n) {
      for (int64_t c = 0; c < kChannels; ++c) {
        for (int64_t i = 0; i < height * width; ++i) {
          result[to++] = values[static_cast<size_t>((n * height * width + i) * kChannels + c)];
        }
      }
    }
    return result;
  };
  const IntArrayHandle size({3, 4});
  const auto run = [&](const Tensor& x, const Tensor& y, const Tensor& at) {
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAdaptiveMaxPool2dGetWorkspaceSize(x.handle(), size.get(), y.handle(),
                                                        at.handle(), s, e);
        },
        aclnnAdaptiveMaxPool2d);
  };
  const Shape last = {kBatch, 3, 4, kChannels}, second = {kBatch, kChannels, 3, 4};
  Tensor x({.dims = {kBatch, 7, 5, kChannels}, .format = ACL_FORMAT_NHWC});
  Tensor y({.dims = last, .format = ACL_FORMAT_NHWC});
  Tensor at({.dims = last, .dtype = ACL_INT64, .format = ACL_FORMAT_NHWC});
  const std::vector<double> values = FillRandomly(x, random());
  run(x, y, at);
  Tensor same({.dims = {kBatch, kChannels, 7, 5}}), expected({.dims = second});
  Tensor places({.dims = second, .dtype = ACL_INT64});
  WriteAs(same, turned(values, 7, 5));
  run(same, expected, places);
  EXPECT_EQ(turned(ReadAs(y), 3, 4), ReadAs(expected));
  EXPECT_EQ(turned(IndicesOf(at), 3, 4), IndicesOf(places));
}

TEST_F(MaxPoolTest, WhatDoesNotFitIsRefused) {
  const auto refused = [&](const Shape& out, const Shape& mask, const Shape& kernel,
                           const Shape& padding, std::initializer_list<std::string_view> words) {
    Tensor x({.dims = {1, 2, 6, 8}}), y({.dims = out}), bits({.dims = mask, .dtype = ACL_INT8});
    const IntArrayHandle k(kernel), stride({2, 2}), p(padding), one({1, 1});
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnMaxPool2dWithMaskGetWorkspaceSize(x.handle(), k.get(), stride.get(), p.get(),
                                                        one.get(), false, y.handle(), bits.handle(),
                                                        s, e);
        },
        161002, words);
  };
  refused({1, 2, 3, 5}, {1, 2, 4, 64}, {2, 2}, {0, 0}, {"out", "windows", "4"});
  refused({1, 2, 3, 4}, {1, 2, 4, 96}, {2, 2}, {0, 0}, {"indices", "64"});
  refused({1, 2, 3, 4}, {1, 2, 4, 64}, {2, -1}, {0, 0}, {"kernelSize"});
  refused({1, 2, 3, 4}, {1, 2, 4, 64}, {2, 2}, {2, 0}, {"padding", "half"});
}

TEST_F(MaxPoolTest, ImagesWithoutChannelsAreRefused) {
  const Tensor none({.dims = {2, 0, 4, 4}}), pooled({.dims = {2, 0, 2, 2}});
  const Tensor places({.dims = {2, 0, 2, 2}, .dtype = ACL_INT32});
  const IntArrayHandle two({2, 2}), zero({0, 0}), one({1, 1});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMaxPool2dWithIndicesGetWorkspaceSize(none.handle(), two.get(), two.get(),
                                                         zero.get(), one.get(), false,
                                                         pooled.handle(), places.handle(), s, e);
      },
      161002, {"self.shape = [2, 0, 4, 4]", "channels"});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(
            pooled.handle(), none.handle(), places.handle(), two.get(), two.get(), zero.get(),
            one.get(), false, none.handle(), s, e);
      },
      161002, {"gradOutput.shape = [2, 0, 2, 2]", "channels"});
}

TEST_F(MaxPoolTest, ImagesBeyondTheirIndicesAreRefused) {
  const Tensor small({.dims = {0, 1, 1, 1, 1}}), big({.dims = {0, 1, 2000, 2000, 1000}});
  const Tensor places({.dims = {0, 1, 1, 1, 1}, .dtype = ACL_INT32});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize(small.handle(), big.handle(),
                                                              places.handle(), big.handle(), s, e);
      },
      161002, {"gradInput.shape", "2147483647"});
}

}  // namespace
}  // namespace anyacl::test::max_pool
