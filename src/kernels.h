// SPDX-License-Identifier: Apache-2.0
// Every entry point that is compiled once per tier. Operators reach their kernels only through
// here: Kernels() is the table of the tier chosen for this process.
#pragma once

#include "attention/kernel.h"
#include "base/cpu.h"
#include "gemm/kernel.h"
#include "ops/batch_norm/kernel.h"
#include "ops/blocks/kernel.h"
#include "ops/convolution/kernel.h"
#include "ops/cumulative/kernel.h"
#include "ops/distance/kernel.h"
#include "ops/dynamic_quant/kernel.h"
#include "ops/elementwise/kernel.h"
#include "ops/flash_attention/kernel.h"
#include "ops/gated_delta_rule/kernel.h"
#include "ops/generators/kernel.h"
#include "ops/grid_sample/kernel.h"
#include "ops/group_norm/kernel.h"
#include "ops/grouped_matmul/kernel.h"
#include "ops/indexing/kernel.h"
#include "ops/loss/kernel.h"
#include "ops/max_pool/kernel.h"
#include "ops/native_sparse_attention/kernel.h"
#include "ops/optimizer/kernel.h"
#include "ops/reduction/kernel.h"
#include "ops/resampling/kernel.h"
#include "ops/rowwise/kernel.h"
#include "ops/sorting/kernel.h"
#include "ops/sparse_attention/kernel.h"

namespace anyacl {

// One set for each kernel.h; a set is an object in the tier's namespace.
struct KernelTable {
  const attention::KernelSet& attention;
  const batch_norm::KernelSet& batch_norm;
  const blocks::KernelSet& blocks;
  const convolution::KernelSet& convolution;
  const cumulative::KernelSet& cumulative;
  const distance::KernelSet& distance;
  const dynamic_quant::KernelSet& dynamic_quant;
  const elementwise::KernelSet& elementwise;
  const flash_attention::KernelSet& flash_attention;
  const gated_delta_rule::KernelSet& gated_delta_rule;
  const gemm::KernelSet& gemm;
  const generators::KernelSet& generators;
  const grid_sample::KernelSet& grid_sample;
  const group_norm::KernelSet& group_norm;
  const grouped_matmul::KernelSet& grouped_matmul;
  const indexing::KernelSet& indexing;
  const loss::KernelSet& loss;
  const optimizer::KernelSet& optimizer;
  const max_pool::KernelSet& max_pool;
  const native_sparse_attention::KernelSet& native_sparse_attention;
  const reduction::KernelSet& reduction;
  const resampling::KernelSet& resampling;
  const rowwise::KernelSet& rowwise;
  const sorting::KernelSet& sorting;
  const sparse_attention::KernelSet& sparse_attention;
};

// Of the tier that ANYACL_ISA names or the best one; chosen by the first call, for good.
const KernelTable& Kernels();

// The same, but for kernels that are faster in registers of 32 bytes at the most: Zen 4 converts 16
// numbers of fp16 in 64 bytes more slowly than in two halves.
const KernelTable& NarrowKernels();

// Of any tier that the library was built with, else null. Calling one that the machine does not
// support is the caller's fault.
const KernelTable* KernelsOf(IsaTier tier);

}  // namespace anyacl
