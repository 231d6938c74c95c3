// SPDX-License-Identifier: Apache-2.0
// Assembler, because compilers copy and spill accumulators that are kept in an array. All
// registers are zero: speed does not depend on the values, and nothing overflows.
#include "compute_peaks.h"

#include <cstdlib>
#include <string>

#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace anyacl::bench {
namespace {

#if defined(__x86_64__)

// Fourteen accumulators hide a latency of four cycles at up to three instructions per cycle.
constexpr int kAccumulators = 14;

void ClockLoop(int64_t loops) {
  uint64_t value = 1;
  asm volatile(
      "1:\n"
      ".rept 64\n ror $1, %1\n .endr\n"
      "dec %0\n jnz 1b\n"
      : "+r"(loops), "+r"(value)
      :
      : "cc");
}

void FmaAvx512(int64_t loops) {
  asm volatile(
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
      "vpxor %%xmm\\r, %%xmm\\r, %%xmm\\r\n .endr\n"
      "1:\n"
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
      "vfmadd231ps %%zmm14, %%zmm15, %%zmm\\r\n .endr\n"
      "dec %0\n jnz 1b\n vzeroupper\n"
      : "+r"(loops)
      :
      : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void FmaAvx2(int64_t loops) {
  asm volatile(
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
      "vpxor %%xmm\\r, %%xmm\\r, %%xmm\\r\n .endr\n"
      "1:\n"
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
      "vfmadd231ps %%ymm14, %%ymm15, %%ymm\\r\n .endr\n"
      "dec %0\n jnz 1b\n vzeroupper\n"
      : "+r"(loops)
      :
      : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void Int8DotAvx512(int64_t loops) {
  asm volatile(
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
      "vpxor %%xmm\\r, %%xmm\\r, %%xmm\\r\n .endr\n"
      "1:\n"
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
      "vpdpbusd %%zmm14, %%zmm15, %%zmm\\r\n .endr\n"
      "dec %0\n jnz 1b\n vzeroupper\n"
      : "+r"(loops)
      :
      : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void Int8DotAvx2(int64_t loops) {
  asm volatile(
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
      "vpxor %%xmm\\r, %%xmm\\r, %%xmm\\r\n .endr\n"
      "1:\n"
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
      "vpmaddubsw %%ymm14, %%ymm15, %%ymm\\r\n .endr\n"
      "dec %0\n jnz 1b\n vzeroupper\n"
      : "+r"(loops)
      :
      : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void Int8DotSse2(int64_t loops) {
  asm volatile(
      "1:\n"
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
      "pmaddwd %%xmm15, %%xmm\\r\n .endr\n"
      "dec %0\n jnz 1b\n"
      : "+r"(loops)
      :
      : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

void Bf16DotAvx512(int64_t loops) {
  asm volatile(
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
      "vpxor %%xmm\\r, %%xmm\\r, %%xmm\\r\n .endr\n"
      "1:\n"
      ".irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
      "vdpbf16ps %%zmm14, %%zmm15, %%zmm\\r\n .endr\n"
      "dec %0\n jnz 1b\n vzeroupper\n"
      : "+r"(loops)
      :
      : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
        "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

// Eight tiles of 16 rows of 64 bytes, six of which are sums: more than the four that kernels have,
// which hide the latency as well.
struct alignas(64) TileShapes {
  uint8_t palette = 1;
  uint8_t start = 0;
  uint8_t reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr int kTiles = 6;
constexpr TileShapes kTileShapes;

void Bf16Tiles(int64_t loops) {
  asm volatile(
      "ldtilecfg %1\n"
      "1:\n"
      ".irp r, 0,1,2,3,4,5\n"
      "tdpbf16ps %%tmm7, %%tmm6, %%tmm\\r\n .endr\n"
      "dec %0\n jnz 1b\n tilerelease\n"
      : "+r"(loops)
      : "m"(kTileShapes)
      : "cc");
}

void Int8Tiles(int64_t loops) {
  asm volatile(
      "ldtilecfg %1\n"
      "1:\n"
      ".irp r, 0,1,2,3,4,5\n"
      "tdpbssd %%tmm7, %%tmm6, %%tmm\\r\n .endr\n"
      "dec %0\n jnz 1b\n tilerelease\n"
      : "+r"(loops)
      : "m"(kTileShapes)
      : "cc");
}

// Linux grants the registers to processes that ask (ARCH_REQ_XCOMP_PERM for state 18).
bool MayUseTiles() {
  return __builtin_cpu_supports("amx-tile") != 0 && syscall(SYS_arch_prctl, 0x1023, 18) == 0;
}

#elif defined(__aarch64__)

// Sixteen accumulators hide a latency of four cycles at four instructions per cycle.
constexpr int kAccumulators = 16;

void ClockLoop(int64_t loops) {
  uint64_t value = 1;
  asm volatile(
      "1:\n"
      ".rept 64\n ror %1, %1, #1\n .endr\n"
      "subs %0, %0, #1\n b.ne 1b\n"
      : "+r"(loops), "+r"(value)
      :
      : "cc");
}

void FmaNeon(int64_t loops) {
  asm volatile(
      ".irp r, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,30,31\n"
      "movi v\\r\\().4s, #0\n .endr\n"
      "1:\n"
      ".irp r, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23\n"
      "fmla v\\r\\().4s, v30.4s, v31.4s\n .endr\n"
      "subs %0, %0, #1\n b.ne 1b\n"
      : "+r"(loops)
      :
      : "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20",
        "v21", "v22", "v23", "v30", "v31");
}

void Int8DotNeon(int64_t loops) {
  asm volatile(
      ".arch armv8.2-a+dotprod\n"
      ".irp r, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,30,31\n"
      "movi v\\r\\().4s, #0\n .endr\n"
      "1:\n"
      ".irp r, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23\n"
      "sdot v\\r\\().4s, v30.16b, v31.16b\n .endr\n"
      "subs %0, %0, #1\n b.ne 1b\n"
      : "+r"(loops)
      :
      : "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20",
        "v21", "v22", "v23", "v30", "v31");
}

#endif

}  // namespace

std::vector<ComputePeak> ComputePeaks() {
  std::vector<ComputePeak> peaks;
#if defined(__x86_64__)
  peaks.push_back({"clock", 64, ClockLoop});
  if (__builtin_cpu_supports("avx512f")) {
    peaks.push_back({"fp32_fma", kAccumulators * 32, FmaAvx512});
  } else if (__builtin_cpu_supports("fma")) {
    peaks.push_back({"fp32_fma", kAccumulators * 16, FmaAvx2});
  }
  if (__builtin_cpu_supports("avx512vnni")) {
    peaks.push_back({"int8_dot", kAccumulators * 128, Int8DotAvx512});
  }
  if (__builtin_cpu_supports("avx512bf16")) {
    peaks.push_back({"bf16_dot", kAccumulators * 64, Bf16DotAvx512});
  }
  if (MayUseTiles()) {
    peaks.push_back({"bf16_tiles", kTiles * 16 * 16 * 64, Bf16Tiles});
    peaks.push_back({"int8_tiles", kTiles * 16 * 16 * 128, Int8Tiles});
  }
#elif defined(__aarch64__)
  peaks.push_back({"clock", 64, ClockLoop});
  peaks.push_back({"fp32_fma", kAccumulators * 8, FmaNeon});
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0) {
    peaks.push_back({"int8_dot", kAccumulators * 32, Int8DotNeon});
  }
#endif
  return peaks;
}

ComputePeak Int8DotPeak() {
#if defined(__x86_64__)
  const char* isa = std::getenv("ANYACL_ISA");
  const std::string tier = isa != nullptr ? isa : "";
  const bool avx512 = tier.empty() || tier.rfind("avx512", 0) == 0;
  if (avx512 && __builtin_cpu_supports("avx512vnni")) {
    return {"int8_dot", kAccumulators * 128, Int8DotAvx512};
  }
  if (tier != "base" && __builtin_cpu_supports("avx2")) {
    return {"vpmaddubsw", kAccumulators * 64, Int8DotAvx2};
  }
  return {"pmaddwd", kAccumulators * 16, Int8DotSse2};
#elif defined(__aarch64__)
  return {"int8_dot", kAccumulators * 32, Int8DotNeon};
#endif
}

}  // namespace anyacl::bench
