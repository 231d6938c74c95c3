// SPDX-License-Identifier: Apache-2.0
#include "base/cpu.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

#include "base/status.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

namespace anyacl {
namespace {

#if defined(__x86_64__)

// XCR0: what the operating system saves on a context switch.
uint64_t SavedState() {
  uint32_t low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

struct Registers {
  uint32_t a = 0, b = 0, c = 0, d = 0;
};

// All zeros if the machine does not know the leaf.
Registers Cpuid(uint32_t leaf, uint32_t subleaf) {
  Registers r;
  __get_cpuid_count(leaf, subleaf, &r.a, &r.b, &r.c, &r.d);
  return r;
}

constexpr bool HasAll(uint64_t value, uint64_t bits) { return (value & bits) == bits; }

// tile, bf16 and int8 of AMX: CPUID 7.0, edx.
constexpr uint64_t kAmx = 1u << 24 | 1u << 22 | 1u << 25;

// Linux saves the registers of tiles (states 17 and 18 of XCR0) for processes that have asked for
// it.
bool MayUseTiles() {
  constexpr uint64_t kTiles = 3u << 17;
  constexpr int kRequest = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM
  return HasAll(SavedState(), kTiles) && syscall(SYS_arch_prctl, kRequest, kTileData) == 0;
}

// The feature bits that each row of cmake/isa.cmake's flags stands for.
bool DetectTier(IsaTier tier) {
  if (tier == IsaTier::kBase) return true;
  if (tier == IsaTier::kNeon) return false;
  const Registers leaf1 = Cpuid(1, 0);
  const Registers leaf7 = Cpuid(7, 0);
  constexpr uint64_t kXmmYmm = 0x6, kOpmaskZmm = 0xe0;
  if (!HasAll(leaf1.c, bit_OSXSAVE) || !HasAll(SavedState(), kXmmYmm)) return false;
  if (!HasAll(leaf1.c, bit_AVX | bit_FMA | bit_F16C)) return false;
  if (!HasAll(leaf7.b, bit_AVX2 | bit_BMI | bit_BMI2)) return false;
  if (tier == IsaTier::kAvx2) return true;
  if (!HasAll(SavedState(), kOpmaskZmm)) return false;
  if (!HasAll(leaf7.b, bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL)) return false;
  if (!HasAll(leaf7.c, bit_AVX512VNNI | bit_AVX512VBMI)) return false;
  if (tier == IsaTier::kAvx512) return true;
  if (!HasAll(Cpuid(7, 1).a, bit_AVX512BF16)) return false;
  return tier == IsaTier::kAvx512Bf16 || (HasAll(leaf7.d, kAmx) && MayUseTiles());
}

#elif defined(__aarch64__)

bool DetectTier(IsaTier tier) {
  if (tier == IsaTier::kBase) return true;
  if (tier != IsaTier::kNeon) return false;
  // fp16 arithmetic, dot products; the other extensions of armv8.2-a that compilers may use.
  constexpr unsigned long kNeeded =
      HWCAP_ASIMDHP | HWCAP_FPHP | HWCAP_ASIMDDP | HWCAP_ASIMDRDM | HWCAP_ATOMICS | HWCAP_CRC32;
  return (getauxval(AT_HWCAP) & kNeeded) == kNeeded;
}

#else

bool DetectTier(IsaTier tier) { return tier == IsaTier::kBase; }

#endif

// A core of Intel's fifth generation of Xeons does 175 Gop/s by multiply-adds of fp32 and 86 by
// vdpbf16ps: with it products of bf16 took 1.8 times as long, attention 1.3 times. One of AMD's
// fourth generation does 117 and 235.
bool IsSlow([[maybe_unused]] IsaTier tier) {
#if defined(__x86_64__)
  return tier == IsaTier::kAvx512Bf16 && Cpuid(0, 0).b == signature_INTEL_ebx;
#else
  return false;
#endif
}

}  // namespace

std::string_view NameOf(IsaTier tier) {
  switch (tier) {
#define ANYACL_TIER_ROW(tier, name, kernels, narrow) \
  case IsaTier::tier:                                \
    return #name;
    ANYACL_ALL_TIERS(ANYACL_TIER_ROW)
#undef ANYACL_TIER_ROW
  }
  return "unknown";
}

bool CpuSupports(IsaTier tier) { return DetectTier(tier); }

IsaTier BestTier() {
  IsaTier best = IsaTier::kBase;
  for (IsaTier tier : kIsaTiers) {
    if (CpuSupports(tier) && !IsSlow(tier)) best = tier;
  }
  return best;
}

IsaTier ChooseTier(const char* request) {
  const IsaTier best = BestTier();
  if (request == nullptr || *request == '\0') return best;
  std::string available;
  for (IsaTier tier : kIsaTiers) {
    if (!CpuSupports(tier)) continue;
    if (NameOf(tier) == request) return tier;
    if (!available.empty()) available += ", ";
    available += NameOf(tier);
  }
  Warn("ANYACL_ISA is \"{}\", expected one of the tiers of this machine: {}; using {}", request,
       available, NameOf(best));
  return best;
}

const CacheSizes& Caches() {
  // "1024K"
  const auto size = [](const char* index, int64_t usual) {
    std::ifstream file(std::string("/sys/devices/system/cpu/cpu0/cache/index") + index + "/size");
    int64_t kib = 0;
    return file >> kib && kib > 0 ? kib * 1024 : usual;
  };
  static const CacheSizes sizes = [&] {
    const int64_t level2 = size("2", int64_t{1} << 20);
    return CacheSizes{level2, std::max(level2, size("3", int64_t{32} << 20))};
  }();
  return sizes;
}

}  // namespace anyacl
