// SPDX-License-Identifier: Apache-2.0
// Callbacks for failed tasks, and the functions that read what they are given.
#include "runtime/exception_info.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/error_log.h"

// The type is the client's by name alone.
struct rtExceptionInfo {
  anyacl::TaskFailure failure;
};

namespace anyacl {
namespace {

constexpr int kNoException = -1;

struct Callbacks {
  std::mutex mutex;
  aclrtExceptionInfoCallback single = nullptr;
  std::vector<aclrtExceptionInfoCallback> added;
  std::unordered_set<const rtExceptionInfo*> alive;  // what callbacks are reading now
};

thread_local uint32_t t_thread = 0;

Callbacks& AllCallbacks() {
  static Callbacks* all = [] {
    auto* created = new Callbacks;
    // The thread that forked has another number in the child.
    ForkLocks::Add(ForkOrder::kCallbacks,
                   {[created] { created->mutex.lock(); }, [created] { created->mutex.unlock(); },
                    [] { t_thread = 0; }});
    return created;
  }();
  return *all;
}
[[maybe_unused]] const bool kExceptionInfoMadeAtLoad = (AllCallbacks(), true);

// What callbacks are given, while it can be read.
class Told {
 public:
  // Called with the lock of `all` held.
  Told(Callbacks& all, const TaskFailure& failure) : all_(all), info_{failure} {
    all_.alive.insert(&info_);
  }
  ~Told() {
    std::lock_guard lock(all_.mutex);
    all_.alive.erase(&info_);
  }
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;

  rtExceptionInfo* info() { return &info_; }

 private:
  Callbacks& all_;
  rtExceptionInfo info_;
};

bool Read(const aclrtExceptionInfo* info, TaskFailure* failure) {
  Callbacks& all = AllCallbacks();
  std::lock_guard lock(all.mutex);
  if (all.alive.count(info) == 0) return false;
  *failure = info->failure;
  return true;
}

Status FailNoException(const aclrtExceptionInfo* info) {
  return Fail(kNoException, "info {} is not what a callback that runs now was given",
              static_cast<const void*>(info));
}

uint32_t Member(const char* api, const aclrtExceptionInfo* info, uint32_t TaskFailure::*member) {
  uint32_t value = UINT32_MAX;
  Entry(api, [&]() -> Status {
    TaskFailure failure{};
    if (!Read(info, &failure)) return FailNoException(info);
    value = failure.*member;
    return {};
  });
  return value;
}

// No task here is a kernel.
Status FailNoKernel(const aclrtExceptionInfo* info) {
  TaskFailure failure{};
  if (!Read(info, &failure)) return FailNoException(info);
  return Fail(kNoException, "task {} of stream {} is no kernel for an NPU", failure.task,
              failure.stream);
}

}  // namespace

uint32_t ThisThread() {
  if (t_thread == 0) t_thread = static_cast<uint32_t>(syscall(SYS_gettid));
  return t_thread;
}

void TellTaskFailure(const TaskFailure& failure) {
  // Stops what a callback throws; the failure of the task is not changed by that.
  Entry("aclrtExceptionInfoCallback", [&]() -> Status {
    Callbacks& all = AllCallbacks();
    std::vector<aclrtExceptionInfoCallback> called;
    std::optional<Told> told;
    {
      std::lock_guard lock(all.mutex);
      if (all.single != nullptr) called.push_back(all.single);
      called.insert(called.end(), all.added.begin(), all.added.end());
      if (called.empty()) return {};
      told.emplace(all, failure);
    }
    const ErrorCapture::Suspended client;
    for (const aclrtExceptionInfoCallback callback : called) callback(told->info());
    return {};
  });
}

}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return Entry("aclrtSetExceptionInfoCallback", [&]() -> Status {
    Callbacks& all = AllCallbacks();
    std::lock_guard lock(all.mutex);
    all.single = callback;
    return {};
  });
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback) {
  return Entry("aclrtExceptionInfoCallbackRegister", [&]() -> Status {
    if (callback == nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "callback is null, expected a function");
    }
    Callbacks& all = AllCallbacks();
    std::lock_guard lock(all.mutex);
    if (std::find(all.added.begin(), all.added.end(), callback) == all.added.end()) {
      all.added.push_back(callback);
    }
    return {};
  });
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback) {
  return Entry("aclrtExceptionInfoCallbackUnregister", [&]() -> Status {
    if (callback == nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "callback is null, expected a function");
    }
    Callbacks& all = AllCallbacks();
    std::lock_guard lock(all.mutex);
    std::erase(all.added, callback);
    return {};
  });
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Member("aclrtGetTaskIdFromExceptionInfo", info, &TaskFailure::task);
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Member("aclrtGetStreamIdFromExceptionInfo", info, &TaskFailure::stream);
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Member("aclrtGetThreadIdFromExceptionInfo", info, &TaskFailure::thread);
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Member("aclrtGetDeviceIdFromExceptionInfo", info, &TaskFailure::device);
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Member("aclrtGetErrorCodeFromExceptionInfo", info, &TaskFailure::code);
}

aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info, void** devArgsPtr,
                                       uint32_t* devArgsLen) {
  return Entry("aclrtGetArgsFromExceptionInfo", [&]() -> Status {
    if (Status s = NotNull(devArgsPtr, "devArgsPtr"); !s.ok()) return s;
    if (Status s = NotNull(devArgsLen, "devArgsLen"); !s.ok()) return s;
    *devArgsPtr = nullptr;
    *devArgsLen = 0;
    return FailNoKernel(info);
  });
}

aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info,
                                             aclrtFuncHandle* func) {
  return Entry("aclrtGetFuncHandleFromExceptionInfo", [&]() -> Status {
    if (Status s = NotNull(func, "func"); !s.ok()) return s;
    *func = nullptr;
    return FailNoKernel(info);
  });
}
}
