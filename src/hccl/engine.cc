// SPDX-License-Identifier: Apache-2.0
#include "hccl/engine.h"

#include <dlfcn.h>

#include <string>

#include "hccl/hccl_types.h"
#include "hccl/ucx/exports.h"

namespace anyacl::hccl {
namespace {

// With a slash; empty if it is not known. A sanitizer's dlopen knows no library's run path.
template <class Function>
std::string FolderOf(Function* function) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(function), &info) == 0) return {};
  const std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/') + 1);
}

}  // namespace

Status MakeEngine(std::unique_ptr<Engine>* engine) {
  // Not linked: UCX reads its environment when it is loaded, and programs that never communicate do
  // without it.
  static void* const library =
      dlopen((FolderOf(&MakeEngine) + "libanyacl_hccl_ucx.so").c_str(), RTLD_NOW | RTLD_LOCAL);
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
