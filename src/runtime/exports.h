// SPDX-License-Identifier: Apache-2.0
// What libnnopbase and libopapi use of the runtime. C linkage, so that no C++ symbol leaves a
// library; the three are built together, so C++ types may stand in the signatures.
#pragma once

#include <cstddef>
#include <memory>

#include "acl/acl_base.h"
#include "runtime/task.h"

namespace anyacl {

// The part of one of our allocations that may be accessed: with ANYACL_STRICT=1 the bytes asked
// for, else the padding, too.
struct MemoryRange {
  const char* begin = nullptr;
  size_t size = 0;
};

}  // namespace anyacl

#pragma GCC visibility push(default)
extern "C" {

// Appends `task` to a stream (null: the current context's default stream). Returns a code; a
// failure has left its message.
int anyaclEnqueue(aclrtStream stream, const std::shared_ptr<anyacl::Task>& task);

// False if the address lies in none of our allocations.
bool anyaclFindAllocation(const void* address, anyacl::MemoryRange* range);
}
#pragma GCC visibility pop
