// SPDX-License-Identifier: Apache-2.0
// What plans need to use the kernels of blocks: the element types of data types, and tiles of
// views.
#pragma once

#include <bit>
#include <optional>

#include "base/dtype.h"
#include "kernels.h"
#include "ops/blocks/kernel.h"

namespace anyacl::blocks {

// Nothing for complex numbers and the types of fewer than 8 bits.
std::optional<Element> ElementOf(aclDataType dtype);

inline int64_t BytesOf(aclDataType dtype) { return BitsOf(dtype) / 8; }

// What elements of one type are loaded as on their way to another.
Number NumberBetween(aclDataType from, aclDataType to);

inline LoadFunction Loader(Number number, Element element) {
  return anyacl::Kernels().blocks.load[static_cast<int>(number)][static_cast<int>(element)];
}
inline StoreFunction Storer(Number number, Element element) {
  return anyacl::Kernels().blocks.store[static_cast<int>(number)][static_cast<int>(element)];
}
// Of elements of 1, 2, 4, 8 or 16 bytes.
inline CopyFunction Copier(int64_t bytes) {
  return anyacl::Kernels().blocks.copy[std::countr_zero(static_cast<uint64_t>(bytes))];
}

}  // namespace anyacl::blocks
