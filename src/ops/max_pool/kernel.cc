// SPDX-License-Identifier: Apache-2.0
#include "ops/max_pool/kernel.h"

#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

using max_pool::LargestArgs;

// Lanes where a step of taps changes nothing are those that are not larger and no NaN.
void Largest(const LargestArgs& args) {
  for (int64_t j = 0; j < args.count; j += static_cast<int64_t>(kLanes)) {
    VecF32 value = Load(args.from + args.offsets[0] + j);
    VecI32 tap = SetI32(0);
    for (int64_t t = 1; t < args.taps; ++t) {
      const VecF32 x = Load(args.from + args.offsets[t] + j);
      const Mask wins = Or(Less(value, x), Not(Equal(x, x)));
      value = Select(wins, x, value);
      tap = Select(wins, SetI32(static_cast<int32_t>(t)), tap);
    }
    Store(args.values + j, value);
    Store(args.largest + j, tap);
  }
}

alignas(64) constexpr int32_t kLaneBits[] = {1,       1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                             1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                             1 << 12, 1 << 13, 1 << 14, 1 << 15};

void AddMarked(const char* bits, int64_t first, int64_t count, const float* numbers, float* sums) {
  const VecI32 lane_bits = Load(kLaneBits);
  for (int64_t j = 0; j < count; j += static_cast<int64_t>(kLanes)) {
    uint32_t word;
    __builtin_memcpy(&word, bits + (first + j) / 8, sizeof word);
    word >>= (first + j) % 8;
    if (count - j < 16) word &= (1u << (count - j)) - 1;
    const VecI32 marks = And(SetI32(static_cast<int32_t>(word)), lane_bits);
    const VecF32 sum = Load(sums + j);
    Store(sums + j, Select(Equal(marks, lane_bits), Add(sum, Load(numbers + j)), sum));
  }
}

void Interleave(const float* from, int64_t phases, int64_t pitch, int64_t count, float* to) {
  if (phases == 2) {
    const float* const odd = from + pitch;
    for (int64_t k = 0; k < count / 2; ++k) {
      to[2 * k] = from[k];
      to[2 * k + 1] = odd[k];
    }
    if (count % 2 != 0) to[count - 1] = from[count / 2];
    return;
  }
  for (int64_t f = 0; f < phases; ++f) {
    for (int64_t k = 0; k * phases + f < count; ++k) to[k * phases + f] = from[f * pitch + k];
  }
}

bool Exceeds(const float* numbers, int64_t count, float limit) {
  bool found = false;
  for (int64_t i = 0; i < count; ++i) found |= !(numbers[i] <= limit);
  return found;
}

}  // namespace

extern constinit const max_pool::KernelSet kMaxPoolKernels;
constinit const max_pool::KernelSet kMaxPoolKernels = {
    .largest = Largest, .add_marked = AddMarked, .interleave = Interleave, .exceeds = Exceeds};

}  // namespace anyacl::ANYACL_ISA
