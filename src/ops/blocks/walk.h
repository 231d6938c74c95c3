// SPDX-License-Identifier: Apache-2.0
// Tensors of equal sizes as one sequence of numbers, in blocks: where kernels find a block of fp32
// numbers, and what of the tensors' elements goes through buffers. The order of the elements is
// that of the first view's strides, so the blocks depend on the views alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nnop/view.h"
#include "ops/blocks/blocks.h"

namespace anyacl::blocks {

inline constexpr int64_t kWalkBlock = 2048;

class Walk {
 public:
  // The first view is given; absent ones are left alone.
  explicit Walk(std::vector<TensorView> views) : views_(std::move(views)) {
    Coalesce(views_);
    count_ = views_[0].elements();
  }

  int64_t count() const { return count_; }
  int64_t blocks() const { return (count_ + kWalkBlock - 1) / kWalkBlock; }
  int64_t SizeOf(int64_t block) const { return std::min(kWalkBlock, count_ - block * kWalkBlock); }
  bool given(size_t view) const { return views_[view].given(); }

  // Whether one element stands for all.
  bool IsOne(size_t view) const {
    const TensorView& v = views_[view];
    return std::all_of(v.strides, v.strides + v.rank, [](int64_t stride) { return stride == 0; });
  }
  const TensorView& view(size_t view) const { return views_[view]; }

  // A block's elements where they are next to one another; else null.
  char* Dense(const Bindings& bindings, size_t view, int64_t block) const {
    const TensorView& v = views_[view];
    if (!v.given() || !v.IsContiguous()) return nullptr;
    return v.Address(bindings) + block * kWalkBlock * BytesOf(v.dtype);
  }
  // Whether Dense has all given views, and they are of one type.
  bool IsDenseOf(aclDataType dtype) const {
    return std::all_of(views_.begin(), views_.end(), [dtype](const TensorView& v) {
      return !v.given() || (v.dtype == dtype && v.IsContiguous());
    });
  }

  // A block's numbers: in memory, or brought into the buffer.
  const float* Read(const Bindings& bindings, size_t view, int64_t block, float* buffer) const {
    float* to = Target(bindings, view, block, buffer);
    if (to != buffer) return to;
    const TensorView& v = views_[view];
    const auto load = Loader(Element::kFp32, v.dtype);
    ForTiles(bindings, v, block,
             [&](const Tile& tile, int64_t before) { load(tile, buffer + before); });
    return buffer;
  }
  // Where a kernel writes them; Written then brings them from the buffer into their places.
  float* Target(const Bindings& bindings, size_t view, int64_t block, float* buffer) const {
    const TensorView& v = views_[view];
    if (v.dtype != ACL_FLOAT || !v.IsContiguous()) return buffer;
    return reinterpret_cast<float*>(v.Address(bindings)) + block * kWalkBlock;
  }
  void Written(const Bindings& bindings, size_t view, int64_t block, const float* from,
               const float* buffer) const {
    if (from != buffer) return;
    const TensorView& v = views_[view];
    const auto store = Storer(Element::kFp32, v.dtype);
    ForTiles(bindings, v, block,
             [&](const Tile& tile, int64_t before) { store(from + before, tile); });
  }

  // visit(tile, elements before it) for the tiles that make a block up.
  template <class Visit>
  static void ForTiles(const Bindings& bindings, const TensorView& v, int64_t block,
                       const Visit& visit) {
    const int64_t begin = block * kWalkBlock;
    blocks::ForTiles(v, v.Address(bindings), begin, std::min(v.elements(), begin + kWalkBlock),
                     visit);
  }

 private:
  std::vector<TensorView> views_;
  int64_t count_;
};

}  // namespace anyacl::blocks
