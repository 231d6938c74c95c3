// SPDX-License-Identifier: Apache-2.0
// Tests leave out what ThreadSanitizer cannot do.
#pragma once

namespace anyacl::test {

// Slow, and confused by threads that the forked child of a process with threads starts.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#else
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace anyacl::test
