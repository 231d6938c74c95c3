// SPDX-License-Identifier: Apache-2.0
// fork() copies the calling thread alone: a lock that another thread holds at that moment would
// stay locked in the child for ever. The locks of everything global are therefore taken before a
// fork and released on both sides of it. Each library keeps a list of its own.
// What is global is made when the library is loaded (k…MadeAtLoad): a child that is forked while
// another thread makes it would wait for that thread. What reads the environment is made at its
// first use, because a program may set variables until then: FirstUse.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

namespace anyacl {

// The order in which nested code takes the locks; a fork must take them in the same order.
enum class ForkOrder {
  kInit,
  kDevices,
  kCallbacks,
  kCaptures,
  kGraphs,
  kIpcKeys,
  kAddressSpace,
  kMemory,
  kSharedMemory,
  kHandles,
  kStreams,
  kPool,
  kCalls,
  kProfile,
  kSettings,
  kLog
};

class ForkLocks {
 public:
  struct Stage {
    std::function<void()> lock;
    std::function<void()> unlock;
    std::function<void()> in_child;  // with the locks held; may be empty
  };

  template <class Lock>
  static void Add(ForkOrder order, Lock& lock) {
    Add(order, {[&lock] { lock.lock(); }, [&lock] { lock.unlock(); }, {}});
  }
  // Without a lock: the caller may hold one that a fork is waiting for.
  static void Add(ForkOrder order, Stage stage);

 private:
  struct Node {
    ForkOrder order;
    Stage stage;
    Node* next;
  };

  ForkLocks();

  static ForkLocks& Instance();
  static void Prepare();
  static void Parent();
  static void Child();

  std::atomic<Node*> newest_{nullptr};
  std::mutex forks_;           // one fork at a time
  std::vector<Node*> locked_;  // by the current fork
};

// A value made at its first use, under a lock that a fork takes.
template <class T>
class FirstUse {
 public:
  explicit FirstUse(ForkOrder order) { ForkLocks::Add(order, mutex_); }

  template <class Make>
  T& Get(Make make) {
    T* value = value_.load(std::memory_order_acquire);
    if (value != nullptr) return *value;
    std::lock_guard lock(mutex_);
    value = value_.load(std::memory_order_relaxed);
    if (value == nullptr) {
      value = make();
      value_.store(value, std::memory_order_release);
    }
    return *value;
  }

 private:
  std::mutex mutex_;
  std::atomic<T*> value_{nullptr};  // never deleted: threads may use it while the process exits
};

}  // namespace anyacl
