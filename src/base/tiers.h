// SPDX-License-Identifier: Apache-2.0
// The one list of the tiers, of which everything that has an entry for each of them is made:
// IsaTier, the tables of kernels (dispatch.cc, hccl/reduce.cc), the probes of tests/simd. Among
// those of an architecture the last is the best. A row is
//
//   TIER(enumerator, name, kernels, narrow)
//
//   name     of its namespace, and in ANYACL_ISA and cmake/isa.cmake, which has the flags
//   kernels  the tier whose namespace holds all kernels but products of matrices: itself, unless it
//            adds matrix registers alone
//   narrow   the tier that stands in for it where vectors of 64 bytes are slower than of 32
#pragma once

// clang-format off
#define ANYACL_BASE_TIER(TIER) \
  TIER(kBase, base, base, kBase)
#define ANYACL_X86_TIERS(TIER) \
  TIER(kAvx2, avx2, avx2, kAvx2) \
  TIER(kAvx512, avx512, avx512, kAvx2) \
  TIER(kAvx512Bf16, avx512_bf16, avx512_bf16, kAvx2) \
  TIER(kAmx, amx, avx512_bf16, kAvx2)
#define ANYACL_ARM_TIERS(TIER) \
  TIER(kNeon, neon, neon, kNeon)

// Known, wherever they run.
#define ANYACL_ALL_TIERS(TIER) \
  ANYACL_BASE_TIER(TIER) ANYACL_X86_TIERS(TIER) ANYACL_ARM_TIERS(TIER)

// Of this architecture: what the library is built with.
#if defined(__x86_64__)
#define ANYACL_TIERS(TIER) ANYACL_BASE_TIER(TIER) ANYACL_X86_TIERS(TIER)
#elif defined(__aarch64__)
#define ANYACL_TIERS(TIER) ANYACL_BASE_TIER(TIER) ANYACL_ARM_TIERS(TIER)
#else
#define ANYACL_TIERS(TIER) ANYACL_BASE_TIER(TIER)
#endif
// clang-format on
