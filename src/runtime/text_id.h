// SPDX-License-Identifier: Apache-2.0
// TextId: a number for a text, for the interfaces of profiling. FNV-1a, 64 bits; never 0.
#pragma once

#include <cstdint>
#include <string_view>

namespace anyacl {

inline uint64_t TextId(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  return hash != 0 ? hash : 1;
}

}  // namespace anyacl
