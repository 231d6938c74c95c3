// SPDX-License-Identifier: Apache-2.0
// The vector layer that kernels are written against: free functions over vectors of 64 bytes, the
// same widths on every tier, so a kernel is one source and its lane structure, hence its order of
// summation, does not depend on the machine. Narrower machines hold a vector in several registers.
//
// A file that includes this is compiled once per tier (cmake/isa.cmake) and puts its code into
// namespace anyacl::ANYACL_ISA. It must not bring in functions that the compiler may emit for the
// rest of the library too: no standard containers, nothing inline outside that namespace.
//
// Types: VecF32, VecI32 (16 lanes), VecI16 (32), VecI8 (64), Mask (16).
//
// Promise: the same bits on every tier, except the sign and payload of a NaN, and except what an
// operation's comment leaves open. The rounding mode is to nearest even and denormals are kept.
// clang-format off
//   Load(p), Load(p, n)       all lanes, or the first n (n <= lanes) and zeros; p need not be aligned
//   LoadU16, LoadFp16, ...    16 elements, widened; StoreLow16, StoreFp16, StoreI8 narrow again
//   InRegister(v)             v, which the compiler must not load again for each use
//   Store(p, v), Store(p, v, n)
//   StorePastCaches(p, v)              past the caches, p aligned to 64; FencePastCaches() after the last one
//   Max(a, b)                 a > b ? a : b, so b if either is NaN; Min alike
//   MulWide(a, b)             both halves of the products of unsigned lanes
//   Fma(a, b, c)              a * b + c rounded once, on every tier (slow on base: no instruction)
//   Sqrt(a)                   rounded to nearest even
//   MulAddEither(a, b, c)     a * b + c rounded once or twice, whichever the tier is fast at: only
//                             where both lead to the same result
//   AddBeside(a, b)           a + b; where conversions occupy the machine's adders, on other units
//   RoundToI32(x)             half to even, for |x| < 2^31; other lanes: unspecified
//   Fraction(x)               x - RoundEven(x), for finite x
//   ScaleByPowerOf2(x, n)     x * 2^n rounded once, for 2^-20 <= |x| < 2^20 and whole |n| <= 200,
//                             or n = 0; NaN of a NaN, if n is one or above -171
//   ScalePositiveByPowerOf2   the same of positive x
//   PackI8(a, b, c, d)        64 lanes in order, saturated
//   PackI4(v)                 saturated to -8..7, lane 2i in the low nibble of byte i; 32 bytes
//   SwapNeighbours(v)         lanes 1, 0, 3, 2, 5, 4, ...
//   ReduceSum/Max/Min         lane i with lane i+8, then i+4, i+2, i+1
//   ReduceProduct             the same in double
// clang-format on
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifndef ANYACL_ISA
#error "ANYACL_ISA names the tier: only files of ANYACL_KERNEL_SOURCES may include simd.h"
#endif

namespace anyacl::ANYACL_ISA {

inline constexpr size_t kLanes = 16;  // of VecF32, VecI32 and Mask
inline constexpr size_t kVectorBytes = 64;

}  // namespace anyacl::ANYACL_ISA

#if defined(__AVX512BW__)
#include "simd/vec_avx512.h"
#elif defined(__AVX2__)
#include "simd/vec_avx2.h"
#elif defined(__ARM_FEATURE_DOTPROD)
#include "simd/vec_neon.h"
#else
#include "simd/vec_base.h"
#endif

#include "simd/math.h"
