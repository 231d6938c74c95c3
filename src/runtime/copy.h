// SPDX-License-Identifier: Apache-2.0
// Copies: of one row, or of several some distance apart.
#pragma once

#include <cstddef>
#include <vector>

#include "acl/acl_base.h"
#include "base/status.h"

namespace anyacl {

struct Copy {
  char* dst;
  size_t dst_pitch;
  const char* src;
  size_t src_pitch;
  size_t width;
  size_t height;  // at least 1

  // Whether both sides lie within the allocations in which they begin.
  Status Check() const;
  // Whether one side is device memory (207000).
  Status CheckAsync() const;
  void Run() const;
};

// One task for all of them. Memory that neither this library allocated nor the client registered
// may be gone when the stream gets there: then the copies are complete before the call returns, as
// upstream.
Status EnqueueCopies(std::vector<Copy> copies, const char* api, aclrtStream stream);

}  // namespace anyacl
