// SPDX-License-Identifier: Apache-2.0
// Replaces the global operators, those of the sanitizers, too.
#include "support/memory_exhaustion.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {
thread_local bool t_exhausted = false;
}

// All forms: memory of one must not reach the sanitizer's own form of the other.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return t_exhausted ? nullptr : std::malloc(size != 0 ? size : 1);
}
void* operator new(size_t size) {
  void* memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](size_t size) { return operator new(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return operator new(size, std::nothrow);
}
// Compilers that see both a new and this free() warn of a mismatch.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, size_t) noexcept { operator delete(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }

namespace anyacl::test {

void ExhaustMemory(bool exhausted) { t_exhausted = exhausted; }

}  // namespace anyacl::test
