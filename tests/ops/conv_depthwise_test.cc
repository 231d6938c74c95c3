// SPDX-License-Identifier: Apache-2.0
// ConvDepthwise2d against sums in double precision.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_convolution.h"
#include "ops/image_case.h"
#include "ops/moe_case.h"
#include "reference/convolution.h"

namespace anyacl::test {
namespace {

using namespace moe;

class ConvDepthwiseTest : public MoeTest {
 protected:
  void Check(const ConvolutionCase& c, aclDataType type, bool has_bias, bool strided) {
    SCOPED_TRACE(::testing::Message()
                 << ::testing::PrintToString(c.input) << ::testing::PrintToString(c.weight)
                 << " type " << type << " bias " << has_bias << " strided " << strided);
    const auto count = [](const Shape& shape) {
      size_t product = 1;
      for (int64_t size : shape) product *= static_cast<size_t>(size);
      return product;
    };
    const Numbers x = Drawn(type, count(c.input), -1, 1);
    const Numbers w = Drawn(type, count(c.weight), -1, 1);
    const Numbers b = Drawn(type, static_cast<size_t>(c.weight[0]), -1, 1);
    const Tensor self = Holding(c.input, type, x, strided);
    const Tensor weight = Holding(c.weight, type, w, strided);
    const Tensor bias = Holding({c.weight[0]}, type, b, strided);
    const Tensor out = Made(c.OutputShape(), type, strided);
    const IntArrayHandle kernel({c.weight[2], c.weight[3]}), stride(c.stride), padding(c.padding);
    const IntArrayHandle dilation(c.dilation);
    RunTwoPhase(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnConvDepthwise2dGetWorkspaceSize(
              self.handle(), weight.handle(), kernel.get(), has_bias ? bias.handle() : nullptr,
              stride.get(), padding.get(), dilation.get(), out.handle(), 1, s, e);
        },
        aclnnConvDepthwise2d);
    const Sums expected = ConvolutionOf(c, x, w, has_bias ? b : Numbers{});
    const Numbers actual = ReadAs(out);
    ASSERT_EQ(actual.size(), expected.values.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      ASSERT_NEAR(actual[i], expected.values[i],
                  1.01 * HalfUnitOf(type, expected.values[i]) + 1e-5 * (expected.sizes[i] + 1e-3))
          << i;
    }
    EXPECT_TRUE(out.GuardsIntact());
  }
};

TEST_F(ConvDepthwiseTest, IsTheFormula) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (bool bias : {false, true}) {
      for (bool strided : {false, true}) {
        for (int64_t times : {1, 3}) {
          Check({.input = {2, 5, 9, 11},
                 .weight = {5 * times, 1, 3, 2},
                 .stride = {2, 1},
                 .padding = {1, 0},
                 .dilation = {1, 2},
                 .groups = 5},
                type, bias, strided);
        }
      }
    }
    Check({.input = {1, 1, 4, 4},
           .weight = {2, 1, 4, 4},
           .stride = {1, 1},
           .padding = {0, 0},
           .dilation = {1, 1}},
          type, true, false);
    Check({.input = {0, 3, 4, 4},
           .weight = {3, 1, 2, 2},
           .stride = {1, 1},
           .padding = {0, 0},
           .dilation = {1, 1},
           .groups = 3},
          type, true, false);
  }
}

TEST_F(ConvDepthwiseTest, RefusesWhatDoesNotFit) {
  const Tensor self = Made({2, 4, 8, 8}, ACL_FLOAT), out = Made({2, 4, 6, 6}, ACL_FLOAT);
  const Tensor weight = Made({4, 1, 3, 3}, ACL_FLOAT), whole = Made({4, 4, 3, 3}, ACL_FLOAT);
  const Tensor six = Made({6, 1, 3, 3}, ACL_FLOAT), half = Made({4, 1, 3, 3}, ACL_FLOAT16);
  const Tensor bias = Made({4}, ACL_FLOAT), half_bias = Made({4}, ACL_FLOAT16);
  const Tensor three = Made({3}, ACL_FLOAT), small = Made({2, 4, 5, 6}, ACL_FLOAT);
  const Tensor no_channel = Made({2, 0, 8, 8}, ACL_FLOAT);
  const auto refused = [&](const Tensor& x, const Tensor& w, const Shape& kernel, const Tensor* b,
                           const Shape& stride, const Tensor& y,
                           std::initializer_list<std::string_view> words) {
    const IntArrayHandle sizes(kernel), steps(stride), zeros({0, 0}), ones({1, 1});
    ExpectRefused(
        [&](uint64_t* s, aclOpExecutor** e) {
          return aclnnConvDepthwise2dGetWorkspaceSize(
              x.handle(), w.handle(), sizes.get(), b != nullptr ? b->handle() : nullptr,
              steps.get(), zeros.get(), ones.get(), y.handle(), 0, s, e);
        },
        ACLNN_ERR_PARAM_INVALID, words);
  };
  refused(self, whole, {3, 3}, nullptr, {1, 1}, out, {"weight.shape[1] = 4", "1"});
  const Tensor out_of_six = Made({2, 6, 6, 6}, ACL_FLOAT);
  refused(self, six, {3, 3}, nullptr, {1, 1}, out_of_six,
          {"weight.shape[0] = 6", "self.shape[1] = 4"});
  refused(no_channel, weight, {3, 3}, nullptr, {1, 1}, out, {"self.shape[1] = 0"});
  refused(self, half, {3, 3}, nullptr, {1, 1}, out, {"weight.dtype = FLOAT16", "self"});
  refused(self, weight, {3, 3}, &half_bias, {1, 1}, out, {"bias.dtype = FLOAT16", "self"});
  refused(self, weight, {3, 2}, nullptr, {1, 1}, out, {"kernelSize[1] = 2", "3"});
  refused(self, weight, {3}, nullptr, {1, 1}, out, {"kernelSize has 1 elements"});
  refused(self, weight, {3, 3}, nullptr, {1, 1, 1, 1}, out, {"stride has 4 elements"});
  refused(self, weight, {3, 3}, nullptr, {0, 1}, out, {"stride[0] = 0"});
  refused(self, weight, {3, 3}, &three, {1, 1}, out, {"bias.shape", "4"});
  refused(self, weight, {3, 3}, &bias, {1, 1}, small, {"out.shape", "6"});
}

}  // namespace
}  // namespace anyacl::test
