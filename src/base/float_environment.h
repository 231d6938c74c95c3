// SPDX-License-Identifier: Apache-2.0
// DefaultFloatEnvironment: while it lives, this thread rounds to nearest even and keeps denormals.
// Tasks may run in a client's thread, and threads inherit the settings of the thread that starts
// them: a client that rounds otherwise or flushes denormals must not change results.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace anyacl {

class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() : saved_(Get()) { Set(kDefault); }
  ~DefaultFloatEnvironment() { Set(saved_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
#if defined(__x86_64__)
  using Register = unsigned int;
  static constexpr Register kDefault = 0x1f80;  // all exceptions masked, to nearest, no FTZ, no DAZ
  static Register Get() { return _mm_getcsr(); }
  static void Set(Register value) { _mm_setcsr(value); }
#elif defined(__aarch64__)
  using Register = uint64_t;
  static constexpr Register kDefault = 0;
  static Register Get() {
    Register value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void Set(Register value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#endif
  const Register saved_;
};

}  // namespace anyacl
