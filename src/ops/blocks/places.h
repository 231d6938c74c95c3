// SPDX-License-Identifier: Apache-2.0
// Places that tokens go to, which clients name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace anyacl::blocks {

// Whether two of `count` tokens go to one place, where the last one counts: then one thread takes
// all. -1 is none.
inline bool HasTwice(const int64_t* places, int64_t count) {
  std::vector<int64_t> sorted(places, places + count);
  if (!std::is_sorted(sorted.begin(), sorted.end())) std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(std::upper_bound(sorted.begin(), sorted.end(), int64_t{-1}),
                            sorted.end()) != sorted.end();
}

}  // namespace anyacl::blocks
