// SPDX-License-Identifier: Apache-2.0
#include "nnop/promotion.h"

#include <algorithm>

namespace anyacl {
namespace {

// Which promotes with itself alone.
bool IsWideUnsigned(aclDataType dtype) {
  return dtype == ACL_UINT16 || dtype == ACL_UINT32 || dtype == ACL_UINT64;
}

// UINT8 and INT8 have a common type of 16 bits.
aclDataType PromoteIntegers(aclDataType a, aclDataType b) {
  if (BitsOf(a) == BitsOf(b)) return ACL_INT16;
  return BitsOf(a) > BitsOf(b) ? a : b;
}

// The two 16-bit types have no common one of 16 bits.
aclDataType PromoteFloats(aclDataType a, aclDataType b) {
  if (BitsOf(a) == BitsOf(b)) return ACL_FLOAT;
  return BitsOf(a) > BitsOf(b) ? a : b;
}

aclDataType ComplexOf(aclDataType floating) {
  switch (floating) {
    case ACL_FLOAT16:
      return ACL_COMPLEX32;
    case ACL_DOUBLE:
      return ACL_COMPLEX128;
    default:
      return ACL_COMPLEX64;
  }
}

}  // namespace

Category CategoryOf(aclDataType dtype) {
  switch (dtype) {
    case ACL_BOOL:
      return Category::kBool;
    case ACL_INT8:
    case ACL_INT16:
    case ACL_INT32:
    case ACL_INT64:
    case ACL_UINT8:
    case ACL_UINT16:
    case ACL_UINT32:
    case ACL_UINT64:
      return Category::kInteger;
    case ACL_FLOAT:
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_DOUBLE:
      return Category::kFloating;
    case ACL_COMPLEX32:
    case ACL_COMPLEX64:
    case ACL_COMPLEX128:
      return Category::kComplex;
    default:
      return Category::kNone;
  }
}

aclDataType PartOf(aclDataType dtype) {
  switch (dtype) {
    case ACL_COMPLEX32:
      return ACL_FLOAT16;
    case ACL_COMPLEX64:
      return ACL_FLOAT;
    case ACL_COMPLEX128:
      return ACL_DOUBLE;
    default:
      return dtype;
  }
}

aclDataType Promote(aclDataType a, aclDataType b) {
  if (a == b) return a;
  Category high = CategoryOf(a);
  Category low = CategoryOf(b);
  if (high == Category::kNone || low == Category::kNone) return ACL_DT_UNDEFINED;
  if (IsWideUnsigned(a) || IsWideUnsigned(b)) return ACL_DT_UNDEFINED;
  if (high < low) {
    std::swap(a, b);
    std::swap(high, low);
  }
  if (high == Category::kComplex) {
    const aclDataType other = low == Category::kComplex    ? b
                              : low == Category::kFloating ? ComplexOf(b)
                                                           : a;
    return BitsOf(other) > BitsOf(a) ? other : a;
  }
  if (high != low) return a;
  return high == Category::kInteger ? PromoteIntegers(a, b) : PromoteFloats(a, b);
}

aclDataType PromoteScalar(aclDataType tensor, aclDataType scalar) {
  const Category high = CategoryOf(scalar);
  if (high == Category::kNone || CategoryOf(tensor) == Category::kNone) return ACL_DT_UNDEFINED;
  if (high <= CategoryOf(tensor)) return tensor;
  if (high == Category::kInteger) return IsWideUnsigned(scalar) ? ACL_DT_UNDEFINED : scalar;
  if (high == Category::kFloating) return IsWideUnsigned(tensor) ? ACL_DT_UNDEFINED : ACL_FLOAT;
  return tensor == ACL_DOUBLE ? ACL_COMPLEX128 : ACL_COMPLEX64;
}

bool CanCast(aclDataType from, aclDataType to) {
  const Category source = CategoryOf(from);
  const Category target = CategoryOf(to);
  if (source == Category::kNone || target == Category::kNone) return false;
  if (source == Category::kComplex) return target == Category::kComplex;
  if (source == Category::kFloating) return target >= Category::kFloating;
  return target != Category::kBool || source == Category::kBool;
}

}  // namespace anyacl
