// SPDX-License-Identifier: Apache-2.0
// The tiers of instruction sets that kernels are compiled for, which of them this machine has, and
// the one that is used.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/tiers.h"

namespace anyacl {

// In order of preference among those of one architecture, the last being the best.
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) tier,
enum class IsaTier { ANYACL_ALL_TIERS(ANYACL_TIER_ROW) };
#undef ANYACL_TIER_ROW
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) IsaTier::tier,
inline constexpr std::array kIsaTiers = {ANYACL_ALL_TIERS(ANYACL_TIER_ROW)};
#undef ANYACL_TIER_ROW

std::string_view NameOf(IsaTier tier);

// Whether the machine and its operating system can run the tier's code.
bool CpuSupports(IsaTier tier);

// The last one that the machine supports, but for one whose instructions are slow there.
IsaTier BestTier();

// The tier that `request`, the value of ANYACL_ISA (may be null), names; the best one, with a
// warning, if there is no such tier or the machine lacks it.
IsaTier ChooseTier(const char* request);

// Of the first CPU, as the kernel reports them (the C library has been seen to report ten times the
// L3 of a virtual machine); usual sizes where it does not. Only for what cannot change results.
struct CacheSizes {
  int64_t level2;  // of one core
  int64_t last;    // shared
};
const CacheSizes& Caches();

}  // namespace anyacl
