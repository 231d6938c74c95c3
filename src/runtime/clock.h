// SPDX-License-Identifier: Apache-2.0
// Local time as text, without the C library's time zone lock: a forked child may find it locked.
#pragma once

#include <string>

namespace anyacl {

// "2026-01-31-23:59:59", and the microseconds of that second.
struct LocalTime {
  std::string text;
  int microseconds;
};
LocalTime Now();

}  // namespace anyacl
