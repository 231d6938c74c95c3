// SPDX-License-Identifier: Apache-2.0
// Callbacks that a subscribed client thread executes (aclrtLaunchCallback), and host functions that
// the stream's own thread executes (aclrtLaunchHostFunc).
#include "runtime/callback.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/device.h"
#include "runtime/error_log.h"

namespace anyacl {
namespace {

struct Callback {
  aclrtCallback function;
  void* user_data;
  int32_t stream;
  std::weak_ptr<Stream> held;  // the stream, if it waits for the callback
  enum { kPending, kDone, kDropped } state = kPending;
};

// The mailbox of one thread.
struct Subscriber {
  std::mutex mutex;
  std::condition_variable changed;  // a callback arrived, was done, or a stream was unsubscribed
  std::deque<std::shared_ptr<Callback>> pending;
  bool ended = false;  // subscribed to no stream any more
};

struct Subscriptions {
  std::mutex mutex;
  std::map<int32_t, uint64_t> thread_of_stream;
  std::map<uint64_t, std::shared_ptr<Subscriber>> by_thread;

  // Called with the lock held.
  std::shared_ptr<Subscriber> Of(int32_t stream) {
    const auto it = thread_of_stream.find(stream);
    return it == thread_of_stream.end() ? nullptr : by_thread[it->second];
  }

  void LockAll() {
    mutex.lock();
    for (const auto& [thread, subscriber] : by_thread) subscriber->mutex.lock();
  }
  void UnlockAll() {
    for (const auto& [thread, subscriber] : by_thread) subscriber->mutex.unlock();
    mutex.unlock();
  }
  void ForgetInChild() {
    for (const auto& [thread, subscriber] : by_thread) {
      // A condition variable may remember waiters that do not exist here; what has arrived stays
      // the parent's.
      new (&subscriber->changed) std::condition_variable;
      subscriber->pending.clear();
    }
  }
};

Subscriptions& AllSubscriptions() {
  static Subscriptions* all = [] {
    auto* created = new Subscriptions;
    ForkLocks::Add(ForkOrder::kCallbacks,
                   {[created] { created->LockAll(); }, [created] { created->UnlockAll(); },
                    [created] { created->ForgetInChild(); }});
    return created;
  }();
  return *all;
}
[[maybe_unused]] const bool kCallbackMadeAtLoad = (AllSubscriptions(), true);

std::shared_ptr<Subscriber> SubscriberOfThisThread() {
  Subscriptions& all = AllSubscriptions();
  std::lock_guard lock(all.mutex);
  const auto it = all.by_thread.find(static_cast<uint64_t>(pthread_self()));
  return it == all.by_thread.end() ? nullptr : it->second;
}

class CallbackTask final : public Task {
 public:
  CallbackTask(Callback callback, bool block)
      : Task(block ? TaskKind::kWait : TaskKind::kMark, "aclrtLaunchCallback"),
        callback_(std::move(callback)),
        block_(block) {}

  Status Run(const StopToken& stop) override {
    // A new one each time: a graph runs this task again.
    const auto callback = std::make_shared<Callback>(callback_);
    const std::shared_ptr<Subscriber> subscriber = Post(callback);
    if (subscriber != nullptr && !block_) return {};
    if (subscriber != nullptr) {
      std::unique_lock lock(subscriber->mutex);
      subscriber->changed.wait(
          lock, [&] { return callback->state != Callback::kPending || stop.Requested(); });
      if (callback->state == Callback::kDone) return {};
      if (callback->state == Callback::kPending) {
        std::erase(subscriber->pending, callback);
        return Fail(ACL_ERROR_RT_STREAM_ABORT, "the wait for a callback was ended");
      }
    }
    return Fail(ACL_ERROR_RT_STREAM_NO_CB_REG,
                "a callback was not run: stream {} was unsubscribed before its turn came",
                callback_.stream);
  }

  void Wake() override {
    std::shared_ptr<Subscriber> subscriber;
    {
      std::lock_guard lock(mutex_);
      subscriber = subscriber_;
    }
    if (subscriber == nullptr) return;  // not posted yet: it will see that it is to stop
    { std::lock_guard lock(subscriber->mutex); }
    subscriber->changed.notify_all();
  }

 private:
  // Puts the callback into the mailbox of the thread that is subscribed now, if there is one. Under
  // the lock of the subscriptions: else the mailbox might be given up meanwhile.
  std::shared_ptr<Subscriber> Post(const std::shared_ptr<Callback>& callback) {
    Subscriptions& all = AllSubscriptions();
    std::lock_guard lock(all.mutex);
    std::shared_ptr<Subscriber> subscriber = all.Of(callback_.stream);
    if (subscriber == nullptr) return nullptr;
    {
      std::lock_guard own_lock(mutex_);
      subscriber_ = subscriber;
    }
    std::lock_guard mailbox_lock(subscriber->mutex);
    subscriber->pending.push_back(callback);
    subscriber->changed.notify_all();
    return subscriber;
  }

  const Callback callback_;
  const bool block_;
  std::mutex mutex_;
  std::shared_ptr<Subscriber> subscriber_;  // once posted; guarded by mutex_
};

// Runs the oldest callback of this thread's mailbox, waiting for one at most `timeout_ms`
// (negative: without end).
Status ProcessOne(Subscriber& subscriber, int32_t timeout_ms) {
  std::unique_lock lock(subscriber.mutex);
  const auto arrived = [&] { return !subscriber.pending.empty() || subscriber.ended; };
  if (timeout_ms < 0) {
    subscriber.changed.wait(lock, arrived);
  } else if (!subscriber.changed.wait_for(lock, std::chrono::milliseconds(timeout_ms), arrived)) {
    return Fail(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback arrived within {} ms", timeout_ms);
  }
  if (subscriber.pending.empty()) {
    return Fail(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                "the last subscription of this thread ended during the wait for a callback");
  }
  const std::shared_ptr<Callback> callback = subscriber.pending.front();
  subscriber.pending.pop_front();
  lock.unlock();
  {
    const std::shared_ptr<Stream> held = callback->held.lock();
    std::optional<Stream::TaskScope> scope;
    if (held != nullptr) scope.emplace(held.get());
    callback->function(callback->user_data);
  }
  lock.lock();
  callback->state = Callback::kDone;
  subscriber.changed.notify_all();
  return {};
}

// Called with the lock of `all` held.
void RemoveSubscription(Subscriptions& all, const Stream& stream) {
  const auto it = all.thread_of_stream.find(stream.id());
  if (it == all.thread_of_stream.end()) return;
  const uint64_t thread = it->second;
  all.thread_of_stream.erase(it);
  const std::shared_ptr<Subscriber> subscriber = all.by_thread[thread];
  bool others = false;
  for (const auto& [id, owner] : all.thread_of_stream) others |= owner == thread;
  if (!others) all.by_thread.erase(thread);
  // Nobody will run what is left of this stream: let go of what waits for it.
  std::lock_guard pending_lock(subscriber->mutex);
  subscriber->ended = !others;
  std::erase_if(subscriber->pending, [&](const std::shared_ptr<Callback>& callback) {
    if (callback->stream != stream.id()) return false;
    callback->state = Callback::kDropped;
    return true;
  });
  subscriber->changed.notify_all();
}

Status Unsubscribe(uint64_t thread, const Stream& stream) {
  Subscriptions& all = AllSubscriptions();
  std::lock_guard lock(all.mutex);
  const auto it = all.thread_of_stream.find(stream.id());
  if (it == all.thread_of_stream.end() || it->second != thread) {
    return Fail(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                "thread {} is not subscribed to stream {}, expected aclrtSubscribeReport before",
                thread, stream.id());
  }
  RemoveSubscription(all, stream);
  return {};
}

}  // namespace

void EndSubscription(const Stream& stream) {
  Subscriptions& all = AllSubscriptions();
  std::lock_guard lock(all.mutex);
  RemoveSubscription(all, stream);
}

}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return Entry("aclrtSubscribeReport", [&]() -> Status {
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    Subscriptions& all = AllSubscriptions();
    std::lock_guard lock(all.mutex);
    const auto [it, added] = all.thread_of_stream.emplace(found->id(), threadId);
    if (!added) {
      return Fail(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                  "stream {} is subscribed by thread {} already, expected none", found->id(),
                  it->second);
    }
    std::shared_ptr<Subscriber>& subscriber = all.by_thread[threadId];
    if (subscriber == nullptr) subscriber = std::make_shared<Subscriber>();
    return {};
  });
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return Entry("aclrtUnSubscribeReport", [&]() -> Status {
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    return Unsubscribe(threadId, *found);
  });
}

aclError aclrtProcessReport(int32_t timeout) {
  return Entry("aclrtProcessReport", [&]() -> Status {
    if (timeout != -1 && timeout <= 0) {
      return Fail(ACL_ERROR_INVALID_PARAM, "timeout is {} ms, expected -1 (none) or more than 0",
                  timeout);
    }
    const std::shared_ptr<Subscriber> subscriber = SubscriberOfThisThread();
    if (subscriber == nullptr) {
      return Fail(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                  "this thread is subscribed to no stream, expected aclrtSubscribeReport before");
    }
    return ProcessOne(*subscriber, timeout);
  });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  return Entry("aclrtLaunchCallback", [&]() -> Status {
    if (Status s = NotNull(reinterpret_cast<const void*>(fn), "fn"); !s.ok()) return s;
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK) {
      return Fail(ACL_ERROR_INVALID_PARAM, "blockType is {}, expected 0 (no block) or 1 (block)",
                  static_cast<int>(blockType));
    }
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    {
      Subscriptions& all = AllSubscriptions();
      std::lock_guard lock(all.mutex);
      if (all.Of(found->id()) == nullptr) {
        return Fail(ACL_ERROR_RT_STREAM_NO_CB_REG,
                    "no thread is subscribed to stream {}, expected aclrtSubscribeReport before",
                    found->id());
      }
    }
    const bool block = blockType == ACL_CALLBACK_BLOCK;
    Callback callback{fn, userData, found->id(), block ? found : nullptr};
    return found->Enqueue(std::make_shared<CallbackTask>(std::move(callback), block));
  });
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return Entry("aclrtLaunchHostFunc", [&]() -> Status {
    if (Status s = NotNull(reinterpret_cast<const void*>(fn), "fn"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    const auto run = [fn, args]() -> Status {
      const ErrorCapture::Suspended client;
      fn(args);
      return {};
    };
    return found->Enqueue(MakeTask(TaskKind::kHost, "aclrtLaunchHostFunc", run));
  });
}
}
