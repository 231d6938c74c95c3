// SPDX-License-Identifier: Apache-2.0
// Channels, datasets and queues that end with their test.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "acl/acl_tdt.h"
#include "acl/acl_tdt_queue.h"
#include "fixture.h"

namespace anyacl::test {

struct DestroyChannel {
  void operator()(acltdtChannelHandle* channel) const { EXPECT_OK(acltdtDestroyChannel(channel)); }
};
using ChannelPtr = std::unique_ptr<acltdtChannelHandle, DestroyChannel>;

inline ChannelPtr NewChannel(const char* name, size_t capacity = 2) {
  ChannelPtr channel(acltdtCreateChannelWithCapacity(0, name, capacity));
  EXPECT_NE(channel, nullptr);
  return channel;
}

struct DestroyDataset {
  void operator()(acltdtDataset* dataset) const {
    // Received items go with the dataset; those that were added here are the test's.
    EXPECT_OK(acltdtDestroyDataset(dataset));
  }
};
using DatasetPtr = std::unique_ptr<acltdtDataset, DestroyDataset>;

inline DatasetPtr NewDataset() { return DatasetPtr(acltdtCreateDataset()); }

// A dataset of one vector of int32; `values` must live as long as it is sent.
struct Vector {
  explicit Vector(std::vector<int32_t> numbers) : values(std::move(numbers)) {
    const int64_t dims[] = {static_cast<int64_t>(values.size())};
    item = acltdtCreateDataItem(ACL_TENSOR_DATA_TENSOR, dims, 1, ACL_INT32, values.data(),
                                values.size() * sizeof(int32_t));
    EXPECT_NE(item, nullptr);
    EXPECT_OK(acltdtAddDataItem(dataset.get(), item));
  }
  ~Vector() { EXPECT_OK(acltdtDestroyDataItem(item)); }

  std::vector<int32_t> values;
  DatasetPtr dataset = NewDataset();
  acltdtDataItem* item = nullptr;
};

inline std::vector<int32_t> ReceivedValues(const acltdtDataset* dataset, size_t index = 0) {
  const acltdtDataItem* item = acltdtGetDataItem(dataset, index);
  const auto* data = static_cast<const int32_t*>(acltdtGetDataAddrFromItem(item));
  return {data, data + acltdtGetDataSizeFromItem(item) / sizeof(int32_t)};
}

// A queue of the current device.
class TestQueue {
 public:
  explicit TestQueue(uint32_t depth = 2, const char* name = nullptr) {
    acltdtQueueAttr* attributes = acltdtCreateQueueAttr();
    EXPECT_OK(acltdtSetQueueAttr(attributes, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof(depth), &depth));
    if (name != nullptr) {
      EXPECT_OK(acltdtSetQueueAttr(attributes, ACL_TDT_QUEUE_NAME_PTR, sizeof(name), &name));
    }
    EXPECT_OK(acltdtCreateQueue(attributes, &id_));
    EXPECT_OK(acltdtDestroyQueueAttr(attributes));
  }
  ~TestQueue() { EXPECT_OK(acltdtDestroyQueue(id_)); }
  TestQueue(const TestQueue&) = delete;
  TestQueue& operator=(const TestQueue&) = delete;

  uint32_t id() const { return id_; }
  aclError Put(int32_t value, int32_t timeout = 0) const {
    return acltdtEnqueueData(id_, &value, sizeof(value), nullptr, 0, timeout, 0);
  }
  // -1 if the queue is empty.
  int32_t Take(int32_t timeout = 0) const {
    int32_t value = -1;
    size_t size = 0;
    const aclError code = acltdtDequeueData(id_, &value, sizeof(value), &size, nullptr, 0, timeout);
    EXPECT_TRUE(code == ACL_SUCCESS || code == ACL_ERROR_RT_QUEUE_EMPTY) << code;
    return value;
  }

 private:
  uint32_t id_ = 0;
};

}  // namespace anyacl::test
