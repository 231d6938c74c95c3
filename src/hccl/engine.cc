// SPDX-License-Identifier: Apache-2.0
#include "hccl/engine.h"

#include <dlfcn.h>

#include "hccl/hccl_types.h"
#include "hccl/ucx/exports.h"

namespace anyacl::hccl {

Status MakeEngine(std::unique_ptr<Engine>* engine) {
  // Not linked: UCX reads its environment when it is loaded, and programs that never communicate do
  // without it. Its folder is ours: libhccl's run path holds for what it opens.
  static void* const library = dlopen("libanyacl_hccl_ucx.so", RTLD_NOW | RTLD_LOCAL);
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
