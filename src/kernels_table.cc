// SPDX-License-Identifier: Apache-2.0
// One tier's kernels; compiled once per tier. Constant, so that nothing of the tier runs before it
// is chosen.
#include "kernels.h"

namespace anyacl::ANYACL_ISA {

extern constinit const KernelTable kKernels;
constinit const KernelTable kKernels = {
    .select_quantize_row = SelectRowKernel,
    .select_group_norm = SelectGroupNormKernels,
    .grouped_matmul = &kGroupedMatmulKernels,
};

}  // namespace anyacl::ANYACL_ISA
