// SPDX-License-Identifier: Apache-2.0
// What tests make of the engines in memory.
#pragma once

#include <atomic>

namespace anyacl::hccl {

// All of them are busy with something that is no message: Progress says so each time.
extern std::atomic<bool> g_memory_engines_busy;

}  // namespace anyacl::hccl
