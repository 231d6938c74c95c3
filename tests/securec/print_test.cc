// SPDX-License-Identifier: Apache-2.0
// sprintf_s and relatives.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "securec.h"

// Wrong formats are what is tested.
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-security"

namespace anyacl::test::print {
namespace {

constexpr size_t kTooLarge = SECUREC_STRING_MAX_LEN + 1;

struct Text {
  char bytes[8] = "old";
  std::string text() const { return bytes; }
};

TEST(SecurecTest, SprintfNeedsRoomForAll) {
  Text text;
  EXPECT_EQ(sprintf_s(text.bytes, 4, "%d%%", 12), 3);
  EXPECT_EQ(text.text(), "12%");
  EXPECT_EQ(sprintf_s(text.bytes, 4, "%d", 1234), -1);
  EXPECT_EQ(text.text(), "");
  text = {};
  EXPECT_EQ(sprintf_s(text.bytes, 0, "x"), -1);
  EXPECT_EQ(sprintf_s(text.bytes, kTooLarge, "x"), -1);
  EXPECT_EQ(sprintf_s(nullptr, 4, "x"), -1);
  EXPECT_EQ(text.text(), "old");
  EXPECT_EQ(sprintf_s(text.bytes, 4, nullptr), -1);
  EXPECT_EQ(text.text(), "");
}

TEST(SecurecTest, SnprintfLeavesTheBeginning) {
  Text text;
  EXPECT_EQ(snprintf_s(text.bytes, 8, 4, "%s", "four"), 4);
  EXPECT_EQ(text.text(), "four");
  EXPECT_EQ(snprintf_s(text.bytes, 8, 4, "%s", "fivefold"), -1);
  EXPECT_EQ(text.text(), "five");
  EXPECT_EQ(snprintf_s(text.bytes, 4, 4, "%s", "four"), -1);
  EXPECT_EQ(text.text(), "");
  EXPECT_EQ(snprintf_s(text.bytes, 4, 100, "%s", "one"), 3);
  EXPECT_EQ(snprintf_s(text.bytes, 4, SECUREC_STRING_MAX_LEN, "%s", "one"), -1);
  EXPECT_EQ(text.text(), "");
  EXPECT_EQ(snprintf_s(nullptr, 4, 3, "x"), -1);
  EXPECT_EQ(snprintf_s(text.bytes, 4, 3, nullptr), -1);
  EXPECT_EQ(snprintf_s(text.bytes, 0, 0, "x"), -1);
}

TEST(SecurecTest, TheTruncatedOneTellsWhatItLeft) {
  Text text;
  EXPECT_EQ(snprintf_truncated_s(text.bytes, 4, "%s", "one"), 3);
  EXPECT_EQ(snprintf_truncated_s(text.bytes, 4, "%s", "fivefold"), 3);
  EXPECT_EQ(text.text(), "fiv");
  EXPECT_EQ(snprintf_truncated_s(text.bytes, 4, nullptr), -1);
  EXPECT_EQ(text.text(), "");
  EXPECT_EQ(snprintf_truncated_s(nullptr, 4, "x"), -1);
}

TEST(SecurecTest, NothingIsWrittenBack) {
  int count = 7;
  for (const char* format : {"ab%n", "%%%n", "%5.3hhn", "%-1$n", "%d%n"}) {
    Text text;
    EXPECT_EQ(sprintf_s(text.bytes, 8, format, &count, &count), -1) << format;
    EXPECT_EQ(text.text(), "") << format;
    EXPECT_EQ(snprintf_s(text.bytes, 8, 7, format, &count, &count), -1) << format;
    EXPECT_EQ(snprintf_truncated_s(text.bytes, 8, format, &count, &count), -1) << format;
  }
  EXPECT_EQ(count, 7);
  Text text;
  EXPECT_EQ(sprintf_s(text.bytes, 8, "%%n%5s", "n"), 7);
  EXPECT_EQ(text.text(), "%n    n");
}

}  // namespace
}  // namespace anyacl::test::print
