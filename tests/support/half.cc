// SPDX-License-Identifier: Apache-2.0
// One routine for both 16-bit formats, which differ in their number of mantissa bits only.
#include "support/half.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace anyacl::test {
namespace {

struct Format {
  int mantissa_bits;
  int min_exponent;  // Of the smallest normal number.
};

constexpr Format kFp16{.mantissa_bits = 10, .min_exponent = -14};
constexpr Format kBf16{.mantissa_bits = 7, .min_exponent = -126};

constexpr int InfinityBits(Format format) { return 0x7fff & ~((1 << format.mantissa_bits) - 1); }

// Oracles round each operand: by libm's ldexp, ilogb and nearbyint that took a seventh of their
// time. Of normal numbers of fp64, or the least exponent there is.
int ExponentOf(double magnitude) {
  return static_cast<int>(std::bit_cast<uint64_t>(magnitude) >> 52) - 1023;
}

constexpr double PowerOfTwo(int exponent) {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

template <Format kFormat>
uint16_t Encode(float value) {
  const int sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return static_cast<uint16_t>(sign | 0x7fff);
  const double magnitude = std::fabs(static_cast<double>(value));
  if (std::isinf(magnitude)) return static_cast<uint16_t>(sign | InfinityBits(kFormat));
  const int exponent = std::max(kFormat.min_exponent, ExponentOf(magnitude));
  // The significand counted in units of its last place. The implicit bit of a normal number adds
  // one to the exponent field; a subnormal one has field 0 and no such bit.
  // What lies above 2^52 is whole: the nearest, of two the even one.
  const double units = magnitude * PowerOfTwo(kFormat.mantissa_bits - exponent) + 0x1p52 - 0x1p52;
  const double bits = (exponent - kFormat.min_exponent) * PowerOfTwo(kFormat.mantissa_bits) + units;
  if (bits >= InfinityBits(kFormat)) return static_cast<uint16_t>(sign | InfinityBits(kFormat));
  return static_cast<uint16_t>(sign | static_cast<int>(bits));
}

float Decode(Format format, uint16_t bits) {
  const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
  const int magnitude = bits & 0x7fff;
  if (magnitude == InfinityBits(format)) return sign * std::numeric_limits<float>::infinity();
  if (magnitude > InfinityBits(format)) return std::numeric_limits<float>::quiet_NaN();
  const int field = magnitude >> format.mantissa_bits;
  const int fraction = magnitude & ((1 << format.mantissa_bits) - 1);
  const int units = field == 0 ? fraction : fraction + (1 << format.mantissa_bits);
  const int exponent = (field == 0 ? 0 : field - 1) + format.min_exponent;
  return sign * static_cast<float>(std::ldexp(units, exponent - format.mantissa_bits));
}

std::vector<float> DecodeAll(Format format) {
  std::vector<float> values;
  for (int bits = 0; bits <= 0xffff; ++bits)
    values.push_back(Decode(format, static_cast<uint16_t>(bits)));
  return values;
}

}  // namespace

uint16_t EncodeFp16(float value) { return Encode<kFp16>(value); }
uint16_t EncodeBf16(float value) { return Encode<kBf16>(value); }

// From tables: oracles decode more often than they multiply.
float DecodeFp16(uint16_t bits) {
  static const std::vector<float> values = DecodeAll(kFp16);
  return values[bits];
}

float DecodeBf16(uint16_t bits) {
  static const std::vector<float> values = DecodeAll(kBf16);
  return values[bits];
}

}  // namespace anyacl::test
