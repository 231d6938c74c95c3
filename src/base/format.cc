// SPDX-License-Identifier: Apache-2.0
// The one unit that compiles fmt; all others have its declarations.
#define FMT_HEADER_ONLY 1
#include "base/format.h"

#include <fmt/format.h>

namespace anyacl {
namespace {

// What <fmt/core.h> leaves to be defined elsewhere. Inline here, it would be left out.
[[gnu::used]] const auto kVformat =
    static_cast<std::string (*)(fmt::string_view, fmt::format_args)>(&fmt::vformat);
[[gnu::used]] void (*const kThrowFormatError)(const char*) = &fmt::detail::throw_format_error;
[[gnu::used]] void (*const kAssertFail)(const char*, int, const char*) = &fmt::detail::assert_fail;

}  // namespace

std::string FormatText(fmt::string_view format, fmt::format_args args) {
  return fmt::vformat(format, args);
}

std::string Joined(std::span<const int64_t> values, std::string_view separator) {
  return fmt::format("{}", fmt::join(values, separator));
}

}  // namespace anyacl
