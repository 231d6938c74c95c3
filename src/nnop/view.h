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

  // Of the first element; 4-bit elements begin on a byte.
  char* Address(const Bindings& bindings) const;
};

// Of a stride; that of a dimension with one entry may be any number, -2^63 too.
constexpr uint64_t Magnitude(int64_t stride) {
  return stride < 0 ? ~static_cast<uint64_t>(stride) + 1 : static_cast<uint64_t>(stride);
}

// The view of a row's tensor; one that is absent if the tensor is. Ranks are at most 8: the checks
// of shapes have passed.
TensorView ViewOf(const Operands& operands, int id);
// The member of a list.
TensorView ViewOf(const Operands& operands, int id, size_t list_index);

// The same elements, seen otherwise.
TensorView Permuted(const TensorView& view, std::span<const int64_t> order);
TensorView Sliced(const TensorView& view, int dim, int64_t begin, int64_t count, int64_t step = 1);
// Of complex elements the real parts; each imaginary part lies one element behind. Of others the
// elements themselves.
TensorView RealParts(const TensorView& view);
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

}  // namespace anyacl
