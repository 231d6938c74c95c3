// SPDX-License-Identifier: Apache-2.0
// What is measured of dynamic quantisation: activations of well-known models in front of their
// matrix multiplications.
#pragma once

#include <cstdint>

namespace anyacl::bench {

enum class QuantForm {
  kInt8,         // symmetric
  kInt8Asym,     // with an offset
  kInt8Smooth,   // symmetric, one row of factors
  kInt8Grouped,  // symmetric, a row of factors per expert
  kInt8AsymGrouped,
  kInt4,  // symmetric
  kInt4Asym,
  kInt4Packed,  // symmetric, eight values in an INT32
};

struct QuantCase {
  const char* model;
  int64_t rows;
  int64_t cols;
  bool bfloat16;
  QuantForm form;
  int experts = 0;
};

// Throughput: calls follow each other on the stream.
inline constexpr QuantCase kQuantCases[] = {
    // Every form on one shape that only memory holds and on one that a cache holds.
    {"deepseek_v3", 4096, 7168, true, QuantForm::kInt8},
    {"deepseek_v3", 4096, 7168, false, QuantForm::kInt8},
    {"deepseek_v3", 4096, 7168, true, QuantForm::kInt8Asym},
    {"deepseek_v3", 4096, 7168, true, QuantForm::kInt8Smooth},
    {"deepseek_v3", 4096, 7168, true, QuantForm::kInt8Grouped, 32},
    {"deepseek_v3", 4096, 7168, true, QuantForm::kInt8AsymGrouped, 32},
    {"deepseek_v3", 4096, 7168, true, QuantForm::kInt4},
    {"deepseek_v3", 4096, 7168, true, QuantForm::kInt4Asym},
    {"deepseek_v3", 4096, 7168, true, QuantForm::kInt4Packed},
    {"deepseek_v3_batch_256", 256, 7168, true, QuantForm::kInt8},
    {"deepseek_v3_batch_256", 256, 7168, false, QuantForm::kInt8},
    {"deepseek_v3_batch_256", 256, 7168, true, QuantForm::kInt8Asym},
    {"deepseek_v3_batch_256", 256, 7168, true, QuantForm::kInt8Smooth},
    {"deepseek_v3_batch_256", 256, 7168, true, QuantForm::kInt8Grouped, 32},
    {"deepseek_v3_batch_256", 256, 7168, true, QuantForm::kInt8AsymGrouped, 32},
    {"deepseek_v3_batch_256", 256, 7168, true, QuantForm::kInt4},
    {"deepseek_v3_batch_256", 256, 7168, true, QuantForm::kInt4Asym},
    {"deepseek_v3_batch_256", 256, 7168, true, QuantForm::kInt4Packed},
    // Dense models.
    {"llama3_8b", 256, 4096, true, QuantForm::kInt8Smooth},
    {"llama3_8b", 4096, 4096, true, QuantForm::kInt8},
    {"llama3_8b_ffn", 4096, 14336, true, QuantForm::kInt8Smooth},
    {"llama3_70b", 4096, 8192, true, QuantForm::kInt8Smooth},
    {"llama3_70b_ffn", 4096, 28672, true, QuantForm::kInt8Smooth},
    {"qwen2.5_7b", 2048, 3584, true, QuantForm::kInt8},
    {"qwen2.5_7b_ffn", 2048, 18944, true, QuantForm::kInt8Asym},
    {"qwen2.5_72b", 2048, 8192, true, QuantForm::kInt8Asym},
    {"qwen2.5_72b_ffn", 2048, 29568, true, QuantForm::kInt8},
    {"deepseek_v3_ffn", 4096, 18432, true, QuantForm::kInt8},
    // Rows sorted by expert.
    {"deepseek_v3_experts", 8192, 7168, true, QuantForm::kInt8Grouped, 8},
    {"deepseek_v3_experts", 8192, 7168, true, QuantForm::kInt8Grouped, 256},
    {"deepseek_v3_experts_down", 8192, 2048, true, QuantForm::kInt8Grouped, 32},
    {"qwen3_30b_a3b_experts", 16384, 2048, true, QuantForm::kInt8Grouped, 128},
    {"qwen3_30b_a3b_experts_down", 16384, 768, true, QuantForm::kInt8Grouped, 128},
    {"qwen3_235b_experts", 8192, 4096, true, QuantForm::kInt8AsymGrouped, 128},
    {"qwen3_235b_experts_down", 8192, 1536, true, QuantForm::kInt8AsymGrouped, 128},
    {"mixtral_8x7b_experts", 4096, 4096, true, QuantForm::kInt8Grouped, 8},
    {"mixtral_8x7b_experts_down", 4096, 14336, true, QuantForm::kInt8Grouped, 8},
    // Weights and activations of 4 bits.
    {"w4a4", 2048, 4096, true, QuantForm::kInt4Packed},
    {"w4a4", 2048, 5120, true, QuantForm::kInt4Packed},
    // Short rows: what is done once per row counts.
    {"kv_cache_rows", 65536, 128, true, QuantForm::kInt8},
    {"indexer_rows", 16384, 512, true, QuantForm::kInt8},
    // Lengths that no vector divides.
    {"odd_rows", 1009, 1021, true, QuantForm::kInt8},
    {"odd_short_rows", 133221, 373, false, QuantForm::kInt8},
    {"odd_tiny_rows", 162877, 67, false, QuantForm::kInt8},
    // Between cache and memory, and far beyond the caches.
    {"prefill_3072", 3072, 2048, false, QuantForm::kInt8Smooth},
    {"prefill_3072", 3072, 7168, false, QuantForm::kInt8Smooth},
    {"prefill_3072", 3072, 18432, false, QuantForm::kInt8Smooth},
    {"prefill_8192", 8192, 16384, true, QuantForm::kInt8},
    {"prefill_25856", 25856, 7168, false, QuantForm::kInt8Smooth},
};

// Latency: both phases and a synchronisation per call.
inline constexpr QuantCase kQuantDecodeCases[] = {
    {"deepseek_v3_decode", 1, 7168, true, QuantForm::kInt8},
    {"deepseek_v3_decode", 1, 7168, false, QuantForm::kInt8},
    {"deepseek_v3_decode", 8, 7168, true, QuantForm::kInt8},
    {"llama3_8b_decode", 1, 4096, true, QuantForm::kInt8Smooth},
    {"batch_of_32", 32, 2048, false, QuantForm::kInt8Smooth},
    {"batch_of_32", 32, 7168, false, QuantForm::kInt8Smooth},
    {"batch_of_32", 32, 18432, false, QuantForm::kInt8Smooth},
    {"batch_of_64", 64, 5120, true, QuantForm::kInt8},
    {"batch_of_384", 384, 10240, true, QuantForm::kInt8},
};

}  // namespace anyacl::bench
