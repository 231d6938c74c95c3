// SPDX-License-Identifier: Apache-2.0
// 16 columns of a row of a View, as fp32 or as they are.
#pragma once

#include "gemm/kernel.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

// n <= 16 elements of a row; those behind are anything.
template <class T>
inline void Gather(const T* from, int64_t step, int64_t n, T* to) {
  for (int64_t i = 0; i < n; ++i) to[i] = from[i * step];
}
template <class T, class Loaded>
[[gnu::always_inline]] inline auto LoadRow(const gemm::View& view, int64_t row, int64_t column,
                                           int64_t n, Loaded load) {
  const T* const from =
      static_cast<const T*>(view.data) + row * view.row_step + column * view.column_step;
  if (view.column_step == 1) return load(from, static_cast<size_t>(n));
  T values[kLanes] = {};
  Gather(from, view.column_step, n, values);
  return load(values, kLanes);
}

inline VecF32 LoadFloats(const gemm::View& view, int64_t row, int64_t column, int64_t n) {
  switch (view.type) {
    case Element::kFp16:
      return LoadRow<uint16_t>(view, row, column, n,
                               [](const uint16_t* p, size_t m) { return LoadFp16(p, m); });
    case Element::kBf16:
      return LoadRow<uint16_t>(view, row, column, n,
                               [](const uint16_t* p, size_t m) { return LoadBf16(p, m); });
    case Element::kInt8:
      return LoadRow<int8_t>(view, row, column, n,
                             [](const int8_t* p, size_t m) { return ToF32(LoadI8(p, m)); });
    case Element::kInt32:
      return LoadRow<int32_t>(view, row, column, n,
                              [](const int32_t* p, size_t m) { return ToF32(Load(p, m)); });
    default:
      return LoadRow<float>(view, row, column, n,
                            [](const float* p, size_t m) { return Load(p, m); });
  }
}

}  // namespace anyacl::ANYACL_ISA
