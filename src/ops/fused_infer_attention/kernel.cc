// SPDX-License-Identifier: Apache-2.0
// The tier's kernels of attention.
#include "ops/fused_infer_attention/kernel.h"

namespace anyacl::ANYACL_ISA {

extern constinit const fused_infer_attention::KernelSet kAttentionKernels;
constinit const fused_infer_attention::KernelSet kAttentionKernels = {
    .decode = AttentionDecode,
    .place_query = AttentionPlaceQuery,
    .prefill_fp32 = AttentionPrefillFp32,
    .prefill_bf16 = AttentionPrefillBf16,
    .to_float = AttentionToFloat,
    .pack_fp32 = AttentionPackFp32,
    .pack_keys_bf16 = AttentionPackKeysBf16,
    .pack_values_bf16 = AttentionPackValuesBf16,
    .merge_row = AttentionMergeRow,
    .write_row = AttentionWriteRow,
};

}  // namespace anyacl::ANYACL_ISA
