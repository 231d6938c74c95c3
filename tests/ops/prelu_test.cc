// SPDX-License-Identifier: Apache-2.0
// PReLU and its gradients: a weight for each channel.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_prelu.h"
#include "aclnnop/aclnn_prelu_backward.h"
#include "ops/elementwise_case.h"

namespace anyacl::test::prelu {
namespace {

using Values = std::vector<double>;

class PreluTest : public DeviceTest {};

TEST_F(PreluTest, TakesAWeightForEachChannel) {
  const auto run = [&](const std::vector<int64_t>& dims, const Layout& weight_layout) {
    Tensor self({.dims = dims}), weight(weight_layout), out({.dims = dims});
    const auto count = static_cast<size_t>(self.Read<float>().size());
    std::vector<float> x(count);
    for (size_t i = 0; i < count; ++i) x[i] = i % 3 == 0 ? 1.0f : -static_cast<float>(i);
    self.Write(x);
    Values weights;
    for (size_t i = 0; i < weight.Read<float>().size(); ++i) weights.push_back(0.5 + double(i));
    WriteAs(weight, weights);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnPreluGetWorkspaceSize(self.handle(), weight.handle(), out.handle(), size,
                                            executor);
        },
        aclnnPrelu);
    const std::vector<float> y = out.Read<float>();
    size_t inner = 1;
    for (size_t i = 2; i < dims.size(); ++i) inner *= static_cast<size_t>(dims[i]);
    for (size_t i = 0; i < count; ++i) {
      const size_t channel = weights.size() == 1 ? 0 : i / inner % weights.size();
      EXPECT_EQ(y[i], x[i] > 0 ? x[i] : static_cast<float>(x[i] * weights[channel])) << i;
    }
  };
  run({2, 3, 5}, {.dims = {3}});
  run({2, 3, 5}, {.dims = {1, 3, 1}});
  run({2, 6}, {.dims = {2, 3}});
  run({2, 6}, {.dims = {2, 1, 3}, .strides = {6, 1, 2}});
  run({2, 3}, {.dims = {3}, .strides = {2}});
  run({2, 3, 5}, {.dims = {1}});
  run({7}, {.dims = {1}});
  run({}, {.dims = {}});
  Tensor self({.dims = {2, 3}}), weight({.dims = {2}}), out({.dims = {2, 3}});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnPreluGetWorkspaceSize(self.handle(), weight.handle(), out.handle(), size,
                                          executor);
      },
      ACLNN_ERR_PARAM_INVALID, {"weight.shape = [2]", "3"});
  Tensor six({.dims = {2, 6}}), turned({.dims = {2, 3}, .strides = {1, 2}}),
      out_of_six({.dims = {2, 6}});
  ExpectRefused(
      [&](uint64_t* size, aclOpExecutor** executor) {
        return aclnnPreluGetWorkspaceSize(six.handle(), turned.handle(), out_of_six.handle(), size,
                                          executor);
      },
      ACLNN_ERR_PARAM_INVALID, {"weight.strides = [1, 2]"});
}

TEST_F(PreluTest, BackwardSumsEachChannel) {
  const auto run = [&](const std::vector<int64_t>& dims, std::vector<int64_t> strides,
                       const Layout& weight_layout) {
    Layout layout{.dims = dims, .strides = std::move(strides)};
    Tensor gradient({.dims = dims}), self(layout), weight(weight_layout), input({.dims = dims});
    Tensor weight_gradient({.dims = weight_layout.dims});
    Values g, x, w;
    for (int64_t i = 0; i < gradient.count(); ++i) {
      g.push_back(random().Uniform(-2, 2));
      x.push_back(std::round(random().Uniform(-4, 4)));
    }
    for (int64_t i = 0; i < weight.count(); ++i) w.push_back(0.5 + static_cast<double>(i));
    WriteAs(gradient, g);
    WriteAs(self, x);
    WriteAs(weight, w);
    RunTwoPhase(
        [&](uint64_t* size, aclOpExecutor** executor) {
          return aclnnPreluBackwardGetWorkspaceSize(gradient.handle(), self.handle(),
                                                    weight.handle(), input.handle(),
                                                    weight_gradient.handle(), size, executor);
        },
        aclnnPreluBackward);
    g = ReadAs(gradient);
    const Values input_gradient = ReadAs(input), actual = ReadAs(weight_gradient);
    Values sums(w.size(), 0), sizes(w.size(), 0);
    size_t inner = 1;
    for (size_t i = 2; i < dims.size(); ++i) inner *= static_cast<size_t>(dims[i]);
    for (size_t i = 0; i < g.size(); ++i) {
      const size_t channel = w.size() == 1 ? 0 : i / inner % w.size();
      EXPECT_EQ(input_gradient[i], x[i] > 0 ? g[i] : static_cast<float>(g[i] * w[channel]));
      sums[channel] += x[i] > 0 ? 0 : g[i] * x[i];
      sizes[channel] += x[i] > 0 ? 0 : std::fabs(g[i] * x[i]);
    }
    for (size_t c = 0; c < sums.size(); ++c) {
      EXPECT_NEAR(actual[c], sums[c], UlpAt(ACL_FLOAT, sums[c]) + 1e-14 * sizes[c]) << c;
    }
    EXPECT_TRUE(weight_gradient.GuardsIntact());
  };
  run({2, 3, 5}, {}, {.dims = {3}});
  run({2, 3, 5}, {1, 10, 2}, {.dims = {1, 3, 1}});
  run({4, 3}, {}, {.dims = {3}});
  run({2, 3, 5}, {}, {.dims = {1}});
  run({5000}, {}, {.dims = {1}});
  run({2, 3, 40, 70}, {}, {.dims = {3}});
  run({}, {}, {.dims = {}});
}

}  // namespace
}  // namespace anyacl::test::prelu
