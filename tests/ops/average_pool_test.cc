// SPDX-License-Identifier: Apache-2.0
// Average pooling and its gradients against the formulas in double precision.
#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "aclnnop/aclnn_adaptive_avg_pool2d_backward.h"
#include "aclnnop/aclnn_adaptive_avg_pool3d.h"
#include "aclnnop/aclnn_adaptive_avg_pool3d_backward.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_avgpool2d_backward.h"
#include "aclnnop/aclnn_avgpool3d.h"
#include "aclnnop/aclnn_avgpool3d_backward.h"
#include "ops/resampling_case.h"
#include "reference/resampling.h"

namespace anyacl::test::average_pool {
namespace {

struct PoolCase {
  Shape in;  // spatial
  Pooling pooling;
};
Pooling Of(const Shape& kernel, const Shape& stride, const Shape& padding, bool ceil_mode = false,
           bool include = true, int64_t divisor = 0) {
  return {kernel, stride, padding, Shape(kernel.size(), 1), ceil_mode, include, divisor};
}
const std::vector<PoolCase>& PoolCases() {
  static const std::vector<PoolCase> kCases = {
      {{6, 8}, Of({2, 2}, {2, 2}, {0, 0})},
      {{7, 9}, Of({3, 3}, {2, 1}, {1, 1})},
      {{7, 9}, Of({3, 2}, {2, 3}, {1, 0}, true, false)},
      {{7, 9}, Of({3, 2}, {2, 3}, {1, 1}, true, true)},
      {{7, 9}, Of({5, 4}, {1, 2}, {2, 2}, false, false, 7)},
      {{9, 41}, Of({2, 5}, {3, 7}, {0, 0}, true)},
      {{5, 6, 7}, Of({2, 3, 2}, {2, 1, 2}, {1, 1, 0})},
      {{5, 6, 7}, Of({3, 3, 3}, {2, 2, 2}, {1, 1, 1}, true, false)},
      {{5, 6, 7}, Of({3, 3, 3}, {2, 2, 2}, {1, 1, 1}, true, true, -3)},
  };
  return kCases;
}

AxisRule MeanRule(const Pooling& p, const Shape& in) {
  return [p, in](size_t axis, int64_t j) {
    const std::vector<int64_t> window = WindowOf(p, axis, j, in[axis]);
    const int64_t begin = j * p.stride[axis] - p.padding[axis];
    const int64_t padded = std::min(begin + p.kernel[axis], in[axis] + p.padding[axis]) - begin;
    const int64_t count = p.include_padding ? padded : static_cast<int64_t>(window.size());
    AxisWeights weights;
    for (int64_t i : window) {
      weights[i] = p.divisor != 0 ? (axis == 0 ? 1.0 / static_cast<double>(p.divisor) : 1.0)
                                  : 1.0 / static_cast<double>(count);
    }
    return weights;
  };
}

class AveragePoolTest : public resampling::ResamplingCase {};

TEST_F(AveragePoolTest, AveragePoolingAndItsGradient) {
  for (const PoolCase& c : PoolCases()) {
    const size_t spatial = c.in.size();
    for (bool batch : {true, false}) {
      Shape in = batch ? Shape{2, 3} : Shape{3}, out = in;
      for (size_t i = 0; i < spatial; ++i) {
        in.push_back(c.in[i]);
        out.push_back(PooledSize(c.pooling, i, c.in[i]));
      }
      for (aclDataType type : kFloatTypes) {
        for (Lie lie : kLies) {
          SCOPED_TRACE(::testing::PrintToString(in) + ::testing::PrintToString(out));
          const Pooling& p = c.pooling;
          const IntArrayHandle kernel(p.kernel), stride(p.stride), padding(p.padding);
          Tensor x(Lying(in, type, lie)), y(Lying(out, type, lie));
          Tensor dy(Lying(out, type, lie)), dx(Lying(in, type, lie));
          const std::vector<double> values = FillRandomly(x, random());
          const std::vector<double> gradient = FillRandomly(dy, random());
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return spatial == 2
                           ? aclnnAvgPool2dGetWorkspaceSize(
                                 x.handle(), kernel.get(), stride.get(), padding.get(), p.ceil_mode,
                                 p.include_padding, p.divisor, 0, y.handle(), s, e)
                           : aclnnAvgPool3dGetWorkspaceSize(
                                 x.handle(), kernel.get(), stride.get(), padding.get(), p.ceil_mode,
                                 p.include_padding, p.divisor, y.handle(), s, e);
              },
              spatial == 2 ? aclnnAvgPool2d : aclnnAvgPool3d);
          ExpectNear(y, Resample(in, out, spatial, MeanRule(p, c.in), values), 2, 32);
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return spatial == 2
                           ? aclnnAvgPool2dBackwardGetWorkspaceSize(
                                 dy.handle(), x.handle(), kernel.get(), stride.get(), padding.get(),
                                 p.ceil_mode, p.include_padding, p.divisor, 0, dx.handle(), s, e)
                           : aclnnAvgPool3dBackwardGetWorkspaceSize(
                                 dy.handle(), x.handle(), kernel.get(), stride.get(), padding.get(),
                                 p.ceil_mode, p.include_padding, p.divisor, dx.handle(), s, e);
              },
              spatial == 2 ? aclnnAvgPool2dBackward : aclnnAvgPool3dBackward);
          ExpectNear(dx, ResampleBack(in, out, spatial, MeanRule(p, c.in), gradient), 2, 32);
        }
      }
    }
  }
}

TEST_F(AveragePoolTest, AdaptivePoolingAndItsGradient) {
  const std::pair<Shape, Shape> sizes[] = {
      {{7, 7}, {1, 1}},    {{8, 12}, {4, 3}},      {{7, 5}, {3, 4}},      {{3, 4}, {5, 9}},
      {{100, 90}, {1, 2}}, {{5, 6, 7}, {2, 6, 3}}, {{4, 3, 2}, {1, 1, 1}}};
  for (const auto& [from, to] : sizes) {
    const size_t spatial = from.size();
    Shape in = {2, 3}, out = {2, 3};
    in.insert(in.end(), from.begin(), from.end());
    out.insert(out.end(), to.begin(), to.end());
    const AxisRule rule = [&from = from, &to = to](size_t axis, int64_t j) {
      AxisWeights weights;
      const std::vector<int64_t> window = AdaptiveWindowOf(j, from[axis], to[axis]);
      for (int64_t i : window) weights[i] = 1.0 / static_cast<double>(window.size());
      return weights;
    };
    for (aclDataType type : kFloatTypes) {
      for (Lie lie : kLies) {
        SCOPED_TRACE(::testing::PrintToString(in) + ::testing::PrintToString(out));
        const IntArrayHandle size(to);
        Tensor x(Lying(in, type, lie)), y(Lying(out, type, lie));
        Tensor dy(Lying(out, type, lie)), dx(Lying(in, type, lie));
        const std::vector<double> values = FillRandomly(x, random());
        const std::vector<double> gradient = FillRandomly(dy, random());
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return (spatial == 2 ? aclnnAdaptiveAvgPool2dGetWorkspaceSize
                                   : aclnnAdaptiveAvgPool3dGetWorkspaceSize)(x.handle(), size.get(),
                                                                             y.handle(), s, e);
            },
            spatial == 2 ? aclnnAdaptiveAvgPool2d : aclnnAdaptiveAvgPool3d);
        ExpectNear(y, Resample(in, out, spatial, rule, values), 2, 256);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return (spatial == 2 ? aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize
                                   : aclnnAdaptiveAvgPool3dBackwardGetWorkspaceSize)(
                  dy.handle(), x.handle(), dx.handle(), s, e);
            },
            spatial == 2 ? aclnnAdaptiveAvgPool2dBackward : aclnnAdaptiveAvgPool3dBackward);
        ExpectNear(dx, ResampleBack(in, out, spatial, rule, gradient), 8, 32);
      }
    }
  }
}

TEST_F(AveragePoolTest, AdaptiveGradientsOfVolumesHaveElements) {
  const Tensor x({.dims = {2, 3, 4, 4, 4}}), none({.dims = {2, 3, 0, 2, 2}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnAdaptiveAvgPool3dBackwardGetWorkspaceSize(none.handle(), x.handle(), x.handle(),
                                                              s, e);
      },
      161002, {"gradOutput.shape = [2, 3, 0, 2, 2]"});
}

TEST_F(AveragePoolTest, OneNumberStandsForAllAndNoStrideForTheKernel) {
  Tensor x({.dims = {1, 2, 6, 9}}), y({.dims = {1, 2, 2, 3}});
  const std::vector<double> values = FillRandomly(x, random());
  const IntArrayHandle kernel({3}), stride({}), padding({0});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnAvgPool2dGetWorkspaceSize(x.handle(), kernel.get(), stride.get(), padding.get(),
                                              false, true, 0, 0, y.handle(), s, e);
      },
      aclnnAvgPool2d);
  const AxisRule rule = MeanRule(Of({3, 3}, {3, 3}, {0, 0}), {6, 9});
  ExpectNear(y, Resample({1, 2, 6, 9}, {1, 2, 2, 3}, 2, rule, values), 2, 32);
}
TEST_F(AveragePoolTest, WhatDoesNotFitIsRefused) {
  const auto pool = [&](const Shape& out, const Shape& kernel, const Shape& padding,
                        std::initializer_list<std::string_view> words) {
    Tensor x({.dims = {1, 2, 5, 6}}), y({.dims = out});
    const IntArrayHandle k(kernel), p(padding), stride({1, 1});
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnAvgPool2dGetWorkspaceSize(x.handle(), k.get(), stride.get(), p.get(), false,
                                                true, 0, 0, y.handle(), s, e);
        },
        161002, words);
  };
  pool({1, 2, 4, 4}, {2, 2}, {0, 0}, {"out", "windows", "5"});
  pool({1, 2, 4, 5}, {2, 0}, {0, 0}, {"kernelSize", "0"});
  pool({1, 2, 4, 5}, {2, 2, 2}, {0, 0}, {"kernelSize", "3"});
  pool({1, 2, 8, 5}, {2, 2}, {2, 0}, {"paddings", "half"});
}

}  // namespace
}  // namespace anyacl::test::average_pool
