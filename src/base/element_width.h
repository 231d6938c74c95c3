// SPDX-License-Identifier: Apache-2.0
// Elements of which only the width matters: types that stand for them, their moves, and calls by
// width.
#pragma once

#include <cstdint>
#include <cstring>

namespace anyacl {

// Whatever has 16 bytes; it has no value.
struct SixteenBytes {
  uint64_t low, high;
};

// Elements need not be aligned: several small ones may move as one. Inlined wherever they are
// called: kernels of every instruction set are among the callers.
template <class T>
[[gnu::always_inline]] inline T LoadElement(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T>
[[gnu::always_inline]] inline void StoreElement(char* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

// f(T{}) with a type of so many bytes: 1, 2, 4, 8 or 16.
template <class Function>
auto WithBytes(int64_t bytes, const Function& f) {
  switch (bytes) {
    case 1:
      return f(uint8_t{});
    case 2:
      return f(uint16_t{});
    case 4:
      return f(uint32_t{});
    case 8:
      return f(uint64_t{});
    default:
      return f(SixteenBytes{});
  }
}
constexpr bool IsElementSize(int64_t bytes) {
  return bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

}  // namespace anyacl
