// SPDX-License-Identifier: Apache-2.0
// What the changes of a format share: a tensor of the call, and the operators they are made of.
#pragma once

#include <dlfcn.h>

#include <string_view>

#include "acl/acl_base.h"
#include "base/shape.h"

namespace anyacl {

// One tensor of the call, as it lies in memory.
struct Side {
  std::string_view name;  // "inputDesc[0]"
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  Dims dims;
  int64_t bytes = 0;
  void* data = nullptr;
};

// The operators, loaded by the first call that needs them: clients of this library alone do not.
template <class Function>
Function* Operator(const char* name) {
  static void* const library = dlopen("libopapi.so", RTLD_NOW | RTLD_LOCAL);
  return library != nullptr ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

}  // namespace anyacl
