// SPDX-License-Identifier: Apache-2.0
// What libnnopbase and libopapi use of the runtime. C linkage, so that no C++ symbol leaves a
// library; the three are built together, so C++ types may stand in the signatures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "acl/acl_base.h"
#include "runtime/task.h"

namespace anyacl {

// Bytes of our own memory that may be accessed.
struct MemoryRange {
  const char* begin = nullptr;
  size_t size = 0;
};

// One chunk of a ParallelFor, in the thread that has this slot.
using ChunkBody = void (*)(const void* context, int64_t begin, int64_t end, int64_t slot) noexcept;

}  // namespace anyacl

#pragma GCC visibility push(default)
extern "C" {

// Appends `task` to a stream (null: the current context's default stream). Returns a code; a
// failure has left its message.
int anyaclEnqueue(aclrtStream stream, const std::shared_ptr<anyacl::Task>& task);

// Whether tasks of the stream become nodes of a graph, which runs them as often as it runs: the
// stream is captured or bound to a model.
bool anyaclEnqueuesForGraph(aclrtStream stream);

// Whether a profile runs that has Task::operands().
bool anyaclProfilesOperands();

// False if nothing is known of the address.
bool anyaclFindUsableRange(const void* address, anyacl::MemoryRange* range);

// With ANYACL_STRICT=1, whether the bytes begin in memory that we gave out or lie in memory that
// the client registered; else true.
bool anyaclMayAccess(const void* address, size_t size);

// ParallelFor and ThreadCount of runtime/parallel.h, which is the way to call these.
void anyaclParallelFor(int64_t count, int64_t grain, anyacl::ChunkBody body, const void* context);
int64_t anyaclThreadCount();

// The number of devices, those too that ASCEND_RT_VISIBLE_DEVICES hides.
uint32_t anyaclAllDevices();

// How long a task that waits for other workers may run; UINT64_MAX: as long as it takes.
uint64_t anyaclOpExecuteTimeoutUs();
}
#pragma GCC visibility pop
