// SPDX-License-Identifier: Apache-2.0
// TensorView: where the elements of one tensor of a call lie. Plans hold views instead of tensors;
// the address comes with each run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "nnop/operands.h"

namespace anyacl {

struct TensorView {
  static constexpr int kMaxRank = 8;

  int slot = -1;  // in Bindings::data; -1: absent
  aclDataType dtype = ACL_DT_UNDEFINED;
  int64_t offset = 0;  // of the first element, in elements, as strides are
  int rank = 0;
  int64_t sizes[kMaxRank] = {};
  int64_t strides[kMaxRank] = {};

  bool given() const { return slot >= 0; }
  int64_t elements() const;
  // The elements follow each other in row-major order.
  bool IsContiguous() const;
  // Of a dimension that counts from the end if it is negative.
  int Dim(int64_t dim) const { return static_cast<int>(dim < 0 ? dim + rank : dim); }

  // Of elements of type T.
  template <class T>
  T* At(const Bindings& bindings) const {
    return reinterpret_cast<T*>(bindings.data[static_cast<size_t>(slot)]) + offset;
  }
  // Of any type; 4-bit elements begin on a byte.
  char* Address(const Bindings& bindings) const;
};

// The view of a row's tensor; one that is absent if the tensor is. Ranks are at most 8: the checks
// of shapes have passed.
TensorView ViewOf(const Operands& operands, int id);
// The member of a list.
TensorView ViewOf(const Operands& operands, int id, size_t list_index);

// The same elements, seen otherwise.
TensorView Permuted(const TensorView& view, std::span<const int64_t> order);
TensorView Sliced(const TensorView& view, int dim, int64_t begin, int64_t count, int64_t step = 1);
TensorView WithoutDim(const TensorView& view, int dim);
// Repeated along dimensions of size 1 and along new leading ones, by strides of 0; nothing if the
// shapes do not fit.
std::optional<TensorView> Broadcast(const TensorView& view, std::span<const int64_t> sizes);

// The shape that two shapes broadcast to; nothing if they do not fit.
std::optional<Dims> BroadcastShape(const Dims& a, const Dims& b);

// For views of equal sizes whose elements are visited together in any order: dimensions of size 1
// go, the order of the others becomes that of `views[0]`'s strides, the largest first, and
// neighbours that are one step in every view become one. Absent views are left alone. The rank may
// become 0.
void Coalesce(std::span<TensorView> views);
// The same without changing the order of the elements.
void CoalesceInOrder(std::span<TensorView> views);

// Steps through an n-dimensional index in row-major order.
class Counter {
 public:
  Counter(std::span<const int64_t> sizes, int64_t start);
  // To the next index; false after the last one.
  bool Next();
  int64_t operator[](int dim) const { return index_[dim]; }
  // Where the current index lies in a view of the same sizes, from its first element.
  int64_t OffsetIn(const TensorView& view) const;

 private:
  int rank_;
  int64_t sizes_[TensorView::kMaxRank];
  int64_t index_[TensorView::kMaxRank];
};

}  // namespace anyacl
