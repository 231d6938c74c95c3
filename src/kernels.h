// SPDX-License-Identifier: Apache-2.0
// Every entry point that is compiled once per tier. Operators reach their kernels only through
// here: Kernels() is the table of the tier chosen for this process.
#pragma once

#include "base/cpu.h"
#include "gemm/kernel.h"
#include "ops/blocks/kernel.h"
#include "ops/dynamic_quant/kernel.h"
#include "ops/elementwise/kernel.h"
#include "ops/fused_infer_attention/kernel.h"
#include "ops/group_norm/kernel.h"
#include "ops/grouped_matmul/kernel.h"
#include "ops/reduction/kernel.h"

namespace anyacl {

struct KernelTable {
  const gemm::KernelSet& gemm;
  const blocks::KernelSet* blocks;
  const elementwise::KernelSet* elementwise;
  dynamic_quant::SelectRowKernelFunction select_quantize_row;
  fused_infer_attention::KernelSet attention;
  group_norm::SelectKernelsFunction select_group_norm;
  const grouped_matmul::KernelSet* grouped_matmul;
  const reduction::KernelSet* reduction;
};

// Of the tier that ANYACL_ISA names or the best one; chosen by the first call, for good.
const KernelTable& Kernels();

// Of any tier that the library was built with, else null. Calling one that the machine does not
// support is the caller's fault.
const KernelTable* KernelsOf(IsaTier tier);

}  // namespace anyacl
