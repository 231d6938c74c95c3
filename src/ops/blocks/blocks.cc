// SPDX-License-Identifier: Apache-2.0
#include "ops/blocks/blocks.h"

namespace anyacl::blocks {

Element NumberOf(Element element) {
  switch (element) {
    case Element::kFp64:
      return Element::kFp64;
    case Element::kFp32:
    case Element::kFp16:
    case Element::kBf16:
      return Element::kFp32;
    case Element::kInt64:
    case Element::kUint64:
    case Element::kUint32:
      return Element::kInt64;
    default:
      return Element::kInt32;
  }
}

Element NumberBetween(aclDataType from, aclDataType to) {
  const Element source = NumberOf(ElementOf(from)), target = NumberOf(ElementOf(to));
  for (Element floating : {Element::kFp64, Element::kFp32}) {
    if (source == floating || target == floating) return floating;
  }
  return source;
}

}  // namespace anyacl::blocks
