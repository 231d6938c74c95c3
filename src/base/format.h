// SPDX-License-Identifier: Apache-2.0
// Text for messages: fmt, whose implementation is compiled once, in format.cc. Where fmt::format
// stands itself, all of it is compiled anew, for two seconds and more.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace anyacl {

std::string FormatText(fmt::string_view format, fmt::format_args args);

template <class... Args>
std::string Format(fmt::format_string<Args...> format, Args&&... args) {
  return FormatText(format, fmt::make_format_args(args...));
}

// "4, 2"
std::string Joined(std::span<const int64_t> values, std::string_view separator = ", ");

}  // namespace anyacl
