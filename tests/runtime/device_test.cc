// SPDX-License-Identifier: Apache-2.0
// Devices: binding to threads, reference count, release, enumeration.
#include <atomic>
#include <limits>
#include <string>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

TEST(DeviceTest, NegativeOrTooLargeIdIsRefused) {
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtSetDevice(-1), "deviceId", "-1", "expected");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtSetDevice(1), "deviceId", "1", "expected");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtSetDevice(std::numeric_limits<int32_t>::max()),
               "deviceId");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtSetDevice(std::numeric_limits<int32_t>::min()),
               "deviceId");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtResetDevice(-1), "deviceId", "-1");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtResetDevice(1), "deviceId", "1");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtResetDeviceForce(7), "deviceId", "7");
}

TEST(DeviceTest, GetDeviceNeedsOne) {
  InFreshProcess([] {
    int32_t device = -5;
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetDevice(&device), "aclrtSetDevice");
    EXPECT_EQ(device, -5);
  });
}

TEST(DeviceTest, GetDeviceRefusesNull) {
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetDevice(nullptr), "deviceId", "null");
}

TEST(DeviceTest, SetDeviceBindsTheCallingThreadOnly) {
  ASSERT_OK(aclrtSetDevice(0));
  int32_t device = -1;
  EXPECT_OK(aclrtGetDevice(&device));
  EXPECT_EQ(device, 0);
  std::thread([] {
    int32_t other = -1;
    EXPECT_EQ(aclrtGetDevice(&other), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtGetDevice(&other));
    EXPECT_EQ(other, 0);
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceTest, ThreadsShareTheDefaultContext) {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtContext mine = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&mine));
  aclrtContext theirs = nullptr;
  std::thread([&] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtGetCurrentContext(&theirs));
    EXPECT_OK(aclrtResetDevice(0));
  }).join();
  EXPECT_EQ(mine, theirs);
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceTest, ResetsBalanceSets) {
  InFreshProcess([] {
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtResetDevice(0));
    void* memory = NewDeviceMemory(32);  // one reference is left
    EXPECT_OK(aclrtFree(memory));
    EXPECT_OK(aclrtResetDevice(0));
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, aclrtResetDevice(0), "0");
    EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtResetDevice(0));
  });
}

TEST(DeviceTest, ResetWithoutSetIsAnError) {
  InFreshProcess([] { EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, aclrtResetDevice(0)); });
}

TEST(DeviceTest, ResetForceIgnoresTheCount) {
  InFreshProcess([] {
    for (int i = 0; i < 3; ++i) EXPECT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtResetDeviceForce(0));
    int32_t device = 0;
    EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR, aclrtResetDeviceForce(0), "0", "set");
  });
}

TEST(DeviceTest, ResetFromATaskIsRefusedInsteadOfWaitingForItself) {
  ASSERT_OK(aclrtSetDevice(0));
  for (aclrtStream stream : {static_cast<aclrtStream>(nullptr), NewStream()}) {
    EXPECT_OK(aclrtLaunchHostFunc(
        stream,
        [](void*) {
          EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtResetDevice(0), "task");
          EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtResetDeviceForce(0), "task");
        },
        nullptr));
  }
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceTest, LastResetEndsTheDefaultContext) {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  EXPECT_OK(aclrtGetCurrentContext(&context));
  EXPECT_OK(aclrtResetDevice(0));
  int32_t device = 0;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetCurrentContext(context), "context");
}

TEST(DeviceTest, LastResetFreesWhatTheProgramLeft) {
  size_t free_before = 0;
  size_t total = 0;
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_before, &total));
  void* memory = NewDeviceMemory(4 << 20);
  aclrtStream stream = NewStream();
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, stream));
  EXPECT_OK(aclrtResetDevice(0));
  ASSERT_OK(aclrtSetDevice(0));
  size_t free_after = 0;
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &free_after, &total));
  EXPECT_EQ(free_after, free_before);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtFree(memory), "devPtr");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeStream(stream), "stream");
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceTest, LastResetFreesPhysicalMemory) {
  size_t before = 0, after = 0, total = 0;
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
  const aclrtPhysicalMemProp prop = DeviceProp();
  aclrtDrvMemHandle handle = nullptr;
  ASSERT_OK(aclrtMallocPhysical(&handle, size_t{2} << 20, &prop, 0));
  EXPECT_OK(aclrtResetDevice(0));
  ASSERT_OK(aclrtSetDevice(0));
  EXPECT_OK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
  EXPECT_EQ(before, after);
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceTest, LastResetEndsEvents) {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSynchronizeEvent(event), "event");
}

TEST(DeviceTest, LastResetWaitsForQueuedTasks) {
  ASSERT_OK(aclrtSetDevice(0));
  aclrtStream stream = NewStream();
  bool ran = false;
  for (int i = 0; i < 100; ++i) EXPECT_OK(aclrtLaunchHostFunc(stream, &DoNothing, nullptr));
  EXPECT_OK(aclrtLaunchHostFunc(
      stream, [](void* argument) { *static_cast<bool*>(argument) = true; }, &ran));
  EXPECT_OK(aclrtResetDevice(0));
  EXPECT_TRUE(ran);
}

TEST(DeviceTest, ResetLeavesAloneWhatIsMadeWhileItWaits) {
  Gate gate;
  aclrtStream stream = nullptr;
  std::atomic<bool> blocked{false};
  std::thread other([&] {
    EXPECT_OK(aclrtSetDevice(0));
    stream = NewStream();
    gate.BlockNow(stream);
    blocked = true;
    EXPECT_OK(aclrtResetDevice(0));
  });
  while (!blocked) std::this_thread::yield();
  // The reset has begun when the stream is gone.
  aclrtStreamStatus status;
  while (aclrtStreamQuery(stream, &status) == ACL_SUCCESS) std::this_thread::yield();
  TakeMessages();

  EXPECT_OK(aclrtSetDevice(0));
  void* memory = NewDeviceMemory(64);
  aclrtEvent event = NewEvent();
  const aclrtPhysicalMemProp prop = DeviceProp();
  aclrtDrvMemHandle physical = nullptr;
  EXPECT_OK(aclrtMallocPhysical(&physical, 2 << 20, &prop, 0));
  gate.Open();
  other.join();
  EXPECT_OK(aclrtMemset(memory, 64, 1, 64));
  EXPECT_OK(aclrtFree(memory));
  EXPECT_OK(aclrtRecordEvent(event, nullptr));
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtFreePhysical(physical));
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceTest, ResetEndsStreamsThatWaitForAnEventNobodyReaches) {
  ASSERT_OK(aclrtSetDevice(0));
  Gate gate;
  aclrtStream blocked = NewStream();
  aclrtStream waiter = NewStream();
  gate.BlockNow(blocked);
  aclrtEvent event = NewEvent();
  EXPECT_OK(aclrtRecordEvent(event, blocked));
  EXPECT_OK(aclrtStreamWaitEvent(waiter, event));
  gate.Open();
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceTest, CountIsOneByDefault) {
  uint32_t count = 0;
  EXPECT_OK(aclrtGetDeviceCount(&count));
  EXPECT_EQ(count, 1u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetDeviceCount(nullptr), "count", "null");
}

TEST(DeviceTest, SynchronizeDeviceWaitsForEveryStream) {
  ASSERT_OK(aclrtSetDevice(0));
  std::vector<int> done(8, 0);
  for (int& flag : done) {
    EXPECT_OK(aclrtLaunchHostFunc(
        NewStream(), [](void* argument) { *static_cast<int*>(argument) = 1; }, &flag));
  }
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(done, std::vector<int>(8, 1));
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceTest, SynchronizeDeviceTimesOut) {
  ASSERT_OK(aclrtSetDevice(0));
  Gate gate;
  aclrtStream stream = NewStream();
  gate.BlockNow(stream);
  EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, aclrtSynchronizeDeviceWithTimeout(20), "ms");
  gate.Open();
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(-1));
  EXPECT_OK(aclrtSynchronizeDeviceWithTimeout(1000));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeDeviceWithTimeout(-2), "timeout", "-2",
               "expected");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeDeviceWithTimeout(0), "timeout", "0",
               "expected");
  EXPECT_OK(aclrtResetDevice(0));
}

TEST(DeviceTest, RunModeIsHost) {
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT_OK(aclrtGetRunMode(&mode));
  EXPECT_EQ(mode, ACL_HOST);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetRunMode(nullptr), "runMode", "null");
}

TEST(DeviceTest, SocNameIsThatOfTheUsualTarget) {
  ASSERT_NE(aclrtGetSocName(), nullptr);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910_9392");
}

TEST(DeviceTest, InfoTellsPlausibleAttributes) {
  int64_t value = 0;
  EXPECT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, &value));
  EXPECT_GT(value, 0);
  EXPECT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &value));
  EXPECT_GT(value, 0);
  EXPECT_OK(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &value));
  EXPECT_GT(value, int64_t{1} << 20);
}

TEST(DeviceTest, InfoRefusesBadArguments) {
  int64_t value = 0;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID,
               aclrtGetDeviceInfo(1, ACL_DEV_ATTR_AICORE_CORE_NUM, &value), "deviceId", "1");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, nullptr), "value", "null");
  EXPECT_NE(aclrtGetDeviceInfo(0, static_cast<aclrtDevAttr>(1000), &value), 0);
}

TEST(DeviceTest, VersionIsThatOfTheInterface) {
  int32_t major = 0;
  int32_t minor = 0;
  int32_t patch = -1;
  EXPECT_OK(aclrtGetVersion(&major, &minor, &patch));
  EXPECT_EQ(major, ACL_MAJOR_VERSION);
  EXPECT_EQ(minor, ACL_MINOR_VERSION);
  EXPECT_EQ(patch, ACL_PATCH_VERSION);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetVersion(nullptr, &minor, &patch), "majorVersion");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetVersion(&major, nullptr, &patch), "minorVersion");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetVersion(&major, &minor, nullptr), "patchVersion");
}

}  // namespace
}  // namespace anyacl::test
