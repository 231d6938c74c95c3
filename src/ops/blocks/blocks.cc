// SPDX-License-Identifier: Apache-2.0
#include "ops/blocks/blocks.h"

#include "nnop/promotion.h"

namespace anyacl::blocks {

std::optional<Element> ElementOf(aclDataType dtype) {
  switch (dtype) {
    case ACL_FLOAT:
      return Element::kFp32;
    case ACL_FLOAT16:
      return Element::kFp16;
    case ACL_BF16:
      return Element::kBf16;
    case ACL_DOUBLE:
      return Element::kFp64;
    case ACL_INT8:
      return Element::kInt8;
    case ACL_UINT8:
      return Element::kUint8;
    case ACL_INT16:
      return Element::kInt16;
    case ACL_UINT16:
      return Element::kUint16;
    case ACL_INT32:
      return Element::kInt32;
    case ACL_UINT32:
      return Element::kUint32;
    case ACL_INT64:
      return Element::kInt64;
    case ACL_UINT64:
      return Element::kUint64;
    case ACL_BOOL:
      return Element::kBool;
    default:
      return {};
  }
}

Number NumberBetween(aclDataType from, aclDataType to) {
  const Category source = CategoryOf(from);
  if (from == ACL_DOUBLE) return Number::kFp64;
  if (source == Category::kFloating) return to == ACL_DOUBLE ? Number::kFp64 : Number::kFp32;
  if (to == ACL_DOUBLE) return Number::kFp64;
  if (CategoryOf(to) == Category::kFloating) return Number::kFp32;
  const bool wide = BitsOf(from) == 64 || from == ACL_UINT32;
  return wide ? Number::kInt64 : Number::kInt32;
}

}  // namespace anyacl::blocks
