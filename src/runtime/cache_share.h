// SPDX-License-Identifier: Apache-2.0
// What our threads can count on of the last cache, which all cores of a chip share: beyond it
// results are written past the caches. Virtual machines and containers show the cache of the whole
// chip: with two CPUs and 480 MiB, sums of 64 MiB take two thirds of the time past the caches, and
// those of 16 MiB as long. 4 MiB a thread is what most chips have for a core, and eight threads'
// is left to fewer: a chip whose other cores rest gives them more.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/cpu.h"
#include "runtime/parallel.h"

namespace anyacl {

inline int64_t LastCacheShare() {
  return std::min(Caches().last, std::max<int64_t>(ThreadCount(), 8) * (int64_t{4} << 20));
}

}  // namespace anyacl
