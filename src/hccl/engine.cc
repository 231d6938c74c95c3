// SPDX-License-Identifier: Apache-2.0
#include "hccl/engine.h"

#include <dlfcn.h>

#include <string>

#include "hccl/hccl_types.h"
#include "hccl/ucx/exports.h"

namespace anyacl::hccl {
namespace {

constexpr const char* kLibrary = "libanyacl_hccl_ucx.so";

struct Loaded {
  void* library;
  std::string reason;  // why there is none
};

// By libhccl's run path, and where a sanitizer's dlopen knows none, beside libhccl.
Loaded Load() {
  void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  Dl_info own{};
  if (library == nullptr && dladdr(kLibrary, &own) != 0) {
    const std::string path = own.dli_fname;
    const std::string beside = path.substr(0, path.rfind('/') + 1) + kLibrary;
    library = dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  const char* const reason = library == nullptr ? dlerror() : nullptr;
  return {library, reason == nullptr ? "" : reason};
}

}  // namespace

Status MakeEngine(std::unique_ptr<Engine>* engine) {
  // Not linked: UCX reads its environment when it is loaded, and programs that never communicate do
  // without it.
  static const auto& [library, reason] = *new Loaded(Load());
  if (library == nullptr) {
    return Fail(
        HCCL_E_NOT_SUPPORT,
        "collective communication needs UCX: install the package libucx0 (Debian, Ubuntu) or "
        "ucx ({})",
        reason);
  }
  static const auto make =
      reinterpret_cast<decltype(&anyaclMakeUcxEngine)>(dlsym(library, "anyaclMakeUcxEngine"));
  return Replay(make(engine));
}

}  // namespace anyacl::hccl
