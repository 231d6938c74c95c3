// SPDX-License-Identifier: Apache-2.0
// fork() copies the calling thread alone: a lock that another thread holds at that moment would
// stay locked in the child for ever. The locks of everything global are therefore taken before a
// fork and released on both sides of it. Each library keeps a list of its own.
#pragma once

#include <pthread.h>

#include <functional>
#include <map>
#include <mutex>
#include <utility>

namespace anyacl {

// The order in which nested code takes the locks; a fork must take them in the same order.
enum class ForkOrder {
  kInit,
  kDevices,
  kCallbacks,
  kAddressSpace,
  kMemory,
  kHandles,
  kStreams,
  kLog
};

class ForkLocks {
 public:
  struct Stage {
    std::function<void()> lock;
    std::function<void()> unlock;
    std::function<void()> in_child;  // with the locks held; may be empty
  };

  static void Add(ForkOrder order, std::mutex& mutex) {
    Add(order, {[&mutex] { mutex.lock(); }, [&mutex] { mutex.unlock(); }, {}});
  }
  static void Add(ForkOrder order, Stage stage) {
    ForkLocks& all = Instance();
    std::lock_guard lock(all.mutex_);
    all.stages_.emplace(order, std::move(stage));
  }

 private:
  ForkLocks() { pthread_atfork(Prepare, Parent, Child); }

  static ForkLocks& Instance() {
    static ForkLocks* instance = new ForkLocks;
    return *instance;
  }
  static void Prepare() {
    ForkLocks& all = Instance();
    all.mutex_.lock();
    for (auto& [order, stage] : all.stages_) stage.lock();
  }
  static void Parent() {
    ForkLocks& all = Instance();
    for (auto it = all.stages_.rbegin(); it != all.stages_.rend(); ++it) it->second.unlock();
    all.mutex_.unlock();
  }
  static void Child() {
    for (auto& [order, stage] : Instance().stages_) {
      if (stage.in_child) stage.in_child();
    }
    Parent();
  }

  std::mutex mutex_;
  std::multimap<ForkOrder, Stage> stages_;
};

}  // namespace anyacl
