// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/left.h"

#include <algorithm>
#include <bit>

#include "ops/matmul/int4.h"
#include "runtime/parallel.h"

namespace anyacl::matmul {
namespace {

constexpr int64_t kLeftGrain = 65536;  // numbers: 2 us or more
constexpr int kShift = 8;

// Of a whole number that is exact in BF16.
uint16_t Bf16(int number) {
  return static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(number)) >> 16);
}

template <class Number, class Of>
void ConvertPairs(const TensorView& x, const Bindings& bindings, char* to, const Of& of) {
  const auto* const pairs = reinterpret_cast<const uint8_t*>(x.Address(bindings));
  auto* const numbers = reinterpret_cast<Number*>(to);
  ParallelFor(x.elements() / 2, kLeftGrain / 2, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      numbers[2 * i] = of(LowInt4(pairs[i]));
      numbers[2 * i + 1] = of(HighInt4(pairs[i]));
    }
  });
}

void Subtract(const TensorView& x, const Bindings& bindings, char* to) {
  const char* const from = x.Address(bindings);
  auto* const numbers = reinterpret_cast<uint16_t*>(to);
  const int64_t depth = x.sizes[1];
  const int64_t grain = std::max<int64_t>(1, kLeftGrain / std::max<int64_t>(1, depth));
  ParallelFor(x.sizes[0], grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const auto* const bytes = reinterpret_cast<const int8_t*>(from) + row * x.strides[0];
      for (int64_t k = 0; k < depth; ++k) {
        numbers[row * depth + k] = Bf16(bytes[k * x.strides[1]] - kShift);
      }
    }
  });
}

}  // namespace

void Convert(Left left, const TensorView& x, const Bindings& bindings, char* to) {
  switch (left) {
    case Left::kAsGiven:
      return;
    case Left::kInt8:
      return ConvertPairs<int8_t>(x, bindings, to, [](int8_t number) { return number; });
    case Left::kBf16:
      return ConvertPairs<uint16_t>(x, bindings, to, Bf16);
    case Left::kLessEight:
      return Subtract(x, bindings, to);
  }
}

}  // namespace anyacl::matmul
