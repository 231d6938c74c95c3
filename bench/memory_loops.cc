// SPDX-License-Identifier: Apache-2.0
#include "memory_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace anyacl::bench {
namespace {

// Vectors of 64 bytes that the compiler splits as the target demands.
using Floats [[gnu::vector_size(64)]] = float;

constexpr size_t kStep = 64;
constexpr size_t kUnroll = 4;

void ReadPlain(const void* source, size_t bytes) {
  const auto* from = static_cast<const Floats*>(source);
  Floats sum[kUnroll] = {};
  for (size_t i = 0; i < bytes / kStep; i += kUnroll) {
    for (size_t u = 0; u < kUnroll; ++u) sum[u] += from[i + u];
  }
  // The sums must be computed, whatever happens to them.
  asm volatile("" : : "m"(sum));
}

void ReadTwoPlain(const void* a, const void* b, size_t bytes) {
  const auto* first = static_cast<const Floats*>(a);
  const auto* second = static_cast<const Floats*>(b);
  Floats sum[2] = {};
  for (size_t i = 0; i < bytes / kStep; ++i) {
    sum[0] += first[i];
    sum[1] += second[i];
  }
  asm volatile("" : : "m"(sum));
}

void CopyPlain(void* target, const void* source, size_t bytes) {
  auto* to = static_cast<Floats*>(target);
  const auto* from = static_cast<const Floats*>(source);
  for (size_t i = 0; i < bytes / kStep; ++i) to[i] = from[i];
}

void TriadPlain(float* target, const float* a, const float* b, size_t bytes) {
  auto* to = reinterpret_cast<Floats*>(target);
  const auto* first = reinterpret_cast<const Floats*>(a);
  const auto* second = reinterpret_cast<const Floats*>(b);
  for (size_t i = 0; i < bytes / kStep; ++i) to[i] = first[i] + 3.0f * second[i];
}

#if defined(__x86_64__)

// One core has more requests under way if it asks for lines ahead of the hardware's prefetcher:
// 31 instead of 28 GB/s on Zen 4.
constexpr size_t kAhead = 4096;

[[gnu::target("avx512f")]] void ReadAvx512(const void* source, size_t bytes) {
  const auto* from = static_cast<const char*>(source);
  __m512i a = _mm512_setzero_si512();
  __m512i b = a;
  __m512i c = a;
  __m512i d = a;
  for (size_t i = 0; i < bytes; i += 4 * kStep) {
    _mm_prefetch(from + i + kAhead, _MM_HINT_T0);
    _mm_prefetch(from + i + kAhead + kStep, _MM_HINT_T0);
    _mm_prefetch(from + i + kAhead + 2 * kStep, _MM_HINT_T0);
    _mm_prefetch(from + i + kAhead + 3 * kStep, _MM_HINT_T0);
    a = _mm512_or_si512(a, _mm512_load_si512(from + i));
    b = _mm512_or_si512(b, _mm512_load_si512(from + i + kStep));
    c = _mm512_or_si512(c, _mm512_load_si512(from + i + 2 * kStep));
    d = _mm512_or_si512(d, _mm512_load_si512(from + i + 3 * kStep));
  }
  asm volatile("" : : "v"(a), "v"(b), "v"(c), "v"(d));
}

[[gnu::target("avx512f")]] void ReadTwoAvx512(const void* a, const void* b, size_t bytes) {
  const auto* first = static_cast<const char*>(a);
  const auto* second = static_cast<const char*>(b);
  __m512i x = _mm512_setzero_si512();
  __m512i y = x;
  for (size_t i = 0; i < bytes; i += kStep) {
    x = _mm512_or_si512(x, _mm512_load_si512(first + i));
    y = _mm512_or_si512(y, _mm512_load_si512(second + i));
  }
  asm volatile("" : : "v"(x), "v"(y));
}

template <bool stream>
[[gnu::target("avx512f")]] void CopyAvx512(void* target, const void* source, size_t bytes) {
  auto* to = static_cast<char*>(target);
  const auto* from = static_cast<const char*>(source);
  for (size_t i = 0; i < bytes; i += kStep) {
    const __m512i value = _mm512_load_si512(from + i);
    if constexpr (stream) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), value);
    } else {
      _mm512_store_si512(to + i, value);
    }
  }
  if constexpr (stream) _mm_sfence();
}

template <bool stream>
[[gnu::target("avx512f")]] void TriadAvx512(float* target, const float* a, const float* b,
                                            size_t bytes) {
  const __m512 factor = _mm512_set1_ps(3);
  for (size_t i = 0; i < bytes / sizeof(float); i += 16) {
    const __m512 value = _mm512_fmadd_ps(_mm512_load_ps(b + i), factor, _mm512_load_ps(a + i));
    if constexpr (stream) {
      _mm512_stream_ps(target + i, value);
    } else {
      _mm512_store_ps(target + i, value);
    }
  }
  if constexpr (stream) _mm_sfence();
}

[[gnu::target("avx2")]] void ReadAvx2(const void* source, size_t bytes) {
  const auto* from = static_cast<const char*>(source);
  __m256i a = _mm256_setzero_si256();
  __m256i b = a;
  for (size_t i = 0; i < bytes; i += kStep) {
    _mm_prefetch(from + i + kAhead, _MM_HINT_T0);
    a = _mm256_or_si256(a, _mm256_load_si256(reinterpret_cast<const __m256i*>(from + i)));
    b = _mm256_or_si256(b, _mm256_load_si256(reinterpret_cast<const __m256i*>(from + i + 32)));
  }
  asm volatile("" : : "x"(a), "x"(b));
}

[[gnu::target("avx2")]] void ReadTwoAvx2(const void* a, const void* b, size_t bytes) {
  const auto* first = static_cast<const __m256i*>(a);
  const auto* second = static_cast<const __m256i*>(b);
  __m256i x = _mm256_setzero_si256();
  __m256i y = x;
  for (size_t i = 0; i < bytes / sizeof(__m256i); ++i) {
    x = _mm256_or_si256(x, _mm256_load_si256(first + i));
    y = _mm256_or_si256(y, _mm256_load_si256(second + i));
  }
  asm volatile("" : : "x"(x), "x"(y));
}

template <bool stream>
[[gnu::target("avx2")]] void CopyAvx2(void* target, const void* source, size_t bytes) {
  auto* to = static_cast<__m256i*>(target);
  const auto* from = static_cast<const __m256i*>(source);
  for (size_t i = 0; i < bytes / sizeof(__m256i); ++i) {
    const __m256i value = _mm256_load_si256(from + i);
    if constexpr (stream) {
      _mm256_stream_si256(to + i, value);
    } else {
      _mm256_store_si256(to + i, value);
    }
  }
  if constexpr (stream) _mm_sfence();
}

template <bool stream>
[[gnu::target("avx2,fma")]] void TriadAvx2(float* target, const float* a, const float* b,
                                           size_t bytes) {
  const __m256 factor = _mm256_set1_ps(3);
  for (size_t i = 0; i < bytes / sizeof(float); i += 8) {
    const __m256 value = _mm256_fmadd_ps(_mm256_load_ps(b + i), factor, _mm256_load_ps(a + i));
    if constexpr (stream) {
      _mm256_stream_ps(target + i, value);
    } else {
      _mm256_store_ps(target + i, value);
    }
  }
  if constexpr (stream) _mm_sfence();
}

#endif

}  // namespace

const MemoryLoops& BestMemoryLoops() {
  static constexpr MemoryLoops kPlain = {ReadPlain, ReadTwoPlain, CopyPlain,
                                         nullptr,   TriadPlain,   nullptr};
#if defined(__x86_64__)
  static constexpr MemoryLoops kAvx512 = {ReadAvx512,       ReadTwoAvx512,      CopyAvx512<false>,
                                          CopyAvx512<true>, TriadAvx512<false>, TriadAvx512<true>};
  static constexpr MemoryLoops kAvx2 = {ReadAvx2,       ReadTwoAvx2,      CopyAvx2<false>,
                                        CopyAvx2<true>, TriadAvx2<false>, TriadAvx2<true>};
  if (__builtin_cpu_supports("avx512f")) return kAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kAvx2;
#endif
  return kPlain;
}

}  // namespace anyacl::bench
