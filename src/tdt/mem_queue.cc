// SPDX-License-Identifier: Apache-2.0
#include "tdt/mem_queue.h"

#include <chrono>
#include <optional>

#include "acl/acl_base.h"
#include "base/fork_locks.h"

namespace anyacl::tdt {

// The end of a wait; looks at the clock only if there is one to wait for.
class QueueSet::Deadline {
 public:
  explicit Deadline(int32_t timeout_ms) {
    if (timeout_ms < 0) return;
    at_ = EventCount::Clock::now() + std::chrono::milliseconds(timeout_ms);
  }
  bool passed() const { return at_ && EventCount::Clock::now() >= *at_; }
  const std::optional<EventCount::Clock::time_point>& at() const { return at_; }

 private:
  std::optional<EventCount::Clock::time_point> at_;
};

namespace {

Status CheckTimeout(int32_t timeout_ms) {
  if (timeout_ms >= -1) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "timeout is {} ms, expected -1 (for ever), 0 or more",
              timeout_ms);
}

Status Destroyed(uint32_t id) {
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "queue {} was destroyed while this call waited", id);
}

}  // namespace

QueueSet* QueueSet::NewGlobal() {
  auto* set = new QueueSet;
  ForkLocks::Add(ForkOrder::kCalls, set->mutex_);
  return set;
}

Status QueueSet::Find(uint32_t device, uint32_t id, QueuePtr* queue) const {
  const auto found = queues_.find(id);
  if (found == queues_.end() || found->second->device != device) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "there is no queue {} on device {}", id, device);
  }
  *queue = found->second;
  return {};
}

void QueueSet::Changed(Queue& queue) {
  if (queue.waiting > 0) queue.changed.WakeAll();
}

bool QueueSet::Wait(Lock& lock, Queue& queue, const Deadline& deadline) {
  if (queue.stopped || deadline.passed()) return false;
  const uint32_t seen = queue.changed.Look();
  ++queue.waiting;
  lock.unlock();
  queue.changed.Sleep(seen, deadline.at());
  lock.lock();
  --queue.waiting;
  return true;
}

Status QueueSet::Create(uint32_t device, const std::string& name, size_t depth, uint32_t* id) {
  if (depth < kMinDepth || depth > kMaxDepth) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "the depth is {}, expected {} to {}", depth, kMinDepth,
                kMaxDepth);
  }
  auto queue = std::make_shared<Queue>();
  queue->device = device;
  queue->name = name;
  queue->depth = depth;
  Lock lock(mutex_);
  if (!name.empty() && !names_.emplace(device, name).second) {
    return Fail(ACL_ERROR_INVALID_PARAM, "name is \"{}\", of which device {} has a queue already",
                name, device);
  }
  *id = next_++;
  queues_.emplace(*id, std::move(queue));
  return {};
}

Status QueueSet::Destroy(uint32_t device, uint32_t id) {
  QueuePtr queue;
  Lock lock(mutex_);
  if (Status s = Find(device, id, &queue); !s.ok()) return s;
  for (const Route& route : routes_) {
    if (route.source != id && route.destination != id) continue;
    return Fail(ACL_ERROR_FAILURE, "queue {} is bound by the route {} -> {}; unbind it first", id,
                route.source, route.destination);
  }
  queue->destroyed = true;
  names_.erase({device, queue->name});
  queues_.erase(id);
  Changed(*queue);
  return {};
}

Status QueueSet::Send(uint32_t device, uint32_t id, MessagePtr message, int32_t timeout_ms) {
  if (Status s = CheckTimeout(timeout_ms); !s.ok()) return s;
  const Deadline deadline(timeout_ms);
  QueuePtr queue;
  Lock lock(mutex_);
  if (Status s = Find(device, id, &queue); !s.ok()) return s;
  while (queue->messages.size() >= queue->depth) {
    if (!Wait(lock, *queue, deadline)) {
      return Fail(ACL_ERROR_RT_QUEUE_FULL, "queue {} is full: it holds {} messages", id,
                  queue->depth);
    }
    if (queue->destroyed) return Destroyed(id);
  }
  queue->messages.push_back(std::move(message));
  Changed(*queue);
  PassOn(id);
  return {};
}

Status QueueSet::Receive(uint32_t device, uint32_t id, size_t limit, int32_t timeout_ms,
                         size_t* size, MessagePtr* message) {
  if (Status s = CheckTimeout(timeout_ms); !s.ok()) return s;
  const Deadline deadline(timeout_ms);
  QueuePtr queue;
  Lock lock(mutex_);
  if (Status s = Find(device, id, &queue); !s.ok()) return s;
  while (queue->messages.empty()) {
    if (!Wait(lock, *queue, deadline)) {
      return Fail(ACL_ERROR_RT_QUEUE_EMPTY, "queue {} is empty", id);
    }
    if (queue->destroyed) return Destroyed(id);
  }
  *size = queue->messages.front()->size;
  if (*size > limit) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID, "the message has {} bytes, there is room for {}", *size,
                limit);
  }
  *message = queue->messages.front();
  TakeFirst(*queue);
  PassOn(id);
  PassOnInto(id);
  return {};
}

void QueueSet::TakeFirst(Queue& queue) {
  queue.messages.pop_front();
  queue.served.clear();
  Changed(queue);
}

Status QueueSet::Clear(uint32_t device, uint32_t id) {
  std::deque<MessagePtr> dropped;  // freed without the lock
  QueuePtr queue;
  Lock lock(mutex_);
  if (Status s = Find(device, id, &queue); !s.ok()) return s;
  dropped.swap(queue->messages);
  queue->served.clear();
  Changed(*queue);
  PassOnInto(id);
  lock.unlock();
  return {};
}

Status QueueSet::Size(uint32_t device, uint32_t id, size_t* size) {
  QueuePtr queue;
  Lock lock(mutex_);
  if (Status s = Find(device, id, &queue); !s.ok()) return s;
  *size = queue->messages.size();
  return {};
}

Status QueueSet::StopWaiting(uint32_t device, uint32_t id) {
  QueuePtr queue;
  Lock lock(mutex_);
  if (Status s = Find(device, id, &queue); !s.ok()) return s;
  queue->stopped = true;
  Changed(*queue);
  return {};
}

Status QueueSet::CheckRoute(uint32_t device, const Route& route) const {
  for (const uint32_t id : {route.source, route.destination}) {
    const auto found = queues_.find(id);
    if (found != queues_.end() && found->second->device == device) continue;
    return Fail(ACL_ERROR_FAILURE, "there is no queue {} on device {}", id, device);
  }
  if (route.source == route.destination) {
    return Fail(ACL_ERROR_FAILURE, "the route leads from queue {} to itself", route.source);
  }
  for (const Route& other : routes_) {
    if (other.source != route.destination && other.destination != route.source) continue;
    return Fail(ACL_ERROR_FAILURE,
                "the route {} -> {} would go on from or to the bound route {} -> {}", route.source,
                route.destination, other.source, other.destination);
  }
  return {};
}

std::vector<bool> QueueSet::Bind(uint32_t device, const std::vector<Route>& routes) {
  std::vector<bool> bound;
  Lock lock(mutex_);
  for (const Route& route : routes) {
    bound.push_back(CheckRoute(device, route).ok());
    if (bound.back()) routes_.insert(route);
  }
  for (const Route& route : routes) PassOn(route.source);
  return bound;
}

void QueueSet::Unbind(uint32_t device, const Route& route) {
  Lock lock(mutex_);
  if (!routes_.contains(route)) return;
  if (queues_.at(route.source)->device != device) return;
  routes_.erase(route);
  // What every remaining destination has got is done with.
  PassOn(route.source);
}

std::vector<Route> QueueSet::Routes(uint32_t device) const {
  Lock lock(mutex_);
  std::vector<Route> routes;
  for (const Route& route : routes_) {
    if (queues_.at(route.source)->device == device) routes.push_back(route);
  }
  return routes;
}

void QueueSet::PassOn(uint32_t source) {
  const auto first = routes_.lower_bound({source, 0});
  if (first == routes_.end() || first->source != source) return;
  Queue& from = *queues_.at(source);
  while (!from.messages.empty()) {
    bool all = true;
    for (auto route = first; route != routes_.end() && route->source == source; ++route) {
      if (from.served.contains(route->destination)) continue;
      Queue& to = *queues_.at(route->destination);
      if (to.messages.size() >= to.depth) {
        all = false;
        continue;
      }
      to.messages.push_back(from.messages.front());
      from.served.insert(route->destination);
      Changed(to);
    }
    if (!all) return;
    TakeFirst(from);
  }
}

void QueueSet::PassOnInto(uint32_t destination) {
  std::vector<uint32_t> sources;
  for (const Route& route : routes_) {
    if (route.destination == destination) sources.push_back(route.source);
  }
  for (const uint32_t source : sources) PassOn(source);
}

}  // namespace anyacl::tdt
