// SPDX-License-Identifier: Apache-2.0
// Allocation: sizes, padding, alignment, ownership, accounting, pointer attributes.
#include <cstring>
#include <limits>
#include <map>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using MemoryTest = RuntimeTest;

constexpr size_t RoundUp32(size_t size) { return (size + 31) / 32 * 32; }

size_t FreeMemory() {
  size_t free_size = 0;
  size_t total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_size, &total));
  return free_size;
}

TEST_F(MemoryTest, SizeZeroIsRefused) {
  void* memory = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMalloc(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST), "size",
               "0", "expected");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMallocAlign32(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST),
               "size", "0", "expected");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMallocCached(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST),
               "size", "0", "expected");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMallocHost(&memory, 0), "size", "0", "expected");
}

TEST_F(MemoryTest, NullResultPointerIsRefused) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST),
               "devPtr", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMallocAlign32(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST),
               "devPtr", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMallocCached(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST),
               "devPtr", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMallocHost(nullptr, 8), "hostPtr", "null");
}

TEST_F(MemoryTest, FreeOfNullIsAnError) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtFree(nullptr), "devPtr", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtFreeWithDevSync(nullptr), "devPtr", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtFreeHost(nullptr), "hostPtr", "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtFreeHostWithDevSync(nullptr), "hostPtr", "null");
}

TEST_F(MemoryTest, FreeOfAForeignPointerIsAnError) {
  int local = 0;
  std::vector<char> heap(64);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(&local), "devPtr", "expected");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(heap.data()), "devPtr", "expected");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(heap.data()), "hostPtr", "expected");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeWithDevSync(reinterpret_cast<void*>(16)),
               "devPtr");
}

TEST_F(MemoryTest, FreeOfTheMiddleIsAnError) {
  auto* memory = static_cast<char*>(NewDeviceMemory(256));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(memory + 64), "devPtr");
  EXPECT_OK(aclrtFree(memory));
}

TEST_F(MemoryTest, SecondFreeIsAnError) {
  void* memory = NewDeviceMemory(256);
  EXPECT_OK(aclrtFree(memory));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(memory), "devPtr");
  void* host = nullptr;
  ASSERT_OK(aclrtMallocHost(&host, 256));
  EXPECT_OK(aclrtFreeHost(host));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(host), "hostPtr");
}

TEST_F(MemoryTest, FreeDoesNotMixHostAndDevice) {
  void* device = NewDeviceMemory(64);
  void* host = nullptr;
  ASSERT_OK(aclrtMallocHost(&host, 64));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFreeHost(device), "hostPtr");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(host), "devPtr");
  EXPECT_OK(aclrtFree(device));
  EXPECT_OK(aclrtFreeHost(host));
}

TEST_F(MemoryTest, ExhaustionIsReported) {
  void* memory = nullptr;
  const size_t half = std::numeric_limits<size_t>::max() / 2;
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION,
               aclrtMalloc(&memory, half, ACL_MEM_MALLOC_HUGE_FIRST), "size");
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION,
               aclrtMalloc(&memory, std::numeric_limits<size_t>::max(), ACL_MEM_MALLOC_HUGE_FIRST),
               "size");  // rounding up must not wrap to a small number
  EXPECT_FAILS(
      ACL_ERROR_RT_MEMORY_ALLOCATION,
      aclrtMallocAlign32(&memory, std::numeric_limits<size_t>::max(), ACL_MEM_MALLOC_HUGE_FIRST),
      "size");
  EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION, aclrtMallocHost(&memory, half), "size");
  EXPECT_OK(aclrtFree(NewDeviceMemory(64)));
}

TEST_F(MemoryTest, EveryPolicyIsTolerated) {
  std::vector<int> policies = BeyondEnum({0x40000001, -1});
  policies.insert(policies.end(),
                  {0, 1, 2, 3, 4, 5, 6, 7, 0x100, 0x1000, 0x100000, 0x1100, 0xABCD});
  for (int policy : policies) {
    void* memory = nullptr;
    EXPECT_OK(aclrtMalloc(&memory, 100, static_cast<aclrtMemMallocPolicy>(policy)));
    EXPECT_OK(aclrtFree(memory));
  }
}

TEST_F(MemoryTest, BaseIsAlignedTo64Bytes) {
  for (size_t size : {1, 31, 32, 33, 100, 4095, 4096, 100000}) {
    void* memory = NewDeviceMemory(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u) << size;
    void* aligned = nullptr;
    EXPECT_OK(aclrtMallocAlign32(&aligned, size, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned) % 64, 0u) << size;
    void* host = nullptr;
    EXPECT_OK(aclrtMallocHost(&host, size));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(host) % 64, 0u) << size;
    EXPECT_OK(aclrtFreeHost(host));
  }
}

TEST_F(MemoryTest, SizeIsRoundedTo32AndPaddedBy32) {
  for (size_t size : {1, 8, 16, 31, 32, 33, 63, 64, 65, 1000, 4096, 65537}) {
    auto* memory = static_cast<unsigned char*>(NewDeviceMemory(size));
    const size_t usable = RoundUp32(size) + 32;
    // Direct access (seen by AddressSanitizer) and access through the API.
    std::memset(memory, 0x5a, usable);
    std::vector<unsigned char> copy(usable);
    EXPECT_OK(aclrtMemcpy(copy.data(), usable, memory, usable, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_EQ(copy, std::vector<unsigned char>(usable, 0x5a));
    EXPECT_OK(aclrtFree(memory));
  }
}

TEST_F(MemoryTest, AlignedVariantIsRoundedOnly) {
  for (size_t size : {1, 32, 33, 4097}) {
    void* memory = nullptr;
    ASSERT_OK(aclrtMallocAlign32(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtMemset(memory, RoundUp32(size), 1, RoundUp32(size)));
    EXPECT_OK(aclrtFree(memory));
  }
}

TEST_F(MemoryTest, NeighboursDoNotOverlap) {
  std::map<char*, size_t> blocks;
  for (size_t size = 1; size < 300; size += 7) {
    auto* memory = static_cast<char*>(NewDeviceMemory(size));
    std::memset(memory, static_cast<int>(size), RoundUp32(size) + 32);
    blocks[memory] = size;
  }
  char* end = nullptr;
  for (const auto& [begin, size] : blocks) {
    EXPECT_GE(begin, end);
    end = begin + RoundUp32(size) + 32;
    EXPECT_EQ(begin[0], static_cast<char>(size));
    EXPECT_EQ(end[-1], static_cast<char>(size));
  }
}

TEST_F(MemoryTest, AnotherThreadMayFree) {
  void* memory = NewDeviceMemory(64);
  std::thread([memory] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtFree(memory));
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
}

TEST_F(MemoryTest, FreeWithDevSyncWaitsForTheDevice) {
  aclrtStream stream = NewStream();
  void* memory = NewDeviceMemory(64);
  bool ran = false;
  EXPECT_OK(aclrtLaunchHostFunc(
      stream,
      [](void* argument) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        *static_cast<bool*>(argument) = true;
      },
      &ran));
  EXPECT_OK(aclrtFreeWithDevSync(memory));
  EXPECT_TRUE(ran);
}

TEST_F(MemoryTest, InfoCountsAllocations) {
  const size_t before = FreeMemory();
  void* memory = NewDeviceMemory(size_t{8} << 20);
  EXPECT_LE(FreeMemory() + (size_t{8} << 20), before);
  EXPECT_OK(aclrtFree(memory));
  EXPECT_EQ(FreeMemory(), before);
}

TEST_F(MemoryTest, InfoAcceptsEveryAttribute) {
  for (int attribute = ACL_DDR_MEM; attribute <= ACL_MEM_P2P_HUGE1G; ++attribute) {
    size_t free_size = 0;
    size_t total = 0;
    EXPECT_OK(aclrtGetMemInfo(static_cast<aclrtMemAttr>(attribute), &free_size, &total));
    EXPECT_GT(total, 0u);
    EXPECT_LE(free_size, total);
  }
}

TEST_F(MemoryTest, InfoRefusesBadArguments) {
  size_t size = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &size), "freeSize",
               "null");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetMemInfo(ACL_HBM_MEM, &size, nullptr), "totalSize",
               "null");
}

TEST_F(MemoryTest, PointerAttributesTellDeviceMemory) {
  auto* memory = static_cast<char*>(NewDeviceMemory(1000));
  for (char* pointer : {memory, memory + 1, memory + 999}) {
    aclrtPtrAttributes attributes = {};
    EXPECT_OK(aclrtPointerGetAttributes(pointer, &attributes));
    EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_DEVICE);
    EXPECT_EQ(attributes.location.id, 0u);
    EXPECT_GE(attributes.pageSize, 4096u);
  }
}

TEST_F(MemoryTest, PointerAttributesTellHostMemory) {
  void* host = nullptr;
  ASSERT_OK(aclrtMallocHost(&host, 64));
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(host, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_OK(aclrtFreeHost(host));
}

TEST_F(MemoryTest, PointerAttributesTellForeignMemory) {
  int local = 0;
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(&local, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  void* freed = NewDeviceMemory(64);
  EXPECT_OK(aclrtFree(freed));
  EXPECT_OK(aclrtPointerGetAttributes(freed, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

TEST_F(MemoryTest, PointerAttributesRefuseNull) {
  aclrtPtrAttributes attributes = {};
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtPointerGetAttributes(nullptr, &attributes), "ptr",
               "null");
  int local = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtPointerGetAttributes(&local, nullptr), "attributes",
               "null");
}

TEST_F(MemoryTest, HostRegistrationGivesADeviceAddress) {
  std::vector<char> memory(4096);
  void* device = nullptr;
  ASSERT_OK(aclrtHostRegister(memory.data(), 4096, ACL_HOST_REGISTER_MAPPED, &device));
  ASSERT_NE(device, nullptr);
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
               aclrtHostRegister(memory.data(), 4096, ACL_HOST_REGISTER_MAPPED, &device), "ptr");
  EXPECT_OK(aclrtMemset(device, 4096, 3, 4096));
  EXPECT_EQ(memory[4095], 3);
  EXPECT_OK(aclrtHostUnregister(memory.data()));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(memory.data()), "ptr");
}

// As torch_npu swaps memory: a block rounded up to pages, of which an aligned part is registered.
TEST_F(MemoryTest, PartOfAPinnedBlockCanBeRegistered) {
  constexpr size_t kSize = 5 * 4096;
  void* block = nullptr;
  ASSERT_OK(aclrtMallocHost(&block, kSize));
  const auto address = reinterpret_cast<uintptr_t>(block);
  auto* aligned = reinterpret_cast<char*>((address + 4095) / 4096 * 4096);
  void* device = nullptr;
  ASSERT_OK(aclrtHostRegister(aligned, kSize, ACL_HOST_REGISTER_MAPPED, &device));
  EXPECT_EQ(device, aligned);
  EXPECT_OK(aclrtMemset(device, 4096, 3, 4096));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
               aclrtHostRegisterV2(aligned + 4096, 4096, ACL_HOST_REG_MAPPED), "ptr");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(block), "devPtr", "aclrtMallocHost");
  EXPECT_OK(aclrtHostUnregister(aligned));
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(aligned), "ptr");
  EXPECT_OK(aclrtFreeHost(block));
}

TEST_F(MemoryTest, HostRegistrationV2AndDevicePointers) {
  std::vector<char> memory(8192);
  void* device = nullptr;
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
               aclrtHostGetDevicePointer(memory.data(), &device, 0), "pHost");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostRegisterV2(memory.data(), 8192, 0), "flag");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtHostRegisterV2(memory.data(), 8192, 0x11), "flag");
  ASSERT_OK(aclrtHostRegisterV2(memory.data(), 8192, ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED));
  EXPECT_OK(aclrtHostGetDevicePointer(memory.data() + 100, &device, 0));
  EXPECT_EQ(device, memory.data() + 100);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtHostGetDevicePointer(memory.data(), &device, 1),
               "flag", "1");
  EXPECT_FAILS(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, aclrtHostUnregister(memory.data() + 1), "ptr");
  EXPECT_OK(aclrtHostUnregister(memory.data()));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtHostRegisterV2(NewDeviceMemory(4096), 64, ACL_HOST_REG_MAPPED), "ptr", "host");
}

TEST_F(MemoryTest, ConfiguredAllocationsAreOrdinaryOnes) {
  aclrtMallocAttribute attribute = {};
  attribute.attr = ACL_RT_MEM_ATTR_VA_FLAG;
  attribute.value.vaFlag = 1;
  aclrtMallocConfig config = {&attribute, 1};
  void* host = nullptr;
  ASSERT_OK(aclrtMallocHostWithCfg(&host, 1000, &config));
  EXPECT_OK(aclrtFreeHost(host));
  void* device = nullptr;
  ASSERT_OK(aclrtMallocWithCfg(&device, 1000, ACL_MEM_MALLOC_HUGE_FIRST, nullptr));
  void* base = nullptr;
  size_t size = 0;
  EXPECT_OK(aclrtMemGetAddressRange(static_cast<char*>(device) + 999, &base, &size));
  EXPECT_EQ(base, device);
  EXPECT_EQ(size, 1000u);
  EXPECT_OK(aclrtFree(device));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemGetAddressRange(device, &base, &size), "ptr");
  config.attrs = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMallocHostWithCfg(&host, 1000, &config), "attrs",
               "null");
}

TEST_F(MemoryTest, UsageTellsThePeak) {
  aclrtMemUsageInfo usage = {};
  size_t count = 0;
  void* memory = NewDeviceMemory(1 << 20);
  EXPECT_OK(aclrtGetMemUsageInfo(0, &usage, 1, &count));
  EXPECT_EQ(count, 1u);
  const uint64_t during = usage.curMemSize;
  EXPECT_GE(during, uint64_t{1} << 20);
  EXPECT_OK(aclrtFree(memory));
  EXPECT_OK(aclrtGetMemUsageInfo(0, &usage, 1, &count));
  EXPECT_LE(usage.curMemSize, during - (1 << 20));
  EXPECT_GE(usage.memPeakSize, during);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetMemUsageInfo(0, &usage, 0, &count), "inputNum");
}

TEST_F(MemoryTest, FlushAndInvalidateSucceed) {
  void* memory = NewDeviceMemory(64);
  EXPECT_OK(aclrtMemFlush(memory, 64));
  EXPECT_OK(aclrtMemInvalidate(memory, 64));
}

}  // namespace
}  // namespace anyacl::test
