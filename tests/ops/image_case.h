// SPDX-License-Identifier: Apache-2.0
// What tests of operators on images share.
#pragma once

#include <vector>

#include "support/device_test.h"
#include "support/numbers.h"

namespace anyacl::test {

using Shape = std::vector<int64_t>;

inline constexpr aclDataType kFloatTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

// Dense, the channels last, or with gaps.
enum class Lie { kDense, kChannelsLast, kGaps };
inline constexpr Lie kLies[] = {Lie::kDense, Lie::kChannelsLast, Lie::kGaps};

inline Layout Lying(const Shape& shape, aclDataType type, Lie lie) {
  Layout layout{.dims = shape, .dtype = type};
  layout.strides = ContiguousStrides(shape);
  if (lie == Lie::kChannelsLast && shape.size() > 2) {
    int64_t step = shape[1];
    layout.strides[1] = 1;
    for (size_t d = shape.size(); d-- > 2; step *= shape[d]) layout.strides[d] = step;
  } else if (lie == Lie::kGaps) {
    layout.offset = 5;
    for (int64_t& stride : layout.strides) stride *= 2;
    layout.strides[0] += 3;
  }
  return layout;
}

class IntArrayHandle {
 public:
  explicit IntArrayHandle(const Shape& values)
      : handle_(aclCreateIntArray(values.data(), values.size())) {}
  IntArrayHandle(const IntArrayHandle&) = delete;
  IntArrayHandle& operator=(const IntArrayHandle&) = delete;
  ~IntArrayHandle() { aclDestroyIntArray(handle_); }
  const aclIntArray* get() const { return handle_; }

 private:
  aclIntArray* handle_;
};

// Random numbers as the tensor holds them.
inline std::vector<double> FillRandomly(Tensor& tensor, Random& random) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.count(); ++i) values.push_back(random.Uniform(-2, 2));
  values = AsHeld(tensor.layout().dtype, values);
  WriteAs(tensor, values);
  return values;
}

inline double LastPlace(aclDataType dtype) {
  return dtype == ACL_DOUBLE    ? 0x1p-52
         : dtype == ACL_FLOAT   ? 0x1p-24
         : dtype == ACL_FLOAT16 ? 0x1p-11
                                : 0x1p-8;
}

}  // namespace anyacl::test
