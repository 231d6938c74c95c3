// SPDX-License-Identifier: Apache-2.0
// strcpy_s, strncpy_s, strcat_s, strncat_s, strtok_s.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "securec.h"

namespace anyacl::test::string {
namespace {

constexpr size_t kTooLarge = SECUREC_STRING_MAX_LEN + 1;

struct Text {
  explicit Text(const char* text) { std::strcpy(bytes, text); }
  char bytes[16] = {};
  std::string text() const { return bytes; }
};

errno_t CopyAll(char* to, size_t size, const char* from) {
  return strncpy_s(to, size, from, SECUREC_STRING_MAX_LEN);
}
errno_t AppendAll(char* to, size_t size, const char* from) {
  return strncat_s(to, size, from, SECUREC_STRING_MAX_LEN);
}

TEST(SecurecTest, StringsAreCopiedWhole) {
  for (const auto copy : {strcpy_s, CopyAll}) {
    Text text("old");
    EXPECT_EQ(copy(text.bytes, 4, "new"), EOK);
    EXPECT_EQ(text.text(), "new");
    EXPECT_EQ(copy(text.bytes, 4, text.bytes), EOK);
    EXPECT_EQ(copy(text.bytes, 0, "x"), ERANGE);
    EXPECT_EQ(copy(text.bytes, kTooLarge, "x"), ERANGE);
    EXPECT_EQ(copy(nullptr, 4, "x"), EINVAL);
    EXPECT_EQ(text.text(), "new");
    EXPECT_EQ(copy(text.bytes, 4, "four"), ERANGE_AND_RESET);
    EXPECT_EQ(text.text(), "");
    text = Text("old");
    EXPECT_EQ(copy(text.bytes, 4, nullptr), EINVAL_AND_RESET);
    EXPECT_EQ(text.text(), "");
    text = Text("overlap");
    EXPECT_EQ(copy(text.bytes, 16, text.bytes + 3), EOVERLAP_AND_RESET);
    EXPECT_EQ(text.text(), "");
    text = Text("overlap");
    EXPECT_EQ(copy(text.bytes + 7, 9, text.bytes), EOVERLAP_AND_RESET);
    text = Text("far");
    EXPECT_EQ(copy(text.bytes + 4, 12, text.bytes), EOK);
    EXPECT_STREQ(text.bytes + 4, "far");
  }
}

TEST(SecurecTest, AtMostCountCharactersAreCopied) {
  Text text("old");
  EXPECT_EQ(strncpy_s(text.bytes, 4, "abcdef", 3), EOK);
  EXPECT_EQ(text.text(), "abc");
  EXPECT_EQ(strncpy_s(text.bytes, 4, "abcdef", 0), EOK);
  EXPECT_EQ(text.text(), "");
  EXPECT_EQ(strncpy_s(text.bytes, 4, "abcdef", 4), ERANGE_AND_RESET);
  EXPECT_EQ(strncpy_s(text.bytes, 4, "a", kTooLarge), ERANGE_AND_RESET);
  // The source needs no end within count. Not beside the destination: as upstream, the byte behind
  // it counts when overlaps are looked for.
  static const char endless[3] = {'x', 'y', 'z'};
  EXPECT_EQ(strncpy_s(text.bytes, 4, endless, 3), EOK);
  EXPECT_EQ(text.text(), "xyz");
}

TEST(SecurecTest, StringsAreAppended) {
  for (const auto append : {strcat_s, AppendAll}) {
    Text text("ab");
    EXPECT_EQ(append(text.bytes, 5, "cd"), EOK);
    EXPECT_EQ(text.text(), "abcd");
    EXPECT_EQ(append(text.bytes, 0, "x"), ERANGE);
    EXPECT_EQ(append(text.bytes, kTooLarge, "x"), ERANGE);
    EXPECT_EQ(append(nullptr, 4, "x"), EINVAL);
    EXPECT_EQ(text.text(), "abcd");
    EXPECT_EQ(append(text.bytes, 5, "e"), ERANGE_AND_RESET);
    EXPECT_EQ(text.text(), "");
    text = Text("ab");
    EXPECT_EQ(append(text.bytes, 5, nullptr), EINVAL_AND_RESET);
    EXPECT_EQ(text.text(), "");
    // No end within destMax.
    text = Text("abcd");
    EXPECT_EQ(append(text.bytes, 4, "x"), EINVAL_AND_RESET);
    EXPECT_EQ(text.text(), "");
    text = Text("abcd");
    EXPECT_EQ(append(text.bytes, 16, text.bytes + 2), EOVERLAP_AND_RESET);
    EXPECT_EQ(text.text(), "");
    text = Text("abcd");
    EXPECT_EQ(append(text.bytes + 2, 14, text.bytes), EOVERLAP_AND_RESET);
    text = Text("abcd");
    EXPECT_EQ(append(text.bytes, 16, text.bytes), ERANGE_AND_RESET);
  }
  Text text("ab");
  EXPECT_EQ(strncat_s(text.bytes, 5, "cdef", 2), EOK);
  EXPECT_EQ(text.text(), "abcd");
  EXPECT_EQ(strncat_s(text.bytes, 8, "cdef", kTooLarge), ERANGE_AND_RESET);
}

TEST(SecurecTest, TokensAreFoundOneByOne) {
  Text text(",,one, two");
  char* context = nullptr;
  EXPECT_STREQ(strtok_s(text.bytes, ", ", &context), "one");
  EXPECT_STREQ(strtok_s(nullptr, ", ", &context), "two");
  EXPECT_EQ(strtok_s(nullptr, ", ", &context), nullptr);
  EXPECT_EQ(strtok_s(nullptr, ", ", &context), nullptr);
  context = nullptr;
  EXPECT_EQ(strtok_s(nullptr, ",", &context), nullptr);
  EXPECT_EQ(strtok_s(text.bytes, nullptr, &context), nullptr);
  EXPECT_EQ(strtok_s(text.bytes, ",", nullptr), nullptr);
}

}  // namespace
}  // namespace anyacl::test::string
