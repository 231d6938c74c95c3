// SPDX-License-Identifier: Apache-2.0
// Elements of self as the numbers that are folded.
#pragma once

#include "ops/reduction/kernel.h"
#include "ops/reduction/layout.h"

namespace anyacl::reduction {

// Numbers of one load: 16 rows of a tile, or four blocks of a run.
inline constexpr int64_t kBuffer = kFoldLanes * kTile;

template <class T>
class Elements {
 public:
  // `become`: a type that elements are converted to first, because that changes their value.
  // Complex elements become a real type.
  Elements(aclDataType dtype, std::optional<aclDataType> become);

  int64_t bytes() const { return bytes_; }
  Element type() const { return type_; }
  // The elements are the numbers.
  bool same() const { return !become_ && type_ == kElementOf<T>; }
  // Kernels read them where they lie.
  bool direct() const {
    return same() || (!become_ && std::is_same_v<T, float> &&
                      (type_ == Element::kFp16 || type_ == Element::kBf16));
  }
  void Load(const blocks::Tile& from, T* to) const;

 private:
  int64_t bytes_;
  Element type_;
  aclDataType dtype_;
  std::optional<aclDataType> become_;
  blocks::LoadFunction load_;  // of the type that elements have, or become
};

extern template class Elements<float>;
extern template class Elements<double>;
extern template class Elements<int64_t>;

}  // namespace anyacl::reduction
