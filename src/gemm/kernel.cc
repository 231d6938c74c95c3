// SPDX-License-Identifier: Apache-2.0
// The tier's matrix kernels.
#include "gemm/kernel.h"

#include "simd/dot_tile.h"

namespace anyacl::ANYACL_ISA {

extern constinit const gemm::KernelSet kGemmKernels;
constinit const gemm::KernelSet kGemmKernels = {
    .fp32 = &kGemmFp32,
    .bf16 = kHasDotBf16 ? &kGemmBf16 : &kGemmFp32,
    .int8 = &kGemmInt8,
    .widen = GemmWiden,
    .finish = GemmFinish,
};

}  // namespace anyacl::ANYACL_ISA
