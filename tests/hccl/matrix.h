// SPDX-License-Identifier: Apache-2.0
// Tensors of a rank as numbers in double.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "support/element.h"
#include "support/tensor.h"

namespace anyacl::test::hccl {

using Numbers = std::vector<double>;

// As the type holds them.
inline Numbers Rounded(aclDataType dtype, Numbers numbers) {
  if (dtype == ACL_INT4) return numbers;
  for (double& x : numbers) x = DecodeElement(dtype, EncodeElement(dtype, x));
  return numbers;
}

class Matrix {
 public:
  Matrix(aclDataType dtype, std::vector<int64_t> dims, bool strided = false)
      : tensor_({.dims = dims, .dtype = dtype, .strides = StridesOf(dims, strided)}) {}
  Matrix(aclDataType dtype, std::vector<int64_t> dims, const Numbers& numbers, bool strided = false)
      : Matrix(dtype, std::move(dims), strided) {
    Fill(numbers);
  }

  aclTensor* handle() const { return tensor_.handle(); }
  bool GuardsIntact() const { return tensor_.GuardsIntact(); }
  Numbers Read() const {
    Numbers numbers;
    const auto dtype = tensor_.layout().dtype;
    const auto decode = [&](const auto& bits) {
      for (const auto x : bits) numbers.push_back(DecodeElement(dtype, static_cast<uint64_t>(x)));
    };
    if (BitsOf(dtype) <= 8) decode(tensor_.Read<uint8_t>());
    if (BitsOf(dtype) == 16) decode(tensor_.Read<uint16_t>());
    return numbers;
  }

 private:
  static std::vector<int64_t> StridesOf(const std::vector<int64_t>& dims, bool strided) {
    std::vector<int64_t> wide = dims;
    if (strided) wide.back() += 3;
    return ContiguousStrides(wide);
  }
  void Fill(const Numbers& numbers) {
    const auto dtype = tensor_.layout().dtype;
    const auto write = [&](auto zero) {
      std::vector<decltype(zero)> bits;
      // A scale of 64 bits has fp32 in its lower half.
      const aclDataType held = dtype == ACL_INT64  ? ACL_FLOAT
                               : dtype == ACL_INT4 ? ACL_INT8
                                                   : dtype;
      for (const double x : numbers)
        bits.push_back(static_cast<decltype(zero)>(EncodeElement(held, x)));
      tensor_.Write(bits);
    };
    switch (BitsOf(dtype)) {
      case 4:
        return write(int8_t{});
      case 8:
        return write(uint8_t{});
      case 16:
        return write(uint16_t{});
      case 32:
        return write(uint32_t{});
      default:
        return write(uint64_t{});
    }
  }

  Tensor tensor_;
};

}  // namespace anyacl::test::hccl
