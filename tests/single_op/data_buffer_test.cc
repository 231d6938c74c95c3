// SPDX-License-Identifier: Apache-2.0
// aclDataBuffer.
#include "fixture.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace anyacl::test {
namespace {

TEST(DataBufferTest, KeepsAddressAndSize) {
  int value = 0;
  aclDataBuffer* buffer = aclCreateDataBuffer(&value, sizeof(value));
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(aclGetDataBufferAddr(buffer), &value);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), sizeof(value));
  EXPECT_EQ(aclGetDataBufferSize(buffer), sizeof(value));
  EXPECT_OK(aclUpdateDataBuffer(buffer, nullptr, size_t{1} << 32));
  EXPECT_EQ(aclGetDataBufferAddr(buffer), nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), size_t{1} << 32);
  EXPECT_EQ(aclGetDataBufferSize(buffer), 0u);
  EXPECT_OK(aclDestroyDataBuffer(buffer));
}

TEST(DataBufferTest, StaleAndForeignBuffersAreFoundOut) {
  aclDataBuffer* buffer = aclCreateDataBuffer(nullptr, 0);
  ASSERT_OK(aclDestroyDataBuffer(buffer));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclDestroyDataBuffer(buffer), "dataBuffer");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclUpdateDataBuffer(nullptr, nullptr, 0), "dataBuffer");
  int foreign = 0;
  EXPECT_EQ(aclGetDataBufferAddr(reinterpret_cast<aclDataBuffer*>(&foreign)), nullptr);
  EXPECT_EQ(aclGetDataBufferSizeV2(buffer), 0u);
}

}  // namespace
}  // namespace anyacl::test
