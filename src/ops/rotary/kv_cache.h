// SPDX-License-Identifier: Apache-2.0
// Rows of tokens on their way into caches: one part normalised, the other turned.
#pragma once

#include <cstdint>
#include <memory>

#include "nnop/executor.h"
#include "ops/rotary/head.h"

namespace anyacl::rotary {

// How an index names a place of a cache.
enum class Index : uint8_t { kOfBatch, kOfToken, kOfBlock };
struct CacheMode {
  Index index;
  bool paged;    // the cache has blocks
  bool fractal;  // FRACTAL_NZ: a block's columns lie in groups of 32 bytes
};

// One of the two caches with what is written beside it.
struct Destination {
  TensorView cache{}, scale{}, offset{}, out{};
};

struct KvCacheParams {
  TensorView kv{};  // [B, 1, S, D]
  ProductFactors factors{};
  TensorView gamma{}, cos{}, sin{}, index{};
  Destination rope, norm;
  CacheMode mode{};
  double eps = 0;
  float factor = 1;  // of the norm
  const char* index_name = "index";
};

std::shared_ptr<const Plan> MakeKvCachePlan(const KvCacheParams& params);

}  // namespace anyacl::rotary
