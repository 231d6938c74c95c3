// SPDX-License-Identifier: Apache-2.0
// Tiles of fp32 sums: how large they are, and their inner operations. A row's operand is broadcast
// from memory, for all columns of a vector, or once for all vectors of the row
// (kFloatTileKeepsRows) where two units add but no more than two operands come from memory in a
// cycle.
//   FmaBroadcast(sum, b, a)      sum[i] + *a * b[i] rounded once; the same bits on every tier
//   DotBf16Broadcast(sum, b, a)  DotBf16 with the pair at a in every lane
#pragma once

#include "simd/dot_tile.h"

namespace anyacl::ANYACL_ISA {

#if defined(__AVX512BW__)

// 24 registers of sums.
#if defined(__AMX_TILE__)
inline constexpr int kFloatTileRows = 8;
inline constexpr int kFloatTileVectors = 3;
inline constexpr bool kFloatTileKeepsRows = true;
#else
inline constexpr int kFloatTileRows = 12;
inline constexpr int kFloatTileVectors = 2;
inline constexpr bool kFloatTileKeepsRows = false;
#endif

// Assembler: GCC 12 would broadcast into registers that the sums need.
inline VecF32 FmaBroadcast(VecF32 sum, VecF32 b, const void* a) {
  typedef float Value __attribute__((may_alias));
  asm("vfmadd231ps %2%{1to16%}, %1, %0"
      : "+v"(sum.raw)
      : "v"(b.raw), "m"(*static_cast<const Value*>(a)));
  return sum;
}

#else

#if defined(__AVX2__)
inline constexpr int kFloatTileRows = 6;  // 12 of 16 registers
#elif defined(__aarch64__)
inline constexpr int kFloatTileRows = 6;  // 24 of 32
#else
inline constexpr int kFloatTileRows = 3;  // 12 of 16
#endif
inline constexpr int kFloatTileVectors = 1;
inline constexpr bool kFloatTileKeepsRows = false;

inline VecF32 FmaBroadcast(VecF32 sum, VecF32 b, const void* a) {
  float value;
  __builtin_memcpy(&value, a, sizeof(value));
  return Fma(SetF32(value), b, sum);
}

#endif

// Assembler for the same reason.
inline VecF32 FmaTile(VecF32 sum, VecF32 b, VecF32 a) {
#if defined(__AVX512BW__)
  asm("vfmadd231ps %2, %1, %0" : "+v"(sum.raw) : "v"(b.raw), "v"(a.raw));
  return sum;
#else
  return Fma(a, b, sum);
#endif
}

inline VecF32 DotBf16Broadcast(VecF32 sum, VecI16 b, const void* a) {
  typedef int32_t Pair __attribute__((may_alias));
#if defined(__AVX512BF16__)
  asm("vdpbf16ps %2%{1to16%}, %1, %0"
      : "+v"(sum.raw)
      : "v"(b.raw), "m"(*static_cast<const Pair*>(a)));
  return sum;
#else
  return DotBf16(sum, b, __builtin_bit_cast(VecI16, SetI32(*static_cast<const Pair*>(a))));
#endif
}

}  // namespace anyacl::ANYACL_ISA
