// SPDX-License-Identifier: Apache-2.0
// FNV-1a (Fowler, Noll, Vo): hashes of texts that are the same on every host and in every process.
#pragma once

#include <cstdint>
#include <string_view>

namespace anyacl {

constexpr uint64_t Fnv64(std::string_view text, uint64_t hash = 0xcbf29ce484222325) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

constexpr uint32_t Fnv32(std::string_view text) {
  uint32_t hash = 2166136261;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return hash;
}

}  // namespace anyacl
