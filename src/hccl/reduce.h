// SPDX-License-Identifier: Apache-2.0
// The reductions of this process's tier of instructions: libhccl's counterpart of kernels.h.
#pragma once

#include "base/cpu.h"
#include "hccl/hccl_types.h"
#include "hccl/kernel.h"

namespace anyacl::hccl {

// Null if the type is not reduced or there is no such operation.
ReduceFunction FindReduction(HcclDataType type, HcclReduceOp op);

// Of any tier that the library was built with, else null. Calling one that the machine does not
// support is the caller's fault.
const KernelSet* KernelsOf(IsaTier tier);

}  // namespace anyacl::hccl
