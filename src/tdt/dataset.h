// SPDX-License-Identifier: Apache-2.0
// Items and datasets of channels, and the messages that datasets become.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "acl/acl_tdt.h"
#include "base/status.h"
#include "tdt/mem_queue.h"
#include "tdt/memory.h"

namespace anyacl::tdt {

// Never changes once it is made.
struct DataItem {
  acltdtTensorType kind = ACL_TENSOR_DATA_UNDEFINED;
  std::vector<int64_t> dims;
  aclDataType type = ACL_DT_UNDEFINED;
  void* data = nullptr;
  size_t size = 0;  // bytes
};

struct TensorMessage : Message {
  TensorMessage(size_t bytes, std::vector<DataItem> all, AlignedBytes memory)
      : Message(bytes), items(std::move(all)), bytes(std::move(memory)) {}

  const std::vector<DataItem> items;  // their data lie in `bytes`
  const AlignedBytes bytes;
};

enum class MemorySide { kUnknown, kHost, kDevice };

struct Dataset {
  ~Dataset();

  std::mutex mutex;
  std::vector<void*> items;  // handles
  MemorySide side = MemorySide::kUnknown;
  std::shared_ptr<const TensorMessage> received;  // owns the items' memory; and they are ours
};

Status FindDataset(const void* handle, std::shared_ptr<Dataset>* dataset);

// Copies what the dataset holds.
Status MakeMessage(Dataset& dataset, MessagePtr* message);

// Whether the dataset may receive.
Status CheckReceiver(Dataset& dataset);
// Replaces what the dataset has received before.
Status Unpack(std::shared_ptr<const TensorMessage> message, Dataset* dataset);

}  // namespace anyacl::tdt
