// SPDX-License-Identifier: Apache-2.0
// The one unit that compiles fmt; all others have its declarations.
#define FMT_HEADER_ONLY 1
#include "base/format.h"

#include <fmt/format.h>

namespace anyacl {

std::string FormatText(fmt::string_view format, fmt::format_args args) {
  return fmt::vformat(format, args);
}

std::string Joined(std::span<const int64_t> values, std::string_view separator) {
  return fmt::format("{}", fmt::join(values, separator));
}

}  // namespace anyacl
