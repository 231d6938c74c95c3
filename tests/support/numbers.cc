// SPDX-License-Identifier: Apache-2.0
#include "support/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace anyacl::test {
namespace {

template <class Bits>
void WriteLowest(Tensor& tensor, const std::vector<Int128>& elements) {
  std::vector<Bits> bits;
  for (Int128 element : elements) bits.push_back(static_cast<Bits>(element));
  tensor.Write(bits);
}

template <class Bits>
std::vector<Int128> ReadWidened(const Tensor& tensor) {
  const std::vector<Bits> bits = tensor.Read<Bits>();
  return {bits.begin(), bits.end()};
}

}  // namespace

void WriteBits(Tensor& tensor, const std::vector<Int128>& elements) {
  switch (BitsOf(tensor.layout().dtype)) {
    case 128:
      return tensor.Write(elements);
    case 64:
      return WriteLowest<uint64_t>(tensor, elements);
    case 32:
      return WriteLowest<uint32_t>(tensor, elements);
    case 16:
      return WriteLowest<uint16_t>(tensor, elements);
    default:
      return WriteLowest<uint8_t>(tensor, elements);
  }
}

std::vector<Int128> ReadBits(const Tensor& tensor) {
  switch (BitsOf(tensor.layout().dtype)) {
    case 128:
      return tensor.Read<Int128>();
    case 64:
      return ReadWidened<uint64_t>(tensor);
    case 32:
      return ReadWidened<uint32_t>(tensor);
    case 16:
      return ReadWidened<uint16_t>(tensor);
    default:
      return ReadWidened<uint8_t>(tensor);
  }
}

double AsHeld(aclDataType dtype, double value) {
  return DecodeElement(dtype, EncodeElement(dtype, value));
}

std::vector<double> AsHeld(aclDataType dtype, const std::vector<double>& values) {
  std::vector<double> held;
  for (double value : values) held.push_back(AsHeld(dtype, value));
  return held;
}

void WriteAs(Tensor& tensor, const std::vector<double>& values) {
  std::vector<Int128> bits;
  for (double value : values) bits.push_back(EncodeElement(tensor.layout().dtype, value));
  WriteBits(tensor, bits);
}

std::vector<double> ReadAs(const Tensor& tensor) {
  std::vector<double> values;
  for (Int128 bits : ReadBits(tensor)) {
    values.push_back(DecodeElement(tensor.layout().dtype, static_cast<uint64_t>(bits)));
  }
  return values;
}

void WriteComplex(Tensor& tensor, const std::vector<std::complex<double>>& values) {
  const aclDataType dtype = tensor.layout().dtype;
  std::vector<Int128> bits;
  for (std::complex<double> value : values) {
    bits.push_back(dtype == ACL_COMPLEX128 ? std::bit_cast<Int128>(value)
                   : dtype == ACL_COMPLEX64
                       ? std::bit_cast<uint64_t>(static_cast<std::complex<float>>(value))
                       : EncodeElement(dtype, value.real()));
  }
  WriteBits(tensor, bits);
}

std::vector<std::complex<double>> ReadComplex(const Tensor& tensor) {
  const aclDataType dtype = tensor.layout().dtype;
  std::vector<std::complex<double>> values;
  for (Int128 bits : ReadBits(tensor)) {
    const auto low = static_cast<uint64_t>(bits);
    if (dtype == ACL_COMPLEX128) {
      values.push_back(std::bit_cast<std::complex<double>>(bits));
    } else if (dtype == ACL_COMPLEX64) {
      values.push_back(std::bit_cast<std::complex<float>>(low));
    } else {
      values.emplace_back(DecodeElement(dtype, low));
    }
  }
  return values;
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
