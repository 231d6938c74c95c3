// SPDX-License-Identifier: Apache-2.0
// The tier's matrix kernels. ANYACL_TIER is ANYACL_ISA, or a tier that adds matrix registers to it
// and has kernel_matrix.cc.
#include "gemm/kernel.h"

#include "simd/dot_tile.h"

#ifdef ANYACL_TIER
#define ANYACL_FEW_BF16 kGemmFewBf16
#define ANYACL_HALF kGemmHalf
#define ANYACL_WHOLE kGemmWhole
#else
#define ANYACL_TIER ANYACL_ISA
#define ANYACL_FEW_BF16 kGemmBf16
#define ANYACL_HALF kGemmFp32
#define ANYACL_WHOLE kGemmFp32
#endif

namespace anyacl::ANYACL_TIER {

using namespace ANYACL_ISA;
extern const gemm::Arithmetic kGemmFp32;
extern const gemm::Arithmetic kGemmBf16;
extern const gemm::Arithmetic kGemmInt8;
extern const gemm::Arithmetic kGemmFewBf16;
extern const gemm::Arithmetic kGemmHalf;
extern const gemm::Arithmetic kGemmWhole;
void GemmScaleFew(const gemm::FewArgs& args, const gemm::Groups& groups, int64_t first);

extern constinit const gemm::KernelSet kGemmKernels;
constinit const gemm::KernelSet kGemmKernels = {
    .fp32 = &kGemmFp32,
    .bf16 = kHasDotBf16 ? &kGemmBf16 : &kGemmFp32,
    .half = &ANYACL_HALF,
    .whole = &ANYACL_WHOLE,
    .int8 = &kGemmInt8,
    .few_bf16 = kHasDotBf16 ? &ANYACL_FEW_BF16 : &kGemmFp32,
    .few_int8 = &ANYACL_ISA::kGemmInt8,
    .widen = GemmWiden,
    .scale_few = GemmScaleFew,
    .finite = GemmFinite,
    .finish = GemmFinish,
    .list = &kGemmList,
};

}  // namespace anyacl::ANYACL_TIER
