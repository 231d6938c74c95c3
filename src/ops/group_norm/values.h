// SPDX-License-Identifier: Apache-2.0
// Elements of the operators' tensors: single ones as numbers, runs of them as contiguous memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/half.h"
#include "ops/group_norm/op.h"

namespace anyacl::group_norm {

inline int64_t ElementBytes(Element element) { return element == Element::kFp32 ? 4 : 2; }

inline char* Data(const Bindings& bindings, const Place& place) {
  return place.given() ? bindings.data[static_cast<size_t>(place.slot)] : nullptr;
}

inline float ReadValue(const Place& place, const char* data, int64_t index) {
  const int64_t at = place.map.At(index);
  if (place.element == Element::kFp32) return reinterpret_cast<const float*>(data)[at];
  const uint16_t bits = reinterpret_cast<const uint16_t*>(data)[at];
  return place.element == Element::kFp16 ? FloatFromFp16(bits) : FloatFromBf16(bits);
}

// A block of elements in a row.
struct Buffer {
  alignas(64) char memory[kBlock * 4];
};

// A tensor in a run.
class Elements {
 public:
  Elements(const Place& place, const Bindings& bindings)
      : place_(place), data_(Data(bindings, place)) {}

  bool dense() const { return place_.map.IsDense(); }
  // Of a dense tensor's element.
  char* Address(int64_t index) const {
    return data_ + (place_.map.base + index) * ElementBytes(place_.element);
  }

  float At(int64_t index) const { return ReadValue(place_, data_, index); }
  // Rounded to nearest even, once.
  void Set(int64_t index, double value) const {
    const int64_t at = place_.map.At(index);
    if (place_.element == Element::kFp32) {
      reinterpret_cast<float*>(data_)[at] = static_cast<float>(value);
    } else {
      reinterpret_cast<uint16_t*>(data_)[at] =
          place_.element == Element::kFp16 ? Fp16FromDouble(value) : Bf16FromDouble(value);
    }
  }

  // The address of elements that are dense anyway, or of a copy of them.
  const char* Load(int64_t first, int64_t count, Buffer& copy) const {
    if (dense()) return Address(first);
    Gather(place_.map, data_, static_cast<size_t>(ElementBytes(place_.element)), first, count,
           copy.memory);
    return copy.memory;
  }
  void Store(int64_t first, int64_t count, const Buffer& from) const {
    Scatter(place_.map, data_, static_cast<size_t>(ElementBytes(place_.element)), first, count,
            from.memory);
  }

 private:
  const Place& place_;
  char* const data_;
};

// A row of `out` block by block through buffers: write(slab, to) computes one from the same block
// of x, and of dy if there is one.
template <class Write>
void WriteGathered(const Elements* dy, const Elements& x, const Elements& out, Slab slab,
                   int64_t element, int64_t cols, const Write& write) {
  Buffer dy_copy, x_copy, block;
  slab.rows = 1;
  for (int64_t j = 0; j < cols; j += kBlock) {
    slab.cols = std::min(kBlock, cols - j);
    if (dy != nullptr) slab.dy = dy->Load(element + j, slab.cols, dy_copy);
    slab.x = x.Load(element + j, slab.cols, x_copy);
    write(slab, block.memory);
    out.Store(element + j, slab.cols, block);
  }
}

}  // namespace anyacl::group_norm
