// SPDX-License-Identifier: Apache-2.0
#include "hccl/window_server.h"

#include <poll.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "base/fork_locks.h"
#include "base/format.h"
#include "base/thread.h"
#include "hccl/window.h"

namespace anyacl::hccl {
namespace {

class Server {
 public:
  static Server& Instance() {
    static auto* server = [] {
      auto* created = new Server;
      ForkLocks::Add(ForkOrder::kLog,
                     {[created] { created->mutex_.lock(); },
                      [created] { created->mutex_.unlock(); }, [created] { created->Forget(); }});
      return created;
    }();
    return *server;
  }

  void Add(const std::shared_ptr<WindowGroup>& group) {
    std::lock_guard lock(mutex_);
    groups_.push_back(group);
    if (std::exchange(running_, true)) return;
    StartThread([this] { Run(); });
  }

 private:
  // In a forked child, which has neither the thread nor the communicators.
  void Forget() {
    groups_.clear();
    running_ = false;
  }

  std::vector<std::shared_ptr<WindowGroup>> Groups() {
    // Whose last owner this is ends without the lock.
    std::vector<std::shared_ptr<WindowGroup>> alive, ended;
    std::vector<std::shared_ptr<Communicator>> communicators;
    std::lock_guard lock(mutex_);
    std::erase_if(groups_, [&](const std::weak_ptr<WindowGroup>& group) {
      auto locked = group.lock();
      communicators.push_back(locked == nullptr ? nullptr : locked->communicator());
      const bool over = communicators.back() == nullptr;
      (over ? ended : alive).push_back(std::move(locked));
      return over;
    });
    if (alive.empty()) running_ = false;
    return alive;
  }

  // What cannot be taken in fails the communicator, not the process.
  static bool Serve(WindowGroup& group) {
    try {
      return group.Serve();
    } catch (const std::exception& error) {
      group.Abort(Format("messages to a window cannot be taken in: {}", error.what()));
      return false;
    }
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
        moved = Serve(*group) || moved;
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
[[maybe_unused]] const bool kServerMadeAtLoad = (Server::Instance(), true);

}  // namespace

void ServeInBackground(const std::shared_ptr<WindowGroup>& group) { Server::Instance().Add(group); }

}  // namespace anyacl::hccl
