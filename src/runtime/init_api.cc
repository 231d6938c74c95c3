// SPDX-License-Identifier: Apache-2.0
// aclInit, aclFinalize. No other function insists on them, as upstream.
#include <mutex>
#include <optional>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/config.h"
#include "runtime/device.h"
#include "runtime/error_log.h"

namespace anyacl {
namespace {

struct InitState {
  std::mutex mutex;
  uint64_t references = 0;
  bool finalized = false;
  std::optional<std::string> content;  // of the first configuration of this process
};

InitState& Initialisation() {
  static InitState* state = [] {
    auto* created = new InitState;
    ForkLocks::Add(ForkOrder::kInit, created->mutex);
    return created;
  }();
  return *state;
}
[[maybe_unused]] const bool kInitApiMadeAtLoad = (Initialisation(), true);

Status Initialize(const char* path) {
  InitState& state = Initialisation();
  std::lock_guard lock(state.mutex);
  if (state.references > 0) {
    ++state.references;
    return Fail(ACL_ERROR_REPEAT_INITIALIZE,
                "initialised already ({} references now), expected aclFinalize before",
                state.references);
  }
  Config config;
  if (Status s = ReadConfig(path, &config); !s.ok()) return s;
  if (!config.content.empty() && state.content && *state.content != config.content) {
    return Fail(ACL_ERROR_INVALID_PARAM,
                "configPath \"{}\" differs from the configuration of the first aclInit, expected "
                "the same content",
                path);
  }
  if (config.default_device) {
    if (Status s = CheckDevice(*config.default_device); !s.ok()) return s;
    SetDefaultDevice(*config.default_device);
  }
  UsePerProcessErrorList(config.per_process_errors);
  if (!state.content) state.content = config.content;
  state.references = 1;
  state.finalized = false;
  return {};
}

// Worker threads without work end here; streams stay usable, because programs reset the device
// after this call, too.
void Finalize(InitState& state) {
  state.references = 0;
  state.finalized = true;
  QuietStreams();
}

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclInit(const char* configPath) {
  return Entry("aclInit", [&] { return Initialize(configPath); });
}

aclError aclFinalize(void) {
  return Entry("aclFinalize", [&]() -> Status {
    InitState& state = Initialisation();
    std::lock_guard lock(state.mutex);
    if (state.finalized) {
      return Fail(ACL_ERROR_REPEAT_FINALIZE, "finalised already, expected aclInit before");
    }
    Finalize(state);
    return {};
  });
}

aclError aclFinalizeReference(uint64_t* refCount) {
  return Entry("aclFinalizeReference", [&]() -> Status {
    InitState& state = Initialisation();
    std::lock_guard lock(state.mutex);
    if (state.references == 0) {
      return Fail(ACL_ERROR_REPEAT_FINALIZE, "the reference count is 0, expected aclInit before");
    }
    if (state.references == 1) {
      Finalize(state);
    } else {
      --state.references;
    }
    if (refCount != nullptr) *refCount = state.references;
    return {};
  });
}

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return Entry("aclrtGetVersion", [&]() -> Status {
    if (Status s = NotNull(majorVersion, "majorVersion"); !s.ok()) return s;
    if (Status s = NotNull(minorVersion, "minorVersion"); !s.ok()) return s;
    if (Status s = NotNull(patchVersion, "patchVersion"); !s.ok()) return s;
    *majorVersion = ACL_MAJOR_VERSION;
    *minorVersion = ACL_MINOR_VERSION;
    *patchVersion = ACL_PATCH_VERSION;
    return {};
  });
}
}
