// SPDX-License-Identifier: Apache-2.0
// What tests of hyper-connections share: tensors of drawn numbers, and comparisons of results.
#pragma once

#include "aclnn/opdev/op_errno.h"
#include "reference/mhc.h"
#include "support/device_test.h"
#include "support/near.h"

namespace anyacl::test {

using Numbers = std::vector<double>;
using Shape = std::vector<int64_t>;

class MhcTest : public DeviceTest {
 protected:
  Tensor Drawn(const Shape& dims, aclDataType type, bool strided = false, double low = -2,
               double high = 2) {
    Layout layout{.dims = dims, .dtype = type};
    if (strided) {
      layout.strides = ContiguousStrides(dims);
      for (int64_t& stride : layout.strides) stride *= 2;
      layout.strides[0] += 3;
      layout.offset = 5;
    }
    Tensor tensor(layout);
    Numbers values;
    for (int64_t i = 0; i < tensor.count(); ++i) {
      values.push_back(AsHeld(type, random().Uniform(low, high)));
    }
    WriteAs(tensor, values);
    return tensor;
  }

  // Errors in proportion to the terms, by fp32 sums, and the rounding to the tensor's type.
  static void ExpectNear(const Tensor& tensor, const SizedNumbers& expected, const char* name) {
    Summed summed;
    for (const auto& [value, size] : expected) {
      summed.values.push_back(value);
      summed.sizes.push_back(size);
    }
    test::ExpectNear(tensor, summed, 0x1p-20, name);
  }
};

inline double Dot(const Numbers& a, const SizedNumbers& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i].value;
  return sum;
}

// What `f`, a function of numbers, changes by with one of them: the gradient at entry `at`.
template <class F>
double Slope(const Numbers& numbers, size_t at, double step, const F& f) {
  Numbers moved = numbers;
  moved[at] += step;
  const double above = f(moved);
  moved[at] -= 2 * step;
  return (above - f(moved)) / (2 * step);
}

}  // namespace anyacl::test
