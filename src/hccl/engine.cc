// SPDX-License-Identifier: Apache-2.0
#include "hccl/engine.h"

#include <dlfcn.h>

#include <string>

#include "hccl/hccl_types.h"
#include "hccl/ucx/exports.h"

namespace anyacl::hccl {
namespace {

constexpr const char* kLibrary = "libanyacl_hccl_ucx.so";

// By libhccl's run path, and where a sanitizer's dlopen knows none, beside libhccl.
void* Load() {
  if (void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL)) return library;
  Dl_info own{};
  if (dladdr(kLibrary, &own) == 0) return nullptr;
  const std::string path = own.dli_fname;
  return dlopen((path.substr(0, path.rfind('/') + 1) + kLibrary).c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

Status MakeEngine(std::unique_ptr<Engine>* engine) {
  // Not linked: UCX reads its environment when it is loaded, and programs that never communicate do
  // without it.
  static void* const library = Load();
  static const std::string reason = library == nullptr ? dlerror() : "";
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
