// SPDX-License-Identifier: Apache-2.0
// Queues of data.
#include <cstring>
#include <thread>

#include "tdt_case.h"

namespace anyacl::test {
namespace {

class QueueTest : public RuntimeTest {};

TEST_F(QueueTest, DataAndUserDataComeOutInOrder) {
  const TestQueue queue;
  const char user[] = "user";
  int32_t value = 1;
  EXPECT_OK(acltdtEnqueueData(queue.id(), &value, sizeof(value), user, sizeof(user), 0, 0));
  EXPECT_OK(queue.Put(2));
  EXPECT_EQ(queue.Put(3), ACL_ERROR_RT_QUEUE_FULL);
  value = 0;
  char read[96];
  std::memset(read, 'x', sizeof(read));
  size_t size = 0;
  EXPECT_OK(acltdtDequeueData(queue.id(), &value, sizeof(value), &size, read, sizeof(read), 0));
  EXPECT_EQ(value, 1);
  EXPECT_EQ(size, sizeof(value));
  EXPECT_STREQ(read, "user");
  EXPECT_EQ(read[95], 0);
  EXPECT_EQ(queue.Take(), 2);
  EXPECT_EQ(queue.Take(), -1);
}

TEST_F(QueueTest, DataThatDoNotFitStay) {
  const TestQueue queue;
  int64_t value = 7;
  EXPECT_OK(acltdtEnqueueData(queue.id(), &value, sizeof(value), nullptr, 0, 0, 0));
  value = 0;
  size_t size = 0;
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               acltdtDequeueData(queue.id(), &value, 7, &size, nullptr, 0, 0), "8", "7");
  EXPECT_EQ(size, 8u);
  EXPECT_OK(acltdtDequeueData(queue.id(), &value, 8, &size, nullptr, 0, 0));
  EXPECT_EQ(value, 7);
}

TEST_F(QueueTest, BadArgumentsAreRefused) {
  const TestQueue queue;
  char byte = 0;
  char* data = &byte;
  size_t size = 0;
  const uint32_t id = queue.id();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtEnqueueData(id, nullptr, 1, nullptr, 0, 0, 0),
               "data");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtEnqueueData(id, data, 0, nullptr, 0, 0, 0),
               "dataSize");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtEnqueueData(id, data, 1, nullptr, 1, 0, 0),
               "userData");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtEnqueueData(id, data, 1, data, 97, 0, 0),
               "userDataSize", "96");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtEnqueueData(id, data, 1, nullptr, 0, -2, 0),
               "timeout");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtEnqueueData(id + 1, data, 1, nullptr, 0, 0, 0),
               "queue");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDequeueData(id, data, 1, nullptr, nullptr, 0, 0),
               "retDataSize");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDequeueData(id, nullptr, 1, &size, nullptr, 0, 0),
               "data");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtDequeueData(id, data, 1, &size, nullptr, 3, 0),
               "userData");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtDequeueData(id, data, 1, &size, nullptr, 0, -9),
               "timeout");
  EXPECT_FAILS(ACL_ERROR_RT_QUEUE_EMPTY, acltdtDequeueData(id, data, 1, &size, nullptr, 0, 0),
               "empty");

  void* device = nullptr;
  ASSERT_OK(aclrtMalloc(&device, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtEnqueueData(id, device, 1000, nullptr, 0, 0, 0),
               "allocation");
  EXPECT_OK(acltdtEnqueueData(id, device, 8, nullptr, 0, 0, 0));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID,
               acltdtDequeueData(id, device, 1000, &size, nullptr, 0, 0), "allocation");
  EXPECT_OK(acltdtDequeueData(id, device, 8, &size, nullptr, 0, 0));
  EXPECT_OK(aclrtFree(device));
}

TEST_F(QueueTest, DepthsAndNamesAreChecked) {
  uint32_t id = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtCreateQueue(nullptr, nullptr), "qid");
  int foreign = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM,
               acltdtCreateQueue(reinterpret_cast<acltdtQueueAttr*>(&foreign), &id), "attr");
  acltdtQueueAttr* attributes = acltdtCreateQueueAttr();
  for (uint32_t depth : {0u, 1u, 8193u}) {
    ASSERT_OK(acltdtSetQueueAttr(attributes, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth));
    EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtCreateQueue(attributes, &id), "depth", "8192");
  }
  const TestQueue first(2, "name");
  const uint32_t depth = 2;
  const char* name = "name";
  ASSERT_OK(acltdtSetQueueAttr(attributes, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth));
  ASSERT_OK(acltdtSetQueueAttr(attributes, ACL_TDT_QUEUE_NAME_PTR, sizeof(name), &name));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtCreateQueue(attributes, &id), "name");
  EXPECT_OK(acltdtDestroyQueueAttr(attributes));

  // Without attributes: a depth of 8, and no name that another could have.
  uint32_t other = 0;
  EXPECT_OK(acltdtCreateQueue(nullptr, &id));
  EXPECT_OK(acltdtCreateQueue(nullptr, &other));
  EXPECT_NE(id, other);
  char byte = 0;
  for (int i = 0; i < 8; ++i) EXPECT_OK(acltdtEnqueueData(id, &byte, 1, nullptr, 0, 0, 0));
  EXPECT_EQ(acltdtEnqueueData(id, &byte, 1, nullptr, 0, 0, 0), ACL_ERROR_RT_QUEUE_FULL);
  EXPECT_OK(acltdtDestroyQueue(id));
  EXPECT_OK(acltdtDestroyQueue(other));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtDestroyQueue(other), "queue");
}

TEST_F(QueueTest, AThreadWithoutContextIsRefused) {
  std::thread([] {
    uint32_t id = 0;
    EXPECT_EQ(acltdtCreateQueue(nullptr, &id), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(acltdtDestroyQueue(0), ACL_ERROR_RT_CONTEXT_NULL);
    char byte = 0;
    size_t size = 0;
    EXPECT_EQ(acltdtEnqueueData(0, &byte, 1, nullptr, 0, 0, 0), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(acltdtDequeueData(0, &byte, 1, &size, nullptr, 0, 0), ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
}

TEST_F(QueueTest, WhatOnlyADeviceHasIsRefused) {
  const TestQueue queue;
  const uint32_t id = queue.id();
  void* pointer = nullptr;
  size_t size = 0;
  uint32_t number = 0;
  char byte = 0;
  constexpr int kRefused = ACL_ERROR_FEATURE_UNSUPPORTED;
  EXPECT_FAILS(kRefused, acltdtEnqueue(id, &byte, 0), "acltdtEnqueueData");
  EXPECT_FAILS(kRefused, acltdtDequeue(id, &pointer, 0), "device");
  EXPECT_FAILS(kRefused, acltdtGrantQueue(id, 1, ACL_TDT_QUEUE_PERMISSION_DEQUEUE, 0), "device");
  EXPECT_FAILS(kRefused, acltdtAttachQueue(id, 0, &number), "device");
  EXPECT_FAILS(kRefused, acltdtAllocBuf(8, ACL_TDT_NORMAL_MEM, &pointer), "device");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAllocBuf(8, 2, &pointer), "type");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAllocBuf(8, 0, nullptr), "buf");
  EXPECT_FAILS(kRefused, acltdtFreeBuf(&byte), "device");
  EXPECT_FAILS(kRefused, acltdtGetBufData(&byte, &pointer, &size), "device");
  EXPECT_FAILS(kRefused, acltdtSetBufDataLen(&byte, 1), "device");
  EXPECT_FAILS(kRefused, acltdtGetBufDataLen(&byte, &size), "device");
  EXPECT_FAILS(kRefused, acltdtAppendBufChain(&byte, &byte), "device");
  EXPECT_FAILS(kRefused, acltdtGetBufChainNum(&byte, &number), "device");
  EXPECT_FAILS(kRefused, acltdtGetBufFromChain(&byte, 0, &pointer), "device");
  EXPECT_FAILS(kRefused, acltdtGetBufUserData(&byte, &byte, 1, 0), "device");
  EXPECT_FAILS(kRefused, acltdtSetBufUserData(&byte, &byte, 1, 0), "device");
  EXPECT_FAILS(kRefused, acltdtCopyBufRef(&byte, &pointer), "device");
}

}  // namespace
}  // namespace anyacl::test
