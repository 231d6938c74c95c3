// SPDX-License-Identifier: Apache-2.0
// What the sanitizers must allow because it is tested: allocations that fail, and threads in a
// forked child of a process with threads. Their libraries look for these functions by name.

#define ANYACL_FOUND_BY_SANITIZERS extern "C" __attribute__((visibility("default"), used))

ANYACL_FOUND_BY_SANITIZERS const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

ANYACL_FOUND_BY_SANITIZERS const char* __tsan_default_options() {
  return "allocator_may_return_null=1:die_after_fork=0";
}
