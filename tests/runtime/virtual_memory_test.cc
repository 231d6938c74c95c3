// SPDX-License-Identifier: Apache-2.0
// Virtual memory management, as clients' memory pools use it.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

constexpr size_t kGranularity = size_t{2} << 20;

class VirtualMemoryTest : public RuntimeTest {
 protected:
  char* Reserve(size_t size) {
    void* address = nullptr;
    EXPECT_OK(aclrtReserveMemAddress(&address, size, 0, nullptr, 0));
    return static_cast<char*>(address);
  }

  aclrtDrvMemHandle NewPhysical(size_t size) {
    aclrtDrvMemHandle handle = nullptr;
    const aclrtPhysicalMemProp prop = DeviceProp();
    EXPECT_OK(aclrtMallocPhysical(&handle, size, &prop, 0));
    return handle;
  }
};

TEST_F(VirtualMemoryTest, GranularityIsTwoMebibytes) {
  aclrtPhysicalMemProp prop = DeviceProp();
  for (auto option :
       {ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
    size_t granularity = 0;
    EXPECT_OK(aclrtMemGetAllocationGranularity(&prop, option, &granularity));
    EXPECT_EQ(granularity, kGranularity);
  }
  size_t granularity = 0;
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM,
      aclrtMemGetAllocationGranularity(nullptr, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity),
      "prop", "null");
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM,
      aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, nullptr),
      "granularity", "null");
}

TEST_F(VirtualMemoryTest, MappedMemoryWorksLikeDeviceMemory) {
  char* address = Reserve(8 * kGranularity);
  ASSERT_NE(address, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(address) % kGranularity, 0u);
  aclrtDrvMemHandle handle = NewPhysical(kGranularity);
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, handle, 0));

  std::vector<char> host(kGranularity, 5);
  EXPECT_OK(
      aclrtMemcpy(address, kGranularity, host.data(), kGranularity, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_EQ(address[kGranularity - 1], 5);
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(address, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtMemsetAsync(address, kGranularity, 7, kGranularity, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(address[0], 7);

  EXPECT_OK(aclrtUnmapMem(address));
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_OK(aclrtReleaseMemAddress(address));
}

TEST_F(VirtualMemoryTest, PoolGrowsContiguously) {
  // The pattern of a growing memory pool: one reservation, mapped piece by piece.
  char* address = Reserve(8 * kGranularity);
  std::vector<aclrtDrvMemHandle> handles;
  for (size_t i = 0; i < 4; ++i) {
    handles.push_back(NewPhysical(kGranularity));
    ASSERT_OK(aclrtMapMem(address + i * kGranularity, kGranularity, 0, handles.back(), 0));
    EXPECT_OK(aclrtMemset(address, (i + 1) * kGranularity, static_cast<int32_t>(i + 1),
                          (i + 1) * kGranularity));
    EXPECT_EQ(address[(i + 1) * kGranularity - 1], static_cast<char>(i + 1));
  }
  // A physical allocation may go once it is mapped; the mapping keeps it.
  for (aclrtDrvMemHandle handle : handles) EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_EQ(address[3 * kGranularity], 4);
  for (size_t i = 0; i < 4; ++i) EXPECT_OK(aclrtUnmapMem(address + i * kGranularity));
  EXPECT_OK(aclrtReleaseMemAddress(address));
}

TEST_F(VirtualMemoryTest, TwoMappingsShareOnePhysicalAllocation) {
  char* first = Reserve(kGranularity);
  char* second = Reserve(kGranularity);
  aclrtDrvMemHandle handle = NewPhysical(kGranularity);
  ASSERT_OK(aclrtMapMem(first, kGranularity, 0, handle, 0));
  ASSERT_OK(aclrtMapMem(second, kGranularity, 0, handle, 0));
  first[123] = 45;
  EXPECT_EQ(second[123], 45);
  EXPECT_OK(aclrtUnmapMem(first));
  EXPECT_EQ(second[123], 45);
  EXPECT_OK(aclrtUnmapMem(second));
  EXPECT_OK(aclrtFreePhysical(handle));
}

TEST_F(VirtualMemoryTest, MemoryComesBackAfterRemapping) {
  char* address = Reserve(kGranularity);
  aclrtDrvMemHandle handle = NewPhysical(kGranularity);
  for (int round = 0; round < 3; ++round) {
    ASSERT_OK(aclrtMapMem(address, kGranularity, 0, handle, 0));
    if (round > 0) {
      EXPECT_EQ(address[9], static_cast<char>(round));
    }
    address[9] = static_cast<char>(round + 1);
    EXPECT_OK(aclrtUnmapMem(address));
  }
}

TEST_F(VirtualMemoryTest, NullIsRefused) {
  const aclrtPhysicalMemProp prop = DeviceProp();
  aclrtDrvMemHandle handle = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtReserveMemAddress(nullptr, kGranularity, 0, nullptr, 0), "virPtr", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMallocPhysical(nullptr, kGranularity, &prop, 0),
               "handle", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMallocPhysical(&handle, kGranularity, nullptr, 0),
               "prop", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtFreePhysical(nullptr), "handle", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtReleaseMemAddress(nullptr), "virPtr", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtUnmapMem(nullptr), "virPtr", "null");
  char* address = Reserve(kGranularity);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMapMem(address, kGranularity, 0, nullptr, 0), "handle",
               "null");
  aclrtDrvMemHandle good = NewPhysical(kGranularity);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMapMem(nullptr, kGranularity, 0, good, 0), "virPtr",
               "null");
}

// Codes of misuse are not documented; that it fails, names the API and changes nothing is.
void ExpectRefused(const char* api, int code) {
  EXPECT_NE(code, 0) << api;
  const std::string message = TakeMessages();
  EXPECT_NE(message.find(api), std::string::npos) << message;
}

TEST_F(VirtualMemoryTest, MisuseIsRefused) {
  const aclrtPhysicalMemProp prop = DeviceProp();
  aclrtDrvMemHandle handle = nullptr;
  void* reserved = nullptr;
  TakeMessages();
  ExpectRefused("aclrtReserveMemAddress", aclrtReserveMemAddress(&reserved, 0, 0, nullptr, 0));
  ExpectRefused("aclrtMallocPhysical", aclrtMallocPhysical(&handle, 0, &prop, 0));
  ExpectRefused("aclrtMallocPhysical", aclrtMallocPhysical(&handle, kGranularity, &prop, 1));

  char* address = Reserve(2 * kGranularity);
  aclrtDrvMemHandle physical = NewPhysical(kGranularity);
  ExpectRefused("aclrtMapMem", aclrtMapMem(address, 2 * kGranularity, 0, physical, 0));  // too big
  ExpectRefused("aclrtMapMem", aclrtMapMem(address + 4096, kGranularity, 0, physical, 0));
  ExpectRefused("aclrtMapMem",
                aclrtMapMem(address + 2 * kGranularity, kGranularity, 0, physical, 0));  // outside
  std::vector<char> foreign(kGranularity);
  ExpectRefused("aclrtMapMem", aclrtMapMem(foreign.data(), kGranularity, 0, physical, 0));
  ExpectRefused("aclrtMapMem", aclrtMapMem(address, kGranularity, 0, foreign.data(), 0));
  ExpectRefused("aclrtMapMem", aclrtMapMem(address, kGranularity, kGranularity, physical, 0));
  ExpectRefused("aclrtMapMem", aclrtMapMem(address, kGranularity, 0, physical, 5));
  ExpectRefused("aclrtUnmapMem", aclrtUnmapMem(address));  // nothing is mapped

  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, physical, 0));
  address[0] = 17;
  ExpectRefused("aclrtMapMem", aclrtMapMem(address, kGranularity, 0, physical, 0));  // twice
  ExpectRefused("aclrtReleaseMemAddress", aclrtReleaseMemAddress(address));          // still mapped
  ExpectRefused("aclrtReleaseMemAddress", aclrtReleaseMemAddress(foreign.data()));
  ExpectRefused("aclrtFreePhysical", aclrtFreePhysical(foreign.data()));
  ExpectRefused("aclrtFree", aclrtFree(address));
  EXPECT_EQ(address[0], 17);
  EXPECT_OK(aclrtUnmapMem(address));
  ExpectRefused("aclrtUnmapMem", aclrtUnmapMem(address));
  EXPECT_OK(aclrtReleaseMemAddress(address));
  ExpectRefused("aclrtReleaseMemAddress", aclrtReleaseMemAddress(address));
  EXPECT_OK(aclrtFreePhysical(physical));
  ExpectRefused("aclrtFreePhysical", aclrtFreePhysical(physical));
}

TEST_F(VirtualMemoryTest, AbsurdSizesAreRefused) {
  const aclrtPhysicalMemProp prop = DeviceProp();
  aclrtDrvMemHandle handle = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION,
               aclrtMallocPhysical(&handle, size_t{1} << 60, &prop, 0), "size");
  void* reserved = nullptr;
  TakeMessages();
  ExpectRefused("aclrtReserveMemAddress",
                aclrtReserveMemAddress(&reserved, size_t{1} << 62, 0, nullptr, 0));
  ExpectRefused("aclrtReserveMemAddress",
                aclrtReserveMemAddress(&reserved, ~size_t{0}, 0, nullptr, 0));
}

TEST_F(VirtualMemoryTest, ReservationOfManyTimesTheMemoryCostsNothing) {
  size_t free_before = 0, free_after = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_before, &total));
  char* address = Reserve(size_t{256} << 30);
  ASSERT_NE(address, nullptr);
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_after, &total));
  EXPECT_EQ(free_before, free_after);
  EXPECT_OK(aclrtReleaseMemAddress(address));
}

TEST_F(VirtualMemoryTest, PhysicalMemoryCountsAsUsed) {
  size_t before = 0, during = 0, after = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
  aclrtDrvMemHandle handle = NewPhysical(4 * kGranularity);
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &during, &total));
  EXPECT_EQ(before - during, 4 * kGranularity);
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
  EXPECT_EQ(before, after);
}

TEST_F(VirtualMemoryTest, AnySizeIsRoundedUp) {
  // torch_npu's probe, and what ggml reserves: all that is free.
  void* address = nullptr;
  EXPECT_OK(aclrtReserveMemAddress(&address, 512, 0, nullptr, 1));
  EXPECT_OK(aclrtReleaseMemAddress(address));
  const aclrtPhysicalMemProp prop = DeviceProp();
  aclrtDrvMemHandle handle = nullptr;
  size_t before = 0, after = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
  EXPECT_OK(aclrtReserveMemAddress(&address, total - 12345, 0, nullptr, 1));
  ASSERT_OK(aclrtMallocPhysical(&handle, kGranularity + 1, &prop, 0));
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
  EXPECT_EQ(before - after, 2 * kGranularity);
  ASSERT_OK(aclrtMapMem(address, kGranularity + 1, 0, handle, 0));
  EXPECT_OK(aclrtMemset(address, kGranularity + 1, 5, kGranularity + 1));
  aclrtPhysicalMemProp read = {};
  EXPECT_OK(aclrtMemGetAllocationPropertiesFromHandle(handle, &read));
  EXPECT_EQ(read.memAttr, prop.memAttr);
  EXPECT_EQ(read.location.type, prop.location.type);
  EXPECT_OK(aclrtUnmapMem(address));
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_OK(aclrtReleaseMemAddress(address));
}

TEST_F(VirtualMemoryTest, ThousandsOfHandlesNeedNoFileDescriptors) {
  constexpr size_t kHandles = 2000;
  ScopedEnv memory("ANYACL_DEVICE_MEMORY", std::to_string(kHandles * kGranularity));
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = 64;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    const aclrtPhysicalMemProp prop = DeviceProp();
    void* reserved = nullptr;
    ASSERT_OK(aclrtReserveMemAddress(&reserved, kHandles * kGranularity, 0, nullptr, 0));
    auto* address = static_cast<char*>(reserved);
    for (size_t i = 0; i < kHandles; ++i) {
      aclrtDrvMemHandle handle = nullptr;
      ASSERT_OK(aclrtMallocPhysical(&handle, kGranularity, &prop, 0));
      ASSERT_OK(aclrtMapMem(address + i * kGranularity, kGranularity, 0, handle, 0));
      ASSERT_OK(aclrtFreePhysical(handle));
    }
    // All of it is one range, whose end is known.
    address[0] = 1;
    EXPECT_OK(aclrtMemset(address + kHandles * kGranularity - 64, 64, 1, 64));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtMemset(address + kHandles * kGranularity - 64, 65, 1, 65), "devPtr");
    EXPECT_OK(aclrtUnmapMem(address + kGranularity));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtMemset(address, kGranularity + 1, 1, kGranularity + 1), "devPtr");
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST_F(VirtualMemoryTest, FreedPagesAreGivenBack) {
  const auto shared_kib = [] {
    FILE* status = std::fopen("/proc/self/status", "r");
    char line[256];
    long kib = -1;
    while (std::fgets(line, sizeof(line), status) != nullptr) {
      if (std::sscanf(line, "RssShmem: %ld", &kib) == 1) break;
    }
    std::fclose(status);
    return kib;
  };
  char* address = Reserve(kGranularity);
  aclrtDrvMemHandle handle = NewPhysical(kGranularity);
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, handle, 0));
  std::memset(address, 1, kGranularity);
  const long during = shared_kib();
  EXPECT_OK(aclrtUnmapMem(address));
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_LE(shared_kib(), during - 2048);
  // Fresh memory has nothing of the old.
  handle = NewPhysical(kGranularity);
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, handle, 0));
  EXPECT_EQ(address[0], 0);
}

TEST_F(VirtualMemoryTest, FillReachesPhysicalMemory) {
  ScopedEnv fill("ANYACL_FILL", "0xCD");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    const aclrtPhysicalMemProp prop = DeviceProp();
    aclrtDrvMemHandle handle = nullptr;
    void* address = nullptr;
    ASSERT_OK(aclrtMallocPhysical(&handle, kGranularity, &prop, 0));
    ASSERT_OK(aclrtReserveMemAddress(&address, kGranularity, 0, nullptr, 0));
    ASSERT_OK(aclrtMapMem(address, kGranularity, 0, handle, 0));
    EXPECT_EQ(static_cast<unsigned char*>(address)[kGranularity - 1], 0xCD);
    EXPECT_OK(aclrtResetDevice(0));
  });
}

// A stream that waits for another party hangs nobody who takes a mapping back, and what its tasks
// use stays.
TEST_F(VirtualMemoryTest, UnmapDoesNotWaitForBlockedStreams) {
  char* address = Reserve(2 * kGranularity);
  aclrtDrvMemHandle handle = NewPhysical(kGranularity);
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, handle, 0));
  std::memset(address, 0x11, kGranularity);
  void* target = NewDeviceMemory(64);
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtMemcpyAsync(target, 64, address, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT_OK(aclrtUnmapMem(address));
  EXPECT_OK(aclrtFreePhysical(handle));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtUnmapMem(address), "virPtr");
  // Elsewhere in the reservation nothing waits.
  aclrtDrvMemHandle other = NewPhysical(kGranularity);
  ASSERT_OK(aclrtMapMem(address + kGranularity, kGranularity, 0, other, 0));
  EXPECT_OK(aclrtUnmapMem(address + kGranularity));
  EXPECT_OK(aclrtReleaseMemAddress(address));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(static_cast<char*>(target)[63], 0x11);
  size_t free_size = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_size, &total));
}

TEST_F(VirtualMemoryTest, MappingAnewWaitsForTasksOfTheOldMapping) {
  char* address = Reserve(kGranularity);
  aclrtDrvMemHandle first = NewPhysical(kGranularity);
  aclrtDrvMemHandle second = NewPhysical(kGranularity);
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, first, 0));
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtMemsetAsync(address, kGranularity, 0x22, kGranularity, stream));
  EXPECT_OK(aclrtUnmapMem(address));
  std::thread opener([&] { gate.Open(); });
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, second, 0));
  EXPECT_EQ(address[5], 0);
  opener.join();
  EXPECT_OK(aclrtUnmapMem(address));
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, first, 0));
  EXPECT_EQ(address[5], 0x22);
}

TEST_F(VirtualMemoryTest, AccessIsKept) {
  char* address = Reserve(kGranularity);
  aclrtDrvMemHandle handle = NewPhysical(kGranularity);
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, handle, 0));
  aclrtMemAccessDesc desc = {};
  desc.flags = ACL_RT_MEM_ACCESS_FLAGS_READ;
  desc.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  uint64_t access = 99;
  EXPECT_OK(aclrtMemGetAccess(address, &desc.location, &access));
  EXPECT_EQ(access, static_cast<uint64_t>(ACL_RT_MEM_ACCESS_FLAGS_READWRITE));
  EXPECT_OK(aclrtMemSetAccess(address, kGranularity, &desc, 1));
  EXPECT_OK(aclrtMemGetAccess(address, &desc.location, &access));
  EXPECT_EQ(access, static_cast<uint64_t>(ACL_RT_MEM_ACCESS_FLAGS_READ));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemSetAccess(address, 2 * kGranularity, &desc, 1),
               "size");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtMemGetAccess(address + 4096, &desc.location, &access), "virPtr");
  desc.location.id = 1000;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtMemSetAccess(address, kGranularity, &desc, 1),
               "deviceId");
  EXPECT_OK(aclrtUnmapMem(address));
  ASSERT_OK(aclrtMemMapNoAccess(address, kGranularity, 0, handle, 0));
  desc.location.id = 0;
  EXPECT_OK(aclrtMemGetAccess(address, &desc.location, &access));
  EXPECT_EQ(access, static_cast<uint64_t>(ACL_RT_MEM_ACCESS_FLAGS_NONE));
}

TEST_F(VirtualMemoryTest, RetainedHandlesOwnTheMemory) {
  char* address = Reserve(kGranularity);
  aclrtDrvMemHandle handle = NewPhysical(kGranularity);
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, handle, 0));
  aclrtDrvMemHandle retained = nullptr;
  EXPECT_OK(aclrtMemRetainAllocationHandle(address + 5000, &retained));
  address[1] = 7;
  EXPECT_OK(aclrtUnmapMem(address));
  EXPECT_OK(aclrtFreePhysical(handle));
  ASSERT_OK(aclrtMapMem(address, kGranularity, 0, retained, 0));
  EXPECT_EQ(address[1], 7);
  EXPECT_OK(aclrtUnmapMem(address));
  EXPECT_OK(aclrtFreePhysical(retained));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemRetainAllocationHandle(address, &retained),
               "virPtr");
}

}  // namespace
}  // namespace anyacl::test
