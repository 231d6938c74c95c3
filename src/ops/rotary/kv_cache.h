// SPDX-License-Identifier: Apache-2.0
// Rows of tokens on their way into caches: one part normalised, the other turned.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "nnop/executor.h"
#include "ops/blocks/places.h"
#include "ops/rotary/head.h"
#include "runtime/parallel.h"

namespace anyacl::rotary {

// How an index names a place of a cache: by its number in a batch or in all, by that of any place
// of a block, or by the block's number. kNone: the places are the tokens' own.
enum class Index : uint8_t { kOfBatch, kOfToken, kOfBlock, kBlockNumber, kNone };
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
  TensorView kv{};  // [B, N, S, D]
  // [B, N, S, Dv]: the other destination's rows; without them kv has the rows of both. With them
  // all of kv is normalised, and the first part of that turned.
  TensorView values{};
  ProductFactors factors{};
  TensorView gamma{}, cos{}, sin{}, index{};
  TensorView ends{};  // INT32: where sequences end, for block numbers of one batch of tokens
  Destination rope, norm;
  CacheMode mode{};
  double eps = 0;
  float factor = 1;  // of the norm
  const char* index_name = "index";
};

// Calls run(first token, end, slot) for all tokens, from several threads; `each`: elements of one.
// Of tokens for one place the last one counts: then one thread takes all.
template <class Run>
void ForTokens(const int64_t* places, int64_t count, int64_t each, const Run& run) {
  constexpr int64_t kWorth = 1 << 12;  // elements: 5 us
  if (blocks::HasTwice(places, count)) return run(0, count, 0);
  ParallelFor(count, kWorth / std::max<int64_t>(1, each), run);
}

std::shared_ptr<const Plan> MakeKvCachePlan(const KvCacheParams& params);

}  // namespace anyacl::rotary
