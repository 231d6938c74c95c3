// SPDX-License-Identifier: Apache-2.0
// SoftmaxCrossEntropyWithLogits against the formulas of its document.
#include <cmath>

#include "aclnn/opdev/op_errno.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"
#include "reference/rowwise.h"
#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

class CrossEntropyTest : public DeviceTest {
 protected:
  static Phase1 Call(const Tensor& x, const Tensor& y, const Tensor& loss, const Tensor& grad) {
    return [&](uint64_t* s, aclOpExecutor** e) {
      return aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(x.handle(), y.handle(),
                                                                loss.handle(), grad.handle(), s, e);
    };
  }
};

// Short rows in groups and rows of several pieces, dense and with columns side by side; logits as
// large as those whose exponentials overflow.
TEST_F(CrossEntropyTest, LossesAndGradients) {
  for (aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (int64_t n : {1, 10, 33, 4096, 4097, 40000}) {
      for (bool columns : {false, true}) {
        SCOPED_TRACE(::testing::Message() << "type " << type << " n " << n << " " << columns);
        const int64_t rows = n > 1000 ? 2 : 19;
        Layout layout{.dims = {rows, n}, .dtype = type};
        if (columns) layout.strides = {1, rows + 1};
        Tensor x(layout), y(layout);
        const Tensor loss({.dims = {rows}, .dtype = type, .strides = {3}}), grad(layout);
        std::vector<double> logits, labels;
        for (int64_t i = 0; i < rows * n; ++i) {
          logits.push_back(AsHeld(type, random().Uniform(-1, 1) * (i / n == 0 ? 200 : 3)));
          labels.push_back(AsHeld(type, random().Uniform(0, 2) / static_cast<double>(n)));
        }
        WriteAs(x, logits);
        WriteAs(y, labels);
        RunTwoPhase(Call(x, y, loss, grad), aclnnSoftmaxCrossEntropyWithLogits);
        const auto losses = ReadAs(loss), gradients = ReadAs(grad);
        for (int64_t r = 0; r < rows; ++r) {
          const auto at = [&](const std::vector<double>& values) {
            return Row(values.begin() + r * n, values.begin() + (r + 1) * n);
          };
          const Row softmax = Softmax(at(logits)), log = LogSoftmax(at(logits)), label = at(labels);
          double expected = 0, size = 0;
          for (size_t i = 0; i < label.size(); ++i) {
            expected -= label[i] * log[i];
            size += std::fabs(label[i] * log[i]);
            const double g = softmax[i] - label[i];
            ASSERT_LE(std::fabs(gradients[static_cast<size_t>(r * n) + i] - g),
                      40 * 0x1p-24 * (softmax[i] + label[i]) + 1.01 * HalfUnitOf(type, g))
                << r << ", " << i;
          }
          ASSERT_LE(std::fabs(losses[static_cast<size_t>(r)] - expected),
                    60 * 0x1p-24 * size + 1e-6 + 1.01 * HalfUnitOf(type, expected))
              << r;
        }
        EXPECT_TRUE(loss.GuardsIntact());
        EXPECT_TRUE(grad.GuardsIntact());
      }
    }
  }
}

TEST_F(CrossEntropyTest, WhatDoesNotFitIsRefused) {
  const Tensor x({.dims = {2, 4}}), loss({.dims = {2}}), long_loss({.dims = {3}}),
      vector({.dims = {4}}), halves({.dims = {2, 4}, .dtype = ACL_FLOAT16});
  ExpectRefused(Call(x, halves, loss, x), ACLNN_ERR_PARAM_INVALID, {"labels.dtype = FLOAT16"});
  ExpectRefused(Call(x, x, long_loss, x), ACLNN_ERR_PARAM_INVALID, {"loss.shape"});
  ExpectRefused(Call(vector, vector, loss, vector), ACLNN_ERR_PARAM_INVALID, {"features.shape"});
}

}  // namespace
}  // namespace anyacl::test
