// SPDX-License-Identifier: Apache-2.0
#include "hccl/window_server.h"

#include <poll.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "base/thread.h"
#include "hccl/window.h"

namespace anyacl::hccl {
namespace {

class Server {
 public:
  static Server& Instance() {
    static auto* server = new Server;
    return *server;
  }

  void Add(const std::shared_ptr<WindowGroup>& group) {
    std::lock_guard lock(mutex_);
    groups_.push_back(group);
    if (std::exchange(running_, true)) return;
    StartThread([this] { Run(); });
  }

 private:
  std::vector<std::shared_ptr<WindowGroup>> Groups() {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<WindowGroup>> alive;
    std::erase_if(groups_, [&](const std::weak_ptr<WindowGroup>& group) {
      auto locked = group.lock();
      if (locked == nullptr || locked->communicator() == nullptr) return true;
      alive.push_back(std::move(locked));
      return false;
    });
    if (alive.empty()) running_ = false;
    return alive;
  }

  void Run() {
    int idle = 0;
    for (;;) {
      bool moved = false;
      bool ready = true;
      int longest = 10;  // ms
      std::vector<pollfd> fds;
      const auto groups = Groups();
      if (groups.empty()) return;
      for (const auto& group : groups) {
        const auto communicator = group->communicator();
        // A failed one moves nothing, and would be ready for ever.
        if (communicator == nullptr || communicator->failed()) continue;
        if (group->served_by_task()) {
          longest = 1;
          continue;
        }
        moved = group->Serve() || moved;
        if (group->blocked()) longest = 1;  // a store that nobody tells of ends the wait
        ready = communicator->engine().Arm() && ready;
        fds.push_back({communicator->engine().event(), POLLIN, 0});
      }
      idle = moved ? 0 : idle + 1;
      if (moved || !ready) continue;
      poll(fds.data(), fds.size(), std::min(idle, longest));
    }
  }

  std::mutex mutex_;
  std::vector<std::weak_ptr<WindowGroup>> groups_;
  bool running_ = false;
};

}  // namespace

void ServeInBackground(const std::shared_ptr<WindowGroup>& group) { Server::Instance().Add(group); }

}  // namespace anyacl::hccl
