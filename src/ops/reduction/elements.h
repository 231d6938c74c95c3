// SPDX-License-Identifier: Apache-2.0
// Elements of self as the numbers that are folded.
#pragma once

#include "ops/reduction/kernel.h"
#include "ops/reduction/layout.h"

namespace anyacl::reduction {

template <class T>
constexpr blocks::Number kNumberOf = blocks::Number::kFp32;
template <>
inline constexpr blocks::Number kNumberOf<double> = blocks::Number::kFp64;
template <>
inline constexpr blocks::Number kNumberOf<int64_t> = blocks::Number::kInt64;

// Numbers of one load: 16 rows of a tile, or four blocks of a run.
inline constexpr int64_t kBuffer = kFoldLanes * kTile;

template <class T>
class Elements {
 public:
  // `become`: a type that elements are converted to first, because that changes their value.
  // Complex elements become a real type.
  Elements(aclDataType dtype, std::optional<aclDataType> become);

  int64_t bytes() const { return bytes_; }
  // How the kernels read runs; nothing if they cannot.
  std::optional<Format> run_format() const { return format_; }
  bool same() const { return format_ == Format::kSame; }
  void Load(const blocks::Tile& from, T* to) const;

 private:
  int64_t bytes_;
  std::optional<Format> format_;
  aclDataType dtype_;
  std::optional<aclDataType> become_;
  blocks::LoadFunction load_;  // of the type that elements have, or become
};

extern template class Elements<float>;
extern template class Elements<double>;
extern template class Elements<int64_t>;

}  // namespace anyacl::reduction
