// SPDX-License-Identifier: Apache-2.0
// aclDataBuffer: an address and a size.
#include <mutex>

#include "acl/acl_base.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/handle_table.h"

namespace anyacl {
namespace {

struct DataBuffer {
  std::mutex mutex;
  void* data = nullptr;
  size_t size = 0;
};

using DataBufferTable = HandleTable<DataBuffer, HandleKind::kDataBuffer>;

DataBufferTable& DataBuffers() {
  static DataBufferTable* table = DataBufferTable::NewGlobal();
  return *table;
}
[[maybe_unused]] const bool kBuffersMadeAtLoad = (DataBuffers(), true);

Status NotABuffer(const void* handle) {
  return Fail(ACL_ERROR_INVALID_PARAM, "dataBuffer {} is not a live data buffer", handle);
}

size_t SizeOf(const aclDataBuffer* handle) {
  const auto buffer = DataBuffers().Find(handle);
  if (buffer == nullptr) return 0;
  std::lock_guard lock(buffer->mutex);
  return buffer->size;
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  void* handle = nullptr;
  (void)Entry("aclCreateDataBuffer", [&]() -> Status {
    auto buffer = std::make_shared<DataBuffer>();
    buffer->data = data;
    buffer->size = size;
    handle = DataBuffers().Add(std::move(buffer));
    return {};
  });
  return static_cast<aclDataBuffer*>(handle);
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  return Entry("aclDestroyDataBuffer", [&]() -> Status {
    if (DataBuffers().Remove(dataBuffer) == nullptr) return NotABuffer(dataBuffer);
    return {};
  });
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  return Entry("aclUpdateDataBuffer", [&]() -> Status {
    const auto buffer = DataBuffers().Find(dataBuffer);
    if (buffer == nullptr) return NotABuffer(dataBuffer);
    std::lock_guard lock(buffer->mutex);
    buffer->data = data;
    buffer->size = size;
    return {};
  });
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  const auto buffer = DataBuffers().Find(dataBuffer);
  if (buffer == nullptr) return nullptr;
  std::lock_guard lock(buffer->mutex);
  return buffer->data;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(SizeOf(dataBuffer));
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) { return SizeOf(dataBuffer); }
}
