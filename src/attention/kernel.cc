// SPDX-License-Identifier: Apache-2.0
// The tier's kernels of attention.
#include "attention/kernel.h"

namespace anyacl::ANYACL_ISA {

extern constinit const attention::KernelSet kAttentionKernels;
constinit const attention::KernelSet kAttentionKernels = {
    .decode = AttentionDecode,
    .place_query = AttentionPlaceQuery,
    .prefill_fp32 = AttentionPrefillFp32,
    .prefill_bf16 = AttentionPrefillBf16,
    .to_float = AttentionToFloat,
    .place_lanes = AttentionPlaceLanes,
    .place_pairs = AttentionPlacePairs,
    .take_lanes = AttentionTakeLanes,
    .place_bytes = AttentionPlaceBytes,
    .look_at_bytes = AttentionLookAtBytes,
    .pack_fp32 = AttentionPackFp32,
    .pack_keys_bf16 = AttentionPackKeysBf16,
    .pack_values_bf16 = AttentionPackValuesBf16,
    .merge_row = AttentionMergeRow,
    .write_row = AttentionWriteRow,
};

}  // namespace anyacl::ANYACL_ISA
