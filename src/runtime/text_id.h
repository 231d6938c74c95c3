// SPDX-License-Identifier: Apache-2.0
// TextId: a number for a text, for the interfaces of profiling. Never 0.
#pragma once

#include "base/fnv.h"

namespace anyacl {

inline uint64_t TextId(std::string_view text) {
  const uint64_t hash = Fnv64(text);
  return hash != 0 ? hash : 1;
}

}  // namespace anyacl
