// SPDX-License-Identifier: Apache-2.0
// Queues of data, and the routes between them.
#include <array>
#include <cstring>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "tdt/mem_queue.h"
#include "tdt/memory.h"
#include "tdt/queue_objects.h"

namespace anyacl::tdt {
namespace {

constexpr size_t kUserBytes = 96;

struct DataMessage : Message {
  explicit DataMessage(size_t size) : Message(size), bytes(NewAligned(size)) {}

  const AlignedBytes bytes;
  std::array<char, kUserBytes> user{};
};

QueueSet& Queues() {
  static QueueSet* queues = QueueSet::NewGlobal();
  return *queues;
}
[[maybe_unused]] const bool kQueuesMadeAtLoad = (Queues(), true);

Status CurrentDevice(uint32_t* device) {
  int32_t current = 0;
  if (const aclError code = aclrtGetDevice(&current); code != ACL_SUCCESS) return Replay(code);
  *device = static_cast<uint32_t>(current);
  return {};
}

Status CheckData(const void* data, size_t size, const void* user, size_t user_size) {
  if (Status s = NotNull(data, "data"); !s.ok()) return s;
  if (size == 0) return Fail(ACL_ERROR_INVALID_PARAM, "dataSize is 0, expected at least 1");
  if (Status s = CheckBytes(data, size, "data"); !s.ok()) return s;
  if (user_size > kUserBytes) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "userDataSize is {}, expected at most {}", user_size,
                kUserBytes);
  }
  return CheckBytes(user, user_size, "userData");
}

Status Bind(RouteList& list) {
  uint32_t device = 0;
  if (Status s = CurrentDevice(&device); !s.ok()) return s;
  std::lock_guard lock(list.mutex);
  if (list.routes.empty()) return Fail(ACL_ERROR_FAILURE, "the list holds no route");
  std::vector<Route> routes;
  for (const BoundRoute& bound : list.routes) routes.push_back(bound.route);
  const std::vector<bool> bound = Queues().Bind(device, routes);
  bool all = true;
  for (size_t i = 0; i < bound.size(); ++i) {
    list.routes[i].status = bound[i] ? ACL_TDT_QUEUE_ROUTE_BIND : ACL_TDT_QUEUE_ROUTE_UNBIND;
    all = all && bound[i];
  }
  return all ? Status() : Replay(ACL_ERROR_FAILURE);
}

Status Unbind(RouteList& list) {
  uint32_t device = 0;
  if (Status s = CurrentDevice(&device); !s.ok()) return s;
  std::lock_guard lock(list.mutex);
  for (BoundRoute& bound : list.routes) {
    Queues().Unbind(device, bound.route);
    bound.status = ACL_TDT_QUEUE_ROUTE_UNBIND;
  }
  return {};
}

bool Fits(const Route& route, const RouteQuery& query) {
  switch (*query.mode) {
    case ACL_TDT_QUEUE_ROUTE_QUERY_SRC:
      return route.source == *query.source;
    case ACL_TDT_QUEUE_ROUTE_QUERY_DST:
      return route.destination == *query.destination;
    case ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST:
      return route.source == *query.source && route.destination == *query.destination;
    default:
      return false;  // A bound route never becomes abnormal.
  }
}

aclError OnDeviceOnly(const char* api) {
  return Entry(api, [] {
    return Fail(ACL_ERROR_FEATURE_UNSUPPORTED,
                "only programs that run on the device itself have this; on a host use "
                "acltdtEnqueueData and acltdtDequeueData in one process");
  });
}

}  // namespace
}  // namespace anyacl::tdt

using namespace anyacl;
using namespace anyacl::tdt;

extern "C" {

aclError acltdtCreateQueue(const acltdtQueueAttr* attr, uint32_t* qid) {
  return Entry("acltdtCreateQueue", [&]() -> Status {
    if (Status s = NotNull(qid, "qid"); !s.ok()) return s;
    uint32_t device = 0;
    if (Status s = CurrentDevice(&device); !s.ok()) return s;
    auto attributes = std::make_shared<QueueAttributes>();
    if (attr != nullptr) {
      if (Status s = FindAttributes(attr, &attributes); !s.ok()) return s;
    }
    std::unique_lock lock(attributes->mutex);
    const std::string name = attributes->name.data();
    const uint32_t depth = attributes->depth;
    lock.unlock();
    return Queues().Create(device, name, depth, qid);
  });
}

aclError acltdtDestroyQueue(uint32_t qid) {
  return Entry("acltdtDestroyQueue", [&]() -> Status {
    uint32_t device = 0;
    if (Status s = CurrentDevice(&device); !s.ok()) return s;
    return Queues().Destroy(device, qid);
  });
}

aclError acltdtEnqueueData(uint32_t qid, const void* data, size_t dataSize, const void* userData,
                           size_t userDataSize, int32_t timeout, uint32_t) {
  return Entry("acltdtEnqueueData", [&]() -> Status {
    if (Status s = CheckData(data, dataSize, userData, userDataSize); !s.ok()) return s;
    uint32_t device = 0;
    if (Status s = CurrentDevice(&device); !s.ok()) return s;
    auto message = std::make_shared<DataMessage>(dataSize);
    std::memcpy(message->bytes.get(), data, dataSize);
    if (userDataSize > 0) std::memcpy(message->user.data(), userData, userDataSize);
    return Queues().Send(device, qid, std::move(message), timeout);
  });
}

aclError acltdtDequeueData(uint32_t qid, void* data, size_t dataSize, size_t* retDataSize,
                           void* userData, size_t userDataSize, int32_t timeout) {
  return Entry("acltdtDequeueData", [&]() -> Status {
    if (Status s = NotNull(retDataSize, "retDataSize"); !s.ok()) return s;
    if (Status s = CheckData(data, dataSize, userData, userDataSize); !s.ok()) return s;
    uint32_t device = 0;
    if (Status s = CurrentDevice(&device); !s.ok()) return s;
    MessagePtr taken;
    if (Status s = Queues().Receive(device, qid, dataSize, timeout, retDataSize, &taken); !s.ok()) {
      return s;
    }
    const auto& message = static_cast<const DataMessage&>(*taken);
    std::memcpy(data, message.bytes.get(), message.size);
    if (userDataSize > 0) std::memcpy(userData, message.user.data(), userDataSize);
    return {};
  });
}

aclError acltdtBindQueueRoutes(acltdtQueueRouteList* qRouteList) {
  return Entry("acltdtBindQueueRoutes", [&]() -> Status {
    std::shared_ptr<RouteList> list;
    if (Status s = FindRouteList(qRouteList, &list); !s.ok()) return s;
    return Bind(*list);
  });
}

aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList* qRouteList) {
  return Entry("acltdtUnbindQueueRoutes", [&]() -> Status {
    std::shared_ptr<RouteList> list;
    if (Status s = FindRouteList(qRouteList, &list); !s.ok()) return s;
    return Unbind(*list);
  });
}

aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo* queryInfo,
                                acltdtQueueRouteList* qRouteList) {
  return Entry("acltdtQueryQueueRoutes", [&]() -> Status {
    std::shared_ptr<RouteList> list;
    if (Status s = FindRouteList(qRouteList, &list); !s.ok()) return s;
    std::lock_guard lock(list->mutex);
    list->routes.clear();
    RouteQuery query;
    if (Status s = FindRouteQuery(queryInfo, &query); !s.ok()) return s;
    uint32_t device = 0;
    if (Status s = CurrentDevice(&device); !s.ok()) return s;
    for (const Route& route : Queues().Routes(device)) {
      if (Fits(route, query)) list->routes.push_back({route, ACL_TDT_QUEUE_ROUTE_BIND});
    }
    return {};
  });
}

aclError acltdtEnqueue(uint32_t, acltdtBuf, int32_t) { return OnDeviceOnly("acltdtEnqueue"); }

aclError acltdtDequeue(uint32_t, acltdtBuf*, int32_t) { return OnDeviceOnly("acltdtDequeue"); }

aclError acltdtGrantQueue(uint32_t, int32_t, uint32_t, int32_t) {
  return OnDeviceOnly("acltdtGrantQueue");
}

aclError acltdtAttachQueue(uint32_t, int32_t, uint32_t*) {
  return OnDeviceOnly("acltdtAttachQueue");
}

aclError acltdtAllocBuf(size_t, uint32_t type, acltdtBuf* buf) {
  // Checked first by CANN, too.
  if (type > ACL_TDT_DVPP_MEM || buf == nullptr) {
    return Entry("acltdtAllocBuf", [&] {
      return Fail(ACL_ERROR_INVALID_PARAM, "type is {} and buf {}, expected 0 or 1 and an address",
                  type, static_cast<void*>(buf));
    });
  }
  return OnDeviceOnly("acltdtAllocBuf");
}

aclError acltdtFreeBuf(acltdtBuf) { return OnDeviceOnly("acltdtFreeBuf"); }

aclError acltdtGetBufData(const acltdtBuf, void**, size_t*) {
  return OnDeviceOnly("acltdtGetBufData");
}

aclError acltdtSetBufDataLen(acltdtBuf, size_t) { return OnDeviceOnly("acltdtSetBufDataLen"); }

aclError acltdtGetBufDataLen(acltdtBuf, size_t*) { return OnDeviceOnly("acltdtGetBufDataLen"); }

aclError acltdtAppendBufChain(acltdtBuf, acltdtBuf) { return OnDeviceOnly("acltdtAppendBufChain"); }

aclError acltdtGetBufChainNum(acltdtBuf, uint32_t*) { return OnDeviceOnly("acltdtGetBufChainNum"); }

aclError acltdtGetBufFromChain(acltdtBuf, uint32_t, acltdtBuf*) {
  return OnDeviceOnly("acltdtGetBufFromChain");
}

aclError acltdtGetBufUserData(const acltdtBuf, void*, size_t, size_t) {
  return OnDeviceOnly("acltdtGetBufUserData");
}

aclError acltdtSetBufUserData(acltdtBuf, const void*, size_t, size_t) {
  return OnDeviceOnly("acltdtSetBufUserData");
}

aclError acltdtCopyBufRef(const acltdtBuf, acltdtBuf*) { return OnDeviceOnly("acltdtCopyBufRef"); }
}
