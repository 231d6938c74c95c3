// SPDX-License-Identifier: Apache-2.0
// One tier's kernels; compiled once per tier. Constant, so that nothing of the tier runs before it
// is chosen. ANYACL_TIER is ANYACL_ISA, or a tier that adds matrix registers to it. ANYACL_PLAIN is
// ANYACL_ISA, or the tier whose kernels it takes where its further instructions have no use.
#include "kernels.h"

#ifndef ANYACL_TIER
#define ANYACL_TIER ANYACL_ISA
#endif
#ifndef ANYACL_PLAIN
#define ANYACL_PLAIN ANYACL_ISA
#endif

namespace anyacl::ANYACL_PLAIN {

extern const blocks::KernelSet kBlockKernels;
extern const convolution::KernelSet kConvolutionKernels;
extern const cumulative::KernelSet kCumulativeKernels;
extern const distance::KernelSet kDistanceKernels;
extern const dynamic_quant::KernelSet kDynamicQuantKernels;
extern const gated_delta_rule::KernelSet kGatedDeltaRuleKernels;
extern const generators::KernelSet kGeneratorKernels;
extern const grid_sample::KernelSet kGridSampleKernels;
extern const grouped_matmul::KernelSet kGroupedMatmulKernels;
extern const indexing::KernelSet kIndexingKernels;
extern const max_pool::KernelSet kMaxPoolKernels;
extern const native_sparse_attention::KernelSet kNativeSparseAttentionKernels;
extern const optimizer::KernelSet kOptimizerKernels;
extern const reduction::KernelSet kReductionKernels;
extern const resampling::KernelSet kResamplingKernels;
extern const sorting::KernelSet kSortingKernels;
extern const sparse_attention::KernelSet kSparseAttentionKernels;

}  // namespace anyacl::ANYACL_PLAIN

namespace anyacl::ANYACL_TIER {

using namespace ANYACL_ISA;
extern const attention::KernelSet kAttentionKernels;
extern const flash_attention::KernelSet kFlashAttentionKernels;
extern const gemm::KernelSet kGemmKernels;

extern constinit const KernelTable kKernels;
constinit const KernelTable kKernels = {
    .attention = kAttentionKernels,
    .batch_norm = kBatchNormKernels,
    .blocks = ANYACL_PLAIN::kBlockKernels,
    .convolution = ANYACL_PLAIN::kConvolutionKernels,
    .cumulative = ANYACL_PLAIN::kCumulativeKernels,
    .distance = ANYACL_PLAIN::kDistanceKernels,
    .dynamic_quant = ANYACL_PLAIN::kDynamicQuantKernels,
    .elementwise = kElementwiseKernels,
    .flash_attention = kFlashAttentionKernels,
    .gated_delta_rule = ANYACL_PLAIN::kGatedDeltaRuleKernels,
    .gemm = kGemmKernels,
    .generators = ANYACL_PLAIN::kGeneratorKernels,
    .grid_sample = ANYACL_PLAIN::kGridSampleKernels,
    .group_norm = kGroupNormKernels,
    .grouped_matmul = ANYACL_PLAIN::kGroupedMatmulKernels,
    .indexing = ANYACL_PLAIN::kIndexingKernels,
    .loss = kLossKernels,
    .optimizer = ANYACL_PLAIN::kOptimizerKernels,
    .max_pool = ANYACL_PLAIN::kMaxPoolKernels,
    .native_sparse_attention = ANYACL_PLAIN::kNativeSparseAttentionKernels,
    .reduction = ANYACL_PLAIN::kReductionKernels,
    .resampling = ANYACL_PLAIN::kResamplingKernels,
    .rowwise = kRowwiseKernels,
    .sorting = ANYACL_PLAIN::kSortingKernels,
    .sparse_attention = ANYACL_PLAIN::kSparseAttentionKernels,
};

}  // namespace anyacl::ANYACL_TIER
