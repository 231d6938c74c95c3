// SPDX-License-Identifier: Apache-2.0
// Status: the outcome of a step. A failure is made only by Fail(), which also records the message
// that aclGetRecentErrMsg() will show.
#pragma once

#include <fmt/core.h>

#include <string_view>

namespace anyacl {

class [[nodiscard]] Status {
 public:
  constexpr Status() = default;

  // Expected: after some twenty checks that may return early, gcc takes what follows for cold code
  // and makes it small instead of fast.
  constexpr bool ok() const { return __builtin_expect(code_ == 0, 1) != 0; }
  constexpr int code() const { return code_; }

 private:
  friend Status FailText(int code, std::string_view text);
  friend Status Replay(int code);
  constexpr explicit Status(int code) : code_(code) {}
  int code_ = 0;
};

// Records `text` as the newest error message of this thread, prefixed with the API being executed.
Status FailText(int code, std::string_view text);

// A failure whose message has been recorded already.
Status Replay(int code);

[[gnu::cold]] Status FailFormatted(int code, fmt::string_view format, fmt::format_args args);

// The one way to make an error. Say which parameter, what it is and what was expected:
//   return Fail(ACL_ERROR_INVALID_PARAM, "size is 0, expected at least 1");
template <class... Args>
Status Fail(int code, fmt::format_string<Args...> format, Args&&... args) {
  return FailFormatted(code, format, fmt::make_format_args(args...));
}

[[gnu::cold]] void WarnFormatted(fmt::string_view format, fmt::format_args args);

// A line in the log at WARNING level, for what is legal but probably not meant.
template <class... Args>
void Warn(fmt::format_string<Args...> format, Args&&... args) {
  WarnFormatted(format, fmt::make_format_args(args...));
}

}  // namespace anyacl
