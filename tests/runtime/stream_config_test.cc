// SPDX-License-Identifier: Apache-2.0
// How a stream is to be: configurations, attributes, and the allocator registered for it.
#include <thread>

#include "fixture.h"

namespace anyacl::test {
namespace {

using StreamConfigTest = RuntimeTest;

aclrtStreamConfigHandle* NewConfig() {
  aclrtStreamConfigHandle* config = aclrtCreateStreamConfigHandle();
  EXPECT_NE(config, nullptr);
  return config;
}

template <class T>
aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* config, aclrtStreamConfigAttr attr,
                                 T value) {
  return ::aclrtSetStreamConfigOpt(config, attr, &value, sizeof(value));
}

TEST_F(StreamConfigTest, SaysPriorityAndFlags) {
  aclrtStreamConfigHandle* config = NewConfig();
  EXPECT_EQ(config->priority, 0u);
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, uint32_t{7}));
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG,
                                    size_t{0xffffffff00000000u | ACL_STREAM_HUGE}));
  int memory = 0;
  EXPECT_OK(
      aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_WORK_ADDR_PTR, static_cast<void*>(&memory)));
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_WORK_SIZE, size_t{4}));
  EXPECT_EQ(config->workptr, &memory);
  EXPECT_EQ(config->workSize, 4u);
  aclrtStream stream = nullptr;
  ASSERT_OK(aclrtCreateStreamV2(&stream, config));
  uint32_t priority = 0, flags = 0;
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_EQ(priority, 7u);
  EXPECT_EQ(flags, ACL_STREAM_HUGE);
  EXPECT_OK(aclrtDestroyStream(stream));

  // Bits without a meaning are dropped.
  ASSERT_OK(aclrtCreateStreamWithConfig(&stream, 0, 0x80000000u | ACL_STREAM_HUGE));
  EXPECT_OK(aclrtStreamGetFlags(stream, &flags));
  EXPECT_EQ(flags, ACL_STREAM_HUGE);
  EXPECT_OK(aclrtDestroyStream(stream));

  // A flag of 32 bits, as upstream's example gives it, replaces all of the old one.
  EXPECT_OK(aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, ACL_STREAM_FAST_SYNC));
  EXPECT_EQ(config->flag, ACL_STREAM_FAST_SYNC);
  EXPECT_OK(aclrtDestroyStreamConfigHandle(config));

  ASSERT_OK(aclrtCreateStreamV2(&stream, nullptr));
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, 0u);
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(StreamConfigTest, RefusesWrongValuesAndEndedHandles) {
  aclrtStreamConfigHandle* config = NewConfig();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, uint32_t{8}), "attrValue",
               "8");
  EXPECT_EQ(config->priority, 0u);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_PRIORITY, uint64_t{1}), "valueSize",
               "8", "4");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, uint16_t{1}), "valueSize", "2",
               "8");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_WORK_SIZE, uint32_t{1}), "valueSize",
               "4", "8");
  for (int attr : BeyondEnum({-1, 4})) {
    EXPECT_FAILS(
        ACL_ERROR_INVALID_PARAM,
        aclrtSetStreamConfigOpt(config, static_cast<aclrtStreamConfigAttr>(attr), uint32_t{1}),
        "attr");
  }
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, nullptr, 8), "attrValue");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtSetStreamConfigOpt(nullptr, ACL_RT_STREAM_FLAG, 0u),
               "handle");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtCreateStreamV2(nullptr, config), "stream");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtDestroyStreamConfigHandle(nullptr), "handle");
  EXPECT_OK(aclrtDestroyStreamConfigHandle(config));
  aclrtStream stream = nullptr;
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtDestroyStreamConfigHandle(config), "handle");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSetStreamConfigOpt(config, ACL_RT_STREAM_FLAG, 0u),
               "handle");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtCreateStreamV2(&stream, config), "handle");
}

// A value that is set and read back.
aclrtStreamAttrValue Reread(aclrtStream stream, aclrtStreamAttr attribute,
                            aclrtStreamAttrValue value) {
  EXPECT_OK(aclrtSetStreamAttribute(stream, attribute, &value));
  aclrtStreamAttrValue read = {};
  for (uint32_t& word : read.reserve) word = 0xaaaaaaaa;
  EXPECT_OK(aclrtGetStreamAttribute(stream, attribute, &read));
  return read;
}

TEST_F(StreamConfigTest, AttributesAreKept) {
  aclrtStream stream = NewStream();
  aclrtStreamAttrValue value = {};
  const aclrtStreamAttr all[] = {ACL_STREAM_ATTR_FAILURE_MODE, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK,
                                 ACL_STREAM_ATTR_USER_CUSTOM_TAG, ACL_STREAM_ATTR_CACHE_OP_INFO,
                                 ACL_STREAM_ATTR_PRIORITY};
  for (aclrtStreamAttr attribute : all) {
    value.failureMode = 7;
    EXPECT_OK(aclrtGetStreamAttribute(stream, attribute, &value));
    EXPECT_EQ(value.overflowSwitch, 0u) << attribute;
  }
  value.userCustomTag = UINT32_MAX;
  EXPECT_EQ(Reread(stream, ACL_STREAM_ATTR_USER_CUSTOM_TAG, value).userCustomTag, UINT32_MAX);
  value.cacheOpInfoSwitch = 1;
  EXPECT_EQ(Reread(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, value).cacheOpInfoSwitch, 1u);
  value.overflowSwitch = 1;
  EXPECT_EQ(Reread(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, value).overflowSwitch, 1u);
  uint32_t flag = 0;
  EXPECT_OK(aclrtGetStreamOverflowSwitch(stream, &flag));
  EXPECT_EQ(flag, 1u);
  value.streamPriority = 5;
  EXPECT_EQ(Reread(stream, ACL_STREAM_ATTR_PRIORITY, value).streamPriority, 5u);
  uint32_t priority = 0;
  EXPECT_OK(aclrtStreamGetPriority(stream, &priority));
  EXPECT_EQ(priority, 5u);
  value.streamPriority = 8;
  EXPECT_EQ(Reread(stream, ACL_STREAM_ATTR_PRIORITY, value).streamPriority, 7u);
  value.streamPriority = UINT32_MAX;
  EXPECT_EQ(Reread(stream, ACL_STREAM_ATTR_PRIORITY, value).streamPriority, 0u);
  // Of another stream none of it.
  EXPECT_OK(aclrtGetStreamAttribute(nullptr, ACL_STREAM_ATTR_USER_CUSTOM_TAG, &value));
  EXPECT_EQ(value.userCustomTag, 0u);
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(StreamConfigTest, FailureModeIsTheStreams) {
  aclrtStream stream = NewStream();
  aclrtStreamAttrValue value = {};
  value.failureMode = ACL_STOP_ON_FAILURE;
  EXPECT_EQ(Reread(stream, ACL_STREAM_ATTR_FAILURE_MODE, value).failureMode, ACL_STOP_ON_FAILURE);
  // A wait in vain for an event that is destroyed fails, and what comes after it is refused.
  aclrtEvent event = nullptr;
  ASSERT_OK(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  ASSERT_OK(aclrtStreamWaitEvent(stream, event));
  ASSERT_OK(aclrtDestroyEvent(event));
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtLaunchHostFunc(stream, &DoNothing, nullptr),
               "stream", "stopped");
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(StreamConfigTest, AttributesRefuse) {
  aclrtStream stream = NewStream();
  aclrtStreamAttrValue value = {};
  value.failureMode = 2;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), "mode", "2");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK, &value),
               "overflowSwitch", "2");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_CACHE_OP_INFO, &value),
               "cacheOpInfoSwitch", "2");
  for (int attr : BeyondEnum({0, 6, -1})) {
    const auto attribute = static_cast<aclrtStreamAttr>(attr);
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtSetStreamAttribute(stream, attribute, &value),
                 "stmAttrType");
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, aclrtGetStreamAttribute(stream, attribute, &value),
                 "stmAttrType");
  }
  const aclrtStreamAttr priority = ACL_STREAM_ATTR_PRIORITY;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtSetStreamAttribute(stream, priority, nullptr),
               "value");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtGetStreamAttribute(stream, priority, nullptr),
               "value");
  EXPECT_OK(aclrtDestroyStream(stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtSetStreamAttribute(stream, priority, &value),
               "stream");
  std::thread([&] {
    EXPECT_FAILS(ACL_ERROR_RT_CONTEXT_NULL, aclrtSetStreamAttribute(nullptr, priority, &value),
                 "aclrtSetDevice");
  }).join();
}

// An allocator of one block.
struct OneBlock {
  int block = 0;
  size_t asked = 0;
};

void* AllocOne(aclrtAllocator allocator, size_t size) {
  auto* one = static_cast<OneBlock*>(allocator);
  one->asked = size;
  return &one->block;
}
void FreeOne(aclrtAllocator allocator, aclrtAllocatorBlock) {
  static_cast<OneBlock*>(allocator)->asked = 0;
}
void* AdviseOne(aclrtAllocator allocator, size_t size, aclrtAllocatorAddr) {
  return AllocOne(allocator, size);
}
void* AddressOfOne(aclrtAllocatorBlock block) { return block; }

TEST_F(StreamConfigTest, AllocatorIsToldByItsStream) {
  aclrtStream stream = NewStream();
  OneBlock one;
  aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
  ASSERT_NE(desc, nullptr);
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, desc), "SetObj");
  EXPECT_OK(aclrtAllocatorSetObjToDesc(desc, &one));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, desc), "SetAllocFunc");
  EXPECT_OK(aclrtAllocatorSetAllocFuncToDesc(desc, &AllocOne));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, desc), "SetFreeFunc");
  EXPECT_OK(aclrtAllocatorSetFreeFuncToDesc(desc, &FreeOne));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, desc),
               "SetGetAddrFromBlockFunc");
  EXPECT_OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, &AddressOfOne));
  EXPECT_OK(aclrtAllocatorRegister(stream, desc));
  // What is set later is not registered yet, and the description's end changes nothing.
  EXPECT_OK(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, &AdviseOne));
  aclrtAllocatorDesc told = nullptr;
  aclrtAllocator allocator = nullptr;
  aclrtAllocatorAllocFunc alloc = nullptr;
  aclrtAllocatorFreeFunc free_one = nullptr;
  aclrtAllocatorAllocAdviseFunc advise = &AdviseOne;
  aclrtAllocatorGetAddrFromBlockFunc address = nullptr;
  const auto get = [&] {
    return aclrtAllocatorGetByStream(stream, &told, &allocator, &alloc, &free_one, &advise,
                                     &address);
  };
  EXPECT_OK(get());
  EXPECT_EQ(told, desc);
  EXPECT_EQ(allocator, &one);
  EXPECT_EQ(alloc, &AllocOne);
  EXPECT_EQ(free_one, &FreeOne);
  EXPECT_EQ(advise, nullptr);
  EXPECT_EQ(address, &AddressOfOne);
  EXPECT_OK(aclrtAllocatorRegister(stream, desc));
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
  EXPECT_OK(get());
  EXPECT_EQ(advise, &AdviseOne);
  EXPECT_OK(aclrtAllocatorGetByStream(stream, &told, nullptr, nullptr, nullptr, nullptr, nullptr));

  EXPECT_OK(aclrtAllocatorUnregister(stream));
  EXPECT_OK(aclrtAllocatorUnregister(stream));
  EXPECT_EQ(get(), ACL_ERROR_INVALID_PARAM);
  EXPECT_OK(aclrtDestroyStream(stream));
}

TEST_F(StreamConfigTest, AllocatorEndsWithItsStream) {
  aclrtStream stream = NewStream();
  OneBlock one;
  aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
  EXPECT_OK(aclrtAllocatorSetObjToDesc(desc, &one));
  EXPECT_OK(aclrtAllocatorSetAllocFuncToDesc(desc, &AllocOne));
  EXPECT_OK(aclrtAllocatorSetFreeFuncToDesc(desc, &FreeOne));
  EXPECT_OK(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, &AddressOfOne));
  EXPECT_OK(aclrtAllocatorRegister(stream, desc));
  EXPECT_OK(aclrtDestroyStream(stream));
  aclrtAllocatorDesc told = nullptr;
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM,
      aclrtAllocatorGetByStream(stream, &told, nullptr, nullptr, nullptr, nullptr, nullptr),
      "stream");
  EXPECT_OK(aclrtAllocatorUnregister(stream));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtAllocatorRegister(stream, desc), "stream");
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
}

TEST_F(StreamConfigTest, AllocatorRefuses) {
  aclrtStream stream = NewStream();
  aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetObjToDesc(desc, nullptr), "allocator");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetAllocFuncToDesc(desc, nullptr), "func");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetFreeFuncToDesc(desc, nullptr), "func");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetAllocAdviseFuncToDesc(desc, nullptr),
               "func");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, nullptr),
               "func");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(nullptr, desc), "stream");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorRegister(stream, nullptr), "allocatorDesc");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorUnregister(nullptr), "stream");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclrtAllocatorDestroyDesc(nullptr), "allocatorDesc");
  EXPECT_FAILS(
      ACL_ERROR_INVALID_PARAM,
      aclrtAllocatorGetByStream(stream, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
      "allocatorDesc");
  EXPECT_OK(aclrtAllocatorDestroyDesc(desc));
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtAllocatorDestroyDesc(desc), "allocatorDesc");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtAllocatorSetObjToDesc(desc, &desc),
               "allocatorDesc");
  EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, aclrtAllocatorRegister(stream, desc), "allocatorDesc");
  EXPECT_OK(aclrtDestroyStream(stream));
}

}  // namespace
}  // namespace anyacl::test
