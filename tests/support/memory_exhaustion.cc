// SPDX-License-Identifier: Apache-2.0
// Replaces the global operators, those of the sanitizers, too.
#include "support/memory_exhaustion.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {
thread_local bool t_exhausted = false;
}

void* operator new(size_t size) {
  void* memory = t_exhausted ? nullptr : std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace anyacl::test {

void ExhaustMemory(bool exhausted) { t_exhausted = exhausted; }

}  // namespace anyacl::test
