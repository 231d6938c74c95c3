// SPDX-License-Identifier: Apache-2.0
#include "reference/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "support/element.h"
#include "support/numbers.h"

namespace anyacl::test {
namespace {

using Counter = std::array<uint32_t, 4>;

// Philox4x32-10 as Salmon et al. 2011 define it.
Counter Philox(Counter c, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = 0xD2511F53ull * c[0], p1 = 0xCD9E8D57ull * c[2];
    c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ key[0], static_cast<uint32_t>(p1),
         static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ key[1], static_cast<uint32_t>(p0)};
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return c;
}

uint32_t WordOf(uint64_t seed, uint64_t low, uint64_t high, int64_t i) {
  const auto half = [](uint64_t x, int k) { return static_cast<uint32_t>(x >> 32 * k); };
  const Counter block = Philox({half(low, 0), half(low, 1), half(high, 0), half(high, 1)},
                               {half(seed, 0), half(seed, 1)});
  return block[static_cast<size_t>(i % 4)];
}

struct Bounds {
  double first;  // the smallest number of the type from `from` on
  double last;   // the largest below `to`
};

bool IsWhole(aclDataType dtype) {
  return dtype != ACL_FLOAT16 && dtype != ACL_BF16 && dtype != ACL_FLOAT && dtype != ACL_DOUBLE;
}

Bounds BoundsOf(aclDataType dtype, double from, double to) {
  Bounds bounds{INFINITY, -INFINITY};
  if (dtype == ACL_FLOAT16 || dtype == ACL_BF16) {
    for (int bits = 0; bits < 65536; ++bits) {
      const double x = DecodeElement(dtype, static_cast<uint64_t>(bits));
      if (x >= from) bounds.first = std::min(bounds.first, x);
      if (x < to) bounds.last = std::max(bounds.last, x);
    }
    return bounds;
  }
  if (dtype == ACL_DOUBLE) return {from, std::nextafter(to, -INFINITY)};
  auto first = static_cast<float>(from), last = static_cast<float>(to);
  if (first < from) first = std::nextafter(first, INFINITY);
  if (last >= to) last = std::nextafter(last, -INFINITY);
  return {first, last};
}

double Share(uint32_t word, int bits) {
  return static_cast<double>(word & ((1u << bits) - 1)) / (1u << bits);
}

}  // namespace

uint32_t RandomSource::Word(int64_t i) const {
  return WordOf(seed, static_cast<uint64_t>(i / 4), offset, i);
}

uint32_t RandomSource::WordRisingHigh(int64_t i) const {
  const int64_t blocks = static_cast<int64_t>(offset) / 4;
  return WordOf(seed, static_cast<uint64_t>(blocks), static_cast<uint64_t>(i / 4), i);
}

ReferenceUniform::ReferenceUniform(aclDataType dtype, double from, double to)
    : dtype_(dtype), from_(from), to_(to) {
  const Bounds bounds = BoundsOf(dtype, from, to);
  first_ = bounds.first;
  last_ = bounds.last;
}

double ReferenceUniform::operator()(const RandomSource& source, int64_t i) const {
  const bool whole = IsWhole(dtype_);
  const aclDataType number = whole ? ACL_FLOAT : dtype_;
  const double share = Share(source.Word(i), dtype_ == ACL_FLOAT16 ? 10
                                             : dtype_ == ACL_BF16  ? 7
                                                                   : 23);
  if (from_ == to_) return whole ? std::floor(from_) : AsHeld(number, from_);
  const auto held = [&](double x) { return std::min(std::max(x, first_), last_); };
  if (dtype_ == ACL_DOUBLE) return held(share * (to_ - from_) + from_);
  // In fp32, for FLOAT16 in fp16: sums and products of two such numbers are exact enough in double
  // to be rounded once.
  const aclDataType step = dtype_ == ACL_FLOAT16 ? ACL_FLOAT16 : ACL_FLOAT;
  const double begin = static_cast<float>(from_);
  const double range = AsHeld(step, static_cast<float>(static_cast<float>(to_) - begin));
  const double sum = AsHeld(step, AsHeld(step, share * range) + AsHeld(step, begin));
  const double value = AsHeld(number, held(sum));
  return whole ? std::floor(value) : value;
}

double ReferenceNormal(const RandomSource& source, int64_t i) {
  const int64_t even = i - i % 2;
  const double share = std::max(Share(source.Word(even), 23), 1e-7);
  const double radius = std::sqrt(-2.0 * std::log(share));
  const double angle = 2.0 * std::numbers::pi * Share(source.Word(even + 1), 23);
  return radius * (i % 2 == 0 ? std::sin(angle) : std::cos(angle));
}

}  // namespace anyacl::test
