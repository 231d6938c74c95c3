// SPDX-License-Identifier: Apache-2.0
// memset_s, memcpy_s, memmove_s.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "securec.h"

namespace anyacl::test {
namespace {

constexpr size_t kTooLarge = SECUREC_MEM_MAX_LEN + 1;

// What a destination of four bytes holds after the call.
struct Buffer {
  char bytes[4] = {'a', 'b', 'c', 'd'};
  std::string text() const { return std::string(bytes, sizeof(bytes)); }
};

TEST(SecurecTest, MemsetFillsAtMostTheDestination) {
  Buffer buffer;
  EXPECT_EQ(memset_s(buffer.bytes, 4, 'x', 2), EOK);
  EXPECT_EQ(buffer.text(), "xxcd");
  EXPECT_EQ(memset_s(buffer.bytes, 3, 'y', 4), ERANGE_AND_RESET);
  EXPECT_EQ(buffer.text(), "yyyd");
  EXPECT_EQ(memset_s(buffer.bytes, 4, 'z', 0), EOK);
  EXPECT_EQ(memset_s(buffer.bytes, 0, 'z', 1), ERANGE);
  EXPECT_EQ(memset_s(buffer.bytes, kTooLarge, 'z', 1), ERANGE);
  EXPECT_EQ(memset_s(nullptr, 0, 'z', 1), ERANGE);
  EXPECT_EQ(memset_s(nullptr, 4, 'z', 1), EINVAL);
  EXPECT_EQ(buffer.text(), "yyyd");
}

// What memcpy_s and memmove_s have in common.
void CopiesAndChecks(errno_t (*copy)(void*, size_t, const void*, size_t)) {
  Buffer buffer;
  EXPECT_EQ(copy(buffer.bytes, 4, "xy", 2), EOK);
  EXPECT_EQ(buffer.text(), "xycd");
  EXPECT_EQ(copy(buffer.bytes, 4, buffer.bytes, 4), EOK);
  EXPECT_EQ(copy(buffer.bytes, 4, "z", 0), EOK);
  EXPECT_EQ(copy(buffer.bytes, 0, "z", 1), ERANGE);
  EXPECT_EQ(copy(buffer.bytes, kTooLarge, "z", 1), ERANGE);
  EXPECT_EQ(copy(nullptr, 4, "z", 1), EINVAL);
  EXPECT_EQ(buffer.text(), "xycd");
  EXPECT_EQ(copy(buffer.bytes, 3, "12345", 5), ERANGE_AND_RESET);
  EXPECT_EQ(buffer.text(), std::string("\0\0\0d", 4));
  buffer = {};
  EXPECT_EQ(copy(buffer.bytes, 2, nullptr, 1), EINVAL_AND_RESET);
  EXPECT_EQ(buffer.text(), std::string("\0\0cd", 4));
}

TEST(SecurecTest, MemcpyCopiesAndChecks) { CopiesAndChecks(memcpy_s); }
TEST(SecurecTest, MemmoveCopiesAndChecks) { CopiesAndChecks(memmove_s); }

TEST(SecurecTest, OverlapIsMemmovesAlone) {
  for (const int shift : {1, -1}) {
    Buffer buffer;
    char* from = buffer.bytes + (shift < 0);
    EXPECT_EQ(memcpy_s(from + shift, 3, from, 2), EOVERLAP_AND_RESET);
    EXPECT_EQ(std::string(from + shift, 3), std::string(3, '\0'));
    // Next to each other is no overlap.
    buffer = {};
    EXPECT_EQ(memcpy_s(from + shift, 3, from, 1), EOK);
  }
  Buffer buffer;
  EXPECT_EQ(memmove_s(buffer.bytes + 1, 3, buffer.bytes, 3), EOK);
  EXPECT_EQ(buffer.text(), "aabc");
}

TEST(SecurecTest, TheVersionIsTold) {
  unsigned short number = 0;
  EXPECT_NE(GetHwSecureCVersion(&number), nullptr);
  EXPECT_NE(number, 0);
  EXPECT_NE(GetHwSecureCVersion(nullptr), nullptr);
}

}  // namespace
}  // namespace anyacl::test
