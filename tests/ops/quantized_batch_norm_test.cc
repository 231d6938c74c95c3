// SPDX-License-Identifier: Apache-2.0
// QuantizedBatchNorm against the document's formula in double precision.
#include "aclnnop/aclnn_quantized_batch_norm.h"
#include "ops/row_quant_case.h"

namespace anyacl::test {
namespace {

using namespace row_quant;

class QuantizedBatchNormTest : public MoeTest {
 protected:
  struct Scalars {
    double in_scale = 0.25, in_offset = 3, out_scale = 0.5, out_offset = 5;
  };
  static Phase1 Call(const Tensor& x, const Tensor& mean, const Tensor& var, const Scalars& values,
                     const Tensor* weight, const Tensor* bias, const Tensor& y) {
    return [&, values, weight, bias](uint64_t* size, aclOpExecutor** e) {
      const auto in_scale = static_cast<float>(values.in_scale);
      const auto out_scale = static_cast<float>(values.out_scale);
      const auto in_offset = static_cast<int32_t>(values.in_offset);
      const auto out_offset = static_cast<int32_t>(values.out_offset);
      aclScalar* const scalars[] = {aclCreateScalar(const_cast<float*>(&in_scale), ACL_FLOAT),
                                    aclCreateScalar(const_cast<int32_t*>(&in_offset), ACL_INT32),
                                    aclCreateScalar(const_cast<float*>(&out_scale), ACL_FLOAT),
                                    aclCreateScalar(const_cast<int32_t*>(&out_offset), ACL_INT32)};
      const aclnnStatus status = aclnnQuantizedBatchNormGetWorkspaceSize(
          x.handle(), mean.handle(), var.handle(), scalars[0], scalars[1], scalars[2], scalars[3],
          weight == nullptr ? nullptr : weight->handle(),
          bias == nullptr ? nullptr : bias->handle(), 1e-3f, y.handle(), size, e);
      for (aclScalar* scalar : scalars) aclDestroyScalar(scalar);
      return status;
    };
  }
};

TEST_F(QuantizedBatchNormTest, IsTheFormula) {
  for (aclDataType type : {ACL_INT8, ACL_UINT8, ACL_INT32}) {
    for (unsigned bits = 0; bits < 8; ++bits) {
      const bool weighted = (bits & 1) != 0, biased = (bits & 2) != 0, s = (bits & 4) != 0;
      const int64_t low = type == ACL_UINT8 ? 0 : -128, high = type == ACL_UINT8 ? 255 : 127;
      for (const Shape& shape : {Shape{2, 3, 4, 5}, Shape{1, 2, 50, 90}}) {
        const auto channels = static_cast<size_t>(shape[1]);
        const auto plane = static_cast<size_t>(shape[2] * shape[3]);
        Numbers x;
        for (size_t i = 0; i < static_cast<size_t>(shape[0]) * channels * plane; ++i) {
          x.push_back(static_cast<double>(random().Int(low, high)));
        }
        const Numbers mean = Drawn(ACL_FLOAT, channels, -2, 2);
        const Numbers var = Drawn(ACL_FLOAT, channels, 0.5, 2);
        const Numbers weight = Drawn(ACL_FLOAT, channels, -8, 8);
        const Numbers bias = Drawn(ACL_FLOAT, channels, -2, 2);
        const Tensor x_in = Holding(shape, type, x, s), y = Made(shape, type, s);
        const Tensor mean_in = Holding({shape[1]}, ACL_FLOAT, mean, s);
        const Tensor var_in = Holding({shape[1]}, ACL_FLOAT, var, s);
        const Tensor weight_in = Holding({shape[1]}, ACL_FLOAT, weight, s);
        const Tensor bias_in = Holding({shape[1]}, ACL_FLOAT, bias, s);
        const Scalars values;
        RunTwoPhase(Call(x_in, mean_in, var_in, values, weighted ? &weight_in : nullptr,
                         biased ? &bias_in : nullptr, y),
                    aclnnQuantizedBatchNorm);
        const Numbers actual = ReadAs(y);
        for (size_t i = 0; i < x.size(); ++i) {
          const size_t c = i / plane % channels;
          double v =
              ((x[i] - values.in_offset) * values.in_scale - mean[c]) / std::sqrt(var[c] + 1e-3);
          if (weighted) v *= weight[c];
          if (biased) v += bias[c];
          v = v / values.out_scale + values.out_offset;
          if (type != ACL_INT32) {
            v = std::clamp(v, static_cast<double>(low), static_cast<double>(high));
          }
          ASSERT_EQ(actual[i], std::rint(actual[i]));
          ASSERT_NEAR(actual[i], v, 0.5 + 1e-5 * (1 + std::fabs(v)));
        }
        EXPECT_TRUE(y.GuardsIntact());
      }
    }
  }
}

TEST_F(QuantizedBatchNormTest, WhatDoesNotFitIsRefused) {
  const int code = ACLNN_ERR_PARAM_INVALID;
  const Tensor x = Made({1, 2, 2, 2}, ACL_UINT8), mean = Made({2}, ACL_FLOAT);
  const Tensor three = Made({3}, ACL_FLOAT), none = Made({0, 2, 2, 2}, ACL_UINT8);
  ExpectRefused(Call(x, mean, three, {}, nullptr, nullptr, x), code, {"var.shape"});
  ExpectRefused(Call(x, mean, mean, {.in_offset = -1}, nullptr, nullptr, x), code,
                {"inputZeroPoint = -1", "0 to 255"});
  ExpectRefused(Call(x, mean, mean, {.out_offset = 256}, nullptr, nullptr, x), code,
                {"outputZeroPoint = 256"});
  ExpectRefused(Call(none, mean, mean, {}, nullptr, nullptr, none), code, {"elements"});
}

}  // namespace
}  // namespace anyacl::test
