// SPDX-License-Identifier: Apache-2.0
// What clients look up beside streams and copies: numbers of devices, managed memory, objects of
// kernels, the timeout of waits for events.
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using DeviceNumberTest = RuntimeTest;

TEST(DeviceNumbers, LogicalOnesCountAllDevices) {
  ScopedEnv devices("ANYACL_DEVICES", "4");
  ScopedEnv visible("ASCEND_RT_VISIBLE_DEVICES", "1,3");
  InFreshProcess([] {
    int32_t id = -1;
    EXPECT_OK(aclrtGetLogicDevIdByUserDevId(1, &id));
    EXPECT_EQ(id, 3);
    EXPECT_OK(aclrtGetPhyDevIdByUserDevId(0, &id));
    EXPECT_EQ(id, 1);
    EXPECT_OK(aclrtGetUserDevIdByLogicDevId(1, &id));
    EXPECT_EQ(id, 0);
    EXPECT_OK(aclrtGetUserDevIdByPhyDevId(3, &id));
    EXPECT_EQ(id, 1);
    EXPECT_OK(aclrtGetLogicDevIdByPhyDevId(2, &id));
    EXPECT_EQ(id, 2);
    EXPECT_OK(aclrtGetPhyDevIdByLogicDevId(2, &id));
    EXPECT_EQ(id, 2);
    const int kNone = ACL_ERROR_RT_INVALID_DEVICEID;
    EXPECT_FAILS(kNone, aclrtGetLogicDevIdByUserDevId(2, &id), "userDevid", "2");
    EXPECT_FAILS(kNone, aclrtGetLogicDevIdByUserDevId(-1, &id), "userDevid", "-1");
    EXPECT_FAILS(kNone, aclrtGetUserDevIdByLogicDevId(0, &id), "logicDevId",
                 "ASCEND_RT_VISIBLE_DEVICES");
    EXPECT_FAILS(kNone, aclrtGetUserDevIdByPhyDevId(4, &id), "phyDevId", "4");
    EXPECT_FAILS(kNone, aclrtGetLogicDevIdByPhyDevId(4, &id), "phyDevId", "4");
    EXPECT_FAILS(kNone, aclrtGetPhyDevIdByLogicDevId(-1, &id), "logicDevId", "-1");
    EXPECT_FAILS(kNone, aclrtGetPhyDevIdByUserDevId(2, &id), "userDevId", "2");
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetLogicDevIdByUserDevId(0, nullptr), "logicDevId");
    EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetUserDevIdByPhyDevId(0, nullptr), "userDevId");
  });
}

TEST_F(DeviceNumberTest, WithoutAListAllNumbersAreTheSame) {
  int32_t id = -1;
  EXPECT_OK(aclrtGetLogicDevIdByUserDevId(0, &id));
  EXPECT_EQ(id, 0);
  EXPECT_OK(aclrtGetUserDevIdByPhyDevId(0, &id));
  EXPECT_EQ(id, 0);
}

TEST_F(DeviceNumberTest, PeersPrioritiesAndStreams) {
  int32_t status = -1;
  EXPECT_OK(aclrtDevicePeerAccessStatus(0, 0, &status));
  EXPECT_EQ(status, 1);
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDevicePeerAccessStatus(0, 99, &status),
               "deviceId", "99");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtDevicePeerAccessStatus(0, 0, nullptr), "status");
  int32_t least = -1, greatest = -1;
  EXPECT_OK(aclrtDeviceGetStreamPriorityRange(&least, &greatest));
  EXPECT_EQ(least, 7);
  EXPECT_EQ(greatest, 0);
  EXPECT_OK(aclrtDeviceGetStreamPriorityRange(nullptr, nullptr));
  uint32_t before = 0, after = 0;
  EXPECT_OK(aclrtGetStreamAvailableNum(&before));
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtGetStreamAvailableNum(&after));
  EXPECT_EQ(after + 1, before);
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetStreamAvailableNum(nullptr), "streamCount");
  std::thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtGetStreamAvailableNum(&after), "aclrtSetDevice");
  }).join();
  void* address = &least;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtGetHardwareSyncAddr(&address), "CPU");
  EXPECT_EQ(address, nullptr);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetHardwareSyncAddr(nullptr), "addr");
}

// Waits that are enqueued while it is set end by themselves; others do not.
TEST_F(DeviceNumberTest, WaitTimeoutEndsWaitsForEvents) {
  aclrtStream forever = NewStream(), limited = NewStream();
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  EXPECT_OK(aclrtStreamWaitEvent(forever, event));
  EXPECT_OK(aclrtSetOpWaitTimeout(1));
  EXPECT_OK(aclrtStreamWaitEvent(limited, event));
  EXPECT_OK(aclrtSetOpWaitTimeout(0));
  EXPECT_EQ(aclrtSynchronizeStream(limited), ACL_ERROR_RT_WAIT_TIMEOUT);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  EXPECT_OK(aclrtStreamQuery(forever, &status));
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  EXPECT_OK(aclrtRecordEvent(event, limited));
  EXPECT_OK(aclrtSynchronizeStream(forever));
  EXPECT_OK(aclrtDestroyEvent(event));
  EXPECT_OK(aclrtDestroyStream(forever));
  EXPECT_OK(aclrtDestroyStream(limited));
}

using ManagedMemoryTest = RuntimeTest;

constexpr aclrtMemManagedLocation kDevice0 = {ACL_MEM_LOCATIONTYPE_DEVICE, 0};
constexpr aclrtMemManagedLocation kHost = {ACL_MEM_LOCATIONTYPE_HOST, 0};

void* NewManaged(uint64_t size) {
  void* memory = nullptr;
  EXPECT_OK(aclrtMemAllocManaged(&memory, size, ACL_RT_MEM_ATTACH_GLOBAL));
  return memory;
}

TEST_F(ManagedMemoryTest, HostAndStreamsUseIt) {
  auto* bytes = static_cast<unsigned char*>(NewManaged(4096));
  bytes[0] = 1;  // no copy
  aclrtStream stream = NewStream();
  EXPECT_OK(aclrtMemManagedAdvise(bytes, 4096, ACL_MEM_ADVISE_SET_PREFERRED_LOCATION, kDevice0));
  EXPECT_OK(aclrtMemManagedAdvise(bytes, 4096, ACL_MEM_ADVISE_SET_READ_MOSTLY, {}));
  EXPECT_OK(aclrtMemManagedPrefetchAsync(bytes, 4096, kDevice0, 0, stream));
  EXPECT_OK(aclrtMemsetAsync(bytes + 1, 4095, 7, 4095, stream));
  EXPECT_OK(aclrtMemManagedPrefetchAsync(bytes, 4096, kHost, 0, stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[4095], 7);
  EXPECT_OK(aclrtFree(bytes));
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(ManagedMemoryTest, Refuses) {
  void* memory = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMemAllocManaged(nullptr, 1, 1), "ptr");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtMemAllocManaged(&memory, 1, 2), "flag", "2");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtMemAllocManaged(&memory, 0, 1), "size");
  EXPECT_NE(aclrtMemAllocManaged(&memory, UINT64_MAX, 1), ACL_SUCCESS);
  memory = NewManaged(64);
  const int kWrong = ACL_ERROR_RT_PARAM_INVALID, kInvalid = ACL_ERROR_INVALID_PARAM;
  const auto kAdvice = ACL_MEM_ADVISE_SET_ACCESSED_BY;
  int on_host = 0;
  EXPECT_FAILS(kWrong, aclrtMemManagedAdvise(&on_host, 4, kAdvice, kHost), "ptr", "allocation");
  EXPECT_FAILS(kWrong, aclrtMemManagedAdvise(memory, 1 << 20, kAdvice, kHost), "ptr");
  EXPECT_FAILS(kInvalid, aclrtMemManagedAdvise(nullptr, 4, kAdvice, kHost), "ptr");
  EXPECT_FAILS(kInvalid, aclrtMemManagedAdvise(memory, 0, kAdvice, kHost), "ptr", "0");
  EXPECT_FAILS(kWrong, aclrtMemManagedAdvise(memory, 4, kAdvice, {}), "location.type", "0");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID,
               aclrtMemManagedAdvise(memory, 4, kAdvice, {ACL_MEM_LOCATIONTYPE_DEVICE, 9}), "9");
  for (int advice : BeyondEnum({-1, 6})) {
    EXPECT_FAILS(
        kInvalid,
        aclrtMemManagedAdvise(memory, 4, static_cast<aclrtMemManagedAdviseType>(advice), kHost),
        "advise");
  }
  EXPECT_FAILS(kWrong, aclrtMemManagedPrefetchAsync(memory, 4, kHost, 1, nullptr), "flags", "1");
  EXPECT_FAILS(kWrong, aclrtMemManagedPrefetchAsync(&on_host, 4, kHost, 0, nullptr), "ptr");
  int data = 0;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, memory, 4, &data, 4),
               "advised");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtMemManagedGetAttrs(nullptr, 0, memory, 4, nullptr, nullptr), "advised");
  EXPECT_OK(aclrtFree(memory));
}

TEST_F(ManagedMemoryTest, BatchesNameTheirLocationsInOrder) {
  const void* ranges[] = {NewManaged(64), NewManaged(64), NewManaged(64)};
  size_t sizes[] = {64, 32, 1};
  aclrtMemManagedLocation places[] = {kDevice0, kHost};
  size_t first[] = {0, 2};
  const auto prefetch = [&](size_t count, size_t locations, uint64_t flags = 0) {
    return aclrtMemManagedPrefetchBatchAsync(ranges, sizes, count, places, first, locations, flags,
                                             nullptr);
  };
  EXPECT_OK(prefetch(3, 2));
  EXPECT_OK(prefetch(1, 1));
  EXPECT_EQ(prefetch(0, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(prefetch(3, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(prefetch(1, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(prefetch(3, 2, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(prefetch(2, 2), ACL_ERROR_RT_PARAM_INVALID);  // the second index is 2
  first[0] = 1;
  EXPECT_EQ(prefetch(3, 2), ACL_ERROR_RT_PARAM_INVALID);
  first[0] = first[1] = 0;
  EXPECT_EQ(prefetch(3, 2), ACL_ERROR_RT_PARAM_INVALID);
  first[1] = 1;
  sizes[2] = 1 << 20;
  EXPECT_EQ(prefetch(3, 2), ACL_ERROR_RT_PARAM_INVALID);
  sizes[2] = 1;
  places[1] = {};
  EXPECT_EQ(prefetch(3, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemManagedPrefetchBatchAsync(nullptr, sizes, 1, places, first, 1, 0, nullptr),
               "ptrs");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtMemManagedPrefetchBatchAsync(ranges, sizes, 1, places, nullptr, 1, 0, nullptr),
               "prefetchLocIdxs");
  for (const void* range : ranges) EXPECT_OK(aclrtFree(const_cast<void*>(range)));
}

TEST(Kernels, BinariesAreObjectsAndKernelsAreRefused) {
  const char data[] = "\177ELF";
  aclrtBinary binary = aclrtCreateBinary(data, sizeof(data));
  ASSERT_NE(binary, nullptr);
  EXPECT_EQ(aclrtCreateBinary(nullptr, 1), nullptr);
  EXPECT_EQ(aclrtCreateBinary(data, 0), nullptr);
  const int kRefused = ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
  int some = 0;
  void* handle = &some;
  const auto refused = [&](int code) {
    EXPECT_EQ(code, kRefused);
    EXPECT_EQ(handle, nullptr);
    EXPECT_TRUE(HasWord(TakeMessages(), "NPU"));
    handle = &some;
  };
  TakeMessages();
  refused(aclrtBinaryLoad(binary, &handle));
  refused(aclrtBinaryLoadFromFile("kernel.o", nullptr, &handle));
  refused(aclrtBinaryGetFunction(binary, "add", &handle));
  refused(aclrtBinaryGetFunctionByEntry(binary, 1, &handle));
  refused(aclrtKernelArgsInit(binary, &handle));
  refused(aclrtKernelArgsAppend(binary, &some, sizeof(some), &handle));
  refused(aclrtKernelArgsAppendPlaceHolder(binary, &handle));
  refused(aclrtKernelArgsGetPlaceHolderBuffer(binary, nullptr, 4, &handle));
  size_t size = 1, other = 1;
  refused(aclrtBinaryGetDevAddress(binary, &handle, &size));
  EXPECT_EQ(size, 0u);
  size = 1;
  EXPECT_EQ(aclrtGetFunctionSize(binary, &size, &other), kRefused);
  EXPECT_EQ(size + other, 0u);
  size = 1;
  EXPECT_EQ(aclrtKernelArgsGetMemSize(binary, 4, &size), kRefused);
  EXPECT_EQ(size, 0u);
  size = 1;
  EXPECT_EQ(aclrtKernelArgsGetHandleMemSize(binary, &size), kRefused);
  EXPECT_EQ(size, 0u);
  char name[4] = "abc";
  EXPECT_EQ(aclrtGetFunctionName(binary, sizeof(name), name), kRefused);
  EXPECT_STREQ(name, "");
  EXPECT_EQ(aclrtKernelArgsInitByUserMem(binary, binary, name, 4), kRefused);
  EXPECT_EQ(aclrtKernelArgsParaUpdate(binary, binary, name, 4), kRefused);
  EXPECT_EQ(aclrtKernelArgsFinalize(binary), kRefused);
  EXPECT_EQ(aclrtLaunchKernelV2(binary, 1, name, 4, nullptr, nullptr), kRefused);
  EXPECT_EQ(aclrtLaunchKernelWithConfig(binary, 1, nullptr, nullptr, binary, nullptr), kRefused);
  EXPECT_EQ(aclrtLaunchKernelWithHostArgs(binary, 1, nullptr, nullptr, name, 4, nullptr, 0),
            kRefused);
  EXPECT_EQ(aclrtKernelArgsInit(nullptr, nullptr), kRefused);

  EXPECT_OK(aclrtDestroyBinary(binary));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyBinary(binary), "binary");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtDestroyBinary(nullptr), "binary");
}

}  // namespace
}  // namespace anyacl::test
