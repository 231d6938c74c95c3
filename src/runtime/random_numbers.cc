// SPDX-License-Identifier: Apache-2.0
#include "runtime/random_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <type_traits>

#include "base/dtype.h"
#include "base/half.h"
#include "base/philox.h"
#include "base/wide.h"
#include "runtime/parallel.h"

namespace anyacl {
namespace {

// 4,096 numbers are 20 us of work and more.
constexpr int64_t kGrain = 4096;

PhiloxBlock Block(const RandomNumbers& numbers, uint64_t index) {
  const uint64_t low = numbers.counter_low + index;
  return Philox(low, numbers.counter_high + (low < index ? 1 : 0), numbers.seed);
}

// A floating-point type by its bits.
struct Fp32 {
  using Bits = uint32_t;
  static double ToDouble(Bits bits) { return __builtin_bit_cast(float, bits); }
  static Bits FromDouble(double value) {
    return __builtin_bit_cast(Bits, static_cast<float>(value));
  }
};
struct Fp16Numbers {
  using Bits = uint16_t;
  static double ToDouble(Bits bits) { return FloatFromFp16(bits); }
  static Bits FromDouble(double value) { return Fp16FromDouble(value); }
};
struct Bf16Numbers {
  using Bits = uint16_t;
  static double ToDouble(Bits bits) { return FloatFromBf16(bits); }
  static Bits FromDouble(double value) { return Bf16FromDouble(value); }
};

// The next number towards minus infinity.
template <class Type>
typename Type::Bits Below(typename Type::Bits bits) {
  using Bits = typename Type::Bits;
  constexpr auto kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  if ((bits & kSign) != 0) return static_cast<Bits>(bits + 1);
  return bits == 0 ? static_cast<Bits>(kSign | 1) : static_cast<Bits>(bits - 1);
}

double ToDouble(aclDataType type, uint64_t bits) {
  switch (type) {
    case ACL_FLOAT16:
      return Fp16Numbers::ToDouble(static_cast<uint16_t>(bits));
    case ACL_BF16:
      return Bf16Numbers::ToDouble(static_cast<uint16_t>(bits));
    default:
      return Fp32::ToDouble(static_cast<uint32_t>(bits));
  }
}

// Calls store(block, i, count) for every kPerBlock-th number i.
template <int64_t kPerBlock, class Store>
void ForBlocks(const RandomNumbers& numbers, const Store& store) {
  static_assert(kGrain % kPerBlock == 0);
  ParallelFor(static_cast<int64_t>(numbers.count), kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i += kPerBlock) {
      store(Block(numbers, static_cast<uint64_t>(i / kPerBlock)), i, std::min(kPerBlock, end - i));
    }
  });
}

void GenerateMask(const RandomNumbers& numbers, void* result) {
  auto* bytes = static_cast<uint8_t*>(result);
  const double ratio = ToDouble(numbers.type, numbers.first);
  const auto threshold = static_cast<uint64_t>(std::ceil(ratio * 0x1p32));
  const auto count = static_cast<int64_t>(numbers.Bytes());
  ParallelFor(count, kGrain / 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      uint32_t byte = 0;
      for (uint32_t half = 0; half < 2; ++half) {
        const PhiloxBlock block = Block(numbers, 2 * static_cast<uint64_t>(i) + half);
        for (uint32_t k = 0; k < 4; ++k) {
          byte |= uint32_t{block.words[k] < threshold} << (4 * half + k);
        }
      }
      const uint64_t left = numbers.count - 8 * static_cast<uint64_t>(i);
      if (left < 8) byte &= (1u << left) - 1;
      bytes[i] = static_cast<uint8_t>(byte);
    }
  });
}

template <class Integer>
void GenerateIntegers(const RandomNumbers& numbers, void* result) {
  auto* out = static_cast<Integer*>(result);
  const auto min = static_cast<Integer>(numbers.first);
  const auto max = static_cast<Integer>(numbers.second);
  // Sign-extended first, so that the difference is right modulo 2^64.
  const uint64_t range = static_cast<uint64_t>(max) - static_cast<uint64_t>(min);
  constexpr int64_t kPerBlock = sizeof(Integer) == 4 ? 2 : 1;
  ForBlocks<kPerBlock>(numbers, [&](const PhiloxBlock& block, int64_t i, int64_t count) {
    const uint64_t parts[2] = {block.words[0] | uint64_t{block.words[1]} << 32,
                               block.words[2] | uint64_t{block.words[3]} << 32};
    for (int64_t k = 0; k < count; ++k) {
      uint64_t offset = 0;  // random bits times range, whole part
      if constexpr (kPerBlock == 2) {
        offset = static_cast<uint64_t>(UInt128{parts[k]} * range >> 64);
      } else {
        const auto carry = static_cast<uint64_t>(UInt128{parts[0]} * range >> 64);
        offset = static_cast<uint64_t>((UInt128{parts[1]} * range + carry) >> 64);
      }
      out[i + k] = static_cast<Integer>(static_cast<uint64_t>(min) + offset);
    }
  });
}

template <class Type>
void GenerateUniform(const RandomNumbers& numbers, void* result) {
  using Bits = typename Type::Bits;
  auto* out = static_cast<Bits*>(result);
  const auto max_bits = static_cast<Bits>(numbers.second);
  const double min = Type::ToDouble(static_cast<Bits>(numbers.first));
  const double max = Type::ToDouble(max_bits);
  ForBlocks<4>(numbers, [&](const PhiloxBlock& block, int64_t i, int64_t count) {
    for (int64_t k = 0; k < count; ++k) {
      const double value = min + block.words[k] * 0x1p-32 * (max - min);
      Bits bits = Type::FromDouble(value);
      // Rounded down, so that every number stands for an interval of the same length and max for
      // none; the double itself may have been rounded to max.
      if (Type::ToDouble(bits) > value) bits = Below<Type>(bits);
      if (Type::ToDouble(bits) >= max && min < max) bits = Below<Type>(max_bits);
      out[i + k] = bits;
    }
  });
}

void NormalPair(uint32_t first, uint32_t second, double* pair) {
  const double radius = std::sqrt(-2.0 * std::log((first + 1.0) * 0x1p-32));
  const double angle = 2.0 * std::numbers::pi * (second * 0x1p-32);
  pair[0] = radius * std::cos(angle);
  pair[1] = radius * std::sin(angle);
}

// The inverse of the error function for |x| <= erf(sqrt(2)) = 0.954: Giles' approximation (2010),
// good to 2^-20, and a step of Newton's.
double InverseErf(double x) {
  const double w = -std::log((1.0 - x) * (1.0 + x)) - 2.5;
  constexpr double kCoefficients[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                      -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                      -0.00417768164,  0.246640727,    1.50140941};
  double p = 0.0;
  for (double coefficient : kCoefficients) p = p * w + coefficient;
  const double y = p * x;
  const double slope = 2.0 * std::numbers::inv_sqrtpi * std::exp(-y * y);
  return y - (std::erf(y) - x) / slope;
}

template <class Type>
void GenerateNormal(const RandomNumbers& numbers, void* result) {
  using Bits = typename Type::Bits;
  auto* out = static_cast<Bits*>(result);
  const double mean = Type::ToDouble(static_cast<Bits>(numbers.first));
  const double deviation = Type::ToDouble(static_cast<Bits>(numbers.second));
  const bool truncated = numbers.function == ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS;
  const double within = std::erf(std::numbers::sqrt2);  // the share within two deviations
  ForBlocks<4>(numbers, [&](const PhiloxBlock& block, int64_t i, int64_t count) {
    double z[4];
    if (truncated) {
      for (size_t k = 0; k < 4; ++k) {
        const double x = ((block.words[k] + 0.5) * 0x1p-31 - 1.0) * within;
        z[k] = std::numbers::sqrt2 * InverseErf(x);
      }
    } else {
      NormalPair(block.words[0], block.words[1], z);
      NormalPair(block.words[2], block.words[3], z + 2);
    }
    for (int64_t k = 0; k < count; ++k) out[i + k] = Type::FromDouble(mean + deviation * z[k]);
  });
}

template <class Type>
void GenerateFloats(const RandomNumbers& numbers, void* result) {
  if (numbers.function == ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS) {
    GenerateUniform<Type>(numbers, result);
  } else {
    GenerateNormal<Type>(numbers, result);
  }
}

constexpr DTypeSet kFloats{ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr DTypeSet kIntegers{ACL_INT32, ACL_UINT32, ACL_INT64, ACL_UINT64};

// Whether min <= max in the integers of the type.
bool InOrder(aclDataType type, uint64_t min, uint64_t max) {
  switch (type) {
    case ACL_INT32:
      return static_cast<int32_t>(min) <= static_cast<int32_t>(max);
    case ACL_UINT32:
      return static_cast<uint32_t>(min) <= static_cast<uint32_t>(max);
    case ACL_INT64:
      return static_cast<int64_t>(min) <= static_cast<int64_t>(max);
    default:
      return min <= max;
  }
}

}  // namespace

Status RandomNumbers::CheckType() const {
  const int number = static_cast<int>(function);
  if (number < ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK ||
      number > ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "funcType is {}, expected 0..3", number);
  }
  const bool uniform = function == ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
  if (!kFloats.Contains(type) && !kIntegers.Contains(type)) {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "dataType is {}, expected FLOAT, FLOAT16, BF16, INT32, UINT32, INT64 or UINT64",
                NameOf(type));
  }
  if (uniform || kFloats.Contains(type)) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID,
              "dataType is {}, expected FLOAT, FLOAT16 or BF16 for funcType {}", NameOf(type),
              number);
}

Status RandomNumbers::CheckParameters() const {
  if (kIntegers.Contains(type)) {
    if (InOrder(type, first, second)) return {};
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "min is greater than max ({:#x} and {:#x}, of {})",
                first, second, NameOf(type));
  }
  const double a = ToDouble(type, first);
  const double b = ToDouble(type, second);
  switch (function) {
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
      if (a >= 0.0 && a <= 1.0) return {};
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "dropoutRation is {}, expected 0..1", a);
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
      if (std::isfinite(a) && std::isfinite(b) && a <= b) return {};
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "min is {} and max is {}, expected finite numbers and min <= max", a, b);
    default:
      if (std::isfinite(a) && std::isfinite(b) && b >= 0.0) return {};
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "mean is {} and stddev is {}, expected finite numbers and stddev >= 0", a, b);
  }
}

uint64_t RandomNumbers::Bytes() const {
  if (function == ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK) {
    return count / 8 + (count % 8 != 0 ? 1 : 0);
  }
  const auto size = static_cast<uint64_t>(BitsOf(type) / 8);
  // More than memory can have, rather than a product that wrapped around.
  return count > std::numeric_limits<uint64_t>::max() / size ? std::numeric_limits<uint64_t>::max()
                                                             : count * size;
}

void RandomNumbers::Generate(void* result) const {
  if (function == ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK) return GenerateMask(*this, result);
  switch (type) {
    case ACL_FLOAT16:
      return GenerateFloats<Fp16Numbers>(*this, result);
    case ACL_BF16:
      return GenerateFloats<Bf16Numbers>(*this, result);
    case ACL_FLOAT:
      return GenerateFloats<Fp32>(*this, result);
    case ACL_INT32:
      return GenerateIntegers<int32_t>(*this, result);
    case ACL_UINT32:
      return GenerateIntegers<uint32_t>(*this, result);
    case ACL_INT64:
      return GenerateIntegers<int64_t>(*this, result);
    default:
      return GenerateIntegers<uint64_t>(*this, result);
  }
}

}  // namespace anyacl
