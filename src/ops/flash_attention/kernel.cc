// SPDX-License-Identifier: Apache-2.0
// The tier's kernels of the gradient. ANYACL_TIER is ANYACL_ISA, or a tier that adds matrix
// registers to it and has kernel_gradient_matrix.cc.
#include "ops/flash_attention/kernel.h"

#ifndef ANYACL_TIER
#define ANYACL_TIER ANYACL_ISA
#endif

namespace anyacl::ANYACL_TIER {

using namespace ANYACL_ISA;
void FlashAttentionGradientBf16(const flash_attention::GradientStep& step);

extern constinit const flash_attention::KernelSet kFlashAttentionKernels;
constinit const flash_attention::KernelSet kFlashAttentionKernels = {
    .gradient_fp32 = FlashAttentionGradientFp32,
    .gradient_bf16 = FlashAttentionGradientBf16,
    .dot = FlashAttentionDot,
    .add = FlashAttentionAdd,
};

}  // namespace anyacl::ANYACL_TIER
