// SPDX-License-Identifier: Apache-2.0
// Data types and formats: sizes, names, sets.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "acl/acl_base.h"

namespace anyacl {

// Bits of one element; 4 for the packed 4-bit types, 0 for types without a size.
int BitsOf(aclDataType dtype);

// "FLOAT16"; "dtype 99" for a value that names no type.
std::string NameOf(aclDataType dtype);
std::string NameOf(aclFormat format);

// Formats that only name the axes of a plain row-major tensor (ND, NCHW, NCL, ...), as against
// blocked ones (FRACTAL_NZ, NC1HWC0, ...), whose elements lie in another order.
bool IsPlainFormat(aclFormat format);

// A set of data types, for check tables.
class DTypeSet {
 public:
  constexpr DTypeSet(std::initializer_list<aclDataType> dtypes) {
    for (aclDataType dtype : dtypes) mask_ |= Bit(dtype);
  }
  constexpr bool Contains(aclDataType dtype) const {
    const auto number = static_cast<int>(dtype);  // the client's: any
    return number >= 0 && number < 64 && (mask_ & Bit(dtype)) != 0;
  }
  // "FLOAT16 or BF16"
  std::string ToString(std::string_view last_separator = " or ") const;

 private:
  static constexpr uint64_t Bit(aclDataType dtype) { return uint64_t{1} << dtype; }
  uint64_t mask_ = 0;
};

}  // namespace anyacl
