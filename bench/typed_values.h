// SPDX-License-Identifier: Apache-2.0
// Whole tensors filled and read as numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device.h"
#include "support/element.h"

namespace anyacl::bench {

inline const char* TypeName(aclDataType type) {
  return type == ACL_FLOAT ? "fp32" : type == ACL_FLOAT16 ? "fp16" : "bf16";
}

// What a result may be away from the oracle, relative to 1 and its size.
inline double UnitOf(aclDataType type) {
  return type == ACL_FLOAT ? 2e-6 : type == ACL_FLOAT16 ? 1e-3 : 8e-3;
}

inline int64_t CountOf(const Tensor& tensor, aclDataType type) {
  return static_cast<int64_t>(tensor.bytes()) * 8 / test::BitsOf(type);
}

// Element i is value(i), rounded.
inline void Fill(const Tensor& tensor, aclDataType type,
                 const std::function<float(int64_t)>& value) {
  std::vector<char> data(tensor.bytes());
  for (int64_t i = 0; i < CountOf(tensor, type); ++i) {
    test::StoreElement(type, static_cast<double>(value(i)), data.data(), i);
  }
  tensor.Upload(data.data());
}

inline std::vector<double> ReadAll(const Tensor& tensor, aclDataType type) {
  std::vector<char> data(tensor.bytes());
  tensor.Download(data.data());
  std::vector<double> values;
  for (int64_t i = 0; i < CountOf(tensor, type); ++i) {
    values.push_back(test::LoadElement(type, data.data(), i));
  }
  return values;
}

// Empty if element `at` is what it should be, as far as `unit` tells.
inline std::string Difference(const std::string& name, size_t at, double actual, double expected,
                              double unit) {
  if (std::fabs(actual - expected) <= unit * (1 + std::fabs(expected))) return "";
  return name + "[" + std::to_string(at) + "] = " + std::to_string(actual) + ", expected " +
         std::to_string(expected);
}

}  // namespace anyacl::bench
