// SPDX-License-Identifier: Apache-2.0
// What is measured of attention: decoding steps and prompts of well-known models.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace anyacl::bench {

enum class AttentionCache { kBnsd, kBsnd, kPagedRows, kPagedHeads };
enum class AttentionType {
  kFp16,
  kBf16,
  kInt8Channel,
  kInt8Token,
  kInt4Channel,
  kInt8All,
  kInt8ChannelFp16  // with fp16 queries
};

struct AttentionShape {
  const char* name;
  int64_t batch;
  int64_t query;  // Sq
  int64_t keys;
  int64_t heads;
  int64_t kv_heads;
  int64_t dim;
  AttentionCache cache;
  AttentionType type;  // of keys and values; INT8 and INT4 have bf16 queries
  int64_t sparse = 0;
  int64_t pre_tokens = INT32_MAX;
  int64_t block = 0;
  bool lse = false;
};

// The columns of query row i: from the first to before the last.
inline std::pair<int64_t, int64_t> ColumnsOf(const AttentionShape& s, int64_t i) {
  const int64_t last = s.sparse == 0 ? s.keys : s.sparse == 2 ? i + 1 : s.keys - s.query + i + 1;
  return {s.sparse == 4 ? std::max<int64_t>(0, last - 1 - s.pre_tokens) : 0, last};
}

// D: one token per sequence, M: a few (speculative), P: prompts. D4 has half of 120 sequences.
// L: 8 sequences of 8192 tokens in every type and cache; R: what stays in the last level cache; H:
// one head of keys, which only splits share out; G: other lengths; W: windows of several widths.
inline constexpr AttentionShape kAttentionShapes[] = {
    {"D1", 1, 1, 2048, 32, 32, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"D2", 16, 1, 2048, 32, 8, 128, AttentionCache::kBsnd, AttentionType::kFp16},
    {"D3", 16, 1, 2048, 96, 8, 128, AttentionCache::kBsnd, AttentionType::kBf16},
    {"D4", 60, 1, 2048, 32, 8, 128, AttentionCache::kBsnd, AttentionType::kFp16},
    {"D5", 128, 1, 512, 128, 8, 128, AttentionCache::kBsnd, AttentionType::kFp16},
    {"D6", 60, 1, 1024, 32, 8, 256, AttentionCache::kBsnd, AttentionType::kFp16},
    {"D7", 32, 1, 4096, 32, 8, 128, AttentionCache::kPagedRows, AttentionType::kBf16, 0, INT32_MAX,
     128},
    {"D8", 32, 1, 4096, 32, 8, 128, AttentionCache::kPagedHeads, AttentionType::kBf16, 0, INT32_MAX,
     128},
    {"D9", 32, 1, 4096, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kInt8Channel},
    {"D10", 32, 1, 4096, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kInt8Token},
    {"D11", 32, 1, 4096, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kInt4Channel},
    {"D12", 4, 1, 16384, 32, 8, 128, AttentionCache::kPagedHeads, AttentionType::kFp16, 0,
     INT32_MAX, 256},
    {"D13", 8, 1, 32768, 64, 1, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"M1", 60, 2, 2048, 32, 8, 128, AttentionCache::kBsnd, AttentionType::kFp16, 3},
    {"M2", 128, 4, 512, 128, 8, 128, AttentionCache::kBsnd, AttentionType::kFp16, 3},
    {"P1", 4, 1024, 1024, 32, 8, 128, AttentionCache::kBsnd, AttentionType::kFp16, 2},
    {"P2", 4, 512, 512, 128, 8, 128, AttentionCache::kBsnd, AttentionType::kBf16, 3},
    {"P3", 4, 1024, 1024, 16, 16, 256, AttentionCache::kBnsd, AttentionType::kFp16, 2},
    {"P4", 1, 4096, 4096, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kBf16, 3},
    {"P5", 1, 4096, 4096, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16, 4, 1024},
    {"P6", 1, 512, 8192, 32, 8, 128, AttentionCache::kPagedRows, AttentionType::kFp16, 3, INT32_MAX,
     128},
    {"P7", 2, 128, 256, 32, 8, 128, AttentionCache::kBsnd, AttentionType::kBf16},
    {"P8", 1, 2048, 2048, 32, 32, 128, AttentionCache::kBnsd, AttentionType::kFp16, 0, INT32_MAX, 0,
     true},
    {"P9", 1, 1024, 1024, 16, 16, 128, AttentionCache::kBnsd, AttentionType::kInt8All},
    {"P10", 2, 128, 128, 128, 8, 128, AttentionCache::kBsnd, AttentionType::kFp16, 3},
    {"P11", 1, 4096, 4096, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16, 3},
    {"P12", 1, 1024, 1024, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16, 3},
    {"P13", 1, 1024, 1024, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kBf16, 3},
    {"L1", 8, 1, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"L2", 8, 1, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kBf16},
    {"L3", 8, 1, 8192, 32, 8, 128, AttentionCache::kPagedRows, AttentionType::kFp16, 0, INT32_MAX,
     128},
    {"L4", 8, 1, 8192, 32, 8, 128, AttentionCache::kPagedHeads, AttentionType::kFp16, 0, INT32_MAX,
     128},
    {"L5", 8, 1, 8192, 32, 8, 128, AttentionCache::kPagedRows, AttentionType::kBf16, 0, INT32_MAX,
     128},
    {"L6", 8, 1, 8192, 32, 8, 128, AttentionCache::kPagedHeads, AttentionType::kBf16, 0, INT32_MAX,
     128},
    {"L7", 8, 1, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kInt8ChannelFp16},
    {"L8", 8, 1, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kInt8Channel},
    {"L9", 8, 1, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kInt4Channel},
    {"R1", 1, 1, 1024, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"R2", 1, 1, 2048, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"R3", 1, 1, 2048, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kBf16},
    {"R4", 1, 1, 4096, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kInt8Channel},
    {"R5", 1, 1, 4096, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kInt4Channel},
    {"H1", 1, 1, 16384, 4, 1, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"H2", 1, 1, 131072, 4, 1, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"G1", 1, 1, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"G2", 1, 1, 32768, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"G3", 8, 1, 1024, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"G4", 32, 1, 1024, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16},
    {"W1", 1, 2048, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16, 4, 512},
    {"W2", 1, 2048, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16, 4, 1024},
    {"W3", 1, 2048, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16, 4, 2048},
    {"W4", 1, 2048, 8192, 32, 8, 128, AttentionCache::kBnsd, AttentionType::kFp16, 4, 4096},
};

}  // namespace anyacl::bench
