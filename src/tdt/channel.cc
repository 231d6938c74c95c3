// SPDX-License-Identifier: Apache-2.0
// Channels: queues whose messages are datasets.
#include <cstring>

#include "acl/acl_rt.h"
#include "acl/acl_tdt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "tdt/dataset.h"
#include "tdt/handles.h"
#include "tdt/mem_queue.h"

namespace anyacl::tdt {
namespace {

struct Channel {
  uint32_t device = 0;
  uint32_t queue = 0;
};
using ChannelTable = HandleTable<Channel, kChannel>;

ChannelTable& Channels() {
  static ChannelTable* table = ChannelTable::NewGlobal();
  return *table;
}

QueueSet& Queues() {
  static QueueSet* queues = QueueSet::NewGlobal();
  return *queues;
}
[[maybe_unused]] const bool kChannelsMadeAtLoad = (Channels(), Queues(), true);

Status NotAChannel(const void* handle) {
  return Fail(ACL_ERROR_INVALID_PARAM, "handle {} is not a live channel", handle);
}

// Calls `body(channel)` if the handle is one.
template <class Body>
aclError WithChannel(const char* api, const void* handle, Body body) {
  return Entry(api, [&]() -> Status {
    const auto channel = Channels().Find(handle);
    if (channel == nullptr) return NotAChannel(handle);
    return body(*channel);
  });
}

Status CheckNewChannel(uint32_t device, const char* name) {
  if (Status s = NotNull(name, "name"); !s.ok()) return s;
  if (strnlen(name, kMaxName + 1) > kMaxName) {
    return Fail(ACL_ERROR_INVALID_PARAM, "name has more than {} characters", kMaxName);
  }
  uint32_t count = 0;
  if (const aclError code = aclrtGetDeviceCount(&count); code != ACL_SUCCESS) return Replay(code);
  if (device < count) return {};
  return Fail(ACL_ERROR_RT_INVALID_DEVICEID, "deviceId is {}, but there are {} devices", device,
              count);
}

}  // namespace
}  // namespace anyacl::tdt

using namespace anyacl;
using namespace anyacl::tdt;

extern "C" {

acltdtChannelHandle* acltdtCreateChannel(uint32_t, const char*) {
  (void)Entry("acltdtCreateChannel", [] {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "channels without a capacity need CANN's transfer process, which no device offered "
                "here has; use acltdtCreateChannelWithCapacity");
  });
  return nullptr;
}

acltdtChannelHandle* acltdtCreateChannelWithCapacity(uint32_t deviceId, const char* name,
                                                     size_t capacity) {
  void* handle = nullptr;
  (void)Entry("acltdtCreateChannelWithCapacity", [&]() -> Status {
    if (Status s = CheckNewChannel(deviceId, name); !s.ok()) return s;
    auto channel = std::make_shared<Channel>();
    channel->device = deviceId;
    if (Status s = Queues().Create(deviceId, name, capacity, &channel->queue); !s.ok()) return s;
    handle = Channels().Add(std::move(channel));
    return {};
  });
  return static_cast<acltdtChannelHandle*>(handle);
}

aclError acltdtStopChannel(acltdtChannelHandle* handle) {
  return WithChannel("acltdtStopChannel", handle, [](const Channel& channel) {
    return Queues().StopWaiting(channel.device, channel.queue);
  });
}

aclError acltdtDestroyChannel(acltdtChannelHandle* handle) {
  return Entry("acltdtDestroyChannel", [&]() -> Status {
    const auto channel = Channels().Remove(handle);
    if (channel == nullptr) return NotAChannel(handle);
    return Queues().Destroy(channel->device, channel->queue);
  });
}

aclError acltdtCleanChannel(acltdtChannelHandle* handle) {
  return WithChannel("acltdtCleanChannel", handle, [](const Channel& channel) {
    return Queues().Clear(channel.device, channel.queue);
  });
}

aclError acltdtQueryChannelSize(const acltdtChannelHandle* handle, size_t* size) {
  return WithChannel("acltdtQueryChannelSize", handle, [&](const Channel& channel) -> Status {
    if (Status s = NotNull(size, "size"); !s.ok()) return s;
    return Queues().Size(channel.device, channel.queue, size);
  });
}

aclError acltdtSendTensor(const acltdtChannelHandle* handle, const acltdtDataset* dataset,
                          int32_t timeout) {
  return WithChannel("acltdtSendTensor", handle, [&](const Channel& channel) -> Status {
    std::shared_ptr<Dataset> found;
    if (Status s = FindDataset(dataset, &found); !s.ok()) return s;
    MessagePtr message;
    if (Status s = MakeMessage(*found, &message); !s.ok()) return s;
    return Queues().Send(channel.device, channel.queue, std::move(message), timeout);
  });
}

aclError acltdtReceiveTensor(const acltdtChannelHandle* handle, acltdtDataset* dataset,
                             int32_t timeout) {
  return WithChannel("acltdtReceiveTensor", handle, [&](const Channel& channel) -> Status {
    std::shared_ptr<Dataset> found;
    if (Status s = FindDataset(dataset, &found); !s.ok()) return s;
    if (Status s = CheckReceiver(*found); !s.ok()) return s;
    size_t size = 0;
    MessagePtr message;
    if (Status s =
            Queues().Receive(channel.device, channel.queue, SIZE_MAX, timeout, &size, &message);
        !s.ok()) {
      return s;
    }
    return Unpack(std::static_pointer_cast<const TensorMessage>(message), found.get());
  });
}
}
