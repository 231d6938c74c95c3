// SPDX-License-Identifier: Apache-2.0
#include "tdt/queue_objects.h"

#include <cstring>

#include "base/entry.h"
#include "runtime/arguments.h"
#include "tdt/handles.h"

namespace anyacl::tdt {
namespace {

struct RouteObject {
  std::mutex mutex;
  BoundRoute value;
};
struct QueryObject {
  std::mutex mutex;
  RouteQuery value;
};

template <class T, HandleKind kKind>
HandleTable<T, kKind>& Table() {
  static auto* table = HandleTable<T, kKind>::NewGlobal();
  return *table;
}
constexpr auto& Attributes = Table<QueueAttributes, kQueueAttributes>;
constexpr auto& RoutesAlive = Table<RouteObject, kQueueRoute>;
constexpr auto& Lists = Table<RouteList, kQueueRouteList>;
constexpr auto& Queries = Table<QueryObject, kQueueRouteQuery>;
[[maybe_unused]] const bool kObjectsMadeAtLoad =
    (Attributes(), RoutesAlive(), Lists(), Queries(), true);

Status NotAlive(const char* parameter, const void* handle, const char* kind) {
  return Fail(ACL_ERROR_INVALID_PARAM, "{} {} is not a live {}", parameter, handle, kind);
}

Status FindRoute(const void* handle, std::shared_ptr<RouteObject>* route) {
  *route = RoutesAlive().Find(handle);
  if (*route != nullptr) return {};
  return NotAlive("route", handle, "route");
}

// A new object of the table, null on failure.
template <class TableType, class Object>
void* Create(const char* api, TableType& table, std::shared_ptr<Object> (*make)()) {
  void* handle = nullptr;
  (void)Entry(api, [&]() -> Status {
    handle = table.Add(make());
    return {};
  });
  return handle;
}

template <class TableType>
aclError Destroy(const char* api, TableType& table, const char* parameter, const void* handle,
                 const char* kind) {
  return Entry(api, [&]() -> Status {
    if (table.Remove(handle) == nullptr) return NotAlive(parameter, handle, kind);
    return {};
  });
}

Status CheckSet(const void* value, const char* parameter, size_t size, size_t expected) {
  if (Status s = NotNull(value, parameter); !s.ok()) return s;
  if (size == expected) return {};
  return Fail(ACL_ERROR_INVALID_PARAM, "len is {}, expected {}", size, expected);
}

template <class T>
Status Set(const void* value, size_t size, T* to) {
  if (Status s = CheckSet(value, "value", size, sizeof(T)); !s.ok()) return s;
  std::memcpy(to, value, sizeof(T));
  return {};
}

template <class T>
Status Get(const T& value, void* to, size_t room, size_t* written) {
  if (Status s = NotNull(to, "param"); !s.ok()) return s;
  if (Status s = NotNull(written, "paramRetSize"); !s.ok()) return s;
  if (room < sizeof(T)) {
    return Fail(ACL_ERROR_INVALID_PARAM, "len is {}, expected at least {}", room, sizeof(T));
  }
  std::memcpy(to, &value, sizeof(T));
  *written = sizeof(T);
  return {};
}

Status SetName(const char* name, QueueAttributes* attributes) {
  if (Status s = NotNull(name, "the name"); !s.ok()) return s;
  const size_t length = strnlen(name, kMaxName + 1);
  if (length > kMaxName) {
    return Fail(ACL_ERROR_INVALID_PARAM, "the name has more than {} characters", kMaxName);
  }
  attributes->name.fill(0);
  std::memcpy(attributes->name.data(), name, length);
  return {};
}

Status UnknownType(int type, int last) {
  return Fail(ACL_ERROR_INVALID_PARAM, "type is {}, expected 0..{}", type, last);
}

template <class T>
Status SetField(const void* value, size_t size, std::optional<T>* field) {
  T given;
  if (Status s = Set(value, size, &given); !s.ok()) return s;
  *field = given;
  return {};
}

}  // namespace

Status FindAttributes(const void* handle, std::shared_ptr<QueueAttributes>* attributes) {
  *attributes = Attributes().Find(handle);
  if (*attributes != nullptr) return {};
  return NotAlive("attr", handle, "set of queue attributes");
}

Status FindRouteList(const void* handle, std::shared_ptr<RouteList>* list) {
  *list = Lists().Find(handle);
  if (*list != nullptr) return {};
  return NotAlive("the list", handle, "list of routes");
}

Status FindRouteQuery(const void* handle, RouteQuery* query) {
  const auto found = Queries().Find(handle);
  if (found == nullptr) return NotAlive("queryInfo", handle, "query for routes");
  {
    std::lock_guard lock(found->mutex);
    *query = found->value;
  }
  if (!query->mode) return Fail(ACL_ERROR_INVALID_PARAM, "the query's mode is not set");
  const int32_t mode = *query->mode;
  const bool both = mode == ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST;
  if (!both && mode != ACL_TDT_QUEUE_ROUTE_QUERY_SRC && mode != ACL_TDT_QUEUE_ROUTE_QUERY_DST &&
      mode != ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL) {
    return Fail(ACL_ERROR_INVALID_PARAM, "the query's mode is {}, expected 0, 1, 2 or 100", mode);
  }
  if ((both || mode == ACL_TDT_QUEUE_ROUTE_QUERY_SRC) && !query->source) {
    return Fail(ACL_ERROR_INVALID_PARAM, "the query's mode is {}, but its source is not set", mode);
  }
  if ((both || mode == ACL_TDT_QUEUE_ROUTE_QUERY_DST) && !query->destination) {
    return Fail(ACL_ERROR_INVALID_PARAM, "the query's mode is {}, but its destination is not set",
                mode);
  }
  return {};
}

}  // namespace anyacl::tdt

using namespace anyacl;
using namespace anyacl::tdt;

extern "C" {

acltdtQueueAttr* acltdtCreateQueueAttr(void) {
  return static_cast<acltdtQueueAttr*>(Create(
      "acltdtCreateQueueAttr", Attributes(), +[] { return std::make_shared<QueueAttributes>(); }));
}

aclError acltdtDestroyQueueAttr(const acltdtQueueAttr* attr) {
  return Destroy("acltdtDestroyQueueAttr", Attributes(), "attr", attr, "set of queue attributes");
}

aclError acltdtSetQueueAttr(acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len,
                            const void* param) {
  return Entry("acltdtSetQueueAttr", [&]() -> Status {
    std::shared_ptr<QueueAttributes> found;
    if (Status s = FindAttributes(attr, &found); !s.ok()) return s;
    std::lock_guard lock(found->mutex);
    if (type == ACL_TDT_QUEUE_DEPTH_UINT32) return Set(param, len, &found->depth);
    if (type != ACL_TDT_QUEUE_NAME_PTR) {
      return UnknownType(static_cast<int>(type), ACL_TDT_QUEUE_DEPTH_UINT32);
    }
    const char* name = nullptr;
    if (Status s = Set(param, len, &name); !s.ok()) return s;
    return SetName(name, found.get());
  });
}

aclError acltdtGetQueueAttr(const acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len,
                            size_t* paramRetSize, void* param) {
  return Entry("acltdtGetQueueAttr", [&]() -> Status {
    std::shared_ptr<QueueAttributes> found;
    if (Status s = FindAttributes(attr, &found); !s.ok()) return s;
    std::lock_guard lock(found->mutex);
    switch (static_cast<int>(type)) {
      case ACL_TDT_QUEUE_NAME_PTR: {
        const char* name = found->name.data();
        return Get(name, param, len, paramRetSize);
      }
      case ACL_TDT_QUEUE_DEPTH_UINT32:
        return Get(found->depth, param, len, paramRetSize);
      default:
        return UnknownType(static_cast<int>(type), ACL_TDT_QUEUE_DEPTH_UINT32);
    }
  });
}

acltdtQueueRoute* acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId) {
  void* handle = nullptr;
  (void)Entry("acltdtCreateQueueRoute", [&]() -> Status {
    auto route = std::make_shared<RouteObject>();
    route->value.route = {srcId, dstId};
    handle = RoutesAlive().Add(std::move(route));
    return {};
  });
  return static_cast<acltdtQueueRoute*>(handle);
}

aclError acltdtDestroyQueueRoute(const acltdtQueueRoute* route) {
  return Destroy("acltdtDestroyQueueRoute", RoutesAlive(), "route", route, "route");
}

aclError acltdtGetQueueRouteParam(const acltdtQueueRoute* route, acltdtQueueRouteParamType type,
                                  size_t len, size_t* paramRetSize, void* param) {
  return Entry("acltdtGetQueueRouteParam", [&]() -> Status {
    std::shared_ptr<RouteObject> found;
    if (Status s = FindRoute(route, &found); !s.ok()) return s;
    std::lock_guard lock(found->mutex);
    switch (static_cast<int>(type)) {
      case ACL_TDT_QUEUE_ROUTE_SRC_UINT32:
        return Get(found->value.route.source, param, len, paramRetSize);
      case ACL_TDT_QUEUE_ROUTE_DST_UINT32:
        return Get(found->value.route.destination, param, len, paramRetSize);
      case ACL_TDT_QUEUE_ROUTE_STATUS_INT32:
        return Get(found->value.status, param, len, paramRetSize);
      default:
        return UnknownType(static_cast<int>(type), ACL_TDT_QUEUE_ROUTE_STATUS_INT32);
    }
  });
}

acltdtQueueRouteList* acltdtCreateQueueRouteList(void) {
  return static_cast<acltdtQueueRouteList*>(Create(
      "acltdtCreateQueueRouteList", Lists(), +[] { return std::make_shared<RouteList>(); }));
}

aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList* routeList) {
  return Destroy("acltdtDestroyQueueRouteList", Lists(), "routeList", routeList, "list of routes");
}

aclError acltdtAddQueueRoute(acltdtQueueRouteList* routeList, const acltdtQueueRoute* route) {
  return Entry("acltdtAddQueueRoute", [&]() -> Status {
    std::shared_ptr<RouteList> list;
    if (Status s = FindRouteList(routeList, &list); !s.ok()) return s;
    std::shared_ptr<RouteObject> found;
    if (Status s = FindRoute(route, &found); !s.ok()) return s;
    std::scoped_lock lock(list->mutex, found->mutex);
    list->routes.push_back(found->value);
    return {};
  });
}

aclError acltdtGetQueueRoute(const acltdtQueueRouteList* routeList, size_t index,
                             acltdtQueueRoute* route) {
  return Entry("acltdtGetQueueRoute", [&]() -> Status {
    std::shared_ptr<RouteList> list;
    if (Status s = FindRouteList(routeList, &list); !s.ok()) return s;
    std::shared_ptr<RouteObject> found;
    if (Status s = FindRoute(route, &found); !s.ok()) return s;
    std::scoped_lock lock(list->mutex, found->mutex);
    if (index >= list->routes.size()) {
      return Fail(ACL_ERROR_INVALID_PARAM, "index is {}, but the list has {} routes", index,
                  list->routes.size());
    }
    found->value = list->routes[index];
    return {};
  });
}

size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList* routeList) {
  size_t count = 0;
  (void)Entry("acltdtGetQueueRouteNum", [&]() -> Status {
    std::shared_ptr<RouteList> list;
    if (Status s = FindRouteList(routeList, &list); !s.ok()) return s;
    std::lock_guard lock(list->mutex);
    count = list->routes.size();
    return {};
  });
  return count;
}

acltdtQueueRouteQueryInfo* acltdtCreateQueueRouteQueryInfo(void) {
  return static_cast<acltdtQueueRouteQueryInfo*>(Create(
      "acltdtCreateQueueRouteQueryInfo", Queries(),
      +[] { return std::make_shared<QueryObject>(); }));
}

aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo* info) {
  return Destroy("acltdtDestroyQueueRouteQueryInfo", Queries(), "info", info, "query for routes");
}

aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo* param,
                                      acltdtQueueRouteQueryInfoParamType type, size_t len,
                                      const void* value) {
  return Entry("acltdtSetQueueRouteQueryInfo", [&]() -> Status {
    const auto found = Queries().Find(param);
    if (found == nullptr) return NotAlive("param", param, "query for routes");
    std::lock_guard lock(found->mutex);
    switch (static_cast<int>(type)) {
      case ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM:
        return SetField(value, len, &found->value.mode);
      case ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32:
        return SetField(value, len, &found->value.source);
      case ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32:
        return SetField(value, len, &found->value.destination);
      default:
        return UnknownType(static_cast<int>(type), ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32);
    }
  });
}
}
