// SPDX-License-Identifier: Apache-2.0
// What the unit tests of CANN's operator repositories (test_aclnn_*.cpp) are written with, against
// an installed library instead of their mocks: descriptions of operands and OP_API_UT, which calls
// aclnnXGetWorkspaceSize with them. The tests' sources are compiled as they are.
#pragma once

// Theirs, which some tests include by relative paths, stay away.
#define _OP_API_UT_COMMON_TENSOR_DESC_H_
#define _OP_API_UT_COMMON_SCALAR_DESC_H_
#define _OP_API_UT_COMMON_ARRAY_DESC_H_
#define _OP_API_UT_COMMON_UT_CASE_H_
#define OP_API_UT_COMMON_UT_CASE_H_
#define _OP_API_UT_COMMON_TUPLE_UTILS_H_
#define _OP_API_UT_COMMON_TYPES_H_

#include <acl/acl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "aclnn/acl_meta.h"
#include "aclnn/aclnn_base.h"
#include "aclnn/opdev/op_errno.h"
#include "opdev/platform.h"

using namespace std;  // as their headers do: the tests count on it

namespace cann_ut {

// Why what a test saw says nothing of the library.
struct Verdict {
  bool other_chip = false;  // it asks for the answers of another generation
  std::string absent;       // an operator that the library does not have
  std::vector<std::string> answers;
};
inline Verdict verdict;

// A 32-bit float as the 16 bits of FLOAT16 or BF16, well enough for made-up data.
inline uint16_t Half(float value, bool bf16) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (bf16) return static_cast<uint16_t>(bits >> 16);
  const auto exponent = static_cast<int>(bits >> 23 & 255) - 112;
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  if (exponent <= 0) return sign;
  if (exponent >= 31) return static_cast<uint16_t>(sign | 0x7bff);
  return static_cast<uint16_t>(sign | exponent << 10 | (bits >> 13 & 1023));
}

}  // namespace cann_ut

// For their output.
inline std::string String(aclDataType type) { return std::to_string(static_cast<int>(type)); }

class TensorDesc {
 public:
  TensorDesc(const vector<int64_t>& view = {1, 1, 16, 16}, aclDataType type = ACL_FLOAT,
             aclFormat format = ACL_FORMAT_NCHW, const vector<int64_t>& strides = {},
             int64_t offset = 0, const vector<int64_t>& storage = {})
      : view_(view),
        strides_(strides),
        storage_(storage),
        type_(type),
        format_(format),
        offset_(offset) {}

  TensorDesc& ViewDims(const vector<int64_t>& view) {
    view_ = view;
    return *this;
  }
  TensorDesc& Format(aclFormat format) {
    format_ = format;
    return *this;
  }
  TensorDesc& Precision(float, float, float = 1e-8f) { return *this; }
  template <class T>
  TensorDesc& ValueRange(T low, T high) {
    low_ = static_cast<double>(low);
    high_ = static_cast<double>(high);
    return *this;
  }
  template <class T>
  TensorDesc& Value(const vector<T>& values) {
    values_.clear();
    for (const auto& value : values) values_.push_back(static_cast<double>(value));
    return *this;
  }
  TensorDesc& ValueFile(const string&) { return *this; }
  TensorDesc& ValidCount(int32_t) { return *this; }

  // Without memory, as in their harness: phase 1 has no business with elements.
  aclTensor* ToAclTypeRawPtr() const { return Create(nullptr); }
  unique_ptr<aclTensor, void (*)(aclTensor*)> ToAclType() const {
    return {ToAclTypeRawPtr(), [](aclTensor* tensor) { aclDestroyTensor(tensor); }};
  }

  // With device memory of made-up elements.
  aclTensor* WithElements() const {
    const auto& storage = storage_.empty() ? view_ : storage_;
    int64_t count = 1;
    for (const int64_t extent : storage) count *= extent;
    const size_t size = aclDataTypeSize(type_) == 0 ? 1 : aclDataTypeSize(type_);
    void* address = nullptr;
    if (count > 0 && aclrtMalloc(&address, static_cast<size_t>(count) * size,
                                 ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
      return nullptr;
    }
    // Large tensors have the first ones again and again: a case of convolutions has 10^9 elements.
    const auto period = static_cast<int64_t>(std::max<size_t>(values_.size(), 1));
    const int64_t drawn = std::min(count, (65536 + period - 1) / period * period);
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(low_, high_ > low_ ? high_ : low_ + 1e-9);
    const auto at = [&](int64_t i) {
      return static_cast<char*>(address) + static_cast<size_t>(i) * size;
    };
    for (int64_t i = 0; i < drawn; ++i) {
      const double value =
          values_.empty() ? uniform(random) : values_[static_cast<size_t>(i) % values_.size()];
      Store(at(i), value);
    }
    for (int64_t i = drawn; i < count; i += drawn) {
      std::memcpy(at(i), address, static_cast<size_t>(std::min(drawn, count - i)) * size);
    }
    return Create(address);
  }

 private:
  aclTensor* Create(void* address) const {
    const auto& storage = storage_.empty() ? view_ : storage_;
    return aclCreateTensor(view_.data(), view_.size(), type_,
                           strides_.empty() ? nullptr : strides_.data(), offset_, format_,
                           storage.data(), storage.size(), address);
  }
  template <class T>
  static void Put(void* to, double value) {
    const T element = static_cast<T>(value);
    std::memcpy(to, &element, sizeof(element));
  }
  void Store(void* to, double value) const {
    switch (type_) {
      case ACL_FLOAT:
        return Put<float>(to, value);
      case ACL_DOUBLE:
        return Put<double>(to, value);
      case ACL_FLOAT16:
        return Put<uint16_t>(to, cann_ut::Half(static_cast<float>(value), false));
      case ACL_BF16:
        return Put<uint16_t>(to, cann_ut::Half(static_cast<float>(value), true));
      case ACL_INT64:
      case ACL_UINT64:
        return Put<int64_t>(to, value);
      case ACL_INT32:
      case ACL_UINT32:
        return Put<int32_t>(to, value);
      case ACL_INT16:
      case ACL_UINT16:
        return Put<int16_t>(to, value);
      case ACL_INT8:
      case ACL_UINT8:
        return Put<int8_t>(to, value);
      case ACL_BOOL:
        return Put<uint8_t>(to, value != 0 ? 1 : 0);
      case ACL_COMPLEX64:
        Put<float>(to, value);
        return Put<float>(static_cast<char*>(to) + 4, 0);
      case ACL_COMPLEX128:
        Put<double>(to, value);
        return Put<double>(static_cast<char*>(to) + 8, 0);
      default:
        return;
    }
  }

  vector<int64_t> view_, strides_, storage_;
  aclDataType type_;
  aclFormat format_;
  int64_t offset_;
  double low_ = -2, high_ = 2;
  vector<double> values_;
};

class TensorListDesc {
 public:
  TensorListDesc(const vector<TensorDesc>& members) : members_(members) {}
  TensorListDesc(int count, const TensorDesc& member)
      : members_(static_cast<size_t>(count), member) {}

  aclTensorList* ToAclTypeRawPtr() const { return Create(false); }
  unique_ptr<aclTensorList, void (*)(aclTensorList*)> ToAclType() const {
    return {ToAclTypeRawPtr(), [](aclTensorList* list) { aclDestroyTensorList(list); }};
  }
  aclTensorList* Create(bool elements) const {
    vector<const aclTensor*> tensors;
    for (const TensorDesc& member : members_) {
      tensors.push_back(elements ? member.WithElements() : member.ToAclTypeRawPtr());
    }
    return aclCreateTensorList(tensors.data(), tensors.size());
  }

 private:
  vector<TensorDesc> members_;
};

class ScalarDesc {
 public:
  ScalarDesc(bool value) : ScalarDesc(ACL_BOOL, value) {}
  ScalarDesc(int8_t value) : ScalarDesc(ACL_INT8, value) {}
  ScalarDesc(uint8_t value) : ScalarDesc(ACL_UINT8, value) {}
  ScalarDesc(int16_t value) : ScalarDesc(ACL_INT16, value) {}
  ScalarDesc(uint16_t value) : ScalarDesc(ACL_UINT16, value) {}
  ScalarDesc(int32_t value) : ScalarDesc(ACL_INT32, value) {}
  ScalarDesc(uint32_t value) : ScalarDesc(ACL_UINT32, value) {}
  ScalarDesc(int64_t value) : ScalarDesc(ACL_INT64, value) {}
  ScalarDesc(uint64_t value) : ScalarDesc(ACL_UINT64, value) {}
  ScalarDesc(double value) : ScalarDesc(ACL_DOUBLE, value) {}
  ScalarDesc(float value = 0, aclDataType type = ACL_FLOAT) : ScalarDesc(ACL_FLOAT, value) {
    if (type != ACL_FLOAT16) return;
    type_ = type;
    const uint16_t half = cann_ut::Half(value, false);
    std::memcpy(value_, &half, sizeof(half));
  }

  aclScalar* ToAclTypeRawPtr() const {
    return aclCreateScalar(const_cast<unsigned char*>(value_), type_);
  }
  unique_ptr<aclScalar, void (*)(aclScalar*)> ToAclType() const {
    return {ToAclTypeRawPtr(), [](aclScalar* scalar) { aclDestroyScalar(scalar); }};
  }

 private:
  template <class T>
  ScalarDesc(aclDataType type, T value) : type_(type) {
    std::memcpy(value_, &value, sizeof(value));
  }
  alignas(8) unsigned char value_[16] = {};
  aclDataType type_;
};

#define CANN_UT_ARRAY(Kind, Element)                                                               \
  class Kind##ArrayDesc {                                                                          \
   public:                                                                                         \
    Kind##ArrayDesc(const vector<Element>& values) : values_(values) {}                            \
    Kind##ArrayDesc(int count, Element value) : values_(static_cast<size_t>(count), value) {}      \
    acl##Kind##Array* ToAclTypeRawPtr() const {                                                    \
      const std::unique_ptr<Element[]> copy(new Element[values_.size() + 1]);                      \
      for (size_t i = 0; i < values_.size(); ++i) copy[i] = values_[i];                            \
      return aclCreate##Kind##Array(copy.get(), values_.size());                                   \
    }                                                                                              \
    unique_ptr<acl##Kind##Array, void (*)(acl##Kind##Array*)> ToAclType() const {                  \
      return {ToAclTypeRawPtr(), [](acl##Kind##Array* array) { aclDestroy##Kind##Array(array); }}; \
    }                                                                                              \
    const vector<Element>& Get() const { return values_; }                                         \
                                                                                                   \
   private:                                                                                        \
    vector<Element> values_;                                                                       \
  };
CANN_UT_ARRAY(Int, int64_t)
CANN_UT_ARRAY(Float, float)
CANN_UT_ARRAY(Bool, bool)

inline aclTensor* DescToAclContainer(const TensorDesc& d) { return d.ToAclTypeRawPtr(); }
inline aclTensorList* DescToAclContainer(const TensorListDesc& d) { return d.ToAclTypeRawPtr(); }
inline aclScalar* DescToAclContainer(const ScalarDesc& d) { return d.ToAclTypeRawPtr(); }
inline aclIntArray* DescToAclContainer(const IntArrayDesc& d) { return d.ToAclTypeRawPtr(); }
inline aclFloatArray* DescToAclContainer(const FloatArrayDesc& d) { return d.ToAclTypeRawPtr(); }
inline aclBoolArray* DescToAclContainer(const BoolArrayDesc& d) { return d.ToAclTypeRawPtr(); }
template <class T>
inline T DescToAclContainer(const T& plain) {
  return plain;
}

namespace cann_ut {

inline aclTensor* WithElements(const TensorDesc& d) { return d.WithElements(); }
inline aclTensorList* WithElements(const TensorListDesc& d) { return d.Create(true); }
template <class D>
inline auto WithElements(const D& d) {
  return DescToAclContainer(d);
}

template <class SizeFunction, class Function, class Operands>
class Call {
 public:
  Call(const char* name, SizeFunction size_function, Function function, const Operands& operands)
      : name_(name), size_function_(size_function), function_(function), operands_(operands) {}

  Call& InputGenFunc(const string&) { return *this; }

  aclnnStatus TestGetWorkspaceSize(uint64_t* size) {
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status = PhaseOne(false, size, &executor);
    if (executor != nullptr) aclDestroyAclOpExecutor(executor);
    return status;
  }
  aclnnStatus TestGetWorkspaceSizeWithNNopbaseInner(uint64_t* size, aclOpExecutor*) {
    return TestGetWorkspaceSize(size);
  }
  // Both phases on made-up elements.
  void TestPrecision() {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    ASSERT_EQ(PhaseOne(true, &size, &executor), ACL_SUCCESS);
    if (executor == nullptr) return;
    void* workspace = nullptr;
    if (size > 0) {
      ASSERT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    }
    EXPECT_EQ(function_(workspace, size, executor, nullptr), ACL_SUCCESS);
    EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
    if (workspace != nullptr) aclrtFree(workspace);
  }

 private:
  aclnnStatus PhaseOne(bool elements, uint64_t* size, aclOpExecutor** executor) {
    if (!op::IsThisGeneration()) verdict.other_chip = true;
    // The linker gives what the library lacks the address 0.
    if (reinterpret_cast<uintptr_t>(*static_cast<SizeFunction volatile*>(&size_function_)) == 0) {
      verdict.absent = name_;
      return ACL_SUCCESS;
    }
    const aclnnStatus status = std::apply(
        [&](const auto&... operand) {
          return elements ? size_function_(WithElements(operand)..., size, executor)
                          : size_function_(DescToAclContainer(operand)..., size, executor);
        },
        operands_);
    std::string answer = std::string(name_) + " " + std::to_string(status);
    if (status != ACL_SUCCESS) {
      const char* const message = aclGetRecentErrMsg();
      if (message != nullptr) answer += std::string(": ") + message;
    }
    verdict.answers.push_back(answer);
    return status;
  }

  const char* name_;
  SizeFunction size_function_;
  Function function_;
  Operands operands_;
};

}  // namespace cann_ut

#define OP_API_UT(api, input, output, ...)          \
  cann_ut::Call(#api, &api##GetWorkspaceSize, &api, \
                tuple_cat(input, output, make_tuple(__VA_ARGS__)))
#define INPUT(...) make_tuple(__VA_ARGS__)
#define OUTPUT(...) make_tuple(__VA_ARGS__)
