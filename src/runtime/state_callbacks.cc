// SPDX-License-Identifier: Apache-2.0
#include "runtime/state_callbacks.h"

#include <map>
#include <mutex>
#include <string>

#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"

namespace anyacl {
namespace {

// Callbacks of one kind by their names.
template <class Function>
class NamedCallbacks {
 public:
  struct Callback {
    Function function;
    void* args;
  };

  static NamedCallbacks& Instance() {
    static NamedCallbacks* instance = [] {
      auto* created = new NamedCallbacks;
      ForkLocks::Add(ForkOrder::kCallbacks, created->mutex_);
      return created;
    }();
    return *instance;
  }

  Status Register(const char* name, Function function, void* args) {
    if (Status s = NotNull(name, "regName"); !s.ok()) return s;
    std::lock_guard lock(mutex_);
    if (function == nullptr) {
      by_name_.erase(name);
      return {};
    }
    if (!by_name_.emplace(name, Callback{function, args}).second) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "regName is \"{}\", which has a callback already; expected a new name, or a null "
                  "callback to take it away",
                  name);
    }
    return {};
  }

  // Calls all with `call`, which returns whether to go on. What a callback brings about is not told
  // again: else one that creates a stream whenever a stream is created would never end.
  template <class Call>
  void ForAll(Call call) {
    static thread_local bool t_calling = false;
    if (t_calling) return;
    struct Calling {
      Calling() { t_calling = true; }
      ~Calling() { t_calling = false; }
    };
    std::map<std::string, Callback> called;
    {
      std::lock_guard lock(mutex_);
      if (by_name_.empty()) return;
      called = by_name_;
    }
    const Calling calling;
    for (const auto& [name, callback] : called) {
      if (!call(name, callback)) break;
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Callback> by_name_;
};

using StreamCallbacks = NamedCallbacks<aclrtStreamStateCallback>;
using DeviceCallbacks = NamedCallbacks<aclrtDeviceStateCallback>;
using AbortCallbacks = NamedCallbacks<aclrtDeviceTaskAbortCallback>;

[[maybe_unused]] const bool kStateCallbacksMadeAtLoad =
    (StreamCallbacks::Instance(), DeviceCallbacks::Instance(), AbortCallbacks::Instance(), true);

}  // namespace

void TellStreamState(aclrtStream stream, aclrtStreamState state) {
  StreamCallbacks::Instance().ForAll([&](const std::string&, const auto& callback) {
    callback.function(stream, state, callback.args);
    return true;
  });
}

void TellDeviceState(int32_t device, aclrtDeviceState state) {
  DeviceCallbacks::Instance().ForAll([&](const std::string&, const auto& callback) {
    callback.function(device, state, callback.args);
    return true;
  });
}

Status TellTaskAbort(int32_t device, aclrtDeviceTaskAbortStage stage, uint32_t timeout) {
  Status outcome;
  AbortCallbacks::Instance().ForAll([&](const std::string& name, const auto& callback) {
    const int32_t code = callback.function(device, stage, timeout, callback.args);
    if (code != 0) outcome = Fail(code, "callback \"{}\" returned {}, expected 0", name, code);
    return code == 0;
  });
  return outcome;
}

}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback,
                                     void* args) {
  return Entry("aclrtRegStreamStateCallback",
               [&] { return StreamCallbacks::Instance().Register(regName, callback, args); });
}

aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback,
                                     void* args) {
  return Entry("aclrtRegDeviceStateCallback",
               [&] { return DeviceCallbacks::Instance().Register(regName, callback, args); });
}

aclError aclrtSetDeviceTaskAbortCallback(const char* regName, aclrtDeviceTaskAbortCallback callback,
                                         void* args) {
  return Entry("aclrtSetDeviceTaskAbortCallback",
               [&] { return AbortCallbacks::Instance().Register(regName, callback, args); });
}
}
