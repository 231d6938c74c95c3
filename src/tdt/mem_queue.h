// SPDX-License-Identifier: Apache-2.0
// QueueSet: bounded queues of messages with numbers and names, and routes that pass messages on
// from one queue to others. What is in a message is the caller's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "runtime/event_count.h"

namespace anyacl::tdt {

// What CANN's driver allows.
inline constexpr size_t kMinDepth = 2;
inline constexpr size_t kMaxDepth = 8192;
inline constexpr size_t kMaxName = 127;  // characters

struct Message {
  explicit Message(size_t bytes) : size(bytes) {}
  virtual ~Message() = default;
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  const size_t size;
};
// Several queues may hold one message.
using MessagePtr = std::shared_ptr<Message>;

struct Route {
  uint32_t source = 0;
  uint32_t destination = 0;
  friend auto operator<=>(const Route&, const Route&) = default;
};

class QueueSet {
 public:
  // One that lives as long as the process.
  static QueueSet* NewGlobal();

  // An empty name: one that nobody else has. 100000: the name is taken; 107000: the depth is wrong.
  Status Create(uint32_t device, const std::string& name, size_t depth, uint32_t* id);
  // 500001 while a route uses the queue.
  Status Destroy(uint32_t device, uint32_t id);

  // Waits for room, `timeout_ms` milliseconds or for ever (-1), then 207014.
  Status Send(uint32_t device, uint32_t id, MessagePtr message, int32_t timeout_ms);
  // Waits for a message, then 207013. One of more than `limit` bytes stays (107000); *size tells.
  Status Receive(uint32_t device, uint32_t id, size_t limit, int32_t timeout_ms, size_t* size,
                 MessagePtr* message);

  Status Clear(uint32_t device, uint32_t id);
  Status Size(uint32_t device, uint32_t id, size_t* size);
  // No call waits for this queue any more: those that do end as if their time were up.
  Status StopWaiting(uint32_t device, uint32_t id);

  // Binds them at once, so that each destination gets the same; tells which of them are bound.
  std::vector<bool> Bind(uint32_t device, const std::vector<Route>& routes);
  void Unbind(uint32_t device, const Route& route);
  std::vector<Route> Routes(uint32_t device) const;

 private:
  struct Queue {
    uint32_t device = 0;
    std::string name;
    size_t depth = 0;
    std::deque<MessagePtr> messages;
    std::set<uint32_t> served;  // destinations that have got the first message
    bool stopped = false;
    bool destroyed = false;
    int waiting = 0;  // threads that sleep
    EventCount changed;
  };
  using QueuePtr = std::shared_ptr<Queue>;
  using Lock = std::unique_lock<std::mutex>;
  class Deadline;

  // With the lock held:
  Status Find(uint32_t device, uint32_t id, QueuePtr* queue) const;
  Status CheckRoute(uint32_t device, const Route& route) const;
  void Changed(Queue& queue);
  void TakeFirst(Queue& queue);
  // Passes on what can be: from the queue, or into it from those whose destination it is.
  void PassOn(uint32_t source);
  void PassOnInto(uint32_t destination);
  // False if there is nothing to wait for any more.
  bool Wait(Lock& lock, Queue& queue, const Deadline& deadline);

  mutable std::mutex mutex_;
  std::map<uint32_t, QueuePtr> queues_;
  std::set<std::pair<uint32_t, std::string>> names_;  // with their device
  std::set<Route> routes_;
  uint32_t next_ = 0;
};

}  // namespace anyacl::tdt
