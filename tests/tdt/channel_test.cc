// SPDX-License-Identifier: Apache-2.0
// Channels: what is sent is received, bad arguments are found out.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "tdt_case.h"

namespace anyacl::test {
namespace {

class ChannelTest : public RuntimeTest {};

TEST_F(ChannelTest, WhatIsSentIsReceivedInOrder) {
  const ChannelPtr channel = NewChannel("order");
  Vector first({1, 2, 3}), second({4});
  EXPECT_OK(acltdtSendTensor(channel.get(), first.dataset.get(), 1000));
  EXPECT_OK(acltdtSendTensor(channel.get(), second.dataset.get(), 0));
  size_t size = 0;
  EXPECT_OK(acltdtQueryChannelSize(channel.get(), &size));
  EXPECT_EQ(size, 2u);
  // The message is a copy.
  first.values = {7, 7, 7};

  const DatasetPtr received = NewDataset();
  EXPECT_OK(acltdtReceiveTensor(channel.get(), received.get(), -1));
  ASSERT_EQ(acltdtGetDatasetSize(received.get()), 1u);
  EXPECT_EQ(ReceivedValues(received.get()), (std::vector<int32_t>{1, 2, 3}));
  const acltdtDataItem* item = acltdtGetDataItem(received.get(), 0);
  EXPECT_EQ(acltdtGetTensorTypeFromItem(item), ACL_TENSOR_DATA_TENSOR);
  EXPECT_EQ(acltdtGetDataTypeFromItem(item), ACL_INT32);
  int64_t dims[2] = {};
  EXPECT_OK(acltdtGetDimsFromItem(item, dims, 2));
  EXPECT_EQ(dims[0], 3);

  // The dataset receives again; its old items are gone.
  EXPECT_OK(acltdtReceiveTensor(channel.get(), received.get(), 0));
  EXPECT_EQ(ReceivedValues(received.get()), std::vector<int32_t>{4});
  EXPECT_EQ(acltdtGetDataAddrFromItem(item), nullptr);
  EXPECT_OK(acltdtQueryChannelSize(channel.get(), &size));
  EXPECT_EQ(size, 0u);
  EXPECT_STREQ(acltdtGetDatasetName(received.get()), "");
}

TEST_F(ChannelTest, SeveralItemsKeepTheirKindsAndAlignment) {
  const ChannelPtr channel = NewChannel("kinds");
  const Vector vector({1, 2, 3});
  const DatasetPtr dataset = NewDataset();
  char letter = 'x';
  acltdtDataItem* scalar =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, nullptr, 0, ACL_INT8, &letter, 1);
  acltdtDataItem* end = acltdtCreateDataItem(ACL_TENSOR_DATA_END_OF_SEQUENCE, nullptr, 0, ACL_FLOAT,
                                             &letter, sizeof(letter));
  for (acltdtDataItem* item : {scalar, vector.item, end}) {
    EXPECT_OK(acltdtAddDataItem(dataset.get(), item));
  }
  EXPECT_OK(acltdtSendTensor(channel.get(), dataset.get(), 0));
  const DatasetPtr received = NewDataset();
  EXPECT_OK(acltdtReceiveTensor(channel.get(), received.get(), 0));
  ASSERT_EQ(acltdtGetDatasetSize(received.get()), 3u);
  EXPECT_EQ(ReceivedValues(received.get(), 1), (std::vector<int32_t>{1, 2, 3}));
  for (size_t i = 0; i < 2; ++i) {
    const void* data = acltdtGetDataAddrFromItem(acltdtGetDataItem(received.get(), i));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % 64, 0u);
  }
  const acltdtDataItem* last = acltdtGetDataItem(received.get(), 2);
  EXPECT_EQ(acltdtGetTensorTypeFromItem(last), ACL_TENSOR_DATA_END_OF_SEQUENCE);
  EXPECT_EQ(acltdtGetDataTypeFromItem(last), ACL_DT_UNDEFINED);
  EXPECT_EQ(acltdtGetDataAddrFromItem(last), nullptr);
  EXPECT_EQ(acltdtGetDataSizeFromItem(last), 0u);
  EXPECT_OK(acltdtDestroyDataItem(scalar));
  EXPECT_OK(acltdtDestroyDataItem(end));
}

TEST_F(ChannelTest, DeviceMemoryIsSent) {
  void* data = nullptr;
  ASSERT_OK(aclrtMalloc(&data, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  std::memcpy(data, "\1\0\0\0\2\0\0\0", 8);
  const int64_t dims[] = {2};
  acltdtDataItem* item = acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_INT32, data, 8);
  acltdtDataItem* beyond =
      acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_INT32, data, 1 << 20);
  const DatasetPtr dataset = NewDataset();
  EXPECT_OK(acltdtAddDataItem(dataset.get(), item));
  const ChannelPtr channel = NewChannel("device");
  EXPECT_OK(acltdtSendTensor(channel.get(), dataset.get(), 0));
  const DatasetPtr received = NewDataset();
  EXPECT_OK(acltdtReceiveTensor(channel.get(), received.get(), 0));
  EXPECT_EQ(ReceivedValues(received.get()), (std::vector<int32_t>{1, 2}));

  EXPECT_OK(acltdtAddDataItem(dataset.get(), beyond));
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtSendTensor(channel.get(), dataset.get(), 0),
               "1048576", "allocation");
  // Host memory does not join device memory.
  const Vector host({1});
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAddDataItem(dataset.get(), host.item), "host");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtAddDataItem(host.dataset.get(), item), "device");
  EXPECT_OK(acltdtDestroyDataItem(item));
  EXPECT_OK(acltdtDestroyDataItem(beyond));
  EXPECT_OK(aclrtFree(data));
}

TEST_F(ChannelTest, CapacityAndEmptinessAreTold) {
  const ChannelPtr channel = NewChannel("full", 2);
  const Vector vector({1});
  const DatasetPtr received = NewDataset();
  EXPECT_FAILS(ACL_ERROR_RT_QUEUE_EMPTY, acltdtReceiveTensor(channel.get(), received.get(), 0),
               "empty");
  EXPECT_OK(acltdtSendTensor(channel.get(), vector.dataset.get(), 0));
  EXPECT_OK(acltdtSendTensor(channel.get(), vector.dataset.get(), 0));
  EXPECT_FAILS(ACL_ERROR_RT_QUEUE_FULL, acltdtSendTensor(channel.get(), vector.dataset.get(), 0),
               "full", "2");
  EXPECT_OK(acltdtCleanChannel(channel.get()));
  size_t size = 9;
  EXPECT_OK(acltdtQueryChannelSize(channel.get(), &size));
  EXPECT_EQ(size, 0u);
  EXPECT_OK(acltdtSendTensor(channel.get(), vector.dataset.get(), 0));
}

TEST_F(ChannelTest, BadChannelsAreRefused) {
  const auto create = [](uint32_t device, const char* name, size_t capacity) {
    TakeMessages();
    EXPECT_EQ(acltdtCreateChannelWithCapacity(device, name, capacity), nullptr);
    return TakeMessages();
  };
  EXPECT_TRUE(HasWord(create(0, nullptr, 2), "name"));
  EXPECT_TRUE(HasWord(create(0, std::string(128, 'n').c_str(), 2), "127"));
  EXPECT_TRUE(HasWord(create(0, "n", 1), "8192"));
  EXPECT_TRUE(HasWord(create(0, "n", 8193), "8193"));
  EXPECT_TRUE(HasWord(create(4711, "n", 2), "4711"));
  const ChannelPtr longest = NewChannel(std::string(127, 'n').c_str(), 8192);
  const ChannelPtr one = NewChannel("one");
  EXPECT_TRUE(HasWord(create(0, "one", 2), "one"));

  TakeMessages();
  EXPECT_EQ(acltdtCreateChannel(0, "unbounded"), nullptr);
  EXPECT_TRUE(HasWord(TakeMessages(), "acltdtCreateChannelWithCapacity"));
}

TEST_F(ChannelTest, ANameIsFreeAfterItsChannel) {
  NewChannel("again").reset();
  NewChannel("again").reset();
}

TEST_F(ChannelTest, BadArgumentsAreRefused) {
  acltdtChannelHandle* stale = acltdtCreateChannelWithCapacity(0, "stale", 2);
  ASSERT_OK(acltdtDestroyChannel(stale));
  const Vector vector({1});
  acltdtDataset* dataset = vector.dataset.get();
  size_t size = 0;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtDestroyChannel(stale), "handle");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtStopChannel(stale), "handle");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtCleanChannel(nullptr), "handle");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtQueryChannelSize(stale, &size), "handle");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSendTensor(stale, dataset, 0), "handle");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtReceiveTensor(stale, dataset, 0), "handle");

  const ChannelPtr channel = NewChannel("bad");
  const DatasetPtr empty = NewDataset();
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtQueryChannelSize(channel.get(), nullptr), "size");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtSendTensor(channel.get(), nullptr, 0), "dataset");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtReceiveTensor(channel.get(), nullptr, 0), "dataset");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtSendTensor(channel.get(), empty.get(), 0), "item");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtSendTensor(channel.get(), dataset, -2), "timeout");
  EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, acltdtReceiveTensor(channel.get(), empty.get(), -2),
               "timeout");
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, acltdtReceiveTensor(channel.get(), dataset, 0), "dataset");
}

TEST_F(ChannelTest, BadItemsAreNotSent) {
  const ChannelPtr channel = NewChannel("items");
  const auto send = [&](acltdtTensorType kind, void* data, size_t size) {
    const DatasetPtr dataset = NewDataset();
    acltdtDataItem* item = acltdtCreateDataItem(kind, nullptr, 0, ACL_INT8, data, size);
    EXPECT_OK(acltdtAddDataItem(dataset.get(), item));
    const aclError code = acltdtSendTensor(channel.get(), dataset.get(), 0);
    EXPECT_OK(acltdtDestroyDataItem(item));
    // The item is gone.
    EXPECT_EQ(acltdtSendTensor(channel.get(), dataset.get(), 0), ACL_ERROR_INVALID_PARAM);
    return code;
  };
  char byte = 0;
  EXPECT_EQ(send(ACL_TENSOR_DATA_SLICE_TENSOR, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(send(ACL_TENSOR_DATA_UNDEFINED, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(send(ACL_TENSOR_DATA_TENSOR, nullptr, 1), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(send(ACL_TENSOR_DATA_TENSOR, &byte, SIZE_MAX), ACL_ERROR_BAD_ALLOC);
  EXPECT_EQ(send(ACL_TENSOR_DATA_TENSOR, nullptr, 0), ACL_SUCCESS);
  EXPECT_EQ(send(ACL_TENSOR_DATA_ABNORMAL, &byte, 1), ACL_SUCCESS);
}

TEST_F(ChannelTest, AForkedChildHasAChannelOfItsOwn) {
  const ChannelPtr channel = NewChannel("fork");
  const Vector vector({5});
  ASSERT_OK(acltdtSendTensor(channel.get(), vector.dataset.get(), 0));
  const pid_t child = fork();
  if (child == 0) {
    acltdtDataset* received = acltdtCreateDataset();
    const aclError code = acltdtReceiveTensor(channel.get(), received, 0);
    _exit(code == ACL_SUCCESS && ReceivedValues(received).at(0) == 5 ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  size_t size = 0;
  EXPECT_OK(acltdtQueryChannelSize(channel.get(), &size));
  EXPECT_EQ(size, 1u);
}

}  // namespace
}  // namespace anyacl::test
