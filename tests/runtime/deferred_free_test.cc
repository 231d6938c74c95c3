// SPDX-License-Identifier: Apache-2.0
// Memory freed while queued tasks still use it: the tasks find their data, and the memory comes
// back afterwards.
#include <cstdio>
#include <cstring>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using DeferredFreeTest = RuntimeTest;

constexpr size_t kSize = 1 << 16;

std::vector<uint8_t> Download(const void* device) {
  std::vector<uint8_t> bytes(kSize);
  EXPECT_OK(aclrtMemcpy(bytes.data(), kSize, device, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

// Takes memory that a premature free would give out again, and fills it.
std::vector<void*> Scribble() {
  std::vector<void*> blocks;
  for (int i = 0; i < 16; ++i) {
    blocks.push_back(NewDeviceMemory(kSize));
    EXPECT_OK(aclrtMemset(blocks.back(), kSize, 0xEE, kSize));
  }
  return blocks;
}

size_t FreeMemory() {
  size_t free_size = 0, total = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_size, &total));
  return free_size;
}

TEST_F(DeferredFreeTest, QueuedTasksFindTheirData) {
  aclrtStream stream = NewStream();
  void* source = NewDeviceMemory(kSize);
  void* middle = NewDeviceMemory(kSize);
  void* target = NewDeviceMemory(kSize);
  EXPECT_OK(aclrtMemset(source, kSize, 0x77, kSize));
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtMemcpyAsync(middle, kSize, source, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT_OK(aclrtMemcpyAsync(target, kSize, middle, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT_OK(aclrtFree(source));
  EXPECT_OK(aclrtFree(middle));
  const std::vector<void*> blocks = Scribble();
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Download(target), std::vector<uint8_t>(kSize, 0x77));
  for (void* block : blocks) EXPECT_EQ(Download(block), std::vector<uint8_t>(kSize, 0xEE));
}

TEST_F(DeferredFreeTest, PinnedMemoryIsKeptToo) {
  aclrtStream stream = NewStream();
  void* pinned = nullptr;
  ASSERT_OK(aclrtMallocHost(&pinned, kSize));
  std::memset(pinned, 0x66, kSize);
  void* target = NewDeviceMemory(kSize);
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtMemcpyAsync(target, kSize, pinned, kSize, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  EXPECT_OK(aclrtFreeHost(pinned));
  for (int i = 0; i < 16; ++i) {
    void* other = nullptr;
    ASSERT_OK(aclrtMallocHost(&other, kSize));
    std::memset(other, 0xEE, kSize);
  }
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(Download(target), std::vector<uint8_t>(kSize, 0x66));
}

TEST_F(DeferredFreeTest, MemoryIsGoneForTheProgramAtOnce) {
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  void* memory = NewDeviceMemory(kSize);
  EXPECT_OK(aclrtMemsetAsync(memory, kSize, 1, kSize, stream));
  EXPECT_OK(aclrtFree(memory));
  EXPECT_EQ(aclrtFree(memory), ACL_ERROR_RT_PARAM_INVALID);
  aclrtPtrAttributes attributes = {};
  EXPECT_OK(aclrtPointerGetAttributes(memory, &attributes));
  EXPECT_EQ(attributes.location.type, ACL_MEM_LOCATION_TYPE_UNREGISTERED);
}

// llama.cpp frees buffers that its graphs still write to.
TEST_F(DeferredFreeTest, GraphsThatLiveCount) {
  aclrtStream stream = NewStream();
  void* memory = NewDeviceMemory(kSize);
  EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(aclrtMemsetAsync(memory, kSize, 0x11, kSize, stream));
  aclmdlRI graph = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream, &graph));
  const size_t before = FreeMemory();
  EXPECT_OK(aclrtFree(memory));
  EXPECT_GE(FreeMemory(), before + kSize);
  const std::vector<void*> blocks = Scribble();
  EXPECT_OK(aclmdlRIExecuteAsync(graph, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  for (void* block : blocks) EXPECT_EQ(Download(block), std::vector<uint8_t>(kSize, 0xEE));
  EXPECT_OK(aclmdlRIDestroy(graph));
}

TEST_F(DeferredFreeTest, AllStreamsCount) {
  Gate gate;
  void* target = NewDeviceMemory(kSize);
  void* source = NewDeviceMemory(kSize);
  EXPECT_OK(aclrtMemset(source, kSize, 0x55, kSize));
  aclrtStream idle = NewStream();
  EXPECT_OK(aclrtSynchronizeStream(idle));
  gate.BlockNow(nullptr);  // the default stream is one of them
  EXPECT_OK(aclrtMemcpyAsync(target, kSize, source, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr));
  EXPECT_OK(aclrtFree(source));
  Scribble();
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(nullptr));
  EXPECT_EQ(Download(target), std::vector<uint8_t>(kSize, 0x55));
}

TEST_F(DeferredFreeTest, StreamsBeingDestroyedCount) {
  aclrtStream stream = NewStream();
  void* source = NewDeviceMemory(kSize);
  void* target = NewDeviceMemory(kSize);
  EXPECT_OK(aclrtMemset(source, kSize, 0x44, kSize));
  Gate gate;
  gate.BlockNow(stream);
  EXPECT_OK(aclrtMemcpyAsync(target, kSize, source, kSize, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  std::thread destroyer([stream] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtDestroyStream(stream));  // waits for the gate
    EXPECT_OK(aclrtResetDevice(0));
  });
  aclrtStreamStatus status;
  while (aclrtStreamQuery(stream, &status) != ACL_ERROR_RT_INVALID_HANDLE) {
    std::this_thread::yield();
  }
  EXPECT_OK(aclrtFree(source));
  Scribble();
  gate.Open();
  destroyer.join();
  EXPECT_EQ(Download(target), std::vector<uint8_t>(kSize, 0x44));
}

TEST_F(DeferredFreeTest, AccountingReturnsToTheStart) {
  const size_t before = FreeMemory();
  aclrtStream stream = NewStream();
  for (int i = 0; i < 50; ++i) {
    void* memory = NewDeviceMemory(kSize);
    EXPECT_OK(aclrtMemsetAsync(memory, kSize, i, kSize, stream));
    EXPECT_OK(aclrtFree(memory));
  }
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(FreeMemory(), before);
}

TEST_F(DeferredFreeTest, ForcedDestructionOfAStreamDoesNotExposeFreedMemory) {
  // The task that runs cannot be ended; its buffer must outlive it although its stream is gone.
  for (int i = 0; i < 20; ++i) {
    constexpr size_t kLarge = 8 << 20;
    aclrtStream stream = NewStream();
    void* memory = NewDeviceMemory(kLarge);
    EXPECT_OK(aclrtMemsetAsync(memory, kLarge, i, kLarge, stream));
    EXPECT_OK(aclrtMemsetAsync(memory, kLarge, i, kLarge, stream));
    EXPECT_OK(aclrtDestroyStreamForce(stream));
    EXPECT_OK(aclrtFree(memory));
  }
}

TEST_F(DeferredFreeTest, StreamOrderedReuseNeedsNoWait) {
  // A pool that frees and allocates per operation, with a device that holds four blocks.
  ScopedEnv limit("ANYACL_DEVICE_MEMORY", std::to_string(size_t{4} << 20));
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    Gate gate;
    gate.BlockNow(stream);
    for (int i = 0; i < 20; ++i) {
      void* memory = nullptr;
      EXPECT_OK(aclrtMalloc(&memory, 1000000, ACL_MEM_MALLOC_HUGE_FIRST));
      EXPECT_OK(aclrtMemsetAsync(memory, 1000000, i, 1000000, stream));
      EXPECT_OK(aclrtFree(memory));
    }
    gate.Open();
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST_F(DeferredFreeTest, WhatIsKeptIsNotFree) {
  const size_t before = FreeMemory();
  aclrtStream stream = NewStream();
  Gate gate;
  gate.BlockNow(stream);
  for (int i = 0; i < 8; ++i) {
    void* memory = NewDeviceMemory(kSize);
    EXPECT_OK(aclrtMemsetAsync(memory, kSize, i, kSize, stream));
    EXPECT_OK(aclrtFree(memory));
  }
  EXPECT_LE(FreeMemory(), before - 8 * kSize);
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(FreeMemory(), before);
}

// More than the device holds, freed while tasks use it: what is kept stays within the device.
TEST_F(DeferredFreeTest, WhatIsKeptIsBounded) {
  ScopedEnv limit("ANYACL_DEVICE_MEMORY", std::to_string(size_t{16} << 20));
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    constexpr size_t kBlock = size_t{3} << 20;
    aclrtStream stream = NewStream();
    for (int i = 0; i < 200; ++i) {
      void* memory = NewDeviceMemory(kBlock);
      EXPECT_OK(aclrtMemsetAsync(memory, kBlock, i, kBlock, stream));
      EXPECT_OK(aclrtFree(memory));
    }
    // Behind a host function that never ends by itself the device gives its memory out again.
    Gate gate;
    gate.BlockNow(stream);
    for (int i = 0; i < 20; ++i) {
      void* memory = NewDeviceMemory(kBlock);
      EXPECT_OK(aclrtMemsetAsync(memory, kBlock, i, kBlock, stream));
      EXPECT_OK(aclrtFree(memory));
    }
    size_t free_size = 0, total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_size, &total));
    EXPECT_LT(free_size, kBlock);
    void* memory = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION,
                 aclrtMalloc(&memory, 2 * kBlock, ACL_MEM_MALLOC_HUGE_FIRST), "size");
    gate.Open();
    EXPECT_OK(aclrtSynchronizeStream(stream));
    EXPECT_OK(aclrtMalloc(&memory, 5 * kBlock, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtResetDevice(0));
  });
}

// A task that computes for long enough: the allocation waits for it instead of failing.
TEST_F(DeferredFreeTest, AllocationWaitsForComputingTasks) {
  ScopedEnv limit("ANYACL_DEVICE_MEMORY", std::to_string(size_t{64} << 20));
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    constexpr size_t kBlock = size_t{40} << 20;
    aclrtStream stream = NewStream();
    for (int i = 0; i < 10; ++i) {
      void* memory = NewDeviceMemory(kBlock);
      for (int j = 0; j < 3; ++j) {
        EXPECT_OK(aclrtMemsetAsync(memory, kBlock, i, kBlock, stream));
      }
      EXPECT_OK(aclrtFree(memory));
      // Larger than what is kept: nothing can be given out again.
      void* larger = NewDeviceMemory(kBlock + (1 << 20));
      EXPECT_OK(aclrtMemset(larger, kBlock, i, kBlock));
      EXPECT_OK(aclrtFree(larger));
    }
    EXPECT_OK(aclrtResetDevice(0));
  });
}

// Pages that this process has of its own, in KiB.
long ResidentKib() {
  FILE* status = std::fopen("/proc/self/status", "r");
  char line[256];
  long kib = 0;
  while (std::fgets(line, sizeof(line), status) != nullptr) {
    if (std::sscanf(line, "RssAnon: %ld", &kib) == 1) break;
  }
  std::fclose(status);
  return kib;
}

// 1 GiB would stay for good if only the next allocation gave it back.
TEST_F(DeferredFreeTest, SynchronisingGivesMemoryBack) {
  constexpr size_t kLarge = size_t{64} << 20;
  aclrtStream stream = NewStream();
  const long before = ResidentKib();
  Gate gate;
  gate.BlockNow(stream);
  for (int i = 0; i < 4; ++i) {
    void* memory = NewDeviceMemory(kLarge);
    std::memset(memory, 1, kLarge);
    EXPECT_OK(aclrtMemsetAsync(memory, 64, i, 64, stream));
    EXPECT_OK(aclrtFree(memory));
  }
  // Of four; the process gives back a few pages of its own meanwhile.
  EXPECT_GE(ResidentKib(), before + 3 * long{kLarge >> 10});
  gate.Open();
  EXPECT_OK(aclrtSynchronizeStream(stream));
#ifndef ANYACL_TEST_SANITIZED  // the sanitizer's allocator keeps what is freed
  EXPECT_LE(ResidentKib(), before + long{kLarge >> 10});
#endif
}

#ifndef ANYACL_TEST_SANITIZED  // the sanitizer's allocator keeps what is freed
// But 256 MiB of it at most: three of these blocks, which have padding. And nothing when they are
// gone.
TEST_F(DeferredFreeTest, GraphsDoNotKeepAllMemory) {
  aclrtStream stream = NewStream();
  EXPECT_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  aclmdlRI graph = nullptr;
  EXPECT_OK(aclmdlRICaptureEnd(stream, &graph));
  constexpr size_t kBlock = size_t{64} << 20;
  const auto resident_after_frees = [&] {
    for (int i = 0; i < 8; ++i) {
      void* memory = NewDeviceMemory(kBlock);
      EXPECT_OK(aclrtMemset(memory, kBlock, 1, kBlock));
      EXPECT_OK(aclrtFree(memory));
    }
    FreeMemory();
    return ResidentKib();
  };
  const long before = ResidentKib();
  EXPECT_LE(resident_after_frees(), before + long{300 << 10});
  EXPECT_GE(ResidentKib(), before + long{180 << 10});
  EXPECT_OK(aclmdlRIDestroy(graph));
  EXPECT_LE(resident_after_frees(), before + long{20 << 10});
}
#endif

}  // namespace
}  // namespace anyacl::test
