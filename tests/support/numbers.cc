// SPDX-License-Identifier: Apache-2.0
#include "support/numbers.h"

#include <algorithm>
#include <cmath>

#include "support/half.h"

namespace anyacl::test {
namespace {

template <class T>
std::vector<T> Converted(const std::vector<double>& values) {
  return std::vector<T>(values.begin(), values.end());
}

template <class T>
std::vector<double> Read(const Tensor& tensor) {
  const std::vector<T> values = tensor.Read<T>();
  return std::vector<double>(values.begin(), values.end());
}

}  // namespace

double AsHeld(aclDataType dtype, double value) {
  switch (dtype) {
    case ACL_DOUBLE:
      return value;
    case ACL_FLOAT:
      return static_cast<float>(value);
    case ACL_FLOAT16:
      return DecodeFp16(EncodeFp16(static_cast<float>(value)));
    case ACL_BF16:
      return DecodeBf16(EncodeBf16(static_cast<float>(value)));
    case ACL_BOOL:
      return value != 0;
    case ACL_UINT8:
      return static_cast<uint8_t>(static_cast<int64_t>(value));
    default:
      return std::trunc(value);
  }
}

std::vector<double> AsHeld(aclDataType dtype, const std::vector<double>& values) {
  std::vector<double> held;
  for (double value : values) held.push_back(AsHeld(dtype, value));
  return held;
}

void WriteAs(Tensor& tensor, const std::vector<double>& values) {
  std::vector<uint16_t> halves;
  switch (tensor.layout().dtype) {
    case ACL_DOUBLE:
      return tensor.Write(values);
    case ACL_FLOAT:
      return tensor.Write(Converted<float>(values));
    case ACL_INT64:
      return tensor.Write(Converted<int64_t>(values));
    case ACL_INT32:
      return tensor.Write(Converted<int32_t>(values));
    case ACL_INT16:
      return tensor.Write(Converted<int16_t>(values));
    case ACL_INT8:
      return tensor.Write(Converted<int8_t>(values));
    case ACL_FLOAT16:
    case ACL_BF16:
      for (double value : values) {
        const auto f = static_cast<float>(value);
        halves.push_back(tensor.layout().dtype == ACL_BF16 ? EncodeBf16(f) : EncodeFp16(f));
      }
      return tensor.Write(halves);
    default: {
      std::vector<uint8_t> bytes;
      for (double value : AsHeld(tensor.layout().dtype, values)) {
        bytes.push_back(static_cast<uint8_t>(value));
      }
      return tensor.Write(bytes);
    }
  }
}

std::vector<double> ReadAs(const Tensor& tensor) {
  std::vector<double> values;
  switch (tensor.layout().dtype) {
    case ACL_DOUBLE:
      return tensor.Read<double>();
    case ACL_FLOAT:
      return Read<float>(tensor);
    case ACL_INT64:
      return Read<int64_t>(tensor);
    case ACL_INT32:
      return Read<int32_t>(tensor);
    case ACL_INT16:
      return Read<int16_t>(tensor);
    case ACL_INT8:
      return Read<int8_t>(tensor);
    case ACL_FLOAT16:
      for (uint16_t bits : tensor.Read<uint16_t>()) values.push_back(DecodeFp16(bits));
      return values;
    case ACL_BF16:
      for (uint16_t bits : tensor.Read<uint16_t>()) values.push_back(DecodeBf16(bits));
      return values;
    default:
      return Read<uint8_t>(tensor);
  }
}

double HalfUnitOf(aclDataType dtype, double value) {
  struct Type {
    int precision, lowest;
  };
  const Type type = dtype == ACL_DOUBLE    ? Type{53, -1074}
                    : dtype == ACL_FLOAT   ? Type{24, -149}
                    : dtype == ACL_FLOAT16 ? Type{11, -24}
                    : dtype == ACL_BF16    ? Type{8, -133}
                                           : Type{0, 0};
  if (type.precision == 0) return 0;
  const int exponent = value == 0 ? -1000 : std::ilogb(value);
  return std::ldexp(0.5, std::max(exponent - type.precision + 1, type.lowest));
}

}  // namespace anyacl::test
