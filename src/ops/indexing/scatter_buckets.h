// SPDX-License-Identifier: Apache-2.0
// Scattering of single elements anywhere in target: they are sorted into buckets, each a range of
// target that a core's caches hold, and threads then do one bucket after the other.
#pragma once

#include <optional>

#include "ops/indexing/access.h"

namespace anyacl::indexing {

// Fewer positions are for one thread, and not for this.
inline constexpr int64_t kLeastShared = 8192;

// How the work is cut.
struct Buckets {
  int64_t low = 0;  // offset in target of the first bucket
  int shift = 0;    // a bucket is 1 << shift bytes of target
  int64_t count = 1;
  int64_t chunk = 1;   // positions that are sorted together
  bool image = false;  // a bucket of target is made of fp32 numbers, and rounded once
};

// Words of 8 bytes that scattering so many positions takes at the most.
int64_t WordsFor(int64_t positions, int64_t element_bytes);

// x's positions are joined, none of their indices is left out. None: sums of 16 bits whose target
// is not one dense row.
std::optional<Buckets> BucketsOf(const Access& x, const Scattering& how);

// False: an index is out of range, and nothing has been written.
bool ScatterBuckets(const Access& x, const Buckets& buckets, const Scattering& how);

}  // namespace anyacl::indexing
