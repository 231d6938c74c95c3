// SPDX-License-Identifier: Apache-2.0
#include "hccl/state_callbacks.h"

#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace anyacl::hccl {
namespace {

constexpr size_t kMaxName = 160;

struct Callback {
  HcclCommStateCallback function;
  void* args;
};

std::mutex& CallbackMutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

std::map<std::string, Callback>& Callbacks() {
  static auto* callbacks = new std::map<std::string, Callback>;
  return *callbacks;
}

}  // namespace

Status RegisterStateCallback(const char* name, HcclCommStateCallback callback, void* args) {
  const size_t length = strnlen(name, kMaxName + 1);
  if (length == 0 || length > kMaxName) {
    return Fail(HCCL_E_PARA, "regName has {} bytes or more, expected 1 to {}", length, kMaxName);
  }
  std::lock_guard lock(CallbackMutex());
  if (callback == nullptr) {
    Callbacks().erase(name);
  } else {
    Callbacks()[name] = {callback, args};
  }
  return {};
}

void TellStateCallbacks(HcclComm comm, HcclCommStatePhase phase) {
  std::map<std::string, Callback> callbacks;
  {
    std::lock_guard lock(CallbackMutex());
    callbacks = Callbacks();
  }
  for (const auto& [name, callback] : callbacks) {
    const HcclResult result = callback.function(comm, phase, callback.args);
    if (result != HCCL_SUCCESS)
      Warn("the callback \"{}\" returned {}", name, static_cast<int>(result));
  }
}

}  // namespace anyacl::hccl
