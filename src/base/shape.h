// SPDX-License-Identifier: Apache-2.0
// Dims: up to 25 sizes or strides, stored inline.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "base/format.h"

namespace anyacl {

class Dims {
 public:
  // aclCreateTensor's documented maximum.
  static constexpr size_t kMaxRank = 25;

  Dims() = default;
  Dims(const int64_t* values, size_t rank) { Assign(values, rank); }
  Dims(std::initializer_list<int64_t> values) : Dims(values.begin(), values.size()) {}

  size_t rank() const { return rank_; }
  int64_t operator[](size_t i) const { return values_[i]; }
  int64_t& operator[](size_t i) { return values_[i]; }
  int64_t back() const { return values_[rank_ - 1]; }
  const int64_t* begin() const { return values_.data(); }
  const int64_t* end() const { return values_.data() + rank_; }
  // In place: a Dims is 208 bytes, of which most ranks use 40.
  void Assign(const int64_t* values, size_t rank) {
    rank_ = rank;
    std::copy_n(values, rank, values_.begin());
  }
  void push_back(int64_t value) { values_[rank_++] = value; }

  friend bool operator==(const Dims& a, const Dims& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  // "[4, 2]"
  std::string ToString() const { return Format("[{}]", Joined({begin(), end()})); }

 private:
  size_t rank_ = 0;
  std::array<int64_t, kMaxRank> values_{};
};

// Product of the sizes; nothing if one is negative or the product does not fit (a zero makes it 0
// whatever the others are).
inline std::optional<int64_t> ElementCount(const Dims& sizes) {
  int64_t count = 1;
  bool overflow = false;
  bool empty = false;
  for (int64_t size : sizes) {
    if (size < 0) return std::nullopt;
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(count, size, &count);
  }
  if (empty) return 0;
  if (overflow) return std::nullopt;
  return count;
}

// Row-major strides. Sizes may be anything: a product that does not fit wraps, and the tensor is
// refused later by the check of its extent.
inline Dims ContiguousStrides(const Dims& sizes) {
  Dims strides = sizes;
  uint64_t stride = 1;
  for (size_t i = sizes.rank(); i-- > 0;) {
    strides[i] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(sizes[i]);
  }
  return strides;
}

}  // namespace anyacl
