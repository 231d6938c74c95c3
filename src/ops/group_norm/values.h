// SPDX-License-Identifier: Apache-2.0
// Elements of the operators' tensors: single ones as numbers, runs of them as contiguous memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/half_types.h"
#include "ops/blocks/blocks.h"
#include "ops/group_norm/op.h"

namespace anyacl::group_norm {

// A block of elements in a row.
struct Buffer {
  alignas(64) char memory[kBlock * 4];
};

// A tensor in a run.
class Elements {
 public:
  Elements(const TensorView& view, const Bindings& bindings)
      : view_(view),
        element_(ElementOf(view.dtype)),
        bytes_(BytesOf(element_)),
        dense_(view.IsContiguous()),
        data_(view.given() ? view.Address(bindings) : nullptr) {}

  bool dense() const { return dense_; }
  // Of a dense tensor's element.
  char* Address(int64_t index) const { return data_ + index * bytes_; }

  float At(int64_t index) const { return FloatAt(element_, data_, view_.OffsetOf(index)); }
  // Rounded to nearest even, once.
  void Set(int64_t index, double value) const {
    const int64_t at = view_.OffsetOf(index);
    if (element_ == Element::kFp32) {
      reinterpret_cast<float*>(data_)[at] = static_cast<float>(value);
    } else {
      reinterpret_cast<uint16_t*>(data_)[at] =
          element_ == Element::kFp16 ? Fp16FromDouble(value) : Bf16FromDouble(value);
    }
  }

  // The address of elements that are dense anyway, or of a copy of them.
  const char* Load(int64_t first, int64_t count, Buffer& copy) const {
    if (dense_) return Address(first);
    ForRows(first, count, copy, [&](const blocks::Tile& there, const blocks::Tile& here) {
      blocks::Copier(bytes_)(there, here);
    });
    return copy.memory;
  }
  void Store(int64_t first, int64_t count, Buffer& from) const {
    ForRows(first, count, from, [&](const blocks::Tile& there, const blocks::Tile& here) {
      blocks::Copier(bytes_)(here, there);
    });
  }

  // As numbers, and back, rounded once.
  void LoadNumbers(int64_t first, int64_t count, float* to) const {
    const auto load = blocks::Loader(Element::kFp32, view_.dtype);
    blocks::ForTiles(view_, data_, first, first + count,
                     [&](const blocks::Tile& tile, int64_t done) { load(tile, to + done); });
  }
  void StoreNumbers(int64_t first, int64_t count, const float* from) const {
    const auto store = blocks::Storer(Element::kFp32, view_.dtype);
    blocks::ForTiles(view_, data_, first, first + count,
                     [&](const blocks::Tile& tile, int64_t done) { store(from + done, tile); });
  }

 private:
  // f(tile of the tensor, tile of the buffer)
  template <class Function>
  void ForRows(int64_t first, int64_t count, Buffer& buffer, const Function& f) const {
    blocks::ForTiles(
        view_, data_, first, first + count, [&](const blocks::Tile& tile, int64_t done) {
          f(tile, {buffer.memory + done * bytes_, tile.rows, tile.cols, tile.cols, 1, false});
        });
  }

  const TensorView& view_;
  const Element element_;
  const int64_t bytes_;
  const bool dense_;
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
