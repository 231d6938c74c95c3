// SPDX-License-Identifier: Apache-2.0
#include "support/numbers.h"

#include <algorithm>
#include <cmath>

namespace anyacl::test {
namespace {

template <class Bits>
void Write(Tensor& tensor, const std::vector<double>& values) {
  std::vector<Bits> all;
  for (double value : values) {
    all.push_back(static_cast<Bits>(EncodeElement(tensor.layout().dtype, value)));
  }
  tensor.Write(all);
}

template <class Bits>
std::vector<double> Read(const Tensor& tensor) {
  std::vector<double> values;
  for (Bits bits : tensor.Read<Bits>()) {
    values.push_back(DecodeElement(tensor.layout().dtype, bits));
  }
  return values;
}

}  // namespace

double AsHeld(aclDataType dtype, double value) {
  return DecodeElement(dtype, EncodeElement(dtype, value));
}

std::vector<double> AsHeld(aclDataType dtype, const std::vector<double>& values) {
  std::vector<double> held;
  for (double value : values) held.push_back(AsHeld(dtype, value));
  return held;
}

void WriteAs(Tensor& tensor, const std::vector<double>& values) {
  switch (BitsOf(tensor.layout().dtype)) {
    case 64:
      return Write<uint64_t>(tensor, values);
    case 32:
      return Write<uint32_t>(tensor, values);
    case 16:
      return Write<uint16_t>(tensor, values);
    default:
      return Write<uint8_t>(tensor, values);
  }
}

std::vector<double> ReadAs(const Tensor& tensor) {
  switch (BitsOf(tensor.layout().dtype)) {
    case 64:
      return Read<uint64_t>(tensor);
    case 32:
      return Read<uint32_t>(tensor);
    case 16:
      return Read<uint16_t>(tensor);
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
