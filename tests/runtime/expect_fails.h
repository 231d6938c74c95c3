// SPDX-License-Identifier: Apache-2.0
// EXPECT_FAILS: a failing call returns its code and leaves a message a user can act on.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "support/expect.h"

namespace anyacl::test {

// Makes `call` and expects `code` and a message that names the API, which is the part of
// `expression` before the parenthesis, and has every one of `words`.
template <class Call>
void ExpectFails(int code, std::string_view expression, const Call& call,
                 std::initializer_list<std::string_view> words) {
  TakeMessages();
  const int actual = call();
  const std::string message = TakeMessages();
  EXPECT_EQ(actual, code) << expression << "\n" << message;
  if (actual == ACL_SUCCESS) return;
  EXPECT_TRUE(HasWord(message, expression.substr(0, expression.find('('))))
      << expression << ": no API name in: " << message;
  for (std::string_view word : words) {
    EXPECT_TRUE(HasWord(message, word))
        << expression << ": no '" << word << "' in: " << message;
  }
}

// Numbers that the bits of an enum's values cannot hold, as clients in C may pass them. For C++ they
// are undefined, and UndefinedBehaviorSanitizer says so wherever they are read: none there.
inline std::vector<int> BeyondEnum([[maybe_unused]] std::vector<int> numbers) {
#ifdef ANYACL_TEST_SANITIZED
  return {};
#else
  return numbers;
#endif
}

}  // namespace anyacl::test

// EXPECT_FAILS(code, aclrtFree(nullptr), "devPtr", "null"): list the parameter, the actual value
// and what was expected.
#define EXPECT_FAILS(code, call, ...) \
  ::anyacl::test::ExpectFails((code), #call, [&]() -> int { return (call); }, {__VA_ARGS__})
