// SPDX-License-Identifier: Apache-2.0
#include "tdt/dataset.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "tdt/handles.h"

namespace anyacl::tdt {
namespace {

constexpr size_t kMaxDims = 128;                        // CANN's
constexpr size_t kMaxBytes = PTRDIFF_MAX - kAlignment;  // what an allocation may have

using ItemTable = HandleTable<DataItem, kDataItem>;
using DatasetTable = HandleTable<Dataset, kDataset>;

ItemTable& Items() {
  static ItemTable* table = ItemTable::NewGlobal();
  return *table;
}
DatasetTable& Datasets() {
  static DatasetTable* table = DatasetTable::NewGlobal();
  return *table;
}
[[maybe_unused]] const bool kDatasetsMadeAtLoad = (Items(), Datasets(), true);

Status FindItem(const void* handle, std::shared_ptr<DataItem>* item) {
  *item = Items().Find(handle);
  if (*item != nullptr) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "dataItem {} is not a live data item", handle);
}

Status CheckDims(const void* dims, size_t count) {
  if ((dims == nullptr) == (count == 0)) return {};
  return Fail(ACL_ERROR_INVALID_PARAM,
              "dims is {} and dimNum is {}, expected null and 0 or neither", dims, count);
}

Status CheckNewItem(acltdtTensorType kind, const int64_t* dims, size_t count) {
  if (Status s = CheckDims(dims, count); !s.ok()) return s;
  if (count > kMaxDims) {
    return Fail(ACL_ERROR_INVALID_PARAM, "dimNum is {}, expected at most {}", count, kMaxDims);
  }
  if (kind != ACL_TENSOR_DATA_TENSOR && dims != nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "dims is not null, but tdtType is {}: only a tensor (0) has dimensions",
                static_cast<int>(kind));
  }
  return {};
}

// A field of an item, or `failed`.
template <class T, class Get>
T Field(const char* api, const acltdtDataItem* handle, T failed, Get get) {
  T result = failed;
  (void)Entry(api, [&]() -> Status {
    std::shared_ptr<DataItem> item;
    if (Status s = FindItem(handle, &item); !s.ok()) return s;
    result = get(*item);
    return {};
  });
  return result;
}

Status SideOf(const void* data, MemorySide* side) {
  *side = MemorySide::kUnknown;
  if (data == nullptr) return {};
  aclrtPtrAttributes attributes;
  const aclError code = aclrtPointerGetAttributes(data, &attributes);
  if (code != ACL_SUCCESS) return Replay(code);
  *side = attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE ? MemorySide::kDevice
                                                                   : MemorySide::kHost;
  return {};
}

size_t Aligned(size_t size) { return (size + kAlignment - 1) / kAlignment * kAlignment; }

Status CheckSendable(const DataItem& item, size_t index) {
  if (item.kind != ACL_TENSOR_DATA_TENSOR && item.kind != ACL_TENSOR_DATA_END_OF_SEQUENCE &&
      item.kind != ACL_TENSOR_DATA_ABNORMAL) {
    return Fail(
        ACL_ERROR_INVALID_PARAM,
        "item {} has tdtType {}; a tensor (0), an end of sequence (1) or an abnormal end (2) "
        "can be sent",
        index, static_cast<int>(item.kind));
  }
  return CheckBytes(item.data, item.size, "the data of an item");
}

}  // namespace

Status FindDataset(const void* handle, std::shared_ptr<Dataset>* dataset) {
  *dataset = Datasets().Find(handle);
  if (*dataset != nullptr) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "dataset {} is not a live dataset", handle);
}

Dataset::~Dataset() {
  if (received == nullptr) return;
  for (const void* item : items) Items().Remove(item);
}

Status MakeMessage(Dataset& dataset, MessagePtr* message) {
  std::vector<void*> handles;
  {
    std::lock_guard lock(dataset.mutex);
    handles = dataset.items;
  }
  if (handles.empty()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "the dataset has no item, expected at least one");
  }
  std::vector<DataItem> items;
  size_t total = 0;
  for (size_t i = 0; i < handles.size(); ++i) {
    std::shared_ptr<DataItem> item;
    if (Status s = FindItem(handles[i], &item); !s.ok()) return s;
    if (Status s = CheckSendable(*item, i); !s.ok()) return s;
    if (item->size > kMaxBytes - total) {
      return Fail(ACL_ERROR_BAD_ALLOC, "the items have more bytes than there can be memory");
    }
    items.push_back(*item);
    total += Aligned(item->size);
  }
  AlignedBytes bytes = NewAligned(total);
  char* to = bytes.get();
  for (DataItem& item : items) {
    if (item.size > 0) std::memcpy(to, item.data, item.size);
    item.data = item.size > 0 ? to : nullptr;
    to += Aligned(item.size);
  }
  *message = std::make_shared<TensorMessage>(total, std::move(items), std::move(bytes));
  return {};
}

Status CheckReceiver(Dataset& dataset) {
  std::lock_guard lock(dataset.mutex);
  if (dataset.items.empty() || dataset.received != nullptr) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "the dataset has {} items that were added, expected none",
              dataset.items.size());
}

Status Unpack(std::shared_ptr<const TensorMessage> message, Dataset* dataset) {
  std::vector<void*> items;
  for (const DataItem& item : message->items) {
    items.push_back(Items().Add(std::make_shared<DataItem>(item)));
  }
  std::lock_guard lock(dataset->mutex);
  if (dataset->received == nullptr && !dataset->items.empty()) {
    for (const void* item : items) Items().Remove(item);
    return Fail(ACL_ERROR_INVALID_PARAM, "an item was added to the dataset while it received");
  }
  for (const void* item : dataset->items) Items().Remove(item);
  dataset->items = std::move(items);
  dataset->received = std::move(message);
  return {};
}

}  // namespace anyacl::tdt

using namespace anyacl;
using namespace anyacl::tdt;

extern "C" {

acltdtDataItem* acltdtCreateDataItem(acltdtTensorType tdtType, const int64_t* dims, size_t dimNum,
                                     aclDataType dataType, void* data, size_t size) {
  void* handle = nullptr;
  (void)Entry("acltdtCreateDataItem", [&]() -> Status {
    if (Status s = CheckNewItem(tdtType, dims, dimNum); !s.ok()) return s;
    auto item = std::make_shared<DataItem>();
    item->kind = tdtType;
    if (tdtType == ACL_TENSOR_DATA_TENSOR) {
      if (dimNum > 0) item->dims.assign(dims, dims + dimNum);
      item->type = dataType;
      item->data = data;
      item->size = size;
    }
    handle = Items().Add(std::move(item));
    return {};
  });
  return static_cast<acltdtDataItem*>(handle);
}

aclError acltdtDestroyDataItem(acltdtDataItem* dataItem) {
  return Entry("acltdtDestroyDataItem", [&]() -> Status {
    if (Items().Remove(dataItem) != nullptr) return {};
    std::shared_ptr<DataItem> none;
    return FindItem(dataItem, &none);
  });
}

acltdtTensorType acltdtGetTensorTypeFromItem(const acltdtDataItem* dataItem) {
  return Field("acltdtGetTensorTypeFromItem", dataItem, ACL_TENSOR_DATA_UNDEFINED,
               [](const DataItem& item) { return item.kind; });
}

aclDataType acltdtGetDataTypeFromItem(const acltdtDataItem* dataItem) {
  return Field("acltdtGetDataTypeFromItem", dataItem, ACL_DT_UNDEFINED,
               [](const DataItem& item) { return item.type; });
}

void* acltdtGetDataAddrFromItem(const acltdtDataItem* dataItem) {
  return Field<void*>("acltdtGetDataAddrFromItem", dataItem, nullptr,
                      [](const DataItem& item) { return item.data; });
}

size_t acltdtGetDataSizeFromItem(const acltdtDataItem* dataItem) {
  return Field<size_t>("acltdtGetDataSizeFromItem", dataItem, 0,
                       [](const DataItem& item) { return item.size; });
}

size_t acltdtGetDimNumFromItem(const acltdtDataItem* dataItem) {
  return Field<size_t>("acltdtGetDimNumFromItem", dataItem, 0,
                       [](const DataItem& item) { return item.dims.size(); });
}

aclError acltdtGetDimsFromItem(const acltdtDataItem* dataItem, int64_t* dims, size_t dimNum) {
  return Entry("acltdtGetDimsFromItem", [&]() -> Status {
    std::shared_ptr<DataItem> item;
    if (Status s = FindItem(dataItem, &item); !s.ok()) return s;
    if (Status s = CheckDims(dims, dimNum); !s.ok()) return s;
    if (dimNum < item->dims.size()) {
      return Fail(ACL_ERROR_INVALID_PARAM, "dimNum is {}, expected at least {}, what the item has",
                  dimNum, item->dims.size());
    }
    std::copy(item->dims.begin(), item->dims.end(), dims);
    return {};
  });
}

aclError acltdtGetSliceInfoFromItem(const acltdtDataItem* dataItem, size_t* sliceNum,
                                    size_t* sliceId) {
  return Entry("acltdtGetSliceInfoFromItem", [&]() -> Status {
    std::shared_ptr<DataItem> item;
    if (Status s = FindItem(dataItem, &item); !s.ok()) return s;
    if (Status s = NotNull(sliceNum, "sliceNum"); !s.ok()) return s;
    if (Status s = NotNull(sliceId, "sliceId"); !s.ok()) return s;
    *sliceNum = *sliceId = 0;
    return {};
  });
}

acltdtDataset* acltdtCreateDataset(void) {
  void* handle = nullptr;
  (void)Entry("acltdtCreateDataset", [&]() -> Status {
    handle = Datasets().Add(std::make_shared<Dataset>());
    return {};
  });
  return static_cast<acltdtDataset*>(handle);
}

aclError acltdtDestroyDataset(acltdtDataset* dataset) {
  return Entry("acltdtDestroyDataset", [&]() -> Status {
    if (Datasets().Remove(dataset) != nullptr) return {};
    std::shared_ptr<Dataset> none;
    return FindDataset(dataset, &none);
  });
}

aclError acltdtAddDataItem(acltdtDataset* dataset, acltdtDataItem* dataItem) {
  return Entry("acltdtAddDataItem", [&]() -> Status {
    std::shared_ptr<Dataset> found;
    if (Status s = FindDataset(dataset, &found); !s.ok()) return s;
    std::shared_ptr<DataItem> item;
    if (Status s = FindItem(dataItem, &item); !s.ok()) return s;
    MemorySide side;
    if (Status s = SideOf(item->data, &side); !s.ok()) return s;
    std::lock_guard lock(found->mutex);
    if (found->received != nullptr) {
      return Fail(ACL_ERROR_FEATURE_UNSUPPORTED,
                  "the dataset has received items; nothing can be added to those");
    }
    if (found->side == MemorySide::kUnknown) found->side = side;
    if (side != MemorySide::kUnknown && side != found->side) {
      return Fail(ACL_ERROR_INVALID_PARAM,
                  "the item's data are in {} memory, those of the dataset's other items are not",
                  side == MemorySide::kDevice ? "device" : "host");
    }
    found->items.push_back(dataItem);
    return {};
  });
}

acltdtDataItem* acltdtGetDataItem(const acltdtDataset* dataset, size_t index) {
  void* item = nullptr;
  (void)Entry("acltdtGetDataItem", [&]() -> Status {
    std::shared_ptr<Dataset> found;
    if (Status s = FindDataset(dataset, &found); !s.ok()) return s;
    std::lock_guard lock(found->mutex);
    if (index >= found->items.size()) {
      return Fail(ACL_ERROR_INVALID_PARAM, "index is {}, but the dataset has {} items", index,
                  found->items.size());
    }
    item = found->items[index];
    return {};
  });
  return static_cast<acltdtDataItem*>(item);
}

size_t acltdtGetDatasetSize(const acltdtDataset* dataset) {
  size_t size = 0;
  (void)Entry("acltdtGetDatasetSize", [&]() -> Status {
    std::shared_ptr<Dataset> found;
    if (Status s = FindDataset(dataset, &found); !s.ok()) return s;
    std::lock_guard lock(found->mutex);
    size = found->items.size();
    return {};
  });
  return size;
}

const char* acltdtGetDatasetName(const acltdtDataset* dataset) {
  const int code = Entry("acltdtGetDatasetName", [&]() -> Status {
    std::shared_ptr<Dataset> found;
    return FindDataset(dataset, &found);
  });
  return code == ACL_SUCCESS ? "" : nullptr;
}
}
