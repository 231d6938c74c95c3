// SPDX-License-Identifier: Apache-2.0
// Versions and what clients ask of a chip: overflow, cores, utilisation, faults, kernels.
#include <cstring>
#include <string>
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

TEST(VersionTest, EveryPackageHasTheDefaultVersion) {
  for (int name = ACL_PKG_NAME_CANN; name <= ACL_PKG_NAME_DRIVER; ++name) {
    aclCANNPackageVersion version;
    std::memset(&version, 0x55, sizeof(version));
    EXPECT_OK(aclsysGetCANNVersion(static_cast<aclCANNPackageName>(name), &version));
    EXPECT_STREQ(version.version, "8.5.0");
    EXPECT_STREQ(version.majorVersion, "8");
    EXPECT_STREQ(version.minorVersion, "5");
    EXPECT_STREQ(version.releaseVersion, "0");
    EXPECT_STREQ(version.patchVersion, "0");
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclsysGetCANNVersion(ACL_PKG_NAME_CANN, nullptr),
               "version");
}

TEST(VersionTest, ByName) {
  char runtime[] = "runtime";
  char dashes[] = "ops-nn";
  char unknown[] = "nonsense";
  char text[ACL_PKG_VERSION_MAX_SIZE] = {};
  int32_t number = 0;
  EXPECT_OK(aclsysGetVersionStr(runtime, text));
  EXPECT_STREQ(text, "8.5.0");
  EXPECT_OK(aclsysGetVersionNum(dashes, &number));
  EXPECT_EQ(number, 80500000);
  EXPECT_FAILS(ACL_ERROR_INVALID_FILE, aclsysGetVersionStr(unknown, text), "pkgName", "nonsense");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclsysGetVersionStr(runtime, nullptr), "versionStr");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclsysGetVersionNum(nullptr, &number), "pkgName");
}

TEST(VersionTest, TheSettingCounts) {
  const std::pair<const char*, int32_t> versions[] = {
      {"9.1.2", 90102000}, {"8.5.0.rc2", 80499902}, {"8.5.0-alpha", 80499700}, {"8.0.RC3", -1}};
  for (const auto& [version, expected] : versions) {
    ScopedEnv env("ANYACL_CANN_VERSION", version);
    InFreshProcess([version = version, expected = expected] {
      aclCANNPackageVersion found = {};
      ASSERT_OK(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &found));
      EXPECT_STREQ(found.version, version);
      char runtime[] = "runtime";
      int32_t number = -1;
      const aclError code = aclsysGetVersionNum(runtime, &number);
      EXPECT_EQ(code, expected == -1 ? ACL_ERROR_INTERNAL_ERROR : ACL_SUCCESS);
      EXPECT_EQ(number, expected);
    });
  }
}

TEST(CapabilityTest, CountsCpus) {
  for (aclDeviceInfo info : {ACL_DEVICE_INFO_AI_CORE_NUM, ACL_DEVICE_INFO_VECTOR_CORE_NUM}) {
    int64_t value = 0;
    EXPECT_OK(aclGetDeviceCapability(0, info, &value));
    EXPECT_EQ(value, static_cast<int64_t>(std::thread::hardware_concurrency()));
  }
  int64_t value = -1;
  EXPECT_OK(aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &value));
  EXPECT_GE(value, 0);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &value), "deviceInfo");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID,
               aclGetDeviceCapability(99, ACL_DEVICE_INFO_L2_SIZE, &value), "99");
}

TEST(CapabilityTest, Attributes) {
  const aclCannAttr* list = nullptr;
  size_t count = 0;
  ASSERT_OK(aclGetCannAttributeList(&list, &count));
  ASSERT_EQ(count, 3u);
  const int32_t expected[] = {1, 1, 0};
  for (size_t i = 0; i < count; ++i) {
    EXPECT_EQ(list[i], static_cast<aclCannAttr>(i));
    int32_t value = -1;
    EXPECT_OK(aclGetCannAttribute(list[i], &value));
    EXPECT_EQ(value, expected[i]);
  }
  int32_t value = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclGetCannAttribute(ACL_CANN_ATTR_UNDEFINED, &value),
               "cannAttr", "-1");
}

using OverflowTest = RuntimeTest;

TEST_F(OverflowTest, InfinitiesAreTheOnlyMode) {
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  EXPECT_OK(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), "mode", "saturation");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF),
               "mode", "2");
  EXPECT_OK(aclrtGetDeviceSatMode(&mode));
  EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
}

TEST_F(OverflowTest, StatusIsWrittenOnTheStream) {
  aclrtStream stream = NewStream();
  auto* status = static_cast<unsigned char*>(NewDeviceMemory(128));
  ASSERT_OK(aclrtMemset(status, 128, 0xff, 128));
  EXPECT_OK(aclrtGetOverflowStatus(status, 64, stream));
  EXPECT_OK(aclrtResetOverflowStatus(stream));
  EXPECT_OK(aclrtSynchronizeStream(stream));
  for (int i = 0; i < 128; ++i) EXPECT_EQ(status[i], i < 64 ? 0 : 0xff) << i;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetOverflowStatus(status, 63, stream), "outputSize",
               "63");
  // Within an allocation that is too small for it.
  void* small = NewDeviceMemory(32);
  EXPECT_NE(aclrtGetOverflowStatus(static_cast<char*>(small) + 32, 64, stream), ACL_SUCCESS);
  EXPECT_OK(aclrtFree(small));
  EXPECT_OK(aclrtFree(status));
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(OverflowTest, SwitchIsAStreams) {
  aclrtStream stream = NewStream();
  uint32_t flag = 7;
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &flag));
  EXPECT_EQ(flag, 0u);
  EXPECT_OK(aclrtSetStreamOverflowSwitch(stream, 1));
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &flag));
  EXPECT_EQ(flag, 1u);
  EXPECT_OK(aclrtGetStreamOverflowSwitch(nullptr, &flag));
  EXPECT_EQ(flag, 0u);
  // The default stream has two names.
  aclrtStream by_name = nullptr;
  ASSERT_OK(aclrtCtxGetCurrentDefaultStream(&by_name));
  EXPECT_OK(aclrtSetStreamOverflowSwitch(nullptr, 1));
  EXPECT_OK(aclrtGetStreamOverflowSwitch(by_name, &flag));
  EXPECT_EQ(flag, 1u);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamOverflowSwitch(stream, 2), "flag", "2");
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtGetStreamOverflowSwitch(stream, &flag), "stream");
}

using CoreLimitTest = RuntimeTest;

TEST_F(CoreLimitTest, StreamBeforeDeviceBeforeMachine) {
  const uint32_t cores = std::thread::hardware_concurrency();
  if (cores < 2) GTEST_SKIP() << "one CPU has no smaller limit";
  const auto kType = ACL_RT_DEV_RES_VECTOR_CORE;
  aclrtStream stream = NewStream();
  const auto limits = [&] {
    uint32_t device = 0, of_stream = 0, thread = 0;
    EXPECT_OK(aclrtGetDeviceResLimit(0, kType, &device));
    EXPECT_OK(aclrtGetStreamResLimit(stream, kType, &of_stream));
    EXPECT_OK(aclrtGetResInCurrentThread(kType, &thread));
    return std::vector<uint32_t>{device, of_stream, thread};
  };
  using V = std::vector<uint32_t>;
  EXPECT_EQ(limits(), (V{cores, cores, cores}));
  EXPECT_OK(aclrtSetStreamResLimit(stream, kType, 1));
  EXPECT_EQ(limits(), (V{cores, 1, cores}));
  EXPECT_OK(aclrtUseStreamResInCurrentThread(stream));
  EXPECT_EQ(limits(), (V{cores, 1, 1}));
  EXPECT_OK(aclrtResetStreamResLimit(stream));
  EXPECT_OK(aclrtSetDeviceResLimit(0, kType, 1));
  EXPECT_EQ(limits(), (V{1, 1, 1}));
  EXPECT_OK(aclrtSetStreamResLimit(stream, kType, cores));
  EXPECT_EQ(limits(), (V{1, cores, cores}));
  EXPECT_OK(aclrtUnuseStreamResInCurrentThread(stream));
  EXPECT_EQ(limits(), (V{1, cores, 1}));
  uint32_t cube = 0;
  EXPECT_OK(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_CUBE_CORE, &cube));
  EXPECT_EQ(cube, cores);
  EXPECT_OK(aclrtResetDeviceResLimit(0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetDeviceResLimit(0, kType, 0), "value", "0");
  EXPECT_OK(aclrtSetStreamResLimit(stream, kType, 48));
  EXPECT_EQ(limits(), (V{cores, 48, cores}));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetStreamResLimit(stream, kType, std::max(cores, 64U) + 1), "value");
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST(DeviceStateTest, IsNormalAndLoadedToSomeDegree) {
  aclrtDeviceStatus status = ACL_RT_DEVICE_STATUS_END;
  EXPECT_OK(aclrtQueryDeviceStatus(0, &status));
  EXPECT_EQ(status, ACL_RT_DEVICE_STATUS_NORMAL);
  aclrtUtilizationInfo use = {-7, -7, -7, -7, nullptr};
  EXPECT_OK(aclrtGetDeviceUtilizationRate(0, &use));
  EXPECT_GE(use.cubeUtilization, -1);
  EXPECT_LE(use.vectorUtilization, 100);
  EXPECT_EQ(use.memoryUtilization, -1);
  use.utilizationExtend = reinterpret_cast<aclrtUtilizationExtendInfo*>(&use);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetDeviceUtilizationRate(0, &use),
               "utilizationExtend");
  int32_t value = -1;
  EXPECT_OK(aclrtGetDeviceCapability(0, ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV, &value));
  EXPECT_EQ(value, 0);
  int32_t compatible = -1;
  EXPECT_OK(aclrtCheckArchCompatibility(aclrtGetSocName(), &compatible));
  EXPECT_EQ(compatible, 1);
  EXPECT_OK(aclrtCheckArchCompatibility("Ascend310", &compatible));
  EXPECT_EQ(compatible, 0);
}

TEST(DeviceStateTest, DevicesAreToldApart) {
  ScopedEnv env("ANYACL_DEVICES", "2");
  InFreshProcess([] {
    aclrtUuid first, second;
    ASSERT_OK(aclrtDeviceGetUuid(0, &first));
    ASSERT_OK(aclrtDeviceGetUuid(1, &second));
    EXPECT_NE(std::memcmp(&first, &second, sizeof(first)), 0);
    EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceGetUuid(2, &first), "2");
  });
}

TEST(DeviceStateTest, PrimaryContextIsAliveBetweenSetAndReset) {
  InFreshProcess([] {
    uint32_t flags = 7;
    int32_t active = 7;
    EXPECT_OK(aclrtGetPrimaryCtxState(0, &flags, &active));
    EXPECT_EQ(active, 0);
    ASSERT_OK(aclrtSetDevice(0));
    EXPECT_OK(aclrtGetPrimaryCtxState(0, &flags, &active));
    EXPECT_EQ(active, 1);
    EXPECT_EQ(flags, 0u);
    ASSERT_OK(aclrtResetDevice(0));
    EXPECT_OK(aclrtGetPrimaryCtxState(0, nullptr, &active));
    EXPECT_EQ(active, 0);
  });
}

TEST(FaultTest, NoneIsSeen) {
  aclrtErrorInfo info;
  std::memset(&info, 0x55, sizeof(info));
  EXPECT_OK(aclrtGetErrorVerbose(0, &info));
  EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
  EXPECT_EQ(info.tryRepair, 0);
  aclrtMemUceInfo ranges[2];
  size_t count = 7;
  EXPECT_OK(aclrtGetMemUceInfo(0, ranges, 2, &count));
  EXPECT_EQ(count, 0u);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMemUceRepair(0, ranges, 1), "not offer");
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtRepairError(0, &info), "not offer");
}

TEST(KernelTest, KernelsForAnNpuAreRefused) {
  aclrtBinHandle binary = &binary;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtBinaryLoadFromData("x", 1, nullptr, &binary),
               "not offer");
  EXPECT_EQ(binary, nullptr);
  aclrtFuncHandle function = &function;
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtBinaryGetFunction(binary, "f", &function),
               "not offer");
  EXPECT_EQ(function, nullptr);
  EXPECT_FAILS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
               aclrtLaunchKernel(function, 1, nullptr, 0, nullptr), "not offer");
}

using DeviceAbortTest = RuntimeTest;

TEST_F(DeviceAbortTest, DropsWhatIsQueuedOnEveryStream) {
  Gate gate;
  aclrtStream streams[] = {NewStream(), NewStream()};
  auto* memory = static_cast<unsigned char*>(NewDeviceMemory(64));
  ASSERT_OK(aclrtMemset(memory, 64, 0, 64));
  for (aclrtStream stream : streams) {
    gate.BlockNow(stream);
    EXPECT_OK(aclrtMemsetAsync(memory, 64, 1, 64, stream));
  }
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_DEVICEID, aclrtDeviceTaskAbort(9, 0), "9");
  EXPECT_OK(aclrtDeviceTaskAbort(0, 0));
  gate.Open();
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(memory[0], 0);
  for (aclrtStream stream : streams) EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_OK(aclrtFree(memory));
}

}  // namespace
}  // namespace anyacl::test
