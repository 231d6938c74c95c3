// SPDX-License-Identifier: Apache-2.0
// The client's memory, and copies of it.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "acl/acl_base.h"
#include "base/status.h"
#include "runtime/exports.h"

namespace anyacl::tdt {

// What lies in memory of ours must not leave its allocation; other memory is taken at its word.
inline Status CheckBytes(const void* address, size_t size, const char* parameter) {
  if (address == nullptr && size > 0) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "{} is null, expected {} bytes", parameter, size);
  }
  MemoryRange range;
  if (address == nullptr || !anyaclFindUsableRange(address, &range)) return {};
  const auto left =
      static_cast<size_t>(range.begin + range.size - static_cast<const char*>(address));
  if (size <= left) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "{} has {} bytes, but its allocation ends after {}",
              parameter, size, left);
}

// Where each tensor of a message begins: as CANN aligns them, and a cache line.
inline constexpr size_t kAlignment = 64;

struct FreeAligned {
  void operator()(char* bytes) const { ::operator delete (bytes, std::align_val_t{kAlignment}); }
};
using AlignedBytes = std::unique_ptr<char[], FreeAligned>;

inline AlignedBytes NewAligned(size_t size) {
  return AlignedBytes(static_cast<char*>(::operator new (size, std::align_val_t{kAlignment})));
}

}  // namespace anyacl::tdt
