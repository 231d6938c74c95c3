// SPDX-License-Identifier: Apache-2.0
// The types of elements, one enumeration for plans and kernels. A kernel serves the types that its
// dispatch names.
#pragma once

#include <stdint.h>

#include "acl/acl_base.h"

namespace anyacl {

// Up to kUint64 those that element-wise kernels compute with; their tables have a place for each.
enum class Element : uint8_t {
  kFp32,
  kFp16,
  kBf16,
  kFp64,
  kInt32,
  kInt64,
  kUint64,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kUint32,
  kBool,
  kInt4,  // two in a byte
  kNone,  // complex numbers and what no kernel knows
};

// The table of dtype.cc says it.
Element ElementOf(aclDataType dtype);

// The element that is a number of C++'s.
template <class Number>
inline constexpr Element kElementOf = Element::kNone;
template <>
inline constexpr Element kElementOf<float> = Element::kFp32;
template <>
inline constexpr Element kElementOf<double> = Element::kFp64;
template <>
inline constexpr Element kElementOf<int32_t> = Element::kInt32;
template <>
inline constexpr Element kElementOf<int64_t> = Element::kInt64;

// Always inlined, since kernels use them. Of kInt4 the byte that holds it.
[[gnu::always_inline]] constexpr int64_t BytesOf(Element element) {
  switch (element) {
    case Element::kFp64:
    case Element::kInt64:
    case Element::kUint64:
      return 8;
    case Element::kFp32:
    case Element::kInt32:
    case Element::kUint32:
      return 4;
    case Element::kFp16:
    case Element::kBf16:
    case Element::kInt16:
    case Element::kUint16:
      return 2;
    default:
      return 1;
  }
}
// Of so many elements, an even number of kInt4.
template <class Count>
[[gnu::always_inline]] constexpr Count BytesOf(Element element, Count count) {
  return element == Element::kInt4 ? count / 2 : count * static_cast<Count>(BytesOf(element));
}

// What there is for fp32, fp16 and bf16.
template <class T>
struct OfFloats {
  T fp32, fp16, bf16;
  [[gnu::always_inline]] constexpr const T& Of(Element element) const {
    return element == Element::kFp16 ? fp16 : element == Element::kBf16 ? bf16 : fp32;
  }
};

}  // namespace anyacl
