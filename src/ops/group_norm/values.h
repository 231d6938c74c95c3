// SPDX-License-Identifier: Apache-2.0
// Elements of the operators' tensors: single ones as numbers, runs of them as contiguous memory.
#pragma once

#include <cstdint>

#include "base/half.h"
#include "ops/group_norm/op.h"

namespace anyacl::group_norm {

inline int64_t ElementBytes(Element element) { return element == Element::kFp32 ? 4 : 2; }

inline char* Data(const Bindings& bindings, const Place& place) {
  return place.given() ? bindings.data[static_cast<size_t>(place.slot)] : nullptr;
}

// Of element `first` of a dense tensor.
template <class Byte>
Byte* Address(const Place& place, Byte* data, int64_t first) {
  return data + (place.map.base + first) * ElementBytes(place.element);
}

inline float ReadValue(const Place& place, const char* data, int64_t index) {
  const int64_t at = place.map.At(index);
  if (place.element == Element::kFp32) return reinterpret_cast<const float*>(data)[at];
  const uint16_t bits = reinterpret_cast<const uint16_t*>(data)[at];
  return place.element == Element::kFp16 ? FloatFromFp16(bits) : FloatFromBf16(bits);
}

// Rounded to nearest even, once.
inline void WriteValue(const Place& place, char* data, int64_t index, double value) {
  const int64_t at = place.map.At(index);
  if (place.element == Element::kFp32) {
    reinterpret_cast<float*>(data)[at] = static_cast<float>(value);
  } else {
    reinterpret_cast<uint16_t*>(data)[at] =
        place.element == Element::kFp16 ? Fp16FromDouble(value) : Bf16FromDouble(value);
  }
}

// A block of elements in a row.
struct Buffer {
  alignas(64) char memory[kBlock * 4];

  // The address of elements that are dense anyway, or of a copy of them here.
  const void* Load(const Place& place, const char* data, int64_t first, int64_t count) {
    if (place.map.IsDense()) return Address(place, data, first);
    Gather(place.map, data, static_cast<size_t>(ElementBytes(place.element)), first, count, memory);
    return memory;
  }
  void Store(const Place& place, char* data, int64_t first, int64_t count) const {
    Scatter(place.map, data, static_cast<size_t>(ElementBytes(place.element)), first, count,
            memory);
  }
};

}  // namespace anyacl::group_norm
