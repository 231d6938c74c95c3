// SPDX-License-Identifier: Apache-2.0
// What is measured of GroupedMatmulSwigluQuant: the first two matrices of experts of well-known
// models, from one token per expert (decoding) to hundreds (prefill).
#pragma once

#include <cstdint>

namespace anyacl::bench {

enum class GroupedWeights {
  kInt8,
  kInt4,          // a scale per column
  kInt4Group128,  // a scale for every 128 k of a column
  kInt4Group256,
};

enum class Routing {
  kBalanced,  // every expert has `rows`
  kSkewed,    // the same sum, half of it in one expert
  kTwoEmpty,  // the same sum, two experts without rows
};

struct GroupedCase {
  const char* model;
  int64_t experts;
  int64_t k;
  int64_t n;
  GroupedWeights weights;
  int64_t rows;  // per expert
  Routing routing = Routing::kBalanced;
};

// Each with every one of kGroupedRows.
inline constexpr GroupedCase kGroupedSweeps[] = {
    {"deepseek_v3", 8, 7168, 4096, GroupedWeights::kInt8, 0},
    {"deepseek_v3", 8, 7168, 4096, GroupedWeights::kInt4, 0},
    {"deepseek_v3", 8, 7168, 4096, GroupedWeights::kInt4Group128, 0},
    {"deepseek_v3", 8, 7168, 4096, GroupedWeights::kInt4Group256, 0},
    {"qwen3_30b_a3b", 32, 2048, 1536, GroupedWeights::kInt8, 0},
    {"qwen3_30b_a3b", 32, 2048, 1536, GroupedWeights::kInt4, 0},
};
inline constexpr int64_t kGroupedRows[] = {1, 2, 4, 8, 16, 32, 48, 64, 128, 256, 512};

inline constexpr GroupedCase kGroupedCases[] = {
    {"deepseek_v3", 8, 7168, 4096, GroupedWeights::kInt8, 16, Routing::kTwoEmpty},
    {"deepseek_v3", 8, 7168, 4096, GroupedWeights::kInt8, 16, Routing::kSkewed},
    {"deepseek_v3", 8, 7168, 4096, GroupedWeights::kInt8, 64, Routing::kSkewed},
    {"deepseek_v3", 8, 7168, 4096, GroupedWeights::kInt8, 256, Routing::kSkewed},
    {"qwen3_235b_a22b", 8, 4096, 3072, GroupedWeights::kInt8, 4},
    {"qwen3_235b_a22b", 8, 4096, 3072, GroupedWeights::kInt8, 64},
    {"qwen3_235b_a22b", 8, 4096, 3072, GroupedWeights::kInt8, 256},
    {"mixtral_like", 8, 4096, 10240, GroupedWeights::kInt8, 4},
    {"mixtral_like", 8, 4096, 10240, GroupedWeights::kInt8, 64},
};

}  // namespace anyacl::bench
