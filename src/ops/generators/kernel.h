// SPDX-License-Identifier: Apache-2.0
// The contract of the random kernels. Element i of a tensor takes word w(i) = word i % 4 of the
// Philox block i / 4 of a sequence; nothing else decides on it, neither threads nor portions.
// Kernels make the numbers `first` to first + count - 1, `first` being a multiple of kGroup, and
// write whole groups: `to` has room for count rounded up to a multiple of kGroup. With
// Share(w) = the lowest `bits` bits of w, times 2^-bits:
// clang-format off
//   words      to[i] = w
//   uniform    to[i] = min(max(low, Share(w) * range + from), high), each operation rounded to
//              fp32; with `fp16` the product to fp16, with `whole` the result to the integer below
//   unit       to[i] = (w + 1/2) * 2^-32 in fp32: w rounded, the product exact, the sum rounded
//   below      to[i] = w < threshold ? 1 : 0
//   mask       bit i % 8 of to[i / 8] = w < threshold; whole groups of bits
//   normal     r = sqrt(-2 ln max(Share(w(i)), 1e-7)), a = 2 pi Share(w(i + 1)) for even i,
//              23 bits each: to[i] = r sin a, to[i + 1] = r cos a, to 2^-21 (1 + |to|)
// clang-format on
// Besides, on numbers:
//   affine     z[i] = R(R(z[i]) * deviation[i]) + mean[i], R rounding to fp16 or bf16,
//              or to nothing narrower (kFp32)
//   drop       y[i] = bit i % 8 of mask[i / 8] ? x[i] * scale : 0
// The same bits on every tier.
#pragma once

#include <stdint.h>

#include "base/element.h"

namespace anyacl::generators {

inline constexpr int64_t kGroup = 64;

// Block b has the counter high * 2^64 + low, with b added to one of the halves.
struct Sequence {
  uint64_t key;
  uint64_t low;
  uint64_t high;
  bool rises_high;
};

struct UniformForm {
  int bits;  // 7, 10 or 23
  float range;
  float from;
  float low;
  float high;
  bool fp16;
  bool whole;
};

// A step of 0 repeats one number for all.
struct AffineForm {
  const float* deviation;
  int64_t deviation_step;
  const float* mean;
  int64_t mean_step;
  Element type;
};

struct KernelSet {
  void (*words)(const Sequence& sequence, int64_t first, int64_t count, uint32_t* to);
  void (*uniform)(const Sequence& sequence, const UniformForm& form, int64_t first, int64_t count,
                  float* to);
  void (*unit)(const Sequence& sequence, int64_t first, int64_t count, float* to);
  // threshold: 0 to 2^32
  void (*below)(const Sequence& sequence, int64_t threshold, int64_t first, int64_t count,
                float* to);
  void (*mask)(const Sequence& sequence, int64_t threshold, int64_t first, int64_t count,
               uint8_t* to);
  void (*normal)(const Sequence& sequence, int64_t first, int64_t count, float* to);
  // z and arrays with a step of 1 have room for count rounded up to a multiple of 16.
  void (*affine)(const AffineForm& form, int64_t count, float* z);
  // x and y have room for count rounded up to a multiple of 16, mask for as many bits.
  void (*drop)(const float* x, const uint8_t* mask, float scale, int64_t count, float* y);
};

}  // namespace anyacl::generators

#ifdef ANYACL_ISA
namespace anyacl::ANYACL_ISA {

extern const generators::KernelSet kGeneratorKernels;

}  // namespace anyacl::ANYACL_ISA
#endif
