// SPDX-License-Identifier: Apache-2.0
#include "base/format.h"

// Defines what <fmt/core.h> declares, for all units of a library.
#include <fmt/format-inl.h>

namespace anyacl {

std::string FormatText(fmt::string_view format, fmt::format_args args) {
  return fmt::vformat(format, args);
}

std::string Joined(std::span<const int64_t> values, std::string_view separator) {
  return fmt::format("{}", fmt::join(values, separator));
}

}  // namespace anyacl
