// SPDX-License-Identifier: Apache-2.0
// A function of the libraries that no header declares, found by name, as adapters find it.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace anyacl::test {

template <class Function>
Function* Look(const char* name) {
  auto* function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  EXPECT_NE(function, nullptr) << name;
  return function;
}

}  // namespace anyacl::test
