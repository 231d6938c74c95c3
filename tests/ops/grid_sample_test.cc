// SPDX-License-Identifier: Apache-2.0
// Sampling at given positions against the formulas; gradients against what results change by.
#include "reference/grid_sample.h"

#include <cmath>

#include "aclnnop/aclnn_affine_grid.h"
#include "aclnnop/aclnn_grid_sampler2d.h"
#include "aclnnop/aclnn_grid_sampler2d_backward.h"
#include "ops/image_case.h"

namespace anyacl::test {
namespace {

class GridSampleTest : public DeviceTest {
 protected:
  static constexpr int64_t kBatch = 2, kChannels = 3, kRows = 5, kColumns = 4;

  std::vector<double> Values(Tensor& tensor, double low, double high) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.count(); ++i) values.push_back(random().Uniform(low, high));
    values = AsHeld(tensor.layout().dtype, values);
    WriteAs(tensor, values);
    return values;
  }

  static void ExpectNear(const Tensor& out, const std::vector<double>& expected, double bound) {
    const std::vector<double> results = ReadAs(out);
    ASSERT_EQ(results.size(), expected.size());
    const double place = LastPlace(out.layout().dtype);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_NEAR(results[i], expected[i], bound + 1.01 * place * std::fabs(expected[i])) << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }

  // flipped: the input's rows and columns lie backwards.
  void Check(const GridCase& c, aclDataType type, Lie lie, bool flipped = false) {
    SCOPED_TRACE(::testing::Message() << "mode " << c.mode << " padding " << c.padding << " align "
                                      << c.align << " type " << type);
    const Shape in = {kBatch, kChannels, c.height, c.width};
    const Shape out = {kBatch, kChannels, kRows, kColumns};
    const Shape positions = {kBatch, kRows, kColumns, 2};
    Layout of_x = Lying(in, type, lie);
    if (flipped) {
      const int64_t area = c.height * c.width;
      of_x = {.dims = in,
              .dtype = type,
              .strides = {kChannels * area, area, -c.width, -1},
              .offset = area - 1};
    }
    Tensor x(of_x), g(Lying(positions, type, lie)), y(Lying(out, type, lie));
    Tensor dy(Lying(out, type, lie)), dx(Lying(in, type, lie)), dg(Lying(positions, type, lie));
    const std::vector<double> input = Values(x, -2, 2), grid = Values(g, -1.8, 1.8);
    const std::vector<double> gradient = Values(dy, -2, 2);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGridSampler2DGetWorkspaceSize(x.handle(), g.handle(), c.mode, c.padding,
                                                    c.align, y.handle(), s, e);
        },
        aclnnGridSampler2D);
    const int64_t plane = c.height * c.width;
    const auto sampled = [&](const std::vector<double>& from, const std::vector<double>& at,
                             int64_t i) {
      const int64_t area = kRows * kColumns;
      const int64_t n = i / area / kChannels, channel = i / area % kChannels;
      const auto point = static_cast<size_t>((n * area + i % area) * 2);
      return SampleAt(c, from.data() + (n * kChannels + channel) * plane, at[point], at[point + 1]);
    };
    std::vector<double> expected;
    for (int64_t i = 0; i < y.count(); ++i) expected.push_back(sampled(input, grid, i));
    const bool wide = type == ACL_DOUBLE;
    ExpectNear(y, expected, wide ? 1e-12 : 1e-4);

    const bool wanted[] = {true, true};
    aclBoolArray* mask = aclCreateBoolArray(wanted, 2);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGridSampler2DBackwardGetWorkspaceSize(dy.handle(), x.handle(), g.handle(),
                                                            c.mode, c.padding, c.align, mask,
                                                            dx.handle(), dg.handle(), s, e);
        },
        aclnnGridSampler2DBackward);
    aclDestroyBoolArray(mask);
    // By the input: results are linear in it.
    std::vector<double> by_input, by_grid;
    for (int64_t i = 0; i < x.count(); ++i) {
      std::vector<double> unit(static_cast<size_t>(x.count()));
      unit[static_cast<size_t>(i)] = 1;
      double sum = 0;
      const int64_t first = i / plane * kRows * kColumns;
      for (int64_t j = first; j < first + kRows * kColumns; ++j) {
        sum += gradient[static_cast<size_t>(j)] * sampled(unit, grid, j);
      }
      by_input.push_back(sum);
    }
    ExpectNear(dx, by_input, wide ? 1e-12 : 1e-4);
    const double step = 1e-6;
    for (int64_t i = 0; i < g.count(); ++i) {
      std::vector<double> above = grid, below = grid;
      above[static_cast<size_t>(i)] += step;
      below[static_cast<size_t>(i)] -= step;
      double sum = 0;
      const int64_t area = kRows * kColumns;
      for (int64_t channel = 0; channel < kChannels; ++channel) {
        const int64_t j = (i / 2 / area * kChannels + channel) * area + i / 2 % area;
        sum += gradient[static_cast<size_t>(j)] *
               (sampled(input, above, j) - sampled(input, below, j)) / (2 * step);
      }
      by_grid.push_back(c.mode == 1 ? 0 : sum);
    }
    ExpectNear(dg, by_grid, wide ? 1e-5 : 1e-3);
  }
};

TEST_F(GridSampleTest, ResultsAndGradients) {
  for (int mode : {0, 1, 2}) {
    for (int padding : {0, 1, 2}) {
      for (bool align : {false, true}) {
        for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
          // Positions in 8 bits lie between elements only by chance.
          if (type == ACL_BF16 && mode != 0) continue;
          Check({6, 7, mode, padding, align}, type, type == ACL_FLOAT ? Lie::kDense : Lie::kGaps);
        }
        Check({1, 4, mode, padding, align}, ACL_FLOAT, Lie::kChannelsLast);
      }
    }
  }
}

TEST_F(GridSampleTest, InputsThatLieBackwards) {
  for (int mode : {0, 1, 2}) {
    for (int padding : {0, 1, 2}) {
      Check({6, 7, mode, padding, false}, ACL_FLOAT, Lie::kDense, true);
    }
  }
}

TEST_F(GridSampleTest, PositionsThatAreNoNumbersLieOutside) {
  Tensor x({.dims = {1, 1, 2, 2}}), g({.dims = {1, 1, 3, 2}}), y({.dims = {1, 1, 1, 3}});
  WriteAs(x, {1, 2, 3, 4});
  g.Write(std::vector<float>{std::nanf(""), 0, INFINITY, 0, 0, -1e30f});
  for (int64_t mode : {0, 1, 2}) {
    for (int64_t padding : {0, 1, 2}) {
      RunTwoPhase(
          [&](uint64_t* s, aclOpExecutor** e) {
            return aclnnGridSampler2DGetWorkspaceSize(x.handle(), g.handle(), mode, padding, false,
                                                      y.handle(), s, e);
          },
          aclnnGridSampler2D);
      if (padding == 0) {
        EXPECT_EQ(ReadAs(y)[0], 0);
      }
    }
  }
}

TEST_F(GridSampleTest, AffineGrids) {
  for (aclDataType type : kFloatTypes) {
    for (bool align : {false, true}) {
      for (int64_t spatial : {2, 3}) {
        const Shape sizes = spatial == 2 ? Shape{3, 5} : Shape{2, 3, 5};
        Shape out = {2}, size = {2, 4};
        out.insert(out.end(), sizes.begin(), sizes.end());
        size.insert(size.end(), sizes.begin(), sizes.end());
        out.push_back(spatial);
        Tensor theta(Lying({2, spatial, spatial + 1}, type, Lie::kGaps));
        const Tensor y(Lying(out, type, Lie::kGaps));
        const std::vector<double> map = Values(theta, -2, 2);
        const IntArrayHandle array(size);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnAffineGridGetWorkspaceSize(theta.handle(), array.get(), align, y.handle(),
                                                     s, e);
            },
            aclnnAffineGrid);
        std::vector<double> expected;
        for (int64_t i = 0; i < y.count() / spatial; ++i) {
          std::vector<double> position(static_cast<size_t>(spatial));
          int64_t rest = i;
          for (int64_t k = 0; k < spatial; ++k) {
            const int64_t n = sizes[static_cast<size_t>(spatial - 1 - k)];
            const auto at = static_cast<double>(rest % n), count = static_cast<double>(n);
            rest /= n;
            position[static_cast<size_t>(k)] =
                align ? 2 * at / (count - 1) - 1 : (2 * at + 1) / count - 1;
          }
          for (int64_t k = 0; k < spatial; ++k) {
            const double* row = map.data() + (rest * spatial + k) * (spatial + 1);
            double sum = row[spatial];
            for (int64_t j = 0; j < spatial; ++j) sum += row[j] * position[static_cast<size_t>(j)];
            expected.push_back(sum);
          }
        }
        ExpectNear(y, expected, 1e-5);
      }
    }
  }
}

TEST_F(GridSampleTest, WhatDoesNotFitIsRefused) {
  Tensor x({.dims = {1, 2, 5, 6}}), g({.dims = {1, 3, 4, 2}}), y({.dims = {1, 2, 3, 5}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnGridSampler2DGetWorkspaceSize(x.handle(), g.handle(), 0, 0, false, y.handle(),
                                                  s, e);
      },
      161002, {"out"});
  Tensor right({.dims = {1, 2, 3, 4}});
  ExpectRefused(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnGridSampler2DGetWorkspaceSize(x.handle(), g.handle(), 3, 0, false,
                                                  right.handle(), s, e);
      },
      161002, {"interpolationMode", "3"});
}

}  // namespace
}  // namespace anyacl::test
