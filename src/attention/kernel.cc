// SPDX-License-Identifier: Apache-2.0
// The tier's kernels of attention. ANYACL_TIER is ANYACL_ISA, or a tier that adds matrix registers
// to it and has kernel_prefill_matrix.cc.
#include "attention/kernel.h"

#ifndef ANYACL_TIER
#define ANYACL_TIER ANYACL_ISA
#endif

namespace anyacl::ANYACL_TIER {

using namespace ANYACL_ISA;
void AttentionPrefillBf16(const attention::PrefillStep& step);
void AttentionPackPrefillValues(const char* const* rows, int columns, int dim, int tile_step,
                                uint32_t* out);

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
    .place_slopes = AttentionPlaceSlopes,
    .look_at_bytes = AttentionLookAtBytes,
    .pack_fp32 = AttentionPackFp32,
    .pack_keys_bf16 = AttentionPackKeysBf16,
    .pack_values_bf16 = AttentionPackValuesBf16,
    .pack_prefill_values = AttentionPackPrefillValues,
    .merge_row = AttentionMergeRow,
    .write_row = AttentionWriteRow,
};

}  // namespace anyacl::ANYACL_TIER
