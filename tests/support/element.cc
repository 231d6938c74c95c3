// SPDX-License-Identifier: Apache-2.0
#include "support/element.h"

#include <bit>
#include <cstring>

#include "support/half.h"

namespace anyacl::test {

int BitsOf(aclDataType dtype) {
  switch (dtype) {
    case ACL_INT4:
      return 4;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 16;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 32;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64:
      return 64;
    case ACL_COMPLEX128:
      return 128;
    default:
      return 8;
  }
}

uint64_t EncodeElement(aclDataType dtype, double value) {
  switch (dtype) {
    case ACL_DOUBLE:
      return std::bit_cast<uint64_t>(value);
    case ACL_FLOAT:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    case ACL_FLOAT16:
      return EncodeFp16(static_cast<float>(value));
    case ACL_BF16:
      return EncodeBf16(static_cast<float>(value));
    case ACL_BOOL:
      return value != 0;
    case ACL_UINT64:
      return static_cast<uint64_t>(value);
    default:
      // INT64_MAX is 2^63 as a double.
      return value >= 0x1p63 ? uint64_t{INT64_MAX}
                             : static_cast<uint64_t>(static_cast<int64_t>(value));
  }
}

double DecodeElement(aclDataType dtype, uint64_t bits) {
  switch (dtype) {
    case ACL_DOUBLE:
      return std::bit_cast<double>(bits);
    case ACL_FLOAT:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    case ACL_FLOAT16:
      return DecodeFp16(static_cast<uint16_t>(bits));
    case ACL_BF16:
      return DecodeBf16(static_cast<uint16_t>(bits));
    case ACL_INT64:
      return static_cast<double>(static_cast<int64_t>(bits));
    case ACL_INT32:
      return static_cast<int32_t>(bits);
    case ACL_INT16:
      return static_cast<int16_t>(bits);
    case ACL_INT8:
      return static_cast<int8_t>(bits);
    case ACL_UINT64:
      return static_cast<double>(bits);
    case ACL_UINT32:
      return static_cast<uint32_t>(bits);
    case ACL_UINT16:
      return static_cast<uint16_t>(bits);
    default:
      return static_cast<uint8_t>(bits);
  }
}

// The lowest byte comes first on every machine that tests run on.
void StoreElement(aclDataType dtype, double value, void* memory, int64_t index) {
  const uint64_t bits = EncodeElement(dtype, value);
  const int64_t size = BitsOf(dtype) / 8;
  std::memcpy(static_cast<char*>(memory) + index * size, &bits, static_cast<size_t>(size));
}

double LoadElement(aclDataType dtype, const void* memory, int64_t index) {
  uint64_t bits = 0;
  const int64_t size = BitsOf(dtype) / 8;
  std::memcpy(&bits, static_cast<const char*>(memory) + index * size, static_cast<size_t>(size));
  return DecodeElement(dtype, bits);
}

}  // namespace anyacl::test
