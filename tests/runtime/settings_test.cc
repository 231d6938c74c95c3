// SPDX-License-Identifier: Apache-2.0
// Environment variables: number and visibility of devices, chip name, fill pattern, CPUs.
// Every test is a process of its own, because the variables are read once.
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>

#include "fixture.h"
#include "support/temp_dir.h"

namespace anyacl::test {
namespace {

uint32_t DeviceCount() {
  uint32_t count = 0;
  EXPECT_OK(aclrtGetDeviceCount(&count));
  return count;
}

TEST(DevicesSettingTest, ShowsSeveralDevices) {
  ScopedEnv env("ANYACL_DEVICES", "8");
  InFreshProcess([] {
    EXPECT_EQ(DeviceCount(), 8u);
    for (int32_t device = 0; device < 8; ++device) {
      EXPECT_OK(aclrtSetDevice(device));
      int32_t current = -1;
      EXPECT_OK(aclrtGetDevice(&current));
      EXPECT_EQ(current, device);
      void* memory = NewDeviceMemory(64);
      aclrtPtrAttributes attributes = {};
      EXPECT_OK(aclrtPointerGetAttributes(memory, &attributes));
      EXPECT_EQ(attributes.location.id, static_cast<uint32_t>(device));
    }
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtSetDevice(8), "deviceId", "8");
    for (int32_t device = 0; device < 8; ++device) EXPECT_OK(aclrtResetDevice(device));
  });
}

TEST(DevicesSettingTest, DevicesAreReleasedIndependently) {
  ScopedEnv env("ANYACL_DEVICES", "2");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    void* on_first = NewDeviceMemory(64);
    ASSERT_OK(aclrtSetDevice(1));
    void* on_second = NewDeviceMemory(64);
    EXPECT_OK(aclrtResetDevice(1));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtMemset(on_first, 64, 1, 64));
    EXPECT_OK(aclrtFree(on_first));
    EXPECT_NE(aclrtFree(on_second), 0);
    EXPECT_OK(aclrtResetDeviceForce(0));
  });
}

TEST(DevicesSettingTest, CopyBetweenDevices) {
  ScopedEnv env("ANYACL_DEVICES", "2");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    void* from = NewDeviceMemory(64);
    EXPECT_OK(aclrtMemset(from, 64, 5, 64));
    ASSERT_OK(aclrtSetDevice(1));
    auto* to = static_cast<char*>(NewDeviceMemory(64));
    EXPECT_OK(aclrtMemcpy(to, 64, from, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
    EXPECT_EQ(to[63], 5);
  });
}

TEST(DevicesSettingTest, UnusableNumbersGiveOneDevice) {
  for (const char* value : {"", "0", "-3", "many", "99999999999999999999"}) {
    ScopedEnv env("ANYACL_DEVICES", value);
    InFreshProcess([&] {
      EXPECT_GE(DeviceCount(), 1u) << value;
      EXPECT_OK(aclrtSetDevice(0));
    });
  }
}

TEST(DevicesSettingTest, VisibleDevicesSelectAndRenumber) {
  ScopedEnv devices("ANYACL_DEVICES", "4");
  ScopedEnv visible("ASCEND_RT_VISIBLE_DEVICES", "1,3");
  InFreshProcess([] {
    EXPECT_EQ(DeviceCount(), 2u);
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtSetDevice(1));
    EXPECT_EQ(aclrtSetDevice(2), ACL_ERROR_RT_INVALID_DEVICEID);
  });
}

// As torch_npu counts them, and as its own tests of a device have it.
TEST(DevicesSettingTest, VisibleDevicesAreAscendingNumbersBetweenCommas) {
  ScopedEnv devices("ANYACL_DEVICES", "2");
  const std::pair<const char*, uint32_t> lists[] = {
      {"", 0},     {",", 0},     {" ,", 0},   {"0,", 1},   {",0", 0},
      {"0, 1", 1}, {"0 ,1", 1},  {"0,1", 2},  {"0,32", 1}, {"0,32,0", 1},
      {"0,0", 0},  {"0,1,1", 0}, {"npu0", 0}, {"1,0", 0},  {"32", 0}};
  for (const auto& [list, count] : lists) {
    SCOPED_TRACE(list);
    ScopedEnv visible("ASCEND_RT_VISIBLE_DEVICES", list);
    InFreshProcess([expected = count] { EXPECT_EQ(DeviceCount(), expected); });
  }
}

TEST(DevicesSettingTest, NoVisibleDeviceMeansNone) {
  ScopedEnv visible("ASCEND_RT_VISIBLE_DEVICES", "7");
  InFreshProcess([] {
    EXPECT_EQ(DeviceCount(), 0u);
    EXPECT_EQ(aclrtSetDevice(0), ACL_ERROR_RT_INVALID_DEVICEID);
    EXPECT_EQ(aclrtGetSocName(), nullptr);
  });
}

TEST(DevicesSettingTest, EnqueueOnAStreamOfAnotherDeviceIsRefused) {
  ScopedEnv devices("ANYACL_DEVICES", "2");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    aclrtStream stream = NewStream();
    aclrtEvent event = NewEvent();
    ASSERT_OK(aclrtSetDevice(1));
    void* memory = NewDeviceMemory(64);
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, aclrtMemsetAsync(memory, 64, 0, 64, stream),
                 "stream");
    EXPECT_FAILS(ACL_ERROR_RT_STREAM_CONTEXT, aclrtLaunchHostFunc(stream, &DoNothing, nullptr),
                 "stream");
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtRecordEvent(event, stream));
    EXPECT_OK(aclrtSynchronizeStream(stream));
  });
}

TEST(DevicesSettingTest, PeerAccessExistsBetweenTwoDevices) {
  ScopedEnv devices("ANYACL_DEVICES", "2");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    int32_t can = -1;
    EXPECT_OK(aclrtDeviceCanAccessPeer(&can, 0, 1));
    EXPECT_EQ(can, 1);
    EXPECT_OK(aclrtDeviceEnablePeerAccess(1, 0));
    EXPECT_OK(aclrtDeviceDisablePeerAccess(1));
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtDeviceCanAccessPeer(nullptr, 0, 1), "canAccessPeer",
                 "null");
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceCanAccessPeer(&can, 0, 2), "2");
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceEnablePeerAccess(5, 0), "5");
  });
}

TEST(DeviceMemorySettingTest, LimitsAllocations) {
  ScopedEnv limit("ANYACL_DEVICE_MEMORY", std::to_string(size_t{64} << 20));
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    size_t free_size = 0;
    size_t total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_size, &total));
    EXPECT_EQ(total, size_t{64} << 20);
    EXPECT_EQ(free_size, total);
    void* big = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION,
                 aclrtMalloc(&big, size_t{65} << 20, ACL_MEM_MALLOC_HUGE_FIRST), "size");
    std::vector<void*> blocks;
    int code = 0;
    while (code == 0 && blocks.size() < 100) {
      void* memory = nullptr;
      code = aclrtMalloc(&memory, size_t{8} << 20, ACL_MEM_MALLOC_HUGE_FIRST);
      if (code == 0) blocks.push_back(memory);
    }
    EXPECT_EQ(code, ACL_ERROR_RT_MEMORY_ALLOCATION);
    EXPECT_GE(blocks.size(), 7u);
    for (void* memory : blocks) EXPECT_OK(aclrtFree(memory));
    EXPECT_OK(aclrtMalloc(&big, size_t{32} << 20, ACL_MEM_MALLOC_HUGE_FIRST));
    EXPECT_OK(aclrtResetDevice(0));
  });
}

// A mount namespace, in which what this process mounts is seen by nobody else.
bool HaveOwnMounts() {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  return mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

bool MayHaveOwnMounts() {
  const pid_t child = fork();
  if (child == 0) _exit(HaveOwnMounts() ? 0 : 1);
  int status = -1;
  return waitpid(child, &status, 0) == child && status == 0;
}

TEST(DeviceMemorySettingTest, ContainersLimitIsTheDevicesMemory) {
  if (!MayHaveOwnMounts()) GTEST_SKIP() << "this system permits no mount namespaces";
  constexpr size_t kLimit = size_t{64} << 20;
  TempDir dir;
  dir.Write("group", "0::/job\n");
  dir.Write("groups/job/memory.max", std::to_string(kLimit) + "\n");
  const std::string group = dir.path() / "group", groups = dir.path() / "groups";
  InFreshProcess([&] {
    ASSERT_TRUE(HaveOwnMounts());
    ASSERT_EQ(mount(group.c_str(), "/proc/self/cgroup", nullptr, MS_BIND, nullptr), 0);
    ASSERT_EQ(mount(groups.c_str(), "/sys/fs/cgroup", nullptr, MS_BIND, nullptr), 0);
    ASSERT_OK(aclrtSetDevice(0));
    size_t free = 0, total = 0;
    EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
    EXPECT_EQ(total, kLimit);
    EXPECT_LE(free, total);
    void* memory = nullptr;
    EXPECT_FAILS(ACL_ERROR_RT_MEMORY_ALLOCATION,
                 aclrtMalloc(&memory, kLimit + 1, ACL_MEM_MALLOC_HUGE_FIRST), "67108865");
  });
}

TEST(SocNameSettingTest, NamesTheChip) {
  ScopedEnv env("ANYACL_SOC_NAME", "Ascend310P3");
  InFreshProcess([] { EXPECT_STREQ(aclrtGetSocName(), "Ascend310P3"); });
}

TEST(FillSettingTest, FreshAllocationsCarryThePattern) {
  ScopedEnv env("ANYACL_FILL", "0xA5");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    for (int round = 0; round < 3; ++round) {
      const std::vector<unsigned char> expected(1056, 0xA5);
      auto* memory = static_cast<unsigned char*>(NewDeviceMemory(1000));  // 1024 + 32 usable
      EXPECT_EQ(std::memcmp(memory, expected.data(), expected.size()), 0);
      EXPECT_OK(aclrtMemset(memory, 1000, 0, 1000));
      EXPECT_OK(aclrtFree(memory));
    }
  });
}

TEST(StrictSettingTest, PaddingIsOutOfBounds) {
  ScopedEnv env("ANYACL_STRICT", "1");
  InFreshProcess([] {
    ASSERT_OK(aclrtSetDevice(0));
    void* memory = NewDeviceMemory(8);
    char host[32] = {};
    EXPECT_OK(aclrtMemcpy(host, 32, memory, 8, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
                 aclrtMemcpy(host, 32, memory, 32, ACL_MEMCPY_DEVICE_TO_HOST), "src", "32", "8");
  });
}

int CpusOfAStreamsThread() {
  EXPECT_OK(aclrtSetDevice(0));
  aclrtStream stream = NewStream();
  int count = 0;
  EXPECT_OK(aclrtLaunchHostFunc(
      stream,
      [](void* result) {
        cpu_set_t set;
        CPU_ZERO(&set);
        if (sched_getaffinity(0, sizeof(set), &set) == 0) {
          *static_cast<int*>(result) = CPU_COUNT(&set);
        }
      },
      &count));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  return count;
}

TEST(PinSettingTest, AStreamsThreadHasOneCpu) {
  ScopedEnv pin("ANYACL_PIN", "1");
  InFreshProcess([] { EXPECT_EQ(CpusOfAStreamsThread(), 1); });
}

TEST(PinSettingTest, AStreamsThreadHasTheCpusOfTheProcessNotOfWhoStartsIt) {
  InFreshProcess([] {
    cpu_set_t all;
    CPU_ZERO(&all);
    ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
    std::thread([&] {
      cpu_set_t one;
      CPU_ZERO(&one);
      for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
        if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
      }
      ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
      EXPECT_EQ(CpusOfAStreamsThread(), CPU_COUNT(&all));
    }).join();
  });
}

TEST(PinSettingTest, WithoutItAStreamsThreadHasThoseOfTheProcess) {
  InFreshProcess([] {
    cpu_set_t set;
    CPU_ZERO(&set);
    ASSERT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
    EXPECT_EQ(CpusOfAStreamsThread(), CPU_COUNT(&set));
  });
}

}  // namespace
}  // namespace anyacl::test
