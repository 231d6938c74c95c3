// SPDX-License-Identifier: Apache-2.0
// Expectations on return codes and on the messages that go with them.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <initializer_list>
#include <string>
#include <string_view>

#include "acl/acl.h"

namespace anyacl::test {

// Takes the thread's error messages, newest first; empty if there are none.
inline std::string TakeMessages() {
  const char* text = aclGetRecentErrMsg();
  return text != nullptr ? text : "";
}

// Whether `text` has `word` standing by itself: "x" is not found in "expected".
inline bool HasWord(std::string_view text, std::string_view word) {
  const auto inside_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !inside_word(text[at - 1])) && (end == text.size() || !inside_word(text[end])))
      return true;
  }
  return false;
}

// Checks a code that a call has just returned, and that the message it left holds `words`: the
// parameter, the actual and the expected value. Call TakeMessages() before the call, or an old
// message may answer for it.
inline void ExpectFailure(int actual, int expected, std::initializer_list<std::string_view> words) {
  const std::string message = TakeMessages();
  EXPECT_EQ(actual, expected) << message;
  if (actual == ACL_SUCCESS) return;
  EXPECT_FALSE(message.empty()) << "code " << actual << " without a message";
  for (std::string_view word : words) {
    EXPECT_TRUE(HasWord(message, word)) << "no '" << word << "' in: " << message;
  }
}

}  // namespace anyacl::test

#define EXPECT_OK(call) EXPECT_EQ((call), ACL_SUCCESS) << ::anyacl::test::TakeMessages()
#define ASSERT_OK(call) ASSERT_EQ((call), ACL_SUCCESS) << ::anyacl::test::TakeMessages()
