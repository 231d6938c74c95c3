// SPDX-License-Identifier: Apache-2.0
// Picks the reductions' kernels.
#include "hccl/reduce.h"

#include <cstdlib>

namespace anyacl {

// Each tier's, in kernel_reduce.cc.
namespace base {
extern const hccl::KernelSet kHcclKernels;
}
#if defined(__x86_64__)
namespace avx2 {
extern const hccl::KernelSet kHcclKernels;
}
namespace avx512 {
extern const hccl::KernelSet kHcclKernels;
}
namespace avx512_bf16 {
extern const hccl::KernelSet kHcclKernels;
}
#elif defined(__aarch64__)
namespace neon {
extern const hccl::KernelSet kHcclKernels;
}
#endif

namespace hccl {

// TypedReductions' order.
static_assert(HCCL_DATA_TYPE_INT8 == 0 && HCCL_DATA_TYPE_FP16 == 3 && HCCL_DATA_TYPE_UINT64 == 6 &&
              HCCL_DATA_TYPE_FP64 == 10 && HCCL_DATA_TYPE_BFP16 + 1 == kReducibleTypes);
static_assert(HCCL_REDUCE_SUM == 0 && HCCL_REDUCE_PROD == 1 && HCCL_REDUCE_MAX == 2 &&
              HCCL_REDUCE_MIN + 1 == kReductions);

const KernelSet* KernelsOf(IsaTier tier) {
  switch (tier) {
    case IsaTier::kBase:
      return &base::kHcclKernels;
#if defined(__x86_64__)
    case IsaTier::kAvx2:
      return &avx2::kHcclKernels;
    case IsaTier::kAvx512:
      return &avx512::kHcclKernels;
    case IsaTier::kAvx512Bf16:
    case IsaTier::kAmx:  // adds nothing to a reduction
      return &avx512_bf16::kHcclKernels;
#elif defined(__aarch64__)
    case IsaTier::kNeon:
      return &neon::kHcclKernels;
#endif
    default:
      return nullptr;
  }
}

ReduceFunction FindReduction(HcclDataType type, HcclReduceOp op) {
  static const KernelSet& kernels = *KernelsOf(ChooseTier(std::getenv("ANYACL_ISA")));
  const auto type_number = static_cast<unsigned>(type), op_number = static_cast<unsigned>(op);
  if (type_number >= kReducibleTypes || op_number >= kReductions) return nullptr;
  return kernels.reduce[op_number].of[type_number];
}

}  // namespace hccl
}  // namespace anyacl
