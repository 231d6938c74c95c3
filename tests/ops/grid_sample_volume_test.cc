// SPDX-License-Identifier: Apache-2.0
// Sampling of volumes against the formulas; gradients against what results change by.
#include <cmath>

#include "aclnnop/aclnn_grid_sampler3d.h"
#include "aclnnop/aclnn_grid_sampler3d_backward.h"
#include "ops/image_case.h"
#include "reference/grid_sample.h"

namespace anyacl::test {
namespace {

using Numbers = std::vector<double>;

constexpr int64_t kBatch = 2, kChannels = 3, kPoints = 2 * 3 * 4;

// Of [kBatch, kChannels, depth, height, width] and [kBatch, 2, 3, 4, 3].
struct Problem {
  GridCase c;
  int64_t depth;
  Numbers input, grid, gradient;

  int64_t volume() const { return depth * c.height * c.width; }
  double Sampled(const Numbers& from, const Numbers& at, int64_t i) const {
    const int64_t n = i / kPoints / kChannels;
    const double* point = at.data() + (n * kPoints + i % kPoints) * 3;
    return SampleAt(c, depth, from.data() + i / kPoints * volume(), point[0], point[1], point[2]);
  }
  Numbers Results() const {
    Numbers all;
    for (int64_t i = 0; i < kBatch * kChannels * kPoints; ++i) {
      all.push_back(Sampled(input, grid, i));
    }
    return all;
  }
  // Results are linear in the input.
  Numbers ByInput() const {
    Numbers all, unit(input.size());
    for (size_t k = 0; k < input.size(); ++k) {
      unit[k] = 1;
      double sum = 0;
      const int64_t first = static_cast<int64_t>(k) / volume() * kPoints;
      for (int64_t i = first; i < first + kPoints; ++i) {
        sum += gradient[static_cast<size_t>(i)] * Sampled(unit, grid, i);
      }
      all.push_back(sum);
      unit[k] = 0;
    }
    return all;
  }
  Numbers ByGrid() const {
    const double step = 1e-7;
    Numbers all, above = grid, below = grid;
    for (size_t k = 0; k < grid.size(); ++k) {
      above[k] += step;
      below[k] -= step;
      double sum = 0;
      const int64_t point = static_cast<int64_t>(k) / 3;
      for (int64_t channel = 0; channel < kChannels; ++channel) {
        const int64_t i = (point / kPoints * kChannels + channel) * kPoints + point % kPoints;
        sum += gradient[static_cast<size_t>(i)] *
               (Sampled(input, above, i) - Sampled(input, below, i)) / (2 * step);
      }
      all.push_back(c.mode == 1 ? 0 : sum);
      above[k] = below[k] = grid[k];
    }
    return all;
  }
};

class GridSampleVolumeTest : public DeviceTest {
 protected:
  Numbers Fill(Tensor& tensor, double low, double high) {
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) values.push_back(random().Uniform(low, high));
    values = AsHeld(tensor.layout().dtype, values);
    WriteAs(tensor, values);
    return values;
  }
  static void ExpectNear(const Tensor& out, const Numbers& expected, double bound) {
    const Numbers results = ReadAs(out);
    ASSERT_EQ(results.size(), expected.size());
    const double place = LastPlace(out.layout().dtype);
    for (size_t i = 0; i < results.size(); ++i) {
      ASSERT_NEAR(results[i], expected[i], bound + 1.01 * place * std::fabs(expected[i])) << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }

  void Check(const GridCase& c, int64_t depth, aclDataType type, Lie lie) {
    SCOPED_TRACE(::testing::Message() << "mode " << c.mode << " padding " << c.padding << " align "
                                      << c.align << " type " << type);
    const Shape in = {kBatch, kChannels, depth, c.height, c.width};
    const Shape out = {kBatch, kChannels, 2, 3, 4}, positions = {kBatch, 2, 3, 4, 3};
    Tensor x(Lying(in, type, lie)), g(Lying(positions, type, lie)), dy(Lying(out, type, lie));
    const Tensor y(Lying(out, type, lie)), dx(Lying(in, type, lie)),
        dg(Lying(positions, type, lie));
    const Problem p = {c, depth, Fill(x, -2, 2), Fill(g, -1.8, 1.8), Fill(dy, -2, 2)};
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGridSampler3DGetWorkspaceSize(x.handle(), g.handle(), c.mode, c.padding,
                                                    c.align, y.handle(), s, e);
        },
        aclnnGridSampler3D);
    const bool wide = type == ACL_DOUBLE;
    ExpectNear(y, p.Results(), wide ? 1e-12 : 1e-4);
    const bool wanted[] = {true, true};
    aclBoolArray* mask = aclCreateBoolArray(wanted, 2);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGridSampler3DBackwardGetWorkspaceSize(dy.handle(), x.handle(), g.handle(),
                                                            c.mode, c.padding, c.align, mask,
                                                            dx.handle(), dg.handle(), s, e);
        },
        aclnnGridSampler3DBackward);
    aclDestroyBoolArray(mask);
    ExpectNear(dx, p.ByInput(), wide ? 1e-12 : 1e-4);
    // Positions in 16 bits lie on elements, where there is no slope, too often.
    if (type == ACL_FLOAT || wide) ExpectNear(dg, p.ByGrid(), wide ? 1e-5 : 1e-3);
  }
};

TEST_F(GridSampleVolumeTest, ResultsAndGradients) {
  for (int mode : {0, 1}) {
    for (int padding : {0, 1, 2}) {
      for (bool align : {false, true}) {
        for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
          if (type == ACL_BF16 && mode != 0) continue;  // or between two of them
          Check({4, 5, mode, padding, align}, 3, type,
                type == ACL_FLOAT ? Lie::kDense : Lie::kGaps);
        }
        Check({1, 4, mode, padding, align}, 1, ACL_FLOAT, Lie::kGaps);
      }
    }
  }
}

TEST_F(GridSampleVolumeTest, WrongArgumentsAreRefused) {
  const Tensor x({.dims = {1, 2, 3, 4, 5}}), g({.dims = {1, 2, 2, 2, 3}});
  const Tensor pairs({.dims = {1, 2, 2, 2, 2}}), y({.dims = {1, 2, 2, 2, 2}});
  const Tensor flat({.dims = {1, 2, 0, 4, 5}});
  const auto call = [&](const Tensor& input, const Tensor& grid, int64_t mode) {
    return [&input, &grid, &y, mode](uint64_t* s, aclOpExecutor** e) {
      return aclnnGridSampler3DGetWorkspaceSize(input.handle(), grid.handle(), mode, 0, false,
                                                y.handle(), s, e);
    };
  };
  ExpectRefused(call(x, g, 2), 161002, {"interpolationMode", "2"});
  ExpectRefused(call(x, pairs, 0), 161002, {"grid.shape[4]", "2", "3"});
  ExpectRefused(call(flat, g, 0), 161002, {"input.shape", "[1, 2, 0, 4, 5]"});
  const Tensor images({.dims = {1, 2, 3, 4, 5}, .format = ACL_FORMAT_NCHW});
  ExpectRefused(call(images, g, 0), 161002, {"input.format = NCHW", "NCDHW"});
  const Tensor last({.dims = {1, 3, 4, 5, 2}, .format = ACL_FORMAT_NDHWC});
  ExpectRefused(call(last, g, 0), 161002, {"out.format = ND", "NDHWC", "input.format"});
}

// A format with channels last says in which order the sizes are.
TEST_F(GridSampleVolumeTest, ChannelsLast) {
  constexpr int64_t kVolume = 2 * 3 * 4, kChannels = 3, kPlaces = 2 * 2 * 2;
  Tensor last({.dims = {1, 2, 3, 4, kChannels}, .format = ACL_FORMAT_NDHWC});
  Tensor second({.dims = {1, kChannels, 2, 3, 4}}), grid({.dims = {1, 2, 2, 2, 3}});
  const Tensor y_last({.dims = {1, 2, 2, 2, kChannels}, .format = ACL_FORMAT_NDHWC});
  const Tensor y_second({.dims = {1, kChannels, 2, 2, 2}});
  std::vector<double> values(kVolume * kChannels), turned = values, positions(kPlaces * 3);
  for (double& v : values) v = random().Uniform(-2, 2);
  for (double& v : positions) v = random().Uniform(-1, 1);
  for (size_t i = 0; i < values.size(); ++i) {
    turned[i % kChannels * kVolume + i / kChannels] = values[i];
  }
  WriteAs(last, values);
  WriteAs(second, turned);
  WriteAs(grid, positions);
  const auto run = [&](const Tensor& x, const Tensor& y) {
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnGridSampler3DGetWorkspaceSize(x.handle(), grid.handle(), 0, 0, false,
                                                    y.handle(), s, e);
        },
        aclnnGridSampler3D);
  };
  run(last, y_last);
  run(second, y_second);
  const std::vector<double> results = ReadAs(y_last), expected = ReadAs(y_second);
  for (size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i], expected[i % kChannels * kPlaces + i / kChannels]);
  }
}

}  // namespace
}  // namespace anyacl::test
