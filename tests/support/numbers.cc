// SPDX-License-Identifier: Apache-2.0
#include "support/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace anyacl::test {
namespace {

// Calls `use` with an integer as wide as the tensor's elements, or as bytes.
template <class Use>
auto WithBits(const Tensor& tensor, const Use& use) {
  switch (BitsOf(tensor.layout().dtype)) {
    case 128:
      return use(Int128{});
    case 64:
      return use(uint64_t{});
    case 32:
      return use(uint32_t{});
    case 16:
      return use(uint16_t{});
    default:
      return use(uint8_t{});
  }
}

// What `convert` makes of every element. Every operand of every test passes here.
template <class To, class From, class Convert>
std::vector<To> Converted(const std::vector<From>& from, const Convert& convert) {
  std::vector<To> to(from.size());
  for (size_t i = 0; i < from.size(); ++i) to[i] = static_cast<To>(convert(from[i]));
  return to;
}

}  // namespace

void WriteBits(Tensor& tensor, const std::vector<Int128>& elements) {
  WithBits(tensor, [&]<class Bits>(Bits) {
    tensor.Write(Converted<Bits>(elements, [](Int128 element) { return element; }));
  });
}

std::vector<Int128> ReadBits(const Tensor& tensor) {
  return WithBits(tensor, [&]<class Bits>(Bits) {
    const std::vector<Bits> bits = tensor.Read<Bits>();
    return std::vector<Int128>(bits.begin(), bits.end());
  });
}

double AsHeld(aclDataType dtype, double value) {
  return DecodeElement(dtype, EncodeElement(dtype, value));
}

std::vector<double> AsHeld(aclDataType dtype, const std::vector<double>& values) {
  return Converted<double>(values, [dtype](double value) { return AsHeld(dtype, value); });
}

void WriteAs(Tensor& tensor, const std::vector<double>& values) {
  const aclDataType dtype = tensor.layout().dtype;
  WithBits(tensor, [&]<class Bits>(Bits) {
    tensor.Write(
        Converted<Bits>(values, [dtype](double value) { return EncodeElement(dtype, value); }));
  });
}

std::vector<double> ReadAs(const Tensor& tensor) {
  const aclDataType dtype = tensor.layout().dtype;
  return WithBits(tensor, [&]<class Bits>(Bits) {
    return Converted<double>(tensor.Read<Bits>(), [dtype](Bits bits) {
      return DecodeElement(dtype, static_cast<uint64_t>(bits));
    });
  });
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
  // By their bits: for each element, calls of libm's took longer than most oracles.
  const bool normal = std::isnormal(value);
  const int exponent =
      normal       ? static_cast<int>(std::bit_cast<uint64_t>(std::fabs(value)) >> 52) - 1023
      : value == 0 ? -1000
                   : std::ilogb(value);
  const int half = std::max(exponent - type.precision, type.lowest - 1);
  if (!normal || half < -1022) return std::ldexp(1, half);
  return std::bit_cast<double>(static_cast<uint64_t>(half + 1023) << 52);
}

}  // namespace anyacl::test
