// SPDX-License-Identifier: Apache-2.0
#include "ops/blocks/blocks.h"

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

}  // namespace anyacl::blocks
