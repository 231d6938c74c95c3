// SPDX-License-Identifier: Apache-2.0
// What libanyacl_hccl_ucx.so gives to libhccl.so.
#pragma once

#include <memory>

#include "hccl/engine.h"

#pragma GCC visibility push(default)
extern "C" int anyaclMakeUcxEngine(std::unique_ptr<anyacl::hccl::Engine>* engine);
#pragma GCC visibility pop
