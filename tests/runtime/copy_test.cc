// SPDX-License-Identifier: Apache-2.0
// Copies and sets: bounds, kinds, directions, two-dimensional and asynchronous forms.
#include <cstring>
#include <numeric>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using CopyTest = RuntimeTest;

std::vector<uint8_t> Pattern(size_t size, uint8_t first = 1) {
  std::vector<uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), first);
  return bytes;
}

std::vector<uint8_t> Download(const void* device, size_t size) {
  std::vector<uint8_t> bytes(size);
  EXPECT_OK(aclrtMemcpy(bytes.data(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

void* Upload(const std::vector<uint8_t>& bytes) {
  void* device = NewDeviceMemory(bytes.size());
  EXPECT_OK(
      aclrtMemcpy(device, bytes.size(), bytes.data(), bytes.size(), ACL_MEMCPY_HOST_TO_DEVICE));
  return device;
}

TEST_F(CopyTest, RoundTripKeepsTheBytes) {
  for (size_t size : {1, 7, 64, 4096, 1000003}) {
    const std::vector<uint8_t> bytes = Pattern(size);
    void* device = Upload(bytes);
    EXPECT_EQ(Download(device, size), bytes) << size;
  }
}

TEST_F(CopyTest, CountZeroSucceedsBeforeAnyCheck) {
  EXPECT_OK(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_INTER_DEVICE_TO_DEVICE));
  EXPECT_OK(aclrtMemcpyAsync(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
  EXPECT_OK(aclrtMemset(nullptr, 0, 0, 0));
  EXPECT_OK(aclrtMemsetAsync(nullptr, 0, 0, 0, nullptr));
}

TEST_F(CopyTest, NullIsRefused) {
  char bytes[8] = {};
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMemcpy(nullptr, 8, bytes, 8, ACL_MEMCPY_DEFAULT),
               "dst", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMemcpy(bytes, 8, nullptr, 8, ACL_MEMCPY_DEFAULT),
               "src", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMemset(nullptr, 8, 0, 8), "devPtr", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpyAsync(nullptr, 8, bytes, 8, ACL_MEMCPY_HOST_TO_DEVICE, nullptr), "dst",
               "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpyAsync(bytes, 8, nullptr, 8, ACL_MEMCPY_DEVICE_TO_HOST, nullptr), "src",
               "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMemsetAsync(nullptr, 8, 0, 8, nullptr), "devPtr",
               "null");
}

TEST_F(CopyTest, KindMustBeFromZeroToFive) {
  char from[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int kind = 0; kind <= 5; ++kind) {
    char to[8] = {};
    EXPECT_OK(aclrtMemcpy(to, 8, from, 8, static_cast<aclrtMemcpyKind>(kind)));
    EXPECT_EQ(std::memcmp(from, to, 8), 0);
  }
  char to[8] = {};
  std::vector<int> refused = BeyondEnum({8, -1, 1000});
  refused.insert(refused.end(), {6, 7});
  for (int kind : refused) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
                 aclrtMemcpy(to, 8, from, 8, static_cast<aclrtMemcpyKind>(kind)), "kind",
                 std::to_string(kind), "expected");
  }
  EXPECT_EQ(to[0], 0);
}

TEST_F(CopyTest, AddressesDecideTheDirection) {
  // Whatever the kind says, the bytes go from src to dst.
  const std::vector<uint8_t> bytes = Pattern(64);
  for (int kind = 0; kind <= 5; ++kind) {
    void* device = NewDeviceMemory(64);
    EXPECT_OK(aclrtMemcpy(device, 64, bytes.data(), 64, static_cast<aclrtMemcpyKind>(kind)));
    std::vector<uint8_t> back(64);
    EXPECT_OK(aclrtMemcpy(back.data(), 64, device, 64, static_cast<aclrtMemcpyKind>(kind)));
    EXPECT_EQ(back, bytes) << kind;
  }
}

TEST_F(CopyTest, CountAboveDestMaxIsRefusedAndWritesNothing) {
  const std::vector<uint8_t> bytes = Pattern(64);
  void* device = NewDeviceMemory(64);
  EXPECT_OK(aclrtMemset(device, 64, 0xEE, 64));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy(device, 63, bytes.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE), "count", "64",
               "63", "destMax");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpyAsync(device, 63, bytes.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
               "count", "64", "63", "destMax");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device, 10, 0, 11), "count", "11", "10",
               "maxCount");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemsetAsync(device, 10, 0, 11, nullptr), "count",
               "11", "10", "maxCount");
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Download(device, 64), std::vector<uint8_t>(64, 0xEE));
}

TEST_F(CopyTest, RangeBeyondAnAllocationIsRefusedAndWritesNothing) {
  // destMax says how much room the caller believes in; the allocation is what there is.
  std::vector<uint8_t> host(4096, 1);
  void* device = NewDeviceMemory(64);
  EXPECT_OK(aclrtMemset(device, 96, 0xEE, 96));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemset(device, 4096, 0, 4096), "devPtr", "4096");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy(device, 4096, host.data(), 4096, ACL_MEMCPY_HOST_TO_DEVICE), "dst",
               "4096");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy(host.data(), 4096, device, 4096, ACL_MEMCPY_DEVICE_TO_HOST), "src",
               "4096");
  EXPECT_EQ(Download(device, 96), std::vector<uint8_t>(96, 0xEE));
  EXPECT_EQ(host, std::vector<uint8_t>(4096, 1));
}

TEST_F(CopyTest, TwoDimensionalRangeBeyondAnAllocationIsRefused) {
  std::vector<uint8_t> host(4096, 1);
  void* device = NewDeviceMemory(64);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemcpy2d(device, 64, host.data(), 64, 64, 64, ACL_MEMCPY_HOST_TO_DEVICE),
               "dst");
  // Products that do not fit must not wrap to something small.
  EXPECT_NE(
      aclrtMemcpy2d(host.data(), 64, device, size_t{1} << 62, 64, 8, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_TRUE(HasWord(TakeMessages(), "aclrtMemcpy2d"));
}

TEST_F(CopyTest, OntoItselfSucceeds) {
  void* device = Upload(Pattern(64));
  EXPECT_OK(aclrtMemcpy(device, 64, device, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT_EQ(Download(device, 64), Pattern(64));
}

TEST_F(CopyTest, DeviceToHostMayReadThePadding) {
  // Official examples download 32 bytes from smaller allocations.
  void* device = NewDeviceMemory(8);
  std::vector<uint8_t> back(64);
  EXPECT_OK(aclrtMemcpy(back.data(), 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST));
}

TEST_F(CopyTest, MemsetWritesTheLowByte) {
  void* device = NewDeviceMemory(64);
  EXPECT_OK(aclrtMemset(device, 64, 0x12345, 64));
  EXPECT_EQ(Download(device, 64), std::vector<uint8_t>(64, 0x45));
  EXPECT_OK(aclrtMemset(device, 64, -1, 32));
  std::vector<uint8_t> expected(64, 0x45);
  std::fill_n(expected.begin(), 32, uint8_t{0xFF});
  EXPECT_EQ(Download(device, 64), expected);
}

TEST_F(CopyTest, TwoDimensionalCopyKeepsThePitches) {
  constexpr size_t kWidth = 5, kHeight = 4, kDstPitch = 9, kSrcPitch = 7;
  const std::vector<uint8_t> source = Pattern(kSrcPitch * kHeight);
  std::vector<uint8_t> expected(kDstPitch * kHeight, 0);
  for (size_t row = 0; row < kHeight; ++row) {
    std::memcpy(&expected[row * kDstPitch], &source[row * kSrcPitch], kWidth);
  }
  void* device = NewDeviceMemory(kDstPitch * kHeight);
  EXPECT_OK(aclrtMemset(device, kDstPitch * kHeight, 0, kDstPitch * kHeight));
  EXPECT_OK(aclrtMemcpy2d(device, kDstPitch, source.data(), kSrcPitch, kWidth, kHeight,
                          ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(Download(device, expected.size()), expected);

  void* other = NewDeviceMemory(kDstPitch * kHeight);
  EXPECT_OK(aclrtMemset(other, kDstPitch * kHeight, 0, kDstPitch * kHeight));
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtMemcpy2dAsync(other, kDstPitch, device, kDstPitch, kWidth, kHeight,
                               ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Download(other, expected.size()), expected);
}

TEST_F(CopyTest, TwoDimensionalWidthAboveAPitchIsRefused) {
  std::vector<uint8_t> host(64);
  void* device = NewDeviceMemory(64);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpy2d(device, 7, host.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), "width",
               "8", "dpitch", "7");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpy2d(device, 8, host.data(), 7, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), "width",
               "8", "spitch", "7");
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM,
      aclrtMemcpy2dAsync(device, 7, host.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
      "width", "8", "dpitch", "7");
}

TEST_F(CopyTest, TwoDimensionalZeroSizesAreNoOperation) {
  std::vector<uint8_t> host(64);
  void* device = Upload(Pattern(64));
  EXPECT_OK(aclrtMemcpy2d(device, 8, host.data(), 8, 0, 2, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy2d(device, 8, host.data(), 8, 8, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(Download(device, 64), Pattern(64));
  // Without pitches, and without addresses.
  EXPECT_OK(aclrtMemcpy2d(device, 0, host.data(), 0, 0, 2, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 0, 7, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy2d(nullptr, 8, nullptr, 8, 8, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_OK(aclrtMemcpy2dAsync(nullptr, 0, nullptr, 0, 0, 7, ACL_MEMCPY_HOST_TO_DEVICE, nullptr));
}

TEST_F(CopyTest, TwoDimensionalNullAndKindAreRefused) {
  std::vector<uint8_t> host(64);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpy2d(nullptr, 8, host.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), "dst",
               "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpy2d(host.data(), 8, nullptr, 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), "src",
               "null");
  void* device = NewDeviceMemory(64);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemcpy2d(device, 8, host.data(), 8, 8, 2, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE),
               "kind", "6");
}

TEST_F(CopyTest, AsyncCopyBetweenDeviceBuffersFollowsTheStream) {
  void* from = Upload(Pattern(64));
  void* to = NewDeviceMemory(64);
  EXPECT_OK(aclrtMemset(to, 64, 0, 64));
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtMemcpyAsync(to, 64, from, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT_EQ(Download(to, 64), std::vector<uint8_t>(64, 0));  // not before the gate
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Download(to, 64), Pattern(64));
}

TEST_F(CopyTest, AsyncCopyWithPinnedHostMemoryFollowsTheStream) {
  void* device = NewDeviceMemory(64);
  void* pinned = nullptr;
  ASSERT_OK(aclrtMallocHost(&pinned, 64));
  std::memset(pinned, 3, 64);
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtMemcpyAsync(device, 64, pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  std::memset(pinned, 4, 64);  // the copy reads the buffer when the stream gets there
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Download(device, 64), std::vector<uint8_t>(64, 4));
}

TEST_F(CopyTest, AsyncCopyFromPageableMemoryHasReadItOnReturn) {
  void* device = NewDeviceMemory(64);
  aclrtStream stream = NewStream();
  std::vector<uint8_t> host(64, 9);
  EXPECT_OK(aclrtMemcpyAsync(device, 64, host.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  std::fill(host.begin(), host.end(), uint8_t{0});
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Download(device, 64), std::vector<uint8_t>(64, 9));
}

TEST_F(CopyTest, AsyncCopyToPageableMemoryHasWrittenItOnReturn) {
  void* device = NewDeviceMemory(64);
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtMemsetAsync(device, 64, 6, 64, stream));
  std::vector<uint8_t> host(64);
  EXPECT_OK(aclrtMemcpyAsync(host.data(), 64, device, 64, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  EXPECT_EQ(host, std::vector<uint8_t>(64, 6));  // and after the earlier task of the stream
}

TEST_F(CopyTest, AsyncCopyBetweenHostBuffersIsRefused) {
  std::vector<uint8_t> from(64), to(64);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemcpyAsync(to.data(), 64, from.data(), 64, ACL_MEMCPY_HOST_TO_HOST, nullptr),
               "host");
}

TEST_F(CopyTest, AsyncKindIsChecked) {
  void* device = NewDeviceMemory(64);
  for (int kind : BeyondEnum({8, -1, 1000})) {
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
                 aclrtMemcpyAsync(device, 32, static_cast<char*>(device) + 32, 32,
                                  static_cast<aclrtMemcpyKind>(kind), nullptr),
                 "kind", std::to_string(kind));
  }
}

TEST_F(CopyTest, AsyncMemsetFollowsTheStream) {
  void* device = NewDeviceMemory(64);
  EXPECT_OK(aclrtMemset(device, 64, 0, 64));
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtMemsetAsync(device, 64, 0x1ff, 64, stream));
  EXPECT_EQ(Download(device, 64), std::vector<uint8_t>(64, 0));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Download(device, 64), std::vector<uint8_t>(64, 0xff));
}

TEST_F(CopyTest, SynchronousCopyDoesNotDrainStreams) {
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  gate.BlockNow(nullptr);
  void* device = Upload(Pattern(64));
  EXPECT_EQ(Download(device, 64), Pattern(64));
  EXPECT_OK(aclrtMemset(device, 64, 1, 64));
  EXPECT_OK(aclrtFree(device));
}

}  // namespace
}  // namespace anyacl::test
