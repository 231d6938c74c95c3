// SPDX-License-Identifier: Apache-2.0
#include "runtime/error_log.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "base/format.h"
#include "base/sink.h"
#include "runtime/clock.h"
#include "runtime/log.h"
#include "runtime/profile.h"
#include "runtime/stream.h"

namespace anyacl {
namespace {

// Bounds what a client that never reads its messages can pile up.
constexpr size_t kMaxTextBytes = 100 * 1024;

struct ErrorList {
  std::deque<std::string> newest_first;
  size_t bytes = 0;
  std::string handed_out;  // keeps aclGetRecentErrMsg's result alive until the next call

  void Add(std::string message) {
    bytes += message.size();
    newest_first.push_front(std::move(message));
    while (bytes > kMaxTextBytes && newest_first.size() > 1) {
      bytes -= newest_first.back().size();
      newest_first.pop_back();
    }
  }

  const char* Take() {
    handed_out.clear();
    for (const std::string& message : newest_first) handed_out += message;
    newest_first.clear();
    bytes = 0;
    return handed_out.empty() ? nullptr : handed_out.c_str();
  }
};

std::atomic<bool> g_per_process{false};

// A pointer, because destructors of the client's static and thread_local objects may call us: by
// then an object here would be gone. The key's destructor runs after those of thread_local objects
// and, in threads that end the process, never.
thread_local ErrorList* t_list = nullptr;
thread_local aclError t_last_error = ACL_SUCCESS;
thread_local const char* t_api = nullptr;
thread_local ErrorCapture* t_capture = nullptr;

pthread_key_t MakeListKey() {
  pthread_key_t key{};
  pthread_key_create(&key, [](void* list) {
    // A failing call in another key's destructor begins a new list.
    t_list = nullptr;
    delete static_cast<ErrorList*>(list);
  });
  return key;
}

const pthread_key_t g_list_key = MakeListKey();

ErrorList& ThreadList() {
  if (t_list == nullptr) {
    t_list = new ErrorList;
    pthread_setspecific(g_list_key, t_list);
  }
  return *t_list;
}

struct SharedList {
  std::mutex mutex;
  ErrorList list;
};

SharedList& ProcessList() {
  static SharedList* shared = [] {
    auto* created = new SharedList;
    ForkLocks::Add(ForkOrder::kLog, created->mutex);
    return created;
  }();
  return *shared;
}
[[maybe_unused]] const bool kErrorLogMadeAtLoad = (ProcessList(), true);

// The family that CANN's messages of this code carry.
const char* FamilyOf(int code) {
  if (code == ACL_ERROR_INVALID_PARAM) return "EH0001";
  if (code >= 161000 && code < 162000) return "EZ1001";
  if (code >= 361000 && code < 562000 && code / 1000 != 500 && code / 1000 != 507) return "EZ9999";
  if (code >= 107000 && code < 108000) return "EE1001";
  return "EE9999";
}

void Append(const std::string& message) {
  if (!g_per_process.load(std::memory_order_relaxed)) {
    ThreadList().Add(message);
    return;
  }
  SharedList& shared = ProcessList();
  std::lock_guard lock(shared.mutex);
  shared.list.Add(message);
}

}  // namespace

void UsePerProcessErrorList(bool per_process) { g_per_process = per_process; }

ErrorCapture::ErrorCapture() : outer_(std::exchange(t_capture, this)) {}
ErrorCapture::~ErrorCapture() { t_capture = outer_; }
std::string ErrorCapture::TextInThread() { return t_capture == nullptr ? "" : t_capture->text_; }
ErrorCapture::Suspended::Suspended() : capture_(std::exchange(t_capture, nullptr)) {}
ErrorCapture::Suspended::~Suspended() { t_capture = capture_; }

void RecordCarriedError(int code, const std::string& message) {
  if (t_capture != nullptr) return t_capture->Keep(message);
  t_last_error = code;
  Append(message);
}

const char* CurrentApi() { return t_api != nullptr ? t_api : "anyacl"; }

}  // namespace anyacl

extern "C" {

const char* anyaclEnterApi(const char* api) {
  const char* previous = anyacl::t_api;
  anyacl::t_api = api;
  // What a task's own thread runs is no call.
  if (previous == nullptr && anyacl::ProfileRuns() && !anyacl::Stream::RunsTaskInThisThread()) {
    anyacl::BeginProfiledCall();
  }
  return previous;
}

void anyaclLeaveApi(const char* previous) {
  if (previous == nullptr && anyacl::ProfileRuns()) anyacl::EndProfiledCall(anyacl::t_api);
  anyacl::t_api = previous;
}

void anyaclRecordError(int code, const char* text, size_t size) {
  if (anyacl::t_capture == nullptr) anyacl::t_last_error = code;
  try {
    const std::string_view body(text, size);
    std::string message =
        anyacl::Format("{}: [PID: {}] {} {}: {} (error {})\n", anyacl::FamilyOf(code), getpid(),
                       anyacl::Now().text, anyacl::CurrentApi(), body, code);
    if (anyacl::t_capture != nullptr) {
      anyacl::t_capture->Keep(std::move(message), std::string(body));
    } else {
      anyacl::Append(message);
    }
    const auto module = code / 1000 % 100 == 61 ? anyacl::LogModule::kOp : anyacl::LogModule::kAcl;
    if (anyacl::LogEnabled(ACL_ERROR, module)) {
      anyacl::WriteLog(ACL_ERROR, module, anyacl::CurrentApi(), nullptr, 0,
                       anyacl::Format("{} (error {})", body, code));
    }
  } catch (const std::exception&) {
    // Out of memory while reporting: the code still reaches the caller.
  }
}

const char* aclGetRecentErrMsg() {
  using namespace anyacl;
  try {
    if (!g_per_process.load(std::memory_order_relaxed)) {
      return t_list == nullptr ? nullptr : t_list->Take();
    }
    // The text must outlive this call on this thread only.
    SharedList& shared = ProcessList();
    std::lock_guard lock(shared.mutex);
    const char* text = shared.list.Take();
    if (text == nullptr) return nullptr;
    ThreadList().handed_out = text;
    return t_list->handed_out.c_str();
  } catch (const std::exception&) {
    return nullptr;
  }
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  if (level != ACL_RT_THREAD_LEVEL) {
    return anyacl::Entry("aclrtGetLastError", [&] {
      return anyacl::Fail(ACL_ERROR_INVALID_PARAM, "level is {}, expected ACL_RT_THREAD_LEVEL (0)",
                          static_cast<int>(level));
    });
  }
  const aclError last = anyacl::t_last_error;
  anyacl::t_last_error = ACL_SUCCESS;
  return last;
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  if (level != ACL_RT_THREAD_LEVEL) {
    return anyacl::Entry("aclrtPeekAtLastError", [&] {
      return anyacl::Fail(ACL_ERROR_INVALID_PARAM, "level is {}, expected ACL_RT_THREAD_LEVEL (0)",
                          static_cast<int>(level));
    });
  }
  return anyacl::t_last_error;
}
}
