// SPDX-License-Identifier: Apache-2.0
// Rules of caches that operators of this folder share, and those of latent attention's.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "nnop/operands.h"
#include "ops/rotary/kv_cache.h"

namespace anyacl::rotary {

// The operands of one cache.
struct CacheIds {
  int cache, scale, offset;
};

// What is written beside the caches: needed if isOutputKv is true, else left alone.
Status RequireOutputs(Operands& operands, std::initializer_list<int> ids);

// Elements of a cache in 32 bytes: places of a block come in multiples of it, and so do columns in
// FRACTAL_NZ.
int64_t GroupOf(const Operand& cache);

// Has the type of operand `source`, or INT8, which needs a scale; no other has factors.
Status CheckCacheType(const Operands& operands, const CacheIds& ids, int source);
// The cache's dimension `dim` is places of a block.
Status CheckPlaces(const Operands& operands, const CacheIds& ids, size_t dim);

Status CheckEpsilon(const Operands& operands);

// Shapes of kv and its caches, as the mode has them.
Status CheckKvCache(const Operands& operands, CacheMode* mode);

}  // namespace anyacl::rotary
