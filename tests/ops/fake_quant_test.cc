// SPDX-License-Identifier: Apache-2.0
// Fake quantisation against the formulas of its documents, in fp32 as they are computed.
#include <algorithm>
#include <cmath>
#include <limits>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_fake_quant_per_channel_affine_cachemask.h"
#include "aclnnop/aclnn_fake_quant_per_tensor_affine_cachemask.h"
#include "ops/elementwise_case.h"

namespace anyacl::test::fake_quant {
namespace {

using Values = std::vector<double>;

struct Faked {
  double out;
  bool within;
};
Faked FakeQuant(double x, double scale, double zero, bool integer, int64_t min, int64_t max) {
  const float quotient = static_cast<float>(x) / static_cast<float>(scale);
  const float q = integer ? std::nearbyint(quotient) + static_cast<float>(zero)
                          : std::nearbyint(quotient + static_cast<float>(zero));
  const float held = std::min(static_cast<float>(max), std::max(static_cast<float>(min), q));
  return {(held - static_cast<float>(zero)) * static_cast<float>(scale), q == held};
}

class FakeQuantTest : public DeviceTest {
 protected:
  Values Fill(Tensor& tensor, double low, double high) {
    const aclDataType type = tensor.layout().dtype;
    Values values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      const double value = random().Uniform(low, high);
      values.push_back(AsHeld(type, type == ACL_INT32 ? std::nearbyint(value) : value));
    }
    WriteAs(tensor, values);
    return values;
  }

  static void ExpectFaked(const Tensor& out, const Tensor& mask, const Values& xs,
                          const std::vector<Faked>& expected) {
    const Values outs = ReadAs(out), masks = ReadAs(mask);
    for (size_t i = 0; i < xs.size(); ++i) {
      ASSERT_EQ(outs[i], AsHeld(out.layout().dtype, expected[i].out)) << i << ": of " << xs[i];
      ASSERT_EQ(masks[i], expected[i].within) << i << ": of " << xs[i];
    }
    EXPECT_TRUE(out.GuardsIntact() && mask.GuardsIntact());
  }
};

TEST_F(FakeQuantTest, OfWholeTensors) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (aclDataType scale_type : {ACL_FLOAT, ACL_FLOAT16}) {
      for (const std::vector<int64_t>& dims :
           std::vector<std::vector<int64_t>>{{}, {7}, {3, 1500}, {2, 3, 5}}) {
        for (float enabled : {1.0f, 0.0f}) {
          Layout layout{.dims = dims, .dtype = type};
          if (dims.size() == 3) layout.strides = {1, 2, 6};
          Tensor x(layout), scale({.dims = {1}, .dtype = scale_type}),
              zero({.dims = {1}, .dtype = ACL_INT32});
          const Tensor out({.dims = dims, .dtype = type}), mask({.dims = dims, .dtype = ACL_BOOL});
          const Values xs = Fill(x, -3, 3), scales = Fill(scale, 0.01, 0.03),
                       zeros = Fill(zero, -20, 20);
          RunTwoPhase(
              [&](uint64_t* s, aclOpExecutor** e) {
                return aclnnFakeQuantPerTensorAffineCachemaskGetWorkspaceSize(
                    x.handle(), scale.handle(), zero.handle(), enabled, -64, 63, out.handle(),
                    mask.handle(), s, e);
              },
              aclnnFakeQuantPerTensorAffineCachemask);
          std::vector<Faked> expected;
          for (double v : xs) {
            expected.push_back(enabled < 1 ? Faked{v, true}
                                           : FakeQuant(v, scales[0], zeros[0], true, -64, 63));
          }
          ExpectFaked(out, mask, xs, expected);
        }
      }
    }
  }
}

TEST_F(FakeQuantTest, OfChannels) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (aclDataType zero_type : {ACL_INT32, ACL_FLOAT, ACL_FLOAT16}) {
      for (int64_t axis : {0, 1, 2, -1, -3}) {
        const std::vector<int64_t> dims = {3, 4, 1100};
        const auto dim = static_cast<size_t>(axis < 0 ? axis + 3 : axis);
        Tensor x({.dims = dims, .dtype = type}), scale({.dims = {dims[dim]}, .strides = {2}}),
            zero({.dims = {dims[dim]}, .dtype = zero_type});
        const Tensor out({.dims = dims, .dtype = type, .strides = {1, 3, 12}}),
            mask({.dims = dims, .dtype = ACL_BOOL, .strides = {8800, 2200, 2}});
        const Values xs = Fill(x, -3, 3), scales = Fill(scale, 0.01, 0.03),
                     zeros = Fill(zero, -20, 20);
        RunTwoPhase(
            [&](uint64_t* s, aclOpExecutor** e) {
              return aclnnFakeQuantPerChannelAffineCachemaskGetWorkspaceSize(
                  x.handle(), scale.handle(), zero.handle(), axis, 0, 127, out.handle(),
                  mask.handle(), s, e);
            },
            aclnnFakeQuantPerChannelAffineCachemask);
        std::vector<Faked> expected;
        for (size_t i = 0; i < xs.size(); ++i) {
          const size_t place[] = {i / 4400, i / 1100 % 4, i % 1100};
          const size_t c = place[dim];
          expected.push_back(FakeQuant(xs[i], scales[c], zeros[c], zero_type == ACL_INT32, 0, 127));
        }
        ExpectFaked(out, mask, xs, expected);
      }
    }
  }
}

// Ties go to even; what is no number is not within the range.
TEST_F(FakeQuantTest, TiesAndSpecialValues) {
  const double infinity = std::numeric_limits<double>::infinity();
  Tensor x({.dims = {7}}), scale({.dims = {1}}), zero({.dims = {1}, .dtype = ACL_INT32});
  WriteAs(x, {0.5, 1.5, 2.5, -0.5, infinity, -infinity, std::nan("")});
  WriteAs(scale, {1});
  WriteAs(zero, {1});
  const Tensor out({.dims = {7}}), mask({.dims = {7}, .dtype = ACL_BOOL});
  RunTwoPhase(
      [&](uint64_t* s, aclOpExecutor** e) {
        return aclnnFakeQuantPerTensorAffineCachemaskGetWorkspaceSize(
            x.handle(), scale.handle(), zero.handle(), 1, -8, 7, out.handle(), mask.handle(), s, e);
      },
      aclnnFakeQuantPerTensorAffineCachemask);
  Values values = ReadAs(out);
  EXPECT_TRUE(std::isnan(values[6]));
  values.pop_back();
  EXPECT_EQ(values, (Values{0, 2, 2, 0, 6, -9}));
  EXPECT_EQ(ReadAs(mask), (Values{1, 1, 1, 1, 0, 0, 0}));
}

TEST_F(FakeQuantTest, WhatDoesNotFitIsRefused) {
  const Tensor x({.dims = {2, 3}}), one({.dims = {1}}), two({.dims = {2}}),
      zero({.dims = {1}, .dtype = ACL_INT32}), zeros({.dims = {2}, .dtype = ACL_INT32}),
      mask({.dims = {2, 3}, .dtype = ACL_BOOL}), number({.dims = {}}),
      bit({.dims = {}, .dtype = ACL_BOOL});
  const auto whole = [&](const Tensor& scale, const Tensor& zero, int64_t min, int64_t max) {
    return [&, min, max](uint64_t* s, aclOpExecutor** e) {
      return aclnnFakeQuantPerTensorAffineCachemaskGetWorkspaceSize(
          x.handle(), scale.handle(), zero.handle(), 1, min, max, x.handle(), mask.handle(), s, e);
    };
  };
  const auto channels = [&](const Tensor& x, const Tensor& scale, const Tensor& zero, int64_t axis,
                            const Tensor& mask) {
    return [&, axis](uint64_t* s, aclOpExecutor** e) {
      return aclnnFakeQuantPerChannelAffineCachemaskGetWorkspaceSize(
          x.handle(), scale.handle(), zero.handle(), axis, 0, 1, x.handle(), mask.handle(), s, e);
    };
  };
  const int code = ACLNN_ERR_PARAM_INVALID;
  ExpectRefused(whole(two, zero, 0, 1), code, {"scale.shape = [2]", "one element"});
  ExpectRefused(whole(one, zeros, 0, 1), code, {"zeroPoint.shape = [2]", "one element"});
  ExpectRefused(whole(one, zero, 2, 1), code, {"quantMin = 2", "quantMax = 1"});
  ExpectRefused(whole(one, one, 0, 1), code, {"zeroPoint.dtype = FLOAT"});
  ExpectRefused(channels(x, two, zeros, 2, mask), code, {"axis = 2"});
  ExpectRefused(channels(x, two, zeros, 1, mask), code, {"scale.shape = [2]", "[3]"});
  ExpectRefused(channels(x, two, zero, 0, mask), code, {"zeroPoint.shape[0] = 1", "C = 2"});
  ExpectRefused(channels(number, one, zero, 0, bit), code, {"self.shape = []", "axis"});
}

}  // namespace
}  // namespace anyacl::test::fake_quant
