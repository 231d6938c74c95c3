// SPDX-License-Identifier: Apache-2.0
// One tier's kernels; compiled once per tier. Constant, so that nothing of the tier runs before it
// is chosen.
#include "kernels.h"

namespace anyacl::ANYACL_ISA {

extern constinit const KernelTable kKernels;
constinit const KernelTable kKernels = {
    .gemm = kGemmKernels,
    .blocks = &kBlockKernels,
    .elementwise = &kElementwiseKernels,
    .select_quantize_row = SelectRowKernel,
    .attention = {.rows = AttentionDecode,
                  .place_query = AttentionPlaceQuery,
                  .prefill_fp32 = AttentionPrefillFp32,
                  .prefill_bf16 = AttentionPrefillBf16,
                  .to_float = AttentionToFloat,
                  .pack_fp32 = AttentionPackFp32,
                  .pack_keys_bf16 = AttentionPackKeysBf16,
                  .pack_values_bf16 = AttentionPackValuesBf16,
                  .merge_row = AttentionMergeRow,
                  .write_row = AttentionWriteRow},
    .select_group_norm = SelectGroupNormKernels,
    .grouped_matmul = &kGroupedMatmulKernels,
    .reduction = &kReductionKernels,
};

}  // namespace anyacl::ANYACL_ISA
