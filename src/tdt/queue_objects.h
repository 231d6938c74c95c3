// SPDX-License-Identifier: Apache-2.0
// Attributes of queues, routes, lists of routes and queries for routes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl_tdt_queue.h"
#include "base/status.h"
#include "tdt/mem_queue.h"

namespace anyacl::tdt {

struct BoundRoute {
  Route route;
  int32_t status = ACL_TDT_QUEUE_ROUTE_UNBIND;
};

struct QueueAttributes {
  std::mutex mutex;
  std::array<char, kMaxName + 1> name{};
  uint32_t depth = 8;  // CANN's default
};

struct RouteList {
  std::mutex mutex;
  std::vector<BoundRoute> routes;
};

struct RouteQuery {
  std::optional<int32_t> mode;
  std::optional<uint32_t> source;
  std::optional<uint32_t> destination;
};

Status FindAttributes(const void* handle, std::shared_ptr<QueueAttributes>* attributes);
Status FindRouteList(const void* handle, std::shared_ptr<RouteList>* list);
// A copy of the query, whose mode and queues are set as its mode needs them.
Status FindRouteQuery(const void* handle, RouteQuery* query);

}  // namespace anyacl::tdt
