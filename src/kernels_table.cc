// SPDX-License-Identifier: Apache-2.0
// One tier's kernels; compiled once per tier. Constant, so that nothing of the tier runs before it
// is chosen. ANYACL_TIER is ANYACL_ISA, or a tier that adds matrix registers to it.
#include "kernels.h"

#ifndef ANYACL_TIER
#define ANYACL_TIER ANYACL_ISA
#endif

namespace anyacl::ANYACL_TIER {

using namespace ANYACL_ISA;
extern const attention::KernelSet kAttentionKernels;
extern const flash_attention::KernelSet kFlashAttentionKernels;
extern const gemm::KernelSet kGemmKernels;

extern constinit const KernelTable kKernels;
constinit const KernelTable kKernels = {
    .attention = kAttentionKernels,
    .batch_norm = kBatchNormKernels,
    .blocks = kBlockKernels,
    .convolution = kConvolutionKernels,
    .dynamic_quant = kDynamicQuantKernels,
    .elementwise = kElementwiseKernels,
    .flash_attention = kFlashAttentionKernels,
    .gated_delta_rule = kGatedDeltaRuleKernels,
    .gemm = kGemmKernels,
    .generators = kGeneratorKernels,
    .group_norm = kGroupNormKernels,
    .grouped_matmul = kGroupedMatmulKernels,
    .loss = kLossKernels,
    .optimizer = kOptimizerKernels,
    .max_pool = kMaxPoolKernels,
    .native_sparse_attention = kNativeSparseAttentionKernels,
    .reduction = kReductionKernels,
    .resampling = kResamplingKernels,
    .rowwise = kRowwiseKernels,
    .sparse_attention = kSparseAttentionKernels,
};

}  // namespace anyacl::ANYACL_TIER
