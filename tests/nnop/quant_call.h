// SPDX-License-Identifier: Apache-2.0
// One call of aclnnDynamicQuantV2 with an exact result, for tests of what surrounds operators.
#pragma once

#include <cstdint>
#include <vector>

#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "support/device_test.h"
#include "support/half.h"

namespace anyacl::test {

// Each row of x is a run of whole numbers that has 127 * step as its maximum: the scale is the step
// and y is x / step, without rounding. Steps go up to 16, beyond which fp16 rounds x.
class QuantCall {
 public:
  explicit QuantCall(int64_t rows = 3, int64_t cols = 8)
      : rows_(rows),
        cols_(cols),
        x({.dims = {rows, cols}, .dtype = ACL_FLOAT16}),
        y({.dims = {rows, cols}, .dtype = ACL_INT8}),
        scale({.dims = {rows}, .dtype = ACL_FLOAT}) {
    x.Write(Input());
  }

  // Other values for the same shapes: steps begin with `first_step`.
  std::vector<uint16_t> Input(int first_step = 1) const {
    std::vector<uint16_t> values;
    for (int64_t r = 0; r < rows_; ++r) {
      for (int8_t y_value : Quantised()) {
        values.push_back(EncodeFp16(static_cast<float>(y_value) * static_cast<float>(first_step + r)));
      }
    }
    return values;
  }

  Phase1 GetWorkspaceSize() const {
    return [this](uint64_t* size, aclOpExecutor** executor) {
      return aclnnDynamicQuantV2GetWorkspaceSize(x.handle(), nullptr, nullptr, ACL_INT8, y.handle(),
                                                 scale.handle(), nullptr, size, executor);
    };
  }

  Prepared Prepare() const {
    Prepared prepared = anyacl::test::Prepare(GetWorkspaceSize());
    EXPECT_OK(prepared.code);
    EXPECT_NE(prepared.executor, nullptr);
    return prepared;
  }

  // Expects the result of Input(first_step) and untouched memory around it.
  void ExpectResult(int first_step = 1) const {
    std::vector<int8_t> quantised;
    std::vector<float> scales;
    for (int64_t r = 0; r < rows_; ++r) {
      for (int8_t value : Quantised()) quantised.push_back(value);
      scales.push_back(static_cast<float>(first_step + r));
    }
    EXPECT_EQ(y.Read<int8_t>(), quantised);
    EXPECT_EQ(scale.Read<float>(), scales);
    EXPECT_TRUE(y.GuardsIntact());
    EXPECT_TRUE(scale.GuardsIntact());
  }

  // Expects that nothing was written.
  void ExpectUntouched() const {
    for (const Tensor* tensor : {&y, &scale}) {
      EXPECT_EQ(tensor->Bytes(),
                std::vector<uint8_t>(tensor->Bytes().size(), Tensor::kCanary));
    }
  }

 private:
  // One row: 127, -126, 125, ...
  std::vector<int8_t> Quantised() const {
    std::vector<int8_t> row;
    for (int64_t c = 0; c < cols_; ++c) {
      row.push_back(static_cast<int8_t>((127 - c % 120) * (c % 2 == 0 ? 1 : -1)));
    }
    return row;
  }

  int64_t rows_;
  int64_t cols_;

 public:
  Tensor x;
  Tensor y;
  Tensor scale;
};

}  // namespace anyacl::test
