// SPDX-License-Identifier: Apache-2.0
// Sixteen Philox blocks at a time: lane i of the four vectors of words is block i, so what is done
// to each number is done before the words are put in order.
#include "ops/generators/kernel.h"

#include "simd/elementary.h"
#include "simd/philox_tile.h"

namespace anyacl::ANYACL_ISA {
namespace {

using generators::AffineForm;
using generators::kGroup;
using generators::Sequence;
using generators::UniformForm;

constexpr int64_t kBlocks = kGroup / 4;
static_assert(kBlocks == static_cast<int64_t>(kLanes));

// Sixteen consecutive counters from block `first` of a sequence on.
[[gnu::always_inline]] inline void Counters(const Sequence& sequence, uint64_t first,
                                            VecI32 (&counters)[4]) {
  alignas(64) static constexpr int32_t kLane[kLanes] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                        8, 9, 10, 11, 12, 13, 14, 15};
  const int rising = sequence.rises_high ? 2 : 0;
  const uint64_t fixed = sequence.rises_high ? sequence.low : sequence.high;
  const uint64_t begin = (sequence.rises_high ? sequence.high : sequence.low) + first;
  counters[2 - rising] = SetI32(static_cast<int32_t>(fixed));
  counters[3 - rising] = SetI32(static_cast<int32_t>(fixed >> 32));
  counters[rising] = Add(SetI32(static_cast<int32_t>(begin)), Load(kLane));
  counters[rising + 1] = SetI32(static_cast<int32_t>(begin >> 32));
  // The low word passes 2^32 among the lanes once in 2^28 times.
  const uint64_t last = begin + kLanes - 1;
  if (__builtin_expect(last >> 32 == begin >> 32, 1)) return;
  int32_t upper[kLanes];
  for (size_t i = 0; i < kLanes; ++i) upper[i] = static_cast<int32_t>((begin + i) >> 32);
  counters[rising + 1] = Load(upper);
}

// Calls store(i, words) for each group of 64 numbers, i of them being done.
template <class Function>
[[gnu::always_inline]] inline void ForGroups(const Sequence& sequence, int64_t first, int64_t count,
                                             const Function& store) {
  for (int64_t i = 0; i < count; i += kGroup) {
    VecI32 words[4];
    Counters(sequence, static_cast<uint64_t>(first + i) / 4, words);
    Philox(words, sequence.key);
    store(i, words);
  }
}

[[gnu::always_inline]] inline void StoreFloats(float* to, const VecF32 (&numbers)[4]) {
  const VecI32 bits[4] = {BitsOf(numbers[0]), BitsOf(numbers[1]), BitsOf(numbers[2]),
                          BitsOf(numbers[3])};
  StoreInterleaved(reinterpret_cast<int32_t*>(to), bits);
}

// The lowest bits as the fraction of a number from 1 to 2, less 1.
template <int kBits>
[[gnu::always_inline]] inline VecF32 Share(VecI32 word) {
  const VecI32 low = And(word, SetI32((1 << kBits) - 1));
  return Sub(FloatFromBits(Or(ShiftLeft<23 - kBits>(low), SetI32(0x3f800000))), SetF32(1.0f));
}
template <Element kType>
[[gnu::always_inline]] inline VecF32 Rounded(VecF32 x) {
  if constexpr (kType == Element::kFp16) {
    uint16_t bits[kLanes];
    StoreFp16(bits, x);
    return LoadFp16(bits);
  } else if constexpr (kType == Element::kBf16) {
    return FloatFromBits(ShiftLeft<16>(Bf16FromFloat(x)));
  } else {
    return x;
  }
}

inline VecF32 Floor(VecF32 x) {
  const VecF32 nearest = RoundEven(x);
  return Select(Less(x, nearest), Sub(nearest, SetF32(1.0f)), nearest);
}

void MakeWords(const Sequence& sequence, int64_t first, int64_t count, uint32_t* to) {
  auto* out = reinterpret_cast<int32_t*>(to);
  ForGroups(sequence, first, count,
            [&](int64_t i, const VecI32(&words)[4]) { StoreInterleaved(out + i, words); });
}

template <int kBits, Element kType, bool kWhole>
void MakeUniformOf(const Sequence& sequence, const UniformForm& form, int64_t first, int64_t count,
                   float* to) {
  const VecF32 range = SetF32(form.range), from = SetF32(form.from);
  const VecF32 low = SetF32(form.low), high = SetF32(form.high);
  ForGroups(sequence, first, count, [&](int64_t i, const VecI32(&words)[4]) {
    VecF32 numbers[4];
    for (int k = 0; k < 4; ++k) {
      const VecF32 scaled = Rounded<kType>(Mul(Share<kBits>(words[k]), range));
      numbers[k] = Min(high, Max(low, Add(scaled, from)));
      if constexpr (kWhole) numbers[k] = Floor(numbers[k]);
    }
    StoreFloats(to + i, numbers);
  });
}

void MakeUniform(const Sequence& sequence, const UniformForm& form, int64_t first, int64_t count,
                 float* to) {
  const auto make = form.fp16        ? MakeUniformOf<10, Element::kFp16, false>
                    : form.bits == 7 ? MakeUniformOf<7, Element::kFp32, false>
                    : form.whole     ? MakeUniformOf<23, Element::kFp32, true>
                                     : MakeUniformOf<23, Element::kFp32, false>;
  make(sequence, form, first, count, to);
}

// w as an unsigned number, rounded once: its upper half times 2^16 is exact.
[[gnu::always_inline]] inline VecF32 UnsignedToF32(VecI32 word) {
  const VecF32 upper = ToF32(ShiftRight<16>(word)), lower = ToF32(And(word, SetI32(0xffff)));
  return Add(Mul(upper, SetF32(0x1p16f)), lower);
}

void MakeUnit(const Sequence& sequence, int64_t first, int64_t count, float* to) {
  ForGroups(sequence, first, count, [&](int64_t i, const VecI32(&words)[4]) {
    VecF32 numbers[4];
    for (int k = 0; k < 4; ++k) {
      const VecF32 scaled = Mul(UnsignedToF32(words[k]), SetF32(0x1p-32f));
      numbers[k] = Add(scaled, SetF32(0x1p-33f));
    }
    StoreFloats(to + i, numbers);
  });
}

// Which words are at most `last`, compared without their signs.
[[gnu::always_inline]] inline Mask AtMost(VecI32 word, int64_t last) {
  const VecI32 sign = SetI32(INT32_MIN);
  return Not(Less(Xor(SetI32(static_cast<int32_t>(last)), sign), Xor(word, sign)));
}

void MakeBelow(const Sequence& sequence, int64_t threshold, int64_t first, int64_t count,
               float* to) {
  if (threshold <= 0) {
    const int64_t groups = (count + kGroup - 1) / kGroup;
    __builtin_memset(to, 0, static_cast<size_t>(groups * kGroup) * sizeof(float));
    return;
  }
  ForGroups(sequence, first, count, [&](int64_t i, const VecI32(&words)[4]) {
    VecF32 numbers[4];
    for (int k = 0; k < 4; ++k) {
      numbers[k] = Select(AtMost(words[k], threshold - 1), SetF32(1.0f), SetF32(0.0f));
    }
    StoreFloats(to + i, numbers);
  });
}

// Bit i goes to bit 4 i.
inline uint64_t SpreadBits(uint32_t bits) {
  uint64_t x = bits;
  x = (x | x << 24) & 0x000000ff000000ffu;
  x = (x | x << 12) & 0x000f000f000f000fu;
  x = (x | x << 6) & 0x0303030303030303u;
  return (x | x << 3) & 0x1111111111111111u;
}

void MakeMask(const Sequence& sequence, int64_t threshold, int64_t first, int64_t count,
              uint8_t* to) {
  ForGroups(sequence, first, count, [&](int64_t i, const VecI32(&words)[4]) {
    uint64_t bits = 0;
    for (int k = 0; k < 4 && threshold > 0; ++k) {
      bits |= SpreadBits(BitsOf(AtMost(words[k], threshold - 1))) << k;
    }
    // Byte by byte, for machines of either order.
    for (int k = 0; k < 8; ++k) to[i / 8 + k] = static_cast<uint8_t>(bits >> 8 * k);
  });
}

// r sin a and r cos a of the angle's fraction of a turn: exact multiples of a quarter are taken
// off.
[[gnu::always_inline]] inline void NormalPair(VecI32 radius_word, VecI32 angle_word, VecF32* sine,
                                              VecF32* cosine) {
  const VecF32 share = Max(Share<23>(radius_word), SetF32(1.0e-7f));
  const VecF32 radius = Sqrt(Mul(SetF32(-2.0f), Log(share)));
  const VecF32 quarters = Mul(Share<23>(angle_word), SetF32(4.0f));
  const VecF32 nearest = RoundEven(quarters);
  const VecF32 rest = Mul(Sub(quarters, nearest), SetF32(0x1.921fb6p+0f));
  const VecI32 quadrant = RoundToI32(nearest);
  *sine = Mul(radius, SinOfQuadrant({rest, quadrant}));
  *cosine = Mul(radius, SinOfQuadrant({rest, Add(quadrant, SetI32(1))}));
}

void MakeNormal(const Sequence& sequence, int64_t first, int64_t count, float* to) {
  ForGroups(sequence, first, count, [&](int64_t i, const VecI32(&words)[4]) {
    VecF32 numbers[4];
    NormalPair(words[0], words[1], &numbers[0], &numbers[1]);
    NormalPair(words[2], words[3], &numbers[2], &numbers[3]);
    StoreFloats(to + i, numbers);
  });
}

template <Element kType>
void AffineOf(const AffineForm& form, int64_t count, float* z) {
  VecF32 deviation = SetF32(*form.deviation), mean = SetF32(*form.mean);
  for (int64_t i = 0; i < count; i += static_cast<int64_t>(kLanes)) {
    if (form.deviation_step != 0) deviation = Load(form.deviation + i);
    if (form.mean_step != 0) mean = Load(form.mean + i);
    const VecF32 scaled = Rounded<kType>(Mul(Rounded<kType>(Load(z + i)), deviation));
    Store(z + i, Add(scaled, mean));
  }
}

void Affine(const AffineForm& form, int64_t count, float* z) {
  const auto run = form.type == Element::kFp16   ? AffineOf<Element::kFp16>
                   : form.type == Element::kBf16 ? AffineOf<Element::kBf16>
                                                 : AffineOf<Element::kFp32>;
  run(form, count, z);
}

void Drop(const float* x, const uint8_t* mask, float scale, int64_t count, float* y) {
  alignas(64) static constexpr int32_t kBit[kLanes] = {
      1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
      1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
  const VecI32 bit = Load(kBit), none = SetI32(0);
  for (int64_t i = 0; i < count; i += static_cast<int64_t>(kLanes)) {
    const VecI32 bits = SetI32(mask[i / 8] | mask[i / 8 + 1] << 8);
    const VecF32 scaled = Mul(Load(x + i), SetF32(scale));
    Store(y + i, Select(Equal(And(bits, bit), none), SetF32(0.0f), scaled));
  }
}

}  // namespace

extern constinit const generators::KernelSet kGeneratorKernels;
constinit const generators::KernelSet kGeneratorKernels = {
    .words = MakeWords,
    .uniform = MakeUniform,
    .unit = MakeUnit,
    .below = MakeBelow,
    .mask = MakeMask,
    .normal = MakeNormal,
    .affine = Affine,
    .drop = Drop,
};

}  // namespace anyacl::ANYACL_ISA
